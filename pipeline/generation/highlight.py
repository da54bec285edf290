"""The PDF with the lines that prove an answer marked on its pages: cited lines strong, what was read around them light.

Each mark carries a note with the candidate's id and the arbiter's reason, as plain text. The same inputs give the same
bytes: no clock, no new file id.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pipeline.mupdf import open_pdf, pymupdf
from pipeline.pictures import pictures_to_pdf
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.errors import InputError
from schemas.retrieval import RetrievalResult, RetrievedCandidate

CITED = (1.0, 0.84, 0.25)  # red, green, blue from 0 to 1: the marker pen that everyone knows
CONTEXT = (0.88, 0.93, 1.0)  # pale blue: seen, and never taken for the proof
MAX_NOTE_CHARACTERS = 500  # a note is a pointer; the whole reason stands in the record
FIXED_DATE = "D:20000101000000Z"  # marks carry no clock, so that equal runs give equal bytes
AUTHOR = "Lineproof"
KEEP_ENCRYPTION = pymupdf.PDF_ENCRYPT_KEEP


@dataclass(frozen=True, slots=True)
class Mark:
    """Boxes on one page (x0, y0, x1, y1 in points from the top left of the page as displayed), with a note."""

    page_num: int
    boxes: tuple[tuple[float, float, float, float], ...]
    is_cited: bool
    note: str


def highlight_pdf(
    pdf: bytes, document: ParsedDocument, answer: Answer, found: RetrievalResult, *, password: str | None = None
) -> bytes:
    """A copy of `pdf` with the lines of the answer marked; without items an unmarked copy.

    A file that needs a password gives a copy that needs the same one; a picture file becomes a PDF of its pictures.

    Raises InputError when the lines are not those of `document`, and the errors of `open_pdf`.
    """
    marks = plan_marks(document, answer, found)
    if document.format == "image":
        sizes = list(zip(document.page_df["width"].tolist(), document.page_df["height"].tolist(), strict=True))
        pdf = pictures_to_pdf(pdf, sizes, name=document.source_name)
    with open_pdf(pdf, name=document.source_name, password=password) as opened:
        for mark in marks:
            if mark.page_num > opened.page_count:
                raise InputError(
                    f"{document.source_name}: a line stands on page {mark.page_num}, the file has {opened.page_count} "
                    "pages; hand over the bytes that the document was parsed from"
                )
            _draw(opened[mark.page_num - 1], mark)
        data: bytes = opened.tobytes(garbage=1, deflate=True, no_new_id=True, encryption=KEEP_ENCRYPTION)
        return data


def plan_marks(document: ParsedDocument, answer: Answer, found: RetrievalResult) -> tuple[Mark, ...]:
    """The marks page by page: contexts first, cited lines over them; each line is marked once.

    Raises InputError when a cited line is not in the document.
    """
    lines = document.line_df.set_index("line_id", drop=False)
    candidates = {candidate.candidate_id: candidate for candidate in found.candidates}
    cited: dict[int, str] = {}
    for number, item in enumerate(answer.items, 1):
        for span in item.spans:
            note = _note(f"Answer {number}", candidates.get(span.candidate_id), span.candidate_id)
            for line_id in range(span.line_start, span.line_end + 1):
                if line_id in _read_lines(candidates.get(span.candidate_id)):
                    cited.setdefault(line_id, note)
    missing = [line_id for line_id in cited if line_id not in lines.index]
    if missing:
        raise InputError(f"{document.doc_id}: line {missing[0]} is cited, the document has no such line")
    around: dict[int, str] = {}
    for candidate_id in dict.fromkeys(span.candidate_id for item in answer.items for span in item.spans):
        candidate = candidates.get(candidate_id)
        for line_id in _read_lines(candidate):
            if line_id not in cited and line_id in lines.index:
                around.setdefault(line_id, _note("Read around it", candidate, candidate_id))
    marks = [*_marks(around, lines, is_cited=False), *_marks(cited, lines, is_cited=True)]
    return tuple(sorted(marks, key=lambda mark: (mark.page_num, mark.is_cited)))


def _read_lines(candidate: RetrievedCandidate | None) -> tuple[int, ...]:
    return tuple(line.line_id for line in candidate.lines) if candidate is not None else ()


def _marks(notes: dict[int, str], lines: pd.DataFrame, *, is_cited: bool) -> Iterator[Mark]:
    grouped: dict[tuple[int, str], list[tuple[float, float, float, float]]] = {}
    for line_id in sorted(notes):
        row = lines.loc[line_id]
        box = (float(row["x0"]), float(row["y0"]), float(row["x1"]), float(row["y1"]))
        if box[2] > box[0] and box[3] > box[1]:
            grouped.setdefault((int(row["page_num"]), notes[line_id]), []).append(box)
    for (page_num, note), boxes in grouped.items():
        yield Mark(page_num, tuple(boxes), is_cited, note)


def _draw(page: Any, mark: Mark) -> None:
    """One annotation; boxes are turned back on a rotated page, for annotations are stored unrotated."""
    quads = _quads(page, mark.boxes)
    if not quads:
        return
    annotation = page.add_highlight_annot(quads=quads)
    annotation.set_colors(stroke=CITED if mark.is_cited else CONTEXT)
    annotation.set_info(content=mark.note, title=AUTHOR, creationDate=FIXED_DATE, modDate=FIXED_DATE)
    annotation.update()
    page.parent.xref_set_key(annotation.xref, "M", f"({FIXED_DATE})")  # update() may write the clock


def _quads(page: Any, boxes: Sequence[tuple[float, float, float, float]]) -> list[Any]:
    shown = page.rect
    quads = []
    for box in boxes:
        rect = pymupdf.Rect(box) & shown
        if not rect.is_empty:
            quads.append((rect * page.derotation_matrix).normalize().quad)
    return quads


def _note(head: str, candidate: RetrievedCandidate | None, candidate_id: str) -> str:
    reason = candidate.reason if candidate is not None and candidate.reason else ""
    role = f" ({candidate.role})" if candidate is not None and candidate.role else ""
    return _plain(f"{head}: {candidate_id}{role}. {reason}".strip())


def _plain(text: str) -> str:
    """Words of a document as harmless text: no control or formatting characters, at most MAX_NOTE_CHARACTERS."""
    kept = "".join(character for character in text if unicodedata.category(character)[0] != "C" or character == " ")
    flat = " ".join(kept.split())
    return flat if len(flat) <= MAX_NOTE_CHARACTERS else flat[: MAX_NOTE_CHARACTERS - 1].rstrip() + "…"
