"""Questions in French, German, Spanish and Chinese: their words as the English ones that the rest of recall knows.

Only what asks is read: question words, forms of "to be" and "to have", and the commonest verbs and nouns of facts. A
word keeps its place in the question; what is not known stays as it is, and then no fact may be the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from kgmem.recall.kinds import Asking, Kind
from kgmem.recall.relations import Item, Ref, Word

_LANGUAGES: Final[dict[str, dict[str, str]]] = {
    "fr": {
        "known": "que sais-je (?:de|sur)|que sait-on (?:de|sur)|parle-moi de",
        "who": "qui",
        "where": "où",
        "when": "quand|depuis quand|en quelle année",
        "how many": "combien de|combien d'|combien d’|combien",
        "which": "quel|quelle|quels|quelles|que|qu'est-ce que|qu’est-ce que",
        "is": "est|sont", "was": "était|étaient|fut|a été", "has": "a|ont", "does": "est-ce que",
        "my": "mon|ma|mes", "of": "de|du|d", "the": "le|la|les|l|un|une|des", "in": "en|à|dans|au", "and": "et",
        "live": "habite|vit|habitent", "lived": "habitait|vivait|habité|vécu", "work": "travaille|travaillent",
        "worked": "travaillait|travaillé", "founded": "fondé|fondée", "owns": "possède", "born": "né|née",
        "wrote": "écrit|écrivit", "studied": "étudié|étudiait", "married": "marié|mariée|épousé", "leads": "dirige",
        "speaks": "parle", "owner": "propriétaire", "director": "directeur|directrice", "manager": "chef|cheffe",
        "author": "auteur|auteure|autrice", "wife": "femme", "husband": "mari", "sister": "sœur", "brother": "frère",
        "mother": "mère", "father": "père", "children": "enfants", "languages": "langues",
        "employer": "employeur", "role": "métier|rôle",
    },
    "de": {
        "known": "was wei(?:ß|ss) ich (?:über|von)|was ist über|erzähl mir (?:von|über)",
        "who": "wer|wem|wen|wessen",
        "where": "wo|woher|wohin",
        "when": "wann|seit wann|in welchem jahr",
        "how many": "wie viele|wieviele|wie viel",
        "which": "welche|welcher|welches|was",
        "is": "ist|sind", "was": "war|waren|wurde|wurden", "has": "hat|haben",
        "my": "mein|meine|meinem|meiner", "of": "von|des|vom", "the": "der|die|das|den|dem|ein|eine", "in": "im|in",
        "and": "und", "live": "wohnt|lebt|wohnen|leben", "lived": "wohnte|lebte|gewohnt|gelebt",
        "work": "arbeitet|arbeiten", "worked": "arbeitete|gearbeitet", "founded": "gründete|gegründet",
        "owns": "besitzt|gehört", "born": "geboren", "wrote": "schrieb|geschrieben", "studied": "studierte|studiert",
        "married": "verheiratet|heiratete|geheiratet", "leads": "leitet", "led": "leitete", "speaks": "spricht",
        "owner": "besitzer|besitzerin|eigentümer", "director": "direktor|direktorin|leiter|leiterin",
        "manager": "chef|chefin", "author": "autor|autorin", "wife": "frau", "husband": "mann", "sister": "schwester",
        "brother": "bruder", "mother": "mutter", "father": "vater", "children": "kinder", "languages": "sprachen",
        "employer": "arbeitgeber",
        "role": "beruf|rolle",
    },
    "es": {
        "known": "qué sé (?:de|sobre)|háblame de",
        "who": "quién|quien|quiénes",
        "where": "dónde|donde|adónde",
        "when": "cuándo|cuando|en qué año|desde cuándo",
        "how many": "cuántos|cuántas|cuánto",
        "which": "qué|cuál|cuáles",
        "is": "es|está|son", "was": "era|fue|estaba|eran", "has": "ha|tiene",
        "my": "mi|mis", "of": "de|del", "the": "el|la|los|las|un|una", "in": "en", "and": "y",
        "live": "vive|viven", "lived": "vivía|vivió|vivido", "work": "trabaja|trabajan",
        "worked": "trabajaba|trabajó|trabajado", "founded": "fundó|fundado|fundada", "owns": "posee",
        "born": "nacido|nacida", "was born": "nació", "wrote": "escribió|escrito", "studied": "estudió|estudiado",
        "married": "casado|casada|casó", "leads": "dirige", "led": "dirigió", "speaks": "habla",
        "owner": "dueño|dueña|propietario|propietaria", "director": "director|directora", "manager": "jefe|jefa",
        "author": "autor|autora", "wife": "esposa|mujer", "husband": "esposo|marido", "sister": "hermana",
        "brother": "hermano", "mother": "madre", "father": "padre", "children": "hijos|hijas",
        "languages": "idiomas|lenguas", "employer": "empleador", "role": "profesión|cargo",
    },
}  # fmt: skip
_CHINESE: Final = {
    Kind.WHEN: "什么时候|什么時候|何时|哪一年|哪年|哪天|几时",
    Kind.WHERE: "哪里|哪裡|哪儿|何处|什么地方",
    Kind.WHO: "是谁|谁|是誰|誰",
    Kind.HOW_MANY: "几个|多少|几位|几",
    Kind.WHICH: "是什么|什么|哪个|哪些|哪家",
}
"""Where they stand in a question does not matter."""
_CHINESE_WORDS: Final = {
    "is": "是", "has": "有", "in": "在", "live": "住在|住|居住", "work": "工作|上班", "founded": "创办|创立|成立|建立",
    "owns": "拥有", "was born": "出生", "wrote": "写", "directed": "执导", "published": "出版", "director": "导演",
    "author": "作者", "publisher": "出版社", "owner": "主人|老板", "manager": "经理|上司", "wife": "妻子|老婆",
    "husband": "丈夫|老公", "mother": "母亲|妈妈", "father": "父亲|爸爸", "children": "孩子", "rating": "评分",
    "genre": "类型", "cast": "演员|主演",
    "": "了|吗|呢|的时候",
}  # fmt: skip
_OF: Final = "的"
_BEFORE: Final = r"(?:(?:à|de|chez|pour|avec|dans|von|bei|mit|für|in|con|para|desde|seit|depuis)\s+)?"
_CHINESE_ENDS: Final = re.compile("[？?；;，,。]")
_ELIDED: Final = re.compile(r"^(?:l|d|qu|n|s)['’](?=\w)|-(?:t-)?(?:il|elle|on|ils|elles)$")
_HAN: Final = re.compile("[\u3400-\u9fff]+")
_AUXILIARY: Final = frozenset("is was has does".split())
_VERBS: Final = frozenset("live lived work worked founded born married studied wrote".split())
_KINDS: Final = {
    "known": Kind.KNOWN, "who": Kind.WHO, "where": Kind.WHERE, "when": Kind.WHEN, "how many": Kind.HOW_MANY,
    "which": Kind.WHICH,
}  # fmt: skip


def read_foreign(question: str) -> tuple[str, Asking] | None:
    """(its language, its kind) of a question in one of these languages; None of anything else."""
    for language, lexicon in _LANGUAGES.items():
        for name, kind in _KINDS.items():
            match = re.match(rf"[\s¿¡]*{_BEFORE}(?:{lexicon[name]})(?![\w’'-])", question, re.IGNORECASE)
            if match is not None and (kind is not Kind.WHICH or len(question[match.end() :].split()) > 1):
                return language, Asking(kind, match.end())
    for kind, words in _CHINESE.items():
        if re.search(words, question):
            return "zh", Asking(kind, 0)
    return None


def foreign_halves(question: str) -> tuple[str, str]:
    """(the first question, the second or nothing) of a text that asks two things in one of these languages.

    The second begins with a question word, behind a mark or "and"; in Chinese both have one, with a mark between them.
    """
    found = read_foreign(question)
    if found is None:
        return question, ""
    language, asking = found
    if language == "zh":
        first, *rest = filter(str.strip, _CHINESE_ENDS.split(question))
        second = "，".join(rest)
        return (first, second) if second and all(map(_asks_in_chinese, (first, second))) else (question, "")
    second_at = _second_of(language).search(question, max(asking.rest, 1))
    return (question[: second_at.start()], second_at["second"]) if second_at else (question, "")


def _asks_in_chinese(text: str) -> bool:
    return any(re.search(words, text) for words in _CHINESE.values())


@lru_cache
def _second_of(language: str) -> re.Pattern[str]:
    """Where a second question begins, behind a conjunction or a mark."""
    lexicon = _LANGUAGES[language]
    asking = "|".join(lexicon[name] for name in _KINDS if name not in {"known", "which"})
    joining = lexicon["and"]
    return re.compile(
        rf"(?:\s*[,;?]\s*[¿¡]?(?:(?:{joining})\s+)?|\s+(?:{joining})\s+)"
        rf"(?P<second>{_BEFORE}(?:{asking})(?![\w’'-]).*)",
        re.IGNORECASE | re.DOTALL,
    )


def in_english(language: str, asking: Asking, items: Sequence[Item]) -> list[Item]:
    """The items of a question with English words, the verb after its subject."""
    if language == "zh":
        return _from_chinese(items)
    words = _words_of(language)
    found: list[Item] = []
    for item in items:
        if isinstance(item, Ref):
            found.append(item)
            continue
        bare = _ELIDED.sub("", item.lower)
        said = words.get(item.lower) or words.get(bare) or bare
        found += [Word(item.start, item.end, each) for each in said.split()]
    return _verb_last(found) if asking.kind in {Kind.WHERE, Kind.WHEN} else found


def _verb_last(items: list[Item]) -> list[Item]:
    """Where the verb stands in English: "where lives Mira" as "where Mira lives"."""
    first = next((item for item in items if isinstance(item, Ref) or item.lower not in _AUXILIARY), None)
    if isinstance(first, Word) and first.lower in _VERBS:
        return [*(item for item in items if item is not first), first]
    return items


@lru_cache
def _words_of(language: str) -> dict[str, str]:
    words = {english: forms for english, forms in _LANGUAGES[language].items() if english not in _KINDS}
    return {form: english for english, forms in words.items() for form in forms.split("|")}


@lru_cache
def _parts() -> tuple[re.Pattern[str], dict[str, str]]:
    """What cuts a run of Chinese into words, the longest first, and what they are in English."""
    words = {form: english for english, forms in _CHINESE_WORDS.items() for form in forms.split("|")}
    words |= {form: "" for forms in _CHINESE.values() for form in forms.split("|")}
    ordered = sorted((*words, _OF), key=len, reverse=True)
    return re.compile("|".join(ordered)), words


def _from_chinese(items: Sequence[Item]) -> list[Item]:
    pattern, words = _parts()
    found: list[Item] = []
    for item in items:
        if isinstance(item, Ref) or not _HAN.search(item.text):
            found.append(item)
            continue
        end = 0
        for match in (*pattern.finditer(item.text), None):
            start = match.start() if match else len(item.text)
            if start > end:
                found.append(Word(item.start + end, item.start + start, item.text[end:start]))
            if match is None:
                break
            end = match.end()
            if match[0] == _OF:
                found[-1:] = [_owning(each) for each in found[-1:]]
            else:
                at = item.start + match.start(), item.start + match.end()
                found += [Word(*at, each) for each in words[match[0]].split()]
    return found


def _owning(item: Item) -> Item:
    return replace(item, possessive=True) if isinstance(item, Ref) else replace(item, text=f"{item.text}'s")
