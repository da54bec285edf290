"""A scripted model for the tests of replays: it answers as its prompt says, so that a word of it counts."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.llm import Transcript
from pipeline.run import TRANSCRIPT, Run, ask
from pipeline.store.folders import open_store
from tests.audit.agreement import written
from tests.llm.doors import door
from tests.scripted_server import Answer, Behaviour, ScriptedRequest, ScriptedServer, Status, filled

MODEL, QUESTION, CAP = "test-model", "What is the liability cap?", "EUR 2,500,000"
CAUTIOUS = "cautious"  # a word of a prompt that makes the model answer nothing


def behave(request: ScriptedRequest) -> Behaviour:
    """A good judgement of all passages; an answer with the first line that holds the cap, or none where cautious."""
    fields = request.schema.get("properties", {})
    if "answer_found" in fields:
        return Answer(_answered(request))
    if "rankings" in fields:
        return Answer(filled(request, role="primary", reason="it carries the clause", discovered_keywords=[]))
    return Status(400, "the rules read the question")


def _answered(request: ScriptedRequest) -> dict[str, Any]:
    rows = [row.split("\t") for row in request.messages[1]["content"].split("\n") if row.count("\t") == 3]
    lines = [row[0] for row in rows if CAP in row[3]]
    found = bool(lines) and CAUTIOUS not in request.messages[0]["content"]
    item = {"line_start": lines[:1], "line_end": lines[:1], "value_text": CAP, "condition": ""}
    items = [{name: int(each[0]) if isinstance(each, list) else each for name, each in item.items()}] if found else []
    return {"items": items, "answer_found": found, "complete": True, "conflicting": False, "caveat": ""}


def ask_told(contract: Path, store: Path, question: str = QUESTION) -> tuple[Run, int]:
    """A run with the scripted model, its calls in the store's transcript; and how many requests it took."""
    root = open_store(store)
    with ScriptedServer(behave) as server, Transcript(root / TRANSCRIPT) as transcript:
        run = ask(contract, question, store=root, llm=door(server, transcript, max_attempts=1))
        return run, len(server.requests)


class Stores:
    """Runs of the short agreement, each made once and given out as a store of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._runs: dict[str, Run] = {}

    def run(self, into: Path, question: str, *, told: bool = False) -> Run:
        """The run in a new store `into`/s, by rules or with the scripted model; its document stands beside."""
        path, key = written(into), f"{question} {told}"
        if key not in self._runs:
            store = self._folder / str(len(self._runs))
            made = ask_told(path, store, question)[0] if told else ask(path, question, store=store)
            self._runs[key] = made
        made = self._runs[key]
        root = made.path.parents[2]
        shutil.copytree(root, into / "s")
        return replace(made, path=into / "s" / made.path.relative_to(root))
