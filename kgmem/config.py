"""What a person may set: a TOML file, the environment over it, the command line over both."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgmem.errors import ConfigurationError
from kgmem.extraction.gliner.settings import KEYS as GLINER_KEYS
from kgmem.extraction.gliner.settings import GlinerSettings, read_gliner_settings
from kgmem.extraction.policy import Merging, Strategy
from kgmem.llm.settings import ReadingSettings, read_settings
from kgmem.log_settings import KEYS as LOG_KEYS
from kgmem.log_settings import LogSettings, read_log_settings
from kgmem.resolution.bands import Bands

if TYPE_CHECKING:
    from kgmem.sources.document import SourceSettings

DEFAULT_GROUP = "default"
DEFAULT_EXPORT = "kgmem-pages"

TEMPLATE = """\
# The configuration of kgmem. Every line is optional; a line that starts with # is not read.

# Where the memory lives. Never inside a folder that a sync service watches.
# store = "sqlite:////home/me/.local/share/kgmem/memory.db"

# Whose or what memory: groups in one store never see each other.
# group = "default"

# Whose notes they are: who "I" is in a sentence. Without it, "I work at Acme" says nothing.
# owner = "Mira Lang"

# Where `kgmem export` writes pages.
# export = "~/notes/kgmem-pages"

[ontology]
# Predicates and types for more fields: research, work, fiction, games. `kgmem ontology list` shows what each says.
# packs = ["research"]
# And your own, in files of the same form; a file is looked for beside this one.
# files = ["ontology.yaml"]

[extraction]
# What counts where two rungs say different things of one sentence: "agreement" (what most found), "confidence",
# "span" (the longest name) or "ladder" (the best rung). `kgmem doctor NOTE` shows what was left out.
# merge = "agreement"
# What is less sure than this, from 0 to 1, is left out.
# min_confidence = 0.0

[sources]
# More to leave out, in the manner of .gitignore. A file .kgmemignore in the vault does the same.
# ignore = ["Clippings/", "*.excalidraw.md"]
# Properties that date a note, the best first.
# date_keys = ["date", "day", "when", "created"]

[readwise]
# Where `kgmem sync readwise` asks, with READWISE_TOKEN or what `--login` put into the keyring. No token stands here.
# url = "https://readwise.io/api/v2"

[nlp]
# A spaCy pipeline that finds names of people, places and organizations; "none" turns it off.
# model = "en_core_web_sm"
# Worker processes; 0 is one for each core.
# processes = 0

[gliner]
# Names of your own kinds, and relations between them, by a small network: pip install 'kgmem[gliner]'.
# The weights: a folder, or an id on the hub, from where they are fetched only if `download` says so.
# model = "~/models/gliner_small-v2.1"
# download = false
# The least score of what is taken, from 0 to 1.
# threshold = 0.5

[gliner.labels]
# "grape variety" = "Object/Grape"
# person = "Person"

[gliner.relations]
# "works for" = "WORKS_AT"
# employs = "inverse WORKS_AT"

[embedding]
# What tells what words mean: the model of kgmem[embeddings] if it is installed, "none", or a model of a server.
# model = "nomic-embed-text"
# The server, which speaks OpenAI's protocol; else OPENAI_BASE_URL. Names and passages are sent there.
# url = "http://localhost:11434/v1"
# dimension = 768

[llm]
# A model that words the answers of `kgmem ask`, from what is found and from nothing else. None is needed.
# It is asked to read your notes only if `extract` says so.
# model = "qwen3:8b"
# The server, which speaks OpenAI's protocol; else OPENAI_BASE_URL. Questions, facts and passages are sent there.
# url = "http://localhost:11434/v1"
# Seconds for which it may be silent; a whole answer may take three times as long.
# timeout = 20
# Also let it read passages for `kgmem ingest`: those that the other rungs leave open ("needed"), "all", or "none".
# extract = "needed"
# What one ingest may take at most; the next one goes on. `kgmem ingest --dry-run` tells what there is to ask.
# calls = 200
# tokens = 500000
# money = 1.0
# About how many tokens of passages go into one call, and how long the server may keep silent, in seconds.
# batch_tokens = 1200
# extract_timeout = 120

[llm.prices]
# What a million tokens cost, sent and received, so that money can be counted; "*" is any other model.
# "gpt-4o-mini" = [0.15, 0.60]

[neo4j]
# Who asks a Neo4j server; else NEO4J_USERNAME and NEO4J_PASSWORD, or you are asked. Let nobody else read this file.
# username = "neo4j"
# password = "…"

[ask]
# Questions and their answers are kept, for `kgmem why` and `kgmem conversations`; false keeps none.
# remember = true

[recall]
# A cross-encoder that reads the best passages of `kgmem ask` again: a folder with model.onnx and BERT's vocab.txt.
# reranker = "~/models/ms-marco-MiniLM-L6-v2"

[log]
# A file that remembers what the commands did: when, which, how many, what went wrong. Never what your notes say.
# file = "kgmem.log"
# From "debug" (each that begins, too) over "info" and "warning" (problems) to "error" (failures alone).
# level = "info"
# Bytes before a new one is begun, and how many older ones are kept.
# size = 1000000
# keep = 5

[archive]
# Where `kgmem archive` moves the texts of old episodes: a folder, or any URL that fsspec knows. Texts are sent there.
# to = "~/archive"

[resolution]
# Two things that are alike at least this much become one, and can be taken apart again.
# merge = 0.95
# From here up to that, you are asked: kgmem review merges. Below, they are two.
# pending = 0.85
"""

_KNOWN = {
    "": {"store", "group", "owner", "export", "ontology"}
    | {
        "extraction",
        "gliner",
        "sources",
        "nlp",
        "embedding",
        "llm",
        "ask",
        "neo4j",
        "recall",
        "resolution",
        "readwise",
        "log",
        "archive",
    },
    "archive": {"to"},
    "recall": {"reranker"},
    "readwise": {"url"},
    "ontology": {"packs", "files"},
    "gliner": set(GLINER_KEYS),
    "extraction": {"merge", "min_confidence"},
    "ask": {"remember"},
    "sources": {"ignore", "date_keys"},
    "nlp": {"model", "processes"},
    "llm": {"model", "url", "timeout", "extract", "calls", "tokens", "money", "batch_tokens"}
    | {"extract_timeout", "prices"},
    "neo4j": {"username", "password"},
    "log": set(LOG_KEYS),
    "resolution": {"merge", "pending"},
    "embedding": {"model", "url", "dimension"},
}


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that is set, with the file it came from."""

    path: Path
    store: str
    group: str = DEFAULT_GROUP
    owner: str | None = None
    """The name of whose memory it is."""
    export: Path | None = None
    archive: str | None = None
    """Where old bodies go: a folder or a URL."""
    ontology: Path | None = None
    """A file whose entries replace ours: `ontology = "…"` at the top of the configuration."""
    packs: tuple[str, ...] = ()
    """Names of packs that ship, to be laid on our ontology."""
    ontology_files: tuple[Path, ...] = ()
    """Files of a person's own, on top of the packs."""
    merging: Merging = field(default_factory=Merging)
    """What decides where rungs disagree."""
    gliner: GlinerSettings = field(default_factory=GlinerSettings)
    ignore: tuple[str, ...] = ()
    date_keys: tuple[str, ...] = ()
    nlp_model: str | None = None
    nlp_processes: int = 0
    bands: Bands = field(default_factory=Bands)
    embedding_model: str | None = None
    embedding_url: str | None = None
    embedding_dimension: int | None = None
    llm_model: str | None = None
    llm_url: str | None = None
    readwise_url: str | None = None
    reranker: Path | None = None
    """The folder of a cross-encoder."""
    llm_timeout: int | None = None
    """Seconds."""
    llm_reading: ReadingSettings = field(default_factory=ReadingSettings)
    """Whether the model reads notes too, and how much it may take."""
    remember: bool = True
    """Whether questions and their answers are kept."""
    now: datetime | None = None
    """The pinned clock (`KGMEM_NOW`)."""
    log: LogSettings | None = None
    """A file that remembers what the commands did."""
    server_user: str | None = None
    server_password: str | None = field(default=None, repr=False)

    def login(self, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
        """The environment that says who asks a server; what it does not say, the file does."""
        known = {"NEO4J_USERNAME": self.server_user, "NEO4J_PASSWORD": self.server_password}
        return {**{name: value for name, value in known.items() if value}, **environ}

    def source_settings(self) -> SourceSettings:
        """What readers of sources need to know."""
        from kgmem.sources.document import SourceSettings

        return replace(SourceSettings(ignore=self.ignore), **({"date_keys": self.date_keys} if self.date_keys else {}))


def config_path() -> Path:
    """Where the configuration is, unless `--config` says otherwise."""
    from click import get_app_dir

    return Path(get_app_dir("kgmem")) / "config.toml"


def default_store() -> str:
    """The URL of the store in the user's data folder."""
    from kgmem.home import data_folder

    return f"sqlite:///{data_folder() / 'memory.db'}"


def load_config(
    path: Path | None = None,
    *,
    store: str | None = None,
    group: str | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """Read the configuration.

    Args:
        path: the file; one that is named must exist, the default one need not.
        store: overrides everything.
        group: overrides everything.
        environ: `KGMEM_STORE`, `KGMEM_GROUP`, `KGMEM_EMBEDDING` (a model, or none) and `KGMEM_NOW` are looked up here.

    Raises:
        ConfigurationError: it cannot be read, or says what means nothing.
    """
    file = path or config_path()
    data = _read(file, required=path is not None)
    own = data.get("ontology")
    packs = own if isinstance(own, dict) else {}
    sections = ("sources", "nlp", "llm", "neo4j", "resolution", "embedding", "ask", "recall")
    sources, nlp, llm, neo4j, resolution, embedding, asking, recall = (data.get(each, {}) for each in sections)
    return Config(
        path=file,
        store=store or environ.get("KGMEM_STORE") or _text(file, data, "store") or default_store(),
        group=group or environ.get("KGMEM_GROUP") or _text(file, data, "group") or DEFAULT_GROUP,
        owner=_text(file, data, "owner"),
        export=_folder(_text(file, data, "export")),
        archive=_text(file, data.get("archive", {}), "to"),
        ontology=None if isinstance(own, dict) else _folder(_text(file, data, "ontology")),
        packs=_texts(file, packs, "packs"),
        ontology_files=tuple(file.parent / Path(each).expanduser() for each in _texts(file, packs, "files")),
        gliner=read_gliner_settings(file, data.get("gliner", {})),
        merging=_merging(file, data.get("extraction", {})),
        ignore=_texts(file, sources, "ignore"),
        date_keys=_texts(file, sources, "date_keys"),
        nlp_model=_text(file, nlp, "model"),
        nlp_processes=_number(file, nlp, "processes"),
        bands=_bands(file, resolution),
        embedding_model=environ.get("KGMEM_EMBEDDING") or _text(file, embedding, "model"),
        embedding_url=_text(file, embedding, "url"),
        embedding_dimension=_number(file, embedding, "dimension") or None,
        llm_model=_text(file, llm, "model"),
        llm_url=_text(file, llm, "url"),
        readwise_url=_text(file, data.get("readwise", {}), "url"),
        reranker=_folder(_text(file, recall, "reranker")),
        llm_timeout=_number(file, llm, "timeout") or None,
        llm_reading=read_settings(file, llm),
        remember=_flag(file, asking, "remember", default=True),
        now=_now(environ.get("KGMEM_NOW")),
        log=read_log_settings(file, data.get("log", {})),
        server_user=_text(file, neo4j, "username"),
        server_password=_text(file, neo4j, "password"),
    )


def _read(file: Path, *, required: bool) -> dict[str, Any]:
    if not required and not file.exists():
        return {}
    import tomllib

    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigurationError(f"there is no configuration {file}", "`kgmem init` writes one") from None
    except OSError as error:
        raise ConfigurationError(f"the configuration {file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"the configuration {file} is not TOML: {error}") from error
    for section, known in _KNOWN.items():
        table = data.get(section, {}) if section else data
        if section == "ontology" and isinstance(table, str):  # a file that replaces entries, as before there were packs
            continue
        if not isinstance(table, dict):
            raise ConfigurationError(f"[{section}] in {file} is not a section")
        for key in table.keys() - known:
            name = f"{section}.{key}" if section else key
            raise ConfigurationError(f"{file} sets {name!r}, which means nothing", f"known: {', '.join(sorted(known))}")
    return data


def _text(file: Path, table: Mapping[str, Any], key: str) -> str | None:
    value = table.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigurationError(f"{key} in {file} is not text: {value!r}", f'write {key} = "…"')
    return value


def _texts(file: Path, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ConfigurationError(f"{key} in {file} is not a list of texts: {value!r}", f'write {key} = ["…", "…"]')
    return tuple(value)


def _number(file: Path, table: Mapping[str, Any], key: str) -> int:
    value = table.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ConfigurationError(f"{key} in {file} is not a whole number from 0 on: {value!r}")
    return value


def _flag(file: Path, table: Mapping[str, Any], key: str, *, default: bool) -> bool:
    value = table.get(key, default)
    if not isinstance(value, bool):
        raise ConfigurationError(f"{key} in {file} is neither true nor false: {value!r}", f"write {key} = false")
    return value


def _bands(file: Path, table: Mapping[str, Any]) -> Bands:
    for key, value in table.items():
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ConfigurationError(f"{key} in {file} is not a number: {value!r}", f"write {key} = 0.9")
    return Bands(**table)


def _merging(file: Path, table: Mapping[str, Any]) -> Merging:
    strategies = [each.value for each in Strategy]
    chosen = _text(file, table, "merge") or Merging().strategy
    if chosen not in strategies:
        raise ConfigurationError(f"merge in {file} is no way to merge: {chosen!r}", f"known: {', '.join(strategies)}")
    least = table.get("min_confidence", 0.0)
    if not isinstance(least, int | float) or isinstance(least, bool):
        raise ConfigurationError(f"min_confidence in {file} is not a number: {least!r}", "write min_confidence = 0.5")
    return Merging(Strategy(chosen), least)


def _folder(text: str | None) -> Path | None:
    return Path(text).expanduser() if text else None


def _now(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(f"KGMEM_NOW is no instant: {text!r}", "write it like 2026-03-02T10:00:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
