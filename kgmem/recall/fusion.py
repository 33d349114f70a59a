"""Several rankings made one.

Scores of different arms are brought to the same range and added; measured on several sets, that keeps what a better
arm knows, which the sum of reciprocal ranks gives away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

_RANK_CONSTANT = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): how little the first ranks dominate."""


def normalise(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores from 0, of the worst, to 1, of the best; 1 for all where all are equal."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {each: (score - low) / (high - low) for each, score in scores.items()}


def add(arms: Iterable[tuple[float, Mapping[str, float]]]) -> dict[str, float]:
    """The sum of the normalised scores of several arms, each with its weight; arms of no weight bring nothing."""
    total: dict[str, float] = {}
    for weight, scores in arms:
        if weight:
            for each, score in normalise(scores).items():
                total[each] = total.get(each, 0.0) + weight * score
    return total


def by_rank(arms: Iterable[Sequence[str]]) -> dict[str, float]:
    """Scores of ids by their ranks in several lists: the sum of 1 / (60 + rank)."""
    scores: dict[str, float] = {}
    for arm in arms:
        for rank, each in enumerate(arm, 1):
            scores[each] = scores.get(each, 0.0) + 1 / (_RANK_CONSTANT + rank)
    return scores


def best_first(scores: Mapping[str, float]) -> list[str]:
    """Ids by score; those of one score by id, so that the same question has the same answer."""
    return sorted(scores, key=lambda each: (-scores[each], each))
