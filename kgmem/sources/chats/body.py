"""The one readable form of a conversation, whatever file it came from.

    # A trip to Oslo

    - Conversation: 4f2a

    ## Mira (user), 2026-03-02T10:00:00Z

    What she wrote.

    ## assistant, 2026-03-02T10:00:05Z

    What it answered.

A line of a message that could be taken for such a heading carries a backslash. The form holds all that is read from it:
a replay has nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from kgmem.model import Moment
from kgmem.sources.chats.conversation import ROLES, Conversation, Message, Role

_MARK: Final = re.compile(r"# [^\n]*\n\n- Conversation: ")
_ROLE: Final = "|".join(Role)
_HEADING: Final = re.compile(
    rf"## (?:(?P<name>\S(?:.*\S)?) \((?P<named>{_ROLE})\)|(?P<role>{_ROLE}))(?:, (?P<at>\d{{4}}-\S+))?"
)
_OURS: Final = re.compile(r"\\*## ")
_HEAD_LINES: Final = 4
"""Title, gap, id, gap."""


def body_of(conversation: Conversation) -> str:
    """The text of a conversation."""
    return "\n".join(_lines(conversation)) + "\n"


def is_conversation(body: str) -> bool:
    """Whether a text is such a body."""
    return _MARK.match(body) is not None


def _lines(conversation: Conversation) -> Iterator[str]:
    yield f"# {conversation.title}"
    yield ""
    yield f"- Conversation: {conversation.id}"
    for each in conversation.messages:
        yield from ("", heading(each), "")
        yield from (f"\\{line}" if _OURS.match(line) else line for line in each.text.split("\n"))


def heading(message: Message) -> str:
    """Who said it, and when."""
    who = f"{message.name} ({message.role})" if message.name else message.role.value
    return f"## {who}, {message.at}" if message.at is not None else f"## {who}"


def title_of(body: str) -> str:
    """The title."""
    return body.partition("\n")[0].removeprefix("# ").strip()


def id_of(body: str) -> str:
    """What the file calls it."""
    return body.split("\n", _HEAD_LINES)[2].partition(": ")[2].strip()


def messages_in(body: str) -> Iterator[tuple[Message, int]]:
    """The messages of a body, each with the line (1-based) on which its text begins."""
    lines = body.split("\n")
    starts = [at for at, line in enumerate(lines) if at >= _HEAD_LINES - 1 and _HEADING.fullmatch(line)]
    for start, past in pairwise((*starts, len(lines))):
        found = _HEADING.fullmatch(lines[start])
        filled = [at for at in range(start + 1, past) if lines[at].strip()]
        if found is None or not filled:
            continue
        first, said = filled[0], lines[filled[0] : filled[-1] + 1]
        text = "\n".join(line.removeprefix("\\") if _OURS.match(line) else line for line in said)
        role = ROLES[found["named"] or found["role"]]
        yield Message(role, text, found["name"] or "", _time(found["at"])), first + 1


def _time(text: str | None) -> Moment | None:
    try:
        return Moment.parse(text) if text else None
    except ValueError:
        return None
