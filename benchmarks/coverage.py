"""How well the words of the `contracts` dictionary cover the clauses that lawyers marked, and how much else they hit.

    python benchmarks/coverage.py [FOLDER] [--cache FOLDER] [--half even|odd] [--missed CATEGORY]

FOLDER holds CUAD's contracts and `labels.json` (default: ../shared/data/cuad). For each of the 41 categories, over all
contracts: the share of marked clauses with at least one line hit by a primary term (or a pattern) of the category's
concept, and by any term; and, over the contracts where the category is marked absent, the mean number of lines hit.
Terms are searched as the pipeline searches them: the searched lines of the parsed document, terms running over line
breaks inside a block; a term inside a negative context is no hit. Contracts of even and of odd number are summed up
apart, and of the odd ones every second: words were chosen by looking at all the others, these alone show what the words
are worth elsewhere.
`--cache` keeps the parsed contracts there between runs. `--missed` lists the clauses of a category that nothing hits.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from cuad_concepts import CUAD_CONCEPTS

from dictionaries import load_dictionaries
from dictionaries.entries import ConceptEntry
from dictionaries.matching import TermHit, TermMatcher
from pipeline.parsing import parse_document
from pipeline.retrieval.lines import Lines, read_lines
from pipeline.run import parse
from schemas.document import ParsedDocument

DEFAULT_DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "cuad"
LANGUAGES = ("en",)  # every contract of CUAD is in English
HELD_OUT = (4, 3)  # contracts whose number leaves 3 when divided by 4: no word was chosen by looking at them
SHARED_GRAMS = 0.5  # of a line's 3-grams; a line sharing fewer with a clause is not one of its lines


@dataclass(slots=True)
class Row:
    """Counts of one category."""

    clauses: int = 0
    by_primary: int = 0
    by_any: int = 0
    absent: int = 0  # contracts in which the category is marked absent
    lines_primary: int = 0  # lines hit in those, by primary terms
    lines_any: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)  # contract, text of a clause that nothing hits

    def add(self, other: Row) -> None:
        """Add the counts of another category or half."""
        self.clauses += other.clauses
        self.by_primary += other.by_primary
        self.by_any += other.by_any
        self.absent += other.absent
        self.lines_primary += other.lines_primary
        self.lines_any += other.lines_any
        self.missed += other.missed

    def shares(self) -> str:
        """The counts as columns."""
        clauses, absent = max(self.clauses, 1), max(self.absent, 1)
        return (
            f"{self.clauses:7} {self.by_primary / clauses:9.1%} {self.by_any / clauses:7.1%} "
            f"{self.absent:7} {self.lines_primary / absent:9.2f} {self.lines_any / absent:7.2f}"
        )


class ConceptTerms:
    """The terms and patterns of several concepts in one matcher, hits given back by concept."""

    def __init__(self, entries: Sequence[ConceptEntry]) -> None:
        self.kinds = [(e.concept_id, term.text, str(term.priority)) for e in entries for term in e.words(LANGUAGES)]
        self.kinds += [(e.concept_id, text, "negative") for e in entries for text in e.negative_contexts]
        terms = [text for _, text, _ in self.kinds]
        patterns = [(e.concept_id, pattern, "primary") for e in entries for pattern in e.patterns]
        patterns += [(e.concept_id, pattern, "secondary") for e in entries for pattern in e.secondary_patterns]
        self.matcher = TermMatcher(terms, patterns=[pattern for _, pattern, _ in patterns])
        self.kinds += patterns  # the matcher counts patterns on behind terms

    def lines_hit(self, lines: Lines) -> dict[str, tuple[set[int], set[int]]]:
        """For each concept the positions of the lines hit by primary terms or patterns, and by any term.

        As in retrieval, a term inside one of its concept's negative contexts is no hit.
        """
        found: dict[str, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
        searched = lines.searched.tolist()
        hits = list(self.matcher.find(lines.searched_texts, groups=lines.block_of.tolist()))
        negatives: dict[tuple[str, int], list[TermHit]] = defaultdict(list)
        for hit in hits:
            concept, _, kind = self.kinds[hit.term_index]
            if kind == "negative":
                negatives[concept, hit.text_index].append(hit)
        for hit in hits:
            concept, _, kind = self.kinds[hit.term_index]
            others = negatives.get((concept, hit.text_index), [])
            if kind == "negative" or any(_holds(other, hit) for other in others):
                continue
            positions = searched[hit.text_index : hit.end_text_index + 1]
            found[concept][1].update(positions)
            if kind == "primary":
                found[concept][0].update(positions)
        return found


def clause_lines(lines: Lines, text: str, pages: Sequence[int], share: float) -> set[int]:
    """Positions of the lines that a marked text covers; empty when it is nowhere.

    They are those where its letters and digits stand in a row; else those that share their word 3-grams with it. Of
    several places the searched ones on the marked pages count, of these the one nearest to `share`, the part of the
    contract (0-1) that lies before the text.
    """
    searched = set(lines.searched.tolist())
    wanted = _letters(text)
    for chosen in (range(len(lines.texts)), sorted(searched)):
        parts = [_letters(lines.texts[position]) for position in chosen]
        starts = [0, *accumulate(len(part) for part in parts)]
        spans = [
            (at, range(bisect_right(starts, at) - 1, bisect_right(starts, at + len(wanted) - 1)))
            for at in _places("".join(parts), wanted)
        ]
        if spans:
            _, best = min(
                spans,
                key=lambda span: (
                    chosen[span[1][0]] not in searched,
                    lines.page_nums[chosen[span[1][0]]] not in pages,
                    abs(span[0] - share * starts[-1]),
                ),
            )
            return {chosen[index] for index in best if parts[index]}
    grams = _grams(text)
    return {position for position, line in enumerate(lines.texts) if _is_shared(_grams(line), grams)}


def measure(
    folder: Path, terms: ConceptTerms, *, cache: Path | None = None, half: str | None = None
) -> tuple[dict[str, Row], dict[str, Row], dict[str, Row]]:
    """Rows by category for the contracts of even and of odd number, and for those of the odd ones that are held out."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    parts: tuple[dict[str, Row], dict[str, Row], dict[str, Row]] = ({}, {}, {})
    for number, contract in enumerate(labels["documents"]):
        if half is not None and number % 2 != ("even", "odd").index(half):
            continue
        lines = read_lines(_parsed(folder / contract["pdf"], cache))
        hit = terms.lines_hit(lines)
        chosen = [parts[number % 2], *([parts[2]] if number % HELD_OUT[0] == HELD_OUT[1] else [])]
        for category, concept in CUAD_CONCEPTS.items():
            label = contract["categories"][category]
            if not label.get("label_conflict"):
                row = Row()
                _count(row, label["answers"], lines, hit[concept], contract)
                for rows in chosen:
                    rows.setdefault(category, Row()).add(row)
    return parts


def main() -> int:
    """Print a row a category, then both halves, what is held out, and all."""
    parser = argparse.ArgumentParser(description="Coverage of the words of contracts.")
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT_DATA)
    parser.add_argument("--cache", type=Path, help="folder for the parsed contracts")
    parser.add_argument("--half", choices=("even", "odd"), help="only the contracts of even or odd number, from 0")
    parser.add_argument("--missed", metavar="CATEGORY", help="list the clauses of a category that nothing hits")
    options = parser.parse_args()
    dictionaries = load_dictionaries(names=["contracts"])
    entries = [entry for entry in dictionaries.concepts if entry.concept_id in CUAD_CONCEPTS.values()]
    *halves, held_out = measure(options.folder, ConceptTerms(entries), cache=options.cache, half=options.half)
    print(f"{'category':35} {'concept':35} clauses  primary     any  absent  lines: primary  any")
    totals = (Row(), Row())
    for category, concept in CUAD_CONCEPTS.items():
        row = Row()
        for rows, total in zip(halves, totals, strict=True):
            row.add(rows.get(category, Row()))
            total.add(rows.get(category, Row()))
        print(f"{category:35} {concept:35} {row.shares()}")
        if options.missed == category:
            print("\n".join(f"    {name[:40]}: {' '.join(text.split())[:400]}" for name, text in row.missed))
    for name, total in zip(("even", "odd"), totals, strict=True):
        print(f"{name:71} {total.shares()}")
    held = Row()
    for row in held_out.values():
        held.add(row)
    print(f"{'held out (of the odd)':71} {held.shares()}")
    totals[0].add(totals[1])
    print(f"{'all':71} {totals[0].shares()}")
    return 0


def _count(
    row: Row, answers: Sequence[dict[str, Any]], lines: Lines, hit: tuple[set[int], set[int]], contract: dict[str, Any]
) -> None:
    primary, any_term = hit
    size = max(contract["chars"], 1)
    if not answers:
        row.absent += 1
        row.lines_primary += len(primary)
        row.lines_any += len(any_term)
    for answer in answers:
        first, last = answer.get("pdf_pages") or (1, 0)
        covered = clause_lines(lines, answer["text"], range(first, last + 1), answer["char_start"] / size)
        row.clauses += 1
        row.by_primary += not primary.isdisjoint(covered)
        row.by_any += not any_term.isdisjoint(covered)
        if any_term.isdisjoint(covered):
            row.missed.append((contract["id"], answer["text"]))


def _parsed(path: Path, cache: Path | None) -> ParsedDocument:
    return parse_document(path) if cache is None else parse(path, store=cache).document


def _holds(outer: TermHit, inner: TermHit) -> bool:
    """True when the outer hit begins no later in the same line and ends no earlier."""
    return outer.start <= inner.start and (inner.end_text_index, inner.end) <= (outer.end_text_index, outer.end)


def _places(letters: str, wanted: str) -> Iterator[int]:
    at = letters.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = letters.find(wanted, at + 1)


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _grams(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text.casefold())
    return set(zip(words, words[1:], words[2:], strict=False))


def _is_shared(line: set[tuple[str, ...]], clause: set[tuple[str, ...]]) -> bool:
    return bool(line) and len(line & clause) >= SHARED_GRAMS * len(line)


if __name__ == "__main__":
    sys.exit(main())
