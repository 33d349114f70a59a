"""What sentences are known to say, and how what is claimed from them compares with it.

The data is in `tests/gold`; the heads of the files there say how it is to be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kgmem.extraction.dates import read_period
from kgmem.extraction.ontology import is_favourite, load_ontology
from kgmem.resolution.names import name_key

GOLD = Path(__file__).parents[1] / "tests" / "gold"

_DATES = frozenset({"BORN_ON", "DIED_ON", "HAPPENED_ON", "STARTED_ON", "ENDED_ON", "PUBLISHED_ON", "READ_ON"})
"""Predicates whose value is a date, however it is written."""
_SYMMETRIC = frozenset({"MET"}) | {
    name for name, predicate in load_ontology().predicates.items() if predicate.symmetric
}
_ARTICLE = re.compile(r"^(?:the|an?|my|our|his|her|their|its)\s+")


@dataclass(frozen=True, slots=True)
class Said:
    """A claim as it is compared: each part by all its names, dates as they are shown."""

    subject: frozenset[str]
    predicates: frozenset[str]
    target: frozenset[str]
    start: str | None = None
    end: str | None = None
    ends: bool = False
    maybe: bool = False
    """Of the gold: neither missed nor wrong. Of the program: it claims that it ended if it held, and no more."""
    shown: str = ""
    reported: tuple[frozenset[str], frozenset[str]] | None = None
    """Of the gold: the ends of what the subject says; its words must name both."""

    @property
    def over(self) -> bool:
        """Whether it is said to be past."""
        return self.ends or self.end is not None

    @property
    def predicate(self) -> str:
        """The predicate it is counted under."""
        return min(self.predicates)


class Item(NamedTuple):
    """One note of the gold set."""

    date: str
    text: str
    form: str
    claims: tuple[Said, ...]
    title: str | None = None
    """Of a page about somebody or something."""
    type: str | None = None


class Sentences(NamedTuple):
    """The gold set of claims."""

    owner: str
    once: frozenset[str]
    """Predicates of what happens once: the day it happened is compared, and no end."""
    items: tuple[Item, ...]


def sentences(path: Path = GOLD / "sentences.yaml") -> Sentences:
    """Read the gold set of claims."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    items = tuple(
        Item(str(row["date"]), row["text"], row["form"], tuple(claim_of(*claim) for claim in row["claims"]),
             row.get("note"), row.get("type"))
        for row in data["items"]
    )  # fmt: skip
    return Sentences(data["owner"], frozenset(data["once"]), items)


def claim_of(subject: str, predicate: str, target: object, more: Mapping[str, Any] | None = None) -> Said:
    """A claim as the gold set writes it."""
    more = more or {}
    start, end = (str(more[name]) if name in more else None for name in ("from", "to"))
    kind, maybe = more.get("kind", "holds"), bool(more.get("maybe"))
    shown = f"{kind_shown(kind)}{subject} {predicate} {target}{dates_shown(start, end)}"
    if "said_by" in more:
        speakers = str(more["said_by"]).split("|")
        ends = [_keys(str(names).split("|")) for names in (subject, target)]
        shown = f"{speakers[0]} SAYS {shown}"
        return Said(_keys(speakers), frozenset({"SAYS"}), frozenset(), shown=shown, reported=(ends[0], ends[1]))
    either, targets = frozenset(predicate.split("|")), str(target).split("|")
    return said(subject.split("|"), either, targets, start, end, ends=kind == "ends", maybe=maybe, shown=shown)


def said(
    subject: Iterable[str],
    predicates: frozenset[str],
    target: Iterable[str],
    start: str | None,
    end: str | None,
    **rest: Any,
) -> Said:
    """A claim by the keys of its names; who leads a thing is by whom it is led, and a favourite is preferred."""
    target = (_day(name) for name in target) if predicates & _DATES else target
    keys = [_keys(names) for names in (subject, target)]
    if all(map(is_favourite, predicates)):
        predicates = frozenset({"PREFERS"})
    if predicates == {"LEADS"}:
        predicates = frozenset({"LED_BY"})
        keys.reverse()
    return Said(keys[0], predicates, keys[1], start, end, **rest)


def _keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(_key(name) for name in names)


def _key(name: str) -> str:
    return _ARTICLE.sub("", name_key(name))


def _day(value: str) -> str:
    period = read_period(value)
    moment = period.start.moment if period else None
    return str(moment) if moment else value


def kind_shown(kind: str) -> str:
    """A kind of claim before its words: nothing for one that holds."""
    return "" if kind == "holds" else f"{kind} "


def dates_shown(start: str | None, end: str | None) -> str:
    """Dates behind the words of a claim: nothing if there are none."""
    return f" [{start or ''}, {end or ''}]" if start or end else ""


@dataclass(slots=True)
class Score:
    """Counts of what was found, and examples of what was not."""

    right: int = 0
    dated: int = 0
    """Of those right, with the right dates."""
    wrong: int = 0
    missed: int = 0
    shown: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """The share of what was claimed that is right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of what is said that was claimed."""
        return self.right / max(1, self.right + self.missed)

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)

    def line(self, title: str, *, dated: bool = True) -> str:
        """A row of the table."""
        dates = f"  {self.dated} of {self.right}" if dated else ""
        return (
            f"{title:16} {self.right + self.missed:6} {self.precision:9.3f} {self.recall:8.3f} {self.f1:8.3f}"
            f"{dates:>14}   {self.wrong} wrong, {self.missed} missed"
        )


def compare(
    gold: Sequence[Said], found: Sequence[Said], once: frozenset[str], scores: dict[str, Score], form: str = ""
) -> None:
    """Add one note to the scores: by predicate, by the form of the note, and under "all".

    What is claimed twice counts once, and what a claim ends only if it held counts for nothing where it is not asked
    for: it says nothing of its own.
    """
    left = list(found)
    certain, doubtful = ([each for each in gold if each.maybe is maybe] for maybe in (False, True))
    for each in certain:
        alike = [other for other in left if _same(each, other, once)]
        dated = [other for other in alike if _same_dates(each, other, once)]
        match = next(iter(dated or alike), None)
        note = "" if dated else f"missed {each.shown}" if match is None else f"dates  {each.shown} <- {match.shown}"
        for score in _scores(scores, each.predicate, form, note):
            score.right += match is not None
            score.missed += match is None
            score.dated += bool(dated)
        if match is not None:
            left.remove(match)
    for other in left:
        if not other.maybe and not any(_same(each, other, once) for each in (*certain, *doubtful)):
            for score in _scores(scores, other.predicate, form, f"wrong  {other.shown}"):
                score.wrong += 1


def _scores(scores: dict[str, Score], predicate: str, form: str, note: str) -> list[Score]:
    counted = [scores.setdefault(title, Score()) for title in (predicate, form, "all") if title]
    if note:
        counted[-1].shown.append(note)
    return counted


def _same(gold: Said, found: Said, once: frozenset[str]) -> bool:
    """Whether they say the same but for the dates."""
    if not gold.predicates & found.predicates or (gold.over != found.over and not gold.predicates & once):
        return False
    if gold.reported is not None:
        words = [word for word in found.target if all(any(name in word for name in names) for names in gold.reported)]
        return bool(words) and bool(gold.subject & found.subject)
    if gold.subject & found.subject and gold.target & found.target:
        return True
    return bool(gold.predicates & _SYMMETRIC and gold.subject & found.target and gold.target & found.subject)


def _same_dates(gold: Said, found: Said, once: frozenset[str]) -> bool:
    if gold.reported is not None:
        return True
    return gold.start == found.start and (gold.end == found.end or bool(gold.predicates & once))


class Decoy(NamedTuple):
    """A note that claims nothing."""

    kind: str
    text: str

    @property
    def words(self) -> int:
        """How many."""
        return len(self.text.split())


def decoys(path: Path = GOLD / "decoys.md") -> tuple[Decoy, ...]:
    """Read the notes from which nothing may be claimed."""
    parts = re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return tuple(Decoy(kind, text) for kind, _, text in (part.partition("\n") for part in parts))
