"""The character invariant: what line_df holds of each page, against pypdfium2, an independent extractor.

    python benchmarks/characters.py [FOLDER ...] [--pages N]

Prints a line for each page whose characters (white space aside, ligatures as letters, hidden ones included) differ by
more than the tolerance, with the characters that are missing and those that are more; then what was excluded, and why.
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from schemas.document import ParsedDocument
from schemas.errors import DocumentError

TOLERANCE = 0.01  # share of a page's characters that may differ: extractors split a few glyphs another way
MIN_DIFFERENCE = 5  # characters; fewer are single glyphs that two readers map differently
IGNORED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\ufffe\ufffd\u0002")  # hyphens and joiners that readers drop
HYPHENS = dict.fromkeys(map(ord, "‐‑‒–—―−-"), "-")
DEFAULT_PAGES = 30  # pages of a file
EXCLUDED_STATUSES = ("failed", "unreadable", "ocr", "mixed", "scanned")


@dataclass(frozen=True, slots=True)
class PageDifference:
    """Characters of one page that only one of the two readers has."""

    page_num: int
    chars: int
    missing: str  # in the other reader, not in line_df
    extra: str  # in line_df, not in the other reader
    exclusion: str  # why the page is not compared, empty where it is

    @property
    def is_fault(self) -> bool:
        """Characters are missing beyond the tolerance, and nothing explains it."""
        return not self.exclusion and len(self.missing) > max(MIN_DIFFERENCE, TOLERANCE * self.chars)


def compare_characters(data: bytes, document: ParsedDocument, *, pages: int = DEFAULT_PAGES) -> list[PageDifference]:
    """One row a page, the first `pages` of them."""
    statuses = dict(zip(document.page_df["page_num"], document.page_df["status"], strict=True))
    lines = document.line_df
    differences = []
    with pypdfium2.PdfDocument(data) as other:
        for page_num in range(1, min(len(other), pages) + 1):
            ours = count_characters(lines.loc[lines["page_num"] == page_num, "text"])
            page = other[page_num - 1]
            theirs = count_characters([page.get_textpage().get_text_range()])
            differences.append(
                PageDifference(
                    page_num,
                    theirs.total(),
                    "".join(sorted((theirs - ours).elements())),
                    "".join(sorted((ours - theirs).elements())),
                    _exclusion(statuses.get(page_num, "failed"), ours, theirs),
                )
            )
    return differences


def count_characters(texts: Sequence[str] | Iterator[str]) -> Counter[str]:
    """Characters without white space, compatibility forms as what they stand for, every hyphen as one."""
    joined = unicodedata.normalize("NFKC", "".join(texts)).translate(HYPHENS)
    return Counter(c for c in joined if not c.isspace() and c not in IGNORED and c.isprintable())


def _exclusion(status: str, ours: Counter[str], theirs: Counter[str]) -> str:
    if status in EXCLUDED_STATUSES:
        return f"status {status}: text was recognised, or is not trusted"
    if not theirs.total() and ours.total():
        return "the other reader finds no text"
    if abs(ours.total() - theirs.total()) <= MIN_DIFFERENCE and (theirs - ours).total() > theirs.total() / 2:
        return "as many characters, but others: the readers understand the font's encoding differently"
    return ""


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--pages", type=int, default=DEFAULT_PAGES)
    chosen = parser.parse_args()
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    count = faults = 0
    excluded: Counter[str] = Counter()
    for folder in chosen.folders or [default]:
        files = [folder] if folder.is_file() else sorted(folder.rglob("*.pdf"))
        for path in files:
            try:
                document = parse_document(path, settings=ParsingSettings(ocr="off"))
                differences = compare_characters(path.read_bytes(), document, pages=chosen.pages)
            except (DocumentError, pypdfium2.PdfiumError) as error:
                print(f"{path.name}\t-\t{str(error)[:120]}")
                continue
            for page in differences:
                count += 1
                excluded[page.exclusion] += bool(page.exclusion)
                if page.is_fault:
                    faults += 1
                    about = f"{page.chars} characters, missing {len(page.missing)}: {page.missing[:60]!r}"
                    print(f"{path.name}\t{page.page_num}\t{about}, more {len(page.extra)}: {page.extra[:40]!r}")
    print(f"{count} pages, {faults} differ")
    for reason, pages in sorted(excluded.items()):
        if reason:
            print(f"{pages} pages excluded: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(_main())
