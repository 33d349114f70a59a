from pathlib import Path

import pytest

from kgmem.extraction.entities import Recognizer
from kgmem.extraction.grammar import telling_of
from kgmem.extraction.ladder import extract, readable
from kgmem.extraction.lexicon import Lexicon
from kgmem.extraction.ontology import NOTE, load_ontology
from kgmem.resolution.names import name_key
from kgmem.sources.obsidian import Vault

MINE = load_ontology(owner="Mia Berg")


@pytest.fixture(scope="session")
def recognizer():
    if not Recognizer.available():
        pytest.skip("needs kgmem[nlp]")
    return Recognizer()


@pytest.fixture
def claims(recognizer):
    """Reads a note of 12 March 2026 by Mia Berg: all that its sentences claim."""

    def read(text, *, typing=NOTE, ontology=MINE, names=(), title="Log"):
        document = Vault(Path()).parse(f"{title}.md", f"---\ndate: 2026-03-12\n---\n{text}\n", mtime_ns=0)
        ((_, language),) = recognizer.read([(None, readable(document))], telling_of(ontology))
        lexicon = Lexicon((name, name_key(name)) for name in names)
        found = extract(document, typing, ontology, lexicon, language.names, parsed=language.sentences)
        return [claim for claim in found.claims if claim.rung in {"sentences", "grammar"}]

    return read


def line(claim):
    """``Ada | WORKS_AT | Acme | 2019–``, with ``ends`` or ``yields`` before."""
    start, end = claim.valid.start.shown, claim.valid.end.shown
    subject = claim.subject.name if claim.subject else "(note)"
    target = "(note)" if claim.object_is_note else claim.object.name if claim.object else claim.value
    kind = "" if claim.kind.value == "holds" else f"{claim.kind.value} "
    when = "" if start is None and end is None else f" | {start or ''}–{end or ''}"
    doubt = " ?" if claim.doubtful or claim.doubtful_subject else ""
    return f"{kind}{subject} | {claim.predicate} | {target}{when}{doubt}"


@pytest.fixture
def said(claims):
    """The same as lines, sorted."""
    return lambda text, **options: sorted(line(claim) for claim in claims(text, **options))
