"""The direct answer: a line or two that say what holds, the asked for and the best dated first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgmem.model import Id
from kgmem.recall.facts import FactView
from kgmem.recall.wording import when
from kgmem.store.protocol import EntityCard

NOT_HERE = "Not in your notes."
_NAMED = 3
"""Facts that a direct answer names."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_INFLECTION = re.compile(r"(?<=\w{3})(?:ing|ied|ies|ed|er|es|e|s|y)$")
_IRREGULAR = {"led": "lead", "born": "born", "wed": "marri", "knew": "know"}
_NOT_ASKED = frozenset("the what who whose was were with from has had have said know knew about and for".split())
"""Words that predicates and questions share without asking for them."""


def direct_answer(question: str, cards: Sequence[EntityCard], facts: Sequence[FactView], *, now: bool) -> str:
    """What is believed of the first entity, in sentences with dates.

    Args:
        question: the words, for what they ask of the entity: "where did she live" asks for what lives in.
        cards: the entities that it names, best first.
        facts: those of the first one that hold at the time asked about.
        now: whether that is now; otherwise no value of a predicate that is told is left out.
    """
    entity = cards[0].entity
    telling = sorted(facts, key=lambda fact: _order(fact, entity.id))
    asked = [fact for fact in telling if _stems(fact.fact.predicate) & _stems(question)]
    telling = asked or telling
    if telling:
        told = {(fact.fact.subject, fact.fact.predicate) for fact in telling[:_NAMED]}
        more = [] if now else [f for f in telling[_NAMED:] if (f.fact.subject, f.fact.predicate) in told]
        return " ".join(f"{fact.says.rstrip('.')} ({when(fact.fact)})." for fact in (*telling[:_NAMED], *more))
    kind = entity.subtype or entity.type.value
    if not cards[0].sources:
        return f"{entity.name} ({kind}) is in no note {'now' if now else 'of that time'}."
    notes = "1 note" if cards[0].sources == 1 else f"{cards[0].sources} notes"
    return f"{entity.name} ({kind}) is mentioned in {notes}{'' if now else ' up to then'}."


def _order(view: FactView, entity: Id) -> tuple[bool, bool, bool, int, str]:
    fact = view.fact
    dated = fact.valid.start.shown is not None
    return fact.subject != entity, not dated, fact.object is None, -fact.holds_from if dated else 0, fact.predicate


def _stems(text: str) -> frozenset[str]:
    """The words of a text without what inflects them, roughly: "lives", "living" and "live" are one."""
    words = (word.lower() for word in _WORD.findall(text.replace("_", " ")))
    return frozenset(_IRREGULAR.get(word) or _INFLECTION.sub("", word) for word in words if word not in _NOT_ASKED)
