"""`kgmem reembed`, and the vectors that follow the notes of an ingest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgmem.cli.output import Output
from kgmem.cli.session import Session, session
from kgmem.cli.stages import stages
from kgmem.errors import ConfigurationError, ExitCode, UserError

if TYPE_CHECKING:
    from kgmem.ingestion.embedding import Embedded
    from kgmem.ingestion.run import Progress
    from kgmem.store.protocol import Store


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(reembed)


def reembed(
    context: typer.Context,
    *,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model; without it, the one that is set.", show_default=False)
    ] = None,
) -> int:
    """Make the vectors of all notes, facts and names anew, with another model.

    Until the last one is made, questions are answered with those that are there. Ctrl-C is safe, and so is a power
    cut: the same command again goes on. Name the new model in the configuration too, so that it is used from then on.

    kgmem reembed --model nomic-embed-text
    """
    here = session(context)
    from kgmem.ingestion import embedding

    _refuse_unnamed_server(here, model)
    embedder = here.embedder(model)
    if embedder is None:
        raise ConfigurationError(
            "no model is installed or set that makes vectors", "pip install 'kgmem[embeddings]', or see `kgmem init`"
        )
    with here.changing() as store, here.writing_turn():
        before = store.vector_model()
        with progress_of(here.output) as progress:
            outcome = embedding.reembed(store, embedder, progress)
        here.record.count(**{f"{kind}_vectors": number for kind, number in outcome.made.items()})
        if outcome.trouble:
            raise outcome.trouble
    if here.output.as_json:
        here.output.json({"before": before and before.name, **as_json(outcome)})
    if outcome.interrupted:
        here.output.warn(
            f"stopped with {outcome.left:,} to go: what is made is kept; run the same command again to go on"
        )
        return ExitCode.FAILED
    if not here.output.as_json and (any(outcome.made.values()) or outcome.reused or not here.output.quiet):
        here.output.line(_told(outcome))
    return ExitCode.DONE


def _refuse_unnamed_server(here: Session, model: str | None) -> None:
    """A name that is mistyped sends no note to a server that nobody named.

    Raises:
        UserError: no model is asked for.
        ConfigurationError: a model of a server is asked for, and no server is named.
    """
    from kgmem.embedding.embedder import NONE, PACKAGED

    if model == NONE:
        raise UserError(
            f"{NONE!r} is no model: in the configuration it turns vectors off, and it makes none anew",
            f'write model = "{NONE}" under [embedding] to do without, or name a model',
        )
    config = here.config()
    named = config.embedding_url or os.environ.get("OPENAI_BASE_URL")
    if model not in {None, PACKAGED, config.embedding_model} and not named:
        raise ConfigurationError(
            f"no server is named that runs {model}",
            f"write url under [embedding] in the configuration, or use {PACKAGED}",
        )


def follow_up(here: Session, store: Store) -> Embedded | None:
    """Embed what an ingest brought, if anything is installed or set that can; what goes wrong is a note.

    The texts are committed and can be asked for by then.
    """
    from kgmem.ingestion import embedding

    try:
        embedder = here.embedder()
        if embedder is None:
            return None
        with progress_of(here.output) as progress:
            outcome = embedding.embed(store, embedder, progress)
    except UserError as error:
        outcome = embedding.Embedded("", trouble=error)
    if outcome.trouble:
        hint = f" ({outcome.trouble.hint})" if outcome.trouble.hint else ""
        here.output.warn(
            f"no vectors were made: {outcome.trouble.message}{hint}"
            if not outcome.made
            else f"{outcome.left:,} vectors are missing: {outcome.trouble.message}{hint}"
        )
    return outcome


def show(output: Output, outcome: Embedded, seconds: float) -> None:
    """What was embedded, how fast, and how much of so many seconds it took."""
    if output.verbose and (any(outcome.made.values()) or outcome.reused):
        share = f", {100 * outcome.seconds / seconds:.0f} % of the time" if seconds else ""
        output.note(_told(outcome) + share)


def as_json(outcome: Embedded | None, seconds: float | None = None) -> dict[str, Any]:
    """The form that scripts rely on; empty where nothing embeds."""
    if outcome is None:
        return {}
    rate = outcome.passages_per_second
    return {
        "model": outcome.model, "passages": outcome.made.get("passage", 0), "facts": outcome.made.get("fact", 0),
        "entities": outcome.made.get("entity", 0), "reused": outcome.reused, "left": outcome.left,
        "seconds": round(outcome.seconds, 3), "passages_per_second": None if rate is None else round(rate, 2),
        **({"share": round(outcome.seconds / seconds, 3)} if seconds else {}),
        "error": outcome.trouble.message if outcome.trouble else None,
    }  # fmt: skip


def _told(outcome: Embedded) -> str:
    made = outcome.made
    rate = outcome.passages_per_second
    told = ", ".join(
        f"{made.get(kind, 0):,} {kind if made.get(kind) == 1 else many}"
        for kind, many in (("passage", "passages"), ("fact", "facts"), ("entity", "entities"))
    )
    reused = f", {outcome.reused:,} like others before" if outcome.reused else ""
    speed = f"; {rate:.1f} passages a second" if rate else ""
    return f"embedded with {outcome.model}: {told}{reused}{speed}"


@contextmanager
def progress_of(output: Output, what: str = "vectors: ask already, or Ctrl-C and go on later") -> Iterator[Progress]:
    """A bar with the time left, on a terminal."""
    with stages(output, what) as tell:
        yield lambda done, total, _kind: tell(what, done, total)
