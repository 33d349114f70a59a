"""Public reports about who is who, from the notes to what the memory believes."""

import pytest
from ingestion.notes import TUESDAY, WEDNESDAY, Notes
from ingestion.test_identity import decide, entity, state
from ingestion.test_resolving import proposed, resolve, review, the_pair, with_memory


def read(folder, files):
    notes = Notes(folder).write(files)
    notes.ingest()
    return notes


def merged(notes):
    """What a comparison made one by itself: the name that stays and the one that goes."""
    return [(each.kept.name, each.others[0].name) for each in resolve(notes).merged]


def types(notes, name):
    return sorted(str(card.entity.type) for card in notes.called(name))


def test_graphiti_1241_numbers_and_revisions_are_not_even_proposed(tmp_path):
    advice = "---\ntype: recommendation\nstatus: open\npublished by: [[ICAO]]\n---\n"
    names = [
        "Safety Recommendation SR-2023-052", "Safety Recommendation SR-2023-053",
        "Annex 13 Amendment 16", "Annex 13 Amendment 17", "SB-2024-001 Rev A", "SB-2024-001 Rev B",
    ]  # fmt: skip
    notes = read(tmp_path, {f"{name}.md": advice for name in names} | {"Log.md": ", ".join(f"[[{n}]]" for n in names)})
    assert merged(notes) == proposed(notes) == []
    assert [notes.entities()[name] for name in names] == [2] * 6


def test_graphify_878_part_numbers_and_longer_words_are_distinct(tmp_path):
    names = ["ASR1603", "ASR1605", "ASR1606", "cranel", "cranelr", "cranelrh"]
    notes = read(tmp_path, {"A.md": " ".join(f"[[{name}]]" for name in names), "B.md": "[[ASR1603]], [[cranelr]]\n"})
    assert merged(notes) == proposed(notes) == []
    assert [notes.entities()[name] for name in names] == [2, 1, 1, 1, 2, 1]


def test_graphiti_1734_an_organization_in_unrelated_notes_is_one(tmp_path):
    notes = read(
        tmp_path,
        {
            "Ada.md": "---\ntype: person\nemployer: DGIA\n---\n",
            "Ben.md": "---\ntype: person\nwork: DGIA\n---\n",
            "Boiler.md": "[[DGIA]] called about the boiler.\n",
            "Post.md": "A letter from [[DGIA]].\n",
        },
    )
    assert merged(notes) == proposed(notes) == []
    assert notes.mentioned_in("DGIA") == ["Ada.md", "Ben.md", "Boiler.md", "Post.md"]
    assert types(notes, "DGIA") == ["Organization"]


def test_graphiti_one_given_name_is_nobody_in_particular(tmp_path):
    notes = read(
        tmp_path,
        {
            "Town/Chris.md": "---\ntype: person\nrole: baker\n---\nRuns the bakery.\n",
            "Health/Chris.md": "---\ntype: person\nrole: dentist\n---\nMy dentist.\n",
            "Harbour/Chris.md": "---\ntype: vehicle\n---\nThe boat needs paint.\n",
        },
    )
    assert merged(notes) == []
    assert types(notes, "Chris") == ["Object", "Person", "Person"]


def test_semantica_1085_spaces_around_a_name_are_no_part_of_it(tmp_path):
    notes = read(tmp_path, {"One.md": "[[Alice]] came.\n", "Two.md": "[[ Alice ]] works at [[Acme]].\n"})
    assert notes.mentioned_in("Alice") == ["One.md", "Two.md"]
    assert notes.facts() == ["Alice | WORKS_AT | Acme | date unknown"]


def test_agent_memory_79_a_sentence_about_a_known_company_is_about_that_company(tmp_path):
    notes = read(tmp_path, {"Acme.md": "---\ntype: company\n---\nMakes tiles.\n"})
    notes.write({"Day.md": "[[Bo]] works at Acme.\n"}).ingest(TUESDAY)
    assert notes.facts() == ["Bo | WORKS_AT | Acme | date unknown"]
    assert notes.mentioned_in("Acme") == ["Acme.md", "Day.md"]


def test_agent_memory_256_an_alias_is_found_when_the_memory_is_opened_again(tmp_path):
    notes = read(tmp_path, {"IBM.md": "---\ntype: company\naliases: [Big Blue]\n---\n", "Day.md": "Big Blue called.\n"})
    again = Notes(tmp_path)
    assert [card.entity.name for card in again.called("Big Blue")] == ["IBM"]
    assert again.mentioned_in("big blue") == ["Day.md", "IBM.md"]
    assert notes.dump() == again.dump()


def test_cognee_3534_acronyms(tmp_path):
    notes = read(
        tmp_path,
        {
            "New York City.md": "---\ntype: city\n---\n",
            "USA.md": "---\ntype: country\n---\n",
            "Eve.md": "---\ntype: person\nlives_in: NYC\nborn_in: U.S.A.\n---\n",
        },
    )
    assert merged(notes) == [("USA", "U.S.A.")]
    assert proposed(notes) == [("NYC", "New York City")]
    assert notes.facts() == ["Eve | BORN_IN | USA | date unknown", "Eve | LIVES_IN | NYC | date unknown"]


def test_lightrag_1323_case_is_no_difference_and_a_kind_is_no_name(tmp_path):
    notes = read(tmp_path, {"Melanoma.md": "A [[skin cancer]].\n", "Talk.md": "On [[melanoma]] and [[skin cancer]].\n"})
    assert merged(notes) == proposed(notes) == []
    assert notes.mentioned_in("melanoma") == ["Melanoma.md", "Talk.md"]
    assert "Melanoma > skin cancer" in notes.links()


RICH = {
    "Ada Lovell.md": (
        "---\ntype: person\naliases: [Countess]\nworks_at: [[Engine Works]]\nlives_in: [[Oxted]] (since 2019)\n---\n"
        "Wrote the first notes on the engine.\n"
    ),
    "A. Lovell.md": "---\ntype: person\naliases: [Augusta]\n---\nOwes me a letter.\n",
    "Log.md": "Tea with [[A. Lovell]]. The Countess and Augusta agree.\n",
}


def test_khive_778_a_merge_keeps_all_of_both_and_undo_restores_both(tmp_path):
    notes = read(tmp_path, RICH)
    before = state(notes)
    done = decide(notes, lambda i: i.merge(entity(notes, "Ada Lovell"), entity(notes, "A. Lovell")))
    assert (
        entity(notes, "Ada Lovell")
        == entity(notes, "A. Lovell")
        == entity(notes, "Countess")
        == entity(notes, "Augusta")
    )
    assert notes.mentioned_in("Augusta") == ["A. Lovell.md", "Ada Lovell.md", "Log.md"]
    assert notes.facts() == [
        f"{done.kept.name} | LIVES_IN | Oxted | since 2019",
        f"{done.kept.name} | WORKS_AT | Engine Works | date unknown",
    ]
    with notes.store() as store:
        texts = [passage.text for source in store.sources() for passage in store.passages_of(source.id)]
    assert {"Wrote the first notes on the engine.", "Owes me a letter."} <= set(texts)
    decide(notes, lambda i: i.unmerge(done.decision.id), WEDNESDAY)
    assert state(notes) == before


TESSEL = {
    "MWA.md": "---\ntype: person\n---\nSigns everything.\n",
    "Mickael Wagner.md": "---\ntype: person\nworks_at: [[Tessel]]\n---\n",
    "Bob Feldt.md": "---\ntype: person\nworks_at: [[Tessel]]\n---\n",
    "Robert Feldt.md": "---\ntype: person\nworks_at: [[Tessel]]\n---\n",
    "Log.md": "[[MWA]] came.\n",
}
MWA, FELDTS = ("MWA", "Mickael Wagner"), ("Bob Feldt", "Robert Feldt")


def test_graphify_1651_what_was_decided_outlives_reading_all_again(tmp_path):
    notes = read(tmp_path, TESSEL)
    resolve(notes)
    assert proposed(notes) == [FELDTS]
    decide(notes, lambda i: i.merge(*(entity(notes, name) for name in MWA)))
    review(notes, lambda r: r.reject(the_pair(r, notes, *FELDTS).id))
    for _ in range(2):
        notes.ingest(WEDNESDAY, reread=True)
        with_memory(notes, lambda m, readers: m.resolver(readers).resolve(everything=True), WEDNESDAY)
        assert entity(notes, "MWA") == entity(notes, "Mickael Wagner")
        assert entity(notes, "Bob Feldt") != entity(notes, "Robert Feldt")
        assert proposed(notes) == []
    notes.write({"Later.md": "[[Mickael Wagner]] and [[Bob Feldt]] met.\n"}).ingest(WEDNESDAY)
    assert with_memory(notes, lambda m, readers: m.resolver(readers).resolve(), WEDNESDAY).merged == ()
    assert proposed(notes) == []
    assert notes.mentioned_in("MWA") == ["Later.md", "Log.md", "MWA.md", "Mickael Wagner.md"]


def test_graphify_1651_what_was_accepted_from_the_list_stays_accepted(tmp_path):
    notes = read(tmp_path, TESSEL)
    resolve(notes)
    review(notes, lambda r: r.accept(the_pair(r, notes, *FELDTS).id))
    notes.ingest(WEDNESDAY, reread=True)
    with_memory(notes, lambda m, readers: m.resolver(readers).resolve(everything=True), WEDNESDAY)
    assert entity(notes, "Bob Feldt") == entity(notes, "Robert Feldt")
    assert proposed(notes) == []


@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [("Иван Петров", "Анна Сидорова", False), ("C++", "C#", False), ("Müller", "Muller", True)],
)
def test_graphiti_other_scripts_and_signs_stay(tmp_path, one, other, asked):
    notes = read(
        tmp_path, {"First.md": f'---\naliases: ["{one}"]\n---\n', "Then.md": f'---\naliases: ["{other}"]\n---\n'}
    )
    assert merged(notes) == []
    assert proposed(notes) == ([("First", "Then")] if asked else [])
    assert entity(notes, one) == entity(notes, "First") != entity(notes, other) == entity(notes, "Then")
