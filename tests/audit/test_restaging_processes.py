"""Stages done again by several processes: from any caller, told where one is ended, and none stays behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.audit.restaging import pool
from pipeline.audit.restaging.records import Job
from pipeline.audit.restaging.worker import Worker
from pipeline.run import ask
from schemas.errors import StoreError

SCRIPT = """
import sys
from pathlib import Path
from pipeline.audit.restaging import check_stages
from pipeline.store.sealed import sealed_folders

root = Path(sys.argv[1])
for folder, mismatches, remarks, checks in check_stages(root, sealed_folders(root), processes=2):
    print(folder.name, mismatches, [one.kind for one in remarks], sorted(checks))
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run of a short text."""
    folder = tmp_path_factory.mktemp("processes")
    (folder / "note.txt").write_text("The fee is EUR 500 a year.\n\nThe term is two years from 1 May 2024.\n")
    ask(folder / "note.txt", "What is the fee?", store=folder / "store")
    return folder / "store"


def test_a_plain_script_needs_no_main_guard(store: Path, tmp_path: Path, project: Path) -> None:
    """Its processes do not import it: it says everything once."""
    script = tmp_path / "plain.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script, store], capture_output=True, text=True, timeout=300, check=False,
        env={"PYTHONPATH": str(project)}, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    run, parsing, whole = sorted(done.stdout.splitlines(), key=len, reverse=True)
    assert "'runs done again'" in run
    assert "'documents parsed again'" in parsing
    assert whole == "store [] [] []"
    assert "[]" in run
    assert "[]" in parsing


def test_a_process_that_is_ended_from_outside_is_told(store: Path) -> None:
    """As an error of the store, not as a silence."""
    worker = Worker()
    worker.kill()
    with pytest.raises(StoreError, match="ended from outside"):
        worker.do(Job("runs", store, "note", ()))
    worker.close()


def test_a_caller_that_stops_half_way_leaves_no_process(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who takes one result and goes away ends them all."""
    made: list[Worker] = []

    class Counted(Worker):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr(pool, "Worker", Counted)
    jobs = [Job("runs", store, "note", ()) for _ in range(12)]
    results = pool.do_jobs(jobs, processes=2)
    assert next(results)[1] == []
    results.close()  # type: ignore[attr-defined]
    assert len(made) == 2
    assert all(worker._program._process.poll() is not None for worker in made)


def test_little_work_is_done_in_one_process(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting another takes longer than some twenty runs."""

    def refuse() -> Worker:
        raise AssertionError("no process is needed")

    monkeypatch.setattr(pool, "Worker", refuse)
    assert [done for _, done in pool.do_jobs([Job("runs", store, "note", ())] * 3, processes=None)] == [[], [], []]
