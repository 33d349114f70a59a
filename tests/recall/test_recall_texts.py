"""That a question reads each of its texts once, and which it reads where facts answer."""

import pytest
from ingestion.notes import Notes

from kgmem.model import Id
from kgmem.recall.answer import ask
from kgmem.recall.texts import Texts

NOW = 739_500 * 86_400


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    notes = Notes(tmp_path_factory.mktemp("harbour"))
    notes.write({
        "Ole.md": "---\ntype: person\nworks at: '[[Dock]]'\n---\nKeeps bees.\n",
        "Diary.md": "Ole works at [[Dock]] and likes it.\n",
        "Dock.md": "---\ntype: company\n---\nIt floats.\n",
        "Bees.md": "[[Ole]] sold honey at the market.\n",
    }).ingest()  # fmt: skip
    return notes


@pytest.fixture
def store(harbour):
    with harbour.store() as opened:
        yield opened


class Counting:
    """A store that counts what is asked of it."""

    def __init__(self, store):
        self._store = store
        self.placed_ids, self.searched = [], []

    def placed(self, passages, *, known=None):
        asked = list(passages)
        self.placed_ids += asked
        return self._store.placed(asked, known=known)

    def search(self, scope, text, limit, **times):
        self.searched.append((text, limit))
        return self._store.search(scope, text, limit, **times)


def test_a_text_is_read_once_in_the_order_asked_for(store):
    counting = Counting(store)
    texts = Texts(counting, None)
    honey, bees = texts.found("honey", 5)[0].id, texts.found("bees", 5)[0].id
    none = Id("0" * 16)
    assert list(texts.placed([bees, none, honey])) == [bees, honey]
    assert list(texts.placed([honey, bees, none])) == [honey, bees]
    assert texts.placed([honey])[honey].passage.text == "[[Ole]] sold honey at the market."
    assert sorted(counting.placed_ids) == sorted([honey, bees, none])


def test_words_are_looked_for_again_only_to_find_more(store):
    counting = Counting(store)
    texts = Texts(counting, None)
    both = texts.found("bees honey", 10)
    assert len(both) == 3  # the honey, "Keeps bees.", and the title
    assert texts.found("bees honey", 1) == both[:1]
    assert counting.searched == [("bees honey", 10)]
    texts.found("bees honey", 11)
    assert counting.searched == [("bees honey", 10), ("bees honey", 11)]
    texts.found("bees honey", 5, (0, 1))
    assert counting.searched[2:] == [("bees honey", 5)]


def steps(answer):
    return [step.name for step in answer.trace.steps]


def test_where_facts_answer_no_walk_is_made_and_what_tells_them_is_shown(store):
    found = ask(store, "where does Ole work", now=NOW)
    assert found.text.startswith("Ole works at Dock")
    assert steps(found) == ["question", "own notes", "text", "fusion"]
    assert [each.source for each in found.passages[:2]] == ["Ole.md", "Diary.md"]


def test_a_name_with_words_that_no_fact_answers_is_still_walked_from(store):
    assert "graph" in steps(ask(store, "Ole market", now=NOW))
    assert "graph" in steps(ask(store, "why does Ole keep bees", now=NOW))
    assert "graph" not in steps(ask(store, "what do I know about Ole", now=NOW))
