"""What the form of a note says: properties, fields, links, headings, canvas."""

import pytest

from kgmem.extraction.ontology import load_ontology
from kgmem.extraction.structure import read_structure
from kgmem.model import Basis, EntityType
from kgmem.sources.obsidian import Vault

ONTOLOGY = load_ontology()


@pytest.fixture
def read(tmp_path):
    """Write notes, and read one of them: its claims as short texts."""

    def run(path, text, **others):
        for name, content in {path: text, **{f"{k}.md": v for k, v in others.items()}}.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        vault = Vault(tmp_path)
        vault.scan({})
        document = vault.read(path)
        typing = ONTOLOGY.type_of(document.head, path.split("/")[:-1], daily=document.daily)
        return typing, read_structure(document, typing, ONTOLOGY)

    return run


def said(structure):
    """(subject, predicate, object or value) of each claim; the note itself is ``.``."""
    return {
        (
            c.subject.name if c.subject else ".",
            c.predicate,
            "." if c.object_is_note else c.object.name if c.object else c.value,
        )
        for c in structure.claims
    }


def test_a_property_with_a_link_is_a_claim_about_an_entity(read):
    _, structure = read("People/Mira.md", '---\nemployer: "[[Château Sud]]"\n---\n')
    assert said(structure) == {(".", "WORKS_AT", "Château Sud")}
    (claim,) = structure.claims
    assert (claim.statement, claim.quote) == ("Mira works at Château Sud.", 'employer: "[[Château Sud]]"')
    assert claim.object.typing.type is EntityType.ORGANIZATION


def test_a_property_from_the_other_side_turns_round(read):
    _, structure = read("Companies/Château Sud.md", '---\nemployees:\n  - "[[Mira]]"\n  - "[[Jon]]"\n---\n')
    assert said(structure) == {("Mira", "WORKS_AT", "."), ("Jon", "WORKS_AT", ".")}
    assert {c.statement for c in structure.claims} == {
        "Mira works at Château Sud.",
        "Jon works at Château Sud.",
    }


def test_plain_text_where_an_entity_is_expected_names_one(read):
    _, structure = read("People/Mira.md", "---\nemployer: Château Sud\n---\n")
    assert said(structure) == {(".", "WORKS_AT", "Château Sud")}


def test_a_dated_property_says_when(read):
    _, structure = read("People/Mira.md", "works_at:: [[Nord]] (2015 – 2023-03)\nworks_at:: [[Sud]] (since 2023-04)\n")
    dates = {c.object.name: (c.valid.start.shown, c.valid.end.shown) for c in structure.claims if c.object}
    assert dates == {"Nord": ("2015", "2023-03"), "Sud": ("2023-04", None)}


def test_parentheses_that_hold_no_period_belong_to_the_value(read):
    _, structure = read("a.md", "---\nnickname: Jo (the tall one)\n---\n")
    assert said(structure) == {(".", "NICKNAME", "Jo (the tall one)")}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("[[Acme]] (2024-02-30)", "date"),
        ("[[Acme]] (5-3-2021 – 6-3-2021)", "date"),
        ("[[Acme]] (since 5.3.2021)", "date"),
        ("[[Acme]] (2023 – 2019)", "period"),
    ],
)
def test_a_date_that_cannot_be_is_a_problem_with_its_line(read, value, kind):
    _, structure = read("People/Mira.md", f'---\nrole: baker\nworks_at: "{value}"\n---\n')
    assert [(p.path, p.line, p.kind) for p in structure.problems] == [("People/Mira.md", 3, kind)]


def test_a_date_that_cannot_be_read_is_no_part_of_a_name_and_not_the_date_of_the_note(read):
    _, structure = read("People/Mira.md", "---\ndate: 2026-03-01\nlives_in: Bonn (5-3-2021 – 6-3-2021)\n---\n")
    (claim,) = structure.claims
    assert (claim.object.name, claim.valid.start.shown, claim.said.shown) == ("Bonn", None, None)


def test_an_item_with_a_date_that_cannot_be_is_a_problem_too(read):
    _, structure = read("People/Mira.md", "## Friends\n\n- [[Jon]] (since 2019-02-30)\n")
    assert [(p.line, p.kind) for p in structure.problems] == [(3, "date")]


def test_what_is_timeless_is_not_dated_by_its_note(read):
    _, structure = read("People/Mira.md", '---\ndate: 2024-05-02\nmother: "[[Ada]]"\nmood: calm\n---\n')
    assert {c.predicate: c.said.shown for c in structure.claims} == {"PARENT_OF": None, "MOOD": "2024-05-02"}


def test_a_link_says_that_the_note_links_with_its_sentence(read):
    text = "First one. Coffee with [[Mira]] at the port! Then home.\n"
    _, structure = read("2024-05-02.md", text)
    (claim,) = structure.claims
    assert (claim.predicate, claim.object.name) == ("LINKS_TO", "Mira")
    assert claim.statement == "Coffee with Mira at the port!"
    assert (claim.said.basis, claim.said.shown) == (Basis.NOTE, "2024-05-02")


def test_a_bullet_with_a_link_coins_no_relation(read):
    _, structure = read("log.md", "- Added [[Mira]] to the roster with [[Jon]]\n")
    assert said(structure) == {(".", "LINKS_TO", "Mira"), (".", "LINKS_TO", "Jon")}


def test_links_to_itself_to_pictures_and_in_code_say_nothing(read):
    _, structure = read("a.md", "[[#Top]] ![[x.png]] `[[b]]` [site](https://example.org)\n")
    assert said(structure) == set()


def test_items_under_a_heading_that_names_a_predicate_are_claims(read):
    _, structure = read("People/Mira.md", "## Friends\n\n- [[Jon]] (since 2019)\n- met [[Ada]] once\n")
    assert (".", "FRIEND_OF", "Jon") in said(structure)
    assert (".", "FRIEND_OF", "Ada") not in said(structure)
    (friend,) = [c for c in structure.claims if c.predicate == "FRIEND_OF"]
    assert friend.valid.start.shown == "2019"


def test_properties_of_a_lasting_note_are_not_dated_by_its_creation(read):
    _, structure = read("People/Mira.md", "---\ncreated: 2021-03-01\nrole: baker\n---\n")
    (claim,) = structure.claims
    assert (claim.said.basis, claim.said.shown) == (Basis.FILE, None)


def test_properties_of_a_daily_note_are_dated_by_its_day(read):
    _, structure = read("2024-05-02.md", "---\nmood: calm\n---\n")
    (claim,) = structure.claims
    assert (claim.predicate, claim.said.shown) == ("MOOD", "2024-05-02")


def test_values_stay_as_typed(read):
    _, structure = read("a.md", "---\ncountry: NO\nat: 12:30:45\ncode: 0123\nversion: 1.10\n---\n")
    assert {value for _, _, value in said(structure)} == {"NO", "12:30:45", "0123", "1.10"}


def test_properties_about_the_note_itself_are_no_facts(read):
    text = "---\ntags: [x]\naliases: [y]\ncssclasses: z\nmodified: 2024-01-01\nsr-due: 2024-02-02\ntype: person\n---\n"
    assert said(read("a.md", text)[1]) == set()


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.md", "---\ntype: person\n---\n", ("Person", "Individual", 0)),
        ("a.md", '---\ncategories:\n  - "[[Movies]]"\n---\n', ("Object", "Film", 0)),
        ("a.md", "---\nbirthday: 1990-01-01\n---\n", ("Person", "Individual", 1)),
        ("a.md", "---\ntags: [area/company]\n---\n", ("Organization", "Company", 2)),
        ("People/Friends/a.md", "hello", ("Person", "Individual", 3)),
        ("2024-05-02.md", "hello", ("Event", "Day", 3)),
        ("a.md", "hello", ("Object", "Note", 8)),
    ],
)
def test_the_type_of_a_note(read, path, text, expected):
    typing, _ = read(path, text)
    assert (typing.type.value, typing.subtype, typing.rank) == expected


def test_a_labelled_arrow_of_a_canvas_is_a_claim(read):
    canvas = (
        '{"nodes":[{"id":"1","type":"file","file":"Mira.md"},{"id":"2","type":"file","file":"Sud.md"}],'
        '"edges":[{"id":"e","fromNode":"1","toNode":"2","label":"works at"}]}'
    )
    _, structure = read("map.canvas", canvas, Mira="x", Sud="y")
    assert any((s, o) == ("Mira", "Sud") for s, p, o in said(structure) if p in ("WORKS_AT", "WORKS_AT"))
