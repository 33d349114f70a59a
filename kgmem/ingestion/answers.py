"""What a model said of passages, on the way into their claims: whenever a source is read, it is checked anew.

Claims are not kept beside the text until something withdraws them: they follow from the text and the reply that is
kept with it. So an ingest, a second one, an edit, a merge, and everything that is taken back treat them as all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from kgmem.ingestion.plan import Work
from kgmem.ingestion.reading import passages_of
from kgmem.model import Id, Passage
from kgmem.sources.document import Document
from kgmem.store.protocol import Store
from kgmem.store.replies import Reply

if TYPE_CHECKING:
    from kgmem.extraction.ladder import Further
    from kgmem.extraction.model.passage import Dropped
    from kgmem.extraction.ontology import Ontology
    from kgmem.extraction.proposal import ClaimProposal, MentionProposal


class Answers:
    """The replies that are kept, and those that have just come."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._come: dict[Id, Reply] = {}
        self.made = 0
        """Claims that those which have just come made."""
        self.dropped: Counter[str] = Counter()
        """Claims of theirs of which nothing was left, by why."""

    @cached_property
    def _any(self) -> bool:
        """Asked once: most memories have none."""
        return self._store.has_replies()

    def bring(self, replies: Iterable[Reply]) -> None:
        """Take in replies that have just come, in place of those before."""
        self._come = {reply.passage: reply for reply in replies}

    def new(self, passages: Iterable[Passage]) -> tuple[Reply, ...]:
        """Those that have just come, about some passages: they are to be kept."""
        return tuple(self._come[each.id] for each in passages if each.id in self._come) if self._come else ()

    def of(self, work: Work, document: Document, ontology: Ontology) -> Further | None:
        """The rung that adds what a model said of a document; None if none said anything of any."""
        if not (self._come or self._any):
            return None
        passages = passages_of(work.source.id, document)
        held = dict(self._store.replies(each.id for each in passages)) if self._any else {}
        held |= {each.id: self._come[each.id] for each in passages if each.id in self._come}
        return rung_of(held, work, document, ontology, self._count) if held else None

    def _count(self, passage: Id, made: int, dropped: Mapping[Dropped, int]) -> None:
        if passage in self._come:
            self.made += made
            self.dropped.update(dropped)


Count = Callable[[Id, int, "Mapping[Dropped, int]"], None]
"""Told of each passage how many claims its reply makes, and how many nothing is left of, by why."""


def rung_of(held: Mapping[Id, Reply], work: Work, document: Document, ontology: Ontology, count: Count) -> Further:
    """The rung that adds what replies say of the passages of a document."""
    passages = passages_of(work.source.id, document)

    def further(mentions: Sequence[MentionProposal], claims: Sequence[ClaimProposal]) -> Sequence[ClaimProposal]:
        from kgmem.extraction.model.checking import Checker, said_anew
        from kgmem.extraction.model.replies import load_told

        checker = Checker(document, work.typing, ontology, mentions)
        found: list[ClaimProposal] = []
        dropped: dict[Id, Mapping[Dropped, int]] = {}
        for index, passage in enumerate(passages):
            if passage.id in held:
                checked = checker.check(index, load_told(held[passage.id].told))
                found += checked.claims
                dropped[passage.id] = checked.dropped
        fresh = said_anew(found, claims, document.head.title)
        made = Counter(passages[claim.block].id for claim in fresh)
        for passage_id, each in dropped.items():
            count(passage_id, made[passage_id], each)
        return fresh

    return further
