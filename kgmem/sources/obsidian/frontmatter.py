"""The properties of a note: YAML between two ``---`` lines, read so that one bad line costs one property.

Values are what the person typed: nothing becomes a number, a date or a boolean. Well-formed YAML is composed
into nodes and walked, which keeps the line of every key and value. Where YAML fails, the block is cut at its
top-level keys, each part is tried alone, and a part that is not YAML is read by a plain rule: the key, a
colon, the rest of the line, and ``- items`` below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import yaml
from frontmatter.default_handlers import BaseHandler

from kgmem.sources.document import Property, Value

try:
    from yaml import CBaseLoader as _Loader
except ImportError:  # PyYAML without libyaml
    from yaml import BaseLoader as _Loader  # type: ignore[assignment]

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)
_KEY_LINE = re.compile(r"(?P<key>(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s:#\-\[\]{}\"'][^:\n]*?|-[^\s:][^:\n]*?))[ \t]*:(?=\s|$)")
_ITEM_LINE = re.compile(r"\s*-(?:\s+(?P<item>.*))?$")
_LINK_LIST = re.compile(r"\[\[[^\[\]\n]+\]\]")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}.*)?")
_TEMPLATE = re.compile(r"\{\{|<%")
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_LISTS = frozenset({"tags", "tag", "aliases", "alias", "cssclasses", "cssclass"})
_COMMA_LISTS = frozenset({"aliases", "alias"})
_MOST_NODES = 10_000
"""Nodes after which a block is refused: anchors can make a few lines stand for billions of values."""


@dataclass(frozen=True, slots=True)
class Slip:
    """Something that could not be read as it stands; `line` is 1-based in the file."""

    line: int
    message: str
    hint: str
    kind: str = "frontmatter"


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The properties of a note, with the lines they stand on."""

    properties: tuple[Property, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    """First and last line (1-based) of each top-level property, in order."""
    slips: tuple[Slip, ...] = ()
    length: int = 0
    """Lines that the block takes, with both fences; 0 if there is none."""
    template: bool = False
    """It holds the placeholders of a template."""


class PropertiesHandler(BaseHandler):
    """Obsidian's frontmatter for `frontmatter.parse`: a fence stands alone on its line, the first on line 1."""

    FM_BOUNDARY = _OPENING
    START_DELIMITER = END_DELIMITER = "---"

    def detect(self, text: str) -> bool:
        """Whether the text starts with a block that is closed."""
        opening = _OPENING.match(text)
        return opening is not None and _CLOSING.search(text, opening.end()) is not None

    def split(self, text: str) -> tuple[str, str]:
        """(what stands between the fences, the body)."""
        opening = _OPENING.match(text)
        closing = _CLOSING.search(text, opening.end()) if opening else None
        if opening is None or closing is None:
            return "", text
        return text[opening.end() : closing.start()], text[closing.end() :]

    def load(self, fm: str) -> dict[str, object]:
        """The properties as text, or as lists of text."""
        values = {each.key: [value.text for value in each.values] for each in read_properties(fm).properties}
        return {key: found[0] if len(found) == 1 else found for key, found in values.items()}


_HANDLER = PropertiesHandler()


def split(text: str) -> tuple[str | None, int]:
    """(what stands between the fences or None, the number of lines with the fences) of a plain text.

    A rule at the top of a page opens nothing: between two rules without a property there is prose.
    """
    if not text.startswith("---") or not _HANDLER.detect(text):
        return None, 0
    block, _ = _HANDLER.split(text)
    if block.strip() and not _TEMPLATE.search(block) and not any(map(_states, block.split("\n"))):
        return None, 0
    return block, block.count("\n") + 2


def _states(line: str) -> bool:
    """Whether a line states a property or an item of a list, rather than prose."""
    return _KEY_LINE.match(line.lstrip()) is not None or _ITEM_LINE.match(line) is not None


def read_frontmatter(text: str) -> Frontmatter:
    """Read the frontmatter of a plain text (see `kgmem.sources.obsidian.text.plain`). Never raises."""
    block, length = split(text)
    return Frontmatter() if block is None else read_properties(block, length)


def read_properties(block: str, length: int = 0) -> Frontmatter:
    """Read what stands between the fences, which starts on line 2 of its file."""
    reading = _Reading(block)
    reading.read()
    merged: dict[str, Property] = {}
    for each in reading.properties:
        if each.key in merged and "." not in each.key:
            reading.slip(each.line, f"the property {each.key!r} stands here twice; the last one counts", "remove one")
        merged[each.key] = _normal(each)
    for each in merged.values():
        reading.check_days(each)
    return Frontmatter(
        properties=tuple(merged.values()),
        spans=tuple(_spans(reading)),
        slips=tuple(reading.slips),
        length=length,
        template=_TEMPLATE.search(block) is not None,
    )


class _Reading:
    def __init__(self, block: str) -> None:
        self.block = block
        self.lines = block.split("\n")
        self.properties: list[Property] = []
        self.slips: list[Slip] = []
        self.nodes = 0

    def slip(self, line: int, message: str, hint: str, kind: str = "frontmatter") -> None:
        self.slips.append(Slip(line, message, hint, kind))

    def read(self) -> None:
        """Read the whole as YAML; else each top-level property by itself."""
        try:
            self.compose(self.block, 2)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            parts = list(_parts(self.lines))
            if not parts:
                self.slip(*_explained(error, 2, self.block))
            for first, last in parts:
                self.read_part(first, last)

    def read_part(self, first: int, last: int) -> None:
        """Read the lines [first, last) of the block, which start with a key."""
        text = "\n".join(self.lines[first:last])
        self.nodes = 0
        try:
            self.compose(text, first + 2)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            self.slip(*_explained(error, first + 2, text))
            self.properties.append(_tolerant(self.lines[first:last], first + 2))

    def compose(self, text: str, line: int) -> None:
        """Read a text as YAML whose first line is `line`.

        Raises:
            yaml.YAMLError: it is none.
            ValueError: it is, but holds no properties.
        """
        node = yaml.compose(text, Loader=_Loader)
        if node is None:
            return
        if not isinstance(node, yaml.MappingNode):
            what = "a list" if isinstance(node, yaml.SequenceNode) else "plain text"
            raise ValueError(f"the properties are {what}, not names with values")  # noqa: TRY004 - the text is wrong, not the code
        found = list(self.walk(node, "", text.split("\n"), line))
        self.properties += found

    def walk(self, node: yaml.MappingNode, parent: str, lines: list[str], line: int) -> Iterator[Property]:
        """The properties of a mapping; nested ones get dotted keys."""
        for key_node, value_node in node.value:
            self.count()
            if not isinstance(key_node, yaml.ScalarNode):
                raise ValueError("the name of a property is not text")  # noqa: TRY004 - as above
            key = f"{parent}{key_node.value.strip()}"
            at = line + key_node.start_mark.line
            if isinstance(value_node, yaml.MappingNode):
                yield from self.walk(value_node, f"{key}.", lines, line)
                continue
            is_list = isinstance(value_node, yaml.SequenceNode) and not _is_link(_source(value_node, lines))
            values = tuple(self.values(value_node, lines, line))
            yield Property(key, values, at, is_list=is_list)

    def values(self, node: yaml.Node, lines: list[str], line: int) -> Iterator[Value]:
        """The values of a node, in order; nested lists are flattened, mappings in lists kept as written."""
        self.count()
        at = line + node.start_mark.line
        if isinstance(node, yaml.ScalarNode):
            if node.style or node.value not in _NULL:
                yield Value(node.value, (), at)
            return
        source = _source(node, lines)
        if isinstance(node, yaml.MappingNode):
            yield Value(" ".join(source.split()), (), at)
        elif _is_link(source):
            yield Value(source, (), at)
        else:
            for child in node.value:
                yield from self.values(child, lines, line)

    def count(self) -> None:
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            raise ValueError("the properties hold more values than a note can mean")

    def check_days(self, found: Property) -> None:
        for value in found.values:
            match = _DAY.fullmatch(value.text)
            if match is None:
                continue
            try:
                date(int(match[1]), int(match[2]), int(match[3]))
            except ValueError:
                self.slip(value.line, f"no such day: {value.text}", f"correct the date of {found.key!r}", "date")


def _is_link(source: str) -> bool:
    """Whether a nested list is an unquoted ``[[link]]``."""
    return _LINK_LIST.fullmatch(source) is not None


def _source(node: yaml.Node, lines: list[str]) -> str:
    """How a node is written, if it is written on one line or as a block; "" where marks are no help."""
    start, end = node.start_mark, node.end_mark
    if start.line == end.line:
        return lines[start.line][start.column : end.column] if start.line < len(lines) else ""
    if isinstance(node, yaml.SequenceNode):
        return ""
    return "\n".join((lines[start.line][start.column :], *lines[start.line + 1 : end.line]))


def _parts(lines: list[str]) -> Iterator[tuple[int, int]]:
    """[first, last) of the lines of each top-level property."""
    starts = [at for at, line in enumerate(lines) if _KEY_LINE.match(line)]
    yield from pairwise([*starts, len(lines)])


def _spans(reading: _Reading) -> Iterator[tuple[int, int]]:
    """First and last line in the file of each top-level property, without blank lines and comments below it."""
    lines = reading.lines
    parts = list(_parts(lines))
    if not parts:  # properties that are all indented
        starts = sorted({each.line - 2 for each in reading.properties})
        parts = list(pairwise([*starts, len(lines)]))
    for first, past in parts:
        last = past
        while last > first + 1 and (not lines[last - 1].strip() or lines[last - 1].startswith("#")):
            last -= 1
        yield first + 2, last + 1


def _tolerant(lines: list[str], line: int) -> Property:
    """Read ``key: rest`` with items or more text below, whatever the rest is."""
    head = _KEY_LINE.match(lines[0])
    key = _unquoted(head["key"].strip()) if head else lines[0].strip()
    rest = lines[0][head.end() :].strip() if head else ""
    values = [Value(part, (), line) for part in _flow(rest)]
    is_list = rest.startswith("[") and not _is_link(rest)
    for below, raw in enumerate(lines[1:], line + 1):
        text = raw.strip()
        if not text or text.startswith("#"):
            continue
        item = _ITEM_LINE.match(raw)
        if item:
            is_list = True
            if item["item"]:
                values.append(Value(_unquoted(item["item"].strip()), (), below))
        elif values:
            values[-1] = Value(f"{values[-1].text} {text}", (), values[-1].line)
        else:
            values.append(Value(text, (), below))
    return Property(key, tuple(values), line, is_list=is_list)


def _flow(rest: str) -> list[str]:
    """The values on the line of a key: those of ``[a, b]``, else the one.

    What starts with a star refers to an anchor, as YAML has it; which one, nobody can tell: it has no value.
    """
    if rest in _NULL or rest in {"|", ">", "|-", ">-"} or rest.startswith("*"):
        return []
    if rest.startswith("[") and rest.endswith("]") and not rest.startswith("[["):
        return [_unquoted(part.strip()) for part in rest[1:-1].split(",") if part.strip()]
    return [_unquoted(rest)]


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def _normal(found: Property) -> Property:
    """Tags, aliases and classes are lists, however they are written; a tag's ``#`` is not part of it."""
    key = found.key.casefold()
    if key not in _LISTS:
        return found
    values = found.values
    if not found.is_list:
        separator = re.compile(r",") if key in _COMMA_LISTS else re.compile(r"[,\s]+")
        values = tuple(Value(part, (), value.line) for value in values for part in separator.split(value.text))
    sign = "#" if key in {"tags", "tag"} else ""
    cleaned = (
        Value(value.text.strip().lstrip(sign) if sign else value.text.strip(), (), value.line) for value in values
    )
    return Property(found.key, tuple(value for value in cleaned if value.text), found.line, is_list=True)


def _explained(error: yaml.YAMLError | ValueError | RecursionError, line: int, text: str) -> tuple[int, str, str]:
    """(line, message, hint) of what YAML says about a text that starts on `line`."""
    if "\t" in text:
        tabbed = next((at for at, each in enumerate(text.split("\n")) if each.startswith("\t")), None)
        if tabbed is not None:
            return line + tabbed, "a tab indents this line", "indent with spaces"
    if re.search(r":[\u00a0\u2007\u202f]", text):
        return line, "a no-break space follows the colon", "replace it by a plain space"
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.context_mark if error.context and "flow" in error.context else error.problem_mark
        at = line + min(mark.line, text.count("\n")) if mark else line
        return at, f"not valid YAML: {error.problem or error.context}", "quote the value"
    if isinstance(error, yaml.YAMLError):
        return line, "not valid YAML: a character that YAML does not allow", "remove the character"
    if isinstance(error, RecursionError):
        return line, "the properties are nested too deeply", "keep one level of properties"
    message = str(error) if not isinstance(error, UnicodeError) else "a character that no text may hold"
    return line, message, "write one property a line, as name: value"
