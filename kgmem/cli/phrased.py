"""An answer in a model's words, where a person named a model: it comes sentence by sentence, with what each cites.

What was found without it never waits long: it is shown as soon as the model proves to be slow, and its words below it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from kgmem.errors import ConfigurationError, UserError

if TYPE_CHECKING:
    from kgmem.cli.session import Session
    from kgmem.llm.chat import Chat, LlmSettings
    from kgmem.recall.answer import Answer
    from kgmem.recall.phrasing import Phrasing

_BUDGET = 3_000
"""Tokens of evidence that a model is given: what small local models read in a second or two."""
_WITHOUT = "what stands here was found without it"


def wording_of(here: Session, show: Callable[[Answer], None]) -> Wording | None:
    """What words answers; None if the configuration names no model, or one that cannot be asked, which a note says.

    Args:
        here: the run.
        show: shows an answer as it was found, for when the model is slow.
    """
    from kgmem.llm.chat import LlmSettings, find_chat

    config = here.config()
    settings = LlmSettings(config.llm_model, config.llm_url)
    if config.llm_timeout:
        settings = replace(settings, timeout=config.llm_timeout, longest_wait=3 * config.llm_timeout)
    try:
        chat = find_chat(settings)
    except ConfigurationError as error:
        here.output.note(f"{error.message} ({error.hint}): {_WITHOUT}")
        return None
    return None if chat is None else Wording(here, chat, settings, show)


@dataclass(slots=True)
class Wording:
    """Words one answer. Call it with the answer: each sentence that stands is shown as it comes."""

    here: Session
    chat: Chat
    settings: LlmSettings
    show_found: Callable[[Answer], None]
    early: bool = field(default=False, init=False)
    """Whether what was found is shown already, for the model was slow."""
    phrasing: Phrasing | None = field(default=None, init=False)
    """What the model made of it; None where nothing of that is of use."""

    def __call__(self, answer: Answer) -> Answer:
        """The answer with the model's text, or as it was where the model fails: a note says why.

        Where nothing was found there is nothing to word, and no model is asked.
        """
        from kgmem.store.conversations import Step

        if not (answer.facts or answer.passages):
            return answer
        began = perf_counter()
        phrasing, trouble = self._phrase(answer)
        text = phrasing.text if phrasing.sentences or not trouble else ""
        self.phrasing = phrasing if text else None
        self._tell(phrasing, trouble)
        if self.phrasing and not phrasing.sentences and answer.told:
            self.here.output.note(f"found without {self.chat.model}: {answer.text}")
        stand, left_out = len(phrasing.sentences), len(phrasing.left_out)
        step = Step("model", (), round(perf_counter() - began, 6), trouble or f"{stand} sentences, {left_out} left out")
        spent = replace(answer.trace, steps=(*answer.trace.steps, step), tokens=self.chat.tokens, model=self.chat.model)
        return replace(answer, text=text or answer.text, trace=spent)

    def _phrase(self, answer: Answer) -> tuple[Phrasing, str]:
        """(what the model made of an answer, why it came to no end)."""
        from kgmem.cli.dates import today
        from kgmem.llm.patience import PatientChat
        from kgmem.recall.context import context
        from kgmem.recall.phrasing import Phrasing
        from kgmem.recall.tenses import asked_of

        items = context(answer, _BUDGET).items
        lines = [item.text for item in items]
        asked = asked_of(items, answer.at, dated=answer.period is not None)
        day = str(today(self.here.config().now))
        chat = PatientChat(self.chat, self.settings, lambda: self._show_early(answer, phrasing))
        phrasing = Phrasing(chat, answer.question, lines, day, asked)
        try:
            for sentence in phrasing:
                if not self.here.output.as_json:
                    self._show(sentence, first=len(phrasing.sentences) == 1)
        except UserError as error:
            return phrasing, error.message
        except KeyboardInterrupt:
            return phrasing, f"no longer waiting for {chat.model}"
        return phrasing, ""

    def _show_early(self, answer: Answer, phrasing: Phrasing) -> None:
        output = self.here.output
        if not output.as_json and not phrasing.sentences:
            self.early = True
            self.show_found(answer)
            output.flush()
        output.note(f"waiting for the words of {phrasing.chat.model}; Ctrl-C does without")

    def _tell(self, phrasing: Phrasing, trouble: str) -> None:
        """Say what of the model is not shown, and why."""
        output, model = self.here.output, phrasing.chat.model
        left_out = len(phrasing.left_out)
        if trouble:
            output.note(f"{trouble}: {'its words may be incomplete' if phrasing.sentences else _WITHOUT}")
        elif left_out:
            said = "one sentence" if left_out == 1 else f"{left_out} sentences"
            output.note(f"{said} of {model} left out: your notes do not carry what is said there")
        elif not phrasing.text:
            output.note(f"{model} said nothing: {_WITHOUT}")

    def _show(self, text: str, *, first: bool) -> None:
        from kgmem.cli import lines
        from kgmem.cli.output import clean

        output = self.here.output
        if first and self.early:
            lines.heading(output, f"In the words of {clean(self.chat.model)}")
        output.line((clean(text), "bold"))
        output.flush()

    def show(self) -> bool:
        """Show the lines that the sentences cite, by their numbers; gives whether there is anything of the model."""
        from kgmem.cli.output import clean

        if self.phrasing is None:
            return False
        if not self.phrasing.sentences:
            self._show(self.phrasing.text, first=True)
        for number in self.phrasing.cited:
            self.here.output.line((f"[{number}] {clean(self.phrasing.lines[number - 1]).lstrip('-> ')}", "dim"))
        return True

    def as_json(self) -> dict[str, Any]:
        """What the model did, in the form that scripts rely on."""
        if self.phrasing is None:
            return {"model": None}
        phrasing = self.phrasing
        cited = [{"number": number, "line": phrasing.lines[number - 1]} for number in phrasing.cited]
        return {"model": {"name": self.chat.model, "cited": cited, "left_out": list(phrasing.left_out)}}
