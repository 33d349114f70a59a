from pathlib import Path
from unittest import mock

import yaml
from hypothesis import given
from hypothesis import strategies as st
from sources.resolving import nowhere

from kgmem.sources.document import SourceSettings
from kgmem.sources.obsidian import Vault, frontmatter
from kgmem.sources.obsidian.frontmatter import read_frontmatter, read_properties
from kgmem.sources.obsidian.inline import scan_inline
from kgmem.sources.obsidian.markdown import blocks
from kgmem.sources.obsidian.text import plain, without_comments

MARKS = "[[ ]] [ ] ( ) ` `` ``` ~~~ %% <!-- --> :: | \\| # - > * _ == $ $$ ^a ![[ ]( .md https:// ---"
MORE = [*MARKS.split(), *": , \" ' & * @ {{".split(), "\n", "\n\n", "  ", "\t", "- [ ] ", "1. ", "key", "é", "名"]
PIECES = st.one_of(st.sampled_from(MORE), st.text(max_size=4))
TEXTS = st.lists(PIECES, max_size=40).map("".join)
KINDS = st.sampled_from(["paragraph", "item", "task", "table", "quote", "callout", "heading"])


@given(TEXTS)
def test_frontmatter_reads_anything(text):
    block = plain(text).replace("\n---", "\n")
    found = read_frontmatter(f"---\n{block}\n---\n")
    lines = block.count("\n") + 1
    assert all(2 <= slip.line <= lines + 2 for slip in found.slips)
    assert all(2 <= each.line <= lines + 1 for each in found.properties)
    assert all(2 <= first <= last <= lines + 1 for first, last in found.spans)


@given(TEXTS, KINDS)
def test_prose_and_links_fit_the_text(text, kind):
    source = plain(text)
    inline = scan_inline(source, kind, 1, nowhere)
    assert len(inline.prose) == len(source)
    assert inline.prose.count("\n") == source.count("\n")
    assert all(kept in {" ", written} for kept, written in zip(inline.prose, source, strict=True))
    for link in inline.links:
        written = source[link.start : link.end]
        assert written.endswith(("]]", ")"))
        assert source[link.shown_start : link.shown_end] == link.shown
        assert link.start <= link.shown_start <= link.shown_end <= link.end
        assert "%" in written or link.target in written
    for _, field in inline.fields:
        assert 1 <= field.line <= source.count("\n") + 1


@given(TEXTS)
def test_comments_keep_length_and_lines(text):
    source = plain(text)
    left = without_comments(source)
    assert [len(line) for line in left.split("\n")] == [len(line) for line in source.split("\n")]


@given(TEXTS)
def test_blocks_are_in_order_and_inside_the_text(text):
    source = without_comments(plain(text))
    lines = source.split("\n")
    last = 0
    for block in blocks(source, nowhere):
        assert last < block.first_line <= block.last_line <= len(lines)
        assert block.text == "\n".join(lines[block.first_line - 1 : block.last_line])
        assert len(block.prose) == len(block.text)
        assert all(block.text[link.shown_start : link.shown_end] == link.shown for link in block.links)
        last = block.last_line


@given(TEXTS)
def test_any_text_is_a_note_and_a_board(text):
    vault = Vault(Path("/nowhere at all"), SourceSettings())
    for path in ("a/Note.md", "a/Board.canvas"):
        document = vault.parse(path, text, mtime_ns=0)
        assert document.text == text
        assert document.blocks[0].kind == "title"


@given(TEXTS)
def test_both_yaml_loaders_agree(text):
    block = plain(text).replace("\n---", "\n")
    found = read_properties(block)
    with mock.patch.object(frontmatter, "_Loader", yaml.BaseLoader):
        other = read_properties(block)
    if not found.slips and not other.slips:
        assert found.properties == other.properties
