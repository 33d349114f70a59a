"""Vaults of any size, made of nothing but a seed: ``python bench/notes.py FOLDER [--notes N] [--seed S]``.

Of a hundred notes 40 are ideas, 20 days, 15 meetings, 12 people, 6 projects, 4 organizations and 3 places. A note has
200 to 400 words in paragraphs, lists, tasks and quotes, 5 to 10 links in its text and 4 to 8 properties. A few names
are named everywhere and most hardly ever, some links lead to notes that nobody wrote, and some names stand in the text
without a link, as people write. Without a folder it says what a vault of a thousand notes holds.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from typing import NamedTuple

SHARES = {"Ideas": 40, "Daily": 20, "Meetings": 15, "People": 12, "Projects": 6, "Organizations": 4, "Places": 3}
"""Notes of each folder in a hundred."""
FIRST_DAY = date(2012, 1, 1)
WORDS = (200, 400)
LINKS = (5, 10)
WORDS_A_SENTENCE = 17
RARE_WORDS = 30_000

_FIRST = """
Ada Anna Arjun Ben Bianca Carla Chen Clara Daniel David Elena Emil Farah Felix Greta Hana Hugo Ines Ivan Jana Jonas
Julia Kofi Lara Leo Lina Luca Maria Marta Max Mila Nadia Nils Nora Olga Oscar Paul Petra Priya Rosa Samir Sara Sofia
Theo Tomas Vera Viktor Yuki Zoe Élise
""".split()
_LAST = """
Abel Adler Almeida Andersen Bauer Becker Bianchi Brandt Carter Castro Cole Costa Dahl Diaz Dubois Eriksen Evans
Farkas Fischer Fontaine Garcia Gruber Haas Hansen Hoffman Ito Jansen Keller Kim Kovacs Kumar Lang Laurent Lindgren
Lopez Marino Mendes Meyer Moreau Müller Nakamura Novak Olsen Osei Park Patel Peters Quinn Ramos Ricci Rossi Sato
Schmidt Silva Singh Stein Takeda Torres Varga Vogel Wagner Weber Winter Wright Young Zhang
""".split()
_ADJECTIVES = """
quiet open late early broken simple careful slow bright hidden common strange useful narrow warm cold honest lazy
curious modern ancient local remote steady fragile patient rough gentle sharp plain double silent northern southern
digital shared private heavy light empty annual basic bitter blind bold brief busy calm central cheap clear clever
close crowded dark deep dense distant dry dusty eager exact fair faint final firm flat foreign formal frozen full
grand great green grey hollow humble idle inner joint keen large legal level loose lucky mild minor mobile modest
moral muddy naked neat noble odd outer pale partial polite pure random rapid rare raw rich rigid royal rural safe
scarce secret sober soft solid spare spoken stable steep stiff strict sudden sweet tender thick thin tidy tiny tough
upright urban vague vivid weary wet wide wild wise wooden
""".split()
_NOUNS = """
garden letter market signal river engine budget recipe archive harbour workshop lecture ladder compass mirror bridge
habit margin contract orchard library kettle notebook pattern railway schedule shelter station story survey theatre
tunnel village voyage window winter morning question method memory machine language island interview harvest
furniture forest festival experiment editor dialogue decision curtain council concert climate chapter ceiling
cabinet border bicycle balance attic argument anchor airport agenda accent acre album alley almanac ankle apron
arena armour arrow ashes atlas autumn axle badge bakery ballot banner barley barrel basin basket bath bay beacon
bean beard bell bench berry blanket boat bonfire boot bottle bowl branch brass bread brick broom brush bucket bulb
bunker butter button cable cactus camera camp canal candle canvas cargo carpet cart cask castle cave cedar cellar
chain chalk charcoal chart cheese chess chimney cider circle circus clay cliff clock cloth cloud clover coal coast
coin colony comet copper coral corner cotton couch cradle crane cream crew crop crown crystal cup curve dairy dam
dance dawn deck delta desert desk diary dike dinner dock dome door dough dragon drawer drum dune dust eagle earth
echo elbow elm ember envelope equation errand estate fabric factory fair farm feather fence fern ferry fever field
fig film filter finger fire flag flame flask fleet flint flock flood floor flour flower flute fog folder forge fork
fort fossil fountain frame frost fruit funnel galaxy gallery gate ghost ginger glacier glass globe glove glue goat
gold grain granite grape grass gravel grove guitar gulf hail hall hammer harp hatch hawk hay hedge helmet herb hill
hive honey hook horizon horse hotel ice ink inn iron ivory ivy jacket jar jewel jungle jury
""".split()
_CITIES = """
Porto Ghent Lyon Oslo Riga Turin Graz Bergen Leipzig Utrecht Bilbao Gdansk Zagreb Cork Basel Malmo Tartu Nantes
Seville Brno
""".split()
_TRADES = "Press Systems Foundation Studio Partners Institute Logistics Labs Bakery Insurance".split()
_INDUSTRIES = "publishing software energy health transport education food finance".split()
_ROLES = "engineer,designer,editor,teacher,project manager,nurse,architect,researcher,accountant,translator".split(",")
_TAGS = "work home health reading travel money garden music writing family learning politics history cooking".split()
_STATES = "active paused done idea waiting".split()
_MOODS = "good tired calm busy restless".split()
_HEADINGS = "Notes,Background,What I think,Next steps,Open questions,Summary,Details,Why it matters,Log".split(",")
_SENTENCES = (
    "I talked with {x} about the {a} {n} and how much it depends on the {n}.",
    "The {n} is more {a} than I expected, and {x} said the same last week.",
    "We should compare {x} with the {a} {n} before anything else is decided.",
    "It reminds me of {x}, although the {n} there was rather {a} and less {r}.",
    "{x} keeps coming back whenever the {n} turns {a}, so I wrote it down here.",
    "There is a {a} link between the {n} and {x} which nobody has looked at closely.",
    "After lunch we walked along the {n} and came back to {x} and the {r} question.",
    "Nothing about the {a} {n} was settled, but {x} will send a {n} by the end of the month.",
    "My guess is that the {n} will stay {a} for years, whatever {x} may say about it.",
    "A {r} {n} is not a {a} one: that was the point of {x} all along.",
    "The costs went from {d} to {d} euros, mostly because of the {n} and a {a} {n}.",
    "I still do not understand why the {n} became so {a} once the {n} had been moved.",
    "Read about {d} pages on the {a} {n} today, most of it on the way home.",
    "Two things matter here, the {n} itself and the {a} {n} that comes with it.",
)
_NAMING = tuple(sentence for sentence in _SENTENCES if "{x}" in sentence)
_ITEMS = (
    "ask {x} about the {a} {n}",
    "the {n} needs a {a} {n} and about {d} hours",
    "{x}: {a} {n}, nothing {r}",
    "read the chapter on the {n} again",
)


class Note(NamedTuple):
    """A file of the vault."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Cast:
    """Every name of a vault, by folder; the first ones are named most."""

    names: dict[str, list[str]]
    unwritten: list[str]
    """Names that links call and that no note has."""

    @property
    def everyone(self) -> list[str]:
        """All that a text may name, so mixed that each folder has some of the most named."""
        rest = [name for folder, names in self.names.items() if folder not in {"People", "Daily"} for name in names]
        random.Random(len(rest)).shuffle(rest)  # noqa: S311
        return rest


def cast(count: int, seed: int) -> Cast:
    """The names of a vault of so many notes."""
    draw = random.Random(f"{seed}/{count}/names")  # noqa: S311
    sizes = {folder: count * share // 100 for folder, share in SHARES.items()}
    sizes["Ideas"] += count - sum(sizes.values())
    kinds: dict[str, Iterator[str]] = {
        "People": (f"{first} {last}" for first, last in product(_FIRST, _LAST)),
        "Organizations": (f"{last} {trade}" for last, trade in product(_LAST, _TRADES)),
        "Places": (f"{place}{city}" for place, city in product(_parts_of_cities(), _CITIES)),
        "Projects": (f"{a.title()} {n.title()}" for a, n in product(_ADJECTIVES[:50], _NOUNS[:99])),
        "Ideas": (f"{n.title()} and {a} {m}" for n, a, m in product(_NOUNS[:99], _ADJECTIVES[:8], _NOUNS[:99])),
    }
    names = {folder: draw.sample(list(every), sizes[folder]) for folder, every in kinds.items()}
    names["Daily"] = [f"{FIRST_DAY + timedelta(days=day)}" for day in range(sizes["Daily"])]
    names["Meetings"] = [
        f"{FIRST_DAY + timedelta(days=number * 2)} {draw.choice(names['Projects'] or ['Planning'])}"
        for number in range(sizes["Meetings"])
    ]
    unwritten = [f"{n} for {m}s" for n, m in product(map(str.title, _NOUNS[:99]), _NOUNS[:99])]
    return Cast(names, draw.sample(unwritten, min(len(unwritten), 10 + count // 5)))


def _parts_of_cities() -> list[str]:
    return ["", *(f"{part} " for part in ("Old", "New", "Upper", "Lower", "East", "West", "Port", "Mount", "Fort"))] + [
        f"{noun.title()} of " for noun in _NOUNS[:12]
    ]


def notes(count: int, seed: int) -> Iterator[Note]:
    """A vault, note by note; the same for the same arguments."""
    called = cast(count, seed)
    writer = _Writer(called, random.Random(f"{seed}/{count}/texts"))  # noqa: S311
    for folder, names in called.names.items():
        for number, name in enumerate(names):
            yield writer.note(folder, name, number)


def write(folder: Path, count: int, seed: int = 1) -> None:
    """Write a vault into a folder."""
    (folder / ".obsidian").mkdir(parents=True)
    for name in SHARES:
        (folder / name).mkdir()
    for note in notes(count, seed):
        (folder / note.path).write_text(note.text, encoding="utf-8")


class _Writer:
    """Writes the notes of one vault."""

    def __init__(self, names: Cast, draw: random.Random) -> None:
        self._names = names.names
        self._unwritten = names.unwritten
        self._everyone = names.everyone
        self._draw = draw
        self._frontmatter: dict[str, Callable[[str, int], list[str]]] = {
            "Ideas": self._idea,
            "Daily": self._day,
            "Meetings": self._meeting,
            "People": self._person,
            "Projects": self._project,
            "Organizations": self._organization,
            "Places": self._place,
        }

    def note(self, folder: str, name: str, number: int) -> Note:
        head = self._frontmatter[folder](name, number)
        text = "\n".join(["---", *head, "---", "", *self._body(name)])
        return Note(f"{folder}/{name}.md", f"{text}\n")

    # -- names

    def _often(self, names: Sequence[str]) -> str:
        """One of these, the first ones far more often than the last."""
        return names[int(len(names) * self._draw.random() ** 2.5)]

    def _any_name(self) -> str:
        dice = self._draw.random()
        if dice < 0.06:  # noqa: PLR2004
            return self._often(self._unwritten)
        return self._often(self._names["People"] if dice < 0.5 and self._names["People"] else self._everyone)  # noqa: PLR2004

    def _link(self) -> str:
        name = self._any_name()
        shown = f"|{name.split()[0]}" if self._draw.random() < 0.15 else ""  # noqa: PLR2004
        return f"[[{name}{shown}]]"

    def _to(self, folder: str) -> str:
        names = self._names[folder]
        return f'"[[{self._often(names)}]]"' if names else '""'

    # -- properties

    def _date(self, number: int) -> str:
        return str(FIRST_DAY + timedelta(days=number % 4000))

    def _tags(self) -> list[str]:
        return ["tags:", *(f"  - {tag}" for tag in self._draw.sample(_TAGS, self._draw.randint(1, 3)))]

    def _some(self, key: str, folder: str, most: int) -> list[str]:
        return [f"{key}:", *(f"  - {self._to(folder)}" for _ in range(self._draw.randint(1, most)))]

    def _idea(self, name: str, number: int) -> list[str]:
        draw = self._draw
        head = [f"created: {self._date(number)}", f"status: {draw.choice(_STATES)}", *self._tags()]
        head += self._some("related", "Ideas", 3)
        if draw.random() < 0.5:  # noqa: PLR2004
            head += ["type: book", f"author: {self._to('People')}", f"rating: {draw.randint(1, 5)}"]
        return [f"aliases: [{name.split(' and ', 1)[0]} notes {number}]", *head]

    def _day(self, name: str, number: int) -> list[str]:
        draw = self._draw
        return [
            f"date: {name}",
            f"mood: {draw.choice(_MOODS)}",
            f"sleep: {draw.randint(5, 9)}.5",
            f"steps: {1000 + number % 9000}",
            *self._tags(),
        ]

    def _meeting(self, name: str, number: int) -> list[str]:
        return [
            "type: meeting",
            f"date: {name.split(maxsplit=1)[0]}",
            f"place: {self._to('Places')}",
            f"topic: {self._to('Projects')}",
            *self._some("attendees", "People", 4),
            *(["recording: none"] if number % 3 else []),
        ]

    def _person(self, name: str, number: int) -> list[str]:
        first, last = name.split()
        return [
            "type: person",
            f"aliases: [{first[0]}. {last} ({number})]",
            f"works at: {self._to('Organizations')}",
            f"role: {self._draw.choice(_ROLES)}",
            f"lives in: {self._to('Places')}",
            f"born: {1940 + number % 60}-{1 + number % 12:02}-{1 + number % 28:02}",
            f"email: {first.lower()}.{last.lower()}@example.org",
            *self._tags(),
        ]

    def _project(self, _name: str, number: int) -> list[str]:
        return [
            "type: project",
            f"status: {self._draw.choice(_STATES)}",
            f"start: {self._date(number * 7)}",
            f"lead: {self._to('People')}",
            *self._some("people", "People", 4),
            *self._tags(),
        ]

    def _organization(self, _name: str, number: int) -> list[str]:
        return [
            "type: organization",
            f"industry: {self._draw.choice(_INDUSTRIES)}",
            f"located in: {self._to('Places')}",
            f"founded: {1900 + number % 120}",
            *self._tags(),
        ]

    def _place(self, name: str, number: int) -> list[str]:
        return [
            "type: city",
            f"country: {name.rsplit(maxsplit=1)[-1]}land",
            f"population: {10_000 + number * 977}",
            *self._tags(),
        ]

    # -- the text

    def _body(self, name: str) -> Iterator[str]:
        draw = self._draw
        words = draw.randint(*WORDS)
        sentences = words // WORDS_A_SENTENCE
        linked = set(draw.sample(range(sentences), draw.randint(*LINKS)))
        texts = [self._sentence(_NAMING if at in linked else _SENTENCES, at in linked) for at in range(sentences)]
        yield f"# {name}"
        while texts:
            yield ""
            size = draw.randint(2, 5)
            part, texts = texts[:size], texts[size:]
            yield from self._part(part)

    def _part(self, sentences: list[str]) -> list[str]:
        draw = self._draw
        match draw.randrange(10):
            case 0 | 1 | 2:
                return [f"## {draw.choice(_HEADINGS)}", "", " ".join(sentences)]
            case 3 | 4:
                return [f"- {each}" for each in sentences]
            case 5:
                tasks = [f"- [{draw.choice(' x')}] {self._sentence(_ITEMS, linked=False)}" for _ in range(2)]
                return [*tasks, "", " ".join(sentences)]
            case 6:
                return [f"> {each}" for each in sentences]
            case _:
                return [" ".join(sentences)]

    def _sentence(self, patterns: Sequence[str], linked: bool) -> str:
        draw = self._draw
        pattern = draw.choice(patterns)
        name = self._link() if linked else self._any_name() if draw.random() < 0.2 else f"the {self._noun()}"  # noqa: PLR2004
        text = pattern.replace("{x}", name)
        for slot, word in (("{a}", self._adjective), ("{n}", self._noun), ("{r}", self._rare), ("{d}", self._number)):
            while slot in text:
                text = text.replace(slot, word(), 1)
        return text[0].upper() + text[1:]

    def _adjective(self) -> str:
        return self._often(_ADJECTIVES)

    def _noun(self) -> str:
        return self._often(_NOUNS)

    def _number(self) -> str:
        return str(self._draw.randint(2, 900))

    def _rare(self) -> str:
        """A word that few notes have: real vaults are full of them."""
        number = int(RARE_WORDS * self._draw.random() ** 3)
        syllables = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo", "zu", "tra")
        word = ""
        while number or not word:
            number, digit = divmod(number, len(syllables))
            word += syllables[digit]
        return f"{word}n"


def main() -> None:
    """Write a vault, or say what one holds."""
    parser = argparse.ArgumentParser(description="Write a vault that nobody wrote.")
    parser.add_argument("folder", nargs="?", type=Path, help="a new folder; without it, only say what a vault holds")
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.folder:
        write(asked.folder, asked.notes, asked.seed)
        return
    made = list(notes(asked.notes, asked.seed))
    heads, bodies = zip(*(note.text.removeprefix("---\n").split("\n---\n", 1) for note in made), strict=True)
    counted = {
        "words": [len(body.split()) for body in bodies],
        "links in the text": [body.count("[[") for body in bodies],
        "properties": [sum(not line.startswith(" ") for line in head.split("\n")) for head in heads],
        "bytes": [len(note.text.encode()) for note in made],
    }
    print(f"{len(made)} notes, {len({word for body in bodies for word in body.split()})} different words")
    for what, figures in counted.items():
        print(f"  {what}: {min(figures)} to {max(figures)}, median {statistics.median(figures):g}")


if __name__ == "__main__":
    main()
