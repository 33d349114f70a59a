"""What a model said of passages: kept with the text, and gone with it."""

from dataclasses import replace

from store.samples import FIRST, HOME, INTRO, LOG_MD, MIRA, MIRA_1, MIRA_MD, NORD, PARIS, SECOND, TRIP, rewritten

from kgmem.model import identify
from kgmem.store.changes import ChangeSet, Erasure
from kgmem.store.replies import Reply, Spending, Unanswered

KINDS = ("paragraph",)


def reply(where, told="[]", *, model="small", prompt="1", tokens=(100, 20)):
    return Reply(where.id, model, prompt, told, *tokens, 1500)


def unanswered(store, *, model="small", prompt="1", root="/vault", kinds=KINDS):
    return list(store.unanswered(model, prompt, root, kinds))


def test_a_reply_is_kept_with_its_passage(store, commit):
    commit(store, FIRST)
    assert not store.has_replies()
    commit(store, ChangeSet("llm", source=MIRA_MD, replies=(reply(INTRO, '[{"subject": "Mira"}]'),)))
    assert store.has_replies()
    assert store.replies([INTRO.id, HOME.id]) == {INTRO.id: reply(INTRO, '[{"subject": "Mira"}]')}
    assert store.transactions()[-1].kind == "llm"


def test_the_last_reply_counts_and_the_same_again_is_no_news(store, commit):
    commit(store, FIRST)
    commit(store, ChangeSet("llm", source=MIRA_MD, replies=(reply(INTRO), reply(HOME))))
    before = list(store.dump())
    commit(store, ChangeSet("llm", source=MIRA_MD, replies=(reply(HOME),)))
    assert list(store.dump()) == before
    commit(store, ChangeSet("llm", source=MIRA_MD, replies=(reply(HOME, model="large"),)))
    assert store.replies([HOME.id])[HOME.id].model == "large"


def test_a_passage_that_is_not_there_keeps_none(store, commit):
    commit(store, FIRST)
    strange = Reply(identify("nowhere"), "small", "1", "[]", 1, 1, 1)
    commit(store, ChangeSet("llm", source=MIRA_MD, replies=(strange,)))
    assert not store.has_replies()


def test_what_nobody_was_asked_about_comes_in_order_with_what_is_known_of_it(store, commit):
    commit(store, FIRST, SECOND)
    mira, log = MIRA_MD.id, LOG_MD.id
    assert unanswered(store) == [
        Unanswered(mira, INTRO.id, tuple(sorted((MIRA.id, NORD.id))), 1),
        Unanswered(mira, HOME.id, tuple(sorted((MIRA.id, PARIS.id))), 0),
        Unanswered(log, TRIP.id, tuple(sorted((MIRA.id, PARIS.id))), 0),
    ]
    commit(store, ChangeSet("llm", source=MIRA_MD, replies=(reply(INTRO), reply(HOME))))
    assert [each.passage for each in unanswered(store)] == [TRIP.id]
    assert [each.passage for each in unanswered(store, prompt="2")] == [INTRO.id, HOME.id, TRIP.id]
    assert [each.passage for each in unanswered(store, model="large")] == [INTRO.id, HOME.id, TRIP.id]
    assert unanswered(store, root="/other") == unanswered(store, kinds=("task",)) == []


def test_what_left_its_note_is_not_asked_about_and_keeps_its_reply(store, commit):
    commit(store, FIRST, ChangeSet("llm", source=MIRA_MD, replies=(reply(INTRO),)), rewritten("Mira sails"))
    assert len(unanswered(store)) == 1
    assert INTRO.id in store.replies([INTRO.id])
    commit(store, replace(FIRST, episode=replace(MIRA_1, id=identify("again"))))
    assert [each.passage for each in unanswered(store)] == [HOME.id]


def test_what_sources_took_is_added_up(store, commit):
    commit(store, FIRST, SECOND)
    commit(store, ChangeSet("llm", source=MIRA_MD, replies=(reply(INTRO), reply(HOME, tokens=(50, 5)))))
    commit(store, ChangeSet("llm", source=LOG_MD, replies=(reply(TRIP, tokens=(300, 0)),)))
    assert store.spending() == (
        Spending("log.md", 1, 300, 0, 1500),
        Spending("People/Mira.md", 2, 150, 25, 3000),
    )
    commit(store, ChangeSet("removed", removed=LOG_MD.id))
    assert [each.path for each in store.spending()] == ["People/Mira.md"]


def test_groups_do_not_see_each_other(place, commit):
    one, other = place.open("one"), place.open("other")
    commit(one, FIRST, ChangeSet("llm", source=MIRA_MD, replies=(reply(INTRO),)))
    commit(other, FIRST)
    assert not other.has_replies()
    assert other.replies([INTRO.id]) == {}
    assert len(unanswered(other)) == 2
    assert other.spending() == ()


def test_what_is_erased_leaves_no_reply(store, commit):
    commit(store, FIRST, SECOND)
    commit(store, ChangeSet("llm", source=LOG_MD, replies=(reply(TRIP),)))
    commit(store, ChangeSet("forget", removed=LOG_MD.id))
    store.erase(Erasure(LOG_MD.id, None, (), (), ()))
    assert store.replies([TRIP.id]) == {}
    assert store.spending() == ()
    assert store.verify() == ()
