"""A store verified as a whole: untouched it passes, and what is not as it was recorded is named with its kind."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random as Seeded

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.tampers import entries_of, folders_of, patch_manifest, rechained, write_ledger
from benchmarks.tampers_ledger import LEDGER_TAMPERS
from benchmarks.tampers_records import RECORD_TAMPERS
from pipeline.audit.anchors import sign_last_line
from pipeline.audit.verify import verify
from pipeline.run import TRANSCRIPT, ask
from pipeline.store.ledger import LEDGER, append
from pipeline.store.runs import ANSWER, TRACE
from pipeline.store.sealed import put_unfinished_in_place, sealed_folders
from pipeline.store.seals import RECEIPT, SEAL
from schemas.errors import InputError
from schemas.verification import Verification
from tests.faults.test_model_faults import FAULTS, ask_model

LAW = "Is there a non-compete, and which law governs the agreement?"
CAP = "What is the liability cap?"
ALL = {**LEDGER_TAMPERS, **RECORD_TAMPERS}
# What is changed in a record makes no difference to a hash: one of them stands for all; the campaign makes each.
BY_STORE = [name for name, one in ALL.items() if one.needs == "store" and ("edited" not in name or "quote" in name)]
BY_ANCHOR = [name for name, one in ALL.items() if one.needs == "anchor" and name.startswith("ledger")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with runs by rules and by a model, a compound question, a run that replaced another; never changed."""
    project = Path(__file__).resolve().parents[2]
    root = tmp_path_factory.mktemp("made") / "store"
    for question in (LAW, CAP, CAP):
        ask(project / "examples" / "supply_agreement.pdf", question, store=root)
    other = root.parent / "note.txt"
    other.write_text("The fee is EUR 500 a year.\n\nThe term is two years from 1 May 2024.\n")
    ask(other, "What is the fee?", store=root)
    ask_model(project, root, FAULTS[min(FAULTS)], "model")
    (root / f"model_{TRANSCRIPT}").rename(root / TRANSCRIPT)
    for ending in ("-wal", "-shm"):
        beside = root / f"model_{TRANSCRIPT}{ending}"
        if beside.exists():
            beside.rename(root / f"{TRANSCRIPT}{ending}")
    return root


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "store"))


def kinds(done: Verification) -> set[str]:
    """The kinds of its mismatches."""
    return {one.kind for one in done.mismatches}


def remarks(done: Verification) -> set[str]:
    """The kinds of its remarks."""
    return {one.kind for one in done.remarks}


def everything(root: Path) -> Iterator[tuple[str, bytes, int]]:
    """Every file of a store with its bytes and the time it was last written."""
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(root)), path.read_bytes(), path.stat().st_mtime_ns


def test_an_untouched_store_passes_and_is_left_as_it_is(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No false alarm, nothing written, the same bytes each time, whatever model the environment names."""
    monkeypatch.setenv("LINEPROOF_MODEL", "a-model")
    before = list(everything(made))
    done = verify(made, rerun=False)
    assert done.mismatches == ()
    assert done.passed
    assert list(everything(made)) == before
    assert verify(made, rerun=False).to_json() == done.to_json()
    assert done.entry_count == len(entries_of(made))
    assert done.head == entries_of(made)[-1].hash
    assert done.checks["lines read anew from the document"]
    assert done.checks["model calls found in the call cache"]


def test_stages_done_again_raise_no_alarm(made: Path) -> None:
    """With everything that can be checked, the store passes as well."""
    done = verify(made)
    assert done.mismatches == ()
    assert done.checks["runs done again"]
    assert done.checks["salted roots"]


@pytest.mark.parametrize("name", BY_STORE)
def test_every_tampering_that_the_store_shows_is_named(store: Path, name: str) -> None:
    """Each of the campaign in benchmarks/tampering.py, once: told, and by a kind that says what was done."""
    tamper = ALL[name]
    did = tamper.act(store, Seeded(name))  # noqa: S311 - a seeded sample, no secret
    assert did is not None
    assert kinds(verify(store, rerun=False)) & set(tamper.named), did


@pytest.mark.parametrize("name", BY_ANCHOR)
def test_what_only_a_signed_head_shows_is_shown_by_it(store: Path, name: str) -> None:
    """A holder who writes everything anew, or cuts off the end with its folders."""
    head = sign_last_line(store, Ed25519PrivateKey.generate())
    tamper, seed = ALL[name], 0
    while tamper.act(store, Seeded(seed)) is None:  # noqa: S311 - a seeded sample, no secret
        seed += 1
    done = verify(store, anchors=[head], rerun=False)
    assert kinds(done) & set(tamper.named)
    assert done.anchored_to is None


@pytest.mark.parametrize(
    "name", ["record: reasons swapped, everything anew", "record: a quote edited, everything anew"]
)
def test_what_was_changed_with_every_hash_shows_in_what_follows_from_it(store: Path, name: str) -> None:
    """A record changed with its seal, the ledger and all receipts does not follow from the document any more."""
    tamper = RECORD_TAMPERS[name]
    did = tamper.act(store, Seeded(name))  # noqa: S311 - a seeded sample, no secret
    assert did is not None
    assert kinds(verify(store, rerun="reasons" in name)) & set(tamper.named), did


def test_a_valid_head_vouches_up_to_its_line(store: Path) -> None:
    """What came after is told as not vouched for."""
    key = Ed25519PrivateKey.generate()
    head = sign_last_line(store, key)
    append(store, "dictionary", facts={"name": "later"})
    done = verify(store, anchors=[head], trusted=[key.public_key()], rerun=False)
    assert done.anchored_to == head.seq
    assert done.signed_by == (head.key_id,)
    assert any("1 line follows" in sentence for sentence in done.cannot_detect)
    other = verify(store, anchors=[head], trusted=[Ed25519PrivateKey.generate().public_key()], rerun=False)
    assert kinds(other) >= {"signature_invalid"}


def test_a_store_from_before_the_ledger_is_checked_by_its_lists_of_files(store: Path) -> None:
    """Remarks, no mismatches; a changed file is still told."""
    (store / LEDGER).unlink()
    for folder in list(sealed_folders(store)):
        for name in (SEAL, RECEIPT, "request.json"):
            (folder / name).unlink()
        manifest = json.loads((folder / "complete.json").read_bytes())["files"]
        kept = {name: sha for name, sha in manifest.items() if (folder / name).exists()}
        trace = json.loads((folder / TRACE).read_bytes())
        old = {name: trace[name] for name in ("doc_id", "source_name", "question", "started", "stages", "model_calls")}
        old |= {name: trace[name] for name in ("downgrades", "pages_not_read", "settings", "versions")}
        (folder / TRACE).write_text(json.dumps({"schema_version": 2, **old}, indent=1))
        (folder / "complete.json").write_bytes(json.dumps({"files": kept}, indent=1).encode() + b"\n")
        patch_manifest(folder, TRACE)
    shutil.rmtree(store / "dictionaries")
    done = verify(store, rerun=False)
    assert done.mismatches == ()
    assert "unsealed" in remarks(done)
    folder = folders_of(store)[0]
    (folder / ANSWER).write_bytes((folder / ANSWER).read_bytes() + b" ")
    assert kinds(verify(store, rerun=False)) == {"record_altered"}


def test_a_forgotten_run_is_a_remark(store: Path) -> None:
    """A line that a later one says was erased; while its folder is still there, that is told."""
    entries = entries_of(store)
    folder = next(path for path in folders_of(store) if json.loads((path / RECEIPT).read_bytes())["seq"] == 1)
    append(store, "forget", facts={"seqs": "1"})
    assert kinds(verify(store, rerun=False)) == {"erasure_unfinished"}
    shutil.rmtree(folder)
    done = verify(store, rerun=False)
    assert done.mismatches == ()
    assert {"forgotten"} <= remarks(done)
    write_ledger(store, rechained(entries))
    assert "record_missing" in kinds(verify(store, rerun=False))


def test_a_folder_that_a_process_left_behind_counts_as_its_next_reader_would_find_it(store: Path) -> None:
    """Recorded: as in place. Not recorded: a remark."""
    folder = folders_of(store)[0]
    folder.rename(folder.with_name(f".new-{folder.name}"))
    done = verify(store, rerun=False)
    assert done.mismatches == ()
    shutil.copytree(folder.with_name(f".new-{folder.name}"), folder.with_name(".new-another"))
    (folder.with_name(".new-another") / RECEIPT).unlink()
    seal = json.loads((folder.with_name(".new-another") / SEAL).read_bytes())
    (folder.with_name(".new-another") / SEAL).write_text(json.dumps({**seal, "place": "x/questions/another"}))
    done = verify(store, rerun=False)
    assert done.mismatches == ()
    assert "unfinished" in remarks(done)


def test_the_users_own_copy_takes_part(store: Path, tmp_path: Path, project: Path) -> None:
    """The same bytes under any name are fine; the same name with other bytes is not; nor is a stranger."""
    copies = tmp_path / "copies"
    copies.mkdir()
    contract = (project / "examples" / "supply_agreement.pdf").read_bytes()
    (copies / "renamed.pdf").write_bytes(contract)
    done = verify(store, sources=copies, rerun=False)
    assert done.mismatches == ()
    assert done.checks["documents of the user"]
    (copies / "supply_agreement.pdf").write_bytes(contract + b"\n")
    assert kinds(verify(store, sources=copies / "supply_agreement.pdf", rerun=False)) == {"source_changed"}
    (copies / "stranger.pdf").write_bytes(b"%PDF-1.4")
    assert kinds(verify(store, sources=copies / "stranger.pdf", rerun=False)) == {"source_changed"}
    with pytest.raises(InputError, match="no such file"):
        verify(store, sources=copies / "nothing", rerun=False)


def test_only_the_named_runs_are_checked(store: Path) -> None:
    """A fault elsewhere stays untold, the ledger is checked in full."""
    one, other = folders_of(store)[:2]
    (one / ANSWER).unlink()
    assert verify(store, runs=[other], rerun=False).passed
    assert kinds(verify(store, runs=[one], rerun=False)) == {"record_missing"}
    with pytest.raises(InputError, match="no folder of this store"):
        verify(store, runs=[store / "nothing"], rerun=False)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a folder that may not be written")
def test_a_store_that_may_only_be_read_is_verified(store: Path) -> None:
    """Nothing is written, so nothing needs to be."""
    for path in (store, *store.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert verify(store, rerun=False).passed
    finally:
        for path in (store, *store.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_dictionary_in_force_is_the_one_that_was_recorded_last(store: Path) -> None:
    """Changed behind the ledger's back: told. Never recorded: a remark."""
    folder = store / "dictionaries"
    (folder / "own.toml").write_bytes(b"one")
    assert remarks(verify(store, rerun=False)) >= {"unsealed"}
    sha = hashlib.sha256(b"one").hexdigest()
    append(store, "dictionary", facts={"name": "own", "sha256_before": None, "sha256_after": sha})
    assert verify(store, rerun=False).passed
    (folder / "own.toml").write_bytes(b"two")
    assert kinds(verify(store, rerun=False)) == {"record_altered"}


def test_a_process_that_died_before_the_receipt_raises_no_alarm(store: Path) -> None:
    """Recorded, not yet in place, no receipt: the store passes before and after it is put in place."""
    folder = folders_of(store)[0]
    fresh = folder.rename(folder.with_name(f".new-{folder.name}"))
    (fresh / RECEIPT).unlink()
    assert verify(store, rerun=False).mismatches == ()
    assert put_unfinished_in_place(store) == (folder,)
    assert verify(store, rerun=False).mismatches == ()
