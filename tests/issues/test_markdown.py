"""Public reports about Markdown, links and tags, each with the input that broke a tool like ours."""

import json
from pathlib import Path

from kgmem.sources.document import Document, Link, SourceSettings
from kgmem.sources.obsidian import Vault


def read(folder: Path, text: str, *others: str, name: str = "Note.md") -> Document:
    for path in (name, *others):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text if path == name else "x", encoding="utf-8")
    vault = Vault(folder, SourceSettings())
    vault.scan({})
    return vault.read(name)


def links(document: Document) -> list[Link]:
    return [link for block in document.blocks for link in block.links]


def test_obsidiantools_wikilinks_in_code(tmp_path):
    text = "```r\ntibble[['column_name']]\n[[note]]\n```\n\nInline `[[note]]` and ``a ` [[b]]``.\n"
    assert links(read(tmp_path, text)) == []


def test_obsidiantools_embedded_image_in_a_table(tmp_path):
    text = "| a | b |\n|---|---|\n| ![[before.png \\| 300]] | **[[Strategy 1]]** |\n"
    image, note = links(read(tmp_path, text))
    assert (image.target, image.embed, image.attachment, image.shown) == ("before.png", True, True, "before.png")
    assert (note.target, note.embed, note.attachment) == ("Strategy 1", False, False)


def test_obsidiantools_wikilinks_extraction(tmp_path):
    found = links(read(tmp_path, "[[C|see]] [[D#one|dee]] [[E#one | ee ]] [[A]] [[A]]"))
    assert [(link.target, link.shown, link.heading) for link in found] == [
        ("C", "see", None),
        ("D", "dee", "one"),
        ("E", "ee", "one"),
        ("A", "A", None),
        ("A", "A", None),
    ]


def test_zk_16_link_to_a_section(tmp_path):
    (link,) = links(read(tmp_path, "[[other#section]]", "other.md"))
    assert link.path == "other.md"


def test_zk_170_link_from_a_folder_to_the_root(tmp_path):
    (link,) = links(read(tmp_path, "[[one]]", "one.md", name="my_dir/three.md"))
    assert link.path == "one.md"


def test_zk_86_encoded_spaces(tmp_path):
    (link,) = links(read(tmp_path, "[x](202110031652%20foo%20bar)", "202110031652 foo bar.md"))
    assert (link.target, link.shown, link.path) == ("202110031652 foo bar", "x", "202110031652 foo bar.md")


def test_zk_118_one_letter_tag(tmp_path):
    assert read(tmp_path, "#A").blocks[1].tags == ("A",)


def test_zk_185_table_separator(tmp_path):
    table = read(tmp_path, "|a|b|\n|:---:|---|\n|c|d|\n").blocks[1]
    assert (table.kind, table.tags, table.fields) == ("table", (), ())
    assert table.prose.split() == ["a", "b", "c", "d"]


def test_basic_memory_1260_links_in_an_item(tmp_path):
    item = read(tmp_path, "- Added [[Mira]] to the roster with [[Jon]]\n").blocks[1]
    assert (item.kind, [link.target for link in item.links], item.fields) == ("item", ["Mira", "Jon"], ())


def test_basic_memory_769_callout(tmp_path):
    callout = read(tmp_path, "> [!note] Title\n> Words.\n").blocks[1]
    assert (callout.kind, callout.prose.split()) == ("callout", ["Title", "Words."])
    assert (callout.links, callout.tags, callout.fields) == ((), (), ())


def test_basic_memory_824_words_before_a_link(tmp_path):
    first, second = read(tmp_path, '- some other thing [[Target]]\n- "relates to" [[Target]]\n').blocks[1:]
    for item in (first, second):
        assert ([link.target for link in item.links], item.fields) == (["Target"], ())


def test_obsidian_smart_export_72_suffixes(tmp_path):
    text = "[[note#^37066d]] [[note#A#B]] [[#Heading]] [[Other.md]] ![[img.png]]"
    block, nested, self_link, file, image = links(read(tmp_path, text, "Other.md"))
    assert (block.target, block.block, block.heading) == ("note", "37066d", None)
    assert (nested.target, nested.heading) == ("note", "A#B")
    assert (self_link.target, self_link.heading, self_link.path) == ("", "Heading", "Note.md")
    assert (file.target, file.path) == ("Other", "Other.md")
    assert image.attachment


def test_zk_389_quotes_in_a_title(tmp_path):
    document = read(tmp_path, "---\ntitle: 'A \"double\" and ''single'' one'\n---\n")
    assert document.head.title == "A \"double\" and 'single' one"
    assert json.loads(json.dumps(document.head.title)) == document.head.title
