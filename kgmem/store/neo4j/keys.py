"""How rows are found: keys that join group and id, starts of long texts, and labels that a person reads in a browser.

Every node carries its ``group``, and a ``key`` of group and id: two groups that hold the same vault have rows of the
same ids, and never meet. A key is one property, so that its uniqueness needs no more than the free edition has.
"""

from __future__ import annotations

import re
from typing import Final

from kgmem.errors import InvariantError
from kgmem.model import Entity, EntityType, Id, identify

_LONGEST: Final = 1000
"""Characters of a text that an index takes: it refuses more than 8 kB."""
_ID: Final = re.compile("[0-9a-f]{16}")

RESERVED: Final = frozenset(
    "Group Transaction Source Place Episode Passage Entity Alias Link Claim Ending Fact Decision Replay"
    " Relinked Block Embedding"
    " Migration Conversation Message Trace Step Thread Community".split()
    + [str(each) for each in EntityType]
)
"""Labels that mean something here, so that no subtype may be one of them."""


def key_of(group: str, *parts: object) -> str:
    """The key of a row. The parts have a fixed form, so that no two rows share one."""
    return "/".join([group, *map(str, parts)])


def checked(identity: Id) -> Id:
    """An id to write.

    Raises:
        InvariantError: it is no id.
    """
    if not _ID.fullmatch(identity):
        raise InvariantError(f"not an id: {identity!r}")
    return identity


def lookup(text: str) -> str:
    """The start of a text by which an index finds it; whoever looks compares the whole text too."""
    return text[:_LONGEST]


def search_label(group: str) -> str:
    """The label of what is searched of a group: an index of its own gives a group word statistics of its own."""
    return f"Group_{_word(group)}_{identify('group', group)}"


def labels_of(entity: Entity) -> list[str]:
    """The labels of an entity beside ``Entity``: its type, and its subtype as a person would write it as a label."""
    subtype = _word(entity.subtype or "")
    if not subtype:
        return [str(entity.type)]
    return [str(entity.type), f"{subtype}_" if subtype in RESERVED else subtype]


def _word(text: str) -> str:
    """Letters and digits alone, each word with a capital: ``research lab`` becomes ``ResearchLab``."""
    words = re.findall(r"[^\W_]+", text)
    return "".join(word[0].upper() + word[1:] for word in words)[:60]
