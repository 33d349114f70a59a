"""`kgmem reextract`: the same episodes, read anew by today's extraction, beside the memory that answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgmem.cli.output import Output, clean, one_line
from kgmem.cli.session import Session, session
from kgmem.cli.stages import stages
from kgmem.cli.vectors import follow_up
from kgmem.errors import ExitCode, StoreLockedError, UserError

if TYPE_CHECKING:
    from kgmem.model import Instant
    from kgmem.recall.facts import FactView
    from kgmem.reextraction.compare import Comparison
    from kgmem.reextraction.making import Making
    from kgmem.reextraction.replay import Means
    from kgmem.store.generations import Generation
    from kgmem.store.protocol import Store

_POLL_SECONDS = 0.2
_SHOWN = 20
"""Facts of each kind that are listed."""


class Rung(StrEnum):
    """What draws claims from a text."""

    STRUCTURE = "structure"
    NAMES = "names"
    SENTENCES = "sentences"
    GRAMMAR = "grammar"
    GLINER = "gliner"
    LLM = "llm"


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(reextract)


def reextract(
    context: typer.Context,
    *,
    since: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Only episodes recorded since; older ones stay.", show_default=False),
    ] = None,
    rung: Annotated[
        list[Rung] | None, typer.Option(help="Only what this rung says; other claims stay.", show_default=False)
    ] = None,
    promote: Annotated[bool, typer.Option("--promote", help="Let the new generation answer from now on.")] = False,
    discard: Annotated[bool, typer.Option("--discard", help="Drop the one that waits to be promoted.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Let the one answer that did before.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Drop all but the one that answers.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="Show the generations.")] = False,
    nlp: Annotated[bool | None, typer.Option(help="Find names with spaCy; as before.", show_default=False)] = None,
    limit: Annotated[int, typer.Option(min=1, help="So many facts of each kind.")] = _SHOWN,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False,
) -> int:
    """Read all episodes again with today's extraction and ontology, and show what that would change.

    The texts are those that the memory holds, each read at its recorded time; your files are not read. What you decided
    stays decided. A new generation is made beside the one that answers, which goes on as it is until you `--promote`.
    Ctrl-C is safe. An old one is kept as GROUP~NUMBER until you `--prune`.

    kgmem reextract
    """
    here = session(context)
    wanted = {"--promote": promote, "--discard": discard, "--back": back, "--prune": prune, "--list": listed}
    asked = [name for name, said in wanted.items() if said]
    if len(asked) > 1:
        raise UserError(f"{asked[0]} and {asked[1]} are two things", "give one of them")
    if listed:
        _show_list(here)
        return ExitCode.DONE
    with _making(here, _Asked(since, rung or [], nlp, promote)) as (making, store):
        if discard or back or prune:
            _change(here, making, asked[0], yes=yes)
            return ExitCode.DONE
        try:
            with _alone(here, making):
                _make(here, making, store, promote=promote, limit=limit)
        except KeyboardInterrupt:
            here.output.warn("stopped: the memory is as it was; the same command again goes on")
            return ExitCode.FAILED
    return ExitCode.DONE


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be read again, and how."""

    since: str | None
    rungs: Sequence[Rung]
    nlp: bool | None
    promoting: bool
    """Without a choice, what waits is promoted as it was made."""


@contextmanager
def _making(here: Session, asked: _Asked) -> Iterator[tuple[Making, Store]]:
    from kgmem.reextraction.making import Making
    from kgmem.reextraction.replay import Wish
    from kgmem.store.generations import split_name

    with here.reading() as reader:  # a memory that is not there is not made
        if split_name(reader.group) is not None:
            raise UserError(f"{reader.group} is one generation of a group", "name the group itself with --group")
        nlp = "spacy" in reader.rungs() if asked.nlp is None else asked.nlp
    chosen = Wish(_instant(here, asked.since), frozenset(each.value for each in asked.rungs))
    wish = None if asked.promoting and chosen == Wish() else chosen
    with here.changing() as store, stages(here.output) as progress:
        yield Making(store, here.generation, _means(here, nlp=nlp), wish, progress), store


def _instant(here: Session, since: str | None) -> Instant | None:
    """The first instant of a date.

    Raises:
        UserError: it is no date.
    """
    from kgmem.cli.dates import today, world_period
    from kgmem.recall.times import first_instant

    period = world_period(since, today(here.config().now))
    moment = period and period.start.moment
    if since is not None and moment is None:
        raise UserError(f"no such date: {since!r}", "write it like 2024, 2024-03 or 2024-03-07")
    return first_instant(moment) if moment else None


def _means(here: Session, *, nlp: bool) -> Means:
    """Today's extraction, with what tells it from any other."""
    from kgmem import __version__
    from kgmem.cli.same import rereaders
    from kgmem.model import identify
    from kgmem.reextraction.replay import Means

    config, ontology = here.config(), here.ontology()
    recognizer, labeller = (here.recognizer(), here.labeller()) if nlp else (None, None)
    told = (
        json.dumps(ontology.data, sort_keys=True, default=str), config.owner, ontology.merging,
        recognizer and recognizer.model, labeller and labeller.settings, config.source_settings(),
    )  # fmt: skip
    return Means(ontology, rereaders(here), recognizer, labeller, identify(__version__, *told))


# -- making


@contextmanager
def _alone(here: Session, making: Making) -> Iterator[None]:
    """See `Making.alone`; waits for another process that makes a generation as long as for a turn."""
    deadline = time.monotonic() + here.patience_seconds
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(making.alone())
                break
            except StoreLockedError:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(_POLL_SECONDS)
        yield


def _stilled(here: Session, work: Callable[[], Generation]) -> Generation:
    """Do it beside those who write; if they never stop for it, have the turn first."""
    try:
        return work()
    except StoreLockedError:
        with here.writing_turn():
            return work()


def _make(here: Session, making: Making, store: Store, *, promote: bool, limit: int) -> None:
    from kgmem.reextraction.compare import compare

    if promote and making.waiting() is None:
        here.output.note("no generation waits to be promoted: a new one is made, and answers once it is complete")
    before = making.waiting()
    made = _stilled(here, making.make)
    is_news = promote or made != before
    with closing(here.open(here.config().store, made.group, readonly=True)) as coming:
        found = compare(store, coming)
        shown = _Shown.of(found, store, coming, limit)
        episodes, size = coming.stats().counts["episodes"], coming.stats().size_bytes
    here.record.count(episodes=episodes, added=len(found.added), lost=len(found.lost), changed=len(found.changed))
    if promote:
        made = _stilled(here, partial(making.promote, made))
        if store.vector_model() is not None:
            follow_up(here, store)
    if here.output.as_json:
        here.output.json({**_as_json(found, shown), **_generation_json(made, promoted=promote), "size_bytes": size})
        return
    if here.output.quiet and not (is_news and (found.added or found.lost or found.changed)):
        return
    read = "1 episode" if episodes == 1 else f"{episodes:,} episodes"
    here.output.line(
        f"{read} read again: {len(found.added):,} added, {len(found.lost):,} lost, {len(found.changed):,} changed"
    )
    for mark, facts, total in () if here.output.quiet else shown.rows(found):
        _show(here.output, mark, facts, total)
    name = clean(made.group)
    if promote:
        here.output.note(f"{name} answers now; --back lets the one before answer, --prune drops that")
    else:
        here.output.note(f"{name} waits beside the memory: --promote lets it answer, --discard drops it")
    here.output.note(f"the store takes {size / 1e6:.1f} MB with all generations")


@dataclass(frozen=True, slots=True)
class _Shown:
    """The facts that are listed, with their names and evidence."""

    added: tuple[FactView, ...]
    lost: tuple[FactView, ...]
    changed: tuple[tuple[FactView, FactView], ...]

    @classmethod
    def of(cls, found: Comparison, current: Store, coming: Store, limit: int) -> _Shown:
        from kgmem.recall.facts import view

        changed = found.changed[:limit]
        before, after = view(current, [old for old, _ in changed]), view(coming, [new for _, new in changed])
        return cls(
            view(coming, found.added[:limit]), view(current, found.lost[:limit]), tuple(zip(before, after, strict=True))
        )

    def rows(self, found: Comparison) -> Iterator[tuple[str, Sequence[tuple[FactView, ...]], int]]:
        """(mark, facts each with what it was, how many there are) by kind."""
        yield "+", [(each,) for each in self.added], len(found.added)
        yield "-", [(each,) for each in self.lost], len(found.lost)
        yield "~", [(new, old) for old, new in self.changed], len(found.changed)


def _show(output: Output, mark: str, facts: Sequence[tuple[FactView, ...]], total: int) -> None:
    from kgmem.cli.lines import cited, shown_of

    output.table(((f"{mark} {one_line(new[0].says)}",), (_dated(new),), cited(new[:1])) for new in facts)
    if cut := shown_of(len(facts), total):
        output.note(f"{cut} ({mark})")


def _dated(fact: tuple[FactView, ...]) -> str:
    """When it holds, and what it was before."""
    from kgmem.recall.wording import when

    new, *old = fact
    says, now = one_line(new.says), when(new.fact)
    was = [when(each.fact) if one_line(each.says) == says else one_line(each.says) for each in old]
    return f"{now} (was: {was[0]})" if was else now


def _as_json(found: Comparison, shown: _Shown) -> dict[str, Any]:
    return {
        "added": {"total": len(found.added), "facts": [each.as_json() for each in shown.added]},
        "lost": {"total": len(found.lost), "facts": [each.as_json() for each in shown.lost]},
        "changed": {
            "total": len(found.changed),
            "facts": [{"before": old.as_json(), "after": new.as_json()} for old, new in shown.changed],
        },
    }


def _generation_json(made: Generation, *, promoted: bool) -> dict[str, Any]:
    return {"generation": made.number, "group": made.group, "promoted": promoted}


# -- what is there


def _change(here: Session, making: Making, asked: str, *, yes: bool) -> None:
    """Drop generations, or go back to one."""
    if asked == "--back":
        done = [making.back(leave=yes)]
        told = "answers now"
    else:
        done = [making.discard()] if asked == "--discard" else list(making.prune())
        told = "is dropped" if len(done) == 1 else "are dropped"
    if here.output.as_json:
        here.output.json({"kind": asked.removeprefix("--"), "groups": [each.group for each in done]})
        return
    names = ", ".join(clean(each.group) for each in done)
    if done or not here.output.quiet:
        here.output.line(f"{names} {told}" if done else "There is no other generation.")


def _show_list(here: Session) -> None:
    from kgmem.store.generations import waiting_of

    with here.reading() as store:
        every = store.generations().every()
    waiting = waiting_of(every)
    if here.output.as_json:
        here.output.json(
            {
                "total": len(every),
                "generations": [
                    {
                        **_generation_json(each, promoted=each.current),
                        "before": each.before,
                        "waits": each == waiting,
                        "complete": _is_whole(each),
                    }
                    for each in every
                ],
            }
        )
        return
    here.output.table(((clean(each.group),), (_standing(each, waits=each == waiting),)) for each in every)
    if not every:
        here.output.line("There is no other generation.")


def _is_whole(each: Generation) -> bool:
    return bool(each.made_of) or each.number == 1


def _standing(each: Generation, *, waits: bool) -> str:
    if each.current:
        return "answers now"
    if not waits:
        return "answered before; --back returns to it" if each.before else "answered before"
    return "waits to be promoted" if _is_whole(each) else "not complete"
