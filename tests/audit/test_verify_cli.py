"""`lineproof verify` on the command line: the verdict first, exit code 0 or 1, one object for machines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli.app import app
from pipeline.cli.render_verify import REMARKS, TITLES
from pipeline.run import ask
from pipeline.store.runs import ANSWER
from schemas.verification import Mismatch, Remark, Verification


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one run."""
    (tmp_path / "note.txt").write_text("The fee is EUR 500 a year.\n\nThe term is two years from 1 May 2024.\n")
    ask(tmp_path / "note.txt", "What is the fee?", store=tmp_path / "store")
    return tmp_path / "store"


def test_an_untouched_store_ends_with_0_and_says_what_can_be_told(store: Path) -> None:
    """Passed comes first; what cannot be detected is said, too."""
    result = CliRunner().invoke(app, ["verify", "--quick", "--store", str(store)])
    assert result.exit_code == 0
    assert result.output.startswith("passed")
    assert "It cannot detect" in result.output


def test_a_changed_answer_ends_with_1_and_is_named(store: Path) -> None:
    """For people by its title and kind, for machines as one object."""
    (path,) = store.glob(f"*/questions/*/{ANSWER}")
    path.write_bytes(path.read_bytes() + b" ")
    result = CliRunner().invoke(app, ["verify", "--quick", "--store", str(store)])
    assert result.exit_code == 1
    assert result.output.startswith("failed")
    assert "Records were altered (record_altered)" in result.output
    told = CliRunner().invoke(app, ["verify", "--quick", "--json", "--store", str(store)])
    assert told.exit_code == 1
    done = Verification.from_json(told.stdout.encode(), where="stdout")
    assert [one.kind for one in done.mismatches] == ["record_altered"]


def test_a_run_and_a_source_can_be_named(store: Path) -> None:
    """By the start of its slug; the user's own file takes part."""
    source = store.parent / "note.txt"
    result = CliRunner().invoke(
        app, ["verify", "what-is", "--quick", "--json", "--source", str(source), "--store", str(store)]
    )
    assert result.exit_code == 0
    assert json.loads(result.stdout)["checks"]["documents of the user"] == 1


def test_what_cannot_be_used_is_bad_input(tmp_path: Path) -> None:
    """No store, no anchor, a bundle together with a run."""
    for arguments in (["--store", str(tmp_path / "none")], ["--anchor", str(tmp_path / "none")], ["a.zip", "b"]):
        assert CliRunner().invoke(app, ["verify", "--quick", *arguments]).exit_code == 2


def test_every_kind_has_its_words() -> None:
    """A kind that is added to the schema gets a title."""
    assert set(TITLES) == set(Mismatch.model_fields["kind"].annotation.__args__)
    assert set(REMARKS) == set(Remark.model_fields["kind"].annotation.__args__)
