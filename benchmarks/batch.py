"""A batch against the obvious alternative: a loop over documents and questions with plain text, chunks and BM25.

    python benchmarks/batch.py FOLDER QUESTIONS [--documents N] [--processes P ...] [--store DIR]

The alternative reads a PDF with PyMuPDF, cuts its text into chunks of 500 characters, indexes them with bm25s and takes
the best five: no typed value, no verification, no absence, nothing kept. It is timed twice: as the loop that people
write first, which does all this for each cell, and as the better one, which reads and indexes each document once. Ours
parses, searches,
answers, verifies, seals and keeps every cell, and marks the documents. Both are timed in one run, whole processes,
wall clock; the ratio is what counts. Then ours once more, from what it kept.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHUNK, TOP = 500, 5
NAIVE = """
import json, sys, bm25s, pymupdf
documents, questions = json.load(sys.stdin)
for path, asked in ([(path, [one]) for path in documents for one in questions] if {each} else
                    [(path, questions) for path in documents]):
    with pymupdf.open(path) as opened:
        text = "\\n".join(page.get_text() for page in opened)
    chunks = [text[at : at + {chunk}] for at in range(0, len(text), {chunk})] or [""]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(chunks, stopwords="en", show_progress=False), show_progress=False)
    for question in asked:
        tokens = bm25s.tokenize(question, stopwords="en", show_progress=False)
        index.retrieve(tokens, corpus=chunks, k=min({top}, len(chunks)), show_progress=False)
"""


def main() -> None:
    """Time both, and print a line each."""
    options = _options()
    documents = sorted(path for path in options.folder.rglob("*.pdf"))
    if options.documents:
        documents = documents[:: max(1, len(documents) // options.documents)][: options.documents]
    from pipeline.batch.reading import read_questions

    questions = [one.text for one in read_questions(options.questions)]
    cells = len(documents) * len(questions)
    print(f"{len(documents)} documents x {len(questions)} questions = {cells:,} cells")
    naive = _naive(documents, questions, each=True)
    _tell("plain text, chunks, bm25s for each cell", naive, cells, naive[0])
    once = _naive(documents, questions, each=False)
    _tell("the same, each document read once", once, cells, naive[0])
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "documents.txt"
        listed.write_text("\n".join(map(str, documents)), encoding="utf-8")
        for processes in options.processes:
            store = options.store or Path(folder) / f"store{processes}"
            shutil.rmtree(store, ignore_errors=True)
            command = [
                "lineproof", "batch", str(listed), str(options.questions), "--store", str(store), "--no-model",
                "--quiet", "--force", "-o", str(Path(folder) / f"results{processes}.xlsx"), "--processes",
                str(processes),
            ]  # fmt: skip
            for told in ("the first time", "once more, from what was kept"):
                ours = _timed(command)
                _tell(f"lineproof batch, {processes} processes, {told}", ours, cells, naive[0])
            book = Path(folder) / f"results{processes}.xlsx"
            kept = sum(path.stat().st_size for path in store.rglob("*") if path.is_file())
            print(f"    workbook {book.stat().st_size / 1e6:.1f} MB, store {kept / 1e6:,.0f} MB")


def _naive(documents: list[Path], questions: list[str], *, each: bool) -> tuple[float, float]:
    """The loop in a process of its own; the lists go in by its input, which has no limit of length."""
    script = NAIVE.format(chunk=CHUNK, top=TOP, each=each)
    return _timed([sys.executable, "-c", script], told=json.dumps([[str(path) for path in documents], questions]))


def _timed(command: list[str], *, told: str = "") -> tuple[float, float]:
    """Seconds by the clock, and of CPU with all children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    home = Path(sys.executable).parent
    done = subprocess.run(
        command, input=told.encode(), env={**os.environ, "PATH": f"{home}:{os.environ['PATH']}"}, check=False,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3, 4):
        raise SystemExit(f"{' '.join(command)[:300]} failed with {done.returncode}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _tell(what: str, timed: tuple[float, float], cells: int, base: float) -> None:
    seconds, cpu = timed
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    speed = f"{cells / seconds:.1f} cells a second, {seconds / base:.2f} times the plain loop"
    print(f"{what}: {seconds:.1f} s ({cpu:.1f} s of CPU), {speed}, largest process {largest:.0f} MB", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--documents", type=int, default=0, help="how many, spread over the folder; 0: all")
    parser.add_argument("--processes", type=int, nargs="+", default=[2])
    parser.add_argument("--store", type=Path, help="where ours is kept; without it in a folder that is deleted")
    return parser.parse_args()


if __name__ == "__main__":
    main()
