"""A scripted model that reads notes, without a server: what it replies is a function of what it is asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from ingestion.notes import MONDAY, Notes
from llm.scripted import claims, passages_in

from kgmem.extraction.ontology import load_ontology
from kgmem.ingestion.by_model import ReadByModel
from kgmem.llm.settings import Extract
from kgmem.llm.spending import Limits, Spent
from kgmem.llm.structured import Completion
from kgmem.memory import Memory
from kgmem.sources.obsidian import Vault


@dataclass
class Reader:
    """Replies to the passages it knows: (subject, predicate, object, quote, …) by a word that stands in them."""

    known: dict = field(default_factory=dict)
    model: str = "small"
    stops: dict = field(default_factory=dict)
    """What happens instead of the reply of so many calls before."""
    asked: list = field(default_factory=list)
    """The passages of each call."""
    messages: list = field(default_factory=list)

    def complete(self, messages, _schema, _longest):
        passages = passages_in({"messages": messages})
        place = len(self.asked)
        self.asked.append(passages)
        self.messages.append([dict(message) for message in messages])
        stop = self.stops.get(place)
        if isinstance(stop, BaseException):
            raise stop
        text = self.reply(passages) if stop is None else stop
        return text if isinstance(text, Completion) else Completion(text, 100 * len(passages), 20, 2.0)

    def reply(self, passages):
        rows = [
            {"passage": number} | self._row(row)
            for number, passage in enumerate(passages, 1)
            for word, told in self.known.items()
            if word in passage
            for row in (told if isinstance(told, list) else [told])
        ]
        return claims(*rows) if rows else json.dumps({"claims": []})

    @staticmethod
    def _row(row):
        if isinstance(row, dict):
            return row
        return dict(zip(("subject", "predicate", "object", "quote", "start", "end", "ended"), row, strict=False))


def read(notes: Notes, model: Reader, now: str = MONDAY, *, extract=Extract.NEEDED, limits=None, **how) -> ReadByModel:
    """Let a model read the vault, as an ingest does in its end."""
    vault = Vault(notes.vault)
    vault.scan({})
    with notes.store(now) as store:
        return Memory(store, load_ontology()).read_by_model([vault], model, extract, Spent(limits or Limits()), **how)
