"""Which models take part: as the environment or the caller names them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from pipeline.embeddings import open_cross_encoder, open_embedder, open_sparse_encoder, packages
from schemas.errors import MissingPackageError, SettingsError
from tests.embeddings.test_endpoint import embedded
from tests.scripted_server import ScriptedServer

NAMES = ("LINEPROOF_EMBEDDINGS", "LINEPROOF_CROSS_ENCODER", "LINEPROOF_SPARSE_ENCODER")


@pytest.fixture(autouse=True)
def no_names(monkeypatch):
    """Nothing is set."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def not_installed(monkeypatch):
    """As if the extra were not installed."""
    monkeypatch.setattr(packages, "find_spec", lambda name: None)


@pytest.mark.parametrize("said", ["none", " None "])
def test_none_is_none(monkeypatch, said):
    """'none' switches every model off, also a local one that is installed."""
    for name in NAMES:
        monkeypatch.setenv(name, said)
    assert (open_embedder(), open_cross_encoder(), open_sparse_encoder()) == (None, None, None)


def test_nothing_said_is_the_local_model_where_it_is_installed(monkeypatch):
    """Without the variable the extra decides; a key in the environment never sends a text away."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-abcdefgh")
    found = open_embedder()
    assert (found is None) == (packages.local_model() is None)
    if found is not None:
        assert found.name.startswith("all-MiniLM-L6-v2-int8@8199be6f699a-")
    assert (open_cross_encoder(), open_sparse_encoder()) == (None, None)
    assert open_embedder(unset="none") is None


def test_without_the_extra_there_is_no_embedder(not_installed):
    """Where the extra is not installed and nothing is said, there is none and that is no error."""
    assert open_embedder() is None


def test_a_local_model_that_is_not_there_says_what_to_install(not_installed, tmp_path):
    """'local' and a folder without the packages that run it say which extra to install."""
    with pytest.raises(MissingPackageError, match=r"onnxruntime.*pip install 'lineproof\[embeddings\]'"):
        open_embedder("local")
    with pytest.raises(MissingPackageError, match=r"tokenizers: pip install 'lineproof\[embeddings\]'"):
        open_embedder(str(tmp_path))
    with pytest.raises(MissingPackageError, match=r"onnxruntime and tokenizers: pip install"):
        open_cross_encoder(str(tmp_path))


def test_a_folder_without_a_model_is_refused(monkeypatch, tmp_path):
    """A path that holds no model, or does not exist, is an error and no model name at an endpoint."""
    pytest.importorskip("tokenizers", reason="the extra 'embeddings' is not installed")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(SettingsError, match="lacks"):
        open_embedder(str(tmp_path))
    for said in (str(tmp_path / "missing"), "./missing", "~/missing-model"):
        with pytest.raises(SettingsError, match="is not a folder"):
            open_embedder(said)
    with pytest.raises(SettingsError, match="LINEPROOF_CROSS_ENCODER must name a folder"):
        open_cross_encoder("ms-marco")
    with pytest.raises(SettingsError, match=r"lacks model\.onnx and tokenizer\.json"):
        open_sparse_encoder(str(tmp_path))


def test_a_model_name_needs_an_endpoint(monkeypatch):
    """Without a key or an address a model name is an error that says what to set."""
    monkeypatch.setenv("LINEPROOF_EMBEDDINGS", "text-embedding-3-small")
    with pytest.raises(SettingsError, match=r"LINEPROOF_EMBEDDINGS is set to .* OPENAI_API_KEY .* OPENAI_BASE_URL"):
        open_embedder()


def test_a_model_name_is_asked_at_the_endpoint_once(monkeypatch, tmp_path):
    """Texts go to OPENAI_BASE_URL; with a cache a second object sends nothing, and works without the server."""
    with ScriptedServer(embedded) as server:
        monkeypatch.setenv("LINEPROOF_EMBEDDINGS", "bge-m3")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        first = open_embedder(cache=tmp_path)
        vectors = first(["a clause", "another"])
        first._embedder._client.close()
    assert first.name == f"bge-m3 at {server.base_url[7:-3]}"
    again = open_embedder(cache=tmp_path)
    np.testing.assert_array_equal(again(["another", "a clause"]), vectors[::-1])
    assert len(server.requests) == 1


def test_choosing_loads_nothing_heavy():
    """Which model takes part is found out without its library, and without the openai client."""
    code = (
        "import sys; from pipeline.embeddings import open_embedder; open_embedder(); "
        "print([name for name in ('onnxruntime', 'tokenizers', 'openai', 'pydantic') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert found.stdout.strip() == "[]"
