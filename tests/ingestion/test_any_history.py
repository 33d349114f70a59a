"""Any sequence of edits leaves a memory that is what it promises to be, now and at every recorded instant."""

import shutil
import tempfile
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kgmem.checkup import check_up
from kgmem.errors import UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.recall.names import find_entity
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.protocol import FactQuery

ONTOLOGY = load_ontology()
NAMES = ("Mira", "Jon", "Nord", "Sud", "Jon Berg", "Nord Mills Ltd")
LINES = (
    "works_at:: [[Nord]]",
    "works_at:: [[Sud]]",
    "works_at:: [[Nord]] (2015 – 2020)",
    "works_at:: [[Sud]] (since 2018-03)",
    "works_at:: Nord (until 2019)",
    "mood:: calm",
    "mood:: cross",
    "Lunch with [[Mira]] and Jon.",
    "Sud is far away.",
    "friends:: [[Jon]], [[Mira]]",
    "Jon Berg came, and Jon left with Dr. Berg.",
    "Nord Mills paid, and NML took it.",
    "[[Nord Mills Ltd]] rose before Nord fell.",
)
HEADS = ("", "type: person\n", "type: company\n", "date: 2021-05-05\n", "aliases: [Jon]\n", "employees: [Jon]\n")
texts = st.builds(
    lambda head, lines: (f"---\n{head}---\n" if head else "") + "\n\n".join(lines) + "\n",
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(LINES), max_size=4, unique=True),
)


DAYS = st.integers(0, 5_000).map(
    lambda day: (
        date(2013, 1, 1).toordinal() * 86_400 + day * 86_400,
        date(2013, 1, 2).toordinal() * 86_400 + day * 86_400,
    )
)


def rows(store, query):
    """Facts as they are believed, each with its ends last."""
    _, facts = store.facts(query)
    return {(f.subject, f.predicate, f.object, f.value, f.valid, f.holds_from, f.holds_to) for f in facts}


def by_names(store):
    """Who is who: current facts that no edit dates, by names, either way round."""
    _, facts = store.facts(FactQuery())
    who = store.entities({each for fact in facts for each in (fact.subject, fact.object) if each})
    said = {
        (f.predicate, frozenset((who[f.subject].name, who[f.object].name if f.object else f.value)))
        for f in facts
        if f.predicate in {"LINKS_TO", "FRIEND_OF"}
    }
    return said | set(mentioned(store))


def mentioned(store):
    """Whom every note names, by which words."""
    for source in store.sources():
        mentions = store.mentions_in(source.id)
        who = store.entities({each.entity for each in mentions})
        yield from ((source.path, each.surface, who[each.entity].name) for each in mentions)


class History(RuleBasedStateMachine):
    """Edits, one or several between two ingests, with the clock going on."""

    @initialize(files=st.dictionaries(st.sampled_from(NAMES), texts, max_size=len(NAMES)))
    def begin(self, files):
        self.folder = Path(tempfile.mkdtemp())
        self.vault = self.folder / "vault"
        self.vault.mkdir()
        (self.vault / "Anchor.md").write_text("never changes\n", encoding="utf-8")
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.believed = {}
        self.as_read = True
        self.merged = []
        for name, text in files.items():
            self.write(name, text)

    def note(self, name):
        return self.vault / f"{name}.md"

    @rule(name=st.sampled_from(NAMES), text=texts)
    def write(self, name, text):
        self.note(name).write_text(text, encoding="utf-8")

    @rule(name=st.sampled_from(NAMES))
    def delete(self, name):
        self.note(name).unlink(missing_ok=True)

    @rule(name=st.sampled_from(NAMES))
    def move(self, name):
        if self.note(name).exists():
            folder = self.vault / "Moved"
            folder.mkdir(exist_ok=True)
            shutil.move(self.note(name), folder / f"{name}.md")

    @precondition(lambda self: (self.vault / "Moved").exists())
    @rule(name=st.sampled_from(NAMES))
    def move_back(self, name):
        moved = self.vault / "Moved" / f"{name}.md"
        if moved.exists() and not self.note(name).exists():
            shutil.move(moved, self.note(name))

    @contextmanager
    def memory(self, name="memory.db"):
        store = open_store(str(self.folder / name), "default", now=self.now)
        try:
            yield Memory(store, ONTOLOGY)
        finally:
            store.close()

    def ingest(self, name="memory.db"):
        with self.memory(name) as memory:
            vault = Vault(self.vault)
            memory.ingest(vault, confirm=lambda _gone, _known: True)
            self.read_further(memory, vault)
            broken = [(check.name, check.examples) for check in check_up(memory.store, ONTOLOGY) if not check.ok]
            if name == "memory.db":
                self.remember(memory.store)
            return broken, by_names(memory.store)

    def read_further(self, memory, vault):
        """What else reads the notes: nobody."""

    def remember(self, store):
        """Keep what is believed now, to be compared with what the memory will say it was."""
        last = store.stats().last_recorded
        if last is not None:
            self.believed[last] = rows(store, FactQuery())

    @rule()
    def a_day_passes(self):
        self.now += timedelta(days=1)

    @precondition(lambda self: getattr(self, "believed", None))
    @rule(name=st.sampled_from(NAMES))
    def forget_and_remember(self, name):
        with self.memory() as memory:
            before = rows(memory.store, FactQuery())
            source = memory.store.source(f"{name}.md")
            if source is not None and not memory.back.is_forgotten(source, None):
                memory.back.forget(source, Vault(self.vault))
                self.remember(memory.store)
                memory.back.restore(source, Vault(self.vault))
                assert rows(memory.store, FactQuery()) == before
                self.remember(memory.store)

    @precondition(lambda self: getattr(self, "believed", None))
    @rule()
    def undo(self):
        with self.memory() as memory:
            with suppress(UserError):  # nothing is left to undo
                memory.back.undo(memory.back.last(), Vault(self.vault))
            self.remember(memory.store)
        self.as_read = False  # from now on it is not what a first ingest would make it

    @precondition(lambda self: getattr(self, "believed", None))
    @rule(one=st.sampled_from(NAMES), other=st.sampled_from(NAMES))
    def make_one(self, one, other):
        with self.memory() as memory, suppress(UserError):  # they are one, or not there
            a, b = (find_entity(memory.store, name)[0].entity.id for name in (one, other))
            done = memory.identity(self.readers).merge(a, b, sure=True)
            self.merged.append(done.decision.id)
            self.remember(memory.store)

    @precondition(lambda self: getattr(self, "merged", None))
    @rule()
    def make_two_again(self):
        with self.memory() as memory:
            memory.identity(self.readers).unmerge(self.merged.pop())
            self.remember(memory.store)

    def readers(self, _root, kind):
        return Vault(self.vault, kind=kind)

    @precondition(lambda self: getattr(self, "believed", None))
    @rule(valid=DAYS, known=st.floats(0, 1))
    def travel(self, valid, known):
        """Any day, as known at any instant, is what was kept: the naive model that time travel must equal."""
        then = sorted(self.believed)[int(known * (len(self.believed) - 1))]
        held = {row for row in self.believed[then] if row[-2] < valid[1] and row[-1] > valid[0]}
        with self.memory() as memory:
            assert rows(memory.store, FactQuery(valid=valid, known=then)) == held

    @invariant()
    def every_promise_holds(self):
        if hasattr(self, "vault"):
            broken, self.facts = self.ingest()
            assert broken == []
            again, facts = self.ingest()
            assert (again, facts) == ([], self.facts)

    def teardown(self):
        if hasattr(self, "folder"):
            _, fresh = self.ingest("fresh.db")
            shutil.rmtree(self.folder)
            assert not self.as_read or self.merged or fresh == self.facts


WITHOUT_SHRINKING = (
    Phase.explicit,
    Phase.reuse,
    Phase.generate,
)  # a step takes long enough for shrinking to take forever
History.TestCase.settings = settings(max_examples=25, stateful_step_count=10, deadline=None, phases=WITHOUT_SHRINKING)
TestHistory = History.TestCase
