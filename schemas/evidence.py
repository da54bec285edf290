"""What proves a value of an answer: the lines, the checks they went through, inputs, repairs, and what was refused."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.places import PageUnit
from schemas.record import Part
from schemas.values import Value


class EvidenceSpan(Part):
    """The lines that prove an item; the quote is copied from them by code."""

    candidate_id: str = Field(description="Candidate whose context holds the lines.")
    line_start: int = Field(ge=1, description="line_id of the first line.")
    line_end: int = Field(ge=1, description="line_id of the last line.")
    page_unit: PageUnit = Field(
        default="page", description="What the pages are; none: the format has no pages, and lines are counted through."
    )
    page_start: int | None = Field(ge=1, description="Page of the first line; null where the format has no pages.")
    page_end: int | None = Field(ge=1, description="Page of the last line; null where the format has no pages.")
    page_line_start: int = Field(ge=1, description="Number of the first line on its page.")
    page_line_end: int = Field(ge=1, description="Number of the last line on its page.")
    section_title: str | None = Field(default=None, description="Title of the section.")
    quote: str = Field(description="The lines, verbatim, joined by newlines.")
    reading: Literal["native", "ocr"] = Field(
        default="native", description="ocr: at least one of the lines was recognised from an image."
    )
    ocr_confidence: float | None = Field(
        default=None, ge=0, le=1, description="Lowest recognition confidence of the lines; null for native text."
    )


class EvidenceCheck(Part):
    """One check of an item against its lines."""

    check: Literal[
        "lines_exist",
        "quote_is_verbatim",
        "value_in_lines",
        "figures_in_lines",
        "negation_kept",
        "shape_and_type",
        "within_scope",
        "lines_speak_of_it",
        "reading_is_sure",
        "computation_holds",
        "fields_agree",
        "no_instruction",
    ] = Field(description="What was checked.")
    passed: bool = Field(description="The outcome.")
    detail: str = Field(description="What was compared, in one sentence.")


class ComputedInput(Part):
    """A value of the document that a computed value was made from."""

    name: str = Field(description="What it is: 'Effective Date', 'initial term'.")
    value: Value = Field(description="The value, as it stands in the lines.")
    line_start: int = Field(ge=1, description="line_id of the first line it stands in; cited by the item too.")
    line_end: int = Field(ge=1, description="line_id of the last line it stands in.")


class Repair(Part):
    """A proposed citation or value that code put right before it was checked again."""

    what: Literal["line_range", "quote", "value_text", "currency"] = Field(description="What was mended.")
    before: str = Field(description="As proposed.")
    after: str = Field(description="As it is now.")
    how: str = Field(description="By which rule, in one sentence.")


class AnswerItem(Part):
    """One value with the lines that prove it and the checks it went through."""

    value: Value = Field(description="The typed value.")
    spans: tuple[EvidenceSpan, ...] = Field(description="The lines that prove it, at least one.", min_length=1)
    label: str | None = Field(default=None, description="What the value is of, where several are given.")
    wished: str | None = Field(
        default=None,
        description="The value in the form that the question wished for, converted by code; null without such a wish, "
        "where it has the form, or where it cannot have it exactly.",
    )
    extraction_method: Literal["verbatim", "computed", "inferred"] = Field(
        description="verbatim: stands in the lines; computed: by code from values that do; inferred: from the lines."
    )
    inputs: tuple[ComputedInput, ...] = Field(
        default=(), description="What a computed value was made from, in order; empty for any other."
    )
    formula: str | None = Field(
        default=None, description="How it was computed, in words: 'Effective Date + initial term'; null otherwise."
    )
    outcome: Literal["verified", "repaired"] = Field(
        default="verified", description="repaired: it passed every check after a repair."
    )
    repairs: tuple[Repair, ...] = Field(default=(), description="What was mended, in order.")
    checks: tuple[EvidenceCheck, ...] = Field(description="Every check made, with its outcome.")


class RefusedItem(Part):
    """A value that failed a check: kept for the auditor, never published."""

    value_text: str = Field(description="The value as it was proposed.")
    proposed_by: Literal["llm", "rules"] = Field(description="Who proposed it.")
    line_start: int | None = Field(default=None, description="First line cited; null where none was.")
    line_end: int | None = Field(default=None, description="Last line cited; null where none was.")
    checks: tuple[EvidenceCheck, ...] = Field(description="Every check made; at least one failed.")
    reason: str = Field(description="Why it was refused, in one sentence.")
