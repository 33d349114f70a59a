"""A cross-encoder that a person has in a folder, by one whose scores a person can add up."""

from importlib.util import find_spec

import pytest
from embedding.onnx_bytes import cross_encoder

from kgmem.embedding.reranker import find_reranker
from kgmem.errors import ConfigurationError

MISSING = [name for name in ("onnxruntime", "numpy") if find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"kgmem[rerank] is not installed: {', '.join(MISSING)}")

VOCABULARY = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nwho\nbakes\nbread\nmira\nsails\n"
"""The number of a line is the id of its piece: mira is 7, an unknown word 1, and each passage ends with 3."""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model.onnx").write_bytes(cross_encoder())
    (tmp_path / "vocab.txt").write_text(VOCABULARY)
    return tmp_path


def test_a_passage_is_scored_by_its_pieces_and_the_end(folder):
    reranker = find_reranker(folder)
    assert reranker.scores("Who bakes?", ["Mira bakes bread", "sails", "Nobody"]) == [7 + 5 + 6 + 3, 8 + 3, 1 + 3]


def test_a_score_depends_on_nothing_else_that_is_asked(folder):
    reranker = find_reranker(folder)
    together = reranker.scores("who", ["mira", "mira sails bread"])
    assert together == [reranker.scores("who", [each])[0] for each in ("mira", "mira sails bread")]
    assert reranker.scores("who", []) == []


def test_what_is_too_long_is_read_as_far_as_the_model_reads(folder):
    # [CLS] who [SEP] are 3 of 512 pieces, the last [SEP] is one: 508 are left.
    assert find_reranker(folder).scores("who", ["mira " * 2_000]) == [508 * 7 + 3]
    # Of a question without end 96 are read, so that 415 are left to the passage.
    assert find_reranker(folder).scores("who " * 2_000, ["mira " * 2_000]) == [415 * 7 + 3]


def test_weights_may_stand_as_hubs_publish_them(folder):
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert find_reranker(folder).scores("who", ["mira"]) == [10]


def test_no_folder_is_no_reranker():
    assert find_reranker(None) is None


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt"])
def test_a_folder_that_lacks_a_file_is_told(folder, name):
    (folder / name).unlink()
    with pytest.raises(ConfigurationError, match=f"holds no {name}"):
        find_reranker(folder)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("model.onnx", b"no model", "cannot be run"),
        ("model.onnx", cross_encoder().replace(b"token_type_ids", b"unheard_of_ids"), "cannot be run"),
        ("vocab.txt", b"one\ntwo\n", r"no vocabulary of BERT: no \[CLS\]"),
        ("vocab.txt", b"\xff\xfe", "cannot be read"),
    ],
)
def test_a_broken_file_is_told_and_what_to_do(folder, name, content, said):
    (folder / name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=said) as caught:
        find_reranker(folder).scores("who", ["mira"])
    assert "under [recall]" in caught.value.hint
