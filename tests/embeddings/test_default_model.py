"""The local default, where the extra is installed: all-MiniLM-L6-v2 out of a package that is never imported."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from pipeline.embeddings import open_embedder
from pipeline.embeddings.packages import LOCAL_FILE, local_model

pytestmark = pytest.mark.skipif(local_model() is None, reason="the extra 'embeddings' is not installed")

COSINE_OF_THE_ORIGINAL = 0.2337  # of the first two texts by the float32 weights, SHA-256 53aa5117...
TEXTS = [
    "The supplier shall indemnify the customer against all losses.",
    "Invoices are payable within thirty days of receipt.",
    "This agreement is governed by the laws of the State of New York.",
]


@pytest.fixture(scope="module")
def model():
    """The default model, loaded once."""
    return open_embedder("local")


def test_paraphrases_are_nearest(model):
    """Each question in other words is nearest to its passage."""
    queries = [
        "Who pays if something is damaged?",
        "How long does the buyer have to pay a bill?",
        "Which jurisdiction's rules apply?",
    ]
    assert (model(queries) @ model(TEXTS).T).argmax(axis=1).tolist() == [0, 1, 2]


def test_known_cosine(model):
    """Vectors are those of the published model: 384 numbers, and a cosine that its full-precision weights give."""
    vectors = model(TEXTS[:2])
    assert vectors.shape == (2, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert float(vectors[0] @ vectors[1]) == pytest.approx(COSINE_OF_THE_ORIGINAL, abs=0.02)


def test_batch_and_process_change_nothing(model):
    """The same text has the same bytes in any batch, and from another copy of the model."""
    other = open_embedder("local")
    together = other(TEXTS)
    assert together.tobytes() == np.concatenate([model([text]) for text in TEXTS]).tobytes()


def test_it_is_read_and_not_imported(model):
    """The package that holds the weights is data: its code is not run."""
    model(TEXTS[:1])
    assert LOCAL_FILE.split("/")[0] not in sys.modules


def test_other_weights_are_refused(monkeypatch, tmp_path):
    """Weights that are not the pinned ones are refused before they are run."""
    from dataclasses import replace

    from pipeline.embeddings.local import LocalEmbedder
    from schemas.errors import SettingsError

    changed = tmp_path / "model.onnx"
    changed.write_bytes(b"other")
    with pytest.raises(SettingsError, match="SHA-256"):
        LocalEmbedder(replace(local_model(), weights=changed))(["text"])
