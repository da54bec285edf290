"""Small labelled data sets in the shapes of the real ones, written into a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LAW = "This Agreement shall be governed by the laws of the State of {state}, without regard to conflicts of laws."
FEE = "The annual licence fee is USD {fee},000, payable on the first day of each year of the term."
BODY = """SUPPLY AGREEMENT NUMBER {number}

1. Definitions

Capitalised terms have the meaning that is given to them where they are first used in this document.

2. Supply

The supplier shall deliver the products to the warehouse of the buyer, packed and marked as the buyer may ask.

3. Fees

{fee}

4. Governing Law

{law}

5. Notices

Notices are sent in writing to the address that stands at the head of this document.
"""
STATES = ("New York", "Delaware", "Texas", "Ohio", "Maine", "Utah", "Iowa", "Idaho")
CATEGORIES = {
    "Governing Law": {
        "question": "Which state/country's law governs the interpretation of the contract?",
        "answer_format": "Name of a US State / non-US Province, Country",
    },
    "Non-Compete": {
        "question": "Is there a restriction on the ability of a party to compete with the counterparty?",
        "answer_format": "Yes/No",
    },
    "Insurance": {
        "question": "Is there a requirement for insurance that must be maintained by one party?",
        "answer_format": "Yes/No",
    },
}


def write_cuad(folder: Path, *, documents: int = 3) -> Path:
    """A folder like CUAD: each contract has a governing law, a wrong state is labelled nowhere, the rest is absent."""
    (folder / "pdfs").mkdir(parents=True)
    rows: list[dict[str, Any]] = []
    for number in range(documents):
        state = STATES[number % len(STATES)]
        law, fee = LAW.format(state=state), FEE.format(fee=number + 10)
        name = f"pdfs/contract_{number}.txt"
        (folder / name).write_text(BODY.format(number=number, law=law, fee=fee), encoding="utf-8")
        rows.append({
            "id": f"contract_{number}",
            "pdf": name,
            "categories": {
                "Governing Law": {"answers": [{"text": law, "pdf_pages": [1, 1]}], "normalized": state},
                "Non-Compete": {"answers": [], "normalized": "No"},
                "Insurance": {"answers": [], "normalized": "No"},
            },
        })  # fmt: skip
    write_labels(folder, {"meta": {}, "categories": CATEGORIES, "documents": rows})
    return folder


def write_labels(folder: Path, labels: Any) -> None:
    """The file of labels of a folder."""
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")


def write_workbook(path: Path, rows: list[list[Any]], *, sheet: str = "Labels") -> Path:
    """A workbook with one sheet of these rows."""
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path
