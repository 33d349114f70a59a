"""What only a Neo4j server has: plans, labels, locks, round trips, versions, and what goes wrong on the way."""

import contextlib
import json
import multiprocessing
import os
import re
import signal
from dataclasses import replace

import pytest
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    HOME,
    INTRO,
    LOG_1,
    LOG_MD,
    MIRA,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    SLOT,
    TRIP,
    episode,
    fact_of,
    rewritten,
    works_at,
)
from store.test_store_conversations import ASKED
from store.test_store_sqlite import SOME, WHOLE
from store.wire import Wire

from kgmem.errors import StoreError, StoreLockedError, StoreMissingError, StoreTooNewError, StoreUnreachableError
from kgmem.model import Decision, DecisionKind, EntityType, Instant, Source, identify
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Ending, EndKind, Erasure, Vector
from kgmem.store.conversations import Thumb
from kgmem.store.neo4j import schema
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import search_label
from kgmem.store.neo4j.store import Neo4jStore
from kgmem.store.protocol import Proposal, Scope

pytestmark = pytest.mark.neo4j


@pytest.fixture
def store(graph):
    handle = open_store(graph.url, graph.group())
    yield handle
    handle.close()


@pytest.fixture
def ask(graph):
    """Rows of a query about this test's group."""

    def rows(cypher, **parameters):
        found = graph.driver.execute_query(cypher, group=graph.group(), **parameters)
        return [record.values() for record in found.records]

    return rows


SUD = works_at(TRIP, LOG_1, PARIS, "2020")
SUD_FACT = fact_of(SUD)
CHANGE = replace(SECOND, claims=((SLOT, SUD),), closed=(DIRECTS_FACT.id,), opened=(SUD_FACT,))


def test_a_person_reads_the_graph_by_labels(store, commit, ask):
    lab = replace(NORD, subtype="research lab")
    commit(store, replace(FIRST, entities=(MIRA, lab, replace(PARIS, subtype="Fact"))))
    labels = ask(
        "MATCH (e:Entity {group: $group}) RETURN e.name, [each IN labels(e) WHERE NOT each STARTS WITH 'Group_']"
    )
    assert {name: set(found) for name, found in labels} == {
        "Château Nord": {"Entity", "Organization", "ResearchLab"},
        "Mira": {"Entity", "Person", "Individual"},
        "Paris": {"Entity", "Location", "Fact_"},
    }
    commit(store, ChangeSet("i", entities=(replace(MIRA, type=EntityType.OBJECT, subtype=None),)))
    ((found,),) = ask("MATCH (e:Entity {key: $group + '/' + $id}) RETURN labels(e)", id=MIRA.id)
    assert set(found) == {"Entity", "Object", store._handle.label}  # noqa: SLF001


def test_current_facts_are_relationships_of_entities_and_versions_supersede_each_other(store, commit, ask):
    related = (
        "MATCH (a:Entity {group: $group})-[r:RELATED_TO]->(b:Entity) RETURN a.name, r.predicate, b.name, r.from_shown"
    )
    commit(store, FIRST)
    assert ask(related) == [["Mira", "WORKS_AT", "Château Nord", "2015"]]
    commit(store, CHANGE)
    assert ask(related) == [["Mira", "WORKS_AT", "Paris", "2020"]]
    assert ask("MATCH (n:Fact {group: $group})-[:SUPERSEDES]->(o:Fact) RETURN n.id, o.id") == [
        [SUD_FACT.id, DIRECTS_FACT.id]
    ]
    roles = (
        "MATCH (f:Fact {group: $group})-[r:ABOUT]->(e:Entity) WHERE f.id = $id RETURN r.role, e.name ORDER BY r.role"
    )
    assert ask(roles, id=SUD_FACT.id) == [["object", "Paris"], ["subject", "Mira"]]


def test_decided_pairs_are_relationships_until_they_are_taken_back(store, commit, ask):
    pairs = "MATCH (a:Entity {group: $group})-[r:SAME_AS]->(b:Entity) RETURN a.name, r.status, b.name"
    decision = Decision(identify("d"), DecisionKind.SAME, entity=MIRA.id, others=(PARIS.id,), names=("Paris",))
    commit(store, FIRST)
    store.compare({}, [Proposal(NORD.id, MIRA.id, 0.5, ("why",))], [])
    commit(store, ChangeSet("same", decisions=(decision,)))
    one, other = (each.name for each in sorted((MIRA, NORD), key=lambda each: each.id))
    assert sorted(ask(pairs)) == sorted([["Paris", "confirmed", "Mira"], [one, "proposed", other]])
    commit(store, ChangeSet("undo", retracted=(decision.id,)))
    assert [row[1] for row in ask(pairs)] == ["proposed"]
    assert [(each.score, each.reasons) for each in store.proposals()] == [(0.5, ("why",))]


# -- plans and round trips


def test_a_person_reads_how_an_answer_was_found(store, commit, ask):
    commit(store, FIRST)
    for at in (5, 9):
        store.conversations().add(replace(ASKED, asked_at=Instant(at)))
    chain = (
        "MATCH (c:Conversation {group: $group})-[:HAS_MESSAGE]->(a:Message)-[:NEXT]->(b:Message)<-[:HAS_MESSAGE]-(c)"
        " RETURN c.name, a.place, b.place, a.asked"
    )
    assert ask(chain) == [["2026-03-02", 1, 2, "1970-01-01T00:00:00Z"]]
    way = "MATCH (m:Message {group: $group, place: 1})<-[:INITIATED_BY]-(t:Trace)"
    assert ask(f"{way}-[:HAS_STEP]->(s:Step) RETURN s.name ORDER BY s.place") == [["names"], ["text"], ["answer"]]
    assert ask(f"{way}-[:TOUCHED]->(e:Entity) RETURN e.name ORDER BY e.name") == [["Château Nord"], ["Mira"]]
    assert ask(f"{way}-[:HAS_STEP]->()-[:TOUCHED]->(e:Entity) RETURN e.name") == [["Mira"]]
    assert ask("MATCH (m:Message {group: $group, place: 2})-[:MENTIONS]->(e:Entity) RETURN e.name") == [["Mira"]]


@pytest.fixture
def sent(monkeypatch):
    """Every query that is sent, with its parameters."""
    queries = []
    run, stream = Handle._run, Handle.stream  # noqa: SLF001

    def spied_run(handle, cypher, parameters, routing):
        queries.append((cypher, {"group": handle.group, **parameters}))
        return run(handle, cypher, parameters, routing)

    def spied_stream(handle, cypher, **parameters):
        queries.append((cypher, {"group": handle.group, **parameters}))
        return stream(handle, cypher, **parameters)

    monkeypatch.setattr(Handle, "_run", spied_run)
    monkeypatch.setattr(Handle, "stream", spied_stream)
    return queries


def operators(plan):
    yield plan
    for child in plan.get("children", ()):
        yield from operators(child)


SCANS = re.compile(r"AllNodesScan|ByLabels?Scan|TypeScan|AllRelationshipsScan")


def plan_of(driver, cypher, parameters):
    """(operator, details) of a query's plan; nothing for one that only asks for indexes."""
    if "SHOW " in cypher:
        return []
    explained = driver.execute_query("EXPLAIN " + cypher.replace("CYPHER replan=skip", ""), parameters)
    return [(each["operatorType"], each["args"].get("Details", "")) for each in operators(explained.summary.plan)]


def scans(driver, cypher, parameters):
    """The operators of a query's plan that walk what they should look up."""
    return [step for step in plan_of(driver, cypher, parameters) if SCANS.search(step[0])]


def embed_anew(store):
    """All that is done with vectors but to search them."""
    for model, values in (("m", (0.0, 1.0)), ("n", (1.0, 0.0, 0.0))):
        store.missing_vectors(model)
        for kind in ("passage", "fact", "entity"):
            lacking = list(store.without_vectors(kind, model))
            store.embedded(model, [each.hash for each in lacking])
            store.put_vectors([Vector(kind, each.id, model, values, each.hash) for each in lacking])
        if model == "m":
            store.prepare_vectors("n", 3)
    store.switch_vectors()
    store.prepare_vectors("m", 2)
    store.prepare_vectors("n", 3)


def everything(store, commit):
    """All that a store can be asked and told."""
    decision = Decision(identify("d"), DecisionKind.SAME, entity=MIRA.id, others=(PARIS.id,))
    ending = Ending(DIRECTS.id, EndKind.WITHDRAWN)
    commit(store, FIRST, CHANGE, rewritten("other", mentions=(), aliases=(), endings=(ending,)))
    commit(store, ChangeSet("move", source=replace(LOG_MD, title="T", path="x", entity=PARIS.id)))
    commit(store, ChangeSet("moved", moved_root=("/vault", "/v")), ChangeSet("same", decisions=(decision,)))
    commit(store, ChangeSet("i", supported=((SUD_FACT.id, (DIRECTS.id,)),)), ChangeSet("u", retracted=(decision.id,)))
    store.declare_vectors("m", 2)
    commit(store, ChangeSet("embed", vectors=(Vector("passage", TRIP.id, "m", (1.0, 0.0)),)))
    embed_anew(store)
    store.compare({MIRA.id: ("mi", "ra")}, [Proposal(NORD.id, MIRA.id, 0.5)], [(PARIS.id, MIRA.id)], Instant(5))
    store.compare({MIRA.id: ("mi",)}, [], [])
    store.restat([MIRA_MD])
    for at in (5, 9):
        asked = store.conversations().add(replace(ASKED, asked_at=Instant(at)))
    store.conversations().judge(asked.id, Thumb.UP, "")
    for read in (*SOME, *WHOLE):
        read(store)
    for read in (store.rungs, store.compared_upto, store.proposals, store.verify, store.strange_vectors):
        read()
    for since in (None, Instant(5)):
        store.named_since(since)
    store.linked([("mira", MIRA.id)])
    store.passages_naming([MIRA.id])
    store.blocked(["mi"])
    store.filed("mi", 5)
    store.claims_taken(DIRECTS.source, [DIRECTS.id])
    store.claims_ever(MIRA_MD.id)
    store.instants(SLOT, [DIRECTS.id])
    store.sources_ever([MIRA_MD.id])
    store.sources_called("x")
    store.paths(LOG_MD.id)
    store.episodes(LOG_MD.id)
    store.source_of(LOG_1.id)
    store.replayed("/v")
    store.decisions()
    list(store.vectors("passage"))
    for kind in ("passage", "fact", "entity"):
        for times in ({}, {"known": Instant(5)}, {"valid": (0, 9)}, {"known": Instant(5), "valid": (0, 9)}):
            store.nearest(kind, (1.0, 0.0, 0.0), 5, **times)
    commit(store, ChangeSet("remove", removed=LOG_MD.id))
    store.erase(Erasure(LOG_MD.id, None, (SUD.id,), (SLOT,), ((Instant(9), (), (), ()),)))


def test_no_query_walks_what_an_index_finds(graph, store, commit, sent):
    everything(store, commit)
    assert len({cypher for cypher, _ in sent}) > 80
    seen = {}
    for cypher, parameters in sent:
        seen.setdefault(cypher, parameters)
    found = {cypher: scans(graph.driver, cypher, parameters) for cypher, parameters in seen.items()}
    assert {cypher: bad for cypher, bad in found.items() if bad} == {}


def test_a_scan_would_be_found(graph):
    ((kind, _),) = scans(graph.driver, "MATCH (n:Fact) WHERE n.value = $x RETURN n", {"x": 1})
    assert kind == "NodeByLabelScan@neo4j"


def test_a_read_of_some_rows_does_not_walk_the_whole_group(graph, store, commit, sent):
    commit(store, FIRST, CHANGE)
    sent.clear()
    for read in SOME:
        read(store)
    assert len(sent) > 30
    walks = [
        (cypher, details)
        for cypher, parameters in sent
        for _, details in plan_of(graph.driver, cypher, parameters)
        if "(group) WHERE" in details and ":Source(" not in details and "CONTAINS" not in cypher
    ]
    assert walks == []


def kinds_of(sent):
    return ["writes" if re.search(r"\b(CREATE|SET|MERGE|DELETE)\b", cypher) else "reads" for cypher, _ in sent]


def test_a_source_is_written_in_three_queries(store, commit, sent):
    """The lock, what is kept and who else names its entities, and one that writes all of it, with the clock."""
    commit(store, FIRST)
    sent.clear()
    commit(store, CHANGE)
    assert kinds_of(sent) == ["writes", "reads", "writes"]


def about(store):
    """What a writer of a source asks."""
    return (
        store.episode(MIRA_MD.id),
        store.aliases_from(MIRA_MD.id),
        store.asserted(MIRA_MD.id),
        store.claims(slots=[SLOT]),
        store.open_facts([SLOT]),
    )


def test_what_a_writer_asks_next_comes_with_what_it_asks_first(store, commit, sent):
    commit(store, FIRST)
    before = about(store)
    assert all(before)
    sent.clear()
    with store.writing() as transaction:
        assert about(store) == about(store) == before
        assert store.claims(slots=()) == store.open_facts(()) == {}
        assert kinds_of(sent) == ["writes", "reads", "reads", "reads"]  # the claims are asked for twice
        transaction.commit(rewritten("other", aliases=(), closed=(DIRECTS_FACT.id,)))
        after = about(store)
    assert after == about(store)
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, False, True, True, False]


def test_what_was_read_in_one_transaction_is_read_anew_in_the_next(place_of_two, commit):
    store, other = place_of_two
    commit(store, FIRST)
    with store.writing():
        assert store.open_facts([SLOT]) != {}
    commit(other, ChangeSet("i", closed=(DIRECTS_FACT.id,)))
    with store.writing():
        assert store.open_facts([SLOT]) == {}


@pytest.fixture
def place_of_two(graph, store):
    other = open_store(graph.url, graph.group())
    yield store, other
    other.close()


# -- groups, versions, locks


def test_a_group_is_made_with_its_indexes_and_found_by_a_reader_that_came_before(graph, graphs, commit):
    name = f"{graph.group()} / late"
    try:
        reader = open_store(graph.url, name, readonly=True)
        assert list(reader.sources()) == []
        assert [reader.search(scope, "directs", 5) for scope in Scope] == [()] * 4
        assert reader.sources_naming(["mira"], ["directs"]) == frozenset()
        writer = open_store(graph.url, name)
        commit(writer, FIRST)
        assert list(reader.sources()) == [MIRA_MD]
        assert len(reader.search(Scope.EPISODES, "directs", 5)) == 1
        for each in (reader, writer):
            each.close()
    finally:
        graphs.remove(name)


def open_and_close(url, group):
    open_store(url, group).close()


def test_processes_that_open_a_new_group_at_once_all_succeed(graph, graphs):
    name = f"{graph.group()} / new"
    spawn = multiprocessing.get_context("spawn")
    openers = [spawn.Process(target=open_and_close, args=(graph.url, name)) for _ in range(3)]
    try:
        for opener in openers:
            opener.start()
        for opener in openers:
            opener.join()
        assert [opener.exitcode for opener in openers] == [0] * 3
    finally:
        graphs.remove(name)


def test_a_declared_dimension_makes_an_index_of_exact_vectors(store, ask):
    store.declare_vectors("m", 3)
    ((kind, options),) = ask(
        "SHOW INDEXES YIELD name, type, options WHERE name = $name RETURN type, options",
        name=f"{search_label(store.group)}_vectors",
    )
    assert kind == "VECTOR"
    assert options["indexConfig"]["vector.dimensions"] == 3
    quantized = options["indexConfig"].get("vector.quantization.enabled")
    assert quantized is False or options["indexConfig"]["vector.quantization.type"] == "NONE"


@pytest.fixture
def embedded(store, commit, ask):
    """A store whose nearest passages are known, and what its index filters by."""
    store.declare_vectors("m", 2)
    commit(store, FIRST, SECOND)
    pairs = zip((INTRO, HOME, TRIP), ((1.0, 0.0), (0.6, 0.8), (0.0, 1.0)), strict=True)
    commit(store, ChangeSet("embed", vectors=tuple(Vector("passage", each.id, "m", values) for each, values in pairs)))
    ((filters,),) = ask(
        "SHOW INDEXES YIELD name, properties WHERE name = $name RETURN properties[1..]",
        name=f"{search_label(store.group)}_vectors",
    )
    return store, filters


def test_an_index_that_can_filter_is_let_to(embedded, sent, graph):
    store, filters = embedded
    assert [hit.id for hit in store.nearest("passage", (1.0, 0.0), 2)] == [INTRO.id, HOME.id]
    ((cypher, parameters),) = [each for each in sent if "$wanted" in each[0]]
    assert ("SEARCH" in cypher) == bool(filters)
    if filters:
        assert [name for name, _ in plan_of(graph.driver, cypher, parameters) if "VectorIndexSearch" in name]


def test_an_index_that_cannot_filter_is_asked_for_more(embedded, sent, graph, monkeypatch):
    """An older server has no other."""
    monkeypatch.setattr("kgmem.store.neo4j.nearest._LEAST", 1)
    monkeypatch.setattr("kgmem.store.neo4j.nearest._WIDER", 2)
    store, _ = embedded
    name = f"{search_label(store.group)}_vectors"
    graph.driver.execute_query(f"DROP INDEX `{name}`")
    graph.driver.execute_query(
        f"CREATE VECTOR INDEX `{name}` FOR (n:`{search_label(store.group)}`) ON n.values"
        " OPTIONS {indexConfig: {`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}"
    )
    graph.driver.execute_query("CALL db.awaitIndexes(60)")
    with store.writing() as transaction:
        transaction.commit(rewritten("Mira sails"))
    assert [hit.id for hit in store.nearest("passage", (1.0, 0.0), 1)] == [TRIP.id]
    asked = [parameters["wanted"] for cypher, parameters in sent if "queryNodes" in cypher and "wanted" in parameters]
    assert asked == [1, 2, 4]


def test_a_locked_group_is_waited_for_and_no_longer(graph, store):
    other = Neo4jStore(graph.url, graph.group(), busy_seconds=0.3)
    with store.writing() as transaction:
        with pytest.raises(StoreLockedError, match="another process is writing"), other.writing():
            pass
        transaction.commit(FIRST)
    assert list(other.sources()) == [MIRA_MD]
    with other.writing() as transaction:
        transaction.commit(SECOND)
    assert len(list(store.sources())) == 2
    other.close()


def test_a_long_batch_lets_others_write_between(graph, store, commit, monkeypatch):
    monkeypatch.setattr("kgmem.store.neo4j.store._HOLD_SECONDS", 0.0)
    other = Neo4jStore(graph.url, graph.group(), busy_seconds=5)
    with store.batch() as batch:
        first = commit(store, FIRST)
        between = commit(other, SECOND)
        last = commit(store, rewritten("x"))
    assert batch.kept
    assert first < between < last
    assert [each.recorded_at for each in other.transactions()] == [first, between, last]
    other.close()


def write_until_killed(url, group, started):
    store = open_store(url, group)
    number = 0
    while True:
        source = Source(identify(number), "obsidian", "/vault", str(number), "note")
        with store.writing() as transaction:
            transaction.commit(ChangeSet("ingest", source=source, episode=episode(source, str(number)), passages=()))
        number += 1
        if number == 10:
            started.set()


def test_a_writer_that_is_killed_leaves_whole_sources_and_no_lock(graph, store, commit):
    spawn = multiprocessing.get_context("spawn")
    started = spawn.Event()
    writer = spawn.Process(target=write_until_killed, args=(graph.url, graph.group(), started))
    writer.start()
    assert started.wait(120)
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    sources = list(store.sources())
    assert sorted(int(source.path) for source in sources) == list(range(len(sources)))
    assert len(sources) >= 10
    assert all(store.episode(source.id) is not None for source in sources)
    assert store.stats().counts["transactions"] == len(sources)
    assert store.verify() == ()
    commit(store, FIRST)


@pytest.mark.parametrize("version", ["5.25.1", "4.4.30", "5.9.0"])
def test_an_old_server_is_refused(version):
    with pytest.raises(StoreError, match=re.escape(version)):
        schema.refuse_old_server(version, "neo4j://host")


@pytest.mark.parametrize("version", ["5.26.30", "5.27-aura", "2025.01.0", "2026.08.1"])
def test_a_current_server_is_welcome(version):
    schema.refuse_old_server(version, "neo4j://host")


def test_a_newer_schema_is_refused(graph, store):
    step = schema.Migration(schema.MIGRATIONS[-1].number + 1, "colours", ("RETURN 1",))
    try:
        schema.open_group(store._handle, readonly=False, migrations=(*schema.MIGRATIONS, step))  # noqa: SLF001
        with pytest.raises(StoreTooNewError, match="newer kgmem"):
            open_store(graph.url, graph.group())
    finally:
        graph.driver.execute_query("MATCH (m:Migration {number: $number}) DELETE m", number=step.number)
    open_store(graph.url, graph.group()).close()


# -- what goes wrong


def test_a_wrong_password_is_said_and_never_shown(graph):
    with pytest.raises(StoreUnreachableError) as caught:
        open_store(graph.url.replace("://", "://neo4j:s3cretly@"), graph.group())
    assert "does not let neo4j in" in caught.value.message
    assert "NEO4J_PASSWORD" in caught.value.hint
    assert "s3cretly" not in caught.value.message + caught.value.hint


def test_a_database_that_is_not_there(graph, monkeypatch):
    monkeypatch.setenv("NEO4J_DATABASE", "nowhere")
    with pytest.raises(StoreUnreachableError, match="no such database"):
        open_store(graph.url, graph.group())


@pytest.fixture
def wire(graph):
    """A way to the server that can be cut."""
    wire = Wire(graph.url)
    yield wire
    wire.close()


def test_nobody_answers(graph, wire):
    wire.close()
    with pytest.raises(StoreUnreachableError, match="cannot be reached") as caught:
        open_store(wire.url, graph.group())
    assert "is the server running" in caught.value.hint


def test_a_connection_that_breaks_before_the_commit_leaves_nothing(graph, store, wire, commit):
    far = open_store(wire.url, graph.group())

    def broken():
        with far.writing() as transaction:
            transaction.commit(FIRST)
            wire.cut()

    with pytest.raises(StoreError) as caught:
        broken()
    assert caught.value.hint
    commit(far, FIRST)
    assert list(store.sources()) == [MIRA_MD]
    assert store.stats().counts["transactions"] == 1
    assert store.verify() == ()
    far.close()


def test_a_connection_that_breaks_in_the_middle_is_an_error_of_ours(graph, wire):
    far = open_store(wire.url, graph.group())

    def broken():
        with far.writing() as transaction:
            wire.cut()
            transaction.commit(FIRST)

    with pytest.raises(StoreUnreachableError):
        broken()
    assert list(far.sources()) == []
    far.close()


def test_a_read_survives_a_connection_that_broke_while_it_was_idle(graph, store, wire, commit):
    commit(store, FIRST)
    far = open_store(wire.url, graph.group(), readonly=True)
    assert list(far.sources()) == [MIRA_MD]
    wire.cut()
    assert list(far.sources()) == [MIRA_MD]
    far.close()


def test_a_query_of_a_person_may_only_read(store, commit):
    commit(store, FIRST)
    columns, rows = store.cypher("MATCH (s:Source {group: $group}) RETURN s.path AS path, s.title AS title", 5)
    assert (columns, rows) == (("path", "title"), [["People/Mira.md", "Mira"]])
    assert len(store.cypher("UNWIND range(1, 9) AS n RETURN n", 4)[1]) == 4
    with pytest.raises(StoreError, match=r"(?i)write"):
        store.cypher("CREATE (:Fact)", 5)
    with pytest.raises(StoreError, match=r"(?i)invalid|expected"):
        store.cypher("SELECT 1", 5)


def test_a_long_name_is_found_like_any_other(store, commit):
    name = "x" * 20_000
    alias = replace(FIRST.aliases[0], name=name, key=name)
    fact = replace(DIRECTS_FACT, predicate=name)
    commit(store, replace(FIRST, aliases=(alias,), links=((name, False),), opened=(fact,)))
    assert store.namings([name])[name][0].alias == alias
    assert store.namings([name[:-1]]) == {}
    assert store.sources_naming([name]) == {MIRA_MD.id}


def test_both_stores_dump_and_find_the_same(store, tmp_path):
    other = open_store(str(tmp_path / "other.db"), "x")
    decision = Decision(identify("d"), DecisionKind.SAME, entity=MIRA.id, others=(PARIS.id,), names=("Zoë",), note="é")
    odd = replace(DIRECTS, id=identify("odd"), confidence=1, scalar=True, object=None, value="x")
    for each in (store, other):
        each.declare_vectors("m", 2)
    sets = (
        replace(FIRST, claims=((SLOT, DIRECTS), (SLOT, odd)), decisions=(decision,)),
        replace(CHANGE, vectors=(Vector("passage", TRIP.id, "m", (0.1, -1e-30)),)),
        ChangeSet("end", endings=(Ending(DIRECTS.id, EndKind.REPLACED, SUD.said), Ending(odd.id, EndKind.WITHDRAWN))),
        ChangeSet("removed", removed=MIRA_MD.id, retracted=(decision.id,)),
    )
    for number, changes in enumerate(sets, 1):
        for each in (store, other):
            with each.writing(Instant(number * 1_000_000)) as transaction:
                transaction.commit(changes)
    assert list(store.dump()) == list(other.dump())
    assert {json.loads(line)["table"] for line in store.dump()} >= {"decision", "ending", "vector", "fact"}
    with contextlib.closing(other):
        for scope in Scope:
            for known in (None, Instant(2_000_000)):
                mine, theirs = (each.search(scope, "Mira directs Paris", 9, known=known) for each in (store, other))
                assert {hit.id for hit in mine} == {hit.id for hit in theirs}
        for known in (None, Instant(2_000_000)):
            mine, theirs = (each.nearest("passage", (1.0, 0.0), 9, known=known) for each in (store, other))
            assert [(hit.id, round(hit.score, 5)) for hit in mine] == [(hit.id, round(hit.score, 5)) for hit in theirs]


def test_a_server_without_a_memory(monkeypatch, store):
    monkeypatch.setattr(schema, "_STATE", schema._STATE.replace(":Migration", ":Nothing"))  # noqa: SLF001
    with pytest.raises(StoreMissingError):
        schema.open_group(store._handle, readonly=True)  # noqa: SLF001
