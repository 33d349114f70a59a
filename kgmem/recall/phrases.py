"""The phrases of a question, from the inside out: each that means entities over facts becomes one reference.

"Where does the husband of my sister live" is "where does [Lukas Falk] live", once "my sister" and then "the husband of
[Sofia]" were followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from kgmem.model import Id
from kgmem.recall.cues import PREPOSITIONS, Cue, End, fitting
from kgmem.recall.kinds import AUXILIARIES
from kgmem.recall.question import SCRIPTS, Named
from kgmem.recall.relations import Ground, Hop, Item, Ref, Word, typed
from kgmem.recall.things import ARTICLES, thing_there

_TOKEN: Final = re.compile(
    rf"(?P<unspaced>[{SCRIPTS}]+)|(?:(?![{SCRIPTS}])[^\W_])+(?:[-'’.](?:(?![{SCRIPTS}])[^\W_])+)*"
)
_OWN: Final = {"i": False, "me": False, "we": False, "us": False, "my": True, "our": True, "mine": False}
"""Words for the owner, and whether something of theirs follows."""
_ADJECTIVES: Final = frozenset("little big older younger elder current present new own dear other".split())
_FORMER: Final = frozenset("former previous ex last old late".split())
_RELATIVE: Final = frozenset("that which who whom where".split())
_BE: Final = frozenset("is are was were am be been".split())
_BETWEEN: Final = AUXILIARIES | PREPOSITIONS - {"of"} | frozenset("the a an now currently still also".split())
"""Words that may stand between the reference and the verb of a clause."""
_LONGEST: Final = 3
"""Words of a noun, at most."""
_READ: Final = 60
"""Words of a question whose structure is looked at."""
WHERE: Final = (Cue("LOCATED_IN", "s"), Cue("LIVES_IN", "s"))
"""What "is" asks for beside "where"."""


def items_of(
    question: str, start: int, named: Sequence[Named], skipped: Iterable[tuple[int, int]], me: Sequence[Id]
) -> list[Item]:
    """The names and other words of a question, in order; names in what is skipped do not count.

    Args:
        question: the words.
        start: where its kind was said.
        named: what it names.
        skipped: spans that say a time.
        me: the owner, if somebody said who that is.
    """
    gone = list(skipped)
    kept = [each for each in named if not _begins_in(each.start, gone) and each.end > start]
    found: list[Item] = [_ref(question, each) for each in kept]
    taken = [(each.start, each.end) for each in kept] + gone
    for match in _TOKEN.finditer(question, start):
        if match["unspaced"]:
            free = _free(match.start(), match.end(), taken)
            found += [Word(first, last, question[first:last]) for first, last in free]
            continue
        if any(first < match.end() and match.start() < last for first, last in taken):
            continue
        own = _OWN.get(match[0].lower())
        if own is not None and me:
            found.append(Ref(match.start(), match.end(), tuple(me), possessive=own, own=True))
        else:
            found.append(Word(match.start(), match.end(), match[0]))
    return sorted(found, key=lambda each: each.start)[:_READ]


def _free(start: int, end: int, taken: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """What is left of a span between those that are taken."""
    for first, last in sorted(taken):
        if first < end and start < last:
            if start < first:
                yield start, first
            start = last
    if start < end:
        yield start, end


def _ref(question: str, name: Named) -> Ref:
    after = question[name.end : name.end + 2].lower()
    owns = name.text.lower().endswith(("'s", "’s")) or after in {"'s", "’s", "' ", "’ "}
    return Ref(name.start, name.end, name.entities, possessive=owns)


def _begins_in(start: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(first <= start < last for first, last in spans)


def reduced(items: list[Item], ground: Ground) -> list[Item]:
    """The items with every phrase that leads over facts made one reference."""
    for _ in range(len(items)):
        for reduce in (_possessive, _apposed, _relative, _of, thing_there):
            found = reduce(items, ground)
            if found is not None:
                start, end, ref = found
                items = [*items[:start], ref, *items[end:]]
                break
        else:
            break
    return items


def noun_at(items: Sequence[Item], start: int, ground: Ground, ids: Sequence[Id] = ()) -> tuple[int, tuple[Cue, ...]]:
    """(words that it takes, what it asks for) of the longest noun that begins at an item; (0, ()) without one.

    A noun of a person's own counts where a fact of these entities has it.
    """
    run = _words(items[start : start + _LONGEST])
    coined = {fact.predicate for each in ids for fact in ground.facts(each)}
    for length in range(len(run), 0, -1):
        words = [word.lower for word in run[:length]]
        cues = ground.cues.nouns(words)
        if ground.cues.knows_noun(words) or any(cue.predicate in coined for cue in cues):
            return length, cues
    return 0, ()


def _words(items: Iterable[Item]) -> list[Word]:
    run: list[Word] = []
    for item in items:
        if not isinstance(item, Word):
            break
        run.append(item)
    return run


_Found = tuple[int, int, Ref]


def _possessive(items: Sequence[Item], ground: Ground) -> _Found | None:
    """[Mira's] employer, [my] little sister."""
    for place, owner in enumerate(items):
        if not isinstance(owner, Ref) or not owner.possessive:
            continue
        first, former = place + 1, False
        while first < len(items) and isinstance(word := items[first], Word) and word.lower in _ADJECTIVES | _FORMER:
            former |= word.lower in _FORMER
            first += 1
        length, cues = noun_at(items, first, ground, owner.ids)
        if length:
            return place, first + length, _led(items[place : first + length], owner, cues, ground, former=former)
    return None


def _apposed(items: Sequence[Item], _ground: Ground) -> _Found | None:
    """[my cousin] [Anna]: who is both."""
    for place in range(len(items) - 1):
        one, other = items[place], items[place + 1]
        if isinstance(one, Ref) and isinstance(other, Ref) and one.hops and not other.hops:
            both = tuple(each for each in one.ids if each in other.ids)
            if both:
                return place, place + 2, replace(one, end=other.end, ids=both, possessive=other.possessive)
    return None


def _of(items: Sequence[Item], ground: Ground) -> _Found | None:
    """The husband of [Sofia]; the last one first, as it stands within those before it."""
    for place in range(len(items) - 2, 0, -1):
        word, owner = (
            items[place],
            items[place + 1 + _is_article(items, place + 1)] if place + 2 <= len(items) else None,
        )
        if not (isinstance(word, Word) and word.lower == "of" and isinstance(owner, Ref)):
            continue
        end = place + 2 + _is_article(items, place + 1)
        for length in range(min(_LONGEST, place), 0, -1):
            first = place - length
            taken, cues = noun_at(items[:place], first, ground, owner.ids)
            if taken == length:
                begin = first - _is_article(items, first - 1)
                return begin, end, _led(items[begin:end], owner, cues, ground)
    return None


def _is_article(items: Sequence[Item], place: int) -> bool:
    if not 0 <= place < len(items) - 1:
        return False
    item = items[place]
    return isinstance(item, Word) and item.lower in ARTICLES


def _led(phrase: Sequence[Item], owner: Ref, cues: Sequence[Cue], ground: Ground, *, former: bool = False) -> Ref:
    """What a phrase means that has one noun beside whom it is of."""
    words = [item.lower for item in phrase if isinstance(item, Word) and item.lower not in {"of", *ARTICLES}]
    hop = ground.hop(owner.ids, cues, lambda cue: cue.first, former=former, noun=words[-1])
    last = phrase[-1]
    owns = isinstance(last, Word) and last.text.lower().endswith(("'s", "’s"))
    return Ref(phrase[0].start, last.end, hop.ends, possessive=owns, hops=(*owner.hops, hop), origin=owner.ids)


def _relative(items: Sequence[Item], ground: Ground) -> _Found | None:
    """The company that [Anna] founded, the city where [Nord] is; the last one first."""
    for place in range(len(items) - 1, 0, -1):
        word, noun = items[place], items[place - 1]
        bare = isinstance(word, Ref) and not word.hops and _is_article(items, place - 2)
        if not (bare or (isinstance(word, Word) and word.lower in _RELATIVE)):
            continue
        before = place - 1
        if isinstance(noun, Word) and noun.lower in PREPOSITIONS and place > 1:
            before -= 1
            noun = items[before]
        named = isinstance(noun, Ref) and not bare
        if not named and not (isinstance(noun, Word) and ground.cues.ontology.type_named(noun.lower)):
            continue
        clause = _clause(items, place if bare else place + 1, ground)
        if clause is None:
            continue
        end, owner, hop = clause
        if isinstance(noun, Ref):
            both = tuple(each for each in noun.ids if each in hop.ends)
            if both:
                return before, end, Ref(noun.start, items[end - 1].end, both, hops=(*owner.hops, hop))
            continue
        hop = typed(ground, hop, noun.lower)
        begin = before - _is_article(items, before - 1)
        ref = Ref(items[begin].start, items[end - 1].end, hop.ends, hops=(*owner.hops, hop))
        return begin, end, ref
    return None


def _clause(items: Sequence[Item], start: int, ground: Ground) -> tuple[int, Ref, Hop] | None:
    """(where it ends, what it names, where it leads) of a clause with one reference and one verb."""
    refs = [place for place in range(start, len(items)) if isinstance(items[place], Ref)]
    if not refs or refs[0] > start + _LONGEST:
        return None
    (place, *_) = refs
    owner = items[place]
    assert isinstance(owner, Ref)  # noqa: S101 - for the type checker
    for verb in range(start, min(place + _LONGEST + 1, len(items))):
        word = items[verb]
        if not isinstance(word, Word):
            continue
        between = items[min(start, verb) : max(place, verb)]
        if any(isinstance(each, Word) and each is not word and each.lower not in _BETWEEN for each in between):
            continue
        asked = verb_at(items[start:], verb - start, ground)
        if asked:
            passive = is_passive(items[start:], verb - start)
            hop = ground.hop(owner.ids, asked, end_at(before=place < verb, passive=passive))
            return _past(items, max(place, verb) + 1), owner, hop
        if word.lower in _BE and place < verb and verb == len(items) - 1:
            return verb + 1, owner, ground.hop(owner.ids, WHERE, lambda cue: cue.first)
    return None


def _past(items: Sequence[Item], place: int) -> int:
    """Where a clause ends: a preposition at its end is of it."""
    item = items[place] if place < len(items) else None
    return place + 1 if isinstance(item, Word) and item.lower in PREPOSITIONS else place


def verb_at(items: Sequence[Item], place: int, ground: Ground) -> tuple[Cue, ...]:
    """What a word asks for if it is a verb, the likeliest first."""
    word = items[place]
    if not isinstance(word, Word) or word.lower in AUXILIARIES or word.lower in PREPOSITIONS:
        return ()
    cues = ground.cues.verbs(word.lower)
    if not cues:
        return ()
    after = [item.lower for item in items[place + 1 :] if isinstance(item, Word)]
    following = [each if each in PREPOSITIONS else ground.cues.stem(each) for each in after[:5]]
    direct = items[place + 1] if place + 1 < len(items) else None
    if isinstance(direct, Ref):
        following = ["", *following]
    passive = is_passive(items, place)
    fits = [cue for cue in fitting(cues, following) if passive or not cue.copular]
    return tuple(sorted(fits, key=lambda cue: not cue.copular)) if passive else tuple(fits)


def is_passive(items: Sequence[Item], verb: int) -> bool:
    """Whether a verb is said with "be" and not in the form of "working": "was Nord founded", "is married to"."""
    word = items[verb]
    before = [item.lower for item in items[:verb] if isinstance(item, Word)]
    return isinstance(word, Word) and not word.lower.endswith("ing") and not _BE.isdisjoint(before)


def end_at(*, before: bool, passive: bool) -> Callable[[Cue], End]:
    """The end of a fact that a reference before or after a verb stands at, by what the verb asks for."""
    return lambda cue: cue.first if before is not (passive and not cue.copular) else cue.last
