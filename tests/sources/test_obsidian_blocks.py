from sources.resolving import nowhere

from kgmem.sources.obsidian.markdown import LONGEST, blocks, property_block
from kgmem.sources.obsidian.text import without_comments


def read(text, offset=0):
    return list(blocks(without_comments(text), nowhere, offset=offset))


def shape(text):
    return [(block.kind, block.first_line, block.last_line) for block in read(text)]


NOTE = """\
# One [[A|word]]
Some words
on two lines.

## Two
- item
  - child

  more of it
- [ ] task 📅 2024-01-02
1. first

> quote

> [!tip] Title
> words

| a | b |
|---|---|
| 1 | 2 |

```py
# no heading
```

---
# Three
last
"""


def test_kinds_and_lines():
    assert shape(NOTE) == [
        ("heading", 1, 1),
        ("paragraph", 2, 3),
        ("heading", 5, 5),
        ("item", 6, 9),
        ("task", 10, 10),
        ("item", 11, 11),
        ("quote", 13, 13),
        ("callout", 15, 16),
        ("table", 18, 20),
        ("code", 22, 24),
        ("heading", 27, 27),
        ("paragraph", 28, 28),
    ]


def test_headings_above_a_block():
    found = {(block.kind, block.first_line): block.headings for block in read(NOTE)}
    assert found["heading", 1] == ()
    assert found["paragraph", 2] == ("One word",)
    assert found["heading", 5] == ("One word",)
    assert found["item", 6] == ("One word", "Two")
    assert found["heading", 27] == ()
    assert found["paragraph", 28] == ("Three",)


def test_offset_counts_the_lines_above():
    assert [block.first_line for block in read("a\n\nb", offset=4)] == [5, 7]


def test_underlined_heading():
    heading, paragraph = read("Title\n=====\ntext")
    assert (heading.kind, heading.last_line, heading.prose.split()) == ("heading", 2, ["Title"])
    assert paragraph.headings == ("Title",)


def test_code_has_no_prose():
    (code,) = read("```\nx = [[a]] #b\n```")
    assert (code.prose.split(), code.links, code.tags) == ([], (), ())
    assert code.prose.count("\n") == 2


def test_comments_leave_no_block():
    assert shape("a\n\n%%\nb\n\n[[c]]\n%%\n\nd") == [("paragraph", 1, 1), ("paragraph", 9, 9)]


def test_block_ids():
    assert [block.block_id for block in read("words ^one\n\n- item ^two\n- other\n\n| a |\n|---|\n\n^three")] == [
        "one",
        "two",
        None,
        "three",
    ]


def test_reference_definitions_and_footnotes_are_paragraphs():
    assert [block.text for block in read("[a]: https://x.org\n\n[^1]: See [[B]].")] == [
        "[a]: https://x.org",
        "[^1]: See [[B]].",
    ]


def test_long_block_is_cut_after_lines():
    line = "x" * 999
    first, second = read("\n".join([line] * 5))
    assert (first.text, second.text) == ("\n".join([line] * 4), line)
    assert [(block.first_line, block.last_line) for block in (first, second)] == [(1, 4), (5, 5)]


def test_long_line_is_cut_after_a_sentence_and_never_in_a_link():
    text = "A sentence. " * 400 + "[[Link]]"
    pieces = read(text)
    assert "".join(piece.text for piece in pieces) == text
    assert all(len(piece.text) <= LONGEST and piece.text.startswith("A sentence.") for piece in pieces)
    assert {piece.first_line for piece in pieces} == {1}
    unbroken = "[[" + "x" * 20 + "]]"
    pieces = read(unbroken * 400)
    assert sum(len(piece.links) for piece in pieces) == 400
    assert all(piece.text[link.start : link.end] == unbroken for piece in pieces for link in piece.links)


def test_property_block():
    block = property_block(["---", "friends:", '  - "[[People/Ann|Annie]]"', "---"], 2, 3, nowhere)
    assert (block.kind, block.first_line, block.last_line) == ("property", 2, 3)
    assert block.text == 'friends:\n  - "[[People/Ann|Annie]]"'
    assert block.prose == "        \n                  Annie   "
    assert [block.text[link.start : link.end] for link in block.links] == ["[[People/Ann|Annie]]"]
