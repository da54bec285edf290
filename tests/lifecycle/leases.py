"""A small dictionary of leases, three leases in plain text, and the stores that tests make of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from pipeline.store.folders import write_folder
from pipeline.store.runs import ANSWER, QUESTION, RETRIEVAL, TRACE, SavedRun, list_runs, load_run
from tests.commands import call

DICTIONARY = """
owner = "lease desk"
version = "1.0.0"
date = 2026-01-02
source = "made for tests"
languages = ["en"]

[concepts.deposit]
definition = "Money that the tenant leaves with the landlord."
answer_type = "amount"
exhaustive = false
[concepts.deposit.words.en]
primary = ["security deposit", "rental deposit"]
secondary = ["bond"]
questions = ["deposit"]

[concepts.pets]
definition = "What the keeping of animals costs."
answer_type = "amount"
exhaustive = false
[concepts.pets.words.en]
primary = ["keeping of animals", "household animals"]
questions = ["pets", "animals"]
"""
TOWNS = ("Lyon", "Bath", "Cork")
DEPOSIT = "How much is the security deposit?"
SUBLET = "How high is the sublease surcharge?"
PETS = "How much do pets cost?"


def lease(town: str, euros: int) -> str:
    """A lease of ten paragraphs."""
    return "\n\n".join(
        [
            f"Lease of the flat in {town}",
            f"The tenant pays a security deposit of EUR {euros}, which is kept in a trustee escrow account.",
            "The flat has four rooms and a kitchen with a window.",
            "The windows are cleaned by the tenant at the end of each winter.",
            "The landlord repairs the roof and the gutters.",
            "The keeping of animals costs EUR 20 a month.",
            "The tenant heats the rooms in winter.",
            "The garden is shared by all neighbours.",
            "The staircase is lit until midnight.",
            "The mailbox carries the name of the tenant.",
        ]
    )


def make_store(folder: Path) -> Path:
    """A store with the dictionary and nine runs: three questions to each of three leases."""
    store = folder / "store"
    (store / "dictionaries").mkdir(parents=True)
    (store / "dictionaries" / "leases.toml").write_text(DICTIONARY, encoding="utf-8")
    for number, town in enumerate(TOWNS, 1):
        file = folder / f"{town}.txt"
        file.write_text(lease(town, 900 * number), encoding="utf-8")
        for question in (DEPOSIT, SUBLET, PETS):
            assert call("ask", file, question, "--store", store).exit_code in (0, 3)
    return store


def copied(store: Path, folder: Path) -> Path:
    """The same store in another place, for a test that changes it."""
    return Path(shutil.copytree(store, folder / "copied"))


def run_of(store: Path, question: str, town: str = "Bath") -> SavedRun:
    """The run of a question on the lease of a town."""
    found = [load_run(folder) for folder in list_runs(store) if folder.parent.parent.name.startswith(town)]
    return next(run for run in found if run.question.original_question == question)


def rewrite(store: Path, run: SavedRun, **records: Any) -> None:
    """The run with other records (`question`, `retrieval`, `answer`: a record, or fields of its JSON) in its place."""
    files = {}
    for name, file in (("question", QUESTION), ("retrieval", RETRIEVAL), ("answer", ANSWER), ("trace", TRACE)):
        record = records.get(name, getattr(run, name))
        files[file] = json.dumps(record).encode() if isinstance(record, dict) else record.to_json()
    write_folder(store, run.path, files)


def bytes_of(store: Path) -> dict[str, bytes]:
    """Every file of a store but its locks."""
    files = (path for path in store.rglob("*") if path.is_file() and ".locks" not in path.parts)
    return {str(path.relative_to(store)): path.read_bytes() for path in files}
