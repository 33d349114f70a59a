"""Every mistake of a pack, with its line: what means nothing, and what would change the meaning of what is there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from kgmem.errors import ConfigurationError
from kgmem.extraction.ontology import ENTRIES, TELLINGS, Predicate, plain, predicate_of
from kgmem.extraction.packs.clashes import clashes
from kgmem.extraction.packs.reading import GROWS, Pack
from kgmem.model import EntityType, Problem

_MAPPINGS: Final = ("predicates", "types", "infobox", "telling", "grammar")
_LISTS: Final = ("roles", "apart", "verbs", "type_properties", "ignored_properties")
_SECTIONS: Final = (*_MAPPINGS, *_LISTS, "about", "tales")
_FLAGS: Final = ("one", "symmetric", "timeless", "extends", "replaces")
_WORDS: Final = ("domain", "range", "names", "inverse", "asked", *TELLINGS, "not")
_NAME: Final = re.compile(r"[^\W\d_][^\W]*")
_FORMS: Final = 5
"""Of an irregular verb."""
_TYPES: Final = tuple(EntityType)
_CLOSE: Final = 0.7
"""How alike what was written and what may be meant are, from 0 to 1."""


def mistakes_of(pack: Pack, base: Mapping[str, Any], origins: Mapping[str, Sequence[str]]) -> list[Problem]:
    """What is wrong with a pack, by line.

    Args:
        pack: as it is written.
        base: the ontology that it is laid on.
        origins: where the predicates of that come from.
    """
    checker = _Checker(pack, base, origins)
    return sorted(checker.run(), key=lambda each: (each.line, each.kind, each.message))


class _Checker:
    def __init__(self, pack: Pack, base: Mapping[str, Any], origins: Mapping[str, Sequence[str]]) -> None:
        self._pack = pack
        self._base = base
        self._origins = origins

    def run(self) -> Iterator[Problem]:
        for where, line in self._pack.doubled:
            yield self._at(line, "twice", f"{where[-1]} stands here twice", "YAML keeps only the last: join the two")
        for section, value in self._pack.data.items():
            yield from self._section(str(section), value)

    def _section(self, section: str, value: Any) -> Iterator[Problem]:
        if section not in _SECTIONS:
            yield self._problem(
                (section,), "unknown-key", f"there is no section {section!r}", _near(section, _SECTIONS)
            )
        elif section in _MAPPINGS and not isinstance(value, dict):
            yield self._problem(
                (section,), "form", f"{section} is not a mapping", f"write {section}: and entries below"
            )
        elif section in _LISTS and not isinstance(value, list):
            yield self._problem((section,), "form", f"{section} is not a list", f"write {section}: [ … ]")
        elif section == "predicates":
            yield from self._predicates(value)
        elif section == "types":
            yield from self._types(value)
        elif section in {"infobox", "telling"}:
            yield from self._typed_keys(section, value)
        elif section == "verbs":
            yield from self._verbs(value)
        elif section == "tales" and not isinstance(value, bool):
            yield self._problem((section,), "form", "tales is neither true nor false")

    # -- predicates

    def _predicates(self, entries: Mapping[Any, Any]) -> Iterator[Problem]:
        sound: dict[str, Predicate] = {}
        for key, entry in entries.items():
            name = str(key)
            wrong = list(self._form(name, {} if entry is None else entry))
            yield from wrong
            if not wrong:
                yield from self._standing(name, entry or {})
                sound[name] = predicate_of(name, self._whole(name, entry or {}))
        held = {
            name: predicate_of(name, entry or {})
            for name, entry in self._base.get("predicates", {}).items()
            if (name not in sound or (entries[name] or {}).get("extends")) and _is_sound(name, entry)
        }
        yield from self._opposites({**sound, **held}, sound)
        keys = frozenset(plain(str(each)) for each in self._base.get("type_properties", ()))
        for clash in clashes(sound, held, keys):
            yield self._problem(
                ("predicates", clash.predicate, clash.entry, clash.words), "clash", clash.message, clash.hint
            )

    def _whole(self, name: str, entry: Mapping[str, Any]) -> Mapping[str, Any]:
        """An entry; of one that extends another, its words with the meaning of that."""
        if not entry.get("extends"):
            return entry
        held = self._base.get("predicates", {}).get(name) or {}
        meaning = {key: value for key, value in held.items() if key not in GROWS}
        return {**meaning, **{key: entry[key] for key in entry if key in GROWS}}

    def _form(self, name: str, entry: Any) -> Iterator[Problem]:
        """What makes an entry of a predicate no entry at all."""
        here = ("predicates", name)
        if not _NAME.fullmatch(name) or name != name.upper():
            yield self._problem(here, "name", f"{name!r} is no name of a predicate", "write it like WORKS_AT")
        if not isinstance(entry, dict):
            yield self._problem(here, "form", f"{name} is not a mapping", "write {phrase: …, names: […]}")
            return
        for each in map(str, entry):
            if each not in ENTRIES:
                message = f"{name} has an entry {each!r}, which means nothing"
                yield self._problem((*here, each), "unknown-key", message, _near(each, ENTRIES))
        for flag in _FLAGS:
            if not isinstance(entry.get(flag, False), bool):
                yield self._problem((*here, flag), "form", f"{flag} of {name} is neither true nor false")
        yield from self._lists(name, entry)
        yield from self._phrases(name, entry)

    def _lists(self, name: str, entry: Mapping[str, Any]) -> Iterator[Problem]:
        for words in _WORDS:
            where, value = ("predicates", name, words), entry.get(words, [])
            if not _is_texts(value):
                yield self._problem(where, "form", f"{words} of {name} is not a list of words", f"{words}: [ … ]")
            elif words in {"domain", "range"}:
                for kind in value:
                    if kind not in _TYPES:
                        message = f"{words} of {name} has the type {kind!r}, which there is not"
                        yield self._problem(where, "unknown-type", message, _near(kind, _TYPES))

    def _phrases(self, name: str, entry: Mapping[str, Any]) -> Iterator[Problem]:
        from kgmem.extraction.relations.wordings import check_phrase

        phrase = entry.get("phrase", "{s} {o}")
        if not isinstance(phrase, str) or "{s}" not in phrase or "{o}" not in phrase:
            yield self._problem(
                ("predicates", name, "phrase"), "phrase", f"the phrase of {name} must name {{s}} and {{o}}: {phrase!r}",
                'as in "{s} works at {o}"',
            )  # fmt: skip
        for tells in TELLINGS:
            for text in entry.get(tells, ()) if _is_texts(entry.get(tells, [])) else ():
                try:
                    check_phrase(name, str(text))
                except ConfigurationError as error:
                    yield self._problem(("predicates", name, tells, str(text)), "phrase", error.message, error.hint)

    def _standing(self, name: str, entry: Mapping[str, Any]) -> Iterator[Problem]:
        """What is wrong with an entry beside what is there already."""
        here = ("predicates", name)
        held = self._base.get("predicates", {}).get(name)
        origin = " + ".join(self._origins.get(name, ()))
        if entry.get("extends"):
            if held is None:
                yield self._problem(
                    (*here, "extends"), "extends", f"there is no {name} to extend", "define it, without extends"
                )
            changing = [
                each for each in entry if each not in {"extends", *_WORDS} or each in {"domain", "range", "not"}
            ]
            for each in changing:
                message = f"{name} of {origin} may be given more words, and not another {each}"
                yield self._problem((*here, each), "changes", message, "say `replaces: true` to define it anew")
        elif held is not None and held != entry and not entry.get("replaces"):
            if bool(held.get("one")) != bool(entry.get("one")):
                kinds = ("one value", "several") if held.get("one") else ("several values", "one")
                message = f"{name} of {origin} takes {kinds[0]} at a time, and here {kinds[1]}"
                yield self._problem((*here, "one") if "one" in entry else here, "single-valued", message, _ANEW)
            else:
                yield self._problem(here, "changes", f"{name} is defined by {origin} already", _ANEW)
        elif held is None and entry.get("replaces"):
            yield self._problem(
                (*here, "replaces"), "replaces", f"there is no {name} to replace", "leave `replaces` out"
            )
        whole = self._whole(name, entry)
        if entry.get("inverse") and not whole.get("range"):
            message = f"inverse of {name} reads from the object's side, and without a range no object has a note"
            yield self._problem((*here, "inverse"), "inverse", message, "give it a range, as in range: [Person]")
        domain, span = set(whole.get("domain", ())), set(whole.get("range", ()))
        if whole.get("symmetric") and domain and span and domain != span:
            message = f"{name} holds both ways, and its two ends are of other types"
            yield self._problem((*here, "symmetric"), "symmetric", message, "give domain and range the same types")
        if whole.get("symmetric") and whole.get("inverse"):
            yield self._problem(
                (*here, "inverse"),
                "inverse",
                f"{name} holds both ways: it has no other side",
                "move the words to names",
            )

    def _opposites(self, every: Mapping[str, Predicate], own: Mapping[str, Predicate]) -> Iterator[Problem]:
        """An opposite without a partner: one that is not there, or says nothing of it."""
        for name, predicate in own.items():
            if predicate.opposite is None:
                continue
            partner = every.get(predicate.opposite)
            where = ("predicates", name, "opposite")
            if partner is None:
                hint = _near(predicate.opposite, every)
                yield self._problem(
                    where, "inverse", f"the opposite of {name}, {predicate.opposite}, is not there", hint
                )
            elif partner.opposite != name:
                message = f"{predicate.opposite} does not say that {name} is its opposite"
                yield self._problem(where, "inverse", message, f"give it `opposite: {name}`, too")

    # -- types

    def _types(self, kinds: Mapping[Any, Any]) -> Iterator[Problem]:
        meant = {
            str(word).casefold(): (kind, subtype)
            for kind, subtypes in self._base.get("types", {}).items()
            for subtype, words in subtypes.items()
            for word in words
        }
        for kind, subtypes in kinds.items():
            if kind not in _TYPES:
                yield self._problem(
                    ("types", str(kind)), "unknown-type", f"there is no type {kind!r}", _near(str(kind), _TYPES)
                )
            elif not isinstance(subtypes, dict):
                yield self._problem(
                    ("types", kind), "form", f"{kind} is not a mapping of subtypes", "write Subtype: [words]"
                )
            else:
                for subtype, words in subtypes.items():
                    yield from self._subtype((str(kind), str(subtype)), words, meant)

    def _subtype(self, kind: tuple[str, str], words: Any, meant: dict[str, tuple[str, str]]) -> Iterator[Problem]:
        where = ("types", *kind)
        if not _is_texts(words):
            yield self._problem(where, "form", f"{kind[1]} is not a list of words", f"write {kind[1]}: [ … ]")
            return
        for word in words:
            known = meant.setdefault(word.casefold(), kind)
            if known != kind:
                message = f"{word!r} says {'/'.join(known)} already, and here {'/'.join(kind)}"
                yield self._problem((*where, word), "clash", message, "take another word")

    def _typed_keys(self, section: str, value: Mapping[Any, Any]) -> Iterator[Problem]:
        for key in value:
            if str(key).split("/")[0] not in _TYPES:
                hint = _near(str(key).split("/")[0], _TYPES)
                yield self._problem(
                    (section, str(key)), "unknown-type", f"{section} speaks of {key!r}, which is no type", hint
                )
            elif section == "infobox" and "/" not in str(key):
                yield self._problem((section, str(key)), "form", f"{key} names no subtype", "as in Object/Book")

    def _verbs(self, verbs: Sequence[Any]) -> Iterator[Problem]:
        for each in verbs:
            if not isinstance(each, list) or len(each) != _FORMS:
                message = f"the verb {each} has not five forms"
                yield self._problem(("verbs",), "verb", message, "as in [go, goes, went, gone, going]")

    # -- problems

    def _problem(self, where: tuple[str, ...], kind: str, message: str, hint: str = "") -> Problem:
        return self._at(self._pack.line(*where), kind, message, hint)

    def _at(self, line: int, kind: str, message: str, hint: str) -> Problem:
        return Problem(self._pack.name, line, kind, message, hint)


_ANEW: Final = "`extends: true` adds words to it, `replaces: true` defines it anew"


def _near(word: str, known: Any) -> str:
    names = [str(each) for each in known]
    meant = get_close_matches(word.lower(), [each.lower() for each in names], 1, _CLOSE)
    if meant:
        return f"did you mean {next(each for each in names if each.lower() == meant[0])}?"
    return f"there are {', '.join(names)}" if len(names) <= len(ENTRIES) else ""


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_sound(name: str, entry: Any) -> bool:
    """Whether a mistaken pack below said something of a predicate that can be compared with."""
    try:
        predicate_of(name, entry or {})
    except (ConfigurationError, ValueError, TypeError, AttributeError):
        return False
    return True
