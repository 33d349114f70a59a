"""From the text of a file to a document. Apart from the vault: a scan that finds nothing new needs none of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from kgmem.model import Basis, Bound, Moment, Problem
from kgmem.sources.document import Block, Document, Found, Head, Property, SourceSettings
from kgmem.sources.obsidian.canvas import read_canvas
from kgmem.sources.obsidian.dates import daily_format, file_date, impossible_day, leading_day, stated_date
from kgmem.sources.obsidian.frontmatter import Frontmatter, Slip
from kgmem.sources.obsidian.head import is_our_page, read_head
from kgmem.sources.obsidian.inline import Scan, scan_inline
from kgmem.sources.obsidian.links import without_suffix
from kgmem.sources.obsidian.markdown import blocks, property_block, title_block
from kgmem.sources.obsidian.rules import CANVAS_SUFFIX, is_canvas
from kgmem.sources.obsidian.syntax import Resolve, find_links
from kgmem.sources.obsidian.text import plain, without_comments
from kgmem.sources.obsidian.walk import Entry
from kgmem.sources.readwise import plugin

DEFAULT_DAILY_FORMAT = "YYYY-MM-DD"


class Parser:
    """Reads the texts of one vault, in Obsidian's way. The head that a scan reads is kept until the whole text is."""

    def __init__(self, kind: str, settings: SourceSettings, daily: Mapping[str, Any]) -> None:
        """Args: `daily` is what Obsidian's own settings say of daily notes."""
        self._kind = kind
        self._settings = settings
        self._heads: dict[str, tuple[str, Head, Frontmatter]] = {}
        folder, form = daily.get("folder"), daily.get("format")
        self._daily_folder = f"{folder.strip('/')}/" if isinstance(folder, str) and folder.strip("/") else ""
        self._day_of = daily_format(form if isinstance(form, str) and form else DEFAULT_DAILY_FORMAT)

    def found(self, entry: Entry, text: str, digest: str) -> Found | None:
        """What a scan says of a file with this plain text (see `text.plain`); None for a template or a page of ours."""
        path = entry.path
        head, frontmatter = self._head(path, text)
        if head.template or is_our_page(frontmatter) or _is_template(path, text):
            return None
        self._heads[path] = (digest, head, frontmatter)
        return Found(path, entry.size, entry.mtime_ns, digest, head, daily=self._day_in(path)[1])

    def document(self, path: str, text: str, digest: str, mtime_ns: int, resolve: Resolve) -> Document:
        """The whole text as a document."""
        source = plain(text)
        known_hash, head, frontmatter = self._heads.pop(path, ("", None, None))
        if head is None or frontmatter is None or known_hash != digest:
            head, frontmatter = self._head(path, source)
        if is_canvas(path):
            canvas = read_canvas(source, resolve)
            found, edges, slips = canvas.blocks, canvas.edges, list(canvas.slips)
        else:
            head = replace(head, properties=tuple(_resolved(each, resolve) for each in head.properties))
            found, edges, slips = self._blocks(source, head, frontmatter, resolve), (), list(frontmatter.slips)
        occurred, dated_by, date_slips = self._occurred(path, head, mtime_ns)
        told = {slip.line for slip in slips}
        slips += (slip for slip in date_slips if slip.line not in told)
        return Document(
            head=head,
            kind=self._kind,
            hash=digest,
            text=text,
            blocks=(title_block(head.title), *found),
            occurred=occurred,
            dated_by=dated_by,
            daily=self._day_in(path)[1],
            edges=edges,
            problems=tuple(
                Problem(path, slip.line, slip.kind, slip.message, slip.hint)
                for slip in sorted(slips, key=lambda slip: slip.line)
            ),
        )

    # -- what another dialect may read otherwise

    def _head(self, path: str, source: str) -> tuple[Head, Frontmatter]:
        head, frontmatter = read_head(path, source, self._settings)
        return (plugin.head_of(head, source) if plugin.looks_so(source) else head), frontmatter

    def _blocks(self, source: str, head: Head, frontmatter: Frontmatter, resolve: Resolve) -> tuple[Block, ...]:
        found = self._note(source, head, frontmatter, resolve)
        return tuple(plugin.blocks_of(found, head, source.split("\n"), resolve)) if plugin.looks_so(source) else found

    def _note(self, source: str, _head: Head, frontmatter: Frontmatter, resolve: Resolve) -> tuple[Block, ...]:
        return note_blocks(source, source, frontmatter, resolve)

    def _day_in(self, path: str) -> tuple[date | None, bool]:
        """(the day in a note's name, whether that is all of the name: a daily note)."""
        below = without_suffix(path.removesuffix(CANVAS_SUFFIX))
        inside = below.startswith(self._daily_folder)
        day = self._day_of(below[len(self._daily_folder) :]) if inside else None
        return (day, True) if day is not None else leading_day(below.rpartition("/")[2])

    # -- dates

    def _occurred(self, path: str, head: Head, mtime_ns: int) -> tuple[Bound, str, list[Slip]]:
        """(the note's own date, what gave it, what was no date)."""
        day, _ = self._day_in(path)
        if day is not None:
            return Bound(Moment.day(day), Basis.NOTE), "name", []
        moment, key, slips = stated_date(head.properties, self._settings.date_keys)
        wrong = impossible_day(without_suffix(path).rpartition("/")[2])
        slips += [wrong] if wrong else []
        return (Bound(moment, Basis.NOTE), key, slips) if moment else (file_date(mtime_ns), "file", slips)


def note_blocks(
    source: str, text: str, frontmatter: Frontmatter, resolve: Resolve, scan: Scan = scan_inline
) -> tuple[Block, ...]:
    """The properties of a note, then its body as `text` has it, with the lines they have in the file."""
    lines = source.split("\n")
    properties = [property_block(lines, first, last, resolve) for first, last in frontmatter.spans]
    body = without_comments("\n".join(text.split("\n")[frontmatter.length :]) if frontmatter.length else text)
    return (*properties, *blocks(body, resolve, offset=frontmatter.length, scan=scan))


def _resolved(found: Property, resolve: Resolve) -> Property:
    """The property with the links of its values."""
    if not any("[" in value.text for value in found.values):
        return found
    return replace(found, values=tuple(replace(value, links=find_links(value.text, resolve)) for value in found.values))


def _is_template(path: str, text: str) -> bool:
    """A text with gaps to fill, in a folder of templates: by its name, whatever plugin it is for."""
    folders = path.casefold().split("/")[:-1]
    return any("template" in folder for folder in folders) and ("{{" in text or "<%" in text)
