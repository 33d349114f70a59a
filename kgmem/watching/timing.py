"""How long a watch waits for what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """All in seconds."""

    settle: float = 0.3
    """A file has come to rest if it did not change for so long: an editor saves in several steps."""
    patience: float = 2.0
    """So long after the first change, what rests is taken in without what does not."""
    restless: float = 30.0
    """What changes for so long is read all the same."""
    heartbeat: float = 5.0
    """How often it is looked whether the folders are there."""
    poll: float = 10.0
    """How often a folder is looked through that nothing tells about."""
    quiet: float = 1.0
    """What follows from a change, and may take long, waits until nothing has changed for so long."""
    sweep: float = 3600.0
    """How often a folder is scanned that something tells about, in case it was not told of something."""
    retry: float = 1.0
    """How long to wait after a failure; twice as long after each further one, up to `retry_most`."""
    retry_most: float = 60.0
