import importlib.util
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
from itertools import islice

import pytest

from kgmem.errors import ConfigurationError, UserError
from kgmem.extraction.entities import NamedSpan, Recognizer, named_span
from kgmem.model import EntityType

needs_model = pytest.mark.skipif(not Recognizer.available(), reason="needs kgmem[nlp]")

SENTENCE = "Angela Merkel visited Paris with Microsoft."


def clean(marked: str, label: str = "ORG") -> str | None:
    """The surface that is left of what stands between « and »."""
    start = marked.index("«")
    end = marked.index("»") - 1
    text = marked.replace("«", "").replace("»", "")
    span = named_span(text, start, end, label)
    if span is None:
        return None
    assert text[span.start : span.end] == span.surface
    return span.surface


@pytest.mark.parametrize(
    ("marked", "left"),
    [
        ("«Lunch» with Ida", None),
        ("«Coffee» with Tom", None),
        ("«Lunch» Ltd with Ida", "Lunch"),
        ("«Ida» with Tom", "Ida"),
    ],
)
def test_how_a_line_of_a_diary_begins_is_nobody(marked, left):
    assert clean(marked, "PERSON") == left


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("PERSON", EntityType.PERSON),
        ("PER", EntityType.PERSON),
        ("ORG", EntityType.ORGANIZATION),
        ("GPE", EntityType.LOCATION),
        ("LOC", EntityType.LOCATION),
        ("FAC", EntityType.LOCATION),
        ("EVENT", EntityType.EVENT),
        ("PRODUCT", EntityType.OBJECT),
        ("WORK_OF_ART", EntityType.OBJECT),
        ("LAW", EntityType.OBJECT),
    ],
)
def test_labels_become_types(label, kind):
    assert named_span("in Nord now", 3, 7, label) == NamedSpan(3, 7, "Nord", kind, label)


@pytest.mark.parametrize(
    "label", ["NORP", "DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "PERCENT", "LANGUAGE", "MISC"]
)
def test_other_labels_are_no_entities(label):
    assert clean("in «Nord» now", label) is None


@pytest.mark.parametrize(
    ("marked", "surface"),
    [
        ("at «“Nord Wind”,» then", "Nord Wind"),
        ("at « Nord » then", "Nord"),
        ("at «Nord's» door", "Nord"),
        ("at «Nord’s» door", "Nord"),
        ("the «Joneses'» door", "Joneses"),
        ("at «Nord (est» 1900", "Nord"),
        ("at «Georgia (country)» now", "Georgia (country)"),
        ("at «Acme Inc.»", "Acme Inc."),
        ("in the «U.S.»", "U.S."),
        ("at «Nord.»", "Nord"),
        ("on «Disney+» now", "Disney+"),
        ("in «#Nord»", "Nord"),
        ("in «[[Nord]]»", "Nord"),
        ("«The Guardian» ran it", "The Guardian"),
    ],
)
def test_what_is_no_part_of_the_name_is_trimmed(marked, surface):
    assert clean(marked) == surface


def test_a_person_has_no_article():
    assert clean("saw «the Kaisers» again", "PERSON") == "Kaisers"
    assert clean("saw «Theo Kaiser» again", "PERSON") == "Theo Kaiser"


@pytest.mark.parametrize(
    "marked",
    [
        "in «2015» again",
        "in «1,200.50» again",
        "the «tinyword» here",
        "see «https://nord.example» now",
        "see «www.Nord.example» now",
        "ask «Ada@nord.example» now",
        "see «Notes/Nord.md» now",
        "see «Nord.pdf» now",
        "a «Nord]] [[Wind» b",
        "a «Nord|N» b",
        "a «Nord `Wind» b",
        "a «Nord_Wind» b",
        "a «Nord   Wind» b",
        "a «Nord\nWind» b",
        "a «Nord\tWind» b",
        "a «I.» b",
        "a «“”» b",
        "a «» b",
        f"a «{'Nord ' * 30}» b",
    ],
)
def test_what_is_no_name_is_dropped(marked):
    assert clean(marked) is None


def test_a_missing_model_says_how_to_get_one():
    assert not Recognizer.available("no_such_model")
    with pytest.raises(ConfigurationError, match="no_such_model") as caught:
        Recognizer("no_such_model")
    assert "kgmem[nlp]" in caught.value.hint


def test_missing_spacy_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("kgmem.extraction.entities.find_spec", lambda _name: None)
    assert not Recognizer.available()
    with pytest.raises(ConfigurationError, match="spaCy is not installed"):
        Recognizer()


@pytest.mark.skipif(importlib.util.find_spec("spacy") is None, reason="needs spaCy")
def test_a_folder_without_a_model_is_an_error(tmp_path):
    with pytest.raises(ConfigurationError, match="cannot be loaded"):
        list(Recognizer(str(tmp_path)).recognize([("a", [SENTENCE])]))


def test_asking_whether_a_model_is_there_imports_nothing_heavy():
    code = (
        "import sys; from kgmem.extraction.entities import Recognizer; Recognizer.available(); "
        "print([name for name in ('spacy', 'numpy', 'multiprocessing') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@needs_model
def test_names_come_in_order_with_their_keys():
    items = [("one", [SENTENCE, "", "no names here"]), ("none", []), ("two", ["She met Barack Obama in Berlin."])]
    found = list(Recognizer().recognize(items))
    assert [key for key, _ in found] == ["one", "none", "two"]
    assert found[0][1] == [
        [
            NamedSpan(0, 13, "Angela Merkel", EntityType.PERSON, "PERSON"),
            NamedSpan(22, 27, "Paris", EntityType.LOCATION, "GPE"),
            NamedSpan(33, 42, "Microsoft", EntityType.ORGANIZATION, "ORG"),
        ],
        [],
        [],
    ]
    assert found[1][1] == []
    assert [span.surface for span in found[2][1][0]] == ["Barack Obama", "Berlin"]


@needs_model
@pytest.mark.parametrize(
    "text", ["我在北京见到了李明和Tom。", "Он встретил Анну в Москве.", "東京タワーと大阪城 by Sony", "12 : 30 — 14"]
)
def test_text_of_another_script_has_no_names(text):
    assert list(Recognizer().recognize([("a", [text])])) == [("a", [[]])]


@needs_model
def test_spans_of_a_long_text_point_into_the_whole():
    text = f"{'So it goes on and on. ' * 600}{SENTENCE}"
    [(_, [spans])] = Recognizer().recognize([("a", [text])])
    assert [text[span.start : span.end] for span in spans] == ["Angela Merkel", "Paris", "Microsoft"]


@needs_model
def test_a_long_text_without_a_space_is_read():
    assert list(Recognizer().recognize([("a", ["x" * 12_000])])) == [("a", [[]])]


@needs_model
@pytest.mark.parametrize("processes", [1, 2])
def test_only_a_few_dozen_items_are_read_ahead(processes):
    taken = 0

    def items():
        nonlocal taken
        for taken in range(1, 1_000):
            yield taken, [SENTENCE]

    found = Recognizer(processes=processes).recognize(items())
    assert taken == 0
    assert next(found)[0] == 1
    assert taken <= 48
    found.close()
    assert not multiprocessing.active_children()


@needs_model
def test_worker_processes_find_the_same_in_the_same_order():
    items = [(number, [SENTENCE] * (number % 3)) for number in range(75)]
    alone = list(Recognizer().recognize(items))
    assert list(Recognizer(processes=2).recognize(items)) == alone
    assert [key for key, _ in alone] == list(range(75))
    assert not multiprocessing.active_children()


@needs_model
def test_a_worker_that_dies_is_an_error_and_not_a_hang():
    found = Recognizer(processes=2).recognize((number, [SENTENCE]) for number in range(10_000))
    next(found)
    for child in multiprocessing.active_children():
        os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(UserError, match="died"):
        list(islice(found, 10_000))
    assert not multiprocessing.active_children()


@needs_model
@pytest.mark.skipif(os.name != "posix", reason="sends a signal to a process group")
def test_ctrl_c_ends_parent_and_workers_quietly(tmp_path):
    script = tmp_path / "endless.py"
    script.write_text(
        "import itertools, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background is told to ignore it
        "from kgmem.extraction.entities import Recognizer\n"
        "if __name__ == '__main__':\n"
        f"    found = Recognizer(processes=2).recognize((n, [{SENTENCE!r}]) for n in itertools.count())\n"
        "    try:\n"
        "        for number, _ in found:\n"
        "            if number == 40:\n"
        "                print('reading', flush=True)\n"
        "    except KeyboardInterrupt:\n"
        "        print('stopped', flush=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout.readline() == "reading\n"
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            if process.poll() is None:  # else the end of the block would wait for ever
                os.killpg(process.pid, signal.SIGKILL)
    assert (out, err, process.returncode) == ("stopped\n", "", 0)


def test_a_missing_model_keeps_its_hint_on_the_way_between_processes():
    error = pickle.loads(pickle.dumps(ConfigurationError("no", "do this")))  # noqa: S301
    assert (error.message, error.hint) == ("no", "do this")


@pytest.mark.skipif(not Recognizer.available(), reason="spaCy and a pipeline are not installed")
def test_a_text_in_another_language_gets_no_english_guesses():
    french = "J'ai pris douze photos au château. Le soir, nous avons mangé avec Inès Caron et les amis de Marc."
    english = "I took twelve pictures at the castle. In the evening we ate with Inès Caron and the friends of Marc."
    found = dict(Recognizer().recognize([("french", [french]), ("english", [english])]))
    assert found["french"] == [[]]
    assert "Inès Caron" in {span.surface for span in found["english"][0]}
