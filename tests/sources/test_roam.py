import json

import pytest
from sources.graphs import documents, links, prose, written

from kgmem.sources.document import Seen
from kgmem.sources.obsidian import Vault


def block(text, *children, **more):
    return {
        "string": text,
        "uid": f"u{abs(hash(text)) % 10**8:08}",
        **({"children": [*children]} if children else {}),
        **more,
    }


def page(title, *children, **more):
    return {"title": title, "children": [*children], "edit-time": 1_704_189_600_000, **more}


def graph(folder, *pages, name="graph.json"):
    return Vault(written(folder, {name: json.dumps([*pages])}))


def seen(scan):
    every = (*scan.added, *(found for _, found in scan.changed))
    return {each.path: Seen(each.path, each.path, each.size, each.mtime_ns, each.hash, each.head.uid) for each in every}


# -- the export in Markdown


def test_a_folder_with_the_page_of_a_day_is_roams(tmp_path):
    files = {
        "January 2nd, 2024.md": "- See [[Mira]]\n",
        "Mira.md": "- Type:: [[person]]\n- x\n",
        "A/B.md": "- [[a/b]]\n",
    }
    vault = Vault(written(tmp_path, files))
    found = documents(vault)
    day = found["January 2nd, 2024.md"]
    assert vault.kind == "roam"
    assert (day.daily, str(day.occurred.moment), links(day)) == (True, "2024-01-02", [("Mira", "Mira.md")])
    assert found["A/B.md"].head.title == "A/B"
    assert links(found["A/B.md"]) == [("a/b", "A/B.md")]


def test_attributes_at_the_top_are_properties_of_the_page(tmp_path):
    text = "- Author:: [[Ann Other]], [[Bo]]\n- Status:: #reading\n- Rating::\n    - good\n- Years:: 3\n    - two\n"
    found = documents(Vault(written(tmp_path, {"B.md": text}), kind="roam"))["B.md"]
    assert [(each.key, [value.text for value in each.values]) for each in found.head.properties] == [
        ("Author", ["[[Ann Other]]", "[[Bo]]"]),
        ("Status", ["reading"]),
    ]
    assert [each.headings for each in found.blocks if each.kind == "item"] == [(), ("Rating",), (), ("3",)]


def test_names_of_pages_hold_links(tmp_path):
    files = {"A.md": "- by [[Nested [[Links]]]] and [[Links]].\n", "Nested [[Links]].md": "- x\n", "Links.md": "- y\n"}
    found = documents(Vault(written(tmp_path, files), kind="roam"))["A.md"]
    assert prose(found) == ["by Nested Links and Links ."]
    assert links(found) == [
        ("Nested [[Links]]", "Nested [[Links]].md"),
        ("Links", "Links.md"),
        ("Links", "Links.md"),
    ]


def test_marks_of_roam(tmp_path):
    text = (
        "- {{[[TODO]]}} call ^^now^^ __and__ **then** ((abcDEF123))\n- {{[[DONE]]}} {{[[query]]: {and: [[a]]}}} paid\n"
    )
    found = documents(Vault(written(tmp_path, {"A.md": text}), kind="roam"))["A.md"]
    assert [each.kind for each in found.blocks[1:]] == ["task", "task"]
    assert prose(found) == ["call now and then", "paid"]


# -- the export in JSON


def test_pages_of_the_export_are_sources(tmp_path):
    cook = block("She **cooks**\nand eats")
    vault = graph(
        tmp_path,
        page(
            "Mira", block("Type:: person"), block("Skills", cook), uid="mira00001", **{"create-time": 1_704_189_600_000}
        ),
        page("January 2nd, 2024", block("Met [[Mira]]", heading=2)),
        page("Nobody"),
    )
    found = documents(vault)
    assert list(found) == ["graph.json#Mira", "graph.json#January 2nd, 2024"]
    mira = found["graph.json#Mira"]
    assert mira.text == (
        "title:: Mira\nid:: mira00001\ncreated:: 2024-01-02\n"
        "- Type:: person\n- Skills\n\t- She **cooks**\n\t  and eats\n"
    )
    assert (mira.head.uid, str(mira.occurred.moment), mira.dated_by) == ("mira00001", "2024-01-02", "created")
    assert prose(mira) == ["Skills", "She cooks and eats"]
    day = found["graph.json#January 2nd, 2024"]
    assert (day.daily, links(day)) == (True, [("Mira", "graph.json#Mira")])
    assert day.blocks[-1].text == "- ## Met [[Mira]]"


def test_a_slash_in_a_title_does_not_make_a_folder(tmp_path):
    found = documents(graph(tmp_path, page("A/B", block("x")), page("A-B", block("y"))))
    assert {path: each.head.title for path, each in found.items()} == {
        "graph.json#A-B": "A/B",
        "graph.json#A-B (2)": "A-B",
    }


def test_quoted_blocks_of_the_export_are_words(tmp_path):
    said = block("Wine is [[old]]")
    found = documents(graph(tmp_path, page("A", said), page("B", block(f"As (({said['uid']})) and ((nothing00)) say"))))
    assert found["graph.json#B"].blocks[-1].text == "- As [[A|Wine is old]] and ((nothing00)) say"
    assert prose(found["graph.json#B"]) == ["As Wine is old and say"]
    assert found["graph.json#A"].blocks[-1].block_id == said["uid"]


def test_a_scan_tells_pages_apart(tmp_path):
    first = graph(tmp_path, page("A", block("x")), page("B", block("y")), page("C", block("z"), uid="cccccc001")).scan(
        {}
    )
    known = seen(first)
    assert Vault(tmp_path).scan(known).unchanged == 3
    later = (
        page("A", block("x")),
        page("B", block("new")),
        page("C2", block("z"), uid="cccccc001"),
        page("D", block("d")),
    )
    scan = graph(tmp_path, *later).scan(known)
    assert [each.path for each in scan.added] == ["graph.json#D"]
    assert [found.path for _, found in scan.changed] == ["graph.json#B"]
    assert [(before.path, found.path) for before, found in scan.moved] == [("graph.json#C", "graph.json#C2")]
    assert (scan.unchanged, scan.removed) == (1, ())


def test_a_file_that_did_not_change_is_not_read(tmp_path, monkeypatch):
    known = seen(graph(tmp_path, page("A", block("x")), page("B", block("y"))).scan({}))
    monkeypatch.setattr("kgmem.sources.outline.bundles.Graph", None)
    assert Vault(tmp_path).scan(known).unchanged == 2


def test_an_export_that_breaks_off_loses_nothing(tmp_path):
    known = seen(graph(tmp_path, page("A", block("x")), page("B", block("y"))).scan({}))
    file = tmp_path / "graph.json"
    file.write_text(file.read_text("utf-8")[:-30], encoding="utf-8")
    scan = Vault(tmp_path).scan(known)
    assert (scan.removed, scan.unchanged) == ((), 1)
    assert [(each.path, each.kind) for each in scan.problems] == [("graph.json", "export-cut")]


@pytest.mark.parametrize(
    "text",
    ['[{"name": "package"}]', '{"title": "x"}', "[]", "", '[{"title":"x","children":[{"string":'],
)
def test_other_files_are_no_graphs(tmp_path, text):
    scan = Vault(written(tmp_path, {"data.json": text})).scan({})
    assert scan.added == ()


@pytest.mark.parametrize(
    "strange",
    [
        {"title": 3, "children": [block("x")]},
        {"title": "A", "children": "x"},
        {"title": "A", "children": [3, {"string": None}, {"string": "ok", "heading": "big", "children": {}}]},
        {"title": "A", "children": [block("x")], "create-time": 1e30},
        {"title": "A", "children": [block("x")], "create-time": True, "uid": 7},
    ],
)
def test_strange_pages_stop_nothing(tmp_path, strange):
    found = documents(graph(tmp_path, page("Good", block("x")), strange))
    assert "graph.json#Good" in found


def test_a_deep_outline_is_read(tmp_path):
    deep = block("end")
    for level in range(200):
        deep = block(f"level {level}", deep)
    found = documents(graph(tmp_path, page("Deep", deep)))["graph.json#Deep"]
    assert len(found.blocks) == 203


def test_a_book_that_readwise_wrote_into_roam(tmp_path):
    text = (
        "- Author:: [[Yuval Noah Harari]]\n- Full Title:: Sapiens\n- Category:: #books\n"
        "- Highlights first synced by #Readwise [[January 2nd, 2024]]\n"
        "    - Money is trust. ([Location 12](https://readwise.io/x))\n        - **Note:** Bo says so too\n"
    )
    found = documents(Vault(written(tmp_path, {"Sapiens (highlights).md": text}), kind="roam"))
    book = found["Sapiens (highlights).md"]
    assert (book.head.title, book.head.name) == ("Sapiens", "Sapiens (highlights)")
    assert [each.key for each in book.head.properties] == ["Author", "Category"]
    assert [(each.kind, each.headings) for each in book.blocks if each.kind not in {"title", "property"}] == [
        ("highlight", ("Highlights", "location 12")),
        ("item", ("Highlights", "Money is trust.")),
    ]
    assert prose(book) == ["Money is trust.", "Bo says so too"]
