import io

import pytest
from export.timelines import MARCH_3, bar, picture
from rich.cells import cell_len
from rich.console import Console

from kgmem.cli.bars import Drawing


def draw(*bars, width=60, encoding="utf-8", **options):
    """The lines of a timeline from 2010 to 2020, without the spaces at their ends."""
    raw = io.BytesIO()
    console = Console(file=io.TextIOWrapper(raw, encoding, newline="\n"), width=width, highlight=False)
    Drawing(console, picture(*bars, **options), width, "now").show()
    console.file.flush()
    return [line.rstrip() for line in raw.getvalue().decode(encoding).splitlines()]


def test_four_columns_are_a_year():
    assert draw(bar("Château Rouge", "2013", "2014"), bar("Sud", "2015"), width=72) == [
        " " * 18 + "2010                2015            now",
        "works at",
        "    Château Rouge " + " " * 12 + "├━━━━━━┤" + " " * 16 + "┊    2013 – 2014",
        "    Sud           " + " " * 20 + "├━━━━━━━━━━━━━━━━━━▶ since 2015",
    ]


def test_a_narrow_terminal_has_bars_below_their_names():
    assert draw(bar("Nord", "2015", "2019"), bar("Sud"), width=44) == [
        "    2010                2015            now",
        "works at",
        "    Nord  2015 – 2019",
        "                        ├━━━━━━━━━━━━━━━━━━┤",
        "    Sud  date unknown",
    ]


def test_plain_characters_where_no_others_are_known():
    lines = draw(
        bar("Nord", "", "2014"), bar("Sud", "2015", disputed=True), bar("Est", "2015-01-02", "2015-01-03"),
        width=44, encoding="ascii",
    )  # fmt: skip
    assert [line.strip() for line in lines[2:]] == [
        "Nord  until 2014",
        "<==================]                :",
        "Sud  since 2015; disputed",
        "[~~~~~~~~~~~~~~~~~~>",
        "Est  2015-01-02 - 2015-01-03",
        "#               :",
    ]


def test_versions_run_down_where_there_were_several():
    lines = draw(bar("Nord", "2015", closed=MARCH_3), bar("Sud", "2016", recorded=MARCH_3), width=72)
    assert [line.replace("━", "").split() for line in lines] == [
        ["2010", "2015", "now"],
        ["works", "at"],
        ["Sud", "├▶", "since", "2016"],
        [],
        ["As", "believed", "the", "past", "of", "these", "beliefs,", "in", "UTC"],
        ["2010", "2015", "now"],
        ["works", "at"],
        ["believed", "2026-03-02", "10:00", "–", "2026-03-03", "10:00"],
        ["Nord", "├▶", "since", "2015"],
        ["believed", "since", "2026-03-03", "10:00"],
        ["Sud", "├▶", "since", "2016"],
    ]


@pytest.mark.parametrize("width", [40, 50, 71, 72, 80, 140])
def test_no_line_is_wider_than_the_terminal(width):
    name = "Vignerons Indépendants de la Vallée de la Loire et du Centre, 米拉的酒窖"
    console = Console(file=io.StringIO(), width=width)
    bars = (bar(name, "2012", closed=MARCH_3), bar("Sud", "2015", disputed=True, recorded=MARCH_3))
    Drawing(console, picture(*bars, predicate=name), width, "2012-03-04").show()
    lines = console.file.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= width
    assert "".join(lines).count("▶") == 3


def test_shapes_and_words_say_all_that_colours_say():
    coloured = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    plain = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard", no_color=True)
    bars = (bar("Nord", "2012", closed=MARCH_3), bar("Sud", "2015", disputed=True, recorded=MARCH_3))
    for console in (coloured, plain):
        Drawing(console, picture(*bars), 80, "now").show()
    assert "\x1b[33m" in coloured.file.getvalue()
    assert "\x1b[3" not in plain.file.getvalue()
    assert "╍" in plain.file.getvalue()
    assert "disputed" in plain.file.getvalue()


def test_nothing_dated_has_no_axis():
    assert draw(bar("Nord"), width=80, scale=False) == ["works at", "    Nord   date unknown"]


def test_a_note_cannot_steer_the_terminal():
    lines = draw(bar("a\x1b[31m\u202eb\nc", "2015"), predicate="x\x07y", width=80)
    assert "xy" in lines
    assert "    a[31mb c" in lines[2]
