"""How many corruptions of correct answers verification refuses, and how many correct ones it refuses too.

    python benchmarks/corruptions.py [--cuad FOLDER] [--every N] [--number 1000] [--seed 6] [--out FOLDER]

Answers are made without a model from the contracts of CUAD, every category asked in the data set's words, or from the
samples in examples/ where no folder is named. An even part of the corruptions is made of each kind, by the seed. Each
is put to a proposal before verification and to the saved answer, and counted as

- refused: a check fails, and nothing is given (at least 99.5 % are to be refused);
- restored: a repair gives back the very answer, value, lines and all;
- survived: something else is given. The cause of each is printed.

Of a saved answer `content` are those that its checks show when made anew; `record` also counts those that show only
since the checks on its record say something else.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from table_output import Table, publish

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # runs from a checkout, installed or not

from benchmarks.corrupting import KINDS, Case, forge, is_changed, words_of
from dictionaries import load_dictionaries
from pipeline.generation import GenerationSettings, generate
from pipeline.generation.checks.ground import ground_of
from pipeline.generation.verify import find_faults, verify
from pipeline.parsing import parse_document
from pipeline.question import parse_question
from pipeline.retrieval import retrieve
from schemas.question import ParsedQuestion
from schemas.retrieval import RetrievalResult

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ON_RECORD = "the record says"  # of a fault that only the checks on record show
ROUNDS = 20  # times that the items are gone through for one kind; then there are no more of it
SHOWN = 25  # survivors that are printed
Asked = tuple[ParsedQuestion, RetrievalResult]


def main() -> None:
    """Print the table by kind, the survivors by cause, and what became of the correct ones."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cuad", type=Path, help="folder of CUAD: labels.json and the PDFs; else the samples")
    options.add_argument("--every", type=int, default=8, help="only every n-th contract")
    options.add_argument("--number", type=int, default=1_000, help="corruptions in all")
    options.add_argument("--seed", type=int, default=6)
    options.add_argument("--out", type=Path, help="folder for the table as CSV")
    chosen = options.parse_args()
    asked = list(ask_cuad(chosen.cuad, chosen.every) if chosen.cuad else ask_samples())
    cases, correct = answer_all(asked)
    table, survivors = corrupt_all(cases, chosen.number, chosen.seed)
    publish(table, chosen.out)
    for survivor in survivors[:SHOWN]:
        print(f"  {survivor}")
    publish(correct, chosen.out)


def answer_all(asked: list[Asked]) -> tuple[list[Case], Table]:
    """Every item given, and what became of all that was proposed: the refused ones by the check that failed."""
    cases: list[Case] = []
    refused: Counter[str] = Counter()
    faults = 0
    for question, found in asked:
        answer = generate(question, found)
        ground = ground_of(question, found, GenerationSettings())
        cases += [Case(item, number, answer, ground) for number, item in enumerate(answer.items)]
        refused.update(item.reason.split(":")[0] for item in answer.refused_items)
        faults += len(find_faults(answer, found, question=question))
    table = Table("correct", "What was proposed in the real runs")
    proposed = len(cases) + sum(refused.values())
    table.add(outcome="given", items=len(cases), share=f"{len(cases) / max(proposed, 1):.2%}")
    for name, number in sorted(refused.items()):
        table.add(outcome=f"refused, {name}", items=number, share=f"{number / max(proposed, 1):.2%}")
    table.add(outcome="saved answers with a fault", items=faults, share=f"{faults / max(len(cases), 1):.2%}")
    return cases, table


def corrupt_all(cases: list[Case], number: int, seed: int) -> tuple[Table, list[str]]:
    """The table by kind, and what survived, a line each."""
    chance = Random(seed)  # noqa: S311 - a sample, no secret
    table = Table("corruptions", f"Corruptions of {len(cases):,} given items")
    survivors: list[str] = []
    total: Counter[str] = Counter()
    for kind in KINDS:
        counts = Counter[str]()
        for case, outcome in _of_kind(kind, cases, number // len(KINDS), chance, counts):
            if outcome is not None:
                survivors.append(f"{kind}: {case.item.value.kind} {words_of(case.item.value)[:60]!r}: {outcome}")
        table.add(kind=kind, **_row(counts))
        total += counts
    table.add(kind="all", **_row(total))
    return table, survivors


def _of_kind(
    kind: str, cases: list[Case], number: int, chance: Random, counts: Counter[str]
) -> Iterator[tuple[Case, str | None]]:
    """So many corruptions of one kind, counted; with what survived of each, None where nothing did."""
    order = list(cases)
    chance.shuffle(order)
    for case in order * ROUNDS:
        if counts["made"] >= number:
            return
        corrupted = KINDS[kind](case, chance)
        if corrupted is None or not is_changed(case, corrupted):
            continue
        counts["made"] += 1
        verified = verify(corrupted, case.ground)
        same = (verified.proposal.value, verified.proposal.label) == (case.item.value, case.item.label)
        outcome = None
        if verified.failed:
            counts["refused"] += 1
        elif same and verified.spans == case.item.spans:
            counts["restored"] += 1
        else:
            counts["survived"] += 1
            lines = [(span.line_start, span.line_end) for span in verified.spans]
            outcome = (
                f"the same value at lines {lines}" if same else f"given as {words_of(verified.proposal.value)[:60]!r}"
            )  # type: ignore[arg-type]
        forged = forge(case, corrupted, words_of(case.item.value), words_of(corrupted.value))  # type: ignore[arg-type]
        faults = find_faults(forged, case.ground.found)
        counts["record"] += bool(faults)
        counts["content"] += any(ON_RECORD not in fault for fault in faults)
        yield case, outcome


def _row(counts: Counter[str]) -> dict[str, str | int]:
    made = max(counts["made"], 1)
    return {
        "made": counts["made"],
        "refused": counts["refused"],
        "restored": counts["restored"],
        "survived": counts["survived"],
        "caught": f"{(counts['refused'] + counts['restored']) / made:.2%}",
        "saved: content": f"{counts['content'] / made:.2%}",
        "saved: record": f"{counts['record'] / made:.2%}",
    }


def ask_cuad(folder: Path, every: int) -> Iterator[Asked]:
    """Every category put to every n-th contract."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    texts = [f"{category}: {asked['question']}" for category, asked in labels["categories"].items()]
    for about in labels["documents"][::every]:
        yield from _ask(folder / about["pdf"], texts)


def ask_samples() -> Iterator[Asked]:
    """The labelled questions and the parties put to both samples."""
    sys.path.insert(0, str(EXAMPLES))
    from labelled_questions import QUESTIONS

    texts = [text for text, _ in QUESTIONS] + ["Who are the parties?", "When was the agreement made?"]
    for path in sorted(EXAMPLES.glob("*.pdf")):
        yield from _ask(path, texts)


def _ask(path: Path, texts: list[str]) -> Iterator[Asked]:
    document, dictionaries = parse_document(path), load_dictionaries()
    for text in texts:
        question = parse_question(text, document.profile, dictionaries)
        found: Any = retrieve(document, question)
        yield question, found


if __name__ == "__main__":
    main()
