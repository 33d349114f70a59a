"""`kgmem context`: what a question's answer rests on, for another program."""

from __future__ import annotations

from typing import Annotated

import typer

from kgmem.cli.ask import AsOf, KnownAt, times, unfilled
from kgmem.cli.session import session
from kgmem.errors import UserError

_PASSAGES = 20
"""Passages that a block may hold, if they fit."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(context)


def context(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="In your own words.")],
    *,
    tokens: Annotated[int, typer.Option(min=1, metavar="N", help="At most so many tokens, as estimated.")] = 1000,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> None:
    """Give what your notes hold on a question as compact lines, for the prompt of a model or for another program.

    Facts that hold come first, with dates, then passages, then facts of other times, each with its note and line. A
    word counts one token for each four letters, a number one for each two digits, a mark one. Nothing is kept of it.

    kgmem context "where does Mira work" --tokens 500
    """
    from kgmem.recall.context import context as block_of
    from kgmem.recall.conversation import ask_in

    here = session(context)
    if not question.strip():
        raise UserError("the question is empty", 'ask in words: kgmem context "what do I know about …"')
    at = times(here, as_of, known_at)
    owner = here.config().owner
    with here.reading() as store:
        answer = ask_in(
            store, question, None,
            now=at.now, limit=_PASSAGES, as_of=at.as_of, known=at.known, owner=owner,
            ontology=here.ontology, embedder=here.embedder_of(store), reranker=here.reranker(),
        )  # fmt: skip
        notes = (*answer.notes, *unfilled(here, store, answer))
    block = block_of(answer, tokens)
    if here.output.as_json:
        here.output.json(
            {
                "question": question, "as_of": answer.as_of, "known_at": answer.known_at, "budget": tokens,
                "tokens": block.tokens, "left_out": block.left_out, "items": [item.as_json() for item in block.items],
            }
        )  # fmt: skip
        return
    if block.items:
        here.output.line(block.text)
    for note in notes:
        here.output.note(note)
    if block.left_out:
        lines = "one line" if block.left_out == 1 else f"{block.left_out} lines"
        here.output.note(f"{lines} did not fit into {tokens} tokens; --tokens takes more")
