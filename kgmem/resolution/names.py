"""Names as they are compared."""

from __future__ import annotations

import unicodedata


def name_key(name: str) -> str:
    """The form in which two spellings of one name are equal: NFC, case folded, white space collapsed.

    No script loses anything, and no digit, sign or diacritic is dropped: ``C++`` is not ``C#``, and
    ``Muller`` is not ``Müller``. Never NFKC: it would make ``x²`` out of ``x2``.
    """
    return unicodedata.normalize("NFC", " ".join(unicodedata.normalize("NFC", name).casefold().split()))
