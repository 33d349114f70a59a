"""A vault's history, commit by commit, from repositories that git itself makes."""

from __future__ import annotations

import hashlib
from contextlib import closing
from datetime import UTC, datetime

import pytest
from sources.repositories import Repo, everything, needs_git

from kgmem.errors import SourceError
from kgmem.model import Instant, Replayed, show_instant, to_instant
from kgmem.sources.document import Seen
from kgmem.sources.git_history import GitHistory
from kgmem.sources.obsidian import Vault

pytestmark = needs_git
REWRITTEN = "is no longer in the history; it goes on with the commits after 2024-02-10T00:00:00Z"
NOW = to_instant(datetime(2026, 3, 2, tzinfo=UTC))


def instant(text):
    return to_instant(datetime.fromisoformat(text))


@pytest.fixture
def repo(tmp_path):
    return Repo(tmp_path / "vault")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Where folders of the program's own are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def history(repo, folder=""):
    return GitHistory(Vault(repo.folder / folder), now=NOW)


def told(past, done=None):
    """(instant, notes with their text) of each commit."""
    with closing(past.commits(done)) as commits:
        return [(show_instant(each.at), texts(each.reader)) for each in commits]


def texts(reader):
    if reader is None:
        return None
    return {found.path: reader.read(found.path).text for found in reader.scan({}).added}


def scans(past, known, done=None):
    """What each commit makes of what is known, the same for all."""
    with closing(past.commits(done)) as commits:
        return [each.reader.scan(known) for each in commits if each.reader is not None]


def messages(past):
    return [(each.path, each.kind, each.message) for each in past.problems]


def test_commits_come_in_order_with_the_notes_of_then(repo):
    repo.commit("2024-01-01", {"Mira.md": "one\n", "P/Bo.md": "bo\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    repo.git("rm", "-q", "P/Bo.md")
    repo.commit("2024-03-01")
    past = history(repo)
    assert past.pending(None) == 3
    assert told(past) == [
        ("2024-01-01T12:00:00Z", {"Mira.md": "one\n", "P/Bo.md": "bo\n"}),
        ("2024-02-01T12:00:00Z", {"Mira.md": "two\n", "P/Bo.md": "bo\n"}),
        ("2024-03-01T12:00:00Z", {"Mira.md": "two\n"}),
    ]
    assert (past.problems, past.stopped) == ([], False)


def test_a_note_is_read_under_the_name_of_the_vault_and_dated_by_its_commit(repo):
    repo.write({".obsidian/app.json": "{}"})
    repo.commit("2024-01-01", {"Mira.md": "Lunch with [[Bo]].\n"})
    with closing(history(repo).commits(None)) as commits:
        commit = next(commits)
        (found,) = commit.reader.scan({}).added
        assert (commit.reader.root, commit.reader.kind) == (repo.folder.as_posix(), "obsidian")
        assert found.mtime_ns == instant("2024-01-01T12:00:00+00:00") * 1000
        assert str(commit.reader.read("Mira.md").occurred.moment) == "2024-01-01"
        assert list(commit.reader.paths()) == ["Mira.md"]


def test_it_goes_on_after_the_last_one_that_was_done(repo):
    first = repo.commit("2024-01-01", {"Mira.md": "one\n", "Bo.md": "bo\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    done = Replayed(first, instant("2024-01-01T12:00:00+00:00"))
    past = history(repo)
    assert past.pending(done) == 1
    assert told(past, done) == [("2024-02-01T12:00:00Z", {"Mira.md": "two\n", "Bo.md": "bo\n"})]
    assert told(past, Replayed(repo.git("rev-parse", "HEAD"), NOW)) == []
    assert past.problems == []


def test_a_rewritten_history_goes_on_by_time_and_says_so(repo):
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    repo.commit("2024-03-01", {"Mira.md": "three\n"})
    past = history(repo)
    assert told(past, Replayed("0" * 40, instant("2024-02-10T00:00:00+00:00"))) == [
        ("2024-03-01T12:00:00Z", {"Mira.md": "three\n"})
    ]
    assert messages(past) == [
        (
            ".git",
            "history",
            f"commit {'0' * 10}, which was replayed last, {REWRITTEN}",
        )
    ]


def test_of_a_merge_the_first_parent_counts(repo):
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("2024-01-10", {"Bo.md": "draft\n"})
    repo.commit("2024-01-20", {"Bo.md": "bo\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("2024-01-15", {"Mira.md": "two\n"})
    day = "2024-02-01T12:00:00Z"
    repo.git("merge", "-q", "--no-ff", "-m", "x", "side", GIT_COMMITTER_DATE=day, GIT_AUTHOR_DATE=day)
    assert told(history(repo)) == [
        ("2024-01-01T12:00:00Z", {"Mira.md": "one\n"}),
        ("2024-01-15T12:00:00Z", {"Mira.md": "two\n"}),
        ("2024-02-01T12:00:00Z", {"Mira.md": "two\n", "Bo.md": "bo\n"}),
    ]


def test_an_empty_commit_says_nothing(repo):
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.commit("2024-02-01", {}, "--allow-empty")
    assert [when for when, _ in told(history(repo))] == ["2024-01-01T12:00:00Z"]


def test_a_commit_of_settings_alone_has_nothing_to_read(repo):
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.commit("2024-02-01", {".obsidian/workspace.json": "{}", ".trash/Old.md": "x\n"})
    assert told(history(repo)) == [("2024-01-01T12:00:00Z", {"Mira.md": "one\n"}), ("2024-02-01T12:00:00Z", None)]


def test_a_vault_in_a_folder_of_a_repository(repo):
    repo.commit("2024-01-01", {"code.py": "1\n", "notes/Mira.md": "one\n", "Other.md": "no\n"})
    repo.commit("2024-01-10", {"code.py": "2\n"})
    repo.commit("2024-02-01", {"code.py": "3\n", "notes/Mira.md": "two\n"})
    assert told(history(repo, "notes")) == [
        ("2024-01-01T12:00:00Z", {"Mira.md": "one\n"}),
        ("2024-02-01T12:00:00Z", {"Mira.md": "two\n"}),
    ]


def test_the_rules_of_today_hold_for_the_past(repo):
    repo.commit("2024-01-01", {"Mira.md": "one\n", "Private/Diary.md": "secret\n"})
    repo.commit("2024-02-01", {".kgmemignore": "Private/\n", "Mira.md": "two\n"})
    assert [notes for _, notes in told(history(repo))] == [{"Mira.md": "one\n"}, {"Mira.md": "two\n"}]


def test_our_own_pages_are_not_read(repo):
    repo.commit("2024-01-01", {"Mira.md": "one\n", "pages/.kgmem-manifest.json": "{}", "pages/Bo.md": "x\n"})
    repo.git("rm", "-q", "-r", "pages")
    repo.commit("2024-02-01")
    assert [notes for _, notes in told(history(repo))] == [{"Mira.md": "one\n"}, {"Mira.md": "one\n"}]


def test_of_an_attachment_the_name_is_enough(repo, temporary):
    repo.commit("2024-01-01", {"Mira.md": "![[face.png]]\n", "img/face.png": "not read"})
    with closing(history(repo).commits(None)) as commits:
        reader = next(commits).reader
        reader.scan({})
        (link,) = reader.read("Mira.md").blocks[-1].links
        assert link.attachment
        assert [each.stat().st_size for each in temporary.rglob("face.png")] == [0]


def seen(path, text, **changes):
    data = text.encode()
    values = {"size": len(data), "mtime_ns": 5, "hash": hashlib.blake2b(data, digest_size=16).hexdigest(), **changes}
    return Seen(f"id of {path}", path, **values)


def test_a_note_that_moved_is_known_again(repo):
    first = repo.commit("2024-01-01", {"Mira.md": "one\n"})
    (repo.folder / "P").mkdir()
    repo.git("mv", "Mira.md", "P/Mira.md")
    repo.commit("2024-02-01")
    known = {"Mira.md": seen("Mira.md", "one\n")}
    (scan,) = scans(history(repo), known, Replayed(first, Instant(0)))
    assert [(old.path, new.path) for old, new in scan.moved] == [("Mira.md", "P/Mira.md")]
    assert (scan.added, scan.changed, scan.removed) == ((), (), ())


def test_a_commit_speaks_only_of_what_it_touched(repo):
    first = repo.commit("2024-01-01", {"Mira.md": "one\n", "Bo.md": "bo\n", "Gone.md": "gone\n"})
    repo.git("rm", "-q", "Gone.md")
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    known = {
        "Mira.md": seen("Mira.md", "one\n"),
        "Bo.md": seen("Bo.md", "an edit that is not committed\n"),
        "Gone.md": seen("Gone.md", "gone\n"),
        "Draft.md": seen("Draft.md", "git never knew it\n"),
    }
    (scan,) = scans(history(repo), known, Replayed(first, Instant(0)))
    assert [old.path for old, _ in scan.changed] == ["Mira.md"]
    assert [old.path for old in scan.removed] == ["Gone.md"]
    assert (scan.added, scan.moved, scan.touched, scan.unchanged) == ((), (), (), 1)


def test_a_change_that_size_and_time_do_not_show_is_seen(repo):
    first = repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    time = instant("2024-02-01T12:00:00+00:00") * 1000
    known = {"Mira.md": seen("Mira.md", "one\n", mtime_ns=time)}
    (scan,) = scans(history(repo), known, Replayed(first, Instant(0)))
    assert [old.path for old, _ in scan.changed] == ["Mira.md"]


def test_a_folder_takes_the_place_of_a_note_and_the_other_way(repo):
    repo.commit("2024-01-01", {"A.md": "a\n"})
    (repo.folder / "A.md").unlink()
    repo.commit("2024-02-01", {"A.md/B.md": "b\n"})
    (repo.folder / "A.md" / "B.md").unlink()
    (repo.folder / "A.md").rmdir()
    repo.commit("2024-03-01", {"A.md": "again\n"})
    assert [notes for _, notes in told(history(repo))] == [{"A.md": "a\n"}, {"A.md/B.md": "b\n"}, {"A.md": "again\n"}]


def test_links_of_the_file_system_and_submodules_are_passed_over(repo, tmp_path):
    (tmp_path / "Secret.md").write_text("elsewhere\n")
    inner = Repo(tmp_path / "inner")
    name = inner.commit("2024-01-01", {"Inner.md": "x\n"})
    (repo.folder / "Link.md").symlink_to(tmp_path / "Secret.md")
    repo.write({"Mira.md": "one\n"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{name},Sub.md")
    first = repo.commit("2024-01-01")
    assert told(history(repo)) == [("2024-01-01T12:00:00Z", {"Mira.md": "one\n"})]
    (repo.folder / "Link.md").unlink()
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    known = {"Link.md": seen("Link.md", "elsewhere\n"), "Mira.md": seen("Mira.md", "one\n")}
    (scan,) = scans(history(repo), known, Replayed(first, Instant(0)))
    assert (scan.removed, len(scan.changed)) == ((), 1)


def test_times_that_go_backwards_are_moved_and_named(repo):
    repo.commit("2024-02-01", {"Mira.md": "one\n"})
    wrong = repo.commit("2024-01-01", {"Mira.md": "two\n"})
    repo.commit("2024-03-01", {"Mira.md": "three\n"})
    past = history(repo)
    with closing(past.commits(None)) as commits:
        first, second, third = (each.at for each in commits)
    assert first == instant("2024-02-01T12:00:00+00:00")
    assert second == first + 1
    assert third == instant("2024-03-01T12:00:00+00:00")
    assert messages(past) == [(".git", "history", f"commit {wrong[:10]} is dated before the commit before it")]
    assert past.problems[0].hint == "it is recorded at 2024-02-01T12:00:00Z"


def test_commits_of_one_second_are_a_microsecond_apart_and_no_problem(repo):
    for text in ("one", "two", "six"):
        repo.commit("2024-02-01", {"Mira.md": text})
    past = history(repo)
    with closing(past.commits(None)) as commits:
        times = [(each.at, texts(each.reader)["Mira.md"]) for each in commits]
    first = instant("2024-02-01T12:00:00+00:00")
    assert times == [(first, "one"), (first + 1, "two"), (first + 2, "six")]
    assert past.problems == []


def test_a_commit_of_the_future_does_not_carry_the_memory_there(repo):
    repo.commit("2024-02-01", {"Mira.md": "one\n"})
    wrong = repo.commit("2099-01-01", {"Mira.md": "two\n"})
    repo.commit("2024-03-01", {"Mira.md": "three\n"})
    past = history(repo)
    assert [when for when, _ in told(past)] == ["2024-02-01T12:00:00Z", "2024-02-01T12:00:00Z", "2024-03-01T12:00:00Z"]
    assert messages(past) == [(".git", "history", f"commit {wrong[:10]} is dated in the future")]


def test_a_name_that_is_not_utf8_is_a_problem(repo):
    blob = repo.git("hash-object", "-w", "--stdin", data=b"x\n")
    repo.write({"Mira.md": "one\n"})
    repo.git("add", "--all")
    index = f"100644 {blob}\t".encode() + b"caf\xe9.md\0" + f"100644 {blob}\t".encode() + b"caf\xe9.png\0"
    repo.git("update-index", "-z", "--index-info", data=index)
    repo.git("commit", "-q", "-m", "x", GIT_COMMITTER_DATE="2024-01-01T12:00:00Z")
    past = history(repo)
    assert told(past) == [("2024-01-01T12:00:00Z", {"Mira.md": "one\n"})]
    assert messages(past) == [("caf\\xe9.md", "encoding", "its name is not UTF-8: no commit of it was read")]


def test_a_tree_that_leads_out_of_the_folder_leads_nowhere(repo, temporary):
    blob = repo.git("hash-object", "-w", "--stdin", data=b"escaped\n")
    entry = b"100644 Out.md\0" + bytes.fromhex(blob)
    inner = repo.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", data=entry)
    outer = b"40000 ..\0" + bytes.fromhex(inner) + b"100644 In.md\0" + bytes.fromhex(blob)
    tree = repo.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", data=outer)
    commit = repo.git("commit-tree", "-m", "x", tree, GIT_COMMITTER_DATE="2024-01-01T12:00:00Z")
    repo.git("update-ref", "refs/heads/main", commit)
    with closing(history(repo).commits(None)) as commits:
        assert texts(next(commits).reader) == {"In.md": "escaped\n"}
        assert [each.name for each in temporary.rglob("*.md")] == ["In.md"]


def test_a_shallow_clone_gives_what_it_has_and_says_so(repo, tmp_path):
    repo.commit("2024-01-01", {"Mira.md": "one\n", "Bo.md": "bo\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    repo.commit("2024-03-01", {"Mira.md": "three\n"})
    repo.git("clone", "-q", "--depth", "2", repo.folder.as_uri(), str(tmp_path / "clone"))
    past = GitHistory(Vault(tmp_path / "clone"), now=NOW)
    assert told(past) == [
        ("2024-02-01T12:00:00Z", {"Mira.md": "two\n", "Bo.md": "bo\n"}),
        ("2024-03-01T12:00:00Z", {"Mira.md": "three\n", "Bo.md": "bo\n"}),
    ]
    assert messages(past) == [(".git", "history", "a shallow clone: commits before the oldest one here are not known")]


def blob_of(repo, commit, path="Mira.md"):
    return repo.git("rev-parse", f"{commit}:{path}")


@pytest.mark.parametrize("fault", ["lost", "another", "garbage", "tree"])
def test_at_a_damaged_object_it_stops_and_names_the_commit(repo, fault):
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    second = repo.commit("2024-02-01", {"Mira.md": "two\n"})
    third = repo.commit("2024-03-01", {"Mira.md": "three\n"})
    if fault == "lost":
        repo.lose(blob_of(repo, second))
    elif fault == "another":
        repo.damage(blob_of(repo, second), by=blob_of(repo, third))
    elif fault == "garbage":
        file = repo.object_file(blob_of(repo, second))
        file.chmod(0o644)
        file.write_bytes(b"no object at all")
    else:
        repo.lose(repo.git("rev-parse", f"{second}^{{tree}}"))
    past = history(repo)
    assert told(past) == [("2024-01-01T12:00:00Z", {"Mira.md": "one\n"})]
    assert past.stopped
    (problem,) = past.problems
    assert problem.message.startswith(f"commit {second[:10]} cannot be read: ")


def test_a_history_of_which_a_commit_is_lost_cannot_be_read(repo):
    first = repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    repo.lose(first)
    with pytest.raises(SourceError, match=r"^the history of .*vault cannot be read: git says: "):
        told(history(repo))


def test_a_vault_without_git_says_so(tmp_path):
    with pytest.raises(SourceError, match=r"^this vault is not under git: "):
        GitHistory(Vault(tmp_path), now=NOW)


def test_a_missing_git_says_so(repo, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SourceError, match="the program git was not found"):
        history(repo)


def test_a_repository_without_a_commit(repo):
    with pytest.raises(SourceError, match=r"^no commit holds anything of .*vault$"):
        told(history(repo))


def test_a_folder_of_which_nothing_is_committed(repo):
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.write({"new/Bo.md": "bo\n"})
    with pytest.raises(SourceError, match=r"^no commit holds anything of .*new$"):
        told(history(repo, "new"))


def test_nothing_is_written_and_nothing_is_run(repo, tmp_path, temporary, monkeypatch):
    canary = tmp_path / "canary"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch '{canary}'\ncat\n")
    script.chmod(0o755)
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n", ".gitattributes": "*.md filter=evil diff=evil\n"})
    for name in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "diff.external"):
        repo.git("config", name, str(script))
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "core.gitProxy"):
        repo.git("config", name, str(script))
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        (repo.folder / ".git" / "hooks").mkdir(exist_ok=True)
        (repo.folder / ".git" / "hooks" / hook).symlink_to(script)
    repo.write({"Mira.md": "an edit\n", "Draft.md": "untracked\n"})
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(script))
    before = everything(repo.folder)
    assert [notes for _, notes in told(history(repo))] == [{"Mira.md": "one\n"}, {"Mira.md": "two\n"}]
    assert everything(repo.folder) == before
    assert not canary.exists()
    assert list(temporary.iterdir()) == []


def test_a_history_that_is_left_early_leaves_nothing_behind(repo, temporary):
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    with closing(history(repo).commits(None)) as commits:
        next(commits)
        assert len(list(temporary.iterdir())) == 1
    assert list(temporary.iterdir()) == []


def test_a_repository_of_sha256(tmp_path):
    repo = Repo(tmp_path / "other")
    repo.git("init", "-q", "-b", "main", "--object-format=sha256", str(tmp_path / "vault"))
    repo.folder = tmp_path / "vault"
    repo.git("config", "user.name", "Ann")
    repo.git("config", "user.email", "ann@example.org")
    repo.commit("2024-01-01", {"Mira.md": "one\n"})
    repo.commit("2024-02-01", {"Mira.md": "two\n"})
    assert [notes for _, notes in told(history(repo))] == [{"Mira.md": "one\n"}, {"Mira.md": "two\n"}]
