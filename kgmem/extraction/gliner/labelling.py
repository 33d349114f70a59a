"""Texts through a network: in pieces that it can take, several at a time, and back to places in the text."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final, TypeVar

from kgmem.extraction.entities import named_span_ends
from kgmem.extraction.gliner.networks import Network, load_network
from kgmem.extraction.gliner.settings import GlinerSettings
from kgmem.extraction.gliner.spans import NOTHING, Labelled, LabelledRelation, LabelledSpan, Labelling
from kgmem.extraction.marks import is_free
from kgmem.extraction.sentences import Sentences

K = TypeVar("K")

_LONGEST: Final = 1_200
"""Code points of a piece: some 200 words, where the usual weights read 384 and silently drop what is beyond."""
_AHEAD: Final = 16
"""Items that are read together."""


@dataclass(frozen=True, slots=True)
class _Piece:
    item: int
    text: int
    start: int
    words: str


class Labeller:
    """Finds spans and relations by the labels that a person set. Making one loads nothing.

    Args:
        settings: the weights, and what their labels mean.
        network: what reads; without it the weights are loaded with the first text.
    """

    def __init__(self, settings: GlinerSettings, network: Network | None = None) -> None:
        self.settings = settings
        self._given = network
        self.words = 0
        """Words read so far."""
        self.seconds = 0.0
        """On the clock, of reading them; loading is not counted."""

    @cached_property
    def network(self) -> Network:
        """What reads. Raises ConfigurationError if it cannot be loaded."""
        settings = self.settings
        return self._given or load_network(settings.model or "", download=settings.download)

    def label(self, items: Iterable[tuple[K, Sequence[str]]]) -> Iterator[tuple[K, Labelling]]:
        """What is in each text of each (key, texts), lazily and in order; few items are read ahead.

        Raises:
            ConfigurationError: the weights cannot be loaded.
        """
        waiting = iter(items)
        while some := list(islice(waiting, _AHEAD)):
            found = self._read([texts for _, texts in some])
            for (key, _), blocks in zip(some, found, strict=True):
                yield key, Labelling(blocks, self.settings.relations)

    def _read(self, items: Sequence[Sequence[str]]) -> list[list[Labelled]]:
        pieces = [
            _Piece(item, number, start, text[start:end])
            for item, texts in enumerate(items)
            for number, text in enumerate(texts)
            for start, end in _pieces(text)
        ]
        # Texts of like length together: a batch is as slow as its longest.
        order = sorted(range(len(pieces)), key=lambda at: len(pieces[at].words))
        answers = dict(zip(order, self._ask([pieces[at].words for at in order]), strict=True))
        found: list[list[Labelled]] = [[NOTHING] * len(texts) for texts in items]
        for at, piece in enumerate(pieces):
            held = found[piece.item][piece.text]
            text = items[piece.item][piece.text]
            here = self._placed(answers[at], piece.start, text)
            found[piece.item][piece.text] = Labelled((*held.spans, *here.spans), (*held.relations, *here.relations))
        return found

    def _ask(self, texts: Sequence[str]) -> list[Labelled]:
        if not texts:
            return []
        network, settings = self.network, self.settings
        relations = list(settings.relations) if network.relates else []
        began = time.perf_counter()
        found = network.read(
            texts, list(settings.labels), relations, threshold=settings.threshold, batch=settings.batch
        )
        self.seconds += time.perf_counter() - began
        self.words += sum(len(text.split()) for text in texts)
        return found

    def _placed(self, found: Labelled, shift: int, text: str) -> Labelled:
        """What was found in a piece, at its place in the text: of spans that share one the surest, trimmed."""
        spans: list[LabelledSpan] = []
        for each in sorted(found.spans, key=lambda span: (-span.score, span.start, -span.end, span.label)):
            ends = named_span_ends(text, each.start + shift, each.end + shift)
            meant = self.settings.labels.get(each.label)
            if ends is None or meant is None or not is_free(*ends, [(span.start, span.end) for span in spans]):
                continue
            spans.append(replace(each, start=ends[0], end=ends[1], type=meant[0], subtype=meant[1]))
        relations: dict[object, LabelledRelation] = {}
        for told in sorted(found.relations, key=lambda each: -each.score):
            head, tail = (named_span_ends(text, *(at + shift for at in end)) for end in (told.head, told.tail))
            if (
                head is not None
                and tail is not None
                and is_free(*head, [tail])
                and told.label in self.settings.relations
            ):
                relations.setdefault((head, tail, told.label), LabelledRelation(head, tail, told.label, told.score))
        return Labelled(tuple(sorted(spans, key=lambda span: span.start)), tuple(relations.values()))


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Whole sentences, as many as the network takes; a longer one is cut at a word."""
    if not text.strip():
        return
    if len(text) <= _LONGEST:
        yield 0, len(text)
        return
    start = 0
    ends = list(_sentence_ends(text))
    while start < len(text):
        end = max((end for end in ends if start < end <= start + _LONGEST), default=0)
        if not end and len(text) - start > _LONGEST:
            space = text.rfind(" ", start + 1, start + _LONGEST)
            end = space + 1 if space > start else start + _LONGEST
        end = end or len(text)
        if text[start:end].strip():
            yield start, end
        start = end


def _sentence_ends(text: str) -> Iterator[int]:
    at = 0
    for sentence in Sentences(text):
        at += len(sentence)
        yield at
