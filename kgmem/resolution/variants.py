"""Other ways to write a name that mean the same beyond doubt, and short ones that do so beside the full name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from kgmem.model import EntityType
from kgmem.resolution.forms import acronyms, as_acronym, content_words, legal_parts, words
from kgmem.resolution.persons import is_given_name, parse_person

_SHORTEST: Final = 4
"""Letters from which one word of an organization's name may stand for it."""
_SAFE_ACRONYM: Final = 3
_BRACKETED: Final = re.compile(r"(?P<bare>[^()（）\[\]]+?)\s*[(（\[](?P<inside>[^()（）\[\]]+)[)）\]]\s*")
_COMMON: Final = frozenset(
    "american asian bank british café cafe canadian center central centre chinese church city clinic club college"
    " committee company council department digital dutch east eastern english european faculty federal first foundation"
    " french friends general german global grand great group health high hospital hotel house institut institute"
    " international irish italian japanese laboratoire labor laboratory lake library little local ministry modern"
    " museum national natural north northern office open pacific park public red republic restaurant river royal saint"
    " school science scottish second sociedad société society south southern spanish state swedish swiss team the"
    " théâtre theatre third trade trinity union united universal universität université university urban west western"
    " white women world youth young".split()
)
"""Words that begin the names of many organizations, and stand for none."""


@lru_cache(1 << 14)
def variants(name: str, kind: EntityType) -> tuple[str, ...]:
    """Other spellings of a name of that type that mean the same: without a legal form, with the given name first."""
    return tuple(dict.fromkeys(found for found in _variants(name, kind) if found != name))


def _variants(name: str, kind: EntityType) -> Iterator[str]:
    if kind is EntityType.ORGANIZATION:
        core, forms = legal_parts(name)
        written = name.removeprefix("The ").split()
        if len(written) > 1 and name.startswith("The "):
            yield " ".join(written)
        while forms and len(written) > 1 and legal_parts(" ".join(written))[1]:
            written = written[:-1]
            if words(" ".join(written)) == core or legal_parts(" ".join(written))[0] == core:
                yield " ".join(written).rstrip(",")
    elif kind is EntityType.PERSON:
        family, comma, given = (part.strip() for part in name.partition(","))
        if comma and given and not parse_person(name).bare and parse_person(f"{given} {family}") == parse_person(name):
            yield f"{given} {family}"


def without_brackets(name: str) -> tuple[str, ...]:
    """What texts call a thing whose title ends in brackets: ``Hill Street (film)`` is called Hill Street.

    Brackets that hold the short form are its other name: ``State Machine Replication (SMR)``. A single word before
    them is left to be any word: the brackets say that it has other meanings.
    """
    match = _BRACKETED.fullmatch(name)
    if match is None or len(match["bare"].split()) < 2:  # noqa: PLR2004
        return ()
    bare, inside = match["bare"].strip(), match["inside"].strip()
    return (bare, inside) if is_acronym_of(inside, bare) else (bare,)


def first_word(name: str) -> str | None:
    """The word by which texts call an organization once they have named it in full; None if there is no telling one."""
    written = name.removeprefix("The ").split()
    if len(written) < 2 or len(legal_parts(name)[0]) < 2:  # noqa: PLR2004
        return None
    first = written[0].rstrip(",")
    plain = first.casefold()
    telling = len(first) >= _SHORTEST and first.isalpha() and first[0].isupper() and not first.isupper()
    return first if telling and plain not in _COMMON and not is_given_name(plain) else None


def is_acronym_of(short: str, full: str) -> bool:
    """Whether three capitals or more are the first letters of a name of several words, with or without small ones."""
    letters = as_acronym(short)
    if letters is None or len(letters) < _SAFE_ACRONYM or len(content_words(full)) < 2:  # noqa: PLR2004
        return False
    core, _ = legal_parts(full)
    return letters in acronyms(full) or letters in acronyms(" ".join(core))
