"""What an answer was made of: which arm brought what, with which score, and what of it was chosen."""

from __future__ import annotations

from kgmem.store.conversations import Step, Trace

__all__ = ["Step", "Trace"]
