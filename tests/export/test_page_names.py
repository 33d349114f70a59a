import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.export.names import page_paths, safe_name
from kgmem.model import Entity, EntityType, identify

FORBIDDEN = set('<>:"/\\|?*#^[]%') | {chr(code) for code in (*range(32), *range(127, 160))}


def entity(name, kind=EntityType.OBJECT, key=None):
    return Entity(identify(name if key is None else key), name, kind)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Mira Halden", "Mira Halden"),
        ("AC/DC", "AC DC"),
        ("Who?", "Who"),
        ("A|B", "A B"),
        ("C#", "C"),
        ("C++", "C++"),
        ("CON", "_CON"),
        ("com1.txt", "_com1.txt"),
        ("Console", "Console"),
        ("x.", "x"),
        (".hidden", "hidden"),
        ("..", "unnamed"),
        ("???", "unnamed"),
        ("", "unnamed"),
        ("README.md", "README md"),
        ("Node.js", "Node.js"),
        ("“Sum: Sapiens: a brief history”", "“Sum Sapiens a brief history”"),
        ("two\nlines\tand  spaces", "two lines and spaces"),
        ("e\u0301", "é"),
        ("\u202egpj.exe", "gpj.exe"),
        ("100% wool", "100 wool"),
        ("x" * 300, "x" * 120),
        ("é" * 300, "é" * 60),
        ("山" * 300, "山" * 40),
        ("示例模块", "示例模块"),
    ],
)
def test_a_name_becomes_a_file_name(name, expected):
    assert safe_name(name) == expected


@given(st.text(max_size=300))
def test_any_text_becomes_a_valid_file_name(name):
    safe = safe_name(name)
    assert safe
    assert not FORBIDDEN & set(safe)
    assert len(f"{safe} (0123456789abcdef).md".encode()) <= 255
    assert safe == safe.strip(" .")
    assert safe == unicodedata.normalize("NFC", safe)
    assert not re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", safe)
    assert safe_name(safe) == safe


def test_each_type_has_a_folder_and_each_page_one_of_its_own():
    kinds = {
        EntityType.PERSON: "People",
        EntityType.ORGANIZATION: "Organizations",
        EntityType.LOCATION: "Locations",
        EntityType.EVENT: "Events",
        EntityType.OBJECT: "Objects",
    }
    made = [entity("Mercury", kind, key=kind) for kind in kinds]
    assert sorted(page_paths(made, {}).values()) == sorted(f"{each}/Mercury/Mercury.md" for each in kinds.values())


def test_of_two_the_one_whose_name_it_is_has_the_plain_path():
    sharp, plain = Entity("00" * 8, "C#", EntityType.OBJECT), Entity("ff" * 8, "C", EntityType.OBJECT)
    assert page_paths([sharp, plain], {}) == {plain.id: "Objects/C/C.md", sharp.id: "Objects/C (000000)/C (000000).md"}


def test_a_page_keeps_its_path_when_a_homonym_comes():
    first, second = Entity("bb" * 8, "Ana", EntityType.PERSON), Entity("aa" * 8, "Ana", EntityType.PERSON)
    held = page_paths([first], {})
    assert page_paths([second, first], held)[first.id] == "People/Ana/Ana.md"
    assert page_paths([second, first], {})[second.id] == "People/Ana/Ana.md"


def test_equal_starts_of_ids_give_longer_suffixes():
    ids = ["aaaaaa0000000000", "aaaaaa1111111111", "aaaaaa2222222222"]
    paths = page_paths([Entity(each, "X", EntityType.OBJECT) for each in ids], {})
    assert [paths[each] for each in ids] == [
        "Objects/X/X.md",
        "Objects/X (aaaaaa)/X (aaaaaa).md",
        "Objects/X (aaaaaa2222)/X (aaaaaa2222).md",
    ]


@given(
    st.lists(st.sampled_from(["é", "É", "e\u0301", "a/b", "a b", "A?B", "CON", "con", "ß", "ss", "?", ""]), max_size=12)
)
def test_paths_differ_without_case_and_composition_in_any_order(names):
    made = [entity(name, key=f"{place}") for place, name in enumerate(names)]
    paths = page_paths(made, {})
    folded = {unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold()) for path in paths.values()}
    assert len(folded) == len(made)
    assert page_paths(reversed(made), {}) == paths
    assert page_paths(made, paths) == paths
