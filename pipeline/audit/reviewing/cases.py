"""Corrections as cases: what the documents of a store say to which question, by the people who read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from dictionaries.workbook_layout import to_cell_text
from pipeline.audit.reviewing.people import People
from pipeline.audit.reviewing.standing import last_words, same_correction
from pipeline.audit.reviewing.stored import StoredReview, StoredReviews, valid
from pipeline.store.sources import load_source
from pipeline.store.workbook import to_workbook
from schemas.errors import InputError
from schemas.review import RegressionCase, RegressionCases

WORKBOOK, RECORD, DOCUMENTS = "cases.xlsx", "cases.json", "documents"
ABSENT = "not found"  # as a data set says that the document does not answer


def cases_of(stored: StoredReviews) -> RegressionCases:
    """The cases that the corrections of a store make, one a document and question.

    Of each person the last word on the same records counts, and of their corrections of one question the last. Where
    people differ, or one accepted what another corrected, there is no case until they agree.
    """
    people = People(valid(stored.found))
    on_answers = [one for one in valid(stored.found) if one.review.subject == "answer"]
    last, _ = last_words(on_answers, people)
    accepted = {seal for (seal, _), words in last.items() if any(one.review.verdict == "accept" for one in words)}
    grouped: dict[tuple[str, str], dict[str, StoredReview]] = {}
    spoken = [(person, one) for (_, person), words in last.items() for one in words]
    for person, one in sorted(spoken, key=lambda item: item[1].seq):
        right = one.review.correction
        if right is not None:
            asked = " ".join(right.question.casefold().split())
            grouped.setdefault((right.document_sha256, asked), {})[person] = one
    cases: list[RegressionCase] = []
    disputed: list[str] = []
    for (_, _), said in sorted(grouped.items()):
        corrections = [one.review.correction for one in said.values() if one.review.correction is not None]
        alike = all(same_correction(corrections[0], each) for each in corrections[1:])
        contested = any(one.review.run_seal in accepted for one in said.values())
        if alike and not contested:
            cases.append(_case(said))
        else:
            where = next(iter(said.values())).review.run
            disputed.append(f"{where}: {', '.join(said)} and others who reviewed it do not say the same.")
    ordered = sorted(cases, key=lambda case: (case.right.doc_id, case.right.question, case.case_id))
    return RegressionCases(cases=tuple(ordered), disputed=tuple(disputed))


def export_files(root: Path, found: RegressionCases) -> dict[str, bytes]:
    """Files of a folder that `lineproof eval` runs: a workbook, the documents beside it, and the cases in full.

    Raises InputError where there is no case, or a document's bytes are not in the store; RecordError for damaged ones.
    """
    cases = found.cases
    if not cases:
        raise InputError("the store has no correction that makes a case; correct an answer with `review correct`")
    documents: dict[str, bytes] = {}
    names: dict[str, str] = {}
    missing: list[str] = []
    for doc_id, ending in sorted({(case.right.doc_id, _ending(root, case.right.doc_id)) for case in cases}):
        data = load_source(root, doc_id)
        if data is None:
            missing.append(doc_id)
            continue
        names[doc_id] = f"{DOCUMENTS}/{doc_id}{ending}"
        documents[names[doc_id]] = data
    if missing:
        raise InputError(
            f"the store does not hold the bytes of {', '.join(missing)} (a file inside another, or erased); leave "
            "these cases to `review check`"
        )
    return {WORKBOOK: _workbook(cases, names), RECORD: found.to_json(), **documents}


def _case(said: Mapping[str, StoredReview]) -> RegressionCase:
    """The case of corrections that agree: the last that names its lines, else the last."""
    in_order = sorted(said.values(), key=lambda one: one.seq)
    placed = [one for one in in_order if one.review.correction is not None and one.review.correction.quote]
    chosen = (placed or in_order)[-1]
    right = chosen.review.correction
    if right is None:
        raise InputError(f"{chosen.place}: is no correction")
    return RegressionCase(
        case_id=chosen.review_id, run=chosen.review.run, reviewers=tuple(sorted(said)), right=right
    )  # fmt: skip


def _ending(root: Path, doc_id: str) -> str:
    files = sorted((root / doc_id / "source").glob("source.*"))
    return files[0].suffix if files else ""


def _workbook(cases: Sequence[RegressionCase], names: Mapping[str, str]) -> bytes:
    frame = pd.DataFrame(
        {
            "id": [case.case_id for case in cases],
            "question": [to_cell_text(case.right.question) for case in cases],
            "document": [names[case.right.doc_id] for case in cases],
            "expected_quote": [to_cell_text(case.right.quote) if case.right.quote else None for case in cases],
            "expected_value": [to_cell_text(case.right.text) if case.right.text else ABSENT for case in cases],
            "type": ["correction" for _ in cases],
        },
        dtype=object,
    )
    widths = {"question": 50, "document": 40, "expected_quote": 80, "expected_value": 30, "id": 18}
    return to_workbook(frame, title="cases", widths=widths)
