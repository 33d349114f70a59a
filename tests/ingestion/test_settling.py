"""Whom a name means in one note: by what surrounds it, or by a person's word."""

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes
from ingestion.test_resolving import resolve, with_memory

from kgmem.extraction.ontology import Rank, Typing
from kgmem.extraction.proposal import Ref
from kgmem.model import AliasKind, DecisionKind, EntityType
from kgmem.resolution.directory import Anchor, Directory, Resolved

FILES = {
    "People/Anna Berg.md": "---\ntype: person\nworks_at: [[Halden]]\n---\n",
    "People/Anna Roth.md": "---\ntype: person\nlives_in: [[Cork]]\naliases: [Roth]\n---\n",
    "Atlas/Kickoff.md": "Kickoff with [[Anna Berg]] and [[Nora Feldt]].\n",
    "Atlas/Plan.md": "The plan of [[Atlas]]. [[Halden]] pays. Anna lives in Oslo since 2020.\n",
    "Home/Garden.md": "Lunch with [[Anna Roth]].\n",
    "Home/Sea.md": "Anna lives in Malmö since 2021.\n",
    **{f"Home/n{number}.md": f"Number {number}.\n" for number in range(20)},
}


@pytest.fixture
def notes(tmp_path):
    home = Notes(tmp_path).write(FILES)
    home.ingest(MONDAY)
    return home


def settle(notes, do, now=TUESDAY):
    return with_memory(notes, lambda memory, readers: do(memory.settling(readers)), now)


def homes(notes):
    return [fact for fact in notes.facts() if "LIVES_IN" in fact]


def decisions(notes):
    with notes.store() as store:
        return [(each.kind, each.holds) for each in store.decisions()]


def waiting(notes):
    return settle(notes, lambda settling: settling.open())


def the_name(notes, source):
    with notes.store() as store:
        paths = {each.id: each.path for each in store.sources()}
    (found,) = (each for each in waiting(notes) if paths[each.loose.source] == source)
    return found


def entity(notes, name):
    (card,) = notes.called(name)
    return card.entity.id


def test_a_given_name_is_whom_its_surroundings_name(notes):
    assert "Anna | LIVES_IN | Oslo | 2020 – 2021" in homes(notes)
    assert resolve(notes).settled == 1
    assert homes(notes) == [
        "Anna Berg | LIVES_IN | Oslo | since 2020",
        "Anna Roth | LIVES_IN | Cork | date unknown",
        "Anna | LIVES_IN | Malmö | since 2021",
    ]
    assert decisions(notes) == [(DecisionKind.TAKEN, True)]
    assert resolve(notes, everything=True).settled == 0


def test_what_nothing_surrounds_waits_for_a_person(notes):
    resolve(notes)
    name = the_name(notes, "Home/Sea.md")
    assert name.meanings[0].entity == entity(notes, "Anna Roth")
    settle(notes, lambda settling: settling.mean(name, entity(notes, "Anna Roth")))
    assert "Anna Roth | LIVES_IN | Malmö | since 2021" in homes(notes)
    assert "Anna" not in notes.entities()
    assert waiting(notes) == ()


def test_it_outlives_edits_and_reading_again(notes):
    resolve(notes)
    name = the_name(notes, "Home/Sea.md")
    settle(notes, lambda settling: settling.mean(name, entity(notes, "Anna Roth")))
    notes.write({"Home/Sea.md": "Anna lives in Lund since 2022.\n"}).ingest(WEDNESDAY)
    notes.ingest(WEDNESDAY, reread=True)
    assert "Anna Roth | LIVES_IN | Lund | since 2022" in homes(notes)


def test_none_of_them_leaves_the_name_to_itself(notes):
    resolve(notes)
    name = the_name(notes, "Home/Sea.md")
    settle(notes, lambda settling: settling.mean(name, None))
    assert "Anna | LIVES_IN | Malmö | since 2021" in homes(notes)
    assert waiting(notes) == ()


def test_one_who_is_ruled_out_is_not_offered_again(notes):
    resolve(notes)
    name = the_name(notes, "Home/Sea.md")
    settle(notes, lambda settling: settling.rule_out(name, entity(notes, "Anna Roth")))
    (left,) = the_name(notes, "Home/Sea.md").meanings
    assert left.entity == entity(notes, "Anna Berg")
    settle(notes, lambda settling: settling.rule_out(name, entity(notes, "Anna Berg")))
    assert waiting(notes) == ()
    assert "Anna | LIVES_IN | Malmö | since 2021" in homes(notes)


def test_what_was_said_can_be_taken_back(notes):
    resolve(notes)
    before = homes(notes)
    name = the_name(notes, "Home/Sea.md")
    said = settle(notes, lambda settling: settling.mean(name, entity(notes, "Anna Roth")))
    assert homes(notes) != before
    settle(notes, lambda settling: settling.take_back(said.id))
    assert homes(notes) == before
    assert the_name(notes, "Home/Sea.md").meanings == name.meanings


def test_what_a_rule_took_and_a_person_took_back_is_not_taken_again(notes):
    resolve(notes)
    (taken,) = (each.id for each in settle(notes, lambda settling: settling.held()))
    settle(notes, lambda settling: settling.take_back(taken))
    assert "Anna | LIVES_IN | Oslo | 2020 – 2021" in homes(notes)
    assert resolve(notes, everything=True).settled == 0
    assert "Anna | LIVES_IN | Oslo | 2020 – 2021" in homes(notes)
    assert the_name(notes, "Atlas/Plan.md").meanings[0].entity == entity(notes, "Anna Berg")


def test_one_known_person_who_may_be_meant_is_asked_about(notes):
    notes.remove("People/Anna Roth.md", "Home/Garden.md").ingest(TUESDAY)
    resolve(notes)
    (only,) = the_name(notes, "Home/Sea.md").meanings
    assert only.entity == entity(notes, "Anna Berg")


def test_what_a_rule_took_is_given_up_when_somebody_else_comes_as_near(notes):
    resolve(notes)
    notes.write(
        {
            "People/Anna Falk.md": "---\ntype: person\nworks_at: [[Halden]]\n---\n",
            "Atlas/Team.md": "[[Anna Falk]] joined.\n",
        }
    ).ingest(TUESDAY)
    assert resolve(notes).settled == 1
    assert "Anna | LIVES_IN | Oslo | 2020 – 2021" in homes(notes)


def test_a_thing_called_like_a_person_is_not_whom_the_grammar_takes_for_one():
    boat = Anchor("boat", "Chris", Typing(EntityType.OBJECT, "Vehicle", Rank.SAID))
    directory = Directory({"Chris.md": boat}, [("chris", boat)])
    person = Ref("Chris", AliasKind.TEXT, None, Typing(EntityType.PERSON, None, Rank.GUESS))
    assert directory.resolve(person, frozenset(), frozenset()) is None
    assert directory.resolve(person, frozenset({"boat"}), frozenset()) == Resolved("boat", boat)
    assert directory.resolve(Ref("Chris", AliasKind.TEXT), frozenset(), frozenset()) == Resolved("boat", boat)


def test_a_name_that_several_own_is_settled_too(notes):
    notes.write(
        {
            "People/Mark Roth.md": "---\ntype: person\naliases: [Roth]\n---\n",
            "Home/Pond.md": "Roth lives in Kiel since 2019.\n",
        }
    ).ingest(TUESDAY)
    resolve(notes)
    name = the_name(notes, "Home/Pond.md")
    assert name.loose.shared
    settle(notes, lambda settling: settling.mean(name, entity(notes, "Mark Roth")))
    assert "Mark Roth | LIVES_IN | Kiel | since 2019" in homes(notes)
