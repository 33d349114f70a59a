"""What one run of a command works with: its options, its configuration, its memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from kgmem.cli.output import Output
from kgmem.cli.record import Record
from kgmem.errors import ConfigurationError, StorePasswordError, UserError

if TYPE_CHECKING:
    from kgmem.config import Config
    from kgmem.embedding.embedder import Embedder, EmbeddingSettings
    from kgmem.embedding.reranker import Reranker
    from kgmem.extraction.entities import Recognizer
    from kgmem.extraction.gliner.labelling import Labeller
    from kgmem.extraction.ontology import Ontology
    from kgmem.memory import Memory
    from kgmem.sources.document import Reader
    from kgmem.store.protocol import Store
    from kgmem.store.turns import Turn


_LEAST_SECONDS = 1.0
"""How long a transaction waits for another, which is a matter of moments, also where nobody is to be waited for."""


@dataclass(frozen=True, slots=True)
class Session:
    """The global options of one run."""

    output: Output
    store_url: str | None = None
    group: str | None = None
    config_file: Path | None = None
    wait_seconds: float | None = None
    """How long to wait for another command; None for as long as a person looks on."""
    record: Record = field(default_factory=Record)
    """What this run comes to, for the log file."""

    def config(self) -> Config:
        """The configuration under these options."""
        from kgmem.config import load_config

        refuse_password(self.store_url)
        config = load_config(self.config_file, store=self.store_url, group=self.group)
        self.record.use(config)
        return config

    @contextmanager
    def reading(self) -> Iterator[Store]:
        """The store, to read."""
        with self._store(readonly=True) as store:
            yield store

    def ontology(self) -> Ontology:
        """What keys, headings and types mean: ours, with the person's own over it."""
        from kgmem.extraction.ontology import load_ontology

        config = self.config()
        ontology = load_ontology(config.ontology, config.owner, config.packs, config.ontology_files)
        ontology.merging = config.merging
        return ontology

    def recognizer(self) -> Recognizer | None:
        """What finds names that no note is about; None if it is turned off, or not installed, which a note says."""
        return _recognizer(self.config(), self.output)

    def labeller(self) -> Labeller | None:
        """What finds names and relations by labels of a person's own; None without a model for it.

        Raises:
            ConfigurationError: a label means a predicate that there is not.
        """
        settings = self.config().gliner
        if settings.model is None:
            return None
        from kgmem.extraction.gliner.claims import undefined
        from kgmem.extraction.gliner.labelling import Labeller

        if unknown := undefined(settings.relations, self.ontology().predicates):
            raise ConfigurationError(
                f"gliner.relations speaks of {', '.join(unknown)}, which no ontology has",
                "`kgmem ontology list` shows what there is",
            )
        return Labeller(settings)

    def embedder(self, model: str | None = None) -> Embedder | None:
        """What tells what words mean, by the model named here or else the one that is set; None if there is none."""
        from kgmem.embedding.embedder import PACKAGED, find_embedder

        settings = self._embedding()
        if model is not None and model != settings.model:
            settings = replace(settings, model=model, dimension=None)
        return find_embedder(replace(settings, url=None) if model == PACKAGED else settings)

    def embedder_of(self, store: Store) -> Embedder | None:
        """What made the vectors of a memory, for questions; None if it has none, or nothing here can make such."""
        from kgmem.embedding.embedder import find_embedder_of

        present = store.vector_model()
        return None if present is None else find_embedder_of(present.name, replace(self._embedding(), few=True))

    def reranker(self) -> Reranker | None:
        """What reads the best passages of a question again; None if none is set."""
        folder = self.config().reranker
        if folder is None:
            return None
        from kgmem.embedding.reranker import find_reranker

        return find_reranker(folder)

    def _embedding(self) -> EmbeddingSettings:
        from kgmem.embedding.embedder import EmbeddingSettings

        config = self.config()
        return EmbeddingSettings(config.embedding_model, config.embedding_url, config.embedding_dimension)

    @contextmanager
    def memory(self, *, nlp: bool | None = None, meaning: bool = False) -> Iterator[Memory]:
        """The memory, to change; without `nlp`, notes are read again with spaCy if they were read with it before.

        With `meaning` it knows what names mean, if an embedder is set or installed.
        """
        from kgmem.memory import Memory

        with self._store(readonly=False) as store:
            rungs = store.rungs() if nlp is None else frozenset({"spacy", "gliner"} if nlp else ())
            recognizer = self.recognizer() if "spacy" in rungs else None
            labeller = self.labeller() if "gliner" in rungs else None
            embedder = self.embedder() if meaning else None
            yield Memory(
                store, self.ontology, recognizer, self.config().bands, embedder, labeller=labeller, readers=self.reader
            )
            if labeller is not None and labeller.words and self.output.verbose:
                speed = f"{labeller.words / max(labeller.seconds, 1e-9):,.0f} words a second"
                self.output.note(f"gliner: {labeller.words:,} words in {labeller.seconds:.1f} s, {speed}")

    @contextmanager
    def changing(self) -> Iterator[Store]:
        """The store, to write what is no knowledge."""
        with self._store(readonly=False) as store:
            yield store

    def writing_turn(self, wait: float | None = None, *, url: str | None = None, group: str | None = None) -> Turn:
        """The turn to write in many transactions, for a block of `with`: see `kgmem.store.turns.Turn`.

        A command that writes a single one needs none: the store has it wait. `Turn.paused` lets others go ahead while
        a person is asked. Open the memory first, which makes the folder that it is in.

        Args:
            wait: seconds to wait for another command; without it, as `--wait` says.
            url: another store than that of these options.
            group: another group.
        """
        from kgmem.store.turns import Turn

        config = self.config()
        return Turn(
            url or config.store,
            group or config.group,
            f"kgmem {self.record.command}".strip(),
            wait_seconds=self.patience_seconds if wait is None else wait,
            waiting=self._say_waiting if sys.stderr.isatty() or self.output.verbose else None,
        )

    @property
    def patience_seconds(self) -> float:
        """How long to wait for another command."""
        from kgmem.store import WAIT_SECONDS

        return WAIT_SECONDS if self.wait_seconds is None else self.wait_seconds

    def _say_waiting(self, who: str) -> None:
        self.output.note(f"waiting: {who}")

    @contextmanager
    def _store(self, *, readonly: bool) -> Iterator[Store]:
        config = self.config()
        store = self.open(config.store, config.group, now=config.now, readonly=readonly)
        try:
            yield store
        finally:
            store.close()

    def reader(self, root: str, kind: str) -> Reader:
        """The reader of a root that the memory holds."""
        from kgmem.sources.opening import open_reader

        return open_reader(root, kind, self.config().source_settings())

    def generation(self, group: str) -> Store:
        """A generation of the memory by its name, to write, also one that is not complete."""
        config = self.config()
        return self.open(config.store, group, now=config.now, unfinished=True)

    def open(self, url: str, group: str, **options: Any) -> Store:
        """A group's memory. A server that wants a password is told the one that a person types, if one is there.

        Args:
            url: as `kgmem.store.open_store` takes it, with the same options.
            group: the tenant.
            options: the rest of them.
        """
        from kgmem.store import holds_password, open_store

        login = self.config().login()
        options.setdefault("wait_seconds", max(self.patience_seconds, _LEAST_SECONDS))
        try:
            return open_store(url, group, environ=login, **options)
        except StorePasswordError:
            told = "NEO4J_PASSWORD" in login or holds_password(url)
            if told or not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise
        password = typer.prompt("Password of the server", hide_input=True, err=True)
        return open_store(url, group, environ={**login, "NEO4J_PASSWORD": password}, **options)


def refuse_password(url: str | None) -> None:
    """Raise UserError for the URL of a store, typed into a command, that holds a password."""
    from kgmem.store import holds_password

    if url is not None and holds_password(url):
        raise UserError(
            "a password in a command stays in the history of the shell",
            "set NEO4J_PASSWORD, or write it into the configuration",
        )


def session(context: typer.Context) -> Session:
    """The session that the global options made."""
    return cast("Session", context.find_root().obj)


def _recognizer(config: Config, output: Output) -> Recognizer | None:
    from kgmem.extraction.entities import Recognizer

    if config.nlp_model == "none":
        return None
    if config.nlp_model is None and not Recognizer.available():
        output.note("names that no note is about stay unknown without spaCy: pip install 'kgmem[nlp]'")
        return None
    return Recognizer(config.nlp_model, processes=config.nlp_processes or os.cpu_count() or 1)
