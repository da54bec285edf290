"""The hidden-outline test: how much of a PDF's outline is found again when it is taken away before parsing.

    python benchmarks/contents.py [FOLDER ...] [--entries N] [--show]

Every PDF under the folders (default: ../shared/data) with an outline of N entries or more (10) is read once. The gold
is made of the outline's entries whose titles really stand in the text where the outline points; then the same reading
is assembled with the outline and the tags of headings taken out, and its sections are compared with the gold.

An entry counts as found when a section has its title (letters and digits, leading numbers aside) on its page. Level
accuracy is the share of found entries whose level is right up to one shift of the whole tree: outlines begin at
chapters or at the title of the whole, and neither is wrong. Nothing is written to disk.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import median

from pipeline.parsing.assemble import make_document
from pipeline.parsing.numbering import drop_number, squeeze
from pipeline.parsing.outline import match_outline
from pipeline.parsing.paragraphs import RUNNING
from pipeline.parsing.pdf import read_pdf
from pipeline.parsing.reading import Reading
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import Source, make_doc_id
from schemas.errors import DocumentError

DEFAULT_DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"
MIN_ENTRIES = 10  # entries of an outline worth recovering
MIN_STANDING = 0.5  # share of the entries that stand in the text; fewer belong to another file


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a tree of contents: level, title and physical page."""

    level: int
    title: str
    page_num: int


@dataclass(frozen=True, slots=True)
class Score:
    """What one file gave; all shares 0-1."""

    name: str
    source: str
    gold: int
    found: int
    precision: float
    recall: float
    level_accuracy: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def measure_file(path: Path, *, min_entries: int = MIN_ENTRIES) -> tuple[Score, list[Item], list[Item]] | None:
    """Score, gold and recovered entries of the file; None where it has no outline that stands in its text."""
    data = path.read_bytes()
    digest = sha256(data).hexdigest()
    source = Source(data, path.name, digest, make_doc_id(path.stem, digest))
    settings = ParsingSettings(ocr="off")
    try:
        reading = read_pdf(source, settings)
    except DocumentError:
        return None
    if len(reading.outline) < min_entries:
        return None
    outline, reading.outline = reading.outline, []
    reading.headings = None  # a file's tags would tell the headings too
    toc = make_document(source, settings, reading).toc_df
    recovered = [
        Item(int(row.level), str(row.title), int(row.start_page)) for row in toc.itertuples() if row.heading_found
    ]
    reading.outline = outline
    gold = read_gold(reading)
    if len(gold) < max(min_entries, MIN_STANDING * len(outline)):
        return None
    source_name = str(toc["source"].mode().iloc[0]) if len(toc) else "-"
    return score_tree(path.name, source_name, gold, recovered), gold, recovered


def read_gold(reading: Reading) -> list[Item]:
    """The outline's entries whose titles were found in the text, in the outline's order, each place once."""
    lines = [line for page in reading.pages for line in page.lines]
    by_page = {
        page.page_num: [x for x in page.lines if x.visible and x.role not in RUNNING and x.role != "toc_entry"]
        for page in reading.pages
    }
    headings, _ = match_outline(reading.outline, by_page, {page.page_num: page.height for page in reading.pages})
    items: dict[tuple[str, int], Item] = {}
    for heading in headings:
        if heading.found and heading.confidence > 0:
            page_num = lines[heading.line_id - 1].page_num
            items.setdefault(
                (squeeze(drop_number(heading.title)), page_num), Item(heading.level, heading.title, page_num)
            )
    return list(items.values())


def score_tree(name: str, source: str, gold: Sequence[Item], recovered: Sequence[Item]) -> Score:
    """The comparison of two trees, each entry matched at most once."""
    pairs = pair_items(gold, recovered)
    shifts = Counter(found.level - wanted.level for wanted, found in pairs)
    best = max(shifts.values(), default=0)
    return Score(
        name, source, len(gold), len(recovered),
        len(pairs) / len(recovered) if recovered else 0.0,
        len(pairs) / len(gold) if gold else 0.0,
        best / len(pairs) if pairs else 0.0,
    )  # fmt: skip


def pair_items(gold: Sequence[Item], recovered: Sequence[Item]) -> list[tuple[Item, Item]]:
    """(gold, recovered) of the same title on the same page, in the gold's order."""
    places: defaultdict[tuple[str, int], list[Item]] = defaultdict(list)
    for item in recovered:
        places[squeeze(drop_number(item.title)), item.page_num].append(item)
    pairs = []
    for item in gold:
        waiting = places[squeeze(drop_number(item.title)), item.page_num]
        if waiting:
            pairs.append((item, waiting.pop(0)))
    return pairs


def find_files(folders: Sequence[Path]) -> Iterator[Path]:
    """The PDF files under the folders, by name; files of equal content once."""
    seen: set[str] = set()
    for folder in folders:
        for path in sorted(folder.rglob("*.pdf")) if folder.is_dir() else [folder]:
            digest = sha256(path.read_bytes()).hexdigest()
            if digest not in seen:
                seen.add(digest)
                yield path


def _show(gold: Sequence[Item], recovered: Sequence[Item]) -> None:
    pairs = pair_items(gold, recovered)
    hit_gold, hit_found = {id(a) for a, _ in pairs}, {id(b) for _, b in pairs}
    for sign, items, hits in (("missed", gold, hit_gold), ("surplus", recovered, hit_found)):
        for item in items:
            if id(item) not in hits:
                print(f"    {sign:8} p{item.page_num} L{item.level} {item.title[:90]}")


def main() -> int:
    """Print a row a file, then the medians."""
    parser = argparse.ArgumentParser(description="Hidden-outline test of the contents.")
    parser.add_argument("folders", nargs="*", type=Path, default=[DEFAULT_DATA])
    parser.add_argument("--entries", type=int, default=MIN_ENTRIES)
    parser.add_argument("--show", action="store_true", help="list what was missed and what is surplus")
    options = parser.parse_args()
    print(f"{'file':52} {'source':18} gold found precision recall    F1 level")
    scores = []
    for path in find_files(options.folders):
        measured = measure_file(path, min_entries=options.entries)
        if measured is None:
            continue
        score, gold, recovered = measured
        scores.append(score)
        print(
            f"{score.name[:52]:52} {score.source:18} {score.gold:4} {score.found:5} {score.precision:9.3f} "
            f"{score.recall:6.3f} {score.f1:5.3f} {score.level_accuracy:5.3f}",
            flush=True,
        )
        if options.show:
            _show(gold, recovered)
    if scores:
        print(
            f"median of {len(scores)} files: precision {median(s.precision for s in scores):.3f}, "
            f"recall {median(s.recall for s in scores):.3f}, F1 {median(s.f1 for s in scores):.3f}, "
            f"level accuracy {median(s.level_accuracy for s in scores):.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
