"""Short names of persons whom a note names in full, with and without a recognizer's guess."""

from pathlib import Path

import pytest

from kgmem.extraction.entities import NamedSpan
from kgmem.extraction.ladder import extract
from kgmem.extraction.lexicon import Lexicon
from kgmem.extraction.ontology import NOTE, Rank, Typing, load_ontology
from kgmem.model import EntityType
from kgmem.resolution.names import name_key
from kgmem.sources.obsidian import Vault

ONTOLOGY = load_ontology()
PERSON = Typing(EntityType.PERSON, "Individual", Rank.SAID)


def read(text, *, typing=PERSON, names=("Anna Roth",), guessed=False, path="People/Anna Roth.md"):
    document = Vault(Path()).parse(path, text, mtime_ns=0)
    lexicon = Lexicon((name, name_key(name)) for name in names)
    named = None
    if guessed:
        at = [block.prose.find("Anna") if block.kind != "title" else -1 for block in document.blocks]
        named = [
            [NamedSpan(start, start + 4, "Anna", EntityType.PERSON, "PERSON")] if start >= 0 else [] for start in at
        ]
    return extract(document, typing, ONTOLOGY, lexicon, named)


def meant(found):
    return [(each.surface, each.ref.path) for each in found.mentions if each.surface == "Anna"]


@pytest.mark.parametrize("guessed", [False, True])
def test_a_bare_given_name_is_the_person_of_the_note(guessed):
    found = read("Anna works at Acme since 2010.\n", guessed=guessed)
    (claim,) = found.claims
    assert (claim.subject, claim.object.name, claim.valid.start.shown) == (None, "Acme", "2010")
    assert meant(found) == [("Anna", "People/Anna Roth.md")]


def test_it_is_mentioned_wherever_it_stands():
    assert len(meant(read("I saw Anna's dog. Anna Roth and Anna agree.\n"))) == 2


def test_she_is_still_the_person_of_the_note_after_her_name():
    (claim,) = read("Tea with Anna again. She works at Acme.\n").claims
    assert (claim.subject, claim.object.name) == (None, "Acme")


@pytest.mark.parametrize(
    "text",
    ["Anna called. Anna Berg too.\n", "Anna called. [[Anna Berg]] too.\n", "Anna called. [[Berg|Anna]] too.\n"],
)
def test_somebody_else_whose_name_begins_so_leaves_it_open(text):
    assert meant(read(text)) in ([], [("Anna", None)])


@pytest.mark.parametrize(
    ("path", "typing"),
    [("Anna.md", PERSON), ("Anna Roth.md", NOTE), ("Dr. Roth.md", PERSON)],
)
def test_only_of_a_person_with_two_names(path, typing):
    assert meant(read("Anna called.\n", path=path, typing=typing, names=())) == []


PEOPLE = {name: (name, name, EntityType.PERSON) for name in ("Nora Feldt", "Anna Berg", "Mark Low")}
PEOPLE |= {name: (name, name, EntityType.ORGANIZATION) for name in ("Brannock Foods Ltd", "Dockside Bakers' Union")}


def short(text, *, names=("Nora Feldt", "Anna Berg", "Mark Low"), guessed=(), settled=()):
    """(what stands there, whom it is taken for) of every mention of a note that is about no person."""
    document = Vault(Path()).parse("Log.md", text, mtime_ns=0)
    lexicon = Lexicon((name, name_key(name)) for name in names)
    spans = [
        [
            NamedSpan(at, at + len(name), name, EntityType.PERSON, "PERSON")
            for name in guessed
            if block.kind != "title" and (at := block.prose.rfind(name)) >= 0
        ]
        for block in document.blocks
    ]
    found = extract(document, NOTE, ONTOLOGY, lexicon, spans, known=lambda ref: PEOPLE.get(ref.name), settled=settled)
    return [(each.surface, each.ref.name) for each in found.mentions if each.surface != each.ref.name]


def test_a_given_name_is_the_one_person_of_the_note_who_has_it():
    assert short("Met Anna Berg and Nora Feldt. Anna paid, then Nora did.\n") == [
        ("Anna", "Anna Berg"),
        ("Nora", "Nora Feldt"),
    ]


def test_also_before_the_full_name_and_in_another_paragraph():
    assert short("Anna called.\n\nLunch with Anna Berg.\n") == [("Anna", "Anna Berg")]


def test_a_link_says_whom_its_words_mean_in_the_rest_of_the_note():
    assert short("[[Lizzie Marsh|Lizzie]] drew it. Lizzie lives in Bristol.\n", names=()) == [
        ("Lizzie", "Lizzie Marsh"),
        ("Lizzie", "Lizzie Marsh"),
    ]
    assert ("Bob", "Robert Hale") in short("[[Robert Hale|Bob]] came. Then Bob left.\n", names=())[1:]
    assert short("[[Jordan River|the river]] rose. The river fell.\n", names=()) == [("the river", "Jordan River")]


def test_nobody_without_the_full_name():
    assert short("Anna called, and Nora Feldt came.\n") == []


@pytest.mark.parametrize("other", ["Anna Roth came", "saw [[Anna Roth]]", "saw [[Roth|Anna]]"])
def test_nobody_where_two_have_the_name(other):
    assert ("Anna", "Anna Berg") not in short(f"Anna Berg called. Then Anna left. I {other}.\n")


def test_a_family_name_after_a_title():
    assert short("Anna Berg came. Dr. Berg is tired. The Berg is high.\n") == [("Berg", "Anna Berg")]


def test_a_word_of_every_day_is_no_name_at_the_start_of_a_sentence():
    assert short("Saw Mark Low. Mark the date. Then Mark left.\n") == [("Mark", "Mark Low")]


@pytest.mark.parametrize("name", ["Berg", "A. Berg"])
def test_a_guess_takes_a_family_name_or_an_initial_for_the_person(name):
    assert short(f"Read Anna Berg twice.\n\nThen {name} agrees.\n", guessed=[name]) == [(name, "Anna Berg")]


def test_two_guesses_make_a_person_of_a_known_given_name_only():
    assert short("Robert Hale spoke. Then Robert left.\n", guessed=["Robert Hale", "Robert"]) == [
        ("Robert", "Robert Hale")
    ]
    assert short("Cloud Run scales. Then Cloud fails.\n", guessed=["Cloud Run", "Cloud"]) == []


def test_what_somebody_decided_is_found_without_a_full_name():
    assert [each for each in mentioned("Anna called.\n", settled=["Anna"]) if each != "Log"] == ["Anna"]


def mentioned(text, settled):
    document = Vault(Path()).parse("Log.md", text, mtime_ns=0)
    return [each.surface for each in extract(document, NOTE, ONTOLOGY, Lexicon(()), settled=settled).mentions]


FIRMS = ("Brannock Foods Ltd", "Dockside Bakers' Union")


def test_an_organization_is_called_by_its_first_word_or_its_letters():
    text = "Brannock Foods Ltd met the Dockside Bakers' Union. Brannock paid, and DBU took it.\n"
    assert short(text, names=FIRMS) == [("Brannock", FIRMS[0]), ("DBU", FIRMS[1])]


def test_not_without_its_full_name_nor_beside_another_that_begins_so():
    assert short("Brannock paid, and DBU took it.\n", names=FIRMS) == []
    assert short("Brannock Foods Ltd left Brannock Hill. Brannock rained.\n", names=FIRMS) == []
