"""Cases put together again from the runs that their seals name, and compared with what was stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pipeline.asking import Run
from pipeline.audit.opened import open_run
from pipeline.audit.restaging.causes import causes_of, request_differences, told
from pipeline.audit.restaging.records import CASES_AGAIN, Checked, Job, not_checked, place_in
from pipeline.case import put_together
from pipeline.store.folders import MANIFEST
from pipeline.store.runs import CASE, load_case
from pipeline.store.sealed import find_sealed
from pipeline.store.seals import read_seal
from schemas.errors import InputError, PipelineError, RecordError
from schemas.verification import Mismatch


def check_cases(job: Job) -> Iterator[Checked]:
    """What comes of each case of a job, in the order of its folders."""
    for folder in job.folders:
        try:
            yield _check(job.root, folder)
        except PipelineError as error:
            yield Checked(folder, remarks=(not_checked(job.root, folder, f"it was not put together again: {error}"),))


def _check(root: Path, folder: Path) -> Checked:
    case = load_case(folder, as_is=True)
    runs = _runs_of(root, folder)
    by_document = {run.document.doc_id: run for run in runs}
    wanted = [answer.doc_id for answer in case.answers]
    if sorted(by_document) != sorted(wanted):
        raise RecordError(f"{folder}: the documents of its answers are not those of the runs that its seal names")
    differences = tuple(dict.fromkeys(one for run in runs for one in request_differences(run.request)))
    made = put_together(case.question, [by_document[doc_id] for doc_id in wanted])
    checks = {CASES_AGAIN: 1}
    if sha256(made.to_json()).hexdigest() == _stored_hash(folder) or (
        case.written_as is not None and made == case.model_copy(update={"written_as": None})
    ):
        return Checked(folder, checks=checks, differences=differences)
    fields = [name for name in type(case).model_fields if getattr(case, name) != getattr(made, name)]
    detail = (
        f"put together again from the stored runs, {CASE} is another, in {', '.join(fields) or 'its bytes'}; "
        f"{told(differences)}."
    )
    mismatch = Mismatch(
        kind="answer_differs", place=f"{place_in(root, folder)}/{CASE}", detail=detail, causes=causes_of(differences)
    )
    return Checked(folder, (mismatch,), checks=checks)


def _runs_of(root: Path, folder: Path) -> list[Run]:
    seal = read_seal(folder)
    if seal is None:
        raise InputError("it was made before there was a ledger, and does not say which runs it is made of")
    runs = []
    for place, sealed in seal.runs.items():
        found = find_sealed(root, place, sealed)
        if found is None:
            raise RecordError(f"{root / place}: the run that it is made of is not in the store")
        opened = open_run(found, data=b"", as_is=True)
        saved = opened.saved
        runs.append(
            Run(
                opened.document, saved.question, saved.retrieval, saved.answer, found, saved.trace, opened.request
            )
        )  # fmt: skip
    return runs


def _stored_hash(folder: Path) -> str:
    try:
        return str(json.loads((folder / MANIFEST).read_bytes())["files"][CASE])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise RecordError(f"{folder / MANIFEST}: the list of files cannot be read") from error
