"""How long a model is waited for."""

import threading
import time

import pytest

from kgmem.errors import ModelError
from kgmem.llm import patience
from kgmem.llm.chat import LlmSettings
from kgmem.llm.patience import PatientChat


class Scripted:
    """A model that says pieces; a number among them is a silence of so many seconds, unless nobody listens any more."""

    model = "small"
    tokens = 7

    def __init__(self, *pieces):
        self.pieces = pieces
        self.said = []
        self.released = threading.Event()

    def answer(self, *_):
        for piece in self.pieces:
            if isinstance(piece, ModelError):
                raise piece
            if isinstance(piece, str):
                self.said.append(piece)
                yield piece
            else:
                self.released.wait(piece)


def patient(chat, slow=lambda: None, **settings):
    return PatientChat(chat, LlmSettings("small", **settings), slow)


def test_all_pieces_come_through_in_order():
    chat = patient(Scripted("a", "", "b"))
    assert list(chat.answer("", "")) == ["a", "", "b"]
    assert (chat.model, chat.tokens) == ("small", 7)


def test_what_goes_wrong_comes_after_what_was_said():
    pieces = patient(Scripted("a", ModelError("gone"))).answer("", "")
    assert next(pieces) == "a"
    with pytest.raises(ModelError, match="gone"):
        next(pieces)


def test_silence_ends_it():
    model = Scripted("a", 30, "b")
    pieces = patient(model, timeout=0.05).answer("", "")
    assert next(pieces) == "a"
    with pytest.raises(ModelError, match="has said nothing for 0"):
        next(pieces)
    model.released.set()


def test_it_ends_though_it_is_never_silent():
    model = Scripted(*["a", 0.02] * 500)
    heard = []
    with pytest.raises(ModelError, match="is not done after 0"):
        heard.extend(patient(model, longest_wait=0.1).answer("", ""))
    model.released.set()


def test_slowness_is_told_once(monkeypatch):
    monkeypatch.setattr(patience, "SOON", 0.01)
    told = []
    assert list(patient(Scripted(0.05, "a", 0.05, "b"), lambda: told.append("slow")).answer("", "")) == ["a", "b"]
    assert told == ["slow"]


def test_who_stops_reading_stops_the_model():
    model = Scripted("a", 0.01, *["b"] * 10_000)
    pieces = patient(model).answer("", "")
    assert next(pieces) == "a"
    pieces.close()
    for _ in range(100):
        time.sleep(0.01)
        if model.said[-1:] == ["b"]:
            break
    assert len(model.said) < 10_000
