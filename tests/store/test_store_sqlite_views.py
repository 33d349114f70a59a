"""The views that a person can ask in SQL, and the connection that only reads them."""

# ruff: noqa: S608 -- statements are put together from the names of views

from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from store.conftest import NOON
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    HOME,
    INTRO,
    LOG_1,
    MIRA,
    MIRA_1,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    SLOT,
    TRIP,
    fact_of,
    rewritten,
    works_at,
)

from kgmem.errors import UserError
from kgmem.model import Basis, Decision, DecisionKind, identify
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Ending, EndKind
from kgmem.store.sqlite.views import VIEWS

LATER = works_at(TRIP, LOG_1, "Sud", "2020-05")
LATER_FACT = fact_of(LATER, rivals=(DIRECTS,))
SAME = Decision(identify("d"), DecisionKind.SAME, entity=MIRA.id, others=(NORD.id,), names=("Nord",), note="why")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "kgmem.db")


@pytest.fixture
def store(path):
    """Mira works at Nord; an hour later at Sud; two hours later her note says nothing of it, and another is gone."""
    changes = (
        (replace(FIRST, source=replace(MIRA_MD, mtime_ns=0)), SECOND),
        (
            ChangeSet(
                "ingest",
                claims=((SLOT, LATER),),
                endings=(Ending(DIRECTS.id, EndKind.REPLACED),),
                closed=(DIRECTS_FACT.id,),
                opened=(LATER_FACT,),
                decisions=(SAME,),
            ),
        ),
        (rewritten("Mira sails"), ChangeSet("undo", retracted=(SAME.id,))),
    )
    for hours, sets in enumerate(changes):
        handle = open_store(path, "default", now=NOON + timedelta(hours=hours))
        for each in sets:
            with handle.writing() as transaction:
                transaction.commit(each)
        handle.close()
    handle = open_store(path, "default", readonly=True)
    yield handle
    handle.close()


def rows(store, query):
    return [tuple(row) for row in store.sql(query, 100)[1]]


def test_facts_have_both_clocks(store):
    asked = "SELECT {} FROM kg_facts ORDER BY recorded_at"
    assert rows(store, asked.format("id, subject, subject_id, predicate, object, object_id, value")) == [
        (DIRECTS_FACT.id, "Mira", MIRA.id, "WORKS_AT", "Château Nord", NORD.id, None),
        (LATER_FACT.id, "Mira", MIRA.id, "WORKS_AT", None, None, "Sud"),
    ]
    assert rows(
        store, asked.format("valid_from, valid_from_basis, valid_to, valid_to_basis, holds_from, holds_to")
    ) == [
        ("2015", "stated", None, "unknown", "2015-01-01", None),
        ("2020-05", "stated", None, "unknown", "2020-05-01", None),
    ]
    assert rows(store, asked.format("recorded_at, closed_at, confidence, disputed")) == [
        ("2026-03-02T12:00:00Z", "2026-03-02T13:00:00Z", 0.75, 0),
        ("2026-03-02T13:00:00Z", None, 0.75, 1),
    ]


def test_entities_are_counted_as_they_are_listed(store):
    assert rows(store, "SELECT id, name, type, subtype, aliases, mentions, sources FROM kg_entities ORDER BY name") == [
        (NORD.id, "Château Nord", "Organization", None, None, 0, 0),
        (MIRA.id, "Mira", "Person", "Individual", "Mimi", 1, 1),
        (PARIS.id, "Paris", "Location", None, None, 1, 1),
    ]
    assert rows(store, "SELECT first_seen, last_seen FROM kg_entities WHERE name = 'Paris'") == [("2023-11", "2023-11")]


def test_sources_and_passages_have_their_place_and_their_past(store):
    assert rows(
        store, "SELECT path, about, date, date_basis, episodes, recorded_at, removed_at FROM kg_sources ORDER BY 1"
    ) == [
        ("People/Mira.md", "Mira", None, "unknown", 2, "2026-03-02T12:00:00Z", None),
        ("log.md", None, "2023-11", "note", 1, "2026-03-02T12:00:00Z", None),
    ]
    asked = "SELECT id, path, heading, block, first_line, last_line, live FROM kg_passages WHERE text LIKE 'Mira %'"
    assert {row[0]: row[1:] for row in rows(store, asked)} == {
        INTRO.id: ("People/Mira.md", "Life > Work", "job", 12, 12, 0),
        HOME.id: ("People/Mira.md", "", None, 14, 14, 0),
        identify("passage", MIRA_MD.id, "Mira sails"): ("People/Mira.md", "", None, 1, 1, 1),
    }


def test_mentions_claims_and_what_facts_rest_on(store):
    assert rows(store, "SELECT path, entity, surface, start, past FROM kg_mentions WHERE live ORDER BY start") == [
        ("log.md", "Paris", "Paris", 8, 13),
        ("log.md", "Mira", "Mimi", 19, 23),
    ]
    asked = "SELECT path, line, quote, said, kind, recorded_at, withdrawn_at, replaced FROM kg_claims ORDER BY line"
    assert rows(store, asked) == [
        ("log.md", 3, "Flew to Paris with Mimi", "2024-05-01", "holds", "2026-03-02T13:00:00Z", None, 0),
        ("People/Mira.md", 13, "Mira directs Château Nord", "2024-05-01", "holds", "2026-03-02T12:00:00Z", None, 1),
    ]
    assert sorted(rows(store, "SELECT fact_id, claim_id, against FROM kg_evidence")) == sorted(
        [(DIRECTS_FACT.id, DIRECTS.id, 0), (LATER_FACT.id, LATER.id, 0), (LATER_FACT.id, DIRECTS.id, 1)]
    )


def test_decisions_say_what_and_when(store):
    asked = "SELECT kind, entity, others, names, undone, note, recorded_at, retracted_at FROM kg_decisions"
    assert rows(store, asked) == [
        ("same", "Mira", f'["{NORD.id}"]', '["Nord"]', None, "why", "2026-03-02T13:00:00Z", "2026-03-02T14:00:00Z")
    ]


def test_a_files_time_is_no_date(path):
    dated = replace(MIRA_1, occurred=replace(MIRA_1.occurred, basis=Basis.FILE))
    with open_and_close(path) as store:
        with store.writing() as transaction:
            transaction.commit(replace(FIRST, episode=dated))
        assert rows(store, "SELECT date, date_basis FROM kg_sources") == [(None, "file")]
        assert rows(store, "SELECT first_seen FROM kg_entities WHERE name = 'Mira'") == [(None,)]


@contextmanager
def open_and_close(path, group="default"):
    store = open_store(path, group)
    try:
        yield store
    finally:
        store.close()


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_holds_the_rows_of_one_group(view, store, path):
    total = f"SELECT count(*) FROM {view}"
    ((before,),) = rows(store, total)
    assert before > 0
    with open_and_close(path, "other") as other:
        assert rows(other, total) == [(0,)]
        with other.writing() as transaction:
            transaction.commit(replace(FIRST, decisions=(replace(SAME, note="secret"),)))
        assert 0 < rows(other, total)[0][0] <= before
    assert rows(store, total) == [(before,)]
    reader = open_store(path, "never", readonly=True)
    assert rows(reader, total) == [(0,)]
    reader.close()


@pytest.mark.parametrize("view", VIEWS)
def test_every_column_can_be_asked_for_in_every_way(view, store):
    ((total,),) = rows(store, f"SELECT count(*) FROM {view}")
    for column in VIEWS[view].columns.split():
        distinct = rows(store, f"SELECT DISTINCT {column} FROM {view} ORDER BY {column}")
        assert distinct == rows(
            store, f"WITH x AS MATERIALIZED (SELECT * FROM {view}) SELECT {column} FROM x GROUP BY 1"
        )
    for other in VIEWS:
        ((others,),) = rows(store, f"SELECT count(*) FROM {other}")
        assert rows(store, f"SELECT count(*) FROM {view} a, {other} b") == [(total * others,)]
        assert rows(store, f"SELECT EXISTS (SELECT 1 FROM {view} LEFT JOIN {other} ON 0)") == [(1,)]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id FROM claim",
        "SELECT count(*) FROM claim",
        "SELECT count(*) FROM main.Claim",
        "SELECT 1 FROM kg_facts JOIN grp",
        "WITH kg_facts AS (SELECT id FROM claim) SELECT id FROM kg_facts",
        "WITH kg_facts AS (SELECT count(*) AS n FROM claim) SELECT n FROM kg_facts",
        "SELECT * FROM (SELECT name FROM entity) AS kg_entities",
        "SELECT (SELECT body FROM episode) FROM kg_facts",
        "SELECT name FROM sqlite_schema",
        "SELECT count(*) FROM sqlite_temp_schema",
        "SELECT sql FROM temp.sqlite_schema",
        "SELECT * FROM pragma_table_info('claim')",
        "SELECT count(*) FROM fts_fact_1",
        "SELECT * FROM fts_fact_1_data",
        "PRAGMA query_only = 0",
        "PRAGMA table_info(claim)",
        "DELETE FROM claim",
        "CREATE TEMP TABLE x (y)",
        "CREATE TEMP VIEW x AS SELECT 1",
        "ATTACH ':memory:' AS x",
        "VACUUM INTO 'x.db'",
        "BEGIN",
        "ANALYZE",
    ],
)
def test_nothing_but_the_views_is_read_and_nothing_written(query, store):
    before = list(store.dump())
    with pytest.raises(UserError, match="a query only reads, and only the views") as caught:
        store.sql(query, 5)
    assert caught.value.hint.startswith("they are kg_facts, kg_entities, ")
    assert list(store.dump()) == before


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("SELECT 1; SELECT 2", "more than one statement"),
        ("SELECT 1; DELETE FROM claim", "more than one statement"),
        ("SELECT 1; nonsense", "more than one statement"),
        ("SELECT 1 /* ; */ ; -- one\n;/* two */ x", "more than one statement"),
        ("", "no query"),
        (" ;-- nothing", "no query"),
        ("SELEC 1", "syntax error"),
        ("SELECT ?", "has a parameter"),
        ("SELECT x FROM kg_facts", "no such column: x"),
        ("SELECT load_extension('x')", "not authorized to use function"),
        ("SELECT zeroblob(5000000000)", "too big"),
        ("UPDATE kg_facts SET id = 1", "it is a view"),
        ("SELECT abs(-9223372036854775808)", "overflow"),
    ],
)
def test_what_is_wrong_with_a_query_is_said(query, says, store):
    with pytest.raises(UserError, match=says):
        store.sql(query, 5)


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("SELECT 1; -- done", [(1,)]),
        (" ; SELECT 1 AS a /* ; */ ;\n;", [(1,)]),
        ("VALUES (1), (2)", [(1,), (2,)]),
        ("SELECT count(*) FROM KG_FACTS", [(2,)]),
        ("SELECT value FROM json_each('[7]')", [(7,)]),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", [(1,), (2,), (3,)]),
        ("SELECT x'00ff'", [(b"\x00\xff",)]),
    ],
)
def test_what_can_be_asked(query, answer, store):
    assert store.sql(query, 3)[1] == tuple(answer)


def test_no_rows_have_columns_too(store):
    assert store.sql("SELECT id, path FROM kg_sources WHERE 0", 5) == (("id", "path"), ())
    assert store.sql("SELECT 1 AS a, 2 AS a", 5) == (("a", "a"), ((1, 2),))


def test_the_views_are_no_part_of_the_file(store, path):
    rows(store, "SELECT id FROM kg_facts")
    with open_and_close(path) as again:
        names = again._handle.rows("SELECT name FROM sqlite_schema WHERE type = 'view'")  # noqa: SLF001
    assert names == []


def test_what_another_handle_wrote_is_seen(path):
    with open_and_close(path) as store:
        assert rows(store, "SELECT path FROM kg_sources") == []
        with store.writing() as transaction:
            transaction.commit(FIRST)
        assert rows(store, "SELECT path FROM kg_sources") == [(MIRA_MD.path,)]


def test_views_are_joined_by_an_index(store):
    plan = rows(
        store,
        "EXPLAIN QUERY PLAN SELECT f.statement, c.path FROM kg_facts f"
        " JOIN kg_evidence v ON v.fact_id = f.id JOIN kg_claims c ON c.id = v.claim_id",
    )
    steps = [detail for *_, detail in plan]
    assert len([step for step in steps if "USING AUTOMATIC COVERING INDEX" in step]) == 2
