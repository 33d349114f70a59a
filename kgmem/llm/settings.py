"""What a person sets about a model that reads notes: of which passages it is asked, and how much one run may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from kgmem.errors import ConfigurationError
from kgmem.llm.spending import Limits, Price

TIMEOUT_SECONDS: Final = 120.0
"""A model on this machine reads a long question before it says its first word."""


class Extract(StrEnum):
    """Of which passages a model is asked."""

    NEEDED = "needed"
    """Those that the other rungs leave open: see `kgmem.extraction.model.needed`."""
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """Without `extract` no note is sent, whatever model words the answers."""

    extract: Extract = Extract.NONE
    limits: Limits = field(default_factory=Limits)
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By model."""
    batch_tokens: int | None = None
    timeout: float = TIMEOUT_SECONDS


def read_settings(file: Path, table: Mapping[str, Any]) -> ReadingSettings:
    """The settings in the section of a configuration.

    Raises:
        ConfigurationError: one of them means nothing.
    """
    extract = table.get("extract", Extract.NONE)
    if extract not in set(Extract):
        raise ConfigurationError(f"extract in {file} is none of {', '.join(Extract)}: {extract!r}")
    default = Limits()
    limits = Limits(
        calls=_whole(file, table, "calls", default.calls),
        tokens=_whole(file, table, "tokens", default.tokens),
        money=_number(file, "money", table["money"]) if "money" in table else None,
    )
    prices = {model: _price(file, model, price) for model, price in _prices(file, table).items()}
    timeout = _number(file, "extract_timeout", table.get("extract_timeout", TIMEOUT_SECONDS))
    bound = _whole(file, table, "batch_tokens", None)
    return ReadingSettings(Extract(extract), limits, prices, bound, timeout or TIMEOUT_SECONDS)


def limited(limits: Limits, *, calls: int | None, tokens: int | None, money: float | None) -> Limits:
    """Limits with those of one run over them."""
    return Limits(
        limits.calls if calls is None else calls,
        limits.tokens if tokens is None else tokens,
        limits.money if money is None else money,
    )


def _whole(file: Path, table: Mapping[str, Any], key: str, default: int | None) -> int | None:
    if key not in table:
        return default
    value: object = table[key]
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigurationError(f"{key} in {file} is not a whole number from 1 on: {value!r}")
    return value


def _number(file: Path, key: str, value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
        raise ConfigurationError(f"{key} in {file} is not a number from 0 on: {value!r}", f"write {key} = 1.0")
    return float(value)


def _prices(file: Path, table: Mapping[str, Any]) -> Mapping[str, Any]:
    prices = table.get("prices", {})
    if not isinstance(prices, dict):
        raise ConfigurationError(f"[llm.prices] in {file} is not a section")
    return prices


def _price(file: Path, model: str, price: object) -> Price:
    if not isinstance(price, list) or len(price) != 2:  # noqa: PLR2004 -- sent, and received
        raise ConfigurationError(f"the price of {model} in {file} is no pair", f'write "{model}" = [0.15, 0.60]')
    return Price(*(_number(file, f"the price of {model}", each) for each in price))
