"""Readwise on the loopback: some books, handed out as its export does, with whatever trouble a test wants."""

import json
from contextlib import contextmanager
from copy import deepcopy
from datetime import UTC, datetime
from email.utils import format_datetime

from loopback import Script, serving_script

from kgmem.sources.readwise.service import NAME, Readwise
from kgmem.sources.readwise.wire import Wire

TOKEN = "abcTOKEN123"  # noqa: S105 - opens nothing but this
MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)


def highlight(number, text, *, updated="2026-03-01T08:00:00Z", **more):
    said = {
        "id": number, "text": text, "location": number, "location_type": "page", "note": "", "color": "yellow",
        "highlighted_at": "2026-03-01T08:00:00Z", "created_at": "2026-03-01T08:00:00Z", "updated_at": updated,
        "external_id": None, "end_location": None, "url": None, "book_id": 1, "tags": [], "is_favorite": False,
        "is_discard": False, "is_deleted": False, "readwise_url": f"https://readwise.io/open/{number}",
    }  # fmt: skip
    return said | more


def book(number, title, *highlights, author="Yuval Noah Harari", **more):
    said = {
        "user_book_id": number, "is_deleted": False, "title": title, "author": author, "readable_title": title,
        "source": "kindle", "cover_image_url": "", "unique_url": "", "summary": "", "book_tags": [],
        "category": "books", "document_note": "", "readwise_url": "", "source_url": None, "external_id": None,
        "asin": None, "highlights": list(highlights),
    }  # fmt: skip
    return said | more


class Library(Script):
    """What a person has there. A trouble, (status, headers, body) or what gives that, is for one request; or None."""

    def __init__(self, *books, size=2, troubles=()):
        super().__init__(None)
        self.books = deepcopy(list(books))
        self.size = size
        self.troubles = list(troubles)
        self.now = MORNING

    def reply(self, request, path):
        self.asked.append({"path": path, **request})
        trouble = self.troubles.pop(0) if self.troubles else None
        if trouble is not None:
            status, headers, body = trouble() if callable(trouble) else trouble
            return status, {"Date": format_datetime(self.now, usegmt=True)} | headers, body
        if self.keys[-1] != f"Token {TOKEN}":
            return self._said(401, {"detail": "Invalid token."})
        if path.endswith("/auth/"):
            return 204, {"Content-Length": "0"}, b""
        found = [each for each in map(self._since(request.get("updatedAfter")), self.books) if each is not None]
        first = int(request.get("pageCursor", "0"))
        following = first + self.size if first + self.size < len(found) else None
        page = {"count": len(found), "nextPageCursor": following, "results": found[first : first + self.size]}
        return self._said(200, page)

    def _said(self, status, data):
        body = json.dumps(data).encode()
        date = format_datetime(self.now, usegmt=True)
        return status, {"Date": date, "Content-Type": "application/json", "Content-Length": str(len(body))}, body

    @staticmethod
    def _since(after):
        """A book with the highlights that changed; None if none did."""

        def part(one):
            if after is None:
                return one
            newer = [each for each in one["highlights"] if each["updated_at"] > after]
            return one | {"highlights": newer} if newer else None

        return part

    def change(self, number, at, **more):
        """A person changes a highlight."""
        for one in self.books:
            for each in one["highlights"]:
                if each["id"] == number:
                    each.update(more, updated_at=at)


@contextmanager
def lending(*books, **options):
    """The library at its address."""
    library = Library(*books, **options)
    with serving_script(library, library.reply):
        library.url = library.url.removesuffix("v1") + "api/v2/"
        yield library


def service(library, *, token=TOKEN, told=None):
    """A client that never really waits; what it is told goes to a list, with the seconds it was to wait."""
    heard = [] if told is None else told
    return Readwise(Wire(NAME, library.url, token, tell=heard.append, sleep=heard.append))
