"""The first rung: what the form of a note says, with no language understood.

Properties and fields are claims of the person's own wording; links are claims that a note points to
another; items under a heading that names a predicate are claims of it; so are labelled arrows of a canvas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kgmem.extraction.dates import split_dated
from kgmem.extraction.ontology import UNTYPED, Ontology, Predicate, Rank, Reading, Typing, hidden
from kgmem.extraction.proposal import ClaimProposal, MentionProposal, Ref
from kgmem.extraction.sentences import Sentences
from kgmem.model import LINKS_TO, UNDATED, AliasKind, Bound, EntityType, Period, Problem
from kgmem.sources.document import Block, Document, Edge, Link, Property, Value

_DATING_KEYS = frozenset({"name", "date", "day", "when"})
"""What dates a note for its properties too. A creation date does not: properties are kept up to date after it."""

DATE_HINT = "write dates as 2024-03-01, 2024-03 or 2024"
_LINK = re.compile(r"!?\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]\([^()\s]*\)")
_GLUE = re.compile(r"(?:[\s,;/&+、，；]|\band\b|\bund\b|\bet\b|[\"'])+", re.IGNORECASE)
_NAME = re.compile(r"(?!https?:)@?[^\W_][^\n:!?<>{}|]{0,79}")
_DATED_TAIL = re.compile(
    r"\s*\((?:(?:(?:since|from|until|till|to)\s+)?(?:\d{4}-\d\d?|\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{1,2}[-/.]\d{4})\b"
    r"|(?:since|until|till)\b[^()]*\d)[^()]*\)\s*$",
    re.IGNORECASE,
)
"""What stands at the end of a value and means to be its period."""
_LIST_MARK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?")
_HEADED = frozenset({"item", "task"})


@dataclass(frozen=True, slots=True)
class Structure:
    """What the form of one document says."""

    mentions: tuple[MentionProposal, ...]
    claims: tuple[ClaimProposal, ...]
    problems: tuple[Problem, ...]


def read_structure(document: Document, typing: Typing, ontology: Ontology) -> Structure:
    """Everything that the form of a document says of what it is about."""
    reader = _Reader(document, typing, ontology)
    reader.run()
    return Structure(tuple(reader.mentions), tuple(reader.claims), tuple(reader.problems))


def link_ref(link: Link, typing: Typing = UNTYPED) -> Ref:
    """The reference that a link makes: to a note of the vault, or to a name that has none."""
    name = link.name or (link.path or link.target).rsplit("/", 1)[-1].removesuffix(".md")
    return Ref(name, AliasKind.LINK, link.path, typing)


def names_a_note(link: Link) -> bool:
    """Whether a link can stand for an entity: not to an attachment, and not to a place in its own note."""
    return bool(link.target) and not link.attachment


class _Reader:
    def __init__(self, document: Document, typing: Typing, ontology: Ontology) -> None:
        self._document = document
        self._type = typing.type
        self._ontology = ontology
        self._own = _property_date(document, typing)
        self.mentions: list[MentionProposal] = []
        self.claims: list[ClaimProposal] = []
        self.problems: list[Problem] = []

    def run(self) -> None:
        places = {b.first_line: index for index, b in enumerate(self._document.blocks) if b.kind == "property"}
        for each in self._document.head.properties:
            self._property(each, places.get(each.line, 0))
        for index, block in enumerate(self._document.blocks):
            for field in block.fields:
                self._property(field, index)
            if block.kind != "property":
                self._links(index, block)
            if block.kind in _HEADED and block.headings:
                self._headed_item(index, block)
        for edge in self._document.edges:
            self._edge(edge)

    # -- properties

    def _property(self, said: Property, index: int) -> None:
        block = self._document.blocks[index]
        reading = self._ontology.read(said.key, self._type)
        for value in said.values:
            self._property_mentions(value, block, index, reading)
            if reading is not None and value.text.strip():
                line = min(max(0, value.line - block.first_line), max(0, block.last_line - block.first_line))
                quote = _line_of(block.text, line)
                scalar = not said.is_list and not reading.predicate.one
                self._value(value, reading, _Place(index, line, quote, self._own, scalar))

    def _property_mentions(self, value: Value, block: Block, index: int, reading: Reading | None) -> None:
        if block.kind != "property":
            return
        typing = _typing_of(reading) if reading else UNTYPED
        at = 0
        for link in value.links:
            if names_a_note(link):
                start = max(block.text.find(link.shown, at), 0)
                at = start + len(link.shown)
                ref = link_ref(link, typing)
                self.mentions.append(MentionProposal(index, ref, start, at, link.shown, "structure"))

    def _value(self, value: Value, reading: Reading, place: _Place) -> None:
        text, period, place = self._dated(value.text.strip(), value.line or 1, place)
        links = [link for link in value.links if names_a_note(link)]
        if links and not _GLUE.sub("", _LINK.sub("", text)):
            refs = [link_ref(link, _typing_of(reading)) for link in links]
        elif not links and _takes_entities(reading) and _NAME.fullmatch(text):
            refs = [Ref(text, AliasKind.PROPERTY, None, _typing_of(reading))]
            self._mention_in_words(refs[0], place)
        elif reading.flipped:
            return
        else:
            readable = " ".join(_LINK.sub(_shown, text).split())
            self.claims.append(self._claim(reading, None, readable, period, place))
            return
        self.claims += [self._claim(reading, ref, None, period, place) for ref in refs]

    def _mention_in_words(self, ref: Ref, place: _Place) -> None:
        start = self._document.blocks[place.block].text.find(ref.name)
        if start >= 0:
            end = start + len(ref.name)
            self.mentions.append(MentionProposal(place.block, ref, start, end, ref.name, "structure"))

    def _dated(self, text: str, line: int, place: _Place) -> tuple[str, Period | None, _Place]:
        """The value without its period, the period, and its place: an unreadable date is not that of the note."""
        path = self._document.head.path
        value, period = split_dated(text)
        if period is not None and period.empty:
            message = f"the period in {text!r} ends before it starts"
            self.problems.append(Problem(path, line, "period", message, "swap the two dates"))
        tail = _DATED_TAIL.search(text) if period is None else None
        if tail is None:
            return value, period, place
        self.problems.append(Problem(path, line, "date", f"no such date in {text!r}", DATE_HINT))
        return text[: tail.start()].rstrip() or text, None, replace(place, said=hidden(place.said))

    def _claim(
        self, reading: Reading, ref: Ref | None, value: str | None, period: Period | None, place: _Place
    ) -> ClaimProposal:
        title, other = self._document.head.title, ref.name if ref else value or ""
        subject, target = (other, title) if reading.flipped else (title, other)
        return ClaimProposal(
            block=place.block,
            predicate=reading.predicate.name,
            subject=ref if reading.flipped else None,
            object=None if reading.flipped else ref,
            object_is_note=reading.flipped,
            value=value,
            statement=reading.predicate.statement(subject, target),
            quote=place.quote,
            line=place.line,
            valid=period or UNDATED,
            said=reading.predicate.said(place.said),
            scalar=place.scalar,
            symmetric=reading.predicate.symmetric,
        )

    # -- the body

    def _links(self, index: int, block: Block) -> None:
        sentences: Sentences | None = None
        seen: set[str] = set()
        for link in block.links:
            if not names_a_note(link):
                continue
            ref = link_ref(link)
            self.mentions.append(MentionProposal(index, ref, link.shown_start, link.shown_end, link.shown, "structure"))
            if link.path == self._document.head.path or link.target in seen or _in_field(link, block):
                continue
            seen.add(link.target)
            sentences = sentences or Sentences(block.prose)
            quote = sentences.around(link.shown_start, link.shown_end)
            line = block.text.count("\n", 0, link.start)
            self.claims.append(
                ClaimProposal(
                    block=index, predicate=LINKS_TO, subject=None, object=ref, value=None,
                    statement=quote, quote=quote, line=line, said=self._document.said(block),
                )
            )  # fmt: skip

    def _headed_item(self, index: int, block: Block) -> None:
        """``## Friends`` above ``- [[Bo]]`` says that Bo is a friend."""
        reading = self._ontology.named(block.headings[-1], self._type)
        mark = _LIST_MARK.match(block.text)
        first = block.links[0] if block.links else None
        if reading is None or mark is None or first is None or first.start != mark.end() or not names_a_note(first):
            return
        if not _takes_entities(reading):
            return
        line = _line_of(block.text, 0)
        place = _Place(index, 0, line[mark.end() :], self._own, scalar=False)
        _, period, place = self._dated(line, block.first_line, place)
        self.claims.append(self._claim(reading, link_ref(first, _typing_of(reading)), None, period, place))

    # -- canvas

    def _edge(self, edge: Edge) -> None:
        """A labelled arrow says a relation between the two notes at its ends."""
        label = edge.label.strip()
        reading = self._ontology.named(label, self._type)
        predicate = reading.predicate if reading else Predicate(_arrow_name(label), f"{{s}} {label} {{o}}")
        start, end = link_ref(edge.start), link_ref(edge.end)
        if reading and reading.flipped:
            start, end = end, start
        statement = predicate.statement(start.name, end.name)
        block = next(
            (i for i, b in enumerate(self._document.blocks) if b.first_line <= edge.line <= b.last_line and i), 0
        )
        self.claims.append(
            ClaimProposal(
                block=block, predicate=predicate.name, subject=start, object=end, value=None, statement=statement,
                quote=f"{start.name} → {label} → {end.name}", line=0, said=predicate.said(self._document.occurred),
                symmetric=predicate.symmetric,
            )
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands, and what its note says of its date."""

    block: int
    line: int
    quote: str
    said: Bound
    scalar: bool


def _property_date(document: Document, typing: Typing) -> Bound:
    """The world date of a note's properties; hidden where the note's date is only when it was begun."""
    said = document.occurred
    dated = document.daily or typing.type is EntityType.EVENT or document.dated_by in _DATING_KEYS
    return said if dated else hidden(said)


def _typing_of(reading: Reading) -> Typing:
    """The type that a predicate expects at the other end; of several the first, which is a weaker hint."""
    types = reading.predicate.domain if reading.flipped else reading.predicate.range
    return Typing(types[0], None, Rank.RANGE if len(types) == 1 else Rank.LIKELY) if types else UNTYPED


def _takes_entities(reading: Reading) -> bool:
    return bool(reading.predicate.domain if reading.flipped else reading.predicate.range)


def _in_field(link: Link, block: Block) -> bool:
    return any(link.target == other.target for field in block.fields for v in field.values for other in v.links)


def _line_of(text: str, line: int) -> str:
    lines = text.splitlines()
    return lines[line].strip() if line < len(lines) else text.strip()


def _shown(match: re.Match[str]) -> str:
    inner = match[0].lstrip("!").strip("[]")
    return inner.split("](", 1)[0] if "](" in inner else inner.rsplit("|", 1)[-1]


def _arrow_name(label: str) -> str:
    return re.sub(r"\W+", "_", label).strip("_").upper() or "ARROW"
