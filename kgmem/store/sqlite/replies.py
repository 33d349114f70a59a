"""What a model said of passages, in SQLite."""

# ruff: noqa: S608 -- statements are put together from constants of this module, and every value is bound

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from kgmem.model import BY_MODEL, LINKS_TO, OPEN, Id
from kgmem.store.replies import Reply, Spending, Unanswered
from kgmem.store.sqlite.packing import pack_id, seek_id, unpack_id

if TYPE_CHECKING:
    from kgmem.store.sqlite.connection import Handle

TABLE: Final = """
CREATE TABLE reply (           -- the last thing that a model said of a passage
  passage INTEGER PRIMARY KEY REFERENCES passage,
  grp INTEGER NOT NULL,
  model TEXT NOT NULL,
  prompt TEXT NOT NULL,
  told TEXT NOT NULL,
  tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  milliseconds INTEGER NOT NULL
) STRICT;
CREATE INDEX reply_by_group ON reply (grp, passage);
"""

_COLUMNS: Final = "model, prompt, told, tokens_in, tokens_out, milliseconds"
_PUT: Final = f"""
INSERT INTO reply (passage, grp, {_COLUMNS})
SELECT nr, ?1, ?3, ?4, ?5, ?6, ?7, ?8 FROM passage WHERE grp = ?1 AND id = ?2
ON CONFLICT DO UPDATE SET ({_COLUMNS}) = (excluded.model, excluded.prompt, excluded.told, excluded.tokens_in,
  excluded.tokens_out, excluded.milliseconds)
WHERE (model, prompt, told) IS NOT (excluded.model, excluded.prompt, excluded.told)
"""
"""A passage that was erased meanwhile keeps no reply; one that is known already is not written again."""
_UNANSWERED: Final = """
WITH made AS (
  SELECT passage, count(*) AS claims FROM claim
  WHERE grp = :grp AND withdrawn_at = :open AND replaced IS NULL AND predicate <> :link
    AND rung <> :rung AND kind IN ('holds', 'ends')
  GROUP BY passage
)
SELECT s.id, p.id,
  (SELECT json_group_array(printf('%d', id)) FROM (
     SELECT DISTINCT e.id FROM mention m CROSS JOIN entity e ON e.nr = m.entity WHERE m.passage = p.nr)),
  coalesce(d.claims, 0)
FROM source s
CROSS JOIN stands t ON t.episode = s.episode
CROSS JOIN passage p ON p.nr = t.passage
LEFT JOIN made d ON d.passage = p.id
WHERE s.grp = :grp AND s.removed_at = :open AND s.root = :root
  AND p.kind IN (SELECT value FROM json_each(:kinds))
  AND NOT EXISTS (SELECT 1 FROM reply r WHERE r.passage = p.nr AND r.model = :model AND r.prompt = :prompt)
GROUP BY p.nr ORDER BY s.path, s.id, min(t.ordinal)
"""
_SPENDING: Final = """
SELECT s.path, count(*), sum(r.tokens_in), sum(r.tokens_out), sum(r.milliseconds)
FROM reply r CROSS JOIN passage p ON p.nr = r.passage CROSS JOIN source s ON s.nr = p.source
WHERE r.grp = ? AND s.removed_at = ?
GROUP BY s.nr ORDER BY sum(r.tokens_in + r.tokens_out) DESC, s.path
"""


class SqliteReplies(ABC):
    """The calls of `kgmem.store.replies.ReplyStore` on a SQLite file."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Handle]:
        """One state of the file for all statements of a read."""

    def has_replies(self) -> bool:  # noqa: D102
        with self._reading() as handle:
            return handle.first("SELECT 1 FROM reply WHERE grp = ? LIMIT 1", handle.grp) is not None

    def replies(self, passages: Iterable[Id]) -> Mapping[Id, Reply]:  # noqa: D102
        with self._reading() as handle:
            rows = handle.each(
                "SELECT p.id, r.model, r.prompt, r.told, r.tokens_in, r.tokens_out, r.milliseconds"
                " FROM passage p CROSS JOIN reply r ON r.passage = p.nr WHERE p.grp = ? AND p.id = ?",
                [(handle.grp, seek_id(each)) for each in passages],
            )
            return {(name := unpack_id(packed)): Reply(name, *rest) for packed, *rest in rows}

    def unanswered(  # noqa: D102
        self, model: str, prompt: str, root: str, kinds: Collection[str]
    ) -> Iterator[Unanswered]:
        with self._reading() as handle:
            bindings = {
                "grp": handle.grp, "open": OPEN, "link": LINKS_TO, "rung": BY_MODEL, "root": root, "model": model,
                "prompt": prompt, "kinds": json.dumps(sorted(kinds)),
            }  # fmt: skip
            rows: list[Any] = handle.connection.execute(_UNANSWERED, bindings).fetchall()
        for source, passage, entities, claims in rows:
            named = tuple(sorted(unpack_id(int(each)) for each in json.loads(entities)))
            yield Unanswered(unpack_id(source), unpack_id(passage), named, claims)

    def spending(self) -> tuple[Spending, ...]:  # noqa: D102
        with self._reading() as handle:
            return tuple(Spending(*row) for row in handle.rows(_SPENDING, handle.grp, OPEN))


def put_replies(handle: Handle, replies: Iterable[Reply]) -> None:
    """Keep what a model said, in place of what one said before."""
    handle.run(
        _PUT,
        [
            (handle.grp, pack_id(r.passage), r.model, r.prompt, r.told, r.tokens_in, r.tokens_out, r.milliseconds)
            for r in replies
        ],
    )
