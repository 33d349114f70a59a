"""What two questions share that are understood alike: "where does Priya work" and "where is Priya Nair working?".

A name counts as what it means, and a word as the predicates that it asks for; only a word that asks for none counts as
it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kgmem.recall.cues import Cue, Cues
from kgmem.recall.kinds import Asking, Kind
from kgmem.recall.relations import Item, Ref, Word

LIGHT: Final = frozenset(
    "a an the is are was were be been am do does did has have had will would can could may might please s".split()
)
"""Words that two questions may differ in and still ask nearly the same."""


def meaning_of(asking: Asking, items: Sequence[Item], cues: Cues | None) -> tuple[str, ...]:
    """What a question asks, part by part; nothing of what is no question or names nothing that is known.

    Args:
        asking: its kind.
        items: its names and words, without those of a time.
        cues: what words ask for; without them each counts as it is written.
    """
    if asking.kind is Kind.WORDS or not any(isinstance(item, Ref) for item in items):
        return ()
    said = [item for item in items if isinstance(item, Ref) or item.lower not in LIGHT]
    return (asking.kind.value, asking.noun, asking.preposition, *(_part(item, cues) for item in said))


def _part(item: Item, cues: Cues | None) -> str:
    if isinstance(item, Ref):
        return ("of " if item.possessive else "") + " ".join(item.ids)
    if cues is None:
        return item.lower
    asked = sorted({f"{cue.predicate} {cue.first} {cue.tells}" for cue in _asked(item, cues)})
    return ", ".join(asked) or cues.stem(item.lower)


def _asked(word: Word, cues: Cues) -> Sequence[Cue]:
    """What a word asks for, read as a verb if it may be one: "work" is a noun too, and "working" is none."""
    return cues.verbs(word.lower) or (cues.nouns([word.lower]) if cues.knows_noun([word.lower]) else ())
