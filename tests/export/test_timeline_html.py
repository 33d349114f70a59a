import base64
import hashlib
import re
from html.parser import HTMLParser

from export.timelines import MARCH_3, bar, picture

from kgmem.export.picture import MARK
from kgmem.export.timeline_html import timeline_html


class Page(HTMLParser):
    """The elements of a page, and the text in each."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self._open = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), []))
        self._open.append(self.elements[-1])

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for element in self._open:
            element[2].append(data)

    def all(self, tag):
        return [(attributes, "".join(text)) for name, attributes, text in self.elements if name == tag]


def page(*bars, **options):
    return Page(timeline_html(picture(*bars, **options), "now"))


CHANGED = (bar("Nord", "2012", closed=MARCH_3), bar("Sud", "2015", recorded=MARCH_3))


def test_a_slider_over_recorded_instants_is_labelled_and_told():
    shown = page(*CHANGED)
    (slider, _), *others = shown.all("input")
    assert others == []
    assert (slider["type"], slider["min"], slider["max"], slider["value"]) == ("range", "0", "1", "1")
    assert slider["data-names"] == "2026-03-02 10:00|2026-03-03 10:00"
    assert [(label["for"], text) for label, text in shown.all("label")] == [(slider["id"], "As believed on")]
    assert [told["aria-live"] for told, _ in shown.all("output")] == ["polite"]


def test_each_row_knows_from_when_to_when_it_was_believed():
    rows = [(row["data-from"], row["data-to"], text) for row, text in page(*CHANGED).all("li")]
    assert rows == [
        ("0", "1", "Nord since 2012 believed 2026-03-02 10:00 – 2026-03-03 10:00"),
        ("1", "2", "Sud since 2015 believed since 2026-03-03 10:00"),
    ]


def test_the_slider_starts_where_something_was_still_believed():
    gone = page(bar("Nord", "2015", closed=MARCH_3))
    ((slider, _),) = gone.all("input")
    assert (slider["max"], slider["value"]) == ("1", "0")


def test_one_state_needs_no_slider():
    assert page(bar("Nord", "2015")).all("input") == []


def test_bars_stand_on_the_scale_and_show_their_ends():
    bars = page(bar("A", "2015", "2019"), bar("B", "", "2014"), bar("C", "2016", disputed=True), *CHANGED).all("b")
    assert [each["class"] for each, _ in bars] == [
        "bar", "bar before", "bar disputed after", "bar closed after", "bar after",
    ]  # fmt: skip
    assert bars[0][0]["style"] == "left:50.00%;width:50.00%"


def test_a_table_says_all_without_the_picture():
    shown = page(*CHANGED)
    assert [text for _, text in shown.all("th")][:5] == [
        "What", "Value", "When it held", "When it was believed", "Where it was written",
    ]  # fmt: skip
    assert [text for _, text in shown.all("td")] == [
        "Nord", "since 2012", "believed 2026-03-02 10:00 – 2026-03-03 10:00, until Mira.md was changed",
        "Mira.md:7 (no longer there): “works at Nord”",
        "Sud", "since 2015", "believed since 2026-03-03 10:00", "Mira.md:7: “works at Sud”",
    ]  # fmt: skip
    tracks = [each for each, _ in shown.all("div") if each.get("class") in {"track", "axis"}]
    assert len(tracks) == 3
    assert {each["aria-hidden"] for each in tracks} == {"true"}


def test_nothing_from_a_note_is_markup():
    hostile = "</style></script><script>alert(1)</script>\"'&<img src=x>"
    shown = page(bar(hostile, "2015", path=hostile), name=hostile, predicate=hostile)
    assert len(shown.all("script")) == 1
    assert shown.all("img") == []
    assert [text for _, text in shown.all("h1")] == [hostile]


def test_its_own_policy_forbids_the_network_and_other_scripts():
    shown = page(*CHANGED)
    ((_, script),) = shown.all("script")
    policy = next(each["content"] for each, _ in shown.all("meta") if "content" in each and "http-equiv" in each)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith("default-src 'none';")
    assert policy.endswith(f"script-src 'sha256-{digest}'")
    text = timeline_html(picture(*CHANGED), "now")
    assert not re.search(r"https?:|\bsrc=|\bhref=|url\(", text)


def test_what_has_no_date_and_what_is_not_known():
    (row,) = page(bar("Nord"), scale=False).all("li")
    assert row[1] == "Nord date unknown believed since 2026-03-02 10:00"
    assert ("Nothing is known of it.") in [text for _, text in page(scale=False).all("p")]


def test_a_page_is_known_as_ours_from_its_beginning():
    assert MARK in timeline_html(picture(), "now")[:200]
