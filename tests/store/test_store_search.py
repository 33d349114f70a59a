"""Full-text search."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from store.samples import (
    DIRECTS_FACT,
    FIRST,
    HOME,
    INTRO,
    LOG_MD,
    MIRA,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    TRIP,
    alias,
    episode,
    mention,
    passage,
    rewritten,
)

from kgmem.model import AliasKind, Source, identify
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import Scope


def note(name, *texts):
    """A note of its own with these paragraphs."""
    source = Source(identify("s", name), "obsidian", "/vault", name, name)
    return ChangeSet(
        "ingest",
        source=source,
        episode=episode(source, "\n".join(texts)),
        passages=tuple(passage(source, text) for text in texts),
    )


@pytest.fixture
def found(store):
    def search(text, scope=Scope.EPISODES, limit=10):
        return [hit.id for hit in store.search(scope, text, limit)]

    return search


def test_passages_are_found_by_text_heading_and_title(store, commit, found):
    commit(store, FIRST, SECOND)
    assert found("directs") == [INTRO.id]
    assert found("WORK") == [INTRO.id]
    assert found("travel") == [TRIP.id]
    assert set(found("Paris")) == {HOME.id, TRIP.id}
    assert found("nothing of it") == []


def test_words_are_found_in_other_forms_and_without_accents(store, commit, found):
    commit(store, FIRST)
    assert found("directing") == [INTRO.id]
    assert found("chateau") == [INTRO.id]
    assert found("CHA\u0302TEAU") == [INTRO.id]


def test_best_first_and_no_more_than_asked_for(store, commit, found):
    commit(store, note("n", "quartz", "quartz mine by the river where quartz is dug", "river and more river"))
    hits = store.search(Scope.EPISODES, "quartz", 10)
    assert [hit.scope for hit in hits] == [Scope.EPISODES] * 2
    assert hits[0].score >= hits[1].score > 0
    assert len(found("quartz river", limit=2)) == 2
    assert found("quartz", limit=0) == []


def test_words_in_a_row_outrank_the_same_words_apart(store, commit, found):
    apart, together = "garden of the red old wall door", "old red door of the wall garden"
    commit(store, note("n", apart, together, "something else", "and another thing"))
    assert found("old red door")[0] == note("n", together).passages[0].id


def test_function_words_count_only_alone(store, commit, found):
    commit(store, note("n", "what is the time", "comets"), note("m", "it was there"))
    assert found("what is the comet") == [note("n", "comets").passages[0].id]
    assert found("it was") == [note("m", "it was there").passages[0].id]


@pytest.mark.parametrize(
    ("text", "queries", "miss"),
    [
        ("页面路由的设计", ["路由", "由", "页面路由", "面路"], "由路"),
        ("東京タワーに登った", ["東京", "タワー", "登"], "京東"),
        ("서울에서 만났다", ["서울", "서울에서"], "부산"),
        ("ผมรักภาษาไทยมาก", ["ภาษาไทย", "ภาษา"], "กาแฟ"),
        ("ຂ້ອຍຮັກພາສາລາວ", ["ພາສາ"], "ກາເຟ"),
        ("ខ្ញុំចូលចិត្តកាហ្វេ", ["កាហ្វេ"], "ផ្ទះ"),
        ("မြန်မာစကား", ["စကား"], "ကော်ဖီ"),
        ("मुझे हिन्दी पसंद है", ["हिन्दी"], "हिन"),
        ("Ελένη πήγε στην Αθήνα", ["αθηνα", "ΑΘΉΝΑ"], "θηνα"),
        ("Наталья живёт в Москве", ["москве", "НАТАЛЬЯ"], "оскве"),
        ("ذهبت ليلى إلى القاهرة", ["القاهرة"], "قاهر"),
        ("דנה גרה בחיפה", ["בחיפה"], "חיפה"),
        ("ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", ["ᏣᎳᎩ", "ꮳꮃꭹ"], "ᎳᎩ"),
        ("Ngô Bảo Châu ở Hà Nội", ["ha noi", "Hà Nội"], "saigon"),
    ],
)
def test_every_script(store, commit, text, queries, miss):
    commit(store, note("n", text, "something else"))
    expected = [note("n", text).passages[0].id]
    found = {query: [hit.id for hit in store.search(Scope.EPISODES, query, 5)] for query in (*queries, miss)}
    assert found == {**dict.fromkeys(queries, expected), miss: []}


def test_a_passage_that_left_is_found_no_more_and_one_that_returns_is(store, commit, found):
    commit(store, FIRST, rewritten("Mira sails"))
    assert found("directs") == []
    assert found("sails") == [passage(MIRA_MD, "Mira sails").id]
    commit(store, FIRST)
    assert found("directs") == [INTRO.id]
    assert found("sails") == []
    commit(store, ChangeSet("remove", removed=MIRA_MD.id))
    assert found("directs") == []


def test_a_note_is_found_by_its_new_title(store, commit, found):
    commit(store, FIRST, SECOND, ChangeSet("move", source=replace(LOG_MD, title="Voyages")))
    assert found("voyages") == [TRIP.id]
    assert found("travel") == []
    assert set(found("paris")) == {HOME.id, TRIP.id}


def test_facts_are_found_while_they_are_open(store, commit, found):
    commit(store, FIRST)
    assert found("works at château", Scope.FACTS) == [DIRECTS_FACT.id]
    commit(store, ChangeSet("ingest", closed=(DIRECTS_FACT.id,)))
    assert found("works at château", Scope.FACTS) == []


def test_entities_are_found_by_name_and_alias(store, commit, found):
    commit(store, FIRST, SECOND)
    assert found("nord", Scope.ENTITIES) == [NORD.id]
    assert found("mimi", Scope.ENTITIES) == [MIRA.id]
    commit(store, ChangeSet("ingest", source=LOG_MD, aliases=(alias(LOG_MD, PARIS, "Lutetia", AliasKind.LINK),)))
    assert found("lutetia", Scope.ENTITIES) == [PARIS.id]
    commit(store, ChangeSet("ingest", source=LOG_MD, aliases=()), ChangeSet("i", entities=(replace(MIRA, name="M"),)))
    assert found("lutetia", Scope.ENTITIES) == []
    assert found("m", Scope.ENTITIES) == [MIRA.id]


def test_an_alias_that_two_sources_give_stays_until_both_are_gone(store, commit, found):
    shared = alias(LOG_MD, MIRA, "Mimi", AliasKind.LINK)
    commit(store, FIRST, replace(SECOND, aliases=(shared,)), replace(FIRST, aliases=()))
    assert found("mimi", Scope.ENTITIES) == [MIRA.id]
    commit(store, replace(SECOND, aliases=()))
    assert found("mimi", Scope.ENTITIES) == []


def test_a_hidden_entity_is_not_found(store, commit, found):
    commit(store, FIRST, replace(FIRST, mentions=(mention(HOME, PARIS),)))
    assert found("mira nord", Scope.ENTITIES) == []
    assert found("paris", Scope.ENTITIES) == [PARIS.id]
    commit(store, rewritten("elsewhere"))
    assert found("paris", Scope.ENTITIES) == []
    commit(store, FIRST)
    assert set(found("mira nord paris", Scope.ENTITIES)) == {MIRA.id, NORD.id, PARIS.id}


def test_an_entity_whose_passage_returns_is_found_by_its_name(store, commit, found):
    commit(store, FIRST, rewritten("elsewhere"))
    assert found("mira nord", Scope.ENTITIES) == []
    commit(store, ChangeSet("ingest", source=MIRA_MD, episode=FIRST.episode, passages=FIRST.passages))
    assert set(found("mira nord paris", Scope.ENTITIES)) == {MIRA.id, NORD.id, PARIS.id}
    assert found("mimi", Scope.ENTITIES) == [MIRA.id]


def test_there_are_no_communities_to_find(store, commit, found):
    commit(store, FIRST)
    assert found("mira", Scope.COMMUNITIES) == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60), scope=st.sampled_from(list(Scope)))
@example(text='"', scope=Scope.EPISODES)
@example(text="NEAR(a b, 2) AND -x* ^y : {z} + \x00", scope=Scope.FACTS)
@example(text="\ud800", scope=Scope.ENTITIES)
def test_any_text_is_a_good_query(store, text, scope):
    assert store.search(scope, text, 5) == ()
    assert store.sources_naming([], [text.encode("utf-8", "replace").decode()]) == frozenset()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(categories=["L", "N", "P", "Zs", "M"]), min_size=1, max_size=40))
def test_a_text_with_words_is_found_by_itself(store, commit, text):
    commit(store, note("n", text))
    hits = [hit.id for hit in store.search(Scope.EPISODES, text, 5)]
    expected = [passage(note("n").source, text).id]
    assert hits in (expected, [])
    assert bool(hits) or not any(char.isascii() and char.isalnum() for char in text)
    assert store.sources_naming([], [text]) == {note("n").source.id}
