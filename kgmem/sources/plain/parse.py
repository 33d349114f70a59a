"""From the text of a note of a plain folder to a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kgmem.model import unique
from kgmem.sources.document import Block, Document, Head, Link, Property, SourceSettings
from kgmem.sources.obsidian.frontmatter import Frontmatter
from kgmem.sources.obsidian.parse import Parser, note_blocks
from kgmem.sources.obsidian.rules import is_canvas
from kgmem.sources.obsidian.syntax import Resolve
from kgmem.sources.plain.exports import Around, below_title, footer
from kgmem.sources.plain.folder import HEX_ID, bare_name, speaks_for_folder
from kgmem.sources.plain.inline import scan_plain, without_definitions
from kgmem.sources.plain.titles import first_heading, same_letters
from kgmem.sources.plain.toml_properties import read_toml
from kgmem.sources.renaming import renamed

if TYPE_CHECKING:
    from kgmem.sources.plain.folder import Plain


class PlainParser(Parser):
    """Reads the notes of one folder."""

    def __init__(self, dialect: Plain, settings: SourceSettings, daily: Mapping[str, Any]) -> None:
        """Take what names mean."""
        super().__init__(dialect.kind, settings, daily)
        self._dialect = dialect

    def document(self, path: str, text: str, digest: str, mtime_ns: int, resolve: Resolve) -> Document:
        """The whole text as a document; its links know what notes are called."""
        return renamed(super().document(path, text, digest, mtime_ns, resolve), self._called)

    def _called(self, link: Link) -> str | None:
        names = self._dialect.names(link.path) if link.path else ()
        if not names:
            return None
        return link.shown if HEX_ID.fullmatch(names[0]) else names[0]

    def _head(self, path: str, source: str) -> tuple[Head, Frontmatter]:
        head, frontmatter = super()._head(path, source)
        if is_canvas(path):
            return head, frontmatter
        if source.startswith("+++") and (toml := read_toml(source)).length:
            head, frontmatter = _with(head, toml.properties, self._settings), toml
            head = replace(head, template=toml.template)
        lines = source.split("\n")
        around = self._around(path, lines, frontmatter)
        head, frontmatter = self._titled(path, head, lines, frontmatter, around), _grown(frontmatter, around)
        head = _with(head, around.properties, self._settings)
        return replace(head, uid=around.uid or head.uid, template=head.template or not around.is_note), frontmatter

    def _around(self, path: str, lines: Sequence[str], frontmatter: Frontmatter) -> Around:
        """What stands outside of frontmatter: only a name with an id says that a program wrote it there."""
        if frontmatter.length or not HEX_ID.search(bare_name(path)):
            return Around()
        found = footer(lines)
        return found if found.uid else below_title(lines)

    def _titled(self, path: str, head: Head, lines: Sequence[str], frontmatter: Frontmatter, around: Around) -> Head:
        """The head with its title: of frontmatter, else the first heading if that is what the name stands for."""
        names, name = self._dialect.names(path), bare_name(path)
        if head.title != name:
            return replace(head, name=head.title) if names else head
        if around.uid:
            first = next((line.strip() for line in lines[: around.end] if line.strip()), "")
            title = first.removeprefix("# ") or name
            return replace(head, title=title, name=title)
        shown = names[0] if names else name
        heading = first_heading(lines, frontmatter.length)
        exported = HEX_ID.search(name) is not None
        if heading and (exported or speaks_for_folder(name) or same_letters(heading, shown)):
            shown = heading
        return replace(head, title=shown, name=shown) if names or shown != name else head

    def _note(self, source: str, head: Head, frontmatter: Frontmatter, resolve: Resolve) -> tuple[Block, ...]:
        text, references = without_definitions(source)
        if HEX_ID.search(bare_name(head.path)) and (end := footer(source.split("\n")).end) is not None:
            text = "\n".join(text.split("\n")[:end])
        return note_blocks(source, text, frontmatter, resolve, scan_plain(references))


def _grown(frontmatter: Frontmatter, around: Around) -> Frontmatter:
    spans = (*frontmatter.spans, *((each.line, each.line) for each in around.properties))
    return replace(
        frontmatter, spans=spans, length=max(frontmatter.length, around.past),
        properties=(*frontmatter.properties, *around.properties),
    )  # fmt: skip


def _with(head: Head, properties: tuple[Property, ...], settings: SourceSettings) -> Head:
    """The head with more properties, and what they say of it."""
    if not properties:
        return head
    by_key = {each.key.casefold(): each for each in properties}
    title = next(
        (by_key[key].values[0].text for key in settings.title_keys if key in by_key and by_key[key].values), ""
    )
    return replace(
        head,
        title=title.strip() or head.title,
        properties=(*head.properties, *properties),
        aliases=unique((*head.aliases, *_texts(by_key, "aliases", "alias"))),
        tags=unique((*head.tags, *_texts(by_key, "tags", "tag", "taxonomies.tags"))),
    )


def _texts(by_key: Mapping[str, Property], *keys: str) -> list[str]:
    return [value.text.lstrip("#") for key in keys if key in by_key for value in by_key[key].values]
