import pytest
from sources.graphs import documents, links, prose, written

from kgmem.sources.obsidian import Vault


def plain(folder, files):
    vault = Vault(written(folder, files))
    assert vault.kind == "text"
    return documents(vault)


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("README.md", "# The Garden\n", "The Garden"),
        ("README.md", "Nothing\n", "README"),
        ("docs/README.md", "Nothing\n", "docs"),
        ("docs/readme.md", '<p align="center">x</p>\n\nThe *old* [docs](x.md)\n===\n', "The old docs"),
        ("posts/on-wine/index.md", "text", "on-wine"),
        ("posts/_index.md", "---\ntitle: All posts\n---\n# Other\n", "All posts"),
        ("site-roadmap.md", "# Site Roadmap\n", "Site Roadmap"),
        ("Mira.md", "# Notes\n", "Mira"),
        ("2024-01-02-on-wine-and-bread.md", "text", "On Wine And Bread"),
        ("2024-01-02-on-wine.md", "# On Wine!\n", "On Wine!"),
        ("2024-01-02.md", "# A day\n", "2024-01-02"),
        ("2024-01-02 Lunch.md", "text", "2024-01-02 Lunch"),
        ("202401021530 On sleep.md", "text", "On sleep"),
        ("20240102153000-on-sleep.md", "# On Sleep\n", "On Sleep"),
        ("202401021530.md", "text", "202401021530"),
        ("Trip 0123456789abcdef0123456789abcdef.md", "# Trip to Lyon, at last\n", "Trip to Lyon, at last"),
        ("Trip 0123456789abcdef0123456789abcdef.md", "", "Trip"),
        ("a.md", "```\n# no heading\n```\n# A\n", "a"),
    ],
)
def test_what_a_note_is_called(tmp_path, path, text, title):
    assert plain(tmp_path, {path: text})[path].head.title == title


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2024-01-02-on-wine", "2024-01-02"),
        ("202401021530 On sleep", "2024-01-02"),
        ("20240102153000-on-sleep", "2024-01-02"),
        ("202499021530 On sleep", None),
    ],
)
def test_names_that_hold_a_day_date_the_note(tmp_path, name, day):
    found = plain(tmp_path, {f"{name}.md": "x"})[f"{name}.md"]
    assert (str(found.occurred.moment) if found.dated_by == "name" else None) == day


def test_links_go_where_they_lead_from_here(tmp_path):
    text = (
        "[one](../b/Note%20one.md#top), [two](<sub/Note two.md>), [folder](../b/), [gone](gone.md), [out](../../x.md)"
    )
    files = {"a/here.md": text, "b/Note one.md": "", "a/sub/Note two.md": "", "b/README.md": "", "x.md": ""}
    found = plain(tmp_path, files)["a/here.md"]
    assert [path for _, path in links(found)] == ["b/Note one.md", "a/sub/Note two.md", "b/README.md", None, None]
    assert prose(found) == ["one , two , folder , gone , out"]
    assert links(found)[2] == ("b", "b/README.md")


def test_links_whose_targets_stand_elsewhere(tmp_path):
    text = (
        "With [Mira][m], [Bo][], [Ann] and [the web][w]; [not][this], [nor this].\n\n"
        '[M]: people/Mira.md "Mira"\n[bo]: <people/Bo B.md>\n[ann]: people/Ann.md\n[w]: https://example.org\n'
        "\n```\n[this]: people/Mira.md\n```\n[^1]: a footnote\n"
    )
    files = {"a.md": text, "people/Mira.md": "", "people/Bo B.md": "", "people/Ann.md": ""}
    found = plain(tmp_path, files)["a.md"]
    assert links(found) == [
        ("people/Mira", "people/Mira.md"),
        ("people/Bo B", "people/Bo B.md"),
        ("people/Ann", "people/Ann.md"),
    ]
    assert prose(found)[0] == "With Mira , Bo , Ann and the web ; [not][this], [nor this]."
    assert [each.first_line for each in found.blocks[1:]] == [1, 8, 11]


def test_html_is_no_prose_and_its_links_are_links(tmp_path):
    text = '<div>\n\nSee <a class="y" href="Mira.md">her</a>, <b>him</b>.<br/>\n\n</div>\n<!-- [[comment]] -->\n'
    found = plain(tmp_path, {"a.md": text, "Mira.md": ""})["a.md"]
    assert links(found) == [("Mira", "Mira.md")]
    assert prose(found) == ["", "See her , him .", ""]


def test_headings_may_be_underlined(tmp_path):
    found = plain(tmp_path, {"a.md": "Top\n===\n\nBelow\n-----\n\ntext\n"})["a.md"]
    assert found.blocks[-1].headings == ("Top", "Below")


# -- site generators

TOML = """+++
title = "On wine"
date = 2024-01-02T10:00:00Z
draft = false
weight = 1.10
aliases = ["Wine, mostly"]
authors = [
  "Mira",
  "[[Bo]]",
]
[taxonomies]
tags = ["wine", "#bread"]
[extra.deep]
place = 'Lyon'
+++
Text.
"""


def test_properties_in_toml(tmp_path):
    found = plain(tmp_path, {"a.md": TOML})["a.md"]
    head = found.head
    assert (head.title, head.aliases, head.tags) == ("On wine", ("Wine, mostly",), ("wine", "bread"))
    assert (str(found.occurred.moment), found.dated_by) == ("2024-01-02", "date")
    assert [(each.key, each.line, [value.text for value in each.values]) for each in head.properties] == [
        ("title", 2, ["On wine"]),
        ("date", 3, ["2024-01-02T10:00:00+00:00"]),
        ("draft", 4, ["false"]),
        ("weight", 5, ["1.10"]),
        ("aliases", 6, ["Wine, mostly"]),
        ("authors", 7, ["Mira", "[[Bo]]"]),
        ("tags", 12, ["wine", "#bread"]),
        ("extra.deep.place", 14, ["Lyon"]),
    ]
    assert [(each.first_line, each.text) for each in found.blocks if each.kind == "paragraph"] == [(16, "Text.")]
    assert found.problems == ()


def test_toml_that_is_none_costs_the_properties_alone(tmp_path):
    found = plain(tmp_path, {"a.md": "+++\ntitle = On wine\n+++\nText.\n"})["a.md"]
    assert [(each.line, each.kind, each.message) for each in found.problems] == [
        (2, "frontmatter", "not valid TOML: its properties were not read")
    ]
    assert prose(found) == ["Text."]


def test_three_plus_signs_alone_open_nothing(tmp_path):
    assert prose(plain(tmp_path, {"a.md": "+++\ntitle = 1\nText.\n"})["a.md"]) == ["+++ title = 1 Text."]


def test_posts_are_called_by_their_slug(tmp_path):
    files = {"_posts/2024-01-02-on-wine.md": "x", "a.md": "[[on-wine]] [[On Wine]] [[2024-01-02-on-wine]]"}
    assert links(plain(tmp_path, files)["a.md"]) == [("On Wine", "_posts/2024-01-02-on-wine.md")] * 3


# -- other programs


def test_a_zettelkasten_links_by_ids(tmp_path):
    files = {"202401021530 On sleep.md": "", "a.md": "[[202401021530]] [[202401021530 On sleep]] [[On sleep]]"}
    assert links(plain(tmp_path, files)["a.md"]) == [("On sleep", "202401021530 On sleep.md")] * 3


def test_tags_of_bear(tmp_path):
    text = "# Note\n#drinks/red wine# #wine #old books#\n\nSee #foo or C# and #bar\n"
    found = plain(tmp_path, {"a.md": text})["a.md"]
    assert [each.tags for each in found.blocks] == [(), (), ("drinks/red wine", "wine", "old books"), ("foo", "bar")]
    assert prose(found) == ["Note", "", "See or C# and"]


NOTION = "# Trip to Lyon\n\nStatus: Done\nTags: travel, food\nDate: January 2, 2024\nURL: https://example.org\n"
NOTION_TEXT = "\nWith [Mira]({}).\n"
ID, OTHER = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"


def test_an_export_of_notion(tmp_path):
    files = {
        f"Trip to Lyon {ID}.md": NOTION + NOTION_TEXT.format(f"Trip%20to%20Lyon%20{ID}/Mira%20{OTHER}.md"),
        f"Trip to Lyon {ID}/Mira {OTHER}.md": "# Mira\n\nNotes: no, a heading would do\nand prose.\n",
        f"Database {ID}.csv": "Name,Status\nMira,Done\n",
    }
    vault = Vault(written(tmp_path, files))
    found = documents(vault)
    trip = found[f"Trip to Lyon {ID}.md"]
    assert vault.scan({}).problems == ()
    assert [(each.key, each.line, [value.text for value in each.values]) for each in trip.head.properties] == [
        ("Status", 3, ["Done"]),
        ("Tags", 4, ["travel", "food"]),
        ("Date", 5, ["January 2, 2024"]),
        ("URL", 6, ["https://example.org"]),
    ]
    assert (trip.head.tags, str(trip.occurred.moment)) == (("travel", "food"), "2024-01-02")
    assert links(trip) == [("Mira", f"Trip to Lyon {ID}/Mira {OTHER}.md")]
    assert [(each.kind, each.first_line) for each in trip.blocks] == [
        ("title", 1), ("property", 3), ("property", 4), ("property", 5), ("property", 6), ("paragraph", 8)
    ]  # fmt: skip
    assert found[f"Trip to Lyon {ID}/Mira {OTHER}.md"].head.properties == ()


def test_lines_with_a_colon_are_prose_in_any_other_note(tmp_path):
    found = plain(tmp_path, {"a.md": "# A\n\nStatus: Done\n"})["a.md"]
    assert (found.head.properties, prose(found)) == ((), ["A", "Status: Done"])


def test_an_export_of_joplin(tmp_path):
    files = {
        f"{ID}.md": f"Plans\n\nAsk [Bo](:/{OTHER}).\n\nid: {ID}\nparent_id: \ncreated_time: 2024-01-02T10:00:00.000Z\n"
        "source_url: https://example.org\ntype_: 1",
        f"{OTHER}.md": f"Bo\n\nHe cooks.\n\nid: {OTHER}\ntype_: 1",
        "c" * 32 + ".md": "Folder\n\nid: " + "c" * 32 + "\ntype_: 2",
    }
    found = plain(tmp_path, files)
    assert sorted(each.head.title for each in found.values()) == ["Bo", "Plans"]
    plans = found[f"{ID}.md"]
    assert (plans.head.uid, str(plans.occurred.moment), plans.dated_by) == (ID, "2024-01-02", "created")
    assert [(each.key, each.values[0].text) for each in plans.head.properties] == [
        ("created", "2024-01-02T10:00:00.000Z"),
        ("url", "https://example.org"),
    ]
    assert (prose(plans), links(plans)) == (["Plans", "Ask Bo ."], [("Bo", f"{OTHER}.md")])


def test_text_files_are_no_notes(tmp_path):
    vault = Vault(written(tmp_path, {"LICENSE.txt": "words", "note.md": "[x](LICENSE.txt)"}), kind="text")
    found = documents(vault)
    assert list(found) == ["note.md"]
    assert found["note.md"].blocks[1].links[0].attachment
