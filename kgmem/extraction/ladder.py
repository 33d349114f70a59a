"""The rungs in order: structure, known names, sentences, spaCy's grammar and names, labels of one's own, a model.

Each rung only adds: a span that a better rung took is not taken again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from kgmem.extraction.gliner.claims import LabelledClaims, labelled_mentions
from kgmem.extraction.grammar import Clauses, Parsed, without_vaguer
from kgmem.extraction.marks import NOT_PROSE, is_free
from kgmem.extraction.merging import merge
from kgmem.extraction.ontology import UNTYPED, Ontology, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, Extraction, MentionProposal, Ref
from kgmem.extraction.relations import Name, Relations
from kgmem.extraction.short_names import Full, ShortNames
from kgmem.extraction.structure import link_ref, names_a_note, read_structure
from kgmem.model import AliasKind, EntityType
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import is_given_name
from kgmem.sources.document import Block, Document, Link

if TYPE_CHECKING:
    from kgmem.extraction.entities import NamedSpan
    from kgmem.extraction.gliner.spans import Labelling
    from kgmem.extraction.lexicon import Lexicon, Span

Known = Callable[[Ref], tuple[str, str, EntityType] | None]
"""Gives (key, full name, type) of what a reference surely means; None if nobody said what it is."""

Further = Callable[[Sequence[MentionProposal], Sequence[ClaimProposal]], Sequence[ClaimProposal]]
"""A rung that needs what all others found: gives the claims that it adds to theirs."""


def readable(document: Document) -> list[str]:
    """The prose of each block, empty where a block holds none: what a language rung may read."""
    return [block.prose if block.kind not in NOT_PROSE else "" for block in document.blocks]


def extract(
    document: Document,
    typing: Typing,
    ontology: Ontology,
    lexicon: Lexicon,
    named: Sequence[Sequence[NamedSpan]] | None = None,
    *,
    parsed: Sequence[Sequence[Parsed]] | None = None,
    labelled: Labelling | None = None,
    known: Known = lambda _: None,
    settled: Iterable[str] = (),
    further: Further = lambda _mentions, _claims: (),
) -> Extraction:
    """All that the rungs propose for a document.

    Args:
        document: the source as it was read.
        typing: the type of what it is about.
        ontology: what keys, headings and types mean.
        lexicon: the names that the memory knows.
        named: spaCy's spans, one list for each block; None without that rung.
        parsed: the sentences of each block that spaCy parsed; None without that rung.
        labelled: what the third rung found; None without it.
        known: what references mean; see `Known`.
        settled: short names that somebody decided the meaning of, for this document.
        further: a rung above these.
    """
    structure = read_structure(document, typing, ontology)
    mentions = list(structure.mentions)
    relations = Relations(document, typing, ontology, structure.claims)
    clauses = None if parsed is None else Clauses(document, typing, ontology, structure.claims, partial(_noted, known))
    labels = None if labelled is None else LabelledClaims(document, ontology, labelled.meanings)
    names = [
        [] if block.kind in NOT_PROSE else _known(index, block, lexicon, () if named is None else named[index])
        for index, block in enumerate(document.blocks)
    ]
    short = ShortNames(document, _in_full(document, typing, names, named or (), known), settled)
    for index, block in enumerate(document.blocks):
        if block.kind in NOT_PROSE:
            continue
        found = names[index]
        taken = [(link.start, link.end) for link in block.links]
        taken += [(mention.start, mention.end) for mention in found]
        found += short.mentions(index, block, taken, () if named is None else named[index])
        mentions += found
        if labelled is not None:
            found += labelled_mentions(index, block, labelled.blocks[index], taken)
            mentions += [mention for mention in found if mention.rung == "gliner"]
        guessed = [] if named is None else _recognized(index, named[index], list(taken))
        here = _names(block, found, guessed)
        told = list(relations.read(index, here)) if document.counts(index) else []
        if clauses is not None and parsed is not None and document.counts(index):
            own = [(mention.start, mention.end) for mention in told]
            told += [each for each in clauses.read(index, here, parsed[index]) if is_free(each.start, each.end, own)]
        if labels is not None and labelled is not None and document.counts(index):
            told += labels.read(index, labelled.blocks[index], here)
        mentions += told
        taken += [(mention.start, mention.end) for mention in told]
        if named is not None:
            mentions += _typed_links(index, block, named[index])
            mentions += _recognized(index, named[index], taken)
    claims = [
        *structure.claims,
        *without_vaguer([*relations.claims, *(clauses.claims if clauses else ())]),
        *(labels.claims if labels else ()),
    ]
    merged = merge(
        [each for each in (*claims, *further(mentions, claims)) if document.counts(each.block)],
        document.head.title,
        lambda predicate: ontology.rule(predicate).single,
        ontology.merging,
    )
    return Extraction(
        typing,
        mentions,
        merged.claims,
        (*document.problems, *structure.problems, *relations.problems, *(clauses.problems if clauses else ())),
        merged.dropped,
    )


def _noted(known: Known, ref: Ref) -> EntityType | None:
    who = known(ref)
    return who[2] if who else None


def _known(index: int, block: Block, lexicon: Lexicon, named: Sequence[NamedSpan]) -> list[MentionProposal]:
    links = [(link.start, link.end) for link in block.links]
    return [
        MentionProposal(index, _named_ref(span, named), span.start, span.end, span.surface, "names")
        for span in lexicon.find(block.prose)
        if is_free(span.start, span.end, links)
    ]


def _named_ref(span: Span, named: Sequence[NamedSpan]) -> Ref:
    """A known name; of a given name, the grammar may say whether the text means a person by it."""
    typing = UNTYPED
    if is_given_name(span.key):
        guesses = (each.type for each in named if (each.start, each.end) == (span.start, span.end))
        typing = next((Typing(kind, None, Rank.GUESS) for kind in guesses), UNTYPED)
    return Ref(span.surface, AliasKind.TEXT, None, typing)


def _in_full(
    document: Document,
    typing: Typing,
    mentions: Iterable[Sequence[MentionProposal]],
    named: Iterable[Sequence[NamedSpan]],
    known: Known,
) -> Iterator[Full]:
    """Whom a document names in full: what it is about, those it links to or knows, and those that are guessed."""
    head = document.head
    own = Ref(head.title, AliasKind.TEXT, head.path)
    found: list[Full] = []
    if typing.rank <= Rank.FOLDER:
        key, *_ = known(own) or (head.path,)
        found += [Full(own, name, key, typing.type) for name in (head.title, *head.aliases)]
    refs = dict.fromkeys(mention.ref for some in mentions for mention in some)
    found += [Full(ref, who[1], who[0], who[2]) for ref in refs if (who := known(ref))]
    links = (link for block in document.blocks for link in block.links if names_a_note(link))
    found += [each for link in links if (each := _linked(link, known)) is not None]
    yield from found
    keys = {name_key(each.name) for each in found}
    guessed = {name_key(span.surface): span for some in named for span in some}
    yield from (
        Full(Ref(span.surface, AliasKind.TEXT, None, Typing(span.type, None, Rank.GUESS)), span.surface, key,
             span.type, "spacy")
        for key, span in guessed.items()
        # A guess alone takes "Cloud Run" for a person, too.
        if key not in keys and (span.type is not EntityType.PERSON or is_given_name(key.split()[0]))
    )  # fmt: skip


def _linked(link: Link, known: Known) -> Full | None:
    """Whom a link means; that of a note which does not exist, if it begins with a given name."""
    ref = link_ref(link)
    if link.path is not None:
        text = replace(ref, kind=AliasKind.TEXT)
        who = known(text)
        return Full(text, who[1], who[0], who[2], called=link.shown) if who else None
    key = name_key(ref.name)
    first, *rest = key.split() or [""]
    return Full(ref, ref.name, key, called=link.shown) if rest and is_given_name(first) else None


def _names(block: Block, *found: Sequence[MentionProposal]) -> list[Name]:
    """What a block names, as sentences are read with."""
    links = [
        Name(link.shown_start, link.shown_end, link_ref(link), link=True) for link in block.links if names_a_note(link)
    ]
    return links + [Name(mention.start, mention.end, mention.ref) for group in found for mention in group]


def _typed_links(index: int, block: Block, spans: Sequence[NamedSpan]) -> list[MentionProposal]:
    """Links to notes that do not exist, whose words the grammar takes for a name: that tells their type."""
    types = {(span.start, span.end): span.type for span in spans}
    return [
        MentionProposal(
            index, link_ref(link, Typing(kind, None, Rank.GUESS)), link.shown_start, link.shown_end, link.shown, "spacy"
        )
        for link in block.links
        if link.path is None and names_a_note(link) and (kind := types.get((link.shown_start, link.shown_end)))
    ]


def _recognized(index: int, spans: Sequence[NamedSpan], taken: list[tuple[int, int]]) -> list[MentionProposal]:
    found = []
    for span in spans:
        if is_free(span.start, span.end, taken):
            taken.append((span.start, span.end))
            ref = Ref(span.surface, AliasKind.TEXT, None, Typing(span.type, None, Rank.GUESS))
            found.append(MentionProposal(index, ref, span.start, span.end, span.surface, "spacy"))
    return found
