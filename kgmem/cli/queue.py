"""A queue that a person works through at a terminal: one thing, one key, and every decision is saved at once."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

from kgmem.cli.stopping import met
from kgmem.errors import TurnTakenError, UserError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Item = TypeVar("Item")
Item_contra = TypeVar("Item_contra", contravariant=True)

_END = "\x04"
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.)?")
"""What an arrow or function key sends."""


@dataclass(frozen=True, slots=True)
class Done:
    """A step that was taken."""

    says: str
    """What it came to, for the person."""
    kind: str
    """What the summary counts it as."""
    token: object = None
    """What the desk needs to take it back."""


class Desk(Protocol[Item_contra]):
    """What a queue is about: how a thing is shown and decided."""

    help: Sequence[tuple[str, str]]
    """(key, what it does) of every choice, in sentences."""

    def look(self, item: Item_contra) -> RenderableType | None:
        """What a person needs to see; None if what was decided meanwhile has settled it."""

    def choices(self, item: Item_contra) -> Mapping[str, str]:
        """The decisions that can be taken: a key, and a word for it."""

    def decide(self, item: Item_contra, key: str) -> Done:
        """Take a decision, and save it.

        Raises:
            UserError: it cannot be; the person may choose again.
        """

    def undo(self, item: Item_contra, done: Done) -> None:
        """Take a decision back: it is as if it had never been taken."""

    def links(self, item: Item_contra) -> Iterable[tuple[str, str]]:
        """(a note, the address that opens it) of what is shown, those worth opening first."""

    def left(self) -> str:
        """How much waits now, as a sentence."""


class Keys:
    """Single keys from the terminal, without Enter where it can."""

    _typed = ""

    def __enter__(self) -> Self:
        """Keys are not echoed from now on."""
        try:
            import termios
        except ImportError:
            self._held = None
        else:
            self._held = termios.tcgetattr(sys.stdin.fileno())
        return self

    def __exit__(self, *_: object) -> None:
        """The terminal is as it was."""
        if self._held is not None:
            import termios

            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._held)

    def forget(self) -> None:
        """Drop what was typed ahead: nobody decides about what they have not seen."""
        self._typed = ""
        if self._held is not None:
            import termios
            import tty

            tty.setcbreak(sys.stdin.fileno(), termios.TCSADRAIN)
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def press(self) -> str:
        """The next key; the end of input is Ctrl-D, and keys that are no letter are passed over."""
        if self._held is None:
            import click

            return click.getchar()[:1]
        while not self._typed:
            some = os.read(sys.stdin.fileno(), 64)
            self._typed = _SEQUENCE.sub("", some.decode("utf-8", "ignore")) if some else _END
        key, self._typed = self._typed[0], self._typed[1:]
        return key


class Interrupts:
    """Ctrl-C and a polite kill: they stop the program between two decisions, and never within one."""

    def __init__(self) -> None:
        self._deciding = False
        self._met = False

    def __enter__(self) -> Self:
        """Signals are met here from now on."""
        self._held = {each: signal.signal(each, self._meet) for each in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        """Signals are met as before."""
        for each, handler in self._held.items():
            signal.signal(each, handler)

    @contextmanager
    def held_off(self) -> Iterator[None]:
        """Finish what is done here first.

        Raises:
            KeyboardInterrupt: at the end, if there was a signal.
        """
        self._deciding = True
        try:
            yield
        finally:
            self._deciding = False
        if self._met:
            raise KeyboardInterrupt

    def _meet(self, number: int, _frame: FrameType | None) -> None:
        met(number)
        if not self._deciding:
            raise KeyboardInterrupt
        self._met = True


@dataclass
class Queue(Generic[Item]):
    """One way through the things that wait. Ctrl-C, a kill or the end of input leave what was decided decided."""

    desk: Desk[Item]
    items: Sequence[Item]
    console: Console
    keys: Keys
    turn: Callable[[], AbstractContextManager[object]] = nullcontext
    """The turn to write, for one decision: while a person thinks, others have it."""
    _interrupts: Interrupts = field(default_factory=Interrupts)
    _at: int = 0
    _taken: list[tuple[int, Done]] = field(default_factory=list)
    _over: bool = False

    def work(self) -> None:
        """Show one thing after the other, until there is none or the person has enough.

        Raises:
            KeyboardInterrupt: there was Ctrl-C or a kill; the summary was given.
        """
        with self._interrupts, self.keys:
            try:
                while not self._over:
                    self._next()
            except KeyboardInterrupt:
                self.console.print()
                raise
            finally:
                self._summary()

    def _next(self) -> None:
        if self._at >= len(self.items):
            self._finish()
            return
        item = self.items[self._at]
        shown = self.desk.look(item)
        if shown is None:
            self._at += 1
            return
        from rich.rule import Rule

        self.console.print(Rule(f"{self._at + 1} of {len(self.items)}", style="dim"))
        self.console.print(shown)
        self.console.print()
        self._ask(item)

    def _ask(self, item: Item) -> None:
        """Ask until something is decided about one thing."""
        at = self._at
        while self._at == at and not self._over:
            choices = {**self.desk.choices(item), "s": "skip", **self._undo(), "o": "open", "q": "quit", "?": "help"}
            key = self._key(choices)
            if key in self.desk.choices(item):
                self._decide(item, key)
            elif key == "s":
                self._took(Done("skipped", "skipped"))
            elif key == "o":
                self._open(item)
            elif key == "u":
                self._take_back()
                return
            elif key == "?":
                self._explain()
            else:
                self._over = True

    def _finish(self) -> None:
        """Nothing waits any more: the last step can still be taken back."""
        if not self._taken:
            self._over = True
            return
        self.console.print("That was the last.")
        if self._key({"u": "undo", "q": "quit"}) == "u":
            self._take_back()
        else:
            self._over = True

    def _undo(self) -> dict[str, str]:
        return {"u": "undo"} if self._taken else {}

    def _key(self, choices: Mapping[str, str]) -> str:
        """The first key pressed that means something."""
        from rich.text import Text

        parts = (part for key, word in choices.items() for part in ((key, "bold"), f" {word}   "))
        self.keys.forget()
        self.console.print(Text.assemble(*parts, "> "), end="")
        while True:
            key = self.keys.press()
            key = key.lower() if key.lower() in choices else "q" if key == _END else key
            if key in choices:
                self.console.print(key)
                return key

    # -- what keys do

    def _decide(self, item: Item, key: str) -> None:
        self.console.print("…", style="dim", end="\r")  # notes may have to be read again
        try:
            with self.turn(), self._interrupts.held_off():
                self._took(self.desk.decide(item, key))
        except UserError as error:
            self.console.print(f"{error.message}\n  {error.hint}" if error.hint else error.message, markup=False)

    def _took(self, done: Done) -> None:
        self._taken.append((self._at, done))
        self._at += 1
        self.console.print(done.says, markup=False)

    def _take_back(self) -> None:
        at, done = self._taken[-1]
        if done.token is not None:
            try:
                with self.turn(), self._interrupts.held_off():
                    self.desk.undo(self.items[at], done)
                    self._went_back()
            except TurnTakenError as error:
                self.console.print(error.message, markup=False)
                return
            self.console.print(f"taken back: {done.says}", markup=False)
        else:
            self._went_back()

    def _went_back(self) -> None:
        self._at, _ = self._taken.pop()

    def _open(self, item: Item) -> None:
        """Show the addresses of notes, and open the first where there is a desktop to open it on."""
        links: dict[str, str] = {}
        for name, address in self.desk.links(item):
            links.setdefault(address, name)
        for address, name in links.items():
            self.console.print(f"{name}  {address}", markup=False, soft_wrap=True)
        if links and _has_desktop():
            import click

            click.launch(next(iter(links)))
        if not links:
            self.console.print("No note to open.")

    def _explain(self) -> None:
        for key, words in (
            *self.desk.help,
            ("s", "skip: it waits until the next time"),
            ("u", "undo: take back the last step, and show it again"),
            ("o", "open: the notes that this is about, in Obsidian"),
            ("q", "quit; Ctrl-C too. What is decided stays decided"),
        ):
            self.console.print(f"  {key}  {words}", markup=False)

    def _summary(self) -> None:
        counts = Counter(done.kind for _, done in self._taken)
        did = ", ".join(f"{number} {kind}" for kind, number in counts.items()) or "nothing decided"
        self.console.print(f"{did}; {self.desk.left()}", markup=False)


def _has_desktop() -> bool:
    """Whether a program of the desktop can show something; elsewhere a text browser might take the terminal."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
