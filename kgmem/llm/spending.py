"""What asking a model may cost, and what it did. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_PER: Final = 1_000_000
DEFAULT_CALLS: Final = 200
"""Calls of one run, unless somebody says otherwise: nobody is to find out afterwards what a first run cost."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model takes for a million tokens, in whatever money its owner counts in."""

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """The price of so many tokens."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / _PER


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one run may take; None is as much as there is to ask."""

    calls: int | None = DEFAULT_CALLS
    tokens: int | None = None
    money: float | None = None


@dataclass(slots=True)
class Spent:
    """What a run took so far."""

    limits: Limits = field(default_factory=Limits)
    price: Price | None = None
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, tokens_in: int, tokens_out: int) -> None:
        """A call was made."""
        self.calls += 1
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out

    @property
    def tokens(self) -> int:
        """Both ways."""
        return self.tokens_in + self.tokens_out

    @property
    def money(self) -> float | None:
        """None where nobody said what the model takes."""
        return None if self.price is None else self.price.of(self.tokens_in, self.tokens_out)

    def stopped_by(self, tokens_in: int, tokens_out: int) -> str | None:
        """The limit that a call of about so many tokens would go beyond; None if it may be made."""
        limits = self.limits
        if limits.calls is not None and self.calls + 1 > limits.calls:
            return "1 call" if limits.calls == 1 else f"{limits.calls:,} calls"
        if limits.tokens is not None and self.tokens + tokens_in + tokens_out > limits.tokens:
            return f"{limits.tokens:,} tokens"
        if limits.money is not None and self.price is not None:
            more = self.price.of(self.tokens_in + tokens_in, self.tokens_out + tokens_out)
            return f"{limits.money:g} of money" if more > limits.money else None
        return None


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """The price of a model; one that is priced as ``*`` holds for all others."""
    return prices.get(model) or prices.get("*")
