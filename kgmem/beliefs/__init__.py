"""Beliefs: a pure fold over claims. It knows no store, no clock and no I/O."""

from kgmem.beliefs.fold import Belief, believe
from kgmem.beliefs.rebuild import rebuild
from kgmem.beliefs.refold import Refolded, refold
from kgmem.beliefs.revision import Revision, RuleOf, Taken, revise
from kgmem.beliefs.rewind import rewind
from kgmem.beliefs.slots import Rule, slot_id

__all__ = [
    "Belief",
    "Refolded",
    "Revision",
    "Rule",
    "RuleOf",
    "Taken",
    "believe",
    "rebuild",
    "refold",
    "revise",
    "rewind",
    "slot_id",
]
