"""Which model the environment names, and that nothing is sent anywhere unless one is named."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pipeline.llm import ModelSettings, Transcript, model_from_environment
from pipeline.llm.environment import settings_from_environment
from schemas.errors import SettingsError
from tests.llm.doors import QUICK, ask
from tests.scripted_server import Answer, ScriptedServer, filled


@pytest.fixture
def environment(monkeypatch):
    """Sets the three variables; those left out are not set."""

    def set_variables(*, model: str | None = None, key: str | None = None, address: str | None = None) -> None:
        values = {"LINEPROOF_MODEL": model, "OPENAI_API_KEY": key, "OPENAI_BASE_URL": address}
        for name, value in values.items():
            if value is not None:
                monkeypatch.setenv(name, value)

    return set_variables


@pytest.mark.parametrize("model", [None, "", "  "])
def test_a_key_alone_sends_nothing(environment, transcript, model):
    """Without LINEPROOF_MODEL there is no model, whatever key lies in the environment."""
    environment(model=model, key="sk-abcdefgh", address="http://127.0.0.1:1/v1")
    assert model_from_environment(transcript) is None


def test_a_model_with_neither_key_nor_address_is_an_error(environment, transcript):
    """The message says what to set."""
    environment(model="gpt-x", key="", address=" ")
    with pytest.raises(SettingsError, match=r"OPENAI_API_KEY .* OPENAI_BASE_URL .* set one"):
        model_from_environment(transcript)


def test_a_local_server_needs_no_key(environment, transcript):
    """A placeholder stands in for it."""
    with ScriptedServer([Answer(filled)]) as server:
        environment(model="local", address=server.base_url)
        model = model_from_environment(transcript, settings=QUICK)
        assert model is not None
        assert (model.name, model.settings) == ("local", QUICK)
        assert ask(model).use.outcome == "valid"
    assert server.requests[0].headers["authorization"] == "Bearer no-key"


def test_the_key_of_the_environment_is_used_and_trimmed(environment, transcript):
    """A line break at its end, as a file gives it, does no harm."""
    with ScriptedServer([Answer(filled)]) as server:
        environment(model=" local ", key="sk-abcdefgh\n", address=f"{server.base_url}/")
        model = model_from_environment(transcript)
        assert model is not None
        assert (model.name, model.settings) == ("local", ModelSettings())
        ask(model)
    assert server.requests[0].headers["authorization"] == "Bearer sk-abcdefgh"


@pytest.mark.parametrize("key", ["sk-a b", "sk-clé", "sk-a\nb", "sk-a\x7f"])
def test_a_key_that_is_none_is_refused_without_showing_it(environment, transcript, key):
    """The openai client would fail later with an error that makes no sense."""
    environment(model="m", key=key)
    with pytest.raises(SettingsError, match="OPENAI_API_KEY") as caught:
        model_from_environment(transcript)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8080/v1",
        "ftp://host/v1",
        "http://",
        "https:///v1",
        "http://host:99999/v1",
        "http://[::1/v1",
        "not one",
        "http://user:secret@ho st/v1",
    ],
)
def test_an_address_that_is_none_is_refused(environment, transcript, address):
    """Before anything is sent; a password in it is not repeated."""
    environment(model="m", key="sk-abcdefgh", address=address)
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL") as caught:
        model_from_environment(transcript)
    assert "secret" not in str(caught.value)


def test_a_replay_needs_neither_key_nor_address(environment):
    """Nothing is sent, so nothing is asked for."""
    environment(model="m")
    with Transcript(None, offline=True) as transcript:
        assert model_from_environment(transcript) is not None


def test_the_package_imports_without_openai():
    """Openai costs half a second; `lineproof --help` must not pay it."""
    code = "import sys, pipeline.llm; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_slow_model_with_a_small_window_is_told_by_the_environment(environment, transcript, monkeypatch):
    """LINEPROOF_TIMEOUT is in seconds, LINEPROOF_CONTEXT in tokens; what is larger than that is never sent."""
    monkeypatch.setenv("LINEPROOF_TIMEOUT", "900")
    monkeypatch.setenv("LINEPROOF_CONTEXT", "8192")
    settings = settings_from_environment()
    assert (settings.timeout_seconds, settings.max_input_tokens) == (900, 8192)


@pytest.mark.parametrize("variable", ["LINEPROOF_TIMEOUT", "LINEPROOF_CONTEXT"])
@pytest.mark.parametrize("said", ["0", "-5", "ten", "1e3", "٣"])
def test_a_limit_that_is_no_number_is_an_error(environment, transcript, monkeypatch, variable, said):
    """The message names the variable and what it must be."""
    environment(model="local", address="http://127.0.0.1:1/v1")
    monkeypatch.setenv(variable, said)
    with pytest.raises(SettingsError, match=f"{variable}.*whole number above zero"):
        model_from_environment(transcript)
