"""What only SQLite has: files, modes, migrations, locks, and plans of its reads."""

import contextlib
import multiprocessing
import os
import re
import signal
import stat
import struct
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    HOME,
    INTRO,
    LOG_MD,
    MIRA,
    MIRA_MD,
    NORD,
    SECOND,
    SLOT,
    passage,
    rewritten,
)

from kgmem.errors import StoreError, StoreLockedError, StoreTooNewError, StoreUnreachableError
from kgmem.model import EntityType, Instant, Source, identify
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Vector
from kgmem.store.conversations import MessageQuery
from kgmem.store.protocol import EntityQuery, FactQuery, Scope
from kgmem.store.sqlite import schema, search
from kgmem.store.sqlite.connection import Handle, refuse_old_engine
from kgmem.store.sqlite.packing import pack_floats
from kgmem.store.sqlite.store import SqliteStore


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "kgmem.db"


@pytest.fixture
def store(path):
    handle = open_store(str(path), "default")
    yield handle
    handle.close()


def connection_of(store):
    """The handle's own connection: its settings and statements are what is tested here."""
    return store._handle.connection  # noqa: SLF001


def test_the_file_is_for_its_owner_only(store, path):
    with store.writing() as transaction:
        transaction.commit(FIRST)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()} == {0o600}
    assert {each.name for each in path.parent.iterdir()} >= {"kgmem.db", "kgmem.db-wal", "kgmem.db.writer"}


def test_a_url_and_a_path_name_the_same_file(store, path):
    assert store.url == f"sqlite://{path}"
    assert not path.parent.with_name("sqlite:").exists()
    again = open_store(store.url, "default", readonly=True)
    assert again.url == store.url
    again.close()


def test_the_settings_of_a_connection(store):
    connection = connection_of(store)
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("synchronous") == 1
    assert connection.pragma("foreign_keys") == 1
    assert connection.pragma("trusted_schema") == 0
    assert connection.pragma("page_size") == 16_384
    assert connection.pragma("temp_store") == 2
    assert connection.pragma("integrity_check") == "ok"


@pytest.mark.parametrize("url", ["mysql://localhost", "postgres://x/y", "sqlite://x/y"])
def test_an_unknown_kind_of_store(url):
    with pytest.raises(StoreUnreachableError) as caught:
        open_store(url, "default")
    assert "sqlite:///path" in caught.value.hint


def test_a_reader_makes_nothing(path):
    with pytest.raises(StoreUnreachableError, match="no memory here yet") as caught:
        open_store(str(path), "default", readonly=True)
    assert caught.value.hint == "kgmem ingest PATH"
    assert not path.parent.exists()
    path.parent.mkdir()
    path.touch()
    with pytest.raises(StoreUnreachableError, match="no memory here yet"):
        open_store(str(path), "default", readonly=True)


@pytest.mark.parametrize("readonly", [False, True])
def test_a_file_that_is_no_database(path, readonly):
    path.parent.mkdir()
    path.write_text("# A note, not a database\n" * 100)
    with pytest.raises(StoreUnreachableError, match="not a kgmem memory"):
        open_store(str(path), "default", readonly=readonly)
    assert path.read_text().startswith("# A note")


@pytest.mark.parametrize("readonly", [False, True])
def test_a_folder_is_no_database(tmp_path, readonly):
    with pytest.raises(StoreUnreachableError):
        open_store(str(tmp_path), "default", readonly=readonly)


def test_a_file_below_a_file_cannot_be_made(tmp_path):
    (tmp_path / "note.md").touch()
    with pytest.raises(StoreUnreachableError):
        open_store(str(tmp_path / "note.md" / "kgmem.db"), "default")


def test_a_database_of_another_program_is_left_alone(path):
    path.parent.mkdir()
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE bookmarks (url); PRAGMA user_version = 99")
    other.close()
    with pytest.raises(StoreUnreachableError, match="another program"):
        open_store(str(path), "default")


def test_a_newer_schema_is_refused(store, path):
    connection_of(store).pragma("user_version", 999)
    for readonly in (False, True):
        with pytest.raises(StoreTooNewError, match="schema 999"):
            open_store(str(path), "default", readonly=readonly)


@pytest.mark.parametrize("version", ["3.40.1", "3.51.2", "3.7.0"])
def test_a_sqlite_that_can_damage_a_database_is_refused(version):
    with pytest.raises(StoreError, match=version):
        refuse_old_engine(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.54.1", "4.0"])
def test_a_current_sqlite_is_welcome(version):
    refuse_old_engine(version)


def add_colour(connection):
    connection.execute("ALTER TABLE entity ADD COLUMN colour TEXT")


def fails(connection):
    connection.execute("ALTER TABLE entity ADD COLUMN weight INTEGER; SELECT * FROM nowhere")


LAST = schema.MIGRATIONS[-1].number
NEXT_STEP = (*schema.MIGRATIONS, schema.Migration(LAST + 1, add_colour, schema.Needs.REREAD))


def test_migrations_are_recorded(store):
    rows = connection_of(store).execute("SELECT number, name, needs FROM migration").fetchall()
    assert rows[:2] == [(1, "m001_initial", "nothing"), (2, "m002_replay", "nothing")]
    assert [(number, name[:5]) for number, name, _ in rows] == [(n, f"m{n:03}_") for n in range(1, LAST + 1)]


def test_a_new_file_leaves_no_copy_of_nothing(store, path):
    with store.writing() as transaction:
        transaction.commit(FIRST)
    assert [each.name for each in path.parent.glob("*before*")] == []


def test_a_migration_keeps_a_copy_of_what_was(store, path):
    with store.writing() as transaction:
        transaction.commit(FIRST)
    schema.migrate(connection_of(store), path, NEXT_STEP)
    last = connection_of(store).execute("SELECT number, name, needs FROM migration").fetchall()[-1]
    assert last == (LAST + 1, "add_colour", "reread")
    assert connection_of(store).pragma("user_version") == LAST + 1
    copy = path.with_name(f"kgmem.db.before-{LAST + 1}")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    before = open_store(str(copy), "default", readonly=True)
    assert list(before.sources()) == [MIRA_MD]
    assert connection_of(before).pragma("integrity_check") == "ok"
    before.close()
    schema.migrate(connection_of(store), path, NEXT_STEP)
    assert list(store.sources()) == [MIRA_MD]


def test_a_migration_that_fails_changes_nothing(store, path):
    steps = (*NEXT_STEP, schema.Migration(LAST + 2, fails))
    with pytest.raises(apsw.SQLError):
        schema.migrate(connection_of(store), path, steps)
    assert connection_of(store).pragma("user_version") == LAST + 1
    columns = [row[1] for row in connection_of(store).execute("PRAGMA table_info(entity)")]
    assert "colour" in columns
    assert "weight" not in columns


def test_a_reader_of_an_older_file_migrates_it(store, path, monkeypatch):
    with store.writing() as transaction:
        transaction.commit(FIRST)
    defaults = (NEXT_STEP,)
    monkeypatch.setattr(schema.migrate, "__defaults__", defaults)
    monkeypatch.setattr(schema.is_current, "__defaults__", defaults)
    reader = open_store(str(path), "default", readonly=True)
    assert list(reader.sources()) == [MIRA_MD]
    assert connection_of(reader).pragma("user_version") == LAST + 1
    reader.close()


def test_what_died_in_an_older_file_is_searched_too(store):
    instants = []
    for changes in (FIRST, rewritten("Mira sails", mentions=()), ChangeSet("ingest", closed=(DIRECTS_FACT.id,))):
        with store.writing() as transaction:
            transaction.commit(changes)
        instants.append(transaction.recorded_at)
    connection = connection_of(store)
    connection.execute("DELETE FROM fts_passage_1 WHERE rowid IN (SELECT nr FROM passage WHERE live = 0)")
    connection.execute("DELETE FROM fts_fact_1; DELETE FROM fts_entity_1")

    def found():
        hits = (store.search(scope, "Mira directs Nord", 9, known=instants[0]) for scope in SEARCHED)
        return [sorted(hit.id for hit in each) for each in hits]

    assert found() == [[], [], []]
    (step,) = [step for step in schema.MIGRATIONS if step.name.endswith("search_of_the_past")]
    for _ in range(2):
        step.apply(connection)
        assert found() == [[DIRECTS_FACT.id], sorted([MIRA.id, NORD.id]), sorted([INTRO.id, HOME.id])]
        assert [hit.id for hit in store.search(Scope.EPISODES, "Mira", 9)] == [passage(MIRA_MD, "Mira sails").id]


def test_the_vectors_of_an_older_file_get_their_codes():
    older = apsw.Connection(":memory:")
    (blocks,) = [step for step in schema.MIGRATIONS if step.name.endswith("vectors_in_blocks")]
    before = [step for step in schema.MIGRATIONS if step.number < blocks.number]
    for step in before:
        step.apply(older)
    older.execute("INSERT INTO grp (name, vector_model, vector_dimension) VALUES ('a', 'm', 2), ('b', NULL, NULL)")
    rows = [(1, "fact", 7, "m", (0.5, -2.0)), (1, "fact", -9, "m", (1.0, 0.0)), (2, "fact", 7, "m", (1.0, 0.0))]
    older.executemany("INSERT INTO vector VALUES (?, ?, ?, ?, ?)", [(*row[:4], pack_floats(row[4])) for row in rows])
    blocks.apply(older)
    kept = older.execute("SELECT grp, kind, id, model, made_of, data, place FROM vector ORDER BY id").fetchall()
    assert kept == [
        (1, "fact", -9, "m", None, pack_floats((1.0, 0.0)), 256),
        (1, "fact", 7, "m", None, pack_floats((0.5, -2.0)), 257),
    ]
    ((used, data),) = older.execute("SELECT used, data FROM vector_block").fetchall()
    size = len(data) // 256
    assert (used, size) == (2, 18)
    codes = [struct.unpack_from("<qffbb", data, number * size) for number in range(2)]
    assert [(nr, one, other) for nr, _, _, one, other in codes] == [(1, 127, 0), (2, 32, -127)]  # .2425 / .9701 * 127
    assert [scale for _, scale, *_ in codes] == pytest.approx([1 / 127, 0.97014 / 127], rel=1e-4)


def open_and_close(path):
    open_store(path, "default").close()


def test_processes_that_open_a_new_file_at_once_all_succeed(path):
    spawn = multiprocessing.get_context("spawn")
    openers = [spawn.Process(target=open_and_close, args=(str(path),)) for _ in range(4)]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join()
    assert [opener.exitcode for opener in openers] == [0] * 4
    store = open_store(str(path), "default", readonly=True)
    assert connection_of(store).execute("SELECT count(*) FROM migration").fetchall() == [(LAST,)]
    assert connection_of(store).execute("SELECT name FROM grp").fetchall() == [("default",)]
    store.close()


def test_a_locked_store_names_who_holds_it(store, path):
    other = SqliteStore(path, "default", busy_seconds=0.05)
    with store.writing():
        with pytest.raises(StoreLockedError, match=rf"process {os.getpid()} \(.+\) is writing"), other.writing():
            pass
        assert list(other.sources()) == []
    with other.writing() as transaction:
        transaction.commit(FIRST)
    assert list(store.sources()) == [MIRA_MD]
    other.close()


def write_until_killed(path, started):
    store = open_store(path, "default")
    number = 0
    while True:
        source = Source(identify(number), "obsidian", "/vault", str(number), "note")
        with store.writing() as transaction:
            transaction.commit(ChangeSet("ingest", source=source))
        number += 1
        if number == 20:
            started.set()


def test_a_writer_that_is_killed_leaves_the_file_whole(path):
    spawn = multiprocessing.get_context("spawn")
    started = spawn.Event()
    writer = spawn.Process(target=write_until_killed, args=(str(path), started))
    writer.start()
    assert started.wait(60)
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    store = open_store(str(path), "default")
    sources = [int(source.path) for source in store.sources()]
    assert sorted(sources) == list(range(len(sources)))
    assert len(sources) >= 20
    assert store.stats().counts["transactions"] == len(sources)
    assert connection_of(store).pragma("integrity_check") == "ok"
    with store.writing() as transaction:
        transaction.commit(FIRST)
    store.close()


def test_reading_imports_nothing_heavy():
    code = (
        "import sys, kgmem.store.sqlite.store;"
        "heavy = ('numpy', 'yaml', 'typer', 'rich', 'spacy', 'markdown_it', 'pydantic', 'asyncio');"
        "print([module for module in heavy if module in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


SEARCHED = (Scope.FACTS, Scope.ENTITIES, Scope.EPISODES)
AT = {"valid": (1, 2), "known": Instant(5)}
SOME = [
    lambda store: store.roots(),
    lambda store: list(store.sources("/vault")),
    lambda store: store.source("log.md"),
    lambda store: store.sources_about(MIRA.id),
    lambda store: store.episode(MIRA_MD.id),
    lambda store: store.passages_of(MIRA_MD.id),
    lambda store: store.placed([INTRO.id]),
    lambda store: store.sources_naming(["mira"], ["Mira", "🦊"]),
    lambda store: store.namings(["mira"]),
    lambda store: store.aliases_of([MIRA.id]),
    lambda store: store.aliases_from(MIRA_MD.id),
    lambda store: store.cards(EntityQuery(ids=(MIRA.id,), type=EntityType.PERSON, hidden=True, limit=5)),
    lambda store: store.entities([MIRA.id]),
    lambda store: store.neighbours(MIRA.id, 5),
    lambda store: store.mentions_of(MIRA.id, 5),
    lambda store: store.mentions_in(MIRA_MD.id),
    lambda store: store.claims(slots=[SLOT], source=MIRA_MD.id, known=Instant(5)),
    lambda store: store.asserted(MIRA_MD.id),
    lambda store: store.open_facts([SLOT]),
    lambda store: store.facts(FactQuery(about=(MIRA.id,), known=Instant(5), limit=5)),
    lambda store: store.facts(FactQuery(subject=MIRA.id, slots=(SLOT,), ids=(DIRECTS.id,), valid=(1, 2))),
    lambda store: store.facts(FactQuery(predicate="WORKS_AT", versions=True)),
    lambda store: store.evidence([DIRECTS.id]),
    lambda store: store.transactions(Instant(1), Instant(5)),
    lambda store: store.keys_of([MIRA.id]),
    lambda store: store.half_copy(),
    lambda store: store.replies([INTRO.id]),
    lambda store: store.conversations().messages(MessageQuery(gist=identify("gist"), limit=5)),
    lambda store: store.conversations().messages(MessageQuery(conversation="wine", limit=5)),
    *(lambda store, scope=scope: store.search(scope, "Mira", 5) for scope in SEARCHED),
    *(lambda store, scope=scope: store.search(scope, "Mira", 5, **AT) for scope in SEARCHED),
    lambda store: store.sources_about(MIRA.id, known=Instant(5)),
    lambda store: store.passages_of(MIRA_MD.id, known=Instant(5)),
    lambda store: store.placed([INTRO.id], known=Instant(5)),
    lambda store: store.neighbours(MIRA.id, 5, **AT),
    lambda store: store.mentions_of(MIRA.id, 5, **AT),
    lambda store: store.cards(EntityQuery(ids=(MIRA.id,), hidden=True, **AT)),
]
"""Reads of some rows."""
WHOLE = [
    lambda store: list(store.anchors()),
    lambda store: store.cards(EntityQuery(limit=5)),
    lambda store: store.cards(EntityQuery(limit=5, **AT)),
    lambda store: store.claims(),
    lambda store: store.claims(known=Instant(5)),
    lambda store: store.facts(FactQuery(limit=5)),
    lambda store: store.facts(FactQuery(changed=(Instant(1), Instant(5)))),
    lambda store: store.stats(),
    lambda store: list(store.dump()),
    lambda store: store.has_replies(),
    lambda store: list(store.unanswered("small", "1", "/vault", ("paragraph",))),
    lambda store: store.spending(),
    lambda store: store.conversations().messages(MessageQuery(starts="ab", limit=1)),
    lambda store: store.conversations().every(),
]
"""Reads that walk the whole group."""
NO_TABLE = re.compile(r"SCAN (\w+ VIRTUAL TABLE|\(subquery-\d+\)|CONSTANT ROW|self$|shared$|near$|hits?$)")


def plans_of(store, work):
    """(statement, steps of its plan) for all that some work runs."""
    connection = connection_of(store)
    seen = {}

    def trace(_, sql, bindings):
        seen[sql] = bindings
        return True

    connection.exec_trace = trace
    try:
        work(store)
    finally:
        connection.exec_trace = None
    plans = []
    for sql, bindings in seen.items():
        if sql.lstrip().startswith(("SELECT", "WITH", "UPDATE", "DELETE")):
            steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", bindings)]
            plans.append((sql, steps))
    return plans


@pytest.fixture
def filled(store):
    for changes in (FIRST, SECOND, rewritten("other", mentions=())):
        with store.writing() as transaction:
            transaction.commit(changes)
    return store


@pytest.mark.parametrize("read", [*SOME, *WHOLE])
def test_no_read_scans_a_table(filled, read):
    plans = plans_of(filled, read)
    assert plans
    scanned = [step for _, steps in plans for step in steps if step.startswith("SCAN")]
    assert [step for step in scanned if not NO_TABLE.match(step)] == []


@pytest.mark.parametrize("read", SOME)
def test_a_read_of_some_rows_does_not_walk_the_whole_group(filled, read):
    plans = plans_of(filled, read)
    walked = [step for _, steps in plans for step in steps if re.search(r"\(grp=\?( AND object>\?)?\)", step)]
    assert [step for step in walked if not step.startswith(("SEARCH s ", "SEARCH source "))] == []


def test_whether_a_source_is_about_something_is_looked_up_by_that(filled):
    plans = plans_of(filled, lambda store: list(store.anchors()))
    about = [step for _, steps in plans for step in steps if step.startswith("SEARCH o ")]
    assert about == ["SEARCH o EXISTS USING INDEX source_by_entity (grp=? AND entity=?)"]


@pytest.mark.parametrize(
    "times", [{}, {"valid": (1, 2)}, {"known": Instant(5)}, {"valid": (1, 2), "known": Instant(5)}]
)
@pytest.mark.parametrize("scope", SEARCHED)
def test_a_search_runs_its_match_once_and_sorts_nothing_itself(store, scope, times):
    ((_, steps),) = [
        (sql, steps) for sql, steps in plans_of(store, lambda s: s.search(scope, "Mira", 5, **times)) if "MATCH" in sql
    ]
    assert re.fullmatch(r"SCAN hits VIRTUAL TABLE INDEX 32:M\d", steps[0])  # 32: in the order of its rank
    assert re.match(r"SEARCH [fep] USING INTEGER PRIMARY KEY", steps[1])
    assert [step for step in steps if "B-TREE" in step] == []


@pytest.mark.parametrize(
    "times", [{}, {"valid": (1, 2)}, {"known": Instant(5)}, {"valid": (1, 2), "known": Instant(5)}]
)
@pytest.mark.parametrize("kind", ["passage", "fact", "entity"])
def test_vectors_are_walked_in_order_and_their_rows_looked_up(store, kind, times):
    store.declare_vectors("m", 2)
    of = {"passage": INTRO, "fact": DIRECTS_FACT, "entity": MIRA}[kind]
    with store.writing() as transaction:
        transaction.commit(replace(FIRST, vectors=(Vector(kind, of.id, "m", (1.0, 0.0)),)))
    (_, blocks), (_, steps) = [
        (sql, steps)
        for sql, steps in plans_of(store, lambda s: s.nearest(kind, (1.0, 0.0), 5, **times))
        if "vector_block" in sql or "vector v" in sql
    ]
    assert blocks == ["SEARCH vector_block USING INDEX vector_block_of (grp=? AND kind=? AND model=?)"]
    assert re.fullmatch(r"SCAN n VIRTUAL TABLE INDEX \d+:", steps[0])
    assert steps[1] == "SEARCH v USING INTEGER PRIMARY KEY (rowid=?)"
    assert re.fullmatch(r"SEARCH [fep] USING (COVERING )?INDEX \w+ \(grp=\? AND id=\?\)", steps[2])
    assert [step for step in steps[1:] if "B-TREE" in step or step.startswith("SCAN")] == []


def test_without_numpy_a_search_among_vectors_says_what_helps(store, monkeypatch):
    monkeypatch.delitem(sys.modules, "kgmem.store.sqlite.nearest", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(StoreError, match="NumPy") as caught:
        store.nearest("passage", (1.0, 0.0), 5)
    assert caught.value.hint == "pip install 'kgmem[embeddings]'"


def test_no_write_scans_a_table(store):
    def write(changes):
        def work(store):
            with store.writing() as transaction:
                transaction.commit(changes)

        return work

    steps = [
        step
        for changes in (
            FIRST,
            SECOND,
            replace(FIRST, passages=(INTRO,), mentions=()),
            rewritten("x", aliases=()),
            ChangeSet("move", source=replace(LOG_MD, title="T")),
            ChangeSet("remove", removed=LOG_MD.id),
        )
        for _, plan in plans_of(store, write(changes))
        for step in plan
    ]
    assert len(steps) > 50
    assert [
        step for step in steps if step.startswith("SCAN") and not step.startswith(("SCAN CONSTANT", "SCAN fts_"))
    ] == []


def test_a_handle_puts_its_groups_number_into_the_names_of_tables(store):
    handle = Handle(connection_of(store), 7)
    assert handle.rows("SELECT 'fts_@'") == [("fts_7",)]


@contextlib.contextmanager
def without_rights_to_write(folder):
    """Nothing can be made in the folder; where that stops nobody, as it is for root, not by this process either."""
    folder.chmod(0o555)
    nobody = os.geteuid() == 0
    if nobody:
        os.seteuid(65534)
    try:
        yield
    finally:
        if nobody:
            os.seteuid(0)
        folder.chmod(0o755)


@pytest.fixture
def shelf():
    """A folder that every user of the machine can look into."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(os.name == "nt", reason="rights of folders are others there")
def test_a_store_in_a_folder_without_rights_to_write_can_be_read(shelf, commit):
    path = shelf / "m #1.db"
    with contextlib.closing(SqliteStore(path, "home")) as store:
        commit(store, FIRST)
    path.chmod(0o444)
    with without_rights_to_write(shelf):
        with contextlib.closing(SqliteStore(path, "home", readonly=True)) as store:
            assert list(store.sources()) == [MIRA_MD]
        with pytest.raises(StoreUnreachableError):
            SqliteStore(path, "home")
    assert [each.name for each in shelf.iterdir() if each.name.endswith(("-shm", "-wal"))] == []


@pytest.mark.skipif(os.name == "nt", reason="rights of folders are others there")
def test_what_a_log_still_holds_is_not_passed_over(shelf, commit):
    path = shelf / "m.db"
    with contextlib.closing(SqliteStore(path, "home")) as store:
        commit(store, FIRST)
    (shelf / "m.db-wal").write_bytes(b"not yet in the file")
    path.chmod(0o444)
    with (
        without_rights_to_write(shelf),
        pytest.raises(StoreUnreachableError, match=r"has changes in m\.db-wal") as caught,
    ):
        SqliteStore(path, "home", readonly=True)
    assert caught.value.hint == "copy m.db and m.db-wal to a folder that is, and name that with --store"


def test_a_word_that_very_many_rows_hold_only_adds_to_the_score_of_others(store, commit, monkeypatch):
    texts = ("red boat", "red boat and a long red line", "a boat", *(f"red thing {number}" for number in range(5)))
    passages = tuple(passage(MIRA_MD, text) for text in texts)
    commit(store, replace(FIRST, passages=passages, mentions=(), claims=(), opened=()))
    whole = store.search(Scope.EPISODES, "red boat", 8)
    assert len(whole) == 8
    monkeypatch.setattr(search, "COMMON", 4)
    assert store.search(Scope.EPISODES, "red boat", 3) == whole[:3]
    assert {hit.id for hit in whole[:3]} == {each.id for each in passages[:3]}
    assert store.search(Scope.EPISODES, "red boat", 8) == whole
    assert len(store.search(Scope.EPISODES, "red", 8)) == 7
