"""Sources that come one at a time and stand in no folder: captures, conversations, what a service hands over.

Their root starts with `VIRTUAL`. What arrived is kept in the memory alone, so a scan compares only what arrives
now: what it does not name stays, and nothing is removed but what is named as gone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from kgmem.sources.document import Document, Found, Head, Scan, Seen

VIRTUAL: Final = "kgmem:"
"""How a root that is no folder starts."""
CAPTURES: Final = f"{VIRTUAL}captures"
"""The root of what a person tells the memory itself."""

Parse = Callable[[str, str, int], Document]
"""Reads (path, text, time of the file in nanoseconds, -1 for none)."""
HeadOf = Callable[[str, str], Head]
"""Reads the head alone of (path, text)."""


def is_folder(root: str) -> bool:
    """Whether the sources of a root are files below a folder."""
    return not root.startswith(VIRTUAL)


class Arriving:
    """A reader of texts that were handed over; without any, it only parses again what the memory holds."""

    def __init__(
        self,
        root: str,
        kind: str,
        parse: Parse,
        texts: Mapping[str, str] | None = None,
        gone: Iterable[str] = (),
        *,
        head: HeadOf | None = None,
    ) -> None:
        """Put what arrived under a root.

        Args:
            root: its name, which starts with `VIRTUAL`.
            kind: what the sources are.
            parse: reads one of them.
            texts: what arrived, by its path below the root.
            gone: paths of what was deleted where it came from; what is not known is passed over.
            head: reads the head of one where that is less work.
        """
        self.root = root
        self.kind = kind
        self._parse = parse
        self._texts = dict(texts or {})
        self._gone = frozenset(gone)
        self._head = head or (lambda path, text: parse(path, text, -1).head)

    def scan(self, known: Mapping[str, Seen]) -> Scan:
        """Compare what arrived with what is known, by path."""
        added, changed, unchanged = [], [], 0
        for path, text in self._texts.items():
            before, digest = known.get(path), digest_of(text)
            if before is not None and before.hash == digest:
                unchanged += 1
                continue
            found = Found(path, len(text), 0, digest, self._head(path, text))
            if before is None:
                added.append(found)
            else:
                changed.append((before, found))
        removed = [known[path] for path in sorted(self._gone) if path in known]
        return Scan(tuple(added), tuple(changed), removed=tuple(removed), unchanged=unchanged)

    def read(self, path: str) -> Document:
        """Read one that arrived. Bad input is in the document's problems.

        Raises:
            FileNotFoundError: it did not.
        """
        if path not in self._texts:
            raise FileNotFoundError(path)
        return self._parse(path, self._texts[path], -1)

    def parse(self, path: str, text: str, *, mtime_ns: int) -> Document:
        """Read a text as if it had arrived at `path`: replaying a stored episode."""
        return self._parse(path, text, mtime_ns)

    def paths(self) -> Iterator[str]:
        """What arrived, in order."""
        yield from self._texts

    def among(self, _notes: Iterable[str], _known: AbstractSet[str]) -> Arriving:
        """The same: their texts link by name alone."""
        return self


def digest_of(text: str) -> str:
    """The content of a text, as a name of 32 hexadecimal digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
