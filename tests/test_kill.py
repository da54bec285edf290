"""`kill -9` at any moment: the store stays readable, and the next `ask` completes it with the same bytes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
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
CLOCKED = {"trace.json", MANIFEST}  # hold times, or the hash of what holds times

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
def test_a_kill_at_any_moment_leaves_a_store_that_the_next_ask_completes(project: Path, tmp_path: Path) -> None:
    """Random, seeded moments; half of them over a store that already holds the run, which must never be lost."""
    document = project / "examples" / "supply_agreement.pdf"
    undisturbed = files_of(ask_again(document, tmp_path / "undisturbed"))
    command = [sys.executable, "-c", "from pipeline.cli import main; main()", "ask", str(document), QUESTION, "--store"]
    started = time.monotonic()
    subprocess.run([*command, str(tmp_path / "timed")], check=True, capture_output=True)
    longest = time.monotonic() - started

    moments = random.Random(SEED)  # noqa: S311 - moments, not secrets
    for number in range(KILLS):
        store = tmp_path / f"store{number // 2}"  # each store is hit twice: empty, then holding a whole run
        known = list_runs(store)
        with subprocess.Popen([*command, str(store)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(moments.uniform(0.1, 1.0) * longest)
            process.send_signal(signal.SIGKILL)
        for run in known:  # reported done before the kill: still there and whole
            assert load_run(run).answer.status == "answered"
        for parsing in store.glob("*/parsing"):
            assert load_document(store, parsing.parent.name) is not None
        assert files_of(ask_again(document, store)) == undisturbed
        hidden = [path for path in store.rglob(".*") if path.name != ".locks"]
        assert hidden == []
