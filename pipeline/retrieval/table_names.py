"""Tables that have a row by the name that a question says: 'Storage Fee', 'DM-250', 'Complaint closure'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from dictionaries.folding import folded_text
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.kept import Kept
from pipeline.retrieval.lines import KEPT_DOCUMENTS, Lines
from pipeline.retrieval.table_grids import Grid, is_figure
from schemas.handed_tables import HandedRow
from schemas.question import RetrievalQuery

MAX_NAMED = 3  # tables a question; a name that stands in more of them is no name of a row
MIN_WORDS = 2  # words of a name by itself; a row of one word needs a word of its column or title in the question too
MIN_STEM = 4  # letters of a word whose plural counts as the word
MAX_NAME_WORDS = 12  # a longer cell is a text, not a name
KEPT_TEXTS = 8_192  # labels are read again for every question
_STATES = re.compile(r"\bu\.\s?s\.(?:\s?a\.)?")  # a name of one word, not two letters
_WORD = re.compile(r"[a-z0-9%]+")
# Words that stand in labels of every table and name none.
_COMMON_WORDS = (
    "total totals other net amount amounts value year years note notes item items number date name type yes none "
    "otros otras importe ejercicio autres montant exercice"
)
_COMMON = frozenset(_COMMON_WORDS.split())

_Names = tuple[tuple[frozenset[str], frozenset[str]], ...]  # of each row's name its words, and those around them
_names: Kept[dict[int, _Names]] = Kept(KEPT_DOCUMENTS)


def tables_named(query: RetrievalQuery | None, grids: Mapping[int, Grid], lines: Lines) -> list[int]:
    """The tables with a row that the question names whole, as well as any other; none where many are named as well."""
    if query is None or not grids or query.answer_type == "boolean":
        return []
    asked = _words(query.text)
    asked |= {word.removesuffix("s") for word in asked if len(word) > MIN_STEM}
    kept = _names.get(lines, lambda: {key: _names_of(grid) for key, grid in grids.items()})
    ranked: list[tuple[tuple[int, int], int]] = []
    for table_id, names in kept.items():
        fits = [(len(words), len(around & asked)) for words, around in names if _says(asked, words)]
        fits = [fit for fit in fits if fit[0] >= MIN_WORDS or fit[1]]
        if fits:
            ranked.append((max(fits), table_id))
    if not ranked:
        return []
    best = max(rank for rank, _ in ranked)
    first = sorted(table_id for rank, table_id in ranked if rank == best)
    return first if len(first) <= MAX_NAMED else []


def _names_of(grid: Grid) -> _Names:
    heads = frozenset(word for title in grid.heads for word in _words(title))
    names: dict[tuple[frozenset[str], frozenset[str]], None] = {}
    for row in grid.rows:
        for text in _called(row):
            words = _words(text) - _COMMON
            if words and len(words) <= MAX_NAME_WORDS and any(len(word) > 1 for word in words):
                names.setdefault((words, heads - words))
    return tuple(names)


def _called(row: HandedRow) -> list[str]:
    own = [cell.text for cell in row.cells if not is_figure(cell.text) and cell.text in row.label]
    return [row.label, *own, *(text.split(",")[0] for text in own if "," in text and not text[0].isdigit())]


def _says(asked: frozenset[str] | set[str], words: frozenset[str]) -> bool:
    return all(word in asked or (len(word) > MIN_STEM and word.removesuffix("s") in asked) for word in words)


@lru_cache(maxsize=KEPT_TEXTS)
def _words(text: str) -> frozenset[str]:
    folded = _STATES.sub(" usa ", folded_text(text))
    return frozenset(word for word in _WORD.findall(folded) if word not in ALL_STOP_WORDS)
