"""The first name of the person a note is about, with and without a recognizer's guess."""

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
