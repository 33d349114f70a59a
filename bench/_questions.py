"""Questions with what a right first line must hold, written from the notes and before any answer was seen.

`right` are regular expressions that the first line must all hold, `wrong` those of which it must hold none. `where` is
the note and line that a person checks it against; of what cannot be answered, why not.
"""

from __future__ import annotations

from typing import NamedTuple

TODAY = "2026-06-15"
"""The day on which the questions of the sample vault are asked."""
OWNER = "Nora Feldt"
"""Whom "I" means in the sample vault."""


class Question(NamedTuple):
    """One question of the sample vault."""

    asked: str
    where: str
    right: tuple[str, ...]
    wrong: tuple[str, ...] = ()


PLAIN = (
    Question("Who owns Café Zénith?", "Places/Café Zénith.md:11", ("Élodie Marchand",)),
    Question("Who is Sofia married to?", "People/Sofia Feldt.md:10", ("Lukas Falk",), ("Brandt",)),
    Question("Who wrote Rivers Without Maps?", "Books/Rivers Without Maps.md:3", ("Jonas Hale",)),
    Question("Who founded Adega Duarte?", "Organizations/Adega Duarte.md:11", ("Rui Duarte",)),
    Question("Who brought saffron buns to the lab?", "Daily/2023-11-17.md:11", ("Lukas",)),
    Question("When was Clara born?", "People/Clara Duarte.md:7", ("1987-11-03",)),
    Question("When did Clara marry Tomás?", "Trips/Portugal 2024.md:16", ("2024-09-14",)),
    Question("When did Priya start at Rivelle?", "People/Priya Nair.md:7", ("2022-10",)),
    Question("When was Château Sud founded?", "Organizations/Château Sud.md:5", ("1931",)),
    Question("Where does Mira live?", "People/Mira.md:16", ("Avignon",), ("Mâcon",)),
    Question("Where is Institut Garonne?", "Organizations/Institut Garonne.md:7", ("Bordeaux",)),
    Question("Where did I meet Mira?", "People/Mira.md:9", ("Beaune",)),
    Question("How many people attended the Cellar Atlas kickoff?", "Meetings/Cellar Atlas kickoff.md:4", (r"\b3\b",)),
    Question("How many languages do I speak?", "People/Nora Feldt.md:21", (r"\b3\b", "Swedish")),
    Question("What do I know about Priya?", "People/Priya Nair.md:7", ("Laboratoire Rivelle",)),
    Question("What changed about Mira?", "People/Mira.md:11-16", ("Château Nord", "Château Sud")),
    Question("Does Hélène Moreau own Château Sud?", "Organizations/Château Sud.md:8", ("^Yes", "2010")),
    Question("Does Mira own Château Sud?", "Daily/2023-06-05.md:11", ("Not as far", "Hélène Moreau"), ("^Yes",)),
    Question("Is Lukas Falk a carpenter?", "People/Lukas Falk.md:6", ("^Yes",)),
    Question("What is the rating of The Slow Barrel?", "Books/The Slow Barrel.md:6", (r"\b5\b",)),
)

TIME = (
    Question("Where did Mira live in 2019?", "People/Mira.md:15", ("Mâcon",), ("Avignon",)),
    Question("Who was my manager in 2024?", "People/Nora Feldt.md:18", ("Inès Caron",), ("Delmas",)),
    Question(
        "Who led the Wild Yeast Survey in June 2024?", "Projects/Wild Yeast Survey.md:18", ("Lukas Brandt",), ("Priya",)
    ),
    Question("Where did I work in 2018?", "People/Nora Feldt.md:12", ("Laboratoire Rivelle",), ("Garonne",)),
    Question("What was Lukas Brandt's role in 2019?", "People/Lukas Brandt.md:14", ("lab manager",), ("product lead",)),
    Question("Where did Clara live in March 2020?", "People/Clara Duarte.md:9", ("Berlin",), ("Porto",)),
    Question(
        "Who was the director of Rivelle in 2015?",
        "Organizations/Laboratoire Rivelle.md:10",
        ("Paul Rivelle",),
        ("Agnès",),
    ),
    Question("Did I like coffee in 2023?", "Daily/2023-06-05.md:13", ("Yes",)),
    Question("Where did Anna Berg work in 2020?", "People/Anna Berg.md:9", ("Lindholm Hospital",), ("Vinterra",)),
    Question("Who worked at Château Nord in 2019?", "People/Mira.md:11", ("Mira",)),
    Question("Did Lukas Brandt live in Lyon in 2020?", "People/Lukas Brandt.md:12", ("Yes",)),
    Question("Did Mira work at Château Nord in 2024?", "People/Mira.md:11-12", ("Not as far", "Château Sud"), ("Yes",)),
    Question(
        "What was the status of the Harbour Garden in July 2025?",
        "Projects/Harbour Garden.md:5",
        ("active",),
        ("paused",),
    ),
    Question("Who lived in Lyon in 2023?", "People/*.md", ("Nora Feldt", "Priya Nair", "Lukas Brandt")),
    Question("What changed for Lukas Brandt in 2025?", "People/Lukas Brandt.md:10-15", ("Vinterra", "Rivelle")),
)

TWO_HOPS = (
    Question("Where is Mira's employer?", "People/Mira.md:12, Organizations/Château Sud.md:6", ("Avignon",)),
    Question(
        "Who is the director of the institute where I work?",
        "People/Nora Feldt.md:13, Organizations/Institut Garonne.md:10",
        ("Marc Delmas",),
    ),
    Question(
        "Who owns the company where Mira works?",
        "People/Mira.md:12, Organizations/Château Sud.md:8",
        ("Hélène Moreau",),
        ("Perrault",),
    ),
    Question(
        "Where does the husband of Sofia live?",
        "People/Sofia Feldt.md:10, People/Lukas Falk.md:5",
        ("Lukas Falk", "Gothenburg"),
    ),
    Question(
        "Who works at the company that Rui Duarte founded?",
        "Organizations/Adega Duarte.md:11, People/Tomás Duarte.md:7",
        ("Tomás Duarte",),
    ),
    Question(
        "What is the role of Clara's husband?", "People/Clara Duarte.md:20, People/Tomás Duarte.md:8", ("winemaker",)
    ),
    Question("When was my sister born?", "People/Nora Feldt.md:20, People/Sofia Feldt.md:5", ("1991-05-23",)),
    Question(
        "Where does the lead of the Cellar Atlas live?",
        "Projects/Cellar Atlas.md:7, People/Elizabeth Marsh.md:4",
        ("Bristol",),
    ),
    Question("In which country do I live?", "People/Nora Feldt.md:10, Places/Bordeaux.md:5", ("France",)),
    Question(
        "Who is the father of Clara's husband?",
        "People/Clara Duarte.md:20, People/Tomás Duarte.md:9",
        ("Rui Duarte",),
    ),
    Question("Where does my cousin work?", "People/Anna Berg.md:10, 12", ("Harbour Clinic",), ("Korn",)),
    Question(
        "Who owns Lukas Brandt's employer?",
        "People/Lukas Brandt.md:11, Organizations/Vinterra.md:11",
        ("Nordlund Group",),
    ),
    Question(
        "When was the employer of Tomás founded?",
        "People/Tomás Duarte.md:7, Organizations/Adega Duarte.md:5",
        ("1978",),
    ),
    Question(
        "Who lives in the city where Adega Duarte is?",
        "Organizations/Adega Duarte.md:7, People/Tomás Duarte.md:5, People/Clara Duarte.md:10",
        ("Clara", "Tomás"),
    ),
    Question(
        "Where does the wife of Tomás work?",
        "People/Clara Duarte.md:13, 20",
        ("Atelier Ponte",),
        ("Studio Kessel",),
    ),
)

_DECLINED = (r"Not in your notes|Nothing in your notes|Not as far as your notes tell",)
UNANSWERABLE = (
    Question("Where was Mira born?", "People/Mira.md:5 has the year alone", _DECLINED),
    Question("Who is Agatha Christie?", "nobody writes of her", _DECLINED),
    Question("When did Robert Keane retire?", "nobody says that he did", _DECLINED),
    Question("What is the phone number of Priya?", "no note has it", _DECLINED, (r"\d",)),
    Question("Is Mira married?", "no note says so", _DECLINED),
    Question("How many children does Mira have?", "no note says so", _DECLINED, (r"\b1\b",)),
    Question("Where did Élodie Marchand study?", "no note says so", _DECLINED),
    Question("Who founded Halden Press?", "no note says so", _DECLINED),
    Question("Who bought Château Nord?", "Daily/2025-06-21.md:11: it was not sold", _DECLINED, ("Nordlund",)),
    Question("How old is Tom Hanks?", "Tom is Tomás Duarte, and no Hanks", _DECLINED),
)

GARDEN = (
    ("What is hash consing?", "Hash consing"),
    ("What do I know about Arweave?", "Arweave"),
    ("How many transactions per second can Arweave reach?", "Arweave"),
    ("Which paradox makes a group act against what its members want?", "Abilene Paradox"),
    ("Who wrote Récoltes et Semailles?", "Alexandre Grothendieck"),
    ("Which fault presents different symptoms to different observers?", "Byzantine Faults"),
    ("What does CALM stand for?", "CALM Theorem"),
    ("Who imagined a man that answers Chinese characters without understanding them?", "Chinese room argument"),
    ("the rich get richer and the poor get poorer", "Matthew Effect"),
    ("Why can only variety absorb variety?", "Law of Requisite Variety"),
    ("What happens when everyone votes on their favourite ice cream?", "Vanilla Ice Cream effect"),
    ("What is a fake village that deceives visitors called?", "potemkin village"),
    ("What are paths called that walkers make against the plan?", "desire paths"),
    ("How do you scale intimacy?", "group limits"),
    ("Which keys do identities in Scuttlebutt use?", "Secure Scuttlebutt"),
    ("For how many nodes were protocols designed before HotStuff?", "HotStuff"),
    ("Is Locutus append-only?", "Locutus"),
    ("Who coined the term burnout?", "burnout"),
    ("What is Brook's law?", "The Mythical Man-Month"),
    ("What should companies of the future derive their value from?", "Rhizome Proposal"),
    ("Which downside do versions have in Upwelling?", "Upwelling"),
    ("Who wrote Games: Agency as Art?", "Games Agency as Art"),
    ("What does Mary learn when she leaves the black-and-white room?", "Knowledge Argument"),
    ("How many points give everyone a neighbour in three dimensions?", "Curse of Dimensionality"),
    ("Which French phrase means a cheerful enjoyment of life?", "joie de vivre"),
    ("What does Theseus DHT run over?", "Theseus DHT"),
    ("When was DWeb Camp?", "DWeb Camp 2023"),
    ("What is the ultimate touchstone of friendship?", "friendship"),
    ("What are the two main components of Farcaster?", "Farcaster"),
    ("Which operations does Alluxio support?", "file system"),
)
"""Questions over a garden of notes on computing and society, each with the name of the note that has it."""
