"""Which passages of a folder a model is still to be asked about, and what it is shown of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from typing import Final

from kgmem.extraction.dates.spans import day_of
from kgmem.extraction.model.needed import KINDS, is_needed, speaks_to_a_model
from kgmem.extraction.model.prompt import VERSION, Note, Part
from kgmem.extraction.ontology import DAY, Ontology, Rank, Typing
from kgmem.extraction.proposal import Extraction
from kgmem.extraction.relations.framing import names_invention, readable_prose
from kgmem.ingestion.batching import LONGEST_PASSAGE, Asked, Question
from kgmem.ingestion.plan import Plan, Work
from kgmem.ingestion.reading import passages_of, propose
from kgmem.llm.settings import Extract
from kgmem.llm.structured import estimate_tokens
from kgmem.model import LINKS_TO, Basis, Bound, ClaimKind, Id, Precision
from kgmem.resolution.names import name_key
from kgmem.sources.document import Document, Reader
from kgmem.store.protocol import Store
from kgmem.store.replies import Unanswered

_BEFORE_STOP: Final = re.compile(r" ([.,;:!?…)])")
_NAMES: Final = 40
"""Names that are offered of one note, those of the passages themselves first."""


class Wanting:
    """What one model is still to be asked."""

    def __init__(self, store: Store, model: str, extract: Extract) -> None:
        self._store = store
        self._model = model
        self._extract = extract
        self.passed_over = 0
        """Passages that are too long, stand under a heading that announces a story, or give orders to a model."""

        self.orders = 0
        """Those among them that give orders."""

        self.blank = 0
        """Passages of which their writer stands by nothing: it is struck out, or somebody else's."""

    # -- of what is in the memory

    def sources(self, root: str) -> dict[Id, list[Unanswered]]:
        """The passages of a folder that nobody was asked about, by source, whether they need it or not."""
        found: dict[Id, list[Unanswered]] = {}
        if self._extract is not Extract.NONE:
            for each in self._store.unanswered(self._model, VERSION, root, KINDS):
                found.setdefault(each.source, []).append(each)
        return found

    def wanted(self, waiting: Iterable[Unanswered], work: Work) -> frozenset[Id]:
        """Those of a source's passages that a model is to be asked about."""
        about = {work.source.entity} if work.source.entity and _is_about_something(work.typing) else set()
        return frozenset(
            each.passage
            for each in waiting
            if self._extract is Extract.ALL or is_needed({*each.entities, *about}, each.claims)
        )

    def question(self, work: Work, reader: Reader, wanted: AbstractSet[Id]) -> Question | None:
        """What is asked about a source as the memory holds it; None if nothing is left of it."""
        episode = self._store.episode(work.source.id)
        if episode is None or not wanted:
            return None
        document = reader.parse(work.source.path, episode.body, mtime_ns=work.source.mtime_ns)
        mentions = self._store.mentions_in(work.source.id)
        types = self._store.entities({each.entity for each in mentions})
        named = sorted(mentions, key=lambda each: each.passage not in wanted)
        names = ((each.surface, str(types[each.entity].type)) for each in named if each.entity in types)
        return self._question(work, document, names, wanted)

    # -- of files that are not in it

    def question_of_file(self, plan: Plan, work: Work, document: Document, ontology: Ontology) -> Question | None:
        """What would be asked about a source that is not taken in yet, as far as is known without spaCy."""
        extraction = propose(plan, work, document, ontology)
        passages = passages_of(work.source.id, document)
        known = self._store.replies(each.id for each in passages)
        asked = {name for name, reply in known.items() if (reply.model, reply.prompt) == (self._model, VERSION)}
        names, claims = _counted(extraction)
        about = {name_key(document.head.title)} if _is_about_something(work.typing) else set()
        wanted = {
            each.id
            for index, each in enumerate(passages)
            if each.kind in KINDS
            and each.id not in asked
            and (self._extract is Extract.ALL or is_needed(names[index] | about, claims[index]))
        }
        shown = ((each.surface, str(each.ref.typing.type)) for each in extraction.mentions)
        return self._question(work, document, shown, wanted)

    # -- both

    def _question(
        self, work: Work, document: Document, names: Iterable[tuple[str, str]], wanted: AbstractSet[Id]
    ) -> Question | None:
        asked = []
        for block, passage in zip(document.blocks, passages_of(work.source.id, document), strict=True):
            if passage.id not in wanted:
                continue
            text = _readable(readable_prose(block))
            if not text:
                self.blank += 1
                continue
            invented = any(names_invention(heading) for heading in block.headings)
            orders = speaks_to_a_model(block.text)
            if invented or orders or estimate_tokens(text) > LONGEST_PASSAGE:
                self.passed_over += 1
                self.orders += orders
                continue
            asked.append(Asked(passage.id, Part(" > ".join(block.headings), text), block.first_line))
        if not asked:
            return None
        about = document.head.title if _is_about_something(work.typing) and not document.daily else None
        head = Note(work.source.path, _day(document.occurred), about, _offered(names), ())
        return Question(work.source, head, tuple(asked))


def _is_about_something(typing: Typing) -> bool:
    """Whether a note is about a person, a place or the like, by what somebody said of it."""
    return typing.rank <= Rank.FOLDER and typing != DAY


def _counted(extraction: Extraction) -> tuple[Mapping[int, set[str]], Mapping[int, int]]:
    """(names, number of claims but for bare links) of each block."""
    names: dict[int, set[str]] = defaultdict(set)
    claims: dict[int, int] = defaultdict(int)
    for mention in extraction.mentions:
        names[mention.block].add(name_key(mention.ref.name))
    for claim in extraction.claims:
        said = claim.kind in {ClaimKind.HOLDS, ClaimKind.ENDS}
        claims[claim.block] += said and claim.predicate != LINKS_TO
    return names, claims


def _readable(prose: str) -> str:
    """Prose without the gaps that markup left."""
    lines = (_BEFORE_STOP.sub(r"\1", " ".join(line.split())) for line in prose.splitlines())
    return "\n".join(line for line in lines if line)


def _offered(names: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    found: dict[str, tuple[str, str]] = {}
    for name, kind in names:
        found.setdefault(name_key(name), (" ".join(name.split()), kind))
    return tuple(found.values())[:_NAMES]


def _day(said: Bound) -> date | None:
    """A note's own day; when its file was changed says nothing."""
    if said.moment is None or said.basis is Basis.FILE or said.moment.precision < Precision.DAY:
        return None
    return day_of(said.moment.first)


def questions(
    wanting: Wanting, works: Sequence[Work], waiting: Mapping[Id, Sequence[Unanswered]], reader: Reader
) -> Iterator[Question]:
    """What is asked about sources in order, each read when its turn comes."""
    for work in works:
        wanted = wanting.wanted(waiting.get(work.source.id, ()), work)
        question = wanting.question(work, reader, wanted)
        if question is not None:
            yield question
