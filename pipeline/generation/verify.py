"""Checks of a value against the lines it cites, the same for every path: rules, a model, or a record read back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pipeline.generation.polarity import NEGATION, polarity_of
from pipeline.generation.proposal import Proposal, ProposedSpan
from pipeline.generation.rows import has_header_with
from pipeline.values import VALUE_TYPES, find_values, same_value
from pipeline.values.equality import plain
from pipeline.values.found import fold
from schemas.answer import (
    Amount,
    Answer,
    BooleanValue,
    EvidenceCheck,
    EvidenceSpan,
    Identifier,
    TextValue,
    Value,
)
from schemas.retrieval import RetrievalResult, RetrievedCandidate
from schemas.values import wording_of

_FIGURE = re.compile(r"\d[\d.,'/:-]*\d|\d|[$€£¥%]")
_CLAUSE_START = re.compile(r"[,;:.]\s")
NEGATION_REACH = 60  # characters before cut words in which a negation turns their meaning


def make_spans(proposal: Proposal, found: RetrievalResult) -> tuple[tuple[EvidenceSpan, ...], EvidenceCheck]:
    """The cited lines with quotes copied from the handed contexts, and the check that they exist.

    A span that does not exist gives no evidence.
    """
    candidates = {candidate.candidate_id: candidate for candidate in found.candidates}
    spans: list[EvidenceSpan] = []
    for span in proposal.spans:
        candidate = candidates.get(span.candidate_id)
        problem = _span_problem(span, candidate)
        if problem is not None or candidate is None:
            return (), _check("lines_exist", False, problem or "no such candidate")
        spans.append(_span(span, candidate))
    if not spans:
        return (), _check("lines_exist", False, "no lines are cited")
    cited = ", ".join(f"{span.line_start}-{span.line_end}" for span in spans)
    return tuple(spans), _check("lines_exist", True, f"lines {cited} are among the lines that were handed over")


def check_value(
    value: Value, spans: Sequence[EvidenceSpan], found: RetrievalResult, *, answer_type: str, question: str = ""
) -> tuple[EvidenceCheck, ...]:
    """Every check of a value but `lines_exist`, in a fixed order, each with what was compared.

    Nothing is changed or repaired here: one failed check refuses the item.
    """
    quotes = [span.quote for span in spans]
    return (
        _quote_check(spans, found),
        _value_check(value, spans),
        _figure_check(value, quotes),
        _negation_check(value, quotes, question),
        _type_check(value, answer_type),
    )


def find_faults(answer: Answer, found: RetrievalResult) -> tuple[str, ...]:
    """What does not hold in a saved answer against the retrieval result it was made from; empty when all holds.

    For an auditor: one changed digit, line number or word of a quote shows here.
    """
    faults = []
    for number, item in enumerate(answer.items, 1):
        proposed = tuple(ProposedSpan(span.candidate_id, span.line_start, span.line_end) for span in item.spans)
        proposal = Proposal(item.value, proposed, "", answer.answered_by, item.extraction_method)
        spans, exists = make_spans(proposal, found)
        checks = [exists]
        if spans:
            if spans != item.spans:
                checks.append(_check("quote_is_verbatim", False, "places or quotes differ from the handed lines"))
            checks += check_value(
                item.value, item.spans, found, answer_type=answer.answer_type, question=answer.question
            )
        faults += [f"item {number}: {check.check}: {check.detail}" for check in checks if not check.passed]
    return tuple(faults)


def _span_problem(span: ProposedSpan, candidate: RetrievedCandidate | None) -> str | None:
    if candidate is None:
        return f"candidate {span.candidate_id} was not handed over"
    if span.line_end < span.line_start:
        return f"the range {span.line_start}-{span.line_end} ends before it starts"
    ids = {line.line_id for line in candidate.lines}
    missing = [number for number in (span.line_start, span.line_end) if number not in ids]
    if missing:
        return f"line {missing[0]} is not among the lines of {span.candidate_id}"
    return None


def _span(span: ProposedSpan, candidate: RetrievedCandidate) -> EvidenceSpan:
    rows = [
        (ref, text)
        for ref, text in zip(candidate.lines, candidate.text.split("\n"), strict=True)
        if span.line_start <= ref.line_id <= span.line_end
    ]
    first, last = rows[0][0], rows[-1][0]
    unit = candidate.anchor.page_unit
    return EvidenceSpan(
        candidate_id=span.candidate_id,
        line_start=first.line_id,
        line_end=last.line_id,
        page_unit=unit,
        page_start=None if unit == "none" else first.page_num,
        page_end=None if unit == "none" else last.page_num,
        page_line_start=first.line_num,
        page_line_end=last.line_num,
        section_title=_section_of(candidate, first.line_id),
        quote="\n".join(text for _, text in rows),
    )


def _section_of(candidate: RetrievedCandidate, line_id: int) -> str | None:
    """Title of the deepest section that holds the line; the candidate's where its record does not tell."""
    told = [mark for mark in candidate.sections if mark.line_id <= line_id]
    return told[-1].title if told else candidate.section_title


def _quote_check(spans: Sequence[EvidenceSpan], found: RetrievalResult) -> EvidenceCheck:
    candidates = {candidate.candidate_id: candidate for candidate in found.candidates}
    for span in spans:
        candidate = candidates.get(span.candidate_id)
        lines = (
            [
                text
                for ref, text in zip(candidate.lines, candidate.text.split("\n"), strict=True)
                if span.line_start <= ref.line_id <= span.line_end
            ]
            if candidate is not None
            else []
        )
        if "\n".join(lines) != span.quote:
            return _check("quote_is_verbatim", False, f"the quote of lines {span.line_start}-{span.line_end} differs")
    return _check("quote_is_verbatim", True, "the quote was copied from the handed lines and equals them")


def _value_check(value: Value, spans: Sequence[EvidenceSpan]) -> EvidenceCheck:
    quotes = [span.quote for span in spans]
    match value:
        case TextValue() | Identifier():
            stands = _pieces_stand(value.text, quotes)
            return _check("value_in_lines", stands, _said(stands, f"the words {_short(value.text)!r}"))
        case BooleanValue():
            words = [value.negation or "", *value.exceptions]
            missing = [word for word in words if word and not _stands(word, quotes)]
            detail = f"the words {missing[0]!r} do not stand in the lines" if missing else "the clause is cited whole"
            return _check("value_in_lines", not missing, detail)
        case _:
            held = [found for quote in quotes for found in _all_values(quote, value.kind)]
            stands = any(same_value(found, value) for found in held)
            if not stands and _from_header(value, spans):
                detail = f"{wording_of(value)!r} stands in the row, the currency in the column header"
                return _check("value_in_lines", True, detail)
            return _check("value_in_lines", stands, _said(stands, f"a {value.kind} equal to {wording_of(value)!r}"))


def _all_values(quote: str, kind: str) -> list[Value]:
    values = {language: find_values(quote, kind, language=language) for language in ("en", "es", "fr")}
    return [found.value for language in ("en", "es", "fr") for found in values[language]]


def _from_header(value: Value, spans: Sequence[EvidenceSpan]) -> bool:
    """True for a bare number of a table row whose header, cited too, names the currency."""
    if not isinstance(value, Amount) or value.currency is None:
        return False
    lines = [line for span in sorted(spans, key=lambda span: span.line_start) for line in span.quote.split("\n")]
    read = find_values(f"{value.currency} {value.original}", "amount")
    is_read = any(isinstance(f.value, Amount) and f.value.value == value.value for f in read)
    return is_read and has_header_with(value.original, value.currency, lines)


def _figure_check(value: Value, quotes: Sequence[str]) -> EvidenceCheck:
    match value:
        case TextValue() | Identifier():
            written = [value.text]
        case BooleanValue():
            written = [value.negation or "", *value.exceptions]
        case Amount():
            written = [value.original, value.basis or ""]
        case _:
            written = [wording_of(value)]
    figures = [figure for text in written for figure in _FIGURE.findall(fold(text))]
    folded = " ".join(fold(quote) for quote in quotes)
    held = set(_FIGURE.findall(folded))
    missing = [figure for figure in figures if figure not in held and figure.rstrip(".,") not in held]
    original = getattr(value, "original", None)
    if not missing and original is not None and not _stands(original, quotes):
        return _check("figures_in_lines", False, f"the wording {_short(original)!r} does not stand in the lines")
    detail = (
        f"the figure {missing[0]!r} does not stand in the lines"
        if missing
        else f"{len(figures)} figure{'' if len(figures) == 1 else 's'} of the value compared with the lines"
    )
    return _check("figures_in_lines", not missing, detail)


def _negation_check(value: Value, quotes: Sequence[str], question: str) -> EvidenceCheck:
    if isinstance(value, BooleanValue):
        told = polarity_of(" ".join(" ".join(quotes).split()), question)
        if told is not None and told.value is not None and told.value != value.value:
            said = f"{'yes' if told.value else 'no'} ({told.words!r})"
            return _check("negation_kept", False, f"the cited clause says {said}")
        if not value.value and value.negation is None:
            return _check("negation_kept", False, "a no needs the words that make it one")
        return _check("negation_kept", True, "yes or no agrees with the negations of the cited clause")
    if isinstance(value, TextValue):
        cut = _negation_cut_off(value.text, quotes)
        detail = f"the words before it negate it: {cut!r}" if cut else "no negation was cut off before the words"
        return _check("negation_kept", cut is None, detail)
    return _check("negation_kept", True, "a figure carries no negation")


def _negation_cut_off(text: str, quotes: Sequence[str]) -> str | None:
    """The negation that stands in the same clause just before the words, where the words leave it out."""
    words = plain(text)
    for quote in quotes:
        flat = plain(quote)
        at = flat.find(words)
        if at < 0:
            continue
        before = flat[max(0, at - NEGATION_REACH) : at]
        clause = before[[0, *[m.end() for m in _CLAUSE_START.finditer(before)]][-1] :]
        match = NEGATION.search(clause)
        if match is None:
            return None
        return match.group(0)
    return None


def _type_check(value: Value, answer_type: str) -> EvidenceCheck:
    typed = answer_type if answer_type in (*VALUE_TYPES, "boolean") else "text"
    fits = value.kind == typed or (typed == "text" and value.kind in ("text", "identifier"))
    if not fits and {value.kind, typed} == {"date", "duration"}:
        return _check("shape_and_type", True, f"a {value.kind} stands where a {typed} was asked for, as a caveat says")
    if not fits and value.kind == "text" and typed != "identifier":
        return _check("shape_and_type", True, f"the clause stands where a {typed} was asked for, as a caveat says")
    return _check("shape_and_type", fits, f"a {value.kind} for a question that asks for {answer_type}")


def _pieces_stand(text: str, quotes: Sequence[str]) -> bool:
    flat = " ".join(" ".join(quotes).split())
    return bool(text.strip()) and all(" ".join(piece.split()) in flat for piece in text.split("\n") if piece.strip())


def _stands(words: str, quotes: Sequence[str]) -> bool:
    return plain(words) in plain(" ".join(quotes))


def _said(stands: bool, what: str) -> str:
    return f"{what} {'stands' if stands else 'does not stand'} in the lines"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:59] + "…"


def _check(name: str, passed: bool, detail: str) -> EvidenceCheck:
    return EvidenceCheck.model_validate({"check": name, "passed": passed, "detail": detail})


_Candidates = Mapping[str, RetrievedCandidate]
