"""An answer in a model's words, where a person named a model: it comes sentence by sentence, with what each cites."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kgmem.errors import UserError

if TYPE_CHECKING:
    from kgmem.cli.session import Session
    from kgmem.llm.chat import Chat
    from kgmem.recall.answer import Answer
    from kgmem.recall.phrasing import Phrasing

_BUDGET = 3_000
"""Tokens of evidence that a model is given: what small local models read in a second or two."""


def wording_of(here: Session) -> Wording | None:
    """What words answers; None if the configuration names no model.

    Raises:
        ConfigurationError: it names one that cannot be asked.
    """
    from kgmem.llm.chat import LlmSettings, find_chat

    config = here.config()
    chat = find_chat(LlmSettings(config.llm_model, config.llm_url))
    return None if chat is None else Wording(here, chat)


@dataclass(slots=True)
class Wording:
    """Words one answer. Call it with the answer: each sentence that stands is shown as it comes."""

    here: Session
    chat: Chat
    phrasing: Phrasing | None = field(default=None, init=False)
    """What the model made of it; None where nothing of that is of use."""

    def __call__(self, answer: Answer) -> Answer:
        """The answer with the model's text, or as it was where the model fails: a note says why."""
        self.phrasing = self._phrase(answer)
        if self.phrasing is None:
            return answer
        trace = replace(answer.trace, tokens=self.chat.tokens, model=self.chat.model)
        return replace(answer, text=self.phrasing.text, trace=trace)

    def _phrase(self, answer: Answer) -> Phrasing | None:
        from kgmem.cli.dates import today
        from kgmem.recall.context import context
        from kgmem.recall.phrasing import Phrasing

        output = self.here.output
        lines = [item.text for item in context(answer, _BUDGET).items]
        phrasing = Phrasing(self.chat, answer.question, lines, str(today(self.here.config().now)))
        try:
            for sentence in phrasing:
                if not output.as_json:
                    self._show(sentence)
        except UserError as error:
            output.note(f"{error.message}: what stands here was found without it")
            return phrasing if phrasing.sentences else None
        if count := len(phrasing.left_out):
            said = "one sentence" if count == 1 else f"{count} sentences"
            output.note(f"{said} of {self.chat.model} left out: your notes do not carry what is said there")
        elif not phrasing.text:
            output.note(f"{self.chat.model} said nothing: what stands here was found without it")
        return phrasing if phrasing.text else None

    def _show(self, text: str) -> None:
        from kgmem.cli.output import clean

        self.here.output.line((clean(text), "bold"))

    def show(self) -> bool:
        """Show the lines that the sentences cite, by their numbers; gives whether there is anything of the model."""
        from kgmem.cli.output import clean

        if self.phrasing is None:
            return False
        if not self.phrasing.sentences:
            self._show(self.phrasing.text)
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
