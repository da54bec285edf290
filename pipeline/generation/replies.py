"""What a model may reply: the smallest schema for what is asked, so that a small model comes to its end.

A reply holds line numbers and copied words, never a number that the model worked out: code reads the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from schemas.question import GenerationBrief

YesNo = Literal["yes", "no", "not_asked"]
Part = Literal["answer", "start", "term"]


class _Lines(BaseModel):
    model_config = ConfigDict(extra="forbid")

    line_start: int = Field(description="GLOBAL_LINE of the first line that proves it.")
    line_end: int = Field(description="GLOBAL_LINE of the last line that proves it.")


class ValueItem(_Lines):
    """One value with the lines that prove it."""

    value_text: str = Field(description="The value, copied letter by letter from those lines.")
    condition: str = Field(description="The words under which it applies, copied; empty where it always does.")


class DateItem(ValueItem):
    """A date, or what code computes it from."""

    part: Part = Field(description="answer: the date asked for; start, term: what code adds up to it.")


class ClauseItem(_Lines):
    """A clause that says yes or no."""

    yes_no: YesNo = Field(description="The answer to the question, as the clause says it.")
    negation: str = Field(description="For a no: the words that make it one, copied; else empty.")
    exceptions: list[str] = Field(description="Exceptions that the clause makes, copied; empty without any.")


class TextItem(_Lines):
    """Words that answer."""

    value_text: str = Field(description="The sentence or name that answers, copied letter by letter.")


class LabelledItem(TextItem):
    """One of several values."""

    label: str = Field(description="What the value is of: its name, field or path; else empty.")


Item = TypeVar("Item", bound=_Lines)


class _Reply(BaseModel, Generic[Item]):
    """Items first: a model that has looked for them judges better whether there are any than one that decides first."""

    model_config = ConfigDict(extra="forbid")

    items: list[Item] = Field(description="The values, best first; of a listing in the order of the lines.")
    answer_found: bool = Field(description="The lines answer the question: there is an item.")
    complete: bool = Field(description="All that was asked for is given.")
    conflicting: bool = Field(description="The items state different values on the same point.")
    caveat: str = Field(description="One sentence, or empty.")


class ValueReply(_Reply[ValueItem]):
    """Values of the type asked for."""


class DateReply(_Reply[DateItem]):
    """Dates, or what they are computed from."""


class ClauseReply(_Reply[ClauseItem]):
    """Clauses that say yes or no."""


class TextReply(_Reply[TextItem]):
    """Words that answer."""


class ListReply(_Reply[LabelledItem]):
    """All values of a listing, a table, a tree or a record."""


AnswerReply = ValueReply | DateReply | ClauseReply | TextReply | ListReply


@dataclass(frozen=True, slots=True)
class Told:
    """An item of any reply in one form; what its schema does not ask is empty."""

    line_start: int
    line_end: int
    value_text: str | None = None  # None: the lines themselves are the words
    condition: str = ""
    part: Part = "answer"
    yes_no: YesNo = "not_asked"
    negation: str = ""
    exceptions: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one or several replies say together."""

    items: tuple[Told, ...]
    complete: bool
    conflicting: bool
    caveats: tuple[str, ...]


def reply_type(brief: GenerationBrief, value_types: Sequence[str]) -> type[AnswerReply]:
    """The schema of the reply for the shape and the type that are asked for."""
    if brief.answer_shape != "single":
        return ListReply
    if brief.answer_type == "boolean":
        return ClauseReply
    if brief.answer_type == "date":
        return DateReply
    return ValueReply if brief.answer_type in value_types else TextReply


def read_reply(reply: AnswerReply) -> Reading:
    """The reply in one form, whatever its schema."""
    items = tuple(_told(item) for item in reply.items) if reply.answer_found else ()
    caveats = (reply.caveat,) if reply.caveat.strip() else ()
    return Reading(items, reply.complete, reply.conflicting, caveats)


def join_readings(readings: Sequence[Reading], *, every_line_was_read: bool, single: bool) -> Reading:
    """What several readings say together: their items in order, each once.

    A listing is complete where every reading says so and nothing was left unread; a single answer where one does.
    """
    items: dict[tuple[int, int, str | None, str], Told] = {}
    for reading in readings:
        for item in reading.items:
            items.setdefault((item.line_start, item.line_end, item.value_text, item.label), item)
    answering = [reading for reading in readings if reading.items]
    complete = (
        any(reading.complete for reading in answering)
        if single
        else every_line_was_read and all(reading.complete for reading in answering)
    )
    return Reading(
        tuple(items.values()),
        complete,
        any(reading.conflicting for reading in readings),
        tuple(dict.fromkeys(caveat for reading in readings for caveat in reading.caveats)),
    )


def _told(item: ValueItem | DateItem | ClauseItem | TextItem | LabelledItem) -> Told:
    match item:
        case DateItem():
            return Told(item.line_start, item.line_end, item.value_text, item.condition, item.part)
        case ValueItem():
            return Told(item.line_start, item.line_end, item.value_text, item.condition)
        case ClauseItem():
            exceptions = tuple(item.exceptions)
            return Told(
                item.line_start, item.line_end, yes_no=item.yes_no, negation=item.negation, exceptions=exceptions
            )
        case LabelledItem():
            return Told(item.line_start, item.line_end, item.value_text, label=item.label)
        case TextItem():
            return Told(item.line_start, item.line_end, item.value_text)
