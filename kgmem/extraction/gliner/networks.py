"""The two packages that run such networks, behind one call. Importing this module imports neither.

``gliner`` 0.2 answers with lists of spans, and with relations between them where the weights were trained for
that; ``gliner2`` takes a schema and answers with spans by label. Both give code points of the text they were given.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from kgmem.errors import ConfigurationError
from kgmem.extraction.gliner.spans import Labelled, LabelledRelation, LabelledSpan

_INSTALL: Final = "pip install 'kgmem[gliner]'"
_OWN_CONFIG: Final = "gliner_config.json"
"""The file that weights of the package gliner have, and those of gliner2 have not."""
_OFFLINE: Final = "HF_HUB_OFFLINE"
_QUIET: Final = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
"""What keeps the libraries beneath from talking over the program."""


class Network(Protocol):
    """Finds labelled spans and relations in texts."""

    relates: bool
    """Whether it finds relations."""

    def read(
        self, texts: Sequence[str], labels: Sequence[str], relations: Sequence[str], *, threshold: float, batch: int
    ) -> list[Labelled]:
        """What is in each text. Spans have no type yet."""
        ...


def load_network(model: str, *, download: bool = False) -> Network:
    """The network of some weights, which takes seconds.

    Args:
        model: a folder, or an id on the hub.
        download: whether weights that are not here may be fetched; ``HF_HUB_OFFLINE`` forbids it all the same.

    Raises:
        ConfigurationError: the package or the weights are not there, or do not fit each other.
    """
    package = package_of(model)
    if find_spec(package) is None:
        raise ConfigurationError(f"{model} is run by the package {package}, which is not installed", _INSTALL)
    if not download:  # read when the hub's client is imported, and by all that loads with it
        os.environ.setdefault(_OFFLINE, "1")
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    folder = Path(model).expanduser()
    where = str(folder) if folder.is_dir() else _fetched(model, download=download)
    try:
        with warnings.catch_warnings():  # what the libraries beneath say to their developers
            warnings.simplefilter("ignore")
            return Gliner2Network(where) if package_of(where) == "gliner2" else GlinerNetwork(where)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ConfigurationError(
            f"the weights {model} cannot be loaded: {error}",
            "the folder must hold what `save_pretrained` writes, with the tokenizer and the encoder's configuration",
        ) from error


def package_of(model: str) -> str:
    """The package that runs some weights, as far as their folder or name tells."""
    folder = Path(model).expanduser()
    if folder.is_dir():
        return "gliner" if (folder / _OWN_CONFIG).exists() else "gliner2"
    return "gliner2" if "gliner2" in model.lower() else "gliner"


def _fetched(model: str, *, download: bool) -> str:
    """The folder where the weights of an id are; they are fetched only if that was asked for."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OfflineModeIsEnabled

    allowed = download and os.environ.get(_OFFLINE, "0").upper() not in {"1", "ON", "YES", "TRUE"}
    try:
        return str(snapshot_download(model, local_files_only=not allowed))
    except (LocalEntryNotFoundError, OfflineModeIsEnabled, HfHubHTTPError, HFValidationError, OSError) as error:
        hint = "name a folder, or set download = true under [gliner] to fetch them once"
        if download:
            hint = (
                f"{_OFFLINE} forbids to fetch them"
                if not allowed
                else "look at the id, and whether the hub can be reached"
            )
        raise ConfigurationError(f"there are no weights {model} on this machine", hint) from error


class GlinerNetwork:
    """Weights of the package gliner."""

    def __init__(self, folder: str, model: Any = None) -> None:
        """Args: `model` answers as ``gliner.GLiNER`` does; without it the weights in the folder are loaded."""
        if model is None:
            from gliner import GLiNER

            model = GLiNER.from_pretrained(folder, local_files_only=True)
        self._model = model
        self.relates = hasattr(model, "predict_relations")

    def read(
        self, texts: Sequence[str], labels: Sequence[str], relations: Sequence[str], *, threshold: float, batch: int
    ) -> list[Labelled]:
        """See `Network.read`."""
        if not texts:
            return []
        options = {"threshold": threshold, "batch_size": batch}
        if self.relates and relations:
            spans, told = self._model.inference(
                list(texts), list(labels), relations=list(relations), return_relations=True, **options
            )
        else:
            spans, told = self._model.inference(list(texts), list(labels), **options), [()] * len(texts)
        return [
            Labelled(
                tuple(LabelledSpan(s["start"], s["end"], s["label"], float(s["score"])) for s in found),
                tuple(
                    LabelledRelation(_place(r["head"]), _place(r["tail"]), r["relation"], float(r["score"]))
                    for r in related
                ),
            )
            for found, related in zip(spans, told, strict=True)
        ]


class Gliner2Network:
    """Weights of the package gliner2."""

    relates = True

    def __init__(self, folder: str, model: Any = None) -> None:
        """Args: `model` answers as ``gliner2.AutoExtractor`` does; without it the weights in the folder are loaded."""
        if model is None:
            from gliner2 import AutoExtractor

            model = AutoExtractor.from_pretrained(folder)
        self._model = model

    def read(
        self, texts: Sequence[str], labels: Sequence[str], relations: Sequence[str], *, threshold: float, batch: int
    ) -> list[Labelled]:
        """See `Network.read`."""
        if not texts:
            return []
        schema = self._model.create_schema().entities(list(labels))
        if relations:
            schema = schema.relations(list(relations))
        answers = self._model.batch_extract(
            list(texts), schema, batch_size=batch, threshold=threshold, include_confidence=True, include_spans=True
        )
        return [Labelled(tuple(_spans(each)), tuple(_relations(each))) for each in answers]


def _place(end: Mapping[str, Any]) -> tuple[int, int]:
    return end["start"], end["end"]


def _spans(answer: Mapping[str, Any]) -> Iterator[LabelledSpan]:
    for label, found in answer.get("entities", {}).items():
        for each in found:
            yield LabelledSpan(each["start"], each["end"], label, float(each["confidence"]))


def _relations(answer: Mapping[str, Any]) -> Iterator[LabelledRelation]:
    """A relation is as sure as the less sure of its ends: it has no score of its own."""
    for label, found in answer.get("relation_extraction", {}).items():
        for each in found:
            head, tail = each["head"], each["tail"]
            score = min(float(head["confidence"]), float(tail["confidence"]))
            yield LabelledRelation(_place(head), _place(tail), label, score)
