"""Dates in French, German and Spanish. The anchor is a Monday, 2026-06-01."""

import subprocess
import sys
from datetime import date

import pytest

from kgmem.extraction.dates.foreign import find_foreign_dates, read_foreign_period

ANCHOR = date(2026, 6, 1)
ALL = ("fr", "de", "es")


def ends(text, languages=ALL, anchor=ANCHOR):
    return [
        (each.text, each.period.start.shown, each.period.end.shown)
        for each in find_foreign_dates(text, anchor, languages)
    ]


@pytest.fixture
def library():
    pytest.importorskip("dateparser", reason="dateparser is not installed: pip install 'kgmem[dates]'")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("text", "found", "start", "end"),
    [
        ("Où vivait Mira en mars 2021 ?", "en mars 2021", "2021-03", "2021-03"),
        ("Vu le 3 mars 2021 à Lyon.", "le 3 mars 2021", "2021-03-03", "2021-03-03"),
        ("Depuis le 1er mai 2020 elle chante.", "Depuis le 1er mai 2020", "2020-05-01", None),
        ("avant août 2019", "avant août 2019", None, "2019-07"),
        ("jusqu'en févr. 2018", "jusqu'en févr. 2018", None, "2018-02"),
        ("Bo est parti hier.", "hier", "2026-05-31", "2026-05-31"),
        ("il y a deux ans", "il y a deux ans", "2024", "2024"),
        ("la semaine dernière", "la semaine dernière", "2026-05-25", "2026-05-31"),
        ("Wo lebte Mira im März 2021?", "im März 2021", "2021-03", "2021-03"),
        ("Am 3. Mai 2020 in Lyon.", "Am 3. Mai 2020", "2020-05-03", "2020-05-03"),
        ("seit Oktober 2019", "seit Oktober 2019", "2019-10", None),
        ("vor März 2021", "vor März 2021", None, "2021-02"),
        ("nach Juli 2020", "nach Juli 2020", "2020-08", None),
        ("vor zwei Jahren", "vor zwei Jahren", "2024", "2024"),
        ("letzten Monat", "letzten Monat", "2026-05", "2026-05"),
        ("Jänner 2020", "Jänner 2020", "2020-01", "2020-01"),
        ("¿Dónde vivía Mira en marzo de 2021?", "en marzo de 2021", "2021-03", "2021-03"),
        ("el 3 de marzo de 2021", "el 3 de marzo de 2021", "2021-03-03", "2021-03-03"),
        ("desde enero del 2020", "desde enero del 2020", "2020-01", None),
        ("antes de marzo de 2021", "antes de marzo de 2021", None, "2021-02"),
        ("hasta diciembre de 2019", "hasta diciembre de 2019", None, "2019-12"),
        ("ayer por la tarde", "ayer", "2026-05-31", "2026-05-31"),
        ("hace 2 años", "hace 2 años", "2024", "2024"),
    ],
)
def test_a_date_of_another_language(text, found, start, end):
    assert ends(text) == [(found, start, end)]


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    "text",
    [
        "la planète mars",
        "le 3 mars",
        "mai 68",
        "en 2019",
        "Mars 2021",
        "le 32 mars 2021",
        "le 30 février 2021",
        "mars 20215",
        "la marche 2021",
        "hiérarchie",
        "im Mai",
        "der 3. März",
        "der 31. Juni 2020",
        "März 20210",
        "Augusta 2020",
        "juli 2020",
        "vor der Tür",
        "gestrig",
        "mayo",
        "el 3 de marzo",
        "30 de febrero de 2021",
        "Mayo de 2020",
        "en 2020",
        "marzo de 202",
        "hace frío",
        "ayeres",
        "the Mars 2020 rover",
        "Mira Mai-2020",
        "nothing at all",
        "",
    ],
)
def test_what_only_looks_like_a_date(text):
    assert ends(text) == []


@pytest.mark.usefixtures("library")
def test_where_our_own_grammar_finds_a_date_no_other_is_looked_for():
    assert ends("In May 2019, not mars 2021") == []
    assert ends("In May 2019. Puis mars 2021.") == [("mars 2021", "2021-03", "2021-03")]


@pytest.mark.usefixtures("library")
def test_without_a_day_to_count_from_relative_words_are_no_dates():
    assert ends("hier, gestern, ayer, il y a deux ans", anchor=None) == []
    assert ends("en mars 2021", anchor=None) == [("en mars 2021", "2021-03", "2021-03")]


@pytest.mark.usefixtures("library")
def test_only_the_languages_that_are_asked_for():
    assert ends("en mars 2021, im März 2020", ("de", "xx")) == [("im März 2020", "2020-03", "2020-03")]
    assert ends("en mars 2021", ()) == []


@pytest.mark.usefixtures("library")
def test_a_whole_text():
    assert read_foreign_period(" mars 2021 ", None, ALL).start.shown == "2021-03"
    assert read_foreign_period("mars 2021 ou plus tard", None, ALL) is None
    assert read_foreign_period("never", ANCHOR, ALL) is None


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_without_the_library_nothing_is_found():
    code = (
        "import sys; sys.modules['dateparser'] = None\n"
        "from kgmem.extraction.dates.foreign import find_foreign_dates\n"
        "print(find_foreign_dates('en mars 2021', None, ['fr']))"
    )
    assert run(code) == "()"


def test_the_library_is_not_imported_where_nothing_has_the_shape_of_a_date():
    code = (
        "import sys\n"
        "from datetime import date\n"
        "from kgmem.extraction.dates.foreign import find_foreign_dates\n"
        "find_foreign_dates('where did Mira live in May 2019', date(2026, 6, 1), ['fr', 'de', 'es'])\n"
        "print('dateparser' in sys.modules)"
    )
    assert run(code) == "False"


@pytest.mark.parametrize(
    ("text", "said", "start", "end"),
    [
        ("Où habitait Mira en 2019 ?", "en 2019", "2019", "2019"),
        ("Où, en l'année 2019, était Mira ?", "en l'année 2019", "2019", "2019"),
        ("Wo war Mira im Jahr 2019?", "im Jahr 2019", "2019", "2019"),
        ("Wo war Mira seit 2019?", "seit 2019", "2019", None),
        ("Où était Mira avant 2019 ?", "avant 2019", None, "2018"),
        ("¿Dónde vivía en el año 2019?", "en el año 2019", "2019", "2019"),
        ("她2019年住在哪里", "2019年", "2019", "2019"),
    ],
)
def test_a_question_may_say_a_bare_year(text, said, start, end):
    (found,) = find_foreign_dates(text, None, ("fr", "de", "es"), years=True)
    assert (found.text, found.period.start.shown, found.period.end.shown) == (said, start, end)


@pytest.mark.parametrize("text", ["en 20195", "en 1066", "en 2019,5", "en 2019 %", "fichier-en-2019-b", "2019年代"])
def test_not_every_number_is_a_bare_year(text):
    assert find_foreign_dates(text, None, ("fr", "de", "es"), years=True) == ()
