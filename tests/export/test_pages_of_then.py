"""Pages of another time than now, on either axis."""

import json

import pytest
from export.vaults import PEOPLE, Home

from kgmem.errors import UserError
from kgmem.export.manifest import MANIFEST
from kgmem.extraction.dates import read_period
from kgmem.recall.times import last_instant, moment_of

MIRA = "People/Mira/Mira.md"


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path, PEOPLE, tmp_path / "pages")
    yield made
    made.store.close()


def now_of(home):
    return home.store.stats().last_recorded


def section(text, title):
    return text.partition(f"## {title}\n\n")[2].partition("\n\n## ")[0].split("\n")[2:]


def test_pages_as_of_a_year_tell_what_held_and_what_had_been_written(home):
    assert home.export(as_of=read_period("2020")).written == 3
    assert home.written() == ["Organizations/Nord/Nord.md", "Organizations/Sud/Sud.md", MIRA]
    text = home.page(MIRA).read_text("utf-8")
    assert 'kgmem_as_of: "2020"\ntitle: "Mira"\n' in text
    assert "mentions: 2\nsources: 1\n" in text
    assert "As of 2020 (the whole year): Mira (Person) is mentioned 2 times in 1 note.\n" in text
    (works,) = [line for line in section(text, "Facts") if "works at" in line]
    assert "| 2015 – 2023-03 |" in works
    assert "2024-05-01" not in text
    assert "since 2023-04" not in text


def test_what_ended_before_the_period_is_told_as_earlier(home):
    home.export(as_of=read_period("2025"))
    text = home.page(MIRA).read_text("utf-8")
    assert any("2015 – 2023-03" in line for line in section(text, "Earlier"))
    assert any("since 2023-04" in line for line in section(text, "Facts"))


def test_pages_as_known_then_tell_of_notes_as_they_were(home):
    known = now_of(home)
    home.write({"Daily/2024-05-01.md": "Lunch alone.\n"})
    home.export(known=known)
    text = home.page(MIRA).read_text("utf-8")
    assert f'kgmem_known_at: "{moment_of(known)}"\n' in text
    assert "“Lunch with Mira at Sud.”" in text


def test_a_folder_holds_pages_of_one_time(home):
    year, other = read_period("2020"), read_period("2021")
    home.export(as_of=year)
    assert home.export(as_of=year).written == 0
    for times in ({}, {"as_of": other}, {"as_of": year, "known": now_of(home)}):
        with pytest.raises(UserError, match="pages of --as-of '2020'"):
            home.export(**times)
    assert json.loads(home.page(MANIFEST).read_text("utf-8"))["as_of"] == "2020"


def test_pages_of_then_never_go_into_a_folder_of_now(home):
    home.export()
    before = home.page(MIRA).read_bytes()
    assert json.loads(home.page(MANIFEST).read_text("utf-8")).keys() == {"version", "group", "pages"}
    with pytest.raises(UserError, match="pages of the present"):
        home.export(as_of=read_period("2020"))
    home.page(MANIFEST).unlink()
    with pytest.raises(UserError, match="is not empty"):
        home.export(as_of=read_period("2020"))
    assert home.page(MIRA).read_bytes() == before


def test_pages_of_now_say_no_time(home):
    home.export()
    text = home.page(MIRA).read_text("utf-8")
    assert "kgmem_as_of" not in text
    assert "kgmem_known_at" not in text


def test_a_day_is_known_to_its_end(home):
    day = read_period("2999-01-01").end.moment
    home.export(known=last_instant(day))
    assert "kgmem_known_at: 2999-01-01\n" in home.page(MIRA).read_text("utf-8")
