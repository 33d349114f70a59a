"""The files ``conversations.json`` that ChatGPT and Claude hand out, as far as both are publicly described.

ChatGPT keeps the messages of a conversation in a tree, for a question may be asked again in other words: what counts is
the way from the node that was current last up to the root. Claude keeps a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

from kgmem.sources.chats.conversation import Conversation, Message, Role, in_order, once, read_role, read_time
from kgmem.sources.readwise.objects import parts_of
from kgmem.sources.readwise.shape import Part, Slip
from kgmem.sources.steady import first_words, one_line, steady

_LONGEST_TITLE: Final = 60
_UNTITLED: Final = "Untitled"
_TREE: Final = re.compile(r'"mapping"\s*:\s*\{')
_TREE_TOO: Final = re.compile(r'"(?:current_node|conversation_id|create_time)"\s*:')
_LIST: Final = re.compile(r'"chat_messages"\s*:\s*\[')

Object = Mapping[str, Any]


class ChatExport:
    """Reads such files; both kinds of conversations may stand in one."""

    def parts(self, file: BinaryIO) -> Iterator[Part | Slip]:
        """See `kgmem.sources.readwise.shape.Shape`: each conversation is one part."""
        yield from parts_of(file, _part)

    def book(self, data: list[bytes]) -> Conversation:
        """See `kgmem.sources.readwise.shape.Shape`; of one that stands there twice, the last counts."""
        return _conversation(json.loads(data[-1], strict=False))


def is_export(text: str) -> bool:
    """Whether the text that a file begins with is of this form."""
    return bool(_LIST.search(text) or (_TREE.search(text) and _TREE_TOO.search(text)))


def _part(found: Object) -> Part | None:
    if not (isinstance(found.get("mapping"), dict) or isinstance(found.get("chat_messages"), list)):
        return None
    whole = _conversation(found)
    return Part(whole.id or whole.title, whole.title, "", 0, 0) if whole.messages else None


def _conversation(found: Object) -> Conversation:
    mapping, listed = found.get("mapping"), found.get("chat_messages")
    if isinstance(mapping, dict):
        said = [_of_tree(each) for each in _way(mapping, found.get("current_node"))]
    else:
        said = [_of_list(each) for each in listed or () if isinstance(each, dict)]
    messages, _ = once(each for each in said if each is not None)
    name = found.get("conversation_id") or found.get("uuid") or found.get("id")
    title = found.get("title") or found.get("name")
    asked = next((each.text for each in messages if each.role is Role.USER), "")
    shown = one_line(title) if isinstance(title, str) else ""
    shown = shown or first_words(one_line(asked.partition("\n")[0]), _LONGEST_TITLE) or _UNTITLED
    return Conversation(one_line(str(name or "")), shown, in_order(messages))


# -- a tree


def _way(mapping: Object, current: Any) -> list[Object]:
    """The messages from the root to the current node; without one, all of them as they stand."""
    way: list[Object] = []
    passed: set[str] = set()
    at = current
    while isinstance(at, str) and at not in passed and isinstance(node := mapping.get(at), dict):
        passed.add(at)
        if isinstance(node.get("message"), dict):
            way.append(node["message"])
        at = node.get("parent")
    if way:
        return way[::-1]
    nodes = (each.get("message") for each in mapping.values() if isinstance(each, dict))
    return [each for each in nodes if isinstance(each, dict)]


def _of_tree(found: Object) -> Message | None:
    author, content, details = (_dict(found.get(key)) for key in ("author", "content", "metadata"))
    role = read_role(author.get("role"))
    if role is None or details.get("is_visually_hidden_from_conversation"):
        return None
    if content.get("content_type") not in {None, "text", "multimodal_text"}:
        return None  # code that it ran, pages that it looked at
    parts = content.get("parts")
    texts = [_part_text(each) for each in parts] if isinstance(parts, list) else [_text(content.get("text"))]
    name = author.get("name")
    called = one_line(name) if isinstance(name, str) and role is Role.USER else ""
    return _message(role, "\n\n".join(filter(None, texts)), called, found.get("create_time"), found.get("id"))


def _part_text(part: Any) -> str:
    """Words; of what was spoken, what was understood of it; nothing of a picture."""
    return _text(part) or _text(_dict(part).get("text"))


# -- a list


def _of_list(found: Object) -> Message | None:
    role = read_role(found.get("sender"))
    if role is None:
        return None
    content = found.get("content")
    pieces = [_dict(each) for each in content] if isinstance(content, list) else []
    texts = [_text(each.get("text")) for each in pieces if each.get("type") == "text"]
    text = "\n\n".join(filter(None, texts)) or _text(found.get("text"))
    return _message(role, text, "", found.get("created_at"), found.get("uuid"))


# -- both


def _message(role: Role, text: str, name: str, at: Any, called: Any) -> Message | None:
    said = steady(text)
    if not said:
        return None
    try:
        time = read_time(at)
    except ValueError:
        time = None
    return Message.of(role, said, name, time, called)


def _dict(value: Any) -> Object:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
