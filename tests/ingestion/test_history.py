"""A vault's git history in the memory: every commit at its own time, whatever interrupts it."""

import json
from datetime import UTC, datetime

import pytest
from ingestion.notes import MONDAY, TUESDAY, Notes
from sources.repositories import Repo, everything, needs_git

from kgmem.errors import UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import Counts, Instant, to_instant
from kgmem.sources.git_history import GitHistory
from kgmem.sources.obsidian import Vault
from kgmem.store.protocol import FactQuery
from kgmem.store.sqlite.store import SqliteTransaction

pytestmark = needs_git
PERSON = "---\ntype: person\n"


@pytest.fixture
def repo(notes):
    """The vault of the notes, under git."""
    return Repo(notes.vault)


def mira(line):
    return {"Mira.md": f"{PERSON}{line}\n---\n"}


def replay(notes, now=MONDAY, **options):
    with notes.store(now) as store:
        here = Memory(store, load_ontology())
        return here.replay(GitHistory(Vault(notes.vault), now=to_instant(datetime.fromisoformat(now))), **options)


def known(day):
    return FactQuery(known=to_instant(datetime.fromisoformat(f"{day}T23:00:00+00:00")))


def recorded(notes):
    """Day, microsecond and kind of every transaction."""
    rows = [row for row in map(json.loads, notes.dump()) if row["table"] == "tx"]
    days = (divmod(row["recorded_at"], 1_000_000) for row in rows)
    return [
        (datetime.fromtimestamp(seconds, UTC).date().isoformat(), micro, row["kind"])
        for (seconds, micro), row in zip(days, rows, strict=True)
    ]


def test_what_was_believed_is_known_from_the_first_day(notes, repo):
    repo.commit("2024-01-01", mira("employer: Nord (since 2015)"))
    repo.commit("2024-02-01", mira("employer: Sud (since 2023)"))
    repo.commit("2024-03-01", mira("employer: Sud (since 2022)"))
    outcome = replay(notes)
    assert (outcome.commits, outcome.report.counts) == (3, Counts(added=1, changed=2))
    assert notes.facts(known("2023-12-31")) == []
    assert notes.facts(known("2024-01-15")) == ["Mira | WORKS_AT | Nord | since 2015"]
    assert notes.facts(known("2024-02-15")) == [
        "Mira | WORKS_AT | Nord | 2015 – 2023",
        "Mira | WORKS_AT | Sud | since 2023",
    ]
    assert notes.facts() == ["Mira | WORKS_AT | Nord | 2015 – 2022", "Mira | WORKS_AT | Sud | since 2022"]


def test_an_edit_is_observed_on_the_day_of_its_commit(notes, repo):
    repo.commit("2024-01-01", mira("phone: 111"))
    repo.commit("2024-02-01", mira("phone: 222"))
    replay(notes)
    assert notes.facts() == [
        "Mira | PHONE | 111 | until an edit seen 2024-02-01",
        "Mira | PHONE | 222 | since an edit seen 2024-02-01",
    ]


def test_every_transaction_is_recorded_at_its_commit(notes, repo):
    repo.commit("2024-01-01", {"A.md": "a\n", "B.md": "b\n"})
    repo.git("rm", "-q", "A.md")
    repo.commit("2024-02-01", {"B.md": "more\n"})
    replay(notes)
    assert recorded(notes) == [
        ("2024-01-01", 0, "added"),
        ("2024-01-01", 1, "added"),
        ("2024-02-01", 0, "changed"),
        ("2024-02-01", 1, "removed"),
    ]


def test_the_present_follows_and_finds_nothing_new(notes, repo):
    repo.commit("2024-01-01", mira("phone: 111"))
    replay(notes)
    before = notes.dump()
    report = notes.ingest()
    assert report.counts == Counts(unchanged=1)
    assert notes.dump() == before


def test_again_does_nothing(notes, repo):
    repo.commit("2024-01-01", mira("phone: 111"))
    repo.commit("2024-02-01", mira("phone: 222"))
    replay(notes)
    notes.ingest()
    before = notes.dump()
    assert replay(notes).commits == 0
    assert notes.dump() == before


def test_new_commits_go_on_after_the_present(notes, repo):
    repo.commit("2024-01-01", mira("phone: 111"))
    replay(notes)
    notes.write({"Draft.md": "Not under git.\n", **mira("phone: 222")}).ingest()
    repo.git("add", "Mira.md")
    repo.git("commit", "-q", "-m", "x", GIT_COMMITTER_DATE="2026-03-02T20:00:00Z")
    before = notes.dump()
    outcome = replay(notes, TUESDAY)
    assert (outcome.commits, outcome.report.counts) == (1, Counts())
    assert [line for line in notes.dump() if '"table":"replay"' not in line] == [
        line for line in before if '"table":"replay"' not in line
    ]


def test_a_commit_takes_nothing_away_that_it_does_not_speak_of(notes, repo):
    repo.commit("2024-01-01", {**mira("phone: 111"), "Bo.md": f"{PERSON}phone: 1\n---\n", "Cy.md": "Cy.\n"})
    replay(notes)
    notes.write({"Draft.md": "[[Bo]] is here.\n", "Bo.md": f"{PERSON}phone: 2\n---\n"}).ingest()
    notes.write(mira("phone: 222"))
    repo.git("rm", "-q", "Cy.md")
    repo.git("add", "Mira.md")
    repo.git("commit", "-q", "-m", "x", GIT_COMMITTER_DATE="2026-03-02T20:00:00Z")
    assert replay(notes, TUESDAY).report.counts == Counts(changed=1, removed=1)
    assert notes.links() == ["Draft > Bo"]
    assert [line for line in notes.facts() if line.startswith("Bo")] == [
        "Bo | PHONE | 1 | until an edit seen 2026-03-02",
        "Bo | PHONE | 2 | since an edit seen 2026-03-02",
    ]


def test_a_moved_note_stays_who_it_is(notes, repo):
    repo.commit("2024-01-01", mira("phone: 111"))
    (notes.vault / "People").mkdir()
    repo.git("mv", "Mira.md", "People/Mira.md")
    repo.commit("2024-02-01")
    assert replay(notes).report.counts == Counts(added=1, moved=1)
    assert notes.facts(FactQuery(versions=True)) == ["Mira | PHONE | 111 | date unknown"]


def test_most_notes_may_go_in_a_commit(notes, repo):
    repo.commit("2024-01-01", {f"{name}.md": f"{name}\n" for name in "ABCDE"})
    repo.git("rm", "-q", "A.md", "B.md", "C.md", "D.md")
    repo.commit("2024-02-01")
    assert replay(notes).report.counts == Counts(added=5, removed=4)


def many(repo):
    repo.commit("2024-01-01", {**mira("phone: 0"), **{f"{name}.md": f"[[Mira]] and {name}\n" for name in "ABC"}})
    repo.commit("2024-02-01", {"A.md": "[[Bo]]\n", **mira("phone: 111")})
    repo.commit("2024-03-01", {"B.md": "[[Bo]]\n", **mira("phone: 222")})


@pytest.mark.parametrize("after", range(1, 4))
def test_what_is_interrupted_between_two_commits_goes_on(notes, repo, tmp_path, after):
    many(repo)
    done = []

    def stop(number, total, _name):
        done.append((number, total))
        if number == after:
            raise KeyboardInterrupt

    outcome = replay(notes, progress=stop)
    assert (outcome.commits, outcome.report.interrupted) == (after, True)
    assert done == [(number, 3) for number in range(1, after + 1)]
    assert replay(notes).commits == 3 - after
    assert notes.dump() == undisturbed(tmp_path)


@pytest.mark.parametrize("after", range(1, 9))
def test_what_is_interrupted_within_a_commit_goes_on(notes, repo, tmp_path, after):
    many(repo)
    taken = []

    def commit(transaction, changes):
        taken.append(changes)
        if len(taken) == after:
            raise KeyboardInterrupt
        write(transaction, changes)

    write = SqliteTransaction.commit
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteTransaction, "commit", commit)
        assert replay(notes).report.interrupted
    assert not replay(notes).report.interrupted
    assert notes.dump() == undisturbed(tmp_path)


def undisturbed(folder):
    """The dump of a memory that takes in the same history at once."""
    other = Notes(folder, "undisturbed")
    replay(other)
    return other.dump()


def test_a_memory_that_knows_later_things_is_not_taken_back(notes, repo):
    repo.commit("2024-01-01", mira("phone: 111"))
    repo.commit("2024-02-01", mira("phone: 222"))
    notes.ingest()
    before = notes.dump()
    with pytest.raises(UserError, match="nothing can be recorded at 2024-01-01T12:00:00Z"):
        replay(notes)
    assert notes.dump() == before


def test_a_dry_run_counts_commits(notes, repo):
    many(repo)
    assert replay(notes, dry_run=True).commits == 3
    assert [line for line in notes.dump() if '"table":"vectors"' not in line] == []


def test_a_damaged_commit_stops_it_and_what_came_before_is_kept(notes, repo):
    repo.commit("2024-01-01", mira("phone: 111"))
    second = repo.commit("2024-02-01", mira("phone: 222"))
    third = repo.commit("2024-03-01", mira("phone: 333"))
    lost = repo.git("rev-parse", f"{second}:Mira.md")
    kept = repo.object_file(lost).read_bytes()
    repo.lose(lost)
    outcome = replay(notes)
    assert (outcome.commits, outcome.report.interrupted) == (1, True)
    assert [problem.message[:18] for problem in outcome.report.problems] == [f"commit {second[:10]} "]
    assert notes.facts() == ["Mira | PHONE | 111 | date unknown"]
    repo.object_file(lost).write_bytes(kept)
    outcome = replay(notes)
    assert (outcome.commits, outcome.report.problems) == (2, ())
    with notes.store() as store:
        assert store.replayed(notes.vault.as_posix()).commit == third


def test_a_fault_of_many_commits_is_told_once(notes, repo):
    first = repo.commit("2024-01-01", {"Mira.md": "---\nowner: a: b\n---\none\n"})
    repo.commit("2024-02-01", {"Mira.md": "---\nowner: a: b\n---\ntwo\n"})
    (problem,) = replay(notes).report.problems
    assert (problem.path, problem.line) == ("Mira.md", 2)
    assert problem.message.endswith(f", in commit {first[:10]}")


def test_the_repository_is_not_touched(notes, repo):
    many(repo)
    before = everything(notes.vault)
    replay(notes)
    assert everything(notes.vault) == before


def test_a_thousand_commits(notes, repo):
    """As a plugin makes them: most are of the workspace alone; every fiftieth is of a note."""
    first = 1_600_000_000
    commits = (
        f"commit refs/heads/main\ncommitter Ann <ann@example.org> {first + number * 60} +0000\ndata 1\nx\n"
        f"M 100644 inline {'.obsidian/workspace.json' if number % 50 else 'Mira.md'}\n"
        f"data <<END\n---\ntype: person\nphone: {number}\n---\nEND\n\n"
        for number in range(1000)
    )
    repo.import_commits("".join(commits))
    outcome = replay(notes)
    assert (outcome.commits, outcome.report.counts) == (1000, Counts(added=1, changed=19))
    assert len(recorded(notes)) == 20
    assert notes.facts(FactQuery(known=Instant((first + 49 * 60) * 1_000_000))) == ["Mira | PHONE | 0 | date unknown"]
    with notes.store() as store:
        assert store.replayed(notes.vault.as_posix()).at == (first + 999 * 60) * 1_000_000
