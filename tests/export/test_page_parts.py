import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.export.left_alone import LeftAloneError
from kgmem.export.parts import BEGIN, END, digest, new_page, take_apart

OURS = {"kgmem_id": ("0123456789abcdef",), "title": ("Mira",), "aliases": ("M", "Mi: ra"), "mentions": ("3",)}
LATER = {"kgmem_id": ("0123456789abcdef",), "title": ("Mira H",), "aliases": (), "sources": ("2",)}
PAGE = new_page(OURS, "# Mira\n")
LINES = st.lists(st.text(alphabet="ab #-|:é\t", max_size=8), max_size=5)


def test_a_new_page_is_what_it_says():
    assert PAGE == (
        '---\nkgmem_id: "0123456789abcdef"\ntitle: "Mira"\naliases:\n  - "M"\n  - "Mi: ra"\nmentions: 3\n---\n\n'
        "<!-- kgmem:begin -->\n# Mira\n<!-- kgmem:end -->\n"
    )
    parts = take_apart(PAGE)
    assert (parts.text, parts.ours, parts.block, parts.untouched) == (PAGE, OURS, "# Mira\n", True)
    assert parts.saying(OURS, "# Mira\n").text == PAGE


def test_other_properties_take_the_place_of_the_old_ones():
    page = PAGE.replace("mentions: 3\n", "rating: 5\nmentions: 3\n# mine\n").replace("---\n\n", "---\nabove\n\n")
    assert take_apart(page).saying(LATER, "# Mira H\n").text == (
        '---\nkgmem_id: "0123456789abcdef"\ntitle: "Mira H"\naliases: []\nrating: 5\nsources: 2\n# mine\n---\nabove\n\n'
        "<!-- kgmem:begin -->\n# Mira H\n<!-- kgmem:end -->\n"
    )


def test_properties_that_another_program_spelled_anew_are_not_edited():
    respelled = "---\nkgmem_id: 0123456789abcdef\ntitle: 'Mira'\naliases: [M, 'Mi: ra']\nmentions: 3\nrating: 5\n---\n"
    page = respelled + PAGE.partition("---\n\n")[2]
    parts = take_apart(page)
    assert parts.digest == digest(OURS, "# Mira\n")
    assert parts.saying(OURS, "# Mira\n").text == page


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (BEGIN, "", "the markers around our part are broken"),
        (END, "", "the markers around our part are broken"),
        (END, f"{END}\n{END}", "the markers around our part are broken"),
        (BEGIN, f"x {BEGIN}", "the markers around our part are broken"),
        ("---\nkgmem", "kgmem", "its frontmatter is gone"),
        ("mentions: 3", "mentions: [3", "its frontmatter is not YAML"),
        ("mentions: 3", "title: other", "a property stands in it twice"),
    ],
)
def test_a_page_that_is_broken_says_how(old, new, message):
    with pytest.raises(LeftAloneError, match=message):
        take_apart(PAGE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("---\n\n<!", "---\n\nmine\n<!"),
        ("end -->\n", "end -->\nmine"),
        ("title", "rating: 5\ntitle"),
        ("title", "# c\ntitle"),
    ],
)
def test_text_of_a_person_is_noticed(old, new):
    assert not take_apart(PAGE.replace(old, new, 1)).untouched


@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]))
def test_text_around_our_part_survives_byte_for_byte(above, below, ending, mark):
    page = mark + PAGE.replace("---\n\n", f"tags:\n- a\n\n- b\nrating: 5\n---\n{chr(10).join(above)}\n", 1)
    page = (page + "\n".join(below)).replace("\n", ending)
    said = take_apart(page).saying(LATER, "# Mira H\n\nnew\n").text
    before, _, rest = page.partition(f"{BEGIN}{ending}")
    after = rest.partition(END)[2]
    assert said.endswith(f"{BEGIN}{ending}# Mira H{ending}{ending}new{ending}{END}{after}")
    kept = before.partition(f"mentions: 3{ending}")[2]
    assert kept.startswith(f"tags:{ending}- a")
    assert kept in said
    assert said.startswith(f"{mark}---{ending}kgmem_id:")
    assert said.count("\n") == said.count(ending)
    assert take_apart(said).saying(LATER, "# Mira H\n\nnew\n").text == said
