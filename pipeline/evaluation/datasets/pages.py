"""Data sets whose evidence is pages: FinanceBench (Islam et al. 2023), MMLongBench-Doc (Ma et al., NeurIPS 2024).

Both are CC BY-NC 4.0: to measure with, not to build on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.evaluation.datasets.fields import as_documents, inside, take
from pipeline.evaluation.datasets.records import Dataset, ExpectedValue, LabelledQuestion, ValueKind

_FORMATS: Mapping[str, ValueKind] = {"Int": "number", "Float": "number"}
SEVERAL_SOURCES = "several sources"
NO_SOURCE = "no source named"


def read_financebench(folder: Path, rows: Sequence[dict[str, Any]], sha256: str) -> Dataset:
    """The reports with their questions; evidence in another document than the one that is asked does not count.

    Raises InputError naming the question.
    """
    pairs = []
    for number, row in enumerate(rows, start=1):
        where = f"{folder / 'questions.jsonl'}, question {number}"
        path = inside(folder, take(row, "pdf", str, where=where), where=where)
        evidence = take(row, "evidence", list, where=where)
        own = [one for one in evidence if one.get("doc_name") in (None, row.get("doc_name"))]
        answer = take(row, "answer", str, where=where)
        is_number = row.get("question_type") == "metrics-generated"
        pairs.append((
            path,
            LabelledQuestion(
                question_id=take(row, "financebench_id", str, where=where),
                text=take(row, "question", str, where=where),
                question_type=str(row.get("question_type") or "question"),
                present=True,
                gold_kind="pages",
                clauses=tuple(take(one, "evidence_text", str, where=where) for one in own),
                pages=tuple(sorted({take(one, "page_1based", int, where=where) for one in own})),
                expected=ExpectedValue(answer, "number") if is_number else None,
            ),
        ))  # fmt: skip
    return Dataset(folder.resolve().name, "financebench", sha256, as_documents(folder, pairs))


def read_mmlongbench(folder: Path, rows: Sequence[dict[str, Any]], sha256: str) -> Dataset:
    """The documents with their questions, 'Not answerable' as absent; suspect labels are left out.

    Raises InputError naming the question.
    """
    pairs = []
    left_out = 0
    for number, row in enumerate(rows, start=1):
        where = f"{folder / 'questions.jsonl'}, question {number}"
        if row.get("label_suspect"):
            left_out += 1
            continue
        path = inside(folder, take(row, "pdf", str, where=where), where=where)
        present = take(row, "answerable", bool, where=where)
        pages = take(row, "evidence_pages_1based", list, where=where)
        kind = _FORMATS.get(str(row.get("answer_format")), "text")
        pairs.append((
            path,
            LabelledQuestion(
                question_id=take(row, "id", str, where=where),
                text=take(row, "question", str, where=where),
                question_type=_source(row.get("evidence_sources")) if present else "Not answerable",
                present=present,
                gold_kind="pages",
                pages=tuple(sorted({page for page in pages if isinstance(page, int)})) if present else (),
                expected=ExpectedValue(str(row.get("answer")), kind) if present and kind == "number" else None,
            ),
        ))  # fmt: skip
    notes = (f"{left_out} questions whose labels are marked as suspect are left out.",) if left_out else ()
    return Dataset(folder.resolve().name, "mmlongbench", sha256, as_documents(folder, pairs), notes)


def _source(sources: Any) -> str:
    if not isinstance(sources, list) or not sources:
        return NO_SOURCE
    return str(sources[0]) if len(sources) == 1 else SEVERAL_SOURCES
