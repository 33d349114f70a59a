import pytest
from ingestion.notes import Notes

PERSON = "---\ntype: person\n"


@pytest.fixture(scope="session")
def cellar(tmp_path_factory):
    """A small memory that no test changes."""
    notes = Notes(tmp_path_factory.mktemp("cellar"))
    notes.write({
        "People/Mira.md": PERSON + "aliases: [Mira Castel, 米拉]\n---\nThe best nose I know.\n\n"
        "works_at:: [[Nord]] (2015 – 2023-03)\nworks_at:: [[Sud]] (since 2023-04)\nphone:: 111\n",
        "People/Bo.md": PERSON + "---\nA carpenter.\n",
        "Work/Ann Berg.md": PERSON + "---\nFrom work.\n",
        "Home/Ann Berg.md": PERSON + "---\nFrom next door.\n",
        "Nord.md": "---\ntype: company\nowner: Bo\n---\nA cellar in the north, cold and deep.\n",
        "New York.md": "A city.\n",
        "York.md": "Another city.\n",
        "2026-02-01.md": "Lunch with Mira Castel.\n\nMore about the cellar.\n\nA cellar again, with [[Mira]].\n",
        "2026-02-02.md": "Mira's coat is at [[Bo]]'s.\n",
    }).ingest()  # fmt: skip
    return notes


@pytest.fixture
def store(cellar):
    with cellar.store() as opened:
        yield opened
