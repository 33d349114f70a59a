"""Parsing sentences to plain data; this runs in the worker processes that find names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from kgmem.extraction.grammar.words import Parsed, Span, Word

LONGEST: Final = 800
"""Code points of a sentence that is worth a look: longer ones are lists, tables and logs."""
_LABELS: Final = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "prep", "agent", "appos", "poss", "relcl", "xcomp"})
_NEEDED: Final = ("tagger", "parser", "attribute_ruler", "lemmatizer")
_MARKER: Final = re.compile(r"\s*(?:>\s*)*(?:[-*+•|]|\d{1,3}[.)])?\s*")
_GAP: Final = re.compile(
    r"\s+(?P<stop>[,.;:!?)])?|(?<=\b[Ee]x)(?P<apart>-)(?=[a-z])"
    r"|\bco-(?=(?:found|author|own|wr[io]t|le[ad]|direct|creat|host|maintain|edit|invent|design|develop))"
)
"""White space, the hyphen of "ex-wife", and what makes "co-founded" three words to a tokenizer."""
_SUBJECT: Final = "I "
_PIPED: Final = 64


def can_parse(pipeline: Any) -> bool:
    """Whether a spaCy pipeline has an English parser with the labels that the frames are matched on."""
    if pipeline.lang != "en" or not set(_NEEDED) <= set(pipeline.pipe_names):
        return False
    return set(pipeline.get_pipe("parser").labels) >= _LABELS


def parse(pipeline: Any, texts: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[list[Parsed]]:
    """The sentences at these spans of each text, parsed one by one: half a note is no context for the other half.

    Raises nothing of its own; `pipeline` must be one that `can_parse`.
    """
    wanted = [(text, spans) for text, spans in texts]
    cleaned = [(_clean(text, *span), span) for text, spans in wanted for span in spans]
    jobs = (("".join(chars), (offsets, span)) for (chars, offsets), span in cleaned)
    with pipeline.memory_zone():
        parsed = [
            _plain(doc, offsets, span)
            for doc, (offsets, span) in pipeline.pipe(jobs, as_tuples=True, batch_size=_PIPED, disable=["ner"])
        ]
    at = iter(parsed)
    for _, spans in wanted:
        yield [next(at) for _ in spans]


def _clean(text: str, start: int, end: int, elided: bool = False) -> tuple[list[str], list[int]]:
    """A sentence without its list marker and the gaps that blanked markup leaves; and where each character stood.

    One that leaves its subject out gets one, "I": without it a parser takes "Met Carlos Ibarra" for a name.
    """
    marker = _MARKER.match(text, start, end)
    at = marker.end() if marker else start
    chars: list[str] = []
    offsets: list[int] = []
    if elided:
        chars, offsets = list(_SUBJECT), [at] * len(_SUBJECT)
    for gap in _GAP.finditer(text, at, end):
        chars += text[at : gap.start()]
        offsets += range(at, gap.start())
        if gap["stop"] is None and gap[0] != "co-":
            chars.append(" ")
            offsets.append(gap.start())
        at = gap.start("stop") if gap["stop"] else gap.end()
    chars += text[at:end]
    offsets += range(at, end)
    if elided:
        chars[len(_SUBJECT)] = chars[len(_SUBJECT)].lower()
    return chars, offsets


def _plain(doc: Any, offsets: Sequence[int], span: Span) -> Parsed:
    kept = [token for token in doc if not token.is_space]
    index = {token.i: at for at, token in enumerate(kept)}
    words = tuple(
        Word(
            start=offsets[token.idx],
            end=offsets[token.idx + len(token.text) - 1] + (token.i > 0 or not span[2]),
            text=token.text,
            lemma=token.lemma_.lower(),
            tag=token.tag_,
            dep=token.dep_,
            head=index.get(token.head.i, index[token.i]),
        )
        for token in kept
    )
    return Parsed(span[0], span[1], words)
