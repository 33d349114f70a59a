"""No passage twice in other words: maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from kgmem.store.text import words

_ROW = 3
"""Words in a row that two texts must share: unrelated ones share few, a copied sentence most."""


def choose(scores: Mapping[str, float], texts: Mapping[str, str], limit: int) -> tuple[str, ...]:
    """Ids, the best first, where what repeats one chosen before counts for less by as much as it repeats.

    Relevance is multiplied, not weighed against repetition: a passage that is much less relevant than another does not
    come before it for being different.

    Args:
        scores: relevance; what is below 0 is taken as 0.
        texts: what each says.
        limit: how many are chosen.
    """
    rows = {each: _rows(texts[each]) for each in scores}
    new = {each: max(score, 0.0) for each, score in scores.items()}
    repeated = dict.fromkeys(scores, 0.0)
    holding: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for each, some in rows.items():
        for row in some:
            holding[row].append(each)
    chosen: list[str] = []
    while new and len(chosen) < limit:
        best = min(new, key=lambda each: (-new[each] * (1 - repeated[each]), each))
        del new[best]
        chosen.append(best)
        for each, shared in Counter(each for row in rows[best] for each in holding[row]).items():
            repeated[each] = max(repeated[each], shared / len(rows[each]))
    return tuple(chosen)


def _rows(text: str) -> frozenset[tuple[str, ...]]:
    found: Sequence[str] = words(text)
    return frozenset(tuple(found[start : start + _ROW]) for start in range(max(1, len(found) - _ROW + 1)))
