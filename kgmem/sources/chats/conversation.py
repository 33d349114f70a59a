"""A conversation, and what was said in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, Final

from kgmem.model import Moment

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MILLISECONDS: Final = 1e11
"""A count since 1970 beyond this is one of milliseconds: as seconds it would be in the year 5138."""


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


ROLES: Final[Mapping[str, Role]] = {"human": Role.USER, **{role.value: role for role in Role}}


@dataclass(frozen=True, slots=True)
class Message:
    """What one of them said at once."""

    role: Role
    text: str
    name: str = ""
    """What a user is called; of one without a name it is the owner of the memory."""
    at: Moment | None = None
    """An instant, or a day."""
    id: str = ""

    @classmethod
    def of(cls, role: Role, text: str, name: str, at: Moment | None, called: Any) -> Message:
        """One whose id a file may give as text, as a number, or not at all."""
        return cls(role, text, name, at, str(called) if isinstance(called, str | int) else "")


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in the order in which they were said."""

    id: str
    title: str
    messages: tuple[Message, ...] = ()
    deleted: bool = False
    """It is gone where it came from. No file says so of one that it holds."""


def read_role(value: Any) -> Role | None:
    """The role of a word; None for any other word."""
    return ROLES.get(value.strip().casefold()) if isinstance(value, str) else None


def read_time(value: Any) -> Moment | None:
    """The time that a file states: ISO 8601, or seconds or milliseconds since 1970. A time without a zone is UTC.

    Returns:
        None where it states none.

    Raises:
        ValueError: what it states is no time.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        text = value.strip()
        return (
            Moment.day(date.fromisoformat(text))
            if _DAY.fullmatch(text)
            else Moment.instant(datetime.fromisoformat(text))
        )
    try:
        seconds = float("" if isinstance(value, bool) else value)
        return Moment.instant(datetime.fromtimestamp(seconds / 1000 if seconds > _MILLISECONDS else seconds, UTC))
    except (TypeError, OverflowError, OSError) as error:
        raise ValueError(f"no time: {value!r}") from error


def in_order(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Messages by their times; one without a time stays behind the one that it came after."""
    keyed: list[tuple[int, Message]] = []
    last = None
    for each in messages:
        last = each.at.first if each.at is not None else last
        keyed.append((last if last is not None else -1, each))
    return tuple(each for _, each in sorted(keyed, key=lambda pair: pair[0]))


def once(messages: Iterable[Message]) -> tuple[tuple[Message, ...], int]:
    """(messages, each id once, number of those that another of its id replaced with other words).

    The last of an id counts, where the first stood: what was edited is written again.
    """
    kept: dict[object, Message] = {}
    replaced = 0
    for number, each in enumerate(messages):
        key = each.id or number
        before = kept.get(key)
        replaced += before is not None and before.text != each.text
        kept[key] = each if before is None or each.at is not None else replace(each, at=before.at)
    return tuple(kept.values()), replaced
