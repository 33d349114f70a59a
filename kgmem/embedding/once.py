"""The packaged model for a question or two: its weights read where they lie in the file, and run by NumPy alone.

To import ONNX Runtime, to have it read the model and to unpack 22 MB of whole numbers into 90 MB costs several times
what the arithmetic of one question does. Here the file is mapped into memory, only the rows of the words that are asked
for are unpacked, and the weights of a layer only while it is computed. Scales are of the outputs of a layer, so they
multiply these and not the weights.

The layers are those of BERT (Devlin et al. 2019) in the size of MiniLM (Wang et al. 2020): six, of 12 heads. The file
is ONNX, in the encoding of protocol buffers, of which only tensors are read.
"""

from __future__ import annotations

import math
import mmap
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kgmem.errors import ConfigurationError

Floats = npt.NDArray[np.float32]

_LAYERS: Final = 6
_HEADS: Final = 12
_EPSILON: Final = 1e-12
_A_LAYER: Final = ("query", "key", "value", "attended", "wide", "narrow")
"""What the weights of a layer are, in the order of the file, where they have numbers for names."""
_NUMBERED: Final = re.compile(r"val_(\d+)_q")
_TYPES: Final[dict[int, np.dtype[Any]]] = {1: np.dtype("<f4"), 3: np.dtype("i1")}
"""Of ONNX: FLOAT and INT8. What is of other types is no weight."""
_GRAPH, _TENSORS, _DIMENSIONS, _TYPE, _NAME, _DATA = 7, 5, 1, 2, 8, 9
"""Numbers of fields: of a model, of a graph, of a tensor."""
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5

# The error function to 1.5e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
_ERF_T: Final = 0.3275911
_ERF: Final = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


class Encoder:
    """The model in a file."""

    def __init__(self, file: Path) -> None:
        """Read where its weights lie.

        Raises:
            ConfigurationError: it cannot be read, or is no such model.
        """
        try:
            with file.open("rb") as stream:
                mapped = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
            self._tensors = {name: tensor for graph in _fields(mapped, _GRAPH) for name, tensor in _tensors(graph)}
        except (OSError, ValueError, IndexError) as error:
            raise ConfigurationError(f"the embedding model {file} cannot be read: {error}") from error
        numbered = sorted(int(match[1]) for match in map(_NUMBERED.fullmatch, self._tensors) if match)
        names = [f"{layer}.{each}" for layer in range(_LAYERS) for each in _A_LAYER]
        if len(numbered) != len(names):
            raise ConfigurationError(f"the embedding model {file} is another one")
        self._weights = {name: f"val_{number}" for name, number in zip(names, numbered, strict=True)}

    def states(self, pieces: Sequence[int]) -> Floats:
        """The last states of a text of some pieces: (pieces, 384)."""
        at = "inner.embeddings"
        ids, places = np.array(pieces), np.arange(len(pieces))
        embedded = self._rows(f"{at}.word_embeddings.weight", ids) + self._rows(
            f"{at}.position_embeddings.weight", places
        )
        embedded += self._tensors[f"{at}.token_type_embeddings.weight"][0]
        states = self._normal(embedded, f"{at}.LayerNorm")
        for layer in range(_LAYERS):
            states = self._layer(states, layer)
        return states

    def _layer(self, states: Floats, layer: int) -> Floats:
        at = f"inner.encoder.layer.{layer}"
        query, key, value = (
            self._dense(states, f"{layer}.{each}", f"{at}.attention.self.{each}.bias")
            .reshape(len(states), _HEADS, -1)
            .transpose(1, 0, 2)
            for each in ("query", "key", "value")
        )
        likely = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        likely = np.exp(likely - likely.max(axis=-1, keepdims=True))
        likely /= likely.sum(axis=-1, keepdims=True)
        seen = (likely @ value).transpose(1, 0, 2).reshape(states.shape)
        seen = self._dense(seen, f"{layer}.attended", f"{at}.attention.output.dense.bias")
        states = self._normal(states + seen, f"{at}.attention.output.LayerNorm")
        wide = _gelu(self._dense(states, f"{layer}.wide", f"{at}.intermediate.dense.bias"))
        narrow = self._dense(wide, f"{layer}.narrow", f"{at}.output.dense.bias")
        return self._normal(states + narrow, f"{at}.output.LayerNorm")

    def _dense(self, states: Floats, weights: str, bias: str) -> Floats:
        name = self._weights[weights]
        made: Floats = states @ self._tensors[f"{name}_q"].astype(np.float32)
        made *= self._tensors[f"{name}_scale"]
        made += self._tensors[bias]
        return made

    def _rows(self, name: str, rows: npt.NDArray[Any]) -> Floats:
        found: Floats = self._tensors[f"{name}_q"][rows] * self._tensors[f"{name}_scale"][rows]
        return found

    def _normal(self, states: Floats, name: str) -> Floats:
        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + _EPSILON)
        normal: Floats = centred / spread * self._tensors[f"{name}.weight"] + self._tensors[f"{name}.bias"]
        return normal


def _gelu(values: Floats) -> Floats:
    scaled = np.abs(values) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(_ERF_T) * scaled)
    series = np.zeros_like(values)
    for each in _ERF:
        series += np.float32(each)
        series *= t
    erf = np.copysign(1 - series * np.exp(-np.square(scaled)), values)
    made: Floats = values * (1 + erf) / 2
    return made


def _tensors(graph: memoryview) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """(name, what is in it) of each tensor of weights."""
    for tensor in _fields(graph, _TENSORS):
        parts = dict(_every_field(tensor))
        kind = _TYPES.get(parts.get(_TYPE, 0))
        if kind is not None and _DATA in parts:
            yield str(parts[_NAME], "utf-8"), np.frombuffer(parts[_DATA], kind).reshape(_shape(tensor))


def _shape(tensor: memoryview) -> tuple[int, ...]:
    return tuple(value for field, value in _every_field(tensor) if field == _DIMENSIONS)


def _fields(message: memoryview, wanted: int) -> Iterator[memoryview]:
    return (value for field, value in _every_field(message) if field == wanted)


def _every_field(message: memoryview) -> Iterator[tuple[int, Any]]:
    """(number, number or bytes) of the fields of a message."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        size = {_EIGHT: 8, _FOUR: 4}.get(kind)
        if kind == _BYTES:
            size, at = _varint(message, at)
        if size is None or at + size > len(message):
            raise ValueError("no message of protocol buffers")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """(a number, where what follows it begins)."""
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:  # noqa: PLR2004 - the highest bit says that more follows
            return value, at
