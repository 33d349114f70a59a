"""A file of messages that anybody can write: JSON Lines, one object a message.

    {"conversation": "4f2a", "title": "A trip to Oslo", "id": "1", "role": "user", "name": "Mira",
     "at": "2026-03-02T10:00:00Z", "text": "I moved to Oslo."}

``conversation`` and ``text`` are needed. ``role`` is user, assistant or system; without one it is user where there is a
name, and else system, for nobody is to be believed by mistake. ``title`` of the first message names the conversation;
without it, ``conversation`` does. ``at`` is ISO 8601, or seconds or milliseconds since 1970. Of several messages of one
``id`` in a conversation the last counts. Whatever else stands there is passed over.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from kgmem.sources.chats.conversation import Conversation, Message, Role, in_order, once, read_role, read_time
from kgmem.sources.readwise.shape import Part, Slip
from kgmem.sources.steady import one_line, steady

LONGEST_LINE: Final = 16_000_000
"""Bytes: no message is so long, and a file without line ends would have to be held as a whole."""

_CUT: Final = "the others were read"
_UTF8: Final = "save the file as UTF-8"
_LONGEST_TOLD: Final = 40
_LOOKED_AT: Final = 5
"""Lines by which a file is recognised: the first may be cut."""
_LONG: Final = 10_000
_CONVERSATION: Final = re.compile(r'"conversation"\s*:\s*["\d]')
_MOST: Final = 20
"""Lines of one kind of slip that are named one by one."""


class ChatLines:
    """Reads such files."""

    def parts(self, file: BinaryIO) -> Iterator[Part | Slip]:
        """See `kgmem.sources.readwise.shape.Shape`: each message is a part of its conversation."""
        seen: dict[str, dict[str, str]] = defaultdict(dict)
        told: dict[str, int] = defaultdict(int)
        start = file.tell()
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            end = start + len(line)
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                end += _skipped(file)
                what = f"a line of over {LONGEST_LINE:,} bytes"
                yield Slip(number, "chat-line", f"{what}; {_CUT}", broken=True, near=False)
            elif line.strip():
                for each in _part(line.removeprefix(b"\xef\xbb\xbf"), number, seen):
                    if isinstance(each, Slip):
                        told[each.kind] += 1
                    if isinstance(each, Slip) and told[each.kind] > _MOST:
                        continue
                    yield each._replace(start=start, end=end) if isinstance(each, Part) else each
            start = end
        for kind, count in told.items():
            if count > _MOST:
                yield Slip(number, kind, f"and {count - _MOST} more of that kind")

    def book(self, data: list[bytes]) -> Conversation:
        """See `kgmem.sources.readwise.shape.Shape`."""
        found = [json.loads(each.removeprefix(b"\xef\xbb\xbf"), strict=False) for each in data]
        messages, _ = once(message for each in found if (message := _message(each)) is not None)
        return Conversation(_named(found[0]), _title(found[0]), in_order(messages))


def is_lines(text: str) -> bool:
    """Whether the text that a file begins with is of this form."""
    lines = [line for line in text.split("\n", _LOOKED_AT) if line.strip()]
    return any(map(_is_message, lines[:_LOOKED_AT]))


def _is_message(line: str) -> bool:
    """Whether a line, or the beginning of a very long one, is a message."""
    try:
        found = json.loads(line, strict=False)
    except (ValueError, RecursionError):
        return len(line) > _LONG and line.startswith("{") and _CONVERSATION.search(line) is not None
    return isinstance(found, dict) and "conversation" in found and ("text" in found or "role" in found)


def _skipped(file: BinaryIO) -> int:
    """Read on to the end of a line; gives the number of bytes."""
    passed = 0
    while line := file.readline(1 << 20):
        passed += len(line)
        if line.endswith(b"\n"):
            break
    return passed


def _part(line: bytes, number: int, seen: Mapping[str, dict[str, str]]) -> Iterator[Part | Slip]:
    """A line as a part of its conversation, and what is wrong with it."""
    try:
        found = json.loads(line, strict=False)
    except UnicodeDecodeError:
        yield Slip(number, "encoding", f"a line that is not UTF-8; {_CUT}", _UTF8, broken=True, near=False)
        return
    except (ValueError, RecursionError):
        cut = not line.endswith(b"\n")
        what = "the last line breaks off" if cut else "a line that is no JSON"
        yield Slip(number, "chat-line", f"{what}; {_CUT}", "export it again", broken=True, near=cut)
        return
    name = _named(found) if isinstance(found, dict) else ""
    if not name:
        yield Slip(number, "chat-line", f"a line that names no conversation; {_CUT}", 'give each a "conversation"')
        return
    message = _message(found)
    if message is None:
        yield Slip(number, "chat-text", "a message without text; it was passed over")
        return
    yield from _slips(found, message, number, seen[name])
    yield Part(name, _title(found), "", 0, 0)


def _slips(found: Mapping[str, Any], message: Message, number: int, seen: dict[str, str]) -> Iterator[Slip]:
    if message.at is None:
        what = "no time" if found.get("at") in (None, "") else f"{_told(found['at'])} is no time"
        yield Slip(number, "chat-time", f"{what}; the message only stands behind the one before it", _TIME_HINT)
    if "role" in found and read_role(found["role"]) is None:
        yield Slip(number, "chat-role", f"{_told(found['role'])} is no role; what it says is not believed", _ROLE_HINT)
    if message.id and seen.setdefault(message.id, message.text) != message.text:
        yield Slip(number, "chat-id", f"another message is called {_told(message.id)} there; the last one counts")


def _told(value: Any) -> str:
    """A value that is not as it should be, in few words."""
    return repr(value)[:_LONGEST_TOLD]


_TIME_HINT: Final = 'write "at" like 2026-03-02T10:00:00Z'
_ROLE_HINT: Final = "user, assistant or system"


def _named(found: Mapping[str, Any]) -> str:
    name = found.get("conversation")
    return one_line(str(name)) if isinstance(name, str | int) and not isinstance(name, bool) else ""


def _title(found: Mapping[str, Any]) -> str:
    title = found.get("title")
    return (one_line(title) if isinstance(title, str) else "") or _named(found)


def _message(found: Mapping[str, Any]) -> Message | None:
    """None for one without text."""
    said, name = found.get("text"), found.get("name")
    text = steady(said) if isinstance(said, str) else ""
    if not text:
        return None
    called = one_line(name) if isinstance(name, str) else ""
    role = read_role(found.get("role")) or (Role.USER if called and "role" not in found else Role.SYSTEM)
    try:
        at = read_time(found.get("at"))
    except ValueError:
        at = None
    return Message.of(role, text, called, at, found.get("id"))
