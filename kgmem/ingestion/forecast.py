"""What an ingest would ask a model, counted before anybody is asked or anything written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kgmem.ingestion.batching import Batch, Bounds, Estimate, Estimator, Question, batches
from kgmem.ingestion.forgotten import Forgotten
from kgmem.ingestion.intake import Intake
from kgmem.ingestion.plan import Plan, Planner, Verdict
from kgmem.ingestion.wanting import Wanting, questions
from kgmem.llm.settings import Extract
from kgmem.model import BY_MODEL
from kgmem.sources.document import Reader


def forecast(
    intake: Intake, model: str, extract: Extract, readers: Iterable[Reader], bounds: Bounds | None = None
) -> Estimate:
    """About what it would take. Of notes that are not taken in yet it is told without spaCy, which finds more names.

    Raises:
        kgmem.errors.SourceError: a folder cannot be read.
    """
    wants: list[Wanting] = []

    def every() -> Iterator[Batch]:
        for reader in readers:
            wanting = Wanting(intake.store, model, extract)
            wants.append(wanting)
            yield from batches(_questions(intake, wanting, reader), (bounds or Bounds()).passages)

    found = Estimator(intake.ontology).all(every() if extract is not Extract.NONE else ())
    return replace(found, orders=sum(each.orders for each in wants))


def _questions(intake: Intake, wanting: Wanting, reader: Reader) -> Iterator[Question]:
    """Those about files that changed, then those about what the memory holds as it is."""
    planner = Planner(intake.store, lambda: intake.ontology, reader.root, reader.kind)
    forgotten = Forgotten(intake.store, reader.root)
    seen = planner.seen()
    scan, _ = forgotten.strip(reader.scan({**forgotten.seen(seen), **seen}))
    plan = planner.plan(scan)
    yield from _of_files(intake, wanting, plan, reader)
    busy = {work.source.id for work in plan.work if work.kind in {"added", "changed"}} | {s.id for s in plan.removed}
    waiting = {source: some for source, some in wanting.sources(reader.root).items() if source not in busy}
    held = planner.again(dict.fromkeys(waiting, Verdict(BY_MODEL)))
    yield from questions(wanting, held.work, waiting, reader)


def _of_files(intake: Intake, wanting: Wanting, plan: Plan, reader: Reader) -> Iterator[Question]:
    for work in plan.work:
        if work.kind in {"added", "changed"}:
            try:
                document = reader.read(work.source.path)
            except OSError:  # the ingest will report it
                continue
            question = wanting.question_of_file(plan, work, document, intake.ontology)
            if question is not None:
                yield question
