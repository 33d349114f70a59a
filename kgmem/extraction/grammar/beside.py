"""What names tell beside each other, with no verb: "Lyon, France", "Bo Li of Acme", "the Lyon-based Acme"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kgmem.extraction.grammar.filling import Found
from kgmem.extraction.grammar.frames import Frame, Slot
from kgmem.extraction.grammar.matching import Matcher
from kgmem.extraction.grammar.referents import End
from kgmem.extraction.grammar.stance import Stance
from kgmem.extraction.ontology import Ontology
from kgmem.model import EntityType

_SAID: Final = Stance("present")
_PLACE: Final = (EntityType.LOCATION,)
_TOWN: Final = (EntityType.LOCATION, EntityType.ORGANIZATION)
"""A place that is named without its region."""
_PERSON: Final = (EntityType.PERSON,)
_ORGANIZATION: Final = (EntityType.ORGANIZATION,)
_LONGEST_REGION: Final = 3
_REGIONS: Final = frozenset(
    "afghanistan albania algeria angola argentina armenia australia austria azerbaijan bangladesh belarus belgium"
    " bolivia bosnia brazil bulgaria cambodia cameroon canada chile china colombia croatia cuba cyprus czechia denmark"
    " ecuador egypt england estonia ethiopia finland france germany ghana greece guatemala hungary iceland india"
    " indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kuwait laos latvia lebanon libya"
    " lithuania malaysia mali malta mexico moldova mongolia montenegro morocco mozambique myanmar namibia nepal"
    " netherlands nicaragua nigeria norway oman pakistan paraguay peru philippines poland portugal qatar romania russia"
    " rwanda scotland senegal serbia slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania"
    " thailand tunisia turkey uganda ukraine uruguay venezuela vietnam wales yemen zambia zimbabwe alabama alaska"
    " arizona arkansas california colorado connecticut delaware florida hawaii idaho illinois indiana iowa kansas"
    " kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada"
    " ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia wisconsin wyoming ontario quebec alberta"
    " manitoba saskatchewan bavaria saxony tuscany sicily catalonia normandy brittany".split()
) | {
    "new zealand", "south africa", "south korea", "north korea", "saudi arabia", "sri lanka", "united states",
    "united kingdom", "new hampshire", "new jersey", "new mexico", "north carolina", "north dakota", "south carolina",
    "south dakota", "rhode island", "west virginia", "british columbia", "nova scotia",
}  # fmt: skip
"""Countries, and the states and provinces that one writes behind a town: a list of towns is none of theirs."""


def besides(matcher: Matcher, ontology: Ontology) -> Iterator[Found]:
    """What the names of a sentence tell beside each other, each of a type that something shows."""
    located, works = (ontology.predicates.get(name) for name in ("LOCATED_IN", "WORKS_AT"))
    for at, word in enumerate(matcher.tree.words):
        if located is not None and word.text == "," and (pair := _town(matcher, at)) is not None:
            yield _found(Frame(located, "says", "noun", frozenset(), Slot("s"), (Slot("o"),)), at, *pair)
        if located is not None and word.text == "based" and (pair := _based(matcher, at)) is not None:
            yield _found(Frame(located, "says", "noun", frozenset(), Slot("s"), (Slot("o"),)), at, *pair)
        if works is not None and word.text == "of" and (pair := _of_house(matcher, at)) is not None:
            yield _found(Frame(works, "says", "noun", frozenset(), Slot("s"), (Slot("o"),)), at, *pair)


def _found(frame: Frame, at: int, subject: End, target: End) -> Found:
    return Found(frame, at, frozenset({at}), {"s": (subject,), "o": (target,)}, _SAID, "says", apposed=True)


def _shown(matcher: Matcher, at: int, types: tuple[EntityType, ...]) -> End | None:
    """A name that something shows to be of a type."""
    named = matcher.referents.name_of(at, alone=True)
    return matcher.referents.end(at, types) if named is not None and named.types == frozenset(types) else None


def _town(matcher: Matcher, comma: int) -> tuple[End, End] | None:
    """Read "Lyon, France" around a comma."""
    words = matcher.tree.words
    last = comma + 1
    for last in range(comma + 1, min(len(words), comma + 1 + _LONGEST_REGION)):
        if " ".join(word.text for word in words[comma + 1 : last + 1]).lower() in _REGIONS:
            break
    else:
        return None
    town, region = matcher.referents.name_of(comma - 1, alone=True) if comma else None, _shown(matcher, last, _PLACE)
    if town is None or region is None or town.text.lower() in _REGIONS or town.end > words[comma].start:
        return None
    first = next(at for at, word in enumerate(words) if word.start >= town.start)
    after = words[last + 1].text.lower() if last + 1 < len(words) else "."
    listed = first > 0 and words[first - 1].text in {",", "and", "or"}
    plain = town.types == frozenset(_PLACE)
    place = matcher.referents.end(comma - 1, _TOWN) if plain else None
    return None if listed or place is None or after in {"and", "or", "&"} else (place, region)


def _based(matcher: Matcher, at: int) -> tuple[End, End] | None:
    """Read "the Lyon-based Acme"."""
    tree = matcher.tree
    if at < 2 or tree.words[at - 1].text != "-" or tree.words[at].dep != "amod":  # noqa: PLR2004 - "Lyon", "-"
        return None
    whose, place = matcher.referents.end(tree.words[at].head, _ORGANIZATION), _shown(matcher, at - 2, _PLACE)
    return None if whose is None or place is None or whose.pronoun else (whose, place)


def _of_house(matcher: Matcher, at: int) -> tuple[End, End] | None:
    """Read "Bo Li of Acme" where both are shown: of a place, or of a small one-word name, nobody knows."""
    tree = matcher.tree
    governed = tree.of(at, "pobj")
    if tree.words[at].dep != "prep" or len(governed) != 1:
        return None
    who, house = _shown(matcher, tree.words[at].head, _PERSON), _shown(matcher, governed[0], _ORGANIZATION)
    return None if who is None or house is None or " " not in who.name else (who, house)
