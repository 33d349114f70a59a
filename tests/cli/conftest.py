import io

import pytest


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """An empty folder to work in, with a memory, a configuration and a clock of its own, and no terminal."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("KGMEM_GROUP", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("KGMEM_STORE", f"sqlite:///{tmp_path / 'memory.db'}")
    monkeypatch.setenv("KGMEM_NOW", "2026-03-02T10:00:00Z")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    return folder
