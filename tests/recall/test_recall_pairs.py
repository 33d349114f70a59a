import pytest
from ingestion.notes import TUESDAY, Notes

from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.recall.names import find_entity
from kgmem.recall.pairs import compared, pairs, side
from kgmem.sources.obsidian import Vault
from kgmem.store.protocol import Proposal

FILES = {
    "Robert Keane.md": (
        "---\ntype: person\nworks_at: [Nord (2009 – 2015), Sud (since 2016)]\naliases: [Rob]\n---\nRob sings.\n"
    ),
    "Bob Keane.md": "---\ntype: person\nworks_at: Sud\nlives_in: Cork\n---\n",
    "Log.md": "# Day\n\nRain.\nThen [[Robert Keane]] came. He left.\n\nRobert Keane rang.\n",
    "Jon.md": "---\ntype: person\n---\nMet [[Bobby]] and [[Robert Keane]].\n",
}


@pytest.fixture
def notes(tmp_path):
    home = Notes(tmp_path).write(FILES)
    home.ingest()
    return home


def card(store, name):
    (found,) = find_entity(store, name)
    return found


def proposal(store, one, other):
    return Proposal(*sorted(card(store, name).entity.id for name in (one, other)), 0.9, ("why",))


def test_the_more_mentioned_comes_first(notes):
    with notes.store() as store:
        (pair,) = pairs(store, [proposal(store, "Bobby", "Robert Keane")])
    assert (pair.a.entity.name, pair.b.entity.name) == ("Robert Keane", "Bobby")
    data = pair.as_json()
    assert (data["a"]["name"], data["b"]["mentions"], data["score"], data["reasons"]) == (
        "Robert Keane",
        1,
        0.9,
        ["why"],
    )


def test_what_is_decided_waits_no_more(notes):
    with notes.store(TUESDAY) as store:
        identity = Memory(store, load_ontology()).identity(lambda _root, kind: Vault(notes.vault, kind=kind))
        names = [("Bobby", "Robert Keane"), ("Bob Keane", "Robert Keane"), ("Bob Keane", "Bobby"), ("Jon", "Bobby")]
        asked = [proposal(store, *each) for each in names]
        identity.merge(asked[0].one, asked[0].other)
        identity.keep_apart(asked[1].one, asked[1].other)
        (left,) = pairs(store, asked)
    assert left.proposal == asked[3]
    assert {left.a.entity.name, left.b.entity.name} == {"Jon", "Robert Keane"}


def test_a_side_tells_notes_facts_and_sentences(notes):
    with notes.store() as store:
        one = side(store, card(store, "Robert Keane"), quotes=3)
    assert [note.path for note in one.notes] == ["Robert Keane.md"]
    assert [(view.target, view.fact.predicate) for view in one.facts if view.fact.predicate == "WORKS_AT"] == [
        ("Sud", "WORKS_AT"),
        ("Nord", "WORKS_AT"),
    ]
    assert len({quote.path for quote in one.quotes}) == 3
    assert ("Log.md", 4, "Then [[Robert Keane]] came.") in [(q.path, q.line, q.text) for q in one.quotes]


def test_quotes_are_of_as_many_notes_as_there_are(notes):
    with notes.store() as store:
        one = side(store, card(store, "Robert Keane"), quotes=2)
        every = side(store, card(store, "Robert Keane"), quotes=9)
    assert len({quote.path for quote in one.quotes}) == 2
    assert [quote.line for quote in every.quotes if quote.path == "Log.md"] == [4, 6]


def test_what_both_have_is_compared_first(notes):
    with notes.store() as store:
        a, b = (side(store, card(store, name), quotes=1) for name in ("Robert Keane", "Bob Keane"))
    rows = {name: ([v.target for v in ours], [v.target for v in theirs]) for name, ours, theirs in compared(a, b)}
    assert next(iter(rows)) == "works at"
    assert rows["works at"] == (["Sud", "Nord"], ["Sud"])
    assert rows["lives in"] == ([], ["Cork"])
