"""How one note was read, for `kgmem doctor NOTE`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kgmem.cli.output import Output, Part, clean, one_line, place
from kgmem.cli.session import Session
from kgmem.errors import StoreMissingError
from kgmem.explain import Account, State, explain, find_note
from kgmem.explain.account import ClaimTold, Dating, DroppedTold, LinkTold, MentionTold, PassageTold, Status
from kgmem.model import LINKS_TO, Basis, Bound, Claim, Entity, show_instant, to_instant
from kgmem.sources.opening import open_reader
from kgmem.store import open_store

if TYPE_CHECKING:
    from kgmem.store.protocol import Store

SHOWN = 40
"""Passages that the terminal shows, without `--limit`."""
_WIDTH = 76
"""Columns that a line has, so that all of it fits into eighty."""


def doctor_note(here: Session, name: str, *, nlp: bool, limit: int | None) -> None:
    """Explain one note."""
    config = here.config()
    with memory_or_none(here) as store:
        note = find_note(store, name, Path.cwd())
        vault = open_reader(note.root, note.kind, config.source_settings())
        now = to_instant(config.now or datetime.now(UTC))
        recognizer = here.recognizer() if nlp else None
        labeller = here.labeller() if nlp else None
        account = explain(store, here.ontology(), vault, note, now=now, recognizer=recognizer, labeller=labeller)
    if here.output.as_json:
        here.output.json(account.as_json(limit))
    else:
        _show(here.output, account, SHOWN if limit is None else limit)


@contextmanager
def memory_or_none(here: Session) -> Iterator[Store]:
    """The memory; where there is none yet, one that holds nothing and is thrown away."""
    try:
        with here.reading() as store:
            yield store
    except StoreMissingError:
        with TemporaryDirectory() as folder:
            store = open_store(f"sqlite:///{folder}/nothing.db", here.config().group)
            try:
                yield store
            finally:
                store.close()


def _show(output: Output, account: Account, limit: int) -> None:
    source = place(account.root, account.path, None, kind=account.kind)
    output.line((source[0], "bold"), (f"  in {clean(account.root)}", "dim"))
    output.line(account.state.value, f": {clean(account.message)}")
    if account.hint:
        output.line("  ", (clean(account.hint), "dim"))
    output.line()
    output.table(_head(account))
    for problem in account.problems if account.passages else ():  # else one is why nothing was read, and told
        hint = f" ({clean(problem.hint)})" if problem.hint else ""
        output.line((f"problem in line {problem.line}: ", "bold"), clean(problem.message), hint)
    shown = account.passages[:limit]
    for each in shown:
        output.line()
        _show_passage(output, each, account)
    if len(shown) < len(account.passages):
        more = len(account.passages) - len(shown)
        output.line()
        output.line((f"and {more} more passages; --limit {len(account.passages)} shows them", "dim"))
    _show_dropped(output, account.dropped, limit)
    _show_former(output, [each for each in account.former if each.claim.predicate != LINKS_TO], limit)


def _show_dropped(output: Output, dropped: Sequence[DroppedTold], limit: int) -> None:
    if dropped:
        output.line()
        output.line(("Left out", "bold"))
    for each in dropped[:limit]:
        output.line("    claims ", one_line(each.statement, _WIDTH - 11))
        words = (f"line {each.line}", each.predicate, _found_by(each.rungs, each.confidence), clean(each.why))
        output.line("      ", (", ".join(words), "dim"))
    if len(dropped) > limit:
        output.line((f"and {len(dropped) - limit} more", "dim"))


def _show_former(output: Output, former: Sequence[ClaimTold], limit: int) -> None:
    if former:
        output.line()
        output.line(("No longer said", "bold"))
    for claim in former[:limit]:
        _show_claim(output, claim)
    if len(former) > limit:
        output.line((f"and {len(former) - limit} more", "dim"))


# -- the head


def _head(account: Account) -> Iterator[tuple[tuple[Part, ...], ...]]:
    rows = {
        "title": clean(account.title),
        "dated": "" if account.dating is None else _dated(account.dating),
        "taken for": "" if account.type is None else f"{_kind(account.type.entity)}: {clean(account.type.rests_on)}",
        "also called": ", ".join(clean(name) for name, _ in account.aliases),
        "source": _source(account),
        "recorded": _recorded(account),
        "content": _content(account),
        "differs": "; ".join(_differences(account)),
    }
    for name, words in rows.items():
        if words:
            yield ((name, "cyan"),), (words,)


def _dated(dating: Dating) -> str:
    at = dating.occurred
    if at.moment is None:
        return "no: nothing says when it was written"
    if at.basis is Basis.FILE:
        return f"no: the time of its file, {str(at.moment)[:10]}, only orders what it says"
    by = {
        "": at.basis.value,
        "message": "by its first message",
        "name": "by its name" + (", a daily note" if dating.daily else ""),
    }
    return f"{at.moment}, {by.get(dating.dated_by) or f'by its property {clean(dating.dated_by)}'}"


def _kind(entity: Entity) -> str:
    return entity.type.value if entity.subtype is None else f"{entity.type.value} ({entity.subtype})"


def _source(account: Account) -> str:
    if account.source is None:
        return ""
    uid = f", which calls itself {clean(account.source.uid)}" if account.source.uid else ""
    return f"{account.source.id}{uid}"


def _recorded(account: Account) -> str:
    if not account.recorded:
        return ""
    first, last = show_instant(account.recorded[0]), show_instant(account.recorded[-1])
    return first if first == last else f"{first}, and {last} the last of {len(account.recorded)} times"


def _content(account: Account) -> str:
    """The content hash of the file, and of the episode that the memory holds, where that is another."""
    held = account.episode
    if held is None:
        return account.hash
    own = f"{held.hash}, episode {held.id}"
    return own if account.hash in ("", held.hash) else f"{account.hash} now, and read as\n{own}"


def _differences(account: Account) -> Iterator[str]:
    found = account.differences
    for what, new, gone in (
        ("passage", found.passages_new, found.passages_gone),
        ("mention", found.mentions_new, found.mentions_gone),
        ("claim", found.claims_new, found.claims_gone),
    ):
        counts = ", ".join(f"{count} {word}" for count, word in ((new, "new"), (gone, "gone")) if count)
        if counts:
            yield f"{what}s: {counts}"


# -- passages


def _show_passage(output: Output, told: PassageTold, account: Account) -> None:
    passage = told.passage
    first, last = passage.first_line, passage.last_line
    lines = f"{first}" if last <= first else f"{first}-{last}"
    heading = f"  {one_line(passage.heading, _WIDTH - 20)}" if passage.heading else ""
    new = "  new" if not told.held and account.state is not State.NEW else ""
    output.line((f"{passage.kind} {lines}", "bold"), (heading, "dim"), new)
    output.line(f"  {one_line(passage.text, _WIDTH - 4)}")
    for mention in told.mentions:
        output.line("    names ", *_mention(mention, account))
    for link in told.links:
        output.line("    links ", one_line(_link(link), _WIDTH - 10))
    for claim in told.claims:
        if claim.claim.predicate != LINKS_TO:  # each is told among the links
            _show_claim(output, claim)


def _mention(told: MentionTold, account: Account) -> tuple[Part, ...]:
    entity, mention = told.entity, told.mention
    words = "" if mention.surface == entity.name else f" as {one_line(mention.surface, 30)}"
    new = "  new" if not told.held and account.state is not State.NEW else ""
    return f"{one_line(entity.name, 40)}{words}", (f"  {_kind(entity)}, {mention.rung}", "dim"), new


def _link(told: LinkTold) -> str:
    link = told.link
    if link.attachment:
        return f"{link.target}, a file"
    if link.path is not None:
        return f"{link.target or link.shown} → {link.path}"
    return f"{link.target}: no such note" + (f", means {told.means}" if told.means not in (None, link.target) else "")


def _show_claim(output: Output, told: ClaimTold) -> None:
    claim = told.claim
    output.line("    claims ", one_line(claim.statement, _WIDTH - 11))
    words = (
        f"line {told.line}",
        claim.predicate,
        claim.kind.value,
        _found_by(claim.rungs, claim.confidence),
        _status(told),
    )
    output.line("      ", (", ".join(words), "dim"))
    output.line("      ", (_when(claim), "dim"))


def _found_by(rungs: Sequence[str], confidence: float) -> str:
    return " and ".join(rungs) + (f" {confidence:.2f}" if confidence < 1 else "")


def _when(claim: Claim) -> str:
    """The world dates of a claim, each with its basis; else what orders it."""
    start, end = claim.valid.start, claim.valid.end
    if start.moment is not None and start == end:
        return _bound(start)
    words = [f"since {_bound(start)}"] if start.moment else []
    words += [f"until {_bound(end)}"] if end.moment else []
    if words:
        return " ".join(words)
    if claim.said.moment is None:
        return "no date"
    return "no date, ordered by its file" if claim.said.basis is Basis.FILE else f"said {_bound(claim.said)}"


def _bound(bound: Bound) -> str:
    return f"{bound.moment} ({bound.basis.value})"


def _status(told: ClaimTold) -> str:
    until = {Status.REPLACED: "from", Status.WITHDRAWN: "on"}.get(told.status)
    return f"{told.status.value} {until} {told.until}" if until and told.until else told.status.value
