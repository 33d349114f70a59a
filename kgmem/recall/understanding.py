"""What a question asks of the facts: its kind, whom it is about, and the facts that answer it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kgmem.model import EntityType, Fact, unique
from kgmem.recall.clauses import SMALL, Clause, Understood, fitted
from kgmem.recall.cues import Cue
from kgmem.recall.facts import FactView, view
from kgmem.recall.kinds import Asking, Kind
from kgmem.recall.phrases import WHERE, noun_at, reduced, verb_at
from kgmem.recall.relations import Ground, Item, Ref, Word, is_told_as
from kgmem.recall.succession import succession
from kgmem.recall.suiting import suited
from kgmem.recall.things import is_called
from kgmem.recall.verbs import by_own_verb, by_value, by_verb
from kgmem.store.protocol import FactQuery

_WHEN: Final = (Cue("HAPPENED_ON", "s"), Cue("STARTED_ON", "s"))
"""What "was" asks for beside "when"."""
_JOINED: Final = {
    "in": (*WHERE, Cue("PART_OF", "s")),
    "at": (Cue("WORKS_AT", "s"), *WHERE, Cue("STUDIED_AT", "s")),
    "of": (Cue("PART_OF", "s"), Cue("MEMBER_OF", "s")),
}
"""What "is" asks for between two names, by the preposition between them."""
_WORK: Final = (Cue("ROLE", "s"), Cue("WORKS_AT", "s"))
"""What "do" asks for."""
_AGE: Final = (Cue("BORN_ON", "s"),)
_DUE: Final = (Cue("DEADLINE", "s"), Cue("DUE", "s"), Cue("DUE_DATE", "s"))
"""What "when" asks for of what is due: properties that people coin, by these names."""
_HAVING: Final = frozenset("play plays use uses drive drives ride rides wear wears keep keeps run runs".split())
"""Verbs that only say that somebody has something: "what instrument do I play" asks for a property of that name."""
_A_DAY: Final = 86_400
_STATUS: Final = "STATUS"
_MOST: Final = 500
"""Facts of one predicate among whose values a word is looked for."""


def understand(asking: Asking, items: Sequence[Item], ground: Ground) -> Understood:
    """What a question asks, as far as its words tell.

    Args:
        asking: its kind.
        items: its names and words.
        ground: the memory at the time that it asks about.
    """
    clause = Clause(asking, reduced(list(items), ground), ground)
    if not clause.refs:
        return by_value(clause)
    found = _missing(clause) or succession(clause, _best) or _best(clause)
    reached = unique(
        each
        for ref in clause.refs
        if ref.own or ref.hops
        for each in (*ref.ids, *(end for hop in ref.hops for end in hop.ends), *ref.origin)
    )
    through = unique(fact for ref in clause.refs for hop in ref.hops for fact in hop.facts)
    told = {each.fact.id for each in (*found.facts, *found.instead)}
    return replace(
        found,
        through=tuple(each for each in (*found.through, *through) if each.fact.id not in told),
        subject=found.subject or (clause.refs[0].start, clause.refs[0].end),
        reached=reached,
    )


def _best(clause: Clause) -> Understood:
    """The first reading that the facts answer; without one, the first that asks for a predicate at all."""
    readings = (_there, by_verb, _same, by_own_verb, _noun, _steps)
    asked: Understood | None = None
    for read in readings:
        said = read(clause)
        found = None if said is None else suited(said)
        if found is not None and (found.facts or (found.kind is Kind.YES_NO and found.instead)):
            return found
        asked = asked or found
    return asked or _bare(clause)


def _missing(clause: Clause) -> Understood | None:
    """It is about what no fact leads to: there is no husband of Mira."""
    for ref in clause.refs:
        if ref.unknown:
            return Understood(clause.asking.kind, cues=ref.hops[-1].cues, subject=None)
    return None


def _same(clause: Clause) -> Understood | None:
    """Is [Marc] [my manager]: whether two references meet; is [Nord] in [Lyon]: whether a fact joins them."""
    if clause.asking.kind is not Kind.YES_NO or len(clause.refs) <= 1 or clause.left():
        return None
    one, other, *_ = clause.refs
    stepped, plain = (one, other) if one.hops else (other, one)
    if not stepped.hops:
        words = {item.lower for item in clause.items if isinstance(item, Word)}
        cues = unique(cue for word in sorted(words) for cue in _JOINED.get(word, ()))
        if not cues:
            return None
        hop = clause.ground.hop(one.ids, cues, lambda cue: cue.first, to=other.ids)
        rest = clause.ground.hop(one.ids, cues, lambda cue: cue.first)
        instead = () if rest.past else rest.facts
        return Understood(Kind.YES_NO, hop.facts, instead=instead, past=hop.past, cues=cues)
    hop = stepped.hops[-1]
    meeting = [each for each in hop.facts if each.fact.object in plain.ids or each.fact.subject in plain.ids]
    holds = tuple(meeting) if not hop.past else ()
    kind = Kind.YES_NO if is_told_as(hop, clause.ground.cues) else Kind.WHICH
    return Understood(kind, holds, instead=() if holds else hop.facts, past=hop.past, cues=hop.cues)


def _there(clause: Clause) -> Understood | None:
    """Which [winery] is in [Avignon]: what is there, and is of the type or subtype that the noun says."""
    match clause.items:
        case [Word() as noun, Word() as be, Word() as word, Ref() as ref]:
            said = (be.lower, word.lower) in {(each, other) for each in ("is", "are") for other in ("in", "at")}
            if not said or clause.asking.kind not in {Kind.WHICH, Kind.HOW_MANY}:
                return None
            hop = clause.ground.hop(ref.ids, (Cue("LOCATED_IN", "o"),), lambda cue: cue.first)
            facts = tuple(each for each in hop.facts if is_called(each.subject.id, noun.lower, clause.ground))
            return Understood(clause.asking.kind, facts, past=hop.past, cues=hop.cues, about=ref.ids) if facts else None
    return None


def _noun(clause: Clause) -> Understood | None:
    """How many [children] does [Sofia] have, what is [Mira's] dog called."""
    ground = clause.ground
    if _is_one(clause):
        return None
    for place, item in enumerate(clause.items):
        if not isinstance(item, Word) or item.lower in SMALL or (not place and _acts(clause)):
            continue
        anchor = min(clause.refs, key=lambda ref: abs(ref.start - item.start))
        length, cues = noun_at(clause.items, place, ground, anchor.ids)
        cues = tuple(cue for cue in cues if clause.suits(cue))
        if length and cues:
            others = [each for ref in clause.refs if ref is not anchor for each in ref.ids]
            noun = clause.items[place + length - 1]
            said = noun.lower if isinstance(noun, Word) else ""
            left = clause.left(range(place, place + length))
            counted = clause.asking.kind is Kind.HOW_MANY and not left
            hop = ground.hop(
                anchor.ids, cues, lambda cue: cue.first,
                to=others or None, ever=clause.ever, noun=said, counted=counted,
            )  # fmt: skip
            if clause.asking.kind is Kind.WHICH and hop.facts and all(fact.fact.value for fact in hop.facts):
                left = [word for word in left if word.lower not in _HAVING]
            found = fitted(clause, hop, left, anchor.ids, hop.facts)
            counts = found.kind in {Kind.YES_NO, Kind.HOW_MANY} and found.facts
            return replace(found, kind=Kind.WHICH) if counts and not is_told_as(hop, ground.cues) else found
    return None


def _is_one(clause: Clause) -> bool:
    """Is [Bordeaux] a city: it is asked what something is, and not what it has."""
    match clause.items:
        case [Word() as be, Ref(), Word() as article, Word()]:
            return be.lower in {"is", "was"} and article.lower in {"a", "an"}
    return False


def _acts(clause: Clause) -> bool:
    """Whether the first word is what somebody does: after "who" stands a verb, though it looks like a noun."""
    return clause.asking.kind is Kind.WHO and not clause.asking.noun and bool(verb_at(clause.items, 0, clause.ground))


def _steps(clause: Clause) -> Understood | None:
    """Who is [the father of Clara's husband]: the last step is the answer."""
    ref = next((each for each in clause.refs if each.hops), None)
    if ref is None or len(clause.refs) > 1:
        return None
    hop = ref.hops[-1]
    if clause.asking.kind is Kind.WHERE and ref.ids:
        places = clause.ground.hop(ref.ids, WHERE, lambda cue: cue.first)
        kinds = clause.ground.entities(hop.ends).values()
        if places.facts or not all(each.type is EntityType.LOCATION for each in kinds):
            return fitted(clause, places, clause.left(), ref.ids)
    return fitted(clause, hop, clause.left(), ref.origin)


def _bare(clause: Clause) -> Understood:
    """Where is [Nord], when was [the kickoff], is [Lukas] a carpenter: "be", and no more."""
    ref, kind = clause.refs[0], clause.asking.kind
    left = clause.left()
    if kind is Kind.WHERE and not left:
        return fitted(clause, clause.ground.hop(ref.ids, WHERE, lambda cue: cue.first), left, ref.ids)
    if kind is Kind.WHEN and not left:
        asked = _AGE if clause.asking.noun else _WHEN
        return fitted(clause, clause.ground.hop(ref.ids, asked, lambda cue: cue.first), left, ref.ids)
    if kind is Kind.WHEN and [word.lower for word in left] in (["due"], ["deadline"]):
        return fitted(clause, clause.ground.hop(ref.ids, _DUE, lambda cue: cue.first), (), ref.ids)
    if kind is Kind.YES_NO and left:
        return _valued(clause, ref, left)
    last = clause.items[-1]
    of_a_day = clause.ground.dated and clause.ground.at[1] - clause.ground.at[0] <= _A_DAY
    if kind is Kind.WHICH and not left and not of_a_day and isinstance(last, Word) and last.lower in {"do", "doing"}:
        return fitted(clause, clause.ground.hop(ref.ids, _WORK, lambda cue: cue.first), left, ref.ids)
    return Understood(kind, left=tuple(word.text for word in left))


def _valued(clause: Clause, ref: Ref, left: Sequence[Word]) -> Understood:
    """Whether a value of somebody is what the words say."""
    ground = clause.ground
    facts = [fact for each in ref.ids for fact in ground.facts(each) if fact.subject in ref.ids]
    wanted = {ground.cues.stem(word.lower) for word in left}
    found = _valued_as(clause, [fact for fact in facts if ground.holds(fact)], wanted)
    if found:
        return Understood(Kind.YES_NO, found, cues=(Cue(found[0].fact.predicate, "s"),))
    predicate = "ROLE" if any(ground.cues.is_role(word.lower) for word in left) else _valued_by(clause, facts, wanted)
    if predicate:
        cues = (Cue(predicate, "s"),)
        values = ground.hop(ref.ids, cues, lambda cue: cue.first)
        return Understood(Kind.YES_NO, instead=() if values.past else values.facts, cues=cues)
    return Understood(Kind.YES_NO, left=tuple(word.text for word in left))


def _valued_by(clause: Clause, facts: Sequence[Fact], wanted: set[str]) -> str:
    """The predicate of one value that had these words at another time, or has them for the status of something else."""
    known = clause.ground.cues.ontology.predicates
    for each in facts:
        rule = known.get(each.predicate)
        if rule is not None and rule.one and each.value and wanted <= clause.stems(each.value):
            return each.predicate
    if not any(each.predicate == _STATUS for each in facts):
        return ""
    ground = clause.ground
    query = FactQuery(predicate=_STATUS, valid=ground.at, known=ground.known, limit=_MOST)
    return _STATUS if any(wanted <= clause.stems(each.value or "") for each in ground.store.facts(query)[1]) else ""


def _valued_as(clause: Clause, facts: Sequence[Fact], wanted: set[str]) -> tuple[FactView, ...]:
    stem = clause.ground.cues.stem
    found = view(clause.ground.store, facts, clause.ground.known)
    return tuple(each for each in found if wanted <= {stem(word) for word in each.target.lower().split()})
