"""Words with a capital that name nobody: "the Treasurer", "a Member of the Board", Santa Claus."""

from __future__ import annotations

from typing import Final

_COMMON: Final = frozenset(
    "company firm corporation organisation organization association society board committee assembly council union"
    " chair member members director treasurer secretary president chairman minister mayor king queen prince princess"
    " captain party parties buyer seller vendor purchaser tenant landlord lessor lessee owner holder client customer"
    " supplier contractor employer employee applicant licensor licensee user users reader author composer goods"
    " property land premises product products service services agreement contract municipality state city town village"
    " sea ocean mountain river lake house home road street school church hospital office year month week day date world"
    " universe heaven hell earth nature death time love life man woman boy girl child baby dog cat horse bear wolf fox"
    " fool devil stranger player leader worker master server host node cluster job book paper article essay source note"
    " commonly generally typically usually normally basically essentially similarly additionally originally previously"
    " eventually supposedly apparently ideally practically theoretically historically traditionally".split()
)
_LEGENDS: Final = frozenset(
    ("god", "santa", "santa claus", "mrs claus", "father christmas", "tooth fairy", "easter bunny", "sandman")
)
"""Everybody tells of them, and nobody is them."""
_ARTICLES: Final = frozenset({"the", "a", "an"})


def is_nobody(name: str, roles: frozenset[str] = frozenset()) -> bool:
    """Whether a name that no note vouches for is a common noun, the word for a role, or somebody of legend.

    Args:
        name: as it is written.
        roles: words for what a person may be.
    """
    words = name.casefold().replace(".", "").split()
    if len(words) > 1 and words[0] in _ARTICLES:
        words.pop(0)
    plain = " ".join(words)
    return plain in roles or plain in _LEGENDS or (bool(words) and all(word in _COMMON for word in words))
