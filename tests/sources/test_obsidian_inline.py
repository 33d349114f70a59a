import pytest
from sources.resolving import nowhere

from kgmem.sources.obsidian.inline import scan_inline
from kgmem.sources.obsidian.links import Links
from kgmem.sources.obsidian.text import code_ends, plain, without_comments


def scan(text, kind="paragraph"):
    return scan_inline(text, kind, 1, nowhere)


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("See [[Mira Okafor]].", "See   Mira Okafor  ."),
        ("See [[People/Mira|her]].", "See" + " " * 15 + "her  ."),
        ("See [her](People/Mira.md).", "See  her                 ."),
        ("[home](https://x.org/a) now", " home                   now"),
        ("at https://x.org/a_b now", "at                   now"),
        ("(https://x.org/a) now", "(               ) now"),
        ("a **bold** ==mark== ~~no~~ _it_ b", "a   bold     mark     no    it  b"),
        ("snake_case stays", "snake_case stays"),
        ("run `x = 1` now", "run         now"),
        ("a <b>bold</b> b", "a    bold     b"),
        ("claim[^1] here", "claim     here"),
        ("it costs $5 and $6", "it costs $5 and $6"),
        ("so $x_1$ holds", "so       holds"),
        ("end of it ^abc-1", "end of it       "),
        (r"2 \* 3", "2  * 3"),
        ("met #people/Mira there", "met              there"),
    ],
)
def test_prose_keeps_the_words_in_place(text, prose):
    assert scan(text).prose == prose


def test_embedded_images_have_no_words():
    inline = scan_inline("![[board.png]] on", "paragraph", 1, Links(()).resolver("A.md"))
    assert inline.prose == " " * 15 + "on"


def test_marks_at_the_start_of_lines():
    assert scan("- [ ] call\n  1. Ann\n  > now", "task").prose == "      call\n     Ann\n    now"
    assert scan("It was\n1986. A year.").prose == "It was\n1986. A year."


def test_span_of_the_shown_words():
    text = "ask ![[a/Note#Part| the note ]]"
    (link,) = scan(text).links
    assert (link.start, link.end, text[link.shown_start : link.shown_end]) == (4, 31, "the note")
    assert (link.target, link.heading, link.embed) == ("a/Note", "Part", True)


def test_a_path_shows_its_last_part():
    (link,) = scan("[[People/Mira Okafor.md]]").links
    assert (link.target, link.shown) == ("People/Mira Okafor", "Mira Okafor")


@pytest.mark.parametrize(
    "text",
    ["[[]]", "[[ ]]", "[a](https://x.org)", "[a](mailto:x@y.org)", "[a]()", "`[[x]]`", "$[[x]]$", "[a `b](c.md)`"],
)
def test_no_link(text):
    assert scan(text).links == ()


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#a-b/c and #2024 and #y2024", ["a-b/c", "y2024"]),
        ("x#no, &#39; ##no # no", []),
        ("(#yes) #日记 #🌱", ["yes", "日记", "🌱"]),
        ("`#no` https://x.org/#no [a](b#no)", []),
    ],
)
def test_tags(text, tags):
    assert [tag for _, tag in scan(text).tags] == tags


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("works at:: [[Acme]] (2019-03 – 2021-06)", "works at", ["[[Acme]] (2019-03 – 2021-06)"]),
        ("friends:: [[A]], [[B]] (since 2021)", "friends", ["[[A]]", "[[B]] (since 2021)"]),
        ('names:: "a, b", "c"', "names", ["a, b", "c"]),
        ("place:: Paris, France", "place", ["Paris, France"]),
        ("**Rating**:: 5", "Rating", ["5"]),
        ("**Rating::** 5", "Rating", ["5"]),
        ("empty::", "empty", []),
        ("类型::电影", "类型", ["电影"]),
        ("He said [mood:: good] then", "mood", ["good"]),
        ("He said (mood:: good (very)) then", "mood", ["good (very)"]),
        ("She [wrote:: [[The Book]]] it", "wrote", ["[[The Book]]"]),
        ("done [due::2024-01-02]", "due", ["2024-01-02"]),
        ("key:: value ^id1", "key", ["value"]),
    ],
)
def test_fields(text, key, values):
    ((_, field),) = scan(text).fields
    assert (field.key, [value.text for value in field.values]) == (key, values)
    assert (field.inline, field.is_list) == (True, len(values) > 1)


@pytest.mark.parametrize("text", ["std::vector is", "`a:: b`", "see http://x::y", "no:field"])
def test_no_fields(text):
    assert scan(text).fields == ()


@pytest.mark.parametrize("kind", ["heading", "table"])
def test_headings_and_tables_have_no_fields(kind):
    assert scan("## a:: b", kind).fields == ()


def test_links_of_a_field_are_links_of_the_text_too():
    inline = scan("- boss:: [[Ann]]", "item")
    ((_, field),) = inline.fields
    assert [(link.target, link.start) for link in inline.links] == [("Ann", 9)]
    assert [(link.target, link.start) for link in field.values[0].links] == [("Ann", 0)]
    assert inline.prose == "           Ann  "


def test_lines_of_fields_below_code():
    text = "- a\n  ```\n  x:: 1\n  ```\n  y:: 2"
    assert [(field.key, field.line) for _, field in scan(text, "item").fields] == [("y", 5)]


def test_code_spans_pair_by_length():
    assert code_ends("`a``b`") == {0: 6}
    assert code_ends("`a\n\nb`") == {}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a %%b%% c", "a       c"),
        ("a\n%%\n[[b]]\n\n[[c]]\n%%\nd", "a\n  \n     \n\n     \n  \nd"),
        ("a <!-- [[b]] --> c", "a                c"),
        ("100%% sure", "100%% sure"),
        ("`%%` and %%", "`%%` and %%"),
        ("```\n%%\n```\n%%x%%", "```\n%%\n```\n     "),
    ],
)
def test_comments_are_no_text(text, left):
    assert without_comments(text) == left


def test_line_ends_are_one_kind():
    assert plain("\ufeffa\r\nb\rc\u2028d") == "a\nb\nc\u2028d"
