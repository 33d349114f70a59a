"""The current episodes of a new generation, read as an ingest would read them: mentions, names and links follow.

These are no log, and tell of the present alone. Claims are as the replay drew them, so that nothing is written where
nothing differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgmem.beliefs import Revision
from kgmem.ingestion.intake import Intake
from kgmem.ingestion.plan import Planner, Work
from kgmem.ingestion.reading import Reading
from kgmem.ingestion.run import Run
from kgmem.model import CORRECTION, Claim, Id, Instant
from kgmem.reextraction.replay import Means, Progress, Replay, Wish
from kgmem.sources.document import Scan
from kgmem.store.protocol import Store


class _Rereading(Intake):
    """An intake of which only some rungs count."""

    def __init__(self, store: Store, means: Means, wish: Wish) -> None:
        super().__init__(store, means.ontology, means.recognizer, means.labeller)
        self._wish = wish

    def _revision(
        self, work: Work, held: Sequence[tuple[Id, Claim]], reading: Reading, episode: Id, now: Instant
    ) -> Revision:
        stated = self._wish.of_rungs(reading.claims, (claim for _, claim in held))
        return super()._revision(work, held, replace(reading, claims=stated), episode, now)


def read_again(store: Store, replay: Replay, means: Means, wish: Wish, progress: Progress) -> None:
    """Read the current episodes of those sources again of which one was read in the replay."""
    last = store.stats().last_recorded
    if last is None:
        return
    intake = _Rereading(store, means, wish)
    for kind, root, _ in store.roots():
        if kind == CORRECTION:
            continue
        plan = Planner(store, lambda: means.ontology, root, kind).plan(Scan(), reread=True)
        work = tuple(each for each in plan.work if each.source.id in replay.redrawn.read)
        reader = replay.names.then(root, kind, last).reader
        run = Run(Scan(), last)
        intake.carry_out(
            replace(plan, work=work), reader, run, lambda done, total, _path: progress("finishing", done, total)
        )
        if run.interrupted:
            raise KeyboardInterrupt
