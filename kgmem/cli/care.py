"""`kgmem init`, `kgmem stats` and `kgmem config`: where things live, and how much there is."""

from __future__ import annotations

from typing import Annotated

import typer

from kgmem.cli.session import session
from kgmem.errors import ConfigurationError


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

    here = session(context)
    path = here.config_file or config_path()
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
        "ontology": str(now.ontology or "ours"),
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
        held, roots = store.stats(), store.roots()
    last = show_instant(held.last_recorded) if held.last_recorded is not None else None
    if here.output.as_json:
        here.output.json(
            {
                "store": held.url, "engine": held.engine, "size_bytes": held.size_bytes, "last_recorded": last,
                "counts": dict(held.counts),
                "roots": [{"kind": kind, "root": root, "sources": count} for kind, root, count in roots],
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
