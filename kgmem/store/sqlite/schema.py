"""The tables, and how an older file becomes a current one.

A row that has an id carries its group (``grp``) too, and the pair is its key: two groups that hold the same vault
have rows of the same ids, and never meet. ``nr`` is the number of a row within the file. It grows, so that rows
written together lie together; tables that only hang on others (``stands``, ``mention``, ``evidence``, search) use
it, which keeps a transaction to few pages. A handle knows its group's number, so no row is checked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import apsw

from kgmem.errors import StoreTooNewError, StoreUnreachableError
from kgmem.model import OPEN
from kgmem.store.generations import no_such, split_name
from kgmem.store.sqlite.connection import Handle, back_up, transaction
from kgmem.store.sqlite.packing import PACKED_UNKNOWN

_APPLICATION: Final = 0x6B676D65
"""Marks a SQLite file as ours: the bytes of ``kgme``."""


class Needs(StrEnum):
    """What a person's memory needs after a migration."""

    NOTHING = "nothing"
    REREAD = "reread"
    """Sources are to be read again: cheap."""
    REEXTRACT = "reextract"
    """Claims are to be drawn again: ask first."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema."""

    number: int
    apply: Callable[[apsw.Connection], None]
    needs: Needs = Needs.NOTHING

    @property
    def name(self) -> str:
        """The name of its function."""
        return self.apply.__name__


def m001_initial(connection: apsw.Connection) -> None:
    """All tables of the first release."""
    connection.execute(_TABLES)


def m002_replay(connection: apsw.Connection) -> None:
    """How far the history of a folder was replayed."""
    connection.execute(_REPLAY)


def m003_decisions(connection: apsw.Connection) -> None:
    """What a person decided."""
    connection.execute(_DECISIONS)


def m004_search_of_the_past(connection: apsw.Connection) -> None:
    """Search rows also of what is no longer live: until now they were deleted when it died."""
    from kgmem.store.sqlite.reindex import index_the_past

    index_the_past(connection)


def m005_who_is_who(connection: apsw.Connection) -> None:
    """Decisions on which entities are one, and what is proposed."""
    connection.execute(_WHO_IS_WHO)


def m006_made_again(connection: apsw.Connection) -> None:
    """When a claim that is made again was first recorded."""
    connection.execute("ALTER TABLE claim ADD COLUMN first_at INTEGER")


def m007_half_copy(connection: apsw.Connection) -> None:
    """Which groups are half a copy of another memory."""
    connection.execute(_HALF_COPY)


def m008_relinked(connection: apsw.Connection) -> None:
    """Names that sources began or ceased to link to."""
    connection.execute(_RELINKED)


def m009_conversations(connection: apsw.Connection) -> None:
    """What was asked and answered."""
    from kgmem.store.sqlite.conversations import TABLES

    connection.execute(TABLES)


def m010_vectors_in_blocks(connection: apsw.Connection) -> None:
    """The codes of vectors in blocks, the texts that they were made of, and a second model beside the first."""
    from kgmem.store.sqlite import write_vectors

    connection.execute(write_vectors.TABLES)
    write_vectors.carry_over(Handle(connection, 0))


def m011_folders(connection: apsw.Connection) -> None:
    """Which folders there are, without a look at every source."""
    connection.execute("CREATE INDEX source_by_root ON source (grp, removed_at, root, kind)")


def m012_generations(connection: apsw.Connection) -> None:
    """Groups that are generations of another one, and which of them it is now."""
    from kgmem.store.sqlite.generations import TABLES

    connection.execute(TABLES)


def m013_replies(connection: apsw.Connection) -> None:
    """What a model said of passages."""
    from kgmem.store.sqlite.replies import TABLE

    connection.execute(TABLE)


def m014_archive(connection: apsw.Connection) -> None:
    """Bodies that are kept in files of their own."""
    from kgmem.store.sqlite.archive import TABLES

    connection.execute(TABLES)


MIGRATIONS: Final = (
    Migration(1, m001_initial),
    Migration(2, m002_replay),
    Migration(3, m003_decisions),
    Migration(4, m004_search_of_the_past),
    Migration(5, m005_who_is_who),
    Migration(6, m006_made_again),
    Migration(7, m007_half_copy),
    Migration(8, m008_relinked),
    Migration(9, m009_conversations),
    Migration(10, m010_vectors_in_blocks),
    Migration(11, m011_folders),
    Migration(12, m012_generations),
    Migration(13, m013_replies),
    Migration(14, m014_archive),
)


def migrate(connection: apsw.Connection, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring a file up to date: each step in one transaction with its record, after a backup if a memory is there.

    Two processes may do this at once; the second finds nothing left to do.

    Raises:
        StoreTooNewError: a newer kgmem wrote the file.
        StoreUnreachableError: it is a database of another program.
    """
    saved = False
    while not is_current(connection, path, migrations):
        with transaction(connection):
            version = _version(connection)
            pending = [step for step in migrations if step.number > version]
            if pending:
                if version and not saved and connection.execute("SELECT count(*) FROM grp").get:
                    back_up(path, path.with_name(f"{path.name}.before-{pending[0].number}"))
                    saved = True
                _apply(connection, pending[0])


def is_current(connection: apsw.Connection, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> bool:
    """Whether the file has every step. Raises as `migrate`."""
    if connection.pragma("application_id") != _APPLICATION and not is_empty(connection):
        raise StoreUnreachableError(f"{path} is a database of another program", "name another file with --store")
    version, newest = _version(connection), migrations[-1].number
    if version > newest:
        raise StoreTooNewError(
            f"{path} was written by a newer kgmem (schema {version}; this one knows {newest})",
            "upgrade kgmem, or name another file with --store",
        )
    return version == newest


def is_empty(connection: apsw.Connection) -> bool:
    """Whether there is no table in the file yet."""
    return not connection.execute("SELECT count(*) FROM sqlite_schema").get


def find_group(connection: apsw.Connection, name: str) -> int | None:
    """The number of the generation that a group is now, or None if nothing was ever written for it."""
    of, number = split_name(name) or (None, None)
    found: int | None = connection.execute(_RESOLVE, (name, of, number)).get
    return found


def make_group(connection: apsw.Connection, name: str) -> int:
    """The number of a group, made if it is new.

    Raises:
        NotFoundError: it is called like a generation of another group, and there is none.
    """
    found = find_group(connection, name)
    if found is not None:
        return found
    if split_name(name) is not None:
        raise no_such(name)
    with transaction(connection):
        found = find_group(connection, name)  # another process may have been quicker
        return add_group(connection, name) if found is None else found


def add_group(connection: apsw.Connection, name: str) -> int:
    """Make a group with its search tables, in the open transaction.

    Search tables of its own give a group word statistics of its own: what another one holds changes no rank. A
    column that names the group, the other way, made a search of 100,000 passages 5 ms slower.
    """
    connection.execute("INSERT INTO grp (name) VALUES (?)", (name,))
    number = connection.last_insert_rowid()
    connection.execute(_SEARCH_TABLES.replace("@", str(number)))
    return number


def remove_group(connection: apsw.Connection, number: int) -> None:
    """Remove a group that has no rows any more, with its search tables, in the open transaction."""
    for scope in ("passage", "fact", "entity"):
        connection.execute(f"DROP TABLE fts_{scope}_{number}")
    connection.execute("DELETE FROM grp WHERE nr = ?", (number,))


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def _apply(connection: apsw.Connection, step: Migration) -> None:
    step.apply(connection)
    connection.execute(
        "INSERT INTO migration (number, name, needs, applied_at) VALUES (?, ?, ?, ?)",
        (step.number, step.name, step.needs, datetime.now(UTC).isoformat(timespec="seconds")),
    )
    connection.pragma("application_id", _APPLICATION)
    connection.pragma("user_version", step.number)


_RESOLVE: Final = """
SELECT coalesce(
  (SELECT grp FROM pointer WHERE "of" = ?1),
  (SELECT nr FROM grp WHERE name = ?1),
  (SELECT grp FROM generation WHERE "of" = ?2 AND number = ?3)
)
"""

_SEARCH: Final = (
    "content = '', contentless_delete = 1, tokenize = \"porter unicode61 remove_diacritics 2 categories 'L* N* M*'\""
)

_SEARCH_TABLES: Final = f"""
CREATE VIRTUAL TABLE fts_passage_@ USING fts5 (text, heading, title, {_SEARCH});
INSERT INTO fts_passage_@ (fts_passage_@, rank) VALUES ('rank', 'bm25(1.0, 0.6, 0.8)');
CREATE VIRTUAL TABLE fts_fact_@ USING fts5 (statement, {_SEARCH});
CREATE VIRTUAL TABLE fts_entity_@ USING fts5 (name, aliases, {_SEARCH});
INSERT INTO fts_entity_@ (fts_entity_@, rank) VALUES ('rank', 'bm25(2.0, 1.0)');
"""  # noqa: S608 -- a constant

_TABLES: Final = f"""
CREATE TABLE migration (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, needs TEXT NOT NULL, applied_at TEXT NOT NULL
) STRICT;

CREATE TABLE grp (
  nr INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  clock_last INTEGER,          -- recorded_at of the last transaction
  clock_base INTEGER,          -- what the clock said then, before it was moved past the one before
  vector_model TEXT,
  vector_dimension INTEGER
) STRICT;

CREATE TABLE tx (
  grp INTEGER NOT NULL, recorded_at INTEGER NOT NULL, kind TEXT NOT NULL, source INTEGER,
  PRIMARY KEY (grp, recorded_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE entity (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  subtype TEXT,
  type_rank INTEGER NOT NULL,
  listed TEXT,                 -- the names under which it is searched; NULL while it has no live mention
  UNIQUE (grp, id)
) STRICT;

CREATE TABLE source (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  root TEXT NOT NULL,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  uid TEXT,
  entity INTEGER,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  hash TEXT NOT NULL,
  removed_at INTEGER NOT NULL DEFAULT {OPEN},
  episode INTEGER REFERENCES episode,                 -- the current one
  occurred ANY NOT NULL DEFAULT {PACKED_UNKNOWN},     -- of the current one
  UNIQUE (grp, id),
  FOREIGN KEY (grp, entity) REFERENCES entity (grp, id)
) STRICT;
CREATE INDEX source_by_path ON source (grp, path);
CREATE INDEX source_by_entity ON source (grp, entity) WHERE entity IS NOT NULL;

CREATE TABLE source_path (     -- where a source stood, and when we believed so
  source INTEGER NOT NULL REFERENCES source,
  recorded_at INTEGER NOT NULL,
  closed_at INTEGER NOT NULL DEFAULT {OPEN},
  root TEXT NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (source, recorded_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE episode (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  id INTEGER NOT NULL,
  source INTEGER NOT NULL REFERENCES source,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (grp, id)
) STRICT;

CREATE TABLE source_episode (  -- which episode was current, with its date: a note may come back as it was before
  source INTEGER NOT NULL REFERENCES source,
  recorded_at INTEGER NOT NULL,
  closed_at INTEGER NOT NULL DEFAULT {OPEN},
  episode INTEGER NOT NULL REFERENCES episode,
  occurred ANY NOT NULL,
  PRIMARY KEY (source, recorded_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE passage (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  id INTEGER NOT NULL,
  source INTEGER NOT NULL REFERENCES source,
  live INTEGER NOT NULL,       -- 1: it stands in the current episode of a live source
  kind TEXT NOT NULL,
  heading TEXT NOT NULL,
  block TEXT,
  text TEXT NOT NULL,
  UNIQUE (grp, id)
) STRICT;
CREATE INDEX passage_by_source ON passage (grp, live, source);

CREATE TABLE stands (
  episode INTEGER NOT NULL REFERENCES episode,
  passage INTEGER NOT NULL REFERENCES passage,
  ordinal INTEGER NOT NULL,
  first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL,
  PRIMARY KEY (episode, passage, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE mention (
  passage INTEGER NOT NULL REFERENCES passage,
  start INTEGER NOT NULL,
  past INTEGER NOT NULL,
  entity INTEGER NOT NULL REFERENCES entity,
  surface TEXT NOT NULL,
  rung TEXT NOT NULL,
  PRIMARY KEY (passage, start, past, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_by_entity ON mention (entity, passage);

CREATE TABLE alias (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  source INTEGER NOT NULL REFERENCES source,
  entity INTEGER NOT NULL REFERENCES entity,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  type TEXT NOT NULL,
  subtype TEXT,
  type_rank INTEGER NOT NULL
) STRICT;
CREATE INDEX alias_by_source ON alias (source);
CREATE INDEX alias_by_key ON alias (grp, key);
CREATE INDEX alias_by_name ON alias (entity, name);

CREATE TABLE link (
  source INTEGER NOT NULL REFERENCES source,
  key TEXT NOT NULL,
  grp INTEGER NOT NULL,
  resolved INTEGER NOT NULL,
  PRIMARY KEY (source, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_by_key ON link (grp, key);

CREATE TABLE claim (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  withdrawn_at INTEGER NOT NULL DEFAULT {OPEN},
  replaced ANY,                -- the bound where it ends, by its last entry in ending
  source INTEGER NOT NULL,
  episode INTEGER NOT NULL,
  passage INTEGER NOT NULL,
  subject INTEGER NOT NULL,
  predicate TEXT NOT NULL,
  object INTEGER,
  value TEXT,
  statement TEXT NOT NULL,
  quote TEXT NOT NULL,
  line INTEGER NOT NULL,
  valid_from ANY NOT NULL,
  valid_to ANY NOT NULL,
  said ANY NOT NULL,
  kind TEXT NOT NULL,
  scalar INTEGER NOT NULL,
  rung TEXT NOT NULL,
  confidence REAL NOT NULL,
  UNIQUE (grp, id),
  CHECK (object IS NULL OR value IS NULL),
  FOREIGN KEY (grp, source) REFERENCES source (grp, id),
  FOREIGN KEY (grp, episode) REFERENCES episode (grp, id),
  FOREIGN KEY (grp, passage) REFERENCES passage (grp, id),
  FOREIGN KEY (grp, subject) REFERENCES entity (grp, id),
  FOREIGN KEY (grp, object) REFERENCES entity (grp, id)
) STRICT;
CREATE INDEX claim_by_slot ON claim (grp, slot);
CREATE INDEX claim_by_source ON claim (grp, source);

CREATE TABLE ending (          -- the log of how claims stopped being asserted
  claim INTEGER NOT NULL REFERENCES claim,
  recorded_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at ANY,
  PRIMARY KEY (claim, recorded_at, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE fact (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  closed_at INTEGER NOT NULL DEFAULT {OPEN},
  holds_from INTEGER NOT NULL,
  holds_to INTEGER NOT NULL,
  subject INTEGER NOT NULL,
  predicate TEXT NOT NULL,
  object INTEGER,
  value TEXT,
  statement TEXT NOT NULL,
  valid_from ANY NOT NULL,
  valid_to ANY NOT NULL,
  confidence REAL NOT NULL,
  UNIQUE (grp, id),
  CHECK (object IS NULL OR value IS NULL),
  CHECK (holds_from < holds_to),
  FOREIGN KEY (grp, subject) REFERENCES entity (grp, id),
  FOREIGN KEY (grp, object) REFERENCES entity (grp, id)
) STRICT;
CREATE INDEX fact_by_slot ON fact (grp, slot);
CREATE INDEX fact_by_subject ON fact (grp, subject);
CREATE INDEX fact_by_object ON fact (grp, object) WHERE object IS NOT NULL;
CREATE INDEX fact_by_predicate ON fact (grp, predicate, recorded_at);

CREATE TABLE evidence (
  fact INTEGER NOT NULL REFERENCES fact,
  claim INTEGER NOT NULL REFERENCES claim,
  rival INTEGER NOT NULL,      -- 1: it says otherwise
  recorded_at INTEGER NOT NULL,
  closed_at INTEGER NOT NULL DEFAULT {OPEN},
  PRIMARY KEY (fact, claim, rival, recorded_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_by_claim ON evidence (claim, fact);

CREATE TABLE vector (
  grp INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  model TEXT NOT NULL,
  data BLOB NOT NULL,          -- little-endian 32-bit floats
  PRIMARY KEY (grp, kind, id)
) STRICT, WITHOUT ROWID;
"""

_REPLAY: Final = """
CREATE TABLE replay (
  grp INTEGER NOT NULL,
  root TEXT NOT NULL,
  "commit" TEXT NOT NULL,      -- the last one that was taken in
  at INTEGER NOT NULL,         -- the instant it was recorded for
  PRIMARY KEY (grp, root)
) STRICT, WITHOUT ROWID;
"""

_DECISIONS: Final = f"""
CREATE TABLE decision (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  source INTEGER,              -- an id that need not be there any more
  hash TEXT NOT NULL,
  about INTEGER,
  recorded_at INTEGER NOT NULL,
  retracted_at INTEGER NOT NULL DEFAULT {OPEN},
  UNIQUE (grp, id)
) STRICT;
"""

_WHO_IS_WHO: Final = """
ALTER TABLE decision ADD COLUMN entity INTEGER;
ALTER TABLE decision ADD COLUMN others TEXT NOT NULL DEFAULT '[]';   -- ids, as JSON
ALTER TABLE decision ADD COLUMN names TEXT NOT NULL DEFAULT '[]';
ALTER TABLE decision ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE grp ADD COLUMN compared_upto INTEGER;   -- the last transaction whose entities were compared

CREATE TABLE block (           -- under which keys an entity is found by those that may be it
  grp INTEGER NOT NULL,
  key TEXT NOT NULL,
  entity INTEGER NOT NULL,     -- its id
  PRIMARY KEY (grp, key, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_by_entity ON block (grp, entity);

CREATE TABLE proposal (        -- pairs that may be one, for a person to decide
  grp INTEGER NOT NULL,
  one INTEGER NOT NULL,
  other INTEGER NOT NULL,
  score REAL NOT NULL,
  reasons TEXT NOT NULL,       -- JSON
  PRIMARY KEY (grp, one, other)
) STRICT, WITHOUT ROWID;
"""

_RELINKED: Final = """
CREATE TABLE relinked (        -- names that sources began or ceased to link to, until somebody looks after them
  grp INTEGER NOT NULL,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (grp, key)
) STRICT, WITHOUT ROWID;
"""

_HALF_COPY: Final = """
CREATE TABLE half_copy (       -- a row for each group that a copy was begun into, until it is complete
  grp INTEGER PRIMARY KEY,
  origin TEXT NOT NULL,
  dump TEXT NOT NULL,
  lines INTEGER NOT NULL
) STRICT;
"""
