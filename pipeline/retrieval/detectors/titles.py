"""title_keyword_match: the best lines of the sections whose title speaks of the topic."""

from __future__ import annotations

import pandas as pd

from pipeline.retrieval.anchors import anchor_of
from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.search import Search
from pipeline.retrieval.section_titles import TitleFit, TitleMatch
from pipeline.retrieval.signals import Signals, signals_of

METHOD = "title_keyword_match"
MAX_SECTIONS = 12  # sections proposed; a title that more sections share narrows nothing
MAX_PLACES = 4  # places of one section; its heading's context shows the rest
_SCORE: dict[TitleFit, float] = {"named": 3.0, "exact": 2.0, "partial": 1.0}
_STEP = 0.01  # score between places of one section: their order, not their worth


def find_titles(search: Search) -> pd.DataFrame:
    """HIT_DF: for each section with a matching title its best lines, or its heading where no line holds a term.

    Sections that the user named come first, then exact titles, then titles that hold a term. A section with subsections
    also proposes the headings of those, when a whole section is to be read. Empty without a matching title.
    """
    hits: list[Hit] = []
    for number, match in enumerate(search.titles[:MAX_SECTIONS]):
        score = _SCORE[match.fit] - number * _STEP * MAX_PLACES
        reason = _reason(match)
        places = _places(search, match)
        for place, (first, last, keywords) in enumerate(places):
            hits.append(Hit(first, last, score - place * _STEP, keywords, reason))
    return hit_table(METHOD, hits, search.lines, limit=search.settings.max_hits)


def _places(search: Search, match: TitleMatch) -> list[tuple[int, int, tuple[str, ...]]]:
    """Anchors in a section, the best first; its heading, and the headings of its parts, where no line holds a term."""
    lines, evidence = search.lines, search.evidence
    found: list[tuple[tuple[int, int, int], tuple[int, int], Signals]] = []
    for block, unit in evidence.units.items():
        first = lines.searched_list[lines.block_first[block]]
        if not lines.in_section(first, match.start_line_id, match.end_line_id) or lines.is_heading[block]:
            continue
        signals = signals_of(search, unit)
        topic = len(signals.exact) + len(signals.primary_terms) + len(signals.secondary_terms) + len(signals.words)
        own = any(evidence.term(item.term).kind != "title" for item in unit.own)
        if topic and own:
            value = 2 if signals.value_beside else 1 if signals.value_inside else 0
            found.append(((-value, -topic, block), anchor_of(lines, evidence, unit), signals))
    found.sort(key=lambda row: row[0])
    places = [(anchor[0], anchor[1], signals.keywords) for _, anchor, signals in found[:MAX_PLACES]]
    whole = search.query.hints.answer_context == "section" or search.query.hints.needs_summary
    if not places or (whole and match.fit == "named"):
        keywords = tuple(evidence.term(index).text for index in match.terms if evidence.term(index).kind != "title")
        heading = _heading(search, match.start_line_id, match.end_line_id)
        if heading is not None:
            places.insert(0, (*heading, keywords))
        if whole:
            places.extend((*part, keywords) for part in _parts(search, match))
    return places


def _heading(search: Search, start_line_id: int, end_line_id: int) -> tuple[int, int] | None:
    """Positions of the heading's lines; None when nothing of the section is searched."""
    lines = search.lines
    block = lines.first_block_from(lines.position(start_line_id))
    if block >= lines.block_count:
        return None
    positions = lines.block_positions(block)
    if lines.line_ids[positions[0]] > end_line_id:
        return None
    return positions[0], positions[-1] if lines.is_heading[block] else positions[0]


def _parts(search: Search, match: TitleMatch) -> list[tuple[int, int]]:
    """Headings of the sections directly inside a section, in document order."""
    toc = search.document.toc_df
    inside = toc[toc["parent_section_id"] == match.section_id]
    rows = zip(inside["start_line_id"].tolist(), inside["end_line_id"].tolist(), strict=True)
    headings = (_heading(search, start, end) for start, end in rows)
    return [heading for heading in headings if heading is not None]


def _reason(match: TitleMatch) -> str:
    if match.fit == "named":
        return f"The question names this section ({match.named_as}): '{match.title}'."
    if match.fit == "exact":
        return f"The section's title is the topic: '{match.title}'."
    return f"The section's title holds a term of the topic: '{match.title}'."
