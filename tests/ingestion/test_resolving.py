"""What is new is compared with what may be it: beyond doubt it is merged, in doubt a person is asked."""

import math
import random

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.checkup import check_up
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.sources.obsidian import Vault

FILES = {
    "Robert Keane.md": "---\ntype: person\nworks_at: [[Acme]]\nlives_in: [[Cork]]\n---\nPlays chess.\n",
    "Bob Keane.md": "---\ntype: person\nworks_at: [[Acme]]\nlives_in: [[Cork]]\n---\nSings.\n",
    "Anna Berg.md": "---\ntype: person\nborn: 1980-01-01\nlives_in: [[Oslo]]\n---\n",
    "Work/Anna Berg.md": "---\ntype: person\nborn: 1991-05-05\nlives_in: [[Riga]]\n---\n",
    "Acme.md": "---\ntype: company\n---\n",
    "SR-2023-052.md": "---\ntype: project\nowner: [[Acme]]\n---\n",
    "SR-2023-053.md": "---\ntype: project\nowner: [[Acme]]\n---\n",
}


@pytest.fixture
def notes(tmp_path):
    home = Notes(tmp_path).write(FILES)
    home.ingest(MONDAY)
    return home


def with_memory(notes, do, now=TUESDAY):
    with notes.store(now) as store:
        memory = Memory(store, load_ontology())
        done = do(memory, lambda _root, kind: Vault(notes.vault, kind=kind))
        assert [check for check in check_up(store, load_ontology()) if not check.ok] == []
        return done


def resolve(notes, **options):
    return with_memory(notes, lambda memory, readers: memory.resolver(readers).resolve(**options))


class Dictionary:
    """An embedder that knows which words mean the same: each meaning is an axis of its own."""

    model, dimension = "dictionary", 64

    def __init__(self, *synonyms):
        self._axes = {word: number for number, words in enumerate(synonyms) for word in words}

    def embed(self, texts):
        for text in texts:
            axis = self._axes.setdefault(text, len(self._axes) + 10)
            generator = random.Random(axis)  # noqa: S311 - an axis, and no secret
            values = [generator.gauss(0, 1) for _ in range(self.dimension)]
            length = math.hypot(*values)
            yield tuple(value / length for value in values)


def resolve_by_meaning(notes, embedder):
    with notes.store(TUESDAY) as store:
        memory = Memory(store, load_ontology(), embedder=embedder)
        return memory.resolver(lambda _root, kind: Vault(notes.vault, kind=kind)).resolve()


def test_things_of_one_meaning_are_asked_about_and_never_merged(notes):
    pytest.importorskip("numpy")
    notes.write(
        {
            "Thesis.md": "---\ntype: project\naliases: [PhD thesis]\n---\n",
            "Doctoral dissertation.md": "---\ntype: project\n---\n",
            "Harbour.md": "---\ntype: place\n---\n",
        }
    ).ingest(TUESDAY)
    same = ("Thesis", "Doctoral dissertation", "Harbour", "Robert Keane", "Anna Berg", "SR-2023-052", "SR-2023-053")
    done = resolve_by_meaning(notes, Dictionary(same))
    assert done.merged == ()
    assert [pair for pair in proposed(notes) if not set(pair) & {"Anna Berg", "Bob Keane"}] == [
        ("Doctoral dissertation", "Thesis")
    ]


def test_without_an_embedder_letters_alone_count(notes):
    notes.write(
        {"Thesis.md": "---\ntype: project\n---\n", "Doctoral dissertation.md": "---\ntype: project\n---\n"}
    ).ingest(TUESDAY)
    resolve(notes)
    assert ("Doctoral dissertation", "Thesis") not in proposed(notes)


def proposed(notes):
    """The names of each pair that waits."""
    with notes.store() as store:
        pairs = [(each.one, each.other) for each in store.proposals()]
        names = store.entities({one for pair in pairs for one in pair})
    return sorted(tuple(sorted(names[one].name for one in pair)) for pair in pairs)


def review(notes, do):
    return with_memory(notes, lambda memory, readers: do(memory.review(readers)), WEDNESDAY)


def the_pair(review, notes, *names):
    with notes.store() as store:
        named = {
            each.id: {e.name for e in store.entities((each.one, each.other)).values()} for each in store.proposals()
        }
    (found,) = (each for each in review.pending() if named[each.id] == set(names))
    return found


def test_who_may_be_one_waits_for_a_person_and_what_differs_in_a_code_does_not(notes):
    assert resolve(notes).merged == ()
    assert ("Bob Keane", "Robert Keane") in proposed(notes)
    assert not [pair for pair in proposed(notes) if any(name.startswith("SR-") for name in pair)]
    assert not [pair for pair in proposed(notes) if pair == ("Anna Berg", "Robert Keane")]


def test_what_was_compared_is_not_compared_again(notes):
    assert resolve(notes).compared > 0
    assert resolve(notes).compared == 0
    assert resolve(notes, everything=True).compared > 0
    notes.write({"New.md": "[[Rob Keane]] came.\n"}).ingest(WEDNESDAY)
    with notes.store(WEDNESDAY) as store:
        assert 0 < Memory(store, load_ontology()).resolver(lambda _r, _k: Vault(notes.vault)).resolve().compared < 5


def test_a_memory_that_was_filed_without_counts_is_compared_whole_once(notes):
    everyone = resolve(notes).compared
    with notes.store(TUESDAY) as store:
        store.compare(dict.fromkeys(store.named_since(None), ("n:x",)), (), ())
    assert resolve(notes).compared == everyone
    assert resolve(notes).compared == 0


def test_a_comparison_says_how_many_pairs_wait(notes):
    assert resolve(notes).proposed == len(proposed(notes)) > 0
    with notes.store() as store:
        gone = store.proposals()[0]
        assert store.compare({}, (), [(gone.one, gone.other)]) == len(store.proposals())


def test_what_is_accepted_is_one_and_is_not_proposed_again(notes):
    resolve(notes)
    done = review(notes, lambda r: r.accept(the_pair(r, notes, "Bob Keane", "Robert Keane").id))
    assert {done.kept.name, *(each.name for each in done.others)} == {"Bob Keane", "Robert Keane"}
    notes.ingest(WEDNESDAY, reread=True)
    with_memory(notes, lambda m, readers: m.resolver(readers).resolve(everything=True), WEDNESDAY)
    assert ("Bob Keane", "Robert Keane") not in proposed(notes)
    assert len(notes.called("Bob Keane")) == len(notes.called("Robert Keane")) == 1


def test_what_is_rejected_is_not_proposed_again_until_that_is_taken_back(notes):
    resolve(notes)

    def reject_and_back(r):
        pair = the_pair(r, notes, "Bob Keane", "Robert Keane")
        return pair, r.reject(pair.id)

    pair, said = review(notes, reject_and_back)
    assert ("Bob Keane", "Robert Keane") not in proposed(notes)
    with_memory(notes, lambda m, readers: m.resolver(readers).resolve(everything=True), WEDNESDAY)
    assert ("Bob Keane", "Robert Keane") not in proposed(notes)
    review(notes, lambda r: r.take_back(pair, said))
    assert ("Bob Keane", "Robert Keane") in proposed(notes)


def test_two_notes_with_titles_of_their_own_are_never_merged_by_themselves(tmp_path):
    season = "---\ntype: show\naliases: [Better Call]\nlanguage: en\ncountry: [[Spain]]\n---\n"
    notes = Notes(tmp_path).write({"Lawyer One.md": season, "Lawyer Two.md": season, "Spain.md": "x\n"})
    notes.ingest(MONDAY)
    assert resolve(notes).merged == ()


def test_one_thing_that_grammar_and_a_link_name_is_one(tmp_path):
    notes = Notes(tmp_path).write({"A.md": "---\nproject: Kestrel\n---\n", "B.md": "[[DGIA]]\n"})
    notes.write({"C.md": "[[DGIA]]\n"})
    notes.ingest(MONDAY)
    assert resolve(notes).merged == ()
    assert len(notes.called("DGIA")) == 1


def test_what_a_rule_merged_and_a_person_took_apart_is_asked_about(notes):
    notes.write({"Log.md": "The [[Acme Ltd]] pays.\n", "Bo.md": "---\nworks_at: [[Acme Ltd]]\n---\n"}).ingest(TUESDAY)
    (merged,) = resolve(notes).merged
    with_memory(notes, lambda memory, readers: memory.identity(readers).unmerge(merged.decision.id))
    assert resolve(notes, everything=True).merged == ()
    assert ("Acme", "Acme Ltd") in proposed(notes)
