"""Public reports about exports of highlights, each with the input that broke a tool like ours."""

import pytest
from ingestion.notes import TUESDAY, Notes
from sources.highlights import bodies, row, table

CLIPPING = "{title}\n- Your {what} | Added on Monday, 5 October 2020 {clock}\n\n{text}\n==========\n"


def clippings(*records: tuple[str, str, str], title: str = "Tides (Ann Lee)") -> str:
    return "".join(CLIPPING.format(title=title, what=what, clock=clock, text=text) for what, clock, text in records)


def highlights(body: str) -> str:
    return body.partition("## Highlights\n")[2]


def test_kindle2readwise_3_a_resized_highlight_and_its_note(tmp_path):
    (tmp_path / "a.txt").write_text(
        clippings(
            ("Highlight on page 9 | Location 123-123", "10:15:30", "The moon"),
            ("Note on page 9 | Location 124", "10:16:30", "Ask Mira"),
            ("Highlight on page 9 | Location 123-124", "10:17:30", "The moon pulls the water"),
            ("Highlight on page 9 | Location 123-124", "10:18:30", "The moon pulls"),
            ("Highlight on page 9 | Location 130-131", "10:19:30", "Another"),
            ("Bookmark on page 9 | Location 140", "10:20:30", ""),
        )
    )
    assert highlights(bodies(tmp_path / "a.txt")["Tides"]) == (
        "\n> The moon pulls\n- Location: location 123\n- Highlighted: 2020-10-05T10:18:30\n\nAsk Mira\n"
        "\n> Another\n- Location: location 130\n- Highlighted: 2020-10-05T10:19:30\n"
    )


def test_obsidian_kindle_237_notes_stay_at_their_highlights(tmp_path):
    (tmp_path / "a.txt").write_text(
        clippings(
            ("Highlight on Location 10-12", "10:00:00", "one"), ("Note on Location 12", "10:00:10", "on one"),
            ("Highlight on Location 12-14", "10:01:00", "two"), ("Note on Location 14", "10:01:10", "first try"),
            ("Note on Location 14", "10:02:00", "on two"), ("Note on Location 99", "10:03:00", "on nothing"),
        )
    )  # fmt: skip
    told = [each for each in highlights(bodies(tmp_path / "a.txt")["Tides"]).splitlines() if each[:1] not in {"", "-"}]
    assert told == ["> one", "on one", "> two", "on two", ">", "on nothing"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_kindleclippings_1_several_paragraphs_and_line_ends(tmp_path, end):
    text = clippings(("Highlight on Location 1-2", "10:00:00", 'First, "quoted".\n\nSecond.'))
    (tmp_path / "a.txt").write_bytes(text.replace("\n", end).encode())
    (tmp_path / "b.csv").write_text(table(row('First, "quoted".\n\nSecond.'), end=end), newline="")
    assert '> First, "quoted".\n>\n> Second.\n' in bodies(tmp_path / "a.txt")["Tides"]
    assert '> First, "quoted".\n>\n> Second.\n' in bodies(tmp_path / "b.csv")["Tides"]


def test_kindle_clippings_17_only_notes_is_no_empty_file(tmp_path):
    (tmp_path / "a.txt").write_text(clippings(("Note on Location 1", "10:00:00", "mine")))
    assert highlights(bodies(tmp_path / "a.txt")["Tides"]).endswith("\nmine\n")


def test_obsidian_readwise_52_a_handle_as_author_and_a_title_with_marks(tmp_path):
    notes = Notes(tmp_path)
    notes.write({"a.csv": table(row("x", "Ask: why/how?", "@handle"), row("y", "Tweets From Ann", "@handle"))})
    notes.ingest()
    (card,) = notes.called("@handle")
    assert (card.entity.type, card.sources) == ("Person", 2)
    assert notes.facts() == [
        "Ask: why/how? | WRITTEN_BY | @handle | date unknown",
        "Tweets From Ann | WRITTEN_BY | @handle | date unknown",
    ]


def test_obsidian_readwise_29_a_note_or_tag_added_later_arrives(tmp_path):
    notes = Notes(tmp_path)
    notes.write({"a.csv": table(row("x"))}).ingest()
    report = notes.write({"a.csv": table(row("x", note="See [[Mira]].", tags="sea"))}).ingest(TUESDAY)
    assert (report.counts.added, report.counts.changed, report.counts.removed) == (0, 1, 0)
    assert notes.links() == ["Tides > Mira"]
