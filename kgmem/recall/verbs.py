"""Questions with a verb: "where does Mira live", "who founded Nord", "did Anna marry Bo", "who speaks French"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kgmem.model import FOREVER, LINKS_TO, Id, unique
from kgmem.recall.clauses import Clause, Understood, fitted, saying
from kgmem.recall.cues import PREPOSITIONS, Cue, End, uninflected
from kgmem.recall.facts import FactView, view
from kgmem.recall.kinds import Kind
from kgmem.recall.phrases import end_at, is_passive, verb_at
from kgmem.recall.relations import Hop, Ref, Word
from kgmem.recall.things import is_called
from kgmem.store.protocol import FactQuery

_PRESENT: Final = frozenset("do does will shall is are".split())
_FOR_GOOD: Final = frozenset({uninflected("retire")})
"""Stems of verbs that end what nothing else of its kind comes after."""
_OF_OBJECTS: Final = frozenset({Kind.WHO, Kind.WHICH, Kind.HOW_MANY})
_MOST: Final = 2_000
"""Facts of a predicate among which a value is looked for."""


def by_verb(clause: Clause) -> Understood | None:
    """What the first verb that asks for a predicate leads to."""
    for place, cues in _verbs(clause):
        passive = is_passive(clause.items, place)
        before = [each for each in clause.items[:place] if isinstance(each, Ref)]
        after = [each for each in clause.items[place:] if isinstance(each, Ref)]
        anchor, others = (before[-1], [*after, *before[:-1]]) if before else (after[0], after[1:])
        first = bool(before)
        end_of = end_at(before=first, passive=passive)
        left = clause.left([place, *_said_with(clause, place, cues)])
        about = unique(each for ref in (anchor, *(before[:-1])) for each in ref.ids)
        led = _led(clause, anchor, others, cues, end_of, counted=not left)
        instead: tuple[FactView, ...] = ()
        found = fitted(clause, led, left, about)
        if clause.asking.kind is Kind.YES_NO and (found.past or not found.facts):
            instead = _instead(clause, anchor, after if before else [], cues, passive=passive, first=first)
            found = fitted(clause, led, left, about, instead)
        plain = [cue for cue in cues if not cue.rest]
        bare = not (left or others)
        asked = plain or (cues if bare and clause.asking.kind is Kind.WHEN else ())
        if asked and all(cue.is_over for cue in asked) and clause.asking.kind in {Kind.YES_NO, Kind.WHEN}:
            hop = _led(clause, anchor, others, cues, end_of, ever=True)
            return _ended(clause, hop, left, about, bare=bare)
        if found.facts or not left:
            return found
        each_cue = (fitted(clause, _led(clause, anchor, others, [cue], end_of), left, about, instead) for cue in cues)
        return next((each for each in each_cue if each.facts), found)
    return None


def _verbs(clause: Clause) -> Iterator[tuple[int, tuple[Cue, ...]]]:
    said = {item.lower for item in clause.items if isinstance(item, Word)} | {clause.asking.preposition}
    for place in range(len(clause.items)):
        cues = verb_at(clause.items, place, clause.ground)
        if cues:
            yield place, tuple(cue for cue in cues if clause.suits(cue) and _is_whole(clause, cue, said))


def _is_whole(clause: Clause, cue: Cue, said: set[str]) -> bool:
    """Whether the preposition of a verb is there, or "where" stands for it: whom she teaches is not where."""
    needed = PREPOSITIONS.intersection(cue.rest)
    return clause.asking.kind not in _OF_OBJECTS or not needed or not needed.isdisjoint(said)


def _ended(clause: Clause, hop: Hop, left: Sequence[Word], about: Sequence[Id], *, bare: bool) -> Understood:
    """What "leave" and the like ask for: facts that have ended; what has not speaks against it.

    Both have to be of what was left: "the choir" is no name, and who left a firm has not left that. A `bare` verb says
    of nothing that it was left: what is over is no answer to when somebody leaves, and an end that something else came
    after is none to when they retired.
    """
    facts = saying(clause, hop.facts, left)
    if not facts and left:
        return Understood(clause.asking.kind, cues=hop.cues, left=tuple(word.text for word in left))
    ended = tuple(fact for fact in facts if fact.fact.holds_to < FOREVER)
    going = tuple(fact for fact in facts if fact not in ended)
    if bare and clause.asking.kind is Kind.WHEN:
        coming = not _PRESENT.isdisjoint(item.lower for item in clause.items if isinstance(item, Word))
        lasts = any(clause.ground.holds(fact.fact) for fact in going)
        if any(clause.ground.cues.stem(item.lower) in _FOR_GOOD for item in clause.items if isinstance(item, Word)):
            ended = tuple(each for each in ended if not each.superseded_by and not lasts)
        ended = tuple(each for each in ended if not coming or each.fact.holds_to > clause.ground.at[0])
        if not ended:
            return Understood(Kind.WHEN, cues=hop.cues)
    return Understood(clause.asking.kind, ended, instead=() if ended else going, cues=hop.cues, about=tuple(about))


def _led(
    clause: Clause,
    anchor: Ref,
    others: Sequence[Ref],
    cues: Sequence[Cue],
    end_of: Callable[[Cue], End],
    *,
    ever: bool = False,
    counted: bool = False,
) -> Hop:
    """The facts about what a verb is said of. Whatever else is named has to stand at their other end.

    Of several that something is said of, each by itself if nothing joins them.
    """
    ground, kind = clause.ground, clause.asking.kind
    to, further = (others[0].ids if others else None), [ref.ids for ref in others[1:]]
    counted = counted and kind is Kind.HOW_MANY
    hop = ground.hop(anchor.ids, cues, end_of, to=to, former=clause.former, ever=ever or clause.ever, counted=counted)
    if further:
        kept = tuple(
            fact for fact in hop.facts if all({fact.fact.subject, fact.fact.object} & {*ids} for ids in further)
        )
        return Hop(hop.cues, kept, past=hop.past, ends=hop.ends if kept else ())
    if not hop.facts and kind is Kind.WHEN and to is None:
        return _dated(clause, anchor, cues) or hop
    joined = others and others[0].end <= anchor.start
    if not hop.facts and joined and kind is not Kind.YES_NO:
        return ground.hop((*others[0].ids, *anchor.ids), cues, end_of, former=clause.former)
    return hop


def _instead(
    clause: Clause, anchor: Ref, after: Sequence[Ref], cues: Sequence[Cue], *, passive: bool, first: bool
) -> tuple[FactView, ...]:
    """What holds of either end, where it is asked whether something holds of both."""
    said = [cue for cue in cues if cue.tells == "says"] or list(cues)
    ground = clause.ground
    hops = [ground.hop(anchor.ids, said, end_at(before=first, passive=passive))]
    hops += [ground.hop(ref.ids, said, end_at(before=False, passive=passive)) for ref in after[:1]]
    return unique(fact for hop in hops if not hop.past for fact in hop.facts)


def _said_with(clause: Clause, place: int, cues: Sequence[Cue]) -> list[int]:
    """The places of words that belong to a verb, or are nouns of what it asks for: the languages that she speaks."""
    predicates = {cue.predicate for cue in cues}
    rest = {part for cue in cues for part in cue.rest}
    return [
        other
        for other, item in enumerate(clause.items)
        if isinstance(item, Word)
        and other != place
        and (
            clause.ground.cues.stem(item.lower) in rest
            or any(cue.predicate in predicates for cue in clause.ground.cues.nouns([item.lower]))
        )
    ]


def _dated(clause: Clause, anchor: Ref, cues: Sequence[Cue]) -> Hop | None:
    """What a property says of when something was: "founded: 1978" on a company's note."""
    hop = clause.ground.hop(anchor.ids, cues, lambda _: "s")
    dated = tuple(each for each in hop.facts if each.target[:4].isdigit())
    return Hop(hop.cues, dated, past=hop.past) if dated else None


def by_own_verb(clause: Clause) -> Understood | None:
    """What a predicate that a person coined says in the words of a question: "makes barrels for"."""
    ground = clause.ground
    words = {ground.cues.stem(word.lower): word for word in clause.left()}
    for ref in clause.refs:
        for name in unique(fact.predicate for each in ref.ids for fact in ground.facts(each)):
            parts = [part for part in name.lower().split("_") if part not in PREPOSITIONS]
            stems = {ground.cues.stem(part) for part in parts}
            if name in ground.cues.ontology.predicates or name == LINKS_TO or not stems or not stems <= words.keys():
                continue
            end: End = "s" if ref.start < min(words[stem].start for stem in stems) else "o"
            hop = ground.hop(ref.ids, (Cue(name, end),), lambda cue: cue.first)
            if hop.facts:
                return fitted(clause, hop, [word for stem, word in words.items() if stem not in stems], ref.ids)
    return None


def by_value(clause: Clause) -> Understood:
    """Who or what has a value: "who speaks French", "who likes coffee". Nothing here is named by a name."""
    ground = clause.ground
    nothing = Understood(clause.asking.kind, left=tuple(word.text for word in clause.left()))
    for place, cues in _verbs(clause):
        words = clause.left([place, *_said_with(clause, place, cues)])
        for cue in unique(cue for cue in cues if not ground.cues.ontology.predicates[cue.predicate].range or words):
            facts = _valued(clause, cue.predicate, words)
            if facts:
                about: tuple[Id, ...] = unique(fact.fact.object for fact in facts if fact.fact.object)
                return Understood(clause.asking.kind, facts, cues=(cue,), about=about)
    words = clause.left()
    if len(words) > 1 and clause.asking.kind in _OF_OBJECTS:
        said, *rest = words
        facts = tuple(
            each for each in _valued(clause, "STATUS", rest) if is_called(each.subject.id, said.lower, ground)
        )
        if facts:
            return Understood(clause.asking.kind, facts, cues=(Cue("STATUS", "s"),))
    if clause.asking.kind is Kind.WHO and any(ground.cues.is_role(word.lower) for word in words):
        facts = _valued(clause, "ROLE", words)
        return Understood(Kind.WHO, facts, cues=(Cue("ROLE", "s"),)) if facts else nothing
    return nothing


def _valued(clause: Clause, predicate: str, words: Sequence[Word]) -> tuple[FactView, ...]:
    """The facts of a predicate whose object or value has some words."""
    if not words:
        return ()
    ground = clause.ground
    _, facts = ground.store.facts(FactQuery(predicate=predicate, valid=ground.at, known=ground.known, limit=_MOST))
    wanted = {ground.cues.stem(word.lower) for word in words}
    return tuple(fact for fact in view(ground.store, facts, ground.known) if wanted <= clause.stems(fact.target))
