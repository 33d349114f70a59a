"""`kgmem ontology`: what predicates and types there are, whether one's own are sound, and one more pack or file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgmem.cli.output import Output, Part, clean, one_line
from kgmem.cli.session import Session, session
from kgmem.errors import ConfigurationError, ExitCode, NotFoundError, UserError

if TYPE_CHECKING:
    from kgmem.extraction.ontology import Ontology, Predicate
    from kgmem.extraction.packs import Pack, Stack
    from kgmem.model import Problem

_PHRASE = 48
"""Columns of a phrase."""
_REPLACED = frozenset({"changes", "single-valued", "clash"})
"""What a file that replaces entries of ours may do."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    ontology = typer.Typer(
        help="The predicates and types that notes are read with.\n\nkgmem ontology list",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    ontology.command("list")(show)
    ontology.command()(check)
    ontology.command()(add)
    app.add_typer(ontology, name="ontology")


# -- list


def show(
    context: typer.Context,
    pack: Annotated[
        str | None, typer.Argument(help="Of this pack or file alone, also if it is not in use.", show_default=False)
    ] = None,
    *,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many predicates.", show_default=False)] = None,
) -> None:
    """Show the packs, each predicate (how it reads, of what, whether it takes one value, where it is from), and types.

    kgmem ontology list

    kgmem ontology list research
    """
    here = session(context)
    ontology = _with(here, pack) if pack else here.ontology()
    wanted = [each for each in ontology.predicates.values() if pack is None or _from(ontology, each, pack)]
    shown = wanted[:limit]
    if here.output.as_json:
        predicates = [_predicate_json(ontology, each) for each in shown]
        types = {kind.value: names for kind, names in ontology.subtypes().items()}
        here.output.json({"packs": _packs(here), "total": len(wanted), "predicates": predicates, "types": types})
        return
    if pack is None:
        here.output.table(_pack_rows(here))
        here.output.line()
    here.output.table(_rows(ontology, shown))
    if pack is None:
        here.output.line()
        here.output.table(_type_rows(ontology))
    if len(shown) < len(wanted):
        here.output.note(f"showing {len(shown)} of {len(wanted)}")


def _with(here: Session, name: str) -> Ontology:
    """The ontology in use, with a pack or file on it that may not be."""
    from kgmem.extraction.ontology import load_ontology
    from kgmem.extraction.packs import CORE, SHIPPED

    config = here.config()
    if name == CORE or name in config.packs or _file(name) in map(Path.resolve, config.ontology_files):
        return here.ontology()
    packs, files = (*config.packs, name), config.ontology_files
    if name not in SHIPPED:
        packs, files = config.packs, (*config.ontology_files, _existing(name))
    return load_ontology(config.ontology, config.owner, packs, files)


def _from(ontology: Ontology, predicate: Predicate, pack: str) -> bool:
    origins = ontology.origins.get(predicate.name, ())
    return pack in origins or str(_file(pack)) in {str(_file(each)) for each in origins}


def _packs(here: Session) -> list[dict[str, Any]]:
    from kgmem.extraction.packs import CORE, SHIPPED, read_file, read_shipped

    config = here.config()
    found = [("pack", CORE in (CORE, *config.packs) if name == CORE else name in config.packs, read_shipped(name))
             for name in (CORE, *SHIPPED)]  # fmt: skip
    found += [("file", True, read_file(each)) for each in config.ontology_files]
    found += [("replacing", True, read_file(each)) for each in (config.ontology,) if each is not None]
    return [
        {
            "name": pack.name, "kind": kind, "used": used, "about": pack.data.get("about", ""),
            "predicates": len(pack.data.get("predicates") or ()),
        }
        for kind, used, pack in found
    ]  # fmt: skip


def _pack_rows(here: Session) -> Iterator[Sequence[Sequence[Part]]]:
    for pack in _packs(here):
        used = "in use" if pack["used"] else "not used"
        about = pack["about"] or {"replacing": "your own, in place of ours", "file": "your own"}.get(pack["kind"], "")
        count = f"{pack['predicates']} predicate" + ("" if pack["predicates"] == 1 else "s")
        yield ((clean(pack["name"]), "bold"),), (used,), (count,), ((clean(str(about)), "dim"),)


def _rows(ontology: Ontology, predicates: Sequence[Predicate]) -> Iterator[Sequence[Sequence[Part]]]:
    for each in predicates:
        phrase = each.phrase.replace("{s}", "…").replace("{o}", "…")
        origin = " + ".join(ontology.origins.get(each.name, ()))
        yield (
            ((each.name, "bold"),), (one_line(phrase, _PHRASE),), (_types(each),),
            ("one" if each.one else "several",), ((clean(origin), "dim"),),
        )  # fmt: skip


def _type_rows(ontology: Ontology) -> Iterator[Sequence[Sequence[Part]]]:
    for kind, names in ontology.subtypes().items():
        yield ((kind.value, "bold"),), (clean(", ".join(names)),)


def _types(predicate: Predicate) -> str:
    domain, span = (", ".join(kinds) for kinds in (predicate.domain, predicate.range))
    return f"{domain or 'any'} → {span or 'text'}"


def _predicate_json(ontology: Ontology, predicate: Predicate) -> dict[str, Any]:
    return {
        "name": predicate.name,
        "phrase": predicate.phrase,
        "domain": list(predicate.domain),
        "range": list(predicate.range),
        "one": predicate.one,
        "symmetric": predicate.symmetric,
        "names": sorted(predicate.names),
        "inverse": sorted(predicate.inverse),
        "phrases": [each.text for each in predicate.wordings],
        "from": list(ontology.origins.get(predicate.name, ())),
    }


# -- check


def check(
    context: typer.Context,
    file: Annotated[
        str | None, typer.Argument(help="This file or pack, on what is in use; else all that is.", show_default=False)
    ] = None,
) -> int:
    """Check packs and files of your own: each mistake with its line, and what helps.

    kgmem ontology check ontology.yaml
    """
    here = session(context)
    found = _checked(here, file).mistakes
    if here.output.as_json:
        here.output.json({"ok": not found, "problems": [asdict(each) for each in found]})
    else:
        _show_mistakes(here.output, found)
    return ExitCode.FAILED if found else ExitCode.DONE


def _checked(here: Session, file: str | None) -> Stack:
    from dataclasses import replace

    from kgmem.extraction.packs import SHIPPED, read_file, stack

    config = here.config()
    packs, files = list(config.packs), list(config.ontology_files)
    if file is not None and file in SHIPPED:
        packs = [*(each for each in packs if each != file), file]
    elif file is not None:
        own = _existing(file)
        if config.ontology is None or own != config.ontology.resolve():
            files = [*(each for each in files if each.resolve() != own), own]
    further: list[Pack] = [] if config.ontology is None else [read_file(config.ontology)]
    made = stack(packs, files, further=further)
    replacing = {pack.name for pack in further}
    kept = [each for each in made.mistakes if each.path not in replacing or each.kind not in _REPLACED]
    return replace(made, mistakes=tuple(kept))


def _show_mistakes(output: Output, mistakes: Sequence[Problem]) -> None:
    for each in mistakes:
        output.line((f"{clean(each.path)}:{each.line}: ", "bold"), clean(each.message))
        if each.hint:
            output.line(f"  {clean(each.hint)}")
    if not mistakes:
        output.line("no mistakes")


# -- add


def add(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A pack that ships, or a file of your own.")],
) -> None:
    """Use one more pack, or a file of your own. It is checked first, and written into the configuration.

    What it says of keys and phrases holds for notes that are read from then on.

        kgmem ontology add research
    """
    from kgmem.config_writing import add_to_list
    from kgmem.extraction.packs import CORE, SHIPPED, stack_soundly

    here = session(context)
    config = here.config()
    if what == CORE:
        raise UserError(f"{CORE} is always in use: it is the core")
    shipped = what in SHIPPED
    value = what if shipped else str(_existing(what))
    if config.ontology is not None:
        raise ConfigurationError(
            f"{config.path} sets ontology = {str(config.ontology)!r}, beside which no pack can be listed",
            'write [ontology], and below it packs = ["…"] and files = ["…"]',
        )
    packs = (*config.packs, value) if shipped else config.packs
    stack_soundly(packs, config.ontology_files if shipped else (*config.ontology_files, Path(value)))
    added = add_to_list(config.path, "ontology", "packs" if shipped else "files", value)
    if here.output.as_json:
        here.output.json({"added": added, "config": str(config.path), "name": value})
        return
    here.output.line(f"{clean(value)} is in use" + ("" if added else " already"))
    if added:
        here.output.note(
            f"written into {config.path}; `kgmem ingest --reread` applies it to notes that are read already"
        )


def _file(name: str) -> Path:
    return Path(name).expanduser().resolve()


def _existing(name: str) -> Path:
    from kgmem.extraction.packs import CORE, SHIPPED

    path = _file(name)
    if not path.is_file():
        raise NotFoundError(f"there is no pack and no file {name!r}", f"packs are {', '.join((CORE, *SHIPPED))}")
    return path
