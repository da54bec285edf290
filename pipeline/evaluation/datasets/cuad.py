"""CUAD: 41 clause categories over commercial contracts (Hendrycks et al., NeurIPS Datasets 2021, CC BY 4.0)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from pipeline.evaluation.datasets.fields import as_documents, inside, take
from pipeline.evaluation.datasets.records import Dataset, ExpectedValue, LabelledQuestion, ValueKind

# Words of a category's answer format -> how its normalised value is compared, the first that fits.
_KINDS: tuple[tuple[str, ValueKind], ...] = (
    ("yes/no", "boolean"),
    ("date", "date"),
    ("number of", "duration"),
    ("state", "place"),
    ("name", "name"),
)
_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")  # month first, as the data set says


def read_cuad(folder: Path, labels: Any, sha256: str) -> Dataset:
    """The contracts with one question a category, `category: question`; cells whose labels conflict are left out.

    A cell without answers says that the experts found nothing.

    Raises InputError naming document and category.
    """
    where = str(folder / "labels.json")
    categories = take(labels, "categories", dict, where=where)
    pairs = []
    left_out = 0
    for number, row in enumerate(take(labels, "documents", list, where=where), start=1):
        here = f"{where}, document {number}"
        path = inside(folder, take(row, "pdf", str, where=here), where=here)
        cells = take(row, "categories", dict, where=here)
        for category, about in categories.items():
            if category not in cells:
                continue
            cell, place = cells[category], f"{here}, {category!r}"
            if isinstance(cell, dict) and cell.get("label_conflict"):
                left_out += 1
                continue
            pairs.append((path, _question(category, about, cell, place)))
    notes = (f"{left_out} pairs whose labels contradict themselves are left out.",) if left_out else ()
    return Dataset(folder.resolve().name, "cuad", sha256, as_documents(folder, pairs), notes)


def _question(category: str, about: Any, cell: Mapping[str, Any], where: str) -> LabelledQuestion:
    answers = take(cell, "answers", list, where=where)
    clauses = tuple(take(answer, "text", str, where=where) for answer in answers)
    return LabelledQuestion(
        question_id=category,
        text=f"{category}: {take(about, 'question', str, where=where)}",
        question_type=category,
        present=bool(clauses),
        gold_kind="clauses",
        clauses=clauses,
        expected=_expected(str(about.get("answer_format") or ""), cell.get("normalized")),
    )


def _expected(answer_format: str, normalized: Any) -> ExpectedValue | None:
    if not isinstance(normalized, str) or not normalized.strip():
        return None
    kind: ValueKind = next((kind for words, kind in _KINDS if words in answer_format.casefold()), "text")
    if kind == "date":
        return _expected_date(normalized.strip())
    return ExpectedValue(normalized.strip(), kind)


def _expected_date(written: str) -> ExpectedValue | None:
    """The date as ISO 8601; a form that was left blank ('[]/[]/2004') cannot be compared."""
    match = _DATE.fullmatch(written)
    if match is None:
        return None if "[" in written else ExpectedValue(written, "date" if written.isalpha() else "text")
    try:
        return ExpectedValue(date(int(match[3]), int(match[1]), int(match[2])).isoformat(), "date")
    except ValueError:  # no day of the calendar
        return None
