"""What the program claims from prose without a model: ``python bench/prose.py gold|names|decoys|conll04|sample``.

Each note of a set is ingested into a memory of its own folder as a person would, with spaCy, and the claims are read
from the store.

* ``gold``: the claims of ``tests/gold/sentences.yaml``. A claim is right if its predicate, both names (by their keys)
  and whether it is over are right; its dates are counted apart, and must be exactly those that the text states.
* ``names``: F1 of names by type, span and type both right, without notes about any of them and with notes about half.
* ``decoys``: false claims per 1,000 words of notes that claim nothing.
* ``conll04``: with ``--conll04 FOLDER``, which holds ``dev.txt``: the five relations of CoNLL04.
* ``sample VAULT…``: claims from these vaults that are drawn at random (``--count 50 --seed 1``), for a reader to judge:
  bare links, and what ends only if it held, left out; ``--owner`` is who "I" is.

``--show`` prints what was missed and what is wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import _conll
from _gold import Decoy, Said, Score, Sentences, compare, dates_shown, decoys, kind_shown, sentences
from _gold_names import f1, find_names, names
from _remembered import Note, claims_of_vault, remembered, said_in

from kgmem.extraction.entities import Recognizer
from kgmem.model import ClaimKind, EntityType

_HEAD = f"{'':16} {'gold':>6} {'precision':>9} {'recall':>8} {'F1':>8}"


def score_sentences(gold: Sentences) -> dict[str, Score]:
    """The scores of the program as it is: by predicate, by form and under "all". It needs spaCy."""
    scores = {"all": Score()}
    with remembered([Note.of(item) for item in gold.items], owner=gold.owner) as memory:
        found = said_in(memory)
    shown = scores["all"].shown
    for number, item in enumerate(gold.items):
        before = len(shown)
        compare(item.claims, found[number], gold.once, scores, item.form)
        shown[before:] = [f"{line}\n       {item.form}: {item.text}" for line in shown[before:]]
    return scores


def claims_of_decoys(notes: Sequence[Decoy]) -> list[tuple[Decoy, list[Said]]]:
    """What is claimed from each of them, all of it false. It needs spaCy."""
    with remembered([Note(each.text) for each in notes]) as memory:
        found = said_in(memory)
    return [(decoy, [each for each in found[number] if not each.maybe]) for number, decoy in enumerate(notes)]


def report_gold(*, show: bool) -> None:
    """Print the scores of the gold set."""
    gold = sentences()
    scores = score_sentences(gold)
    claims = sum(not claim.maybe for item in gold.items for claim in item.claims)
    silent = [item for item in gold.items if not item.claims]
    print(f"{len(gold.items)} notes, {len(silent)} of them with nothing to extract; {claims} claims")
    print(f"{_HEAD}{'dates right':>14}")
    for title in sorted(scores, key=lambda title: (title == "all", title)):
        print(scores[title].line(title))
    every = scores["all"]
    exact = Score(
        every.dated, every.dated, every.wrong + every.right - every.dated, every.missed + every.right - every.dated
    )
    print(exact.line("all, with dates"))
    if show:
        print(*every.shown, sep="\n")


def report_names(*, show: bool) -> None:
    """Print F1 by type, without and with the names of half."""
    gold = names()
    print(f"{len(gold.texts)} sentences, {len(gold.named)} names; F1 (precision recall)")
    print(
        f"{'':12}" + "".join(f"{kind} {sum(each.type is kind for each in gold.named)}".ljust(20) for kind in EntityType)
    )
    for title, known in (("none known", False), ("half known", True)):
        found = find_names(gold, known=known)
        cells = ("{:.2f} ({:.2f} {:.2f})".format(*f1(gold.named, found, kind)) for kind in (*EntityType, None))
        print(f"{title:12}" + "".join(map("{:20}".format, cells)))
        if show:
            for what, some in (("missed", gold.named - found), ("wrong", found - gold.named)):
                for item, start, end, kind in sorted(some):
                    print(f"  {what:6} {gold.texts[item][start:end]} ({kind}): {gold.texts[item]}")


def report_decoys(*, show: bool) -> None:
    """Print false claims per 1,000 words, and in which kinds of notes they stand."""
    notes = decoys()
    found = claims_of_decoys(notes)
    words, false = sum(each.words for each in notes), sum(len(claims) for _, claims in found)
    print(f"{len(notes)} notes, {words} words: {false} false claims, {1000 * false / words:.2f} per 1,000 words")
    kinds: Counter[str] = Counter()
    for decoy, claims in found:
        kinds[decoy.kind] += len(claims)
    print(", ".join(f"{kind} {number}" for kind, number in kinds.most_common() if number))
    if show:
        print(*(f"{decoy.kind}: {claim.shown}" for decoy, claims in found for claim in claims), sep="\n")


def report_conll(folder: Path | None, *, show: bool) -> None:
    """Print the scores of CoNLL04's relations."""
    path = folder / "dev.txt" if folder else None
    if path is None or not path.exists():
        print("skipped: give a folder that holds dev.txt with --conll04")
        return
    rows = list(_conll.sentences(path))
    scores = _conll.score(rows)
    print(f"{len(rows)} sentences; no predicate for {', '.join(_conll.absent()) or 'none of them'}")
    print(_HEAD)
    for title, score in scores.items():
        print(score.line(title, dated=False))
    if show:
        print(*scores["all"].shown, sep="\n")


def report_sample(vaults: Sequence[Path], count: int, seed: int, owner: str | None) -> None:
    """Print claims drawn at random from vaults, each with its words and where they stand."""
    drawn = [
        (vault, claim, names)
        for vault in vaults
        for found in [claims_of_vault(vault, owner=owner)]
        for claim in found.claims
        if claim.kind is not ClaimKind.YIELDS
        for names in [found]
    ]
    every = len(drawn)
    rungs = Counter(claim.rung for _, claim, _ in drawn)
    for number, (vault, claim, found) in enumerate(Random(seed).sample(drawn, min(count, every)), 1):  # noqa: S311
        target = found.names[claim.object] if claim.object is not None else repr(claim.value)
        dates = dates_shown(claim.valid.start.shown, claim.valid.end.shown)
        print(f"{number:3} {kind_shown(claim.kind)}{found.names[claim.subject]} | {claim.predicate} | {target}{dates}")
        print(f"    {claim.rung}, {vault.name}/{found.places[claim.id]}: {' '.join(claim.quote.split())}")
    print(f"{min(count, every)} of {every} claims; {', '.join(f'{rung} {number}' for rung, number in rungs.items())}")


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description="What is claimed from prose without a model.")
    parser.add_argument("what", choices=("gold", "names", "decoys", "conll04", "sample"))
    parser.add_argument("vaults", nargs="*", type=Path, metavar="VAULT")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--owner")
    parser.add_argument("--conll04", type=Path, metavar="FOLDER")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if not Recognizer.available():
        print("skipped: needs `pip install 'kgmem[nlp]'`")
        return
    if options.what == "sample":
        if not options.vaults:
            print("skipped: name a vault")
            return
        report_sample(options.vaults, options.count, options.seed, options.owner)
    elif options.what == "conll04":
        report_conll(options.conll04, show=options.show)
    else:
        {"gold": report_gold, "names": report_names, "decoys": report_decoys}[options.what](show=options.show)


if __name__ == "__main__":
    main()
