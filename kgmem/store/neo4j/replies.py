"""What a model said of passages, on a Neo4j server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from kgmem.model import BY_MODEL, LINKS_TO, OPEN, Id
from kgmem.store.replies import Reply, Spending, Unanswered

if TYPE_CHECKING:
    from kgmem.store.neo4j.connection import Handle
    from kgmem.store.neo4j.rows import Row, Work

_FIELDS: Final = "model prompt told tokens_in tokens_out milliseconds".split()
_OF_PASSAGE: Final = "p.id, " + ", ".join(f"p.reply_{name}" for name in _FIELDS)
PIECES: Final = {
    "replies_put": (
        "MATCH (p:Passage {key: row.key}) SET p += row.properties"
        " WITH p MATCH (g:Group {key: $group}) SET g.has_replies = true"
    ),
}
"""A reply stands on its passage and goes with it. A passage that was erased meanwhile keeps none."""
DUMP: Final = "MATCH (p:Passage {group: $group}) WHERE p.reply_model IS NOT NULL RETURN p.id AS passage, " + ", ".join(
    f"p.reply_{name} AS {name}" for name in _FIELDS
)

_HELD: Final = (
    f"UNWIND $keys AS key MATCH (p:Passage {{key: key}}) WHERE p.reply_model IS NOT NULL RETURN {_OF_PASSAGE}"
)
_UNANSWERED: Final = """
MATCH (s:Source {group: $group, root: $root}) WHERE s.removed_at = $open
MATCH (s)-[:CURRENT]->(:Episode)-[t:HAS_PASSAGE]->(p:Passage)
WHERE p.kind IN $kinds AND NOT (coalesce(p.reply_model, '') = $model AND coalesce(p.reply_prompt, '') = $prompt)
WITH s, p, min(t.ordinal) AS ordinal
RETURN s.id, p.id, COLLECT { MATCH (p)-[:MENTIONS]->(e:Entity) RETURN DISTINCT e.id },
  COUNT { MATCH (p)-[:ASSERTS]->(c:Claim)
    WHERE c.withdrawn_at = $open AND c.replaced IS NULL AND c.predicate <> $link AND c.rung <> $rung
      AND c.kind IN ['holds', 'ends'] }
ORDER BY s.path, s.id, ordinal
"""
_SPENDING: Final = """
MATCH (p:Passage {group: $group}) WHERE p.reply_model IS NOT NULL
MATCH (p)-[:PART_OF]->(s) WHERE s.removed_at = $open
WITH s, count(p) AS passages, sum(p.reply_tokens_in) AS read, sum(p.reply_tokens_out) AS written,
  sum(p.reply_milliseconds) AS time
RETURN s.path, passages, read, written, time ORDER BY read + written DESC, s.path
"""


class Neo4jReplies(ABC):
    """The calls of `kgmem.store.replies.ReplyStore` on a Neo4j server."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Handle]:
        """A read."""

    def has_replies(self) -> bool:  # noqa: D102
        with self._reading() as handle:
            return handle.first("MATCH (g:Group {key: $group}) WHERE g.has_replies RETURN 1") is not None

    def replies(self, passages: Iterable[Id]) -> Mapping[Id, Reply]:  # noqa: D102
        with self._reading() as handle:
            return held(handle, passages)

    def unanswered(  # noqa: D102
        self, model: str, prompt: str, root: str, kinds: Collection[str]
    ) -> Iterator[Unanswered]:
        with self._reading() as handle:
            rows = handle.rows(
                _UNANSWERED,
                root=root,
                open=OPEN,
                link=LINKS_TO,
                rung=BY_MODEL,
                model=model,
                prompt=prompt,
                kinds=sorted(kinds),
            )
        for source, passage, entities, claims in rows:
            yield Unanswered(source, passage, tuple(sorted(entities)), claims)

    def spending(self) -> tuple[Spending, ...]:  # noqa: D102
        with self._reading() as handle:
            return tuple(Spending(*row) for row in handle.rows(_SPENDING, open=OPEN))


def held(handle: Handle, passages: Iterable[Id]) -> dict[Id, Reply]:
    """What is kept of passages."""
    return {row[0]: Reply(*row) for row in handle.rows(_HELD, keys=handle.keys(passages))}


def put_replies(work: Work, replies: Iterable[Reply]) -> None:
    """Keep what a model said, in place of what one said before."""
    new = list(replies)
    known = held(work.handle, (each.passage for each in new)) if new else {}
    for reply in new:
        if reply != known.get(reply.passage):
            work.put("replies_put", **row_of(work.handle, asdict(reply)))


def row_of(handle: Handle, reply: Mapping[str, Any]) -> Row:
    """What the piece takes that writes a reply."""
    return {"key": handle.key(reply["passage"]), "properties": {f"reply_{name}": reply[name] for name in _FIELDS}}
