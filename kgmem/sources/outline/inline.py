"""What stands inside a bullet, where Logseq and Roam read it otherwise than Obsidian.

Tags are links to pages and words of their sentence, names of pages may hold links, and a quoted block is not prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from kgmem.sources.document import Link
from kgmem.sources.obsidian.inline import Inline, Scanner
from kgmem.sources.obsidian.syntax import WIKILINK, Resolve, wikilink

TASK = re.compile(
    r"(?:(?:TODO|DOING|NOW|LATER|DONE|WAITING|WAIT|CANCELED|CANCELLED|IN-PROGRESS|BACKLOG)(?=[ \t]|\Z)"
    r"|\{\{(?:\[\[)?(?:TODO|DONE)(?:\]\])?\}\})(?:[ \t]+\[#[A-C]\])?"
)
"""The mark of a task, and how pressing it is."""
_PLANNED = re.compile(r"[ \t]*(?:(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[][^<>\[\]\n]*[>\]]|#\+[A-Z]+_[A-Z]+[^\n]*)")
_NESTED = re.compile(r"\[\[(?P<target>(?:[^\[\]|\n]|\[\[[^\[\]\n]*\]\])+)(?:\|(?P<shown>[^\[\]\n]*))?\]\]")
_LABELLED = re.compile(r"\[(?P<shown>[^\[\]\n]*)\]\(\[\[(?P<target>[^\[\]\n|]*)\]\]\)")
_QUOTED = re.compile(r"\(\([\w-]{6,64}\)\)")
_LABELLED_QUOTE = re.compile(r"\[(?P<shown>[^\[\]\n]*)\]\(\(\([\w-]{6,64}\)\)\)")


def scan_outline(text: str, kind: str, line: int, resolve: Resolve) -> Inline:
    """Read the text of a block of an outline: see `kgmem.sources.obsidian.inline.scan_inline`."""
    return OutlineScanner(text, kind, line, resolve).run()


class OutlineScanner(Scanner):
    """Reads one block of an outline."""

    def start_line(self, at: int) -> int:
        """Read the marks that a line starts with, and those of a task; returns where its words start."""
        start = super().start_line(at)
        mark = (TASK.match(self.text, start) if at == 0 else None) or _PLANNED.match(self.text, start)
        return self.hide(mark) if mark else start

    def hash(self, at: int) -> int:
        """Read ``#tag`` and ``#[[two words]]`` as links."""
        if self.text.startswith("#[[", at):
            self.blanks.append((at, at + 1))
            return at + 1
        match = self.tag_at(at)
        if match is None:
            return self.run_end(at)
        name = match["name"].strip("/")
        start = self.text.index(name, at + 1)
        end = start + len(name)
        self.tags.append((at, name))
        path, attachment = self.resolve(name)
        self.links.append(Link(name, at, match.end(), name, start, end, path=path, attachment=attachment))
        self.blanks += ((at, start), (end, match.end()))
        return match.end()

    def bracket(self, at: int) -> int:
        """Read a link, in the forms of outlines too."""
        if match := _LABELLED.match(self.text, at):
            return self.take(match, wikilink(match, self.resolve))
        if match := _LABELLED_QUOTE.match(self.text, at):
            self.blanks += ((at, at + 1), (match.end("shown"), match.end()))
            return match.end()
        if (match := _NESTED.match(self.text, at)) and "[[" in match["target"]:
            return self.nested(match)
        return super().bracket(at)

    def nested(self, match: re.Match[str]) -> int:
        """Read a link to a page whose name holds links, and these."""
        inner = [each for each in WIKILINK.finditer(self.text, match.start() + 1, match.end() - 1) if each]
        for each in (match, *inner):
            if link := wikilink(each, self.resolve):
                self.links.append(link)
        edges = [(match.start(), match.start() + 2), (match.end() - 2, match.end())]
        self.blanks += [*edges, *((at, at + 2) for each in inner for at in (each.start(), each.end() - 2))]
        return match.end()

    def take(self, match: re.Match[str], link: Link | None) -> int:
        """Keep a link; of a page in a namespace the whole name is shown."""
        if link and link.shown != link.target and link.target.endswith(f"/{link.shown}") and not match["shown"]:
            start = link.shown_end - len(link.target)
            link = replace(link, shown=link.target, shown_start=start)
        return super().take(match, link)

    def parenthesis(self, at: int) -> int:
        """Pass over a quoted block that nobody knows the words of."""
        match = _QUOTED.match(self.text, at)
        return self.hide(match) if match else super().parenthesis(at)

    def caret(self, at: int) -> int:
        """Read ``^^marked words^^``."""
        if self.text.startswith("^^", at):
            self.blanks.append((at, at + 2))
            return at + 2
        return super().caret(at)

    handlers: ClassVar[Mapping[str, Callable[[Scanner, int], int]]] = {
        **Scanner.handlers,
        "[": lambda self, at: self.bracket(at),
        "#": lambda self, at: self.hash(at),
        "(": lambda self, at: self.parenthesis(at),
        "^": lambda self, at: self.caret(at),
    }
