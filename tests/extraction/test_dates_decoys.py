from __future__ import annotations

from datetime import date

import pytest

from kgmem.extraction.dates import find_dates, read_period

ANCHOR = date(2024, 5, 15)


@pytest.mark.parametrize(
    "text",
    [
        "I may go there",
        "May I ask a question?",
        "she may have been right",
        "the 3 may go first",
        "the last may be first",
        "Room 1984",
        "in Room 1984 on the second floor",
        "march on",
        "they march 5 miles a day",
        "a march through town",
        "the second sun",
        "the sun sat low",
        "he wed her in white",
        "April went home, and June said so",
        "the fall of Rome",
        "in the fall of the wall",
        "the spring of water",
        "Christmas tree",
        "Python 3.11.2 and v2021",
        "version 2019.1.3",
        "v.2020-03",
        "call 555-1234 or +44 20 7946 0958",
        "phone 2019-555-0143",
        "ISBN 978-0-306-40615-7",
        "open 24/7",
        "paid $2019 for it",
        "2019 dollars and 1984€",
        "a chunk size of 2000 tokens",
        "in 2000 cases",
        "from 1000 to 1500 users",
        "grew by 2000",
        "pp. 1200-1300",
        "lines 1998-2003",
        "SR-2023-052",
        "192.168.10.12",
        "https://example.com/2019/05/03/may/monday",
        "/notes/2024-03-05-foo.md",
        "#2019 #monday",
        "user2019@may.com",
        "we left at 1900",
        "until 0730",
        "in 1200 BC",
        "on the 5th floor",
        "in her 30s",
        "the 20s",
        "the 1900s",
        "walked past Christmas lights",
        "the next day he left",
        "done in 3 days",
        "10 minutes ago",
        "at 12:30",
        "Q1: what is it?",
        "the 1984 novel",
        "score 3-5",
        "Monday to Friday we are open",
        "every Monday",
        "every month on the 13th",
        "every week on Monday",
        "it might last 4 years",
        "over the past years",
        "Black Friday deals",
        "Mondays are hard",
        "last name, first name",
        "1500-2000 words",
        "in 12345",
        "due by Friday",
        "since then",
    ],
)
def test_no_date(text):
    assert find_dates(text, ANCHOR) == ()


@pytest.mark.parametrize(
    "text",
    [
        "3/5/2021",
        "13/13/2020",
        "2024-02-30",
        "2024-13-01",
        "2023-W54",
        "30 February 2024",
        "February 30, 2024",
        "31 April",
        "29 February 2023",
        "June 0000",
        "0000",
        "0000-00-00",
        "32 May 2021",
        "May 2021 BC",
        "2024-03-05T25:00",
    ],
)
def test_what_does_not_exist_or_is_ambiguous_is_never_dated(text):
    assert read_period(text, ANCHOR) is None


def test_no_part_of_a_day_that_does_not_exist_is_dated():
    assert find_dates("on 30 February 2024, 2024-02-30, in February 30, 2024", ANCHOR) == ()
