"""From a note to its account: it is read again as the next ingest would, and compared with what the memory holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kgmem.beliefs import Revision, revise
from kgmem.errors import SourceError
from kgmem.explain.account import Account, Dating, Differences, DroppedTold, State, Status
from kgmem.explain.finding import Note
from kgmem.explain.held import Held, former_claims, held_before, held_now
from kgmem.explain.left_out import why_left_out
from kgmem.explain.telling import Said, Teller, dropped_told, links_by_passage, type_held, type_now
from kgmem.extraction.grammar import telling_of
from kgmem.extraction.ladder import readable
from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.answers import Answers
from kgmem.ingestion.plan import Plan, Planner, Work, names_of
from kgmem.ingestion.reading import Reading, open_keys, propose, read
from kgmem.model import (
    AliasKind,
    Basis,
    Bound,
    Id,
    Instant,
    Mention,
    Moment,
    Problem,
    Source,
    day_of,
    show_instant,
    unique,
)
from kgmem.resolution.directory import named_entity
from kgmem.sources.arriving import Arriving, is_folder
from kgmem.sources.document import Document
from kgmem.sources.obsidian import Vault
from kgmem.store.protocol import Store

if TYPE_CHECKING:
    from kgmem.extraction.entities import Recognizer
    from kgmem.extraction.gliner.labelling import Labeller

_UNREAD = frozenset({"encoding", "unreadable"})
"""Kinds of problems for which a scan does not read a file, and keeps what is known of it."""
_CONFLICT = "conflict-copy"


@dataclass(frozen=True, slots=True)
class _Tools:
    """What a note is read with."""

    store: Store
    ontology: Ontology
    vault: Vault | Arriving
    now: Instant
    recognizer: Recognizer | None
    labeller: Labeller | None


@dataclass(frozen=True, slots=True)
class _Again:
    """A note as it reads now, and what the next ingest would do with its claims."""

    work: Work
    document: Document
    reading: Reading
    revision: Revision
    problems: tuple[Problem, ...]
    dropped: tuple[DroppedTold, ...]


def explain(
    store: Store,
    ontology: Ontology,
    vault: Vault | Arriving,
    note: Note,
    *,
    now: Instant,
    recognizer: Recognizer | None = None,
    labeller: Labeller | None = None,
) -> Account:
    """How a note is read, and how that differs from what the memory holds.

    Args:
        store: the memory.
        ontology: what keys, headings and types mean.
        vault: the folder of the note.
        note: which one; see `kgmem.explain.find_note`.
        now: the present: a claim that an edit ends would end on its day.
        recognizer: finds named entities that no note is about, as in an ingest.
        labeller: finds names and relations by labels of a person's own, as in an ingest.

    Raises:
        kgmem.errors.SourceError: the folder cannot be read, and the memory holds nothing of the note.
    """
    if note.removed is not None and note.source is not None:
        return _removed(store, note.source, note.removed.recorded_at)
    planner = Planner(store, lambda: ontology, vault.root, vault.kind)
    try:
        scan = vault.scan(planner.seen())
    except SourceError as error:
        if note.source is None:
            raise
        return _only_held(store, held_now(store, note.source), State.UNREADABLE, (error.message, error.hint))
    problems = tuple(problem for problem in scan.problems if problem.path == note.path)
    plan = planner.plan(scan, reread=True)
    work = _work_of(plan, note)
    if work is None or any(problem.kind in _UNREAD for problem in problems):
        return _without_reading(store, vault, note, problems)
    held_source = store.source(work.source.id)
    held = None if held_source is None else held_now(store, held_source)
    again = _read(_Tools(store, ontology, vault, now, recognizer, labeller), plan, work, held)
    return _account(store, ontology, again, held, problems)


def _work_of(plan: Plan, note: Note) -> Work | None:
    """What an ingest would do with the note: found by its id, since it may have moved, else by its path."""
    if note.source is not None:
        return next((work for work in plan.work if work.source.id == note.source.id), None)
    return next((work for work in plan.work if work.source.path == note.path), None)


# -- a note that is read


def _read(tools: _Tools, plan: Plan, work: Work, held: Held | None) -> _Again:
    store, ontology = tools.store, tools.ontology
    document = _document(tools, work)
    language = None
    if tools.recognizer is not None:
        ((_, language),) = tools.recognizer.read([(None, readable(document))], telling_of(ontology))
    labelled = None
    if tools.labeller is not None:
        ((_, labelled),) = tools.labeller.label([(None, readable(document))])
    further = Answers(store).of(work, document, ontology)
    extraction = propose(plan, work, document, ontology, language, labelled=labelled, further=further)
    open_names = ((key, named_entity(key)) for key in open_keys(extraction, plan.directory))
    reading = read(work, document, extraction, plan.directory, store.linked(open_names))
    revision = revise(
        held.claims if held else (),
        reading.claims,
        ontology.rule,
        partial(store.claims_taken, work.source.id),
        passages={passage.id for passage in reading.passages},
        episode=held.episode.id if held and held.episode else "",
        now=tools.now,
        seen=Bound(Moment.day(day_of(tools.now)), Basis.OBSERVED),
    )
    dropped = tuple(dropped_told(reading.passages, each) for each in extraction.dropped)
    return _Again(work, document, reading, revision, tuple(extraction.problems), dropped)


def _document(tools: _Tools, work: Work) -> Document:
    """The text of the file; of what stands in no folder, the one that the memory keeps unless another arrives."""
    source = work.source
    if work.kind == "replayed" and not is_folder(source.root):
        kept = tools.store.episode(source.id)
        if kept is not None:
            return tools.vault.parse(source.path, kept.body, mtime_ns=source.mtime_ns)
    return tools.vault.read(source.path)


def _account(
    store: Store, ontology: Ontology, again: _Again, held: Held | None, problems: Iterable[Problem]
) -> Account:
    source, document, reading, revision = again.work.source, again.document, again.reading, again.revision
    differences = _differences(again, held)
    state = _state(again, held)
    message, hint = _verdict(state, source, held, differences)
    ending = {*revision.withdrawn, *(claim for claim, _ in revision.replaced)}
    standing = held.standing if held else ()
    said = [Said(claim, Status.ASSERTED) for claim in standing if claim.id not in ending]
    said += [Said(claim, Status.NEW) for _, claim in revision.added]
    former = [Said(claim, Status.ENDING) for claim in standing if claim.id in ending]
    if held is not None:
        former += former_claims(store, held, standing)
    known = {_spot(mention) for mention in held.mentions} if held else set()
    teller = Teller(store, reading)
    return Account(
        state=state,
        message=message,
        hint=hint,
        root=source.root,
        path=source.path,
        kind=source.kind,
        title=document.head.title,
        source=held.source if held else source,
        hash=document.hash,
        episode=held.episode if held else None,
        recorded=held.recorded if held else (),
        dating=Dating(document.occurred, document.dated_by, document.daily),
        type=type_now(store, ontology, source, document, again.work.typing),
        aliases=tuple(
            (name, kind.value) for name, kind in dict.fromkeys(names_of(document.head)) if kind is not AliasKind.TITLE
        ),
        passages=teller.passages(
            reading.passages,
            [(mention, _spot(mention) in known) for mention in reading.mentions],
            said,
            links_by_passage(reading.passages, document.blocks),
            {passage.id for passage in held.passages} if held else set(),
        ),
        former=teller.claims(former),
        differences=differences,
        problems=_in_order((*again.problems, *problems)),
        dropped=again.dropped,
    )


def _in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(unique(problems), key=lambda problem: (problem.line, problem.kind, problem.message)))


def _differences(again: _Again, held: Held | None) -> Differences:
    if held is None:
        return Differences()
    passages, before = {each.id for each in again.reading.passages}, {each.id for each in held.passages}
    mentions, known = set(map(_spot, again.reading.mentions)), set(map(_spot, held.mentions))
    standing = {claim.id for claim in held.standing}
    return Differences(
        passages_new=len(passages - before),
        passages_gone=len(before - passages),
        mentions_new=len(mentions - known),
        mentions_gone=len(known - mentions),
        claims_new=len(again.revision.added),
        claims_gone=len(again.revision.replaced) + len(standing.intersection(again.revision.withdrawn)),
    )


def _spot(mention: Mention) -> tuple[Id, Id, int, int]:
    return mention.passage, mention.entity, mention.start, mention.end


def _state(again: _Again, held: Held | None) -> State:
    if held is None:
        return State.NEW
    if again.work.source.path != held.source.path:
        return State.MOVED
    same = held.episode is not None and held.episode.hash == again.document.hash
    return State.UNCHANGED if same else State.CHANGED


def _verdict(state: State, source: Source, held: Held | None, differences: Differences) -> tuple[str, str]:
    """(what is to be said of it in a sentence, what helps)."""
    if not is_folder(source.root):
        return _verdict_on_arrived(held, differences)
    if held is None:
        return "never read; this is how it would be read", f"kgmem ingest {source.root}"
    if state is State.MOVED:
        return f"the file stood at {held.source.path} when it was read", f"kgmem ingest {source.root}"
    if state is State.CHANGED:
        return "the file was changed since it was read", f"kgmem ingest {source.root}"
    if differences:
        return "the file is as it was, but would be read differently now", f"kgmem ingest --reread {source.root}"
    return "the file is as it was when it was read", ""


def _verdict_on_arrived(held: Held | None, differences: Differences) -> tuple[str, str]:
    """The same of what stands in no folder: only the memory keeps it."""
    if held is None:
        return "never read; this is how it would be read", ""
    if differences:
        return "it is as it arrived, but would be read differently now", "kgmem reextract"
    return "it is as it arrived; it stands in no folder, and the memory keeps it", ""


# -- a note that is not


def _without_reading(store: Store, vault: Vault | Arriving, note: Note, problems: tuple[Problem, ...]) -> Account:
    """A note that a scan does not read: it cannot be, it is passed over, or it is not there."""
    ingest = f"kgmem ingest {note.root}"
    found = {problem.kind: problem for problem in problems}
    if unread := next((found[kind] for kind in sorted(_UNREAD) if kind in found), None):
        state, says = State.UNREADABLE, (f"the file was not read: {unread.message}", unread.hint)
    elif conflict := found.get(_CONFLICT):
        state, says = State.LEFT_OUT, (conflict.message, conflict.hint)
    elif isinstance(vault, Vault) and note.file.exists():
        state, says = State.LEFT_OUT, why_left_out(vault, note.path)
        if note.source is not None:
            says = f"{says[0]}; the memory holds what it said before", ingest
    else:
        state, says = State.GONE, ("the file is gone; this is what the memory holds", ingest)
    if note.source is not None:
        return _only_held(store, held_now(store, note.source), state, says, vault=vault, problems=problems)
    title = PurePosixPath(note.path).stem
    return Account(state, *says, note.root, note.path, vault.kind, title, problems=problems)


def _removed(store: Store, source: Source, at: Instant) -> Account:
    says = f"it was taken out of the memory on {show_instant(at)}, when its file was gone; this is what it said"
    return _only_held(store, held_before(store, source, at), State.REMOVED, (says, ""))


def _only_held(
    store: Store,
    held: Held,
    state: State,
    says: tuple[str, str],
    *,
    vault: Vault | Arriving | None = None,
    problems: tuple[Problem, ...] = (),
) -> Account:
    """What the memory holds. Links are those of the text that it keeps, if there is a folder to resolve them in."""
    source, episode = held.source, held.episode
    document, dating = None, Dating(held.occurred)
    if vault is not None and episode is not None:
        document = vault.parse(source.path, episode.body, mtime_ns=source.mtime_ns)
        dating = replace(dating, dated_by=document.dated_by, daily=document.daily)
    teller = Teller(store)
    entity = store.entities([source.entity]).get(source.entity) if source.entity else None
    standing = held.standing if state is not State.REMOVED else ()
    return Account(
        state,
        *says,
        root=source.root,
        path=source.path,
        kind=source.kind,
        title=source.title,
        source=source,
        episode=episode,
        recorded=held.recorded,
        dating=dating,
        type=None if entity is None else type_held(store, source, entity),
        aliases=_held_aliases(store, source),
        passages=teller.passages(
            held.passages,
            [(mention, True) for mention in held.mentions],
            [Said(claim, Status.ASSERTED) for claim in standing],
            links_by_passage(held.passages, document.blocks) if document else {},
            {passage.id for passage in held.passages},
        ),
        former=teller.claims(former_claims(store, held, standing)),
        problems=_in_order((*(document.problems if document else ()), *problems)),
    )


def _held_aliases(store: Store, source: Source) -> tuple[tuple[str, str], ...]:
    """The names that the source gives to what it is about, as the memory has them."""
    own = (alias for alias in store.aliases_from(source.id) if alias.entity == source.entity)
    return unique((alias.name, alias.kind.value) for alias in own if alias.kind is not AliasKind.TITLE)
