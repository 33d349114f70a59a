"""Conversations in files: every shape comes to one readable body, and reads again as it was."""

import codecs
import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.model import Basis, Moment
from kgmem.sources.chats.body import body_of, id_of, is_conversation, messages_in, title_of
from kgmem.sources.chats.conversation import Conversation, Message, Role, in_order, once, read_time
from kgmem.sources.chats.reading import document_of
from kgmem.sources.document import Voice
from kgmem.sources.obsidian import Vault
from kgmem.sources.obsidian.markdown import LONGEST
from kgmem.sources.steady import one_line, steady

TEN, LATER = Moment.parse("2026-03-02T10:00:00Z"), Moment.parse("2026-03-02T10:00:05Z")
TRIP = Conversation(
    "c1",
    "A trip to Oslo",
    (
        Message(Role.USER, "I moved to Oslo.\n\n- by train", "Mira", TEN),
        Message(Role.ASSISTANT, "## assistant\nYou live in Bergen.", at=LATER),
        Message(Role.USER, "I love sushi."),
    ),
)
BODY = """\
# A trip to Oslo

- Conversation: c1

## Mira (user), 2026-03-02T10:00:00Z

I moved to Oslo.

- by train

## assistant, 2026-03-02T10:00:05Z

\\## assistant
You live in Bergen.

## user

I love sushi.
"""


def line(**said):
    return json.dumps({"conversation": "c1", "role": "user", "at": "2026-03-02T10:00:00Z", "text": "Tea.", **said})


def vault_of(folder, **files):
    for name, data in files.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return Vault(folder)


def told(vault, path="chat.jsonl#c1"):
    return [(message.role, message.text) for message, _ in messages_in(vault.read(path).text)]


# -- the body


def test_a_body_can_be_read_by_anybody():
    assert body_of(TRIP) == BODY
    assert (is_conversation(BODY), title_of(BODY), id_of(BODY)) == (True, "A trip to Oslo", "c1")
    assert [each for each, _ in messages_in(BODY)] == list(TRIP.messages)
    assert [at for _, at in messages_in(BODY)] == [7, 13, 18]


def test_a_note_is_no_such_body():
    assert not is_conversation("# A trip to Oslo\n\n- Author: Mira\n")


WORDS = st.text(alphabet=[*string.ascii_letters[:6], *"\\# (),:-\n", "é", "字"], max_size=40)


@given(st.lists(st.tuples(st.sampled_from(list(Role)), WORDS, WORDS, st.sampled_from([None, TEN, LATER])), max_size=5))
def test_whatever_is_said_reads_again(said):
    messages = tuple(Message(role, steady(text), one_line(name), at) for role, text, name, at in said if steady(text))
    found = tuple(each for each, _ in messages_in(body_of(Conversation("c", "t", messages))))
    assert found == messages


def test_each_message_is_a_passage_with_its_speaker_and_its_time():
    document = document_of("chat.jsonl#A trip to Oslo", BODY)
    title, *said = document.blocks
    assert (title.text, document.head.uid) == ("Conversation: A trip to Oslo", "c1")
    assert document.occurred.moment == TEN
    assert [each.kind for each in said] == ["message"] * 3
    assert [each.voice for each in said] == [Voice("Mira"), Voice(claims=False), None]
    assert [document.said(each).moment for each in said] == [TEN, LATER, LATER]
    assert [document.said(each).basis for each in said] == [Basis.NOTE, Basis.NOTE, Basis.FILE]
    assert said[0].headings == ("Mira (user), 2026-03-02T10:00:00Z",)
    assert [(each.first_line, each.last_line) for each in said] == [(7, 9), (13, 14), (18, 18)]
    assert said[1].text == "## assistant\nYou live in Bergen."


def test_what_is_quoted_or_is_code_is_not_what_they_say():
    text = "I live in Oslo.\n\n> I live in Bergen.\n\n```\nI live in Paris.\n```\n\nSee [[Ida]] there."
    document = document_of("a.jsonl#t", body_of(Conversation("c", "t", (Message(Role.USER, text, at=TEN),))))
    (_, said) = document.blocks
    assert said.text == text
    assert " ".join(said.prose.split()) == "I live in Oslo. See Ida there."
    (link,) = said.links
    assert said.text[link.start : link.end] == "[[Ida]]"


def test_a_very_long_message_is_cut_between_its_paragraphs():
    paragraph = "word " * 500
    text = "\n\n".join([paragraph.strip()] * 4)
    document = document_of("a.jsonl#t", body_of(Conversation("c", "t", (Message(Role.USER, text),))))
    said = document.blocks[1:]
    assert [(each.first_line, each.last_line) for each in said] == [(7, 7), (9, 9), (11, 11), (13, 13)]
    assert all(len(each.text) <= LONGEST for each in said)


# -- times and ids


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z"),
        ("2026-03-02T11:00:00.250+01:00", "2026-03-02T10:00:00Z"),
        ("2026-03-02 10:00", "2026-03-02T10:00:00Z"),
        ("2026-03-02", "2026-03-02"),
        (1772445600, "2026-03-02T10:00:00Z"),
        (1772445600.9, "2026-03-02T10:00:00Z"),
        (1772445600000, "2026-03-02T10:00:00Z"),
    ],
)
def test_times_as_files_state_them(value, time):
    assert str(read_time(value)) == time


@pytest.mark.parametrize("value", ["yesterday", "2026-13-45", [1], True, 1e300, float("nan")])
def test_what_is_no_time(value):
    with pytest.raises(ValueError, match=r"."):
        read_time(value)


def test_messages_stand_by_their_times_and_those_without_behind_the_one_before():
    late, early = Message(Role.USER, "b", at=LATER), Message(Role.USER, "a", at=TEN)
    free = Message(Role.USER, "free")
    assert [each.text for each in in_order([late, free, early])] == ["a", "b", "free"]


def test_of_one_id_the_last_counts_where_the_first_stood():
    first, other = Message(Role.USER, "old", at=TEN, id="1"), Message(Role.USER, "x", id="2")
    kept, replaced = once([first, other, Message(Role.USER, "new", id="1")])
    assert ([each.text for each in kept], kept[0].at, replaced) == (["new", "x"], TEN, 1)


# -- JSON Lines


def test_a_file_of_messages(tmp_path):
    data = [
        line(title="A trip to Oslo", id="1", name="Mira", text="I moved to Oslo."),
        line(conversation=2, text="Another one."),
        line(id="2", role="assistant", at=1772445605, text="Nice.", model="unknown keys are passed over"),
    ]
    vault = vault_of(tmp_path, chat_jsonl="\n".join(data) + "\n")
    scan = vault.scan({})
    assert [each.path for each in scan.added] == ["chat.jsonl#A trip to Oslo", "chat.jsonl#2"]
    assert scan.problems == ()
    assert vault.read("chat.jsonl#A trip to Oslo").text == (
        "# A trip to Oslo\n\n- Conversation: c1\n\n## Mira (user), 2026-03-02T10:00:00Z\n\nI moved to Oslo.\n\n"
        "## assistant, 2026-03-02T10:00:05Z\n\nNice.\n"
    )


@pytest.mark.parametrize(
    ("bad", "number", "message"),
    [
        ("{not json", 2, "a line that is no JSON"),
        ('["a list"]', 2, "names no conversation"),
        (line(conversation=""), 2, "names no conversation"),
        (line(text=""), 2, "a message without text"),
        (line(text=["x"]), 2, "a message without text"),
    ],
)
def test_a_bad_line_costs_one_line(tmp_path, bad, number, message):
    vault = vault_of(tmp_path, chat_jsonl="\n".join([line(), bad, line(text="More tea.")]) + "\n")
    (problem,) = vault.scan({}).problems
    assert (problem.path, problem.line) == ("chat.jsonl", number)
    assert message in problem.message
    assert told(vault) == [("user", "Tea."), ("user", "More tea.")]


@pytest.mark.parametrize(
    ("said", "role", "message"),
    [
        ({"at": None}, "user", "no time;"),
        ({"at": "soon"}, "user", "'soon' is no time;"),
        ({"role": "tool"}, "system", "'tool' is no role;"),
        ({"id": "1"}, "user", "another message is called '1' there;"),
    ],
)
def test_what_a_message_does_not_say_is_told(tmp_path, said, role, message):
    vault = vault_of(tmp_path, chat_jsonl="\n".join([line(id="1"), line(text="More tea.", **said)]) + "\n")
    (problem,) = vault.scan({}).problems
    assert (problem.line, problem.message.startswith(message)) == (2, True)
    assert told(vault)[-1] == (role, "More tea.")


def test_without_a_role_only_a_name_speaks(tmp_path):
    lines = [
        json.dumps({"conversation": "c1", "name": "Bo", "text": "I am Bo.", "at": 1}),
        json.dumps({"conversation": "c1", "text": "I am nobody.", "at": 2}),
    ]
    vault = vault_of(tmp_path, chat_jsonl="\n".join(lines) + "\n")
    assert vault.scan({}).problems == ()
    assert told(vault) == [("user", "I am Bo."), ("system", "I am nobody.")]


def test_many_of_a_kind_are_counted(tmp_path):
    vault = vault_of(tmp_path, chat_jsonl="\n".join([line(), *[line(text="")] * 30]) + "\n")
    problems = vault.scan({}).problems
    assert (len(problems), problems[-1].message) == (21, "and 10 more of that kind")


def test_a_file_that_breaks_off_keeps_what_was_known(tmp_path):
    whole = "\n".join([line(), line(conversation="c2", text="Coffee.")]) + "\n"
    vault = vault_of(tmp_path, chat_jsonl=whole)
    known = {each.path: each for each in map(seen_of, vault.scan({}).added)}
    cut = vault_of(tmp_path, chat_jsonl=whole[:-12])
    scan = cut.scan(known)
    assert (scan.removed, scan.changed, scan.added) == ((), (), ())
    assert [each.message for each in scan.problems] == ["the last line breaks off; the others were read"]


def seen_of(found):
    from kgmem.sources.document import Seen

    return Seen(found.path, found.path, found.size, found.mtime_ns, found.hash, found.head.uid)


def test_a_conversation_that_is_gone_from_its_file_is_removed(tmp_path):
    vault = vault_of(tmp_path, chat_jsonl="\n".join([line(), line(conversation="c2")]) + "\n")
    known = {each.path: each for each in map(seen_of, vault.scan({}).added)}
    scan = vault_of(tmp_path, chat_jsonl=line() + "\n").scan(known)
    assert [each.path for each in scan.removed] == ["chat.jsonl#c2"]


def test_a_conversation_with_another_title_is_the_same(tmp_path):
    vault = vault_of(tmp_path, chat_jsonl=line(title="Tea") + "\n")
    known = {each.path: each for each in map(seen_of, vault.scan({}).added)}
    scan = vault_of(tmp_path, chat_jsonl=line(title="On tea") + "\n").scan(known)
    assert [(old.path, new.path) for old, new in scan.moved] == [("chat.jsonl#Tea", "chat.jsonl#On tea")]


def test_two_of_a_title_have_names_of_their_own(tmp_path):
    vault = vault_of(tmp_path, chat_jsonl="\n".join([line(title="Tea"), line(conversation="c2", title="Tea")]) + "\n")
    assert [each.path for each in vault.scan({}).added] == ["chat.jsonl#Tea", "chat.jsonl#Tea 2"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_may_be_marked_or_wide(tmp_path, encoding):
    vault = vault_of(tmp_path, chat_jsonl=(line(text="Café.") + "\n").encode(encoding))
    assert [each.path for each in vault.scan({}).added] == ["chat.jsonl#c1"]
    assert told(vault) == [("user", "Café.")]


def test_a_line_that_is_no_utf8_costs_one_line(tmp_path):
    latin = json.dumps({"conversation": "c1", "text": "Café"}, ensure_ascii=False).encode("latin-1")
    vault = vault_of(tmp_path, chat_jsonl=line().encode() + b"\n" + latin + b"\n")
    (problem,) = vault.scan({}).problems
    assert (problem.line, problem.kind) == (2, "encoding")
    assert told(vault) == [("user", "Tea.")]


def test_a_line_without_an_end_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr("kgmem.sources.chats.lines.LONGEST_LINE", 200)
    vault = vault_of(tmp_path, chat_jsonl="\n".join([line(), line(text="x" * 500), line(text="More tea.")]) + "\n")
    (problem,) = vault.scan({}).problems
    assert (problem.line, problem.message) == (2, "a line of over 200 bytes; the others were read")
    assert told(vault) == [("user", "Tea."), ("user", "More tea.")]


def test_what_steers_a_terminal_is_no_part_of_a_message(tmp_path):
    vault = vault_of(tmp_path, chat_jsonl=line(text="\x1b[31mTea\x00.\x1b[0m", title="A\x1b[2J\nB") + "\n")
    assert [each.path for each in vault.scan({}).added] == ["chat.jsonl#A B"]
    assert told(vault, "chat.jsonl#A B") == [("user", "Tea.")]


@pytest.mark.parametrize("text", ['{"a": 1}\n', "[]\n", '{"conversation": "x"}\n', '"conversation"\n', "\n", "text\n"])
def test_other_files_are_none(tmp_path, text):
    assert vault_of(tmp_path, chat_jsonl=text).scan({}).added == ()


# -- what services hand out


def node(name, parent, role, text, at, **content):
    message = {
        "id": name, "author": {"role": role, "name": None}, "create_time": at,
        "content": {"content_type": "text", "parts": [text], **content}, "metadata": {},
    }  # fmt: skip
    return {"id": name, "message": message, "parent": parent, "children": []}


def tree(**other):
    nodes = [
        {"id": "root", "message": None, "parent": None, "children": ["a"]},
        node("a", "root", "user", "I live in Paris.", 1772445600.5),
        node("b", "a", "assistant", "An old answer.", 1772445601),
        node("c", "a", "assistant", "print(1)", 1772445601.5, content_type="code"),
        node("d", "c", "tool", "1", 1772445602),
        node("e", "d", "assistant", "A new answer.", 1772445605),
    ]
    mapping = {each["id"]: each for each in nodes}
    return {
        "title": "Cats",
        "create_time": 1.0,
        "mapping": mapping,
        "current_node": "e",
        "conversation_id": "x",
        **other,
    }


def test_of_a_tree_the_way_to_the_current_message_counts(tmp_path):
    vault = vault_of(tmp_path, conversations_json=json.dumps([tree()]))
    assert [each.path for each in vault.scan({}).added] == ["conversations.json#Cats"]
    assert told(vault, "conversations.json#Cats") == [("user", "I live in Paris."), ("assistant", "A new answer.")]
    assert vault.read("conversations.json#Cats").head.uid == "x"


def test_a_tree_may_be_damaged(tmp_path):
    ring = tree(title=None)
    ring["mapping"]["a"]["parent"] = "e"
    lost = tree(title="Lost", conversation_id="y", current_node="nowhere")
    vault = vault_of(tmp_path, conversations_json=json.dumps([ring, lost, {"mapping": {}, "create_time": 1}]))
    paths = [each.path for each in vault.scan({}).added]
    assert paths == ["conversations.json#I live in Paris.", "conversations.json#Lost"]
    assert told(vault, paths[0]) == [("user", "I live in Paris."), ("assistant", "A new answer.")]
    assert [text for _, text in told(vault, paths[1])] == ["I live in Paris.", "An old answer.", "A new answer."]


def test_a_list_of_messages(tmp_path):
    said = [
        {"uuid": "1", "sender": "human", "text": "short", "created_at": "2026-03-02T10:00:00.123456Z",
         "content": [{"type": "text", "text": "My dog is Rex."}, {"type": "tool_use", "input": {}}]},
        {"uuid": "2", "sender": "assistant", "text": "Good dog.", "created_at": "2026-03-02T10:00:05Z"},
    ]  # fmt: skip
    vault = vault_of(tmp_path, conversations_json=json.dumps([{"uuid": "u", "name": "Dogs", "chat_messages": said}]))
    vault.scan({})
    assert told(vault, "conversations.json#Dogs") == [("user", "My dog is Rex."), ("assistant", "Good dog.")]
    assert vault.read("conversations.json#Dogs").occurred.moment == TEN


def test_an_export_that_breaks_off_gives_what_is_whole(tmp_path):
    data = json.dumps([tree(), tree(title="Dogs", conversation_id="y")])
    vault = vault_of(tmp_path, conversations_json=codecs.BOM_UTF8 + data[:-40].encode())
    scan = vault.scan({})
    assert [each.path for each in scan.added] == ["conversations.json#Cats"]
    assert [each.kind for each in scan.problems] == ["export-cut"]
