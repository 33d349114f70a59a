"""Whatever happened, a replay with the extraction as it was draws the claims of the log again, and nothing else."""

import json

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule
from ingestion.test_any_history import ONTOLOGY, WITHOUT_SHRINKING, History

from kgmem.reextraction.chain import Chain, lives
from kgmem.reextraction.facts import believed
from kgmem.reextraction.lines import rewriting, table_of
from kgmem.reextraction.log import read_log
from kgmem.reextraction.making import Making
from kgmem.reextraction.replay import Heard, Means, Replay, Wish
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store


def silent(_stage, _done, _total):
    pass


def difference(store):
    """What a replay of a memory would write otherwise, without spaCy and with our own ontology."""
    log = read_log(store.dump())
    replay = Replay(log, Means(ONTOLOGY, lambda root, kind: Vault(root, kind=kind)), Wish(), Heard())
    return rewriting(log, replay.run(silent), ONTOLOGY.rule)


def rows_of(table, dump):
    rows = [json.loads(line) for line in dump if table_of(line) == table]
    return [{name: value for name, value in row.items() if name != "table"} for row in rows]


def believed_of(log):
    """(facts, evidence) of all slots, made of the log of claims alone."""
    slots, rows = {}, ([], [])
    for said in log.said.values():
        chain = Chain()
        for at, each in said.items():
            chain.apply(at, each)
        for slot, *life in lives(chain):
            slots.setdefault(slot, []).append(tuple(life))
    for slot, own in slots.items():
        for found, more in zip(rows, believed(slot, own, ONTOLOGY.rule), strict=True):
            found.extend(more)
    return rows


class Again(History):
    """Any history, replayed after every step."""

    @invariant()
    def every_claim_is_drawn_again(self):
        if hasattr(self, "vault"):
            with self.memory() as memory:
                found = difference(memory.store)
                assert (found.claims, dict(found.rows)) == (set(), {})

    @invariant()
    def every_belief_is_what_the_lives_of_its_claims_make_it(self):
        if hasattr(self, "vault"):
            with self.memory() as memory:
                dump = list(memory.store.dump())
            facts, evidence = believed_of(read_log(dump))
            assert sorted(facts, key=str) == sorted(rows_of("fact", dump), key=str)
            assert sorted(evidence, key=str) == sorted(rows_of("evidence", dump), key=str)

    @precondition(lambda self: getattr(self, "believed", None))
    @rule(version=st.integers())
    def read_again(self, version):
        """A new generation answers, and holds what the one before did, now and at any time."""
        means = Means(ONTOLOGY, self.reader_of, version=str(version))
        with self.memory() as memory:
            before = list(memory.store.dump())
            making = Making(memory.store, self.generation, means, Wish(), silent)
            with making.alone():
                making.promote(making.make())
            assert list(memory.store.dump()) == before

    def reader_of(self, root, kind):
        return Vault(root, kind=kind)

    def generation(self, name):
        return open_store(str(self.folder / "memory.db"), name, now=self.now, unfinished=True)


Again.TestCase.settings = settings(max_examples=10, stateful_step_count=8, deadline=None, phases=WITHOUT_SHRINKING)
TestAgain = Again.TestCase
