"""What a document, and the words themselves, show a name to be: "moved from Acme to Initech" tells neither."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from kgmem.extraction.ontology import Ontology, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal
from kgmem.model import ClaimKind, EntityType
from kgmem.resolution.names import name_key

Types = frozenset[EntityType]
_NOTHING: Final[Types] = frozenset()


class Evidence:
    """What names are, as far as claims, a guess or their words tell. Claims are learned in the order of the text."""

    def __init__(self, ontology: Ontology, claims: Iterable[ClaimProposal]) -> None:
        self._ontology = ontology
        self._shown: dict[str, set[EntityType]] = defaultdict(set)
        for claim in claims:
            self.learn(claim)

    def learn(self, claim: ClaimProposal) -> None:
        """Take in a claim, unless its own words leave open what it is about."""
        predicate = self._ontology.predicates.get(claim.predicate)
        if predicate is None or claim.doubtful or claim.kind is ClaimKind.YIELDS:
            return
        for ref, types in ((claim.subject, predicate.domain), (claim.object, predicate.range)):
            if ref is not None and len(types) == 1:
                self._shown[name_key(ref.name)].add(types[0])

    def of(self, name: str, guess: Typing) -> Types:
        """What a name is shown to be, from the best that tells; nothing if nothing does."""
        key = name_key(name)
        if shown := self._shown.get(key):
            return frozenset(shown)
        words = key.split()
        spelled = {key, f"{words[0]} …", f"… {words[-1]}"} if len(words) > 1 else {key}
        told = frozenset(kind for kind, words in self._ontology.telling.items() if not words.isdisjoint(spelled))
        return told or (frozenset({guess.type}) if guess.rank <= Rank.GUESS else _NOTHING)
