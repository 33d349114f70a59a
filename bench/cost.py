"""What one new entity costs a large memory: ``python bench/cost.py [--entities N] [--new N]``.

A memory of people, organizations and places is read from notes that are made up: given names of a real table, family
names, words and places put together from syllables, all as unevenly common as real ones are. Every entity is filed as
`kgmem resolve` files it, and a list of pairs waits. Then new entities arrive, one at a time: after each, it is compared
with what is known. CPU of this process for that comparison alone, the tenth against the thousandth by medians: of
the sixth to the twenty-fifth and of the last twenty.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import accumulate, cycle, islice, product
from pathlib import Path

from _measure import Figure, at_most, machine, show
from nicknames import NickNamer

import kgmem.cli  # its garbage collection is that of every command
from kgmem.extraction.ontology import Ontology, Rank, load_ontology
from kgmem.ingestion.profiles import Profiles, trait_keys
from kgmem.ingestion.resolving import Resolved
from kgmem.memory import Memory
from kgmem.model import UNKNOWN, Alias, AliasKind, Entity, EntityType, Episode, Mention, Passage, Source, identify
from kgmem.resolution.blocks import blocks
from kgmem.resolution.names import name_key
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import Proposal, Store

ENTITIES, NEW = 100_000, 1_010
WAITING = 5_000
"""Pairs that nobody has looked at yet."""
MOST_GROWTH = 1.5
SEED = 7
_AROUND = 20
_TENTH = 5
"""New entities before the first that is counted."""
_FILED = 2_000
"""Entities that are filed together."""

_STARTS = "b br d f fr g gr h j k kl kr l m n p r s sch st t tr v w z".split()
_MIDDLES = "a e i o u au ei ie".split()
_ENDS = "ber bach dt feld gen hof ker ler lin mann mer ner ning rich rs sen ski stad ton vik wald way wood".split()
_KINDS = (
    "Labs Partners Works Studio Press Bank Group Foundation University College Institute Choir Club Union Clinic"
    " Logistics Foods Energy Systems Media Theatre Museum Hospital Brewery Bakery Airlines Insurance Records"
).split()
_FORMS = ("Inc", "Ltd", "GmbH", "Corp", "AG", "LLC", "SA", "BV")
_PLACES = ("{}", "{}", "{}", "{}ville", "{}burg", "Port {}", "Lake {}", "{} Hill", "New {}", "Upper {}")

_PERSON, _ORGANIZATION, _LOCATION = EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION
_ARRIVE = (_PERSON, _ORGANIZATION, _PERSON, _LOCATION, _PERSON) * 4
"""What twenty new notes are about, in turn."""


class Uneven:
    """Draws from a list of which few are common and most are rare: the n-th as often as n to the power of -s."""

    def __init__(self, items: Sequence[str], power: float, chance: random.Random) -> None:
        self._items = list(items)
        self._chance = chance
        chance.shuffle(self._items)
        self._weights = list(accumulate((rank + 3) ** -power for rank in range(len(self._items))))

    def __call__(self) -> str:
        """One of them."""
        return self._chance.choices(self._items, cum_weights=self._weights)[0]


class Names:
    """Names of people, organizations and places. A known one returns the more, the more often it was drawn."""

    def __init__(self, chance: random.Random) -> None:
        table = NickNamer().canonical_lookup
        given = sorted({name.title() for name in (*table, *(full for names in table.values() for full in names))})
        coined = ["".join(parts).title() for parts in product(_STARTS, _MIDDLES, _ENDS)]
        self._given = Uneven([name for name in given if name.isalpha()], 1.0, chance)
        self._family = Uneven(coined, 0.8, chance)
        self._word = Uneven(coined, 0.7, chance)
        self._chance = chance
        self._met: set[str] = set()
        self._drawn: dict[EntityType, list[str]] = {_PERSON: [], _ORGANIZATION: [], _LOCATION: []}

    @property
    def total(self) -> int:
        """How many different names were drawn so far."""
        return len(self._met)

    def person(self) -> str:
        """Somebody: mostly new, for people have many acquaintances whom they name once."""
        return self._draw(_PERSON, 0.8)

    def organization(self) -> str:
        """An organization, often a known one."""
        return self._draw(_ORGANIZATION, 0.6)

    def place(self) -> str:
        """A place, mostly a known one."""
        return self._draw(_LOCATION, 0.5)

    def _draw(self, kind: EntityType, new: float) -> str:
        drawn = self._drawn[kind]
        name = self.unmet(kind) if not drawn or self._chance.random() < new else self._chance.choice(drawn)
        drawn.append(name)
        return name

    def unmet(self, kind: EntityType) -> str:
        """A name that no other of its kind had until now."""
        while (name := self._new(kind)) in self._met:
            pass
        self._met.add(name)
        return name

    def _new(self, kind: EntityType) -> str:
        match kind:
            case EntityType.PERSON:
                middle = f" {self._chance.choice('ABCDEHJKLMPRST')}." if self._chance.random() < 0.1 else ""  # noqa: PLR2004
                return f"{self._given()}{middle} {self._family()}"
            case EntityType.ORGANIZATION:
                return self._organization()
            case _:
                return self._chance.choice(_PLACES).format(self._word())

    def _organization(self) -> str:
        """One in four has a legal form, always the same: others would have been merged long ago."""
        name = f"{self._word()} {self._chance.choice(_KINDS)}"
        form = sum(name.encode()) % (4 * len(_FORMS))
        return f"{name} {_FORMS[form]}" if form < len(_FORMS) else name


def person_note(names: Names, chance: random.Random) -> str:
    """A note about a person: work, home, birth and the people around."""
    born = f"{chance.randrange(1940, 2005)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
    friends = ", ".join(f'"[[{names.person()}]]"' for _ in range(3))
    return (
        f'---\ntype: person\nborn: {born}\nworks_at: "[[{names.organization()}]]"\nlives_in: "[[{names.place()}]]"\n'
        f'studied_at: "[[{names.organization()}]]"\nborn_in: "[[{names.place()}]]"\nfriends: [{friends}]\n'
        f'colleagues: ["[[{names.person()}]]", "[[{names.person()}]]"]\n---\nMet last year; wrote since.\n'
    )


def write_notes(folder: Path, names: Names, chance: random.Random, entities: int) -> None:
    """Notes about people until so many names were drawn."""
    number = 0
    while number % 100 or names.total < entities:
        title = names.person()
        path = folder / f"{number // 500:03}" / f"{title}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(person_note(names, chance), encoding="utf-8")
        number += 1


def file_all(store: Store, ontology: Ontology, chance: random.Random) -> None:
    """File every entity as a comparison does, without the comparison; and let pairs wait."""
    ids = sorted(store.named_since(None))
    for first in range(0, len(ids), _FILED):
        made = Profiles(store, ontology).of(ids[first : first + _FILED])
        store.compare({name: blocks(each) | trait_keys(each) for name, each in made.items()}, (), ())
    pairs = (sorted(chance.sample(ids, 2)) for _ in range(WAITING))
    reasons = ("both are called by one name", "both works at the same place", "against: lives in conflict")
    waiting = [Proposal(one, other, 0.85 + chance.random() / 10, reasons) for one, other in pairs]
    store.compare({}, waiting, (), store.stats().last_recorded)


def arrive(store: Store, folder: Path, kind: EntityType, name: str) -> None:
    """Commit what a new note brings that has a title and a type, and says no more."""
    source = Source(identify("source", name), "obsidian", str(folder), f"{name}.md", name, entity=identify("new", name))
    entity = Entity(identify("new", name), name, kind, type_rank=Rank.SAID)
    episode = Episode(identify("episode", name), source.id, name, f"---\ntype: {kind.lower()}\n---\n", UNKNOWN)
    title = Passage(identify("passage", name), source.id, "title", "", name, None, 1, 1)
    with store.writing() as transaction:
        transaction.commit(
            ChangeSet(
                kind="added",
                source=source,
                episode=episode,
                passages=(title,),
                mentions=(Mention(title.id, entity.id, 0, len(name), name, "structure"),),
                entities=(entity,),
                aliases=(Alias(entity.id, source.id, name, name_key(name), AliasKind.TITLE, kind, None, Rank.SAID),),
            )
        )


def compare_each(store: Store, folder: Path, names: Names, new: int) -> Iterator[tuple[float, Resolved]]:
    """(CPU milliseconds, outcome) of the comparison after each new note; any twenty notes are of the same kinds."""
    folder.mkdir()
    memory = Memory(store, load_ontology())
    resolver = memory.resolver(lambda root, kind: Vault(Path(root), kind=kind))
    for kind in islice(cycle(_ARRIVE), new):
        arrive(store, folder, kind, names.unmet(kind))
        began = time.process_time()
        done = resolver.resolve()
        yield (time.process_time() - began) * 1000, done


def figures(folder: Path, entities: int, new: int) -> list[Figure]:
    """Fill a memory, let new entities arrive, and say what each comparison cost."""
    chance = random.Random(SEED)  # noqa: S311 - nothing secret hangs on it
    names = Names(chance)
    write_notes(folder / "notes", names, chance, entities)
    with closing(open_store(f"sqlite:///{folder / 'memory.db'}", "default")) as store:
        Memory(store, load_ontology()).ingest(Vault(folder / "notes"))
        file_all(store, load_ontology(), chance)
        known = store.stats().counts["entities"]
        found = list(compare_each(store, folder / "new", names, new))
        waiting = len(store.proposals()) - WAITING
    costs = [cost for cost, _ in found]
    early, late = costs[_TENTH : _TENTH + _AROUND], costs[-_AROUND:]
    first, last = statistics.median(early), statistics.median(late)
    return [
        Figure("entities before", f"{known:,}"),
        Figure("entities compared at once", f"{statistics.mean(done.compared for _, done in found):.2f}"),
        Figure("merged, and put on the list", f"{sum(len(done.merged) for _, done in found)} and {waiting}"),
        Figure("all comparisons, CPU", f"{statistics.median(costs):.1f} ms, worst {max(costs):.0f}"),
        Figure("the tenth and the last, CPU", f"{first:.1f} and {last:.1f} ms"),
        at_most("the last as a multiple of the tenth", last / first, MOST_GROWTH),
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="The cost of one new entity in a large memory.")
    parser.add_argument("--entities", type=int, default=ENTITIES, help="that the memory knows before")
    parser.add_argument("--new", type=int, default=NEW, help="entities that arrive")
    asked = parser.parse_args()
    print(f"{machine()}; garbage is looked for as by {kgmem.cli.__name__}")
    with tempfile.TemporaryDirectory() as folder:
        show(f"one of {asked.new:,} new entities", figures(Path(folder), asked.entities, asked.new))


if __name__ == "__main__":
    main()
