"""The question's text before analysis: refused where it is none, cleaned, pieces blanked out once they are read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from schemas.errors import QuestionError

Span = tuple[int, int]
_ALLOWED_CONTROLS = "\t\n\r"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the question that was understood: where it stands and what it says."""

    start: int
    end: int
    text: str

    @property
    def span(self) -> Span:
        """Start and end in the question."""
        return self.start, self.end


def check_question(text: str, *, max_chars: int) -> None:
    """Nothing; refuses what is no question.

    Raises QuestionError when the text is empty, blank, too long, holds control characters or no letter and no digit.
    """
    if not text.strip():
        raise QuestionError(
            "the question is empty; write what you want to know, for example 'What is the governing law?'"
        )
    if len(text) > max_chars:
        raise QuestionError(
            f"the question has {len(text):,} characters, the limit is {max_chars:,}; ask a shorter one and hand the "
            "document over as a file"
        )
    for at, character in enumerate(text):
        if unicodedata.category(character) in ("Cc", "Cs") and character not in _ALLOWED_CONTROLS:
            raise QuestionError(
                f"the question holds the control character U+{ord(character):04X} at position {at + 1}; "
                "it must be plain text"
            )
    if not any(character.isalnum() for character in text):
        raise QuestionError("the question holds no letter and no digit; write it in words")


def clean(text: str) -> str:
    """The question on one line in composed form: what the rules read."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def blank(text: str, spans: Iterable[Span]) -> str:
    """`text` with the spans replaced by as many bars, so that offsets stay and no phrase runs across."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = "|" * (end - start)
    return "".join(characters)
