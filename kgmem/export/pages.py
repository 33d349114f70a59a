"""The export of pages: read the memory, look at the folder, write what differs.

settle (site) ─▶ tell (gather, page) ─▶ compare (parts) ─▶ write (folder, manifest)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from kgmem.errors import UserError
from kgmem.export.folder import Folder
from kgmem.export.gather import Gathered
from kgmem.export.left_alone import LeftAloneError
from kgmem.export.links import Linker
from kgmem.export.manifest import MANIFEST, NOW, Entry, Manifest, Times, read_manifest
from kgmem.export.page import Page, body, properties
from kgmem.export.parts import digest, new_page
from kgmem.export.site import Site, check_unedited, read_parts, settle
from kgmem.export.target import check_target
from kgmem.model import EntityType, Id, Instant, Period, Problem
from kgmem.recall.facts import world_range
from kgmem.recall.names import list_cards
from kgmem.recall.times import moment_of
from kgmem.recall.wording import period_words
from kgmem.sources.arriving import CAPTURES
from kgmem.store.protocol import EntityCard, EntityQuery, Store


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export did, in pages; a page that moved is written."""

    written: int
    unchanged: int
    removed: int
    skipped: tuple[Problem, ...]
    """What was left alone, with paths below the export's folder."""
    total: int
    """Entities that were to have a page."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A page as it is to be."""

    entity: Id
    path: str
    hash: str
    data: bytes
    planned: bytes | None
    """What the page held when this was planned; None if there was none."""
    hashes: tuple[str, ...] = ()
    """What the manifest said until now."""
    durable: bool = False


def export_pages(
    store: Store,
    folder: Path,
    *,
    min_mentions: int = 1,
    only: Sequence[Id] | None = None,
    types: Collection[EntityType] | None = None,
    dry_run: bool = False,
    as_of: Period | None = None,
    known: Instant | None = None,
) -> ExportReport:
    """Write a page about each entity into a folder, and touch nothing else there.

    A folder holds pages of one time: those of another one, or of the present, go elsewhere. The first go into a folder
    with nothing of others in it, and never into one that was ingested: see `kgmem.export.target`.

    Args:
        store: the memory.
        folder: where to; made if it is not there.
        min_mentions: only entities that so many mentions name.
        only: only these entities; no page of another is written or removed.
        types: only entities of these types; likewise.
        dry_run: only say what would be done.
        as_of: the world period that pages tell of; all times, seen from the last record, without it.
        known: the recorded instant whose memory they tell of; now without it.

    Raises:
        kgmem.errors.UserError: the folder cannot be written to, holds the pages of another group or time, or is no
            folder for pages.
    """
    here = Folder(folder)
    times = (period_words(as_of) if as_of else None, None if known is None else str(moment_of(known)))
    check_target(here.root, (root for _, root, _ in store.roots()), again=times == NOW)
    manifest = _read_manifest(here, store.group, times)
    cards = _cards(store, min_mentions, as_of, known)
    chosen = None if only is None else frozenset(only)
    told = [
        card.entity.id for card in cards
        if (chosen is None or card.entity.id in chosen) and (types is None or card.entity.type in types)
    ]  # fmt: skip
    site = settle(here, manifest, [card.entity for card in cards], told, whole=only is None and types is None)
    run = _Run(here, manifest, site)
    changes = list(run.compare(Gathered(store, cards, frozenset(told), as_of=as_of, known=known), store, told))
    if not dry_run:
        run.carry_out(changes)
    return ExportReport(
        written=len(changes) - run.failed,
        unchanged=run.unchanged,
        removed=len(site.gone),
        skipped=tuple(sorted(run.problems, key=lambda problem: (problem.path, problem.message))),
        total=len(told),
    )


def _read_manifest(folder: Folder, group: str, times: Times) -> Manifest:
    try:
        data = folder.read(MANIFEST)
    except LeftAloneError as left:
        raise UserError(f"{MANIFEST} in {folder.root}: {left.message}", left.hint) from left
    return read_manifest(data, group, times)


def _cards(store: Store, min_mentions: int, as_of: Period | None, known: Instant | None) -> list[EntityCard]:
    """What pages are about; a thought that nothing else speaks of is quoted on the pages of what it names."""
    valid = world_range(as_of) if as_of else None
    _, cards = list_cards(store, EntityQuery(sort="name", valid=valid, known=known))
    thoughts = {source.entity for source in store.sources(CAPTURES)}
    return [
        card for card in cards
        if max(card.mentions, 1) >= min_mentions and (card.entity.id not in thoughts or card.sources > 1)
    ]  # fmt: skip


class _Run:
    """One export: what it finds and does."""

    def __init__(self, folder: Folder, manifest: Manifest, site: Site) -> None:
        self.problems = list(site.problems)
        self.unchanged = 0
        self.failed = 0
        self._folder = folder
        self._manifest = manifest
        self._site = site
        self._entries = manifest.entries()
        self._vacated = {*site.gone, *site.moves.values()}
        self._pages = {
            path: each for path, each in manifest.pages.items()
            if path in site.gone or site.paths.get(each.id) == path or site.moves.get(each.id) == path
        }  # fmt: skip

    def compare(self, gathered: Gathered, store: Store, told: Sequence[Id]) -> Iterator[_Change]:
        """The pages that are not yet as they are to be."""
        notes = ((source.root, source.path) for source in store.sources())
        link = Linker(self._folder.root, notes, self._site.paths)
        placed = sorted((self._site.paths[entity], entity) for entity in told if entity in self._site.paths)
        yield from self._emptied()
        for path, entity in placed:
            try:
                change = self._compare(path, gathered.page(entity), link)
            except LeftAloneError as left:
                self.problems.append(left.at(path))
                continue
            if change.data != change.planned or entity in self._site.moves:
                yield change
            else:
                self.unchanged += 1
                self._pages[path] = Entry(entity, (change.hash,))

    def _emptied(self) -> Iterator[_Change]:
        """Pages that outlived their entity: what a person wrote into them stays, and our part says no more."""
        for path, (entity, held, emptied) in self._site.outlived.items():
            entry = self._entries[entity]
            data = emptied.text.encode("utf-8")
            if data == held:
                self._pages[path] = Entry(entity, (emptied.digest,))
            else:
                yield _Change(entity, path, emptied.digest, data, held, entry.hashes, durable=True)

    def _compare(self, path: str, page: Page, link: Linker) -> _Change:
        entity = page.card.entity.id
        entry = self._entries.get(entity)
        ours, block = properties(page, PurePosixPath(path).stem), body(page, link)
        said = digest(ours, block)
        data = new_page(ours, block).encode("utf-8")
        there = self._there(entity, path)
        hashes = entry.hashes if entry else ()
        if there is None or there == data:
            return _Change(entity, path, said, data, there, hashes)
        parts = read_parts(there, entity)
        check_unedited(parts, entry, said)
        kept = parts.saying(ours, block).text.encode("utf-8")
        return _Change(entity, path, said, kept, there, hashes, durable=not parts.untouched)

    def _there(self, entity: Id, path: str) -> bytes | None:
        """What the page holds, wherever it lies until it moves; what makes room for it is not it."""
        lies = self._site.moves.get(entity)
        if lies is None and path in self._vacated:
            return None
        return self._folder.read(lies or path)

    def carry_out(self, changes: Sequence[_Change]) -> None:
        """Remove, move and write; the manifest says before what may be found if this is cut short."""
        if changes or self._site.gone:
            under_way = {each.path: Entry(each.entity, (*each.hashes, each.hash)) for each in changes}
            self._write_manifest({**self._pages, **under_way})
        for path, data in list(self._site.gone.items()):
            try:
                self._folder.remove(path, planned=data)
                del self._pages[path]
            except LeftAloneError as left:
                self.problems.append(left.at(path))
                del self._site.gone[path]
        order = {entity: place for place, entity in enumerate(self._site.moves)}
        for change in sorted(changes, key=lambda each: order.get(each.entity, len(order))):
            self._put(change)
        self._write_manifest(self._pages)

    def _put(self, change: _Change) -> None:
        try:
            old = self._site.moves.get(change.entity)
            if old is not None:
                self._folder.move(old, change.path)
                self._pages[change.path] = self._pages.pop(old)
            if change.data != change.planned:
                self._folder.write(change.path, change.data, planned=change.planned, durable=change.durable)
            self._pages[change.path] = Entry(change.entity, (change.hash,))
        except LeftAloneError as left:
            self.problems.append(left.at(change.path))
            self.failed += 1

    def _write_manifest(self, pages: dict[str, Entry]) -> None:
        data = replace(self._manifest, pages=pages).text().encode("utf-8")
        try:
            held = self._folder.read(MANIFEST)
            if data != held and (pages or held is not None):
                self._folder.write(MANIFEST, data, planned=held)
        except LeftAloneError as left:
            raise UserError(f"{MANIFEST} in {self._folder.root}: {left.message}", left.hint) from left
