"""The papers stay true: generated files are fresh, and each layer can be imported alone."""

from __future__ import annotations

import re
import shlex
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


def test_the_python_of_the_readme_runs(project: Path, tmp_path: Path) -> None:
    """The README's Python, as it stands, in an empty folder with the examples beside it."""
    blocks = re.findall(r"```python\n(.*?)```", (project / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    (tmp_path / "examples").symlink_to(project / "examples")
    told = ""
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout
        told += done.stdout
    assert "EUR 2,500,000" in told
    assert "4711" in told
    assert (tmp_path / "outputs").is_dir()


def test_the_commands_of_the_readme_run(project: Path, tmp_path: Path) -> None:
    """Every `lineproof` command of the README that names a sample document ends with exit code 0."""
    (tmp_path / "examples").symlink_to(project / "examples")
    commands = [
        line.strip().removeprefix(".venv/bin/")
        for line in (project / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("    .venv/bin/lineproof") and "<" not in line
    ]
    assert len(commands) >= 3
    for command in commands:
        done = subprocess.run(
            [Path(sys.executable).parent / "lineproof", *shlex.split(command, comments=True)[1:]],
            capture_output=True, text=True, cwd=tmp_path, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (command, done.stderr)


def test_every_command_and_exit_code_is_in_the_readme(project: Path) -> None:
    """A command that exists is documented; so is every way to end."""
    readme = (project / "README.md").read_text(encoding="utf-8")
    from pipeline.cli.app import app

    for command in app.registered_commands:
        assert command.callback is not None
        assert f"`lineproof {command.name or command.callback.__name__} " in readme
    for code in (0, 2, 3, 4, 5, 6):
        assert f"\n| {code} |" in readme
