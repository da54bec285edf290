"""CPU of a question without a model, stage by stage, and how it grows; BM25 beside other libraries; a cold `ask`.

    python benchmarks/retrieval.py [--parts warm,pages,terms,candidates,memory,bm25,cold] [--rounds N] [--out FOLDER]
                                   [FILE ...]

The documents are contracts written by code (`made_contract.py`), parsed once in this process; where the shared data
stands beside the checkout, real ones too, and any FILE that is named. Figures are medians of CPU milliseconds, the
process warm: the first question to a document, which makes its index, stands in a column of its own. With `--out` each
table is written as CSV, and each curve of growth as SVG.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from made_contract import document_with_topic, made_dictionaries, write_contract
from table_output import Table, publish

from dictionaries import Dictionaries, load_dictionaries
from pipeline.generation import generate
from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from pipeline.question import QuestionContext, parse_question
from pipeline.retrieval import retrieve
from pipeline.retrieval.timing import StageTimes
from schemas.document import ParsedDocument

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PARTS = ("warm", "pages", "terms", "candidates", "memory", "bm25", "cold")
ROUNDS = 5
PAGES = (30, 100, 300, 1_000)
TERMS = (10, 100, 1_000, 10_000)
CANDIDATES = (10, 30, 100, 300, 1_000)
MEMORY_QUESTIONS = 200
BM25_QUERIES = 50
IN_PROCESS = ParsingSettings(isolate=False, ocr="off")
QUESTIONS: Mapping[str, str] = {
    "boolean": "Is there a non-compete obligation?",
    "amount": "What is the annual fee under the agreement?",
    "date": "When does the agreement come into force?",
    "duration": "For how long does the confidentiality obligation last?",
    "listing": "List all the termination rights of the parties",
    "code": "What does clause 7.3 say about notices?",
    "party": "Which party bears the cost of insurance?",
    "free text": "What happens to the tooling when a shipment is rejected at the dock?",
}


@dataclass
class Taken:
    """CPU milliseconds of each step of one question."""

    question: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    retrieval: float = 0.0
    generation: float = 0.0

    @property
    def total(self) -> float:
        """All three bricks."""
        return self.question + self.retrieval + self.generation


def ask_once(document: ParsedDocument, text: str, dictionaries: Dictionaries) -> Taken:
    """One question: read, searched, answered."""
    taken, times = Taken(), StageTimes()
    begun = time.process_time()
    question = parse_question(text, document.profile, dictionaries, context=QuestionContext(document=document))
    read = time.process_time()
    found = retrieve(document, question, times=times)
    searched = time.process_time()
    generate(question, found)
    taken.generation = (time.process_time() - searched) * 1000
    taken.question, taken.retrieval = (read - begun) * 1000, (searched - read) * 1000
    taken.stages = {name: seconds * 1000 for name, seconds in times.cpu.items()}
    return taken


def middle(rounds: Sequence[Taken]) -> Taken:
    """The median of each step."""
    names = dict.fromkeys(name for one in rounds for name in one.stages)
    return Taken(
        median(one.question for one in rounds),
        {name: median(one.stages.get(name, 0.0) for one in rounds) for name in names},
        median(one.retrieval for one in rounds),
        median(one.generation for one in rounds),
    )


def measure_warm(documents: Mapping[str, ParsedDocument], dictionaries: Dictionaries, rounds: int) -> Table:
    """A row a document and question: the first time, then the median of each step."""
    table = Table("warm", "CPU ms of a question, process warm, parse in memory")
    for name, document in documents.items():
        totals: list[float] = []
        for shape, text in QUESTIONS.items():
            first = ask_once(document, text, dictionaries)
            taken = middle([ask_once(document, text, dictionaries) for _ in range(rounds)])
            totals.append(taken.total)
            detect = sum(ms for stage, ms in taken.stages.items() if stage not in ("index", "candidates", "record"))
            table.add(
                document=name, pages=len(document.page_df), question=shape, first=first.total, read=taken.question,
                index=taken.stages.get("index", 0.0), detect_and_judge=detect,
                candidates=taken.stages.get("candidates", 0.0), record=taken.stages.get("record", 0.0),
                generate=taken.generation, total=taken.total,
            )  # fmt: skip
        table.add(document=name, pages=len(document.page_df), question="median", total=median(totals))
    return table


def measure_pages(folder: Path, dictionaries: Dictionaries, rounds: int) -> Table:
    """A row a length of document: median over the questions."""
    table = Table("pages", "growth with pages, CPU ms a question (median over the shapes)", x="pages", y="total")
    for pages in PAGES:
        document = parse_document(write_contract(folder, pages), settings=IN_PROCESS)
        first = ask_once(document, QUESTIONS["boolean"], dictionaries)
        taken = middle([middle(_rounds(document, text, dictionaries, rounds)) for text in QUESTIONS.values()])
        table.add(
            pages=len(document.page_df), lines=len(document.line_df), first=first.total, read=taken.question,
            retrieve=taken.retrieval, generate=taken.generation, total=taken.total,
        )  # fmt: skip
    return table


def measure_terms(document: ParsedDocument, rounds: int) -> Table:
    """A row a size of the dictionary: one concept of so many terms, none of which but one stands in the document."""
    table = Table("terms", "growth with the terms of a concept, CPU ms a question", x="terms", y="total")
    for count in TERMS:
        words = made_dictionaries(count)
        first = ask_once(document, "What does the agreement say about tooling custody?", words)
        taken = middle(_rounds(document, "What does the agreement say about tooling custody?", words, rounds))
        table.add(
            terms=count, first=first.total, read=taken.question, retrieve=taken.retrieval,
            generate=taken.generation, total=taken.total,
        )  # fmt: skip
    return table


def measure_candidates(folder: Path, dictionaries: Dictionaries, rounds: int) -> Table:
    """A row a number of paragraphs that speak of the topic, in a document of fixed length."""
    table = Table("candidates", "growth with candidates, CPU ms a question", x="paragraphs", y="total")
    for count in CANDIDATES:
        document = document_with_topic(folder, count, settings=IN_PROCESS)
        text = "Is there a non-compete obligation?"
        first = ask_once(document, text, dictionaries)
        taken = middle(_rounds(document, text, dictionaries, rounds))
        table.add(
            paragraphs=count, first=first.total, read=taken.question, retrieve=taken.retrieval,
            generate=taken.generation, total=taken.total,
        )  # fmt: skip
    return table


def measure_memory(document: ParsedDocument, dictionaries: Dictionaries) -> Table:
    """Resident memory after every fifty of two hundred questions that all differ."""
    table = Table("memory", "resident memory over questions that all differ, MB", x="questions", y="resident_mb")
    shapes = list(QUESTIONS.values())
    for number in range(MEMORY_QUESTIONS + 1):
        if number % 50 == 0:
            gc.collect()
            table.add(questions=number, resident_mb=_resident_mb())
        ask_once(document, f"{shapes[number % len(shapes)][:-1]} in case {number}?", dictionaries)
    return table


def measure_bm25(document: ParsedDocument) -> Table:
    """A row a library: the index over the document's paragraphs, and one search; those not installed are left out."""
    from bm25_rivals import LIBRARIES

    from pipeline.retrieval.lines import read_lines

    lines = read_lines(document)
    texts = [lines.block_text(block) for block in range(lines.block_count)]
    queries = [" ".join(text.split()[:8]) for text in texts[:: max(len(texts) // BM25_QUERIES, 1)]][:BM25_QUERIES]
    table = Table(
        "bm25", f"BM25 over {len(texts):,} paragraphs: CPU ms of the index, and of one search for the first ten"
    )
    for name, library in LIBRARIES.items():
        begun = time.process_time()
        try:
            search = library(texts)
        except ImportError:
            continue
        built = time.process_time()
        for query in queries:
            search(query)
        searched = time.process_time()
        table.add(library=name, index=(built - begun) * 1000, search=(searched - built) * 1000 / len(queries))
    return table


def measure_cold(files: Sequence[Path], rounds: int) -> Table:
    """A row a file: CPU seconds of `lineproof ask` in a process and a store of its own, children included."""
    table = Table("cold", "cold `lineproof ask`: CPU seconds of a fresh process, its children included")
    for path in files:
        seconds = [_cold(path) for _ in range(rounds)]
        table.add(file=path.name[:40], megabytes=path.stat().st_size / 1e6, cpu_seconds=median(seconds))
    return table


def _cold(path: Path) -> float:
    with tempfile.TemporaryDirectory() as store:
        start = "from pipeline.cli import main; main()"
        program = [sys.executable, "-c", start, "ask", str(path), QUESTIONS["duration"], "--store", store]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(program, check=False, capture_output=True, cwd=Path(__file__).resolve().parents[1])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _rounds(document: ParsedDocument, text: str, dictionaries: Dictionaries, rounds: int) -> list[Taken]:
    ask_once(document, text, dictionaries)
    return [ask_once(document, text, dictionaries) for _ in range(rounds)]


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _real_files() -> list[Path]:
    """A contract of about 30 pages and a report of about 300, where the shared data is there."""
    files = [*sorted((DATA / "cuad" / "pdfs").glob("*.pdf")), *sorted((DATA / "financebench").rglob("*.pdf"))]
    return [path for path in (_nearest(files, 30), _nearest(files, 300)) if path is not None]


def _nearest(files: Sequence[Path], pages: int) -> Path | None:
    from pipeline.mupdf import pymupdf

    def distance(path: Path) -> int:
        with pymupdf.open(path) as document:
            return abs(document.page_count - pages)

    return min(files, key=distance, default=None)


def main() -> None:
    """Measure what was asked for and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--parts", default=",".join(PARTS), help="what to measure, with commas between")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--out", type=Path, help="folder for the tables as CSV and the curves as SVG")
    options = parser.parse_args()
    wanted = set(options.parts.split(","))
    if wanted - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(wanted - set(PARTS)))}; there are {', '.join(PARTS)}")
    dictionaries = load_dictionaries()
    with tempfile.TemporaryDirectory() as folder:
        made = {pages: write_contract(Path(folder), pages) for pages in (30, 300)}
        files = [*made.values(), *(options.files or _real_files())]
        documents: dict[str, ParsedDocument] = {}
        if wanted & {"warm", "terms", "memory", "bm25"}:
            documents = {path.name[:32]: parse_document(path, settings=IN_PROCESS) for path in files}
        ways: dict[str, Callable[[], Table]] = {
            "warm": lambda: measure_warm(documents, dictionaries, options.rounds),
            "pages": lambda: measure_pages(Path(folder), dictionaries, options.rounds),
            "terms": lambda: measure_terms(documents[made[300].name], options.rounds),
            "candidates": lambda: measure_candidates(Path(folder), dictionaries, options.rounds),
            "memory": lambda: measure_memory(documents[made[300].name], dictionaries),
            "bm25": lambda: measure_bm25(documents[made[300].name]),
            "cold": lambda: measure_cold(files, min(options.rounds, 3)),
        }
        for part in PARTS:
            if part in wanted:
                publish(ways[part](), options.out)


if __name__ == "__main__":
    main()
