"""Passages that say different things on the same point: each side with its quote, and what prevails by a clause."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.record import Part


class ConflictSide(Part):
    """What one passage of a conflict says."""

    candidate_id: str = Field(description="The passage; 'doc_id/candidate_id' across documents.")
    line_start: int = Field(ge=1, description="line_id of its first line.")
    line_end: int = Field(ge=1, description="line_id of its last line.")
    place: str = Field(description="Document, page and lines in plain words.")
    says: str = Field(description="What it says on the point, in the document's words.")
    quote: str = Field(description="The lines, verbatim, joined by newlines.")


class Precedence(Part):
    """A clause that says which of several passages or documents prevails."""

    candidate_id: str = Field(description="The side that prevails, as its `candidate_id` names it.")
    quote: str = Field(description="The clause that says so, verbatim.")
    place: str = Field(description="Document, page and lines of that clause in plain words.")


class Conflict(Part):
    """Two or more passages that say different things on the same point; shown, never settled."""

    candidate_ids: tuple[str, ...] = Field(description="The passages.")
    point: str = Field(description="On what they differ, e.g. 'amount'.")
    statement: str = Field(description="What each says, in one sentence.")
    found_by: Literal["llm", "rules"] = Field(description="Who noticed.")
    kind: Literal["value", "date", "party", "scope"] | None = Field(
        default=None, description="In what they differ: a figure, a day, who, or for what; null where not told."
    )
    sides: tuple[ConflictSide, ...] = Field(default=(), description="What each says, in the document's order.")
    prevails: Precedence | None = Field(
        default=None, description="Which of them a clause lets prevail; null where no clause was found that says so."
    )
