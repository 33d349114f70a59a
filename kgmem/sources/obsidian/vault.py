"""An Obsidian vault, or any folder of Markdown, as a reader of sources.

A scan stats every file and opens only those whose size or time is new. The head of a note is read from the
bytes that are hashed, so that the names of all sources are known before the first text is read. Links in
the head of a scan (`Found.head`) are not resolved yet; those of a `Document` are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from kgmem.errors import SourceError
from kgmem.model import Basis, Bound, Moment, Problem
from kgmem.sources.document import Block, Document, Found, Head, Property, Scan, Seen, SourceSettings
from kgmem.sources.obsidian.canvas import read_canvas
from kgmem.sources.obsidian.compare import Comparison
from kgmem.sources.obsidian.dates import daily_format, file_date, leading_day, stated_date
from kgmem.sources.obsidian.frontmatter import Frontmatter, Slip
from kgmem.sources.obsidian.head import is_our_page, read_head
from kgmem.sources.obsidian.links import Links, without_suffix
from kgmem.sources.obsidian.markdown import blocks, property_block, title_block
from kgmem.sources.obsidian.rules import CANVAS_SUFFIX, Rules, read_settings
from kgmem.sources.obsidian.syntax import Resolve, find_links
from kgmem.sources.obsidian.text import plain, without_comments
from kgmem.sources.obsidian.walk import Entry, Walk, walk

DEFAULT_DAILY_FORMAT = "YYYY-MM-DD"


class Vault:
    """Reads a folder of notes; `kind` is ``obsidian``, or ``text`` for a folder without ``.obsidian``."""

    def __init__(self, root: Path, settings: SourceSettings | None = None, *, kind: str | None = None) -> None:
        """Name a folder; it is first read by `scan` or `read`. `kind` overrides what it is taken for."""
        self._folder = Path(root).absolute()
        self._files = self._folder
        """Where the files are: elsewhere for a copy."""
        self._settings = settings or SourceSettings()
        self.root = self._folder.as_posix()
        self.kind = kind or ("obsidian" if (self._folder / ".obsidian").is_dir() else "text")
        self._rules: Rules | None = None
        self._links: Links | None = None
        self._paths: tuple[str, ...] = ()
        self._heads: dict[str, tuple[str, Head, Frontmatter]] = {}
        self._passed: dict[str, Entry] = {}
        """Templates and pages of ours, as they were when they were found out."""
        daily, problem = read_settings(self._folder, "daily-notes.json")
        self._problems = (problem,) if problem else ()
        folder, form = daily.get("folder"), daily.get("format")
        self._daily_folder = f"{folder.strip('/')}/" if isinstance(folder, str) and folder.strip("/") else ""
        self._day_of = daily_format(form if isinstance(form, str) and form else DEFAULT_DAILY_FORMAT)

    def copied_to(self, folder: Path) -> Vault:
        """This vault read from a copy of its files: under its own name, and by its own settings and rules."""
        copy = Vault(self._folder, self._settings, kind=self.kind)
        copy._files = folder.absolute()
        return copy

    def scan(self, known: Mapping[str, Seen]) -> Scan:
        """Walk the folder and compare it with what is known, by path.

        Raises:
            kgmem.errors.SourceError: the folder itself cannot be read.
        """
        seen = self._walk()
        comparison = Comparison(known, seen.unseen)
        sources = [entry for entry in seen.entries if comparison.same(entry) or self._compare(entry, comparison)]
        self._paths = tuple(entry.path for entry in sources)
        scan = comparison.result()
        return replace(scan, problems=(*self._problems, *seen.problems, *scan.problems))

    def read(self, path: str) -> Document:
        """Read one source. Bad input is in the document's problems.

        Raises:
            OSError: the file vanished or cannot be read.
        """
        file = self._files / path
        data = file.read_bytes()
        mtime_ns = file.stat().st_mtime_ns
        digest = _digest(data)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            head = Head(path, without_suffix(path.rpartition("/")[2]))
            return Document(head, self.kind, digest, "", (), problems=(_not_utf8(path, data, error),))
        return self._parse(path, text, digest, mtime_ns)

    def parse(self, path: str, text: str, *, mtime_ns: int) -> Document:
        """Read a text as if it stood at `path`: replaying a stored episode."""
        return self._parse(path, text, _digest(text.encode("utf-8", "surrogatepass")), mtime_ns)

    def paths(self) -> Iterator[str]:
        """The notes of the last scan, in order."""
        yield from self._paths

    def wanted(self, path: str | Path) -> bool:
        """Whether a scan would read the file at that path, absolute or relative to the root.

        Only names, folders and ignore rules decide: a template is found out when it is read.
        """
        place = Path(path)
        if place.is_absolute():
            if not place.is_relative_to(self._folder):
                return False
            place = place.relative_to(self._folder)
        if ".." in place.parts or not place.parts:
            return False
        if self._rules is None:
            self._rules = self._new_rules()
        return self._rules.wanted(place.as_posix())

    # -- scanning

    def _walk(self) -> Walk:
        rules = self._rules = self._new_rules()
        seen = walk(self._files, rules)
        self._links = Links((entry.path for entry in seen.entries if not _is_canvas(entry.path)), _attachments(seen))
        return seen

    def _new_rules(self) -> Rules:
        templates, problem = read_settings(self._folder, "templates.json")
        folder = templates.get("folder")
        excluded = [*self._settings.export_folders, *([folder] if isinstance(folder, str) else [])]
        rules = Rules(self._folder, self._settings.ignore, [self._relative(each) for each in excluded])
        if problem:
            rules.problems.append(problem)
        return rules

    def _relative(self, folder: str) -> str:
        place = Path(folder)
        if place.is_absolute() and place.is_relative_to(self._folder):
            place = place.relative_to(self._folder)
        return place.as_posix()

    def _compare(self, entry: Entry, comparison: Comparison) -> bool:
        """Read a file that may have changed; says whether it is a source."""
        path = entry.path
        if self._passed.get(path) == entry:
            return False
        try:
            data = (self._files / path).read_bytes()
        except FileNotFoundError:
            comparison.keep(path)  # it vanished during the scan: the next one will know
            return False
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}"
            hint = "check who may read it; what was known is kept"
            comparison.keep(path, Problem(path, 1, "unreadable", message, hint))
            return False
        try:
            text = plain(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            comparison.keep(path, _not_utf8(path, data, error))
            return False
        digest = _digest(data)
        head, frontmatter = read_head(path, text, self._settings)
        if head.template or is_our_page(frontmatter) or _is_template(path, text):
            self._passed[path] = entry
            return False
        self._heads[path] = (digest, head, frontmatter)
        found = Found(path, entry.size, entry.mtime_ns, digest, head, daily=self._day_in(path)[1])
        comparison.found(found, blank=not text.strip())
        return True

    # -- reading

    def _parse(self, path: str, text: str, digest: str, mtime_ns: int) -> Document:
        source = plain(text)
        known_hash, head, frontmatter = self._heads.pop(path, ("", None, None))
        if head is None or frontmatter is None or known_hash != digest:
            head, frontmatter = read_head(path, source, self._settings)
        resolve = self._resolver(path)
        if _is_canvas(path):
            canvas = read_canvas(source, resolve)
            found, edges, slips = canvas.blocks, canvas.edges, list(canvas.slips)
        else:
            head = replace(head, properties=tuple(_resolved(each, resolve) for each in head.properties))
            found, edges, slips = _note_blocks(source, frontmatter, resolve), (), list(frontmatter.slips)
        occurred, dated_by, date_slips = self._occurred(path, head, mtime_ns)
        told = {slip.line for slip in slips}
        slips += (slip for slip in date_slips if slip.line not in told)
        return Document(
            head=head,
            kind=self.kind,
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

    def _resolver(self, path: str) -> Resolve:
        if self._links is None:
            try:
                self._walk()
            except SourceError:
                self._links = Links(())  # a replay does not need the folder
        assert self._links is not None  # noqa: S101 - for the type checker
        return self._links.resolver(path)

    def _occurred(self, path: str, head: Head, mtime_ns: int) -> tuple[Bound, str, list[Slip]]:
        """(the note's own date, what gave it, what was no date)."""
        day, _ = self._day_in(path)
        if day is not None:
            return Bound(Moment.day(day), Basis.NOTE), "name", []
        moment, key, slips = stated_date(head.properties, self._settings.date_keys)
        return (Bound(moment, Basis.NOTE), key, slips) if moment else (file_date(mtime_ns), "file", slips)

    def _day_in(self, path: str) -> tuple[date | None, bool]:
        """(the day in a note's name, whether that is all of the name: a daily note)."""
        below = without_suffix(path.removesuffix(CANVAS_SUFFIX))
        inside = below.startswith(self._daily_folder)
        day = self._day_of(below[len(self._daily_folder) :]) if inside else None
        return (day, True) if day is not None else leading_day(below.rpartition("/")[2])


def _note_blocks(source: str, frontmatter: Frontmatter, resolve: Resolve) -> tuple[Block, ...]:
    """The properties of a note, then its body, with the lines they have in the file."""
    lines = source.split("\n")
    properties = [property_block(lines, first, last, resolve) for first, last in frontmatter.spans]
    body = without_comments("\n".join(lines[frontmatter.length :]) if frontmatter.length else source)
    return (*properties, *blocks(body, resolve, offset=frontmatter.length))


def _resolved(found: Property, resolve: Resolve) -> Property:
    """The property with the links of its values."""
    if not any("[" in value.text for value in found.values):
        return found
    return replace(found, values=tuple(replace(value, links=find_links(value.text, resolve)) for value in found.values))


def _attachments(seen: Walk) -> Iterator[str]:
    yield from seen.files
    yield from (entry.path for entry in seen.entries if _is_canvas(entry.path))


def _is_template(path: str, text: str) -> bool:
    """A text with gaps to fill, in a folder of templates: by its name, whatever plugin it is for."""
    folders = path.casefold().split("/")[:-1]
    return any("template" in folder for folder in folders) and ("{{" in text or "<%" in text)


def _is_canvas(path: str) -> bool:
    return path.lower().endswith(CANVAS_SUFFIX)


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _not_utf8(path: str, data: bytes, error: UnicodeDecodeError) -> Problem:
    line = data.count(b"\n", 0, error.start) + 1
    return Problem(path, line, "encoding", f"not UTF-8: byte 0x{data[error.start]:02X}", "save the note as UTF-8")
