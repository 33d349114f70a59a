from xml.etree import ElementTree as ET

import pytest
from export.timelines import MARCH_3, bar, picture

from kgmem.errors import UserError
from kgmem.export.picture import cut, markup, save
from kgmem.export.timeline_svg import timeline_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def read(timeline):
    return ET.fromstring(timeline_svg(timeline, "now"))  # noqa: S314 -- ours


def texts(root):
    return [each.text for each in root.iter(f"{NAMESPACE}text")]


def shapes(root):
    """(classes, corners) of each bar."""
    return [
        (each.get("class"), [tuple(float(n) for n in corner.split(",")) for corner in each.get("points").split()])
        for each in root.iter(f"{NAMESPACE}polygon")
    ]


def test_the_picture_says_what_it_is_and_all_that_it_shows():
    root = read(picture(bar("Nord", "2012", "2014", closed=MARCH_3), bar("Sud", "2015", recorded=MARCH_3)))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "title desc"
    assert root.find(f"{NAMESPACE}title").text == "Mira: what held when, and when it was believed"
    assert root.find(f"{NAMESPACE}desc").text == (
        "works at: Nord, 2012 – 2014, believed 2026-03-02 10:00 – 2026-03-03 10:00. "
        "works at: Sud, since 2015, believed since 2026-03-03 10:00."
    )
    for text in ("Mira", "works at", "Nord", "2012 – 2014", "believed since 2026-03-03 10:00", "now"):
        assert text in texts(root)


def test_bars_stand_on_the_scale():
    ((kind, corners),) = shapes(read(picture(bar("Nord", "2015", "2019"))))
    assert kind == "bar"
    xs = sorted({x for x, _ in corners})
    assert xs == [638.0, 936.0]  # 1826 of the 3652 days of the scale is half of 596 pixels from 340; and its right edge


def test_open_ends_are_arrows():
    ((_, since), (_, until)) = shapes(read(picture(bar("Nord", "2015"), bar("Sud", "", "2015"))))
    assert (len(since), max(since)[0], since[2][1]) == (5, 936.0, (since[1][1] + since[3][1]) / 2)
    assert (len(until), min(until)[0], until[0][1]) == (5, 340.0, (until[1][1] + until[-1][1]) / 2)


def test_shapes_tell_what_was_given_up_and_what_is_disputed():
    kinds = [
        kind for kind, _ in shapes(read(picture(bar("A", "2015", closed=MARCH_3), bar("B", "2016", disputed=True))))
    ]
    assert kinds == ["bar closed", "bar disputed"]
    assert "since 2016; disputed" in texts(read(picture(bar("B", "2016", disputed=True))))


def test_what_has_no_date_is_said_so():
    root = read(picture(bar("Nord"), scale=False))
    assert "date unknown" in texts(root)
    assert shapes(root) == []
    assert "Nothing is known of it." in texts(read(picture(scale=False)))


def test_recorded_time_runs_down():
    root = read(picture(bar("Nord", "2015", closed=MARCH_3), bar("Sud", "2015", recorded=MARCH_3)))
    (_, first), (_, second) = shapes(root)
    assert max(y for _, y in first) < min(y for _, y in second)


def test_nothing_from_a_note_is_markup():
    hostile = "</title><script>alert(1)</script>\"'&\x1b\u202e\ufffe\ud800"
    root = read(picture(bar(hostile, "2015", path=hostile), name=hostile, predicate=hostile))
    assert not list(root.iter(f"{NAMESPACE}script"))
    assert "</title><script>alert(1)</script>\"'&" in root.find(f"{NAMESPACE}title").text


def test_it_loads_nothing():
    text = timeline_svg(picture(bar("Nord", "2015")), "now")
    assert text.count("http") == 1  # the name of the format
    assert "url(" not in text
    assert "prefers-color-scheme: dark" in text


@pytest.mark.parametrize(
    ("text", "cells", "short"),
    [("Mira", 4, "Mira"), ("Mira Castel", 5, "Mira…"), ("米拉的酒窖", 10, "米拉的酒窖"), ("米拉的酒窖", 9, "米拉的…")],
)
def test_a_long_name_is_cut_by_its_width(text, cells, short):
    assert cut(text, cells) == short


def test_text_of_notes_stands_on_one_line():
    assert markup("a <b>\n & 'c'\x00") == "a &lt;b&gt; &amp; &#x27;c&#x27;"


def test_a_picture_is_written_over_itself_and_over_nothing_else(tmp_path):
    file, note = tmp_path / "mira.svg", tmp_path / "Mira.md"
    first, second = (timeline_svg(picture(bar(name, "2015")), "now") for name in ("Nord", "Sud"))
    save(file, first)
    save(file, second)
    assert file.read_text("utf-8") == second
    note.write_text("My own words.")
    link = tmp_path / "link.svg"
    link.symlink_to(file)
    for taken in (note, link, tmp_path):
        with pytest.raises(UserError, match="there already"):
            save(taken, first)
    assert note.read_text() == "My own words."
    assert sorted(each.name for each in tmp_path.iterdir()) == ["Mira.md", "link.svg", "mira.svg"]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="No such file or directory"):
        save(tmp_path / "none" / "mira.svg", "x")
