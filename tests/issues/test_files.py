"""Public reports about files, names and scans, each with the input that broke a tool like ours."""

import os
import unicodedata
from pathlib import Path, PureWindowsPath

import pytest

from kgmem.errors import SourceError
from kgmem.sources.document import Found, Seen, SourceSettings
from kgmem.sources.obsidian import Vault


def write(folder: Path, files: dict[str, str]) -> Vault:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return Vault(folder, SourceSettings())


def remembered(found: tuple[Found, ...]) -> dict[str, Seen]:
    return {
        each.path: Seen(f"id-{each.path}", each.path, each.size, each.mtime_ns, each.hash, each.head.uid)
        for each in found
    }


def deny(monkeypatch, folder: Path) -> None:
    listed = os.scandir

    def scandir(path):
        if Path(path) == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)


def test_neuron_611_composed_and_decomposed_names(tmp_path):
    decomposed = unicodedata.normalize("NFD", "Müller.md")
    vault = write(tmp_path, {decomposed: "x", "A.md": "[[Müller]]"})
    assert [found.path for found in vault.scan({}).added] == ["A.md", decomposed]
    assert vault.read("A.md").blocks[1].links[0].path == decomposed


def test_khoj_495_utf8_in_any_locale(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("LC_ALL", "C")
    vault = write(tmp_path, {"A.md": "🤝 and “quotes”"})
    vault.scan({})
    assert vault.read("A.md").blocks[1].text == "🤝 and “quotes”"


def test_khoj_89_latin_1(tmp_path):
    vault = write(tmp_path, {"A.md": "fine"})
    (tmp_path / "B.md").write_bytes(b"one\ntwo \xa2 three\n")
    scan = vault.scan({})
    assert [found.path for found in scan.added] == ["A.md"]
    assert [(problem.path, problem.line, problem.kind) for problem in scan.problems] == [("B.md", 2, "encoding")]
    assert "not UTF-8" in scan.problems[0].message
    assert vault.read("B.md").problems == scan.problems


def test_khoj_89_a_known_note_that_is_no_longer_utf8_is_kept(tmp_path):
    vault = write(tmp_path, {"A.md": "fine"})
    known = remembered(vault.scan({}).added)
    (tmp_path / "A.md").write_bytes(b"\xff\xfe")
    scan = vault.scan(known)
    assert (scan.removed, scan.changed, len(scan.problems)) == ((), (), 1)


def test_basic_memory_1007_unreadable_root(tmp_path, monkeypatch):
    vault = write(tmp_path, {f"{number}.md": "x" for number in range(20)})
    known = remembered(vault.scan({}).added)
    deny(monkeypatch, tmp_path)
    with pytest.raises(SourceError) as error:
        vault.scan(known)
    assert "nothing was changed" in error.value.hint


def test_basic_memory_1007_unreadable_folder(tmp_path, monkeypatch):
    vault = write(tmp_path, {"A.md": "a", "sub/B.md": "b", "sub/deep/C.md": "c", "subway/D.md": "d"})
    known = remembered(vault.scan({}).added)
    (tmp_path / "subway" / "D.md").unlink()
    deny(monkeypatch, tmp_path / "sub")
    scan = vault.scan(known)
    assert [seen.path for seen in scan.removed] == ["subway/D.md"]
    assert [(problem.path, problem.kind) for problem in scan.problems] == [("sub", "unreadable")]
    assert scan.unchanged == 1


def test_basic_memory_30_temporary_files_and_conflict_copies(tmp_path):
    conflict = "Note (conflict 2024-01-02).md"
    names = ["Test.tmp", "x.md.tmp", ".~lock.Note.md#", "~$Note.md", "Note.md.crswap", ".Note.md.swp", conflict]
    vault = write(tmp_path, {"Note.md": "x", **dict.fromkeys(names, "x")})
    scan = vault.scan({})
    assert [found.path for found in scan.added] == ["Note.md"]
    assert [(problem.path, problem.kind) for problem in scan.problems] == [(conflict, "conflict-copy")]
    assert [name for name in names if vault.wanted(name)] == []


@pytest.mark.parametrize(
    "name", ["Note.sync-conflict-20240102-030405-ABCDEFG.md", "Note (Ann's conflicted copy 2024-01-02).md"]
)
def test_basic_memory_30_other_conflict_copies(tmp_path, name):
    scan = write(tmp_path, {name: "x", "The Suez (conflict).md": "a real note"}).scan({})
    assert [found.path for found in scan.added] == ["The Suez (conflict).md"]
    assert [problem.path for problem in scan.problems] == [name]


def test_basic_memory_1077_similar_names_are_two_notes(tmp_path):
    vault = write(tmp_path, {"site-roadmap.md": "---\ntitle: Site Roadmap\n---\n", "Site Roadmap.md": "x"})
    assert [found.head.title for found in vault.scan({}).added] == ["Site Roadmap", "Site Roadmap"]


def test_zk_20_no_folder(tmp_path):
    with pytest.raises(SourceError, match="nowhere"):
        Vault(tmp_path / "nowhere", SourceSettings()).scan({})
    (tmp_path / "file.md").write_text("x", encoding="utf-8")
    with pytest.raises(SourceError, match="not a folder"):
        Vault(tmp_path / "file.md", SourceSettings()).scan({})


def test_khoj_993_paths_have_slashes(tmp_path):
    vault = write(tmp_path, {"dir/note.md": "x"})
    assert [found.path for found in vault.scan({}).added] == ["dir/note.md"]
    assert PureWindowsPath(r"dir\note.md").as_posix() == next(vault.paths())


def test_codegraph_1372_names_without_spaces(tmp_path):
    vault = write(tmp_path, {"示例模块.md": "x", "A.md": "见 [[示例模块]]。"})
    vault.scan({})
    assert vault.read("A.md").blocks[1].links[0].path == "示例模块.md"


def test_basic_memory_338_names_that_differ_in_case(tmp_path):
    vault = write(tmp_path, {"Note.md": "one", "note.md": "two", "A.md": "[[note]] [[Note]] [[NOTE]]"})
    if len(list(tmp_path.iterdir())) < 3:
        pytest.skip("this disk does not tell case apart")
    scan = vault.scan({})
    assert [found.path for found in scan.added] == ["A.md", "Note.md", "note.md"]
    assert [(problem.path, problem.kind) for problem in scan.problems] == [("note.md", "name-collision")]
    assert [link.path for link in vault.read("A.md").blocks[1].links] == ["note.md", "Note.md", "Note.md"]
