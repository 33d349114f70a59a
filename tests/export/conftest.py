import pytest
from export.vaults import PEOPLE, Home


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path, PEOPLE)
    yield made
    made.store.close()
