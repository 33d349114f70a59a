"""What people met who tried it on notes of their own."""

import pytest
from ingestion.notes import TUESDAY, WEDNESDAY

from kgmem.errors import UserError
from kgmem.sources.obsidian import Vault


def test_a_note_that_only_links_to_a_value_dates_nothing(notes):
    notes.write({"Ann.md": "---\ntype: person\nworks_at: Acme\n---\n"}).ingest()
    notes.write({"zz.md": "unrelated [[Acme]]\n"}).ingest(TUESDAY)
    assert notes.facts() == ["Ann | WORKS_AT | Acme | date unknown"]
    notes.remove("zz.md").ingest(WEDNESDAY)
    assert notes.facts() == ["Ann | WORKS_AT | Acme | date unknown"]


def test_places_within_places_do_not_dispute_one_another(notes):
    notes.write({"Fushimi Inari.md": "---\ntype: place\nloc: [Kyoto, Japan]\n---\n"}).ingest()
    assert notes.facts() == [
        "Fushimi Inari | LOCATED_IN | Japan | date unknown",
        "Fushimi Inari | LOCATED_IN | Kyoto | date unknown",
    ]


def test_ten_thousand_links_to_one_name_in_one_note_are_one_fact(notes):
    text = "\n\n".join("I met [[Topic]] again." for _ in range(10_000))
    report = notes.write({"long.md": text}).ingest()
    assert (report.links, report.facts_opened) == (10_000, 1)


@pytest.mark.parametrize("other", ["inner", "."])
def test_a_folder_within_a_known_one_or_around_it_is_refused(notes, other):
    notes.write({"inner/a.md": "x", "b.md": "y"})
    first, second = (notes.vault, notes.vault / "inner") if other == "inner" else (notes.vault / "inner", notes.vault)
    notes.ingest(reader=Vault(first))
    with pytest.raises(UserError, match="which is in the memory"):
        notes.ingest(TUESDAY, reader=Vault(second))


def test_texts_with_gaps_in_a_folder_of_templates_are_templates(notes):
    notes.write({"_meta/Templates/Day.md": "# <% tp.date.now() %>\n", "Templates/How.md": "How to make one.\n"})
    assert notes.ingest().counts.added == 1


def test_a_value_in_plain_words_is_mentioned_where_it_stands(notes):
    notes.write({"Ann.md": "---\ntype: person\nworks_at: Acme\n---\n"}).ingest()
    assert notes.mentioned_in("Acme") == ["Ann.md"]


def test_reading_everything_again_changes_nothing_by_itself(notes):
    notes.write({"Ann.md": "---\ntype: person\nworks_at: Acme\n---\n", "Bo.md": "Ann came.\n"}).ingest()
    before = notes.dump()
    report = notes.ingest(TUESDAY, reread=True)
    assert (report.counts.unchanged, report.facts_opened) == (2, 0)
    assert notes.dump() == before


BRACKETS = {"Quiet Harbour (film).md": "Made in 1951.\n", "Mon.md": "We saw Quiet Harbour.\n"}
OTHER = {"Quiet Harbour (novel).md": "Printed in 1949.\n"}


def test_a_text_leaves_out_the_brackets_of_a_title(notes):
    notes.write(BRACKETS).ingest()
    assert notes.mentioned_in("Quiet Harbour (film)") == ["Mon.md", "Quiet Harbour (film).md"]


def test_it_leaves_open_which_of_two_titles_it_means(notes):
    notes.write(BRACKETS).ingest()
    notes.write(OTHER).ingest(TUESDAY)
    assert notes.mentioned_in("Quiet Harbour (film)") == ["Quiet Harbour (film).md"]
    assert notes.mentioned_in("Quiet Harbour (novel)") == ["Quiet Harbour (novel).md"]
    notes.remove(*OTHER).ingest(WEDNESDAY)
    assert notes.mentioned_in("Quiet Harbour (film)") == ["Mon.md", "Quiet Harbour (film).md"]


def test_a_title_without_brackets_is_what_a_text_means(notes):
    notes.write({**BRACKETS, "Quiet Harbour.md": "Where the boats are.\n"}).ingest()
    assert notes.mentioned_in("Quiet Harbour") == ["Mon.md", "Quiet Harbour.md"]
    assert notes.mentioned_in("Quiet Harbour (film)") == ["Quiet Harbour (film).md"]


def test_brackets_tell_a_person_from_a_namesake_who_may_have_no_note(notes):
    notes.write({"Anna Berg (cousin).md": "---\ntype: person\n---\n", "Mon.md": "Lunch with Anna Berg.\n"}).ingest()
    assert notes.mentioned_in("Anna Berg (cousin)") == ["Anna Berg (cousin).md"]
