"""Fixtures shared by all tests: the measuring data, and a network that only knows this machine."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from hypothesis import settings

# No test depends on the speed of the machine.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

PROJECT = Path(__file__).resolve().parents[1]
SHARED_DATA = PROJECT.parent / "shared" / "data"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture
def shared_data() -> Path:
    """The folder of real documents beside the checkout; skips where it is not there."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the measuring data (../shared/data) are not beside this checkout")
    return SHARED_DATA


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the checkout."""
    return PROJECT


@pytest.fixture(autouse=True)
def only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that would leave the machine, and forget a model that the environment may name."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and address[0] not in LOOPBACK:
            raise ConnectionRefusedError(f"tests must not connect to {address!r}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
    for name in (
        "OPENAI_API_KEY", "OPENAI_BASE_URL", "LINEPROOF_MODEL", "LINEPROOF_CROSS_ENCODER", "LINEPROOF_SPARSE_ENCODER"
    ):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    # Whether the extra is installed must not change what other tests see; those of embeddings say what they want.
    monkeypatch.setenv("LINEPROOF_EMBEDDINGS", "none")
