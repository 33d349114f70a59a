"""What holds for any highlight: nothing of it is lost or misread on the way through a body or a file."""

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st

from kgmem.sources.readwise import body_of, books_of, document_of
from kgmem.sources.readwise.book import prose
from kgmem.sources.readwise.shape import Slip
from kgmem.sources.readwise.stream import objects
from kgmem.sources.readwise.table import Table, rows_of

TEXT = st.text(st.sampled_from("ab >#-\\\n\r\t\"',;:[]()é漢\u2028\ufeff"), max_size=40)
ROWS = st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=6)


@given(st.lists(st.tuples(TEXT, TEXT), max_size=4), TEXT, TEXT)
def test_a_body_gives_back_what_went_in(pairs, title, summary):
    told = {
        "title": title, "author": "Ann Lee", "summary": summary,
        "highlights": [{"id": at + 1, "text": text, "note": note} for at, (text, note) in enumerate(pairs)],
    }  # fmt: skip
    (book,) = books_of({"results": [told]})
    body = body_of(book)
    document = document_of("x.json#x", body)
    assert (document.head.title, document.head.uid) == (book.title, book.uid)
    marked = [b.text for b in document.blocks if b.kind == "highlight"]
    assert marked == [prose(text) for text, _ in pairs if prose(text).strip()]
    own = "".join(b.text for b in document.blocks if b.kind == "paragraph")
    assert own.replace("\n", "") == "".join(prose(note) for _, note in pairs).replace("\n", "")
    assert document_of("x.json#x", body) == document
    lines = body.split("\n")
    for block in document.blocks[1:]:
        assert block.last_line - block.first_line == block.text.count("\n")
        assert block.last_line <= len(lines)


@given(ROWS, st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_the_bytes_of_a_row_are_that_row(rows, delimiter, end):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([("one", "two", "three"), *rows])
    data = out.getvalue().encode()
    found = list(Table(io.BytesIO(data), delimiter, 3).rows())
    assert not any(isinstance(each, Slip) for each in found)
    assert [tuple(each.cells) for each in found] == rows
    assert [tuple(row) for each in found for row in rows_of(data[each.start : each.end], delimiter)] == rows


VALUES = st.dictionaries(TEXT, st.one_of(TEXT, st.integers(), st.none(), st.lists(TEXT, max_size=2)), max_size=3)


@given(st.lists(VALUES, max_size=5), st.booleans(), st.sampled_from([None, 1]))
def test_the_bytes_of_an_object_are_that_object(found, ascii_only, indent):
    for text in (
        json.dumps(found, ensure_ascii=ascii_only, indent=indent),
        json.dumps({"count": 1, "results": found, "next": None}, ensure_ascii=ascii_only, indent=indent),
    ):
        data = text.encode()
        read = list(objects(io.BytesIO(data)))
        assert [each for each, _, _ in read] == found
        assert [json.loads(data[start:end]) for _, start, end in read] == found
