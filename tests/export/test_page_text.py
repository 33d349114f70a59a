import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kgmem.export.text import excerpt, label, prose, quoted

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
PIECES = [*"ab 1.)-+#>*_`~=[]()!<>&;|$^:\n\t\\", "http://x.y/a_b#c", "---", "```", "&lt;", "%%", "<b>", "](x)"]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words", "plain words"),
        ("[[Bo]] and [[People/Bo|Bo B]]", "Bo and Bo B"),
        ("![[image.png]]", "image.png"),
        ("a | b", r"a \| b"),
        ("<!-- kgmem:end -->", "&lt;!-- kgmem:end --&gt;"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("# not a heading\nand #no-tag", r"\# not a heading and \#no-tag"),
        ("C# at https://a.b/c_d#e", "C# at https://a.b/c_d#e"),
        ("%%hidden%%", "&#37;%hidden&#37;%"),
        ("a line ^block", r"a line \^block"),
        ("- [x] done", r"\- \[x\] done"),
        ("12. twelfth", r"12\. twelfth"),
        ("snake_case and _this_", r"snake_case and \_this\_"),
        ("fish &amp; chips & co", "fish &amp;amp; chips & co"),
    ],
)
def test_markup_becomes_text(text, expected):
    assert prose(text) == expected


@given(MARKUP)
@example("~~~\ncode")
@example("1) one\n2) two")
@example("a\n===")
@example("| a |\n| --- |")
def test_a_page_shows_any_text_as_it_was_written(text):
    safe = prose(text)
    rendered = READER.parse(safe)
    if not safe:
        assert not text.strip()
        return
    assert [token.type for token in rendered] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in rendered[1].children} == {"text"}
    if "[[" not in text:
        assert "".join(child.content for child in rendered[1].children) == " ".join(text.split())


@given(st.text())
def test_a_label_cannot_end_its_link(text):
    assert not set(label(text)) & set("[]|`<>\n")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
@example("12e4567890123456")
@example("\x85\u2028\ufeff")
def test_a_quoted_text_is_that_text_to_yaml(text):
    assert yaml.safe_load(f"key: {quoted(text)}\n") == {"key": text}


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("One came. Bo stayed! All left.", "Bo", "Bo stayed!"),
        ("A wrapped\nline with Bo\nin it. Next.", "Bo", "A wrapped line with Bo in it."),
        ("- first\n- second with Bo\n- third", "Bo", "second with Bo"),
        ("> quoted Bo\n> goes on", "Bo", "quoted Bo goes on"),
        ("他来了。米拉留下。都走了。", "米拉", "米拉留下。"),
        ("Bo", "Bo", "Bo"),
    ],
)
def test_an_excerpt_is_the_sentence_around_a_span(text, word, expected):
    start = text.index(word)
    assert excerpt(text, start, start + len(word)) == expected


def test_a_long_sentence_is_cut_at_words_on_both_sides():
    text = "word " * 100 + "Bo" + " more" * 100
    cut = excerpt(text, 500, 502)
    assert cut.startswith("… word word")
    assert cut.endswith("more more …")
    assert " Bo " in cut
    assert len(cut) <= 244
