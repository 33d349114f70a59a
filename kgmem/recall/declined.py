"""How a question is declined: "Nothing in your notes on where Mira was born."."""

from __future__ import annotations

import re
from typing import Final

from kgmem.recall.cues import Cues
from kgmem.recall.kinds import AUXILIARIES, Asking, Kind

NOTHING: Final = "Nothing in your notes on that."
_WORD: Final = re.compile(r"[^\W\d_]+(?:n['’]t)?")
_SPACED: Final = re.compile(r"\s+([,;:])")
_DETERMINERS: Final = frozenset("the a an my our his her their".split())
_BASE: Final = frozenset("do does did".split())
_YOURS: Final = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "we": "you",
    "us": "you",
    "our": "your",
    "am": "are",
}
_LONGEST: Final = 120
"""Characters of a question that are said again."""


def declined(question: str, asking: Asking, subject: tuple[int, int] | None, cues: Cues) -> str:
    """That the notes do not say it, in the words of the question.

    Args:
        question: the words, without those of a time.
        asking: its kind.
        subject: where it says whom it is about.
        cues: they know the forms of irregular verbs.
    """
    said = _indirect(question, asking, subject, cues)
    if said is None or len(said) > _LONGEST:
        return NOTHING
    clause = _SPACED.sub(r"\1", said)
    return f"Nothing in your notes on {clause}."


def _indirect(question: str, asking: Asking, subject: tuple[int, int] | None, cues: Cues) -> str | None:
    """A question as a clause: its subject before its verb."""
    if subject is None or asking.kind in {Kind.WORDS, Kind.KNOWN, Kind.CHANGED}:
        return None
    text = question.rstrip(" \t\n?!.")
    auxiliary = next((each for each in _WORD.finditer(text) if each[0].lower() in AUXILIARIES), None)
    if auxiliary is None or auxiliary.start() > subject[0]:
        return _turned(f"{text[: asking.rest].lower()}{text[asking.rest :]}")
    asked = "whether" if asking.kind is Kind.YES_NO else " ".join(text[: auxiliary.start()].split())
    asked = f"{asked[:1].lower()}{asked[1:]}"
    verb = auxiliary[0].lower()
    between = text[auxiliary.end() : subject[0]].lower().split()
    if between and between[0] not in _DETERMINERS:
        return _turned(f"{asked} {text[auxiliary.start() :]}")
    if len(between) > 1:
        return f"{asked} {_turned(text[auxiliary.end() :])} {verb}"
    who = _turned(text[auxiliary.end() : subject[1]])
    rest = " ".join(text[subject[1] :].split())
    if verb in _BASE:
        joined = not rest or rest.lower().startswith(("and ", "or "))  # then its verb is of somebody else, too
        return None if joined else f"{asked} {who} {_conjugated(rest, verb, who, cues)}"
    return f"{asked} {who} {_plural(verb) if who == 'you' else verb} {_turned(rest)}".strip()


def _plural(verb: str) -> str:
    return {"am": "are", "is": "are", "was": "were", "has": "have"}.get(verb, verb)


def _turned(text: str) -> str:
    """Words of the one who asks, as they are said to them."""
    return " ".join(_YOURS.get(word.lower(), word) for word in text.split())


def _conjugated(rest: str, auxiliary: str, who: str, cues: Cues) -> str:
    """The verb that an auxiliary left bare, in its form; one whose forms nobody knows keeps the auxiliary."""
    verb, _, others = rest.partition(" ")
    others = _turned(others)
    forms = next((forms for forms in cues.ontology.verbs if forms[0] == verb), None)
    if auxiliary == "do" or (auxiliary == "does" and who == "you"):
        said = verb
    elif forms is not None:
        said = forms[1] if auxiliary == "does" else forms[2]
    elif not cues.verbs(verb):
        said = f"{auxiliary} {verb}"
    elif auxiliary == "does":
        said = _with_ending(verb, "s")
    else:
        said = _with_ending(verb, "ed")
    return f"{said} {others}".strip()


def _with_ending(verb: str, ending: str) -> str:
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}i{'es' if ending == 's' else 'ed'}"
    if verb.endswith("e"):
        return f"{verb}{ending[-1]}"
    return f"{verb}es" if ending == "s" and verb.endswith(("s", "sh", "ch", "x")) else f"{verb}{ending}"
