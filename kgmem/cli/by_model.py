"""What a model reads after an ingest: what it would take, what came of it, and what is told of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgmem.cli.hosts import host_of, is_here
from kgmem.cli.vectors import progress_of
from kgmem.errors import ConfigurationError, UserError
from kgmem.llm.settings import Extract

if TYPE_CHECKING:
    from kgmem.cli.output import Output
    from kgmem.cli.session import Session
    from kgmem.ingestion.batching import Bounds, Estimate
    from kgmem.ingestion.by_model import ReadByModel
    from kgmem.llm.chat import LlmSettings
    from kgmem.llm.settings import ReadingSettings
    from kgmem.llm.spending import Limits, Price
    from kgmem.memory import Memory
    from kgmem.sources.document import Reader


@dataclass(frozen=True, slots=True)
class Asking:
    """What one run may ask."""

    settings: LlmSettings
    reading: ReadingSettings
    extract: Extract
    limits: Limits

    @property
    def model(self) -> str:
        """Its name."""
        return self.settings.named or ""

    @property
    def price(self) -> Price | None:
        """What it takes, if that is set."""
        from kgmem.llm.spending import price_of

        return price_of(self.model, self.reading.prices)

    @property
    def bounds(self) -> Bounds:
        """What is set about one call."""
        from kgmem.ingestion.batching import Bounds

        passages = self.reading.batch_tokens
        return Bounds() if passages is None else Bounds(passages)


def asking(
    here: Session,
    llm: Extract | None,
    *,
    calls: int | None = None,
    tokens: int | None = None,
    money: float | None = None,
) -> Asking | None:
    """What is to be asked by the options and the configuration; None if nothing is.

    Raises:
        ConfigurationError: it is asked for, and no model is set; or money is limited, and the model has no price.
    """
    from kgmem.llm.chat import LlmSettings
    from kgmem.llm.settings import limited

    config = here.config()
    reading = config.llm_reading
    extract = reading.extract if llm is None else llm
    if extract is Extract.NONE:
        return None
    settings = LlmSettings(config.llm_model, config.llm_url, timeout=reading.timeout)
    if settings.named is None:
        raise ConfigurationError("no model is set that could read notes", "write model under [llm]; see `kgmem init`")
    found = Asking(settings, reading, extract, limited(reading.limits, calls=calls, tokens=tokens, money=money))
    if found.limits.money is not None and found.price is None:
        raise ConfigurationError(
            f"money is limited, and nothing says what {found.model} takes",
            f'write "{found.model}" = [0.15, 0.60] under [llm.prices]: a million tokens sent, and received',
        )
    return found


def forecast(memory: Memory, what: Asking, readers: Sequence[Reader]) -> Estimate:
    """What it would take to ask about all that is wanted."""
    return memory.forecast(readers, what.model, what.extract, bounds=what.bounds)


def follow_up(here: Session, memory: Memory, what: Asking, readers: Sequence[Reader]) -> ReadByModel:
    """Let the model read what an ingest brought; what goes wrong is a note, for the notes are committed by then."""
    from kgmem.ingestion.by_model import ReadByModel
    from kgmem.llm.spending import Spent
    from kgmem.llm.structured import find_structured

    try:
        model = find_structured(what.settings)
    except UserError as error:
        here.output.warn(f"no model reads the notes: {error.message}{_hint(error)}")
        return ReadByModel(what.model, Spent(), trouble=error)
    spent = Spent(what.limits, what.price)
    with progress_of(here.output, f"{what.model} reads: ask already, or Ctrl-C and go on later") as progress:
        outcome = memory.read_by_model(readers, model, what.extract, spent, bounds=what.bounds, progress=progress)
    _tell_trouble(here.output, outcome)
    return outcome


def _tell_trouble(output: Output, outcome: ReadByModel) -> None:
    left = f"{_number(outcome.left, 'passage')} left for the next ingest"
    if outcome.trouble:
        output.warn(f"{outcome.model} stopped reading, {left}: {outcome.trouble.message}{_hint(outcome.trouble)}")
    elif outcome.stopped_by:
        output.note(f"the limit of {outcome.stopped_by} is reached: {left}")


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _hint(error: UserError) -> str:
    return f" ({error.hint})" if error.hint else ""


def show(output: Output, outcome: ReadByModel) -> None:
    """What was read, what it came to, and what it took."""
    spent = outcome.spent
    if output.quiet and not spent.calls:
        return
    _show_orders(output, outcome.orders)
    if not (spent.calls or output.verbose):
        return
    dropped = sum(outcome.dropped.values())
    why = ", ".join(f"{name} {number:,}" for name, number in sorted(outcome.dropped.items()))
    output.line(
        f"  {outcome.model} read {_number(outcome.passages, 'passage')} in {_number(spent.calls, 'call')}: "
        f"{_number(outcome.claims, 'claim')}, "
        f"{dropped:,} dropped{f' ({why})' if why else ''}; "
        f"{spent.tokens_in:,} + {spent.tokens_out:,} tokens{_money(spent.money)}, {outcome.seconds:.0f} s"
    )
    if outcome.passed_over > outcome.orders and output.verbose:
        rest = _number(outcome.passed_over - outcome.orders, "passage")
        output.note(f"{rest} sent to no model: too long, or of a story")


def _show_orders(output: Output, orders: int) -> None:
    if orders:
        gives = "it gives" if orders == 1 else "they give"
        output.line(f"  {_number(orders, 'passage')} left out: {gives} orders to a model")


def show_forecast(output: Output, what: Asking, told: Estimate) -> None:
    """What would be asked: an estimate, and said to be one."""
    money = what.price.of(told.tokens_in, told.tokens_out) if what.price else None
    output.line(
        f"  {what.model} would read {_number(told.passages, 'passage')} in {_number(told.calls, 'call')}, "
        f"about {told.tokens_in:,} + {told.tokens_out:,} tokens{_money(money)} (an estimate){_sent(what)}"
    )
    _show_orders(output, told.orders)
    if what.limits.calls is not None and told.calls > what.limits.calls:
        output.line(f"  one ingest makes {_number(what.limits.calls, 'call')} at most; the next one goes on")


def _sent(what: Asking) -> str:
    from kgmem.llm.chat import server_of

    host = host_of(server_of(what.settings) or "")
    return f", sent to {'this machine' if is_here(host) else host}"


def _money(money: float | None) -> str:
    return "" if money is None else f", {money:.4f} of money"


def as_json(outcome: ReadByModel | None) -> dict[str, Any] | None:
    """The form that scripts rely on."""
    if outcome is None:
        return None
    spent = outcome.spent
    return {
        "model": outcome.model, "calls": spent.calls, "tokens_in": spent.tokens_in, "tokens_out": spent.tokens_out,
        "money": spent.money, "passages": outcome.passages, "claims": outcome.claims,
        "dropped": dict(sorted(outcome.dropped.items())), "left": outcome.left, "passed_over": outcome.passed_over,
        "orders": outcome.orders,
        "seconds": round(outcome.seconds, 3), "stopped_by": outcome.stopped_by,
        "error": outcome.trouble.message if outcome.trouble else None,
    }  # fmt: skip


def forecast_json(what: Asking, told: Estimate) -> dict[str, Any]:
    """The same of what is only foretold."""
    money = what.price.of(told.tokens_in, told.tokens_out) if what.price else None
    return {
        "model": what.model, "calls": told.calls, "tokens_in": told.tokens_in, "tokens_out": told.tokens_out,
        "money": money, "passages": told.passages, "orders": told.orders, "estimate": True,
    }  # fmt: skip
