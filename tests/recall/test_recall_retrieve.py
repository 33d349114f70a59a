"""Which passages a question gets, from a small vault in which the second hop shares no word with the question."""

from dataclasses import replace
from datetime import date

import pytest
from ingestion.notes import TUESDAY, Notes

from kgmem.errors import ModelError
from kgmem.extraction.dates import read_period
from kgmem.recall.answer import ask as answer
from kgmem.recall.facts import world_range
from kgmem.recall.question import find_names
from kgmem.recall.retrieve import retrieve
from kgmem.recall.weights import WEIGHTS
from kgmem.store.changes import ChangeSet, Vector

TODAY = date(2026, 6, 1).toordinal() * 86_400


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    notes = Notes(tmp_path_factory.mktemp("films"))
    notes.write({
        "Night Ferry.md": "A film of 1961, directed by [[Ada Brandt]] on a borrowed boat.\n",
        "Ada Brandt.md": "Grew up in Bergen, and never left the sea.\n",
        "Where to eat.md": "Where was the place with the good soup? It was born of a dare.\n",
        "Tar.md": "The director of the harbour was born to it.\n",
        "Boats.md": "# Hulls\n\nOak is heavy.\n\nA hull of oak lasts.\n\nTar keeps water out.\n\nPaint each spring.\n",
        "2024-05-01.md": "Saw a whale off the point.\n",
        "2026-05-01.md": "Saw a whale off the mole.\n",
        "2026-05-02.md": "Saw a whale off the mole.\n",
    }).ingest()  # fmt: skip
    return notes


@pytest.fixture
def store(films):
    with films.store() as opened:
        yield opened


def ask(store, question, limit=5, **options):
    return retrieve(store, question, find_names(store, question), limit=limit, **options)


def paths(found):
    return [found.placed[hit.id].path for hit in found.hits]


def test_the_second_hop_is_found_though_it_shares_no_word_with_the_question(store):
    found = ask(store, "Where was the director of the film Night Ferry born?")
    assert paths(found)[0] == "Night Ferry.md"
    assert "Ada Brandt.md" in paths(found)[:3]
    only_words = replace(WEIGHTS, arms=frozenset({"text"}))
    assert "Ada Brandt.md" not in paths(ask(store, "Where was the director of Night Ferry born?", weights=only_words))


def test_a_question_about_one_thing_is_answered_by_its_words(store):
    found = ask(store, "How do I keep the water out of the hull of oak, and paint it?", limit=3)
    assert {found.placed[hit.id].path for hit in found.hits} == {"Boats.md"}


def test_headings_titles_and_properties_are_no_passages_of_prose(store):
    assert {each.passage.kind for each in ask(store, "Boats Hulls", limit=20).placed.values()} == {"paragraph"}


def test_a_question_of_names_alone_gets_what_its_words_find(store):
    assert paths(ask(store, "Ada Brandt", limit=20)) == ["Ada Brandt.md", "Night Ferry.md"]


def test_newer_passages_are_better_where_the_question_asks_about_no_time(store):
    eager = replace(WEIGHTS, recent=2.0, half_life=30.0)
    plain, dated = ask(store, "whale or soup", weights=eager), ask(store, "whale or soup", now=TODAY, weights=eager)
    before = {plain.placed[hit.id].path: hit.score for hit in plain.hits}
    after = {dated.placed[hit.id].path: hit.score for hit in dated.hits}
    assert after["2026-05-02.md"] == pytest.approx(before["2026-05-02.md"] * 2)  # of 30 days ago: 1 + 2 / 2
    assert after["Where to eat.md"] == before["Where to eat.md"]  # of no date
    everywhen = (-(2**62), 2**62)
    assert ask(store, "whale or soup", now=TODAY, valid=everywhen, weights=eager).hits == plain.hits


def test_what_is_said_twice_is_not_shown_before_what_is_said_once(store):
    found = ask(store, "saw a whale off", limit=3)
    assert min(paths(found)[:2]) == "2024-05-01.md"
    assert paths(found)[2].startswith("2026")


def test_nothing_is_found_where_nothing_is_like_it(store):
    found = ask(store, "zzyzx")
    assert (found.hits, dict(found.placed)) == ((), {})


def test_the_limit_bounds_the_passages(store):
    assert len(ask(store, "whale", limit=1).hits) == 1


def test_the_same_question_has_the_same_answer(store):
    assert ask(store, "Night Ferry and whales").hits == ask(store, "Night Ferry and whales").hits


def test_each_arm_leaves_a_step(store):
    steps = {step.name: step for step in ask(store, "Where was the director of Night Ferry born?").steps}
    assert list(steps) == ["text", "names", "graph", "fusion"]
    named = store.entities([hit.id for hit in steps["names"].hits])
    assert [named[hit.id].name for hit in steps["names"].hits] == ["Night Ferry"]
    assert steps["names"].hits[0].score == 1.0
    assert all(step.seconds >= 0 for step in steps.values())


class Meaning:
    """An embedder for which the questions of this module mean the sea."""

    model = "sea"
    dimension = 2

    def embed(self, texts):
        return iter([(1.0, 0.0) for _ in texts])


class Silent(Meaning):
    def embed(self, texts):
        assert texts == ["saw a whale"]
        raise ModelError("the server does not answer")


def test_vectors_find_what_no_word_does(tmp_path):
    notes = Notes(tmp_path)
    notes.write({"a.md": "Salt in the wind.\n", "b.md": "A desk of pine.\n"}).ingest()
    with notes.store() as store:
        texts = {each.text: each.id for source in store.sources() for each in store.passages_of(source.id)}
        store.declare_vectors("sea", 2)
        vectors = (
            Vector("passage", texts["Salt in the wind."], "sea", (1.0, 0.0)),
            Vector("passage", texts["A desk of pine."], "sea", (0.0, 1.0)),
        )
        with store.writing() as transaction:
            transaction.commit(ChangeSet("embed", vectors=vectors))
        assert paths(ask(store, "ocean", limit=1, embedder=Meaning())) == ["a.md"]
        assert paths(ask(store, "ocean")) == []


@pytest.mark.parametrize("embedder", [Meaning(), Silent()])
def test_without_vectors_or_their_server_the_other_arms_answer(store, embedder):
    found = ask(store, "saw a whale", embedder=embedder)
    assert found.hits == ask(store, "saw a whale").hits
    step = next(each for each in found.steps if each.name == "vectors")
    assert step.hits == ()
    assert step.note


def test_what_says_a_date_of_the_period_is_better_and_nothing_is_left_out(tmp_path):
    notes = Notes(tmp_path).write({
        "Tug.md": "The tug was sold in 1961.\n\nThe tug was sold from 1970 to 1974.\n\nThe tug was sold, they say.\n"
    })  # fmt: skip
    notes.ingest()
    with notes.store() as store:
        plain = ask(store, "who sold it and why")
        dated = ask(store, "who sold it and why", period=world_range(read_period("1972")))
    before = {plain.placed[hit.id].passage.text: hit.score for hit in plain.hits}
    after = {dated.placed[hit.id].passage.text: hit.score for hit in dated.hits}
    told = "The tug was sold from 1970 to 1974."
    assert after.keys() == before.keys()
    assert after.pop(told) == pytest.approx(before.pop(told) * (1 + WEIGHTS.told))
    assert after == before


def test_a_name_without_a_note_does_not_lead_alone(tmp_path):
    files = {"Log.md": "We met [[Pell]] at the pier.\n", "Work.md": "The keel was laid in spring by two men.\n"}
    keel = "Who of Pell's men laid the keel in spring?"
    notes = Notes(tmp_path).write(files)
    notes.ingest()
    with notes.store() as store:
        assert paths(ask(store, keel))[0] == "Work.md"
        assert paths(ask(store, keel, weights=replace(WEIGHTS, titled=0.0)))[0] == "Log.md"
    notes.write({"Pell.md": "A man of few words.\n"}).ingest(TUESDAY)
    with notes.store(TUESDAY) as store:
        assert set(paths(ask(store, keel))[:2]) == {"Pell.md", "Log.md"}


class Lengths:
    """A reranker that likes what is long."""

    def __init__(self):
        self.read = []

    def scores(self, question, passages):
        self.read.append((question, len(passages)))
        return [float(len(each)) for each in passages]


def test_a_reranker_orders_the_passages_that_are_shown(store):
    question = "Where was the director of the film Night Ferry born?"
    reranker = Lengths()
    plain = answer(store, question, now=TODAY).passages
    again = answer(store, question, now=TODAY, reranker=reranker)
    lengths = [len(each.text) for each in again.passages]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths != [len(each.text) for each in plain]
    assert sorted(again.passages, key=lambda each: -each.score) == list(again.passages)
    assert [asked for asked, _ in reranker.read] == [question]
    assert "reranker" in [step.name for step in again.trace.steps]
