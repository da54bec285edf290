"""Saved formats: stores that every released version wrote still load, and a newer one is refused."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from pipeline.store.documents import load_document
from pipeline.store.ledger import read_entries
from pipeline.store.runs import is_case, list_runs, load_case, load_run
from pipeline.store.sealed import sealed_folders
from pipeline.store.seals import json_root, read_seal, seal_root
from schemas.documentation import RECORDS
from schemas.errors import RecordError, SchemaVersionError
from schemas.record import Record
from schemas.upgrades import UPGRADES, upgrade
from tests.commands import call

STORES = Path(__file__).parents[1] / "data" / "stores"  # README.md there says which versions each holds
NAMES = sorted(path.stem for path in STORES.glob("store_*.zip"))
ALONE = sorted(STORES.glob("*_[0-9].json"))  # records that lie in no folder of a run, by name and version
UNSAVED = {"retrieval_result"}  # a record within others, never saved on its own


def unpacked(name: str, folder: Path) -> Path:
    """The store of that name, unpacked."""
    with zipfile.ZipFile(STORES / f"{name}.zip") as packed:
        packed.extractall(folder)
    return folder


def versions_in(store: Path) -> set[tuple[str, int]]:
    """File name and version of every record in a store."""
    found = set()
    for path in store.rglob("*.json"):
        fields = json.loads(path.read_bytes())
        if isinstance(fields, dict) and "schema_version" in fields:
            found.add((path.name, fields["schema_version"]))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_store_of_every_version_loads(name: str, tmp_path: Path) -> None:
    """Runs, cases and parsings of a former version load, say what they were written as, and prove their values."""
    store = unpacked(name, tmp_path)
    answers = []
    for folder in list_runs(store):
        if is_case(folder):
            assert len(load_case(folder).answers) == 2
            continue
        saved = load_run(folder)
        for record, file in ((saved.question, "parsed_question"), (saved.answer, "answer"), (saved.trace, "trace")):
            then = json.loads((folder / f"{file}.json").read_bytes())["schema_version"]
            assert record.written_as == (None if then == type(record).SCHEMA_VERSION else then)
        answers.append(saved.answer)
        document = load_document(store, saved.trace.doc_id)
        assert document is not None
        lines = dict(zip(document.line_df["line_id"], document.line_df["text"], strict=True))
        assert all(
            span.quote == "\n".join(lines[n] for n in range(span.line_start, span.line_end + 1))
            for item in saved.answer.items
            for span in item.spans
        )
    assert {answer.status for answer in answers} >= {"answered", "not_found"}


@pytest.mark.parametrize("name", NAMES)
def test_a_store_of_every_version_is_shown_and_asked_again(name: str, tmp_path: Path) -> None:
    """An old run is shown, for people and machines; a new question in the old store works and leaves the old runs."""
    store = unpacked(name, tmp_path)
    before = list_runs(store)
    for folder in before:
        for option in ((), ("--json",)):
            result = call("show", folder, "--store", store, *option)
            assert result.exit_code == 0, result.output
    asked = call("ask", STORES / "agreement.pdf", "What is the annual fee?", "--store", store)
    assert asked.exit_code == 0, asked.output
    assert "12,000" in asked.output
    assert set(list_runs(store)) > set(before)


def test_the_first_ledger_still_holds_what_it_sealed(tmp_path: Path) -> None:
    """Lines and seals of the first format hash to what they did: a later version must be able to prove them."""
    store = unpacked("store_7", tmp_path)
    entries = read_entries(store)
    assert [entry.kind for entry in entries] == ["run", "run", "run", "run", "case", "replay", "review"]
    assert [entry.prev for entry in entries[1:]] == [entry.hash for entry in entries[:-1]]
    seals = {seal_root(seal) for folder in sealed_folders(store) if (seal := read_seal(folder)) is not None}
    assert seals == {entry.seal for entry in entries}
    for folder in sealed_folders(store):
        seal = read_seal(folder)
        assert seal is not None
        for name, root in seal.roots.items():
            assert json_root((folder / name).read_bytes(), name, bytes.fromhex(seal.salt)) == root


def test_every_version_of_every_saved_record_is_among_the_samples(tmp_path: Path) -> None:
    """A version that was once released stays in the samples: nobody can drop it in silence."""
    seen = {found for name in NAMES for found in versions_in(unpacked(name, tmp_path / name))}
    seen |= {(f"{path.stem[:-2]}.json", json.loads(path.read_bytes())["schema_version"]) for path in ALONE}
    files = {
        "parsed_document": "parsed_document.json", "parsed_question": "parsed_question.json", "answer": "answer.json",
        "audited_retrieval_result": "retrieval_result.json", "case_answer": "case_answer.json", "trace": "trace.json",
        "proposals": "proposals.json", "run_request": "request.json",
    }  # fmt: skip
    former = {(name, version) for name, version in UPGRADES if name not in UNSAVED}
    assert {(files[name], version) for name, version in former} <= seen


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.SCHEMA_NAME)
def test_upgrades_have_no_gap_and_a_newer_version_is_refused(record: type[Record]) -> None:
    """From version 1 on each has a named step to the next; what is newer names both numbers."""
    for version in range(1, record.SCHEMA_VERSION):
        step = UPGRADES[record.SCHEMA_NAME, version]
        assert re.fullmatch(r"m\d\d[\dx]_\w+", step.__name__)
        assert step.__doc__
    newer = record.SCHEMA_VERSION + 1
    with pytest.raises(SchemaVersionError, match=rf"version {newer}.*up to version {record.SCHEMA_VERSION}"):
        record.from_json(json.dumps({"schema_version": newer}).encode(), where="a file")


@pytest.mark.parametrize("path", ALONE, ids=lambda path: path.stem)
def test_a_record_of_a_former_version_loads_on_its_own(path: Path) -> None:
    """What lies beside the runs loads as well, and says what it was written as."""
    name, _, version = path.stem.rpartition("_")
    record = next(each for each in RECORDS if name == each.SCHEMA_NAME)
    assert record.from_json(path.read_bytes(), where=path.name).written_as == int(version)


def test_a_version_without_a_step_is_an_error() -> None:
    """A gap is told, not jumped."""
    with pytest.raises(RecordError, match="from version 1 to 2"):
        upgrade("answer", {}, 1, 2, {})
