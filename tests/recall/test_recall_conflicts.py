import pytest
from ingestion.notes import TUESDAY, Notes

from kgmem.cli.conflicts import settle
from kgmem.errors import UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.recall.conflicts import find_ambiguous, find_conflicts, still_open

RELEASES = {
    "Releases.md": '---\ntype: project\nreviewed_by: "[[Grace]] (since 2026-01-05)"\n---\n',
    "Team.md": "Ada reviews [[Releases]] from 5 January 2026.\n",
}


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path)


def told(conflict):
    return conflict.view.target, [(rival.target, rival.period.start.shown) for rival in conflict.rivals]


def test_values_of_one_date_are_a_conflict(notes):
    notes.write(RELEASES).ingest()
    with notes.store() as store:
        (conflict,) = find_conflicts(store)
        believed, rivals = told(conflict)
        assert {believed, rivals[0][0]} == {"Ada", "Grace"}
        assert [since for _, since in rivals] == ["2026-01-05"]
        assert told(still_open(store, conflict)) == (believed, rivals)


def test_values_of_two_dates_are_none(notes):
    notes.write({**RELEASES, "Team.md": "Ada reviews [[Releases]] from 6 January 2026.\n"}).ingest()
    with notes.store() as store:
        assert find_conflicts(store) == ()


def test_of_three_values_two_are_rivals_each_with_its_places(notes):
    notes.write({**RELEASES, "More.md": "Bo reviews [[Releases]] from 5 January 2026.\n"})
    notes.write({"Again.md": RELEASES["Team.md"]}).ingest()
    with notes.store() as store:
        (conflict,) = find_conflicts(store)
        places = {rival.target: sorted(each.path for each in rival.evidence) for rival in conflict.rivals}
        places[conflict.view.target] = sorted(each.path for each in conflict.view.evidence)
    assert places == {"Ada": ["Again.md", "Team.md"], "Bo": ["More.md"], "Grace": ["Releases.md"]}


@pytest.mark.parametrize("chosen", ["Ada", "Bo", "Grace"])
def test_whatever_is_right_nothing_is_disputed_any_more(notes, chosen):
    notes.write({**RELEASES, "More.md": "Bo reviews [[Releases]] from 5 January 2026.\n"}).ingest()
    with notes.store(TUESDAY) as store:
        (conflict,) = find_conflicts(store)
        right = next((rival for rival in conflict.rivals if rival.target == chosen), None)
        settle(Memory(store, load_ontology()), conflict, right)
        assert find_conflicts(store) == ()
        assert still_open(store, conflict) is None
    assert [line for line in notes.facts() if "REVIEWED_BY" in line] == [
        f"Releases | REVIEWED_BY | {chosen} | since 2026-01-05"
    ]


def test_no_date_is_made_up_for_a_rival_that_has_none(notes):
    undated = {path: text.replace(" (since 2026-01-05)", "") for path, text in RELEASES.items()}
    notes.write({**undated, "Team.md": "Ada reviews [[Releases]].\n"}).ingest()
    with notes.store(TUESDAY) as store:
        (conflict,) = find_conflicts(store)
        (rival,) = conflict.rivals
        assert rival.period.start.shown is None
        settle(Memory(store, load_ontology()), conflict, rival)
    assert f"Releases | REVIEWED_BY | {rival.target} | date unknown" in notes.facts()


def test_a_value_that_held_at_another_time_is_not_denied_for_all_time(notes):
    grace = '---\ntype: project\nreviewed_by:\n- "[[Grace]] (2020 – 2021)"\n- "[[Grace]] (since 2026-01-05)"\n---\n'
    notes.write({"Releases.md": grace, "Team.md": RELEASES["Team.md"]}).ingest()
    before = notes.facts()
    with notes.store(TUESDAY) as store:
        (conflict,) = find_conflicts(store)
        ada = next((rival for rival in conflict.rivals if rival.target == "Ada"), None)
        with pytest.raises(UserError, match="also holds at another time"):
            settle(Memory(store, load_ontology()), conflict, ada)
    assert notes.facts() == before


def test_a_name_that_two_bear_is_open_where_no_link_says_which(notes):
    notes.write(
        {
            "A/Lukas Brandt.md": "---\ntype: person\naliases: [Lukas]\n---\n",
            "B/Lukas Falk.md": "---\ntype: person\naliases: [Lukas]\n---\n",
            "Open.md": "Rain.\nThen Lukas came. Lukases are many.\n",
            "Linked.md": "[[Lukas Falk|Lukas]] came. Lukas left.\n",
        }
    ).ingest()
    with notes.store() as store:
        (name,) = find_ambiguous(store)
    assert name.name == "Lukas"
    assert {card.entity.name for card in name.cards} == {"Lukas Brandt", "Lukas Falk"}
    assert [(quote.path, quote.line, quote.text) for quote in name.open] == [("Open.md", 2, "Then Lukas came.")]
