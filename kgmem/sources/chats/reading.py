"""The body of a conversation as a document: each message a passage, with its time and with who says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kgmem.model import UNKNOWN, Basis, Bound, Moment
from kgmem.sources.arriving import digest_of
from kgmem.sources.chats.body import heading, id_of, messages_in, title_of
from kgmem.sources.chats.conversation import Message, Role
from kgmem.sources.document import Block, Document, Head, Link, Voice
from kgmem.sources.naming import TALK
from kgmem.sources.obsidian.links import Links
from kgmem.sources.obsidian.markdown import LONGEST, blocks, title_block
from kgmem.sources.obsidian.syntax import Resolve
from kgmem.sources.obsidian.text import blank

KIND: Final = "conversation"
MESSAGE: Final = "message"
"""The kind of the passages."""
_NOT_SAID: Final = frozenset({"code", "quote"})
"""What stands in a message, and is not what its writer says."""
_SILENT: Final = Voice(claims=False)


def document_of(path: str, body: str) -> Document:
    """Read a body (see `kgmem.sources.chats.body`) as what stands at a path."""
    head = head_of(path, body)
    resolve = Links(()).resolver(path)
    said = list(_dated(body))
    first = next((when for _, _, when in said if when.shown), UNKNOWN)
    return Document(
        head=head,
        kind=KIND,
        hash=digest_of(body),
        text=body,
        blocks=(
            title_block(head.title),
            *(block for message, line, when in said for block in _passages(message, line, when, resolve)),
        ),
        occurred=first,
        dated_by="message" if first.shown else "",
    )


def head_of(path: str, body: str) -> Head:
    """The head of that document. Its title is no name of what it is about: a talk on Oslo is not the town."""
    title = title_of(body) or path.rpartition("#")[2]
    return Head(path, f"{TALK}{title}", uid=id_of(body) or None)


def _dated(body: str) -> Iterator[tuple[Message, int, Bound]]:
    """The messages, each with its line and date: without a time, that of the one before, which only orders."""
    last: Moment | None = None
    for message, line in messages_in(body):
        last = message.at or last
        basis = Basis.NOTE if message.at is not None else Basis.FILE
        yield message, line, Bound(last, basis) if last is not None else UNKNOWN


def _passages(message: Message, line: int, said: Bound, resolve: Resolve) -> Iterator[Block]:
    """A message as a passage; as several, cut between its paragraphs, where it is too long for one."""
    above = (heading(message).removeprefix("## "),)
    whole = Block(MESSAGE, "", "", line, line, above, said=said, voice=_voice(message))
    lines = message.text.split("\n")
    run: list[Block] = []
    for part in blocks(message.text, resolve):
        if run and part.last_line - run[0].first_line >= 0 and _length(lines, run[0], part) > LONGEST:
            yield _passage(run, lines, whole)
            run = []
        run.append(part)
    if run:
        yield _passage(run, lines, whole)


def _length(lines: Sequence[str], first: Block, last: Block) -> int:
    return sum(len(line) + 1 for line in lines[first.first_line - 1 : last.last_line])


def _passage(run: Sequence[Block], lines: Sequence[str], message: Block) -> Block:
    """The passage of some parts of a message that follow each other."""
    first, last = run[0].first_line, run[-1].last_line
    part = replace(
        message,
        first_line=message.first_line + first - 1,
        last_line=message.first_line + last - 1,
        fields=tuple(field for each in run for field in each.fields),
        tags=tuple(dict.fromkeys(tag for each in run for tag in each.tags)),
    )
    if len(run) == 1:
        return replace(part, text=run[0].text, prose=_prose(run[0]), links=run[0].links)
    text = "\n".join(lines[first - 1 : last])
    pieces: list[str] = []
    links: list[Link] = []
    done = 0
    for each in run:
        start = sum(len(above) + 1 for above in lines[first - 1 : each.first_line - 1])
        pieces += (blank(text[done:start]), _prose(each))
        done = start + len(each.text)
        links += [_moved(link, start) for link in each.links]
    pieces.append(blank(text[done:]))
    return replace(part, text=text, prose="".join(pieces), links=tuple(links))


def _prose(block: Block) -> str:
    return blank(block.text) if block.kind in _NOT_SAID else block.prose


def _moved(link: Link, by: int) -> Link:
    return replace(
        link,
        start=link.start + by,
        end=link.end + by,
        shown_start=link.shown_start + by,
        shown_end=link.shown_end + by,
    )


def _voice(message: Message) -> Voice | None:
    """Who "I" is in a message; None for the owner of the memory."""
    if message.role is not Role.USER:
        return _SILENT
    return Voice(message.name) if message.name else None
