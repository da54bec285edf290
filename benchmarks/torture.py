"""A table of what becomes of each file of a folder of nasty documents: outcome, pages, characters, statuses, seconds.

    python benchmarks/torture.py [FOLDER] [WORD ...]

FOLDER holds an index.tsv whose columns include file and password; the default is the measuring data beside the
checkout. WORDs keep the files whose path holds one of them.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from pipeline.parsing import parse_document
from schemas.errors import PipelineError

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "torture"
COLUMNS = "| file | outcome | pages | characters | statuses | findings | s |\n|---|---|---|---|---|---|---|"


def read_index(folder: Path) -> Iterator[tuple[str, str | None]]:
    """Path below the folder and password (None where there is none) of each file that the index lists."""
    with (folder / "index.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            password = row.get("password") or None
            yield row["file"], None if password == "unknown" else password  # noqa: S105 the word of the index


def report(path: Path, name: str, password: str | None) -> str:
    """The file's row of the table."""
    begun = time.perf_counter()
    try:
        document = parse_document(path, password=password)
    except PipelineError as error:
        seconds = time.perf_counter() - begun
        return f"| {name} | {type(error).__name__}: {error} | | | | | {seconds:.1f} |"
    seconds = time.perf_counter() - begun
    statuses = document.profile.structure.page_status_counts
    kinds = document.finding_df["kind"].value_counts().sort_index()
    return (
        f"| {name} | record{f' and {len(document.children)} inside' if document.children else ''} "
        f"| {len(document.page_df)} | {int(document.page_df['char_count'].sum()):,} "
        f"| {', '.join(f'{count} {status}' for status, count in statuses.items())} "
        f"| {', '.join(f'{count} {kind}' for kind, count in kinds.items())} | {seconds:.1f} |"
    )


def main(arguments: list[str]) -> None:
    """Print the table, a row at a time."""
    folder = Path(arguments.pop(0)) if arguments and Path(arguments[0]).is_dir() else FOLDER
    print(COLUMNS)
    for name, password in read_index(folder):
        if not arguments or any(word in name for word in arguments):
            print(report(folder / name, name, password), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
