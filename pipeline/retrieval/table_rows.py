"""Whether a passage is the row of a table that a figure is asked of: its label is the item, its column the period.

What an analyst does with a report: the figure of a period is read off the primary statement that carries its line, or
off another table with such a row; a ratio that no row states is worked out from the lines of its components.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pipeline.kept import Kept
from pipeline.retrieval.evidence import Match, Unit
from pipeline.retrieval.reasons import asks_why
from pipeline.retrieval.statements import (
    StatementKind,
    head_of,
    kinds_named,
    kinds_of_titles,
    letters_of,
    row_of,
    statements_of,
)
from schemas.question import RetrievalQuery

if TYPE_CHECKING:
    from pipeline.retrieval.search import Search

RowNames = Literal["item", "component"]

FIGURE_TYPES = frozenset({"amount", "percentage", "number", "duration", "boolean"})  # did it rise, is it positive
WHOLE_LABEL = 0.8  # share of a label's letters; the rest is a note, a unit, 'net'
HALF_LABEL = 0.5  # share of a label's letters that a term must cover that does not open it
KEPT_QUERIES = 64

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SHORT_YEAR = re.compile(r"\b(?:FY|Q[1-4]|H[12])\s*'?\s*(\d\d)(?!\d)", re.IGNORECASE)
_OPENS = re.compile(r"^(?:total|less|plus|add|netof|consolidated)+")


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What a row says to the question. `names`: the item that is asked, or a component that it is worked out from."""

    names: RowNames | None = None
    fit: float = 0.0  # 0 to 1: how much of the label the term is, more where it opens the label
    statement: str | None = None  # title of the primary statement that it stands in, where the question reads that one
    years: tuple[int, ...] = ()  # of its columns, ascending
    head: tuple[int, ...] = ()  # positions of the title and of the heads of the columns


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question reads off a table: nothing where it asks for no figure."""

    figure: bool
    kinds: frozenset[StatementKind]  # empty: any statement
    years: frozenset[int]  # empty: none named


NO_ROW = RowFacts()
_asked: Kept[_Asked] = Kept(KEPT_QUERIES)


def row_facts(search: Search, unit: Unit) -> RowFacts:
    """What the passage says as a row of a table; nothing for prose, other periods, and questions for no figure."""
    lines, query = search.lines, search.query
    asked = _asked.get(query, lambda: _read_asked(query))
    if not asked.figure or not query.concepts or lines.is_heading[unit.block]:
        return NO_ROW
    matches = [match for match in unit.own if search.terms.terms[match.term].kind in ("concept", "expansion")]
    row = row_of(lines, unit.block) if matches else None
    if row is None:
        return NO_ROW
    statement = statements_of(lines).get(unit.block)
    if statement is not None:
        head, years = statement.head, statement.years
    else:
        head, years = head_of(lines, unit.block)
    if not years or (asked.years and not _covers(years, asked.years)):
        return NO_ROW
    names, fit = _named(search, matches, row.label)
    if names is None:
        return NO_ROW
    read = statement is not None and (statement.kind in asked.kinds or (not asked.kinds and names == "item"))
    return RowFacts(names, fit, statement.title if statement is not None and read else None, tuple(sorted(years)), head)


def _read_asked(query: RetrievalQuery) -> _Asked:
    figure = (query.answer_type in FIGURE_TYPES or query.hints.answer_context == "page") and not asks_why(query.text)
    named = kinds_named(query.text)
    usual = kinds_of_titles(query.concepts[0].section_titles) if query.concepts else frozenset()
    return _Asked(figure, named or usual, _years_asked(query))


def _years_asked(query: RetrievalQuery) -> frozenset[int]:
    years = {int(year) for year in _YEAR.findall(query.text)}
    years |= {2000 + int(year) for year in _SHORT_YEAR.findall(query.text)}
    return frozenset(years)


def _covers(years: frozenset[int], asked: frozenset[int]) -> bool:
    """True where a column may be of an asked year: a fiscal year is called by its first calendar year or its last."""
    return any(year in years or year + 1 in years for year in asked)


def _named(search: Search, matches: Iterable[Match], label: str) -> tuple[RowNames | None, float]:
    """What the label names, the item before a component, and how well."""
    best: tuple[bool, float] = (False, 0.0)
    letters = letters_of(label)
    bare = _OPENS.sub("", letters) or letters
    for match in matches:
        term = search.terms.terms[match.term]
        fit = HALF_LABEL if term.is_pattern else _fit(letters_of(term.text), letters, bare)
        item = match.term in search.terms.proving and term.concept_rank == 0
        if fit:
            best = max(best, (item, fit))
    if not best[1]:
        return None, 0.0
    return ("item" if best[0] else "component"), round(best[1], 3)


def _fit(term: str, letters: str, bare: str) -> float:
    if not term or not letters:
        return 0.0
    share = min(1.0, len(term) / len(bare))
    stem = term.removesuffix("s")
    if bare.startswith(stem) or letters.startswith(stem):
        return 1.0 if share >= WHOLE_LABEL else (1.0 + share) / 2
    return share if stem in letters and share >= HALF_LABEL else 0.0
