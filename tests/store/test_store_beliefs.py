"""Claims, facts and evidence, on both time axes."""

from dataclasses import replace

import pytest
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    INTRO,
    LOG_1,
    LOG_MD,
    MIRA,
    MIRA_1,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    SLOT,
    TRIP,
    bound,
    episode,
    fact_of,
    passage,
    rewritten,
    works_at,
)

from kgmem.errors import InvariantError
from kgmem.model import FOREVER, LINKS_TO, UNKNOWN, Basis, Bound, ClaimKind, Instant, Moment, Period, identify
from kgmem.store.changes import ChangeSet, Ending, EndKind
from kgmem.store.protocol import Evidence, FactQuery

YEAR_2015 = Moment.parse("2015")
YEAR_2020 = Moment.parse("2020")
ELSEWHERE = works_at(TRIP, LOG_1, "Sud", "2020")
ELSEWHERE_FACT = fact_of(ELSEWHERE)
CHANGE = replace(SECOND, claims=((SLOT, ELSEWHERE),), closed=(DIRECTS_FACT.id,), opened=(ELSEWHERE_FACT,))


def ids(rows):
    return [row.id for row in rows]


def test_a_claim_comes_back_as_it_was_written(store, commit):
    at = commit(store, FIRST)
    assert store.claims(slots=[SLOT]) == {SLOT: (replace(DIRECTS, recorded_at=at),)}
    assert store.asserted(MIRA_MD.id) == ((SLOT, replace(DIRECTS, recorded_at=at)),)


@pytest.mark.parametrize(
    "valid",
    [
        Period(),
        Period(bound("2023-04", Basis.STATED), bound("2023-04-05T10:00:00Z", Basis.OBSERVED)),
        Period(Bound(None, Basis.STATED), bound("0001", Basis.FILE)),
        Period(bound("9999-12-31"), Bound(Moment(YEAR_2015.first, YEAR_2020.past, YEAR_2015.precision), Basis.NOTE)),
        Period(Bound(Moment(5, 6, YEAR_2015.precision), Basis.NOTE), UNKNOWN),
    ],
)
def test_a_claim_keeps_every_kind_of_date(store, commit, valid):
    odd = replace(DIRECTS, valid=valid, said=valid.end, kind=ClaimKind.ENDS, scalar=True, object=None, rung="spacy")
    at = commit(store, replace(FIRST, claims=((SLOT, odd),), opened=()))
    assert store.claims()[SLOT] == (replace(odd, recorded_at=at),)


def test_claims_of_slots_of_a_source_and_of_all(store, commit):
    commit(store, FIRST, replace(CHANGE, closed=(), opened=()))
    assert ids(store.claims()[SLOT]) == [DIRECTS.id, ELSEWHERE.id]
    assert ids(store.claims(source=LOG_MD.id)[SLOT]) == [ELSEWHERE.id]
    assert ids(store.claims(source=LOG_MD.id, slots=[SLOT])[SLOT]) == [ELSEWHERE.id]
    assert store.claims(slots=[identify("none")]) == {}
    assert store.claims(slots=[], source=LOG_MD.id) == {}


def test_a_withdrawn_claim_leaves_the_fold_and_its_past_stays(store, commit):
    first = commit(store, FIRST)
    second = commit(store, ChangeSet("ingest", endings=(Ending(DIRECTS.id, EndKind.WITHDRAWN),)))
    assert store.claims() == {}
    assert store.asserted(MIRA_MD.id) == ()
    assert store.claims(known=second) == {}
    assert ids(store.claims(known=Instant(second - 1))[SLOT]) == [DIRECTS.id]
    assert ids(store.claims(known=first)[SLOT]) == [DIRECTS.id]
    assert store.claims(known=Instant(first - 1)) == {}


def test_a_replaced_claim_stays_in_the_fold_up_to_its_bound(store, commit):
    first = commit(store, FIRST)
    until = bound("2021-02", Basis.STATED)
    second = commit(store, ChangeSet("ingest", endings=(Ending(DIRECTS.id, EndKind.REPLACED, until),)))
    assert store.claims()[SLOT][0].replaced == until
    assert store.asserted(MIRA_MD.id)[0][1].replaced == until
    assert store.claims(known=second)[SLOT][0].replaced == until
    assert store.claims(known=first)[SLOT][0].replaced is None


def test_a_replaced_claim_may_get_another_bound_and_be_withdrawn(store, commit):
    commit(store, FIRST)
    early, late = bound("2021"), bound("2022")
    second = commit(store, ChangeSet("ingest", endings=(Ending(DIRECTS.id, EndKind.REPLACED, early),)))
    third = commit(store, ChangeSet("ingest", endings=(Ending(DIRECTS.id, EndKind.REPLACED, late),)))
    fourth = commit(store, ChangeSet("ingest", endings=(Ending(DIRECTS.id, EndKind.WITHDRAWN),)))
    assert store.claims() == {}
    assert store.claims(known=second)[SLOT][0].replaced == early
    assert store.claims(known=third)[SLOT][0].replaced == late
    assert store.claims(known=fourth) == {}
    with pytest.raises(InvariantError):
        commit(store, ChangeSet("ingest", endings=(Ending(DIRECTS.id, EndKind.REPLACED, early),)))


def test_a_withdrawn_claim_cannot_be_asserted_under_its_id(store, commit):
    commit(store, FIRST, ChangeSet("ingest", endings=(Ending(DIRECTS.id, EndKind.WITHDRAWN),)))
    with pytest.raises(InvariantError):
        commit(store, ChangeSet("ingest", claims=((SLOT, DIRECTS),)))


def test_an_open_fact_comes_back_with_its_evidence(store, commit):
    at = commit(store, FIRST)
    assert store.open_facts([SLOT, identify("none")]) == {SLOT: (replace(DIRECTS_FACT, recorded_at=at),)}


def test_a_closed_fact_is_open_no_more(store, commit):
    commit(store, FIRST, CHANGE)
    assert ids(store.open_facts([SLOT])[SLOT]) == [ELSEWHERE_FACT.id]


def test_what_was_believed_then(store, commit):
    first = commit(store, FIRST)
    second = commit(store, CHANGE)
    old = replace(DIRECTS_FACT, recorded_at=first, closed_at=second)
    new = replace(ELSEWHERE_FACT, recorded_at=second)
    assert store.facts(FactQuery()) == (1, (new,))
    assert store.facts(FactQuery(known=first)) == (1, (old,))
    assert store.facts(FactQuery(known=Instant(second - 1))) == (1, (old,))
    assert store.facts(FactQuery(known=second)) == (1, (new,))
    assert store.facts(FactQuery(known=Instant(first - 1))) == (0, ())
    assert store.facts(FactQuery(versions=True)) == (2, (old, new))


def test_facts_that_hold_in_a_span_of_the_world(store, commit):
    until_2020 = replace(DIRECTS_FACT, holds_to=YEAR_2020.first)
    commit(store, replace(FIRST, opened=(until_2020,)), replace(CHANGE, closed=()))
    day = 86_400

    def holding(first, past):
        return ids(store.facts(FactQuery(valid=(first, past)))[1])

    assert holding(YEAR_2015.first - day, YEAR_2015.first) == []
    assert holding(YEAR_2015.first, YEAR_2015.first + 1) == [until_2020.id]
    assert holding(YEAR_2020.first - 1, YEAR_2020.first) == [until_2020.id]
    assert holding(YEAR_2020.first, YEAR_2020.first + day) == [ELSEWHERE_FACT.id]
    assert holding(YEAR_2020.first - 1, FOREVER) == [until_2020.id, ELSEWHERE_FACT.id]


def test_facts_by_entity_predicate_slot_and_id(store, commit):
    commit(store, FIRST, replace(CHANGE, closed=()))

    def found(**query):
        total, facts = store.facts(FactQuery(**query))
        assert total == len(facts)
        return ids(facts)

    both = [DIRECTS_FACT.id, ELSEWHERE_FACT.id]
    assert found(about=(MIRA.id,)) == both
    assert found(about=(NORD.id,)) == [DIRECTS_FACT.id]
    assert found(about=(PARIS.id, NORD.id)) == [DIRECTS_FACT.id]
    assert found(about=()) == []
    assert found(subject=MIRA.id) == both
    assert found(subject=NORD.id) == []
    assert found(predicate="WORKS_AT") == both
    assert found(predicate="works_at") == []
    assert found(links=False) == both
    assert found(slots=(SLOT, "nonsense")) == both
    assert found(ids=(ELSEWHERE_FACT.id,)) == [ELSEWHERE_FACT.id]
    assert found(ids=(ELSEWHERE_FACT.id,), about=(NORD.id,)) == []


def test_facts_without_bare_links(store, commit):
    link = replace(fact_of(DIRECTS, name="a", slot=identify("a")), predicate=LINKS_TO)
    commit(store, replace(FIRST, opened=(DIRECTS_FACT, link)))
    assert set(ids(store.facts(FactQuery())[1])) == {DIRECTS_FACT.id, link.id}
    total, facts = store.facts(FactQuery(links=False))
    assert (total, ids(facts)) == (1, [DIRECTS_FACT.id])


def test_facts_are_ordered_and_paged(store, commit):
    of_nord = fact_of(DIRECTS, name="a", slot=identify("a"))
    of_nord = replace(of_nord, subject=NORD.id, object=None, value="x")
    hates = replace(fact_of(DIRECTS, name="b", slot=identify("b")), predicate="AVOIDS")
    commit(store, replace(FIRST, opened=(DIRECTS_FACT, of_nord, hates)), replace(CHANGE, closed=()))
    order = [of_nord.id, hates.id, DIRECTS_FACT.id, ELSEWHERE_FACT.id]
    assert ids(store.facts(FactQuery())[1]) == order
    total, page = store.facts(FactQuery(limit=2, offset=1))
    assert (total, ids(page)) == (4, order[1:3])


def test_of_the_facts_about_a_thing_a_page_tells_how_many_there_are(store, commit):
    avoids = replace(fact_of(DIRECTS, name="b", slot=identify("b")), predicate="AVOIDS")
    commit(store, replace(FIRST, opened=(DIRECTS_FACT, avoids)), replace(CHANGE, closed=()))
    order = [avoids.id, DIRECTS_FACT.id, ELSEWHERE_FACT.id]
    about = FactQuery(about=(DIRECTS.subject, NORD.id))
    for limit, offset, page in [(2, 0, order[:2]), (2, 1, order[1:]), (3, 0, order), (9, 1, order[1:]), (1, 3, [])]:
        total, found = store.facts(replace(about, limit=limit, offset=offset))
        assert (total, ids(found)) == (3, page)
    assert store.facts(replace(about, limit=0)) == (3, ())
    assert store.facts(replace(about, predicate="AVOIDS", limit=0)) == (1, ())
    assert store.facts(replace(about, predicate="LIKES", limit=5)) == (0, ())
    total, found = store.facts(FactQuery(subject=DIRECTS.subject, predicate="AVOIDS", limit=5))
    assert (total, ids(found)) == (1, [avoids.id])


def test_equal_facts_are_ordered_by_the_digits_of_their_ids(store, commit):
    low, high = replace(DIRECTS_FACT, id="0" * 16), replace(DIRECTS_FACT, id="f" * 16)
    commit(store, replace(FIRST, opened=(high, low)))
    assert ids(store.facts(FactQuery())[1]) == [low.id, high.id]


def test_evidence_is_what_supported_the_fact_then(store, commit):
    agreeing = works_at(TRIP, LOG_1, NORD, "2015")
    first = commit(store, FIRST)
    more = replace(
        SECOND, claims=((SLOT, agreeing),), supported=((DIRECTS_FACT.id, tuple(sorted((DIRECTS.id, agreeing.id)))),)
    )
    second = commit(store, more)
    gone = ChangeSet(
        "ingest", endings=(Ending(DIRECTS.id, EndKind.WITHDRAWN),), supported=((DIRECTS_FACT.id, (agreeing.id,)),)
    )
    third = commit(store, gone)

    def evidence(**query):
        return set(store.facts(FactQuery(**query))[1][0].evidence)

    assert evidence(known=first) == {DIRECTS.id}
    assert evidence(known=second) == {DIRECTS.id, agreeing.id}
    assert evidence(known=third) == {agreeing.id}
    assert evidence() == {agreeing.id}
    assert store.open_facts([SLOT])[SLOT][0].evidence == (agreeing.id,)
    assert store.facts(FactQuery())[1][0].recorded_at == first


def test_a_withdrawn_claim_supports_nothing_from_then_on(store, commit):
    commit(store, FIRST, ChangeSet("ingest", endings=(Ending(DIRECTS.id, EndKind.WITHDRAWN),)))
    assert store.open_facts([SLOT])[SLOT][0].evidence == ()


def test_a_closed_version_shows_what_it_rested_on_last(store, commit):
    commit(store, FIRST)
    commit(store, replace(CHANGE, endings=(Ending(DIRECTS.id, EndKind.WITHDRAWN),)))
    assert store.facts(FactQuery(versions=True))[1][0].evidence == (DIRECTS.id,)


def test_rivals_are_kept_apart_from_evidence(store, commit):
    disputed = fact_of(ELSEWHERE, rivals=(DIRECTS,))
    commit(store, FIRST, replace(CHANGE, opened=(disputed,)))
    (fact,) = store.open_facts([SLOT])[SLOT]
    assert (fact.evidence, fact.rivals) == ((ELSEWHERE.id,), (DIRECTS.id,))
    commit(store, ChangeSet("ingest", supported=((disputed.id, (ELSEWHERE.id,)),)))
    assert store.open_facts([SLOT])[SLOT][0].rivals == (DIRECTS.id,)
    commit(store, ChangeSet("ingest", supported=((disputed.id, (DIRECTS.id,)),)))
    (fact,) = store.open_facts([SLOT])[SLOT]
    assert (fact.evidence, fact.rivals) == ((DIRECTS.id,), ())


def test_where_a_claim_stands(store, commit):
    commit(store, FIRST)
    assert store.evidence([DIRECTS.id, identify("none")]) == {
        DIRECTS.id: Evidence(
            claim=DIRECTS.id,
            fact=DIRECTS_FACT.id,
            source=MIRA_MD.id,
            passage=DIRECTS.passage,
            root="/vault",
            path="People/Mira.md",
            line=13,
            quote="Mira directs Château Nord",
            heading="Life > Work",
            block="job",
            occurred=bound("2024-05-01"),
            live=True,
            rung="structure",
            confidence=0.75,
        )
    }


def test_a_claim_stands_where_its_passage_stands_now(store, commit):
    commit(store, FIRST)
    again = episode(MIRA_MD, "2", bound("2025"))
    commit(store, ChangeSet("i", source=MIRA_MD, episode=again, passages=(replace(INTRO, first_line=30),)))
    commit(store, rewritten("3", occurred=bound("2026")))
    found = store.evidence([DIRECTS.id])[DIRECTS.id]
    assert (found.line, found.occurred, found.live) == (31, bound("2025"), False)


def test_a_claim_of_no_fact_is_found_too(store, commit):
    commit(store, replace(FIRST, opened=()))
    assert store.evidence([DIRECTS.id])[DIRECTS.id].fact == ""


def test_the_open_fact_of_a_claim_comes_before_a_closed_one(store, commit):
    narrower = fact_of(DIRECTS, name="narrower", past=YEAR_2020.first)
    commit(store, FIRST, ChangeSet("ingest", closed=(DIRECTS_FACT.id,), opened=(narrower,)))
    assert store.evidence([DIRECTS.id])[DIRECTS.id].fact == narrower.id
    commit(store, ChangeSet("ingest", closed=(narrower.id,)))
    assert store.evidence([DIRECTS.id])[DIRECTS.id].fact == narrower.id


@pytest.mark.parametrize(
    "changes",
    [
        ChangeSet("i", claims=((SLOT, replace(DIRECTS, id=identify(1), passage=identify("none"))),)),
        ChangeSet("i", claims=((SLOT, replace(DIRECTS, id=identify(1), object=identify("none"))),)),
        ChangeSet("i", claims=((SLOT, replace(DIRECTS, id=identify(1), object="none")),)),
        ChangeSet("i", claims=((SLOT, replace(DIRECTS, id=identify(1), value="and an object")),)),
        ChangeSet("i", endings=(Ending(identify("none"), EndKind.WITHDRAWN),)),
        ChangeSet("i", closed=(identify("none"),)),
        ChangeSet("i", opened=(replace(DIRECTS_FACT, id=identify(1), evidence=(identify("none"),)),)),
        ChangeSet("i", opened=(replace(DIRECTS_FACT, id=identify(1), subject=identify("none")),)),
        ChangeSet("i", opened=(replace(DIRECTS_FACT, id=identify(1), holds_to=YEAR_2015.first),)),
        ChangeSet("i", supported=((identify("none"), ()),)),
        ChangeSet("i", supported=((DIRECTS_FACT.id, (identify("none"),)),)),
    ],
)
def test_a_belief_that_refers_to_nothing_is_refused_whole(store, commit, changes):
    commit(store, FIRST)
    before = list(store.dump())
    with pytest.raises(InvariantError):
        commit(store, replace(changes, entities=(replace(PARIS, name="Lutetia"),)))
    assert list(store.dump()) == before


def test_a_closed_fact_is_not_opened_again(store, commit):
    commit(store, FIRST, ChangeSet("ingest", closed=(DIRECTS_FACT.id,)))
    with pytest.raises(InvariantError):
        commit(store, ChangeSet("ingest", opened=(DIRECTS_FACT,)))


def test_statistics_count_what_is_live(store, commit):
    commit(store, FIRST)
    at = commit(store, CHANGE)
    stats = store.stats()
    assert stats.counts == {
        "sources": 2,
        "episodes": 2,
        "passages": 3,
        "mentions": 6,
        "entities": 3,
        "aliases": 4,
        "claims": 2,
        "facts": 1,
        "vectors": 0,
        "transactions": 2,
        "conversations": 0,
        "messages": 0,
    }
    assert (stats.last_recorded, stats.url) == (at, store.url)
    assert stats.size_bytes > 0


def test_a_claim_of_a_long_dead_passage(store, commit):
    commit(store, FIRST)
    for number in range(5):
        commit(store, rewritten(f"text {number}"))
    assert store.evidence([DIRECTS.id])[DIRECTS.id].line == 13
    assert store.passages_of(MIRA_MD.id) == (passage(MIRA_MD, "text 4"),)
    assert store.episode(MIRA_MD.id).id != MIRA_1.id
