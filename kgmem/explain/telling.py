"""Passages, claims and types in a form that can be read: with names for ids, and each thing at its place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from kgmem.explain.account import ClaimTold, DroppedTold, LinkTold, MentionTold, PassageTold, Status, Type
from kgmem.extraction.merging import Dropped
from kgmem.extraction.ontology import Ontology, Rank, Typing
from kgmem.ingestion.reading import Reading
from kgmem.model import Alias, Claim, Entity, EntityType, Id, Mention, Passage, Source, unique
from kgmem.sources.document import Block, Document, Head, Link
from kgmem.store.protocol import Store

_RESTS_ON: Final = {
    Rank.SAID: "a property says so",
    Rank.INFOBOX: "it has the properties of one",
    Rank.TAG: "a tag says so",
    Rank.FOLDER: "its folder says so",
    Rank.RANGE: "a property takes nothing else",
    Rank.GUESS: "the words around its name make it likely",
    Rank.LIKELY: "a property takes this most often",
    Rank.NOTE: "it has a note, and nothing says more",
    Rank.NONE: "nothing says what it is",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A claim and how it stands; see `ClaimTold`."""

    claim: Claim
    status: Status
    until: str | None = None


class Teller:
    """Puts names to ids: those of the memory, and those that a reading would bring."""

    def __init__(self, store: Store, reading: Reading | None = None) -> None:
        self._store = store
        self._new = _entities_of(reading) if reading else {}
        self._known: dict[Id, Entity] = {}

    def passages(
        self,
        passages: Sequence[Passage],
        mentions: Iterable[tuple[Mention, bool]],
        claims: Iterable[Said],
        links: Mapping[Id, Sequence[Link]],
        held: AbstractSet[Id],
    ) -> tuple[PassageTold, ...]:
        """Passages with what belongs to each.

        Args:
            passages: in order.
            mentions: with whether the memory has them.
            claims: those that the passages make.
            links: by passage.
            held: the passages that the memory has.
        """
        mentioned, said = list(mentions), list(claims)
        self._learn(mention.entity for mention, _ in mentioned)
        self._learn(_ends(said))
        named: dict[Id, list[MentionTold]] = defaultdict(list)
        for mention, known in mentioned:
            named[mention.passage].append(MentionTold(mention, self._entity(mention.entity), known))
        asserted: dict[Id, list[Said]] = defaultdict(list)
        for each in said:
            asserted[each.claim.passage].append(each)
        return tuple(
            PassageTold(
                passage,
                passage.id in held,
                tuple(sorted(named[passage.id], key=lambda told: (told.mention.start, told.mention.end))),
                tuple(_link_told(passage, link, named[passage.id]) for link in links.get(passage.id, ())),
                tuple(
                    sorted(
                        (self._claim(each, passage.first_line + each.claim.line) for each in asserted[passage.id]),
                        key=_place,
                    )
                ),
            )
            for passage in passages
        )

    def claims(self, claims: Sequence[Said]) -> tuple[ClaimTold, ...]:
        """Claims whose passage may be gone, the first recorded first, with the line in the text they stood in last."""
        self._learn(_ends(claims))
        places = self._store.evidence(unique(each.claim.id for each in claims))
        told = (self._claim(each, places[each.claim.id].line) for each in claims if each.claim.id in places)
        return tuple(sorted(told, key=lambda each: (each.claim.recorded_at, *_place(each))))

    def _claim(self, said: Said, line: int) -> ClaimTold:
        claim = said.claim
        target = claim.value if claim.object is None else self._entity(claim.object).name
        return ClaimTold(claim, self._entity(claim.subject).name, target or "", line, said.status, said.until)

    def _learn(self, ids: Iterable[Id]) -> None:
        self._known |= self._store.entities(unique(one for one in ids if one not in self._known))

    def _entity(self, identity: Id) -> Entity:
        return self._known.get(identity) or self._new[identity]


def _place(told: ClaimTold) -> tuple[int, str, str, Id]:
    return told.line, told.claim.predicate, told.claim.statement, told.claim.id


def _ends(claims: Iterable[Said]) -> Iterable[Id]:
    for each in claims:
        yield each.claim.subject
        if each.claim.object is not None:
            yield each.claim.object


def _entities_of(reading: Reading) -> dict[Id, Entity]:
    """The entities that a reading names, as far as it alone can tell."""
    found: dict[Id, Entity] = {}
    for alias in sorted(reading.aliases, key=lambda alias: (alias.type_rank, alias.kind != "title", alias.name)):
        found.setdefault(alias.entity, _described(alias))
    for anchor in reading.anchors:
        kind = anchor.typing
        found[anchor.entity] = Entity(anchor.entity, anchor.name, kind.type, kind.subtype, kind.rank)
    return found


def _described(alias: Alias) -> Entity:
    return Entity(alias.entity, alias.name, alias.type, alias.subtype, alias.type_rank)


def links_by_passage(passages: Sequence[Passage], blocks: Iterable[Block]) -> dict[Id, tuple[Link, ...]]:
    """The links of blocks, by the passages that hold the same text; of two equal ones, in their order."""
    places: dict[tuple[str, str, str], list[tuple[Link, ...]]] = defaultdict(list)
    for block in blocks:
        places[block.kind, " > ".join(block.headings), block.text].append(block.links)
    found = {}
    for passage in passages:
        waiting = places[passage.kind, passage.heading, passage.text]
        found[passage.id] = waiting.pop(0) if waiting else ()
    return found


def _link_told(passage: Passage, link: Link, mentions: Iterable[MentionTold]) -> LinkTold:
    line = passage.first_line + passage.text.count("\n", 0, link.start)
    inside = (told for told in mentions if link.start <= told.mention.start and told.mention.end <= link.end)
    means = next(inside, None)
    return LinkTold(link, line, None if means is None else means.entity.name)


def dropped_told(passages: Sequence[Passage], dropped: Dropped) -> DroppedTold:
    """What the reading of a document left out of one of its passages."""
    claim = dropped.claim
    line = passages[claim.block].first_line + claim.line
    return DroppedTold(
        claim.statement, claim.predicate, line, (claim.rung, *claim.agreed), claim.confidence, dropped.why
    )


# -- what a note is taken for


def type_now(store: Store, ontology: Ontology, source: Source, document: Document, typing: Typing) -> Type | None:
    """The type of what a note is about: by the note itself, or by another one that has better evidence."""
    if source.entity is None:
        return None
    own = Entity(source.entity, document.head.title, typing.type, typing.subtype, typing.rank)
    held = store.entities([source.entity]).get(source.entity)
    if held is not None and held.type_rank < typing.rank:
        return type_held(store, source, held)
    return Type(own, _evidence(ontology, document, typing))


def type_held(store: Store, source: Source, entity: Entity) -> Type:
    """The type that the memory believes."""
    words = _RESTS_ON[Rank(entity.type_rank)]
    aliases = store.aliases_of([entity.id]).get(entity.id, ())
    best = [alias for alias in aliases if alias.type_rank == entity.type_rank and alias.type is entity.type]
    if best and all(alias.source != source.id for alias in best) and (other := store.source(best[0].source)):
        words = f"{words}, in {other.path}"
    return Type(entity, words)


def _evidence(ontology: Ontology, document: Document, typing: Typing) -> str:
    """What a type rests on, with the words themselves where they can be named."""
    rank = Rank(typing.rank)
    if rank is Rank.FOLDER and document.daily:
        return "its name is a day"
    wanted = (typing.type, typing.subtype)
    for what, words in _candidates(ontology, document.head, rank, typing.type):
        if any(ontology.type_named(word) == wanted for word in words):
            return f"its {what} says so"
    return _RESTS_ON[rank]


def _candidates(ontology: Ontology, head: Head, rank: Rank, kind: EntityType) -> Iterator[tuple[str, Sequence[str]]]:
    """(a property, tag or folder that may say a type, its words), the first that counts first."""
    if rank is Rank.SAID:
        for each in head.properties:
            if ontology.read(each.key, kind) is None:  # it speaks of the note alone, as one that names its type does
                yield f"property {each.key}", [value.text for value in each.values]
    elif rank is Rank.TAG:
        yield from ((f"tag {tag}", tag.split("/")) for tag in head.tags)
    elif rank is Rank.FOLDER:
        yield from ((f"folder {folder}", (folder,)) for folder in reversed(head.path.split("/")[:-1]))
