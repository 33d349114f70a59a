"""What is erased is gone from every byte of the store, and the past is what others alone would have made it."""

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes
from ingestion.test_taking_back import back

from kgmem.extraction.ontology import load_ontology
from kgmem.ingestion.correction import Correction
from kgmem.memory import Memory
from kgmem.model import Instant
from kgmem.recall.conversation import Asking, ask_in
from kgmem.recall.why import find_answer
from kgmem.sources.obsidian import Vault
from kgmem.store.conversations import ERASED, MessageQuery, Thumb
from kgmem.store.protocol import FactQuery, Scope

CANARY = "zyqxwvu"
HEAD = f"---\ntype: person\nworks_at: Nord{CANARY} (since 2015)\naliases: [Mi{CANARY}]\n---\n"
MIRA = f"{HEAD}[[Jon]] told me {CANARY} at [[Lake {CANARY}]].\n"
LOG = "Met [[Mira]] and [[Jon]].\n\nworks_at:: Nord\n"
JON = "---\ntype: person\nlives_in: Lyon (since 2019)\n---\n"


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path).write({"Jon.md": JON, "Log.md": LOG})


def bytes_of(notes):
    """Everything that the store has on disk."""
    return b"".join(file.read_bytes() for file in notes.vault.parent.glob("memory.db*"))


def erase(notes, path, episode=None):
    def do(b, store):
        source = store.source(path)
        if episode is None:
            b.forget(source, Vault(notes.vault))
            return b.erase(source)
        name = store.episodes(source.id)[episode].id
        b.forget_episode(source, name, Vault(notes.vault))
        return b.erase(source, name)

    return back(notes, do)


def test_nothing_of_an_erased_source_is_left(notes):
    notes.write({"Mira.md": MIRA}).ingest(MONDAY)
    assert CANARY.encode() in bytes_of(notes)
    assert erase(notes, "Mira.md")
    assert CANARY.encode() not in bytes_of(notes)
    assert CANARY not in "".join(notes.dump())
    assert notes.ingest(WEDNESDAY).counts.added == 0
    assert CANARY.encode() not in bytes_of(notes)


def test_what_others_say_of_the_same_is_as_if_it_never_was_there(notes):
    notes.write({"Mira.md": MIRA}).ingest(MONDAY)
    notes.write({"Jon.md": JON.replace("Lyon", "Oslo")}).ingest(TUESDAY)
    other = notes.copy().remove("Mira.md")
    other.write({"Jon.md": JON}).ingest(MONDAY)
    other.write({"Jon.md": JON.replace("Lyon", "Oslo")}).ingest(TUESDAY)
    erase(notes, "Mira.md")
    assert notes.facts(links=True) == other.facts(links=True)
    for day in ("2026-03-02", "2026-03-03"):
        assert notes.facts_known(day) == other.facts_known(day)
    assert notes.entities() == other.entities()


def test_a_slot_that_others_share_keeps_their_versions(notes):
    notes.write({"A.md": "---\nlives_in: Lyon (2015)\n---\n", "B.md": "---\nresidents: [[A]] (2015)\n---\n"})
    notes.write({"A.md": "---\ntype: person\nlives_in: Lyon (since 2015)\n---\n"})
    notes.write({"Oslo.md": f"---\ntype: place\nresidents: [[A]] (since 2020)\n---\n{CANARY}\n"})
    notes.ingest(MONDAY)
    assert "A | LIVES_IN | Lyon | 2015 – 2020" in notes.facts()
    erase(notes, "Oslo.md")
    assert "A | LIVES_IN | Lyon | since 2015" in notes.facts()
    assert "A | LIVES_IN | Lyon | since 2015" in notes.facts_known("2026-03-02")
    assert not [fact for fact in notes.facts_known("2026-03-02") if "Oslo" in fact]


def test_an_erased_episode_leaves_the_others(notes):
    notes.write({"Mira.md": "Tea with [[Jon]].\n"}).ingest(MONDAY)
    notes.write({"Mira.md": f"Tea with [[Jon]].\n\nAnd {CANARY} with [[Log]].\n"}).ingest(TUESDAY)
    notes.write({"Mira.md": "Tea with [[Jon]].\n\nAnd cake.\n"}).ingest(WEDNESDAY)
    assert erase(notes, "Mira.md", 1)
    assert CANARY.encode() not in bytes_of(notes)
    assert "Mira > Jon" in notes.links()
    with notes.store() as store:
        assert [each.body for each in store.episodes(store.source("Mira.md").id)][-1].endswith("cake.\n")
        assert store.search(Scope.EPISODES, "cake", 5)
        _, ever = store.facts(FactQuery(versions=True))
        assert not [fact for fact in ever if CANARY in fact.statement]


def test_corrections_of_what_only_an_erased_source_said_go_with_it(notes):
    notes.write({"Mira.md": MIRA}).ingest(MONDAY)
    with notes.store(TUESDAY) as store:
        (fact,) = (each for each in store.facts(FactQuery(predicate="WORKS_AT"))[1] if CANARY in each.statement)
        Memory(store, load_ontology()).correct(fact, Correction(because=f"{CANARY} told me", wrong=True))
    assert erase(notes, "Mira.md")
    assert CANARY.encode() not in bytes_of(notes)


def asked(notes, *questions):
    """Ask, and say of the first answer that it is none, with a reason; gives the answers."""
    with notes.store() as store:
        found = [ask_in(store, each, Asking("wine", Instant(1)), now=739_680 * 86_400) for each in questions]
        store.conversations().judge(found[0].id, Thumb.DOWN, f"{CANARY} said so")
        return found


def test_answers_from_an_erased_source_are_erased_with_their_questions(notes):
    notes.write({"Mira.md": MIRA}).ingest(MONDAY)
    questions = (f"where does Mi{CANARY} work", f"what is Lake {CANARY}?", f"{CANARY.upper()}", "where does Jon live")
    work, lake, word, jon = asked(notes, *questions)
    assert CANARY in work.text
    assert CANARY in lake.text
    assert [each.source for each in word.passages] == ["Mira.md"] * len(word.passages)
    assert word.passages
    assert erase(notes, "Mira.md")
    assert CANARY.encode() not in bytes_of(notes)
    assert CANARY.upper().encode() not in bytes_of(notes)
    with notes.store() as store:
        total, found = store.conversations().messages(MessageQuery())
        assert [each.question for each in found[1:]] == [ERASED] * 3
        assert (total, found[0].place) == (4, 4)
        assert find_answer(store, jon.id) == found[0]


def test_an_answer_that_cites_others_alone_is_kept(notes):
    notes.write({"Mira.md": MIRA, "Oslo.md": f"Cold. {CANARY}\n"}).ingest(MONDAY)
    asked(notes, "cold", "where does Jon live")
    assert erase(notes, "Oslo.md")
    with notes.store() as store:
        _, found = store.conversations().messages(MessageQuery())
    assert [(each.question, each.answer) for each in found] == [
        ("where does Jon live", "Jon lives in Lyon (since 2019)."),
        (ERASED, ""),
    ]


def test_answers_from_an_erased_episode_are_erased(notes):
    notes.write({"Mira.md": "Tea with [[Jon]].\n", "Ann.md": "Coffee with nobody.\n"}).ingest(MONDAY)
    notes.write({"Mira.md": f"Tea with [[Jon]].\n\nAnd {CANARY} cake.\n"}).ingest(TUESDAY)
    asked(notes, "cake", "coffee")
    notes.write({"Mira.md": "Tea with [[Jon]].\n\nAnd wine.\n"}).ingest(WEDNESDAY)
    assert erase(notes, "Mira.md", 1)
    assert CANARY.encode() not in bytes_of(notes)
    with notes.store() as store:
        _, found = store.conversations().messages(MessageQuery())
    assert [each.question for each in found] == ["coffee", ERASED]
