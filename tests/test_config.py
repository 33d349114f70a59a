from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from kgmem.config import TEMPLATE, Config, config_path, default_store, load_config
from kgmem.errors import ConfigurationError
from kgmem.extraction.policy import Merging, Strategy
from kgmem.model import EntityType


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def load(folder, text, **options):
    file = folder / "kgmem.toml"
    file.write_text(text, encoding="utf-8")
    return load_config(file, **{"environ": {}, **options})


def test_nothing_is_needed():
    config = load_config(environ={})
    assert config == Config(path=config_path(), store=default_store())
    assert (config.group, config.export, config.now) == ("default", None, None)


def test_what_the_environment_does_not_say_of_a_server_the_file_says(home):
    config = load(home, '[neo4j]\nusername = "ann"\npassword = "s3cret"\n')
    assert config.login({}) == {"NEO4J_USERNAME": "ann", "NEO4J_PASSWORD": "s3cret"}
    assert config.login({"NEO4J_PASSWORD": "other"}) == {"NEO4J_USERNAME": "ann", "NEO4J_PASSWORD": "other"}
    assert "s3cret" not in repr(config)


def test_everything_can_be_set(home):
    config = load(
        home,
        'store = "/tmp/m.db"\ngroup = "work"\nowner = "Mia"\nexport = "~/pages"\nontology = "~/o.yaml"\n'
        '[sources]\nignore = ["Clippings/"]\ndate_keys = ["when"]\n'
        '[nlp]\nmodel = "none"\nprocesses = 2\n',
    )
    assert config == Config(
        path=home / "kgmem.toml",
        store="/tmp/m.db",  # noqa: S108 - never opened
        group="work",
        owner="Mia",
        export=home / "pages",
        ontology=home / "o.yaml",
        ignore=("Clippings/",),
        date_keys=("when",),
        nlp_model="none",
        nlp_processes=2,
    )
    settings = config.source_settings()
    assert (settings.ignore, settings.date_keys) == (("Clippings/",), ("when",))


def test_the_command_line_beats_the_environment_and_that_the_file(home):
    text = 'store = "file.db"\ngroup = "file"\n'
    environ = {"KGMEM_STORE": "environ.db", "KGMEM_GROUP": "environ"}
    shown = [
        (config.store, config.group)
        for config in (
            load(home, text),
            load(home, text, environ=environ),
            load(home, text, environ=environ, store="line.db", group="line"),
        )
    ]
    assert shown == [("file.db", "file"), ("environ.db", "environ"), ("line.db", "line")]


def test_the_template_sets_nothing_and_names_every_setting(home):
    assert load(home, TEMPLATE) == Config(path=home / "kgmem.toml", store=default_store())
    uncommented = "".join(
        line.removeprefix("# ") + "\n"
        for line in TEMPLATE.splitlines()
        if line.startswith("[") or (line.startswith("# ") and " = " in line)
    )
    config = load(home, uncommented)
    assert (config.store, config.group) == ("sqlite:////home/me/.local/share/kgmem/memory.db", "default")
    assert (config.export, config.nlp_model, config.nlp_processes) == (home / "notes/kgmem-pages", "en_core_web_sm", 0)
    assert config.ignore == ("Clippings/", "*.excalidraw.md")
    assert config.date_keys == ("date", "day", "when", "created")
    assert (config.packs, config.ontology_files) == (("research",), (home / "ontology.yaml",))
    assert config.merging == Merging(Strategy.AGREEMENT, 0.0)
    assert (config.gliner.model, config.gliner.download) == ("~/models/gliner_small-v2.1", False)
    assert config.gliner.labels["grape variety"] == (EntityType.OBJECT, "Grape")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('colour = "red"', "sets 'colour', which means nothing"),
        ('[nlp]\nspeed = "high"', "sets 'nlp.speed', which means nothing"),
        ('[ontology]\npack = "a"', "sets 'ontology.pack', which means nothing"),
        ('[ontology]\npacks = "a"', "packs in .* is not a list of texts: 'a'"),
        ('[extraction]\nmerge = "luck"', "merge in .* is no way to merge: 'luck'"),
        ("[extraction]\nmerge = 1", "merge in .* is not text: 1"),
        ('[extraction]\nmin_confidence = "x"', "min_confidence in .* is not a number: 'x'"),
        ("[extraction]\nmin_confidence = 2", "min_confidence is not between 0 and 1: 2"),
        ('[gliner]\nweights = "a"', "sets 'gliner.weights', which means nothing"),
        ("store = 3", "store in .* is not text: 3"),
        ('nlp = "none"', r"\[nlp\] in .* is not a section"),
        ('[sources]\nignore = "a"', "ignore in .* is not a list of texts: 'a'"),
        ("[sources]\nignore = [1]", "ignore in .* is not a list of texts"),
        ("[nlp]\nprocesses = -1", "processes in .* is not a whole number"),
        ("[nlp]\nprocesses = true", "processes in .* is not a whole number"),
        ("store =", "is not TOML"),
    ],
)
def test_what_means_nothing_is_said(home, text, message):
    with pytest.raises(ConfigurationError, match=message):
        load(home, text)


def test_bytes_that_are_no_text(home):
    (home / "kgmem.toml").write_bytes(b"group = '\xff'")
    with pytest.raises(ConfigurationError, match="is not TOML"):
        load_config(home / "kgmem.toml", environ={})


def test_a_file_that_is_named_must_be_there(home):
    with pytest.raises(ConfigurationError, match="there is no configuration") as error:
        load_config(home / "nowhere.toml", environ={})
    assert error.value.hint == "`kgmem init` writes one"


def test_a_folder_is_no_file(home):
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_config(home, environ={})


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("2026-03-02T10:00:00Z", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        ("2026-03-02T10:00:00+02:00", datetime(2026, 3, 2, 10, tzinfo=timezone(timedelta(hours=2)))),
        ("", None),
    ],
)
def test_the_clock_can_be_pinned(text, now):
    assert load_config(environ={"KGMEM_NOW": text}).now == now


def test_a_clock_that_is_no_instant():
    with pytest.raises(ConfigurationError, match="KGMEM_NOW is no instant: 'noon'"):
        load_config(environ={"KGMEM_NOW": "noon"})


def test_the_store_is_in_the_folder_for_data(home):
    assert default_store() == f"sqlite:///{Path(home, 'data', 'kgmem', 'memory.db')}"


def test_the_environment_names_the_model_of_vectors_over_the_file(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text('[embedding]\nmodel = "nomic"\n')
    assert load_config(file, environ={}).embedding_model == "nomic"
    assert load_config(file, environ={"KGMEM_EMBEDDING": "none"}).embedding_model == "none"
