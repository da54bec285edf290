"""The "metrics" questions of FinanceBench without a model: right, wrong and refused figures.

    python benchmarks/finance.py FOLDER [CACHE]     # FOLDER holds questions.jsonl and pdfs/

First with the evidence pages handed over as the passages, then with our own retrieval. The data are licensed for
measuring only and are no part of the project. CACHE, outside the project, keeps the parsed documents between runs.

A figure is right when, brought to the scale that the question asks for, it rounds to the label at the label's own
digits, closing zeros left out ('$8.70' is 8.7: the labels pad what they rounded).
"""

from __future__ import annotations

import json
import pickle
import re
import sys
from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from dictionaries import load_dictionaries
from pipeline.generation import generate
from pipeline.parsing import parse_document
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from pipeline.retrieval.handed_tables import hand_tables
from pipeline.retrieval.lines import read_lines
from schemas.answer import Amount, Answer, Count, Duration, Percentage
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import CandidateScope, RetrievalResult, RetrievedCandidate

KIND = "metrics-generated"
SCALES = {"thousands": Decimal(1000), "millions": Decimal(10**6), "billions": Decimal(10**9)}


def main(folder: Path, cache: Path | None) -> None:
    """Print a line a question that is not right, and the shares of right, wrong and refused ones."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["question_type"] == KIND]
    dictionaries = load_dictionaries()
    counts: dict[str, Counter[str]] = {"evidence pages": Counter(), "own retrieval": Counter()}
    for row in rows:
        document = _parsed(folder / row["pdf"], cache)
        question = parse_question(row["question"], document.profile, dictionaries)
        pages = [evidence["page_1based"] for evidence in row["evidence"]]
        for name, found in (
            ("evidence pages", hand_pages(document, question, pages)),
            ("own retrieval", retrieve(document, question)),
        ):
            answer = generate(question, found)
            outcome = judge(answer, question, row["answer"])
            counts[name][outcome] += 1
            if outcome != "right":
                print(f"{name:15} {outcome:8} label {row['answer']:>10}  {answer.text[:90]!r}  {row['question'][:80]}")
    for name, count in counts.items():
        total = sum(count.values())
        shares = ", ".join(f"{outcome} {count[outcome]} ({count[outcome] / total:.1%})" for outcome in OUTCOMES)
        print(f"{name:15} {total} questions: {shares}")


OUTCOMES = ("right", "wrong", "refused")


def judge(answer: Answer, question: ParsedQuestion, label: str) -> str:
    """right, wrong or refused."""
    if not answer.items:
        return "refused"
    expected = Decimal(re.sub(r"[^\d.-]", "", label)).normalize()
    step = Decimal(1).scaleb(min(0, int(expected.as_tuple().exponent)))
    given = _number(answer, question)
    is_right = given is not None and given.quantize(step, rounding=ROUND_HALF_UP) == expected.quantize(step)
    return "right" if is_right else "wrong"


def hand_pages(document: ParsedDocument, question: ParsedQuestion, pages: Sequence[int]) -> RetrievalResult:
    """The pages as primary passages, with the tables that stand on them: what perfect retrieval would hand over."""
    lines = read_lines(document)
    contexts: dict[str, list[int]] = {}
    candidates = []
    for page in dict.fromkeys(pages):
        positions = [at for at, number in enumerate(lines.page_nums) if number == page and lines.readable[at]]
        contexts[f"p{page}"] = positions
        scope = CandidateScope(
            page_start=page, page_end=page, line_start=lines.line_nums[positions[0]],
            line_end=lines.line_nums[positions[-1]],
        )  # fmt: skip
        candidates.append(
            RetrievedCandidate(
                candidate_id=f"p{page}",
                anchor=scope,
                context=scope,
                snippet=lines.texts[positions[0]],
                text="\n".join(lines.texts[at] for at in positions),
                lines=tuple(lines.ref(at) for at in positions),
                anchor_line_ids=tuple(lines.line_ids[at] for at in positions),
                methods=("evidence",),
                matched_keywords=(),
                role="primary",
                reason="evidence page of the label",
            )
        )
    return RetrievalResult(
        doc_id=document.doc_id, question=question.original_question, candidates=tuple(candidates),
        methods_used=("evidence",), not_found=False, confidence=1.0,
        tables=hand_tables(document, lines, None, contexts),
    )  # fmt: skip


def _number(answer: Answer, question: ParsedQuestion) -> Decimal | None:
    value: Any = answer.items[0].value
    match value:
        case Amount():
            return value.value / SCALES.get(question.format_constraint.scale or "units", Decimal(1))
        case Percentage():
            return value.value
        case Count() | Duration():
            return value.number
    return None


def _parsed(path: Path, cache: Path | None) -> ParsedDocument:
    if cache is None:
        return parse_document(path)
    kept = cache / f"financebench__{path.stem}.pkl"
    if kept.exists():
        held = pickle.loads(kept.read_bytes())  # noqa: S301  # written by this very script
        if isinstance(held, ParsedDocument):
            return held
    document = parse_document(path)
    cache.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(document))
    return document


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
