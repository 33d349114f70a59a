"""A copy is the memory: now and at every instant, whatever its past, and whatever stopped the copying."""

import contextlib
import multiprocessing
import os
import signal
from datetime import UTC, datetime

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes
from ingestion.test_any_history import NAMES, ONTOLOGY, WITHOUT_SHRINKING, History

from kgmem.checkup import check_up
from kgmem.errors import InvariantError, NotFoundError, StoreError
from kgmem.memory import Memory
from kgmem.model import Counts, Instant, to_instant
from kgmem.recall.conversation import Asking, ask_in
from kgmem.sources.obsidian import Vault
from kgmem.store import copying, open_store
from kgmem.store.changes import ChangeSet
from kgmem.store.copying import Copied, copy, measure
from kgmem.store.protocol import Scope


def reader_of(root, _kind):
    return Vault(root)


def silent(_stage, _done, _total):
    pass


class StoppedError(Exception):
    """What breaks a copy off."""


def stopping(after, how=StoppedError):
    """A progress that breaks off when so many chunks are in."""

    def tell(stage, _done, _total):
        nonlocal after
        after -= stage == "copying"
        if after < 0:
            raise how

    return tell


@contextlib.contextmanager
def opened(url, group="default", **options):
    store = open_store(str(url), group, **options)
    try:
        yield store
    finally:
        store.close()


def copy_to(source, url, progress=silent, group="default", **options):
    with opened(url, group, unfinished=True) as target:
        return copy(source, target, measure(source, progress), progress, **options)


@pytest.fixture
def chunks_of_nine(monkeypatch):
    monkeypatch.setattr(copying, "_CHUNK", 9)


@pytest.fixture
def lived(tmp_path):
    return lived_in(tmp_path)


def lived_in(folder):
    """A memory of notes that changed, moved and were forgotten, whose entities were compared."""
    notes = Notes(folder)
    notes.write(
        {
            "Robert Keane.md": "---\ntype: person\nworks_at: Nord\nborn: 1980-02-01\n---\nHe sails.\n",
            "Rob Keane.md": "---\ntype: person\nborn: 1980-02-01\n---\nRob knows [[Anna Berg]].\n",
            "Anna Berg.md": "---\ntype: person\naliases: [Annie]\n---\nShe met [[Robert Keane]] in Porto.\n",
            "Bad.md": "Anna Berg hates cheese.\n",
        }
    ).ingest(MONDAY)
    notes.write({"Robert Keane.md": "---\ntype: person\nworks_at: Sud\nborn: 1980-02-01\n---\nHe sails.\n"})
    notes.move("Anna Berg.md", "People/Anna Berg.md").ingest(TUESDAY)
    with notes.store(WEDNESDAY) as store:
        memory = Memory(store, ONTOLOGY)
        memory.resolver(reader_of).resolve()
        memory.back.forget(store.source("Bad.md"), Vault(notes.vault))
        for number, question in enumerate(("Who is Anna Berg?", "where does Robert Keane work", "who is anna berg")):
            ask_in(
                store, question, Asking("wine" if number else "2026-03-04", Instant(9 - number)), now=739_680 * 86_400
            )
    return notes


class CopiedHistory(History):
    """The edits of any history, and copies in between."""

    @precondition(lambda self: getattr(self, "believed", None))
    @rule()
    def compare(self):
        with self.memory() as memory:
            memory.resolver(reader_of).resolve()

    @precondition(lambda self: getattr(self, "believed", None))
    @rule(stop=st.integers(0, 6), name=st.sampled_from(NAMES))
    def copied(self, stop, name):
        with opened(self.folder / "memory.db", readonly=True) as source:
            copying._CHUNK, before = 20, copying._CHUNK  # noqa: SLF001 - several chunks of a small memory
            try:
                with contextlib.suppress(StoppedError):
                    copy_to(source, self.folder / "copy.db", stopping(stop))
                copy_to(source, self.folder / "copy.db")
            finally:
                copying._CHUNK = before  # noqa: SLF001
            with self.memory("copy.db") as memory:
                assert list(memory.store.dump()) == list(source.dump())
                assert [check.name for check in check_up(memory.store, ONTOLOGY) if not check.ok] == []
                assert memory.store.proposals() == source.proposals()
                assert hits(memory.store, name) == hits(source, name)
                counts = memory.ingest(Vault(self.vault)).counts
                assert counts == Counts(unchanged=counts.unchanged)
                assert list(memory.store.dump()) == list(source.dump())
        for file in self.folder.glob("copy.db*"):
            file.unlink()


CopiedHistory.TestCase.settings = settings(
    max_examples=12, stateful_step_count=8, deadline=None, phases=WITHOUT_SHRINKING
)
TestCopiedHistory = CopiedHistory.TestCase


def hits(store, words):
    return {scope: {hit.id for hit in store.search(scope, words, 99)} for scope in Scope}


def test_a_copy_has_what_no_dump_says(lived, tmp_path):
    with lived.store() as source:
        assert copy_to(source, tmp_path / "copy.db") == Copied(len(list(source.dump())), 0)
        (proposal,) = source.proposals()
        with opened(tmp_path / "copy.db", now=datetime.fromisoformat(WEDNESDAY)) as target:
            assert list(target.dump()) == list(source.dump())
            assert target.proposals() == (proposal,)
            assert target.compared_upto() == source.compared_upto()
            assert target.compared_upto() is not None
            both = [proposal.one, proposal.other]
            assert target.keys_of(both) == source.keys_of(both)
            assert set(target.keys_of(both)) == set(both)
            assert list(target.sources()) == list(source.sources())
            assert min(each.size for each in target.sources()) > 0
            for words in ("Keane", "Porto", "sails", "cheese"):
                assert hits(target, words) == hits(source, words)


def test_life_goes_on_in_a_copy(lived, tmp_path):
    with lived.store() as source:
        copy_to(source, tmp_path / "copy.db")
    with opened(tmp_path / "copy.db", now=datetime.fromisoformat(WEDNESDAY)) as store:
        memory = Memory(store, ONTOLOGY)
        before = list(store.dump())
        assert memory.ingest(Vault(lived.vault)).counts == Counts(unchanged=3)
        assert memory.resolver(reader_of).resolve().compared == 0
        assert list(store.dump()) == before
        lived.write({"New.md": "Annie met [[Robert Keane]].\n"})
        assert memory.ingest(Vault(lived.vault)).counts == Counts(added=1, unchanged=3)
        (pair,) = memory.review(reader_of).pending()
        memory.review(reader_of).accept(pair.id)
        assert [check.name for check in check_up(store, ONTOLOGY) if not check.ok] == []


def test_a_memory_of_which_something_was_erased_is_copied_without_it(lived, tmp_path):
    with lived.store(WEDNESDAY) as source:
        back = Memory(source, ONTOLOGY).back
        back.erase(source.source("Robert Keane.md"), source.episodes(source.source("Robert Keane.md").id)[0].id)
        anna = source.source("People/Anna Berg.md")
        back.forget(anna, Vault(lived.vault))
        back.erase(anna, None)
        copy_to(source, tmp_path / "copy.db")
        with opened(tmp_path / "copy.db") as target:
            assert list(target.dump()) == list(source.dump())
            assert [check.name for check in check_up(target, ONTOLOGY) if not check.ok] == []
            assert (target.compared_upto(), target.proposals()) == (None, source.proposals())
    assert b"Annie" not in (tmp_path / "copy.db").read_bytes()


def test_what_only_the_index_of_the_past_knew_is_not_copied(tmp_path):
    notes = Notes(tmp_path)
    notes.write({"Kestrel.md": "old words\n", "Nora.md": "---\naliases: [Nonna]\n---\n"}).ingest(MONDAY)
    notes.write({"Kestrel.md": "new words\n"}).remove("Nora.md").ingest(TUESDAY)
    notes.move("Kestrel.md", "Falcon.md").ingest(WEDNESDAY)
    known = to_instant(datetime.fromisoformat(MONDAY)) + 10
    with notes.store() as source:
        copy_to(source, tmp_path / "copy.db")
        with opened(tmp_path / "copy.db") as target:

            def found(words, scope):
                return [len(store.search(scope, words, 9, known=known)) for store in (source, target)]

            assert found("old words", Scope.EPISODES) == [1, 1]
            # A passage is found by what its note was called when it stood there too; the title itself is one.
            assert found("Kestrel", Scope.EPISODES) == [2, 1]
            assert found("Nora", Scope.ENTITIES) == [1, 1]
            assert found("Nonna", Scope.ENTITIES) == [1, 0]  # what only a note that is gone called her


@pytest.mark.usefixtures("chunks_of_nine")
@pytest.mark.parametrize("after", [0, 1, 4, 1000])
def test_a_copy_that_is_broken_off_goes_on(lived, tmp_path, after):
    with lived.store() as source:
        lines = len(list(source.dump()))
        with contextlib.suppress(StoppedError, KeyboardInterrupt):
            copy_to(source, tmp_path / "copy.db", stopping(after, KeyboardInterrupt))
        done = copy_to(source, tmp_path / "copy.db")
        assert done == Copied(lines, min(9 * (after + 1), lines))
        with opened(tmp_path / "copy.db") as target:
            assert list(target.dump()) == list(source.dump())


def copy_and_die(source, target, after, group="default"):
    """Kill this very process when so many chunks are in, or before the comparison if there are fewer."""
    copying._CHUNK = 9  # noqa: SLF001

    def tell(stage, done, total):
        if (stage, done) == ("copying", min(9 * after, total)):
            os.kill(os.getpid(), signal.SIGKILL)

    with opened(source, readonly=True) as store:
        copy_to(store, target, tell, group)


@pytest.mark.parametrize("after", [1, 5, 1000])
def test_a_process_that_is_killed_leaves_half_a_copy_that_says_so(lived, tmp_path, after):
    target = tmp_path / "copy.db"
    spawn = multiprocessing.get_context("spawn")
    process = spawn.Process(target=copy_and_die, args=(lived.url, str(target), after))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    with lived.store() as source:
        lines = list(source.dump())
        held = min(9 * after, len(lines))
        with pytest.raises(StoreError, match=f"half a copy of the group default in .*: {held:,} lines"):
            open_store(str(target), "default", readonly=True)
        with opened(target, unfinished=True) as store:
            assert store.verify() == ()
        assert copy_to(source, target) == Copied(len(lines), held)
        with opened(target) as store:
            assert list(store.dump()) == lines


def test_a_complete_copy_may_be_asked_for_again(lived, tmp_path):
    with lived.store() as source:
        lines = copy_to(source, tmp_path / "copy.db").lines
        assert copy_to(source, tmp_path / "copy.db") == Copied(lines, lines)


def test_a_group_that_holds_something_else_is_refused(lived, tmp_path):
    with opened(tmp_path / "other.db") as other:
        with other.writing() as transaction:
            transaction.commit(ChangeSet("merge", entities=(next(iter_entities(lived)),)))
        before = list(other.dump())
        with lived.store() as source:
            with pytest.raises(StoreError, match="holds something else"):
                copy_to(source, tmp_path / "other.db")
            with pytest.raises(StoreError, match="holds something else"):
                copy_to(source, tmp_path / "other.db", drop=True)
        assert list(other.dump()) == before


def iter_entities(notes):
    return (card.entity for card in notes.cards())


@pytest.mark.usefixtures("chunks_of_nine")
def test_what_changed_since_a_copy_was_broken_off_is_copied_as_it_is(lived, tmp_path):
    with lived.store() as source, contextlib.suppress(StoppedError):
        copy_to(source, tmp_path / "copy.db", stopping(5))
    lived.write({"New.md": "Lunch with [[Anna Berg]].\n"}).ingest(WEDNESDAY)
    with lived.store() as source:
        assert copy_to(source, tmp_path / "copy.db").before == 0
        with opened(tmp_path / "copy.db") as target:
            assert list(target.dump()) == list(source.dump())


@pytest.mark.usefixtures("chunks_of_nine")
def test_what_changes_while_it_is_copied_is_not_copied_in_part(lived, tmp_path):
    def write(stage, _done, _total):
        if stage == "copying" and not (lived.vault / "New.md").exists():
            lived.write({"New.md": "Lunch with [[Anna Berg]].\n"}).ingest(WEDNESDAY)

    with lived.store() as source:
        with pytest.raises(StoreError, match="written to while it was copied"):
            copy_to(source, tmp_path / "copy.db", write)
        with pytest.raises(StoreError, match="half a copy"):
            open_store(str(tmp_path / "copy.db"), "default")
        copy_to(source, tmp_path / "copy.db")
        with opened(tmp_path / "copy.db") as target:
            assert list(target.dump()) == list(source.dump())


@pytest.mark.usefixtures("chunks_of_nine")
def test_half_a_copy_of_another_memory_gives_way_only_when_told_to(lived, tmp_path):
    with lived.store() as source, contextlib.suppress(StoppedError):
        copy_to(source, tmp_path / "copy.db", stopping(5))
    (tmp_path / "second").mkdir()
    second = Notes(tmp_path / "second").write({"C.md": "Another memory of [[Nora]].\n"})
    second.ingest(MONDAY)
    with second.store() as source:
        with pytest.raises(StoreError, match="half a copy of the group default in") as caught:
            copy_to(source, tmp_path / "copy.db")
        assert caught.value.hint == "--yes drops that, or name another group with --to-group"
        copy_to(source, tmp_path / "copy.db", drop=True)
        with opened(tmp_path / "copy.db") as target:
            assert list(target.dump()) == list(source.dump())
            assert hits(target, "sails")[Scope.EPISODES] == set()


# Three lines say "sails": two episodes and the passage of both. Each differs in either dump.
def test_a_copy_that_differs_is_a_fault_and_stays_half(lived, tmp_path, monkeypatch):
    with lived.store() as source, opened(tmp_path / "copy.db", unfinished=True) as target:
        told = target.dump
        monkeypatch.setattr(target, "dump", lambda: (line.replace("sails", "rows") for line in told()))
        with pytest.raises(InvariantError, match="6 lines of the copy differ"):
            copy(source, target, measure(source, silent), silent)
        assert target.half_copy() is not None


def test_stores_may_give_their_lines_in_another_order(lived, tmp_path, monkeypatch):
    with lived.store() as source, opened(tmp_path / "copy.db", unfinished=True) as target:
        told = target.dump
        monkeypatch.setattr(target, "dump", lambda: iter(sorted(told())))
        copy(source, target, measure(source, silent), silent)
        assert target.half_copy() is None


def test_nothing_is_no_memory_to_copy(tmp_path):
    with opened(tmp_path / "memory.db") as empty, pytest.raises(NotFoundError, match="holds nothing"):
        measure(empty, silent)


def test_a_group_can_be_copied_beside_itself(lived):
    with lived.store() as source, opened(lived.url, "beside", unfinished=True) as target:
        before = list(source.dump())
        copy(source, target, measure(source, silent), silent)
        assert list(target.dump()) == list(source.dump()) == before


def test_recorded_time_goes_on_after_the_copied_one(lived, tmp_path):
    with lived.store() as source:
        copy_to(source, tmp_path / "copy.db")
        last = source.stats().last_recorded
    with opened(tmp_path / "copy.db", now=datetime(2026, 3, 4, 10, tzinfo=UTC)) as target:
        with target.writing() as transaction:
            pass
        assert transaction.recorded_at == last + 1
