import errno
import json
import os
from pathlib import Path

import pytest
from export.vaults import PEOPLE, Home
from markdown_it import MarkdownIt

from kgmem.errors import UserError
from kgmem.export import export_pages
from kgmem.export.folder import Folder
from kgmem.export.left_alone import LeftAloneError
from kgmem.model import EntityType
from kgmem.recall.names import find_entity

MIRA = "People/Mira/Mira.md"
MANIFEST = ".kgmem-manifest.json"


def section(text, title):
    return text.partition(f"## {title}\n\n")[2].partition("\n\n## ")[0].split("\n")


def state(folder):
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


def told(report):
    return {(problem.path, problem.kind) for problem in report.skipped}


def test_every_entity_has_a_page_in_the_folder_of_its_type(home):
    report = home.export()
    assert home.written() == [
        "Events/2024-05-01/2024-05-01.md",
        "Organizations/Nord/Nord.md",
        "Organizations/Sud/Sud.md",
        "People/Mira/Mira.md",
    ]
    assert (report.written, report.unchanged, report.removed, report.total, report.skipped) == (4, 0, 0, 4, ())


def test_a_page_tells_what_is_known_with_dates_and_places(home):
    home.export()
    text = home.page(MIRA).read_text("utf-8")
    mira = find_entity(home.store, "Mira")[0].entity.id
    assert text.startswith(
        f'---\nkgmem_id: "{mira}"\ntitle: "Mira"\ntype: Person\nsubtype: "Individual"\naliases:\n  - "Mira Castel"\n'
        "mentions: 3\nsources: 2\nfirst_seen: 2024-05-01\nlast_seen: 2024-05-01\n---\n\n<!-- kgmem:begin -->\n"
        "# Mira\n\nMira (Person) is mentioned 3 times in 2 notes, on 2024-05-01.\n\n## Facts\n"
    )
    assert section(text, "Facts")[2:] == [
        r"| likes | rain | date unknown | [[People/Mira#Notes\|Mira]] line 10 |",
        r"| works at | [[pages/Organizations/Sud/Sud\|Sud]] | since 2023-04 | [[People/Mira\|Mira]] line 6 |",
    ]
    assert section(text, "Earlier")[2:] == [
        r"| works at | [[pages/Organizations/Nord/Nord\|Nord]] | 2015 – 2023-03 | [[People/Mira\|Mira]] line 5 |"
    ]
    assert "- [[pages/Organizations/Sud/Sud|Sud]]: 1 fact, 2 shared notes" in section(text, "Related")
    assert section(text, "Mentions") == [
        "- [[Daily/2024-05-01#^lunch|2024-05-01]] line 1, 2024-05-01: “Lunch with Mira at Sud.”",
        "- [[People/Mira#Notes|Mira]] line 10: “Mira likes rain.”",
        "<!-- kgmem:end -->",
        "",
    ]


def test_a_page_tells_what_others_do_with_its_entity(home):
    home.export()
    row = section(home.page("Organizations/Sud/Sud.md").read_text("utf-8"), "Facts")[2]
    assert row == r"| [[pages/People/Mira/Mira\|Mira]] works at | Sud | since 2023-04 | [[People/Mira\|Mira]] line 6 |"


def test_outside_the_vault_notes_have_addresses_and_pages_have_links(tmp_path):
    home = Home(tmp_path, PEOPLE, pages=tmp_path / "out")
    home.export()
    text = home.page(MIRA).read_text("utf-8")
    assert r"[[Organizations/Sud/Sud\|Sud]]" in text
    assert "[Mira](obsidian://open?vault=vault&file=People%2FMira.md%23Notes) line 10" in text


def test_a_second_export_writes_nothing(home):
    home.export()
    before = state(home.pages)
    report = home.export()
    assert (report.written, report.unchanged, report.removed) == (0, 4, 0)
    assert state(home.pages) == before


def test_a_dry_run_says_what_it_would_do_and_does_nothing(home):
    report = home.export(dry_run=True)
    assert (report.written, report.total) == (4, 4)
    assert not home.pages.exists()


def test_only_pages_that_differ_are_written(home):
    home.export()
    mtimes = {path: mtime for path, (mtime, _) in state(home.pages).items()}
    home.write({"Places/Nord.md": "---\ntype: company\naliases: [The North]\n---\nA house in the north.\n"})
    report = home.export()
    assert (report.written, report.unchanged) == (1, 3)
    changed = {path.name for path, (mtime, _) in state(home.pages).items() if mtime != mtimes[path]}
    assert changed == {"Nord.md", MANIFEST}


def test_line_ends_of_a_page_stay_when_it_is_written_again(home):
    home.export()
    page = home.page(MIRA)
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n") + b"mine\r\n")
    assert home.export().written == 0
    home.write({"People/Mira.md": PEOPLE["People/Mira.md"].replace("rain", "snow")})
    assert home.export().written == 1
    data = page.read_bytes()
    assert b"Mira likes snow." in data
    assert data.endswith(b"<!-- kgmem:end -->\r\nmine\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


@pytest.mark.parametrize(("old", "new"), [("works at", "WORKS AT"), ('title: "Mira"', 'title: "Mirabelle"')])
def test_a_page_that_was_edited_inside_our_part_is_left_alone(home, old, new):
    home.export()
    page = home.page(MIRA)
    edited = page.read_text("utf-8").replace(old, new)
    page.write_text(edited, "utf-8")
    for _ in range(2):
        assert told(home.export()) == {(MIRA, "edited")}
        assert page.read_text("utf-8") == edited


@pytest.mark.parametrize("marker", ["<!-- kgmem:begin -->", "<!-- kgmem:end -->"])
def test_a_page_without_its_markers_is_left_alone(home, marker):
    home.export()
    page = home.page(MIRA)
    page.write_text(page.read_text("utf-8").replace(marker, ""), "utf-8")
    before = page.read_bytes()
    assert told(home.export()) == {(MIRA, "broken-page")}
    assert page.read_bytes() == before


def test_a_page_that_a_person_deleted_is_made_anew(home):
    home.export()
    home.page(MIRA).unlink()
    assert home.export().written == 1
    assert home.page(MIRA).exists()


def test_foreign_files_are_never_touched(home):
    home.adopt()
    foreign = {MIRA: b"my own page\n", "People/list.md": b"- Mira\n", "readme.txt": b"x"}
    for path, data in foreign.items():
        home.page(path).parent.mkdir(parents=True, exist_ok=True)
        home.page(path).write_bytes(data)
    report = home.export()
    assert told(report) == {(MIRA, "in-the-way")}
    assert report.written == 3
    assert {path: home.page(path).read_bytes() for path in foreign} == foreign
    sud = home.page("Organizations/Sud/Sud.md").read_text("utf-8")
    assert "| Mira works at | Sud |" in sud  # no link: that page is not Mira's


def test_an_untouched_page_of_what_is_gone_is_removed_with_its_folder(home):
    home.export()
    home.remove("People/Mira.md", "Daily/2024-05-01.md")
    report = home.export()
    assert report.removed == 2
    assert sorted(path.name for path in home.pages.iterdir()) == [MANIFEST, "Organizations"]
    assert sorted(json.loads(home.page(MANIFEST).read_text("utf-8"))["pages"]) == home.written()


def test_of_a_page_of_what_is_gone_the_text_of_a_person_stays_and_ours_goes(home):
    home.export()
    page, before = home.page(MIRA), home.page(MIRA).read_text("utf-8")
    identity = find_entity(home.store, "Mira")[0].entity.id
    page.write_text(before.replace("type: Person\n", "type: Person\nrating: 5\n") + "She owes me a book.\n", "utf-8")
    home.remove("People/Mira.md", "Daily/2024-05-01.md")
    for removed in (1, 0):
        report = home.export()
        assert (told(report), report.removed) == ({(MIRA, "outlived")}, removed)
        head = f'---\nkgmem_id: "{identity}"\nrating: 5\n---\n'
        mine = "<!-- kgmem:begin -->\n<!-- kgmem:end -->\nShe owes me a book.\n"
        assert page.read_text("utf-8") == f"{head}\n{mine}"
    assert report.written == 0
    home.write({"People/Mira.md": PEOPLE["People/Mira.md"]})
    assert home.export().skipped == ()
    assert "Mira likes rain." in page.read_text("utf-8")
    assert page.read_text("utf-8").endswith("<!-- kgmem:end -->\nShe owes me a book.\n")


def test_pages_go_into_a_folder_of_their_own(home, tmp_path):
    for folder, why in ((home.vault, "is a folder that was ingested"), (tmp_path, f"holds {home.vault}")):
        with pytest.raises(UserError, match=why):
            export_pages(home.store, folder)
    (tmp_path / "link").symlink_to(home.vault)
    with pytest.raises(UserError, match="is a folder that was ingested"):
        export_pages(home.store, tmp_path / "link")
    home.page("Own/notes").mkdir(parents=True)
    home.page("Own/notes/mine.md").write_text("mine", "utf-8")
    for dry_run in (True, False):
        with pytest.raises(UserError, match=r"is not empty: Own/notes/mine\.md is no page of ours"):
            home.export(dry_run=dry_run)
    assert home.written() == ["Own/notes/mine.md"]
    home.page("Own/notes/mine.md").rename(home.page("Own/notes/Thumbs.db"))
    assert home.export().written == 4
    home.page("mine.md").write_text("mine", "utf-8")
    assert home.export().unchanged == 4


def test_a_manifest_in_a_vault_does_not_make_it_a_folder_for_pages(home):
    home.adopt()
    home.page(MANIFEST).rename(home.vault / MANIFEST)
    with pytest.raises(UserError, match="is a folder that was ingested"):
        export_pages(home.store, home.vault)


def test_a_renamed_entity_takes_its_page_and_the_text_of_a_person_along(home):
    home.write({"Notes/Plan.md": "---\nid: plan-1\n---\nA plan.\n"})
    home.export()
    page = home.page("Objects/Plan/Plan.md")
    page.write_text(page.read_text("utf-8").replace("---\n\n", "rating: 5\n---\n\n") + "mine\n", "utf-8")
    identity = find_entity(home.store, "Plan")[0].entity.id
    (home.vault / "Notes/Plan.md").rename(home.vault / "Notes/Old plan.md")
    home.ingest()
    assert find_entity(home.store, "Old plan")[0].entity.id == identity
    report = home.export()
    moved = home.page("Objects/Old plan/Old plan.md").read_text("utf-8")
    assert f'kgmem_id: "{identity}"\ntitle: "Old plan"' in moved
    assert "rating: 5\n---\n\n<!-- kgmem:begin -->\n# Old plan\n" in moved
    assert moved.endswith("<!-- kgmem:end -->\nmine\n")
    assert not page.parent.exists()
    assert (report.removed, report.skipped) == (0, ())
    assert home.export().written == 0


def test_a_page_takes_the_place_that_another_leaves(home):
    home.write({"Plan.md": "---\nid: first\n---\nThe first.\n"})
    home.export()
    page = home.page("Objects/Plan/Plan.md")
    page.write_text(page.read_text("utf-8") + "mine\n", "utf-8")
    (home.vault / "Plan.md").rename(home.vault / "Done.md")
    home.ingest()
    home.write({"Plan.md": "---\nid: second\n---\nThe second.\n"})
    assert home.export().skipped == ()
    assert home.page("Objects/Done/Done.md").read_text("utf-8").endswith("<!-- kgmem:end -->\nmine\n")
    assert page.read_text("utf-8").endswith("- [[Plan]]\n<!-- kgmem:end -->\n")
    assert home.export().written == 0


def test_a_part_of_the_pages_leaves_the_others_alone(home):
    mira = find_entity(home.store, "Mira")[0].entity.id
    assert home.export(only=[mira]).written == 1
    assert home.written() == [MIRA]
    assert "| works at | Sud |" in home.page(MIRA).read_text("utf-8")
    assert home.export(types=[EntityType.ORGANIZATION]).total == 2
    assert home.written() == ["Organizations/Nord/Nord.md", "Organizations/Sud/Sud.md", MIRA]


def test_rarely_mentioned_entities_have_no_page_if_so_asked(home):
    home.export()
    report = home.export(min_mentions=3)
    assert home.written() == ["Organizations/Sud/Sud.md", MIRA]
    assert report.removed == 2


def test_symbolic_links_in_the_folder_are_not_followed(home, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret", "utf-8")
    home.adopt()
    (home.pages / "Organizations").symlink_to(outside)
    (home.pages / "People/Mira").mkdir(parents=True)
    home.page(MIRA).symlink_to(outside / "secret.md")
    assert told(home.export()) == {
        (MIRA, "no-file"),
        ("Organizations/Nord/Nord.md", "no-folder"),
        ("Organizations/Sud/Sud.md", "no-folder"),
    }
    assert [(path.name, path.read_text("utf-8")) for path in outside.iterdir()] == [("secret.md", "secret")]


@pytest.mark.parametrize("path", ["../../outside.md", "People/../../outside.md", "/etc/x/y.md", "a.md"])
def test_a_manifest_that_leads_elsewhere_is_not_believed(home, path):
    home.pages.mkdir()
    pages = {path: {"id": "0" * 16, "hashes": []}}
    home.page(MANIFEST).write_text(json.dumps({"version": 1, "group": "default", "pages": pages}), "utf-8")
    with pytest.raises(UserError, match="damaged"):
        home.export()


def test_pages_are_taken_over_again_when_the_manifest_is_lost(home):
    home.export()
    before = state(home.pages)
    home.page(MANIFEST).unlink()
    report = home.export()
    assert (report.written, report.unchanged, report.skipped) == (0, 4, ())
    assert {path: data for path, (_, data) in state(home.pages).items()} == {p: data for p, (_, data) in before.items()}


def test_a_folder_of_another_group_is_refused(home, tmp_path):
    home.export()
    (tmp_path / "other").mkdir()
    other = Home(tmp_path / "other", PEOPLE, pages=home.pages, group="work")
    with pytest.raises(UserError, match="group 'default'"):
        other.export()


def test_a_file_in_the_place_of_the_folder_is_refused(home):
    home.pages.write_text("x", "utf-8")
    with pytest.raises(UserError, match="is not a folder"):
        home.export()


def test_a_full_disk_ends_the_export_and_the_next_one_goes_on(home, monkeypatch):
    def since(date):
        return {"People/Mira.md": PEOPLE["People/Mira.md"].replace("since 2023-04", f"since {date}")}

    def full(self, target):
        if target.name == "Mira.md":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return replace(self, target)

    home.export()
    home.write(since("2023-05"))
    before = home.page(MIRA).read_bytes()
    replace = Path.replace
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UserError, match="No space left") as raised:
        home.export()
    monkeypatch.undo()
    assert raised.value.hint.startswith("make room on the disk")
    assert home.page(MIRA).read_bytes() == before
    assert "since 2023-05" in home.page("Organizations/Sud/Sud.md").read_text("utf-8")
    assert [path for path in home.pages.rglob("*") if path.name.endswith(".tmp")] == []
    home.write(since("2023-06"))
    assert home.export().skipped == ()
    for path in (MIRA, "Organizations/Sud/Sud.md"):
        assert "since 2023-06" in home.page(path).read_text("utf-8")


def test_a_page_that_changes_under_our_hands_is_kept(tmp_path):
    folder = Folder(tmp_path)
    folder.write("People/A/A.md", b"one", planned=None)
    for planned in (b"other", None):
        with pytest.raises(LeftAloneError, match="changed while"):
            folder.write("People/A/A.md", b"two", planned=planned)
    with pytest.raises(LeftAloneError, match="changed while"):
        folder.remove("People/A/A.md", planned=b"other")
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "People/A").iterdir()] == [("A.md", b"one")]


def test_what_a_note_says_cannot_break_its_page(home):
    home.write(
        {
            "Evil.md": (
                "---\nnick: '<!-- kgmem:end --> | ]] | <img src=x onerror=alert(1)>'\n---\n"
                "[[Mira]] said <!-- x --> `code` | # no\n\n```\n[[Mira]]\n"
            ),
        }
    )
    home.export()
    for path in ("Objects/Evil/Evil.md", MIRA):
        text = home.page(path).read_text("utf-8")
        assert [line for line in text.split("\n") if "<" in line] == ["<!-- kgmem:begin -->", "<!-- kgmem:end -->"]
        tokens = MarkdownIt("commonmark").enable("table").parse(text.partition("---\n\n")[2])
        assert {token.content.strip() for token in tokens if token.type == "html_block"} <= {
            "<!-- kgmem:begin -->",
            "<!-- kgmem:end -->",
        }
    assert home.export().skipped == ()
