"""A store of two leases that tests review: one names the deposit in the dictionary's words, one in its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeline.audit.keys import make_key
from pipeline.audit.reviewing.decisions import Decision, read_decision
from pipeline.store.runs import list_runs
from schemas.review import Review, Verdict
from tests.commands import call
from tests.lifecycle.leases import DEPOSIT, DICTIONARY, PETS, lease

OWN_WORDS = "The tenant leaves caution money of EUR 700 with the landlord."
CASE = "How much is the rental deposit?"


def make_reviewed(folder: Path) -> Path:
    """A store with four runs (two questions to each lease) and a case of both."""
    store = folder / "store"
    (store / "dictionaries").mkdir(parents=True)
    (store / "dictionaries" / "leases.toml").write_text(DICTIONARY, encoding="utf-8")
    texts = {"Lyon": lease("Lyon", 900), "Rome": lease("Rome", 1)}
    paragraphs = texts["Rome"].split("\n\n")
    paragraphs[1] = OWN_WORDS
    texts["Rome"] = "\n\n".join(paragraphs)
    for town, text in texts.items():
        file = folder / f"{town}.txt"
        file.write_text(text, encoding="utf-8")
        for question in (DEPOSIT, PETS):
            assert call("ask", file, question, "--store", store).exit_code in (0, 3)
    call("ask", folder / "Lyon.txt", CASE, "--with", folder / "Rome.txt", "--store", store)
    return store


def folder_of(store: Path, town: str, question: str = DEPOSIT) -> Path:
    """The run of a question on the lease of a town."""
    wanted = "-".join("".join(c if c.isalnum() else " " for c in question.lower()).split())
    return next(one for one in list_runs(store) if one.parents[1].name.startswith(town) and one.name.startswith(wanted))


def case_of(store: Path) -> Path:
    """The case."""
    return next(one for one in list_runs(store) if one.parent.name == "cases")


def decision_of(store: Path, town: str, question: str = DEPOSIT) -> Decision:
    """What a verdict is on."""
    return read_decision(folder_of(store, town, question))


def key_in(folder: Path, name: str) -> Path:
    """A new private key."""
    path = folder / f"{name}.pem"
    make_key(path)
    return path


def said(*arguments: object, code: int = 0) -> dict[str, Any]:
    """What a command of `lineproof review` prints with `--json`."""
    result = call("review", *arguments, "--json")
    assert result.exit_code == code, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def judged(verdict: Verdict, by: str, *, seal: str = "a" * 64, public_key: str | None = None) -> Review:
    """A review that was made by hand."""
    return Review(
        run="d/questions/q", run_seal=seal, reviewer=by, verdict=verdict, reason="because", subject="answer",
        at="2026-01-01T00:00:00.000+00:00", public_key=public_key, key_id=public_key and public_key[:4],
        signature=public_key and "s",
    )  # fmt: skip
