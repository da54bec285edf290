"""The words of a document by which what was made of it is known: its lines, and the questions that were put to it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.store.folders import FORMER
from pipeline.store.runs import QUESTION
from pipeline.values.equality import plain

LINES = "line_df.parquet"
# Characters of a line that tells its document: a shorter one ('1.', 'Governing Law') stands in any contract.
MIN_LINE = 24


def read_texts(root: Path, documents: Collection[str]) -> frozenset[str]:
    """The longer lines of the documents, of all their parsings, present and former; on one line, case folded.

    A table that cannot be read gives none.
    """
    texts: set[str] = set()
    for doc_id in documents:
        folder = root / doc_id
        for path in (folder / "parsing" / LINES, *sorted((folder / FORMER).glob(f"parsing_*/{LINES}"))):
            texts |= {told for line in _lines(path) if len(told := plain(line)) >= MIN_LINE}
    return frozenset(texts)


def questions_in(folders: Iterable[Path]) -> frozenset[str]:
    """The questions of runs as they were typed and as they were made complete; those that cannot be read left out."""
    return frozenset(text for folder in folders for text in _questions(folder))


def strings_in(value: Any) -> Iterator[str]:
    """All strings in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings_in(one)


def _questions(folder: Path) -> Iterator[str]:
    try:
        question = json.loads((folder / QUESTION).read_bytes())
    except (OSError, ValueError):
        return
    if not isinstance(question, dict):
        return
    for name in ("original_question", "resolved_question"):
        text = question.get(name)
        if isinstance(text, str) and text.strip():
            yield text


def _lines(path: Path) -> list[str]:
    try:
        column = pq.read_table(path, columns=["text"])["text"].to_pylist()
    except (OSError, pa.ArrowException, KeyError):
        return []
    return [text for text in column if isinstance(text, str)]
