"""What a watch costs, how soon a change can be asked about, and whether it keeps up with somebody who changes a lot.

    python bench/watch.py VAULT [--edits 200] [--idle 60] [--with-nlp] [--with-vectors] [--keep FOLDER]

Works on a copy of the vault, in a temporary folder. Prints a line for each figure; exits with 1 if a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from kgmem.resolution.names import name_key
from kgmem.store import open_store
from kgmem.store.protocol import FactQuery

_PATIENCE = 300
_LATENCIES = 10
_LATER = 86_400 * date(2999, 1, 1).toordinal()
_TICKS = os.sysconf("SC_CLK_TCK")


class Watching:
    """A watch in a process of its own, with the events that it told."""

    def __init__(self, vault: Path, store: Path, options: list[str]) -> None:
        self.events: list[tuple[float, dict]] = []
        self.complaints: list[str] = []
        command = [sys.executable, "-m", "kgmem", "--json", "--store", str(store), "watch", str(vault), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._threads = [threading.Thread(target=self._read), threading.Thread(target=self._complain)]
        for each in self._threads:
            each.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.events.append((time.monotonic(), json.loads(line)))

    def _complain(self) -> None:
        self.complaints += list(self.process.stderr or ())

    def see(self, wanted: Callable[[dict], bool], start: int = 0) -> tuple[float, dict]:
        """The first event that is wanted, from a number on; waits for it."""
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            for each in self.events[start:]:
                if wanted(each[1]):
                    return each
            if self.process.poll() is not None:
                break
            time.sleep(0.005)
        raise SystemExit(f"the watch did not tell what was waited for: {self.complaints}")

    def cpu(self) -> float:
        """Seconds of processor that it has used, with its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def megabytes(self) -> float:
        """What it holds in memory."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))

    def stop(self) -> dict:
        """End it as systemd does; gives its last event."""
        self.process.terminate()
        code = self.process.wait(_PATIENCE)
        for each in self._threads:
            each.join()
        if code:
            raise SystemExit(f"the watch ended with {code}: {self.complaints}")
        return self.events[-1][1]


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--idle", type=float, default=60)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where copy and memory stay, to look into")
    parser.add_argument("--with-nlp", action="store_true")
    parser.add_argument("--with-vectors", action="store_true")
    given = parser.parse_args()
    options = [
        *([] if given.with_nlp else ["--no-nlp"]),
        *([] if given.with_vectors else ["--no-embeddings"]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / given.vault.name
        shutil.copytree(given.vault, vault, ignore=shutil.ignore_patterns(".git"))
        try:
            return measure(vault, Path(folder), options, given)
        finally:
            if given.keep:
                shutil.copytree(folder, given.keep)


def measure(vault: Path, folder: Path, options: list[str], given: argparse.Namespace) -> int:
    """All figures of one vault."""
    store = folder / "memory.db"
    began = time.monotonic()
    watching = Watching(vault, store, options)
    at, scanned = watching.see(lambda event: event["event"] == "scanned")
    print(f"first scan: {scanned['added']:,} notes in {at - began:.1f} s")
    if given.idle:
        idle(watching, given.idle)
    latencies(watching, vault, store)
    ok = acceptance(watching, vault, store, given) if given.edits else True
    took = sorted(event["seconds"] for _, event in watching.events if event["event"] == "changed")
    print(f"batches: {len(took)}, median {took[len(took) // 2]:.2f} s, longest {took[-1]:.2f} s")
    print(f"memory: {watching.megabytes():.0f} MB")
    end = watching.stop()
    print(f"scans: {end['scans']}, of which brought something: {end['batches']}")
    problems = [event for _, event in watching.events if event["event"] == "problem" and event["path"] is None]
    print(f"faults told: {len(problems)}, lines on stderr: {len(watching.complaints)}")
    for each in [*problems, *watching.complaints][:5]:
        print(f"  {each}")
    if given.edits:
        ok &= equal_to_fresh(vault, folder, store, options)
        ok &= sound(store)
    return 0 if ok and not problems else 1


def idle(watching: Watching, seconds: float) -> None:
    """Nothing happens."""
    time.sleep(5)  # what follows the first scan is done
    events, cpu = len(watching.events), watching.cpu()
    time.sleep(seconds)
    used = watching.cpu() - cpu
    print(f"idle for {seconds:.0f} s: {len(watching.events) - events} events, {used:.2f} s of processor "
          f"({100 * used / seconds:.2f} %)")  # fmt: skip


def latencies(watching: Watching, vault: Path, store: Path) -> None:
    """From the end of a write until another process gets the new words as an answer."""
    note = min(vault.rglob("*.md"))
    told, asked = [], []
    for number in range(_LATENCIES):
        start = len(watching.events)
        word = f"zorvex{number}quill"
        with note.open("a", encoding="utf-8") as file:
            file.write(f"\n\nThe {word} stands in the hall.\n")
        began = time.monotonic()
        while not found(store, word):
            if time.monotonic() > began + _PATIENCE:
                raise SystemExit("the change never came")
            time.sleep(0.01)
        asked.append(time.monotonic() - began)
        at, _ = watching.see(lambda event: event["event"] == "changed", start)
        told.append(at - began)
    asked.sort()
    print(f"change to queryable: median {asked[len(asked) // 2]:.2f} s, worst {asked[-1]:.2f} s ({_LATENCIES} changes)")


def found(store: Path, word: str) -> bool:
    """Whether a reader finds a word."""
    memory = open_store(str(store), "default", readonly=True)
    try:
        return bool(memory.search("episodes", word, 1))
    finally:
        memory.close()


class Repeated(threading.Thread):
    """A command again and again, in processes of their own."""

    def __init__(self, store: Path, *words: str) -> None:
        super().__init__()
        self._command = [sys.executable, "-m", "kgmem", "--store", str(store), *words]
        self._end = threading.Event()
        self.runs = 0
        self.failures: list[str] = []

    def run(self) -> None:
        """Until its end."""
        while not self._end.is_set():
            done = subprocess.run(self._command, capture_output=True, text=True, check=False)
            self.runs += 1
            if done.returncode:
                self.failures.append(done.stderr.strip()[:200])

    def end(self) -> None:
        """Wait for the command that runs."""
        self._end.set()
        self.join()


def acceptance(watching: Watching, vault: Path, store: Path, given: argparse.Namespace) -> bool:
    """Somebody changes many notes at random while others ask and resolve."""
    chance = random.Random(given.seed)  # noqa: S311 - nothing secret hangs on it
    asking = Repeated(store, "ask", "What do I know about the garden?", "--no-llm")
    resolving = Repeated(store, "resolve")
    asking.start()
    resolving.start()
    began = time.monotonic()
    kinds: dict[str, int] = {}
    for kind in edits(vault, chance, given.edits):
        kinds[kind] = kinds.get(kind, 0) + 1
        time.sleep(chance.uniform(0.0, 0.3))
    changing = time.monotonic() - began
    start = len(watching.events)
    last = vault / "The very last note.md"
    last.write_text("The last of all.\n", encoding="utf-8")
    written = time.monotonic()
    at, _ = watching.see(lambda event: last.name in event.get("paths", ()), start)
    asking.end()
    resolving.end()
    settle = vault / "And one more.md"
    settle.write_text("Nobody else writes now.\n", encoding="utf-8")
    watching.see(lambda event: settle.name in event.get("paths", ()), start)
    time.sleep(5)  # the look that follows once all is quiet, and finds what was decided while it wrote
    print(f"{given.edits} changes in {changing:.0f} s: {', '.join(f'{n} {kind}' for kind, n in sorted(kinds.items()))}")
    print(f"the last one was known after {at - written:.2f} s; {asking.runs} times ask, {resolving.runs} resolve")
    for each in (*asking.failures, *resolving.failures):
        print(f"  failed: {each}")
    return not (asking.failures or resolving.failures)


def edits(vault: Path, chance: random.Random, count: int) -> Iterator[str]:
    """Changes as people and their tools make them, one at a time; gives its kind."""
    deleted: list[tuple[Path, bytes]] = []
    for number in range(count):
        notes = sorted(vault.rglob("*.md"))
        note = chance.choice(notes)
        kind = chance.choice(("edit", "edit", "save", "rename", "move", "folder", "delete", "restore", "create"))
        if kind == "edit":
            with note.open("a", encoding="utf-8") as file:
                file.write(f"\n\nSeen in the garden for the {number}th time, with [[{chance.choice(notes).stem}]].\n")
        elif kind == "save":
            partial = note.with_name(f".{note.name}.tmp")
            partial.write_bytes(note.read_bytes() + f"\n- saved {number}\n".encode())
            partial.replace(note)
        elif kind == "rename":
            note.rename(note.with_name(f"{note.stem} {number}.md"))
        elif kind == "move":
            place = vault / f"moved {number % 7}"
            place.mkdir(exist_ok=True)
            if not (place / note.name).exists():
                note.rename(place / note.name)
        elif kind == "folder" and note.parent != vault:
            note.parent.rename(note.parent.with_name(f"{note.parent.name} {number}"))
        elif kind == "delete":
            deleted.append((note, note.read_bytes()))
            note.unlink()
        elif kind == "restore" and deleted:
            place, data = deleted.pop(chance.randrange(len(deleted)))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        else:
            kind = "create"
            (vault / f"Note {number}.md").write_text(
                f"Made as number {number}, see [[{note.stem}]].\n", encoding="utf-8"
            )
        yield kind


def equal_to_fresh(vault: Path, folder: Path, store: Path, options: list[str]) -> bool:
    """Whether the memory believes now what a fresh ingest of the vault as it is comes to."""
    fresh = folder / "fresh.db"
    for command in (["ingest", str(vault), *options], ["resolve"]):
        subprocess.run(
            [sys.executable, "-m", "kgmem", "--store", str(fresh), *command], capture_output=True, check=True
        )
    subprocess.run([sys.executable, "-m", "kgmem", "--store", str(store), "resolve"], capture_output=True, check=True)
    one, other = current(store), current(fresh)
    print(f"current facts: {len(one):,} after the watch, {len(other):,} of a fresh ingest, {len(one ^ other)} differ")
    for each in sorted(map(str, one - other))[:5]:
        print(f"  only after the watch: {each}")
    for each in sorted(map(str, other - one))[:5]:
        print(f"  only of a fresh ingest: {each}")
    return one == other


def current(store: Path) -> set[tuple[str, str, str | None]]:
    """What holds from now on, by names.

    Case and accents do not count: which spelling stays where `resolve` made two one depends on when it did.
    """
    memory = open_store(str(store), "default", readonly=True)
    try:
        _, facts = memory.facts(FactQuery(valid=(_LATER, _LATER + 1)))
        who = memory.entities({each for fact in facts for each in (fact.subject, fact.object) if each})
        keys = {each: name_key(entity.name) for each, entity in who.items()}
        return {(keys[f.subject], f.predicate, keys[f.object] if f.object else f.value) for f in facts}
    finally:
        memory.close()


def sound(store: Path) -> bool:
    """Whether `kgmem doctor` finds nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "kgmem", "--store", str(store), "--json", "doctor"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    ok = bool(json.loads(done.stdout)["ok"])
    print(f"doctor: {'clean' if ok else done.stdout}")
    return ok


if __name__ == "__main__":
    sys.exit(main())
