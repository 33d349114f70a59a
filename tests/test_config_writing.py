"""One more value in a list of the configuration: every other line stays as a person wrote it."""

import os

import pytest

from kgmem.config import TEMPLATE, load_config
from kgmem.config_writing import add_to_list
from kgmem.errors import ConfigurationError


def added(tmp_path, text, value="research", key="packs"):
    file = tmp_path / "kgmem.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert add_to_list(file, "ontology", key, value)
    return file.read_text("utf-8")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[ontology]\npacks = ["research"]\n'),
        ('owner = "Mia" # me\n', 'owner = "Mia" # me\n\n[ontology]\npacks = ["research"]\n'),
        ("[nlp]\nprocesses = 2", '[nlp]\nprocesses = 2\n\n[ontology]\npacks = ["research"]\n'),
        ("[ontology] # mine\n\n[nlp]\n", '[ontology] # mine\npacks = ["research"]\n\n[nlp]\n'),
        ('[ontology]\npacks = ["work"]\n', '[ontology]\npacks = ["work", "research"]\n'),
        ('[ontology]\nfiles = ["a"]\n[nlp]\n', '[ontology]\npacks = ["research"]\nfiles = ["a"]\n[nlp]\n'),
        ('[ontology]\n# packs = ["x"]\n', '[ontology]\npacks = ["research"]\n# packs = ["x"]\n'),
    ],
)
def test_the_rest_stays_as_it_was(tmp_path, before, after):
    assert added(tmp_path, before) == after


def test_a_configuration_that_is_not_there_is_made_with_its_comments(tmp_path):
    text = added(tmp_path, None)
    assert text == TEMPLATE.replace("[ontology]\n", '[ontology]\npacks = ["research"]\n')
    assert load_config(tmp_path / "kgmem.toml").packs == ("research",)


def test_a_path_with_every_kind_of_sign(tmp_path):
    name = 'C:\\notes\\"my" ontology – ü.yaml'
    added(tmp_path, "", name, "files")
    assert load_config(tmp_path / "kgmem.toml").ontology_files == (tmp_path / name,)


def test_what_is_in_the_list_is_not_added_again(tmp_path):
    file = tmp_path / "kgmem.toml"
    file.write_text('[ontology]\npacks = ["research"]\n', encoding="utf-8")
    assert add_to_list(file, "ontology", "packs", "research") is False


@pytest.mark.parametrize(
    "text",
    [
        'ontology = "mine.yaml"\n',
        'ontology = {packs = ["work"]}\n',
        'ontology.packs = ["work"]\n',
        '[ontology]\npacks = [ # all\n  "work",\n]\n',
        '[ontology]\npacks = [\n  "work",\n]\n',
        '[ontology]\npacks = ["work"] # one\n',
        '["ontology"]\npacks = ["work"]\n',
    ],
)
def test_what_is_not_written_the_plain_way_is_left_to_the_person(tmp_path, text):
    file = tmp_path / "kgmem.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="only you can add to") as caught:
        add_to_list(file, "ontology", "packs", "research")
    assert 'research"] under [ontology]' in caught.value.hint
    assert file.read_text("utf-8") == text


def test_who_may_read_the_file_stays_as_it_was_and_a_link_is_followed(tmp_path):
    real, link = tmp_path / "real.toml", tmp_path / "kgmem.toml"
    real.write_text("", encoding="utf-8")
    real.chmod(0o600)
    link.symlink_to(real)
    assert add_to_list(link, "ontology", "packs", "work")
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert load_config(real).packs == ("work",)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to_is_a_clear_error(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigurationError, match="cannot be written"):
        add_to_list(tmp_path / "kgmem.toml", "ontology", "packs", "work")
