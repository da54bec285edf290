"""`kill -9` at any moment: the store stays readable, and the next `ask` completes it with the same bytes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli.app import app
from pipeline.store.documents import load_document
from pipeline.store.folders import MANIFEST, read_folder
from pipeline.store.runs import list_runs, load_run

QUESTION = "What is the annual programme fee?"
KILLS = int(os.environ.get("LINEPROOF_KILLS", "12"))
SEED = 20_240_301
CLOCKED = {"trace.json", MANIFEST, "seal.json", "entry.json"}  # hold times, salt, or the hash of what holds them

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX matter")

CRASHING = """
import os, signal, sys
from pathlib import Path
from pipeline.store import folders
left = int(sys.argv[2])
def counted(act):
    def wrapped(*arguments, **options):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return act(*arguments, **options)
    return wrapped
os.fsync, Path.rename, Path.mkdir = counted(os.fsync), counted(Path.rename), counted(Path.mkdir)
folders.shutil.rmtree, Path.open = counted(folders.shutil.rmtree), counted(Path.open)
root = Path(sys.argv[1])
folders.write_folder(root, root / "x" / "record", {"a": b"new", "b": b"new"})
print("done")
"""


# A program that forks for every line it reads: the child asks, and may be killed; it is reaped at the next line.
# Imports come first, so that the moments fall into the work and not into the start of the interpreter.
FORKING = """
import os, sys
import openpyxl, pyarrow.parquet, pipeline.cli.app, pipeline.generation.answering, pipeline.parsing.pdf, pipeline.run
import pipeline.question, pipeline.question.analysis, pipeline.retrieval.assembly, pipeline.generation.highlight
pipeline.question.parse_question("What is the fee?", None, pipeline.run.dictionaries_of(""))
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        for stream in (0, 1, 2):
            os.dup2(os.open(os.devnull, os.O_RDWR), stream)
        sys.argv = ["lineproof", "ask", *line.rstrip("\\n").split("\\t")]
        try:
            pipeline.cli.app.run_app()
        except SystemExit as end:
            os._exit(end.code)
        finally:
            os._exit(99)
    print(child, flush=True)
    sys.stdin.readline()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Asker:
    """The forking program; each `ask` of it may be killed after some seconds."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, document: Path, store: Path, *, seconds: float | None) -> int:
        """The exit code of an `ask`, negative for the signal that ended it; None lets it come to its end."""
        child = int(self._say(f"{document}\t{QUESTION}\t--store\t{store}"))
        if seconds is not None:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)  # of no effect on one that has ended: it is not yet reaped
        return int(self._say(""))

    def _say(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()


@pytest.fixture
def asker() -> Iterator[Asker]:
    """The forking program, ended with the test."""
    command = [sys.executable, "-c", FORKING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Asker(process)


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a run that hold no times."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name not in CLOCKED}


def ask_again(document: Path, store: Path) -> Path:
    """The next `ask`: it must end well; gives the folder of the run."""
    result = CliRunner().invoke(app, ["ask", str(document), QUESTION, "--store", str(store), "--json"])
    assert result.exit_code == 0, result.output
    return Path(json.loads(result.stdout)["run"])


def test_a_crash_at_every_step_of_a_writing_keeps_the_old_record_or_the_new(tmp_path: Path) -> None:
    """Killed before each call that touches the disk, in turn: what was reported done is there, whole."""
    root = tmp_path / "store"
    for steps in range(40):
        before = read_folder(root, root / "x" / "record")
        done = subprocess.run(
            [sys.executable, "-c", CRASHING, str(root), str(steps)], capture_output=True, text=True, check=False
        )
        after = read_folder(root, root / "x" / "record")
        assert after in (before, {"a": b"new", "b": b"new"})
        if done.stdout == "done\n":
            assert after == {"a": b"new", "b": b"new"}
            break
    else:
        pytest.fail("the writing never came to its end")
    assert done.returncode == 0
    assert steps > 5


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_kill_at_any_moment_leaves_a_store_that_the_next_ask_completes(
    project: Path, tmp_path: Path, asker: Asker
) -> None:
    """Random, seeded moments; half of them over a store that already holds the run, which must never be lost."""
    document = project / "examples" / "supply_agreement.pdf"
    undisturbed = files_of(ask_again(document, tmp_path / "undisturbed"))
    started = time.monotonic()
    assert asker.ask(document, tmp_path / "timed", seconds=None) == 0
    longest = time.monotonic() - started

    moments = random.Random(SEED)  # noqa: S311 - moments, not secrets
    codes = []
    for number in range(KILLS):
        store = tmp_path / f"store{number // 2}"  # each store is hit twice: empty, then holding a whole run
        known = list_runs(store)
        codes.append(asker.ask(document, store, seconds=moments.uniform(0.0, longest)))
        for run in known:  # reported done before the kill: still there and whole
            assert load_run(run).answer.status == "answered"
        for parsing in store.glob("*/parsing"):
            assert load_document(store, parsing.parent.name) is not None
        assert files_of(ask_again(document, store)) == undisturbed
        hidden = [path for path in store.rglob(".*") if path.name != ".locks"]
        assert hidden == []
    assert set(codes) <= {0, -signal.SIGKILL}
    assert -signal.SIGKILL in codes
