"""The store of the leases: made once, copied for each test; the shipped dictionaries are left out, for speed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dictionaries import loading
from tests.lifecycle.leases import copied, make_store


@pytest.fixture(scope="package")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The store as it was made; never changed."""
    nothing = tmp_path_factory.mktemp("no_dictionaries")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "FOLDER", nothing)
        yield make_store(tmp_path_factory.mktemp("leases"))


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy of the store, to be changed."""
    return copied(made, tmp_path)
