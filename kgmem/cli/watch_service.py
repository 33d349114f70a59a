"""`kgmem watch --install` and `--uninstall`: the file that makes the system run a watch by itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from kgmem.cli.output import clean
from kgmem.cli.session import Session
from kgmem.errors import SourceError, UserError
from kgmem.watching.service import (
    Owner,
    Service,
    System,
    advice,
    bytes_of,
    file_of,
    name_of,
    owner_of,
    text_of,
)

if TYPE_CHECKING:
    from kgmem.cli.watch import Options

_KEPT = ("KGMEM_EMBEDDING", "OPENAI_BASE_URL", "NEO4J_URI", "NEO4J_USERNAME", "NEO4J_DATABASE")
"""Variables that a watch obeys and that hold no secret."""
_SECRET = ("NEO4J_PASSWORD", "OPENAI_API_KEY")


def install(here: Session, options: Options) -> None:
    """Write the file, once it was shown and somebody agreed; one that is not ours is never overwritten."""
    system, service, file, log = _what(here, options)
    for path in options.paths:
        if not path.is_dir():
            raise SourceError(f"no such folder: {path}", "connect the disk first, if it is on one")
    text = text_of(system, service, log)
    before = _read(file)
    _refuse_others(owner_of(system, before), file)
    written = before == bytes_of(system, text)
    if not written:
        here.output.note(text)
        _agree(options, f"Write this to {file}?", "written")
        _write(file, bytes_of(system, text))
        if system is not System.SYSTEMD:
            log.parent.mkdir(parents=True, exist_ok=True)
    if here.output.as_json:
        here.output.json({
            "file": str(file), "written": not written, "text": text,
            "commands": [{"to": what, "command": command} for what, command in advice(system, service.name, file, log)],
        })  # fmt: skip
        return
    here.output.line(f"{clean(str(file))} {'stands as it is' if written else 'written'}")
    for what, command in advice(system, service.name, file, log):
        here.output.line(f"  to {what}: {clean(command)}")
    here.output.line("  to delete the file: the same command with --uninstall for --install")
    for name in _SECRET:
        if os.environ.get(name):
            here.output.note(
                f"{name} is not written into the file: a watch that needs it finds it in the configuration"
            )


def uninstall(here: Session, options: Options) -> None:
    """Delete the file, if it is ours and nobody changed it."""
    system, service, file, log = _what(here, options)
    owner = owner_of(system, _read(file))
    if owner is Owner.NOBODY:
        raise UserError(f"there is no {file}", "give the same folders and options as for --install")
    _refuse_others(owner, file)
    stop = next(command for what, command in advice(system, service.name, file, log) if what == "stop")
    _agree(options, f"Delete {file}?", "deleted")
    file.unlink()
    if here.output.as_json:
        here.output.json({"file": str(file), "deleted": True, "commands": [{"to": "stop", "command": stop}]})
        return
    here.output.line(f"{clean(str(file))} deleted")
    here.output.line(f"  to stop what still runs: {clean(stop)}")


def _what(here: Session, options: Options) -> tuple[System, Service, Path, Path]:
    """The system, what to run, the file that says so, the log."""
    config = here.config()
    system = _system()
    paths = [path.as_posix() for path in options.paths]
    name = name_of(config.group, paths)
    command = (sys.executable, "-m", "kgmem", *_globals(here), "watch", *paths, *_words(options))
    environment = {key: os.environ[key] for key in _KEPT if os.environ.get(key)}
    service = Service(name, command, f"kgmem watch {', '.join(paths)}", environment)
    return system, service, file_of(system, name, Path.home(), os.environ), _log(system, name)


def _globals(here: Session) -> list[str]:
    """The global options, and what the environment says in their place, as it is now.

    Raises:
        UserError: the address of the store holds a password, which must not stand in such a file.
    """
    from kgmem.store import holds_password

    config = here.config()
    store = here.store_url or os.environ.get("KGMEM_STORE")
    if store and holds_password(store):
        raise UserError(
            "the address of the store holds a password", "write it into the configuration: see `kgmem init`"
        )
    group = here.group or os.environ.get("KGMEM_GROUP")
    return [
        *(["--store", _anywhere(store)] if store else []),
        *(["--group", group] if group else []),
        *(["--config", str(config.path.absolute())] if here.config_file or config.path.is_file() else []),
    ]


def _anywhere(store: str) -> str:
    """The address of a store, for whoever runs in another folder."""
    return store if "://" in store else str(Path(store).expanduser().absolute())


def _words(options: Options) -> list[str]:
    from kgmem.cli.watch import EVERY

    return [
        *([] if options.nlp else ["--no-nlp"]),
        *([] if options.embeddings else ["--no-embeddings"]),
        *(["--poll"] if options.poll else []),
        *([] if options.every == EVERY else ["--every", f"{options.every:g}"]),
        *(["--llm", options.llm.value] if options.llm else []),
        *(["--as-kind", options.as_kind.value] if options.as_kind else []),
    ]


def _system() -> System:
    if os.name == "nt":
        return System.WINDOWS
    return System.LAUNCHD if sys.platform == "darwin" else System.SYSTEMD


def _log(system: System, name: str) -> Path:
    if system is System.LAUNCHD:
        return Path.home() / "Library" / "Logs" / f"kgmem-watch-{name}.log"
    import platformdirs

    return platformdirs.user_log_path("kgmem", appauthor=False) / f"watch-{name}.log"


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def _refuse_others(owner: Owner, file: Path) -> None:
    if owner in {Owner.OTHERS, Owner.CHANGED}:
        why = "was not written by kgmem" if owner is Owner.OTHERS else "was changed since kgmem wrote it"
        raise UserError(f"{file} {why}", "move it away, or delete it yourself")


def _agree(options: Options, question: str, done: str) -> None:
    """Ask, if nobody said yes before.

    Raises:
        UserError: nobody is there to ask.
        typer.Abort: the answer is no.
    """
    if options.yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(f"nothing was {done}: nobody is here to agree", "--yes agrees")
    typer.confirm(clean(question), err=True, abort=True)


def _write(file: Path, data: bytes) -> None:
    """Whole, or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.partial")
    partial.write_bytes(data)
    partial.replace(file)
