"""What keeping up with Readwise costs: ``python bench/readwise_sync.py [HIGHLIGHTS…]``.

A server on the loopback hands out made books of 20 highlights, 50 to a page, at once and without its limit of 20 pages
a minute, which is the real speed of a first sync: all that is measured is ours. Then nothing is new, and then one
highlight is changed. CPU is that of whole processes without spaCy, starts included, the server's not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from _measure import Figure, Program, Spent, at_least, at_most, machine, show

LEAST_RATE = 2000
"""Highlights a CPU second."""
MOST_MEMORY = 150
"""Million bytes, however many come: the store's own cache is half of that."""
SIZES = (1658, 10_000, 30_000)
A_BOOK = 20
A_PAGE = 50
WORDS = (
    "a all and as attention because begins between book change choice city cost could day desire does each end "
    "every first fear form from give habit hand has history house idea in is it judgment keep knowledge language "
    "less life long makes memory mind money more most name nature never no nothing of often one only order other "
    "own past people place power question reason same seems self sense should silence simple since small some story "
    "than that the their there thing think this those time to trust truth turn under until use very voice want way "
    "what when which who why will with without word work world would write year"
).split()


def library(highlights: int) -> list[dict[str, Any]]:
    """Made books, the same each time."""
    chance = random.Random(9)  # noqa: S311 - made texts, no secrets
    return [
        {
            "user_book_id": number, "is_deleted": False, "title": f"On {_some(chance, 3)} {number}",
            "author": f"{_some(chance, 1).title()} {_some(chance, 1).title()}son", "category": "books",
            "source": "kindle", "readable_title": "", "book_tags": [], "document_note": "", "source_url": None,
            "highlights": [_highlight(chance, nr) for nr in range(first, min(first + A_BOOK, highlights))],
        }
        for number, first in enumerate(range(0, highlights, A_BOOK), 1)
    ]  # fmt: skip


def _highlight(chance: random.Random, number: int) -> dict[str, Any]:
    text = f"{_some(chance, chance.randint(15, 50)).capitalize()}."
    day = f"2024-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T08:00:00Z"
    return {
        "id": number, "is_deleted": False, "text": text, "location": number % A_BOOK * 10, "location_type": "page",
        "note": _some(chance, 8) if number % 10 == 0 else "", "color": "yellow", "highlighted_at": day,
        "updated_at": day, "url": None, "tags": [{"id": 1, "name": "later"}] if number % 7 == 0 else [],
        "is_discard": False, "readwise_url": f"https://readwise.io/open/{number}",
    }  # fmt: skip


def _some(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, k=count))


@contextmanager
def lending(books: list[dict[str, Any]]) -> Iterator[str]:
    """A server of these books; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = dict(parse_qsl(urlsplit(self.path).query))
            body = json.dumps(_page(books, asked.get("updatedAfter", ""), int(asked.get("pageCursor", "0")))).encode()
            self.send_response_only(200)
            self.send_header("Date", formatdate(usegmt=True))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/api/v2"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _page(books: list[dict[str, Any]], after: str, first: int) -> dict[str, Any]:
    newer = ({**each, "highlights": [one for one in each["highlights"] if one["updated_at"] > after]} for each in books)
    found = [each for each in newer if each["highlights"]] if after else books
    following = first + A_PAGE if first + A_PAGE < len(found) else None
    return {"count": len(found), "nextPageCursor": following, "results": found[first : first + A_PAGE]}


@dataclass(frozen=True, slots=True)
class Synced:
    """A sync, with what it said."""

    spent: Spent

    @property
    def said(self) -> dict[str, Any]:
        """The counts."""
        found: dict[str, Any] = json.loads(self.spent.output)
        return found


def measured(folder: Path, highlights: int) -> list[Figure]:
    """The figures of one size."""
    books = library(highlights)
    with lending(books) as url:
        kgmem = Program(folder, settings=f'[readwise]\nurl = "{url}"\n')

        def sync() -> Synced:
            return Synced(kgmem("--json", "sync", "readwise", "--no-nlp"))

        first, nothing = sync(), sync()
        books[0]["highlights"][0] |= {"text": "Another thought.", "updated_at": "2999-01-01T00:00:00Z"}
        one = sync()
    _check(first, added=len(books))
    _check(nothing, requests=1)
    _check(one, changed=1, requests=1)
    return [
        Figure("books, pages", f"{len(books):,}, {first.said['pages']}"),
        at_least("first sync, highlights a CPU second", highlights / first.spent.cpu, LEAST_RATE, "{:,.0f}"),
        Figure("first sync, on the clock", f"{first.spent.wall:.1f} s"),
        at_most("first sync, memory at most (MB)", first.spent.peak / 1e6, MOST_MEMORY, "{:.0f}"),
        Figure("nothing new, requests", str(nothing.said["requests"])),
        Figure("nothing new, CPU", f"{nothing.spent.cpu * 1000:.0f} ms"),
        Figure("one highlight changed, CPU", f"{one.spent.cpu * 1000:.0f} ms"),
    ]


def _check(synced: Synced, **expected: int) -> None:
    if any(synced.said[key] != value for key, value in expected.items()):
        raise RuntimeError(f"expected {expected}: {synced.spent.output}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="The cost of keeping up with Readwise.")
    parser.add_argument("highlights", nargs="*", type=int, default=SIZES)
    asked = parser.parse_args()
    os.environ["READWISE_TOKEN"] = "made-for-this"  # noqa: S105 - it opens nothing
    print(machine())
    for size in asked.highlights:
        with tempfile.TemporaryDirectory() as folder:
            show(f"{size:,} highlights", measured(Path(folder), size))


if __name__ == "__main__":
    main()
