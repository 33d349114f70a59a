"""Watching folders: what changes in them is taken in once it has come to rest.

    watchdog, or a poll ─▶ Settling ─▶ Watch ─▶ take_in ─▶ happenings
    (watchers)             (settling)  (watch)  (the memory, by who calls)

A batch is a scan of the whole folder, by names, sizes and times alone: that a scan is always exact is worth more than
its 15 microseconds a note, beside which what follows from one changed note takes many times as long.
"""

from kgmem.watching.happenings import Changed, Happening, Scanned, Started, Stopped, Trouble, Waiting
from kgmem.watching.timing import Timing
from kgmem.watching.watch import Taking, Watch

__all__ = [
    "Changed", "Happening", "Scanned", "Started", "Stopped", "Taking", "Timing", "Trouble", "Waiting", "Watch",
]  # fmt: skip
