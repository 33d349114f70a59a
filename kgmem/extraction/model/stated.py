"""Whether a sentence states a claim, or only wishes, supposes, foretells, asks, denies or reports it.

A model quotes a few words and leaves out those that govern them: "he will call Kiel home" of "Uwe dreams that one day
he will call Kiel home". So the words around a quote are read too, as far as they govern it: all before it up to where
another subject begins, a verb that takes a clause also across "and", and what is added behind it about who says or
denies it. What a clause of another subject denies or supposes is its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kgmem.extraction.relations.framing import is_unsaid
from kgmem.extraction.relations.words import HEDGES

Span = tuple[int, int]

_EDGES: Final = " \t\n\"'“”‘’«»…."
_OWN: Final = (
    r"(?=(?-i:[^\W\d_a-z])|(?:he|she|they|it|we|you|his|her|their|its|our|my|your|the|this|that|these|those|an?|some"
    r"|every|each|nobody|no\s+one)\b)"
)
"""Here begins what may be a subject: a name, a pronoun, or words before a noun."""
_PRONOUN: Final = r"(?=(?:I|he|she|they|we|you|it)\b)"
_AND: Final = r"(?:and|so|yet|or)"
_BUT: Final = r"(?:but|while|whereas|because|although|though|since)"
_SIGN: Final = r"[;:()–—]"
_APART: Final = re.compile(rf";|,?\s*\b(?:but|while|whereas)\b\s+{_OWN}", re.IGNORECASE)
"""Behind this nothing before it governs."""
_SUBJECT: Final = re.compile(
    rf"{_SIGN}\s*|,\s+{_AND}\s+(?!that\b){_OWN}|\b{_BUT}\s+{_OWN}|\b{_AND}\s+{_PRONOUN}", re.IGNORECASE
)
"""Behind this another subject begins."""
_CLAUSE: Final = re.compile(
    rf"{_SIGN}\s*|,\s+{_OWN}|,\s+(?=not\b)|(?:,\s*(?:or\s+)?)?\b(?:and|but|while|whereas|because|so)\b\s*",
    re.IGNORECASE,
)
"""Behind this another verb does, perhaps of the same subject."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_HEDGES: Final = HEDGES - {"may"}
"""Also a month, and a name."""
_DENIED: Final = re.compile(
    r"\b(?:not|never|neither|nor|without|cannot|nobody|none|no\s+one|hardly|refuses?d?)\b|n['’]t\b", re.IGNORECASE
)
_AHEAD: Final = re.compile(
    r"(?<!\bof )(?<!\bher )(?<!\bhis )(?<!\btheir )(?<!\bthe )(?<!\bgood )(?-i:\bwill\b)(?!['’]s)"
    r"|(?<!\bin )(?<!\bof )(?<!\bsince )(?-i:\bmay\b)|^\W*let\s"
    r"|\w['’]ll\b|\bwon['’]t\b|\bgoing\s+to\b|\b(?:is|are|was|were)\s+(?:about\s+)?to\s+(?!(?:the|an?)\b)"
    r"|\b(?:someday|some\s+day|one\s+day)\b(?=[^.;]*\bwould\b)"
    r"|\b(?:longs?|longed|aims?|aimed|aspires?|aspired|yearns?|yearned|promise[sd]?|tr(?:y|ies|ied)|need(?:s|ed)?)\s+to\b"
    r"|\b(?:dream(?:s|ed|t|ing)?|talk(?:s|ed|ing)?|think(?:s|ing)?|thought)\s+of\b"
    r"|\bfantasi[sz]\w+\s+(?:of|about)\b|\bdream(?:s|ed|t|ing)?\s+about\b",
    re.IGNORECASE,
)
"""It is not so yet."""
_TAKES_CLAUSE: Final = (
    r"(?:say|says|said|saying|tells?|told|writes?|wrote|written|think|thinks|thought|believe[sd]?|claim(?:s|ed)?"
    r"|dream(?:s|ed|t|ing)?|hope[sd]?|hoping|wish(?:es|ed)?|fear(?:s|ed)?|suspect(?:s|ed)?|suppose[sd]?|imagine[sd]?"
    r"|guess(?:es|ed)?|assume[sd]?|doubt(?:s|ed)?|den(?:y|ies|ied)|report(?:s|ed)?|assert(?:s|ed)?|insist(?:s|ed)?"
    r"|argue[sd]?|suggest(?:s|ed)?|propose[sd]?|promise[sd]?|swears?|swore|predict(?:s|ed)?|allege[sd]?|heard|hears?|read"
    r"|rumou?rs?|gossip|idea|story|theory|plans?|pretend(?:s|ed)?|ask(?:s|ed)?|wonder(?:s|ed)?|jok(?:es?|ed)|lie[sd]?"
    r"|expect(?:s|ed)?|demand(?:s|ed)?|dispute[sd]?|reckons?|reckoned|feels?|felt|fantasi[sz]e[sd]?)"
)
_COMPLEMENT: Final = re.compile(
    rf"\b{_TAKES_CLAUSE}(?:(?:\s+[\w'’]+){{0,4}}?,?\s+(?:that|whether|how|if)\b|\s*:|\s*,?\s+{_PRONOUN}"
    rf"|(?<!\bread)(?<!\btold)(?<!\bidea)(?<!\bstory)(?<!\bfelt)\s+(?=(?-i:[^\W\d_a-z])))",
    re.IGNORECASE,
)
"""A verb, or noun, with the clause that it takes."""
_SAID: Final = (
    r"(?:say|says|said|tells?|told|writes?|wrote|thinks?|thought|believes?|believed|claims?|claimed|hopes?|hoped|guess"
    r"|suppose|assume[sd]?|suspects?|doubts?|doubted|den(?:y|ies|ied)|disputes?|disputed|contradicts?|contradicted"
    r"|questions|questioned|reject(?:s|ed)?|disagrees?|heard|hear|asks?|asked|dreams?|dreamt|dreamed|wish(?:es|ed)?"
    r"|imagines?|imagined|pretends?|reports?|reported|alleges?|alleged|insists?|insisted|jokes?|joked|refutes?|refuted)"
)
_ADDED: Final = re.compile(
    rf"^[\"'“”’»]*\s*[,;–—(]\s*[\"'“”’»]*\s*(?:"
    rf"(?:which|as|or\s+so|so|at\s+least|though|although|if)\b(?:\s+[\w'’.-]+){{0,4}}?\s+{_SAID}\b"
    rf"|{_SAID}\s+{_OWN}|(?!and\b|but\b|who\b|where\b)(?:[\w'’.-]+\s+){{1,3}}?{_SAID}(?:\s+(?:(?:to\s+)?(?:me|us)|it|that|this|so))?"
    rf"\s*(?:$|[\"'“”’»,.;!)]))",
    re.IGNORECASE,
)
"""Behind what is said: who says so, or who denies it."""
_NOT_SO: Final = re.compile(r"^\W*(?:which|but\s+(?:that|this|it))\s+(?:is|was)(?:\s+not|n['’]t)\b", re.IGNORECASE)
_ELLIPSIS: Final = re.compile(
    r"(?:,|\b(?:and|but|while|whereas))\s[^,;]{1,60}\b(?:does|do|did|is|are|was|were|has|have)(?:\s+not|n['’]t)\W*$"
)
"""What another subject does not: "and her brother does not"."""


def is_stated(prose: str, sentence: Span, quote: Span, ends: Iterable[Span], *, over: bool) -> bool:
    """Whether a sentence states what a quote in it says.

    Args:
        prose: what both stand in.
        sentence: that holds the quote.
        quote: the words that are said to say it.
        ends: where the prose names the two ends of the claim; of a long quote only the clauses that name one count.
        over: the claim is that it ended, which "not any more" says.
    """
    start, end = _core(prose, sentence, quote, ends)
    whole = _ELLIPSIS.sub("", prose[slice(*sentence)].rstrip(_EDGES + ")"))
    if whole.endswith("?") or is_unsaid(whole):
        return False
    begins = _begins(_SUBJECT, prose, sentence, start)
    governing = prose[begins:end]
    denied = prose[max(begins, _begins(_CLAUSE, prose, sentence, start)) : end]
    if (_DENIED.search(denied) is not None and not over) or _AHEAD.search(governing) is not None:
        return False
    if not _HEDGES.isdisjoint(_WORD.findall(governing.lower())):
        return False
    if _COMPLEMENT.search(prose, _begins(_APART, prose, sentence, start), end) is not None:
        return False
    behind = [prose[at : sentence[1]] for at in {end, max(end, quote[1])}]
    return not any(_ADDED.search(each) or _NOT_SO.search(each) for each in behind)


def _core(prose: str, sentence: Span, quote: Span, ends: Iterable[Span]) -> Span:
    """From the first clause of a quote that names an end to the last; the whole quote if none does."""
    clauses = _clauses(prose, sentence, quote)
    named = list(ends)
    naming = [each for each in clauses if any(each[0] <= start < each[1] for start, _ in named)] or clauses
    return naming[0][0], naming[-1][1]


def _clauses(prose: str, sentence: Span, quote: Span) -> Sequence[Span]:
    """The clauses of a sentence that a quote reaches into, the first one from where the quote begins."""

    def pieces() -> Iterator[Span]:
        start = sentence[0]
        for match in _CLAUSE.finditer(prose, *sentence):
            yield start, match.start()
            start = match.end()
        yield start, sentence[1]

    return [(max(start, quote[0]), end) for start, end in pieces() if start < quote[1] and quote[0] < end] or [quote]


def _begins(breaks: re.Pattern[str], prose: str, sentence: Span, at: int) -> int:
    """Where what governs a place begins: behind the last break before it."""
    found = [match.end() for match in breaks.finditer(prose, sentence[0], sentence[1]) if match.end() <= at]
    return found[-1] if found else sentence[0]
