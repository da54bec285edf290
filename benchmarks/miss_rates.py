"""How often 'not found' was wrong, by concept: makes pipeline/retrieval/data/miss_rates.json.

    python benchmarks/miss_rates.py --rows evaluation.parquet
    python benchmarks/miss_rates.py --cuad FOLDER [--every 4]   # parses and retrieves itself

Counted are (contract, category) pairs of CUAD, asked in the data set's own words, of which the rules arbiter said 'not
found' without an unread page; wrong are those in which the experts had marked a clause. Pairs whose label contradicts
itself are left out. Run it again whenever a dictionary or a rule of retrieval changes; the file names the version.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # runs from a checkout, installed or not

from benchmarks.cuad_concepts import CUAD_CONCEPTS
from dictionaries import load_dictionaries
from pipeline.parsing import parse_document
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from pipeline.retrieval.miss_table import TABLE_PATH
from schemas.document import ParsedDocument

DICTIONARY = "contracts"
Finding = tuple[str, str, bool]  # document, concept, whether an expert had marked such a clause


def main() -> None:
    """Write the table from an evaluation's rows, or from a run over the contracts."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=Path, help="parquet of `lineproof eval cuad`, strategy 'arbiter'")
    options.add_argument("--cuad", type=Path, help="folder of CUAD: labels.json and the PDFs")
    options.add_argument("--every", type=int, default=1, help="only every n-th contract")
    options.add_argument("--out", type=Path, default=TABLE_PATH)
    chosen = options.parse_args()
    if chosen.rows:
        documents, findings = from_rows(chosen.rows)
    else:
        labels = json.loads((chosen.cuad / "labels.json").read_text(encoding="utf-8"))
        numbered = list(enumerate(labels["documents"]))[:: chosen.every]
        pairs = ((parse_document(chosen.cuad / about["pdf"]), about) for _, about in numbered)
        documents, findings = len(numbered), list(from_documents(pairs, labels["categories"]))
    chosen.out.parent.mkdir(exist_ok=True)
    chosen.out.write_text(as_json(documents, findings), encoding="utf-8")
    print(f"{len(findings):,} findings of {documents} contracts, {sum(row[2] for row in findings)} of them wrong")


def from_rows(path: Path) -> tuple[int, list[Finding]]:
    """Contracts and findings of an evaluation; a row whose absence is inconclusive claims nothing."""
    import pandas as pd

    rows = pd.read_parquet(path)
    rows = rows[(rows["dataset"] == "cuad") & (rows["strategy"] == "arbiter")]
    said = rows[rows["not_found"] & rows["absence_verdict"].isin(("not_found", "proven_absent"))]
    columns = (said[name].tolist() for name in ("document", "question_id", "present"))
    findings = [
        (document, CUAD_CONCEPTS[category], present) for document, category, present in zip(*columns, strict=True)
    ]
    return int(rows["document"].nunique()), findings


def from_documents(
    pairs: Iterable[tuple[ParsedDocument, dict[str, Any]]], categories: dict[str, Any]
) -> Iterator[Finding]:
    """The findings of contracts, each with its labels."""
    dictionaries = load_dictionaries()
    for document, about in pairs:
        for category, concept in CUAD_CONCEPTS.items():
            label = about["categories"][category]
            if label.get("label_conflict"):
                continue
            text = f"{category}: {categories[category]['question']}"
            found = retrieve(document, parse_question(text, document.profile, dictionaries))
            if found.absence is not None and found.absence.verdict != "inconclusive":
                yield found.doc_id, concept, bool(label["answers"])


def as_json(documents: int, findings: list[Finding]) -> str:
    """The table as the project ships it, concepts in order."""
    counts: dict[str, list[int]] = {}
    for _, concept, present in findings:
        count = counts.setdefault(concept, [0, 0])
        count[0] += 1
        count[1] += present
    table = {
        "measured_on": f"{documents} contracts whose clauses experts had marked (CUAD v1)",
        "documents": documents,
        "dictionary": DICTIONARY,
        "dictionary_version": load_dictionaries().versions[DICTIONARY],
        "all_concepts": {"not_found": len(findings), "present": sum(row[2] for row in findings)},
        "concepts": {name: {"not_found": n, "present": wrong} for name, (n, wrong) in sorted(counts.items())},
    }
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
