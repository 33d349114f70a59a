"""Captures in a memory, on both stores: what they come to, and every way back."""

from contextlib import closing
from datetime import date, datetime

import pytest

from kgmem.capturing import Captures, listed
from kgmem.checkup import check_up
from kgmem.errors import NotFoundError, UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import LINKS_TO, EntityType, Instant, Moment
from kgmem.reextraction.making import Making
from kgmem.reextraction.replay import Means, Wish
from kgmem.sources.arriving import CAPTURES
from kgmem.sources.captures import Said
from kgmem.sources.document import About, SourceSettings
from kgmem.sources.opening import open_reader
from kgmem.store import open_store
from kgmem.store.copying import copy, measure
from kgmem.store.protocol import FactQuery, Scope

ONTOLOGY = load_ontology(owner="Mira Lang")
SETTINGS = SourceSettings()
TODAY = Said(Moment.day(date(2026, 3, 2)))
TOMORROW = Said(Moment.day(date(2026, 3, 3)))
BERGEN, OSLO = "Mira Lang lives in Bergen.", "Mira Lang lives in Oslo."


class Mind:
    """One memory that is told things, an hour after the other."""

    def __init__(self, url, group):
        self.url, self.group, self.hour = url, group, 0

    def store(self, group=None):
        self.hour += 1
        now = datetime.fromisoformat(f"2026-03-{4 + self.hour // 24:02}T{self.hour % 24:02}:00:00+00:00")
        return closing(open_store(self.url, group or self.group, now=now))

    def do(self, work):
        with self.store() as store:
            memory = Memory(store, ONTOLOGY)
            done = work(memory, Captures(memory, SETTINGS))
            assert [check.title for check in check_up(store, ONTOLOGY) if not check.ok] == []
            return done

    def say(self, text, said=TODAY, **options):
        return self.do(lambda _memory, held: held.add(text, said, **options))

    def undo(self):
        return self.do(lambda memory, _held: memory.back.undo(memory.back.last(), reader()))

    def facts(self, **query):
        with self.store() as store:
            found = store.facts(FactQuery(**query))[1]
        return sorted(each.statement for each in found if each.predicate != LINKS_TO)

    def names(self):
        with self.store() as store:
            return [each.source.path for each in listed(store)]


def reader(root=CAPTURES, kind="capture"):
    return open_reader(root, kind, SETTINGS)


@pytest.fixture
def mind(tmp_path):
    return Mind(f"sqlite:///{tmp_path / 'memory.db'}", "default")


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def either(request):
    """A memory in each of the stores."""
    if request.param == "sqlite":
        return request.getfixturevalue("mind")
    graph = request.getfixturevalue("graph")
    return Mind(graph.url, graph.group())


def test_what_is_said_is_believed_and_can_be_taken_back(either):
    done = either.say("I live in Bergen.")
    assert (done.source.path, done.source.root) == ("2026-03-02 I live in Bergen", CAPTURES)
    assert [each.statement for each in done.facts] == [BERGEN]
    assert [each.name for each in done.names] == ["Mira Lang", "Bergen"]
    later = either.say("I live in Oslo.", TOMORROW)
    assert [each.statement for each in later.facts] == [OSLO]
    assert either.facts() == [BERGEN, OSLO]
    assert either.undo().source.path == "2026-03-03 I live in Oslo"
    assert either.facts() == [BERGEN]
    assert either.names() == ["2026-03-02 I live in Bergen"]


def test_what_was_undone_may_be_said_again(mind):
    mind.say("I live in Bergen.")
    mind.undo()
    assert mind.facts() == []
    assert mind.say("I live in Bergen.").source.path == "2026-03-02 I live in Bergen (2)"
    assert mind.facts() == [BERGEN]


def test_the_same_words_of_a_day_are_said_once(mind):
    first = mind.say("I live in Bergen.")
    again = mind.say("I live in Bergen.\n")
    assert (again.repeated, again.source.id) == (True, first.source.id)
    assert not mind.say("I live in Bergen.", TOMORROW).repeated
    assert mind.say("I live in Bergen.", twice=True).source.path == "2026-03-02 I live in Bergen (2)"
    assert len(mind.names()) == 3


def test_it_is_changed_in_its_place(either):
    first = either.say("I live in Bergen.")

    def change(_memory, held):
        return held.edit(held.find("live in bergen"), "I live in Oslo.")

    done = either.do(change)
    assert (done.source.id, done.source.path) == (first.source.id, first.source.path)
    assert [each.statement for each in done.facts] == [OSLO]
    assert either.facts() == [OSLO]
    with either.store() as store:
        assert [each.body for each in store.episodes(first.source.id)] == ["I live in Bergen.", "I live in Oslo."]
        first_at = store.episodes(first.source.id)[0].recorded_at
    assert either.facts(known=first_at) == [BERGEN]
    either.undo()
    assert either.facts() == [BERGEN]


def test_which_one_is_meant(mind):
    mind.say("I live in Bergen.")
    mind.say("I live in Oslo.", TOMORROW)
    with pytest.raises(UserError, match="2 captures"):
        mind.do(lambda _memory, held: held.find("I live"))
    with pytest.raises(NotFoundError, match="no capture"):
        mind.do(lambda _memory, held: held.find("Paris"))


def test_it_is_forgotten_and_remembered_again(either):
    either.say("I live in Bergen.")

    def forget(memory, _held):
        source, _ = memory.back.find("2026-03-02 I live in Bergen")
        return memory.back.forget(source, reader())

    def restore(memory, _held):
        source, _ = memory.back.find("2026-03-02 I live in Bergen")
        return memory.back.restore(source, reader())

    either.do(forget)
    assert (either.facts(), either.names()) == ([], [])
    either.do(restore)
    assert either.facts() == [BERGEN]


def test_nothing_is_left_of_what_is_erased(either):
    either.say("I live in Bergen.")

    def erase(memory, held):
        source = held.find("I live in Bergen")
        memory.back.forget(source, reader())
        return memory.erase(source, None, reader(), lambda group: open_store(either.url, group))

    assert either.do(erase)
    with either.store() as store:
        assert "Bergen" not in "\n".join(store.dump())
        assert store.search(Scope.EPISODES, "Bergen", 5) == ()
    with pytest.raises(UserError, match="very words were erased"):
        either.say("I live in Bergen.")
    assert either.say("I live in Oslo.").source.path == "2026-03-02 I live in Oslo"


def test_whom_it_is_about_is_who_does_it(either):
    done = either.say("She lives in Oslo.", Said(TODAY.on, (), About("Ida Berg", EntityType.PERSON)))
    assert [each.statement for each in done.facts] == ["Ida Berg lives in Oslo."]
    assert done.names[0].name == "Ida Berg"
    with either.store() as store:
        (claim,) = [each for _, each in store.asserted(done.source.id)]
        assert claim.line == 0
        assert store.placed([claim.passage])[claim.passage].passage.first_line == 5


def test_two_names_for_one_are_taken_apart_again(mind):
    mind.say("Ida Berg lives in Oslo.")
    mind.say("Ida Holm lives in Oslo.", TOMORROW)
    before = mind.facts()
    assert before == ["Ida Berg lives in Oslo.", "Ida Holm lives in Oslo."]

    def merge(memory, _held):
        names = memory.store.namings(["ida berg", "ida holm"])
        one, other = (names[key][0].entity.id for key in ("ida berg", "ida holm"))
        return memory.identity(reader).merge(one, other, sure=True)

    merged = mind.do(merge)
    assert len(mind.facts()) == 1
    mind.do(lambda memory, _held: memory.identity(reader).unmerge(merged.decision.id))
    assert mind.facts() == before


def test_it_reads_again_as_it_did(mind):
    mind.say("I live in Bergen.")
    mind.say("She lives in Oslo.", Said(TODAY.on, ("x",), About("Ida Berg", EntityType.PERSON)))
    with mind.store() as store:
        making = Making(
            store, lambda group: open_store(mind.url, group, unfinished=True), Means(ONTOLOGY, reader), Wish(),
            lambda _stage, _done, _total: None,
        )  # fmt: skip
        with making.alone():
            made = making.make()
        with closing(open_store(mind.url, made.group)) as other:
            assert other.facts(FactQuery())[1] == store.facts(FactQuery())[1]
    assert mind.facts() == ["Ida Berg lives in Oslo.", BERGEN]


def test_a_copy_has_it(mind, tmp_path):
    mind.say("I live in Bergen.")
    target = Mind(f"sqlite:///{tmp_path / 'copy.db'}", "default")
    with mind.store() as store, target.store() as other:
        copy(store, other, measure(store, lambda *_: None), lambda *_: None)
        assert [each.source.path for each in listed(other)] == ["2026-03-02 I live in Bergen"]
        assert listed(other)[0].episode.recorded_at > Instant(0)
    assert target.say("I live in Bergen.").repeated
