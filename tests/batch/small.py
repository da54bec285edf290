"""Small collections and questions for the tests of batches."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.batch.documents import find_documents
from pipeline.batch.engines.worker import doer
from pipeline.batch.running import Wanted
from pipeline.batch.work import Event, Setup, Task, TaskStarted
from schemas.batch import BatchQuestion
from schemas.errors import PipelineError

AGREEMENT = """SERVICES AGREEMENT

This Services Agreement is made on {day} between {party} (the "Supplier") and Orbit Retail GmbH (the "Customer").

1. Fees
The Customer shall pay the Supplier an annual fee of EUR {fee} within 30 days of the date of invoice.

2. Term and termination
This Agreement shall commence on {day} and shall continue until {end}. Either party may terminate this Agreement by
giving ninety (90) days' prior written notice to the other party.

3. Governing law
This Agreement shall be governed by and construed in accordance with the laws of {law}.
"""
PLACES: Sequence[Mapping[str, str]] = (
    {"day": "1 March 2021", "party": "Acme Ltd", "fee": "12,500", "end": "28 February 2024", "law": "Ireland"},
    {"day": "15 June 2022", "party": "Binder SARL", "fee": "8,000", "end": "14 June 2025", "law": "France"},
    {"day": "2 January 2020", "party": "Cobalt Inc.", "fee": "99,999", "end": "1 January 2026", "law": "New York"},
)
ASKED = {
    "law": "Which law governs the agreement?",
    "fee": "What is the annual fee?",
    "insurance": "What insurance must the Supplier hold?",
}


def put_collection(folder: Path, count: int = 3) -> Path:
    """A folder with so many small agreements."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        told = {**PLACES[number % len(PLACES)], "party": f"{PLACES[number % len(PLACES)]['party']} {number}"}
        (folder / f"agreement_{number}.txt").write_text(AGREEMENT.format(**told), encoding="utf-8")
    return folder


def questions(**texts: str) -> tuple[BatchQuestion, ...]:
    """Questions by id; the usual ones without any."""
    return tuple(
        BatchQuestion(question_id=name, text=text, row=row)
        for row, (name, text) in enumerate((texts or ASKED).items(), 2)
    )


def wanted(folder: Path, store: Path, **changes: object) -> Wanted:
    """A batch over a folder, by rules, without marked copies unless told."""
    found = find_documents([os.fspath(folder)])
    told: dict[str, object] = {
        "name": "small", "questions": questions(), "documents": found.documents, "places": found.places, "store": store,
        "use_model": False,
    }  # fmt: skip
    return Wanted(**{**told, **changes})  # type: ignore[arg-type]


class Here:
    """An `Executor` in this very process: what the tests of all but the engines use, since it starts at once."""

    name = "here"

    def run(self, setup: Setup, tasks: Iterable[Task], *, stopping: Callable[[], bool]) -> Iterator[Event]:
        """Each task after the other."""
        do = doer("pipeline.batch.working:do_task", setup)
        for task in tasks:
            if stopping():
                return
            yield TaskStarted(task.number, "here")
            came = do(task)
            if isinstance(came, PipelineError):
                raise came
            yield came
