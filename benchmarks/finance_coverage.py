"""What the finance dictionary does on FinanceBench: concept found, evidence hit, lines hit in a report.

    python benchmarks/finance_coverage.py FOLDER        # FOLDER holds questions.jsonl and pdfs/

The data are licensed for measuring only and are no part of the project. A question's terms are those of its first
concept; an evidence text counts as hit when at least one of its lines holds a term. Lines are those of PyMuPDF's plain
text, so that the figures need no parse.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median

import pymupdf

from dictionaries import Dictionaries, load_dictionaries
from dictionaries.matching import TermMatcher
from pipeline.question.topics import Topic, find_topics

DOC_TYPE = "annual_report"
MAX_CONCEPTS = 4  # as in QuestionSettings
WEAK = 0.05  # share of a report's lines from which a concept's terms are listed as broad


def main(folder: Path) -> None:
    """Print a line a question and the totals."""
    dictionaries = load_dictionaries()
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    lines: dict[str, list[str]] = {}
    found, hit, texts, shares, primary_counts = 0, 0, 0, [], []
    for row in rows:
        topics = find_topics(row["question"], dictionaries, limit=MAX_CONCEPTS, doc_type=DOC_TYPE)
        home = [topic for topic in topics if topic.entry.dictionary == "finance"]
        found += bool(home)
        if not home:
            print(f"no concept        {row['question'][:100]}")
            continue
        every, primary = _terms(home[0]), _terms(home[0], only_primary=True)
        for evidence in row["evidence"]:
            texts += 1
            seen = _hit_lines(every, evidence["evidence_text"].splitlines())
            hit += bool(seen)
            if not seen:
                print(f"evidence missed   {home[0].entry.concept_id:24} {row['question'][:80]}")
        document = lines.setdefault(row["pdf"], _lines(folder / row["pdf"]))
        shares.append(len(_hit_lines(every, document)) / max(len(document), 1))
        primary_counts.append(len(_hit_lines(primary, document)))
        if shares[-1] > WEAK:
            print(f"broad ({shares[-1]:6.1%})    {home[0].entry.concept_id}")
    _totals(dictionaries, len(rows), found, hit, texts, shares, primary_counts)


def _totals(
    dictionaries: Dictionaries,
    questions: int,
    found: int,
    hit: int,
    texts: int,
    shares: list[float],
    primary: list[int],
) -> None:
    concepts = sum(entry.dictionary == "finance" for entry in dictionaries.concepts)
    print(f"concepts of the dictionary         {concepts}")
    print(f"questions with a finance concept   {found} of {questions}")
    print(f"evidence texts hit                 {hit} of {texts} ({hit / max(texts, 1):.1%})")
    print(f"lines of a report hit, median      {median(shares):.2%} with all terms")
    print(f"lines hit by primary terms         median {median(primary):.0f}, most {max(primary)}")


def _terms(topic: Topic, *, only_primary: bool = False) -> TermMatcher:
    words = topic.entry.words(("en",))
    return TermMatcher([term.text for term in words if not only_primary or term.priority == "primary"])


def _hit_lines(matcher: TermMatcher, lines: list[str]) -> set[int]:
    return {hit.text_index for hit in matcher.find(lines, groups=[0] * len(lines))}


def _lines(path: Path) -> list[str]:
    with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]
        return [line for page in document for line in page.get_text().splitlines() if line.strip()]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("give the folder that holds questions.jsonl and pdfs/")
    main(Path(sys.argv[1]))
