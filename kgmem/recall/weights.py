"""Every number of retrieval, in one place. `bench/recall.py` prints what each arm is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class GraphWeights:
    """How a walk over passages and entities goes: see `kgmem.recall.graph`."""

    damping: float = 0.7
    """How likely the walk goes on at each step; else it begins again at a seed."""
    own: float = 3.0
    """How much more a passage is tied to what its note is about than to what it names."""
    words: float = 3.0
    """How much more the walk prefers the best passage by words among those of an entity; in proportion for others."""
    least: float = 1e-4
    """What is left to spread at a passage, or per passage of an entity, is dropped below this share of the whole."""
    rounds: int = 12
    """Steps at most: what is still under way then is damping to this power, 1 %."""
    most: int = 1000
    """An entity that more passages name sets nothing apart, and leads to its own notes alone."""


@dataclass(frozen=True, slots=True)
class Mix:
    """What each arm weighs when normalised scores are added."""

    text: float
    graph: float
    vectors: float
    seeds: float
    """Of the walk, the share that begins at the best passages by words; the others begin at the entities named."""
    faint: float
    """What the walk alone comes to is left out below this share of what it spends at the best passage."""


@dataclass(frozen=True, slots=True)
class Weights:
    """All of retrieval."""

    graph: GraphWeights = field(default_factory=GraphWeights)
    one: Mix = Mix(text=0.25, graph=1.0, vectors=0.25, seeds=1.0, faint=1.0)
    """Of a question about one thing: the words of the question find the place in its notes."""
    several: Mix = Mix(text=0.0, graph=1.0, vectors=0.0, seeds=0.03, faint=0.005)
    """Of all others: what is near the things named, however it is worded. Words and vectors find what is like the
    question, which the second of two hops is not."""
    agreed: float = 0.5
    """A question is about one thing if so much of the best passages by words stands in notes about the same."""
    agreed_named: float = 0.75
    """Or if so much of them names what the question names."""
    titled: float = 0.5
    """Or if less of what it names, by rarity, has a note of its own: what texts only mention leads nowhere for sure."""
    looked_at: int = 10
    """The best passages by words that are asked whether they agree."""
    reach: int = 200
    """Passages that words, or vectors, may bring."""
    seeds: int = 40
    """Of them, those at which a walk may begin."""
    alike: float = 0.3
    """The least cosine of a passage that vectors bring: below it the packaged model calls everything like anything."""
    vectors_when_told: bool = False
    """Whether vectors are asked also where facts answer a question, or it only asks what is known of a name. The
    answer is the same, and passages only illustrate it; to load the model costs more than all the rest."""
    walk_when_told: bool = False
    """The same of the walk: what tells the facts, how the notes begin, and what the words find illustrate them."""
    said: int = 10_000
    """How far the passages are counted that say a name: words said so often or more often are all alike."""
    placed: int = 40
    """Candidates beyond the limit that are read: some are headings, some repeat others."""
    recent: float = 0.05
    """What a passage of today gains over one of no date, where a question asks about no time; half of it after
    `half_life`."""
    half_life: float = 365.0
    """Days."""
    told: float = 0.25
    """What a passage gains that says a date within the period asked about."""
    reranked: int = 20
    """Passages that a reranker reads, where a person has one."""
    arms: frozenset[str] = frozenset({"text", "graph", "vectors"})
    """The arms in use: a benchmark takes each away in turn."""


WEIGHTS: Final = Weights()
