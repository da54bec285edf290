"""ContractNLI: hypotheses over confidentiality agreements (Koreeda and Manning, Findings of EMNLP 2021, CC BY 4.0)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.evaluation.datasets.fields import as_documents, inside, take
from pipeline.evaluation.datasets.records import Dataset, ExpectedValue, LabelledQuestion
from schemas.errors import InputError

_VALUES = {"Entailment": "Yes", "Contradiction": "No", "NotMentioned": None}


def read_contract_nli(folder: Path, labels: Any, sha256: str) -> Dataset:
    """The agreements with each hypothesis as a question: entailed is yes, contradicted no, not mentioned absent.

    Raises InputError naming document and hypothesis.
    """
    where = str(folder / "labels.json")
    hypotheses = take(labels, "hypotheses", dict, where=where)
    pairs = []
    for number, row in enumerate(take(labels, "documents", list, where=where), start=1):
        here = f"{where}, document {number}"
        path = inside(folder, take(row, "text", str, where=here), where=here)
        notes = take(row, "annotations", dict, where=here)
        for name, about in hypotheses.items():
            if name in notes:
                pairs.append((path, _question(name, about, notes[name], f"{here}, {name!r}")))
    return Dataset(folder.resolve().name, "contractnli", sha256, as_documents(folder, pairs))


def _question(name: str, about: Any, note: Any, where: str) -> LabelledQuestion:
    label = take(note, "label", str, where=where)
    if label not in _VALUES:
        raise InputError(f"{where}: label {label!r} is none of {', '.join(_VALUES)}")
    value = _VALUES[label]
    spans = take(note, "evidence", list, where=where) if value else []
    return LabelledQuestion(
        question_id=name,
        text=take(about, "hypothesis", str, where=where),
        question_type=str(about.get("short_description") or name),
        present=value is not None,
        gold_kind="clauses",
        clauses=tuple(take(span, "text", str, where=where) for span in spans),
        expected=ExpectedValue(value, "boolean") if value else None,
    )
