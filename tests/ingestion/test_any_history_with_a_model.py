"""Any sequence of edits, with a model that reads the notes after each: what it tells keeps every promise too."""

from hypothesis import settings
from ingestion.readers import Reader
from ingestion.test_any_history import WITHOUT_SHRINKING, History

from kgmem.llm.settings import Extract
from kgmem.llm.spending import Limits, Spent

KNOWN = {
    "Lunch": [("Jon", "FRIEND_OF", "Mira", "Lunch with Mira and Jon"), ("Jon", "LIVES_IN", "Mira", "Lunch")],
    "far away": ("Sud", "LOCATED_IN", "Jon", "Sud is far away"),
    "paid": ("NML", "OWNED_BY", "Nord Mills", "Nord Mills paid, and NML took it"),
    "rose": [
        ("Nord Mills Ltd", "PART_OF", "Nord", "rose before Nord fell"),
        ("Nord", "OWNED_BY", "Nord Mills Ltd", "Nord Mills Ltd rose", "in 1999"),
    ],
    "came": {"subject": "Jon Berg", "predicate": "FRIEND_OF", "object": "Jon", "quote": "Jon Berg came", "ended": True},
}


class HistoryWithAModel(History):
    """It is asked about every passage once, and says the same of the same words."""

    def read_further(self, memory, vault):
        outcome = memory.read_by_model([vault], Reader(KNOWN), Extract.ALL, Spent(Limits(calls=None)))
        assert (outcome.trouble, outcome.problems, outcome.left) == (None, (), 0)
        again = memory.read_by_model([vault], Reader(KNOWN), Extract.ALL, Spent())
        assert again.spent.calls == 0


HistoryWithAModel.TestCase.settings = settings(
    max_examples=12, stateful_step_count=8, deadline=None, phases=WITHOUT_SHRINKING
)
TestHistoryWithAModel = HistoryWithAModel.TestCase
