import pytest

from kgmem.recall.search import search
from kgmem.store.protocol import Scope

ALL = (Scope.FACTS, Scope.ENTITIES, Scope.EPISODES)


def shown(hits):
    return [(hit.scope.value, hit.text.split("\n")[0], hit.source, hit.line) for hit in hits]


def test_a_hit_says_where_it_stands(store):
    assert shown(search(store, "carpenter", ALL, 5)) == [("episodes", "A carpenter.", "People/Bo.md", 4)]


def test_each_scope_finds_its_own(store):
    assert [hit.text for hit in search(store, "Bo", [Scope.ENTITIES], 5)] == ["Bo (Person)"]
    assert shown(search(store, "Sud", [Scope.FACTS], 5)) == [("facts", "Mira works at Sud.", "People/Mira.md", 8)]


def test_an_alias_finds_the_entity_before_all_that_only_sounds_like_it(store):
    assert search(store, "mira castel", [Scope.ENTITIES], 5)[0].text == "Mira (Person)"
    assert search(store, "York", [Scope.ENTITIES], 5)[0].text == "York (Object)"


def test_the_limit_bounds_all_scopes_together(store):
    assert len(search(store, "Mira cellar Nord", ALL, 3)) == 3


@pytest.mark.parametrize("terms", ["", "zzyzx", '"', "*", "(", "-", "\x00", "zzyzx* qqq:", 'zzyzx("qqq'])
def test_what_has_no_known_word_finds_nothing(store, terms):
    assert search(store, terms, ALL, 5) == ()


@pytest.mark.parametrize(
    "terms", ['"carpenter', "carpenter)", "carpenter*", "-carpenter", "text:carpenter", "CARPENTER?!"]
)
def test_signs_are_no_syntax(store, terms):
    assert [hit.text for hit in search(store, terms, ALL, 5)] == ["A carpenter."]
