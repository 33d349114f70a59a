"""Replies of models as they come: each is understood in the one way it can be meant, or refused as a whole."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.extraction.model.replies import Told, UnusableReplyError, dump_told, load_told, read_part, read_reply

ROW = {"passage": 1, "subject": "Mira", "predicate": "WORKS_AT", "object": "Nord", "quote": "Mira works at Nord"}
TOLD = Told(1, "Mira", "WORKS_AT", "Nord", "Mira works at Nord")
ONE = json.dumps({"claims": [ROW]})
SCHEMA = {"type": "object", "properties": {"claims": {"type": "array", "items": {"type": "object"}}}}


@pytest.mark.parametrize(
    "text",
    [
        ONE,
        f"\n  {ONE}\n\n",
        f"```json\n{ONE}\n```",
        f"Here are the claims:\n```\n{ONE}\n```\nAnything else?",
        f"<think>Mira {{works}} at Nord, so [1]…</think>{ONE}",
        f"<think>first {json.dumps({'claims': [ROW | {'object': 'Sud'}]})}</think>\n```json\n{ONE}\n```",
        f"so it is Nord</think>{ONE}",
        json.dumps([ROW]),
        json.dumps(ROW),
        json.dumps({"claims": ROW}),
        json.dumps({"result": "ok", "data": {"claims": [ROW]}}),
        json.dumps({"facts": [ROW]}),
        json.dumps({"claims": [ROW, ROW]}),
        f"{json.dumps(SCHEMA)}\n{ONE}",
        json.dumps(SCHEMA | {"properties": {"claims": [ROW]}}),
        ONE.replace("}]}", "},],}"),
        ONE.replace('"}]}', '"'),
        ONE.removesuffix("]}"),
        ONE.replace('"Nord"', '"Nord\n"'),
        (
            '[{"entity_name": "Mira", "relation": "WORKS_AT", "target_entity_name": "Nord",'
            ' "evidence": "Mira works at Nord", "passage_id": "1"}]'
        ),
        (
            '[{"Source": {"name": "Mira"}, "relation_type": "WORKS_AT", "target": {"name": "Nord", "type": "Any"},'
            ' "quote": "Mira works at Nord", "passage": "Passage 1"}]'
        ),
        json.dumps({"claims": [ROW | {"object": ["Nord"], "start": None, "end": "null"}]}),
        json.dumps({"claims": ["Mira works", ROW, {"subject": "Bo"}]}),
    ],
)
def test_one_claim_in_many_dresses(text):
    assert read_reply(text) == (TOLD,)


@pytest.mark.parametrize("text", ['{"claims": []}', "[]", "{}", '```json\n{"claims": []}\n```', '{"facts": []}'])
def test_nothing_is_a_reply(text):
    assert read_reply(text) == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "json"),
        ("I am sorry, I cannot do that.", "json"),
        ("<!DOCTYPE html><html><body>502</body></html>", "json"),
        ("<think>what about", "json"),
        (json.dumps(SCHEMA), "schema"),
        ('{"claims": [{"subject": "Mira"}]}', "fields"),
        ('{"claims": [["Mira", "WORKS_AT", "Nord"]]}', "fields"),
        ('{"answer": "Mira works at Nord"}', "fields"),
        ('{"claims": [{"subject": "Mira", "predicate": "WORKS_AT", "object": "Nor', "truncated"),
    ],
)
def test_what_cannot_be_understood(text, kind):
    with pytest.raises(UnusableReplyError) as refused:
        read_reply(text)
    assert refused.value.kind == kind


def test_of_a_reply_that_was_cut_off_the_complete_claims_can_be_read():
    rows = [ROW, ROW | {"object": "Sud", "quote": 'at "Sud" {or [Est'}, ROW | {"object": "Est"}]
    cut = json.dumps({"claims": rows})
    names = [TOLD.object, "Sud", "Est"]
    for end, number in ((len(cut) - 1, 3), (len(cut) - 2, 3), (len(cut) - 9, 2), (cut.index("Sud"), 1), (20, 0)):
        assert [each.object for each in read_part(cut[:end])] == names[:number]
    assert [each.object for each in read_part("Draft: " + json.dumps([ROW]) + " Final: " + cut[:-9])] == names[:2]
    inner = '{"claims": [' + json.dumps(ROW) + ', {"subject": "Bo", "quote": "[{\\"subject\\": \\"Eve\\"'
    assert read_part(inner) == (TOLD,)
    assert read_part("[{" * 60_000) == ()


def test_a_reply_that_was_cut_off_is_not_taken_for_a_whole_one():
    cut = json.dumps({"claims": [ROW, ROW | {"object": "Sud"}, ROW | {"object": "Est"}]})[:-9]
    for text in (cut, cut[:-30], ONE.removesuffix("]}")):
        with pytest.raises(UnusableReplyError) as refused:
            read_reply(text, whole=False)
        assert refused.value.kind == "truncated"
    assert read_reply(ONE, whole=False) == (TOLD,)


def test_several_objects_are_several_claims_and_flags_are_read():
    row = ROW | {"object": ["Nord", {"name": "Sud"}], "ended": "true", "until": 2019, "valid_from": "in 2015"}
    same = {"quote": "Mira works at Nord", "start": "in 2015", "end": "2019", "ended": True}
    assert read_reply(json.dumps([row])) == tuple(Told(1, "Mira", "WORKS_AT", name, **same) for name in ("Nord", "Sud"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [("[" * 100_000, "json"), ("{" * 100_000, "json"), ('{"a":' * 50_000, "json"), ('[{"' * 50_000, "json")],
)
def test_what_is_built_to_be_slow_is_soon_refused(text, kind):
    with pytest.raises(UnusableReplyError) as refused:
        read_reply(text)
    assert refused.value.kind == kind


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for whole in (True, False):
        with suppress(UnusableReplyError):
            assert all(isinstance(each, Told) for each in read_reply(text, whole=whole))


words = st.text(min_size=1).filter(lambda text: text == " ".join(text.split()) and text.casefold() != "null")
tellings = st.builds(Told, st.just(1), words, words, words, st.text(), st.text(), st.text(), st.booleans())


@given(st.lists(tellings))
def test_what_is_kept_comes_back(told):
    assert load_told(dump_told(told)) == tuple(told)
