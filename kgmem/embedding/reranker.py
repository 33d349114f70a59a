"""A cross-encoder that a person has on this machine: it reads a question and a passage together, and says how they fit.

Reading both at once tells more than comparing two vectors (Nogueira and Cho, 2019), and costs a run of the model for
each passage: so it reads only the best of what the other arms found. No weights are packaged; without a folder that a
person names there is no reranker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from kgmem.embedding.embedder import readable
from kgmem.embedding.wordpiece import FIRST, LAST, UNKNOWN, WordPiece
from kgmem.errors import ConfigurationError

_LONGEST: Final = 512
"""Pieces of a question and a passage together that BERT has places for."""
_QUESTION: Final = 96
"""Pieces of a question; the rest of a longer one is not read."""
_MODELS: Final = ("model.onnx", "onnx/model.onnx")
"""Where the weights stand in a folder, as they are published."""
_HINT: Final = (
    "a cross-encoder in ONNX: model.onnx, and BERT's vocab.txt beside it; or set no `reranker` under [recall]"
)


class Reranker(Protocol):
    """Says how well passages answer a question."""

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """A score of each passage, in order: the higher, the better. Only those of one question can be compared.

        Raises:
            kgmem.errors.ConfigurationError: the model cannot be read or run.
        """


def find_reranker(folder: Path | None) -> Reranker | None:
    """The cross-encoder in a folder; None without a folder. The weights are read with the first question.

    Raises:
        ConfigurationError: the folder does not hold one, or what runs it is not installed.
    """
    if folder is None:
        return None
    weights = next((folder / name for name in _MODELS if (folder / name).is_file()), None)
    if weights is None or not (folder / "vocab.txt").is_file():
        missing = "model.onnx" if weights is None else "vocab.txt"
        raise ConfigurationError(f"the reranker {folder} holds no {missing}", _HINT)
    absent = [name for name in ("onnxruntime", "numpy") if find_spec(name) is None]
    if absent:
        raise ConfigurationError(
            f"the reranker needs what is not installed: {', '.join(absent)}", "pip install 'kgmem[rerank]'"
        )
    return CrossEncoder(weights, folder / "vocab.txt")


class CrossEncoder:
    """One output, or the last of several, of a BERT that reads ``[CLS] question [SEP] passage [SEP]``.

    Pairs run one at a time: nothing is padded, so that a score depends on nothing else that is asked.
    """

    def __init__(self, weights: Path, vocabulary: Path) -> None:
        self._weights = weights
        self._vocabulary = vocabulary

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """See `Reranker.scores`."""
        asked = self._pieces.encode(readable(question), _QUESTION)
        return [self._score(asked, passage) for passage in passages]

    def _score(self, asked: tuple[int, ...], passage: str) -> float:
        import numpy as np

        said = self._pieces.encode(readable(passage), _LONGEST - len(asked) + 1)[1:]
        ids = np.array([asked + said], dtype=np.int64)
        types = np.array([[0] * len(asked) + [1] * len(said)], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        with _explained(self._weights):
            wanted = {each.name: feed[each.name] for each in self._session.get_inputs() if each.name in feed}
            return float(np.ravel(self._session.run(None, wanted)[0])[-1])

    @cached_property
    def _pieces(self) -> WordPiece:
        try:
            lines = self._vocabulary.read_text("utf-8").removesuffix("\n").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"the vocabulary {self._vocabulary} cannot be read: {error}", _HINT) from error
        ids = {piece.removesuffix("\r"): number for number, piece in enumerate(lines)}
        if missing := {UNKNOWN, FIRST, LAST} - ids.keys():
            raise ConfigurationError(f"{self._vocabulary} is no vocabulary of BERT: no {min(missing)}", _HINT)
        return WordPiece(ids)

    @cached_property
    def _session(self) -> Any:
        from kgmem.embedding.minilm import open_session

        return open_session(self._weights)


@contextmanager
def _explained(weights: Path) -> Iterator[None]:
    """What ONNX Runtime raises, as a message: its errors have no class in common but the one of all errors."""
    from kgmem.embedding.minilm import runtime_errors

    expected: tuple[type[Exception], ...] = (*runtime_errors(), ValueError, IndexError)
    try:
        yield
    except expected as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise ConfigurationError(f"the reranker {weights} cannot be run: {reason}", _HINT) from error
