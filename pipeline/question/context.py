"""What question analysis may know beside the question: the document's words, and what was asked before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemas.document import ParsedDocument
    from schemas.question import ParsedQuestion
    from schemas.request import QuestionTerms


@dataclass(frozen=True, slots=True)
class QuestionContext:
    """Beside the question; each is optional, and what is missing switches off what needs it.

    `document` gives the words to spell by, the defined terms, and the options of a clarification; `previous` is the
    question before in the same session, which a follow-up is resolved against; `choices` are the values that people of
    this store chose before when they were asked back, each with its votes (METHOD 2.5), by what was open:
    `pipeline.question.clarify.memory_key`. `reply` answers what this very question will be asked back: the number of a
    choice, from 1, or 'default'. `fill` holds words of the question and the answer that they stand for, where it is a
    part that needs the one before; `in_own_words` leaves its words as they are and only puts the answer on record.
    """

    document: ParsedDocument | None = None
    previous: ParsedQuestion | None = None
    choices: Mapping[str, Mapping[str, float]] | None = None
    reply: int | Literal["default"] | None = None
    fill: tuple[str, str] | None = None
    in_own_words: bool = False
    terms: QuestionTerms | None = None
