"""The sentence of a note that says what no fact does, where one holds every word of a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kgmem.model import Id
from kgmem.recall.cues import PREPOSITIONS, Cues
from kgmem.recall.kinds import Kind
from kgmem.recall.relations import Item, Ref
from kgmem.recall.subjects import is_said_of
from kgmem.recall.times import tells_of_others
from kgmem.recall.wording import place_words
from kgmem.resolution.names import name_key
from kgmem.store.protocol import Placed

_SENTENCE: Final = re.compile(r"[^.!?\n。！？]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?。！？]?")
_LINK: Final = re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]|\[([^\]]*)\]\([^)]*\)")
_BARE_LINK: Final = re.compile(r"!?\[\[[^\]|]*\]\]")
"""It has the name of a note, and no word of the sentence."""
_FIELD: Final = re.compile(r"[\s>*-]*[\w][\w -]*::")
"""A property between sentences, which is a fact and no prose."""
_MARKS: Final = re.compile(r"^[\s>*#-]+|\s+\^[\w-]+$|[*=_]{2,}")
FIRST: Final = frozenset("i we me us my our mine".split())
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
NO_PROSE: Final = frozenset({"title", "heading", "property"})
_CALENDAR: Final = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday""".split()
)
_TELLS: Final = {
    Kind.WHERE: re.compile(
        rf"\b(?:in|into|at|near|from|on|by|behind|above|under|outside)\s+(?:the\s+)?(?!\d|(?:{'|'.join(_CALENDAR)})\b)\w",
        re.IGNORECASE,
    ),
    Kind.HOW_MANY: re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|once"
        r"|twice|no|none|many|several|few|half)\b",
        re.IGNORECASE,
    ),
}
"""What a sentence must have, to be an answer of a kind."""
_AT_A_NAME: Final = re.compile(r"\b(?:in|into|at|near|from|to|behind|outside)\s+(?:the\s+)?[^\W\d_a-z]")
"""A place by its name: better than any other, where it is asked where."""
_NAME: Final = re.compile(r"(?:(?P<first>^[\W_]*)|(?<=[\W_]))(?P<name>[^\W\d_][\w’']*)")
_OPENERS: Final = frozenset(
    """the a an this that these those it its there here in on at by for from with to of and but or when where while
    after before since until if as not no nobody someone somebody some all both each every one another who
    what""".split()
)
"""Words that begin a sentence and are no name, whatever their first letter."""
_SAYS_WHO: Final = frozenset("i we he she they my our".split())
_PLANNED: Final = re.compile(
    r"\b(?:will|shall|would|could|might|may|should|plans?|planned|hopes?|wants?|intends?|going\s+to|is\s+to|are\s+to)\b"
    r"|['’]ll\b|\bnot\s+yet\b",
    re.IGNORECASE,
)
"""What tells of a plan, a wish or a guess."""
_OVER: Final = re.compile(
    r"\b(?:stop(?:s|ped)?|quits?|g[ai]ven?\s+up|no\s+longer|any\s?more|never|(?:do|does|did|am|is|can|will|have|has)\s+not)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
"""What tells that something is over, or denies it."""
_STOPS: Final = frozenset({"quit", "stop"})
"""Verbs that say of a habit that it ended."""
_AGENT: Final = re.compile(r"(?<=\w{3})ers?$")
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
    coming: bool = False
    """It asks about what is to come: the sentence has to tell of it so."""
    verb: str = ""
    """What is asked of whom it names first, if that stands behind them: the sentence has to say it of them."""
    now: bool = False
    """It asks whether something is so now: the newest note counts, and one that says later that it is over."""
    valid: tuple[int, int] | None = None
    """World seconds that it has to tell of, if the question asks about a time."""

    @property
    def words(self) -> list[str]:
        """Those words, folded."""
        return [word.lower() for word in self.left if word.lower() not in PREPOSITIONS]

    def form(self, word: str) -> str:
        """A word without what inflects it; who manages is not a manager, and a manager is not managed."""
        return self.cues.stem(word) + ("/er" if _AGENT.search(word) else "")

    @property
    def forms(self) -> list[frozenset[str]]:
        """Of each of those words the forms that may stand for it."""
        return [self._forms_of(word) for word in self.words]

    def without_verb(self) -> Sought:
        """The things alone, whatever is said of them."""
        return replace(self, left=[word for word in self.words if word != self.verb.lower()], verb="")

    def _forms_of(self, word: str) -> frozenset[str]:
        same = _STOPS if self.cues.stem(word) in _STOPS else ()
        return frozenset(map(self.form, (word, *self.cues.alike(word), *same)))

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
    found = _matching(sought, passages, names)
    best = next(found, None)
    if best is not None and sought.now:
        best = max((best, *found), key=lambda each: each.noted) if best.noted else best  # the first of equals
        later = _ended_later(sought, best, passages, names)
        return (f"{best.cited}; and later: {later.cited}" if later else best.cited, best.passage)
    if best is not None and sought.kind is Kind.WHERE and not _AT_A_NAME.search(best.sentence):
        best = next((each for each in found if _AT_A_NAME.search(each.sentence)), best)
    return None if best is None else (best.cited, best.passage)


def _ended_later(
    sought: Sought, best: _Match, passages: Mapping[Id, Placed], names: Mapping[Id, frozenset[str]]
) -> _Match | None:
    """The newest sentence that says of the same things that it is over, written after the one that is quoted."""
    if not (sought.verb and best.noted):
        return None
    others = _matching(sought.without_verb(), passages, names, least=1)
    later = [each for each in others if each.noted > best.noted and _OVER.search(each.sentence)]
    return max(later, key=lambda each: each.noted, default=None)


def plan(sought: Sought, passages: Mapping[Id, Placed], names: Mapping[Id, frozenset[str]]) -> str:
    """The first sentence that tells of it as a plan; else nothing."""
    found = _matching(sought, passages, names)
    return next((each.cited for each in found if _PLANNED.search(each.sentence)), "")


def planned(sought: Sought, passages: Mapping[Id, Placed], names: Mapping[Id, frozenset[str]]) -> str:
    """The sentence that tells of it as a plan, where all sentences about it do; else nothing."""
    found = list(_matching(sought, passages, names))
    return found[0].cited if found and all(_PLANNED.search(each.sentence) for each in found) else ""


@dataclass(frozen=True, slots=True)
class _Match:
    """A sentence that holds what is sought."""

    sentence: str
    cited: str
    """With the one that takes it back, and its place."""
    passage: Id
    noted: int
    """The day of its note, in world seconds; 0 if nobody said one."""


def _matching(
    sought: Sought, passages: Mapping[Id, Placed], names: Mapping[Id, frozenset[str]], *, least: int = _LEAST
) -> Iterator[_Match]:
    forms = sought.forms
    if not forms or (not sought.refs and len({*sought.words}) < least):
        return
    for placed in passages.values():
        if placed.passage.kind in NO_PROSE:
            continue
        told = list(_sentences(placed))
        for number, (start, text) in enumerate(told):
            if _FIELD.match(text):
                continue
            words = {sought.form(word) for word in _TOKEN.findall(_BARE_LINK.sub("", text))}
            sentence = _plain(text)
            if all(not words.isdisjoint(each) for each in forms) and _answers(sought, sentence, placed, names):
                whole = sentence + _denial(told[number + 1 :])
                line = placed.passage.first_line + placed.passage.text.count("\n", 0, start)
                place = place_words(placed.path, line, kind=placed.kind)
                noted = placed.occurred.shown if sought.kind is Kind.WHEN else None
                cited = f"“{whole[:_MOST]}” ({place}{f', noted {noted}' if noted else ''})"
                moment = placed.occurred.moment if placed.occurred.shown else None
                yield _Match(sentence, cited, placed.passage.id, moment.first if moment else 0)


def _denial(rest: Sequence[tuple[int, str]]) -> str:
    """The sentence that takes back the one before it: "It was not.", "He does not."."""
    following = _plain(rest[0][1]) if rest else ""
    return f" {following}" if _DENIES.match(following) else ""


def sentences(placed: Placed) -> list[tuple[int, str]]:
    """(where it starts, what it says) of each sentence of prose of a passage."""
    return [(start, _plain(text)) for start, text in _sentences(placed) if not _FIELD.match(text)]


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
    if tells is not None and not tells.search(sentence) and not _counts_one(sought, sentence):
        return False
    if sought.coming and not _PLANNED.search(sentence):
        return False
    if sought.kind is Kind.WHO and not _says_who({word for keys in names.values() for word in keys}, sentence):
        return False
    if sought.valid is not None and tells_of_others(sentence, placed.occurred, sought.valid):
        return False
    return all(_is_named(ref, placed, sentence, names) for ref in sought.refs) and _is_of_them(sought, sentence, names)


def _is_of_them(sought: Sought, sentence: str, names: Mapping[Id, frozenset[str]]) -> bool:
    """Whether a sentence says what is asked of one of those that the question names."""
    if not sought.verb or not sought.refs:
        return True
    forms = {sought.form(word) for word in (sought.verb, *sought.cues.alike(sought.verb))}
    verb = next((match.start() for match in _TOKEN.finditer(sentence) if sought.form(match[0]) in forms), None)
    if verb is None:
        return True
    keys = {name for ref in sought.refs for each in ref.ids for name in names.get(each, ())}
    own = any(ref.own for ref in sought.refs)
    return is_said_of(keys, verb, sentence, own=own, skip=_CALENDAR | _OPENERS | _SAYS_WHO)


def _counts_one(sought: Sought, sentence: str) -> bool:
    """Whether it is asked how many, and the sentence has "a" of them: "a daughter", where children are counted."""
    if sought.kind is not Kind.HOW_MANY:
        return False
    nouns = {noun for word in sought.words for noun in sought.cues.alike(word)}
    return any(re.search(rf"\ban?\s+(?:\w+\s+)?{re.escape(noun)}\b", sentence, re.IGNORECASE) for noun in nouns)


def _says_who(names: set[str], sentence: str) -> bool:
    """Whether a sentence names somebody beside what the question names."""
    known = {word for name in names for word in _TOKEN.findall(name)}
    for match in _NAME.finditer(sentence):
        word = name_key(match["name"])
        if word in _SAYS_WHO:
            return True
        capital = match["name"][:1].isupper() and word not in _CALENDAR and word not in known
        if capital and (match["first"] is None or word not in _OPENERS):
            return True
    return False


def _is_named(ref: Ref, placed: Placed, sentence: str, names: Mapping[Id, frozenset[str]]) -> bool:
    if ref.own and not FIRST.isdisjoint(_TOKEN.findall(sentence.lower())):
        return True
    bare = f" {' '.join(_TOKEN.findall(name_key(sentence)))} "
    keys = {name for each in ref.ids for name in names.get(each, ())}
    return name_key(placed.title) in keys or any(f" {' '.join(_TOKEN.findall(name))} " in bare for name in keys)
