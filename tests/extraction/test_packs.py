"""Packs of the ontology: those that ship, and every mistake that a file of one's own can have."""

from pathlib import Path

import pytest

from kgmem.errors import ConfigurationError, NotFoundError
from kgmem.extraction.ladder import extract
from kgmem.extraction.lexicon import Lexicon
from kgmem.extraction.ontology import NOTE, Rank, Typing, load_ontology
from kgmem.extraction.packs import CORE, SHIPPED, read_core, read_shipped, stack
from kgmem.extraction.packs.reading import parse_pack
from kgmem.extraction.relations.wordings import grammar_of
from kgmem.model import EntityType
from kgmem.sources.obsidian import Vault


def mistakes(text, packs=()):
    """``line kind`` of each mistake of a file."""
    return [f"{each.line} {each.kind}" for each in stack(packs, further=[parse_pack("own.yaml", text)]).mistakes]


def told(text):
    (mistake,) = stack(further=[parse_pack("own.yaml", text)]).mistakes
    return mistake


def own(tmp_path, text, **options):
    file = tmp_path / "own.yaml"
    file.write_text(text, encoding="utf-8")
    return load_ontology(files=[file], **options)


def said(sentence, ontology, typing=NOTE):
    note = Vault(Path()).parse("Note.md", f"{sentence}\n", mtime_ns=0)
    return [each for each in extract(note, typing, ontology, Lexicon(())).claims if each.rung == "sentences"]


# -- those that ship


def test_the_packs_that_ship_are_without_a_mistake_together():
    assert stack(SHIPPED).mistakes == ()
    assert stack(reversed(SHIPPED)).mistakes == ()
    assert grammar_of(load_ontology(packs=SHIPPED))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_pack_leaves_what_the_core_says_as_it_is(name):
    before, after = load_ontology(), load_ontology(packs=[name])
    assert {key: after.predicates[key] for key in before.predicates} == before.predicates
    keys = {key for each in before.predicates.values() for key in each.names | each.inverse}
    read = [(key, kind) for key in keys for kind in EntityType if before.named(key, kind)]
    assert [after.named(*each) for each in read] == [before.named(*each) for each in read]
    words = [word for kinds in read_core().data["types"].values() for words in kinds.values() for word in words]
    assert [after.type_named(word) for word in words] == [before.type_named(word) for word in words]
    assert len(after.predicates) > len(before.predicates) + 8
    assert read_shipped(name).data["about"]


@pytest.mark.parametrize(
    ("pack", "key", "subject", "predicate", "flipped"),
    [
        ("research", "cites", EntityType.OBJECT, "CITES", False),
        ("research", "cited by", EntityType.OBJECT, "CITES", True),
        ("research", "benchmarks", EntityType.OBJECT, "EVALUATED_ON", False),
        ("research", "authors", EntityType.OBJECT, "WRITTEN_BY", False),
        ("work", "Due-Date", EntityType.OBJECT, "DUE_ON", False),
        ("work", "assignee", EntityType.OBJECT, "ASSIGNED_TO", False),
        ("work", "owner", EntityType.OBJECT, "OWNED_BY", False),
        ("fiction", "house", EntityType.PERSON, "ALLEGIANCE", False),
        ("fiction", "victims", EntityType.PERSON, "SLAIN_BY", True),
        ("games", "quest giver", EntityType.OBJECT, "GIVEN_BY", False),
        ("games", "loot", EntityType.PERSON, "DROPPED_BY", True),
    ],
)
def test_what_a_pack_makes_of_a_key(pack, key, subject, predicate, flipped):
    reading = load_ontology(packs=[pack]).read(key, subject)
    assert (reading.predicate.name, reading.flipped) == (predicate, flipped)


def test_where_a_predicate_comes_from(tmp_path):
    ontology = own(tmp_path, "predicates:\n  CITES: {extends: true, says: [quotes]}\n", packs=["research"])
    assert ontology.origins["WORKS_AT"] == (CORE,)
    assert ontology.origins["CITES"] == ("research", str(tmp_path / "own.yaml"))
    assert [each.text for each in ontology.predicates["CITES"].wordings] == ["cites", "{o} is cited by {s}", "quotes"]
    assert ontology.predicates["CITES"].timeless


@pytest.mark.parametrize(
    ("pack", "sentence", "statement", "kind"),
    [
        ("research", "[[Attention]] cites [[Seq Net]].", "Attention cites Seq Net.", "holds"),
        ("research", "[[Seq Net]] was cited by [[Attention]].", "Attention cites Seq Net.", "holds"),
        ("research", "[[Attention]] builds on [[Seq Net]].", "Attention builds on Seq Net.", "holds"),
        ("research", "[[Attention]] was evaluated on [[WMT]].", "Attention is evaluated on WMT.", "holds"),
        ("research", "[[Heads]] was introduced in [[Attention]].", "Attention introduces Heads.", "holds"),
        ("research", "[[Attention]] was presented at [[ICML]].", "Attention appeared in ICML.", "holds"),
        ("research", "[[Science Fund]] funds [[Seq Net]].", "Seq Net is funded by Science Fund.", "holds"),
        ("work", "[[Bug 7]] is assigned to [[Ada Berg]].", "Bug 7 is assigned to Ada Berg.", "holds"),
        ("work", "[[Bo Li]] reported [[Bug 7]].", "Bug 7 was reported by Bo Li.", "holds"),
        ("work", "[[Bug 7]] is due on 1 May 2024.", "Bug 7 is due on 2024-05-01.", "holds"),
        ("work", "[[Bug 8]] blocks [[Bug 7]].", "Bug 7 is blocked by Bug 8.", "holds"),
        ("work", "[[Bo Li]] chairs [[Board]].", "Board is facilitated by Bo Li.", "holds"),
        ("fiction", "[[Theon]] swore allegiance to [[Bolton]].", "Theon is loyal to Bolton.", "holds"),
        ("fiction", "[[Theon]] betrayed [[Bolton]].", "Theon is loyal to Bolton.", "ends"),
        ("fiction", "[[Arya]] slew [[Meryn]].", "Meryn was killed by Arya.", "holds"),
        ("fiction", "[[Arya]] appears in [[Book One]].", "Arya appears in Book One.", "holds"),
        ("fiction", "[[Book One]] is set in [[Westeros]].", "Book One is set in Westeros.", "holds"),
        ("games", "[[Old Tom]] gives [[Rat Quest]].", "Rat Quest is given by Old Tom.", "holds"),
        ("games", "[[Iron Sword]] is the reward for [[Rat Quest]].", "Rat Quest is rewarded with Iron Sword.", "holds"),
        ("games", "[[Wolf]] spawns in [[Dark Wood]].", "Wolf is found in Dark Wood.", "holds"),
        ("games", "[[Iron Sword]] is crafted from [[Iron Ore]].", "Iron Sword is crafted from Iron Ore.", "holds"),
    ],
)
def test_what_a_pack_makes_of_a_sentence(pack, sentence, statement, kind):
    assert [(each.statement, each.kind.value) for each in said(sentence, load_ontology(packs=[pack]))] == [
        (statement, kind)
    ]


def test_without_a_pack_of_stories_nothing_is_told_of_who_may_not_live():
    character = Typing(EntityType.PERSON, "Character", Rank.SAID)
    sentence = "[[Arya]] lives in [[Winterfell]]."
    assert said(sentence, load_ontology(), character) == []
    assert [each.statement for each in said(sentence, load_ontology(packs=["fiction"]), character)] == [
        "Arya lives in Winterfell."
    ]


def test_only_packs_of_stories_read_what_is_told_of_their_people():
    assert [name for name in SHIPPED if load_ontology(packs=[name]).tales] == ["fiction", "games"]


def test_the_core_is_a_pack_that_is_always_there():
    assert read_shipped(CORE) == read_core()
    assert load_ontology(packs=[CORE]).predicates == load_ontology().predicates


def test_a_pack_that_there_is_not():
    with pytest.raises(NotFoundError, match="no pack 'cooking'"):
        load_ontology(packs=["cooking"])


# -- a person's own


def test_a_file_adds_words_replaces_and_defines(tmp_path):
    ontology = own(
        tmp_path,
        "predicates:\n"
        "  WORKS_AT: {extends: true, names: [gig], says: [toils at]}\n"
        "  RATING: {replaces: true, phrase: '{s}: {o} points', names: [points]}\n"
        "  PAIRS_WITH: {symmetric: true, range: [Object], names: [pairs with]}\n"
        "types: {Object: {Cheese: [cheese]}}\n",
    )
    assert ontology.read("gig", EntityType.PERSON).predicate.name == "WORKS_AT"
    assert ontology.read("employer", EntityType.PERSON).predicate.name == "WORKS_AT"
    assert ontology.predicates["WORKS_AT"].one
    assert ontology.statement("RATING", "Wine", "90") == "Wine: 90 points."
    assert ontology.predicates["PAIRS_WITH"].symmetric
    assert ontology.type_named("Cheese") == (EntityType.OBJECT, "Cheese")


def test_a_mistake_names_its_file_and_line(tmp_path):
    with pytest.raises(ConfigurationError, match=r"own\.yaml:2: WORKS_AT is defined by personal already") as caught:
        own(tmp_path, "predicates:\n  WORKS_AT: {one: true}\n")
    assert caught.value.hint == "`kgmem ontology check` shows each, and what helps"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("predicates:\n  A: {}\nfoo: 3\n", ["3 unknown-key"]),
        ("predicates: [a]\n", ["1 form"]),
        ("roles: {a: b}\n", ["1 form"]),
        ("predicates:\n  A:\n    one: true\n    frase: x\n", ["4 unknown-key"]),
        ("predicates:\n  A:\n    one: perhaps\n", ["3 form"]),
        ("predicates:\n  A:\n    names: gig\n", ["3 form"]),
        ("predicates:\n  A:\n    names: [1, 2]\n", ["3 form"]),
        ("predicates:\n  A: [x]\n", ["2 form"]),
        ("predicates:\n  works in: {}\n", ["2 name"]),
        ("predicates:\n  A:\n    domain: [Persn]\n    range: [Robot]\n", ["3 unknown-type", "4 unknown-type"]),
        ("predicates:\n  A:\n    phrase: nothing\n", ["3 phrase"]),
        ("predicates:\n  A:\n    says:\n      - goes to\n      - at {q}\n", ["5 phrase"]),
        ("predicates:\n  A:\n    says: ['{o} {s}']\n", ["3 phrase"]),
        ("predicates:\n  A:\n    inverse: [a of]\n", ["3 inverse"]),
        ("predicates:\n  A:\n    range: [Person]\n    inverse: [a of]\n", []),
        ("predicates:\n  A:\n    symmetric: true\n    range: [Object]\n    inverse: [a of]\n", ["5 inverse"]),
        ("predicates:\n  A:\n    symmetric: true\n    domain: [Person]\n    range: [Object]\n", ["3 symmetric"]),
        ("predicates:\n  A:\n    opposite: B\n", ["3 inverse"]),
        ("predicates:\n  A: {opposite: B}\n  B: {}\n", ["2 inverse"]),
        ("predicates:\n  A: {opposite: B}\n  B: {opposite: A}\n", []),
        ("predicates:\n  WORKS_AT:\n    one: false\n", ["3 single-valued"]),
        ("predicates:\n  WORKS_AT: {extends: true, says: [toils at]}\n", []),
        ("predicates:\n  WORKS_AT:\n    extends: true\n    domain: [Object]\n", ["4 changes"]),
        ("predicates:\n  A: {extends: true}\n", ["2 extends"]),
        ("predicates:\n  A: {replaces: true}\n", ["2 replaces"]),
        ("predicates:\n  A: {}\n  A: {one: true}\n", ["3 twice"]),
        ("types:\n  Robot: {X: [y]}\n", ["2 unknown-type"]),
        ("types:\n  Object:\n    Wine: wine\n", ["3 form"]),
        ("types:\n  Object:\n    Wine: [vin, wine]\n", ["3 clash"]),
        ("types:\n  Object:\n    Recipe: [wine]\n", []),
        ("types:\n  Object:\n    A: [x]\n    B: [X]\n", ["4 clash"]),
        ("infobox:\n  Object: [[a]]\n", ["2 form"]),
        ("telling:\n  Robot: [r2]\n", ["2 unknown-type"]),
        ("verbs:\n  - [go, went]\n", ["1 verb"]),
        ("tales: perhaps\n", ["1 form"]),
        ("", []),
    ],
)
def test_every_mistake_has_its_line(text, expected):
    assert mistakes(text) == expected


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("{domain: [Person], names: [employer]}", "'employer' means WORKS_AT of Person, and here A"),
        ("{names: [employer]}", "'employer' means WORKS_AT of Person, and here A"),
        ("{domain: [Object], names: [employer]}", None),
        ("{range: [Organization], inverse: [employees]}", "'employees' means WORKS_AT of Organization, and here A"),
        ("{range: [Object], inverse: [employees]}", None),
        ("{range: [Organization], says: [works at]}", "'works at' means WORKS_AT of Person, and here A"),
        ("{range: [Location], says: [works at]}", None),
        ("{range: [Organization], yields: ['left {o}']}", None),
        ("{names: [category]}", "'category' says what a note is, and cannot say A too"),
    ],
)
def test_words_that_mean_something_already(entry, expected):
    text = f"predicates:\n  A: {entry}\n"
    assert (told(text).message if expected else mistakes(text)) == (expected or [])


def test_two_predicates_of_one_file_may_not_share_a_key():
    text = "predicates:\n  A: {names: [gig]}\n  B:\n    names:\n      - job of the day\n      - gig\n"
    assert mistakes(text) == ["6 clash"]


def test_a_near_name_is_offered():
    assert told("predicates: {A: {frase: x}}").hint == "did you mean phrase?"
    assert told("predicates: {A: {domain: [persn]}}").hint == "did you mean Person?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [\n", r"own\.yaml:2 is not YAML"),
        ("- a\n", r"own\.yaml is not a mapping"),
        ("a: 2024-02-30\n", r"own\.yaml is not YAML"),
    ],
)
def test_what_is_no_yaml_is_a_clear_error(tmp_path, text, message):
    with pytest.raises(ConfigurationError, match=message):
        own(tmp_path, text)
