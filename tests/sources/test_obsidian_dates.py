from datetime import date

import pytest

from kgmem.model import Basis
from kgmem.sources.document import SourceSettings
from kgmem.sources.obsidian import Vault
from kgmem.sources.obsidian.dates import daily_format, file_date, leading_day, read_date

DAY = date(2024, 3, 7)


@pytest.mark.parametrize(
    ("form", "name", "day"),
    [
        ("YYYY-MM-DD", "2024-03-07", DAY),
        ("YYYY/MM/YYYY-MM-DD", "2024/03/2024-03-07", DAY),
        ("YYYY/MM/YYYY-MM-DD", "2023/03/2024-03-07", None),
        ("dddd, MMMM Do YYYY", "Thursday, March 7th 2024", DAY),
        ("[Day] D.M.YY", "Day 7.3.24", DAY),
        ("YYYY-MM-DD", "2024-02-30", None),
        ("gggg-[W]ww", "2024-W10", None),
        ("MMM D, YYYY", "Mar 7, 2024", DAY),
        ("MMM D, YYYY", "Foo 7, 2024", None),
    ],
)
def test_names_of_daily_notes(form, name, day):
    assert daily_format(form)(name) == day


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("2024-03-07", (DAY, True)),
        ("2024-03-07 Meeting with Steph", (DAY, False)),
        ("202403071530 Zettel", (DAY, False)),
        ("20240307", (DAY, True)),
        ("2024-03-071", (None, False)),
        ("2024-13-07", (None, False)),
        ("123456789", (None, False)),
        ("Meeting 2024-03-07", (None, False)),
    ],
)
def test_dates_that_names_start_with(name, found):
    assert leading_day(name) == found


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2024", "2024"),
        ("2024-03", "2024-03"),
        ("2024-03-07", "2024-03-07"),
        ("2024/3/7", "2024-03-07"),
        ("[[2024-03-07]]", "2024-03-07"),
        ("2024-03-07T23:30:00-08:00", "2024-03-07"),
        ("2024-03-07 09:00", "2024-03-07"),
        ("202403071530", "2024-03-07"),
        ("Thursday, March 7th 2024, 9:15:00 pm", "2024-03-07"),
        ("7 March 2024", "2024-03-07"),
    ],
)
def test_dates_of_properties(written, read):
    assert str(read_date(written)) == read


@pytest.mark.parametrize("written", ["2024-02-30", "soon", "1.10", "2024-03-07 or so", "Foo 7 2024", "0000"])
def test_no_dates(written):
    assert read_date(written) is None


@pytest.mark.parametrize(
    ("name", "text", "shown", "daily"),
    [
        ("A.md", "---\ncreated: 2023-01-01\ndate: 2024-03-07\n---\n", "2024-03-07", False),
        ("A.md", "---\ndate created: 2023-01-01\n---\n", "2023-01-01", False),
        ("A.md", "---\ndate: soon\ncreated: 2023-01-01\n---\n", "2023-01-01", False),
        ("A.md", "---\npublished: true\n---\n", None, False),
        ("2024-03-07.md", "---\ndate: 2020-01-01\n---\n", "2024-03-07", True),
        ("2024-03-07 Talk.md", "", "2024-03-07", False),
        ("Log/Mar 7, 2024.md", "", "2024-03-07", True),
    ],
)
def test_when_a_note_is_dated(tmp_path, name, text, shown, daily):
    (tmp_path / ".obsidian").mkdir()
    settings = '{"folder": "/Log/", "format": "MMM D, YYYY"}'
    (tmp_path / ".obsidian" / "daily-notes.json").write_text(settings, encoding="utf-8")
    document = Vault(tmp_path, SourceSettings()).parse(name, text, mtime_ns=1_706_054_400_000_000_000)
    assert (document.occurred.shown, document.daily) == (shown, daily)


def test_a_day_is_that_day_in_every_zone(tmp_path, monkeypatch):
    for zone in ("America/Los_Angeles", "Asia/Tokyo"):
        monkeypatch.setenv("TZ", zone)
        document = Vault(tmp_path, SourceSettings()).parse("A.md", "---\ncreated: 2025-01-01\n---\n", mtime_ns=0)
        assert document.occurred.shown == "2025-01-01"


def test_bad_dates_are_problems(tmp_path):
    document = Vault(tmp_path, SourceSettings()).parse(
        "A.md", "---\ntype: x\ndate: soon\ncreated: 2024-02-30\n---\n", mtime_ns=0
    )
    assert [(problem.line, problem.kind) for problem in document.problems] == [(3, "date"), (4, "date")]
    assert document.occurred.moment is None


def test_the_modification_time_orders_and_is_not_shown():
    bound = file_date(1_706_054_400_000_000_000)
    assert (str(bound.moment), bound.basis, bound.shown) == ("2024-01-24", Basis.FILE, None)
    assert file_date(0).basis is Basis.UNKNOWN
    assert file_date(10**30).basis is Basis.UNKNOWN
