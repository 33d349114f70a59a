"""What was decided on who is who, and holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgmem.cli.session import Session

if TYPE_CHECKING:
    from kgmem.model import Decision
    from kgmem.store.protocol import Store


def show_decided(here: Session, limit: int | None) -> None:
    """List the decisions that hold, the newest first."""
    from kgmem.cli.lines import shown_of
    from kgmem.cli.output import clean
    from kgmem.recall.history import minute

    with here.reading() as store:
        told = [(minute(each.recorded_at), _decided_json(each, store)) for each in _held(store)]
    shown = told[::-1][:limit]
    if here.output.as_json:
        here.output.json({"total": len(told), "decisions": [row for _, row in shown]})
        return
    here.output.table(
        (
            ((row["id"], "dim"),),
            (at,),
            (clean(_decided_words(row)),),
            (clean(row["because"]),),
        )
        for at, row in shown
    )
    if not told:
        here.output.line("Nothing was decided.")
    if note := shown_of(len(shown), len(told)):
        here.output.note(f"{note}; --limit shows more")


def _held(store: Store) -> tuple[Decision, ...]:
    """The decisions on who is who that hold, in recorded order."""
    from kgmem.model import DecisionKind

    kinds = {DecisionKind.SAME, DecisionKind.DISTINCT, DecisionKind.MEANS, DecisionKind.TAKEN}
    return tuple(each for each in store.decisions() if each.kind in kinds and each.holds)


def _decided_json(decision: Decision, store: Store) -> dict[str, Any]:
    from kgmem.model import DecisionKind, show_instant

    other = decision.others[0] if decision.others else ""
    known = store.entities([decision.entity or "", other])
    told = {
        "id": decision.id,
        "one": decision.kind is not DecisionKind.DISTINCT and decision.entity is not None,
        "by_rule": decision.kind is DecisionKind.TAKEN,
        "because": decision.note,
        "recorded_at": show_instant(decision.recorded_at),
    }
    if decision.source:
        source = store.sources_ever([decision.source]).get(decision.source)
        who = known.get(decision.entity or other)
        b = {"id": who.id, "name": who.name} if who else {"id": None, "name": "somebody known"}
        name = decision.names[0] if decision.names else ""
        return {**told, "a": {"id": None, "name": name}, "b": b, "source": source.path if source else None}
    kept = known.get(decision.entity or "")
    gone = decision.names[0] if decision.names else known[other].name if other in known else other
    return {
        **told,
        "a": {"id": decision.entity, "name": kept.name if kept else decision.entity},
        "b": {"id": other, "name": gone},
        "source": None,
    }


def _decided_words(row: dict[str, Any]) -> str:
    """A decision, in a sentence."""
    a, b = row["a"]["name"], row["b"]["name"]
    if row["source"] or row["a"]["id"] is None:
        return f"{a} in {row['source'] or 'a note that is gone'} is {'' if row['one'] else 'not '}{b}"
    return f"{a} and {b} are {'one' if row['one'] else 'two'}"
