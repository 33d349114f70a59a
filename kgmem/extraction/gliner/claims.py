"""From what the network found in a block to mentions and claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kgmem.extraction.gliner.settings import Meaning
from kgmem.extraction.gliner.spans import Labelled, LabelledRelation
from kgmem.extraction.marks import is_free
from kgmem.extraction.ontology import UNTYPED, Ontology, Predicate, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, MentionProposal, Ref
from kgmem.extraction.relations import Name
from kgmem.extraction.relations.framing import is_unsaid, readable_prose
from kgmem.extraction.relations.words import HEDGES, STOPPED
from kgmem.extraction.sentences import Sentences
from kgmem.model import AliasKind, EntityType
from kgmem.sources.document import Block, Document

RUNG: Final = "gliner"
_WORD: Final = re.compile(r"[^\W_]+")
_NOT_SO: Final = (
    HEDGES
    | STOPPED
    | frozenset(
        "not never no nor neither without left leave leaves leaving former formerly ex used until till longer"
        " anymore".split()
    )
)
"""In a sentence with one of these a relation may be denied, planned or over: the network cannot tell that."""
_READ: Final = frozenset({"paragraph", "item", "callout", "message"})
"""A quote is somebody else's, a task is not done, and a heading is no sentence."""


def labelled_mentions(index: int, block: Block, found: Labelled, taken: list[tuple[int, int]]) -> list[MentionProposal]:
    """Names of a person's own kinds, where no better rung found one; `taken` grows by them."""
    mentions = []
    for span in found.spans:
        if is_free(span.start, span.end, taken):
            taken.append((span.start, span.end))
            surface = block.prose[span.start : span.end]
            ref = Ref(surface, AliasKind.TEXT, None, Typing(span.type, span.subtype, Rank.GUESS))
            mentions.append(MentionProposal(index, ref, span.start, span.end, surface, RUNG))
    return mentions


class LabelledClaims:
    """The claims of one document that the network's relations come to."""

    def __init__(self, document: Document, ontology: Ontology, meanings: Mapping[str, Meaning]) -> None:
        self._document = document
        self._ontology = ontology
        self._meanings = meanings
        self.claims: list[ClaimProposal] = []

    def read(self, index: int, found: Labelled, names: Sequence[Name]) -> list[MentionProposal]:
        """Take in the relations of a block.

        Args:
            index: of the block.
            found: what the network found in it.
            names: what the block names, with what each means.

        Returns:
            Mentions of ends that nothing else names.
        """
        block = self._document.blocks[index]
        if not found.relations or block.kind not in _READ:
            return []
        prose = readable_prose(block)
        sentences = Sentences(prose)
        mentions: list[MentionProposal] = []
        for told in found.relations:
            mentions += self._relation(index, prose, sentences, told, names)
        return list(dict.fromkeys(mentions))

    def _relation(
        self, index: int, prose: str, sentences: Sentences, told: LabelledRelation, names: Sequence[Name]
    ) -> Iterator[MentionProposal]:
        meaning = self._meanings[told.label]
        predicate = self._ontology.predicates.get(meaning.predicate)
        first, past = min(told.head[0], told.tail[0]), max(told.head[1], told.tail[1])
        if predicate is None or not _is_stated(prose, sentences.bounds(first, past)):
            return
        start, end = (told.tail, told.head) if meaning.flipped else (told.head, told.tail)
        subject = _ref(prose, start, predicate.domain, names)
        value = None if predicate.range else prose[slice(*end)]
        target = None if value is not None else _ref(prose, end, predicate.range, names)
        self.claims.append(
            ClaimProposal(
                block=index, predicate=predicate.name, subject=subject, object=target, value=value,
                statement=predicate.statement(subject.name, target.name if target else value or ""),
                quote=sentences.around(first, past), line=prose.count("\n", 0, first),
                said=predicate.said(self._document.said(self._document.blocks[index])),
                symmetric=predicate.symmetric, rung=RUNG,
                confidence=min(1.0, max(0.0, told.score)), domain=predicate.domain, range=predicate.range,
                without=predicate.without,
            )
        )  # fmt: skip
        for place, ref in ((start, subject), (end, target)):
            if ref is not None and is_free(*place, [(name.start, name.end) for name in names]):
                yield MentionProposal(index, ref, *place, prose[slice(*place)], RUNG)


def undefined(meanings: Mapping[str, Meaning], predicates: Mapping[str, Predicate]) -> list[str]:
    """The predicates that labels are to mean, and that there are not."""
    return sorted({each.predicate for each in meanings.values()} - predicates.keys())


def _ref(prose: str, place: tuple[int, int], types: Sequence[EntityType], names: Sequence[Name]) -> Ref:
    """What an end means: what is named there, or the words themselves."""
    named = [name for name in names if name.start < place[1] and place[0] < name.end]
    if named:
        return max(named, key=lambda name: (min(name.end, place[1]) - max(name.start, place[0]), -name.start)).ref
    typing = Typing(types[0], None, Rank.GUESS) if types else UNTYPED
    return Ref(prose[slice(*place)], AliasKind.TEXT, None, typing)


def _is_stated(prose: str, bounds: tuple[int, int]) -> bool:
    """Whether a sentence may say something that is so now."""
    text = prose[slice(*bounds)]
    if not text.strip() or text.rstrip().endswith("?") or "n't" in text or "n’t" in text or is_unsaid(text):
        return False
    if '"' in text or "“" in text or "«" in text:
        return False
    return _NOT_SO.isdisjoint(_WORD.findall(text.lower()))
