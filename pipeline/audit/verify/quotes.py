"""Every cited line read anew from the document, by readers that share no code with the parsing.

A page's text is what PyMuPDF's own plain extraction gives, its words by position, or what pypdfium2 gives; white space
is left out and ligatures are written as letters, nothing else is made alike. Lines that were recognised from an image,
and formats other than PDF, have no second reader here: they are compared with the stored parsing alone, which parsing
the document again checks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.audit.verify.documents import DocumentState
from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.records import RunRecords
from schemas.answer import Answer
from schemas.errors import InputError
from schemas.retrieval import AuditedRetrievalResult

_AS_LETTERS = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
MENDED_WORDS = 0.5  # share of a line's words that stand on its page although parsing mended the others (accents that a
# file sets apart, letters by ActualText, formulas); below it the line is none of the page. What a forger changes within
# the other half shows when the document is parsed again.
ALL_WORDS = 0.99  # of a line whose words all stand on the page, but not as one line
SHOWN_CHARS = 60  # of a line in a message


@dataclass(frozen=True, slots=True)
class Cited:
    """Lines that a record cites, and what it says stands there."""

    record: str  # file of the run
    what: str
    line_start: int
    line_end: int
    quote: str  # empty: lines alone
    is_part: bool = False  # a part of the lines is quoted


@dataclass(slots=True)
class Reader:
    """The stored lines of one parsing and the pages of the document's bytes, read as far as they are needed."""

    state: DocumentState
    parsing: Path | None
    password: str | None = None
    _lines: dict[int, tuple[int, str, bool]] | None = None
    _pdf: Any = None
    _pages: dict[tuple[int, int], str] = field(default_factory=dict)  # by page and number of the reader
    _stands: dict[int, float | None] = field(default_factory=dict)  # by line_id
    reason: str | None = None  # why the document cannot be read by a second reader

    def lines(self) -> dict[int, tuple[int, str, bool]] | None:
        """Page, text and whether it was recognised from an image, by line_id; None where they cannot be read."""
        if self._lines is None and self.parsing is not None:
            self._lines = _stored_lines(self.parsing)
        return self._lines

    def stands(self, line_id: int, page: int, text: str) -> float | None:
        """The share of the line that a second reader finds on its page: 1 for all of it, in order, else of its words.

        None where there is no second reader.
        """
        if line_id not in self._stands:
            self._stands[line_id] = self._share(page, text) if self._open() else None
        return self._stands[line_id]

    def close(self) -> None:
        """Let go of the document."""
        if self._pdf is not None:
            self._pdf.close()
            self._pdf = None

    def _open(self) -> bool:
        if self._pdf is not None:
            return True
        if self.reason is not None:
            return False
        self.reason = self._fault()
        return self.reason is None

    def _fault(self) -> str | None:
        if self.state.data is None:
            return "the bytes of the document are not in the store"
        if self.state.format != "pdf":
            return f"there is no second reader for {self.state.format or 'this format'}"
        from pipeline.mupdf import open_pdf

        try:
            self._pdf = open_pdf(self.state.data, name="the document", password=self.password)
        except InputError as error:
            return str(error)
        return None

    def _share(self, page: int, text: str) -> float:
        """A reader is asked only when those before it did not find the line."""
        whole, found = normalised(text), 0.0
        words: list[str] = []
        for number, reader in enumerate((self._plain, self._by_position, self._second)):
            if (page, number) not in self._pages:
                self._pages[page, number] = reader(page)
            on_page = self._pages[page, number]
            if whole in on_page:
                return 1.0
            words = words or [normalised(part) for part in text.split()]
            found = max(found, sum(word in on_page for word in words) / len(words))
        return min(found, ALL_WORDS)

    def _plain(self, page: int) -> str:
        return normalised(str(self._pdf[page - 1].get_text("text"))) if 0 < page <= self._pdf.page_count else ""

    def _by_position(self, page: int) -> str:
        """The words joined by the height of their middle, top down: cells that the file stores apart side by side."""
        if not 0 < page <= self._pdf.page_count:
            return ""
        words = sorted(self._pdf[page - 1].get_text("words"), key=lambda word: ((word[1] + word[3]) / 2, word[0]))
        rows: list[tuple[float, list[Any]]] = []
        for word in words:
            middle, height = (word[1] + word[3]) / 2, word[3] - word[1]
            if rows and abs(rows[-1][0] - middle) < height / 2:
                rows[-1][1].append(word)
            else:
                rows.append((middle, [word]))
        return normalised("".join(word[4] for _, row in rows for word in sorted(row, key=lambda one: one[0])))

    def _second(self, page: int) -> str:
        import pypdfium2

        try:
            with pypdfium2.PdfDocument(self.state.data, password=self.password) as document:
                return normalised(document[page - 1].get_textpage().get_text_range())
        except (pypdfium2.PdfiumError, IndexError):
            return ""


def check_quotes(where: str, run: RunRecords, reader: Reader, findings: Findings) -> None:
    """Every line that a run cites, compared with the stored lines and with the document itself."""
    lines = reader.lines()
    if lines is None:
        findings.note("not_checked", where, "its quotes: the lines of the parsing cannot be read")
        return
    for cited in _cited(run):
        findings.made("quotes")
        place = f"{where}/{cited.record}"
        told = f"{cited.what}, lines {cited.line_start} to {cited.line_end}"
        ids = range(cited.line_start, cited.line_end + 1)
        count = cited.line_end - cited.line_start + 1  # of a number that was made up there may be no `len`
        if not 0 < count <= len(lines) or cited.line_start not in lines or cited.line_end not in lines:
            findings.wrong("quote_not_found", place, f"{told}: the document has no such lines")
        elif not _stands_in(cited, [lines[line_id][1] for line_id in ids if line_id in lines]):
            findings.wrong("quote_not_found", place, f"{told}: the lines say something else than what is quoted")
        else:
            _read_anew(place, told, {line_id: lines[line_id] for line_id in ids if line_id in lines}, reader, findings)


def _read_anew(
    place: str, told: str, lines: dict[int, tuple[int, str, bool]], reader: Reader, findings: Findings
) -> None:
    for line_id, (page, text, recognised) in lines.items():
        share = None if recognised else reader.stands(line_id, page, text) if text.strip() else 1.0
        if share is None:
            findings.made("lines without a second reader")
            continue
        findings.made("lines read anew from the document")
        if share >= ALL_WORDS:
            continue
        shown = text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + "…"
        if share < MENDED_WORDS:
            detail = f"{told}: no second reader finds line {line_id} on page {page}: {shown!r}"
            findings.wrong("quote_not_found", place, detail)
        else:
            detail = f"line {line_id}, page {page}: a second reader finds only {share:.0%} of its words: {shown!r}"
            findings.note("not_checked", f"{reader.state.doc_id}/parsing", detail)


def normalised(text: str) -> str:
    """The text without white space and invisible marks, ligatures as letters."""
    joined = "".join(text.split())
    if joined.isascii():
        return joined
    joined = joined.translate(_AS_LETTERS)
    invisible = {letter for letter in set(joined) if unicodedata.category(letter) == "Cf"}
    return "".join(letter for letter in joined if letter not in invisible) if invisible else joined


def _stands_in(cited: Cited, lines: list[str]) -> bool:
    """What is quoted are these lines, but for hidden ones and running headers between; of a part, it is in them."""
    if not cited.quote:
        return True
    if cited.is_part:
        return cited.quote.removesuffix("…").rstrip() in "\n".join(lines)
    quoted = cited.quote.split("\n")
    if quoted[0] != lines[0] or quoted[-1] != lines[-1]:
        return False
    left = iter(lines)
    return all(any(line == other for other in left) for line in quoted)


def _cited(run: RunRecords) -> Iterator[Cited]:
    if run.answer is not None:
        yield from _cited_by_answer(run.answer)
    if run.retrieval is not None:
        yield from _cited_by_retrieval(run.retrieval)


def _cited_by_answer(answer: Answer) -> Iterator[Cited]:
    cite = partial(Cited, "answer.json")
    for number, item in enumerate(answer.items, 1):
        for span in item.spans:
            yield cite(f"item {number}", span.line_start, span.line_end, span.quote)
        for value in item.inputs:
            yield cite(f"input of item {number}", value.line_start, value.line_end, "")
    for number, refused in enumerate(answer.refused_items, 1):
        if refused.line_start is not None and refused.line_end is not None and refused.proposed_by == "rules":
            yield cite(f"refused value {number}", refused.line_start, refused.line_end, "")
    for number, conflict in enumerate(answer.conflicts, 1):
        for side in conflict.sides:
            yield cite(f"side of conflict {number}", side.line_start, side.line_end, side.quote, is_part=True)


def _cited_by_retrieval(found: AuditedRetrievalResult) -> Iterator[Cited]:
    for candidate in found.candidates:
        texts = candidate.text.split("\n")
        for line, text in zip(candidate.lines, texts, strict=True):
            yield Cited("retrieval_result.json", candidate.candidate_id, line.line_id, line.line_id, text)


def _stored_lines(folder: Path) -> dict[int, tuple[int, str, bool]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(folder / "line_df.parquet", columns=["line_id", "page_num", "text", "confidence"])
    except (pa.ArrowException, OSError):
        return {}
    columns = (table.column(name).to_pylist() for name in ("line_id", "page_num", "text", "confidence"))
    return {
        int(line_id): (int(page), str(text), confidence is not None)
        for line_id, page, text, confidence in zip(*columns, strict=True)
    }
