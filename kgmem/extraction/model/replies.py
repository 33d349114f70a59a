"""Reading a reply, however it is dressed: thought aloud, fenced, bare, with other names for its fields, or cut off.

Models are no parsers. What can be understood in one way only is taken; a reply that cannot is an `UnusableReplyError`,
which says what was wrong, for the model and for a person. Nothing here is believed: see `checking`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

Json = Any

_THOUGHT: Final = re.compile(r"<(think|thinking|reasoning)\b[^>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_THOUGHT_END: Final = re.compile(r"</(?:think|thinking|reasoning)\s*>", re.IGNORECASE)
_OPENS: Final = re.compile(r'\{\s*["}]|\[\s*[{\["\]]')
"""Where JSON begins that may hold claims; a brace in prose does not."""
_ARRAY: Final = re.compile(r"\[\s*(?=\{)")
_BETWEEN: Final = re.compile(r"\s*,\s*")
_DECODER: Final = json.JSONDecoder(strict=False)
_ROUNDS: Final = 2
"""How often a claim is told on average by a model that goes round in circles, at least."""
_NESTED: Final = 40
_STARTS: Final = 50
"""Places at which a value is looked for in a text that is not JSON."""
_LONGEST: Final = 400_000
"""Code points that are looked at: what a bounded reply cannot exceed."""
_NOTHING: Final = frozenset({"", "null", "none", "n/a", "unknown", "not specified", "not stated"})

_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "passage": ("passage", "passage_number", "passage_id", "paragraph", "number"),
    "subject": ("subject", "subject_name", "source", "source_entity", "source_name", "source_entity_name", "head",
                "entity", "entity_name", "from_entity", "name"),
    "predicate": ("predicate", "relation", "relation_type", "relationship", "relationship_type", "property",
                  "edge", "type", "label"),
    "object": ("object", "object_name", "target", "target_entity", "target_name", "target_entity_name", "tail",
               "to_entity", "value"),
    "quote": ("quote", "evidence", "quotation", "source_text", "sentence", "text", "span"),
    "start": ("start", "start_date", "valid_from", "since", "from", "valid_at", "begin"),
    "end": ("end", "end_date", "valid_to", "until", "to", "invalid_at"),
    "ended": ("ended", "is_over", "over", "no_longer"),
}  # fmt: skip
"""What models call the fields, the likeliest first."""
_NAMES: Final = ("name", "entity_name", "text", "value", "id")
"""What holds the name where an end of a claim is an object of its own."""
_LISTS: Final = ("claims", "claim", "facts", "relations", "relationships", "triples", "edges", "items", "results",
                 "data", "output", "response")  # fmt: skip


class UnusableReplyError(ValueError):
    """A reply that cannot be understood."""

    def __init__(self, kind: str, fault: str) -> None:
        super().__init__(fault)
        self.kind = kind
        """``json``, ``truncated``, ``schema`` or ``fields``."""
        self.fault = fault
        """What was wrong, as part of a sentence."""


@dataclass(frozen=True, slots=True)
class Told:
    """A claim as a model told it: words, nothing of them checked. Empty is not said."""

    passage: int
    """From 1 on; 0 if it did not say."""
    subject: str
    predicate: str
    object: str
    quote: str = ""
    start: str = ""
    end: str = ""
    ended: bool = False


def read_reply(text: str, *, whole: bool = True) -> tuple[Told, ...]:
    """What a reply tells.

    Args:
        text: of the reply.
        whole: whether the model came to its end. Of one that did, closing brackets may be missing; of one that was cut
            off, what it told so far is not all there is: see `read_part`.

    Raises:
        UnusableReplyError: it cannot be understood.
    """
    values = list(_values(_spoken(text)[:_LONGEST]))
    if not values:
        raise UnusableReplyError("json", "it holds no JSON") if whole else _truncated()
    faults: list[UnusableReplyError] = []
    for value, closed in reversed(values):  # a model thinks first, and answers last
        if value is None or not (closed or whole):
            faults.append(_truncated())
            continue
        try:
            return _told_in(value)
        except UnusableReplyError as fault:
            faults.append(fault)
    raise faults[0]


def read_part(text: str) -> tuple[Told, ...]:
    """What a reply tells that was cut off: the claims that are complete, in the order in which it told them.

    One that goes round in circles tells nothing.
    """
    text = _spoken(text)[:_LONGEST]
    told: tuple[Told, ...] = ()
    at, whole = 0, True
    while whole and (match := _ARRAY.search(text, at)) is not None:
        items, at, whole = _items_from(text, match.end())
        every = [claim for item in items for claim in _claims(item)]
        once = tuple(dict.fromkeys(every))
        if len(every) > _ROUNDS * len(once):
            return ()
        told = once or told
    return told


def _items_from(text: str, at: int) -> tuple[list[Json], int, bool]:
    """(the items of a list, where they end, whether that is the end of the list) from its first one on."""
    items: list[Json] = []
    while True:
        try:
            item, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return items, at, False
        items.append(item)
        between = _BETWEEN.match(text, at)
        if between is None:
            return items, at, text[at:].lstrip().startswith("]")
        at = between.end()


def _truncated() -> UnusableReplyError:
    return UnusableReplyError("truncated", "it ends in the middle")


def _spoken(text: str) -> str:
    """The reply without what the model only thought."""
    text = _THOUGHT.sub(" ", text)
    ends = list(_THOUGHT_END.finditer(text))
    return text[ends[-1].end() :] if ends else text


# -- JSON in a text


def _values(text: str) -> Iterator[tuple[Json, bool]]:
    """(value, whether it was closed) of each object or list in a text, in order; the value is None if it is cut off.

    What was never closed reaches to the end of the text: nothing within it counts for itself.
    """
    at = 0
    for _ in range(_STARTS):
        match = _OPENS.search(text, at)
        if match is None:
            return
        end, missing = _extent(text, match.start())
        if missing is not None:
            yield _parsed(text[match.start() :] + missing), False
            return
        found = _parsed(text[match.start() : end])
        at = match.start() + 1 if found is None else end
        if found is not None:
            yield found, True


def _extent(text: str, start: int) -> tuple[int, str | None]:
    """(where the value ends that starts there, the brackets that it lacks; None if it is closed, or broken)."""
    lacking: list[str] = []
    quoted = escaped = False
    for at in range(start, len(text)):
        sign = text[at]
        if quoted:
            quoted, escaped = escaped or sign != '"', not escaped and sign == "\\"
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            lacking.append("}" if sign == "{" else "]")
            if len(lacking) > _NESTED:
                return at, None
        elif sign in "}]" and (lacking.pop() != sign or not lacking):
            return at + 1, None
    return len(text), "".join(reversed(lacking))


def _parsed(text: str) -> Json | None:
    for attempt in (text, _without_trailing_commas(text)):
        try:
            value = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict | list) else None
    return None


def _without_trailing_commas(text: str) -> str:
    """JSON as people write it: a comma before a closing bracket means nothing. Strings are left alone."""
    pieces = re.split(r'("(?:[^"\\]|\\.)*")', text)
    return "".join(piece if place % 2 else re.sub(r",(?=\s*[}\]])", "", piece) for place, piece in enumerate(pieces))


# -- claims in JSON


def _told_in(value: Json) -> tuple[Told, ...]:
    items = _items(value)
    told = [claim for item in items for claim in _claims(item)]
    if items and not told:
        raise UnusableReplyError("fields", "its claims lack a subject, a predicate or an object")
    return tuple(dict.fromkeys(told))


def _items(value: Json) -> list[Json]:
    """The list of claims in a value."""
    if isinstance(value, list):
        return value
    for name in _LISTS:
        if isinstance(inner := value.get(name), list | dict):
            return inner if isinstance(inner, list) else _items(inner)
    if _text(value, "subject") and _text(value, "predicate"):
        return [value]
    properties = value.get("properties")
    if isinstance(properties, dict):
        if isinstance(filled := properties.get("claims"), list):  # it wrote its reply into the schema
            return filled
        raise UnusableReplyError("schema", "it repeats the schema, and holds no claims")
    if not value:
        return []
    raise UnusableReplyError("fields", 'it has no list "claims"')


def _claims(item: Json) -> Iterator[Told]:
    """The claims that one item of the list is: several if it names several objects."""
    if not isinstance(item, dict):
        return
    subject, predicate = _text(item, "subject"), _text(item, "predicate")
    objects = _field(item, "object")
    for each in objects if isinstance(objects, list) else [objects]:
        if subject and predicate and (target := _plain(each)):
            yield Told(
                _number(_field(item, "passage")), subject, predicate, target, _text(item, "quote"),
                _text(item, "start"), _text(item, "end"), _flag(_field(item, "ended")),
            )  # fmt: skip


def _field(item: Mapping[str, Json], field: str) -> Json:
    spelled = {str(key).strip().lower().replace(" ", "_").replace("-", "_"): value for key, value in item.items()}
    return next((spelled[name] for name in _FIELDS[field] if spelled.get(name) is not None), None)


def _text(item: Mapping[str, Json], field: str) -> str:
    return _plain(_field(item, field))


def _plain(value: Json) -> str:
    """Words, or the name of an object that has one."""
    if isinstance(value, dict):
        value = next((value[name] for name in _NAMES if isinstance(value.get(name), str)), None)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = " ".join(str(value).split())
    return "" if text.casefold() in _NOTHING else text


def _number(value: Json) -> int:
    digits = re.search(r"\d{1,6}", _plain(value))
    return int(digits[0]) if digits else 0


def _flag(value: Json) -> bool:
    return value is True or (isinstance(value, str) and value.strip().casefold() in {"true", "yes"})


# -- as it is kept


def dump_told(told: Iterable[Told]) -> str:
    """What was told of one passage as JSON, to be kept."""
    rows = [{key: value for key, value in asdict(each).items() if value and key != "passage"} for each in told]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def load_told(text: str) -> tuple[Told, ...]:
    """The way back."""
    return tuple(Told(**{"passage": 1, **row}) for row in json.loads(text))
