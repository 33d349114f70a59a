"""What `--as-of` and `--known-at` take."""

import time
from datetime import date, datetime

import pytest

from kgmem.cli.dates import recorded_instant, today, world_now, world_period
from kgmem.errors import UserError
from kgmem.model import show_instant
from kgmem.recall.wording import period_words

TODAY = date(2026, 6, 1)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2019", "2019"),
        ("2019-03", "2019-03"),
        ("20190307", "2019-03-07"),
        ("2019-03-07T10:00:00+02:00", "2019-03-07T08:00:00Z"),
        ("March 2019", "2019-03"),
        ("last March", "2026-03"),
        ("yesterday", "2026-05-31"),
        ("now", "2026-06-01"),
        ("Q3 2023", "2023-07 to 2023-09"),
        ("summer 2019", "2019-06 to 2019-08"),
        ("2019 – 2021", "2019 to 2021"),
        ("since May 2021", "since 2021-05"),
        ("before May 2021", "until 2021-04"),
        ("  2019  ", "2019"),
    ],
)
def test_a_world_period_is_all_that_dates_are(text, period):
    assert period_words(world_period(text, TODAY)) == period


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("2019", "2019-12-31T23:59:59Z"),
        ("2024-02", "2024-02-29T23:59:59Z"),
        ("yesterday", "2026-05-31T23:59:59Z"),
        ("2019-03-07T10:00:00Z", "2019-03-07T10:00:00Z"),
        ("until May 2021", "2021-05-31T23:59:59Z"),
        ("before May 2021", "2021-04-30T23:59:59Z"),
        ("since May 2021", "2021-05-31T23:59:59Z"),
        ("Q3 2023", "2023-09-30T23:59:59Z"),
        ("9999", "9999-12-31T23:59:59Z"),
        ("0001", "0001-12-31T23:59:59Z"),
    ],
)
def test_what_was_recorded_until_the_end_of_a_date_was_known_then(text, last):
    instant = recorded_instant(text, TODAY)
    assert show_instant(instant).zfill(20) == last
    assert instant % 1_000_000 == 999_999


@pytest.mark.parametrize(
    "text", ["never", "", "2019-13", "2024-02-30", "2021 to 2019", "Room 1984", "32 mars 2021", "5"]
)
@pytest.mark.parametrize("read", [world_period, recorded_instant])
def test_what_is_no_date_is_refused_with_a_hint(read, text):
    with pytest.raises(UserError, match="no such date") as caught:
        read(text, TODAY)
    assert "2024-03-07" in caught.value.hint


def test_no_date_is_no_date():
    assert world_period(None, TODAY) is recorded_instant(None, TODAY) is None


def test_a_date_of_another_language():
    pytest.importorskip("dateparser", reason="dateparser is not installed: pip install 'kgmem[dates]'")
    assert period_words(world_period("mars 2021", TODAY)) == "2021-03"
    assert period_words(world_period("vor März 2021", TODAY)) == "until 2021-02"


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system has no time zone of a process")
@pytest.mark.parametrize(
    ("zone", "day"), [("Asia/Tokyo", "2024-04-01"), ("UTC", "2024-03-31"), ("America/Los_Angeles", "2024-03-31")]
)
def test_today_is_the_day_of_the_place_where_the_clock_is_read(monkeypatch, zone, day):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        now = datetime.fromisoformat("2024-03-31T23:30:00+00:00")
        assert today(now).isoformat() == day
        assert world_now(now) == date.fromisoformat(day).toordinal() * 86_400
    finally:
        monkeypatch.undo()
        time.tzset()
