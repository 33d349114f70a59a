"""What a model reads follows the notes: they are committed and can be asked for, and then it is asked, call by call.

What came of a call is committed before the next one is made. So Ctrl-C, a limit, a server that is gone or takes no more
requests cost one call at most; the next ingest asks about what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kgmem.errors import ModelError, ModelRefusalError, UserError
from kgmem.extraction.model.prompt import REPAIR, VERSION, rules_of, schema_of
from kgmem.extraction.model.replies import Told, UnusableReplyError, dump_told, read_part, read_reply
from kgmem.ingestion.batching import Asked, Batch, Bounds, Estimator, Question, batches
from kgmem.ingestion.intake import Intake
from kgmem.ingestion.plan import Plan, Planner, Verdict
from kgmem.ingestion.run import Progress, Run, silent
from kgmem.ingestion.wanting import Wanting, questions
from kgmem.llm.settings import Extract
from kgmem.llm.spending import Spent
from kgmem.llm.structured import Completion, Structured
from kgmem.model import BY_MODEL, Id, Problem
from kgmem.sources.document import Reader, Scan
from kgmem.store.replies import Reply

_HOPELESS: Final = 3
"""Calls in a row that came to nothing: the model is not fit for it, and each costs."""
_SHOWN_BACK: Final = 4000
"""Code points of a reply that a model sees again."""


@dataclass(frozen=True, slots=True)
class ReadByModel:
    """What came of it."""

    model: str
    spent: Spent
    passages: int = 0
    """Those that it was asked about, and gave a reply of use."""
    claims: int = 0
    """What these came to, beside what the other rungs found."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Claims that their passage did not bear out, by why."""
    left: int = 0
    """Passages that it is still to be asked about."""
    passed_over: int = 0
    """Passages that are sent to no model: too long, of a story, or giving it orders."""
    orders: int = 0
    """Those among them that give it orders."""
    seconds: float = 0.0
    """On the clock, of waiting for it."""
    problems: tuple[Problem, ...] = ()
    stopped_by: str | None = None
    """The limit that ended it."""
    trouble: UserError | None = None
    """What else did."""
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class _Answered:
    """What one batch came to."""

    replies: tuple[Reply, ...] = ()
    strays: int = 0
    """Claims that it told of no passage."""
    fault: UnusableReplyError | None = None
    """Why there is no reply, or none about some passages."""
    kept: int = 0
    """Claims that a reply told before it was cut off."""

    @property
    def passages(self) -> frozenset[Id]:
        """Passages that there is a reply about."""
        return frozenset(each.passage for each in self.replies)


class ModelReading:
    """Asks a model about what the other rungs leave open."""

    def __init__(
        self, intake: Intake, model: Structured, extract: Extract, spent: Spent, bounds: Bounds | None = None
    ) -> None:
        """Args: `spent` holds the limits of the run, and counts; `bounds` are those of each call."""
        self._intake = intake
        self._model = model
        self._extract = extract
        self._spent = spent
        self._bounds = bounds or Bounds()
        self._rules = rules_of(intake.ontology)
        self._estimator = Estimator(intake.ontology)
        self._asked = self._strays = self._failed = self._waiting = 0
        self._seconds = 0.0
        self._problems: list[Problem] = []
        self._passed_over = self._orders = 0
        self._stopped_by: str | None = None

    def run(self, readers: Iterable[Reader], progress: Progress = silent) -> ReadByModel:
        """Ask about all that is wanted of some folders, as far as the limits allow."""
        trouble: UserError | None = None
        interrupted = False
        try:
            for reader in readers:
                self._read_folder(reader, progress)
        except KeyboardInterrupt:
            interrupted = True
        except UserError as error:
            trouble = error
        answers = self._intake.answers
        answers.bring(())
        dropped = dict(answers.dropped) | ({"passage": self._strays} if self._strays else {})
        return ReadByModel(
            self._model.model, self._spent, self._asked, answers.made, {str(why): n for why, n in dropped.items()},
            self._waiting - self._asked, self._passed_over, self._orders, self._seconds, tuple(self._problems),
            self._stopped_by, trouble, interrupted,
        )  # fmt: skip

    def _read_folder(self, reader: Reader, progress: Progress) -> None:
        store = self._intake.store
        wanting = Wanting(store, self._model.model, self._extract)
        waiting = wanting.sources(reader.root)
        if not waiting:
            return
        planner = Planner(store, lambda: self._intake.ontology, reader.root, reader.kind)
        plan = planner.again(dict.fromkeys(waiting, Verdict(BY_MODEL)))
        works = {work.source.id: work for work in plan.work}
        order = [works[source] for source in waiting if source in works]
        total = sum(len(wanting.wanted(waiting[work.source.id], work)) for work in order)
        self._waiting += total
        asked = questions(wanting, order, waiting, reader)
        try:
            self._ask_all(batches(asked, self._bounds.passages), plan, reader, total, progress)
        finally:
            self._waiting -= wanting.passed_over + wanting.blank
            self._passed_over += wanting.passed_over
            self._orders += wanting.orders

    def _ask_all(self, every: Iterable[Batch], plan: Plan, reader: Reader, total: int, progress: Progress) -> None:
        works = {work.source.id: work for work in plan.work}
        run, before = Run(Scan()), self._asked
        progress(0, total, "")
        for batch in every:
            if self._is_over(batch):
                break
            answered = self._answer(batch)
            if answered.replies:
                of = [works[each.source.id] for each in batch.questions if _concerns(each, answered)]
                self._intake.answers.bring(answered.replies)
                self._intake.take_in_answers(plan, of, reader, run)
                self._asked += len(answered.replies)
                self._strays += answered.strays
                self._failed = 0
            if answered.fault is not None:
                self._report(batch, answered, answered.fault)
            progress(self._asked - before, total, batch.questions[-1].source.path)

    def _is_over(self, batch: Batch) -> bool:
        self._stopped_by = self._stopped_by or self._spent.stopped_by(*self._estimator.of(batch))
        return self._stopped_by is not None

    def _report(self, batch: Batch, answered: _Answered, fault: UnusableReplyError) -> None:
        """A problem of the first note of a batch. Raises ModelError where the model gives nothing of use at all."""
        number = len(batch.passages)
        which = "a passage" if number == 1 else f"{number} passages from here on"
        self._problems.append(
            Problem(
                batch.questions[0].source.path, batch.passages[0].line, fault.kind,
                f"what {self._model.model} replied about {which} {_came_to(answered, fault)}",
                "the next ingest asks again; a larger model may do better",
            )
        )  # fmt: skip
        self._failed += not answered.replies
        if self._failed >= _HOPELESS:
            raise ModelError(
                f"{self._model.model} gave {_HOPELESS} replies of no use, one after the other",
                "try another model, or fewer passages in a call: batch_tokens under [llm]",
            )

    # -- one call, and a second one if the first cannot be read

    def _answer(self, batch: Batch) -> _Answered:
        messages = [{"role": "system", "content": self._rules}, {"role": "user", "content": batch.text}]
        schema = schema_of(self._intake.ontology, len(batch.passages))
        try:
            first = self._complete(messages, schema)
        except ModelRefusalError as refusal:
            return _Answered(fault=UnusableReplyError("refused", refusal.message))
        try:
            return self._replies(batch, read_reply(first.text, whole=first.cut is None), (first,))
        except UnusableReplyError as error:
            fault = error
        told = read_part(first.text)
        if self._is_over(batch):
            return self._part(batch, told, (first,), fault)
        messages += [
            {"role": "assistant", "content": first.text[:_SHOWN_BACK] or "{}"},
            {"role": "user", "content": REPAIR.format(fault=fault.fault)},
        ]
        try:
            second = self._complete(messages, schema)
        except ModelRefusalError:
            return self._part(batch, told, (first,), fault)
        try:
            again = read_reply(second.text, whole=second.cut is None)
        except UnusableReplyError as error:
            return self._part(batch, _each_once(told, read_part(second.text)), (first, second), error)
        return self._replies(batch, _each_once(told, again), (first, second))

    def _part(
        self, batch: Batch, told: Sequence[Told], calls: Sequence[Completion], fault: UnusableReplyError
    ) -> _Answered:
        """What complete claims of cut replies come to: replies about the passages that they tell of.

        More may have been to come of the last one. It is asked about again, unless it is the only one: the same would
        be cut off again, and never be kept.
        """
        numbers = [number for each in told if (number := _number_of(each, batch.passages)) is not None]
        if not numbers:
            return _Answered(fault=fault)
        sure = frozenset(numbers) - {numbers[-1]} or frozenset(numbers)
        kept = [each for each in told if _number_of(each, batch.passages) in sure]
        whole = self._replies(batch, kept, calls)
        replies = tuple(each for number, each in enumerate(whole.replies) if number in sure)
        return replace(whole, replies=replies, fault=fault, kept=len(kept))

    def _complete(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, object]) -> Completion:
        done = self._model.complete(messages, schema, self._bounds.reply)
        self._spent.add(done.tokens_in, done.tokens_out)
        self._seconds += done.seconds
        return done

    def _replies(self, batch: Batch, told: Sequence[Told], calls: Sequence[Completion]) -> _Answered:
        """A reply for each passage, also where it says nothing: nobody is to ask again."""
        passages = batch.passages
        by_passage: dict[int, list[Told]] = {}
        strays = 0
        for each in told:
            number = _number_of(each, passages)
            if number is None:
                strays += 1
            else:
                by_passage.setdefault(number, []).append(replace(each, passage=1))
        shares = zip(
            *(_shares(sum(part), [each.tokens for each in passages]) for part in (
                [call.tokens_in for call in calls],
                [call.tokens_out for call in calls],
                [round(call.seconds * 1000) for call in calls],
            )),
            strict=True,
        )  # fmt: skip
        replies = (
            Reply(asked.passage, self._model.model, VERSION, dump_told(by_passage.get(number, ())), *share)
            for number, (asked, share) in enumerate(zip(passages, shares, strict=True))
        )
        return _Answered(tuple(replies), strays)


def _number_of(told: Told, passages: Sequence[Asked]) -> int | None:
    """Which passage, from 0 on, a claim was told of: the one it says, or the only one that holds its quote."""
    if 1 <= told.passage <= len(passages):
        return told.passage - 1
    if len(passages) == 1:
        return 0
    wanted = "".join(told.quote.split())
    found = [at for at, each in enumerate(passages) if wanted and wanted in "".join(each.part.text.split())]
    return found[0] if len(found) == 1 else None


def _concerns(question: Question, answered: _Answered) -> bool:
    return any(each.passage in answered.passages for each in question.passages)


def _came_to(answered: _Answered, fault: UnusableReplyError) -> str:
    if not answered.replies:
        return f"is of no use: {fault.fault}"
    claims = "1 claim" if answered.kept == 1 else f"{answered.kept} claims"
    about = "1 passage" if len(answered.replies) == 1 else f"{len(answered.replies)} passages"
    return f"cannot be read to its end: {fault.fault}; {claims} about {about} kept"


def _each_once(some: Sequence[Told], more: Sequence[Told]) -> tuple[Told, ...]:
    return tuple(dict.fromkeys((*some, *more)))


def _shares(total: int, weights: Sequence[int]) -> list[int]:
    """A whole number in parts that are in proportion to weights, and add up to it."""
    whole = sum(weights)
    ends = [total * sum(weights[: place + 1]) // whole for place in range(len(weights))]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
