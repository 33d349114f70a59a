from datetime import date

import pytest
from ingestion.notes import Notes

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


class Counting:
    """An embedder that counts how often it is asked."""

    model = "made-up"
    dimension = 2

    def __init__(self):
        self.asked = 0

    def embed(self, texts):
        self.asked += len(texts)
        return iter([(1.0, 0.0) for _ in texts])


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what do I know about Mira", 0),
        ("where does Mira work", 0),
        ("does Mira work at Sud", 0),
        ("why is the cellar cold", 1),
        ("when did Mira begin to sing", 1),
    ],
)
def test_no_vector_is_made_of_a_question_that_facts_answer(store, question, asked):
    embedder = Counting()
    found = answer(store, question, embedder=embedder)
    assert embedder.asked == asked
    assert ("vectors" in {step.name for step in found.trace.steps}) is bool(asked)


def test_what_is_no_answer_does_not_keep_the_question_from_its_vector(store):
    told = answer(store, "where does Mira work").told
    embedder = Counting()
    answer(store, "where does Mira work", embedder=embedder, avoid=told)
    assert embedder.asked == 1


def test_of_what_very_many_facts_are_about_an_answer_looks_at_some(tmp_path):
    notes = Notes(tmp_path)
    people = {f"P{number:03}.md": "---\ntype: person\nlives in: '[[Ulm]]'\n---\n" for number in range(230)}
    gone = {"A Gone.md": "---\ntype: person\n---\nlives_in:: [[Ulm]] (until 2010)\n"}
    notes.write({"Ulm.md": "---\ntype: city\ncountry: Germany\n---\n", **people, **gone}).ingest()
    with notes.store() as store:
        found = answer(store, "what do I know about Ulm")
        assert found.facts_total == 232
        assert len(found.facts) == 101
        assert "Germany" in found.text
        assert answer(store, "how many people live in Ulm").text == (
            "230 in your notes: P000, P001, P002, P003, P004, P005, P006, P007, P008, P009, P010, P011 and 218 more."
        )
        assert answer(store, "does P229 live in Ulm").text.startswith("Yes: P229 lives in Ulm")
        assert answer(store, "where does P229 live").text.startswith("P229 lives in Ulm")


def test_how_many_is_exact_where_most_have_moved_away(tmp_path):
    notes = Notes(tmp_path)
    gone = {f"A{number:03}.md": "---\ntype: person\n---\nlives_in:: [[Ulm]] (until 2010)\n" for number in range(220)}
    here = {f"P{number:02}.md": "---\ntype: person\nlives in: '[[Ulm]]'\n---\n" for number in range(14)}
    notes.write({"Ulm.md": "---\ntype: city\n---\n", **gone, **here}).ingest()
    with notes.store() as store:
        assert answer(store, "how many people live in Ulm").text == (
            "14 in your notes: P00, P01, P02, P03, P04, P05, P06, P07, P08, P09, P10, P11 and 2 more."
        )


def test_too_many_dates_are_told_shortly(store):
    asked = ask(store, "Mira in 2019 and " * 300 + "in 2001, 2002, 2003, 2004 and 2005", now=NOW)
    assert asked.notes == ("several dates: in 2019, in 2001, 2002, 2003, 2004, …; answered for now",)
