"""`kill -9` at any moment: what the ledger recorded is there, what it did not is not; whoever comes next finishes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from pipeline.store.dictionaries import HISTORY, own_dictionaries, save_dictionary, settle_dictionaries
from pipeline.store.folders import write_folder
from pipeline.store.ledger import read_entries
from pipeline.store.sealed import former_folders, put_unfinished_in_place, save_sealed
from pipeline.store.seals import Rests, read_receipt, read_seal, seal_root

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX matter")

MAX_STEPS = 100
Crash = Callable[[Path, str, int, str], bool]

# A program that forks for every line it reads: the child counts its calls that touch the disk, and dies before the one
# whose turn it is. Imports come first, so that a step takes milliseconds.
FORKING = """
import json, os, signal, sys
from pathlib import Path
from pipeline.store import folders
from pipeline.store.dictionaries import save_dictionary
from pipeline.store.folders import write_folder
from pipeline.store.sealed import save_sealed
import rfc8785
def counted(act):
    def wrapped(*arguments, **options):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return act(*arguments, **options)
    return wrapped
def in_two(handle, data, act=os.write):
    return act(handle, bytes(data)[: max(1, len(data) // 2)])
for line in sys.stdin:
    root, act, left, content = json.loads(line)
    child = os.fork()
    if child == 0:
        code = 99
        try:
            root = Path(root)
            os.write = counted(in_two)
            os.fsync, Path.rename, Path.mkdir = counted(os.fsync), counted(Path.rename), counted(Path.mkdir)
            Path.replace, Path.unlink, Path.open = counted(Path.replace), counted(Path.unlink), counted(Path.open)
            Path.write_bytes, folders.shutil.rmtree = counted(Path.write_bytes), counted(folders.shutil.rmtree)
            exec(act)
            code = 0
        finally:
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
RUN = 'save_sealed(root, root / "doc" / "questions" / "q", {"a.json": content.encode()}, kind="run")'
PARSING = 'write_folder(root, root / "doc" / "parsing", {"a.json": content.encode()}, keep_former=True)'
WORDS = """
path = root / "dictionaries" / "words.toml"
former = path.read_bytes() if path.exists() else None
save_dictionary(root, "words", content.encode(), former=former, version=content)
"""


def sha256(content: bytes) -> str:
    """As the ledger writes it."""
    return hashlib.sha256(content).hexdigest()


@pytest.fixture(scope="module")
def crash() -> Iterator[Crash]:
    """The forking program as a function, which is true where the act came to its end before it died."""
    with subprocess.Popen([sys.executable, "-c", FORKING], stdin=PIPE, stdout=PIPE, text=True) as process:

        def act_and_die(root: Path, act: str, steps: int, content: str) -> bool:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps([str(root), act, steps, content]) + "\n")
            process.stdin.flush()
            code = int(process.stdout.readline())
            assert code in (0, -9)
            return code == 0

        yield act_and_die


def test_a_kill_at_every_step_of_a_sealed_writing(tmp_path: Path, crash: Crash) -> None:
    """Before each call that touches the disk: every line has its folder, every folder its line, the former ones too."""
    folder, finished = tmp_path / "doc" / "questions" / "q", 0
    save_sealed(tmp_path, folder, {"a.json": b"0"}, kind="run", rests=Rests())
    for steps in range(MAX_STEPS):
        reported = crash(tmp_path, RUN, steps, str(steps + 1))
        finished += len(put_unfinished_in_place(tmp_path))
        assert [path for path in tmp_path.rglob(".*") if path.name != ".locks"] == []
        here = [folder, *former_folders(tmp_path, folder)]
        seals = [seal for seal in map(read_seal, here) if seal is not None]
        assert len(seals) == len(here)
        lines = {entry.seal: entry for entry in read_entries(tmp_path)}
        assert sorted(map(seal_root, seals)) == sorted(str(seal) for seal in lines)
        for each, seal in zip(here, seals, strict=True):
            assert hashlib.sha256((each / "a.json").read_bytes()).hexdigest() == seal.files["a.json"]
            receipt = read_receipt(each)
            assert receipt is None or receipt.hash == lines[seal_root(seal)].hash
        assert seal_root(seals[0]) == read_entries(tmp_path)[-1].seal
        if reported:
            assert (folder / "a.json").read_bytes() == str(steps + 1).encode()
            break
    else:
        pytest.fail("the writing never came to its end")
    assert finished > 0
    assert any(entry.torn for entry in read_entries(tmp_path))


def test_a_kill_while_a_parsing_is_replaced_keeps_the_former_one(tmp_path: Path, crash: Crash) -> None:
    """Runs rest on it: whoever finishes the writing moves it to the former ones, and never deletes it."""
    folder = tmp_path / "doc" / "parsing"
    known = {b"first"}
    write_folder(tmp_path, folder, {"a.json": b"first"}, keep_former=True)
    for steps in range(MAX_STEPS):
        reported = crash(tmp_path, PARSING, steps, str(steps))
        if folder.is_dir():
            known.add((folder / "a.json").read_bytes())
        put_unfinished_in_place(tmp_path)
        here = [(path / "a.json").read_bytes() for path in (folder, *former_folders(tmp_path, folder))]
        assert set(here) == known
        if reported:
            break
    assert reported
    assert len(known) > 2


def test_a_kill_at_every_step_of_a_change_of_a_dictionary(tmp_path: Path, crash: Crash) -> None:
    """A recorded change comes into force with the next look, an unrecorded one never; the history holds each before."""
    path, finished = own_dictionaries(tmp_path) / "words.toml", 0
    for steps in range(MAX_STEPS):
        before = path.read_bytes() if path.exists() else None
        reported = crash(tmp_path, WORDS, steps, str(steps))
        finished += len(settle_dictionaries(tmp_path))
        assert list(path.parent.glob(".*.new")) == []
        now = path.read_bytes() if path.exists() else None
        changes = [entry.facts for entry in read_entries(tmp_path)]
        assert now in (before, str(steps).encode())
        assert (changes[-1]["sha256_after"] if changes else None) == (sha256(now) if now is not None else None)
        assert [each["sha256_before"] for each in changes] == [None, *(each["sha256_after"] for each in changes)][:-1]
        if reported:
            assert now == str(steps).encode()
            break
    else:
        pytest.fail("the change never came to its end")
    assert finished > 0
    for change in changes[:-1]:
        assert any(sha256(each.read_bytes()) == change["sha256_after"] for each in (path.parent / HISTORY).iterdir())


def test_a_file_edited_by_hand_after_a_kill_stays(tmp_path: Path, crash: Crash) -> None:
    """The recorded words go to the history, so that neither is lost."""
    path = save_dictionary(tmp_path, "words", b"1", former=None, version="1")
    for steps in range(MAX_STEPS):
        crash(tmp_path, WORDS, steps, "2")
        if len(read_entries(tmp_path)) == 2:
            break
    assert path.read_bytes() == b"1"
    path.write_bytes(b"by hand")
    assert settle_dictionaries(tmp_path) == ()
    assert path.read_bytes() == b"by hand"
    assert b"2" in [each.read_bytes() for each in (path.parent / HISTORY).iterdir()]
    assert settle_dictionaries(tmp_path) == ()


def test_killed_processes_that_share_a_ledger_lose_nothing(project: Path) -> None:
    """A small campaign of `benchmarks/ledger.py`, which has the full one: eight processes of a thousand entries."""
    done = subprocess.run(
        [sys.executable, "benchmarks/ledger.py", "--processes", "4", "--entries", "16", "--kills", "24"],
        capture_output=True, text=True, check=False, cwd=project, env={**os.environ, "PYTHONPATH": str(project)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    outcome = json.loads(done.stdout)
    assert outcome["faults"] == []
    assert outcome["reported"] == 64
    assert outcome["kills"] > 0
