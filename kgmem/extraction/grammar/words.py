"""A parsed sentence as plain data, small enough to cross from one process to another; and the words that matter."""

from __future__ import annotations

from typing import Final, NamedTuple


class Word(NamedTuple):
    """A token of a parsed sentence; offsets are code points of the text that the sentence stands in."""

    start: int
    end: int
    text: str
    lemma: str
    tag: str
    """Of the Penn Treebank: VBD, NNP."""
    dep: str
    """Of ClearNLP: nsubj, pobj."""
    head: int
    """The index of the word that governs it; its own at a root."""

    @property
    def elided(self) -> bool:
        """Whether it does not stand there: the subject of "Met Ana in Oslo", which a parser needs to see a verb."""
        return self.start == self.end


Span = tuple[int, int, bool]
"""Of a sentence to parse: code points ``[start, end)``, and whether it leaves its subject out: "Met Ana in Oslo"."""


class Parsed(NamedTuple):
    """A sentence of a text: code points ``[start, end)`` and its words."""

    start: int
    end: int
    words: tuple[Word, ...]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FIRST_PERSON: Final = _words("i we me us mine")
FIRST_POSSESSIVE: Final = _words("my our")
PERSONAL: Final = _words("he she him her")
POSSESSIVE: Final = _words("his her")
RELATIVE: Final = _words("who that which whom whose")
ORGANIZATIONS: Final = _words("company firm startup agency band club organization organisation business")
"""After "the", these mean the one organization that was named before."""

BEGINNING: Final = _words("begin start")
ENDING: Final = _words("stop quit cease finish")
CARRYING_ON: Final = _words("continue keep get come manage happen remain end")
"""What is done after these is done."""
SAYING: Final = _words(
    "say tell write mention report note announce confirm explain add recall state reply post reveal email text"
)
"""What stands after these is the speaker's."""
THINKING: Final = _words("think believe reckon suspect")
"""What stands after these is the speaker's, where one speaks of oneself."""
KNOWING: Final = _words("know remember learn realize realise discover find notice see forget")
"""What stands after these is so."""

HYPOTHETICAL: Final = _words("if unless whether whenever lest until till once provided assuming supposing case though")
"""A clause that one of these opens need not be so; "as though" and "as if" too."""
BACKGROUND: Final = _words("when after since as while before because although")
"""A clause that one of these opens tells of what was known: it is not as old as the note."""
AFTER_DOING: Final = _words("after since before while by upon on")
"""What is done after these was done."""

HEDGING: Final = _words(
    "allegedly reportedly supposedly apparently presumably possibly perhaps maybe probably hopefully seemingly almost"
    " nearly hardly barely hypothetically theoretically ironically jokingly never rarely seldom likely somewhat kinda"
)
INVENTING: Final = _words(
    "imagine suppose pretend fictional hypothetical hypothetically rumor rumors rumour rumours hypothesis myth hoax"
    " fake joke joking kidding prank dreamt dreamed example wish lest falsely untrue"
)
"""A sentence with one of these may say anything."""
OVER: Final = _words("former ex previous onetime erstwhile ex- formerly")
"""Before a role, these say that it is over."""
UNCLEAR: Final = _words(
    "late old would-be aspiring future potential prospective possible fake alleged supposed acting then then- next"
    " virtual honorary self-styled incoming interim fictional designate elect accused suspected convicted"
)
"""Before a role, these leave open whether anybody has it; an old friend is one still."""
GROUPS: Final = _words(
    "party club society association union league church band choir chœur chor orchestra ensemble guild circle council"
    " team army navy committee board collective brigade squad group fellowship order chapter federation"
)
"""Of what has one of these in its name one is a member, and nobody works there."""
ROLES_TOO: Final = _words(
    "head chief lead leader chair chairperson mayor minister ambassador conductor captain partner spokesman spokeswoman"
    " spokesperson official correspondent reporter commander superintendent governor senator judge dean rector trainer"
)
"""Roles that name somebody only with what they are of, or beside a name."""
KINDS: Final = _words(
    "festival conference module project app library plugin tool sculpture painting novel book film album song game"
    " brand label band magazine newspaper podcast series"
)
"""Of "the Atlas module" the name before it is meant."""
NO_OFFICE: Final = _words("founder cofounder co-founder")
"""Roles that tell what somebody did, and not where they work."""
OFFICES: Final = _words("ceo cto cfo coo employee founder engineer developer designer spokesman spokeswoman intern")
"""A name right before one of these is whose it is: "Acme CEO Bo Li"; before others it may be anything."""
OUTINGS: Final = _words(
    "lunch dinner coffee breakfast brunch drink beer tea weekend walk holiday trip night day while week call meeting"
    " run hike moment bit afternoon evening morning vacation party game match concert"
)
"""Whom one joins for these is no company, and what one leaves for them is no home."""
NAMED_OF: Final = _words("city town village state province region county island kingdom republic university project")
"""Of "the city of Lyon", the name is meant."""

CONSUMING: Final = _words("eat drink smoke")
"""Who no longer does, no longer likes what it was; who does not, may never have."""
FAVOURITE: Final = _words("favourite favorite")
PREPOSITIONS: Final = _words("in at near with on from of")

BECOMING: Final = _words("become")
APPOINTING: Final = _words("appoint name elect promote make hire elevate")
"""Of whom it is done, the role begins."""

DROPPED: Final = _words("a an the my our his her their its your this that these those some any very really so quite")
"""Words that begin a phrase and are no part of what it names."""
NO_VALUE: Final = _words(
    "it this that them him her me you us they what which who one something anything everything nothing someone anyone"
    " everyone nobody himself herself itself themselves idea way fact thing things lot bit kind sort part rest most all"
    " none each many more less fewer other another others time little"
)
"""These, as the head of a phrase, name nothing that one can like or use."""
