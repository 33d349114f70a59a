"""`kgmem history`, `kgmem diff` and `kgmem timeline`: how beliefs changed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kgmem.cli.ask import AsOf, KnownAt, Limit, Times, say_times, times
from kgmem.cli.session import Session, session
from kgmem.errors import UserError

if TYPE_CHECKING:
    from datetime import date

    from kgmem.cli.output import Output, Part
    from kgmem.model import Instant
    from kgmem.recall.history import Difference, SlotHistory, Version
    from kgmem.recall.timeline import Timeline
    from kgmem.store.protocol import EntityCard, Evidence

_QUOTE = 100
"""Characters of a quote that a line shows."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(history)
    app.command()(diff)
    app.command()(timeline)


def history(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A name, an alias or an id.")],
    *,
    predicate: Annotated[str | None, typer.Option(metavar="P", help="Only these.", show_default=False)] = None,
) -> None:
    """Show every version of every belief about one entity: when it held, when it was believed, what ended that.

    kgmem history Mira --predicate works_at
    """
    from kgmem.recall.answer import card_json
    from kgmem.recall.facts import entity_json
    from kgmem.recall.history import find_ever
    from kgmem.recall.history import history as find_history

    here = session(context)
    wanted = predicate and predicate.strip().upper().replace(" ", "_")
    with here.reading() as store:
        cards = find_ever(store, name)
        found = find_history(store, cards[0].entity.id, predicate=wanted)
        group = store.group
    if not here.output.as_json:
        _show_history(here, cards, found)
        return
    here.output.json(
        {
            "group": group,
            "entity": entity_json(cards[0].entity),
            "total": sum(len(slot.versions) for slot in found),
            "slots": [slot.as_json() for slot in found],
            "same_name": [card_json(card) for card in cards[1:]],
        }
    )


def _show_history(here: Session, cards: tuple[EntityCard, ...], found: Sequence[SlotHistory]) -> None:
    from kgmem.cli import lines

    output, entity = here.output, cards[0].entity
    output.line(*lines.entity_line(cards[0]))
    if not found:
        output.line("Nothing was ever believed of it.")
    for (others, predicate), slots in groupby(found, key=lambda s: (s.subject.id != entity.id, s.predicate)):
        words = predicate.replace("_", " ").lower()
        lines.heading(output, f"{words}, of others" if others else words)
        for version in (version for slot in slots for version in slot.versions):
            _show_version(output, version, named=others)
    _name_others(here, cards)


def _show_version(output: Output, version: Version, *, named: bool, mark: str = " ") -> None:
    """What and when; when it was believed, and what ended that; where it was written."""
    from kgmem.cli.output import clean
    from kgmem.recall.history import believed, cause_words
    from kgmem.recall.wording import when

    says = version.view.says if named else version.view.target
    date = when(version.fact) + ("; disputed" if version.view.rivals else "")
    output.line(f"{mark} ", (clean(says), "bold"), f"  {date}")
    ended = f", until {clean(cause_words(version.closed_by))}" if version.closed_by else ""
    output.line(f"    {believed(version.fact)}{ended}")
    for each in version.places:
        output.line(*_written(each))
    for each in version.view.rivals:
        output.line(*_written(each), "  (says otherwise)")


def _written(evidence: Evidence) -> tuple[Part, ...]:
    from kgmem.cli.output import one_line, place

    where = place(evidence.root, evidence.path, evidence.line, kind=evidence.kind, block=evidence.block)
    gone = "" if evidence.live else "  (no longer there)"
    return "    ", where, f"  “{one_line(evidence.quote, _QUOTE)}”{gone}"


def _name_others(here: Session, cards: Iterable[EntityCard]) -> None:
    first, *rest = cards
    for other in rest:
        here.output.note(f"another {first.entity.name}: {other.entity.id} ({other.entity.type})")


def diff(
    context: typer.Context,
    since: Annotated[str, typer.Argument(metavar="FROM", help="A date; its beginning counts.")],
    until: Annotated[
        str | None, typer.Argument(metavar="[TO]", help="A date; its end counts. Now without it.", show_default=False)
    ] = None,
    *,
    limit: Limit = 50,
) -> None:
    """Show what was learned, changed and dropped between two dates on which the memory was written.

    kgmem diff "last week"
    """
    from kgmem.cli.dates import recorded_instant, today
    from kgmem.model import show_instant
    from kgmem.recall.history import difference

    here = session(context)
    day = today(here.config().now)
    start, end = _before(since, day), recorded_instant(until, day)
    if end is not None and end < start:
        raise UserError(f"{until!r} is before {since!r}", "name the earlier date first: kgmem diff FROM TO")
    with here.reading() as store:
        found = difference(store, start, end, limit=limit)
        group = store.group
    if here.output.as_json:
        span = {
            "group": group,
            "from": since,
            "to": until,
            "recorded_after": show_instant(start),
            "recorded_until": None if end is None else show_instant(end),
        }
        here.output.json({**span, **found.as_json()})
    else:
        _show_difference(here, found)


def _before(text: str, day: date) -> Instant:
    """The last instant before a day, month or year; of an instant, the end of its second, as for `--known-at`.

    Raises:
        UserError: it is no date, or has no beginning.
    """
    from kgmem.cli.dates import world_period
    from kgmem.model import Instant, Precision, to_instant

    period = world_period(text, day)
    start = period.start.moment if period else None
    if start is None:
        raise UserError(f"{text!r} has no beginning", "name a day, a month or a year")
    days, seconds = divmod(start.first, 86_400)
    begin = to_instant(datetime.fromordinal(days).replace(tzinfo=UTC) + timedelta(seconds=seconds))
    return Instant(begin + 999_999 if start.precision is Precision.INSTANT else begin - 1)


def _show_difference(here: Session, found: Difference) -> None:
    output = here.output
    if not any(found.total.values()):
        output.line("Nothing was learned, changed or dropped.")
    _show_part(output, "Learned", [((), (each,)) for each in found.learned], found.total["learned"])
    _show_part(output, "Changed", [(each.before, each.after) for each in found.changed], found.total["changed"])
    _show_part(output, "Dropped", [((each,), ()) for each in found.dropped], found.total["dropped"])


def _show_part(
    output: Output, title: str, changes: Sequence[tuple[Sequence[Version], Sequence[Version]]], total: int
) -> None:
    """Each change as (before, after): lines with a minus, then lines with a plus."""
    from kgmem.cli import lines

    if not changes:
        return
    lines.heading(output, title, lines.shown_of(len(changes), total))
    for before, after in changes:
        for mark, versions in (("-", before), ("+", after)):
            for version in versions:
                _show_version(output, version, named=True, mark=mark)


def timeline(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A name, an alias or an id.")],
    *,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it as SVG.", show_default=False)] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it as a page.", show_default=False)] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> None:
    """Draw what held when, and when that was believed: here, or into a file.

    With --known-at the picture as it was believed then, without anything recorded later. With --as-of only what holds
    at some time of that period, whole, and its beginning marked instead of now.

    kgmem timeline Mira --html mira.html
    """
    from kgmem.recall.history import find_ever
    from kgmem.recall.names import cards_of
    from kgmem.recall.timeline import timeline as find_timeline

    here = session(context)
    at = times(here, as_of, known_at)
    with here.reading() as store:
        cards = find_ever(store, name)
        drawn = find_timeline(store, cards[0].entity, now=at.now, valid=at.valid, known=at.known)
        cards = cards_of(store, [card.entity.id for card in cards], valid=at.valid, known=at.known)
    mark = as_of or "now"
    written = [str(file) for file in (svg, html) if file]
    _write(drawn, mark, svg, html)
    if here.output.as_json:
        here.output.json({"as_of": as_of, "known_at": known_at, "files": written, **drawn.as_json()})
    elif written:
        for file in written:
            here.output.line(f"wrote {file}")
    else:
        _draw(here, cards[0], drawn, at, mark)
    _name_others(here, cards)


def _write(drawn: Timeline, mark: str, svg: Path | None, html: Path | None) -> None:
    from kgmem.export.picture import save

    if svg:
        from kgmem.export.timeline_svg import timeline_svg

        save(svg.expanduser(), timeline_svg(drawn, mark))
    if html:
        from kgmem.export.timeline_html import timeline_html

        save(html.expanduser(), timeline_html(drawn, mark))


def _draw(here: Session, card: EntityCard, drawn: Timeline, at: Times, mark: str) -> None:
    from kgmem.cli import lines

    say_times(here, at)
    here.output.line(*lines.entity_line(card))
    if not drawn.parts:
        here.output.line("Nothing is known of it.")
        return
    from kgmem.cli.bars import Drawing

    console = here.output.console()
    width = console.width if sys.stdout.isatty() else shutil.get_terminal_size().columns
    Drawing(console, drawn, max(width, 40), mark).show()
