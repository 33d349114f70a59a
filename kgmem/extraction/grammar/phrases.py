"""A few words of a sentence as a value: what somebody likes, or what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kgmem.extraction.grammar.tree import Tree
from kgmem.extraction.grammar.words import DROPPED, NO_VALUE, Word

Bounds = tuple[int, int]
"""The first and last word of a phrase."""
_LONGEST_VALUE: Final = 5
_LONGEST_ROLE: Final = 5
_FIELD: Final = 2
"""Words of what somebody is the head of."""
_ASIDE: Final = frozenset({"relcl", "acl", "conj", "cc", "appos", "advcl", "punct", "preconj", "npadvmod", "advmod"})
"""What is told about a thing, and no part of what it is called."""
_DOING: Final = frozenset({"dobj", "prep", "pobj", "det", "amod", "compound", "advmod", "prt"})
_NOT_OF_ROLE: Final = frozenset({"new", "current", "former", "ex", "own"})


def value_at(tree: Tree, at: int) -> Bounds | None:
    """The words that say what one can like or use: "black coffee", "working in the morning"."""
    words = tree.words
    word = words[at]
    if word.lemma in NO_VALUE or word.tag in {"PRP", "DT", "WP", "CD"} or not word.text[0].isalpha():
        return None
    if word.tag == "VBG":
        kept = [each for each in tree.below(at) if each >= at and _is_doing(tree, each, at)]
    else:
        kept = [each for each in tree.below(at) if _is_named(tree, each, at)]
    while kept and words[kept[0]].text.lower() in DROPPED:
        kept.pop(0)
    if not kept or at not in kept or len(kept) > _LONGEST_VALUE or kept != list(range(kept[0], kept[-1] + 1)):
        return None
    return None if any(words[each].tag in {"PRP$", "PRP"} for each in kept) else (kept[0], kept[-1])


def _is_doing(tree: Tree, at: int, head: int) -> bool:
    """Whether a word tells more of what one likes doing."""
    while at != head:
        if tree.words[at].dep not in _DOING:
            return False
        at = tree.words[at].head
    return True


def _is_named(tree: Tree, at: int, head: int) -> bool:
    """Whether a word is part of what a phrase names, and not of what is told about it."""
    while at != head:
        word = tree.words[at]
        hyphen = word.dep == "punct" and word.text in {"-", "–"}
        if (word.dep in _ASIDE and not hyphen) or (word.dep == "prep" and word.lemma not in {"of", "with", "without"}):
            return False
        at = word.head
    return True


def role_at(tree: Tree, at: int, is_name: Callable[[Word], bool]) -> Bounds | None:
    """The words of a role: "senior software engineer", "head of cellar"; `is_name` tells of words that are names."""
    words = tree.words
    first = at
    while first > 0 and words[first - 1].head in range(first, at + 1) and _is_of_role(words[first - 1], is_name):
        first -= 1
    return None if at - first >= _LONGEST_ROLE else (first, _field(tree, at))


def _is_of_role(word: Word, is_name: Callable[[Word], bool]) -> bool:
    if word.dep not in {"compound", "amod", "nmod", "punct"} or is_name(word):
        return False
    return word.tag not in {"NNP", "NNPS"} and word.text.lower() not in _NOT_OF_ROLE


def _field(tree: Tree, at: int) -> int:
    """The last word of "head of cellar" and "professor of physics"; a name there is no part of the role."""
    words = tree.words
    if at + 1 < len(words) and words[at + 1].lemma == "of":
        for pobj in tree.of(at + 1, "pobj"):
            span = range(at + 2, pobj + 1)
            if len(span) <= _FIELD and all(words[each].tag in {"NN", "NNS", "JJ"} for each in span):
                return pobj
    return at
