"""Files of highlights, small enough to check by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from kgmem.sources.document import Found, Seen
from kgmem.sources.obsidian import Vault
from kgmem.sources.readwise.body import body_of
from kgmem.sources.readwise.files import recognised

COLUMNS = (
    "Highlight", "Book Title", "Book Author", "Amazon Book ID", "Note", "Color", "Tags", "Location Type", "Location",
    "Highlighted at", "Document tags",
)  # fmt: skip


def row(text: str, title: str = "Tides", author: str = "Ann Lee", **more: str) -> dict[str, str]:
    """A row of the CSV; `more` by column, in lower case with underscores."""
    given = {name.lower().replace(" ", "_"): name for name in COLUMNS}
    filled = {given[key]: value for key, value in more.items()}
    return {"Highlight": text, "Book Title": title, "Book Author": author, **filled}


def table(*rows: dict[str, str], columns: tuple[str, ...] = COLUMNS, delimiter: str = ",", end: str = "\n") -> str:
    """The CSV of some rows."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, delimiter=delimiter, lineterminator=end, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def book(title: str = "Tides", *highlights: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A book as the API exports it."""
    return {
        "user_book_id": 7, "title": title, "author": "Ann Lee", "readable_title": title, "source": "kindle",
        "category": "books", "book_tags": [], "highlights": list(highlights), **more,
    }  # fmt: skip


def marked(text: str, number: int = 1, **more: Any) -> dict[str, Any]:
    """A highlight as the API exports it."""
    return {"id": number, "text": text, "note": "", "location": 12, "location_type": "page", "tags": [], **more}


def page(*books: dict[str, Any]) -> str:
    """A page of the API's export."""
    return json.dumps({"count": len(books), "nextPageCursor": None, "results": list(books)})


def bodies(file: Path) -> dict[str, str]:
    """The body of every book of a file, by its name."""
    found = recognised(file)
    assert found is not None, f"{file} is no export"
    return {name: body_of(each) for name, each in found.books()}


def scanned(folder: Path, known: dict[str, Seen] | None = None) -> tuple[list[str], list[tuple[str, int, str]]]:
    """(paths of what is new, (path, line, kind) of the problems) of a scan."""
    scan = Vault(folder).scan(known or {})
    return [each.path for each in scan.added], [(p.path, p.line, p.kind) for p in scan.problems]


def remembered(found: tuple[Found, ...]) -> dict[str, Seen]:
    """What a memory would know after a scan that found this."""
    return {f.path: Seen(f"id-{f.path}", f.path, f.size, f.mtime_ns, f.hash, f.head.uid) for f in found}
