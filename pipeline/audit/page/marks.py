"""What is marked on the pages: the cited lines and the candidates' anchors, each with its label and its page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.audit.page.labels import initial
from pipeline.audit.page.path_steps import ROLES, role_words
from pipeline.audit.page.told import ToldRun
from pipeline.wording import place_of, say, tell_place
from schemas.retrieval import CandidateProvenance, CandidateScope

MAX_DISCARDED = 25  # discarded candidates marked on one page: more hide it
NEAREST_SHOWN = 3  # nearest misses whose pages are shown where nothing answers

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its place; `box` is None where the format has no layout, or the document is not at hand."""

    line_id: int
    page_num: int
    line_num: int
    text: str
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A passage on one page. `look` is 'cited' or a role, `link` the id of what tells more of it."""

    label: str
    look: str
    words: str
    link: str
    page_num: int
    line_ids: tuple[int, ...]


def labels_of(provenances: Iterable[CandidateProvenance]) -> dict[str, str]:
    """A short label a candidate: the first letter of its role and its number among those of the role."""
    counts = dict.fromkeys(ROLES, 0)
    told = {}
    for one in provenances:
        counts[one.role] += 1
        told[one.candidate_id] = f"{one.role[0].upper()}{counts[one.role]}"
    return told


def lines_of_run(run: ToldRun) -> list[Line]:
    """The visible lines of the document in order; without it those that the kept candidates hold."""
    if run.document is None:
        known: dict[int, Line] = {}
        for candidate in run.saved.retrieval.candidates:
            for ref, text in zip(candidate.lines, candidate.text.split("\n"), strict=True):
                known.setdefault(ref.line_id, Line(ref.line_id, ref.page_num, ref.line_num, text))
        return [known[line_id] for line_id in sorted(known)]
    frame = run.document.line_df[run.document.line_df["visible"]]
    names = ["line_id", "page_num", "line_num", "text", "x0", "y0", "x1", "y1"]
    return [
        Line(int(row.line_id), int(row.page_num), int(row.line_num), row.text, _box(row))
        for row in frame[names].itertuples(index=False)
    ]


def marks_of(run: ToldRun, lines: Sequence[Line], key: str, language: str) -> list[Mark]:
    """All marks: cited lines first, then candidates by role; one a page where a passage runs over several."""
    at = {(line.page_num, line.line_num): number for number, line in enumerate(lines)}
    marks = []
    by_id = {line.line_id: line for line in lines}
    for number, item in enumerate(run.saved.answer.items, 1):
        for span in item.spans:
            own = [by_id[one] for one in range(span.line_start, span.line_end + 1) if one in by_id]
            words = f"{say('answer', language)} {number}, {place_of(span, language)}"
            marks += _by_page(f"{initial(language)}{number}", "cited", words, f"{key}answer", own)
    labels = labels_of(run.saved.retrieval.provenances)
    for place, one in enumerate(run.saved.retrieval.provenances, 1):
        anchor = one.anchor
        words = f"{role_words(one.role, language)}, {one.candidate_id}, {place_words(anchor, language)}"
        own = _within(anchor, lines, at)
        marks += _by_page(labels[one.candidate_id], one.role, words, f"{key}c{place}", own)
    return marks


def place_words(scope: CandidateScope, language: str) -> str:
    """Where a passage stands, as people count."""
    return tell_place(scope.page_unit, (scope.page_start, scope.page_end), (scope.line_start, scope.line_end), language)


def pages_wanted(run: ToldRun, marks: Sequence[Mark]) -> list[int]:
    """Pages to show, most wanted first: cited, primary, supporting; without any the nearest misses and tangential."""
    wanted = [mark.page_num for look in ("cited", "primary", "supporting") for mark in marks if mark.look == look]
    if not wanted:
        absence = run.saved.answer.absence
        wanted = [miss.page_num for miss in absence.nearest_misses[:NEAREST_SHOWN]] if absence else []
        wanted += [mark.page_num for mark in marks if mark.look == "tangential"]
    return list(dict.fromkeys(wanted))


def shown_on(marks: Sequence[Mark]) -> tuple[list[Mark], int]:
    """The marks of a page that are drawn, discarded ones behind the others, and how many of those are left out."""
    kept = [mark for mark in marks if mark.look != "discarded"]
    discarded = [mark for mark in marks if mark.look == "discarded"]
    return [*kept, *discarded[:MAX_DISCARDED]], max(len(discarded) - MAX_DISCARDED, 0)


def _within(scope: CandidateScope, lines: Sequence[Line], at: dict[tuple[int, int], int]) -> list[Line]:
    """The lines from the first to the last of a scope; empty where its ends are not among them."""
    first = at.get((scope.page_start, scope.line_start))
    last = at.get((scope.page_end, scope.line_end))
    return list(lines[first : last + 1]) if first is not None and last is not None else []


def _by_page(name: str, look: str, words: str, link: str, lines: Sequence[Line]) -> list[Mark]:
    pages: dict[int, list[int]] = {}
    for line in lines:
        pages.setdefault(line.page_num, []).append(line.line_id)
    return [Mark(name, look, words, link, page_num, tuple(ids)) for page_num, ids in pages.items()]


def _box(row: Any) -> Box | None:
    box = (row.x0, row.y0, row.x1, row.y1)
    if any(side is None or side != side for side in box):  # NaN differs from itself
        return None
    left, top, right, bottom = (float(side) for side in box)
    return (left, top, right, bottom) if right > left and bottom > top else None
