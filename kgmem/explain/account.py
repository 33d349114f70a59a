"""The account of one note, as people and programs read it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from kgmem.extraction.ontology import Rank
from kgmem.model import Bound, Claim, Entity, Episode, Instant, Mention, Passage, Problem, Source, show_instant
from kgmem.sources.document import Link


class State(StrEnum):
    """How a note stands to the memory."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MOVED = "moved"
    NEW = "not in the memory"
    GONE = "gone"
    """Its file is not there any more, and no ingest has seen that yet."""
    REMOVED = "removed"
    """Its file was gone at an ingest: only the past holds what it said."""
    LEFT_OUT = "left out"
    UNREADABLE = "unreadable"


class Status(StrEnum):
    """How a claim stands to the memory."""

    ASSERTED = "asserted"
    NEW = "new"
    """Not in the memory: the next ingest takes it in."""
    ENDING = "ending"
    """In the memory, and not read any more: the next ingest ends it."""
    REPLACED = "replaced"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Dating:
    """The date of a note, and what it rests on."""

    occurred: Bound
    dated_by: str = ""
    """The key of a property, ``name`` or ``file``; empty where only the memory tells the date."""
    daily: bool = False

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on. A file's time orders claims and is no date of the note."""
        return {"date": self.occurred.shown, **_bound_json("occurred", self.occurred), **self._rest()}

    def _rest(self) -> dict[str, Any]:
        return {"dated_by": self.dated_by or None, "daily": self.daily}


@dataclass(frozen=True, slots=True)
class Type:
    """What a note is taken for."""

    entity: Entity
    rests_on: str
    """In words."""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on; `rank` is a `Rank` in lower case."""
        entity = self.entity
        return {
            "id": entity.id,
            "name": entity.name,
            "type": entity.type.value,
            "subtype": entity.subtype,
            "rank": Rank(entity.type_rank).name.lower(),
            "rests_on": self.rests_on,
        }


@dataclass(frozen=True, slots=True)
class MentionTold:
    """A mention, with whom it means; `held` if the memory has it."""

    mention: Mention
    entity: Entity
    held: bool

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "entity": {"id": self.entity.id, "name": self.entity.name, "type": self.entity.type.value},
            "surface": self.mention.surface,
            "span": [self.mention.start, self.mention.end],
            "rung": self.mention.rung,
            "held": self.held,
        }


@dataclass(frozen=True, slots=True)
class LinkTold:
    """A link, with the entity that its words mean, if any."""

    link: Link
    line: int
    """1-based in the file."""
    means: str | None

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on; `path` is null for a link to no note."""
        link = self.link
        return {
            "target": link.target,
            "heading": link.heading,
            "block": link.block,
            "shown": link.shown,
            "line": self.line,
            "embed": link.embed,
            "attachment": link.attachment,
            "path": link.path,
            "means": self.means,
        }


@dataclass(frozen=True, slots=True)
class ClaimTold:
    """A claim, with the names of its ends and how it stands."""

    claim: Claim
    subject: str
    target: str
    line: int
    """1-based, in the newest text that makes it."""
    status: Status
    until: str | None = None
    """Of a replaced claim the world date where it ends, of a withdrawn one the recorded instant."""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        claim = self.claim
        return {
            "statement": claim.statement,
            "subject": self.subject,
            "predicate": claim.predicate,
            "object": self.target if claim.object is not None else None,
            "value": claim.value,
            "line": self.line,
            "quote": claim.quote,
            **_bound_json("valid_from", claim.valid.start),
            **_bound_json("valid_to", claim.valid.end),
            **_bound_json("said", claim.said),
            "kind": claim.kind.value,
            "rung": claim.rungs[0],
            "agreed": list(claim.rungs[1:]),
            "confidence": claim.confidence,
            "status": self.status.value,
            "until": self.until,
            "recorded_at": None if self.status is Status.NEW else show_instant(claim.recorded_at),
        }


@dataclass(frozen=True, slots=True)
class DroppedTold:
    """A claim that rungs made and none is kept of, since others say otherwise or nobody is sure enough."""

    statement: str
    predicate: str
    line: int
    """1-based in the file."""
    rungs: tuple[str, ...]
    confidence: float
    why: str

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "statement": self.statement,
            "predicate": self.predicate,
            "line": self.line,
            "rung": self.rungs[0],
            "agreed": list(self.rungs[1:]),
            "confidence": self.confidence,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class PassageTold:
    """A passage with all that was read from it; `held` if the memory has it."""

    passage: Passage
    held: bool
    mentions: tuple[MentionTold, ...]
    links: tuple[LinkTold, ...]
    claims: tuple[ClaimTold, ...]

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        passage = self.passage
        return {
            "id": passage.id,
            "kind": passage.kind,
            "first_line": passage.first_line,
            "last_line": passage.last_line,
            "heading": passage.heading,
            "block": passage.block,
            "text": passage.text,
            "held": self.held,
            "mentions": [each.as_json() for each in self.mentions],
            "links": [each.as_json() for each in self.links],
            "claims": [each.as_json() for each in self.claims],
        }


@dataclass(frozen=True, slots=True)
class Differences:
    """How many of each the file has and the memory lacks (new), or the other way (gone)."""

    passages_new: int = 0
    passages_gone: int = 0
    mentions_new: int = 0
    mentions_gone: int = 0
    claims_new: int = 0
    claims_gone: int = 0

    def __bool__(self) -> bool:
        """Whether there is any."""
        return any(asdict(self).values())


@dataclass(frozen=True, slots=True)
class Account:
    """All there is to say of one note."""

    state: State
    message: str
    hint: str
    """What helps, or empty."""
    root: str
    path: str
    kind: str
    title: str
    source: Source | None = None
    """As the memory holds it, or would; None for a file that is no source."""
    hash: str = ""
    """Of the file's content as it is now."""
    episode: Episode | None = None
    """The one that the memory holds."""
    recorded: tuple[Instant, ...] = ()
    """When the memory took in something of the source, in order."""
    dating: Dating | None = None
    type: Type | None = None
    aliases: tuple[tuple[str, str], ...] = ()
    """(name, where it comes from), without the title."""
    passages: tuple[PassageTold, ...] = ()
    former: tuple[ClaimTold, ...] = ()
    """Claims that the note made and does not make any more, or not after the next ingest."""
    differences: Differences = Differences()
    problems: tuple[Problem, ...] = ()
    dropped: tuple[DroppedTold, ...] = ()
    """What the reading left out."""

    def as_json(self, limit: int | None = None) -> dict[str, Any]:
        """The form that scripts rely on; `limit` bounds the passages."""
        return {
            "note": {
                "root": self.root,
                "path": self.path,
                "kind": self.kind,
                "title": self.title,
                "state": self.state.value,
                "message": self.message,
                "hint": self.hint,
                "hash": self.hash or None,
            },
            "source": self.source and {"id": self.source.id, "path": self.source.path, "uid": self.source.uid},
            "episode": self.episode and self._episode_json(self.episode),
            "recorded": [show_instant(at) for at in self.recorded],
            "dates": self.dating and self.dating.as_json(),
            "type": self.type and self.type.as_json(),
            "aliases": [{"name": name, "kind": kind} for name, kind in self.aliases],
            "total": len(self.passages),
            "passages": [each.as_json() for each in self.passages[:limit]],
            "former": [each.as_json() for each in self.former],
            "dropped": [each.as_json() for each in self.dropped],
            "differences": asdict(self.differences),
            "problems": [asdict(each) for each in self.problems],
        }

    @staticmethod
    def _episode_json(episode: Episode) -> dict[str, Any]:
        return {
            "id": episode.id,
            "hash": episode.hash,
            "recorded_at": show_instant(episode.recorded_at),
            **_bound_json("occurred", episode.occurred),
        }


def _bound_json(name: str, bound: Bound) -> dict[str, str | None]:
    return {name: str(bound.moment) if bound.moment else None, f"{name}_basis": bound.basis.value}
