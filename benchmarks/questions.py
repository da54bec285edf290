"""How often a question about a contract is understood by rules alone: its concept, answer type and answer shape.

    python benchmarks/questions.py [--questions FILE] [--cuad FOLDER] [--off FILE ...] [--failures]

`--questions` (default: tests/data/paraphrases.json where it is there) is a JSON list of {category, language, question,
type, shape}; the category is one of CUAD's 41 or a concept of dictionaries/contracts.toml; a type or shape that is left
out is not judged, 'date|duration' allows either. `--cuad` is the folder with CUAD's labels.json: each category is asked
by its name, by the dataset's question, and by both. `--off` names files of questions about other documents (JSON lines
with `question`): the share of them that find no concept of `contracts`.

Printed: share of questions with the right concept first, the right type, the right shape, all by language; then the
confusions (expected x found). Nothing is written to disk.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cuad_concepts import CUAD_ANSWERS, CUAD_CONCEPTS, YES_NO

from dictionaries import Dictionaries, load_dictionaries
from pipeline.question import parse_question

PROJECT = Path(__file__).resolve().parents[1]
DEFAULT_QUESTIONS = PROJECT / "tests" / "data" / "paraphrases.json"
DICTIONARY = "contracts"
NONE = "-"  # no concept at all


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what it must be understood as; None: not judged."""

    group: str  # language, or the way in which CUAD's own words were put
    question: str
    concept: str
    answer_type: str | None
    answer_shape: str | None


@dataclass(frozen=True, slots=True)
class Understood:
    """What the rules made of a question."""

    asked: Asked
    concept: str
    answer_type: str
    answer_shape: str
    matched_by: str

    @property
    def concept_right(self) -> bool:
        """True where the first concept is the expected one."""
        return self.concept == self.asked.concept

    @property
    def type_right(self) -> bool:
        """True where the type is one of the expected ones or none is expected."""
        return self.asked.answer_type is None or self.answer_type in self.asked.answer_type.split("|")

    @property
    def shape_right(self) -> bool:
        """True where the shape is one of the expected ones or none is expected."""
        return self.asked.answer_shape is None or self.answer_shape in self.asked.answer_shape.split("|")


def main() -> None:
    """Read the command line, ask, print."""
    parser = argparse.ArgumentParser(description="Concept, type and shape of questions about contracts, rules alone.")
    parser.add_argument("--questions", type=Path, help="JSON list of questions")
    parser.add_argument("--cuad", type=Path, help="folder with CUAD's labels.json")
    parser.add_argument("--off", type=Path, nargs="*", default=[], help="JSON lines of questions on other documents")
    parser.add_argument("--failures", action="store_true", help="list every question that was not understood")
    options = parser.parse_args()
    questions = options.questions or (DEFAULT_QUESTIONS if DEFAULT_QUESTIONS.is_file() else None)
    asked = [*(read_questions(questions) if questions else ()), *(read_cuad(options.cuad) if options.cuad else ())]
    if not asked and not options.off:
        parser.error("name --questions FILE, --cuad FOLDER or --off FILE")
    dictionaries = load_dictionaries()
    if asked:
        report([understand(one, dictionaries) for one in asked], failures=options.failures)
    for path in options.off:
        report_strangers(path, dictionaries, failures=options.failures)


def read_questions(path: Path) -> Iterator[Asked]:
    """The questions of a JSON list, in its order."""
    for row in json.loads(path.read_text(encoding="utf-8")):
        concept = CUAD_CONCEPTS.get(row["category"], row["category"])
        yield Asked(row["language"], row["question"], concept, row.get("type"), row.get("shape"))


def read_cuad(folder: Path) -> Iterator[Asked]:
    """Each category in three ways: name alone (concept only), question alone, name and question."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    for name, category in labels["categories"].items():
        concept = CUAD_CONCEPTS[name]
        kind, shape = CUAD_ANSWERS.get(name, YES_NO)
        yield Asked("CUAD name", name, concept, None, None)
        yield Asked("CUAD question", category["question"], concept, kind, shape)
        yield Asked("CUAD name: question", f"{name}: {category['question']}", concept, kind, shape)


def understand(asked: Asked, dictionaries: Dictionaries) -> Understood:
    """What the rules make of one question, without a document."""
    parsed = parse_question(asked.question, None, dictionaries)
    first = parsed.concepts[0] if parsed.concepts else None
    return Understood(
        asked=asked,
        concept=first.concept_id if first else NONE,
        answer_type=parsed.answer_type,
        answer_shape=parsed.answer_shape,
        matched_by=first.matched_by if first else "",
    )


def report(results: Sequence[Understood], *, failures: bool) -> None:
    """Print the shares by group and the confusions; with `failures` each question that went wrong."""
    print(f"{'':22}{'questions':>10}{'concept':>9}{'type':>8}{'shape':>8}{'type+shape':>12}{'all three':>11}")
    groups = list(dict.fromkeys(one.asked.group for one in results))
    for group in (*groups, "all"):
        rows = [one for one in results if group in ("all", one.asked.group)]
        both = [one.type_right and one.shape_right for one in rows]
        shares = (
            [one.concept_right for one in rows],
            [one.type_right for one in rows],
            [one.shape_right for one in rows],
            both,
            [right and one.concept_right for right, one in zip(both, rows, strict=True)],
        )
        cells = [f"{sum(share) / len(share):.3f}" for share in shares]
        print(f"{group:22}{len(rows):>10}{cells[0]:>9}{cells[1]:>8}{cells[2]:>8}{cells[3]:>12}{cells[4]:>11}")
    for title, pairs in (
        ("concept", [(one.asked.concept, one.concept) for one in results if not one.concept_right]),
        ("type", [(str(one.asked.answer_type), one.answer_type) for one in results if not one.type_right]),
        ("shape", [(str(one.asked.answer_shape), one.answer_shape) for one in results if not one.shape_right]),
    ):
        print(f"\nconfusions of the {title} (expected x found): {'none' if not pairs else ''}")
        for (expected, found), count in sorted(Counter(pairs).items(), key=lambda item: (-item[1], item[0])):
            print(f"  {expected:38} {found:38} {count}")
    if failures:
        print("\nnot understood:")
        for one in results:
            if not (one.concept_right and one.type_right and one.shape_right):
                print(f"  [{one.asked.group}] {one.asked.question}\n      {_difference(one)}")


def report_strangers(path: Path, dictionaries: Dictionaries, *, failures: bool) -> None:
    """Print how many questions about other documents find a concept of contracts; with `failures` which."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    questions = list(dict.fromkeys(row["question"] for row in rows))
    parsed = [(question, parse_question(question, None, dictionaries).concepts) for question in questions]
    wrong = [(question, found) for question, found in parsed if any(one.dictionary == DICTIONARY for one in found)]
    print(f"\n{path.parent.name}/{path.name}: {len(wrong)} of {len(questions)} find a concept of {DICTIONARY}")
    if failures:
        for question, concepts in wrong:
            print(f"  {question[:150]}")
            print(f"      {', '.join(f'{one.concept_id} by {one.matched_by!r}' for one in concepts)}")


def _difference(one: Understood) -> str:
    expected = (one.asked.concept, one.asked.answer_type, one.asked.answer_shape)
    found = (one.concept, one.answer_type, one.answer_shape)
    pairs = zip(expected, found, strict=True)
    parts = [f"{want} > {got}" for want, got in pairs if want is not None and got not in want.split("|")]
    return f"{'; '.join(parts)}  (by {one.matched_by!r})"


if __name__ == "__main__":
    main()
