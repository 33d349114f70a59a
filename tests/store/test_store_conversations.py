"""What any store keeps of questions and answers, beside what it knows."""

import threading
from contextlib import closing
from dataclasses import replace

import pytest
from store.samples import DIRECTS, DIRECTS_FACT, FIRST, HOME, INTRO, LOG_MD, MIRA, MIRA_MD, NORD, PARIS, SECOND, SLOT

from kgmem.errors import StoreLockedError, StoreMissingError
from kgmem.model import Instant, identify
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Erasure
from kgmem.store.conversations import ERASED, Conversation, Message, MessageQuery, Step, Thumb, Trace
from kgmem.store.protocol import Hit, Scope

GIST = identify("gist", "where")
TRACE = Trace(
    (
        Step("names", (Hit(Scope.ENTITIES, MIRA.id, 1.0),), 0.25),
        Step("text", (), 0.5, "nothing found"),
        Step("answer", (Hit(Scope.FACTS, DIRECTS_FACT.id, 1.0), Hit(Scope.EPISODES, INTRO.id, 0.0625))),
    ),
    (MIRA.id, NORD.id),
    1.5,
    12,
    "small",
)
ASKED = Message(
    "2026-03-02",
    Instant(5),
    "Where is „Mira“ 米拉?",
    GIST,
    "Mira works at Château Nord.",
    mentions=(MIRA.id,),
    trace=TRACE,
)


def ask(store, **changes):
    return store.conversations().add(replace(ASKED, **changes))


def messages(store, **query):
    return store.conversations().messages(MessageQuery(**query))


@pytest.fixture
def told(store, commit):
    """A memory of two notes."""
    commit(store, FIRST, SECOND)
    return store


def test_a_message_comes_back_as_it_was_kept(store, commit):
    last = commit(store, FIRST)
    kept = ask(store)
    assert kept == replace(ASKED, id=kept.id, place=1, known=last)
    assert len(kept.id) == 16
    assert messages(store) == (1, (kept,))
    assert messages(store, starts=kept.id[:5]) == (1, (kept,))
    assert messages(store, starts="*") == (0, ())


def test_messages_are_chained_and_the_newest_comes_first(told):
    one, two, other = ask(told), ask(told, asked_at=Instant(9)), ask(told, conversation="wine", asked_at=Instant(7))
    assert [each.place for each in (one, two, other)] == [1, 2, 1]
    assert messages(told) == (3, (two, other, one))
    assert messages(told, conversation="2026-03-02", limit=1) == (2, (two,))
    assert told.conversations().every() == (
        Conversation("2026-03-02", 2, Instant(5), Instant(9)),
        Conversation("wine", 1, Instant(7), Instant(7)),
    )


def test_a_conversation_goes_on_where_it_ended_whatever_the_clock_says(told):
    later, earlier = ask(told, asked_at=Instant(9)), ask(told, asked_at=Instant(2))
    assert messages(told, conversation="2026-03-02") == (2, (earlier, later))
    assert messages(told) == (2, (later, earlier))


def test_two_messages_of_one_instant_follow_each_other(told):
    one, two = ask(told), ask(told)
    assert (one.asked_at, two.asked_at) == (5, 6)
    assert one.id != two.id


def test_messages_are_found_by_what_they_ask(told):
    one = ask(told)
    other = ask(told, gist=identify("gist", "who"), question="Who?", asked_at=Instant(8))
    assert messages(told, gist=GIST) == (1, (one,))
    assert messages(told, gist=other.gist, conversation="wine") == (0, ())


def test_what_an_answer_speaks_of_must_be_there(told):
    kept = ask(told, mentions=(identify("nobody"), MIRA.id))
    ((found,),) = messages(told)[1:]
    assert (kept.mentions, found.mentions) == ((identify("nobody"), MIRA.id), (MIRA.id,))


def test_the_last_judgement_stands(told):
    kept = ask(told)
    told.conversations().judge(kept.id, Thumb.DOWN, "she moved")
    told.conversations().judge(kept.id, Thumb.UP, "")
    assert messages(told)[1] == (replace(kept, thumb=Thumb.UP, because=""),)


def test_a_message_is_no_knowledge(told):
    before, last = told.transactions(), told.stats().last_recorded
    known = [line for line in told.dump() if '"table":"message"' not in line]
    kept = ask(told)
    assert told.transactions() == before
    counts = told.stats().counts
    assert (told.stats().last_recorded, counts["conversations"], counts["messages"]) == (last, 1, 1)
    assert set(known) <= set(told.dump())
    told.conversations().judge(kept.id, Thumb.UP, "")
    assert told.transactions() == before


def test_naming_an_entity_in_a_question_is_no_mention(told):
    before = told.mentions_of(MIRA.id, 9), told.neighbours(MIRA.id, 9), told.passages_naming([MIRA.id])
    ask(told)
    assert before == (told.mentions_of(MIRA.id, 9), told.neighbours(MIRA.id, 9), told.passages_naming([MIRA.id]))


def test_who_opened_it_for_reading_is_remembered_too(place, told):
    reader = place.open(readonly=True)
    kept = ask(reader)
    assert messages(told) == messages(reader) == (1, (kept,))


def test_a_question_makes_no_group(place, told):
    with closing(open_store(place.url, f"{told.group} and nobody's", readonly=True)) as reader:
        with pytest.raises(StoreMissingError, match="holds nothing yet"):
            ask(reader)
        assert messages(reader) == (0, ())


def test_messages_keep_to_their_group(place, told):
    ask(told)
    other = place.open("other")
    assert messages(other) == (0, ())
    assert other.conversations().every() == ()
    kept = ask(other, mentions=(), trace=Trace())
    assert kept.place == 1


def test_nobody_waits_for_a_writer(place, told):
    reader = place.open(readonly=True)
    with told.writing(), pytest.raises(StoreLockedError, match="is writing to"):
        ask(reader)
    assert ask(reader).place == 1


def test_many_ask_at_once(place, told):
    readers = [place.open(readonly=True) for _ in range(3)]
    kept, refused = [], []

    def talk(reader, number):
        for count in range(4):
            try:
                kept.append(ask(reader, asked_at=Instant(1000 * number + count)))
            except StoreLockedError as error:
                refused.append(error)

    threads = [threading.Thread(target=talk, args=each) for each in zip(readers, range(3), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total, found = messages(told)
    assert (len(kept) + len(refused), total) == (12, len(kept))
    assert sorted(each.place for each in found) == list(range(1, total + 1))
    assert total


@pytest.fixture
def talked(told):
    """Three messages: one cites what Mira's note says, one the log; one names somebody, and cites nothing."""
    answer = Step("answer", (Hit(Scope.EPISODES, told.passages_of(LOG_MD.id)[0].id, 1.0),))
    log = ask(told, asked_at=Instant(1), question="Who flew?", answer="", trace=Trace((answer,)), mentions=())
    note = ask(told, asked_at=Instant(2), as_of="2019")
    named = ask(
        told, asked_at=Instant(3), question="Is château nord old?", answer="", trace=Trace(), mentions=(NORD.id,)
    )
    told.conversations().judge(note.id, Thumb.DOWN, "Mira said so")
    return told, log, note, named


def test_what_is_erased_is_erased_from_answers(talked, commit):
    store, log, note, named = talked
    commit(store, ChangeSet("removed", removed=MIRA_MD.id, closed=(DIRECTS_FACT.id,)))
    store.erase(Erasure(MIRA_MD.id, None, (DIRECTS.id,), (SLOT,), ()))
    _, found = messages(store)
    assert [each.question for each in found] == [ERASED, ERASED, "Who flew?"]
    assert [each.id for each in found] == [named.id, note.id, log.id]
    gone = found[1]
    assert (gone.answer, gone.because, gone.as_of, gone.mentions, gone.trace.steps) == ("", "", None, (), ())
    assert (gone.asked_at, gone.place, gone.thumb) == (2, 2, Thumb.DOWN)
    assert messages(store, gist=GIST) == (1, (log,))
    said = "".join(store.dump())
    assert "Nord" not in said
    assert "nord" not in said
    assert store.verify() == ()


def test_an_answer_from_other_notes_stays(talked, commit):
    store, log, note, named = talked
    commit(store, ChangeSet("removed", removed=LOG_MD.id))
    store.erase(Erasure(LOG_MD.id, None, (), (), ()))
    _, found = messages(store)
    assert [each.question for each in found] == [named.question, note.question, ERASED]
    assert [each.id for each in found] == [named.id, note.id, log.id]
    assert {PARIS.id, HOME.id} <= {*store.entities([PARIS.id]), *(p.id for p in store.passages_of(MIRA_MD.id))}
