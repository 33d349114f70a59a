"""Facts with intervals, rendered into notes and asked for again at random dates: ``python bench/asof.py FOLDER``.

FOLDER holds ``facts.jsonl``: subject, predicate, object, ``valid_from``, ``valid_to``, as YAGO11k has them. The facts
are written twice into a vault, once as dated properties, once as sentences in several wordings; each is ingested with
no model, and the facts of a subject and predicate at a date are compared with those that the rows say, as sets.

Names stand in sentences in three ways, counted apart: as links, as names of notes, and as names that nothing knows
(never those with brackets, "Cars (film)": nobody writes these but as a link).
``--facts N`` takes a sample of N rows, ``--seed S`` another one, ``--failures`` shows sentences that were missed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import Moment, Precision
from kgmem.resolution.names import name_key
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.protocol import FactQuery, Store

_FIRST_YEAR, _LAST_YEAR = 1000, 2026
_NO_FILE_NAME = re.compile(r'[\\/:*?"<>|#^\[\]]|^\.|\.$')
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_MONTHS = "January February March April May June July August September October November December".split()

# What a row's predicate is here, whether it happens once and is so from then on, and the types of its two ends.
PREDICATES = {
    "worksAt": ("WORKS_AT", False, "person", "organization"),
    "playsFor": ("PLAYS_FOR", False, "person", "team"),
    "wasBornIn": ("BORN_IN", True, "person", "place"),
    "diedIn": ("DIED_IN", True, "person", "place"),
    "isMarriedTo": ("MARRIED_TO", False, "person", "person"),
    "isAffiliatedTo": ("MEMBER_OF", False, "person", "organization"),
    "owns": ("OWNED_BY", False, "organization", "product"),
    "created": ("CREATED_BY", True, "organization", "product"),
    "graduatedFrom": ("GRADUATED_FROM", True, "person", "university"),
    "hasWonPrize": ("AWARDED", True, "person", "idea"),
}
_FLIPPED = {"owns", "created"}
"""The row's object is the subject of our predicate."""

# {a} and {b} are the dates with their prepositions left out, {in_a} "in 2001" or "on 5 May 2001".
CLOSED = {
    "worksAt": [
        "{s} worked at {o} from {a} to {b}.",
        "From {a} until {b}, {s} was employed by {o}.",
        "{s} joined {o} {in_a} and left {in_b}.",
        "Between {a} and {b} {s} worked for {o}.",
        "{s} taught at {o} from {a} to {b}.",
        "{s} was on the staff of {o} from {a} until {b}.",
    ],
    "playsFor": [
        "{s} played for {o} from {a} to {b}.",
        "{s} signed for {o} {in_a} and left {in_b}.",
        "From {a} to {b}, {s} played for {o}.",
        "{s} was a player of {o} between {a} and {b}.",
    ],
    "isMarriedTo": [
        "{s} was married to {o} from {a} to {b}.",
        "{s} married {o} {in_a}; they divorced {in_b}.",
        "{s} and {o} were married from {a} until {b}.",
        "{s} was the spouse of {o} between {a} and {b}.",
    ],
    "isAffiliatedTo": [
        "{s} was a member of {o} from {a} to {b}.",
        "{s} belonged to {o} from {a} until {b}.",
        "{s} joined {o} {in_a} and left it {in_b}.",
        "From {a} to {b} {s} was affiliated with {o}.",
    ],
    "owns": [
        "{s} owned {o} from {a} to {b}.",
        "{o} belonged to {s} from {a} until {b}.",
        "{s} bought {o} {in_a} and sold it {in_b}.",
        "Between {a} and {b} {o} was owned by {s}.",
    ],
}
OPEN = {
    "worksAt": [
        "{s} has worked at {o} since {a}.",
        "{s} joined {o} {in_a}.",
        "Since {a}, {s} has been employed by {o}.",
        "{s} started working at {o} {in_a}.",
        "{s} has been with {o} since {a}.",
    ],
    "playsFor": [
        "{s} has played for {o} since {a}.",
        "{s} signed for {o} {in_a}.",
        "{s} joined the squad of {o} {in_a}.",
        "Since {a} {s} has been playing for {o}.",
    ],
    "isMarriedTo": [
        "{s} married {o} {in_a}.",
        "{s} has been married to {o} since {a}.",
        "{In_a}, {s} married {o}.",
        "{s} got married to {o} {in_a}.",
    ],
    "isAffiliatedTo": [
        "{s} has been a member of {o} since {a}.",
        "{s} joined {o} {in_a}.",
        "{s} became a member of {o} {in_a}.",
        "Since {a} {s} has belonged to {o}.",
    ],
    "owns": [
        "{s} has owned {o} since {a}.",
        "{s} bought {o} {in_a}.",
        "{s} acquired {o} {in_a}.",
        "{o} has been owned by {s} since {a}.",
    ],
    "wasBornIn": [
        "{s} was born in {o} {in_a}.",
        "{s} was born {in_a} in {o}.",
        "{In_a}, {s} was born in {o}.",
        "{s}, born in {o} {in_a}, is remembered fondly.",
    ],
    "diedIn": [
        "{s} died in {o} {in_a}.",
        "{In_a} {s} died in {o}.",
        "{s} died {in_a} in {o}.",
        "{s} passed away in {o} {in_a}.",
    ],
    "created": [
        "{s} created {o} {in_a}.",
        "{o} was created by {s} {in_a}.",
        "{In_a}, {s} made {o}.",
        "{s} released {o} {in_a}.",
    ],
    "graduatedFrom": [
        "{s} graduated from {o} {in_a}.",
        "{In_a} {s} graduated from {o}.",
        "{s} received a degree from {o} {in_a}.",
        "{s} finished at {o} {in_a}.",
    ],
    "hasWonPrize": [
        "{s} won the {o} {in_a}.",
        "{s} was awarded the {o} {in_a}.",
        "{In_a}, {s} received the {o}.",
        "{s} became a laureate of the {o} {in_a}.",
    ],
}
WITHIN = {
    "worksAt": ["{s} worked at {o} {in_a}.", "{In_a}, {s} was employed by {o}.", "{s} taught at {o} {in_a}."],
    "playsFor": ["{s} played for {o} {in_a}.", "{In_a} {s} played for {o}.", "{s} was a player of {o} {in_a}."],
    "isMarriedTo": ["{s} was married to {o} {in_a}.", "{In_a}, {s} was the spouse of {o}."],
    "isAffiliatedTo": ["{s} was a member of {o} {in_a}.", "{In_a} {s} belonged to {o}."],
    "owns": ["{s} owned {o} {in_a}.", "{In_a}, {o} belonged to {s}."],
}
NAMED = ("linked", "a note's name", "unknown")


@dataclass(frozen=True, slots=True)
class Row:
    """A fact of the set."""

    subject: str
    predicate: str
    object: str
    start: Moment
    end: Moment | None

    @property
    def span(self) -> tuple[int, int]:
        """World seconds [from, to) in which it holds; what happens once holds from then on."""
        past = 2**62 if self.end is None or PREDICATES[self.predicate][1] else self.end.past
        return self.start.first, past

    @property
    def ends(self) -> tuple[str, str]:
        """(subject, object) of our predicate."""
        return (self.object, self.subject) if self.predicate in _FLIPPED else (self.subject, self.object)


def load(path: Path) -> tuple[list[Row], Counter[str]]:
    """The rows that can be written into notes, and how many are left out for what reason."""
    rows, left = [], Counter[str]()
    for line in path.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        reason, row = _row(data)
        if row is None:
            left[reason] += 1
        else:
            rows.append(row)
    unique = list(dict.fromkeys(rows))
    left["the same row again"] = len(rows) - len(unique)
    return unique, left


def _row(data: dict[str, str | None]) -> tuple[str, Row | None]:
    subject, predicate, target = str(data["s"]), str(data["p"]), str(data["o"])
    if predicate not in PREDICATES:
        return "a predicate not mapped", None
    if _NO_FILE_NAME.search(subject) or _NO_FILE_NAME.search(target):
        return "a name that no file can have", None
    try:
        start = Moment.parse(str(data["valid_from"]))
        end = Moment.parse(data["valid_to"]) if data["valid_to"] else None
    except ValueError:
        return "no date", None
    years = [int(str(moment)[:4]) for moment in (start, end) if moment is not None]
    if min(years) < _FIRST_YEAR or max(years) > _LAST_YEAR:
        return f"a year before {_FIRST_YEAR} or after {_LAST_YEAR}", None
    if end is not None and end.past <= start.first:
        return "an end before its start", None
    return "", Row(subject, predicate, target, start, end)


def said_day(moment: Moment, rng: random.Random) -> tuple[str, str]:
    """(a date in words, its preposition)."""
    text = str(moment)
    if moment.precision is Precision.YEAR:
        return text, "in"
    month = _MONTHS[int(text[5:7]) - 1]
    if moment.precision is Precision.MONTH:
        return f"{month} {text[:4]}", "in"
    day = int(text[8:])
    return rng.choice([f"{day} {month} {text[:4]}", f"{month} {day}, {text[:4]}"]), "on"


def sentence(row: Row, naming: str, rng: random.Random) -> str:
    """A row in words."""
    once = PREDICATES[row.predicate][1]
    if row.end is None or once:
        choices = OPEN[row.predicate]
    elif row.end == row.start:
        choices = WITHIN[row.predicate]
    else:
        choices = CLOSED[row.predicate]
    a, at_a = said_day(row.start, rng)
    b, at_b = said_day(row.end or row.start, rng)
    subject = f"[[{row.subject}]]" if rng.random() < 0.5 else row.subject  # noqa: PLR2004
    target = f"[[{row.object}]]" if naming == "linked" else row.object
    return rng.choice(choices).format(
        s=subject, o=target, a=a, b=b,
        in_a=f"{at_a} {a}", in_b=f"{at_b} {b}", In_a=f"{at_a.capitalize()} {a}",
    )  # fmt: skip


def key(row: Row) -> str:
    """A property of one's own that says the same: many values may hold at once."""
    return f"yago {_CAPITAL.sub(' ', row.predicate).lower()}"


def dated_property(row: Row) -> str:
    """A row as a value of a property."""
    if row.end is None or PREDICATES[row.predicate][1]:
        when = f"since {row.start}"
    else:
        when = f"{row.start}" if row.end == row.start else f"{row.start} – {row.end}"
    return f'"[[{row.object}]] ({when})"'


def note(kind: str, lines: Iterable[str], properties: Sequence[str] = ()) -> str:
    """The text of a note."""
    return "\n".join(("---", f"type: {kind}", *properties, "---", *(f"{line}\n" for line in lines)))


def asked(rows: Sequence[Row], rng: random.Random) -> list[int]:
    """World seconds to ask for: inside of each row, before and after it."""
    moments = []
    for row in rows:
        start, past = row.span
        past = min(past, Moment.year(_LAST_YEAR).past)
        if start < past:
            moments.append(rng.randrange(start, past))
        moments.append(rng.randrange(start - 20 * 366 * 86_400, start))
        moments.append(rng.randrange(past, past + 5 * 366 * 86_400))
    return moments


@dataclass(slots=True)
class Score:
    """Counts of answers."""

    asked: int = 0
    exact: int = 0
    right: int = 0
    given: int = 0
    wanted: int = 0

    def add(self, got: set[str], wanted: set[str]) -> None:
        """One question."""
        self.asked += 1
        self.exact += got == wanted
        self.right += len(got & wanted)
        self.given += len(got)
        self.wanted += len(wanted)

    def line(self, title: str) -> str:
        """A row of the table."""
        precision, recall = self.right / max(1, self.given), self.right / max(1, self.wanted)
        exact = f"{self.exact} of {self.asked} ({self.exact / max(1, self.asked):.3f})"
        return f"  {title:28} {exact:26} precision {precision:.3f}  recall {recall:.3f}"


def write(folder: Path, notes: dict[str, str]) -> None:
    """Write notes."""
    folder.mkdir(parents=True)
    for name, text in notes.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def ingest(folder: Path, notes: dict[str, str]) -> Store:
    """A memory of some notes."""
    write(folder / "vault", notes)
    store = open_store(f"sqlite:///{folder / 'memory.db'}", "default")
    Memory(store, load_ontology()).ingest(Vault(folder / "vault"))
    return store


class Answers:
    """What a memory holds, by names."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._facts: dict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)

    def at(self, subject: str, predicate: str, second: int, *, symmetric: bool) -> set[str]:
        """The objects that hold at a second."""
        found: set[str] = set()
        for naming in self._store.namings([name_key(subject)]).get(name_key(subject), ()):
            about = naming.entity.id
            query = FactQuery(
                about=(about,) if symmetric else None, subject=None if symmetric else about,
                predicate=predicate, valid=(second, second + 1),
            )  # fmt: skip
            for fact in self._store.facts(query)[1]:
                other = fact.object if fact.subject == about else fact.subject
                if other is not None:
                    found.add(name_key(self._store.entities([other])[other].name))
        return found


def groups(rows: Sequence[Row]) -> Iterator[tuple[tuple[str, str], list[Row]]]:
    """Rows by (subject, predicate) of ours."""
    by: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        by[row.ends[0], row.predicate].append(row)
    yield from sorted(by.items())


def properties_score(folder: Path, rows: Sequence[Row], rng: random.Random) -> Score:
    """Every row as a dated property."""
    by_note: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        by_note[row.subject][key(row)].append(dated_property(row))
    notes = {
        name: note("note", (), [f"{one}: [{', '.join(values)}]" for one, values in own.items()])
        for name, own in by_note.items()
    }
    score = Score()
    answers = Answers(ingest(folder, notes))
    by: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        by[row.subject, row.predicate].append(row)
    for (subject, _), own in sorted(by.items()):
        predicate = key(own[0]).upper().replace(" ", "_")
        for second in asked(own, rng):
            wanted = {name_key(row.object) for row in own if row.span[0] <= second < row.span[1]}
            score.add(answers.at(subject, predicate, second, symmetric=False), wanted)
    return score


def alone(rows: Sequence[Row]) -> tuple[list[Row], int]:
    """Rows without those of a predicate that holds one value and of which two values hold at once."""
    predicates = load_ontology().predicates
    clash = set()
    by: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        predicate = predicates[PREDICATES[row.predicate][0]]
        if predicate.one:
            for name in row.ends if predicate.symmetric else row.ends[:1]:
                by[name, row.predicate].append(row)
    for own in by.values():
        for row in own:
            if any(
                other.object != row.object and other.span[0] < row.span[1] and row.span[0] < other.span[1]
                for other in own
            ):
                clash.add(row)
    return [row for row in rows if row not in clash], len(clash)


class Told:
    """Rows as sentences, each in its subject's note, with the notes that their objects have."""

    def __init__(self, rows: Sequence[Row], rng: random.Random) -> None:
        self.rows = rows
        self.naming = {row.object: rng.choice(NAMED) for row in rows}
        self.said: dict[Row, str] = {}
        self._lines: dict[str, list[str]] = defaultdict(list)
        self._kinds: dict[str, str] = {}
        subjects = {row.subject for row in rows}
        for row in rows:
            _, _, kind, other = PREDICATES[row.predicate]
            self._kinds.setdefault(row.subject, kind)
            how = self._how(row.object, subjects)
            if how == "a note's name":
                self._kinds.setdefault(row.object, other)
                self._lines[row.object] += []
            self.said[row] = sentence(row, how, rng)
            self._lines[row.subject].append(self.said[row])

    def _how(self, name: str, subjects: set[str]) -> str:
        how = self.naming[name]
        if how == "unknown" and "(" in name:
            how = "linked"
        elif how == "unknown" and name in subjects:
            how = "a note's name"
        self.naming[name] = how
        return how

    @property
    def notes(self) -> dict[str, str]:
        """The vault."""
        return {name: note(self._kinds[name], own) for name, own in self._lines.items()}

    def wanted(self, subject: str, own: Sequence[Row], second: int) -> set[str]:
        """What the rows say of a subject; who is married is so to each other."""
        mutual = own[0].predicate == "isMarriedTo"
        others = (
            [row for row in self.rows if row.predicate == own[0].predicate and row.object == subject] if mutual else []
        )
        holding = [row for row in (*own, *others) if row.span[0] <= second < row.span[1]]
        return {name_key(row.ends[0] if mutual and row.ends[1] == subject else row.ends[1]) for row in holding}


def sentences_scores(folder: Path, told: Told, rng: random.Random, *, failures: bool) -> dict[str, Score]:
    """What is found of rows that were told in sentences: by predicate, by how the object is named, and all."""
    answers = Answers(ingest(folder, told.notes))
    scores: dict[str, Score] = defaultdict(Score)
    for (subject, name), own in groups(told.rows):
        for second in asked(own, rng):
            wanted = told.wanted(subject, own, second)
            got = answers.at(subject, PREDICATES[name][0], second, symmetric=name == "isMarriedTo")
            for title in (name, told.naming[own[0].object], "all"):
                scores[title].add(got, wanted)
            if failures and got != wanted:
                print(f"    {subject} {name} {1 + second // 31_556_952}: {got} not {wanted}")
                for row in own:
                    print(f"        {told.said[row]}")
    return scores


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Facts with intervals, asked for at random dates.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path())
    parser.add_argument("--facts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--failures", action="store_true")
    options = parser.parse_args()
    path = options.folder / "facts.jsonl"
    if not path.exists():
        print(f"skipped: no facts.jsonl in {options.folder}")
        return
    rng = random.Random(options.seed)  # noqa: S311 - a sample, no secret
    rows, left = load(path)
    print(f"{len(rows)} rows; left out: " + ", ".join(f"{number} {reason}" for reason, number in left.items()))
    sample = rng.sample(rows, min(options.facts, len(rows)))
    with tempfile.TemporaryDirectory() as temporary:
        score = properties_score(Path(temporary) / "properties", sample, rng)
        print(f"\n{len(sample)} rows as dated properties")
        print(score.line("all"))
        single, clashing = alone(sample)
        print(f"\n{len(single)} rows as sentences; {clashing} are left out: two values of a predicate that holds one")
        told = Told(single, rng)
        scores = sentences_scores(Path(temporary) / "sentences", told, rng, failures=options.failures)
        for title in (*PREDICATES, *NAMED, "all"):
            if title in scores:
                print(scores[title].line(title))


if __name__ == "__main__":
    main()
