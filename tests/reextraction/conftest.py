import pytest
from ingestion.notes import Notes


@pytest.fixture
def notes(tmp_path):
    """An empty vault with a memory."""
    return Notes(tmp_path)
