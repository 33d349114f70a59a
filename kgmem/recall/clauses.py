"""A question as a clause: its kind, what it names, its other words; and what its answer is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kgmem.model import EntityType, Id
from kgmem.recall.cues import PREPOSITIONS, Cue
from kgmem.recall.facts import FactView
from kgmem.recall.kinds import AUXILIARIES, Asking, Kind
from kgmem.recall.relations import Ground, Hop, Item, Ref, Word, upwards

SMALL: Final = (
    AUXILIARIES
    | PREPOSITIONS
    | frozenset(
        """the a an this that these those and or but than then i me my we us our you your he him his she her it its
        they them their there here be been being any some every all each other else ever exactly really actually now
        currently today still already again also just only so far as people person someone anyone thing things name
        names called full many much more most please who whom whose what which when where how if between both
        since until ago new know known have get got used formerly previously longer no
        anymore""".split()
    )
)
"""Words that ask for nothing of their own. Not "not" and "never": no fact says what is not so."""
FORMER: Final = frozenset("used formerly previously longer anymore once".split())
"""Words that ask for what is over."""
PAST: Final = frozenset("did was were has have had".split())
"""Words that ask, first in a question, whether something was so at any time."""
_ANSWERS: Final = {
    Kind.WHERE: frozenset({EntityType.LOCATION, EntityType.ORGANIZATION, EntityType.EVENT}),
    Kind.WHO: frozenset({EntityType.PERSON, EntityType.ORGANIZATION}),
}
"""What an answer of a kind may be."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a question asks, and the facts that answer it."""

    kind: Kind
    facts: tuple[FactView, ...] = ()
    """The answer. Of "yes or no" those that make it yes."""
    through: tuple[FactView, ...] = ()
    """The facts that led there."""
    instead: tuple[FactView, ...] = ()
    """What is believed of what was asked for, and is not the answer."""
    past: bool = False
    """The facts do not hold at the time asked about."""
    cues: tuple[Cue, ...] = ()
    """What was asked for; none if no predicate was recognized."""
    about: tuple[Id, ...] = ()
    """What the facts were looked up from: the answer stands at their other ends."""
    subject: tuple[int, int] | None = None
    """Where the question says whom it is about."""
    reached: tuple[Id, ...] = ()
    """Entities that it is about and does not name: the owner, and those at the ends of its steps."""
    left: tuple[str, ...] = ()
    """Words that nothing here accounts for."""
    total: int | None = None
    """How many facts there are, where `facts` are some of them and somebody counted."""

    @property
    def leads_on(self) -> bool:
        """Whether its facts lead to entities, and not to values of one."""
        return bool(self.reached) and self.reached[0] not in self.about


@dataclass(slots=True)
class Clause:
    """A question after its phrases were followed."""

    asking: Asking
    items: list[Item]
    ground: Ground
    refs: list[Ref] = field(init=False)
    former: bool = field(init=False)
    """It asks for what is over: "used to", "no longer"."""
    ever: bool = field(init=False)
    """It asks for all times: "has she had", "did she", "ever"."""

    def __post_init__(self) -> None:
        self.refs = [item for item in self.items if isinstance(item, Ref)]
        words = {item.lower for item in self.items if isinstance(item, Word)}
        self.former = not FORMER.isdisjoint(words)
        self.ever = "ever" in words or ("had" in words and not words.isdisjoint({"has", "have"}))
        self.ever = self.ever or (self._asks_of_the_past() and words.isdisjoint({"still", "already", "yet"}))

    def _asks_of_the_past(self) -> bool:
        """Whether it asks if something was so, and not when: "did Mira work at Nord"."""
        first = self.items[0] if self.items else None
        past = isinstance(first, Word) and first.lower in PAST
        return past and self.asking.kind is Kind.YES_NO and not self.ground.dated

    def left(self, taken: Sequence[int] = ()) -> list[Word]:
        """The words that say something and were not taken."""
        words = ((place, item) for place, item in enumerate(self.items) if isinstance(item, Word))
        small = SMALL | {"not"} if self.asking.kind is Kind.YES_NO else SMALL
        return [
            word
            for place, word in words
            if place not in taken
            and word.lower not in small
            and not (self.asking.kind is Kind.YES_NO and word.lower.endswith(("n't", "n’t")))
        ]

    def suits(self, cue: Cue) -> bool:
        """Whether what is at an end of a predicate may be where or who; a person's own predicate may be anything."""
        known = self.ground.cues.ontology.predicates.get(cue.predicate)
        wanted = _ANSWERS.get(self.asking.kind)
        if known is None or wanted is None:
            return True
        ends = known.range if self.asking.kind is Kind.WHERE else (*known.range, *known.domain)
        return not wanted.isdisjoint(ends)

    def stems(self, text: str) -> set[str]:
        """The words of a text, without what inflects them."""
        return {self.ground.cues.stem(word.strip(".,;:!?()[]\"'“”«»")) for word in text.lower().split()}


def fitted(
    clause: Clause, hop: Hop, left: Sequence[Word], about: Sequence[Id], instead: tuple[FactView, ...] = ()
) -> Understood:
    """The facts of a step as an answer, as far as they account for the words that are left.

    Args:
        clause: the question.
        hop: the step.
        left: words that the facts have to hold, in what they say or where it was written.
        about: what the step led from.
        instead: what is believed, where the answer is no.
    """
    kind, noun = clause.asking.kind, clause.asking.noun
    words = [word for word in left if word.lower != noun and not _names_type(clause, word, hop)]
    facts = saying(clause, hop.facts, words)
    total = hop.total if len(facts) == len(hop.facts) else None
    found = Understood(kind, facts, past=hop.past, cues=hop.cues, about=tuple(about), total=total)
    if noun and (above := upwards(clause.ground, hop, noun)):
        through = (*hop.facts, *(each for step in above[:-1] for each in step.facts))
        return replace(found, facts=above[-1].facts, through=through)
    if kind is Kind.YES_NO and facts and not saying(clause, facts, words, quoted=False):
        return replace(found, facts=(), left=tuple(word.text for word in words))  # what the note says is more than that
    if facts or kind is Kind.YES_NO:
        known = instead or (() if facts else hop.facts)
        if not facts and not _denied_by(clause, known, words):
            known = ()
        return replace(found, instead=known, left=() if facts or known else tuple(word.text for word in words))
    return replace(found, instead=hop.facts, left=tuple(word.text for word in words))


def _denied_by(clause: Clause, facts: Sequence[FactView], words: Sequence[Word]) -> bool:
    """Whether what is believed speaks against some words: another value does, or another place than one with a name.

    That she works somewhere tells nothing of whether she joined a choir.
    """
    if all(word.text[:1].isupper() for word in words):
        return True
    known = clause.ground.cues.ontology.predicates
    return all(each.fact.predicate in known and not known[each.fact.predicate].range for each in facts)


def _names_type(clause: Clause, word: Word, hop: Hop) -> bool:
    """Whether a word only says of which type the answer is: which company, how many books."""
    if clause.asking.kind is Kind.YES_NO:
        return False
    said = clause.ground.cues.ontology.type_named(word.lower)
    return said is not None and any(each.type is said[0] for each in clause.ground.entities(hop.ends).values())


def saying(
    clause: Clause, facts: Sequence[FactView], words: Sequence[Word], *, quoted: bool = True
) -> tuple[FactView, ...]:
    """The facts that hold all of some words, in what they say or, if that counts, where it was written."""
    wanted = {clause.ground.cues.stem(word.lower) for word in words}
    if not wanted:
        return tuple(facts)
    texts = (" ".join([fact.says, fact.target, *(each.quote for each in fact.evidence if quoted)]) for fact in facts)
    return tuple(fact for fact, text in zip(facts, texts, strict=True) if wanted <= clause.stems(text))
