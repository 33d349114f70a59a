import io
import json
import os

import pytest
from sources.highlights import bodies, book, marked, page, remembered, row, scanned, table

from kgmem.sources.obsidian import Vault
from kgmem.sources.readwise import files
from kgmem.sources.readwise.table import Row, Table


def write(folder, name, text):
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)


def test_exports_stand_beside_notes_and_other_files_are_none(tmp_path):
    write(tmp_path, "Own.md", "a note")
    write(tmp_path, "export.csv", table(row("a"), row("b", "Winds")))
    write(tmp_path, "page.json", page(book("Rain", marked("c"))))
    write(tmp_path, "My Clippings.txt", "Fog (Lee, Ann)\n- Your Highlight on page 1 | Added on x\n\nd\n==========\n")
    write(tmp_path, "budget.csv", "Month,Sum\nMay,3\n")
    write(tmp_path, "package.json", '{"name": "x", "version": "1"}')
    write(tmp_path, "game.json", '{"title": "x", "highlights": [1]}')
    write(tmp_path, "todo.txt", "buy milk\n- and bread\n")
    write(tmp_path, "broken.json", '{"name": ')
    write(tmp_path, "empty.csv", "")
    assert scanned(tmp_path) == (
        ["Own.md", "My Clippings.txt#Fog", "export.csv#Tides", "export.csv#Winds", "page.json#Rain"], [],
    )  # fmt: skip


def test_a_folder_taken_for_exports_tells_what_is_none(tmp_path):
    write(tmp_path, "budget.csv", "Month,Sum\nMay,3\n")
    scan = Vault(tmp_path, kind="readwise").scan({})
    assert [(p.path, p.kind) for p in scan.problems] == [("budget.csv", "export")]


def test_a_csv_cut_inside_a_quoted_field(tmp_path):
    whole = table(row("a"), row("b", "Winds"), row("c\nand, on\nother, lines", "Rain", note="never ends"))
    write(tmp_path, "a.csv", whole[: whole.index("lines")])
    assert scanned(tmp_path) == (["a.csv#Tides", "a.csv#Winds"], [("a.csv", 4, "export-cut")])


def test_a_csv_cut_inside_a_row(tmp_path):
    whole = table(row("a"), row("b", "Winds"))
    write(tmp_path, "a.csv", whole[: whole.index("Winds") + 3])
    assert scanned(tmp_path) == (["a.csv#Tides"], [("a.csv", 3, "export-cut")])


def test_a_csv_without_a_last_line_end_is_whole(tmp_path):
    write(tmp_path, "a.csv", table(row("a"), row("b", "Winds")).rstrip("\n"))
    assert scanned(tmp_path) == (["a.csv#Tides", "a.csv#Winds"], [])


def test_a_stray_quote_does_not_take_the_rest(tmp_path):
    rows = [table(row("a")), '"b" more,"never ends,Ann\n', *(table(row(c, "Winds")).split("\n", 1)[1] for c in "cd")]
    write(tmp_path, "a.csv", "".join(rows))
    assert list(bodies(tmp_path / "a.csv")) == ["Tides", "Winds"]
    assert [line for line in bodies(tmp_path / "a.csv")["Winds"].splitlines() if line[:1] == ">"] == ["> c", "> d"]
    assert scanned(tmp_path)[1] == [("a.csv", 3, "export-cut")]


def test_a_file_that_breaks_off_takes_nothing_away(tmp_path):
    whole = table(row("a"), row("b", "Winds"), row("c", "Winds"), row("d", "Rain"))
    write(tmp_path, "a.csv", whole)
    known = remembered(Vault(tmp_path).scan({}).added)
    write(tmp_path, "a.csv", whole[: whole.index("c,Winds")] + '"c')
    scan = Vault(tmp_path).scan(known)
    assert (scan.added, scan.changed, scan.removed) == ((), (), ())
    assert [p.kind for p in scan.problems] == ["export-cut"]


@pytest.mark.parametrize(
    "form", [page, lambda *books: json.dumps(books), lambda *books: "\n".join(map(json.dumps, books))]
)
def test_json_cut_off_gives_the_books_before(tmp_path, form):
    whole = form(book("Tides", marked("a")), book("Winds", marked("b")), book("Rain", marked("ccc", note="ddd")))
    write(tmp_path, "a.json", whole[: whole.index("ddd")])
    assert scanned(tmp_path) == (["a.json#Tides", "a.json#Winds"], [("a.json", whole.count("\n") + 1, "export-cut")])


def test_json_with_rubbish_inside_is_not_read_behind_it(tmp_path):
    whole = page(book("Tides", marked("a")), book("Winds", marked("b")))
    write(tmp_path, "a.json", whole.replace('{"user_book_id": 7, "title": "Winds"', "oops" * 10))
    assert scanned(tmp_path) == (["a.json#Tides"], [("a.json", 1, "export-cut")])


@pytest.mark.parametrize("name", ["a.json", "a.csv"])
def test_a_page_of_the_web_is_told_and_takes_nothing_away(tmp_path, name):
    write(tmp_path, name, page(book("Tides", marked("a"))))
    known = remembered(Vault(tmp_path).scan({}).added)
    write(tmp_path, name, "<!DOCTYPE html>\n<html><body>Sign in</body></html>")
    scan = Vault(tmp_path).scan(known)
    assert (scan.added, scan.removed) == ((), ())
    assert [(p.path, p.kind, p.message) for p in scan.problems] == [(name, "export", "this is a page of the web")]


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.csv", table()), ("a.json", page()), ("a.txt", f"Fog (Lee)\n- Your Bookmark on page 1\n\n\n{files.MARK}\n")],
)
def test_no_rows_is_a_problem(tmp_path, name, text):
    write(tmp_path, name, text)
    assert scanned(tmp_path) == ([], [(name, 1, "export-empty")])


def test_what_is_neither_utf8_nor_utf16_is_told(tmp_path):
    write(tmp_path, "a.csv", table(row("Café")).encode("latin-1"))
    scan = Vault(tmp_path).scan({})
    assert [(p.kind, p.message) for p in scan.problems] == [("encoding", "not UTF-8: byte 0xE9")]


def test_unknown_columns_empty_titles_and_wrong_dates(tmp_path):
    text = (
        "Mood,Highlight,Book Title,Highlighted at,Shelf\nx,a,,2020-02-30,s\nx,b,Tides,soon,s\nx,c,Tides,2020-01-02,s\n"
    )
    write(tmp_path, "a.csv", text)
    assert bodies(tmp_path / "a.csv") == {
        "Untitled": "# Untitled\n\n\n## Highlights\n\n> a\n",
        "Tides": "# Tides\n\n\n## Highlights\n\n> b\n\n> c\n- Highlighted: 2020-01-02\n",
    }
    (problem,) = Vault(tmp_path).scan({}).problems
    assert (problem.line, problem.message) == (2, "2 dates of highlights cannot be read")


def test_duplicate_rows_are_one_highlight(tmp_path):
    same = row("a", location="3", location_type="page")
    noted = same | {"Note": "mine"}
    write(tmp_path, "a.csv", table(same, noted, row("b"), same, row("A!", location="3", location_type="page")))
    told = bodies(tmp_path / "a.csv")["Tides"]
    assert [line for line in told.splitlines() if line[:1] == ">"] == ["> A!", "> b"]
    assert told.count("mine") == 1


def test_rows_of_a_book_may_stand_apart(tmp_path):
    write(tmp_path, "a.csv", table(row("a"), row("b", "Winds"), row("c")))
    assert bodies(tmp_path / "a.csv")["Tides"].count("> ") == 2


def test_names_of_books_in_a_file(tmp_path):
    write(
        tmp_path, "a.csv",
        table(row("a", "Emma", "Ann"), row("b", "Emma", "Bo"), row("c", "AC/DC: a # b"), row("d", "Two\nlines")),
    )  # fmt: skip
    assert list(bodies(tmp_path / "a.csv")) == ["Emma (Ann)", "Emma (Bo)", "AC-DC: a # b", "Two lines"]
    vault = Vault(tmp_path)
    assert [vault.read(each.path).head.title for each in vault.scan({}).added] == [
        "Emma", "Emma", "AC/DC: a # b", "Two lines",
    ]  # fmt: skip


def test_a_known_file_is_not_opened_again(tmp_path, monkeypatch):
    write(tmp_path, "a.csv", table(row("a"), row("b", "Winds")))
    known = remembered(Vault(tmp_path).scan({}).added)
    monkeypatch.setattr("kgmem.sources.readwise.exports.recognised", lambda file: pytest.fail(f"{file} was opened"))
    scan = Vault(tmp_path).scan(known)
    assert (scan.unchanged, scan.touched, scan.added, scan.removed) == (2, (), (), ())


def test_a_file_of_which_not_all_was_taken_in_is_opened_again(tmp_path):
    write(tmp_path, "a.csv", table(row("a"), row("b", "Winds"), row("c", "Rain")))
    added = Vault(tmp_path).scan({}).added
    scan = Vault(tmp_path).scan(remembered(added[:2]))
    assert ([each.path for each in scan.added], scan.unchanged) == (["a.csv#Rain"], 2)


def test_a_file_with_a_new_time_is_read_once_more(tmp_path):
    write(tmp_path, "a.csv", table(row("a"), row("b", "Winds")))
    known = remembered(Vault(tmp_path).scan({}).added)
    os.utime(tmp_path / "a.csv", (1_800_000_000, 1_800_000_000))
    scan = Vault(tmp_path).scan(known)
    assert (scan.unchanged, len(scan.touched), scan.changed) == (1, 1, ())
    known |= {each.path: each for each in scan.touched}
    assert Vault(tmp_path).scan(known).unchanged == 2


def test_a_renamed_file_moves_its_books(tmp_path):
    write(tmp_path, "a.csv", table(row("a"), row("b", "Winds")))
    known = remembered(Vault(tmp_path).scan({}).added)
    (tmp_path / "a.csv").rename(tmp_path / "b.csv")
    scan = Vault(tmp_path).scan(known)
    assert [(seen.path, found.path) for seen, found in scan.moved] == [
        ("a.csv#Tides", "b.csv#Tides"), ("a.csv#Winds", "b.csv#Winds"),
    ]  # fmt: skip


def test_a_file_that_changes_while_it_is_read_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("kgmem.sources.readwise.exports._ROOM", 0)
    write(tmp_path, "a.csv", table(row("a")))
    vault = Vault(tmp_path)
    vault.scan({})
    write(tmp_path, "a.csv", table(row("a"), row("b")))
    with pytest.raises(OSError, match="changed"):
        vault.read("a.csv#Tides")


def test_a_stored_body_is_read_without_its_file(tmp_path):
    write(tmp_path, "a.csv", table(row("a", note="mine", highlighted_at="2020-01-02 03:04:05+00:00")))
    vault = Vault(tmp_path)
    vault.scan({})
    document = vault.read("a.csv#Tides")
    (tmp_path / "a.csv").unlink()
    assert Vault(tmp_path).parse("a.csv#Tides", document.text, mtime_ns=0) == document


def test_a_table_gives_the_bytes_of_each_row():
    data = table(row("é\nx"), row("b"), end="\r\n").encode("utf-8-sig")
    rows = list(Table(io.BytesIO(data), ",", 11).rows())
    assert all(isinstance(each, Row) for each in rows)
    assert [(data[each.start : each.end].decode()[:3], each.line) for each in rows] == [('"é\n', 2), ("b,T", 4)]


def test_reader_highlights_without_their_document_are_told(tmp_path):
    lost = {"id": "h", "parent_id": "gone", "category": "highlight", "content": "a", "saved_at": "2020-01-01"}
    kept = {"id": "d", "parent_id": None, "category": "article", "title": "Tides", "saved_at": "2020-01-01"}
    write(tmp_path, "a.json", json.dumps({"results": [lost, kept]}))
    assert scanned(tmp_path) == (["a.json#Tides"], [("a.json", 1, "export-part")])


def test_one_file_of_a_folder(tmp_path):
    write(tmp_path, "a.csv", table(row("a")))
    write(tmp_path, "b.csv", table(row("b", "Winds")))
    known = remembered(Vault(tmp_path).scan({}).added)
    write(tmp_path, "a.csv", table(row("a"), row("c", "Rain")))
    (tmp_path / "b.csv").unlink()
    scan = Vault(tmp_path, only="a.csv").scan(known)
    assert ([each.path for each in scan.added], scan.removed) == (["a.csv#Rain"], ())


def test_a_file_that_comes_back_as_it_was_is_read(tmp_path):
    def put(*texts, at):
        write(tmp_path, "a.csv", table(*(row(text, title) for text, title in texts)))
        os.utime(tmp_path / "a.csv", (at, at))
        scan = Vault(tmp_path).scan(known)
        known.update({each.path: each for each in scan.touched})
        known.update(remembered((*scan.added, *(found for _, found in scan.changed))))
        return [found.path for _, found in scan.changed]

    known = {}
    put(("a", "Tides"), ("b", "Winds"), at=1_700_000_000)
    assert put(("c", "Tides"), ("b", "Winds"), at=1_800_000_000) == ["a.csv#Tides"]
    assert put(("a", "Tides"), ("b", "Winds"), at=1_700_000_000) == ["a.csv#Tides"]
