"""CPU milliseconds a page, and the ratio to the floor (PyMuPDF's plain text), of our steps and of what others use.

    python benchmarks/parsing.py [--rivals] [--rounds N] [--memory FILE] [FILE ...]

All ways take turns over the same pages in the same run; figures are medians of the rounds. The full parse is measured
in this process and without recognition: it is the work itself that is compared. Rivals are slow, and read only the
first pages. `--memory FILE` prints the peak resident memory of a full parse in a process of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.page_text import make_fragments, read_blocks
from pipeline.parsing.settings import ParsingSettings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ROUNDS = 5
RIVAL_PAGES = 3  # pages that the slow ones read of each file
COLUMNS = ("page_num", "text", "x0", "y0", "x1", "y1", "font_name", "font_size", "is_bold")
IN_PROCESS = ParsingSettings(isolate=False, ocr="off")

Way = Callable[[Path, int], object]  # file, number of pages to read


def default_files() -> list[Path]:
    """The NIST framework, the attention paper, and eight contracts over the whole span of lengths."""
    contracts = sorted((DATA / "cuad" / "pdfs").glob("*"))
    step = max(len(contracts) // 8, 1)
    return [DATA / "nist" / "NIST.CSWP.29.pdf", DATA / "papers" / "1706.03762v7.pdf", *contracts[::step][:8]]


def floor(path: Path, page_count: int) -> int:
    """PyMuPDF's plain text."""
    with pymupdf.open(path) as document:
        return sum(len(document[at].get_text("text")) for at in range(page_count))


def line_table(path: Path, page_count: int) -> pd.DataFrame:
    """The lines alone: page, text, box, font, size, bold, as a frame; hidden ones marked, images placed."""
    rows: list[tuple[Any, ...]] = []
    with pymupdf.open(path) as document:
        for at in range(page_count):
            page = document[at]
            blocks, _ = read_blocks(page)
            rows += [(at + 1, f.text, *f.box, f.font, f.size, f.bold) for f in make_fragments(page, blocks)]
    columns = zip(*rows, strict=True) if rows else ([] for _ in COLUMNS)
    return pd.DataFrame(dict(zip(COLUMNS, map(list, columns), strict=True)))


def full_parse(path: Path, page_count: int) -> object:
    """The whole record: columns, headers, sections, tables, objects, references."""
    return parse_document(path, settings=IN_PROCESS.model_copy(update={"pages": tuple(range(1, page_count + 1))}))


def with_pypdfium2(path: Path, page_count: int) -> int:
    """pypdfium2, plain text without boxes."""
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return sum(len(document[at].get_textpage().get_text_range()) for at in range(page_count))


def with_pypdf(path: Path, page_count: int) -> int:
    """pypdf, plain text."""
    import pypdf

    with pypdf.PdfReader(path) as reader:
        return sum(len(reader.pages[at].extract_text()) for at in range(page_count))


def with_pdfminer(path: Path, page_count: int) -> int:
    """pdfminer.six, plain text."""
    from pdfminer.high_level import extract_text

    return len(extract_text(path, maxpages=page_count))


def with_pdfplumber(path: Path, page_count: int) -> int:
    """pdfplumber, lines with boxes."""
    import pdfplumber

    with pdfplumber.open(path, pages=list(range(1, page_count + 1))) as document:
        return sum(len(page.extract_text_lines()) for page in document.pages)


def with_pymupdf4llm(path: Path, page_count: int) -> int:
    """pymupdf4llm, markdown."""
    import pymupdf4llm

    return len(pymupdf4llm.to_markdown(str(path), pages=list(range(page_count)), show_progress=False))


OURS: Mapping[str, Way] = {"floor": floor, "line_df alone": line_table, "full parse": full_parse}
RIVALS: Mapping[str, Way] = {
    "pypdfium2": with_pypdfium2,
    "pypdf": with_pypdf,
    "pdfminer.six": with_pdfminer,
    "pdfplumber": with_pdfplumber,
    "pymupdf4llm": with_pymupdf4llm,
}


def measure(ways: Mapping[str, Way], path: Path, page_count: int, rounds: int) -> dict[str, float]:
    """Median CPU milliseconds a page of each way; one round before is not counted."""
    seen: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, way in ways.items():
            _forget_texts()
            begun = time.process_time()
            way(path, page_count)
            if number:
                seen[name].append((time.process_time() - begun) * 1000 / page_count)
    return {name: median(values) for name, values in seen.items()}


def _forget_texts() -> None:
    """Empty the caches of what lines say, which a first reading of the document would not find filled."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pipeline.parsing"):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear") and value.cache_info().maxsize:
                    value.cache_clear()


def print_table(ways: Mapping[str, Way], files: list[Path], most_pages: int, rounds: int) -> None:
    """A row a file: milliseconds a page of the floor, then the ratio to it of each other way; medians at the end."""
    others = [name for name in ways if name != "floor"]
    print("| file | pages | floor, ms a page | " + " | ".join(others) + " |")
    print("|---" * (len(others) + 3) + "|")
    ratios: dict[str, list[float]] = {name: [] for name in others}
    for path in files:
        with pymupdf.open(path) as document:
            page_count = min(document.page_count, most_pages)
        found = measure(ways, path, page_count, rounds)
        for name in others:
            ratios[name].append(found[name] / found["floor"])
        cells = " | ".join(f"{found[name] / found['floor']:.2f}x" for name in others)
        print(f"| {path.name[:44]} | {page_count} | {found['floor']:.2f} | {cells} |", flush=True)
    print("| median | | | " + " | ".join(f"{median(ratios[name]):.2f}x" for name in others) + " |\n")


def print_memory(path: Path) -> None:
    """Peak resident memory of a full parse of the file, in a fresh process."""
    program = (
        "import resource, sys, time\n"
        "from pipeline.parsing import parse_document\n"
        "from pipeline.parsing.settings import ParsingSettings\n"
        "d = parse_document(sys.argv[1], settings=ParsingSettings(isolate=False, ocr='off'))\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "print(f'{len(d.page_df):,} pages, {len(d.line_df):,} lines, {time.process_time():.1f} s of CPU, '\n"
        "      f'peak {peak:,.0f} MB resident')\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rivals", action="store_true", help="measure other libraries too, on a few pages")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--memory", type=Path, help="print the peak memory of this file's parse, and nothing else")
    options = parser.parse_args()
    if options.memory:
        print_memory(options.memory)
        return
    files = options.files or default_files()
    print_table(OURS, files, sys.maxsize, options.rounds)
    if options.rivals:
        print_table({"floor": floor, **RIVALS}, files[:4], RIVAL_PAGES, 1)


if __name__ == "__main__":
    main()
