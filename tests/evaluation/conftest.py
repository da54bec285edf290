"""No model takes part unless a test says so: figures of the tests are those of rules."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the models that the environment may name or that may be installed."""
    monkeypatch.setenv("LINEPROOF_EMBEDDINGS", "none")
    for name in (
        "LINEPROOF_CROSS_ENCODER",
        "LINEPROOF_SPARSE_ENCODER",
        "LINEPROOF_PRICE_INPUT",
        "LINEPROOF_PRICE_OUTPUT",
    ):
        monkeypatch.delenv(name, raising=False)
