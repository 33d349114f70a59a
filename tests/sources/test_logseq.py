import os
from datetime import date

import pytest
from sources.graphs import documents, links, logseq, prose, written

from kgmem.sources.document import SourceSettings
from kgmem.sources.obsidian import Vault
from kgmem.sources.opening import open_reader
from kgmem.sources.outline.days import as_moment, ordinal, worded_day
from kgmem.sources.outline.days import written as spelled

ID = "63f0a1b2-0000-4000-8000-000000000001"


def test_a_graph_is_known_by_its_settings_or_by_its_folders(tmp_path):
    assert Vault(written(tmp_path / "a", {"logseq/config.edn": "{}"})).kind == "logseq"
    assert Vault(written(tmp_path / "b", {"pages/A.md": "", "journals/2024_01_02.md": ""})).kind == "logseq"
    assert Vault(written(tmp_path / "c", {"pages/A.md": ""})).kind == "text"
    assert Vault(written(tmp_path / "d", {"logseq/config.edn": "{}", ".obsidian/app.json": "{}"})).kind == "obsidian"
    assert open_reader(str(tmp_path / "c"), "logseq", SourceSettings()).kind == "logseq"


def test_what_the_program_keeps_for_itself_is_no_source(tmp_path):
    vault = logseq(
        tmp_path,
        {
            "pages/A.md": "- ![](../assets/x.png)",
            "logseq/bak/pages/A/old.md": "- old",
            "logseq/.recycle/gone.md": "- gone",
            "assets/inside.md": "- x",
        },
    )
    found = documents(vault)
    assert list(found) == ["pages/A.md"]
    assert [link.attachment for block in found["pages/A.md"].blocks for link in block.links] == [True]


def test_properties_of_the_page_stand_before_its_first_bullet(tmp_path):
    text = (
        "type:: person\nalias:: Mira B, [[M. B.]]\ntags:: friend, [[wine lover]]\n"
        "works-at:: [[Château Nord]] (since 2019)\nknows:: [[Bo]], [[Ann]]\nicon:: x\ncollapsed:: true\n\n- mood:: good"
    )
    head = documents(logseq(tmp_path, {"pages/Mira.md": text + "\n\t- below\n"}))["pages/Mira.md"].head
    assert head.aliases == ("Mira B", "M. B.")
    assert head.tags == ("friend", "wine lover")
    assert [(each.key, each.line, [value.text for value in each.values]) for each in head.properties] == [
        ("type", 1, ["person"]),
        ("alias", 2, ["Mira B", "M. B."]),
        ("tags", 3, ["friend", "wine lover"]),
        ("works-at", 4, ["[[Château Nord]] (since 2019)"]),
        ("knows", 5, ["[[Bo]]", "[[Ann]]"]),
    ]


def test_properties_may_be_the_first_bullet(tmp_path):
    found = documents(logseq(tmp_path, {"pages/Mira.md": "- type:: [[person]]\n  age:: 41\n- Hello\n"}))[
        "pages/Mira.md"
    ]
    assert [(each.key, each.values[0].text) for each in found.head.properties] == [("type", "person"), ("age", "41")]
    assert prose(found) == ["Hello"]


def test_each_bullet_is_a_block_below_the_words_of_those_above(tmp_path):
    text = "- Friends\n\t- [[Bo]]\n\t  who cooks\n\t\t- well\n\t- [[Ann]]\n- ## Places\n\t- Lyon\n"
    found = documents(logseq(tmp_path, {"pages/A.md": text}))["pages/A.md"]
    assert [(each.first_line, each.last_line, each.headings, each.text) for each in found.blocks[1:]] == [
        (1, 1, (), "- Friends"),
        (2, 3, ("Friends",), "- [[Bo]]\n\t  who cooks"),
        (4, 4, ("Friends", "Bo"), "- well"),
        (5, 5, ("Friends",), "- [[Ann]]"),
        (6, 6, (), "- ## Places"),
        (7, 7, ("Places",), "- Lyon"),
    ]


def test_text_outside_of_bullets_is_markdown(tmp_path):
    text = "# Title\n\nA paragraph.\n\n- one\n  - two\n\nAfter it all.\n"
    found = documents(logseq(tmp_path, {"pages/A.md": text}))["pages/A.md"]
    assert [(each.kind, each.first_line, each.headings) for each in found.blocks[1:]] == [
        ("heading", 1, ()),
        ("paragraph", 3, ("Title",)),
        ("item", 5, ("Title",)),
        ("item", 6, ("Title", "one")),
        ("paragraph", 8, ()),
    ]


def test_what_stands_in_code_is_no_bullet(tmp_path):
    text = "- ```yaml\n  - [[a]]\n  key:: x\n  ```\n- after\n"
    found = documents(logseq(tmp_path, {"pages/A.md": text}))["pages/A.md"]
    assert [(each.first_line, each.last_line) for each in found.blocks[1:]] == [(1, 4), (5, 5)]
    assert prose(found) == ["", "after"]
    assert links(found) == []


def test_tags_are_links_and_words(tmp_path):
    text = "- Tastes #[[red wine]], #cork and #people/friends.\n"
    found = documents(logseq(tmp_path, {"pages/A.md": text, "pages/cork.md": ""}))["pages/A.md"]
    assert prose(found) == ["Tastes red wine , cork and people/friends."]
    assert links(found) == [("red wine", None), ("cork", "pages/cork.md"), ("people/friends", None)]


def test_links_in_the_forms_of_outlines(tmp_path):
    text = "- [him]([[Bo]]), [her](../pages/x___Mira.md), [[x/Mira]] and [it](((0000000)))\n"
    found = documents(logseq(tmp_path, {"pages/A.md": text, "pages/x___Mira.md": "- m"}))["pages/A.md"]
    assert prose(found) == ["him , her , x/Mira and it"]
    assert links(found) == [("Bo", None), ("x/Mira", "pages/x___Mira.md"), ("x/Mira", "pages/x___Mira.md")]


@pytest.mark.parametrize(
    ("file", "title"),
    [
        ("A___B.md", "A/B"),
        ("A%2FB.md", "A/B"),
        ("What%3F.md", "What?"),
        ("100%.md", "100%"),
        ("snake__case.md", "snake__case"),
    ],
)
def test_names_of_files_are_names_of_pages(tmp_path, file, title):
    found = documents(logseq(tmp_path, {f"pages/{file}": "- x", "pages/Z.md": f"- [[{title.lower()}]]"}))
    assert found[f"pages/{file}"].head.title == title
    assert links(found["pages/Z.md"]) == [(title.lower(), f"pages/{file}")]


def test_a_title_of_its_own_goes_before_the_name_of_the_file(tmp_path):
    head = documents(logseq(tmp_path, {"pages/a.b.md": "title:: A: B\n\n- x"}))["pages/a.b.md"].head
    assert (head.title, head.name) == ("A: B", "A: B")


def test_journals_are_days(tmp_path):
    vault = logseq(tmp_path, {"journals/2024_01_02.md": "- x", "pages/A.md": "- [[Jan 2nd, 2024]] [[2024-01-02]]"})
    found = documents(vault)
    day = found["journals/2024_01_02.md"]
    assert (day.head.title, day.daily, str(day.occurred.moment)) == ("Jan 2nd, 2024", True, "2024-01-02")
    assert [path for _, path in links(found["pages/A.md"])] == ["journals/2024_01_02.md"] * 2


def test_journals_are_named_as_the_settings_say(tmp_path):
    config = """{:meta/version 1
 ;; :journal/page-title-format "yyyy/MM/dd"
 :macros {"x" ":journal/page-title-format \\"d\\""}
 :journal/page-title-format "EEEE, d MMMM yyyy" :journal/file-name-format "dd-MM-yyyy"}"""
    files = {"journals/02-01-2024.md": "- x", "journals/2023_12_31.md": "- older", "journals/notes.md": "- y"}
    found = documents(logseq(tmp_path, files, config))
    titles = {path: (each.head.title, each.daily) for path, each in found.items()}
    assert titles == {
        "journals/02-01-2024.md": ("Tuesday, 2 January 2024", True),
        "journals/2023_12_31.md": ("Sunday, 31 December 2023", True),
        "journals/notes.md": ("notes", False),
    }


@pytest.mark.parametrize("config", ["", "{:journal/page-title-format", '{:journal/page-title-format "', "\x00"])
def test_settings_that_cannot_be_read_are_the_usual_ones(tmp_path, config):
    found = documents(logseq(tmp_path, {"journals/2024_03_03.md": "- x"}, config))
    assert found["journals/2024_03_03.md"].head.title == "Mar 3rd, 2024"


def test_formats_of_days():
    assert [ordinal(each) for each in (1, 2, 3, 4, 11, 12, 13, 21, 30)] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "30th"]
    )
    assert spelled(date(2024, 1, 2), "EEE do, MMM yyyy 'at' yy-M-d") == "Tue 2nd, Jan 2024 at 24-1-2"
    assert as_moment("EEE do, MMM yyyy 'at'") == "ddd Do, MMM YYYY [at]"
    assert worded_day("January 2nd, 2024") == date(2024, 1, 2)
    assert worded_day("February 30th, 2024") is None
    assert worded_day("Jan 2nd, 2024") is None


def test_tasks_and_what_is_planned(tmp_path):
    text = (
        "- TODO [#A] call her\n  SCHEDULED: <2024-01-05 Fri>\n  :LOGBOOK:\n  CLOCK: [2024-01-05 Fri 10:00]\n  :END:\n"
        "- DONE pay\n  DEADLINE: <2024-01-06 Sat +1w>\n- NOW is the time\n- Nowhere\n- [ ] plain\n"
    )
    found = documents(logseq(tmp_path, {"pages/A.md": text}))["pages/A.md"]
    assert [each.kind for each in found.blocks[1:]] == ["task", "task", "task", "item", "task"]
    assert prose(found) == ["call her", "pay", "is the time", "Nowhere", "plain"]


def test_macros_and_queries_are_not_read(tmp_path):
    text = (
        "- all {{query (and [[todo]] {{x}})}} of it {{embed [[B]]}} {{renderer :x}}\n"
        "- {{cloze the answer}}\n- open {{ brace\n- #+BEGIN_QUERY\n  {:query [[x]]}\n  #+END_QUERY\n- `{{x}}`\n"
    )
    found = documents(logseq(tmp_path, {"pages/A.md": text}))["pages/A.md"]
    assert prose(found) == ["all of it", "the answer", "open {{ brace", ""]
    assert links(found) == []


def test_templates_are_not_read(tmp_path):
    text = "- Meeting\n  template:: meeting\n\t- With [[Nobody]]\n\t\t- deeper\n- Real\n"
    assert prose(documents(logseq(tmp_path, {"pages/A.md": text}))["pages/A.md"]) == ["Real"]


def test_a_quotation_is_nobodys_claim(tmp_path):
    text = "- > Mira works at Acme.\n- #+BEGIN_QUOTE\n  Words\n  #+END_QUOTE\n"
    found = documents(logseq(tmp_path, {"pages/A.md": text}))["pages/A.md"]
    assert [each.kind for each in found.blocks[1:]] == ["quote", "item"]
    assert prose(found) == ["Mira works at Acme.", "Words"]


# -- blocks that are quoted


def quoting(folder, *, words="Knows **all** about #[[red wine]]"):
    return logseq(
        folder,
        {
            "pages/Mira.md": f"- {words}\n  id:: {ID}\n",
            "pages/A.md": f"- As said: (({ID}))\n- [she]((({ID})))\n- (({ID.replace('1b2', 'fff')}))\n",
        },
    )


def test_a_quoted_block_is_its_words_and_a_link_to_its_page(tmp_path):
    found = documents(quoting(tmp_path))
    assert prose(found["pages/A.md"]) == ["As said: Knows all about red wine", "she", ""]
    assert links(found["pages/A.md"]) == [("Mira", "pages/Mira.md")] * 2
    assert found["pages/Mira.md"].blocks[1].block_id == ID


def test_its_body_keeps_the_words(tmp_path):
    text = documents(quoting(tmp_path / "graph"))["pages/A.md"].text
    assert text.split("\n")[0] == "- As said: [[Mira|Knows all about red wine]]"
    elsewhere = Vault(tmp_path / "nowhere", kind="logseq").parse("pages/A.md", text, mtime_ns=0)
    assert prose(elsewhere)[0] == "As said: Knows all about red wine"


def test_blocks_may_quote_each_other(tmp_path):
    other = ID[:-1] + "2"
    text = f"- one (({other}))\n  id:: {ID}\n- two (({ID}))\n  id:: {other}\n"
    found = documents(logseq(tmp_path, {"pages/A.md": text}))["pages/A.md"]
    assert prose(found)[0].startswith("one two one two")


def test_a_scan_reads_again_what_quotes_a_block_that_changed(tmp_path):
    vault = quoting(tmp_path)
    first = vault.scan({})
    known = {each.path: seen(each) for each in first.added}
    assert vault.scan(known).unchanged == 2
    quoting(tmp_path, words="Knows nothing")
    os.utime(tmp_path / "pages/A.md", ns=(known["pages/A.md"].mtime_ns,) * 2)
    again = Vault(tmp_path).scan(known)
    assert [found.path for _, found in again.changed] == ["pages/A.md", "pages/Mira.md"]


def test_a_scan_leaves_what_quotes_a_block_that_did_not_change(tmp_path):
    vault = quoting(tmp_path)
    known = {each.path: seen(each) for each in vault.scan({}).added}
    written(tmp_path, {"pages/New.md": "- new"})
    scan = Vault(tmp_path).scan(known)
    assert ([each.path for each in scan.added], scan.changed, scan.touched, scan.unchanged) == (
        (["pages/New.md"], (), (), 2)
    )


def seen(found):
    from kgmem.sources.document import Seen

    return Seen(found.path, found.path, found.size, found.mtime_ns, found.hash, found.head.uid)


# -- books of Readwise

BOOK = """title:: Sapiens (highlights)
author:: [[Yuval Noah Harari, Ann Other]]
full-title:: "Sapiens"
category:: #books
url:: https://example.org/sapiens
image:: https://example.org/sapiens.png

- Highlights first synced by [[Readwise]] [[Apr 16th, 2024]]
\t- Money is trust. ([Location 12](https://readwise.io/to_kindle?location=12))
\t\t- **Tags**: [[money]]
\t\t- **Note**: Bo says so too
- New highlights added [[May 1st, 2024]] at 10:00
\t- History is not fair. ([View Highlight](https://read.readwise.io/read/1))
"""


def test_a_page_of_a_book_says_what_every_export_says_of_it(tmp_path):
    found = documents(logseq(tmp_path, {"pages/Sapiens (highlights).md": BOOK}))["pages/Sapiens (highlights).md"]
    assert found.head.title == "Sapiens"
    assert [(each.key, [value.text for value in each.values]) for each in found.head.properties] == [
        ("author", ["Yuval Noah Harari", "Ann Other"]),
        ("category", ["books"]),
        ("url", ["https://example.org/sapiens"]),
    ]
    assert [
        (each.kind, each.text, each.headings) for each in found.blocks if each.kind not in {"title", "property"}
    ] == [
        ("highlight", "Money is trust.", ("Highlights", "location 12, #money")),
        ("item", "- **Note**: Bo says so too", ("Highlights", "Money is trust.")),
        ("highlight", "History is not fair.", ("Highlights", "2024-05-01")),
    ]
    assert prose(found)[1] == "Bo says so too"
    assert [(each.tags, each.said and str(each.said.moment)) for each in found.blocks if each.kind == "highlight"] == [
        (("money",), None),
        ((), "2024-05-01"),
    ]


def test_a_book_has_the_id_that_other_exports_give_it(tmp_path):
    from kgmem.sources.readwise.book import uid_of

    found = documents(logseq(tmp_path, {"pages/S.md": BOOK}))["pages/S.md"]
    assert found.head.uid == uid_of("Sapiens", "Yuval Noah Harari")
