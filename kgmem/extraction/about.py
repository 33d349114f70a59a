"""A text that is about somebody else than its source: "likes oysters", said of Ida."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from kgmem.extraction.ontology import UNTYPED, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, Extraction, MentionProposal, Ref
from kgmem.model import LINKS_TO, AliasKind, EntityType
from kgmem.resolution.persons import is_given_name
from kgmem.sources.document import About, Document

Known = Callable[[Ref], tuple[str, str, EntityType] | None]
"""See `kgmem.extraction.ladder.Known`."""
Extract = Callable[[Document, Typing], Extraction]


def extract_about(document: Document, about: About, typing: Typing, known: Known, extract: Extract) -> Extraction:
    """What a document says, read as if that name were its title; what it then says of itself, it says of that name.

    Args:
        document: the source as it was read.
        about: whom it is about: what notes say of the name's type counts first; a given name is a person's.
        typing: the type of the source itself.
        known: what references mean.
        extract: the rungs.
    """
    ref = Ref(about.name, AliasKind.LINK)
    who = known(ref)
    called, kind = (about.name, about.type) if who is None else who[1:]
    if kind is None and is_given_name(about.name.split()[0].casefold()):
        kind = EntityType.PERSON
    if who is None and kind is not None:
        ref = replace(ref, typing=Typing(kind, None, Rank.GUESS))
    own = UNTYPED if kind is None else Typing(kind, None, Rank.SAID)
    found = extract(replace(document, head=replace(document.head, title=called), about=None), own)
    return replace(
        found,
        typing=typing,
        mentions=[*found.mentions, *_named(document, ref)],
        claims=[_of(ref, each) for each in found.claims],
    )


def _of(ref: Ref, claim: ClaimProposal) -> ClaimProposal:
    """The claim with that reference in the place of what the document is about; a link stays one of the document."""
    if claim.object_is_note:
        return replace(claim, object=ref, object_is_note=False)
    return replace(claim, subject=ref) if claim.subject is None and claim.predicate != LINKS_TO else claim


def _named(document: Document, ref: Ref) -> Iterator[MentionProposal]:
    """Where the document says whom it is about."""
    for index, block in enumerate(document.blocks):
        for link in block.links:
            if block.kind == "property" and link.target.rsplit("/", 1)[-1] == ref.name:
                yield MentionProposal(index, ref, link.shown_start, link.shown_end, link.shown, "structure")
                return
