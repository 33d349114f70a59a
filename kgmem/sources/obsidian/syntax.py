"""How links are written: ``[[wikilinks]]`` and ``[text](note.md)``, each read by one bounded match."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from kgmem.sources.document import Link

Resolve = Callable[[str], tuple[str | None, bool]]
"""From the target of a link to (path of the note or None, whether it names an attachment)."""

WIKILINK = re.compile(r"!?\[\[(?P<target>[^\[\]|\n]*)(?:\|(?P<shown>(?:[^\[\]\n]|\[(?!\[)|\](?!\]))*))?\]\]")
MARKDOWN_LINK = re.compile(
    r"!?\[(?P<shown>[^\[\]]*)\]\([ \t]*"
    r"(?:<(?P<bracketed>[^<>\n]*)>|(?P<bare>(?:[^()\s\\]|\\.|\([^()\s]*\))*))"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\)"
)
_SIZE = re.compile(r"\d+(?:x\d+)?")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_NEXT = re.compile(r"!?\[")


def wikilink(match: re.Match[str], resolve: Resolve) -> Link | None:
    """The link that `WIKILINK` matched, or None for one without a target such as ``[[]]``."""
    text = match.string
    embed = text[match.start()] == "!"
    start, end = match.span("target")
    if match["shown"] is not None and text[end - 1] == "\\":
        end -= 1  # the bar of a link in a table is written \|
    cut = text.find("#", start, end)
    name_end = end if cut < 0 else cut
    target_start, target_end = _stripped(text, start, name_end)
    if text[target_start:target_end].lower().endswith(".md"):
        target_end -= 3
    target = text[target_start:target_end]
    heading, block = _place(text[cut + 1 : end]) if cut >= 0 else (None, None)
    if not target and heading is None and block is None:
        return None
    if target:
        shown_start, shown_end = text.rfind("/", target_start, target_end) + 1 or target_start, target_end
    else:
        shown_start, shown_end = _stripped(text, cut + (1 if block is None else 2), end)
    if match["shown"] is not None:
        alias_start, alias_end = _stripped(text, *match.span("shown"))
        if alias_start < alias_end and not (embed and _SIZE.fullmatch(text, alias_start, alias_end)):
            shown_start, shown_end = alias_start, alias_end
    path, attachment = resolve(target)
    return Link(
        target=target,
        start=match.start(),
        end=match.end(),
        shown=text[shown_start:shown_end],
        shown_start=shown_start,
        shown_end=shown_end,
        heading=heading,
        block=block,
        embed=embed,
        path=path,
        attachment=attachment,
    )


def markdown_link(match: re.Match[str], resolve: Resolve, elsewhere: str | None = None) -> Link | None:
    """The link that `MARKDOWN_LINK` matched, or None for one that leaves the vault or leads nowhere.

    `elsewhere` is the target of one that does not hold it: such a match has only the group ``shown``.
    """
    where = "shown" if elsewhere is not None else "bare" if match["bracketed"] is None else "bracketed"
    written = match[where] if elsewhere is None else elsewhere
    if not written or _EXTERNAL.match(written):
        return None
    name, cut, place = written.partition("#")
    target = unquote(name).strip()
    if target.lower().endswith(".md"):
        target = target[:-3]
    heading, block = _place(unquote(place)) if cut else (None, None)
    if not target and heading is None and block is None:
        return None
    shown_start, shown_end = _stripped(match.string, *match.span("shown"))
    if shown_start == shown_end:
        shown_start, shown_end = match.span(where)
    path, attachment = resolve(target)
    return Link(
        target=target,
        start=match.start(),
        end=match.end(),
        shown=match.string[shown_start:shown_end],
        shown_start=shown_start,
        shown_end=shown_end,
        heading=heading,
        block=block,
        embed=match.string[match.start()] == "!",
        path=path,
        attachment=attachment,
    )


def find_links(text: str, resolve: Resolve) -> tuple[Link, ...]:
    """The links of a property's value, where nothing else is markup."""
    links: list[Link] = []
    at = 0
    while bracket := _NEXT.search(text, at):
        at = bracket.start()
        if match := WIKILINK.match(text, at):
            link = wikilink(match, resolve)
        elif match := MARKDOWN_LINK.match(text, at):
            link = markdown_link(match, resolve)
        else:
            at = bracket.end()
            continue
        at = match.end()
        if link:
            links.append(link)
    return tuple(links)


def _place(suffix: str) -> tuple[str | None, str | None]:
    """(heading, block) of what follows the first ``#`` of a link."""
    suffix = suffix.strip()
    if suffix.startswith("^"):
        return None, suffix[1:] or None
    return suffix or None, None


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
