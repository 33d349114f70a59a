from datetime import date

import pytest

from kgmem.extraction.dates import read_period
from kgmem.recall.answer import NOT_HERE, ask

NOW = date(2026, 6, 1).toordinal() * 86_400


def answer(store, question, *, as_of=None, **options):
    period = read_period(as_of, date(2026, 6, 1)) if as_of else None
    return ask(store, question, now=NOW, as_of=period, **options)


def facts(found):
    return sorted(f"{each.fact.predicate} {each.target}" for each in found.facts)


def places(found):
    return [(each.source, each.line) for each in found.passages]


def test_the_answer_says_what_holds_now(store):
    found = answer(store, "what do I know about Mira?")
    assert found.text == "Mira works at Sud (since 2023-04). The phone of Mira is 111 (date unknown)."
    assert facts(found) == ["PHONE 111", "WORKS_AT Nord", "WORKS_AT Sud"]
    assert [card.entity.name for card in found.entities] == ["Mira"]
    assert [each.entity.name for each in found.neighbours][:3] == ["2026-02-01", "Nord", "Sud"]


@pytest.mark.parametrize(
    ("as_of", "said"),
    [
        ("2020", "As of 2020 (the whole year): Mira works at Nord (2015 – 2023-03)."),
        ("2023-04-01", "As of 2023-04-01: Mira works at Sud (since 2023-04)."),
    ],
)
def test_the_answer_says_what_held_then(store, as_of, said):
    assert answer(store, "Mira", as_of=as_of).text.startswith(said)


def test_every_fact_says_where_it_was_written(store):
    cited = {each.target: [(e.path, e.line) for e in each.evidence] for each in answer(store, "Mira").facts}
    assert cited == {
        "111": [("People/Mira.md", 9)],
        "Nord": [("People/Mira.md", 7)],
        "Sud": [("People/Mira.md", 8)],
    }


def test_a_value_that_ended_names_the_one_that_came_next(store):
    by_name = {each.target: each for each in answer(store, "Mira").facts}
    assert by_name["Nord"].superseded_by == by_name["Sud"].fact.id
    assert by_name["Sud"].superseded_by is None


def test_its_own_note_comes_first_and_no_note_gives_more_than_two_passages(store):
    found = answer(store, "Mira and the cellar", limit=20)
    assert places(found)[0] == ("People/Mira.md", 5)
    by_note = [source for source, _ in places(found)]
    assert max(by_note.count(source) for source in by_note) == 2
    assert "2026-02-01.md" in by_note


def test_the_limit_bounds_the_passages(store):
    assert len(answer(store, "Mira", limit=1).passages) == 1


def test_a_question_without_a_name_gets_passages_alone(store):
    found = answer(store, "cold and deep")
    assert (found.text, found.entities, found.facts) == ("", (), ())
    assert places(found) == [("Nord.md", 5)]


def test_what_is_not_in_the_notes_is_declined(store):
    found = answer(store, "zzyzx")
    assert (found.text, found.passages, found.entities) == (NOT_HERE, (), ())


def test_a_name_without_facts_is_at_least_mentioned(store):
    assert answer(store, "York").text == "York (Note) is mentioned in 1 note."


def test_the_json_has_the_keys_that_scripts_rely_on(store):
    found = answer(store, "Mira").as_json()
    assert found.keys() >= {"question", "answer", "as_of", "known_at", "entities", "facts", "passages", "trace"}
    assert found["facts"][0].keys() >= {
        "id", "subject", "predicate", "object", "value", "statement", "valid_from", "valid_from_basis", "valid_to",
        "valid_to_basis", "recorded_at", "closed_at", "superseded_by", "confidence", "evidence",
    }  # fmt: skip
    assert found["passages"][0].keys() == {"source", "line", "heading", "text", "score"}
    assert found["entities"][0].keys() == {
        "id", "name", "type", "subtype", "aliases", "mentions", "sources", "first_seen", "last_seen",
    }  # fmt: skip
