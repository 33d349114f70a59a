"""The parsed sentences of a document, one block after the other: what they claim, and whom they mention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, NamedTuple

from kgmem.extraction.grammar.beside import besides
from kgmem.extraction.grammar.claims import Claims, Place
from kgmem.extraction.grammar.filling import Found
from kgmem.extraction.grammar.frames import frames_of
from kgmem.extraction.grammar.liking import likings, with_topic
from kgmem.extraction.grammar.matching import Matcher
from kgmem.extraction.grammar.nominal import Nouns, having
from kgmem.extraction.grammar.passage import Named, Passage, Shown, Whom
from kgmem.extraction.grammar.referents import End, Referents
from kgmem.extraction.grammar.times import Noted, Times
from kgmem.extraction.grammar.tree import Tree
from kgmem.extraction.grammar.words import INVENTING, Parsed
from kgmem.extraction.ontology import Ontology, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, MentionProposal, Ref
from kgmem.extraction.relations.evidence import Evidence
from kgmem.extraction.relations.framing import (
    LONGEST_DENIAL,
    Labels,
    is_tale,
    is_unsaid,
    names_invention,
    readable_prose,
)
from kgmem.extraction.relations.reading import READ, anchor_of, speaker_of
from kgmem.extraction.relations.tokens import Name, sentence_tokens
from kgmem.extraction.sentences import Sentences
from kgmem.model import EntityType, Problem
from kgmem.sources.document import Block, Document

_QUOTES: Final = ('"', "“", "«")


class _Here(NamedTuple):
    """The block that a sentence stands in."""

    number: int
    block: Block
    passage: Passage
    names: Sequence[Name]
    sentences: Sentences


class Clauses:
    """What the clauses of one document say. Blocks are read in order, each after its names are known."""

    def __init__(
        self,
        document: Document,
        typing: Typing,
        ontology: Ontology,
        claimed: Iterable[ClaimProposal],
        noted: Callable[[Ref], EntityType | None] = lambda _: None,
    ) -> None:
        """Prepare to read.

        Args:
            document: the note.
            typing: the type of what it is about.
            ontology: predicates, roles and frames.
            claimed: what the structure of the note says: it tells of names what they are.
            noted: gives what the note of a reference says that it is; None if there is none.
        """
        self._document = document
        self._ontology = ontology
        self._frames = frames_of(ontology)
        evidence = Evidence(ontology, claimed)
        self._shown = Shown(evidence, noted)
        self._claims = Claims(ontology, evidence)
        head = document.head
        about = typing.type if typing.rank <= Rank.FOLDER else None
        self._whom = Whom(head.title, head.path, about, ontology.owner)
        self._noted = Noted(document.occurred, anchor_of(document.occurred))
        self._tale = is_tale(head, typing, told=ontology.tales)

    @property
    def claims(self) -> list[ClaimProposal]:
        """What was claimed so far."""
        return self._claims.claims

    @property
    def problems(self) -> list[Problem]:
        """What sentences say of time that cannot be."""
        return list(dict.fromkeys(self._claims.problems))

    def read(self, index: int, names: Sequence[Name], parsed: Sequence[Parsed]) -> Sequence[MentionProposal]:
        """Read a block; gives the mentions of names that only its sentences tell."""
        block = self._document.blocks[index]
        if not parsed or block.kind not in READ or any(map(names_invention, block.headings)):
            return ()
        self._whom = replace(self._whom, owner=speaker_of(block, self._ontology))
        said = self._document.said(block)
        self._noted = Noted(said, anchor_of(said))
        prose = readable_prose(block)
        before = len(self._claims.mentions)
        sentences = Sentences(prose)
        passage = Passage(prose, names, self._shown, self._whom, starts=sentences.starts, roles=self._frames.roles)
        labels = Labels(prose, self._whom.owner)
        for each in parsed:
            if prose[each.start : each.end].strip() and self._is_stated(prose, each, labels):
                self._sentence(each, _Here(index, block, passage, names, sentences))
        return self._claims.mentions[before:]

    def _is_stated(self, prose: str, parsed: Parsed, labels: Labels) -> bool:
        """Whether the writer says it, and of the world."""
        text = prose[parsed.start : parsed.end]
        if text.rstrip().rstrip("\"”')*_").endswith("?") or is_unsaid(
            text, prose[parsed.end : parsed.end + LONGEST_DENIAL]
        ):
            return False
        if any(word.lemma in INVENTING for word in parsed.words):
            return False
        return bool(parsed.words) and not labels.taken(parsed.words[-1].start)

    def _sentence(self, parsed: Parsed, here: _Here) -> None:
        tree = Tree(parsed)
        prose = here.passage.prose
        matcher = Matcher(tree, Referents(tree, here.passage), self._frames)
        times: Times | None = None
        for found in chain(
            besides(matcher, self._ontology),  # before a verb makes one name of a town and its country
            with_topic(matcher, matcher.verbs()),
            Nouns(matcher).find(),
            having(matcher),
            likings(matcher, self._ontology),
        ):
            if times is None:  # most sentences fill no frame, and dates are dear
                tokens = sentence_tokens(prose, parsed.start, parsed.end, here.names, self._noted.anchor)
                times = Times(tree, tokens)
            speaker = self._speaker(found, matcher, prose, parsed)
            if speaker is None or (self._tale and EntityType.PERSON in found.frame.predicate.domain):
                continue
            place = self._place(here, parsed, tree.words[found.at].start)
            if self._claims.add(found, times, place, None if speaker is _WRITER else speaker):
                self._learn(found, here.passage)

    def _place(self, here: _Here, parsed: Parsed, start: int) -> Place:
        prose = here.passage.prose
        return Place(
            path=self._document.head.path,
            block=here.number,
            first_line=here.block.first_line,
            line=prose.count("\n", 0, start),
            quote=here.sentences.around(parsed.start, max(parsed.start + 1, parsed.end - 1)),
            prose=prose,
            noted=self._noted,
        )

    def _learn(self, found: Found, passage: Passage) -> None:
        """Let the sentences that follow speak of whom this one named."""
        for letter, ends in found.fills.items():
            types = found.frame.types(letter)
            for end in ends:
                told = end.span is not None and end.ref is not None and end.name != self._whom.owner
                if told and not end.doubtful and end.span is not None:
                    shown = frozenset(types[:1]) if len(types) == 1 else frozenset()
                    passage.learn(Named(*end.span, end.name, end.ref, known=end.known, types=shown))

    def _speaker(self, found: Found, matcher: Matcher, prose: str, parsed: Parsed) -> End | None:
        """Who says it: `_WRITER`, or somebody who is named; None if nobody can be told."""
        said_by = found.stance.speaker
        if said_by is None:
            return None if _is_quoted(prose, parsed.start, matcher.tree.words[found.at].start) else _WRITER
        return matcher.referents.end(said_by, (EntityType.PERSON, EntityType.ORGANIZATION))


_WRITER: Final = End("")


def _is_quoted(prose: str, start: int, at: int) -> bool:
    """Whether a place stands inside of quotation marks."""
    before = prose[start:at]
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”") or before.count("«") > before.count("»")
