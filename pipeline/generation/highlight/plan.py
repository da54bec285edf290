"""Which lines are marked, with which note, and the places that links lead to; nothing is drawn here."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.wording import place_of, say, tell_note
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.errors import InputError
from schemas.retrieval import RetrievalResult, RetrievedCandidate

MAX_NOTE_CHARACTERS = 500  # a note is a pointer; the whole reason stands in the record
MAX_TITLE_CHARACTERS = 120  # of a bookmark: a longer one runs out of the pane of any viewer

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """Boxes on one page (x0, y0, x1, y1 in points from the top left of the page as displayed), with a note.

    `colour` is red, green, blue from 0 to 1; None: that of cited lines, or of lines read around them.
    """

    page_num: int
    boxes: tuple[Box, ...]
    is_cited: bool
    note: str
    colour: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """A citation that a link leads to: its page, the top left corner of its first line, and what a link calls it.

    Stops with the same `anchor` (the place of a question of several) hang together below an entry called `group`;
    empty: the stop stands for itself.
    """

    page_num: int
    x: float
    y: float
    line_id: int
    short: str
    title: str
    group: str = ""
    anchor: str = ""


def plan_marks(
    document: ParsedDocument, answer: Answer, found: RetrievalResult, *, language: str = "en"
) -> tuple[Mark, ...]:
    """The marks page by page: contexts first, cited lines over them; each line is marked once.

    Raises InputError when a cited line is not in the document.
    """
    cited, around = plan_notes(document, answer, found, language=language)
    lines = document.line_df.set_index("line_id", drop=False)
    marks = [*_marks(around, lines, is_cited=False), *_marks(cited, lines, is_cited=True)]
    return tuple(sorted(marks, key=lambda mark: (mark.page_num, mark.is_cited)))


def plan_notes(
    document: ParsedDocument, answer: Answer, found: RetrievalResult, *, language: str = "en"
) -> tuple[dict[int, str], dict[int, str]]:
    """The note of each cited line and of each line read around them, by line_id; no line is in both.

    Raises InputError when a cited line is not in the document.
    """
    known = set(document.line_df["line_id"].tolist())
    candidates = {candidate.candidate_id: candidate for candidate in found.candidates}
    cited: dict[int, str] = {}
    for number, item in enumerate(answer.items, 1):
        for span in item.spans:
            candidate = candidates.get(span.candidate_id)
            note = _note(f"{say('answer', language)} {number}", candidate, span.candidate_id, language)
            read = set(_read_lines(candidate))
            for line_id in range(span.line_start, span.line_end + 1):
                if line_id in read:
                    cited.setdefault(line_id, note)
    missing = [line_id for line_id in cited if line_id not in known]
    if missing:
        raise InputError(f"{document.doc_id}: line {missing[0]} is cited, the document has no such line")
    around: dict[int, str] = {}
    for candidate_id in dict.fromkeys(span.candidate_id for item in answer.items for span in item.spans):
        candidate = candidates.get(candidate_id)
        for line_id in _read_lines(candidate):
            if line_id not in cited and line_id in known:
                around.setdefault(line_id, _note(say("read_around", language), candidate, candidate_id, language))
    return cited, around


def plan_stops(document: ParsedDocument, answer: Answer, *, language: str = "en") -> tuple[Stop, ...]:
    """One stop a citation, in the order of the answer; the same lines are visited once an item."""
    rows = document.line_df.set_index("line_id", drop=False)
    stops = []
    for number, item in enumerate(answer.items, 1):
        for span in dict.fromkeys(item.spans):
            if span.line_start not in rows.index:
                continue
            row = rows.loc[span.line_start]
            x, y = (0.0 if pd.isna(row[name]) else float(row[name]) for name in ("x0", "y0"))
            head = f"{say('answer', language)} {number}"
            page = place_of(span, language).partition(",")[0] if span.page_unit != "none" else place_of(span, language)
            parts = [head, place_of(span, language), *([plain_note(span.section_title)] if span.section_title else [])]
            title = " · ".join(parts)
            stops.append(Stop(int(row["page_num"]), x, y, span.line_start, f"{head}: {page}", _cut(title)))
    return tuple(stops)


def first_of_groups(stops: Sequence[Stop]) -> list[Stop]:
    """The stops that stand for themselves, and the first of each group."""
    first = {stop.anchor: at for at, stop in reversed(list(enumerate(stops)))}
    return [stop for at, stop in enumerate(stops) if not stop.anchor or first[stop.anchor] == at]


def plain_note(text: str) -> str:
    """Words of a document as harmless text: no control or formatting characters, at most MAX_NOTE_CHARACTERS."""
    kept = "".join(character for character in text if unicodedata.category(character)[0] != "C" or character == " ")
    flat = " ".join(kept.split())
    return flat if len(flat) <= MAX_NOTE_CHARACTERS else flat[: MAX_NOTE_CHARACTERS - 1].rstrip() + "…"


def _cut(title: str) -> str:
    limit = MAX_TITLE_CHARACTERS
    return title if len(title) <= limit else title[: limit - 1].rstrip() + "…"


def _read_lines(candidate: RetrievedCandidate | None) -> tuple[int, ...]:
    return tuple(line.line_id for line in candidate.lines) if candidate is not None else ()


def _marks(notes: dict[int, str], lines: pd.DataFrame, *, is_cited: bool) -> Iterator[Mark]:
    grouped: dict[tuple[int, str], list[Box]] = {}
    for line_id in sorted(notes):
        row = lines.loc[line_id]
        box = (float(row["x0"]), float(row["y0"]), float(row["x1"]), float(row["y1"]))
        if box[2] > box[0] and box[3] > box[1]:
            grouped.setdefault((int(row["page_num"]), notes[line_id]), []).append(box)
    for (page_num, note), boxes in grouped.items():
        yield Mark(page_num, tuple(boxes), is_cited, note)


def _note(head: str, candidate: RetrievedCandidate | None, candidate_id: str, language: str) -> str:
    reason = tell_note(candidate.reason, language) if candidate is not None and candidate.reason else ""
    role = f" ({say(f'role_{candidate.role}', language)})" if candidate is not None and candidate.role else ""
    return plain_note(f"{head}: {candidate_id}{role}. {reason}".strip())
