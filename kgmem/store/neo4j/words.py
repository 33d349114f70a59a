"""Full text: the words of a text as they are indexed, and a question as Lucene reads it.

Words are cut, stripped of accents and stemmed here, by the very tokenizer of the other store, and indexed between
spaces as they are: both stores find the same. What Lucene is sent holds nothing but such words in quotes, so that
nothing needs escaping.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import apsw

from kgmem.store.text import alternatives, prepare, words

_TOKENIZER: Final = ("porter", ["unicode61", "remove_diacritics", "2", "categories", "L* N* M*"])

BETWEEN: Final = "¶"
"""Stands between parts of a passage: a sign, which no question asks for."""

LIVE: Final = "live"
DEAD: Final = "dead"

PASSAGE_FIELDS: Final = {"words": 1.0}
"""Text, heading and title in one: Lucene weighs each field by itself, the other store a row as a whole. On 748 notes
nine in ten of the ten best of a question are the same with one field, and two in three with three."""
FACT_FIELDS: Final = {"statement_words": 1.0}
ENTITY_FIELDS: Final = {"name_words": 2.0, "alias_words": 1.0}
"""Properties that are searched, with what a word in each weighs."""


def indexed(text: str) -> str:
    """The words of a text, with a space between two."""
    return " ".join(_tokens(prepare(text)))


def joined(text: str, heading: str, title: str) -> str:
    """The words of a passage from those of its parts; no phrase runs from one part into the next."""
    return f" {BETWEEN} ".join((text, heading, title))


def ever_query(text: str) -> str | None:
    """What finds passages, live or not, that have these words in this order; None if the text has no words."""
    found = _phrase(words(text))
    return f"words:{found}" if found else None


def phrase_query(text: str) -> tuple[str, str] | None:
    """(what finds live passages that have these words in this order, the words); None if the text has no words."""
    found = _phrase(words(text))
    return (f"+words:{found} +{_IS_LIVE}", found.strip('"')) if found else None


def query(text: str, fields: Mapping[str, float], *, live: bool) -> str | None:
    """What finds rows with any of the words of a text, best first; None if it has none. See `kgmem.store.text`.

    Args:
        text: what a person asks for.
        fields: where to look.
        live: only for what is live, which the index tells; without it, also for what was.
    """
    phrases = [found for each in alternatives(text) if (found := _phrase(each))]
    if not phrases:
        return None
    weighed = (f"{field}:{phrase}^{weight}" for phrase in phrases for field, weight in fields.items())
    return f"+({' '.join(weighed)})" + (f" +{_IS_LIVE}" if live else "")


_IS_LIVE: Final = f"state:{LIVE}^0"


def _phrase(found: Sequence[str]) -> str | None:
    tokens = _tokens(" ".join(found))
    return f'"{" ".join(tokens)}"' if tokens else None


def _tokens(text: str) -> Iterable[str]:
    if not text:
        return []
    found: list[str] = _tokenizer()(
        text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False
    )
    return found


@cache
def _tokenizer() -> Any:
    """SQLite's; the connection that it belongs to lives as long as it does."""
    name, arguments = _TOKENIZER
    connection = apsw.Connection(":memory:")
    return connection.fts5_tokenizer(name, arguments)
