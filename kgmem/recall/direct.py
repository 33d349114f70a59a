"""The direct answer: a line or two that say what holds, the asked for and the best dated first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kgmem.model import Id, unique
from kgmem.recall.clauses import Understood
from kgmem.recall.facts import FactView
from kgmem.recall.kinds import Kind
from kgmem.recall.relations import MOST
from kgmem.recall.wording import NO_DATE, place_words, when
from kgmem.store.protocol import EntityCard

_NAMED: Final = 3
"""Facts that a description names."""
_TOLD: Final = 6
"""Facts that an answer names."""
_COUNTED: Final = 12
"""Names that stand beside a number."""
_FALSE: Final = frozenset({"false", "no"})
"""Values of properties that say that it is not so."""
NO: Final = "Not as far as your notes tell"
_DATE: Final = re.compile(r"\d{4}(-\d{2}){0,2}")
_NUMBER: Final = re.compile(r"\d[\d.,]*(\s*%)?")


def described(cards: Sequence[EntityCard], facts: Sequence[FactView], *, now: bool) -> str:
    """What is believed of the first entity, in sentences with dates.

    Args:
        cards: the entities of a question, best first.
        facts: those of the first one that hold at the time asked about.
        now: whether that is now; otherwise no value of a predicate that is told is left out.
    """
    entity = cards[0].entity
    telling = sorted(facts, key=lambda fact: _order(fact, entity.id))
    if telling:
        told = {(fact.fact.subject, fact.fact.predicate) for fact in telling[:_NAMED]}
        more = [] if now else [f for f in telling[_NAMED:] if (f.fact.subject, f.fact.predicate) in told]
        return " ".join(_said(fact, now=now) for fact in (*telling[:_NAMED], *more))
    kind = entity.subtype or entity.type.value
    if not cards[0].sources:
        return f"{entity.name} ({kind}) is in no note {'now' if now else 'of that time'}."
    notes = "1 note" if cards[0].sources == 1 else f"{cards[0].sources} notes"
    return f"{entity.name} ({kind}) is mentioned in {notes}{'' if now else ' up to then'}."


def direct_answer(understood: Understood, *, now: bool) -> str:
    """What the facts say to a question, and how they lead there; nothing if they do not say it.

    Args:
        understood: the question.
        now: whether it asks about now.
    """
    said = _answered(understood, now=now)
    if not said or not understood.through:
        return said
    return f"{said} Through: {_all_said(understood.through, now=now)}"


def _answered(understood: Understood, *, now: bool) -> str:
    facts, kind = understood.facts, understood.kind
    if kind is Kind.YES_NO:
        return _yes_or_no(understood, now=now)
    if not facts:
        return ""
    if understood.past and kind is not Kind.WHEN:
        return f"Nothing in your notes for {'now' if now else 'then'}; at other times: {_all_said(facts, now=now)}"
    if kind is Kind.HOW_MANY and not (len(facts) == 1 and _NUMBER.fullmatch(facts[0].target)):
        return _counted(understood)
    return _all_said(facts, now=now)


def _yes_or_no(understood: Understood, *, now: bool) -> str:
    denying = [fact for fact in understood.facts if fact.fact.value in _FALSE]
    if denying:
        return f"{NO}: {_all_said(denying, now=now)}"
    if understood.facts and not understood.past:
        return f"Yes: {_all_said(understood.facts, now=now)}"
    believed = unique((*understood.instead, *understood.facts))
    return f"{NO}: {_all_said(believed, now=now)}" if believed else ""


def _counted(understood: Understood) -> str:
    """How many, and what was counted: the other ends of the facts."""
    about = understood.about
    names = list(
        dict.fromkeys(
            fact.subject.name if fact.fact.object in about or fact.subject.id not in about else fact.target
            for fact in understood.facts
        )
    )
    count = len(names) if understood.total is None else understood.total
    more = f" and {count - len(names[:_COUNTED])} more" if count > _COUNTED else ""
    least = "At least " if len(understood.facts) == MOST else ""
    return f"{least}{count} in your notes: {', '.join(names[:_COUNTED])}{more}."


def change_lines(rows: Sequence[Sequence[FactView]], total: int, *, more: bool) -> str:
    """What followed what, a sentence for each value; and that these are not all, if there are or may be more rows."""
    said = " ".join(" Then: ".join(_said(fact, now=True) for fact in row) for row in rows)
    least = "at least " if more else ""
    return (
        f"{said} Showing {len(rows)} of {least}{total}, the latest." if rows and (more or len(rows) < total) else said
    )


def _all_said(facts: Sequence[FactView], *, now: bool) -> str:
    told = sorted(facts, key=lambda fact: _order(fact, fact.fact.subject))
    more = f" And {len(told) - _TOLD} more." if len(told) > _TOLD else ""
    return " ".join(_said(fact, now=now) for fact in told[:_TOLD]) + more


def _said(view: FactView, *, now: bool) -> str:
    """A fact as a sentence with its dates, and with what speaks against it; what came next only counts for now."""
    dates = when(view.fact)
    dates = "" if dates == NO_DATE and _DATE.fullmatch(view.target) else dates
    marks = [dates, "superseded" if now and view.superseded_by else "", _disputed(view)]
    inside = ", ".join(mark for mark in marks if mark)
    return f"{view.says.rstrip('.')} ({inside})." if inside else f"{view.says.rstrip('.')}."


def _disputed(view: FactView) -> str:
    if not view.rivals:
        return ""
    rival = view.rivals[0]
    return f"disputed by {place_words(rival.path, rival.line, kind=rival.kind)}"


def _order(view: FactView, entity: Id) -> tuple[bool, bool, bool, int, str]:
    fact = view.fact
    dated = fact.valid.start.shown is not None
    return fact.subject != entity, not dated, fact.object is None, -fact.holds_from if dated else 0, fact.predicate
