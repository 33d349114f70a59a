"""What a person said to forget stays out of what a folder brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kgmem.ingestion.plan import born, seen_of
from kgmem.model import DecisionKind, Id, Source
from kgmem.sources.document import Found, Scan, Seen
from kgmem.store.protocol import Store


class Forgotten:
    """The sources and contents of one folder that are not to be taken in again."""

    def __init__(self, store: Store, root: str) -> None:
        self._contents: dict[Id, set[str]] = {}
        """By source; an empty one stands for whatever the source says."""
        forgets = (each for each in store.decisions() if each.kind is DecisionKind.FORGET)
        holding = [each for each in forgets if each.holds and each.source]
        for decision in holding:
            self._contents.setdefault(decision.source or "", set()).add(decision.hash)
        ever = store.sources_ever(self._contents)
        erased = [each for each in holding if each.source not in ever]
        self._erased_contents = {each.hash for each in erased if each.hash}
        self._erased_names = {name for each in erased if not each.hash for name in (each.source, *each.others)}
        self._root = root
        self._ever = {name: source for name, source in ever.items() if source.root == root}
        self.gone: dict[Id, Source] = {}
        """Those of them that are not live."""

    def seen(self, live: Mapping[str, Seen]) -> dict[str, Seen]:
        """By path, what a scan is to know besides what is live, so that it meets what was forgotten again."""
        standing = {each.id for each in live.values()}
        self.gone = {name: source for name, source in self._ever.items() if name not in standing}
        return {each.path: seen_of(each) for each in self.gone.values() if each.path not in live}

    def strip(self, scan: Scan) -> tuple[Scan, tuple[Source, ...]]:
        """(the scan without what is forgotten, the forgotten sources whose files are no longer as they were)."""
        if not self._contents:
            return scan, ()
        found = [pair for pair in (*scan.changed, *scan.moved) if not self._admits(*pair)]
        followed = [self._as_found(seen, now.path, now.size, now.mtime_ns, now.hash) for seen, now in found]
        followed += [self._as_found(each, each.path, each.size, each.mtime_ns, each.hash) for each in scan.touched]
        met = {seen.id for seen, _ in (*scan.changed, *scan.moved)} | {s.id for s in (*scan.touched, *scan.removed)}
        stripped = replace(
            scan,
            added=tuple(found for found in scan.added if not self._erased(found)),
            changed=tuple((seen, found) for seen, found in scan.changed if self._admits(seen, found)),
            moved=tuple((seen, found) for seen, found in scan.moved if self._admits(seen, found)),
            touched=tuple(seen for seen in scan.touched if seen.id not in self.gone),
            removed=tuple(seen for seen in scan.removed if seen.id not in self.gone),
            unchanged=scan.unchanged - len(self.gone.keys() - met),
        )
        return stripped, tuple(each for each in followed if each is not None)

    def _as_found(self, seen: Seen, path: str, size: int, mtime_ns: int, digest: str) -> Source | None:
        source = self.gone.get(seen.id)
        return source and replace(source, path=path, size=size, mtime_ns=mtime_ns, hash=digest)

    def _admits(self, seen: Seen, found: Found) -> bool:
        return not self._refuses(seen.id, found.hash)

    def _refuses(self, source: Id, content: str) -> bool:
        contents = self._contents.get(source, ())
        return "" in contents or content in contents

    def _erased(self, found: Found) -> bool:
        """Whether a file is one whose source was erased: where it stood, or its content, tells."""
        return found.hash in self._erased_contents or born(self._root, found.path) in self._erased_names
