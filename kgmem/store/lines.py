"""The lines of a dump, as every store writes and reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kgmem.errors import InvariantError
from kgmem.model import Basis, Bound, Moment


def read_line(line: str) -> tuple[str, dict[str, Any]]:
    """(table, values by column) of a line.

    Raises:
        InvariantError: it is no line of a dump.
    """
    try:
        values = json.loads(line)
        return values.pop("table"), values
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise no_line(line) from error


def no_line(line: str) -> InvariantError:
    """What is wrong with a line that no dump has."""
    return InvariantError(f"this is no line of a dump: {line[:80]!r}")


def show_bound(bound: Bound) -> dict[str, Any]:
    """A world date as a dump says it: as a person reads it, how it is known, and the seconds that it covers."""
    if bound.moment is None:
        return {"basis": bound.basis}
    return {"date": str(bound.moment), "basis": bound.basis, "first": bound.moment.first, "past": bound.moment.past}


def read_bound(said: Mapping[str, Any]) -> Bound:
    """The world date that a dump says. Raises ValueError, TypeError or KeyError if it says none."""
    basis = Basis(said["basis"])
    if "date" not in said:
        return Bound(None, basis)
    return Bound(Moment(said["first"], said["past"], Moment.parse(said["date"]).precision), basis)
