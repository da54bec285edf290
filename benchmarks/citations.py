"""Whether every published citation stands word for word in the file, by a reader that shares no code with ours.

    python benchmarks/citations.py ANSWERS.jsonl PDF_FOLDER [--out misses.csv]

Each line of ANSWERS is an object `{"document": name of the PDF, "answer": a saved Answer}`, as `--cuad` writes it:

    python benchmarks/citations.py --cuad FOLDER [--every 4] [--write ANSWERS.jsonl]

asks every category of every n-th contract of CUAD first. The text of a page is what PyMuPDF's own plain extraction
gives, what pypdfium2's gives where that is installed, or the words of the page by their position. Compared are the
characters of a quote and of its pages, white space left out and ligatures written as letters, nothing else. The line
numbers of a citation are compared by position: the words of the quote's first line are searched on the page, and the
visual lines above them are counted.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pymupdf

NEAR_LINES = 2  # visual lines by which a count may differ: a running header of two lines is none of ours
SHOWN = 20  # misses that are printed


@dataclass(frozen=True)
class Miss:
    """A citation that was not found, and what was found instead."""

    document: str
    page: int
    lines: str
    quote: str
    cause: str


def main() -> None:
    """Print the share of citations that stand verbatim on their pages, and every miss with its cause."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("answers", type=Path, nargs="?", help="JSON lines: document and answer")
    options.add_argument("pdfs", type=Path, nargs="?", help="folder of the PDFs")
    options.add_argument("--cuad", type=Path, help="folder of CUAD: labels.json and the PDFs")
    options.add_argument("--every", type=int, default=8, help="only every n-th contract")
    options.add_argument("--write", type=Path, help="where the answers of --cuad are kept")
    options.add_argument("--out", type=Path, help="all misses as CSV")
    chosen = options.parse_args()
    if chosen.cuad:
        chosen.answers = chosen.write or Path("answers.jsonl")
        chosen.pdfs = chosen.cuad
        with chosen.answers.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in ask_cuad(chosen.cuad, chosen.every))
    if chosen.answers is None or chosen.pdfs is None:
        options.error("name the answers and the folder of the PDFs, or --cuad")
    counts, misses = check_file(chosen.answers, chosen.pdfs)
    report(counts, misses, chosen.out)


def check_file(answers: Path, pdfs: Path) -> tuple[Counter[str], list[Miss]]:
    """Counts of citations by outcome, and the misses."""
    counts: Counter[str] = Counter()
    misses: list[Miss] = []
    with answers.open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            path = pdfs / row["document"]
            for item in row["answer"]["items"]:
                for span in item["spans"]:
                    cause = check_span(path, span)
                    counts["citations"] += 1
                    counts["verbatim"] += cause is None
                    counts[f"line {check_line(path, span)}"] += 1
                    if cause is not None:
                        lines = f"{span['page_line_start']}-{span['page_line_end']}"
                        misses.append(Miss(row["document"], span["page_start"], lines, span["quote"], cause))
    return counts, misses


def check_span(path: Path, span: dict[str, Any]) -> str | None:
    """Why the quote does not stand on its pages, line after line in this order; None where it does."""
    pages = range(span["page_start"], span["page_end"] + 1)
    quote = normalised(span["quote"])
    readers = (plain_text, second_text, text_by_position)
    texts = [text for reader in readers if (text := "".join(reader(path, page) for page in pages))]
    if any(quote in text for text in texts):
        return None
    pieces = [normalised(line) for line in span["quote"].split("\n") if line.strip()]
    for text in texts:
        at = [text.find(piece) for piece in pieces]
        if all(place >= 0 for place in at):
            return None if _is_in_order(text, pieces) else "every line stands on the page, in another order"
    missing = next((piece for piece in pieces if all(piece not in text for text in texts)), pieces[0] if pieces else "")
    spelled = {"".join(filter(str.isalnum, text)) for text in texts}
    if any("".join(filter(str.isalnum, missing)) in text for text in spelled):
        return f"a line differs in signs alone: {missing[:60]!r}"
    others = [page for page in range(1, page_count(path) + 1) if missing and missing in plain_text(path, page)]
    return (
        f"a line stands on page {others[0]} instead: {missing[:60]!r}" if others else f"no such line: {missing[:60]!r}"
    )


def check_line(path: Path, span: dict[str, Any]) -> str:
    """Whether the visual line with the quote's first words is the one of that number, by position on the page."""
    first = normalised(span["quote"].split("\n")[0])
    lines = visual_lines(path, span["page_start"])
    held = [number for number, text in enumerate(lines, 1) if first and first in text]
    if not held:
        return "not told apart by position"
    off = min(abs(number - span["page_line_start"]) for number in held)
    return "as counted" if off == 0 else f"within {NEAR_LINES}" if off <= NEAR_LINES else "counted otherwise"


def normalised(text: str) -> str:
    """The text without white space, ligatures as letters; nothing else is made alike."""
    letters = "".join(_LIGATURES.get(character, character) for character in text)
    return "".join(letter for letter in letters if not letter.isspace() and unicodedata.category(letter) != "Cf")


_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


def report(counts: Counter[str], misses: list[Miss], out: Path | None) -> None:
    """The figures on the screen, the misses as CSV where asked for."""
    total = counts["citations"]
    print(
        f"{total:,} citations, {counts['verbatim']:,} verbatim on their pages: {counts['verbatim'] / max(total, 1):.4%}"
    )
    for name in sorted(name for name in counts if name.startswith("line ")):
        print(f"  {name}: {counts[name]:,}")
    for cause, number in Counter(miss.cause.split(":")[0] for miss in misses).most_common():
        print(f"  missed, {cause}: {number}")
    for miss in misses[:SHOWN]:
        print(f"  {miss.document} page {miss.page} lines {miss.lines}: {miss.cause}")
    if out is not None:
        with out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["document", "page", "lines", "cause", "quote"])
            writer.writerows([miss.document, miss.page, miss.lines, miss.cause, miss.quote] for miss in misses)


def ask_cuad(folder: Path, every: int) -> Iterator[dict[str, Any]]:
    """The answers to every category of every n-th contract, asked in the data set's words."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # runs from a checkout, installed or not
    from dictionaries import load_dictionaries
    from pipeline.generation import generate
    from pipeline.parsing import parse_document
    from pipeline.question import parse_question
    from pipeline.retrieval import retrieve

    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    dictionaries = load_dictionaries()
    for about in labels["documents"][::every]:
        document = parse_document(folder / about["pdf"])
        for category, asked in labels["categories"].items():
            question = parse_question(f"{category}: {asked['question']}", document.profile, dictionaries)
            answer = generate(question, retrieve(document, question))
            if answer.items:
                yield {"document": about["pdf"], "answer": json.loads(answer.to_json())}


def _is_in_order(text: str, pieces: list[str]) -> bool:
    """True where the lines follow one another, whatever another reader puts between them: a header, a column."""
    at = 0
    for piece in pieces:
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


@lru_cache(maxsize=8)
def _opened(path: Path) -> pymupdf.Document:
    return pymupdf.open(path)


def page_count(path: Path) -> int:
    """Pages of the file."""
    return int(_opened(path).page_count)


@lru_cache(maxsize=4_096)
def plain_text(path: Path, page: int) -> str:
    """The page as PyMuPDF extracts it, normalised."""
    return normalised(str(_opened(path)[page - 1].get_text("text")))


@lru_cache(maxsize=4_096)
def second_text(path: Path, page: int) -> str:
    """The page as pypdfium2 extracts it, normalised; empty where that is not installed."""
    try:
        import pypdfium2
    except ImportError:
        return ""
    with pypdfium2.PdfDocument(path) as document:
        return normalised(document[page - 1].get_textpage().get_text_range())


def text_by_position(path: Path, page: int) -> str:
    """The page line by line as an eye reads it: cells of one row that the file stores apart stand side by side."""
    return "".join(visual_lines(path, page))


@lru_cache(maxsize=512)
def visual_lines(path: Path, page: int) -> tuple[str, ...]:
    """The words of the page joined by the height of their middle, top down: lines as an eye counts them."""
    words = sorted(_opened(path)[page - 1].get_text("words"), key=lambda word: ((word[1] + word[3]) / 2, word[0]))
    lines: list[tuple[float, float, list[Any]]] = []
    for word in words:
        middle, height = (word[1] + word[3]) / 2, word[3] - word[1]
        if lines and abs(lines[-1][0] - middle) < height / 2:
            lines[-1][2].append(word)
        else:
            lines.append((middle, height, [word]))
    return tuple(normalised("".join(word[4] for word in sorted(row, key=lambda one: one[0]))) for _, _, row in lines)


if __name__ == "__main__":
    main()
