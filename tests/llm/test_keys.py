"""Where a key comes from: the environment, else the keyring of the system, if it has one."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from kgmem import kept_keys, served
from kgmem.errors import ConfigurationError
from kgmem.served import key_for

OPENAI = "https://api.openai.com/v1"


class KeyringError(Exception):
    pass


def ring(get_password):
    module = ModuleType("keyring")
    module.get_password = get_password
    module.errors = SimpleNamespace(KeyringError=KeyringError)
    return module


@pytest.fixture
def keyring(monkeypatch):
    def use(get_password):
        monkeypatch.setitem(sys.modules, "keyring", ring(get_password))
        for module in (kept_keys, served):
            monkeypatch.setattr(module, "find_spec", lambda _: True)

    return use


def test_the_keyring_is_asked_for_the_host(keyring):
    asked = []
    keyring(lambda service, name: asked.append((service, name)) or "kept ")
    assert key_for(OPENAI, "small", {}) == "kept"
    assert asked == [("kgmem", "api.openai.com")]


def test_the_environment_comes_first(keyring):
    keyring(lambda *_: pytest.fail("the keyring was asked"))
    assert key_for(OPENAI, "small", {"OPENAI_API_KEY": "mine"}) == "mine"


def test_a_keyring_that_is_locked_is_as_none(keyring):
    def locked(*_):
        raise KeyringError

    keyring(locked)
    assert key_for("http://localhost:1/v1", "small", {}) is None
    with pytest.raises(ConfigurationError, match="no key") as refused:
        key_for(OPENAI, "small", {})
    assert "keyring set kgmem api.openai.com" in refused.value.hint
