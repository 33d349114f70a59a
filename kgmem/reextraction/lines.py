"""The dump of a memory with its claims drawn again: the lines that stay, and those that take the place of others."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from kgmem.beliefs import RuleOf
from kgmem.model import OPEN, Bound, Claim, Id, Instant, Passage
from kgmem.reextraction.chain import lives
from kgmem.reextraction.facts import Life, believed
from kgmem.reextraction.log import Log
from kgmem.reextraction.replay import Redrawn
from kgmem.store.changes import EndKind
from kgmem.store.lines import show_bound

Row = dict[str, Any]

_ORDER: Final = (
    "tx decision replay entity source source_path episode source_episode passage stands reply mention alias link claim"
    " ending fact evidence vectors vector conversation message spoken_of step"
).split()
"""The tables of a dump, as they follow each other: what a row names comes before it."""


@dataclass(slots=True)
class Rewriting:
    """What differs from a dump once the claims of a memory are drawn again."""

    claims: set[Id] = field(default_factory=set)
    """Those that go, with how they ended."""
    facts: set[Id] = field(default_factory=set)
    """Those that go, with what they rest on."""
    rows: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    """What comes, by table."""

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.claims or self.facts or any(self.rows.values()))


def rewriting(log: Log, redrawn: Redrawn, rule_of: RuleOf) -> Rewriting:
    """What differs, given what a log said and what is drawn from it now."""
    found = Rewriting()
    changed = {
        source
        for source, chain in redrawn.chains.items()
        if dict(_as_sets(chain.said)) != dict(_as_sets(log.said.get(source, {})))
    }
    slots: set[Id] = set()
    for source in sorted(changed):
        before = {claim.id: (slot, claim) for said in log.said.get(source, {}).values() for slot, claim in said.claims}
        found.claims |= before.keys()
        slots |= {slot for slot, _ in before.values()}
        for slot, claim, ended in lives(redrawn.chains[source]):
            slots.add(slot)
            _put_claim(found, slot, claim, ended)
    _put_texts(found, redrawn)
    _put_facts(found, log, redrawn, slots, rule_of)
    return found


def _as_sets(said: Mapping[Instant, Any]) -> Iterator[tuple[Instant, object]]:
    """Equal for chains that say the same, in whatever order."""
    for at, each in said.items():
        yield at, (frozenset(each.claims), frozenset(each.endings))


def _put_claim(found: Rewriting, slot: Id, claim: Claim, ended: Iterable[tuple[Instant, Bound | None]]) -> None:
    replaced: Bound | None = None
    withdrawn = OPEN
    for at, bound in ended:
        kind = EndKind.WITHDRAWN if bound is None else EndKind.REPLACED
        if bound is None:
            withdrawn = at
        else:
            replaced = bound
        shown = None if bound is None else show_bound(bound)
        found.rows["ending"].append({"claim": claim.id, "recorded_at": at, "kind": kind, "at": shown})
    found.rows["claim"].append(
        {
            "id": claim.id, "slot": slot, "source": claim.source, "episode": claim.episode, "passage": claim.passage,
            "subject": claim.subject, "predicate": claim.predicate, "object": claim.object, "value": claim.value,
            "statement": claim.statement, "quote": claim.quote, "line": claim.line,
            "valid_from": show_bound(claim.valid.start), "valid_to": show_bound(claim.valid.end),
            "said": show_bound(claim.said), "kind": claim.kind, "scalar": int(claim.scalar), "rung": claim.rung,
            "confidence": claim.confidence, "recorded_at": claim.recorded_at, "first_at": claim.first_at,
            "withdrawn_at": withdrawn, "replaced": None if replaced is None else show_bound(replaced),
        }
    )  # fmt: skip


def _put_texts(found: Rewriting, redrawn: Redrawn) -> None:
    for each in redrawn.entities.values():
        found.rows["entity"].append(
            {"id": each.id, "name": each.name, "type": each.type, "subtype": each.subtype, "type_rank": each.type_rank}
        )
    for episode, place, passage in redrawn.passages.values():
        found.rows["passage"].append(_passage_row(passage))
        found.rows["stands"].append(
            {
                "episode": episode, "passage": passage.id, "ordinal": place, "first_line": passage.first_line,
                "last_line": passage.last_line,
            }
        )  # fmt: skip


def _passage_row(passage: Passage) -> Row:
    """It is live once its source is read again."""
    return {
        "id": passage.id, "source": passage.source, "live": 0, "kind": passage.kind, "heading": passage.heading,
        "block": passage.block, "text": passage.text,
    }  # fmt: skip


def _put_facts(found: Rewriting, log: Log, redrawn: Redrawn, slots: AbstractSet[Id], rule_of: RuleOf) -> None:
    found.facts = {fact for fact, slot in log.facts.items() if slot in slots}
    by_slot: dict[Id, list[Life]] = defaultdict(list)
    for chain in redrawn.chains.values():
        for slot, claim, ended in lives(chain):
            if slot in slots:
                by_slot[slot].append((claim, ended))
    for slot in sorted(by_slot):
        facts, evidence = believed(slot, by_slot[slot], rule_of)
        found.rows["fact"] += facts
        found.rows["evidence"] += evidence


def rewritten(dump: Iterable[str], change: Rewriting) -> Generator[str]:
    """The lines of a dump with a change made: those of each table where they belong."""
    coming = iter(_ORDER)
    facts = {row["id"] for row in change.rows["fact"]}
    gone = change.facts - facts
    stays = _keeping(change, gone)
    for table, lines in groupby(dump, key=table_of):
        for each in coming:
            if each == table:
                break
            yield from _new(each, change)
        keep = stays.get(table)
        yield from (line for line in lines if keep is None or keep(json.loads(line)))
        yield from _new(table, change)
    for each in coming:
        yield from _new(each, change)


def table_of(line: str) -> str:
    """The table that a line of a dump is of."""
    return line[len('{"table":"') :].partition('"')[0]


def _keeping(change: Rewriting, gone: AbstractSet[Id]) -> dict[str, Callable[[Row], bool]]:
    if not (change.claims or change.facts):
        return {}
    return {
        "claim": lambda row: row["id"] not in change.claims,
        "ending": lambda row: row["claim"] not in change.claims,
        "fact": lambda row: row["id"] not in change.facts,
        "evidence": lambda row: row["fact"] not in change.facts,
        "vector": lambda row: row["kind"] != "fact" or row["id"] not in gone,
    }


def _new(table: str, change: Rewriting) -> Iterator[str]:
    for row in change.rows[table]:
        yield json.dumps({"table": table, **row}, ensure_ascii=False, separators=(",", ":"))
