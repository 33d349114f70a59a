"""What a sentence alone does not tell: the note around it, names that are known, and how it is parsed."""

import pytest

from kgmem.errors import ConfigurationError
from kgmem.extraction.entities import Recognizer
from kgmem.extraction.grammar import telling_of
from kgmem.extraction.grammar.frames import frames_of
from kgmem.extraction.grammar.parsing import can_parse
from kgmem.extraction.ontology import Ontology, Rank, Typing, load_ontology
from kgmem.model import EntityType

PERSON = Typing(EntityType.PERSON, "Individual", Rank.SAID)
NOBODYS = load_ontology()


def test_she_is_whom_a_note_is_about(said):
    text = "She works for Siemens, and her husband is Klaus Brand. She has a daughter, Mina Brand."
    assert said(text, typing=PERSON, title="Ottilie Brand") == [
        "(note) | PARENT_OF | Mina Brand",
        "(note) | WORKS_AT | Siemens",
        "Klaus Brand | MARRIED_TO | (note)",
    ]


def test_she_is_nobody_where_two_may_be_meant(said):
    assert "LIVES_IN" not in " ".join(said("Eva Lind met Ida Brun in 2019. She lives in Rome."))


def test_nouns_beside_nouns_name_nobody(said):
    assert said("Ana lives near the shop, a small firm, a bakery.") == []


def test_without_an_owner_i_claims_nothing(said):
    assert said("I work at Siemens. I love black coffee.", ontology=NOBODYS) == []


def test_what_is_left_out_is_the_writer_only_where_a_note_is_about_nobody(said):
    assert said("Met Zoe Fu in Oslo.", title="2026-03-12") == ["Mia Berg | MET | Zoe Fu"]
    assert said("Met Zoe Fu in Oslo.", title="Tom Kranz") == []
    assert said("Met Zoe Fu in Oslo.", title="Tom Kranz", typing=PERSON) == ["(note) | MET | Zoe Fu"]


def test_what_others_say_is_theirs(claims):
    (claim,) = claims("Bo said that Ana joined Siemens in 2020.")
    assert (claim.subject.name, claim.object, claim.value) == ("Bo", None, "Ana works at Siemens.")
    assert claim.statement == "Bo says: Ana works at Siemens."
    assert claim.valid.start.moment is None


@pytest.mark.parametrize("opening", ["I said that", "I told Bo that", "I think", "I believe that"])
def test_what_the_owner_says_is_the_owners(said, opening):
    assert said(f"{opening} Ana works at Siemens.") == ["Mia Berg | SAYS | Ana works at Siemens."]


def test_what_others_think_nobody_said(said):
    assert said("Bo thinks that Ana works at Siemens.") == []


def test_both_rungs_find_one_claim(claims):
    found = claims("Ana Berg has worked at Siemens since May 2019.")
    assert [(claim.rung, str(claim.valid.start.moment)) for claim in found] == [("sentences", "2019-05")]


def test_the_fuller_period_is_kept(claims):
    (claim,) = claims("Ana worked at Acme for three years until 2020.")
    assert (claim.rung, claim.valid.start.shown, claim.valid.end.shown) == ("grammar", "2017", "2020")


def test_links_keep_their_spans(claims):
    text = "[[Ana Berg|Ana]], who now works at [[Acme]], is ill."
    (claim,) = claims(text)
    assert (claim.subject.name, claim.object.name) == ("Ana Berg", "Acme")


def test_only_telling_sentences_are_parsed():
    telling = telling_of(NOBODYS)
    prose = "It rained. Ana works at Acme. Met Bo Li."
    assert telling.spans(prose) == [(11, 30, False), (30, 40, True)]
    assert telling.spans("Dear me, what a day it was.") == []


def test_a_parsed_sentence_knows_where_its_words_stand(recognizer):
    text = "- Ana   works at  Acme ."
    ((_, read),) = recognizer.read([(None, [text])], telling_of(NOBODYS))
    ((sentence,),) = read.sentences
    assert [text[word.start : word.end] for word in sentence.words] == ["Ana", "works", "at", "Acme", "."]
    assert [(word.lemma, word.dep) for word in sentence.words][:2] == [("ana", "nsubj"), ("work", "ROOT")]


def test_nothing_is_parsed_without_telling_words(recognizer):
    ((_, read),) = recognizer.read([(None, ["Ana works at Acme."])])
    assert read.sentences == [()]


def test_another_grammar_is_left_alone():
    class Foreign:
        lang = "fr"
        pipe_names = ("parser", "tagger")

    assert not can_parse(Foreign())


def test_workers_parse_the_same(recognizer):
    items = [(number, ["Ana Berg works at Siemens. " * 300]) for number in range(6)]
    telling = telling_of(NOBODYS)
    assert list(Recognizer(processes=2).read(items, telling)) == list(recognizer.read(items, telling))


def own(frames):
    return Ontology({"predicates": {"SPONSORS": {"domain": ["Organization"]}}, "grammar": {"SPONSORS": frames}})


def test_an_ontology_adds_frames():
    frames = frames_of(own({"says": ["sponsor|back o", "o thank s"]}))
    assert [frame.predicate.name for frame in frames.verbs["back"]] == ["SPONSORS"]


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ({"says": ["sponsor at with o"]}, "no slot stands after"),
        ({"sometimes": ["sponsor o"]}, "an unknown entry 'sometimes'"),
        ({"says": ["o"]}, "it has no verb or noun"),
    ],
)
def test_frames_that_cannot_be_read(frames, message):
    with pytest.raises(ConfigurationError) as raised:
        frames_of(own(frames))
    assert message in f"{raised.value} {raised.value.hint}"
