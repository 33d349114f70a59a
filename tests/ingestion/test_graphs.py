"""Graphs and folders of other tools, all the way into the memory."""

import json
import shutil

import pytest
from ingestion.notes import TUESDAY, WEDNESDAY, Notes

from kgmem.sources.document import SourceSettings
from kgmem.sources.obsidian import Vault
from kgmem.sources.opening import open_reader

GRAPH = {
    "logseq/config.edn": "{}",
    "pages/Mira.md": (
        "type:: person\nalias:: Mira Berg\nworks-at:: [[Château Nord]] (since 2019)\n\n- Friends\n\t- [[Bo]]\n"
        "- Grows #[[red wine]]\n  id:: 63f0a1b2-0000-4000-8000-000000000001\n"
    ),
    "pages/Bo.md": "type:: person\n",
    "pages/Château Nord.md": "type:: company\n\n- In [[places/Lyon]]\n",
    "pages/places___Lyon.md": "type:: city\n",
    "journals/2024_01_02.md": "- Saw ((63f0a1b2-0000-4000-8000-000000000001)) and [[Mira Berg]]\n- [[Jan 2nd, 2024]]\n",
}


def block(text, *children, uid="zzzzzz001"):
    return {"string": text, "uid": uid, "children": [*children]}


PAGES = [
    {
        "title": "Mira",
        "uid": "mira00001",
        "create-time": 1_704_189_600_000,
        "children": [block("Type:: person"), block("Works at:: [[Acme]]"), block("Friends", block("[[Bo]]"))],
    },
    {"title": "Acme", "uid": "acme00001", "children": [block("Type:: company")]},
    {"title": "January 3rd, 2024", "uid": "01-03-2024", "children": [block("Met [[Mira]]")]},
]


def dump(notes):
    """What a memory holds now, without ids, times and what it held before."""
    return notes.facts(links=True), notes.entities()


def test_a_graph_becomes_facts(notes):
    report = notes.write(GRAPH).ingest()
    assert report.problems == ()
    assert notes.facts() == ["Bo | FRIEND_OF | Mira | date unknown", "Mira | WORKS_AT | Château Nord | since 2019"]
    assert notes.links() == [
        "Château Nord > places/Lyon", "Jan 2nd, 2024 > Mira", "Mira > Bo", "Mira > red wine"
    ]  # fmt: skip
    assert notes.mentioned_in("Mira") == ["journals/2024_01_02.md", "pages/Mira.md"]


def test_a_graph_twice_changes_nothing(notes):
    notes.write(GRAPH).ingest()
    before = notes.dump()
    report = notes.ingest(TUESDAY)
    assert (report.counts.unchanged, report.facts_opened) == (5, 0)
    assert notes.dump() == before


def test_words_of_a_quoted_block_follow_it(notes):
    notes.write(GRAPH).ingest()
    changed = GRAPH["pages/Mira.md"].replace("#[[red wine]]", "[[cheese]]")
    report = notes.write({"pages/Mira.md": changed}).ingest(TUESDAY)
    assert (report.counts.changed, report.counts.unchanged) == (2, 3)
    fresh = notes.copy()
    fresh.ingest(WEDNESDAY)
    assert dump(notes) == dump(fresh)
    with notes.store() as store:
        bodies = [store.episode(source.id).body for source in store.sources() if source.path.startswith("journals")]
    assert bodies[0].startswith("- Saw [[Mira|Grows cheese]] and")


def test_a_graph_that_is_read_again_says_the_same(notes):
    notes.write(GRAPH).ingest()
    before = dump(notes)
    notes.ingest(TUESDAY, reread=True)
    assert dump(notes) == before


@pytest.mark.parametrize("files", [GRAPH, {"graph.json": json.dumps(PAGES)}])
def test_bodies_read_the_same_with_no_file_there(notes, files):
    notes.write(files).ingest()
    with notes.store() as store:
        ((kind, root, _),) = store.roots()
        kept = {each.path: store.episode(each.id).body for each in store.sources()}
    read = Vault(notes.vault)
    read.scan({})
    before = {path: read.read(path) for path in kept}
    shutil.rmtree(notes.vault)
    reader = open_reader(root, kind, SourceSettings())
    for path, body in kept.items():
        after = reader.parse(path, body, mtime_ns=0)
        assert [(each.text, each.prose) for each in after.blocks] == [(b.text, b.prose) for b in before[path].blocks]
        assert (after.head.title, after.head.uid, after.daily) == (
            before[path].head.title, before[path].head.uid, before[path].daily
        )  # fmt: skip


# -- Roam


def test_pages_of_roams_export_become_facts(notes):
    report = notes.write({"graph.json": json.dumps(PAGES)}).ingest()
    assert (report.counts.added, report.problems) == (3, ())
    assert notes.facts() == ["Mira | FRIEND_OF | Bo | date unknown", "Mira | WORKS_AT | Acme | date unknown"]
    assert notes.mentioned_in("Mira") == ["graph.json#January 3rd, 2024", "graph.json#Mira"]
    report = notes.ingest(TUESDAY)
    assert (report.counts.unchanged, report.counts.added) == (3, 0)


def test_a_page_that_was_renamed_is_the_same_source(notes):
    notes.write({"graph.json": json.dumps(PAGES)}).ingest()
    renamed = [{**PAGES[0], "title": "Mira Berg"}, PAGES[1]]
    counts = notes.write({"graph.json": json.dumps(renamed)}).ingest(TUESDAY).counts
    assert (counts.moved, counts.added, counts.removed, counts.unchanged) == (1, 0, 1, 1)
    assert [card.entity.name for card in notes.called("Mira Berg")] == ["Mira Berg"]


def test_an_ingest_of_an_export_that_breaks_off_keeps_what_was_known(notes):
    text = json.dumps(PAGES)
    notes.write({"graph.json": text}).ingest()
    before = dump(notes)
    report = notes.write({"graph.json": text[:-20]}).ingest(TUESDAY)
    assert [each.kind for each in report.problems] == ["export-cut"]
    assert dump(notes) == before
    assert notes.write({"graph.json": text}).ingest(WEDNESDAY).counts.unchanged == 3


def test_pages_are_read_again_without_their_file(notes):
    notes.write({"graph.json": json.dumps(PAGES)}).ingest()
    before = dump(notes)
    notes.ingest(TUESDAY, reread=True)
    assert dump(notes) == before


# -- one book, two tools

CSV = (
    "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,"
    "Highlighted at,Document tags\n"
    "Money is trust.,Sapiens,Yuval Noah Harari,,,,,location,12,2020-11-26 03:28:15+00:00,\n"
)
PAGE = (
    'title:: Sapiens (highlights)\nauthor:: [[Yuval Noah Harari]]\nfull-title:: "Sapiens"\ncategory:: #books\n\n'
    "- Highlights first synced by [[Readwise]] [[Apr 16th, 2024]]\n"
    "\t- Money is trust. ([Location 12](https://readwise.io/to_kindle?location=12))\n"
)


def test_a_book_in_a_graph_is_the_book_of_every_other_export(tmp_path):
    notes = Notes(tmp_path)
    notes.write({"logseq/config.edn": "{}", "pages/Sapiens (highlights).md": PAGE, "highlights.csv": CSV}).ingest()
    assert len(notes.called("Sapiens")) == 1
    assert [each for each in notes.facts() if "WRITTEN_BY" in each] == [
        "Sapiens | WRITTEN_BY | Yuval Noah Harari | date unknown"
    ]


# -- plain folders


def test_an_export_of_notion_becomes_facts(notes):
    mira, acme = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
    notes.write(
        {
            f"People/Mira {mira}.md": f"# Mira\n\nType: Person\nWorks at: [Acme](../Acme%20{acme}.md)\n\nHello.\n",
            f"Acme {acme}.md": "# Acme\n\nType: Company\n\nText.\n",
        }
    ).ingest()
    assert notes.facts() == ["Mira | WORKS_AT | Acme | date unknown"]
    assert {"Mira", "Acme"} <= set(notes.entities())
    assert not any(mira in name or acme in name for name in notes.entities())


def test_a_folder_may_be_taken_for_another_kind(notes):
    notes.write({"Mira.md": "type:: person\n\n- Friends\n\t- [[Bo]]\n"})
    notes.ingest(reader=Vault(notes.vault, kind="logseq"))
    assert notes.facts() == ["Mira | FRIEND_OF | Bo | date unknown"]
    with notes.store() as store:
        assert [kind for kind, _, _ in store.roots()] == ["logseq"]
