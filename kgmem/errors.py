"""Every error that kgmem raises on purpose.

    KgmemError
    ├── UserError               a message and a hint: all that a person sees, never a traceback
    │   ├── ConfigurationError  the configuration or the environment is wrong
    │   ├── SourceError         a folder or file cannot be read as a whole
    │   ├── NotFoundError       nothing here has that name or id
    │   ├── StoreError          the store refuses
    │   │   ├── StoreLockedError       another process holds it
    │   │   │   └── TurnTakenError      another command is at work on it
    │   │   ├── StoreTooNewError       a newer kgmem wrote it
    │   │   └── StoreUnreachableError  it cannot be opened
    │   │       ├── StoreMissingError   nothing was ever written there
    │   │       └── StorePasswordError  it lets nobody in like this
    │   ├── ArchiveError        what was moved out of the store cannot be had, or nothing can be moved there
    │   └── ModelError          a language model's reply or server is no use
    │       ├── ModelBusyError      its server takes no more requests for a while
    │       └── ModelRefusalError   its server takes this request in no form
    └── InvariantError          a bug of ours; reported as such

A bad note is not an error: it is a `kgmem.model.Problem` in a report.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum


class ExitCode(IntEnum):
    """What the command line returns."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    PROBLEMS = 3


class KgmemError(Exception):
    """The root of the tree."""


class UserError(KgmemError):
    """What was asked could not be done; says why, and what helps."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigurationError(UserError):
    """The configuration or the environment is wrong."""


class SourceError(UserError):
    """A folder or file cannot be read as a whole, so nothing may be concluded from it."""


class NotFoundError(UserError):
    """Nothing here has that name or id."""


class StoreError(UserError):
    """The store refuses."""


class StoreLockedError(StoreError):
    """Another process holds the store."""


class TurnTakenError(StoreLockedError):
    """Another command is at work on the memory."""

    def __init__(self, message: str, hint: str, holder: Mapping[str, object]) -> None:
        super().__init__(message, hint)
        self.holder = holder
        """What `kgmem.store.turns.Holder` says, for programs; empty if it said nothing."""


class StoreTooNewError(StoreError):
    """A newer kgmem wrote the store."""


class StoreUnreachableError(StoreError):
    """The store cannot be opened."""


class StoreMissingError(StoreUnreachableError):
    """There is no store yet: nothing was ever written there."""


class StorePasswordError(StoreUnreachableError):
    """The server of a store wants a password, or another one."""


class ArchiveError(UserError):
    """A body that was moved out of the store cannot be had, or none can be moved to where it is to go."""


class ModelError(UserError):
    """A language model's reply or server is no use."""


class ModelBusyError(ModelError):
    """The server of a model takes no more requests for a while."""


class ModelRefusalError(ModelError):
    """The server of a model takes this request in no form: it may take another one."""


class InvariantError(KgmemError):
    """A bug of ours: something that must always hold does not."""
