"""The language rungs over a whole past: all texts in one go, each read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from kgmem.extraction.entities import LanguageRead, Recognizer
from kgmem.extraction.gliner.labelling import Labeller
from kgmem.extraction.gliner.spans import Labelling
from kgmem.extraction.grammar import Telling
from kgmem.extraction.ladder import readable
from kgmem.model import Id
from kgmem.reextraction.log import Log
from kgmem.reextraction.replay import Heard, Means, Progress, Wish

K = TypeVar("K")
T = TypeVar("T")

Texts = tuple[str, ...]
_Place = tuple[str, Id]


class _Once(Generic[T]):
    """Reads no text twice."""

    def __init__(self, read: Callable[[Iterator[tuple[Texts, list[str]]]], Iterator[tuple[Texts, T]]]) -> None:
        """Args: `read` reads what is new."""
        self._read = read
        self._known: dict[Texts, T] = {}

    def learn(self, texts: Iterable[Sequence[str]]) -> Iterator[None]:
        """Read those of some texts that are new, many at a time; one step for each."""
        new = (each for each in dict.fromkeys(map(tuple, texts)) if each not in self._known)
        for key, read in self._read((each, list(each)) for each in new):
            self._known[key] = read
            yield

    def each(self, texts: Iterable[tuple[K, Sequence[str]]]) -> Iterator[tuple[K, T]]:
        """(key, what was read) of each (key, texts)."""
        for key, some in texts:
            for _ in self.learn([some]):
                pass
            yield key, self._known[tuple(some)]


class Remembering(Recognizer):
    """A recognizer that reads no text twice."""

    def __init__(self, recognizer: Recognizer, telling: Telling | None) -> None:
        """Args: `recognizer` reads what is new, looking for sentences with words that are `telling`."""
        self.once = _Once[LanguageRead](lambda texts: recognizer.read(texts, telling))

    def read(
        self, texts: Iterable[tuple[K, list[str]]], telling: Telling | None = None
    ) -> Iterator[tuple[K, LanguageRead]]:
        """See `Recognizer.read`; what is telling was said before."""
        del telling
        return self.once.each(texts)


class RememberingLabels(Labeller):
    """A labeller that reads no text twice."""

    def __init__(self, labeller: Labeller) -> None:
        """Args: `labeller` reads what is new."""
        super().__init__(labeller.settings)
        self.once = _Once[Labelling](labeller.label)

    def label(self, items: Iterable[tuple[K, Sequence[str]]]) -> Iterator[tuple[K, Labelling]]:
        """See `Labeller.label`."""
        return self.once.each(items)


def hear(log: Log, means: Means, wish: Wish, progress: Progress) -> Heard:
    """What the language rungs that remember make of every episode, at each path that it was read at."""
    recognizer, labeller = means.recognizer, means.labeller
    texts = _texts(log, means, wish) if recognizer or labeller else {}
    return Heard(
        _heard(recognizer.once, texts, progress) if isinstance(recognizer, Remembering) else None,
        _heard(labeller.once, texts, progress) if isinstance(labeller, RememberingLabels) else None,
    )


def _heard(once: _Once[T], texts: dict[_Place, list[str]], progress: Progress) -> dict[_Place, T]:
    for number, _ in enumerate(once.learn(texts.values()), 1):
        progress("reading", number, len(texts))
    return dict(once.each(texts.items()))


def _texts(log: Log, means: Means, wish: Wish) -> dict[_Place, list[str]]:
    readers = {(root, kind): means.readers(root, kind) for root, kind in _folders(log)}
    texts = {}
    for source, every in log.episodes.items():
        for stood in every:
            for root, path in {each.place for each in log.places[source]}:
                if wish.reaches(stood) and stood.episode in log.bodies:
                    reader = readers[root, log.sources[source].kind]
                    document = reader.parse(path, log.bodies[stood.episode][1], mtime_ns=0)
                    texts[path, stood.episode] = readable(document)
    return texts


def _folders(log: Log) -> set[tuple[str, str]]:
    return {(stood.place[0], log.sources[source].kind) for source, every in log.places.items() for stood in every}
