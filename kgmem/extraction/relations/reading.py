"""The sentences of a document that say something, one block after the other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import Final

from kgmem.extraction.dates.spans import day_of
from kgmem.extraction.ontology import Ontology, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, MentionProposal
from kgmem.extraction.relations.claims import Claims, Place
from kgmem.extraction.relations.evidence import Evidence
from kgmem.extraction.relations.framing import (
    LONGEST_DENIAL,
    Labels,
    is_tale,
    is_unsaid,
    names_invention,
    readable_prose,
)
from kgmem.extraction.relations.matching import Match, find_matches
from kgmem.extraction.relations.tokens import Name, Sentence, sentence_tokens
from kgmem.extraction.relations.wordings import Seen, grammar_of
from kgmem.extraction.relations.words import BEGUN, DATE_WORDS, HEDGES, OPENERS
from kgmem.extraction.sentences import Sentences
from kgmem.model import Basis, Bound, EntityType, Precision, Problem
from kgmem.sources.document import Block, Document, Head

READ: Final = frozenset({"paragraph", "item", "callout", "message"})
"""A quote is somebody else's, a task is not done, and a heading is no sentence."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|&")
_HEDGES: Final = HEDGES - {"may"}
_BEFORE_BARE: Final = BEGUN | {"and", "&", "used", "not"}
_DIGIT = re.compile(r"\d")
_NAME_LIKE = re.compile(r"\b(?!I\b)[^\W\d_a-z]")
_CAPITAL = re.compile(r"(?<=[\w,;:)] )[^\W\d_a-z][\w'’-]+")


class Relations:
    """What the sentences of one document say. Blocks are read in order, each after its names are known."""

    def __init__(
        self, document: Document, typing: Typing, ontology: Ontology, claimed: Iterable[ClaimProposal]
    ) -> None:
        """Args: `claimed` is what a better rung made of the document: it is not repeated."""
        self._document = document
        self._typing = typing
        self._is_person = typing.type is EntityType.PERSON and typing.rank <= Rank.FOLDER
        self._grammar = grammar_of(ontology)
        self._ontology = ontology
        self._said = document.occurred
        self._anchor = anchor_of(self._said)
        better = tuple(claimed)
        self._claims = Claims(ontology, self._grammar.role, Evidence(ontology, better))
        self._claimed = {_saying(claim, document.head.title) for claim in better}
        self._tale = is_tale(document.head, typing, told=ontology.tales)

    @property
    def claims(self) -> list[ClaimProposal]:
        """What was claimed so far, each thing once a block, and nothing that was claimed before."""
        title = self._document.head.title
        fresh: dict[object, ClaimProposal] = {}
        for claim in self._claims.claims:
            saying = _saying(claim, title)
            if saying not in self._claimed:
                fresh.setdefault((saying, claim.kind, claim.valid), claim)
        return list(fresh.values())

    @property
    def problems(self) -> list[Problem]:
        """What sentences say of time that cannot be."""
        return list(dict.fromkeys(self._claims.problems))

    def read(self, index: int, names: Sequence[Name]) -> Sequence[MentionProposal]:
        """Read a block; gives the mentions of names that only its sentences tell."""
        block = self._document.blocks[index]
        if block.kind not in READ:
            return ()
        hits = list(self._grammar.hits(block.prose))
        if not hits or any(names_invention(heading) for heading in block.headings):
            return ()
        before = len(self._claims.mentions)
        self._said = self._document.said(block)
        self._anchor = anchor_of(self._said)
        known = sorted(names, key=lambda name: (name.start, -name.end, not name.link))
        reader = _Block(block, known, self._document.head, speaker_of(block, self._ontology))
        for (start, end), group in groupby(hits, key=lambda hit: reader.sentences.bounds(hit[0])):
            self._sentence(index, reader, start, end, [word for _, word in group])
        return self._claims.mentions[before:]

    def _sentence(self, index: int, reader: _Block, start: int, end: int, triggers: list[str]) -> None:
        prose = reader.prose
        text = prose[start:end]
        words = frozenset(_WORD.findall(text.lower()))
        if words & _HEDGES:
            return
        if "n't" in text or "n’t" in text:
            words |= {"not"}
        patterns = self._grammar.patterns(triggers, self._look(reader, text, start, words))
        if not patterns or text.rstrip().endswith(("?", "?)", '?"', "?”")):
            return
        dated = not words.isdisjoint(DATE_WORDS) or _DIGIT.search(text) is not None
        sentence = sentence_tokens(prose, start, end, reader.names, self._anchor, dated=dated)
        if "may" in words and _hedges_with_may(sentence):
            return
        for match in find_matches(sentence, patterns, self._grammar):
            if not self._is_stated(reader, sentence, match) or not self._knows_subject(reader, sentence, match):
                continue
            quote = reader.sentences.around(start, max(start + 1, end - 1))
            line = prose.count("\n", 0, sentence.tokens[match.first].start)
            place = Place(
                path=self._document.head.path, block=index, first_line=reader.block.first_line, line=line,
                quote=quote, said=self._said, title=self._document.head.title,
                owner=reader.owner, person=self._is_person, anchor=self._anchor,
            )  # fmt: skip
            if self._claims.add(sentence, match, place) and any(each.is_note for each in match.who.subjects):
                reader.of_note.update(sentence.tokens[each.first].start for each in match.filled)

    def _look(self, reader: _Block, text: str, start: int, words: frozenset[str]) -> Seen:
        first = bisect_left(reader.names, start, key=lambda name: name.start)
        named = first < len(reader.names) and reader.names[first].start < start + len(text)
        about_other = self._typing.rank <= Rank.FOLDER and self._typing.type is not EntityType.PERSON
        bare_verbs = not words.isdisjoint(_BEFORE_BARE) or (reader.owner is not None and "i" in words)
        roles = not words.isdisjoint(self._grammar.roles)
        return Seen(words, named or about_other, _NAME_LIKE.search(text, 1) is not None, roles, bare_verbs)

    def _is_stated(self, reader: _Block, sentence: Sentence, match: Match) -> bool:
        """Whether the writer says it, and of the world."""
        if _quoted(sentence, match) or reader.labels.taken(sentence.tokens[match.first].start):
            return False
        invented = self._tale and EntityType.PERSON in match.pattern.predicate.domain
        prose = sentence.prose
        return not invented and not is_unsaid(
            prose[sentence.start : sentence.end], prose[sentence.end : sentence.end + LONGEST_DENIAL]
        )

    def _knows_subject(self, reader: _Block, sentence: Sentence, match: Match) -> bool:
        """Whether "she", or nobody, can only mean what the note is about."""
        if not any(each.is_note for each in match.who.subjects):
            return True
        types = match.pattern.types(match.pattern.first)
        typed = self._typing.rank <= Rank.FOLDER and self._typing.type in types
        return typed and not self._names_its_subject(reader.block) and not reader.names_others(sentence.start)

    def _names_its_subject(self, block: Block) -> bool:
        """Whether the heading above gathers other people: "Family"."""
        if not block.headings:
            return False
        reading = self._ontology.named(block.headings[-1], EntityType.PERSON)
        return reading is not None and EntityType.PERSON in (
            reading.predicate.domain if reading.flipped else reading.predicate.range
        )


class _Block:
    def __init__(self, block: Block, names: list[Name], head: Head, owner: str | None) -> None:
        self.block = block
        self.prose = readable_prose(block)
        """What its writer stands by."""
        self.sentences = Sentences(self.prose)
        self.names = names
        self._head = head
        self.owner = owner
        """Whom "I" means."""
        self.of_note: set[int] = set()
        """Where names begin that claims about the note itself speak of."""

    @cached_property
    def labels(self) -> Labels:
        """Whom parts of it belong to."""
        return Labels(self.prose, self.owner)

    @cached_property
    def _own(self) -> frozenset[int]:
        """Where names begin of what the note is about."""
        title, path = self._head.title.casefold(), self._head.path
        return frozenset(
            name.start for name in self.names if path == name.ref.path or name.ref.name.casefold() == title
        )

    def names_others(self, past: int) -> bool:
        """Whether the text before a place names anyone but what was said of the note."""
        if any(name.start < past and name.start not in self.of_note | self._own for name in self.names):
            return True
        text = self.prose
        return any(
            match[0].lower() not in OPENERS
            and match.start() not in self._own
            and not any(start <= match.start() < start + 80 for start in self.of_note)
            for match in _CAPITAL.finditer(text, 0, past)
        )


def speaker_of(block: Block, ontology: Ontology) -> str | None:
    """Whom "I" means in a block."""
    return ontology.owner if block.voice is None else block.voice.name


def anchor_of(said: Bound) -> date | None:
    """The day that relative words count from: the note's own, if it has one."""
    if said.moment is None or said.basis is Basis.FILE or said.moment.precision < Precision.DAY:
        return None
    return day_of(said.moment.first)


def _quoted(sentence: Sentence, match: Match) -> bool:
    """Whether a phrase stands inside of quotation marks."""
    before = sentence.prose[sentence.start : sentence.tokens[match.first].start]
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”") or before.count("«") > before.count("»")


def _hedges_with_may(sentence: Sentence) -> bool:
    """Whether "may" stands there as a verb, and not as a name: "May Lin lives in Bonn"."""
    return any(
        token.word == "may" and not (token.capital and sentence.run_from(at) > at + 1)
        for at, token in enumerate(sentence.tokens)
    )


def _saying(claim: ClaimProposal, title: str) -> object:
    subject = claim.subject.name if claim.subject else title
    target = claim.object.name if claim.object else claim.value or title
    pair = (subject.casefold(), target.casefold())
    return claim.block, claim.predicate, tuple(sorted(pair)) if claim.symmetric else pair
