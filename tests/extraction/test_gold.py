"""How well prose is read without a model, on sets older than their first run; see `bench/prose.py`."""

import importlib
import sys
from pathlib import Path

import pytest

from kgmem.extraction.entities import Recognizer

needs_model = pytest.mark.skipif(not Recognizer.available(), reason="needs kgmem[nlp]")
BENCH = Path(__file__).parents[2] / "bench"

# What is reached: raise a floor with what raises the figure, never lower one.
PRECISION = 0.955
RECALL = 0.84
DATES = 0.97
FALSE_PER_1000_WORDS = 0.2
NAMES = {False: 0.44, True: 0.70}


def bench(name):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        return sys.modules.get(name) or importlib.import_module(name)


gold = bench("_gold")
gold_names = bench("_gold_names")
conll = bench("_conll")
prose = bench("prose")


def said(*claim):
    return gold.claim_of(*claim)


def counted(wanted, found, once=()):
    scores = {"all": gold.Score()}
    gold.compare([said(*each) for each in wanted], [said(*each) for each in found], frozenset(once), scores)
    every = scores["all"]
    return every.right, every.dated, every.wrong, every.missed


ADA = ("Ada", "WORKS_AT", "Acme", {"from": 2020})
GONE = ("Ada", "WORKS_AT", "Acme", {"to": 2020})


@pytest.mark.parametrize(
    ("wanted", "found", "expected"),
    [
        ([ADA], [ADA], (1, 1, 0, 0)),
        ([ADA], [("ada", "WORKS_AT", "the ACME", {"from": 2020})], (1, 1, 0, 0)),
        ([ADA], [("Ada", "WORKS_AT", "Acme", {"from": "2020-01"})], (1, 0, 0, 0)),
        ([ADA], [("Ada", "WORKS_AT", "Acme")], (1, 0, 0, 0)),
        ([ADA], [("Ada", "WORKS_AT", "Acme"), ADA], (1, 1, 0, 0)),
        ([ADA], [("Ada", "MEMBER_OF", "Acme", {"from": 2020})], (0, 0, 1, 1)),
        ([ADA], [GONE], (0, 0, 1, 1)),
        ([ADA], [], (0, 0, 0, 1)),
        ([], [ADA], (0, 0, 1, 0)),
        ([GONE], [("Ada", "WORKS_AT", "Acme", {"kind": "ends", "to": 2020})], (1, 1, 0, 0)),
        ([("Ada", "WORKS_AT", "Acme", {"maybe": True})], [], (0, 0, 0, 0)),
        ([("Ada", "WORKS_AT", "Acme", {"maybe": True})], [("Ada", "WORKS_AT", "Acme")], (0, 0, 0, 0)),
        ([("Ada", "MARRIED_TO", "Ben")], [("Ben", "MARRIED_TO", "Ada")], (1, 1, 0, 0)),
        ([("Ada", "PARENT_OF", "Ben")], [("Ben", "PARENT_OF", "Ada")], (0, 0, 1, 1)),
        ([("Apollo", "LED_BY", "Ada")], [("Ada", "LEADS", "Apollo")], (1, 1, 0, 0)),
        ([("Ada", "BORN_ON", "1984-03-12")], [("Ada", "BORN_ON", "12 March 1984")], (1, 1, 0, 0)),
        ([("Ada", "WORKS_AT", "Acme", {"said_by": "Ben"})], [("Ben", "SAYS", "Ada works at Acme.")], (1, 1, 0, 0)),
        ([("Ada", "WORKS_AT", "Acme", {"said_by": "Ben"})], [("Ben", "SAYS", "Ada works at Beta.")], (0, 0, 1, 1)),
        ([("Ada", "WORKS_AT", "Acme", {"said_by": "Ben"})], [ADA], (0, 0, 1, 1)),
        ([("Ada", "PREFERS", "tea")], [("Ada", "FAVOURITE_DRINK", "tea")], (1, 1, 0, 0)),
        ([("Atlas module|Atlas", "PART_OF|OWNED_BY", "Zeus")], [("Atlas", "OWNED_BY", "Zeus")], (1, 1, 0, 0)),
    ],
)
def test_claims_are_compared_by_names_predicate_and_whether_they_are_over(wanted, found, expected):
    assert counted(wanted, found) == expected


def test_of_what_happens_once_no_end_is_compared():
    wanted = [("Ada", "ATTENDED", "Expo", {"from": 2020})]
    found = [("Ada", "ATTENDED", "Expo", {"from": 2020, "to": 2020})]
    assert counted(wanted, found, once=["ATTENDED"]) == (1, 1, 0, 0)
    assert counted(wanted, found) == (0, 0, 1, 1)


def test_a_score_gives_precision_recall_and_f1():
    score = gold.Score(right=3, wrong=1, missed=3)
    assert (score.precision, score.recall, score.f1) == (0.75, 0.5, 0.6)


def test_the_sets_are_as_large_as_they_claim():
    items = gold.sentences().items
    assert (len(items), sum(not item.claims for item in items)) == (200, 50)
    names = gold_names.names()
    assert len(names.texts) == 150
    assert sum(decoy.words for decoy in gold.decoys()) > 5_900


def test_every_name_of_a_claim_stands_in_its_note_or_is_the_owner():
    read = gold.sentences()
    strange = [
        (claim.shown, name)
        for item in read.items
        for claim in item.claims
        for name in claim.subject
        if name != read.owner.casefold()
        and not set(name.split()) <= set(f"{item.title} {item.text}".casefold().replace("'s", "").split())
        and name not in f"{item.title} {item.text}".casefold()
    ]
    assert strange == []


@needs_model
def test_claims_of_sentences_reach_their_floors():
    every = prose.score_sentences(gold.sentences())["all"]
    assert every.precision >= PRECISION, "\n".join(every.shown)
    assert every.recall >= RECALL, "\n".join(every.shown)
    assert every.dated >= DATES * every.right, "\n".join(every.shown)


@needs_model
def test_claims_are_drawn_from_a_vault_with_their_places(tmp_path, capsys):
    (tmp_path / "Log.md").write_text("It rained.\n\nAda Berg works at Siemens.\n", encoding="utf-8")
    prose.report_sample([tmp_path], 50, 1, None)
    first, second, total = capsys.readouterr().out.splitlines()
    assert first == "  1 Ada Berg | WORKS_AT | Siemens"
    assert second == f"    sentences+grammar, {tmp_path.name}/Log.md:3: Ada Berg works at Siemens."
    assert total == "1 of 1 claims; sentences+grammar 1"


@needs_model
def test_notes_that_claim_nothing_give_few_claims():
    decoys = gold.decoys()
    false = [claim.shown for _, claims in prose.claims_of_decoys(decoys) for claim in claims]
    assert 1000 * len(false) <= FALSE_PER_1000_WORDS * sum(decoy.words for decoy in decoys), "\n".join(false)


@needs_model
@pytest.mark.parametrize("known", [False, True])
def test_names_are_found_with_and_without_a_vault_that_knows_half(known):
    names = gold_names.names()
    assert gold_names.f1(names.named, gold_names.find_names(names, known=known))[0] >= NAMES[known]


CONLL = """#doc 1
0\tAda\tB-Peop\t['N']\t[0]
1\tLovelace\tI-Peop\t['Live_In']\t[4]
2\tlives\tO\t['N']\t[2]
3\tin\tO\t['N']\t[3]
4\tParis\tB-Loc\t['N']\t[4]
5\t.\tO\t['N']\t[5]
#doc 2
0\tBen\tB-Peop\t['N']\t[0]
1\tOkafor\tI-Peop\t['Live_In']\t[4]
2\tlikes\tO\t['N']\t[2]
3\tto\tO\t['N']\t[3]
4\tOslo\tB-Loc\t['N']\t[4]
"""


@needs_model
def test_relations_of_conll04_are_read_and_counted(tmp_path):
    path = tmp_path / "dev.txt"
    path.write_text(CONLL, encoding="utf-8")
    rows = list(conll.sentences(path))
    assert rows[0] == conll.Sentence("Ada Lovelace lives in Paris.", frozenset({("Live_In", "ada lovelace", "paris")}))
    scores = conll.score(rows)
    assert (scores["Live_In"].right, scores["Live_In"].wrong, scores["Live_In"].missed) == (1, 0, 1)
    assert (scores["all"].precision, scores["all"].recall) == (1.0, 0.5)
