"""The sentence of a note that says what no fact does, where one holds every word of a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kgmem.model import Id
from kgmem.recall.cues import PREPOSITIONS, Cues
from kgmem.recall.kinds import Kind
from kgmem.recall.relations import Item, Ref
from kgmem.recall.times import tells_of_others
from kgmem.recall.wording import place_words
from kgmem.resolution.names import name_key
from kgmem.store.protocol import Placed

_SENTENCE: Final = re.compile(r"[^.!?\n。！？]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?。！？]?")
_LINK: Final = re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|\[([^\]]*)\]\([^)]*\)")
_BARE_LINK: Final = re.compile(r"!?\[\[[^\]|]*\]\]")
"""It has the name of a note, and no word of the sentence."""
_MARKS: Final = re.compile(r"^[\s>*#-]+|\s+\^[\w-]+$|[*=_]{2,}")
_FIRST: Final = frozenset("i we me us my our mine".split())
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NO_PROSE: Final = frozenset({"title", "heading", "property"})
_TELLS: Final = {
    Kind.WHERE: re.compile(r"\b(?:in|into|at|near|from|on|by|behind|above|under|outside)\s+(?:the\s+)?\w"),
    Kind.HOW_MANY: re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|once"
        r"|twice|no|none|many|several|few|half)\b",
        re.IGNORECASE,
    ),
}
"""What a sentence must have, to be an answer of a kind."""
_DENIES: Final = re.compile(
    r"(?:but\s+|yet\s+|and\s+)?(?:it|he|she|they|that|this|we|i)\b[^.!?]*(?:\b(?:not|never|no)\b|n['’]t\b)",
    re.IGNORECASE,
)
_MOST: Final = 200
"""Characters of a sentence that is quoted."""
_LEAST: Final = 2
"""Words that a question without a name must have."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What a sentence has to hold."""

    kind: Kind
    items: Sequence[Item]
    """The names and words of a question: it has to name what they name."""
    left: Iterable[str]
    """The words that have to stand there, in any of their forms."""
    cues: Cues
    valid: tuple[int, int] | None = None
    """World seconds that it has to tell of, if the question asks about a time."""

    @property
    def stems(self) -> set[str]:
        """Those words, without what inflects them."""
        return {self.cues.stem(word) for word in self.left if word.lower() not in PREPOSITIONS}

    @property
    def refs(self) -> list[Ref]:
        """What has to be named."""
        return [item for item in self.items if isinstance(item, Ref)]


def quoted(sought: Sought, passages: Mapping[Id, Placed], names: Mapping[Id, frozenset[str]]) -> tuple[str, Id] | None:
    """What a note says, and the passage where it stands.

    A sentence of it has to have every word of a question, and to name all that this names. A note names what it is
    about, and "I" is its owner. Without a word beside the names there is nothing to find.

    Args:
        sought: what the sentence has to hold.
        passages: where to look, the best first.
        names: the keys of the names of what is sought.
    """
    stems = sought.stems
    if not stems or (not sought.refs and len(stems) < _LEAST):
        return None
    for placed in passages.values():
        if placed.passage.kind in _NO_PROSE:
            continue
        sentences = list(_sentences(placed))
        for number, (start, text) in enumerate(sentences):
            words = {sought.cues.stem(word) for word in _TOKEN.findall(_BARE_LINK.sub("", text))}
            sentence = _plain(text)
            if stems <= words and _answers(sought, sentence, placed, names):
                sentence += _denial(sentences[number + 1 :])
                line = placed.passage.first_line + placed.passage.text.count("\n", 0, start)
                place = place_words(placed.path, line, kind=placed.kind)
                noted = placed.occurred.shown if sought.kind is Kind.WHEN else None
                said = f"“{sentence[:_MOST]}” ({place}{f', noted {noted}' if noted else ''})"
                return said, placed.passage.id
    return None


def _denial(rest: Sequence[tuple[int, str]]) -> str:
    """The sentence that takes back the one before it: "It was not.", "He does not."."""
    following = _plain(rest[0][1]) if rest else ""
    return f" {following}" if _DENIES.match(following) else ""


def _sentences(placed: Placed) -> Iterator[tuple[int, str]]:
    """(where it starts, how it stands there) of each sentence of a passage; with what follows it after a colon."""
    text = placed.passage.text
    for match in _SENTENCE.finditer(text):
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        yield start, text[start : start + _MOST] if match[0].rstrip().endswith(":") else match[0]


def _plain(text: str) -> str:
    """A sentence without marks, and with the words that its links show."""
    links = _LINK.sub(lambda link: link[2] or (link[1] or "").rpartition("/")[2], text)
    return " ".join(_MARKS.sub("", links).split())


def _answers(sought: Sought, sentence: str, placed: Placed, names: Mapping[Id, frozenset[str]]) -> bool:
    tells = _TELLS.get(sought.kind)
    if tells is not None and not tells.search(sentence):
        return False
    if sought.valid is not None and tells_of_others(sentence, placed.occurred, sought.valid):
        return False
    return all(_is_named(ref, placed, sentence, names) for ref in sought.refs)


def _is_named(ref: Ref, placed: Placed, sentence: str, names: Mapping[Id, frozenset[str]]) -> bool:
    if ref.own and not _FIRST.isdisjoint(sentence.lower().split()):
        return True
    bare = f" {' '.join(_TOKEN.findall(name_key(sentence)))} "
    keys = {name for each in ref.ids for name in names.get(each, ())}
    return name_key(placed.title) in keys or any(f" {' '.join(_TOKEN.findall(name))} " in bare for name in keys)
