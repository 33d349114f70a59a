import os
from pathlib import Path

import pytest

from kgmem.sources.document import Found, Seen, SourceSettings
from kgmem.sources.obsidian import Vault


def write(folder: Path, files: dict[str, str], settings: SourceSettings | None = None) -> Vault:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return Vault(folder, settings or SourceSettings())


def remembered(found: tuple[Found, ...]) -> dict[str, Seen]:
    return {
        each.path: Seen(f"id-{each.path}", each.path, each.size, each.mtime_ns, each.hash, each.head.uid)
        for each in found
    }


def paths(vault: Vault) -> list[str]:
    return [found.path for found in vault.scan({}).added]


def test_kind(tmp_path):
    assert Vault(tmp_path, SourceSettings()).kind == "text"
    (tmp_path / ".obsidian").mkdir()
    assert Vault(tmp_path, SourceSettings()).kind == "obsidian"


def test_head(tmp_path):
    text = "---\nid: 42\ntitle: Ann\naliases: Annie Lee, A. L.\ntags: [person]\n---\n"
    (found,) = write(tmp_path, {"People/ann.md": text}).scan({}).added
    assert (found.head.title, found.head.aliases, found.head.tags) == ("Ann", ("Annie Lee", "A. L."), ("person",))
    assert (found.head.uid, found.size) == ("42", len(text))
    assert [(each.key, each.line) for each in found.head.properties] == [
        ("id", 2),
        ("title", 3),
        ("aliases", 4),
        ("tags", 5),
    ]


def test_an_unchanged_vault_is_only_looked_at(tmp_path, monkeypatch):
    vault = write(tmp_path, {"A.md": "a", "b/B.md": "b", "c.canvas": "{}", "t.md": "---\nx: {{y}}\n---\n"})
    known = remembered(vault.scan({}).added)
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} was opened"))
    scan = vault.scan(known)
    assert (scan.unchanged, scan.added, scan.changed, scan.touched, scan.removed) == (3, (), (), (), ())
    assert list(vault.paths()) == ["A.md", "b/B.md", "c.canvas"]


def test_a_touched_file_is_hashed_and_read_no_further(tmp_path, monkeypatch):
    vault = write(tmp_path, {"A.md": "---\ntags: x\n---\na", "B.md": "b"})
    known = remembered(vault.scan({}).added)
    for name in known:
        os.utime(tmp_path / name, ns=(1, 1))
    monkeypatch.setattr("kgmem.sources.obsidian.parse.read_head", lambda path, *_: pytest.fail(f"{path} was parsed"))
    scan = vault.scan(known)
    assert scan.touched == tuple(seen._replace(mtime_ns=1) for seen in known.values())
    assert list(vault.paths()) == ["A.md", "B.md"]


def test_changed_touched_and_removed(tmp_path):
    vault = write(tmp_path, {"A.md": "a", "B.md": "b", "C.md": "c"})
    known = remembered(vault.scan({}).added)
    (tmp_path / "A.md").write_text("longer", encoding="utf-8")
    os.utime(tmp_path / "B.md", ns=(1, 1))
    (tmp_path / "C.md").unlink()
    scan = vault.scan(known)
    assert [(seen.path, found.path) for seen, found in scan.changed] == [("A.md", "A.md")]
    assert [(seen.path, seen.mtime_ns) for seen in scan.touched] == [("B.md", 1)]
    assert [seen.path for seen in scan.removed] == ["C.md"]


def test_moves_by_content(tmp_path):
    vault = write(tmp_path, {"A.md": "one", "B.md": "two", "C.md": "two", "D.md": ""})
    known = remembered(vault.scan({}).added)
    for old, new in {"A.md": "x/A2.md", "B.md": "B2.md", "C.md": "C2.md", "D.md": "D2.md"}.items():
        (tmp_path / new).parent.mkdir(exist_ok=True)
        (tmp_path / old).rename(tmp_path / new)
    scan = vault.scan(known)
    assert [(seen.path, found.path) for seen, found in scan.moved] == [("A.md", "x/A2.md")]
    assert [found.path for found in scan.added] == ["B2.md", "C2.md", "D2.md"]
    assert [seen.path for seen in scan.removed] == ["B.md", "C.md", "D.md"]


def test_moves_by_an_id_of_its_own(tmp_path):
    vault = write(tmp_path, {"A.md": "---\nid: 7\n---\nold"})
    known = remembered(vault.scan({}).added)
    (tmp_path / "A.md").unlink()
    (tmp_path / "B.md").write_text("---\nid: 7\n---\nnew", encoding="utf-8")
    ((seen, found),) = vault.scan(known).moved
    assert (seen.path, found.path, seen.hash == found.hash) == ("A.md", "B.md", False)


def test_a_note_goes_where_its_folder_goes_though_it_was_edited_meanwhile(tmp_path):
    vault = write(
        tmp_path, {"a/One.md": "one", "a/Two.md": "two", "a/in/Three.md": "three", "a/Four.md": "", "Top.md": "t"}
    )
    known = remembered(vault.scan({}).added)
    (tmp_path / "a").rename(tmp_path / "b")
    (tmp_path / "b" / "Two.md").write_text("two and more", encoding="utf-8")
    (tmp_path / "b" / "in" / "Three.md").write_text("three and more", encoding="utf-8")
    (tmp_path / "Top.md").unlink()
    (tmp_path / "b" / "Top.md").write_text("another", encoding="utf-8")
    scan = vault.scan(known)
    assert {seen.path: found.path for seen, found in scan.moved} == {
        "a/One.md": "b/One.md", "a/Two.md": "b/Two.md", "a/in/Three.md": "b/in/Three.md", "a/Four.md": "b/Four.md",
    }  # fmt: skip
    assert ([found.path for found in scan.added], [seen.path for seen in scan.removed]) == (["b/Top.md"], ["Top.md"])


def test_a_note_does_not_go_where_only_another_note_of_its_name_is_new(tmp_path):
    vault = write(tmp_path, {"a/One.md": "one", "a/Two.md": "two"})
    known = remembered(vault.scan({}).added)
    (tmp_path / "a" / "Two.md").unlink()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "Two.md").write_text("another", encoding="utf-8")
    scan = vault.scan(known)
    assert (scan.moved, [seen.path for seen in scan.removed]) == ((), ["a/Two.md"])


def test_a_copy_is_not_a_move(tmp_path):
    vault = write(tmp_path, {"A.md": "one"})
    known = remembered(vault.scan({}).added)
    (tmp_path / "B.md").write_text("one", encoding="utf-8")
    scan = vault.scan(known)
    assert ([found.path for found in scan.added], scan.moved, scan.unchanged) == (["B.md"], (), 1)


def test_hidden_places(tmp_path):
    vault = write(tmp_path, {"A.md": "a", ".trash/B.md": "b", ".obsidian/C.md": "c", "x/.git/D.md": "d", ".E.md": "e"})
    assert paths(vault) == ["A.md"]
    assert [vault.wanted(path) for path in ("A.md", ".trash/B.md", "x/.git/D.md", ".E.md")] == [
        True,
        False,
        False,
        False,
    ]
    assert vault.wanted(tmp_path / "new" / "F.md")
    assert not vault.wanted(tmp_path.parent / "F.md")
    assert not vault.wanted("image.png")


def test_ignore_rules(tmp_path):
    files = {
        "A.md": "a",
        "drafts/B.md": "b",
        "drafts/keep.md": "k",
        "x/C.md": "c",
        "x/drafts.md": "d",
        "log/E.md": "e",
        "y/F.md": "f",
        "y/G.md": "g",
        ".kgmemignore": "drafts/*\n!drafts/keep.md\n",
        "x/.kgmemignore": "/C.md\n",
        ".obsidian/app.json": '{"userIgnoreFilters": ["log/", "/F\\\\.md$/"]}',
    }
    vault = write(tmp_path, files, SourceSettings(ignore=("G.*",)))
    expected = ["A.md", "drafts/keep.md", "x/drafts.md"]
    assert paths(vault) == expected
    assert [path for path in sorted(files) if vault.wanted(path)] == expected


def test_broken_settings_are_problems(tmp_path):
    files = {".obsidian/app.json": "{", ".obsidian/daily-notes.json": "[", ".obsidian/templates.json": "x", "A.md": "a"}
    scan = write(tmp_path, files).scan({})
    assert sorted(problem.path for problem in scan.problems) == sorted(files)[:3]
    assert [found.path for found in scan.added] == ["A.md"]


def test_our_own_pages(tmp_path):
    files = {
        "A.md": "a",
        "out/.kgmem-manifest.json": "{}",
        "out/B.md": "b",
        "C.md": "---\nkgmem_id: 1\n---\n",
        "p/D.md": "d",
    }
    vault = write(tmp_path, files, SourceSettings(export_folders=(str(tmp_path / "p"),)))
    assert paths(vault) == ["A.md"]
    assert not vault.wanted("out/B.md")
    assert not vault.wanted("p/D.md")


def test_pipes_are_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    assert paths(write(tmp_path, {"A.md": "a"})) == ["A.md"]


def test_symbolic_links(tmp_path):
    outside = tmp_path / "outside"
    write(outside, {"Far.md": "far"})
    root = tmp_path / "vault"
    vault = write(root, {"A.md": "a", "sub/B.md": "b"})
    (root / "far").symlink_to(outside)
    (root / "far again").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "up").symlink_to(tmp_path)
    (root / "again.md").symlink_to(root / "A.md")
    (root / "self").symlink_to(root / "self")
    assert paths(vault) == ["A.md", "far/Far.md", "sub/B.md"]


def test_a_link_that_leads_nowhere_removes_nothing(tmp_path):
    outside = tmp_path / "outside"
    write(outside, {"Far.md": "far"})
    root = tmp_path / "vault"
    vault = write(root, {"A.md": "a"})
    (root / "far").symlink_to(outside)
    known = remembered(vault.scan({}).added)
    outside.rename(tmp_path / "gone")
    scan = vault.scan(known)
    assert (scan.removed, scan.unchanged) == ((), 1)
    assert [(problem.path, problem.kind) for problem in scan.problems] == [("far", "unreadable")]


def test_unreadable_file_is_kept(tmp_path, monkeypatch):
    vault = write(tmp_path, {"A.md": "a", "B.md": "b"})
    known = remembered(vault.scan({}).added)
    os.utime(tmp_path / "A.md", ns=(1, 1))
    read_bytes = Path.read_bytes

    def refuse(path):
        if path.name == "A.md":
            raise PermissionError(13, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    scan = vault.scan(known)
    assert (scan.removed, scan.touched, scan.unchanged) == ((), (), 1)
    assert [(problem.path, problem.kind) for problem in scan.problems] == [("A.md", "unreadable")]


def test_names_that_are_not_utf8(tmp_path):
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this disk takes only UTF-8 names")
    scan = write(tmp_path, {"A.md": "a"}).scan({})
    assert [found.path for found in scan.added] == ["A.md"]
    assert [(problem.path, problem.kind) for problem in scan.problems] == [(r"\xff.md", "encoding")]


def test_reading_and_replaying_agree(tmp_path):
    text = "\ufeff---\r\nx: 1\r\n---\r\nSee [[B]].\r\n"
    vault = write(tmp_path, {"B.md": "b"})
    (tmp_path / "A.md").write_bytes(text.encode())
    vault.scan({})
    document = vault.read("A.md")
    assert document.text == text
    mtime_ns = (tmp_path / "A.md").stat().st_mtime_ns
    assert Vault(tmp_path, SourceSettings()).parse("A.md", text, mtime_ns=mtime_ns) == document
    assert [(block.kind, block.text, block.first_line) for block in document.blocks] == [
        ("title", "A", 1),
        ("property", "x: 1", 2),
        ("paragraph", "See [[B]].", 4),
    ]
    assert document.blocks[2].links[0].path == "B.md"


def test_a_large_note(tmp_path):
    vault = write(tmp_path, {"A.md": ("word " * 100_000 + "\n\n") * 22})
    vault.scan({})
    document = vault.read("A.md")
    assert len(document.text) > 10_000_000
    assert sum(block.text.count("word") for block in document.blocks) == 2_200_000
    assert max(len(block.text) for block in document.blocks) <= 4_000


def test_a_vanished_note(tmp_path):
    with pytest.raises(FileNotFoundError):
        write(tmp_path, {"A.md": "a"}).read("B.md")


def test_what_moves_while_the_folder_is_walked_is_not_gone(tmp_path, monkeypatch):
    vault = write(tmp_path, {"a/First.md": "one", "z/Last.md": "two"})
    known = remembered(vault.scan({}).added)
    listed = os.scandir

    def move_then_list(folder):
        if Path(folder).name == "z" and (tmp_path / "z" / "Last.md").exists():
            (tmp_path / "z" / "Last.md").rename(tmp_path / "a" / "Last.md")
        return listed(folder)

    monkeypatch.setattr(os, "scandir", move_then_list)
    assert vault.scan(known).removed == ()
    (moved,) = vault.scan(known).moved
    assert (moved[0].path, moved[1].path) == ("z/Last.md", "a/Last.md")
