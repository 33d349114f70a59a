"""What claims compete for."""

from __future__ import annotations

from dataclasses import dataclass

from kgmem.model import Id, identify


@dataclass(frozen=True, slots=True)
class Rule:
    """What the ontology says of a predicate, as far as beliefs care."""

    single: bool = False
    """At most one value at any world instant."""


def slot_id(subject: Id, predicate: str, target: str | None, rule: Rule) -> Id:
    """The slot of a claim: (subject, predicate) if the predicate is single-valued, else with its target.

    A target is `kgmem.model.Claim.target`. An ENDS claim of a multi-valued predicate must name one.
    """
    return identify("slot", subject, predicate) if rule.single else identify("slot", subject, predicate, target)
