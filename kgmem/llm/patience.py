"""A model is waited for so long and no longer: another thread listens, so that a silent server holds nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Final

from kgmem.errors import ModelError, UserError
from kgmem.llm.chat import Chat, LlmSettings

SOON: Final = 2.0
"""Seconds after which a person would rather read something than wait for the best."""

_Heard = str | UserError | None
"""A piece, why there are no more, or that it was the last."""


class PatientChat:
    """A `Chat` that gives up: after `timeout` seconds of silence, and `longest_wait` seconds in all.

    What a server sends without saying anything, such as a ping, breaks no silence. `slow` is called once, by who reads,
    if the answer is not complete after `SOON` seconds.
    """

    def __init__(self, chat: Chat, settings: LlmSettings, slow: Callable[[], None] = lambda: None) -> None:
        self.model = chat.model
        self._chat = chat
        self._settings = settings
        self._slow = slow

    @property
    def tokens(self) -> int:
        """See `Chat.tokens`."""
        return self._chat.tokens

    def answer(self, rules: str, prompt: str) -> Iterator[str]:
        """See `Chat.answer`. Who stops reading stops the model, with its next piece at the latest."""
        heard: SimpleQueue[_Heard] = SimpleQueue()
        enough = Event()
        Thread(target=_listen, args=(self._chat, rules, prompt, heard, enough), daemon=True).start()
        try:
            yield from self._pieces(heard)
        finally:
            enough.set()

    def _pieces(self, heard: SimpleQueue[_Heard]) -> Iterator[str]:
        began = spoke = monotonic()
        soon, told = began + SOON, False
        while True:
            now = monotonic()
            if not told and now >= soon:
                told = True
                self._slow()
            self._refuse_late(now - began, now - spoke)
            until = min(began + self._settings.longest_wait, spoke + self._settings.timeout)
            try:
                piece = heard.get(timeout=max(0.0, (until if told else min(until, soon)) - monotonic()))
            except Empty:
                continue
            if piece is None:
                return
            if isinstance(piece, UserError):
                raise piece
            spoke = monotonic()
            yield piece

    def _refuse_late(self, waited: float, silent: float) -> None:
        hint = "is it busy, or still loading the model? [llm] timeout in the configuration waits longer"
        if waited >= self._settings.longest_wait:
            raise ModelError(f"{self.model} is not done after {_seconds(self._settings.longest_wait)}", hint)
        if silent >= self._settings.timeout:
            raise ModelError(f"{self.model} has said nothing for {_seconds(self._settings.timeout)}", hint)


def _seconds(number: float) -> str:
    return f"{number:.0f} second{'' if number == 1 else 's'}"


def _listen(chat: Chat, rules: str, prompt: str, heard: SimpleQueue[_Heard], enough: Event) -> None:
    last: _Heard = None
    try:
        for piece in chat.answer(rules, prompt):
            heard.put(piece)
            if enough.is_set():
                break
    except UserError as error:
        last = error
    finally:
        heard.put(last)
