from pathlib import Path

import pytest

from kgmem.sources.obsidian import Vault

LINK = "https://readwise.io/to_kindle?action=open&asin=B1&location=809"
DEFAULT = f"""\
# Tides

![rw-book-cover](https://example.org/cover.jpg)

## Metadata
- Author: [[Ann Lee]], [[Bo Katz]]
- Full Title: Tides: A Life
- Category: #books
- Document Tags: [[sea]] #slow
- URL: https://example.org/tides

## Highlights
- The moon pulls,
  twice ([Location 809]({LINK})) ^rw7
    - Tags: [[moon]] [[.favorite]]
    - Note: First line
      and [[Mira]].

## New highlights added October 19, 2023 at 11:39 AM
- The water follows ([Page 12]({LINK}))
"""


def read(text, path="Tides.md"):
    return Vault(Path("nowhere at all")).parse(path, text, mtime_ns=0)


def test_the_default_template():
    document = read(DEFAULT)
    head = document.head
    assert (head.title, head.aliases, head.tags) == ("Tides", ("Tides: A Life",), ("sea", "slow"))
    assert {each.key: [value.text for value in each.values] for each in head.properties} == {
        "author": ["[[Ann Lee]]", "[[Bo Katz]]"], "category": ["books"], "url": ["https://example.org/tides"],
    }  # fmt: skip
    lines = DEFAULT.splitlines()
    one, other = (each for each in document.blocks if each.kind == "highlight")
    assert (one.text, one.first_line, one.last_line) == ("The moon pulls,\ntwice", 13, 14)
    assert (one.tags, one.block_id, one.headings[-1], one.said) == (("moon",), "rw7", "location 809, #moon", None)
    assert (other.text, other.headings[-1], other.said.shown) == (
        "The water follows", "page 12, 2023-10-19", "2023-10-19",
    )  # fmt: skip
    (note,) = (each for each in document.blocks if each.kind == "paragraph")
    assert (note.text, [link.target for link in note.links]) == ("First line\nand [[Mira]].", ["Mira"])
    assert [lines[at - 1].split()[-1] for at in (note.first_line, note.last_line)] == ["line", "[[Mira]]."]
    assert not any("rw-book-cover" in each.text for each in document.blocks)


def test_its_head_is_the_same_when_only_that_is_read(tmp_path):
    (tmp_path / "Tides.md").write_text(DEFAULT)
    vault = Vault(tmp_path)
    (found,) = vault.scan({}).added
    assert found.head.uid == vault.read("Tides.md").head.uid
    assert found.head.uid is not None


def test_a_template_of_quotes_and_frontmatter():
    text = (
        '---\nauthor: Ann Lee\nfullTitle: "Tides: A Life"\ncategory: "#articles"\n---\n\n## Highlights\n\n'
        "> The moon pulls ([View Highlight](https://read.readwise.io/read/01x))\n\nMy own words.\n"
    )
    document = read(text)
    assert document.head.uid == read(DEFAULT).head.uid
    assert [(each.kind, each.text) for each in document.blocks[-2:]] == [
        ("highlight", "The moon pulls"), ("paragraph", "My own words."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "## Highlights\n- Lunch with Mira\n- A walk\n",
        "## Metadata\n- Author: [[Ann Lee]]\n\n## Highlights\n- mine\n",
        "Readwise is fine.\n\n## Highlights of the week\n- mine\n",
    ],
)
def test_a_template_of_ones_own_is_a_plain_note(text):
    document = read(text)
    assert document.head.uid is None
    assert {each.kind for each in document.blocks} <= {"title", "heading", "item", "paragraph"}
