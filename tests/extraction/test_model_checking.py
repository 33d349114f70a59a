"""What a model told is held against the passage: what stands there word for word remains, and nothing else."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from kgmem.extraction.ladder import extract
from kgmem.extraction.lexicon import Lexicon
from kgmem.extraction.model.checking import Checker, said_anew
from kgmem.extraction.model.passage import Dropped
from kgmem.extraction.model.replies import Told
from kgmem.extraction.ontology import Rank, Typing, load_ontology
from kgmem.extraction.proposal import MentionProposal, Ref
from kgmem.model import BY_MODEL, AliasKind, Basis, Bound, ClaimKind, EntityType, Moment, Period
from kgmem.resolution.names import name_key
from kgmem.sources.obsidian import Vault

ONTOLOGY = load_ontology(owner="Ada Berg")
PERSON = Typing(EntityType.PERSON, None, Rank.SAID)
NOTE = Typing(EntityType.OBJECT, "Note", Rank.NOTE)
HEAD = "---\ndate: 2023-06-01\n---\n"


def read(text, path="Mira.md"):
    return Vault(Path()).parse(path, HEAD + text, mtime_ns=0)


def checker_of(text, typing=PERSON, names=(), path="Mira.md"):
    document = read(text, path)
    lexicon = Lexicon((name, name_key(name)) for name in names)
    found = extract(document, typing, ONTOLOGY, lexicon)
    blocks = [index for index, block in enumerate(document.blocks) if block.kind == "paragraph"]
    return Checker(document, typing, ONTOLOGY, found.mentions), blocks


def check(text, told, *, typing=PERSON, names=(), block=-1):
    checker, blocks = checker_of(text, typing, names)
    return checker.check(blocks[block], [told])


def kept(text, told, **how):
    checked = check(text, told, **how)
    assert not checked.dropped, checked.dropped
    (claim,) = checked.claims
    return claim


def why(text, told, **how):
    checked = check(text, told, **how)
    assert not checked.claims
    ((reason, number),) = checked.dropped.items()
    assert number == 1
    return reason


def told(subject="Mira", predicate="WORKS_AT", target="Château Sud", quote="runs the cellar at Château Sud", **more):
    return Told(1, subject, predicate, target, quote, **more)


TEXT = "Mira left [[Château Nord]] in April 2023 and now runs the cellar\nat Château Sud."


def test_a_claim_of_the_words_of_a_passage_stands():
    claim = kept(TEXT, told())
    assert (claim.subject, claim.predicate, claim.object.name) == (None, "WORKS_AT", "Château Sud")
    assert claim.statement == "Mira works at Château Sud."
    assert claim.quote == "Mira left Château Nord in April 2023 and now runs the cellar at Château Sud."
    assert (claim.rung, claim.confidence, claim.kind, claim.line) == (BY_MODEL, 0.6, ClaimKind.HOLDS, 0)
    assert (claim.valid.start.moment, str(claim.said.moment)) == (None, "2023-06-01")
    (mention,) = claim.names
    assert (mention.surface, mention.ref.typing.type) == ("Château Sud", EntityType.ORGANIZATION)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"quote": "runs the cellar at Château Est"}, Dropped.QUOTE),
        ({"quote": ""}, Dropped.QUOTE),
        ({"quote": " … "}, Dropped.QUOTE),
        ({"predicate": "ADORES"}, Dropped.PREDICATE),
        ({"predicate": "LINKS_TO"}, Dropped.PREDICATE),
        ({"subject": "Bo"}, Dropped.SUBJECT),
        ({"subject": "She"}, Dropped.SUBJECT),
        ({"target": "Château Est"}, Dropped.OBJECT),
        ({"target": "the cellar"}, Dropped.OBJECT),
        ({"target": "Mira"}, Dropped.OBJECT),
        ({"target": "Château Su"}, Dropped.OBJECT),
        ({"start": "in May 2019"}, Dropped.DATE),
        ({"start": "2019-05-01"}, Dropped.DATE),
        ({"start": "now"}, Dropped.DATE),
        ({"start": "Château"}, Dropped.DATE),
    ],
)
def test_what_the_passage_does_not_bear_out_is_dropped(changed, reason):
    quote = {"subject": "Mira", "target": "Château Sud"} | changed
    assert why(TEXT, told(**quote)) is reason


def test_white_space_and_what_stands_around_a_quote_do_not_count():
    assert kept(TEXT, told(quote='"runs  the cellar at\n Château Sud."')).object.name == "Château Sud"
    assert why(TEXT, told(quote="Runs the cellar at Château Sud")) is Dropped.QUOTE


@pytest.mark.parametrize("said", ["in April 2023", "April 2023", "2023-04", "2023-04-01", "2023"])
def test_a_date_is_that_of_the_words_it_points_to(said):
    claim = kept(TEXT, told(target="Château Nord", quote="Mira left Château Nord", end=said, ended=True))
    assert (claim.kind, claim.valid.start.moment, str(claim.valid.end.moment)) == (ClaimKind.ENDS, None, "2023-04")
    assert claim.valid.end.basis == "stated"


def test_of_what_is_over_the_one_date_is_its_end_and_two_are_its_period():
    text = "Mira left Nord in April 2023, where she had worked since 2015."
    left = told(target="Nord", quote="Mira left Nord", ended=True)
    assert str(kept(text, replace(left, start="in April 2023")).valid.end.moment) == "2023-04"
    assert kept(text, replace(left, start="since 2015")).valid.end.moment is None
    both = kept(text, replace(left, start="since 2015", end="in April 2023"))
    assert (both.kind, str(both.valid.start.moment), str(both.valid.end.moment)) == (ClaimKind.HOLDS, "2015", "2023-04")


def test_relative_words_count_from_the_day_of_the_note():
    text = "Mira started at Nord two months ago, and on Friday she left."
    claim = kept(text, told(target="Nord", quote="started at Nord two months ago", start="two months ago"))
    assert str(claim.valid.start.moment) == "2023-04"
    assert why(text, told(target="Nord", quote="started at Nord", start="2023-03-31")) is Dropped.DATE


def test_the_date_of_the_note_is_no_date_of_a_claim():
    assert kept(TEXT, told(start="2023-06-01")).valid.start.moment is None


def test_two_dates_for_one_are_none_and_a_period_may_not_be_inverted():
    text = "Mira worked at Nord from May 2015 to June 2018, and at Sud from 2010 to 2012."
    claim = kept(text, told(target="Nord", quote="worked at Nord", start="May 2015", end="June 2018"))
    assert (str(claim.valid.start.moment), str(claim.valid.end.moment)) == ("2015-05", "2018-06")
    wrong = told(target="Nord", quote="worked at Nord", start="from 2010 to 2012", end="from May 2015 to June 2018")
    assert str(kept(text, wrong).valid.end.moment) == "2018-06"
    assert why(text, replace(wrong, start=wrong.end, end=wrong.start)) is Dropped.DATE
    assert why(text, told(target="Nord", quote="worked at Nord", start="from")) is Dropped.DATE


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Does Mira work at Nord?", "Mira work at Nord"),
        ("Mira does not work at Nord.", "Mira does not work at Nord"),
        ("Mira never worked at Nord.", "Mira never worked at Nord"),
        ("Mira didn't work at Nord.", "Mira didn't work at Nord"),
        ("Mira does not, as they say, work at Nord.", "not, as they say, work at Nord"),
        ("Mira does not work at Nord.", "work at Nord"),
        ("Mira hopes to work at Nord.", "work at Nord"),
        ("Perhaps Mira works at Nord.", "Mira works at Nord"),
        ("Bo said that Mira works at Nord.", "Mira works at Nord"),
        ("It is not true: Mira works at Nord.", "Mira works at Nord"),
    ],
)
def test_a_question_and_a_denial_state_nothing(text, quote):
    assert why(text, told(target="Nord", quote=quote)) is Dropped.STATED


def test_what_another_clause_denies_or_supposes_is_its_own():
    assert kept("Bo did not come, but Mira works at Nord.", told(target="Nord", quote="Mira works at Nord"))
    assert kept("If it rains we stay; Mira works at Nord.", told(target="Nord", quote="Mira works at Nord"))


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Mira dreams that one day she will call Nord home.", "she will call Nord home"),
        ("Somebody wrote that Mira runs Nord.", "Mira runs Nord"),
        ("Mira runs Nord, which Bo denies.", "Mira runs Nord"),
        ("Mira runs Nord, or so Bo claims.", "Mira runs Nord"),
        ("Mira runs Nord (Bo denies it).", "Mira runs Nord"),
        ('"Mira runs Nord", Bo wrote.', "Mira runs Nord"),
        ("Bo wrote: Mira runs Nord.", "Mira runs Nord"),
        ("Bo says it is cold, and Mira runs Nord.", "Mira runs Nord"),
        ("Mira wants to leave Bonn and run Nord.", "run Nord"),
        ("If all goes well, Mira runs Nord.", "Mira runs Nord"),
        ("Mira does not, however, run Nord.", "run Nord"),
        ("Mira is going to run Nord.", "run Nord"),
        ("Mira works at Sud and will run Nord in May.", "Mira works at Sud and will run Nord"),
        ("Mira works at Sud, not at Nord.", "Mira works at Sud, not at Nord"),
        ("Let Mira run Nord!", "Mira run Nord"),
    ],
)
def test_the_whole_sentence_around_a_quote_must_state_it(text, quote):
    assert why(text, told(predicate="LEADS", target="Nord", quote=quote)) is Dropped.STATED


@pytest.mark.parametrize(
    "text",
    [
        "Mira runs Nord since last spring, and her brother Jan does not.",
        "Mira runs Nord since last spring and Jan does not.",
        "Mira runs Nord and will move to Kiel.",
        "Mira runs Nord, where she wrote a book.",
        "Mira runs Nord, a bakery that will close in May.",
        "Mira runs Nord, not Sud.",
        "Mira runs Nord, and Bo thinks it pays well.",
        "Bo hopes to leave, and Mira runs Nord.",
        "Mira, who wrote two books, runs Nord.",
        "We learned that Mira runs Nord.",
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_what_is_said_of_others_takes_nothing_from_a_claim(text, whole):
    quote = text if whole else "runs Nord"
    assert kept(text, told(predicate="LEADS", target="Nord", quote=quote)).object.name == "Nord"


def test_who_is_denied_what_another_has_has_it_not():
    text = "Mira runs Nord since last spring, and her brother Jan does not."
    assert why(text, told("Jan", "LEADS", "Nord", text), names=["Jan"]) is Dropped.STATED


def test_a_quote_lies_within_one_sentence():
    text = "Mira got Ostwind from her aunt. She runs Nord."
    runs = told(predicate="LEADS", target="Nord", quote="from her aunt. She runs Nord")
    assert why(text, runs) is Dropped.QUOTE
    assert kept(text, replace(runs, quote="She runs Nord."))


def test_an_end_that_is_known_to_be_something_else_is_none():
    place = Typing(EntityType.LOCATION, None, Rank.SAID)
    lives = told("Mira", "LIVES_IN", "Bonn", "Mira has Bonn as a home")
    assert why("Mira has Bonn as a home.", lives, typing=place) is Dropped.TYPE
    assert kept("Mira has Bonn as a home.", lives)


@pytest.mark.parametrize(
    ("rank", "kind", "drops"),
    [
        (Rank.RANGE, EntityType.OBJECT, True),
        (Rank.GUESS, EntityType.LOCATION, True),
        (Rank.GUESS, EntityType.ORGANIZATION, False),
        (Rank.LIKELY, EntityType.LOCATION, False),
        (Rank.NONE, EntityType.OBJECT, False),
    ],
)
def test_a_guess_tells_places_from_persons_and_nothing_else(rank, kind, drops):
    document = read("[[Bo]] calls Kiel home.")
    index = next(index for index, block in enumerate(document.blocks) if block.kind == "paragraph")
    ref = Ref("Bo", AliasKind.TEXT, None, Typing(kind, None, rank))
    checker = Checker(document, PERSON, ONTOLOGY, [MentionProposal(index, ref, 0, 2, "Bo", "spacy")])
    checked = checker.check(index, [told("Bo", "LIVES_IN", "Kiel", "Bo calls Kiel home")])
    assert dict(checked.dropped) == ({Dropped.TYPE: 1} if drops else {})


def test_what_is_struck_out_says_nothing():
    text = "Mira sails. ~~Mira works at Nord.~~"
    assert why(text, told(target="Nord", quote="Mira works at Nord")) is Dropped.QUOTE


def test_of_people_in_a_story_nothing_is_claimed():
    book = Typing(EntityType.OBJECT, "Book", Rank.SAID)
    unsure = told("Ann", target="Nord", quote="Ann works at Nord")
    assert why("Ann works at Nord.", unsure, typing=book) is Dropped.STATED


def test_what_is_no_longer_so_ends():
    claim = kept("Mira does not work at Nord any more.", told(target="Nord", quote="does not work at Nord", ended=True))
    assert claim.kind is ClaimKind.ENDS


def test_names_are_those_of_the_passage_or_of_the_note_before_it():
    text = "[[Bo Li]] came by.\n\nHe bakes at Sud now.\n\nLater [[Zoe]] came."
    bakes = told(subject="Bo Li", target="Sud", quote="He bakes at Sud")
    claim = kept(text, bakes, block=1)
    assert (claim.subject.name, claim.subject.kind) == ("Bo Li", "link")
    assert why(text, replace(bakes, subject="Zoe"), block=1) is Dropped.SUBJECT


def test_one_of_the_ends_is_named_where_the_quote_is():
    text = "[[Bo]] met [[Zoe]]. It rained all day."
    assert (
        why(text, told(subject="Bo", predicate="FRIEND_OF", target="Zoe", quote="It rained all day")) is Dropped.OBJECT
    )


def test_a_note_about_nothing_in_particular_is_no_subject():
    text = "Now runs the cellar at Château Sud."
    assert why(text, told(), typing=NOTE) is Dropped.SUBJECT
    assert kept(text, told()).subject is None


def test_i_am_the_owner_where_the_passage_says_so():
    claim = kept("I moved to Bonn.", told("Ada Berg", "LIVES_IN", "Bonn", "I moved to Bonn"))
    assert (claim.subject.name, claim.subject.typing.type) == ("Ada Berg", EntityType.PERSON)
    assert why("He moved to Bonn.", told("Ada Berg", "LIVES_IN", "Bonn", "He moved to Bonn")) is Dropped.SUBJECT
    assert why("Bo moved to Bonn.", told("I", "LIVES_IN", "Bonn", "Bo moved to Bonn")) is Dropped.SUBJECT


def test_values_are_words_of_the_passage_and_dates_are_read():
    text = "Mira is a cooper; she was born on 3 May 1980."
    assert kept(text, told(predicate="ROLE", target="cooper", quote="Mira is a cooper")).value == "cooper"
    assert (
        kept(text, told(predicate="BORN_ON", target="3 May 1980", quote="was born on 3 May 1980")).value == "1980-05-03"
    )
    assert why(text, told(predicate="ROLE", target="vintner", quote="Mira is a cooper")) is Dropped.OBJECT


def test_what_a_better_rung_says_is_said_again_only_to_agree():
    document = read("Mira works at Nord.")
    found = extract(document, PERSON, ONTOLOGY, Lexicon([("Nord", "nord")]))
    checker = Checker(document, PERSON, ONTOLOGY, found.mentions)
    index = next(index for index, block in enumerate(document.blocks) if block.kind == "paragraph")
    rows = [told(target=name, quote="Mira works at Nord", predicate=p) for name, p in
            (("Nord", "WORKS_AT"), ("Nord", "LEADS"), ("Nord", "LEADS"))]  # fmt: skip
    fresh = said_anew(checker.check(index, rows).claims, found.claims, "Mira")
    assert [claim.predicate for claim in fresh] == ["WORKS_AT", "LEADS"]
    dated = [replace(claim, valid=Period(Bound(Moment.day(date(2020, 1, 1)), Basis.STATED))) for claim in fresh]
    assert [claim.predicate for claim in said_anew(dated, found.claims, "Mira")] == ["LEADS"]
