"""The paragraphs of a stored document: the unit in which words are counted, since a phrase runs over line ends."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from pipeline.store.documents import load_document
from schemas.document import ParsedDocument
from schemas.errors import RecordError
from schemas.proposals import EvidenceLine
from schemas.tables import NOT_TEXT_ROLES

MAX_LINE_CHARS = 200  # characters of a line shown as evidence


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together, joined by line breaks."""

    text: str
    starts: tuple[int, ...]  # offset of each line in the text
    line_ids: tuple[int, ...]
    page_nums: tuple[int, ...]

    def line_at(self, offset: int) -> int:
        """Position among its lines of the one that holds the offset."""
        return bisect_right(self.starts, offset) - 1


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """All that a document says, hidden lines and running headers left out."""

    doc_id: str
    language: str
    doc_type: str
    paragraphs: tuple[Paragraph, ...]

    def evidence(self, index: int, offset: int) -> EvidenceLine:
        """The line of a paragraph that holds the offset."""
        paragraph = self.paragraphs[index]
        at = paragraph.line_at(offset)
        end = paragraph.starts[at + 1] - 1 if at + 1 < len(paragraph.starts) else len(paragraph.text)
        return EvidenceLine(
            doc_id=self.doc_id,
            page_num=paragraph.page_nums[at],
            line_id=paragraph.line_ids[at],
            text=shortened(paragraph.text[paragraph.starts[at] : end]),
        )


def read_paragraphs(root: Path, doc_id: str) -> Paragraphs | str:
    """The paragraphs of a document of the store; why they cannot be had, in its place.

    A document whose language is not known counts as English.
    """
    try:
        document = load_document(root, doc_id)
    except RecordError as error:
        return str(error)
    return "the parsed document is not in the store" if document is None else paragraphs_of(document)


def paragraphs_of(document: ParsedDocument) -> Paragraphs:
    """The visible lines of the body, by paragraph, in the order of the document."""
    lines = document.line_df
    kept = lines[lines["visible"] & ~lines["role"].isin(NOT_TEXT_ROLES)]
    columns = (kept[name].tolist() for name in ("paragraph_id", "line_id", "page_num", "text"))
    grouped: dict[int, list[tuple[int, int, str]]] = {}
    for paragraph_id, line_id, page_num, text in zip(*columns, strict=True):
        grouped.setdefault(int(paragraph_id), []).append((int(line_id), int(page_num), str(text)))
    languages = document.profile.semantic.languages
    return Paragraphs(
        doc_id=document.doc_id,
        language=languages[0] if languages else "en",
        doc_type=document.profile.semantic.doc_type,
        paragraphs=tuple(map(_joined, grouped.values())),
    )


def shortened(text: str, limit: int = MAX_LINE_CHARS) -> str:
    """The text on one line, cut at the limit."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 3] + "..."


def _joined(lines: list[tuple[int, int, str]]) -> Paragraph:
    starts: list[int] = []
    at = 0
    for _, _, text in lines:
        starts.append(at)
        at += len(text) + 1
    return Paragraph(
        text="\n".join(text for _, _, text in lines),
        starts=tuple(starts),
        line_ids=tuple(line_id for line_id, _, _ in lines),
        page_nums=tuple(page_num for _, page_num, _ in lines),
    )
