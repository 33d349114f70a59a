"""The parts of a page as it lies in the folder: which are ours, and which are the person's.

Ours are the lines between the markers, and our own keys of the frontmatter. All else is the person's, and is kept
byte for byte. A part of ours that already says what it should is left as it is spelled.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from kgmem.export.left_alone import LeftAloneError
from kgmem.export.page import LIST_KEYS, OUR_KEYS, Properties, is_day
from kgmem.export.text import quoted

BEGIN: Final = "<!-- kgmem:begin -->"
END: Final = "<!-- kgmem:end -->"

_OPENING: Final = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING: Final = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
_KEY: Final = re.compile(r"([^\s#:'\"\-\[{][^:\r\n]*?)[ \t]*:(?=\s|$)")
_CONTINUED: Final = re.compile(r"[ \t]+\S|-(?:\s|$)")
_MARKER: Final = re.compile(rf"^[ \t]*(?:(?P<begin>{BEGIN})|{END})[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_UNQUOTED: Final = frozenset({"type", "mentions", "sources"})


@dataclass(frozen=True, slots=True)
class Parts:
    """A page taken apart: its text is all of these after each other, `entries` by their texts."""

    opening: str
    """The line that opens the frontmatter, with a byte order mark if there is one."""
    entries: tuple[tuple[str | None, str], ...]
    """(key, lines) of the frontmatter in order; without a key: comments, blank lines and the like."""
    above: str
    """From the end of the frontmatter to the marker that begins our lines, with it."""
    block: str
    below: str
    """From the marker that ends our lines, with it."""
    ours: Properties

    @property
    def text(self) -> str:
        """The whole page."""
        return "".join((self.opening, *(lines for _, lines in self.entries), self.above, self.block, self.below))

    @property
    def digest(self) -> str:
        """What our part of the page says: see `digest`."""
        return digest(self.ours, self.block)

    @property
    def untouched(self) -> bool:
        """Whether nothing of the person's is in it."""
        theirs = [lines for key, lines in self.entries if key not in OUR_KEYS]
        frame = (self.above.replace("---", "", 1).replace(BEGIN, "", 1), self.below.replace(END, "", 1))
        return not any(text.strip() for text in (*theirs, *frame))

    def saying(self, wanted: Properties, block: str) -> Parts:
        """The same page with other properties and lines of ours."""
        kept = self if _normal(self.block) == block else replace(self, block=_ended_like(self.block, block))
        if dict(self.ours) == dict(wanted):
            return kept
        return replace(kept, entries=tuple(self._entries(wanted)), ours=wanted)

    def _entries(self, wanted: Properties) -> Iterator[tuple[str | None, str]]:
        """The frontmatter with our keys as wanted: each in its place, new ones after the last of ours."""
        ours = [place for place, (key, _) in enumerate(self.entries) if key in OUR_KEYS]
        last = ours[-1] if ours else -1
        held = {self.entries[place][0] for place in ours}
        for place, (key, lines) in enumerate(self.entries):
            if key not in OUR_KEYS or self.ours.get(key or "") == wanted.get(key or ""):
                yield key, lines
            elif key in wanted:
                yield key, _ended_like(self.opening, property_lines(key or "", wanted[key or ""]))
            if place == last:
                missing = [each for each in wanted if each not in held]
                yield from ((each, _ended_like(self.opening, property_lines(each, wanted[each]))) for each in missing)


def digest(ours: Properties, block: str) -> str:
    """The hash by which the manifest knows what we wrote: of values, not of how a program spells YAML or line ends."""
    said = [part for key in sorted(ours) for part in (key, *ours[key], "")]
    return hashlib.blake2b("\0".join((*said, _normal(block))).encode("utf-8"), digest_size=16).hexdigest()


def new_page(ours: Properties, block: str) -> str:
    """The text of a page that nobody has written into."""
    head = "".join(property_lines(key, values) for key, values in ours.items())
    return f"---\n{head}---\n\n{BEGIN}\n{block}{END}\n"


def property_lines(key: str, values: tuple[str, ...]) -> str:
    """A property in YAML that reads the same by the rules of 1.1 and 1.2."""
    if key in LIST_KEYS:
        return "".join((f"{key}:\n", *(f"  - {quoted(each)}\n" for each in values))) if values else f"{key}: []\n"
    plain = key in _UNQUOTED or is_day(values[0])
    return f"{key}: {values[0] if plain else quoted(values[0])}\n"


def take_apart(text: str) -> Parts:
    """The parts of a page.

    Raises:
        LeftAloneError: it has them no more.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        raise _broken("its frontmatter is gone", "restore it, or delete the page to have it made anew")
    markers = list(_MARKER.finditer(text, closing.end()))
    if [bool(each["begin"]) for each in markers] != [True, False]:
        hint = f"keep one line {BEGIN} and below it one line {END}, or delete the page to have it made anew"
        raise _broken("the markers around our part are broken", hint)
    head = text[opening.end() : closing.start()]
    entries = tuple(_split(head))
    ours = _values(head)
    if len(entries) != len({key or place for place, (key, _) in enumerate(entries)}):
        raise _broken("a property stands in it twice", "delete one of the two")
    begin, end = markers
    return Parts(
        opening=text[: opening.end()],
        entries=entries,
        above=text[closing.start() : begin.end()],
        block=text[begin.end() : end.start()],
        below=text[end.start() :],
        ours=ours,
    )


def _broken(message: str, hint: str) -> LeftAloneError:
    return LeftAloneError("broken-page", message, hint)


def _split(head: str) -> Iterator[tuple[str | None, str]]:
    """(key, lines) of a frontmatter; a value goes on in lines that are indented, or items of a list."""
    key: str | None = None
    lines: list[str] = []
    gap: list[str] = []
    for line in _LINE.findall(head):
        if key is not None and _CONTINUED.match(line):
            lines += [*gap, line]
            gap = []
            continue
        found = _KEY.match(line)
        if found is None:
            gap.append(line)
            continue
        if lines:
            yield key, "".join(lines)
        if gap:
            yield None, "".join(gap)
        key, lines, gap = found[1], [line], []
    if lines:
        yield key, "".join(lines)
    if gap:
        yield None, "".join(gap)


def _values(head: str) -> Properties:
    """Our keys with their values as they are typed."""
    import yaml

    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        data = yaml.load(head, Loader=loader)  # noqa: S506 - the base loader makes texts, lists and mappings only
    except (yaml.YAMLError, RecursionError) as error:
        problem = getattr(error, "problem", None) or "nested too deeply"
        hint = "mend it, or delete the page to have it made anew"
        raise _broken(f"its frontmatter is not YAML: {problem}", hint) from error
    if not isinstance(data, dict):
        raise _broken("its frontmatter holds no properties", "delete the page to have it made anew")
    return {key: _texts(data[key]) for key in OUR_KEYS if key in data}


def _texts(found: Any) -> tuple[str, ...]:
    return tuple(str(each) for each in found) if isinstance(found, list) else (str(found),)


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n")


def _ended_like(sample: str, text: str) -> str:
    """A text with the line ends of another."""
    return text.replace("\n", "\r\n") if "\r\n" in sample else text
