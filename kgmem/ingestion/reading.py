"""A document with names resolved: what the memory would hold of it. Pure, given who is who."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgmem.extraction.ontology import Ontology, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, Extraction, Ref
from kgmem.ingestion.plan import Plan, Work, names_of
from kgmem.model import RUNGS_JOINED, Alias, AliasKind, Claim, ClaimKind, EntityType, Id, Mention, Passage, identify
from kgmem.resolution.directory import Anchor, Directory, Resolved
from kgmem.resolution.names import name_key
from kgmem.sources.document import Document

if TYPE_CHECKING:
    from kgmem.extraction.entities import LanguageRead
    from kgmem.extraction.gliner.spans import Labelling
    from kgmem.extraction.ladder import Further


@dataclass(frozen=True, slots=True)
class Reading:
    """One source as it reads now."""

    passages: tuple[Passage, ...]
    mentions: tuple[Mention, ...]
    aliases: tuple[Alias, ...]
    links: tuple[tuple[str, bool], ...]
    claims: tuple[Claim, ...]
    """Without ids: those come with the revision."""
    anchors: tuple[Anchor, ...] = ()
    """What other sources are about, and this one speaks of; they may not have been read yet."""


def propose(
    plan: Plan,
    work: Work,
    document: Document,
    ontology: Ontology,
    language: LanguageRead | None = None,
    *,
    labelled: Labelling | None = None,
    further: Further | None = None,
) -> Extraction:
    """What a document says, read with the names that a plan knows, and with what a pipeline made of its blocks."""
    from kgmem.extraction.ladder import extract

    directory = plan.directory
    settled = directory.words(work.source.id)
    named, parsed = (None, None) if language is None else language
    more = {} if further is None else {"further": further}

    def by_the_rungs(document: Document, typing: Typing) -> Extraction:
        return extract(
            document, typing, ontology, plan.lexicon, named, parsed=parsed, labelled=labelled,
            known=directory.known, settled=settled, **more,
        )  # fmt: skip

    if document.about is None:
        return by_the_rungs(document, work.typing)
    from kgmem.extraction.about import extract_about

    return extract_about(document, document.about, work.typing, directory.known, by_the_rungs)


def open_keys(extraction: Extraction, directory: Directory) -> frozenset[str]:
    """Keys of names that only stand for themselves: what other sources say of them decides who they are."""
    names = {ref.name for ref in _refs(extraction) if ref.path is None}
    return frozenset(key for key in map(name_key, names) if not directory.owns(key))


def read(
    work: Work, document: Document, extraction: Extraction, directory: Directory, link_keys: AbstractSet[str]
) -> Reading:
    """Resolve every name of a document.

    Args:
        work: the source that it is.
        document: as it was read.
        extraction: what it proposes.
        directory: who is who.
        link_keys: open keys that some source links to.
    """
    own = frozenset(name_key(ref.name) for ref in _refs(extraction) if ref.kind is AliasKind.LINK and not ref.path)
    people = _People(work, extraction, directory, own | link_keys)
    passages = passages_of(work.source.id, document)
    return Reading(
        passages=passages,
        mentions=tuple(_mentions(work, extraction, passages, people)),
        aliases=tuple({*_own_aliases(work, document), *people.aliases()}),
        links=tuple(dict.fromkeys(_links(document))),
        claims=tuple(_claims(work, extraction, passages, people)),
        anchors=people.anchors(),
    )


def _refs(extraction: Extraction) -> Iterator[Ref]:
    yield from (mention.ref for mention in extraction.mentions)
    for claim in extraction.claims:
        yield from (ref for ref in (claim.subject, claim.object, claim.witness) if ref is not None)
        yield from (name.ref for name in claim.names)


class _People:
    """The entities that one document's references mean."""

    def __init__(self, work: Work, extraction: Extraction, directory: Directory, link_keys: AbstractSet[str]) -> None:
        self._source = work.source.id
        refs = dict.fromkeys(_refs(extraction))
        alone: frozenset[Id] = frozenset()
        meant = directory.meant(work.source.id)
        first = {ref: directory.resolve(ref, alone, link_keys, meant) for ref in refs}
        # Whom the note names beyond doubt settles whom it means by a name that several bear.
        named = {who.entity for who in first.values() if who and who.anchor}
        beside = frozenset({*named, work.source.entity} if work.source.entity else named)
        self._who = {
            ref: directory.resolve(ref, beside, link_keys) if who is None else who for ref, who in first.items()
        }

    def __getitem__(self, ref: Ref) -> Id | None:
        who = self._who[ref]
        return None if who is None else who.entity

    def typing(self, ref: Ref) -> Typing | None:
        """What a reference is known to be; None if no note is about it."""
        who = self._who[ref]
        return None if who is None or who.anchor is None else who.anchor.typing

    def anchors(self) -> tuple[Anchor, ...]:
        """The owners of the names, each once."""
        owners = {who.anchor.entity: who.anchor for who in self._who.values() if who and who.anchor}
        return tuple(owners.values())

    def aliases(self) -> Iterator[Alias]:
        """Names that stand for themselves, and better types for what others are about."""
        for ref, who in self._who.items():
            if who is None or who.decided:
                continue
            # What a note is about is never typed by a recognizer's guess.
            if who.anchor is None or ref.typing.rank < min(Rank.GUESS, who.anchor.typing.rank):
                yield self._alias(ref, who)

    def _alias(self, ref: Ref, who: Resolved) -> Alias:
        name = who.anchor.name if who.anchor else ref.name
        kind = AliasKind.PROPERTY if who.anchor else ref.kind
        return _alias(who.entity, self._source, name, kind, ref.typing)


def _alias(entity: Id, source: Id, name: str, kind: AliasKind, typing: Typing) -> Alias:
    return Alias(entity, source, name, name_key(name), kind, typing.type, typing.subtype, typing.rank)


def _own_aliases(work: Work, document: Document) -> Iterator[Alias]:
    if work.source.entity:
        for name, kind in names_of(document.head):
            yield _alias(work.source.entity, work.source.id, name, kind, work.typing)


def passages_of(source: Id, document: Document) -> tuple[Passage, ...]:
    """Blocks, named by their content: the second of two equal ones is another."""
    seen: Counter[tuple[str, str, str]] = Counter()
    passages = []
    for block in document.blocks:
        heading = " > ".join(block.headings)
        content = (block.kind, heading, block.text)
        seen[content] += 1
        passages.append(
            Passage(
                id=identify("passage", source, *content, seen[content]),
                source=source,
                kind=block.kind,
                heading=heading,
                text=block.text,
                block=block.block_id,
                first_line=block.first_line,
                last_line=block.last_line,
            )
        )
    return tuple(passages)


def _mentions(work: Work, extraction: Extraction, passages: tuple[Passage, ...], who: _People) -> Iterator[Mention]:
    if work.source.entity and passages:
        title = passages[0]
        yield Mention(title.id, work.source.entity, 0, len(title.text), title.text, "structure")
    seen = set()
    settled = (
        name
        for said in extraction.claims
        if said.names and _kind(work, said, who) in {ClaimKind.HOLDS, ClaimKind.ENDS}
        for name in said.names
    )
    for each in (*extraction.mentions, *settled):
        entity = who[each.ref]
        place = (each.block, each.start, each.end, entity)
        if entity is not None and place not in seen:
            seen.add(place)
            yield Mention(passages[each.block].id, entity, each.start, each.end, each.surface, each.rung)


def _links(document: Document) -> Iterator[tuple[str, bool]]:
    """Links by the name they call: another note may come to own it."""
    for block in document.blocks:
        for link in block.links:
            if link.target and not link.attachment:
                name = link.name or link.target.rsplit("/", 1)[-1].removesuffix(".md")
                yield name_key(name), link.path is not None


def _claims(work: Work, extraction: Extraction, passages: tuple[Passage, ...], who: _People) -> Iterator[Claim]:
    note = work.source.entity
    for said in extraction.claims:
        subject = note if said.subject is None else who[said.subject]
        target = note if said.object_is_note else who[said.object] if said.object is not None else None
        if subject is None or subject == target or (target is None and said.value is None):
            continue
        kind = _kind(work, said, who)
        if kind is None:
            continue
        meant = said if kind is said.kind else replace(said, kind=kind)
        if said.symmetric and target is not None and target < subject:
            subject, target = target, subject
        yield _claim(work.source.id, passages[said.block].id, subject, target, meant)


def _kind(work: Work, said: ClaimProposal, who: _People) -> ClaimKind | None:
    """What a claim comes to, given what its ends are known to be; None if they cannot be meant."""
    subject = work.typing if said.subject is None else who.typing(said.subject)
    target = work.typing if said.object_is_note else who.typing(said.object) if said.object else None
    if _clashes(subject, said.domain) or _clashes(target, said.range):
        return None
    if target is not None and target.subtype in said.without:
        return None
    if _sure(said, subject, target, who):
        return said.kind
    return None if said.kind is ClaimKind.HOLDS else ClaimKind.YIELDS


def _sure(said: ClaimProposal, subject: Typing | None, target: Typing | None, who: _People) -> bool:
    """Whether what is known of the ends settles that the words mean this predicate."""
    if said.doubtful_subject and (subject is None or subject.rank > Rank.FOLDER or subject.type not in said.domain):
        return False
    beside = who.typing(said.witness) if said.witness is not None else None
    known = (each for each in (target, beside) if each is not None)
    return not said.doubtful or any(each.type in said.range for each in known)


def _clashes(known: Typing | None, wanted: tuple[EntityType, ...]) -> bool:
    """Whether a person said of something that it is of another type."""
    return bool(wanted) and known is not None and known.rank <= Rank.FOLDER and known.type not in wanted


def _claim(source: Id, passage: Id, subject: Id, target: Id | None, said: ClaimProposal) -> Claim:
    return Claim(
        id="", source=source, episode="", passage=passage, subject=subject, predicate=said.predicate, object=target,
        value=None if target else said.value, statement=said.statement, quote=said.quote, line=said.line,
        valid=said.valid, said=said.said, kind=said.kind, scalar=said.scalar,
        rung=RUNGS_JOINED.join((said.rung, *said.agreed)),
        confidence=said.confidence,
    )  # fmt: skip
