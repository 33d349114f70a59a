import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sources.resolving import nowhere

from kgmem.sources.obsidian import Vault
from kgmem.sources.obsidian.text import plain
from kgmem.sources.outline.inline import scan_outline
from kgmem.sources.outline.marks import reading
from kgmem.sources.outline.pages import Graph
from kgmem.sources.plain.inline import scan_plain, without_definitions

MARKS = """
[[ ]] [ ] ( ) (( )) ` ``` ~~~ <!-- --> :: | # #[[ ## - > * _ ^^ {{ }} {{[[TODO]]}} TODO DONE title:: id:: tags:: alias::
collapsed:: template:: author:: full-title:: category:: +++ --- === SCHEDULED: <2024-01-02> :LOGBOOK: :END: type_:
#+BEGIN_QUERY #+END_QUERY {{cloze [x]: [x] [x][y] <a </a> href="a.md"> 63f0a1b2-0000-4000-8000-000000000001 Key: , = "
"""
PIECES = st.one_of(
    st.sampled_from([*MARKS.split(), " ", "\n", "\n\n", "  ", "\t", "\n- ", "\n\t- ", "é", "名", "key"]),
    st.text(max_size=4),
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)
KINDS = st.sampled_from(["paragraph", "item", "task", "quote", "heading", "table"])
HEX = "0123456789abcdef0123456789abcdef"
PATHS = [
    ("logseq", "pages/A___B.md"),
    ("logseq", "journals/2024_01_02.md"),
    ("roam", "January 2nd, 2024.md"),
    ("roam", "graph.json#Mira"),
    ("text", "docs/README.md"),
    ("text", "2024-01-02-on-wine.md"),
    ("text", f"Trip {HEX}.md"),
    ("text", f"{HEX}.md"),
]


@pytest.mark.parametrize(("kind", "path"), PATHS)
@given(text=TEXTS)
def test_any_text_is_a_note_and_reads_the_same_again(kind, path, text):
    if "#" in path:
        text = f"title:: Mira\n{text}"
    vault = Vault(Path("/nowhere at all"), kind=kind)
    document = vault.parse(path, text, mtime_ns=0)
    again = Vault(Path("/nowhere at all"), kind=kind).parse(path, document.text, mtime_ns=0)
    assert (again.head, again.blocks, again.hash) == (document.head, document.blocks, document.hash)
    lines = plain(text).count("\n") + 1
    for block in document.blocks:
        assert 1 <= block.first_line <= block.last_line <= lines
        assert len(block.prose) == len(block.text)
        assert all(block.text[link.shown_start : link.shown_end] == link.shown for link in block.links)
        assert all(0 <= link.start <= link.shown_start <= link.shown_end <= link.end for link in block.links)
    assert all(1 <= each.line <= lines for each in document.head.properties)


@given(TEXTS, KINDS)
def test_prose_and_links_of_outlines_fit_the_text(text, kind):
    check(plain(text), kind, scan_outline)


@given(TEXTS, KINDS)
def test_prose_and_links_of_plain_markdown_fit_the_text(text, kind):
    left, references = without_definitions(plain(text))
    check(left, kind, scan_plain({**references, "x": "a.md"}))


def check(source, kind, scan):
    inline = scan(source, kind, 1, nowhere)
    assert len(inline.prose) == len(source)
    assert all(kept in {" ", written} for kept, written in zip(inline.prose, source, strict=True))
    assert all(source[link.shown_start : link.shown_end] == link.shown for link in inline.links)
    assert all(1 <= each.line <= source.count("\n") + 1 for _, each in inline.fields)


@given(TEXTS)
def test_what_is_blanked_out_keeps_length_and_lines(text):
    source = plain(text)
    for left in (reading(source), without_definitions(source)[0]):
        assert [len(line) for line in left.split("\n")] == [len(line) for line in source.split("\n")]


BLOCKS = st.recursive(
    st.fixed_dictionaries({"string": TEXTS, "uid": st.sampled_from(["aaaaaa001", "aaaaaa002", "aaaaaa003"])}),
    lambda inner: st.fixed_dictionaries({"string": TEXTS, "children": st.lists(inner, max_size=3)}),
    max_leaves=6,
)
PAGES = st.lists(
    st.fixed_dictionaries({"title": st.text(max_size=8), "children": st.lists(BLOCKS, max_size=3)}), max_size=4
)


@given(pages=PAGES)
def test_any_export_of_roam_is_read(pages, tmp_path_factory):
    file = tmp_path_factory.mktemp("graph") / "graph.json"
    file.write_text(json.dumps(pages), encoding="utf-8")
    graph = Graph(file)
    titled = [each for each in pages if each["children"] and each["title"].split()]
    assert len(list(graph.names)) == len(titled)
    vault = Vault(Path("/nowhere at all"), kind="text")
    for name in graph.names:
        body = graph.body(name)
        assert vault.parse(f"graph.json#{name}", body, mtime_ns=0).text == body
