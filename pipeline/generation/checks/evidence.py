"""The cited lines: that they exist among those handed over, and that their quotes and places are the lines' own."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.checks.ground import Cited, Ground, check
from pipeline.generation.proposal import ProposedSpan
from schemas.answer import EvidenceCheck, EvidenceSpan, Repair
from schemas.retrieval import RetrievedCandidate


def make_spans(
    proposed: Sequence[ProposedSpan], ground: Ground, *, repairs: Sequence[Repair] = ()
) -> tuple[tuple[EvidenceSpan, ...], EvidenceCheck]:
    """The cited lines with quotes copied from what was handed over, and the check that they exist.

    A span that does not exist gives no evidence at all, however good the others are.
    """
    spans: list[EvidenceSpan] = []
    for span in proposed:
        cited = ground.stretch(span.candidate_id, span.line_start, span.line_end)
        if cited is None:
            return (), check("lines_exist", False, _problem(span, ground))
        spans.append(_span(span, cited))
    if not spans:
        return (), check("lines_exist", False, "no lines are cited")
    told = ", ".join(f"{span.line_start}-{span.line_end} of {span.candidate_id}" for span in spans)
    mended = "".join(f"; {one.what} put right from {one.before!r}" for one in repairs)
    return tuple(spans), check("lines_exist", True, f"lines {told} are among the lines that were handed over{mended}")


def check_quotes(spans: Sequence[EvidenceSpan], ground: Ground) -> EvidenceCheck:
    """Every quote, page, line number, section and confidence is that of the handed lines."""
    made, exists = make_spans([ProposedSpan(s.candidate_id, s.line_start, s.line_end) for s in spans], ground)
    if not exists.passed:
        return check("quote_is_verbatim", False, exists.detail)
    for span, own in zip(spans, made, strict=True):
        if span.quote != own.quote:
            return check("quote_is_verbatim", False, f"the quote of lines {span.line_start}-{span.line_end} differs")
        if span != own:
            changed = next(name for name in type(own).model_fields if getattr(span, name) != getattr(own, name))
            return check(
                "quote_is_verbatim",
                False,
                f"{changed} of lines {span.line_start}-{span.line_end} is not the lines' own",
            )
    return check("quote_is_verbatim", True, "the quote was copied from the handed lines and equals them")


def _problem(span: ProposedSpan, ground: Ground) -> str:
    passage = ground.passages.get(span.candidate_id)
    if passage is None:
        if not span.candidate_id:
            return f"lines {span.line_start}-{span.line_end} do not lie in one passage that was handed over"
        return f"no passage {span.candidate_id} was handed over"
    if span.line_end < span.line_start:
        return f"the range {span.line_start}-{span.line_end} ends before it starts"
    ids = {line.line_id for line in passage.lines}
    missing = next((number for number in (span.line_start, span.line_end) if number not in ids), span.line_start)
    return f"line {missing} is not among the lines of {span.candidate_id}"


def _span(span: ProposedSpan, cited: Cited) -> EvidenceSpan:
    passage = cited.passage
    candidate = passage.candidate
    first = passage.lines[passage.line_index(cited.start)]
    last = passage.lines[passage.line_index(max(cited.start, cited.end - 1) if cited.text else cited.start)]
    unit = candidate.anchor.page_unit
    recognised = [one for one in candidate.recognised_lines if span.line_start <= one.line_id <= span.line_end]
    known = [one.confidence for one in recognised if one.confidence is not None]
    return EvidenceSpan(
        candidate_id=span.candidate_id,
        line_start=span.line_start,
        line_end=span.line_end,
        page_unit=unit,
        page_start=None if unit == "none" else first.page_num,
        page_end=None if unit == "none" else last.page_num,
        page_line_start=first.line_num,
        page_line_end=last.line_num,
        section_title=_section_of(candidate, span.line_start),
        quote=cited.text,
        reading="ocr" if recognised else "native",
        ocr_confidence=min(known, default=None),
    )


def _section_of(candidate: RetrievedCandidate, line_id: int) -> str | None:
    """Title of the deepest section that holds the line; the candidate's where its record does not tell."""
    told = [mark for mark in candidate.sections if mark.line_id <= line_id]
    return told[-1].title if told else candidate.section_title
