"""`kgmem init`, `kgmem stats` and `kgmem config`: where things live, and how much there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kgmem.cli.session import session
from kgmem.errors import ConfigurationError

if TYPE_CHECKING:
    from rich.console import Console

    from kgmem.store.replies import Spending

_DEAREST: Final = 5


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(init)
    app.command()(stats)
    app.command()(config)


def init(
    context: typer.Context,
    *,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a configuration that is there.")] = False,
) -> None:
    """Write a commented configuration, and say where things live. Nothing needs it.

    kgmem init
    """
    from kgmem.config import TEMPLATE, config_path
    from kgmem.home import at_home

    here = session(context)
    path = here.config_file or at_home(config_path(), "--config")
    if path.exists() and not force:
        raise ConfigurationError(f"there is a configuration already: {path}", "--force overwrites it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEMPLATE, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror}") from error
    config(context)


def config(context: typer.Context) -> None:
    """Show what is set, and where things live.

    kgmem config
    """
    from kgmem.cli.hosts import told
    from kgmem.store import without_password

    here = session(context)
    now = here.config()
    rows = {
        "config": f"{now.path}" + ("" if now.path.exists() else " (not there; `kgmem init` writes it)"),
        "store": without_password(now.store),
        "group": now.group,
        "export": str(now.export or "./kgmem-pages"),
        "ontology": " + ".join([str(now.ontology or "ours"), *now.packs, *map(str, now.ontology_files)]),
        "nlp": now.nlp_model or "spaCy's small English pipeline, if it is installed",
        "network": told(now),
    }
    if here.output.as_json:
        here.output.json({**rows, "config": str(now.path), "exists": now.path.exists()})
        return
    for key, value in rows.items():
        here.output.console().print(f"{key:9} {value}", markup=False)


def stats(context: typer.Context) -> None:
    """Show how much the memory holds.

    kgmem stats
    """
    from kgmem.model import show_instant

    here = session(context)
    with here.reading() as store:
        held, roots, spending = store.stats(), store.roots(), store.spending()
    last = show_instant(held.last_recorded) if held.last_recorded is not None else None
    if here.output.as_json:
        here.output.json(
            {
                "store": held.url, "engine": held.engine, "size_bytes": held.size_bytes, "last_recorded": last,
                "counts": dict(held.counts),
                "roots": [{"kind": kind, "root": root, "sources": count} for kind, root, count in roots],
                "llm": [
                    {
                        "path": each.path, "passages": each.passages, "tokens_in": each.tokens_in,
                        "tokens_out": each.tokens_out, "seconds": each.milliseconds / 1000,
                    }
                    for each in spending
                ],
            }
        )  # fmt: skip
        return
    console = here.output.console()
    for name, count in held.counts.items():
        console.print(f"{name:14} {count:>10,}", markup=False)
    console.print(f"{'last recorded':14} {last or 'never'}", markup=False)
    console.print(f"{'store':14} {held.url} ({held.engine}, {held.size_bytes / 1e6:.1f} MB)", markup=False)
    for kind, root, count in roots:
        console.print(f"{kind:14} {root} ({count} notes)", markup=False)
    _show_spending(console, spending, _DEAREST)


def _show_spending(console: Console, spending: Sequence[Spending], limit: int) -> None:
    """What a model took for reading notes, of the dearest ones alone."""
    if not spending:
        return
    tokens = sum(each.tokens_in + each.tokens_out for each in spending)
    cut = f", the {limit} dearest of {len(spending)}" if len(spending) > limit else ""
    console.print(f"{'read by a model':14} {tokens:,} tokens for {len(spending)} notes{cut}:", markup=False)
    for each in spending[:limit]:
        console.print(
            f"{'':14} {each.path}: {each.tokens_in:,} + {each.tokens_out:,} tokens, {each.milliseconds / 1000:.1f} s",
            markup=False,
        )
