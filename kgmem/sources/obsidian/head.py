"""The head of a source: its title, aliases, tags and properties, before its text is read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgmem.model import unique
from kgmem.sources.document import Head, Property, SourceSettings
from kgmem.sources.obsidian.frontmatter import Frontmatter, read_frontmatter
from kgmem.sources.obsidian.links import without_suffix
from kgmem.sources.obsidian.rules import CANVAS_SUFFIX

OUR_KEY = "kgmem_id"
"""The property that every page of ours carries: such a page is never a source."""

_TEMPLATE = re.compile(r"\{\{|<%")


def read_head(path: str, text: str, settings: SourceSettings) -> tuple[Head, Frontmatter]:
    """Read the head of a plain text (see `kgmem.sources.obsidian.text.plain`); links are not resolved."""
    name = path.rpartition("/")[2]
    if name.lower().endswith(CANVAS_SUFFIX):
        return Head(path, name[: -len(CANVAS_SUFFIX)] or name), Frontmatter()
    frontmatter = read_frontmatter(text)
    properties = frontmatter.properties
    title = _scalar(properties, settings.title_keys) or without_suffix(name) or name
    head = Head(
        path=path,
        title=title,
        aliases=_values(properties, "aliases", "alias"),
        tags=_values(properties, "tags", "tag"),
        properties=properties,
        uid=_scalar(properties, settings.id_keys),
        template=frontmatter.template or _TEMPLATE.search(title) is not None,
    )
    return head, frontmatter


def is_our_page(frontmatter: Frontmatter) -> bool:
    """Whether a note is a page that an export of ours wrote."""
    return any(each.key == OUR_KEY for each in frontmatter.properties)


def _scalar(properties: Iterable[Property], keys: Iterable[str]) -> str | None:
    """The single value of the first of these keys that has one."""
    by_key = {each.key.casefold(): each for each in properties}
    for key in keys:
        found = by_key.get(key.casefold())
        if found and not found.is_list and found.values and (text := " ".join(found.values[0].text.split())):
            return text
    return None


def _values(properties: Iterable[Property], *keys: str) -> tuple[str, ...]:
    return unique(value.text for each in properties if each.key.casefold() in keys for value in each.values)
