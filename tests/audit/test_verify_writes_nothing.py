"""Verification leaves a store as it is to the byte, whatever a dead process left in it, stages done again included."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.audit.opened import offline_model, open_run
from pipeline.audit.restaging import check_stages
from pipeline.audit.verify import verify
from pipeline.case import ask_case
from pipeline.run import ask
from pipeline.store.disk import LOCKS
from pipeline.store.names import parsing_folder, source_folder
from pipeline.store.sealed import find_sealed, former_folders, sealed_folders
from pipeline.store.seals import SEAL, read_seal
from tests.audit.told import ask_told

FEE, BOTH = (
    "What is the annual programme fee?",
    "What is the annual programme fee? And which law governs the agreement?",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, project: Path) -> Path:
    """A store with a run that a compound question asked again, and a case; never changed."""
    root = tmp_path_factory.mktemp("still") / "store"
    contract = project / "examples" / "supply_agreement.pdf"
    for question in (FEE, BOTH):
        ask(contract, question, store=root)
    other = root.parent / "other.txt"
    other.write_text("The fee is EUR 500 a year.\n\nThe term is two years from 1 May 2024.\n")
    ask_case([contract, other], "What is the fee?", store=root)
    return root


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy of it without any lock file."""
    copy = Path(shutil.copytree(made, tmp_path / "store"))
    for path in (copy / LOCKS).iterdir():
        path.unlink()
    return copy


def state(root: Path) -> Iterator[tuple[str, bytes, int]]:
    """Every file and folder with its bytes and the time it was last written."""
    for path in sorted(root.rglob("*")):
        yield str(path.relative_to(root)), path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns


def run_of(root: Path) -> Path:
    """The folder of the run that replaced another."""
    (former,) = [one for one in sealed_folders(root) if one.parent.name == "former"]
    return former.parent.parent / "questions" / former.name.rpartition("_")[0]


def leave(root: Path, left: str) -> None:
    """What a process leaves that dies at one moment of its writing."""
    run = run_of(root)
    parsing, source = (place(root, run.parents[1].name) for place in (parsing_folder, source_folder))
    fresh, aside = run.with_name(f".new-{run.name}"), run.with_name(f".old-{run.name}")
    (former,) = former_folders(root, run)
    if left == "recorded, not in place":
        run.rename(fresh)
        former.rename(run)
    elif left == "recorded, the former one moved aside":
        run.rename(fresh)
        former.rename(aside)
    elif left == "in place, the former one still aside":
        former.rename(aside)
    elif left == "never recorded":
        shutil.copytree(former, fresh)
        (fresh / "entry.json").unlink()
        seal = fresh / SEAL
        fields = json.loads(seal.read_bytes())
        seal.write_text(json.dumps({**fields, "salt": "0" * len(fields["salt"])}, indent=1))
    elif left == "a parsing half written":
        shutil.copytree(parsing, parsing.with_name(".new-parsing"))
    elif left == "a parsing moved aside":
        parsing.rename(parsing.with_name(".old-parsing"))
    else:
        source.rename(source.with_name(".old-source"))


@pytest.mark.parametrize(
    "left",
    [
        ("a source moved aside", "recorded, not in place"),
        ("a parsing moved aside", "recorded, the former one moved aside"),
        ("a parsing half written", "in place, the former one still aside"),
        ("never recorded",),
    ],
)
def test_what_a_dead_process_left_is_verified_where_it_lies(store: Path, left: tuple[str, ...]) -> None:
    """No mismatch, a remark, every stage done again, and not a byte, a folder or a lock file is other than before."""
    for one in left:
        leave(store, one)
    before = list(state(store))
    done = verify(store)
    assert list(state(store)) == before
    assert done.mismatches == ()
    assert "unfinished" in {one.kind for one in done.remarks}
    assert "not_checked" not in {one.kind for one in done.remarks}
    assert (done.checks["documents parsed again"], done.checks["runs done again"]) == (2, 6)


def test_the_processes_of_a_check_write_nothing_either(store: Path) -> None:
    """Two of them, on a store with a half written and a moved parsing."""
    leave(store, "a parsing half written")
    leave(store, "a parsing moved aside")
    before = list(state(store))
    results = list(check_stages(store, [run_of(store)], processes=2))
    assert [found for _, found, _, _ in results if found] == []
    assert list(state(store)) == before


def test_the_run_of_a_part_is_found_where_a_dead_process_left_it(tmp_path: Path, project: Path) -> None:
    """On its way into its place: its calls still answer the whole question, and it is not moved."""
    contract = project / "examples" / "supply_agreement.pdf"
    run, _ = ask_told(contract, tmp_path / "store", "What is the liability cap? And which law governs the agreement?")
    root, seal = run.path.parents[2], read_seal(run.path)
    assert seal is not None
    assert seal.runs
    place, sealed = next(iter(seal.runs.items()))
    hidden = (root / place).with_name(f".new-{(root / place).name}")
    (root / place).rename(hidden)
    assert find_sealed(root, place, sealed) == hidden
    before = list(state(root))
    assert offline_model(open_run(run.path, as_is=True)) is not None
    assert list(state(root)) == before
    assert hidden.is_dir()
