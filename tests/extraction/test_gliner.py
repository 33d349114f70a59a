"""The third rung, with recorded answers in the form that the packages gliner and gliner2 give."""

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from kgmem.errors import ConfigurationError
from kgmem.extraction.gliner import networks
from kgmem.extraction.gliner.claims import undefined
from kgmem.extraction.gliner.labelling import Labeller
from kgmem.extraction.gliner.networks import Gliner2Network, GlinerNetwork, load_network, package_of
from kgmem.extraction.gliner.settings import GlinerSettings, Meaning, read_gliner_settings
from kgmem.extraction.gliner.spans import LabelledRelation, LabelledSpan
from kgmem.extraction.ladder import extract, readable
from kgmem.extraction.lexicon import Lexicon
from kgmem.extraction.ontology import NOTE, load_ontology
from kgmem.model import Basis, ClaimKind, EntityType
from kgmem.sources.obsidian import Vault

ONTOLOGY = load_ontology()
CONFIG = {
    "model": "folder",
    "labels": {"person": "Person", "company": "Organization/Company", "grape": "Object/Grape"},
    "relations": {"works for": "WORKS_AT", "employs": "inverse WORKS_AT", "speaks": "SPEAKS", "wed to": "MARRIED_TO"},
}
SETTINGS = read_gliner_settings(Path("kgmem.toml"), CONFIG)


@pytest.fixture(autouse=True)
def surroundings(monkeypatch):
    """What loading sets for the libraries beneath is gone with the test."""
    monkeypatch.setattr(os, "environ", os.environ.copy())


class RecordedGliner:
    """Answers as `gliner.GLiNER` does, with what was recorded of words: {words: (label, score)}."""

    def __init__(self, names):
        self._names = names
        self.asked = []

    def inference(self, texts, labels, *, threshold, batch_size):
        self.asked.append((texts, labels, batch_size))
        return [[span for span in self._spans(text) if span["score"] >= threshold] for text in texts]

    def _spans(self, text):
        for words, (label, score) in self._names.items():
            at = text.find(words)
            while at >= 0:
                end = at + len(words)
                yield {"start": at, "end": end, "text": words, "label": label, "score": score}
                at = text.find(words, end)


class RecordedRelex(RecordedGliner):
    """The same with weights that were trained for relations: (head, label, tail, score)."""

    def __init__(self, names, relations):
        super().__init__(names)
        self._relations = relations

    def predict_relations(self):
        """Is there, which tells such weights from others."""

    def inference(self, texts, labels, *, relations=(), return_relations=False, threshold, batch_size):
        spans = super().inference(texts, labels, threshold=threshold, batch_size=batch_size)
        told = [
            [
                {"head": self._end(text, head), "tail": self._end(text, tail), "relation": label, "score": score}
                for head, label, tail, score in self._relations
                if head in text and tail in text and label in relations
            ]
            for text in texts
        ]
        return (spans, told) if return_relations else spans

    def _end(self, text, words):
        at = text.find(words)
        return {"start": at, "end": at + len(words), "text": words, "type": "x", "entity_idx": 0}


class RecordedGliner2:
    """Answers as `gliner2.AutoExtractor` does."""

    def __init__(self, answers):
        self._answers = answers
        self.schema = {}

    def create_schema(self):
        return self

    def entities(self, labels):
        self.schema["entities"] = labels
        return self

    def relations(self, labels):
        self.schema["relations"] = labels
        return self

    def batch_extract(self, texts, schema, *, batch_size, threshold, include_confidence, include_spans):
        assert (schema, batch_size, threshold, include_confidence, include_spans) == (self, 8, 0.5, True, True)
        return [self._answers.get(text, {"entities": {}}) for text in texts]


NAMES = {"Ada Berg": ("person", 0.9), "Nord Systems": ("company", 0.8), "Riesling": ("grape", 0.7)}


def labeller(model, settings=SETTINGS):
    return Labeller(settings, GlinerNetwork("folder", model))


def found(model, *texts):
    ((_, labelling),) = labeller(model).label([("a", list(texts))])
    return labelling.blocks


def surfaces(text, labelled):
    return [(text[span.start : span.end], span.type, span.subtype, span.score) for span in labelled.spans]


def document(body):
    return Vault(Path()).parse("Note.md", f"---\ndate: 2024-05-01\n---\n{body}\n", mtime_ns=0)


def extraction(body, model, ontology=ONTOLOGY):
    note = document(body)
    ((_, labelling),) = labeller(model).label([(None, readable(note))])
    return extract(note, NOTE, ontology, Lexicon(()), labelled=labelling)


def claims(body, relations, names=NAMES):
    got = extraction(body, RecordedRelex(names, relations))
    return [each for each in got.claims if each.rung == "gliner"]


# -- texts through the network


def test_spans_have_their_place_their_type_and_their_score():
    text = "Ada Berg poured a Riesling."
    assert surfaces(text, found(RecordedGliner(NAMES), text)[0]) == [
        ("Ada Berg", EntityType.PERSON, None, 0.9),
        ("Riesling", EntityType.OBJECT, "Grape", 0.7),
    ]


def test_texts_of_several_items_come_back_to_them_and_empty_ones_ask_nothing():
    model = RecordedGliner(NAMES)
    items = [(name, ["", f"{name} met Ada Berg."]) for name in ("Bo", "Cyprian", "Di")]
    read = list(labeller(model).label(items))
    assert [(key, [len(block.spans) for block in labelling.blocks]) for key, labelling in read] == [
        ("Bo", [0, 1]),
        ("Cyprian", [0, 1]),
        ("Di", [0, 1]),
    ]
    ((texts, labels, batch),) = model.asked
    assert texts == ["Bo met Ada Berg.", "Di met Ada Berg.", "Cyprian met Ada Berg."]
    assert (labels, batch) == (["person", "company", "grape"], 8)
    assert labeller(model).words == 0


def test_a_long_text_is_read_in_whole_sentences_and_every_place_is_that_of_the_text():
    text = "Nobody of note was there that day. " * 50 + "Ada Berg was. " + "Word " * 400 + "and Nord Systems too."
    model = RecordedGliner(NAMES)
    (block,) = found(model, text)
    assert [each[0] for each in surfaces(text, block)] == ["Ada Berg", "Nord Systems"]
    pieces = sorted(model.asked[0][0], key=text.find)
    assert "".join(dict.fromkeys(pieces)) in text
    assert max(map(len, pieces)) <= 1200
    assert len(pieces) == 4


def test_how_much_was_read_is_counted():
    reader = labeller(RecordedGliner(NAMES))
    list(reader.label([(1, ["one two three", "four"]), (2, ["five six"])]))
    assert reader.words == 6
    assert reader.seconds > 0


def test_of_spans_that_share_a_place_the_surest_is_taken_and_none_that_cannot_be_a_name():
    names = {"Ada": ("person", 0.6), "Ada Berg": ("person", 0.9), "Berg's": ("grape", 0.95), "the": ("wine", 0.9)}
    text = "Berg's friend Ada Berg drank the wine."
    assert [each[0] for each in surfaces(text, found(RecordedGliner(names), text)[0])] == ["Berg", "Ada Berg"]
    assert found(RecordedGliner({"...": ("person", 0.9)}), "Well ... yes")[0].spans == ()


def test_what_the_weights_cannot_relate_is_not_asked_for():
    assert found(RecordedGliner(NAMES), "Ada Berg works for Nord Systems.")[0].relations == ()


def test_a_relation_is_given_once_with_its_best_score_and_never_of_a_thing_to_itself():
    told = [
        ("Ada Berg", "works for", "Nord", 0.6),
        ("Ada Berg", "works for", "Nord", 0.8),
        ("Ada", "speaks", "Ada Berg", 1),
    ]
    (block,) = found(RecordedRelex(NAMES, told), "Ada Berg works for Nord.")
    assert block.relations == (LabelledRelation((0, 8), (19, 23), "works for", 0.8),)


def test_gliner2_answers_by_label_and_a_relation_is_as_sure_as_its_weaker_end():
    text = "Ada Berg works for Nord."
    ends = [
        {"text": "Ada Berg", "confidence": 0.9, "start": 0, "end": 8},
        {"text": "Nord", "confidence": 0.6, "start": 19, "end": 23},
    ]
    model = RecordedGliner2(
        {text: {
            "entities": {"person": ends[:1], "company": ends[1:]},
            "relation_extraction": {"works for": [{"head": ends[0], "tail": ends[1]}], "speaks": []},
        }}
    )  # fmt: skip
    one, nothing = Gliner2Network("folder", model).read(
        [text, "x"], ["person", "company"], ["works for"], threshold=0.5, batch=8
    )
    assert one.spans == (LabelledSpan(0, 8, "person", 0.9), LabelledSpan(19, 23, "company", 0.6))
    assert one.relations == (LabelledRelation((0, 8), (19, 23), "works for", 0.6),)
    assert (nothing.spans, nothing.relations) == ((), ())
    assert model.schema == {"entities": ["person", "company"], "relations": ["works for"]}


# -- mentions and claims


def test_a_name_of_a_kind_of_ones_own_is_mentioned_with_its_subtype():
    (mention,) = [
        each for each in extraction("We had a Riesling.", RecordedGliner(NAMES)).mentions if each.rung == "gliner"
    ]
    assert (mention.surface, mention.start, mention.end) == ("Riesling", 9, 17)
    assert (mention.ref.typing.type, mention.ref.typing.subtype) == (EntityType.OBJECT, "Grape")


def test_a_link_is_no_business_of_the_network():
    got = extraction("We met [[Ada Berg]].", RecordedGliner(NAMES))
    assert [each.rung for each in got.mentions] == ["structure"]


def test_a_relation_is_a_claim_with_the_score_the_sentence_and_the_date_of_the_note():
    (claim,) = claims(
        "It rained.\nSo Ada Berg joined us for Nord Systems.", [("Ada Berg", "works for", "Nord Systems", 0.75)]
    )
    assert (claim.statement, claim.confidence) == ("Ada Berg works at Nord Systems.", 0.75)
    assert (claim.quote, claim.line) == ("So Ada Berg joined us for Nord Systems.", 1)
    assert (claim.said.shown, claim.said.basis, claim.valid.start.moment) == ("2024-05-01", Basis.NOTE, None)
    assert (claim.kind, claim.domain, claim.range) == (
        ClaimKind.HOLDS,
        (EntityType.PERSON,),
        (EntityType.ORGANIZATION,),
    )


def test_a_label_may_say_a_predicate_from_the_side_of_the_object():
    (claim,) = claims("Nord Systems has Ada Berg.", [("Nord Systems", "employs", "Ada Berg", 0.75)])
    assert claim.statement == "Ada Berg works at Nord Systems."


def test_a_predicate_of_text_takes_the_words():
    (claim,) = claims("Ada Berg talks in Dutch.", [("Ada Berg", "speaks", "Dutch", 0.75)])
    assert (claim.object, claim.value) == (None, "Dutch")


def test_an_end_that_is_a_link_means_its_note():
    (claim,) = claims("[[Ada Berg]] at Nord Systems.", [("Ada Berg", "works for", "Nord Systems", 0.75)])
    assert claim.subject.kind == "link"


def test_an_end_that_no_label_found_is_mentioned_all_the_same():
    got = extraction("Ada Berg and Bo Li.", RecordedRelex(NAMES, [("Ada Berg", "wed to", "Bo Li", 0.75)]))
    mentioned = {each.surface: each.ref.typing.type for each in got.mentions if each.rung == "gliner"}
    assert mentioned == {"Ada Berg": EntityType.PERSON, "Bo Li": EntityType.PERSON}


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada Berg never worked for Nord Systems.",
        "Ada Berg left Nord Systems.",
        "Ada Berg might join Nord Systems.",
        "Does Ada Berg work for Nord Systems?",
        "Ada Berg doesn't work for Nord Systems.",
        'Bo: "Ada Berg is with Nord Systems."',
        "> Ada Berg is with Nord Systems.",
        "- [ ] Ada Berg is with Nord Systems.",
        "# Ada Berg at Nord Systems",
        "~~Ada Berg is with Nord Systems.~~",
    ],
)
def test_what_may_be_denied_planned_over_or_somebody_elses_is_no_claim(sentence):
    assert claims(sentence, [("Ada Berg", "works for", "Nord Systems", 0.75)]) == []


def test_what_sentences_say_too_is_one_claim_and_surer():
    got = extraction(
        "Ada Berg works at Nord Systems since 2020.",
        RecordedRelex(NAMES, [("Ada Berg", "works for", "Nord Systems", 0.75)]),
    )
    (claim,) = got.claims
    assert (claim.rung, claim.agreed, claim.confidence) == ("sentences", ("gliner",), 0.95)
    assert claim.valid.start.shown == "2020"


def test_where_sentences_say_otherwise_the_network_gives_way_and_that_is_told():
    names = {**NAMES, "Sud": ("company", 0.9)}
    got = extraction(
        "Ada Berg works at Nord Systems with Sud.", RecordedRelex(names, [("Ada Berg", "works for", "Sud", 0.99)])
    )
    assert [each.object.name for each in got.claims] == ["Nord Systems"]
    ((dropped, why),) = [(each.claim.object.name, each.why) for each in got.dropped]
    assert (dropped, why) == ("Sud", "sentences says otherwise (agreement)")


# -- the weights


def test_the_package_follows_from_the_folder_or_the_name(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "gliner_config.json").write_text("{}")
    (tmp_path / "two").mkdir()
    assert [package_of(str(tmp_path / name)) for name in ("one", "two")] == ["gliner", "gliner2"]
    assert [package_of(name) for name in ("urchade/gliner_small-v2.1", "fastino/gliner2-base-v1")] == [
        "gliner",
        "gliner2",
    ]


def test_a_package_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(networks, "find_spec", lambda _: None)
    with pytest.raises(
        ConfigurationError, match="a/gliner2-b is run by the package gliner2, which is not inst"
    ) as caught:
        load_network("a/gliner2-b")
    assert caught.value.hint == "pip install 'kgmem[gliner]'"


class Hub:
    """A hub's client that has nothing, and remembers what it was asked."""

    def __init__(self, monkeypatch):
        self.asked = []
        hub, errors = ModuleType("huggingface_hub"), ModuleType("huggingface_hub.errors")
        for name in ("HfHubHTTPError", "HFValidationError", "LocalEntryNotFoundError", "OfflineModeIsEnabled"):
            setattr(errors, name, type(name, (Exception,), {}))
        self._missing = errors.LocalEntryNotFoundError
        hub.snapshot_download = self.snapshot_download
        monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
        monkeypatch.setitem(sys.modules, "huggingface_hub.errors", errors)
        monkeypatch.setattr(networks, "find_spec", lambda _: True)

    def snapshot_download(self, model, *, local_files_only):
        self.asked.append((model, local_files_only))
        raise self._missing


@pytest.mark.parametrize(
    ("offline", "download", "local", "hint"),
    [
        (None, False, True, "set download = true"),
        (None, True, False, "look at the id"),
        ("1", True, True, "HF_HUB_OFFLINE forbids"),
        ("0", True, False, "look at the id"),
    ],
)
def test_weights_are_fetched_only_if_that_was_asked_for(monkeypatch, offline, download, local, hint):
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    if offline is not None:
        monkeypatch.setenv("HF_HUB_OFFLINE", offline)
    hub = Hub(monkeypatch)
    with pytest.raises(ConfigurationError, match="no weights a/b on this machine") as caught:
        load_network("a/b", download=download)
    assert hub.asked == [("a/b", local)]
    assert hint in caught.value.hint


def test_weights_that_cannot_be_loaded_are_a_clear_error(monkeypatch, tmp_path):
    class Broken:
        @staticmethod
        def from_pretrained(_folder, **_options):
            raise OSError("no tokenizer")

    module = ModuleType("gliner")
    module.GLiNER = Broken
    monkeypatch.setitem(sys.modules, "gliner", module)
    monkeypatch.setattr(networks, "find_spec", lambda _: True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "gliner_config.json").write_text("{}")
    with pytest.raises(ConfigurationError, match="cannot be loaded: no tokenizer"):
        load_network(str(tmp_path))


# -- settings


def test_what_a_person_sets():
    assert SETTINGS.labels["company"] == (EntityType.ORGANIZATION, "Company")
    assert SETTINGS.relations["employs"] == Meaning("WORKS_AT", flipped=True)
    assert (SETTINGS.threshold, SETTINGS.batch, SETTINGS.download) == (0.5, 8, False)
    assert read_gliner_settings(Path("kgmem.toml"), {}) == GlinerSettings()
    assert undefined({"a": Meaning("WORKS_AT"), "b": Meaning("NO_SUCH")}, ONTOLOGY.predicates) == ["NO_SUCH"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": 3}, "gliner.model in kgmem.toml is not text"),
        ({"download": "yes"}, "gliner.download in kgmem.toml is neither true nor false"),
        ({"threshold": 2}, "gliner.threshold in kgmem.toml is no number from 0 to 1"),
        ({"batch": 0}, "gliner.batch in kgmem.toml is no whole number"),
        ({"labels": {}}, "has a model and no labels"),
        ({"labels": {"wine": "Drink"}}, "says that 'wine' is 'Drink', which is no type"),
        ({"labels": ["wine"]}, "gliner.labels in kgmem.toml is not a section of texts"),
        ({"relations": {"a": 1}}, "gliner.relations in kgmem.toml is not a section of texts"),
    ],
)
def test_what_means_nothing_is_a_clear_error(change, message):
    with pytest.raises(ConfigurationError, match=message):
        read_gliner_settings(Path("kgmem.toml"), {**CONFIG, **change})
