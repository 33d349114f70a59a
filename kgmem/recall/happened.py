"""Times that a question names by what happened: "before Mira moved to Lyon", "after Bo left Nord"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kgmem.model import LINKS_TO, Basis, Bound, Fact, Id, Instant, Moment, Period, unique
from kgmem.recall.identity import as_now, formerly, successors
from kgmem.recall.names import named_exactly
from kgmem.recall.question import Named
from kgmem.store.protocol import FactQuery, Store

_WHEN: Final = re.compile(
    r"\b(?P<word>before|after|since|until|till|when)\s+(?:(?P<pronoun>he|she|they|it|i)\b)?", re.IGNORECASE
)
_VERB: Final = re.compile(
    r"\s*(?:(?:had|has|then|first|finally)\s+)?(?P<verb>[a-z]+)\b"
    r"(?:\s+(?P<particle>to|into|in|at|with|for|from|out\s+of|away\s+from|working\s+(?:at|for)))?\s*(?:the\s+)?",
    re.IGNORECASE,
)
_STARTS: Final = {
    "moved": frozenset({"LIVES_IN"}),
    "relocated": frozenset({"LIVES_IN"}),
    "joined": frozenset({"WORKS_AT", "MEMBER_OF"}),
    "started": frozenset({"WORKS_AT", "MEMBER_OF"}),
    "began": frozenset({"WORKS_AT", "MEMBER_OF"}),
    "married": frozenset({"MARRIED_TO"}),
}
"""Verbs that say that something began, with the predicates that they are said of."""
_ENDS: Final = {
    "left": frozenset({"WORKS_AT", "MEMBER_OF", "LIVES_IN"}),
    "quit": frozenset({"WORKS_AT", "MEMBER_OF"}),
}
"""Verbs that say that something ended."""
_AWAY: Final = ("from", "out", "away")


@dataclass(frozen=True, slots=True)
class Happening:
    """A period by something that happened."""

    period: Period
    words: str
    """As the question says it."""


def find_happening(
    store: Store,
    question: str,
    named: Sequence[Named],
    today: date,
    *,
    known: Instant | None = None,
    owner: str | None = None,
) -> Happening | None:
    """The period that a question names by what happened to somebody it names.

    It must be one: if the memory knows no stated date of it, or several, there is none. A pronoun stands for the name
    before it, and "I" for the owner, if a name of theirs is given.
    """
    for match in _WHEN.finditer(question):
        who = _subject(store, match, named, owner)
        verb = _VERB.match(question, match.end() if match["pronoun"] else who.end) if who else None
        if who is None or verb is None:
            continue
        target = next((name for name in named if name.start == verb.end()), None)
        end = target.end if target else verb.start("verb") + len(verb["verb"])
        bound = _date_of(store, who, verb, target, known)
        if bound is not None:
            period = _period(match["word"].lower(), bound, today)
            return Happening(period, question[match.start() : end].strip(" ?!.")) if period else None
    return None


def _subject(store: Store, match: re.Match[str], named: Sequence[Named], owner: str | None) -> Named | None:
    if match["pronoun"] in {"I", "i"}:
        me = named_exactly(store, owner) if owner else ()
        return Named(match.start("pronoun"), match.end(), match["pronoun"], me[:1]) if me else None
    if match["pronoun"]:
        return next((name for name in named if name.end <= match.start()), None)
    return next((name for name in named if name.start == match.end()), None)


def _date_of(
    store: Store, who: Named, verb: re.Match[str], target: Named | None, known: Instant | None
) -> tuple[Moment, bool] | None:
    """(when it happened, whether that is the first moment after it)."""
    word = verb["verb"].lower()
    away = (verb["particle"] or "").lower().startswith(_AWAY)
    starting = word in _STARTS and not away
    predicates = _STARTS.get(word) or _ENDS.get(word)
    if predicates is None:
        return None
    former = {each: one for one in who.entities for each in formerly(store, one)} if known is not None else {}
    _, facts = store.facts(FactQuery(about=(*who.entities, *former), known=known))
    now = {**successors(store, facts), **former} if known is not None else {}
    said = [fact for fact in as_now(facts, now) if fact.predicate != LINKS_TO]
    if target is not None:
        said = _between(said, who.entities, target)
        said = [fact for fact in said if fact.predicate in predicates] or said
    else:
        said = [fact for fact in said if fact.predicate in predicates and fact.subject in who.entities]
        said = list(_changes(said)) if starting else said
    found = unique(_begun(said) if starting else _ended(said))
    return found[0] if len(found) == 1 else None


def _between(facts: Iterable[Fact], who: Sequence[Id], target: Named) -> list[Fact]:
    return [
        fact
        for fact in facts
        if (fact.subject in who and (fact.object in target.entities or fact.value == target.text))
        or (fact.object in who and fact.subject in target.entities)
    ]


def _changes(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Those with something before them: who moved had lived somewhere else. All, if nothing was before any."""
    later = [fact for fact in facts if any(o.slot == fact.slot and o.holds_from < fact.holds_from for o in facts)]
    yield from later or facts


def _begun(facts: Iterable[Fact]) -> Iterator[tuple[Moment, bool]]:
    return ((moment, False) for fact in facts if (moment := _stated(fact.valid.start)) is not None)


def _ended(facts: Iterable[Fact]) -> Iterator[tuple[Moment, bool]]:
    """An end that is the start of what came next excludes it."""
    return (
        (moment, moment.first == fact.holds_to) for fact in facts if (moment := _stated(fact.valid.end)) is not None
    )


def _stated(bound: Bound) -> Moment | None:
    return bound.moment if bound.basis is Basis.STATED else None


def _period(word: str, bound: tuple[Moment, bool], today: date) -> Period | None:
    from kgmem.extraction.dates import read_period

    moment, excluded = bound
    if word == "when":
        at = Bound(moment, Basis.STATED)
        return Period(at, at)
    said = {"till": "until", "after": "since" if excluded else "after"}.get(word, word)
    return read_period(f"{said} {moment}", today)
