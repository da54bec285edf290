"""A store against one who can write into it, and into the ledger too: excuses, copies, links and loads are named."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pipeline.audit.opened import open_run
from pipeline.audit.replaying.redoing import replay_run
from pipeline.audit.replaying.whatif import WhatIf
from pipeline.audit.reviewing.recording import Opinion, record
from pipeline.audit.verify import verify
from pipeline.audit.verify.findings import MAX_LISTED
from pipeline.run import ask
from pipeline.store.folders import MANIFEST
from pipeline.store.ledger import LEDGER, append, hash_of, last_entry, to_line
from pipeline.store.runs import ANSWER, REQUEST, TRACE
from pipeline.store.sealed import save_sealed
from pipeline.store.seals import SEAL, Rests, read_seal, seal_root
from schemas.errors import InputError
from schemas.ledger import Fact

Edit = Callable[[dict[str, bytes]], object]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of a short text, a strict replay and a signed review of one of them; never changed."""
    folder = tmp_path_factory.mktemp("attacked")
    (folder / "note.txt").write_text("The fee is EUR 500 a year.\n\nThe term is two years from 1 May 2024.\n")
    runs = [
        ask(folder / "note.txt", question, store=folder / "s") for question in ("What is the fee?", "What is the term?")
    ]
    replay_run(open_run(runs[0].path), WhatIf())
    record(runs[0].path, Opinion("accept", "as it says"), by="Ann", key=Ed25519PrivateKey.generate())
    return folder / "s"


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "store"))


def runs_of(root: Path) -> list[Path]:
    """The folders of the runs: the fee, the term."""
    return sorted(root.glob("*/questions/*"))


def reseal(
    root: Path,
    folder: Path,
    change: Edit,
    *,
    to: str | None = None,
    rests: Rests | None = None,
    facts: Mapping[str, Fact] | None = None,
) -> None:
    """Save the files of a folder once more, changed, with a seal and a line of their own."""
    seal = read_seal(folder)
    assert seal is not None
    files = {name: (folder / name).read_bytes() for name in seal.files}
    change(files)
    own = rests or Rests(seal.documents, seal.parsings, seal.runs)
    save_sealed(root, root / to if to else folder, files, kind=seal.kind, rests=own, facts=facts)


def put(name: str, **fields: object) -> Edit:
    """Put fields into a record."""

    def change(files: dict[str, bytes]) -> None:
        said = {**json.loads(files[name]), **fields}
        files[name] = json.dumps(said, indent=1, ensure_ascii=False).encode() + b"\n"

    return change


def told(root: Path, *, rerun: bool = False) -> list[tuple[str, str]]:
    """Kind of each mismatch, and the last part of its place."""
    return [(one.kind, one.place.rpartition("/")[2]) for one in verify(root, rerun=rerun).mismatches]


def test_an_untouched_store_passes(made: Path) -> None:
    """With replays and reviews in it."""
    assert told(made, rerun=True) == []


def test_a_signature_does_not_hold_for_another_run_or_reviewer(store: Path) -> None:
    """A signed verdict that is copied, with its lines and hashes in order."""
    (folder,) = (store / "reviews").iterdir()
    other = runs_of(store)[1]
    seal = read_seal(other)
    assert seal is not None
    place = other.relative_to(store).as_posix()
    copied = put("review.json", run=place, run_seal=seal_root(seal), reviewer="Dr Chief")
    facts: dict[str, Fact] = {"of_seq": 2, "verdict": "accept", "subject": "answer"}
    reseal(
        store, folder, copied, to="reviews/0123456789abcdef", rests=Rests(runs={place: seal_root(seal)}), facts=facts
    )
    assert ("signature_invalid", "review.json") in told(store)


@pytest.mark.parametrize("facts", [{"of_seq": 2}, {"identical": False}, {"strict": False}])
def test_a_replay_says_what_its_line_says(store: Path, facts: dict[str, Fact]) -> None:
    """A copy of it on the line of another run, or with another outcome; under another name, too."""
    (folder,) = (store / "replays").iterdir()
    right: dict[str, Fact] = {"of_seq": 1, "identical": True, "strict": True, "changed": None}
    reseal(store, folder, lambda _: None, facts={**right, **facts})
    assert told(store) == [("record_invalid", "replay.json")]
    reseal(store, folder, lambda _: None, facts=right)
    reseal(store, folder, lambda _: None, to=f"replays/{folder.name[:-4]}ffff", facts=right)
    assert ("record_invalid", "replay.json") in told(store)


def test_a_seal_or_a_list_that_is_written_otherwise_is_altered(store: Path) -> None:
    """Also where it calls itself older, or says something twice: other readers may read something else."""
    run = runs_of(store)[0]
    seal = json.loads((run / SEAL).read_bytes())
    (run / SEAL).write_text('{"kind":"case",' + json.dumps({**seal, "written_as": 1})[1:])
    listed = json.loads((run / MANIFEST).read_bytes())
    (run / MANIFEST).write_text(json.dumps({**listed, "approved_by": "the board"}))
    assert {("record_altered", SEAL), ("record_altered", MANIFEST)} <= set(told(store))


@pytest.mark.parametrize(
    "change",
    [
        put(REQUEST, written_as=1),
        put(TRACE, written_as=2),
        lambda files: files.update({REQUEST: files[REQUEST].replace(b"{", b'{"doc_id":"x",', 1)}),
    ],
)
def test_a_record_that_excuses_itself_is_altered(store: Path, change: Edit) -> None:
    """It says that it was lifted, or says something twice."""
    reseal(store, runs_of(store)[0], change)
    assert "record_altered" in {kind for kind, _ in told(store)}


def test_other_code_excuses_no_other_trace(store: Path) -> None:
    """A name in the trace that the run does not give is told, whatever code the records name."""
    folder = runs_of(store)[0]
    versions = {**json.loads((folder / TRACE).read_bytes())["versions"], "lineproof code": "0" * 64}

    def change(files: dict[str, bytes]) -> None:
        put(REQUEST, code_sha256="0" * 64)(files)
        put(TRACE, source_name="forged.txt", versions=versions)(files)

    reseal(store, folder, change)
    assert told(store, rerun=True) == [("record_altered", TRACE)]


def test_a_seal_names_what_its_run_rests_on(store: Path) -> None:
    """Without document and parsing nothing would be looked for."""
    folder = runs_of(store)[0]
    seal = read_seal(folder)
    assert seal is not None
    reseal(store, folder, lambda _: None, rests=Rests(runs=seal.runs))
    assert ("record_invalid", REQUEST) in told(store)


@pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")
@pytest.mark.parametrize("place", ["", "parsing", f"questions/fee/{ANSWER}", "questions/fee"])
def test_a_link_is_named_and_not_followed(store: Path, tmp_path: Path, place: str) -> None:
    """To a folder outside with the very same files; nothing is done again then. A pipe keeps nobody waiting."""
    fee = runs_of(store)[0]
    path = store / fee.parts[-3] / place.replace("fee", fee.name)
    path.rename(tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")
    os.mkfifo(store / "pipe")
    found = told(store, rerun=True)
    assert ("record_added", "pipe") in found
    assert ("record_missing" if place.endswith(ANSWER) else "record_added", path.name) in found


@pytest.mark.parametrize("place", ["/etc", "", "../x", "a/../b", "\0"])
def test_a_place_that_is_none_ends_no_check(store: Path, place: str) -> None:
    """In the seal of a former folder that the ledger names."""
    run = runs_of(store)[0]
    former = shutil.copytree(run, run.parents[1] / "former" / "x_000000000000")
    seal = read_seal(run)
    assert seal is not None
    other = seal.model_copy(update={"place": place})
    (former / SEAL).write_bytes(other.to_json())
    append(store, "run", seal=seal_root(other))
    assert ("record_altered", former.name) in told(store)


def test_loads_of_damage_are_listed_in_part(store: Path) -> None:
    """Damaged lines, ranges without end, numbers beyond all lines: told, counted, and soon done with."""
    append(store, "forget", facts={"seqs": ",".join(["1-999999999999"] * 50_000)})
    last = last_entry(store)
    assert last is not None
    far = last.model_copy(update={"seq": 10**15, "prev": last.hash})
    with (store / LEDGER).open("ab") as file:
        file.write(to_line(far.model_copy(update={"hash": hash_of(far)})) + b"x\n" * 5_000)
    done = verify(store, rerun=False)
    assert {"ledger_line_missing", "ledger_inserted", "erasure_unfinished"} <= {one.kind for one in done.mismatches}
    inserted = [one for one in done.mismatches if one.kind == "ledger_inserted"]
    assert len(inserted) == MAX_LISTED + 1
    assert "4,500 more" in inserted[0].detail


def test_what_is_no_store_is_bad_input(tmp_path: Path) -> None:
    """An empty folder does not pass, and a file is called one."""
    with pytest.raises(InputError, match="no run and no ledger"):
        verify(tmp_path)
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(InputError, match="is a file"):
        verify(tmp_path / "a.txt")
