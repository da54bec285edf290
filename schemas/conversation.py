"""What a store remembers of conversations: the last turn of each session, and what people chose when asked back."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from schemas.question import ParsedQuestion
from schemas.record import Part, Record


class SessionTurn(Part):
    """One question of a session."""

    question: str = Field(description="The question, verbatim.")
    resolved: str | None = Field(description="As it was made complete; null where it was complete as put.")
    runs: tuple[str, ...] = Field(description="Its runs, '<doc_id>/<folder name>', in the order of the documents.")


class Session(Record):
    """A session: its turns, and the last question as it was analysed, which the next is read against."""

    SCHEMA_NAME: ClassVar[str] = "session"
    SCHEMA_VERSION: ClassVar[int] = 1

    name: str = Field(description="The name it is called by.")
    turns: tuple[SessionTurn, ...] = Field(description="Its questions, oldest first; the latest thousand are kept.")
    last: ParsedQuestion | None = Field(description="The last question; null before the first.")


class ClarificationDefault(Part):
    """What people chose when an open question was put back to them (METHOD 2.5)."""

    target_field: str = Field(description="What was open, as in the clarification.")
    doc_type: str = Field(description="Type of the document that was asked; 'unknown' where no rule told it.")
    form: str = Field(description="The open words, folded ('cap').")
    candidate_votes: dict[str, float] = Field(
        description="Votes by what a choice stands for, sorted: 1 a reply, 0.25 a default let stand, less 1 a no."
    )
    sample_size: int = Field(ge=0, description="Replies counted, explicit and silent.")


class ClarificationDefaults(Record):
    """All that a store remembers of replies, sorted by field, type of document and words."""

    SCHEMA_NAME: ClassVar[str] = "clarification_defaults"
    SCHEMA_VERSION: ClassVar[int] = 1

    defaults: tuple[ClarificationDefault, ...] = Field(description="One for each open question that was replied to.")
