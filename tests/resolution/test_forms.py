"""What names are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.model import EntityType
from kgmem.resolution import forms
from kgmem.resolution.persons import (
    PersonName,
    initial_of,
    is_given_name,
    is_nickname,
    long_forms,
    parse_person,
    skeleton,
    strip_title,
)
from kgmem.resolution.variants import first_word, is_acronym_of, variants, without_brackets


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Müller", "muller"),
        ("Łukasz  Ørsted", "lukasz orsted"),
        ("Straße", "strasse"),
        ("Ἀθῆναι", "αθηναι"),
        ("Йошкар-Ола", "йошкар-ола"),
        ("がくせい", "がくせい"),
        ("हिन्दी", "हिन्दी"),
        ("محمد", "محمد"),
        ("x²", "x²"),
    ],
)
def test_only_latin_and_greek_lose_their_diacritics(name, key):
    assert forms.plain_key(name) == key


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("U.S.A.", ("usa",)),
        ("C++", ("c++",)),
        ("Smith & Sons", ("smith", "and", "sons")),
        ("R&D", ("r&d",)),
        ("New-York", ("new", "york")),
        ("O'Brien’s", ("obriens",)),
        ("VLDB '98", ("vldb", "98")),
        ("हिन्दी भाषा", ("हिन्दी", "भाषा")),
        ("Nine™", ("nine",)),
        ("?!", ()),
    ],
)
def test_the_words_of_a_name(name, words):
    assert forms.words(name) == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SR-2023-052", "SR-2023-053"),
        ("Annex 13 Amendment 16", "Annex 13 Amendment 17"),
        ("Amendment", "Amendment 16"),
        ("SB-2024-001 Rev A", "SB-2024-001 Rev B"),
        ("Rev", "Rev A"),
        ("ASR1603", "ASR1605"),
        ("Part II", "Part III"),
        ("Volume I", "Volume V"),
        ("C++", "C#"),
        ("Vitamin C", "Vitamin D"),
        ("Project 🍎", "Project 🍊"),
        ("1 23", "12 3"),
        ("2023-05-01", "2023-01-05"),
        ("B2B", "B2C"),
    ],
)
def test_codes_tell_names_apart(one, other):
    assert forms.differ_in_code(one, other)
    assert forms.differ_in_code(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ASR-1603", "ASR1603"),
        ("VLDB '98", "VLDB'98"),
        ("A Framework for Streams", "Framework for Streams"),
        ("R&D", "Research"),
        ("Иван Петров", "Анна Сидорова"),
    ],
)
def test_what_is_no_other_code(one, other):
    assert not forms.differ_in_code(one, other)


def test_in_a_personal_name_a_letter_is_an_initial_and_a_numeral_at_the_end_is_a_code():
    assert not forms.differ_in_code("J. Marchetti", "Giulia Marchetti", person=True)
    assert not forms.differ_in_code("Xi Jinping", "Jinping", person=True)
    assert forms.differ_in_code("Henry VIII", "Henry VII", person=True)
    assert forms.differ_in_code("Henry VIII", "Henry", person=True)


def test_a_digit_in_the_place_of_a_letter_is_a_slip_in_a_personal_name_alone():
    assert not forms.differ_in_code("Charles D3nton", "Charles Denton", person=True)
    assert forms.differ_in_code("Charles D3nton", "Charles Denton")
    assert forms.differ_in_code("Agent7", "Agent8", person=True)
    assert forms.differ_in_code("Charles Denton 3", "Charles Denton", person=True)
    assert not forms.is_digit_slip("b2b", "btb")


@pytest.mark.parametrize(
    ("name", "core", "legal"),
    [
        ("Acme Corp", ("acme",), ("corp",)),
        ("The ACME Corporation", ("acme",), ("corp",)),
        ("Acme", ("acme",), ()),
        ("Acme Labs", ("acme", "labs"), ()),
        ("Keller GmbH & Co. KG", ("keller",), ("co", "gmbh", "kg")),
        ("Novo A/S", ("novo",), ("as",)),
        ("Company", ("company",), ()),
    ],
)
def test_legal_forms(name, core, legal):
    assert forms.legal_parts(name) == (core, legal)


def test_acronyms():
    assert forms.acronyms("New York City") == {"nyc"}
    assert forms.acronyms("Bank of Spain") == {"bos", "bs"}
    assert forms.acronyms("Spain") == frozenset()
    assert forms.as_acronym("U.S.A.") == "usa"
    assert forms.as_acronym("NYC") == "nyc"
    assert forms.as_acronym("Nyc") is None
    assert forms.as_acronym("A1") is None


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("turst", "trust", True),
        ("brightman", "brihgtmen", True),
        ("cranel", "cranelr", False),
        ("model", "models", False),
        ("north", "south", False),
        ("mars", "marx", False),
        ("東京都庁", "東京都町", False),
        ("петров", "петроф", True),
        ("a1234", "a1235", False),
    ],
)
def test_slips_of_the_pen(one, other, slip):
    assert forms.is_typo(one, other) is slip
    assert forms.is_typo(other, one) is slip


@pytest.mark.parametrize(
    ("name", "given_names", "family"),
    [
        ("Andrej Karpathy", ("andrej",), "karpathy"),
        ("Karpathy, Andrej", ("andrej",), "karpathy"),
        ("Dr. Amara Chen", ("amara",), "chen"),
        ("Dr. Chen", (), "chen"),
        ("Aunt Clara", ("clara",), ""),
        ("Ludwig van Beethoven", ("ludwig",), "beethoven"),
        ("Vincent J. van der Berg", ("vincent", "j"), "berg"),
        ("J.R.R. Tolkien", ("j", "r", "r"), "tolkien"),
        ('Robert "Bob" Keane', ("robert", "bob"), "keane"),
        ("Mary Smith-Jones", ("mary",), "smith-jones"),
        ("Sinéad O’Connor", ("sinead",), "oconnor"),
        ("Sarah Baron", ("sarah",), "baron"),
        ("Chris", ("chris",), ""),
        ("Ada Lovelace, PhD", ("ada",), "lovelace"),
    ],
)
def test_personal_names(name, given_names, family):
    parsed = parse_person(name)
    assert (parsed.given, parsed.family) == (given_names, family)


def test_what_else_a_personal_name_tells():
    assert parse_person("John Smith Jr.").generation == "junior"
    assert parse_person("Smith, John, Jr.").family == "smith"
    assert parse_person("Sir Henry Cox, 9th Baronet") == PersonName(("henry",), "cox", "9")
    assert strip_title("Henry Lorne, Earl of Grey") == ("Henry Lorne", "")
    assert parse_person("Anna Berg (cousin)").qualifier == "cousin"
    assert parse_person("张伟") == PersonName(("张伟",), "张伟", whole=True)
    assert parse_person("A.C.").only_initials
    assert parse_person("Dr. Amara Chen").initials == "ac"
    assert parse_person("Chris").bare
    assert parse_person("") == PersonName((), "")


def test_short_names():
    assert "robert" in long_forms("bob")
    assert "rebecca" in long_forms("becki")
    assert is_nickname("liz", "elizabeth")
    assert is_nickname("lizzie", "elizabeth")
    assert is_nickname("bob", "rob")
    assert not is_nickname("nora", "sofia")
    assert is_given_name("chris")
    assert not is_given_name("feldt")


def test_sounds():
    assert initial_of("giulia") == initial_of("julia") == "j"
    assert initial_of("karl") == initial_of("carl")
    assert skeleton("hutchens") == skeleton("hutchins")
    assert skeleton("willson") == skeleton("wilson")
    assert skeleton("berg") != skeleton("brandt")


@given(st.text(max_size=30))
def test_any_text_has_forms(name):
    assert forms.plain_key(forms.plain_key(name)) == forms.plain_key(name)
    assert not forms.differ_in_code(name, name)
    assert not forms.differ_in_code(name, name, person=True)
    assert all(forms.words(name))
    assert parse_person(name) == parse_person(name.strip())


@pytest.mark.parametrize(
    ("name", "kind", "others"),
    [
        ("Brannock Foods Ltd", EntityType.ORGANIZATION, ("Brannock Foods",)),
        ("Foo Bar, Inc.", EntityType.ORGANIZATION, ("Foo Bar",)),
        ("Acme Co. KG", EntityType.ORGANIZATION, ("Acme Co.", "Acme")),
        ("The Olo Radio", EntityType.ORGANIZATION, ("Olo Radio",)),
        ("Acme", EntityType.ORGANIZATION, ()),
        ("Ltd", EntityType.ORGANIZATION, ()),
        ("Brannock Foods Ltd", EntityType.LOCATION, ()),
        ("Karpathy, Andrej", EntityType.PERSON, ("Andrej Karpathy",)),
        ("Andrej Karpathy", EntityType.PERSON, ()),
        ("Berg, Jr", EntityType.PERSON, ()),
    ],
)
def test_other_spellings_that_mean_the_same(name, kind, others):
    assert variants(name, kind) == others


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Henrik Lund (director)", ("Henrik Lund",)),
        ("Quiet Harbour (1951 film)", ("Quiet Harbour",)),
        ("Anna of Lund (1578–1658)", ("Anna of Lund",)),
        ("State Machine Replication (SMR)", ("State Machine Replication", "SMR")),
        ("哈希 合并（编程）", ("哈希 合并",)),
        ("Mercury (planet)", ()),
        ("管道(golang)", ()),
        ("Henrik Lund", ()),
        ("Henrik (Hank) Lund", ()),
        ("f(x) and more (y) (z)", ()),
        ("(director)", ()),
    ],
)
def test_a_title_without_its_brackets(name, bare):
    assert without_brackets(name) == bare


@pytest.mark.parametrize(
    ("short", "full", "is_short"),
    [
        ("DBU", "Dockside Bakers' Union", True),
        ("D.B.U.", "Dockside Bakers' Union", True),
        ("MFS", "Ministry of Food Safety", True),
        ("BFL", "Brannock Foods Ltd", True),
        ("UN", "United Nations", False),
        ("DBU", "Dockside Builders", False),
        ("dbu", "Dockside Bakers' Union", False),
    ],
)
def test_three_capitals_are_the_first_letters(short, full, is_short):
    assert is_acronym_of(short, full) is is_short


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Brannock Foods Ltd", "Brannock"),
        ("Halden Freight AS", "Halden"),
        ("Acme Ltd", None),
        ("National Bakers", None),
        ("Thomas Cook Group", None),
        ("IBM Research", None),
    ],
)
def test_the_word_by_which_an_organization_is_called(name, word):
    assert first_word(name) == word


@pytest.mark.parametrize(("one", "other"), [("محمد علي", "محمد عليّ"), ("אברהם", "אַבְרָהָם")])
def test_vowel_points_are_mostly_left_out(one, other):
    assert forms.plain_key(one) == forms.plain_key(other)
    assert forms.name_key(one) != forms.name_key(other)
