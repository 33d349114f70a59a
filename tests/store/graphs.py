"""A test's own part of a Neo4j server: groups that are empty when it begins, and wiped when it ends."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import count

import neo4j
from store.neo4j_server import Server

from kgmem.store.generations import name_of, split_name
from kgmem.store.neo4j.keys import search_label
from kgmem.store.neo4j.schema import search_indexes, vector_index
from kgmem.store.neo4j.sides import OTHER

_LABELS = (
    "Transaction Source Place Episode Passage Entity Alias Link Claim Ending Fact Decision Replay"
    " Relinked Block Embedding"
    " Conversation Message Trace Step Volume"
).split()
_WIPE = "\n".join(f"CALL () {{ MATCH (n:{label}) WHERE n.group IN $groups DETACH DELETE n }}" for label in _LABELS) + (
    "\nCALL () { MATCH (g:Group) WHERE g.group IN $groups"
    " SET g = {key: g.key, group: g.group, label: g.label} RETURN count(g) AS n } RETURN n"
)


class Graphs:
    """The groups of one run. A group is made once and used again: with every new index a server forgets its plans."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.driver = neo4j.GraphDatabase.driver(
            server.url, auth=(server.user, server.password), notifications_min_severity="OFF"
        )
        self._prefix = secrets.token_hex(4)
        self._numbers = count()
        self._free: list[str] = []
        self._made: list[str] = []

    def take(self) -> str:
        """The name of an empty group."""
        if not self._free:
            self._made.append(f"{self._prefix} {next(self._numbers)}")
            self._free.append(self._made[-1])
        return self._free.pop(0)

    def give_back(self, groups: list[str]) -> None:
        """Empty groups for the next test; one that has generations may have lost its indexes, and goes."""
        plain = []
        for group in groups:
            found = self.driver.execute_query(
                "MATCH (g:Group) WHERE g.key STARTS WITH $of RETURN g.key", of=f"{group}~"
            )
            gone = [generation for (generation,) in found.records]
            for each in (*gone, group) if gone else ():
                self.remove(each)
            plain += [] if gone else [group]
        self.driver.execute_query(_WIPE, groups=plain)
        for group in plain:
            for side in ("", OTHER):
                self.driver.execute_query(f"DROP INDEX `{vector_index(search_label(group), side)}` IF EXISTS")
        self._free = sorted([*self._free, *plain])

    def remove(self, group: str) -> None:
        """Leave nothing of a group behind."""
        self.driver.execute_query(_WIPE, groups=[group])
        self.driver.execute_query("MATCH (g:Group {key: $key}) DELETE g", key=group)
        label = search_label(group)
        for name in (*search_indexes(label), *(vector_index(label, side) for side in ("", OTHER))):
            self.driver.execute_query(f"DROP INDEX `{name}` IF EXISTS")

    def close(self) -> None:
        """Leave nothing behind."""
        for group in self._made:
            self.remove(group)
        self.driver.close()


class Graph:
    """One test's part."""

    def __init__(self, graphs: Graphs) -> None:
        self.url = graphs.server.url
        self.driver = graphs.driver
        self._graphs = graphs
        self._groups: dict[str, str] = {}

    def group(self, name: str = "default") -> str:
        """The name of a group that no other test has at this time, or of one of its generations."""
        if (generation := split_name(name)) is not None:
            return name_of(self.group(generation[0]), generation[1])
        if name not in self._groups:
            self._groups[name] = self._graphs.take()
        return self._groups[name]

    def wipe(self) -> None:
        """Delete what this test wrote."""
        self._graphs.give_back(list(self._groups.values()))


def graphs_on(server: Server) -> Iterator[Graphs]:
    """The groups of a run."""
    graphs = Graphs(server)
    yield graphs
    graphs.close()
