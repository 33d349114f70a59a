import json

import pytest
from sources.highlights import COLUMNS, bodies, book, marked, page, row, table

from kgmem.sources.readwise import body_of, books_of, document_of
from kgmem.sources.readwise.book import Book, Highlight, moment, people

TIDES = """\
# Tides

- Author: Ann Lee
- Category: books
- Tags: sea, slow

## Highlights

> The moon pulls,
> the water follows.
- Location: page 12
- Highlighted: 2020-11-26T03:28:15Z
- Color: yellow
- Tags: moon

Ask [[Mira]] about this.
"""
FULL = row(
    "The moon pulls,\nthe water follows.", note="Ask [[Mira]] about this.", color="yellow", tags="moon, .favorite",
    location_type="page", location="12", highlighted_at="2020-11-26 03:28:15+00:00", document_tags="sea,slow",
)  # fmt: skip


def test_a_csv_and_the_api_give_one_body(tmp_path):
    (tmp_path / "a.csv").write_text(table(FULL), encoding="utf-8")
    highlight = marked(
        "The moon pulls,\r\nthe water follows.", note="Ask [[Mira]] about this.", color="yellow",
        highlighted_at="2020-11-26T03:28:15.000Z", tags=[{"id": 1, "name": "moon"}, {"id": 2, "name": ".favorite"}],
    )  # fmt: skip
    (tmp_path / "b.json").write_text(page(book("Tides", highlight, book_tags=[{"name": "sea"}, {"name": "slow"}])))
    by_api = bodies(tmp_path / "b.json")["Tides"].replace("- ID: 1\n", "")
    assert bodies(tmp_path / "a.csv")["Tides"] == TIDES
    assert by_api.replace("- Read with: kindle\n", "").replace("- ID: 7\n", "") == TIDES


@pytest.mark.parametrize(("until", "left"), [("Location", 4), ("Highlighted at", 5), ("Document tags", 6)])
def test_three_vintages_of_csv(tmp_path, until, left):
    columns = COLUMNS[: COLUMNS.index(until) + 1]
    (tmp_path / "a.csv").write_text(table(FULL, columns=columns), encoding="utf-8")
    told = bodies(tmp_path / "a.csv")["Tides"]
    assert sum(line.startswith("- ") for line in told.splitlines()) == left + 1
    assert ("Highlighted: 2020-11-26T03:28:15Z" in told) is (until != "Location")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_any_delimiter_line_end_and_encoding(tmp_path, end, delimiter, encoding):
    text = table(FULL, row('Ünïcode, «quoted» "words"'), delimiter=delimiter, end=end)
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    told = bodies(tmp_path / "a.csv")["Tides"]
    assert told.startswith(TIDES.rstrip("\n"))
    assert told.endswith('> Ünïcode, «quoted» "words"\n')


def test_a_page_a_list_and_lines_of_books_are_alike(tmp_path):
    one, other = book("Tides", marked("a")), book("Winds", marked("b"), user_book_id=8)
    (tmp_path / "a.json").write_text(page(one, other))
    (tmp_path / "b.json").write_text(json.dumps([one, other], indent=2))
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, (one, other))) + "\n")
    assert list(bodies(tmp_path / "a.json")) == ["Tides", "Winds"]
    assert bodies(tmp_path / "a.json") == bodies(tmp_path / "b.json") == bodies(tmp_path / "c.jsonl")


def test_the_list_of_reader_has_highlights_as_documents(tmp_path):
    document = {
        "id": "d1", "title": "Tides", "author": "Ann Lee", "category": "article", "parent_id": None,
        "site_name": "x", "source_url": "https://example.org/tides", "published_date": 1_577_836_800_000,
        "tags": {"sea": {"name": "sea"}},
        "saved_at": "2020-01-02T00:00:00Z", "summary": "On water.", "notes": "Read twice.",
    }  # fmt: skip
    highlight = {"id": "h1", "parent_id": "d1", "category": "highlight", "content": "The moon pulls.", "notes": "",
                 "created_at": "2020-01-03T10:00:00Z", "word_count": 3}  # fmt: skip
    note = {"id": "n1", "parent_id": "h1", "category": "note", "content": "Ask Mira."}
    (tmp_path / "a.json").write_text(json.dumps({"results": [note, highlight, document]}))
    assert bodies(tmp_path / "a.json") == {
        "Tides": (
            "# Tides\n\n- Author: Ann Lee\n- Category: articles\n- URL: https://example.org/tides\n"
            "- Published: 2020-01-01\n- Saved: 2020-01-02\n- Read with: reader\n- Tags: sea\n- ID: d1\n"
            "\n## About\n\n> On water.\n\n## Note\n\nRead twice.\n\n## Highlights\n\n> The moon pulls.\n"
            "- Highlighted: 2020-01-03T10:00:00Z\n- ID: h1\n\nAsk Mira.\n"
        )
    }


def test_the_csv_of_reader_lists_documents(tmp_path):
    (tmp_path / "a.csv").write_text(
        "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\n"
        'Tides,https://example.org/t,01x,"[\'sea\', ""l\'eau""]",2023-04-05 06:07:08+00:00,0.5,archive,True\n'
    )
    assert bodies(tmp_path / "a.csv") == {
        "Tides": "# Tides\n\n- URL: https://example.org/t\n- Saved: 2023-04-05\n- Read with: reader\n"
        "- Tags: sea, l'eau\n- ID: 01x\n"
    }


SECOND_LINES = [
    ("- Your Highlight on page 12 | Location 123-124 | Added on Monday, 5 October 2020 10:15:30", "location 123"),
    ("- Your Highlight on Location 123-124 | Added on Monday, October 5, 2020 10:15:30 AM", "location 123"),
    ("- Ihre Markierung auf Seite 12 | Hinzugefügt am Montag, 5. Oktober 2020 10:15:30", "page 12"),
    ("- Votre surlignement sur la page 12 | emplacement 123-124 | Ajouté le lundi 5 octobre 2020 10:15:30",
     "location 123"),
    ("- La subrayado en la página 12 | Añadido el lunes, 5 de octubre de 2020 10:15:30", "page 12"),
    ("- 您在第 12 页（位置 #123-124）的标注 | 添加于 2020年10月5日星期一 上午10:15:30", "page 12"),
    ("- Ваш выделенный отрывок на странице 12 | Добавлено: понедельник, 5 октября 2020 г. в 10:15:30", "page 12"),
]  # fmt: skip


@pytest.mark.parametrize(("second", "place"), SECOND_LINES)
def test_clippings_in_any_language(tmp_path, second, place):
    text = f"\ufeffTides (Lee, Ann)\r\n{second}\r\n\r\nThe moon pulls.\r\nAgain.\r\n==========\r\n"
    (tmp_path / "My Clippings.txt").write_bytes(text.encode())
    assert bodies(tmp_path / "My Clippings.txt") == {
        "Tides": "# Tides\n\n- Author: Ann Lee\n- Category: books\n- Read with: kindle\n\n## Highlights\n\n"
        f"> The moon pulls.\n> Again.\n- Location: {place}\n- Highlighted: 2020-10-05T10:15:30\n"
    }


def test_a_body_reads_back_with_its_lines_and_dates():
    document = document_of("a.csv#Tides", TIDES)
    lines = TIDES.splitlines()
    title, author, category, tags, _, highlight, note = document.blocks
    assert (title.text, author.kind, category.kind, tags.kind) == ("Tides", "property", "property", "property")
    assert (highlight.kind, highlight.text) == ("highlight", "The moon pulls,\nthe water follows.")
    assert [f"> {row}" for row in highlight.text.split("\n")] == lines[highlight.first_line - 1 : highlight.last_line]
    assert (highlight.tags, highlight.headings) == (("moon",), ("Highlights", "page 12, yellow, 2020-11-26, #moon"))
    assert (note.kind, note.text, lines[note.first_line - 1]) == ("paragraph", lines[-1], note.text)
    assert [link.target for link in note.links] == ["Mira"]
    assert document.said(note).shown == document.said(highlight).shown == document.occurred.shown == "2020-11-26"
    assert document.head.tags == ("sea", "slow")


def test_what_a_person_writes_is_never_taken_for_the_frame():
    note = "> quoted\n- Location: page 99\n## Highlights\n\\x\n\n# Title"
    told = Book("T", highlights=(Highlight("## Note\n- ID: 3\n\n> x", note, location="page 1"),))
    document = document_of("x", body_of(told))
    assert [(b.kind, b.text) for b in document.blocks if b.kind in {"highlight", "paragraph"}] == [
        ("highlight", "## Note\n- ID: 3\n\n> x"),
        ("paragraph", note.split("\n\n", maxsplit=1)[0]),
        ("paragraph", "# Title"),
    ]
    assert document.head.title == "T"


def test_what_was_discarded_or_deleted_is_left_out():
    (told,) = books_of(
        {
            "results": [
                book(
                    "Tides", marked("kept", 1), marked("a", 2, is_discard=True), marked("b", 3, is_deleted=True),
                    marked("c", 4, tags=[{"name": ".discard"}]),
                )
            ]
        }
    )  # fmt: skip
    assert [each for each in body_of(told).splitlines() if each.startswith("> ")] == ["> kept"]


def test_notes_that_are_only_actions_are_no_words():
    (told,) = books_of(
        {"results": [book("Tides", marked("a", note=".h1"), marked("b", 2, note=".c2 .x\nMy words. ..."))]}
    )
    assert [each.note for each in told.highlights] == ["", "My words. ..."]


@pytest.mark.parametrize(
    ("names", "authors", "others"),
    [
        ("Ann Lee", ("Ann Lee",), ()),
        ("Ann Lee, Bo Katz (Foreword)", ("Ann Lee",), ("Bo Katz (Foreword)",)),
        ("Ann Lee, Bo Katz, and Cy Dunn", ("Ann Lee", "Bo Katz", "Cy Dunn"), ()),
        ("Ann Lee and Bo Katz", ("Ann Lee", "Bo Katz"), ()),
        ("Martin King, Jr., Bo Katz (Author)", ("Martin King, Jr.", "Bo Katz"), ()),
        ("@handle", ("@handle",), ()),
        ("", (), ()),
    ],
)
def test_authors_and_their_roles(names, authors, others):
    assert people(names) == (authors, others)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2020-11-26 03:28:15+00:00", "2020-11-26T03:28:15Z"),
        ("2020-11-26T03:28:15.123Z", "2020-11-26T03:28:15Z"),
        ("2020-11-26T03:28:15+02:00", "2020-11-26T01:28:15Z"),
        ("2020-11-26 03:28", "2020-11-26T03:28:00"),
        ("2020-11-26", "2020-11-26"),
        (None, ""),
    ],
)
def test_dates(text, said):
    assert moment(text) == said


@pytest.mark.parametrize("text", ["2020-02-30", "yesterday", "26/11/2020", "2020-11-26 25:00:00"])
def test_what_is_no_date(text):
    with pytest.raises(ValueError, match=r"date|hour|day"):
        moment(text)
