import json
import os

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes
from sources.highlights import book, marked, page, row, table

from kgmem.errors import UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import Counts, Instant
from kgmem.recall.search import search
from kgmem.sources.document import SourceSettings
from kgmem.sources.obsidian import Vault
from kgmem.sources.opening import open_reader
from kgmem.store.protocol import FactQuery, Scope

PLUGIN = """\
# Tides

## Metadata
- Author: [[Ann Lee]]
- Full Title: Tides: A Life
- Category: #books
- URL: https://example.org/tides

## Highlights
- The moon pulls ([Location 809](https://readwise.io/to_kindle?action=open&asin=B1&location=809))
    - Tags: [[moon]]
    - Note: Ask [[Mira]].
"""
NEW = """
## New highlights added June 3, 2024 at 11:39 AM
- The water follows ([Location 812](https://readwise.io/to_kindle?action=open&asin=B1&location=812))
    - Note: [[Mira]] works at [[Acme]].
"""
FULL = row(
    "The moon pulls", "Tides: A Life", note="Ask [[Mira]].", location_type="location", location="809",
    highlighted_at="2020-11-26 03:28:15+00:00", amazon_book_id="B1",
)  # fmt: skip


def ingest(notes: Notes, now: str = MONDAY, **options):
    """With what the command gives to a memory: readers for what is to be read again."""
    with notes.store(now) as store:
        memory = Memory(store, load_ontology(), readers=lambda root, kind: open_reader(root, kind, SourceSettings()))
        return memory.ingest(Vault(notes.vault), **{"confirm": lambda *_: True, **options})


def found(notes: Notes, words: str, known: Instant | None = None) -> list[tuple[str, str, list[str]]]:
    with notes.store() as store:
        hits = search(store, words, [Scope.EPISODES], 10, known=known)
    return [(hit.text, f"{hit.source}:{hit.line}", [f"{path}:{at}" for _, path, at in hit.also]) for hit in hits]


def test_what_a_book_says_of_itself_are_facts(notes):
    told = book(
        "Tides", marked("a"), author="Ann Lee, Bo Katz", source_url="https://example.org/t", published_date="2011",
    )  # fmt: skip
    ingest(notes.write({"a.json": page(told)}))
    assert notes.facts() == [
        "Tides | PUBLISHED_ON | 2011 | date unknown",
        "Tides | WEBSITE | https://example.org/t | date unknown",
        "Tides | WRITTEN_BY | Ann Lee | date unknown",
        "Tides | WRITTEN_BY | Bo Katz | date unknown",
    ]
    (card,) = notes.called("Tides")
    assert (card.entity.type, card.entity.subtype) == ("Object", "Book")


@pytest.mark.parametrize(
    ("category", "subtype"),
    [
        ("books", "Book"),
        ("articles", "Article"),
        ("tweets", "Post"),
        ("podcasts", "Podcast"),
        ("supplementals", "Book"),
    ],
)
def test_each_category_is_a_subtype(notes, category, subtype):
    ingest(notes.write({"a.json": page(book("Tides", marked("a"), category=category))}))
    (card,) = notes.called("Tides")
    assert (card.entity.type, card.entity.subtype) == ("Object", subtype)


def test_a_note_on_a_highlight_claims_on_its_day_and_the_highlight_claims_nothing(notes):
    said = row(
        "Bo works at Sud.", "Talk", note="[[Mira]] works at [[Acme]].", highlighted_at="2020-11-26 03:28:15+00:00",
        location_type="time_offset", location="754",
    )  # fmt: skip
    ingest(
        notes.write(
            {"a.csv": table(said), "Mira.md": "---\ntype: person\n---\n", "Acme.md": "---\ntype: company\n---\n"}
        )
    )
    assert [each for each in notes.facts() if "WORKS_AT" in each] == ["Mira | WORKS_AT | Acme | noted 2020-11-26"]
    assert notes.links() == ["Talk > Acme", "Talk > Mira"]


def test_a_later_edit_is_a_new_episode_and_the_old_text_stays_known(notes):
    ingest(notes.write({"a.json": page(book("Tides", marked("the moon")))}))
    changed = page(book("Tides", marked("the moon pulls", note="mine", tags=[{"name": "sky"}])))
    assert ingest(notes.write({"a.json": changed}), TUESDAY).counts == Counts(changed=1)
    assert found(notes, "moon") == [("the moon pulls", "a.json#Tides:10", [])]
    with notes.store() as store:
        first = Instant(store.transactions()[0].recorded_at)
    assert found(notes, "moon", known=first) == [("the moon", "a.json#Tides:10", [])]


def test_discarded_and_deleted_are_withdrawn(notes):
    one, other = marked("keep", 1), marked("drop", 2, note="[[Mira]] is here.")
    ingest(notes.write({"a.json": page(book("Tides", one, other), book("Winds", marked("x", 3)))}))
    assert notes.links() == ["Tides > Mira"]
    gone = page(book("Tides", one, other | {"is_discard": True}), book("Winds", is_deleted=True))
    report = ingest(notes.write({"a.json": gone}), TUESDAY)
    assert (report.counts.changed, report.counts.removed) == (1, 1)
    assert (notes.links(), found(notes, "drop"), found(notes, "x")) == ([], [], [])


def test_two_exporters_are_two_sources_of_one_book(notes):
    by_api = book("Tides: A Life", marked("the MOON pulls!", note="Ask [[Mira]]."))
    ingest(notes.write({"a.csv": table(FULL), "b.json": page(by_api), "Readwise/Books/Tides.md": PLUGIN}))
    assert len(notes.called("Tides: A Life")) == 1
    assert [each for each in notes.facts() if "WRITTEN_BY" in each] == ["Tides | WRITTEN_BY | Ann Lee | date unknown"]
    with notes.store() as store:
        (fact,) = store.facts(FactQuery(predicate="WRITTEN_BY"))[1]
        assert {each.path for each in store.evidence(fact.evidence).values()} == {
            "Readwise/Books/Tides.md", "a.csv#Tides: A Life", "b.json#Tides: A Life",
        }  # fmt: skip
    ((_, first, also),) = found(notes, "pulls")
    assert sorted([first, *also]) == ["Readwise/Books/Tides.md:10", "a.csv#Tides: A Life:9", "b.json#Tides: A Life:10"]
    notes.remove("b.json")
    ingest(notes, TUESDAY)
    assert [each for each in notes.facts() if "WRITTEN_BY" in each] == ["Tides | WRITTEN_BY | Ann Lee | date unknown"]


def test_one_title_of_two_authors_are_two_books(notes):
    ingest(notes.write({"a.csv": table(row("x", "Emma", "Ann Lee"), row("x", "Emma", "Bo Katz"))}))
    assert [card.entity.name for card in notes.called("Emma")] == ["Emma", "Emma"]
    assert len(found(notes, "x")) == 2 - 1  # the words are the same: shown once


def test_new_highlights_of_the_plugin_are_of_the_same_book_and_of_their_day(notes):
    files = {"Readwise/Tides.md": PLUGIN, "Mira.md": "---\ntype: person\n---\n"}
    ingest(notes.write(files))
    before = notes.links()
    ingest(notes.write({"Readwise/Tides.md": PLUGIN + NEW}), TUESDAY)
    assert before == ["Tides > Mira"]
    assert notes.links() == ["Tides > Acme", "Tides > Mira"]
    with notes.store() as store:
        told = store.facts(FactQuery(predicate="LINKS_TO"))[1]
        said = {claim.quote: claim for some in store.claims().values() for claim in some} if told else {}
    assert {quote: claim.said.shown for quote, claim in said.items() if "Acme" in quote} == {
        "Mira works at Acme.": "2024-06-03"
    }


def test_own_notes_of_a_book_are_about_it(notes):
    ingest(notes.write({"Own/Tides.md": "Slow and good. #read\n", "Readwise/Tides.md": PLUGIN}))
    (card,) = notes.called("Tides")
    assert (card.entity.subtype, card.sources) == ("Book", 2)


@pytest.mark.parametrize("first", ["Own/Tides.md", "a.csv"])
def test_an_own_note_may_come_before_or_after(notes, first):
    files = {"Own/Tides.md": "Slow and good.\n", "a.csv": table(FULL)}
    ingest(notes.write({first: files.pop(first)}))
    ingest(notes.write(files), TUESDAY)
    (card,) = notes.called("Tides")
    assert (card.entity.name, card.sources) == ("Tides", 2)
    again = ingest(notes, WEDNESDAY)
    assert again.counts == Counts(unchanged=2)


@pytest.mark.parametrize(
    "note",
    ["---\ntype: person\n---\n", "---\ntype: film\n---\n", '---\nauthor: "[[Bo Katz]]"\ntype: book\n---\n'],
)
def test_a_note_that_says_otherwise_is_of_something_else(notes, note):
    ingest(notes.write({"Own/Tides.md": note, "a.csv": table(row("a", amazon_book_id="B1"))}))
    assert len(notes.called("Tides")) == 2


def test_who_takes_apart_a_book_and_a_note_is_not_asked_again(notes):
    ingest(notes.write({"Own/Tides.md": "x\n", "a.csv": table(row("a"))}))
    with notes.store(TUESDAY) as store:
        memory = Memory(store, load_ontology())
        (decision,) = store.decisions()
        memory.identity(lambda root, kind: open_reader(root, kind, SourceSettings())).unmerge(decision.id)
    assert len(notes.called("Tides")) == 2
    ingest(notes.write({"Other.md": "y\n"}), WEDNESDAY)
    assert len(notes.called("Tides")) == 2


def test_most_books_of_a_csv_gone_is_refused(notes):
    rows = [row("a", f"Book {number}") for number in range(31)]
    ingest(notes.write({"a.csv": table(*rows)}))
    before = notes.dump()
    notes.write({"a.csv": table(rows[0])})
    with pytest.raises(UserError, match="30 of 31"):
        ingest(notes, TUESDAY, confirm=None)
    assert notes.dump() == before


def test_twice_changes_nothing_and_any_order_comes_to_the_same(notes):
    files = {"a.csv": table(FULL, row("b", "Winds")), "Mira.md": "---\ntype: person\n---\n"}
    ingest(notes.write(files))
    before = notes.dump()
    assert ingest(notes, TUESDAY).counts == Counts(unchanged=3)
    os.utime(notes.vault / "a.csv", (1_800_000_000, 1_800_000_000))
    assert ingest(notes, WEDNESDAY).counts == Counts(unchanged=3)
    assert notes.dump() == before


def test_an_ingest_that_was_broken_off_goes_on(notes):
    rows = [row("a", f"Book {number}") for number in range(5)]
    notes.write({"a.csv": table(*rows)})

    def stop(done, _total, _path):
        if done == 2:
            raise KeyboardInterrupt

    assert ingest(notes, progress=stop).interrupted
    ingest(notes, TUESDAY)
    assert sorted(card.entity.name for card in notes.cards() if card.entity.name.startswith("Book")) == [
        f"Book {number}" for number in range(5)
    ]


def test_a_title_that_changes_is_another_book_of_the_same_source(notes):
    ingest(notes.write({"a.jsonl": json.dumps(book("Tides", marked("a")))}))
    ingest(notes.write({"a.jsonl": json.dumps(book("Ebb", marked("a")))}), TUESDAY)
    assert notes.facts() == ["Ebb | WRITTEN_BY | Ann Lee | date unknown"]
    with notes.store() as store:
        assert store.verify() == ()


def test_a_subtitle_may_be_missing_where_a_highlight_is_shared(notes):
    shared = "The moon pulls, and the water follows."
    ingest(
        notes.write(
            {
                "a.csv": table(row(shared, "Tides"), row("One of the first of them.", "Ring")),
                "b.json": page(
                    book("Tides: A Life", marked(shared)),
                    book("Ring: The Towers", marked("Two of the last of them.", 2)),
                ),
            }
        )
    )
    assert len({card.entity.id for name in ("Tides", "Tides: A Life") for card in notes.called(name)}) == 1
    assert len({card.entity.id for name in ("Ring", "Ring: The Towers") for card in notes.called(name)}) == 2


def test_a_list_without_authors_is_about_the_books_that_have_one(notes):
    listed = (
        "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nTides,https://e.org/t,01x,[],,0,new,\n"
    )
    ingest(notes.write({"a.csv": table(row("x")), "list.csv": listed}))
    (card,) = notes.called("Tides")
    assert card.sources == 2
    assert notes.facts() == [
        "Tides | WEBSITE | https://e.org/t | date unknown", "Tides | WRITTEN_BY | Ann Lee | date unknown",
    ]  # fmt: skip


def test_reading_everything_again_comes_to_the_same(notes):
    ingest(
        notes.write({"a.csv": table(FULL), "Readwise/Tides.md": PLUGIN + NEW, "Mira.md": "---\ntype: person\n---\n"})
    )
    before = notes.dump()
    ingest(notes, TUESDAY, reread=True)
    assert notes.dump() == before
