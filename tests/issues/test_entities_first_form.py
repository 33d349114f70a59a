"""Public reports about entities, names and properties, each taken the whole way from a vault to what is believed."""

import unicodedata

import pytest
from ingestion.notes import Notes

from kgmem.recall.answer import ask

PERSON = "---\ntype: person\n---\n"
COMPANY = "---\ntype: company\n---\n"


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path)


def types(notes):
    return {card.entity.name: card.entity.type.value for card in notes.cards()}


def test_semantica_1085_spaces_around_a_name(notes):
    notes.write({
        "A.md": "---\ntype: person\n---\nknows:: Alice\n",
        "B.md": "---\ntype: company\nemployees: ' Alice '\n---\nMet [[ Alice ]].\n",
    }).ingest()  # fmt: skip
    (alice,) = notes.called("Alice")
    assert alice.entity.name == "Alice"
    assert "Alice | WORKS_AT | B | date unknown" in notes.facts()
    assert {line for line in notes.facts() if "KNOWS" in line} <= {
        "A | KNOWS | Alice | date unknown", "Alice | KNOWS | A | date unknown",
    }  # fmt: skip
    assert len(notes.facts()) == 2


def test_agent_memory_79_an_edge_to_what_exists_is_no_ghost(notes):
    notes.write({"Acme.md": COMPANY}).ingest()
    notes.write({"Bo.md": PERSON + "employer:: Acme\n"}).ingest()
    (acme,) = notes.called("Acme")
    assert notes.facts() == ["Bo | WORKS_AT | Acme | date unknown"]
    with notes.store() as store:
        total, neighbours = store.neighbours(acme.entity.id, 10)
    assert [(total, each.entity.name, each.facts) for each in neighbours] == [(1, "Bo", 1)]
    assert types(notes) == {"Acme": "Organization", "Bo": "Person"}


def test_agent_memory_256_an_alias_is_found_after_a_restart(notes):
    notes.write({"IBM.md": "---\ntype: company\naliases: [Big Blue]\n---\n"}).ingest()
    assert [card.entity.name for card in notes.called("big blue")] == ["IBM"]


def test_lightrag_1323_case_makes_no_other_entity(notes):
    notes.write({"A.md": "[[Melanoma]] is no joke.", "B.md": "A [[melanoma]], or [[skin cancer]]."}).ingest()
    assert len(notes.called("MELANOMA")) == 1
    assert notes.mentioned_in("melanoma") == ["A.md", "B.md"]
    assert notes.mentioned_in("skin cancer") == ["B.md"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Иван Петров", "Анна Сидорова"),
        ("C++", "C#"),
        ("Muller", "Müller"),
        ("陈薇", "陈微"),
        ("Annex 13 Amendment 16", "Annex 13 Amendment 17"),
        ("ASR1603", "ASR1605"),
    ],
)
def test_graphiti_1241_names_that_differ_stay_two(notes, one, other):
    notes.write({"A.md": f"related:: {one}\nrelated:: {other}\n", "B.md": f"related:: {one}\n"}).ingest()
    assert (notes.called(one)[0].sources, notes.called(other)[0].sources) == (2, 1)
    assert len(notes.called(one)) == len(notes.called(other)) == 1
    assert notes.called(one)[0].entity.id != notes.called(other)[0].entity.id


def test_graphiti_1734_one_organization_in_four_notes_is_one(notes):
    for number in range(4):
        notes.write({f"{number}.md": f"---\ntype: person\nemployer: DGIA\nrole: job {number}\n---\n"}).ingest()
    (card,) = notes.called("DGIA")
    assert card.entity.type == "Organization"
    assert [fact for fact in notes.facts() if "WORKS_AT" in fact] == [
        f"{number} | WORKS_AT | DGIA | date unknown" for number in range(4)
    ]


def test_graphiti_resolve_with_similarity_three_things_called_chris(notes):
    notes.write({
        "Bakery/Chris.md": PERSON + "Runs the bakery.\n",
        "Health/Chris.md": PERSON + "My dentist.\n",
        "Boats/Chris.md": "---\ntype: product\n---\nThe boat.\n",
        "Log.md": "Chris was late.\n",
    }).ingest()  # fmt: skip
    cards = notes.called("Chris")
    assert sorted(card.entity.type.value for card in cards) == ["Object", "Person", "Person"]
    assert len({card.entity.id for card in cards}) == 3
    assert [card.sources for card in cards] == [1, 1, 1]


def test_basic_memory_1260_a_verb_before_a_link_is_no_relation(notes):
    notes.write({"Log.md": "- Added [[Mira]] to the roster with [[Jon]]\n"}).ingest()
    assert notes.mentioned_in("Mira") == notes.mentioned_in("Jon") == ["Log.md"]
    assert notes.facts() == []
    assert notes.links() == ["Log > Jon", "Log > Mira"]


def test_basic_memory_1077_similar_names_are_two_notes(notes):
    notes.write({
        "site-roadmap.md": "---\ntitle: Site Roadmap\nowner: Ann\n---\n", "Site Roadmap.md": "---\nowner: Bo\n---\n",
    }).ingest()  # fmt: skip
    assert len({card.entity.id for card in notes.called("Site Roadmap")}) == 2
    assert notes.facts() == [
        "Site Roadmap | OWNED_BY | Ann | date unknown",
        "Site Roadmap | OWNED_BY | Bo | date unknown",
    ]


def test_neuron_611_composed_and_decomposed_names_are_one(notes):
    decomposed = unicodedata.normalize("NFD", "Müller.md")
    notes.write({decomposed: PERSON + "phone:: 1\n", "A.md": "Met [[Müller]]. Müller left.\n"}).ingest()
    (card,) = notes.called("Müller")
    assert (card.sources, card.mentions) == (2, 3)
    assert [c.entity.id for c in notes.called(unicodedata.normalize("NFD", "Müller"))] == [card.entity.id]
    assert types(notes) == {card.entity.name: "Person", "A": "Object"}


def test_codegraph_1372_names_without_spaces_are_found(notes):
    notes.write(
        {"示例模块.md": "一个模块。\n", "页面路由.md": "路由的说明。\n", "A.md": "请看示例模块的文档。\n"}
    ).ingest()
    assert notes.mentioned_in("示例模块") == ["A.md", "示例模块.md"]
    with notes.store() as store:
        assert ask(store, "示例模块", now=0).entities[0].entity.name == "示例模块"
        assert ask(store, "示例模块是什么？", now=0).entities[0].entity.name == "示例模块"
        assert ask(store, "路由", now=0).passages[0].source == "页面路由.md"


@pytest.mark.parametrize("text", ["---\n{{ foo }}: bar\n---\n", "---\ntitle: {{title}}\n---\nx\n"])
def test_graphify_double_curly_a_template_is_no_entity(notes, text):
    notes.write({"T.md": text, "A.md": "x"}).ingest()
    assert not [name for name in notes.entities() if "{{" in name]
    assert notes.facts() == []


@pytest.mark.parametrize("title", ["", '""', "null", "~"])
def test_basic_memory_389_no_title_is_the_name_of_the_file(notes, title):
    notes.write({"Mira.md": f"---\ntitle: {title}\n---\n"}).ingest()
    assert list(notes.entities()) == ["Mira"]


def test_basic_memory_389_none_is_a_title(notes):
    notes.write({"Mira.md": "---\ntitle: None\n---\n"}).ingest()
    assert list(notes.entities()) == ["None"]


@pytest.mark.parametrize("said", ["", "type: null\n", "type:\n", "type: nonsense\n"])
def test_basic_memory_368_no_type_is_an_object(notes, said):
    notes.write({"Mira.md": f"---\n{said}shelf: 1\n---\n"}).ingest()
    assert types(notes) == {"Mira": "Object"}
    assert notes.facts() == ["Mira | SHELF | 1 | date unknown"]


def test_base_162_links_in_properties_are_relations_by_their_key(notes):
    notes.write({
        "A.md": '---\nrelated:\n  - "[[Alpha]]"\n  - "[[Beta]]"\nArea: "[[My Hub]]"\n---\n', "Alpha.md": "x",
    }).ingest()  # fmt: skip
    assert sorted(notes.mentioned_in(name)[0] for name in ("Alpha", "Beta", "My Hub")) == ["A.md", "A.md", "A.md"]
    facts = {frozenset(fact.split(" | ")[:3]) for fact in notes.facts()}
    assert facts == {
        frozenset({"A", "RELATED", "Alpha"}), frozenset({"A", "RELATED", "Beta"}), frozenset({"A", "AREA", "My Hub"}),
    }  # fmt: skip


def test_yaml_1_1_values_are_what_was_typed(notes):
    notes.write({
        "A.md": "---\nland: NO\nclock: 12:30:45\nodds: 1:30\ncode: 0123\nversion: 1.10\nlimit: .inf\nsure: yes\n---\n",
    }).ingest()  # fmt: skip
    assert notes.facts() == [
        "A | CLOCK | 12:30:45 | date unknown",
        "A | CODE | 0123 | date unknown",
        "A | LAND | NO | date unknown",
        "A | LIMIT | .inf | date unknown",
        "A | ODDS | 1:30 | date unknown",
        "A | SURE | yes | date unknown",
        "A | VERSION | 1.10 | date unknown",
    ]
