"""The papers stay true: generated files are fresh, and each layer can be imported alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schemas import documentation


@pytest.mark.parametrize("name", sorted(documentation.files()))
def test_generated_documentation_is_fresh(name: str, project: Path) -> None:
    """docs/tables.md and the JSON Schemas are what the schemas say today; `make docs` writes them."""
    assert (project / "docs" / name).read_text(encoding="utf-8") == documentation.files()[name]


def test_no_generated_schema_is_left_over(project: Path) -> None:
    """A record that is gone leaves no schema behind."""
    on_disk = {f"schemas/{path.name}" for path in (project / "docs" / "schemas").iterdir()}
    assert on_disk == set(documentation.files()) - {"tables.md"}


BRICKS = ("parsing", "question", "retrieval", "generation")


@pytest.mark.parametrize("brick", BRICKS)
def test_a_brick_imports_without_its_siblings(brick: str) -> None:
    """In a fresh interpreter, one brick loads none of the others."""
    code = (
        f"import sys, pipeline.{brick}; "
        f"print([b for b in {BRICKS!r} if b != {brick!r} and 'pipeline.' + b in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
