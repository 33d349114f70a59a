"""Where each page is to be, given what is in the folder: which stay, move, are new, or go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from kgmem.export.folder import Folder
from kgmem.export.left_alone import LeftAloneError
from kgmem.export.manifest import Entry, Manifest
from kgmem.export.names import page_paths
from kgmem.export.parts import Parts, take_apart
from kgmem.model import Entity, Id, Problem


@dataclass(slots=True)
class Site:
    """The pages of an export as they will be."""

    paths: dict[Id, str] = field(default_factory=dict)
    """Of every entity that has a page, or gets one."""
    moves: dict[Id, str] = field(default_factory=dict)
    """Where the pages lie now that move, in an order in which each finds its place free."""
    gone: dict[str, bytes] = field(default_factory=dict)
    """Untouched pages of entities that get none any more, with what they hold."""
    outlived: dict[str, tuple[Id, bytes, Parts]] = field(default_factory=dict)
    """Pages of such entities in which a person wrote: the entity, what the page holds, and its parts without ours."""
    problems: list[Problem] = field(default_factory=list)


def read_parts(data: bytes, entity: Id) -> Parts:
    """The parts of a page that lies at the place of an entity's.

    Raises:
        LeftAloneError: it is not ours, or not that entity's, or broken.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LeftAloneError("encoding", "it is not UTF-8", "save it as UTF-8") from error
    if "kgmem_id" not in text:
        raise LeftAloneError("in-the-way", "a file that is not ours is in the way", "move or rename it")
    parts = take_apart(text)
    if parts.ours.get("kgmem_id") != (entity,):
        raise LeftAloneError("in-the-way", "it is the page of something else", "move it away, or delete it")
    return parts


def check_unedited(parts: Parts, entry: Entry | None, wanted: str | None = None) -> None:
    """Make sure that our part of a page is what we wrote, or is about to be written (`wanted`, a hash).

    Raises:
        LeftAloneError: a person edited it, or nobody knows.
    """
    said = parts.digest
    if said == wanted or (entry is not None and said in entry.hashes):
        return
    if entry is None:
        raise LeftAloneError(
            "unknown-page", "an export wrote it that the manifest does not know", "delete the page to have it made anew"
        )
    raise LeftAloneError(
        "edited",
        "it was edited inside our part",
        "move your text below the markers, or delete the page to have it anew",
    )


def settle(
    folder: Folder, manifest: Manifest, entities: Sequence[Entity], told: Collection[Id], *, whole: bool
) -> Site:
    """Decide where pages are to be.

    Args:
        folder: the export's.
        manifest: what is ours there.
        entities: all that could have a page; they decide about names.
        told: those whose pages are written now.
        whole: whether pages of other entities have no place here any more.
    """
    held = {each.id: path for path, each in sorted(manifest.pages.items()) if _is_there(folder, path)}
    wanted = page_paths(entities, held)
    settling = _Settling(folder, manifest.entries(), held)
    if whole:
        settling.let_go([entity for entity in held if entity not in wanted])
    own = {entity: wanted[entity] for entity in sorted(told, key=wanted.__getitem__)}
    settling.let_move({entity: path for entity, path in own.items() if held.get(entity, path) != path})
    settling.let_come({entity: path for entity, path in own.items() if entity not in held})
    return settling.site


def _is_there(folder: Folder, path: str) -> bool:
    try:
        return folder.exists(path)
    except LeftAloneError:
        return True


class _Settling:
    """The decisions, one kind after the other: each frees places for the next."""

    def __init__(self, folder: Folder, entries: Mapping[Id, Entry], held: Mapping[Id, str]) -> None:
        self.site = Site(paths=dict(held))
        self._folder = folder
        self._entries = entries
        self._leaving: set[str] = set()
        """Paths that will be free."""

    def let_go(self, entities: Sequence[Id]) -> None:
        """Drop pages that have no place here any more; of one in which a person wrote, only our part."""
        for entity in entities:
            path = self.site.paths[entity]
            try:
                data = self._folder.read(path) or b""
                parts = read_parts(data, entity)
                check_unedited(parts, self._entries[entity])
            except LeftAloneError as left:
                self.site.problems.append(left.at(path))
                continue
            if not parts.untouched:
                self.site.outlived[path] = entity, data, parts.saying({"kgmem_id": (entity,)}, "")
                why = "its entity is gone, but your text is in it"
                self.site.problems.append(LeftAloneError("outlived", why, "delete it when you will").at(path))
                continue
            self.site.gone[path] = data
            del self.site.paths[entity]
            self._leaving.add(path)

    def let_move(self, wanted: Mapping[Id, str]) -> None:
        """Move pages whose entity is named otherwise now, those first whose new place is free.

        A page that was edited stays; its update says so.
        """
        paths = self.site.paths
        pending = {entity: path for entity, path in wanted.items() if self._is_unedited(entity, paths[entity])}
        while ready := [entity for entity, path in pending.items() if self._is_free(path, paths[entity])]:
            for entity in ready:
                self._leaving.add(paths[entity])
                self.site.moves[entity] = paths[entity]
                paths[entity] = pending.pop(entity)
        for entity, path in pending.items():
            left = LeftAloneError("in-the-way", f"it cannot move to {path}: something is there", "move that away")
            self.site.problems.append(left.at(paths[entity]))

    def let_come(self, wanted: Mapping[Id, str]) -> None:
        """Give places to new pages: where nothing is, or where a page lies that the manifest forgot."""
        for entity, path in wanted.items():
            try:
                data = None if path in self._leaving else self._folder.read(path)
                if data is not None:
                    read_parts(data, entity)
            except LeftAloneError as left:
                self.site.problems.append(left.at(path))
                continue
            self.site.paths[entity] = path

    def _is_unedited(self, entity: Id, path: str) -> bool:
        try:
            check_unedited(read_parts(self._folder.read(path) or b"", entity), self._entries[entity])
        except LeftAloneError:
            return False
        return True

    def _is_free(self, path: str, old: str) -> bool:
        try:
            return path in self._leaving or not self._folder.exists(path) or self._folder.same(path, old)
        except LeftAloneError:
            return False
