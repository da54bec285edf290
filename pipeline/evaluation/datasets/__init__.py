"""Data sets with labels, told apart by their content: CUAD, FinanceBench, MMLongBench, ContractNLI, or a workbook."""

from __future__ import annotations

import os
from pathlib import Path

from pipeline.evaluation.datasets.cuad import read_cuad
from pipeline.evaluation.datasets.fields import parse_json, parse_lines, read_labels
from pipeline.evaluation.datasets.nli import read_contract_nli
from pipeline.evaluation.datasets.pages import read_financebench, read_mmlongbench
from pipeline.evaluation.datasets.records import Dataset, ExpectedValue, LabelledDocument, LabelledQuestion
from pipeline.evaluation.datasets.workbook import is_workbook, read_workbook
from schemas.errors import InputError

__all__ = ["Dataset", "ExpectedValue", "LabelledDocument", "LabelledQuestion", "read_dataset"]

LABELS, QUESTIONS = "labels.json", "questions.jsonl"
_EXPECTED = (
    f"give a folder with {LABELS} (CUAD: categories; ContractNLI: hypotheses) or {QUESTIONS} (FinanceBench: "
    "financebench_id; MMLongBench: evidence_pages_1based), or an .xlsx workbook with the columns question and document"
)


def read_dataset(path: str | os.PathLike[str], *, documents_folder: str | os.PathLike[str] | None = None) -> Dataset:
    """The data set at a path, a folder or a workbook; which of the known kinds it is, its content says.

    `documents_folder` is where the documents of a workbook are, instead of the workbook's own folder.

    Raises InputError for what is no data set, and for labels that cannot be read, naming the place.
    """
    place = Path(path)
    if place.is_file():
        if not is_workbook(place):
            raise InputError(f"{place}: no data set: the file is no .xlsx workbook; {_EXPECTED}")
        return read_workbook(place, documents_folder=None if documents_folder is None else Path(documents_folder))
    if not place.is_dir():
        raise InputError(f"{place}: there is no such folder or file; {_EXPECTED}")
    if documents_folder is not None:
        raise InputError("--documents-folder is for a workbook: the labels of a folder name documents inside it")
    dataset = _read_folder(place)
    if not dataset.pair_count:
        raise InputError(f"{place}: the data set has no question")
    return dataset


def _read_folder(place: Path) -> Dataset:
    if (place / LABELS).is_file():
        data, sha256 = read_labels(place / LABELS)
        labels = parse_json(data, where=str(place / LABELS))
        if isinstance(labels, dict) and "categories" in labels:
            return read_cuad(place, labels, sha256)
        if isinstance(labels, dict) and "hypotheses" in labels:
            return read_contract_nli(place, labels, sha256)
        raise InputError(f"{place / LABELS}: labels of no known kind; {_EXPECTED}")
    if (place / QUESTIONS).is_file():
        data, sha256 = read_labels(place / QUESTIONS)
        rows = parse_lines(data, where=str(place / QUESTIONS))
        if rows and "financebench_id" in rows[0]:
            return read_financebench(place, rows, sha256)
        if rows and "evidence_pages_1based" in rows[0]:
            return read_mmlongbench(place, rows, sha256)
        raise InputError(f"{place / QUESTIONS}: questions of no known kind; {_EXPECTED}")
    raise InputError(f"{place}: no data set: neither {LABELS} nor {QUESTIONS} is in it; {_EXPECTED}")
