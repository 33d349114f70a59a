"""How one note was read: what it says now, what the memory holds of it, and where the two differ.

For a person who asks why a fact is missing, or is there. Nothing is written.
"""

from kgmem.explain.account import Account, State
from kgmem.explain.finding import Note, find_note
from kgmem.explain.reading import explain

__all__ = ["Account", "Note", "State", "explain", "find_note"]
