"""What is erased is erased in every generation: those that answered before hold its words as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from kgmem.ingestion.intake import Intake
from kgmem.ingestion.reversal import Reversal
from kgmem.model import Id, Source
from kgmem.sources.document import Reader
from kgmem.store.protocol import Store


@contextmanager
def erased_elsewhere(
    intake: Intake, opener: Callable[[str], Store], what: tuple[Source, Id | None], reader: Reader
) -> Iterator[list[bool]]:
    """Erase a source, or an episode of it, in all generations but the current one, which is erased in the block.

    That comes last: who is stopped between finds it there, and erases again. A generation that waits to be promoted is
    dropped; it can be made again.

    Args:
        intake: that of the current generation.
        opener: opens a generation by its name, to write.
        what: the source, and the episode if not all of it is meant.
        reader: the folder of the source.

    Yields:
        For each of the others, whether no byte is left.

    Raises:
        kgmem.errors.StoreLockedError: another process is making a generation.
    """
    generations = intake.store.generations()
    if not generations.every():
        yield []
        _drop_waiting(intake.store)
        return
    generations.hold()
    try:
        _drop_waiting(intake.store)
        others = [each.group for each in generations.every() if not each.current]
        yield [_erase(intake, opener, group, what, reader) for group in others]
    finally:
        generations.let_go()


def _erase(
    intake: Intake, opener: Callable[[str], Store], group: str, what: tuple[Source, Id | None], reader: Reader
) -> bool:
    source, episode = what
    with closing(opener(group)) as store:
        reversal = Reversal(Intake(store, intake.ontology))
        known = store.sources_ever([source.id]).get(source.id)
        if known is None or (episode is not None and store.source_of(episode) is None):
            return True
        if not reversal.is_forgotten(known, episode):
            if episode is None:
                reversal.forget(known, reader)
            else:
                reversal.forget_episode(known, episode, reader)
        return reversal.erase(known, episode)


def _drop_waiting(store: Store) -> None:
    generations = store.generations()
    current = max((each.number for each in generations.every() if each.current), default=0)
    for each in generations.every():
        if each.number > current and not each.before:
            generations.drop(each.number)
