from pathlib import Path

import pytest

from kgmem.errors import ConfigurationError
from kgmem.extraction.ladder import extract
from kgmem.extraction.lexicon import Lexicon
from kgmem.extraction.ontology import NOTE, Ontology, Rank, Typing, load_ontology
from kgmem.extraction.relations.wordings import grammar_of
from kgmem.model import EntityType
from kgmem.resolution.names import name_key
from kgmem.sources.obsidian import Vault

ONTOLOGY = load_ontology()
MINE = load_ontology(owner="Mia")
PERSON = Typing(EntityType.PERSON, "Individual", Rank.SAID)
DATED = "---\ndate: 2026-03-12\n---\n"


def proposals(text, *, typing=NOTE, ontology=ONTOLOGY, names=()):
    document = Vault(Path()).parse("Mira.md", text, mtime_ns=0)
    lexicon = Lexicon((name, name_key(name)) for name in names)
    return extract(document, typing, ontology, lexicon)


def line(claim):
    """``Ada | WORKS_AT | Acme``, ``ends …``, with the dates that are stated."""
    start, end = claim.valid.start.shown, claim.valid.end.shown
    subject = claim.subject.name if claim.subject else "(note)"
    target = "(note)" if claim.object_is_note else claim.object.name if claim.object else claim.value
    kind = "" if claim.kind.value == "holds" else f"{claim.kind.value} "
    when = "" if start is None and end is None else f" | {start or ''}–{end or ''}"
    return f"{kind}{subject} | {claim.predicate} | {target}{when}"


def said(text, **options):
    claims = proposals(options.pop("head", DATED) + text + "\n", **options).claims
    return [line(claim) for claim in claims if claim.rung == "sentences"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira lives in Avignon since May 2023.", "Mira | LIVES_IN | Avignon | 2023-05–"),
        ("Since May 2023, Mira has lived in Avignon.", "Mira | LIVES_IN | Avignon | 2023-05–"),
        ("Mira lived from 2010 to 2014 in Paris.", "Mira | LIVES_IN | Paris | 2010–2014"),
        ("Ada has been working at Initech since 2015.", "Ada | WORKS_AT | Initech | 2015–"),
        ("Ada worked at Initech in 2015.", "Ada | WORKS_AT | Initech | 2015–2015"),
        ("Ada worked at Initech (2001–2011).", "Ada | WORKS_AT | Initech | 2001–2011"),
        ("Ada worked for Initech until 2011.", "Ada | WORKS_AT | Initech | –2011"),
        ("Ada now works at the University of Vienna.", "Ada | WORKS_AT | University of Vienna"),
        ("Jon no longer works at Initech.", "ends Jon | WORKS_AT | Initech"),
        ("Jon stopped working at Initech in 2020.", "ends Jon | WORKS_AT | Initech | –2020"),
        ("Jon started working at Initech in 2020.", "Jon | WORKS_AT | Initech | 2020–"),
        ("[[Acme]] employs [[Ada]] since 2020.", "Ada | WORKS_AT | Acme | 2020–"),
        ("Yesterday Ada moved to Rome.", "Ada | LIVES_IN | Rome | 2026-03-11–"),
        ("Ada, who works at Acme, is ill.", "Ada | WORKS_AT | Acme"),
        ("My old friend Ada lives in Paris.", "Ada | LIVES_IN | Paris"),
        ("Ada lives in Cambridge, Massachusetts.", "Ada | LIVES_IN | Cambridge, Massachusetts"),
        ("Grace reviews [[Releases]] from 5 January 2026.", "Releases | REVIEWED_BY | Grace | 2026-01-05–"),
        ("Ada took over reviewing [[Releases]] on 10 March.", "Releases | REVIEWED_BY | Ada | 2026-03-10–"),
        ("Ada took over as reviewer of [[Releases]].", "Releases | REVIEWED_BY | Ada"),
        ("Ada was born on 13 May 1928 in Cairo.", "Ada | BORN_IN | Cairo | 1928-05-13–"),
        ("Ada was born on 13 May 1928.", "Ada | BORN_ON | 1928-05-13"),
        ("Ada got married to Bo in 2011.", "Ada | MARRIED_TO | Bo | 2011–"),
        ("Ada and Bo were married from 1999 until 2016.", "Ada | MARRIED_TO | Bo | 1999–2016"),
        ("Ada won the Wolf Prize in Medicine in 2004.", "Ada | AWARDED | Wolf Prize in Medicine | 2004–"),
        ("[[A]] uses [[B]].", "A | USES | B"),
        ("Ada and Bo were married in 1999.", "Ada | MARRIED_TO | Bo | 1999–"),
        ("Ada joined the Labour Party in 1981.", "Ada | MEMBER_OF | Labour Party | 1981–"),
        ("Ada is a nurse.", "Ada | ROLE | nurse"),
    ],
)
def test_a_sentence_says_one_thing(text, expected):
    assert said(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[[Kiran]] moved from Whitefield to Electronic City in March 2021.",
            ["Kiran | LIVES_IN | Electronic City | 2021-03–", "ends Kiran | LIVES_IN | Whitefield | –2021-03"],
        ),
        ("Dee is CTO at Acme", ["Dee | WORKS_AT | Acme", "Dee | ROLE | CTO"]),
        (
            "Ada left Acme in 2019 and joined Beta Labs",
            ["Ada | WORKS_AT | Beta Labs", "ends Ada | WORKS_AT | Acme | –2019"],
        ),
        (
            "[[Ada]] left [[Acme]] in 2019, and she joined [[Beta Labs]] in 2020.",
            [
                "Ada | WORKS_AT | Beta Labs | 2020–",
                "ends Ada | WORKS_AT | Acme | –2019",
                "yields Ada | LIVES_IN | Acme | –2019",
                "yields Ada | MEMBER_OF | Acme | –2019",
                "yields Ada | PLAYS_FOR | Acme | –2019",
            ],
        ),
        (
            "Ada joined Acme in 2019 and left in 2021.",
            ["Ada | WORKS_AT | Acme | 2019–", "ends Ada | WORKS_AT | Acme | –2021"],
        ),
        (
            "Ada married Bo in 1985; they divorced in 1994.",
            ["Ada | MARRIED_TO | Bo | 1985–", "ends Ada | MARRIED_TO | Bo | –1994"],
        ),
        (
            "Ada replaced Grace as reviewer of [[Releases]] in May 2024.",
            ["Releases | REVIEWED_BY | Ada | 2024-05–", "ends Releases | REVIEWED_BY | Grace | –2024-05"],
        ),
        ("Ada and Bo live in Rome.", ["Ada | LIVES_IN | Rome", "Bo | LIVES_IN | Rome"]),
        ("Ada loves Chinese food.", ["Ada | LIKES | Chinese food", "yields Ada | DISLIKES | Chinese food"]),
    ],
)
def test_a_sentence_may_say_two_things(text, expected):
    assert sorted(said(text)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        "Does Ada work at Acme?",
        "If Ada works at Acme, good.",
        "Ada might join Acme.",
        "Ada would work at Acme.",
        "Ada wants to work at Acme.",
        "Ada will work at Acme.",
        "Ada may work at Acme.",
        "Ada doesn't work at Acme.",
        "Ada never worked at Acme in 2019.",
        "Bo said that Ada works at Acme.",
        "I think Ada lives in Paris.",
        "Maybe Ada lives in Paris.",
        "“Ada works at Acme.”",
        '"I work at Acme," Bo whispered.',
        "> Ada works at Acme.",
        "- [ ] Ada joined Acme",
        "`Ada works at Acme`",
        "The mother of Ada lives in Paris.",
        "The mother of Ada and Bo lived in Paris in 2019.",
        "Ada's brother lives in Paris.",
        "Ada works at Acme's office.",
        "Ada lives in Paris suburbs.",
        "Ada works at home.",
        "Ada works on Mondays.",
        "Everybody lives in Paris.",
        "They live in Paris.",
        "She works at Acme.",
        "Works at Acme.",
        "I work at Acme.",
        "Ada left London for Paris.",
        "Ada left London on Monday.",
        "Ada left Bonn for the weekend.",
        "Ada was at Acme.",
        "Ada is at Acme.",
        "Ada was at Acme until Friday.",
        "Ada isn't at Acme.",
        "Ada hasn't worked at Acme.",
        "Ada is no longer the founder of Acme.",
        "Ada joined Zoe Fu in Bonn.",
        "Zoe Fu lives next door. Ada joined Zoe Fu in Bonn.",
        "~~Ada works at Acme.~~",
        "It's false that Ada works at Acme.",
        "It's untrue that Ada works at Acme.",
        "It's not so that Ada works at Acme.",
        "It's a myth that Ada works at Acme.",
        "I was wrong that Ada works at Acme.",
        "Wrong: Ada works at Acme.",
        "Fake news: Ada works at Acme.",
        "April fools: Ada works at Acme.",
        "Ada works at Acme (not true).",
        "Ada works at Acme, not.",
        "Ada works at Acme, but only in theory.",
        "In the film, Ada works at Acme.",
        "In this story Ada works at Acme.",
        "In Bo's new novel Ada works at Acme.",
        "Ada lives in Bonn in my novel.",
        "Ada lives in Bonn in the dream I had.",
        "Story idea: Ada lives in Bonn.",
        "Idea: Ada lives in Bonn.",
        "The character Ada lives in Bonn.",
        "## Dreams\n\nAda lives in Bonn.",
        "Joe: Ada lives in Bonn.",
        "**Joe**: Ada lives in Bonn.",
        "10:15 Joe: hello\nAda lives in Bonn.",
        "> [!quote] Ada lives in Bonn.",
        "Everyone but Ada lives in Bonn.",
        "Before [[Ada]] joined Acme, she slept.",
        "Had Ada joined Acme, we'd be rich.",
        "Ada is joining Acme next month.",
        "Ada is getting married to Zoe next year.",
        "Ada is working at Acme next year.",
        "Ada joins Acme on 1 May 2027.",
        "Ada worked at Acme from 2015 to 2010.",
        "The Lord died in 1528.",
        "Bo served as a Labour member of Acme.",
        "Ada joins Acme.",
        "Ada joined Acme after 2019.",
        "Ada worked at Initech.",
        "Ada has lived in Paris.",
        "Ada was married to Bo (1836–1903).",
        "Ada loves the way Bo sings.",
        "Ada likes Chinese and Thai food.",
        "When Ada joins Acme on 5 May 2027, we celebrate.",
    ],
)
def test_nothing_is_claimed_where_the_words_leave_a_doubt(text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("when", "start"),
    [
        ("in the summer of 2018", "2018-06"),
        ("in Spring 2019", "2019-03"),
        ("in Q3 2020", "2020-07"),
        ("three weeks ago", "2026-02-16"),
        ("in mid-2020", "2020-05"),
        ("in mid-May 2020", "2020-05-11"),
        ("in week 12 of 2020", "2020-03-16"),
        ("back in 2011", "2011"),
    ],
)
def test_what_began_in_a_time_goes_on_after_it(when, start):
    assert said(f"Ada joined Acme {when}.") == [f"Ada | WORKS_AT | Acme | {start}–"]


def test_what_began_in_one_of_some_years_began_nobody_knows_when():
    assert said("Ada joined Acme in the nineties.") == ["Ada | WORKS_AT | Acme"]


def test_what_is_told_to_end_ends():
    assert said("Ada joined Acme from 2015 to 2018.") == ["Ada | WORKS_AT | Acme | 2015–2018"]
    assert said("Ada and Bo were married in the summer of 1999.") == ["Ada | MARRIED_TO | Bo | 1999-06–"]
    assert said("Ada worked at Acme in the summer of 2018.") == ["Ada | WORKS_AT | Acme | 2018-06–2018-08"]
    assert said("Ada works at Acme as of 2021.") == ["Ada | WORKS_AT | Acme | 2021–"]
    assert said("Back in 2011, Ada joined Acme.") == ["Ada | WORKS_AT | Acme | 2011–"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada doesn't work at Acme anymore.", "ends Ada | WORKS_AT | Acme"),
        ("Ada does not work at Acme any more.", "ends Ada | WORKS_AT | Acme"),
        ("Ada isn't working at Acme any longer.", "ends Ada | WORKS_AT | Acme"),
        ("Ada hasn't worked at Acme since May 2020.", "ends Ada | WORKS_AT | Acme | –2020-05"),
        ("Ada is no longer married to Zoe.", "ends Ada | MARRIED_TO | Zoe"),
        ("Ada isn't a member of Acme anymore.", "ends Ada | MEMBER_OF | Acme"),
        ("Ada left London.", "yields Ada | LIVES_IN | London"),
    ],
)
def test_a_sentence_may_say_that_something_is_over(text, expected):
    assert said(text) == [expected]


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("Ada left Acme in 2019.", " | –2019"),
        ("Ada left Acme back in 2019.", " | –2019"),
        ("Ada is no longer at Acme.", ""),
        ("Ada isn't at Acme anymore.", ""),
        ("Ada was at Acme until 2020.", " | –2020"),
    ],
)
def test_what_may_be_a_job_or_not_ends_only_if_it_held(text, until):
    assert f"yields Ada | WORKS_AT | Acme{until}" in said(text)
    assert {each.split()[0] for each in said(text)} == {"yields"}
    assert [each for each in proposals(DATED + text).mentions if each.rung == "sentences"] == []


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Ada joined Acme in 2019 but left it again in May 2021.", "ends Ada | WORKS_AT | Acme | –2021-05"),
        ("Ada married Zoe in 2015 and divorced her in 2020.", "ends Ada | MARRIED_TO | Zoe | –2020"),
    ],
)
def test_an_ending_may_leave_its_object_to_a_pronoun(text, ending):
    assert said(text)[1] == ending


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("on 03/04/2019", "on 03/04/2019"),
        ("on 5-3-2021", "5-3-2021"),
        ("since 1.5.2020", "since 1.5.2020"),
        ("in '98", "'98"),
        ("on 2021-02-30", "on 2021-02-30"),
        ("on 30 February 2021", "on 30 February 2021"),
    ],
)
def test_a_date_that_cannot_be_read_is_not_the_date_of_the_note(when, words):
    found = proposals(f"{DATED}A day.\n\nBusy.\nAda joined Acme {when}.\n")
    (claim,) = found.claims
    assert (line(claim), claim.said.shown) == ("Ada | WORKS_AT | Acme", None)
    (problem,) = found.problems
    assert (problem.path, problem.line, problem.kind) == ("Mira.md", 7, "date")
    assert problem.message == f"not understood as a date: {words!r}"


def test_another_date_of_the_sentence_is_no_problem_where_the_claim_has_its_own():
    found = proposals(DATED + "Ada joined Acme in 2019 (badge 03/04/2019).\n")
    assert ([line(each) for each in found.claims], found.problems) == (["Ada | WORKS_AT | Acme | 2019–"], ())


def test_an_inverted_period_is_a_problem():
    (problem,) = proposals(DATED + "\nAda worked at Acme from 2015 to 2010.\n").problems
    assert (problem.path, problem.line, problem.kind) == ("Mira.md", 5, "period")


@pytest.mark.parametrize(
    ("text", "predicate", "doubtful"),
    [
        ("Ada works at Acme.\n\nAda moved from Acme to Initech in 2020.", ["WORKS_AT"] * 3, False),
        ("Ada moved from Acme to Beta Labs in 2020.", ["WORKS_AT"] * 2, False),
        ("Ada moved from Little Pond to Vienna in 2020.", ["LIVES_IN"] * 2, False),
        ("Ada moved from Acme Labs to Vienna in 2020.", ["LIVES_IN"], False),
        ("Ada moved from Acme to Initech in 2020.", ["WORKS_AT"] * 2 + ["LIVES_IN"] * 2, True),
    ],
)
def test_what_names_are_decides_from_what_to_what_somebody_moves(text, predicate, doubtful):
    found = [each for each in proposals(DATED + text).claims if each.rung == "sentences"]
    assert [each.predicate for each in found] == predicate
    assert any(each.doubtful for each in found) is doubtful


@pytest.mark.parametrize("text", ["Ada is the son of Bo.", "Ada died in 2020.", "Ada was born in Bonn."])
def test_what_is_timeless_takes_no_date_from_its_note(text):
    (claim,) = proposals(DATED + text).claims
    assert (str(claim.said.moment), claim.said.shown) == ("2026-03-12", None)


def test_what_lies_back_takes_no_date_from_the_note():
    (claim,) = (
        each for each in proposals(DATED + "After [[Ada]] joined Acme, she slept.").claims if each.object.name == "Acme"
    )
    assert (line(claim), claim.said.shown) == ("Ada | WORKS_AT | Acme", None)


@pytest.mark.parametrize(
    "text",
    [
        "Update: Ada works at Acme.",
        "Good news: Ada works at Acme.",
        "Three years in the wind: [[Ada]] works at Acme.",
        "> [!note] Ada works at Acme.",
        "Ada works at ~~Initech~~ Acme.",
    ],
)
def test_what_leads_to_a_sentence_may_do_no_harm(text):
    assert said(text) == ["Ada | WORKS_AT | Acme"]


def test_a_book_tells_of_people_who_may_not_live():
    book = Typing(EntityType.OBJECT, "Book", Rank.SAID)
    assert said("Ada lives in Bonn. [[Dune]] was written by Bo.", typing=book) == ["Dune | WRITTEN_BY | Bo"]


def test_a_month_may_be_a_given_name():
    assert said("May Lin lives in Bonn since May 2019.") == ["May Lin | LIVES_IN | Bonn | 2019-05–"]


@pytest.mark.parametrize(
    "phrase", ["took over [[Apollo]]", "took over [[Apollo]] from Grace", "took over [[Apollo]] (from Grace)"]
)
def test_who_takes_over_a_project_leads_it(phrase):
    found = proposals(f"{DATED}Ada {phrase} on 10 March.\n").claims
    led = [each for each in found if each.predicate == "LED_BY"]
    assert line(led[0]) == "Apollo | LED_BY | Ada | 2026-03-10–"
    assert all(each.doubtful_subject for each in led)
    assert [line(each) for each in led[1:]] == ["ends Apollo | LED_BY | Grace | –2026-03-10"] * ("Grace" in phrase)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She studied at MIT from 2010 to 2014.", ["(note) | STUDIED_AT | MIT | 2010–2014"]),
        ("Works at Acme since 2019.", ["(note) | WORKS_AT | Acme | 2019–"]),
        ("- Joined Acme in 2019", ["(note) | WORKS_AT | Acme | 2019–"]),
        ("Married to [[Bo]] since 2010.", ["(note) | MARRIED_TO | Bo | 2010–"]),
        ("Mira works at Acme.", ["(note) | WORKS_AT | Acme"]),
        ("Met Bo yesterday. She works at Acme.", []),
        ("Works at Acme. She lives in Rome.", ["(note) | WORKS_AT | Acme", "(note) | LIVES_IN | Rome"]),
        ("## Family\n- Works at Acme.", []),
        ("Work at Acme.", []),
    ],
)
def test_in_a_note_about_a_person_nobody_else_is_meant(text, expected):
    assert said(text, typing=PERSON) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I work at Acme.", ["Mia | WORKS_AT | Acme"]),
        ("I've been working at Acme since 2020.", ["Mia | WORKS_AT | Acme | 2020–"]),
        ("I'm married to Bo.", ["Mia | MARRIED_TO | Bo"]),
        ("I no longer work at Acme.", ["ends Mia | WORKS_AT | Acme"]),
        ("Bo and I live in Rome.", ["Bo | LIVES_IN | Rome", "Mia | LIVES_IN | Rome"]),
        ("I used to work at Acme.", []),
        ("I don't work at Acme anymore.", ["ends Mia | WORKS_AT | Acme"]),
        ("Mia: I work at Acme.", ["Mia | WORKS_AT | Acme"]),
        ("Joe: I work at Acme.", []),
        ("Could I live in Rome?", []),
    ],
)
def test_i_am_the_owner(text, expected):
    assert said(text, ontology=MINE) == expected


def test_relative_words_need_a_note_with_a_date():
    assert said("Ada moved to Rome yesterday.", head="") == ["Ada | LIVES_IN | Rome"]
    assert said("Ada took over reviewing [[Releases]] on 10 March.", head="") == ["Releases | REVIEWED_BY | Ada"]


def test_what_was_at_no_date_is_over_and_the_note_only_orders_it():
    (claim,) = (each for each in proposals(DATED + "Ada studied at MIT.\n").claims if each.rung == "sentences")
    assert line(claim) == "ends Ada | STUDIED_AT | MIT"
    assert (str(claim.said.moment), claim.said.shown) == ("2026-03-12", None)


def test_a_claim_tells_where_it_stands():
    text = DATED + "# Log\n\nA long day.\nMet many.\nAda works at Acme now. Rain.\n"
    (claim,) = (each for each in proposals(text).claims if each.rung == "sentences")
    assert (claim.line, claim.statement, claim.confidence) == (2, "Ada works at Acme.", 0.8)
    assert "Ada works at Acme now." in claim.quote
    assert "Rain" not in claim.quote


def test_a_known_name_and_a_link_are_who_they_are():
    found = proposals("Ada Byron works at [[Acme Ltd|Acme]].\n", names=["Ada Byron"])
    (claim,) = (each for each in found.claims if each.rung == "sentences")
    assert (claim.subject.name, claim.object.name) == ("Ada Byron", "Acme Ltd")


def test_new_names_are_mentioned_with_the_type_that_the_words_need():
    found = proposals("Ada lives in Avignon.\n")
    told = {(each.surface, each.ref.typing.type) for each in found.mentions if each.rung == "sentences"}
    assert told == {("Ada", EntityType.PERSON), ("Avignon", EntityType.LOCATION)}


def test_what_a_property_said_there_is_not_said_again():
    found = proposals("---\ntype: person\n---\nworks_at:: [[Acme]]\n", typing=PERSON)
    assert [claim.predicate for claim in found.claims] == ["WORKS_AT"]


def test_phrases_are_data():
    own = Ontology({
        "predicates": {
            "SINGS_WITH": {
                "domain": ["Person"], "range": ["Organization"], "says": ["sings with"], "starts": ["auditioned for"],
            }
        }
    })  # fmt: skip
    assert said("Ada sang with Acme.", ontology=own) == []
    assert said("Ada has been singing with Acme since 2020.", ontology=own) == ["Ada | SINGS_WITH | Acme | 2020–"]
    assert said("Ada auditioned for Acme in 2021.", ontology=own) == ["Ada | SINGS_WITH | Acme | 2021–"]


@pytest.mark.parametrize("phrase", ["{q} sings", "{s} {o} sings", "works {o at"])
def test_a_phrase_that_means_nothing_is_refused(phrase):
    with pytest.raises(ConfigurationError):
        grammar_of(Ontology({"predicates": {"SINGS": {"says": [phrase]}}}))


@pytest.mark.parametrize(
    "text",
    [
        "As soon as Ole Frei works at Miele, he will rest.",
        "As long as [[Ole Frei]] works at Miele, we stay.",
        "Once Emil lives in Wels, he will be happy.",
        "Until Ole Frei works at Miele, he will rest.",
        "Provided Ole Frei works at Miele, we stay.",
        "Provided that Ole Frei lives in Wels, we stay.",
        "In case [[Ole Frei]] works at Miele, call him.",
        "[[Bo]] will rest when [[Ole Frei]] works at Miele.",
    ],
)
def test_conditions_are_no_claims(text):
    assert said(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Record that Max owns Vela Foods.",
        "Write down that [[Max Hall]] owns [[Vela Foods]].",
        "Call Bo and note that my friend [[Max Hall]] lives in Wels.",
        "Make sure [[Max Hall]] lives in Wels.",
        "Ensure Max Hall works at Vela Foods.",
        "Please don't forget that [[Max Hall]] works at Vela Foods.",
    ],
)
def test_what_is_ordered_is_no_claim(text):
    assert said(text) == []


def test_what_is_known_or_past_is_no_condition():
    assert said("I learned that [[Max Hall]] lives in Wels.") == ["Max Hall | LIVES_IN | Wels"]
    assert said("As soon as [[Ole Frei]] joined Miele in 2019, he slept.") == ["Ole Frei | WORKS_AT | Miele | 2019–"]
    assert said("I note that [[Max Hall]] lives in Wels.") == ["Max Hall | LIVES_IN | Wels"]


def test_the_date_of_a_line_is_not_the_next_ones():
    found = said("From 2010 to 2013 I worked at Delta Foods.\nIn 2014 I left Orion Ltd.", ontology=MINE)
    assert "Mia | WORKS_AT | Delta Foods | 2010–2013" in found
    assert {each.rsplit(" | ", 1)[1] for each in found if "Orion" in each} == {"–2014"}
