"""What a memory holds of the books that were synced into it."""

from datetime import timedelta

from syncing.readwise import MORNING, service

from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import LINKS_TO, Instant
from kgmem.recall.facts import find_facts
from kgmem.sources.readwise.shelf import ROOT
from kgmem.store.protocol import FactQuery, Scope
from kgmem.syncing import Mark, Sync


class Shelf:
    """A memory whose clock stands some hours after the morning."""

    def __init__(self, place):
        self._place = place
        self._ontology = load_ontology()
        self.problems = []

    def store(self, hours=0, group="default"):
        return self._place.open(group, now=MORNING + timedelta(hours=hours))

    def sync(self, library, hours=0, *, group="default", told=None, dry_run=False, **options):
        """(added, changed, removed, unchanged) of a sync."""
        library.now = MORNING + timedelta(hours=hours)
        memory = Memory(self.store(hours, group), self._ontology)
        clock = options.pop("clock", library.now)
        told = [] if told is None else told
        sync = Sync(memory, service(library, told=told), now=clock, tell=told.append, dry_run=dry_run)
        report = sync.run(**options).report
        self.problems = [each.message for each in report.problems]
        counts = report.counts
        return counts.added, counts.changed, counts.removed, counts.unchanged

    def mark(self, group="default"):
        return Mark.read(self.store(99, group).replayed(ROOT))

    def bodies(self, group="default"):
        store = self.store(99, group)
        return {each.path: store.episode(each.id).body for each in store.sources(ROOT)}

    def texts(self, group="default"):
        """What is marked, by book."""
        return {
            path: [line[2:] for line in body.splitlines() if line.startswith("> ")]
            for path, body in self.bodies(group).items()
        }

    def facts(self, group="default"):
        _, found = find_facts(self.store(99, group), FactQuery())
        return sorted(each.fact.statement for each in found if each.fact.predicate != LINKS_TO)

    def finds(self, words):
        return len(self.store(99).search(Scope.EPISODES, words, 10))


def after(hours=0, minutes=0):
    """The instant so long after the morning."""
    return Instant(int((MORNING + timedelta(hours=hours, minutes=minutes)).timestamp() * 1_000_000))
