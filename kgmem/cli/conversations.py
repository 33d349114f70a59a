"""`kgmem conversations`, `kgmem why`, `kgmem feedback`: what was asked, how it was answered, whether that helped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kgmem.cli.ask import SHORT
from kgmem.cli.session import Session, session
from kgmem.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgmem.recall.imported import Imported
    from kgmem.recall.why import StepView, TraceView
    from kgmem.store.conversations import Message

Limit = Annotated[int, typer.Option(min=1, help="At most so many.")]
_HITS = 5
"""Hits of a step that are shown; JSON has all that are kept."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(conversations)
    app.command()(why)
    app.command()(feedback)


def conversations(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="One of them.", show_default=False)] = None,
    *,
    limit: Limit = 20,
) -> None:
    """List the conversations; with a name, what was asked and answered in one.

    Those that were had elsewhere, and taken in from a file with `kgmem ingest`, come last.

    kgmem conversations
    """
    from kgmem.errors import NotFoundError
    from kgmem.recall.imported import imported
    from kgmem.store.conversations import MessageQuery

    here = session(context)
    if name is None:
        _list(here, limit)
        return
    name = " ".join(name.split())
    with here.reading() as store:
        total, found = store.conversations().messages(MessageQuery(conversation=name, limit=limit))
        elsewhere = () if found else imported(store, name)
    if elsewhere:
        _show_imported(here, elsewhere, limit)
        return
    if not found:
        raise NotFoundError(f"there is no conversation {name!r}", "`kgmem conversations` lists them")
    if here.output.as_json:
        from kgmem.recall.answer import message_json

        here.output.json({"total": total, "conversation": name, "messages": [message_json(m) for m in found[::-1]]})
        return
    for message in found[::-1]:
        _show_message(here, message)
    _cut(here, len(found), total)


def _list(here: Session, limit: int) -> None:
    from kgmem.cli.output import clean
    from kgmem.model import show_instant
    from kgmem.recall.imported import imported

    with here.reading() as store:
        every, elsewhere = store.conversations().every(), imported(store)
    shown = every[:limit]
    shown_elsewhere = elsewhere[: limit - len(shown)]
    if here.output.as_json:
        here.output.json(
            {
                "total": len(every) + len(elsewhere),
                "conversations": [
                    {
                        "name": each.name, "messages": each.messages, "first_at": show_instant(each.first_at),
                        "last_at": show_instant(each.last_at),
                    }
                    for each in shown
                ],
                "imported": [each.as_json() for each in shown_elsewhere],
            }
        )  # fmt: skip
        return
    rows = (
        (
            ((clean(each.name), "bold"),),
            (f"{each.messages} message{'' if each.messages == 1 else 's'}",),
            ((show_instant(each.last_at), "dim"),),
        )
        for each in shown
    )
    more = (
        (
            ((clean(each.title), "bold"),),
            (f"{len(each.said)} message{'' if len(each.said) == 1 else 's'}",),
            ((each.last_at or "", "dim"), ("  " if each.last_at else "") + clean(each.path)),
        )
        for each in shown_elsewhere
    )
    here.output.table([*rows, *more])
    _cut(here, len(shown) + len(shown_elsewhere), len(every) + len(elsewhere))


def _cut(here: Session, shown: int, total: int) -> None:
    if shown < total:
        here.output.note(f"showing {shown} of {total}; --limit shows more")


def _show_imported(here: Session, found: Sequence[Imported], limit: int) -> None:
    from kgmem.cli.output import clean

    if len(found) > 1:
        raise UserError(
            f"{len(found)} conversations are called so", f"name one of {', '.join(each.path for each in found)}"
        )
    (one,) = found
    said = one.said[-limit:]
    if here.output.as_json:
        messages = [{"who": each.who, "at": each.at, "text": each.text, "line": each.line} for each in said]
        here.output.json({"total": len(one.said), "conversation": one.title, "source": one.path, "messages": messages})
        return
    for each in said:
        here.output.line((each.who, "bold"), "  ", (each.at or "", "dim"))
        for line in each.text.split("\n"):
            here.output.line(f"  {clean(line)}")
    _cut(here, len(said), len(one.said))


def _show_message(here: Session, message: Message) -> None:
    from kgmem.cli.output import clean, one_line
    from kgmem.model import show_instant

    thumb = f"  thumbs {message.thumb}" if message.thumb else ""
    here.output.line(
        (message.id[:SHORT], "cyan"), "  ", (show_instant(message.asked_at), "dim"), "  ",
        (one_line(message.question), "bold"), thumb,
    )  # fmt: skip
    if message.answer:
        here.output.line(f"  {clean(message.answer)}")


Answered = Annotated[
    str | None, typer.Argument(metavar="[ANSWER]", help="Its id, or how that begins; the last one.", show_default=False)
]


def why(context: typer.Context, answer: Answered = None) -> None:
    """Show how an answer was found: what each arm of the search brought, what was chosen, and whom it is about.

    kgmem why
    """
    from kgmem.recall.why import find_answer, view_trace

    here = session(context)
    with here.reading() as store:
        told = view_trace(store, find_answer(store, answer))
    if here.output.as_json:
        here.output.json(told.as_json())
    else:
        _show_trace(here, told)


def _show_trace(here: Session, told: TraceView) -> None:
    from kgmem.cli.output import clean, one_line
    from kgmem.model import show_instant

    message = told.message
    spent = message.trace
    output = here.output
    output.line((one_line(message.question, 1000), "bold"))
    times = [("as of", message.as_of), ("known at", message.known_at)]
    asked = "".join(f", {word} {value}" for word, value in times if value)
    output.line(
        f"  {message.id[:SHORT]}, asked at {show_instant(message.asked_at)} in {clean(message.conversation)}{asked}"
    )
    model = f", {spent.tokens} tokens of {spent.model}" if spent.model else ", no model"
    output.line(f"  in {spent.seconds * 1000:.0f} ms{model}")
    if message.answer:
        output.line(f"  {clean(message.answer)}")
    if message.thumb:
        output.line(f"  thumbs {message.thumb}{f': {clean(message.because)}' if message.because else ''}")
    for step in told.steps:
        _show_step(here, step)
    if told.touched:
        output.line()
        output.line(("About", "bold"), f"  {', '.join(clean(entity.name) for entity in told.touched)}")


def _show_step(here: Session, view: StepView) -> None:
    from kgmem.cli.output import one_line, place

    step, shown = view.step, view.hits if here.output.verbose else view.hits[:_HITS]
    here.output.line()
    count = f"{len(step.hits)} hit{'' if len(step.hits) == 1 else 's'}"
    took = f", {step.seconds * 1000:.0f} ms" if step.seconds else ""
    here.output.line((step.name, "bold"), (f"  {step.note or count}{took}", "dim"))
    for hit in shown:
        where = place(hit.root, hit.source, hit.line, kind=hit.kind, block=hit.block) if hit.source else ""
        here.output.line(f"  {hit.score:.4f}  {one_line(hit.text, 80)}  ", where)
    if len(shown) < len(view.hits):
        here.output.line((f"  and {len(view.hits) - len(shown)} more; --verbose shows them", "dim"))


def feedback(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="[ANSWER] up|down", help="Without ANSWER, the last one.")],
    *,
    because: Annotated[str, typer.Option(metavar="TEXT", help="Why.", show_default=False)] = "",
) -> None:
    """Say whether an answer helped. What one gave first that did not is put last when the same is asked again.

    kgmem feedback down --because "that was before she moved"
    """
    from kgmem.model import day_of, show_instant
    from kgmem.recall.conversation import asked_before, taken_back
    from kgmem.recall.why import find_answer
    from kgmem.store.conversations import Thumb

    here = session(context)
    *named, said = words
    if said not in {each.value for each in Thumb} or len(named) > 1:
        raise UserError("that is neither up nor down", "kgmem feedback [ANSWER] up|down")
    with here.reading() as store:
        message = find_answer(store, named[0] if named else None)
        store.conversations().judge(message.id, Thumb(said), " ".join(because.split()))
        hidden = asked_before(store, message.question, message.gist).refused if said == Thumb.UP else ()
    if here.output.as_json:
        here.output.json({"id": message.id, "question": message.question, "feedback": said, "because": because})
    else:
        from kgmem.cli.output import one_line

        asked = f"{message.id[:SHORT]}, asked at {show_instant(message.asked_at)}"
        here.output.line(f"thumbs {said} for {asked}: {one_line(message.question)}")
    if hidden:
        here.output.note(
            f"what you said is no answer on {day_of(hidden[0].asked_at)} stays last: {taken_back(hidden[0])}"
        )
