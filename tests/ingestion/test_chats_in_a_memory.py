"""Conversations in a memory: only persons are believed, each as themselves, and in the order in which they spoke."""

import json

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.checkup import check_up
from kgmem.extraction.ontology import load_ontology
from kgmem.recall.imported import imported
from kgmem.store.protocol import Scope

TEN, ELEVEN, NOON = (f"2026-03-01T{hour}:00:00Z" for hour in (10, 11, 12))
OSLO = "Mira Lang | LIVES_IN | Oslo | noted 2026-03-01T10:00:00Z"


def said(text, at=TEN, role="user", conversation="c1", **other):
    return {"conversation": conversation, "role": role, "at": at, "text": text, **other}


def lines(*messages):
    return "".join(f"{json.dumps(each)}\n" for each in messages)


ONTOLOGY = load_ontology(owner="Mira Lang")


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path, ontology=ONTOLOGY)


def sound(notes):
    with notes.store(WEDNESDAY) as store:
        return [check.title for check in check_up(store, ONTOLOGY) if not check.ok] == []


def test_the_owner_is_who_asks_and_the_assistant_claims_nothing(notes):
    notes.write({
        "chat.jsonl": lines(
            said("I live in Oslo."),
            said("You live in Bergen. Bo Lund works at [[Acme]].", ELEVEN, "assistant"),
            said("You live in Paris.", ELEVEN, "system"),
        )
    })  # fmt: skip
    notes.ingest()
    assert notes.facts() == [OSLO]
    assert notes.links() == []
    assert notes.entities()["Acme"] == 1
    assert sound(notes)


def test_whoever_has_a_name_speaks_of_themselves(notes):
    notes.write({"chat.jsonl": lines(said("I live in Oslo.", name="Bo Lund"), said("I live in Bergen.", ELEVEN))})
    notes.ingest()
    assert notes.facts() == [
        "Bo Lund | LIVES_IN | Oslo | noted 2026-03-01T10:00:00Z",
        "Mira Lang | LIVES_IN | Bergen | noted 2026-03-01T11:00:00Z",
    ]


def test_what_is_said_later_counts_also_within_a_day(notes):
    notes.write({"chat.jsonl": lines(said("I live in Bergen.", NOON), said("I live in Oslo."))})
    notes.ingest()
    assert notes.facts() == [
        "Mira Lang | LIVES_IN | Bergen | noted 2026-03-01T12:00:00Z",
        "Mira Lang | LIVES_IN | Oslo | noted 2026-03-01T10:00:00Z, until 2026-03-01T12:00:00Z, by a later note",
    ]


def test_relative_words_count_from_the_message(notes):
    notes.write({
        "chat.jsonl": lines(said("Hello.", "2025-01-01T10:00:00Z"), said("I moved to Oslo yesterday.", "2026-03-01")),
    })  # fmt: skip
    notes.ingest()
    assert notes.facts() == ["Mira Lang | LIVES_IN | Oslo | since 2026-02-28"]


def test_without_a_time_it_is_dated_by_nothing(notes):
    notes.write({"chat.jsonl": lines(said("Hello."), said("I live in Oslo.", None))})
    assert [each.kind for each in notes.ingest().problems] == ["chat-time"]
    assert notes.facts() == ["Mira Lang | LIVES_IN | Oslo | date unknown"]


def test_a_conversation_is_not_what_its_title_names(notes):
    notes.write({
        "Ida Berg.md": "---\ntype: person\nphone: 1\n---\n",
        "chat.jsonl": lines(said("I met Ida Berg.", title="Ida Berg")),
    })  # fmt: skip
    notes.ingest()
    (ida,) = notes.called("Ida Berg")
    assert ida.entity.type == "Person"
    assert notes.mentioned_in("Ida Berg") == ["Ida Berg.md", "chat.jsonl#Ida Berg"]


def test_what_is_added_edited_and_taken_out(notes):
    first = said("I live in Oslo.", id="1")
    notes.write({"chat.jsonl": lines(first, said("I like tea.", conversation="c2"))})
    notes.ingest(MONDAY)
    tea = "Mira Lang | LIKES | tea | noted 2026-03-01T10:00:00Z"
    assert notes.facts() == [tea, OSLO]
    notes.write({"chat.jsonl": lines(first, said("I like tea.", conversation="c2"), said("Thanks.", NOON))})
    report = notes.ingest(TUESDAY)
    assert (report.counts.changed, report.facts_opened, report.facts_closed) == (1, 0, 0)
    notes.write({"chat.jsonl": lines(first, {**first, "text": "I live in Bergen."})})
    report = notes.ingest(WEDNESDAY)
    assert (report.counts.changed, report.counts.removed) == (1, 1)
    assert notes.facts() == ["Mira Lang | LIVES_IN | Bergen | noted 2026-03-01T10:00:00Z"]
    assert notes.facts_known("2026-03-02") == [tea, OSLO]
    assert sound(notes)


def test_it_reads_again_without_its_file(notes):
    notes.write(
        {"chat.jsonl": lines(said("I live in Oslo.", name="Bo Lund"), said("Bo lives in Rome.", role="system"))}
    )
    notes.ingest(MONDAY)
    before = notes.facts()
    assert before == ["Bo Lund | LIVES_IN | Oslo | noted 2026-03-01T10:00:00Z"]
    assert notes.ingest(TUESDAY, reread=True).facts_opened == 0
    assert notes.facts() == before


def test_messages_are_told_in_order(notes):
    notes.write(
        {"chat.jsonl": lines(said("b", NOON), said("a", TEN, name="Bo"), said("c", None, "assistant", title="x"))}
    )
    notes.ingest()
    with notes.store() as store:
        (one,) = imported(store)
        assert imported(store, "C1") == (one,)
        assert imported(store, "c2") == ()
        assert store.search(Scope.EPISODES, "b", 5) != ()
    assert [(each.who, each.at, each.text) for each in one.said] == [
        ("Bo (user)", TEN, "a"),
        ("assistant", None, "c"),
        ("user", NOON, "b"),
    ]


def test_a_very_long_message_is_one(notes):
    text = "\n\n".join([("word " * 500).strip()] * 4)
    notes.write({"chat.jsonl": lines(said(text), said("Short.", ELEVEN))})
    notes.ingest()
    with notes.store() as store:
        (one,) = imported(store)
    assert [each.text for each in one.said] == [text, "Short."]


@pytest.mark.neo4j
def test_a_server_keeps_them_too(notes, graph):
    notes.url, notes.group = graph.url, graph.group()
    notes.write({
        "chat.jsonl": lines(
            said("I live in Oslo.", title="Tea"), said("You live in Rome. See [[Ida]].", ELEVEN, "assistant")
        )
    })  # fmt: skip
    notes.ingest(MONDAY)
    assert (notes.facts(), notes.links()) == ([OSLO], [])
    with notes.store(MONDAY) as store:
        (one,) = imported(store, "tea")
    assert [(each.who, each.at) for each in one.said] == [("user", TEN), ("assistant", ELEVEN)]
    assert notes.ingest(TUESDAY).counts.unchanged == 1
    assert sound(notes)
