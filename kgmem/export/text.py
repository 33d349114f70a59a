"""Text that came from notes, made safe to stand in a page: it says the same, and does nothing.

It opens no heading, list, table, comment, code or HTML, makes no tag, link or block id, and fits one line.
"""

from __future__ import annotations

import json
import re
from typing import Final

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_WIKILINK: Final = re.compile(r"!?\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_SPECIAL: Final = re.compile(
    r"[\\`*\[\]|^$]"
    r"|[~=](?=[~=])|(?<=[~=])[~=]"
    r"|(?<!\w)_|_(?!\w)"  # within a word it marks nothing
    r"|(?<![\w/])#"  # a tag or a heading, not C# and not the anchor of an address
)
_LEADING: Final = re.compile(r"[-+](?=\s|$)|(?<=\d)[.)](?=\s|$)")
_NUMBERED: Final = re.compile(r"\d{1,9}[.)](?:\s|$)")
_ENTITIES: Final = (("<", "&lt;"), (">", "&gt;"))
_REFERENCE: Final = re.compile(r"&(?=#?\w+;)")
_COMMENT: Final = re.compile(r"%(?=%)")
_LINK_LABEL: Final = str.maketrans({"[": "(", "]": ")", "|": "/", "`": "'", "<": "‹", ">": "›", "\\": "/"})
_NOT_YAML: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_SENTENCE_END: Final = re.compile(
    r"[.!?…]['\"”’)]?(?=\s)|[。！？]|\n(?=\s*(?:[-*+#|\n]|\d+[.)]|[\w-]+::?\s|$))"  # a wrapped line goes on
)
_LINE_MARKS: Final = re.compile(r"^\s*(?:>\s?)*(?:[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+|#{1,6}\s+)?", re.MULTILINE)
_MEASURE: Final = 240
"""Characters of a sentence that a page quotes."""
_LONGEST_VALUE: Final = 300


def prose(text: str) -> str:
    """A text on one line, everything in it that would be markup escaped; brackets of wikilinks are dropped."""
    line = " ".join(_CONTROLS.sub("", _WIKILINK.sub(_shown, text)).split())
    line = _SPECIAL.sub(r"\\\g<0>", _REFERENCE.sub("&amp;", line))
    for sign, entity in _ENTITIES:
        line = line.replace(sign, entity)
    line = _COMMENT.sub("&#37;", line)
    if line[:1] in {"-", "+"} or _NUMBERED.match(line):
        line = _LEADING.sub(r"\\\g<0>", line, count=1)
    return line


def _shown(link: re.Match[str]) -> str:
    return link[2] or link[1]


def value(text: str) -> str:
    """`prose` of a value, cut where it is long."""
    return prose(_cut(text, _LONGEST_VALUE))


def label(text: str) -> str:
    """A name as the shown text of a wikilink, where nothing can be escaped."""
    return " ".join(_CONTROLS.sub("", text.translate(_LINK_LABEL)).replace("%%", "%").split())


def excerpt(text: str, start: int, end: int) -> str:
    """The sentence around a span of a text, without the marks that its lines begin with; not escaped.

    A long one is cut on both sides of the span.
    """
    return " ".join(_LINE_MARKS.sub("", _sentence(text, start, end)).split())


def _sentence(text: str, start: int, end: int) -> str:
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    first = max((at for at in ends if at <= start), default=0)
    last = min((at for at in ends if at >= end), default=len(text))
    if last - first <= _MEASURE:
        return text[first:last].strip()
    left = max(first, start - _MEASURE // 3)
    right = min(last, max(end, left + _MEASURE))
    left = left if left == first else _word_start(text, left, start)
    right = right if right == last else _word_end(text, right, end)
    return f"{'… ' if left > first else ''}{text[left:right].strip()}{' …' if right < last else ''}"


def _word_start(text: str, at: int, limit: int) -> int:
    space = text.find(" ", at, limit)
    return at if space < 0 else space + 1


def _word_end(text: str, at: int, limit: int) -> int:
    space = text.rfind(" ", limit, at)
    return at if space < 0 else space


def _cut(text: str, longest: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest].rsplit(' ', 1)[0]} …"


def quoted(text: str) -> str:
    """A text as a double-quoted YAML scalar: a text for every reader, whatever it looks like."""
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
