"""Whether a text is clearly in another language than English, by its function words.

A word counts for a language if no other of these shares it with English: "die" and "in" tell nothing.
"""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 3
"""Function words of another language that a text must have."""
_CLEARLY: Final = 1.5
"""And so many times as many as English ones."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH: Final = _words(
    "the of and to a is that it was for on are as with his they at be this have from or had by but what were we when"
    " your can said there use an each which she do how their if will about out many then them these so her would like"
    " him into has more than its who been did my i he not you our in no"
)
_OTHERS: Final = {
    "de": _words(
        "der das und ist nicht mit ich von ein eine einen einem einer den dem des zu auf für im sich auch als wie bei"
        " aus nach sie er es wir ihr wird sind hat haben habe seit wohnt oder aber noch nur über zum zur dass weil"
    ),
    "fr": _words(
        "le la les et est une des du que qui dans pour pas sur avec il elle au aux ce cette nous vous ne je sont par"
        " plus mais chez depuis ses leur été avait ont où très son sa"
    ),
    "es": _words(
        "el la los las que y del se una por con para su al lo como más pero sus le ya este sí porque esta entre cuando"
        " muy sin sobre también hay donde quien desde todo nos ella ellos vive trabaja"
    ),
    "it": _words(
        "il lo gli che di e è un una del della per non con si da sono anche come più nel nella dei delle alla questo"
        " ma lavora vive dal suo sua ha loro molto"
    ),
    "nl": _words(
        "het een en van ik te dat die niet zijn op aan met voor er maar om hem dan zou wat mijn woont sinds werkt bij"
    ),
    "pt": _words(
        "os as que e do da em um uma para com não por mais dos como mas foi ao ele das tem à seu sua ou ser mora"
    ),
    "pl": _words("i w na z się nie że do jest jak o za ale od po przez dla tak jego pracuje mieszka"),
    "sv": _words("och att det som en är av för med till den har på inte om ett han jag sig från vi bor så var hon"),
}  # fmt: skip


def is_foreign(text: str) -> bool:
    """Whether a text is clearly not English; short ones, and those without function words, are not."""
    words = [word.casefold() for word in _WORD.findall(text)]
    own = sum(word in _ENGLISH for word in words)
    heard = max(sum(word in some and word not in _ENGLISH for word in words) for some in _OTHERS.values())
    return heard >= _ENOUGH and heard > _CLEARLY * own
