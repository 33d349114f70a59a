"""CoNLL04: relations between persons, organizations and places in sentences of newspapers (Roth and Yih, 2004).

A file holds sentences of one token a line, ``number, word, tag, relations, heads``, below a line ``#doc``. A relation
stands at the last token of its first name and points to the last token of its second.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from _gold import Score
from _remembered import Note, claimed, remembered

from kgmem.extraction.ontology import load_ontology
from kgmem.model import ClaimKind, EntityType
from kgmem.resolution.names import name_key

RELATIONS = {
    "Live_In": "LIVES_IN",
    "Work_For": "WORKS_AT",
    "OrgBased_In": "LOCATED_IN",
    "Located_In": "LOCATED_IN",
    "Kill": "KILLED",
}
"""The predicate of each; of what is in a place, the type of its subject tells which relation it is."""

_GLUED = re.compile(r" (?=[.,;:!?%)]|'s\b|n't\b|'(?= ))|(?<=[($]) ")
"""Spaces that stand between tokens and not in prose."""


class Sentence(NamedTuple):
    """A sentence as prose, and (relation, key of the first name, key of the second) of each relation."""

    text: str
    relations: frozenset[tuple[str, str, str]]


class _Token(NamedTuple):
    word: str
    tag: str
    relations: Sequence[str]
    heads: Sequence[int]


def sentences(path: Path) -> Iterator[Sentence]:
    """Read a file of the data set."""
    for part in path.read_text(encoding="utf-8").split("#doc")[1:]:
        rows = (line.split("\t") for line in part.splitlines()[1:] if line.strip())
        tokens = [
            _Token(word, tag, ast.literal_eval(said), ast.literal_eval(heads)) for _, word, tag, said, heads in rows
        ]
        relations = {
            (said, _name(tokens, last), _name(tokens, head))
            for last, token in enumerate(tokens)
            for said, head in zip(token.relations, token.heads, strict=True)
            if said != "N"
        }
        yield Sentence(_prose(token.word for token in tokens), frozenset(relations))


def _name(tokens: Sequence[_Token], last: int) -> str:
    first = last
    while tokens[first].tag.startswith("I-"):
        first -= 1
    return name_key(_prose(token.word for token in tokens[first : last + 1]))


def _prose(words: Iterator[str]) -> str:
    return _GLUED.sub("", " ".join(words).replace("` ` ", '"').replace(" ''", '"').replace(" _ ", " - "))


def score(sentences: Sequence[Sentence]) -> dict[str, Score]:
    """The scores by relation and under "all"; names are equal by their keys, and dates are not compared."""
    scores = {name: Score() for name in (*RELATIONS, "all")}
    with remembered([Note(each.text) for each in sentences]) as memory:
        found = claimed(memory)
        types = {each: entity.type for each, entity in memory.store.entities(found.names).items()}
    keys = {each: frozenset(map(name_key, some)) for each, some in found.names.items()}
    for number, sentence in enumerate(sentences):
        got = [
            (relation, keys[claim.subject], keys[claim.object])
            for claim in found.claims[number]
            if claim.object is not None and claim.kind is not ClaimKind.YIELDS
            if (relation := _relation(claim.predicate, types[claim.subject]))
        ]
        _count(scores, sentence, got)
    return scores


def _relation(predicate: str, subject: EntityType) -> str | None:
    if predicate in {"LOCATED_IN", "PART_OF"}:
        if subject is EntityType.ORGANIZATION:
            return "OrgBased_In" if predicate == "LOCATED_IN" else None
        return "Located_In" if subject is EntityType.LOCATION else None
    return next((relation for relation, name in RELATIONS.items() if name == predicate), None)


def _count(
    scores: dict[str, Score], sentence: Sentence, got: Sequence[tuple[str, frozenset[str], frozenset[str]]]
) -> None:
    right = {
        wanted for wanted in sentence.relations for name, one, other in got
        if wanted[0] == name and wanted[1] in one and wanted[2] in other
    }  # fmt: skip
    for relation, subject, target in sentence.relations:
        for score in (scores[relation], scores["all"]):
            score.right += (relation, subject, target) in right
            score.missed += (relation, subject, target) not in right
        if (relation, subject, target) not in right:
            scores["all"].shown.append(f"missed {subject} {relation} {target}\n       {sentence.text}")
    for relation, one, other in got:
        if not any(name == relation and first in one and second in other for name, first, second in right):
            for score in (scores[relation], scores["all"]):
                score.wrong += 1
            scores["all"].shown.append(f"wrong  {max(one)} {relation} {max(other)}\n       {sentence.text}")


def absent() -> tuple[str, ...]:
    """Relations that the ontology has no predicate for."""
    predicates = load_ontology().predicates
    return tuple(relation for relation, name in RELATIONS.items() if name not in predicates)
