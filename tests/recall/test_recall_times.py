"""Questions that ask about another time, in their own words."""

from datetime import date

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.extraction.dates import find_dates, read_period
from kgmem.model import Bound, Moment
from kgmem.recall.answer import NOT_HERE, ask
from kgmem.recall.question import find_names
from kgmem.recall.search import search
from kgmem.recall.times import is_late, last_instant, moment_of, read_question, tells_of
from kgmem.recall.wording import asked_words, period_words
from kgmem.store.protocol import Scope

TODAY = date(2026, 6, 1)
NOW = TODAY.toordinal() * 86_400
PERSON = "---\ntype: person\n"


@pytest.fixture(scope="module")
def village(tmp_path_factory):
    """People who moved, and things that are called by dates; read on a Monday, edited on Tuesday and Wednesday."""
    notes = Notes(tmp_path_factory.mktemp("village"))
    notes.write({
        "People/Mira.md": PERSON + "---\nThe best nose.\n\nlives_in:: [[Lyon]] (2017 – 2020-03)\n"
        "lives_in:: [[Porto]] (since 2020-04)\nworks_at:: [[Nord]] (2015 – 2023-03)\nworks_at:: [[Sud]] (since 2023-04)"
        "\n",
        "People/Bo.md": PERSON + "---\nA carpenter.\n\nlives_in:: [[Turin]]\n",
        "People/May.md": PERSON + "---\nSings.\n\nlives_in:: [[Kyoto]] (since 2001)\n",
        "Nord.md": "---\ntype: company\nled_by: [Bo (2018 – 2021-04), Ann (since 2021-05)]\n---\nA cellar.\n",
        "Trip 2019.md": "---\ntype: event\n---\nWith everyone to the sea.\n",
        "2024-03-01.md": "Lunch with [[Mira]] on the terrace.\n",
        "2018-05-05.md": "Mira came by with a crate.\n",
        "2025-09-09.md": "Mira told me how it rained in May 2019.\n\nMira has a new coat.\n",
        "People/Cy.md": PERSON + "date: 2025-01-01\n---\nQuiet.\n\nlives_in:: [[Oslo]] (since 2010)\n",
        "Gone.md": PERSON + "---\nGone plays the tuba.\n",
    }).ingest(MONDAY)  # fmt: skip
    notes.remove("Gone.md").ingest(TUESDAY)
    notes.write({"2024-03-01.md": "Lunch with [[Mira]] in the kitchen.\n"}).ingest(WEDNESDAY)
    return notes


@pytest.fixture
def store(village):
    with village.store(WEDNESDAY) as opened:
        yield opened


def said(store, question, **options):
    return ask(store, question, now=NOW, **options)


def read(store, question):
    found = read_question(store, question, TODAY)
    return found.as_of and period_words(found.as_of), found.known and str(found.known)


def places(answer):
    return {f"{each.source}:{each.line}" for each in answer.passages}


@pytest.mark.parametrize(
    ("question", "as_of", "known"),
    [
        ("where did Mira live in 2019", "2019", None),
        ("Where did Mira live in 2019?", "2019", None),
        ("what was true of Mira last March", "2026-03", None),
        ("who led Nord before May 2021", "until 2021-04", None),
        ("who has led Nord since May 2021?", "since 2021-05", None),
        ("where was Mira living on 7 March 2021?", "2021-03-07", None),
        ("where was Mira in the summer of 2019", "2019-06 to 2019-08", None),
        ("what did Mira do between March and May 2021", "2021-03 to 2021-05", None),
        ("who led Nord two years ago", "2024", None),
        ("as of 2020, where does Mira live", "2020", None),
        ("what happened yesterday", "2026-05-31", None),
        ("what did I know about Mira in March", None, "2026-03"),
        ("What did we believe about Mira in March 2026?", None, "2026-03"),
        ("where did I think Mira lived last week", None, "2026-05-31"),
        ("what was known about Mira on 2026-03-02", None, "2026-03-02"),
        ("what I knew of Mira before May 2026", None, "2026-04"),
        ("where did Mira live before May 2021", "until 2021-04", None),
        ("did I meet Bo in May 2021", "2021-05", None),
        ("what did I do with Mira on 2024-03-01", "2024-03-01", None),
        ("where did Mira work before she moved to Porto", "until 2020-03", None),
        ("where did Mira live before Mira moved", "until 2020-03", None),
        ("where has Mira lived since she moved to Porto", "since 2020-04", None),
        ("where did Mira work after she left Nord", "since 2023-04", None),
        ("where did Mira live when she joined Sud", "2023-04", None),
        ("who led Nord until Mira left Nord", "until 2023-03", None),
        ("who led Nord after Bo left Nord", "since 2021-05", None),
        ("where did Mira live before she moved from Lyon", "until 2020-02", None),
    ],
)
def test_a_question_says_when(store, question, as_of, known):
    assert read(store, question) == (as_of, known)


@pytest.mark.parametrize(
    "question",
    [
        "who came on Trip 2019",
        "what happened in Trip 2019?",
        "what happened on 2024-03-01",
        "2024-03-01",
        "did I meet Bo and May in May",
        "what does May do",
        "may I go",
        "what is Mira doing in 5 minutes",
        "who is in Room 1984",
        "what about version 2.2019 of the plan",
        "where does Mira live now",
        "what do I know about Mira",
        "who led Nord in 2019 and in 2021",
        'who wrote "In May 2019" about Mira',
        "did Mira pay 2019 euros",
        "where did I live before I moved",
        "where did Bo live before he moved",
        "where did Mira live before she laughed",
        "what did Mira do before lunch",
        "who was there before Gandalf moved to Porto",
        "where did Mira live before she left",
        "did Mira march on through the water",
        "what did Mira say about the 5th element",
    ],
)
def test_a_question_that_names_no_clear_date_asks_about_now(store, question):
    assert read(store, question) == (None, None)


def test_who_says_i_is_the_owner_if_a_name_of_theirs_is_given(store):
    question = "who led Nord before I moved to Porto"
    assert read(store, question) == (None, None)
    assert period_words(read_question(store, question, TODAY, owner="Mira").as_of) == "until 2020-03"
    assert read_question(store, question, TODAY, owner="Nobody").as_of is None
    found = said(store, question, owner="Mira")
    assert found.text == "Until 2020-03 (before I moved to Porto): Nord is led by Bo (2018 – 2021-04)."


def test_what_a_pronoun_stands_for_is_named_before_it(store):
    assert read(store, "before she moved to Porto where was Mira") == (None, None)


def test_an_answer_says_the_period_and_every_value_that_held_in_it(store):
    found = said(store, "where did Mira live in 2020")
    assert found.text == (
        "As of 2020 (the whole year): Mira lives in Porto (since 2020-04). Mira lives in Lyon (2017 – 2020-03)."
    )
    assert (found.as_of, found.known_at) == ("2020", None)
    assert found.as_json()["as_of"] == "2020"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("where did Mira live in 2019", "As of 2019 (the whole year): Mira lives in Lyon (2017 – 2020-03)."),
        ("where did Mira live in May 2020", "As of 2020-05 (the whole month): Mira lives in Porto (since 2020-04)."),
        ("where did Mira live on 2020-03-31", "As of 2020-03-31: Mira lives in Lyon (2017 – 2020-03)."),
        ("where did Mira live on 2020-04-01", "As of 2020-04-01: Mira lives in Porto (since 2020-04)."),
        (
            "where did Mira live before she moved to Porto",
            "Until 2020-03 (before she moved to Porto): Mira lives in Lyon (2017 – 2020-03).",
        ),
        ("who led Nord before May 2021", "Until 2021-04: Nord is led by Bo (2018 – 2021-04)."),
        ("who has led Nord since May 2021", "Since 2021-05: Nord is led by Ann (since 2021-05)."),
        ("where does Mira live", "Mira lives in Porto (since 2020-04)."),
        ("what was zzyzx in 2019", "As of 2019 (the whole year): No note says it in so many words."),
    ],
)
def test_the_answer_is_of_the_period(store, question, text):
    assert said(store, question).text == text


def test_a_time_that_is_given_outranks_the_one_in_the_question(store):
    period = read_period("2020-05-01", TODAY)
    found = said(store, "where did Mira live in 2019", as_of=period)
    assert found.text == "As of 2020-05-01: Mira lives in Porto (since 2020-04)."
    assert found.as_of == "2020-05-01"


def test_counts_neighbours_and_passages_are_of_the_period(store):
    now, then = said(store, "Mira", limit=20), said(store, "Mira in 2018", limit=20)
    assert (now.entities[0].sources, then.entities[0].sources) == (4, 2)
    assert {each.entity.name for each in then.neighbours} == {"Lyon", "Nord"}
    assert {each.entity.name for each in now.neighbours} >= {"Porto", "Sud", "2024-03-01"}
    assert places(then) == {"People/Mira.md:4", "People/Mira.md:6", "2018-05-05.md:1"}


def test_the_entity_asked_about_stays_the_first_one_also_where_no_note_of_the_time_speaks_of_it(store):
    found = said(store, "where did Cy live in 2018, and was Mira there")
    assert [(card.entity.name, card.sources) for card in found.entities] == [("Cy", 0), ("Mira", 2)]
    assert found.text == (
        "As of 2018 (the whole year): Cy lives in Oslo (since 2010)."
        " “Was Mira there?” As of 2018 (the whole year): No note says it in so many words."
    )


def test_what_was_written_later_counts_if_it_tells_of_the_period(store):
    assert "2025-09-09.md:1" in places(said(store, "Mira in 2019", limit=20))
    assert "2025-09-09.md:3" not in places(said(store, "Mira in 2019", limit=20))
    assert "2025-09-09.md:3" in places(said(store, "Mira", limit=20))


def test_what_was_known_is_told_with_the_words_of_then(store):
    tuesday = last_instant(Moment.parse("2026-03-03"))
    now = [each.text for each in said(store, "Mira lunch", limit=9).passages]
    then = [each.text for each in said(store, "Mira lunch", limit=9, known=tuesday).passages]
    asked = [each.text for each in said(store, "what did I know about Mira at lunch on 2026-03-03", limit=9).passages]
    kitchen, terrace = "Lunch with [[Mira]] in the kitchen.", "Lunch with [[Mira]] on the terrace."
    assert (kitchen in now, terrace in now) == (True, False)
    assert (kitchen in then, terrace in then) == (kitchen in asked, terrace in asked) == (False, True)


def test_what_is_gone_is_named_in_a_question_about_then(store):
    assert find_names(store, "who is Gone") == ()
    found = said(store, "what did I know about Gone on 2 March 2026?")
    assert found.text == "As known at the end of 2026-03-02: Gone (Individual) is mentioned in 1 note up to then."
    assert found.known_at == "2026-03-02"
    assert places(found) == {"Gone.md:4"}
    assert said(store, "what do I know about Gone?").text in {"", NOT_HERE}


def test_before_the_first_record_nothing_was_known_and_the_answer_says_so(store):
    found = said(store, "what did I know about Mira in 2019")
    assert found.text == (
        "As known at the end of 2019: Nothing was recorded by then; this memory begins on 2026-03-02."
    )
    assert (found.facts, found.passages) == ((), ())


def test_both_axes_at_once(store):
    found = said(store, "what did I know about Mira on 2026-03-02", as_of=read_period("2019", TODAY))
    assert found.text.startswith("As of 2019 (the whole year), as known at the end of 2026-03-02: Mira ")
    assert (found.as_of, found.known_at) == ("2019", "2026-03-02")


def test_a_search_at_another_time(store):
    def hits(terms, *, scope=Scope.EPISODES, **times):
        return [hit.text for hit in search(store, terms, [scope], 9, **times)]

    monday = last_instant(Moment.parse("2026-03-02"))
    year = Moment.parse("2020")
    assert hits("tuba") == []
    assert hits("tuba", known=monday) == ["Gone plays the tuba."]
    assert hits("crate") == hits("crate", valid=(year.first, year.past)) == ["Mira came by with a crate."]
    assert hits("coat", valid=(year.first, year.past)) == []
    assert hits("Gone", scope=Scope.ENTITIES, known=monday) == ["Gone (Person)"]
    assert hits("Gone", scope=Scope.ENTITIES) == []
    assert hits("2024-03-01", scope=Scope.ENTITIES, valid=(year.first, year.past)) == []
    assert set(hits("lives in", scope=Scope.FACTS, valid=(year.first, year.past))) == {
        "Mira lives in Lyon.", "Mira lives in Porto.", "Bo lives in Turin.", "May lives in Kyoto.", "Cy lives in Oslo.",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["2019", "2019-03", "2019-03-07", "2019-06 to 2019-08", "since 2021-05", "until 2021-04", "last March"]
)
def test_a_period_in_words_is_read_again_as_the_same(text):
    period = read_period(text, TODAY)
    assert read_period(period_words(period), TODAY) == period


@pytest.mark.parametrize(
    ("as_of", "known", "words"),
    [
        ("2019", None, "As of 2019 (the whole year)"),
        ("2019-03", None, "As of 2019-03 (the whole month)"),
        ("summer 2019", None, "As of 2019-06 to 2019-08"),
        ("before 2020", None, "Until 2019"),
        (None, "2026-03", "As known at the end of 2026-03"),
        (None, "2026-03-02T10:00:00Z", "As known at 2026-03-02T10:00:00Z"),
        ("2019-03-07", "2026", "As of 2019-03-07, as known at the end of 2026"),
        (None, None, ""),
    ],
)
def test_times_in_words(as_of, known, words):
    assert asked_words(as_of and read_period(as_of, TODAY), known and Moment.parse(known)) == words


def test_the_last_instant_of_a_moment_and_back():
    assert last_instant(Moment.parse("1970-01-01")) == 86_400_000_000 - 1
    assert last_instant(Moment.parse("1970-01-01T00:00:01Z")) == 1_999_999
    assert str(moment_of(last_instant(Moment.parse("2026-03-02")))) == "2026-03-02"
    assert str(moment_of(last_instant(Moment.parse("2026-03-02T10:00:00Z")))) == "2026-03-02T10:00:00Z"
    assert str(moment_of(last_instant(Moment.parse("9999")))) == "9999-12-31"
    assert str(moment_of(last_instant(Moment.parse("0001")))) == "0001-12-31"


def test_late_is_what_has_a_later_date():
    valid = (Moment.parse("2019").first, Moment.parse("2019").past)
    late = {text: is_late(Bound(Moment.parse(text)), valid) for text in ("2018", "2019-12-31", "2020-01-01")}
    assert late == {"2018": False, "2019-12-31": False, "2020-01-01": True}
    assert not is_late(Bound(), valid)
    assert not is_late(Bound(Moment.parse("2020")), None)


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("it rained in May 2019", True),
        ("it rained in May 2020", False),
        ("it rained a year ago", True),
        ("from 2018 to 2020 it rained", True),
        ("it has rained since 2015", False),
        ("it rained", False),
    ],
)
def test_a_text_tells_of_a_period_by_a_date_in_it(text, tells):
    valid = (Moment.parse("2019").first, Moment.parse("2019").past)
    assert tells_of(text, Bound(Moment.parse("2020-09-09")), valid) is tells


@pytest.mark.parametrize(
    "words", ["in spring", "on Monday", "a week ago", "last christmas", "at Easter 2021", "in the sixties", "yesterday"]
)
def test_every_kind_of_date_is_looked_for(store, words):
    (found,) = find_dates(words, TODAY)
    assert read_question(store, f"where was Mira {words}", TODAY).as_of == found.period


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("where did Mira live on 2023-02-30", ("2023-02-30",)),
        ("where did Mira live on 03/04/2020", ("03/04/2020",)),
        ("where did Mira live on Feb 29 2023", ("Feb 29 2023",)),
        ("where did Mira live back in '15", ("'15",)),
        ("where did Mira live from 2020 to 2015", ("from 2020 to 2015",)),
        ("where did Mira live in 2019, or on 31 June", ("31 June",)),
        ('who wrote "see you on 2023-02-30" to Mira', ()),
        ("where did Mira live in 2019", ()),
        ("who came to Trip 2019", ()),
        ("who has 3 coats", ()),
        ("where does Mira live", ()),
    ],
)
def test_what_looks_like_a_date_and_is_none_is_told(village, question, words):
    with village.store() as store:
        assert read_question(store, question, TODAY).unread == words


def test_an_answer_for_now_says_that_it_is(village):
    with village.store() as store:
        found = ask(store, "where did Mira live on 2023-02-30", now=NOW)
        several = ask(store, "did Mira live in Lyon in 2018 or in 2019", now=NOW)
        plain = ask(store, "where did Mira live in 2019", now=NOW)
    assert found.notes == ("no such date: 2023-02-30; answered for now",)
    assert found.text == "No such date: 2023-02-30; answered for now. Mira lives in Porto (since 2020-04)."
    assert found.as_json()["notes"] == list(found.notes)
    assert several.notes == ("several dates: in 2018, in 2019; answered for now",)
    assert plain.notes == ()


def test_a_date_that_was_given_wins_and_says_so(village):
    with village.store() as store:
        found = ask(store, "where did Mira live in 2019", now=NOW, as_of=read_period("2021"))
        both = ask(store, "where did Mira live on 2023-02-30", now=NOW, as_of=read_period("2018"))
        known = ask(
            store, "what did I know about Mira in 2019", now=NOW, known=last_instant(Moment.parse("2026-03-02"))
        )
    assert found.text == "As of 2021 (the whole year): Mira lives in Porto (since 2020-04)."
    assert found.notes == ("the option counts, not the question's 'in 2019': as of 2021 (the whole year)",)
    assert both.notes == ("no such date: 2023-02-30; answered as of 2018 (the whole year)",)
    assert known.notes == ("the option counts, not the question's 'in 2019': as known at the end of 2026-03-02",)


def test_a_date_that_is_said_twice_is_one_date(village):
    with village.store() as store:
        asked = read_question(store, "in 2019, where did Mira work in 2019", TODAY)
    assert (period_words(asked.as_of), asked.several) == ("2019", ())
