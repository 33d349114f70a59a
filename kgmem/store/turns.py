"""Whose turn it is to write: on one memory, one command that needs many transactions after the other.

A store lets one transaction at a time write, and whoever writes only one waits for that alone. A turn is for what takes
many: an ingest, a comparison of all names, new vectors. It costs readers nothing, for they take none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import blake2s
from pathlib import Path
from typing import Final, Self

from kgmem.errors import ConfigurationError, TurnTakenError
from kgmem.home import state_folder
from kgmem.locks import LockTakenError, locked
from kgmem.store import WAIT_SECONDS, file_of, is_server, without_password
from kgmem.store.generations import split_name

_LONGEST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has the turn."""

    process: int
    command: str
    """The program and its command. Never more: an argument may be a private thought."""
    since: str
    """An ISO instant of UTC, in seconds."""

    def working(self, where: str = "") -> str:
        """What it does, in words for a message, with the time of day here."""
        began = datetime.fromisoformat(self.since).astimezone()
        return f"process {self.process} ({self.command}) has been at work{where} since {began:%Y-%m-%d %H:%M:%S}"


class Turn:
    """The turn, held as long as the block of `with` lasts, but for pauses.

    Nothing more than a turn: a store does not ask for it. Where the file of the lock cannot be made, in a folder that
    is only to be read or without a home, there is none to take, and the store says what it thinks of being written to.
    """

    def __init__(
        self,
        url: str,
        group: str,
        command: str,
        *,
        wait_seconds: float = WAIT_SECONDS,
        waiting: Callable[[str], None] | None = None,
    ) -> None:
        """Take nothing yet.

        Args:
            url: of the store.
            group: the tenant; its generations share its turn.
            command: what others are told, as `Holder.command`.
            wait_seconds: how long to wait for another command; 0 does not wait.
            waiting: told once, in words, who has the turn, before it waits.
        """
        self._url, self._group = url, group
        self._command, self._wait, self._waiting = command, wait_seconds, waiting
        self._held = ExitStack()

    def __enter__(self) -> Self:
        """Take the turn.

        Raises:
            kgmem.errors.TurnTakenError: another command kept it.
        """
        since = datetime.now(UTC).isoformat(timespec="seconds")
        told = json.dumps(asdict(Holder(os.getpid(), self._command[:_LONGEST_NAME], since)))
        try:
            self._held.enter_context(locked(self._file(), told, wait_seconds=self._wait, waiting=self._tell))
        except LockTakenError as error:
            raise self._taken(error.told) from None
        except (OSError, ConfigurationError):
            return self
        return self

    def __exit__(self, *_: object) -> None:
        """Let the next one have it."""
        self._held.close()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let others have the turn while a person thinks.

        Raises:
            kgmem.errors.TurnTakenError: another command has it at the end.
        """
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()

    def _file(self) -> Path:
        """Beside a file; for a server, in the folder of the user's that lasts, by its address."""
        base, _ = split_name(self._group) or (self._group, 0)
        if not is_server(self._url):
            file = file_of(self._url).resolve()
            return file.with_name(f"{file.name}.turn-{_short(base)}")
        folder = state_folder() / "turns"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder / _short(f"{without_password(self._url).rstrip('/')} {base}")

    def _tell(self, told: str) -> None:
        if self._waiting is not None:
            holder = _holder(told)
            self._waiting(holder.working() if holder else "another process is at work")

    def _taken(self, told: str) -> TurnTakenError:
        holder = _holder(told)
        where = f" on the group {self._group} in {without_password(self._url)}"
        return TurnTakenError(
            holder.working(where) if holder else f"another process is at work{where}",
            "try again when it is done, or wait for that with --wait SECONDS",
            {} if holder is None else asdict(holder),
        )


def _holder(told: str) -> Holder | None:
    """What a holder told; None of one that has just come, or just goes."""
    try:
        return Holder(**json.loads(told))
    except (ValueError, TypeError):
        return None


def _short(text: str) -> str:
    return blake2s(text.encode(), digest_size=4).hexdigest()
