"""Why a page is left alone: never an end of the export, always a line of its report."""

from __future__ import annotations

from kgmem.errors import KgmemError
from kgmem.model import Problem


class LeftAloneError(KgmemError):
    """A file of the folder that we may not read, write or remove as planned; ends as a problem in the report."""

    def __init__(self, kind: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint

    def at(self, path: str) -> Problem:
        """The problem, for the page at a path below the export's folder."""
        return Problem(path, 1, self.kind, self.message, self.hint)
