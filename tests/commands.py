"""The command line as the tests call it: inside this process, with what it printed and its exit code."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner, Result

from pipeline.cli.app import app

FEE = "What is the annual programme fee?"


def call(*arguments: object) -> Result:
    """The command run inside this process."""
    return CliRunner().invoke(app, [str(each) for each in arguments], prog_name="lineproof")


def kept(store: Path) -> list[str]:
    """Every file of the store that is not a lock, relative to it."""
    if not store.is_dir():
        return []
    files = (path for path in store.rglob("*") if path.is_file() and ".locks" not in path.parts)
    return sorted(str(path.relative_to(store)) for path in files)


def assert_clear(result: Result, code: int, *words: str) -> None:
    """One sentence on stderr that says what is wrong, the right code, nothing on stdout, no traceback."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("lineproof: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr
