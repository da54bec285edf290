"""What a dictionary file may hold: the fields of the TOML files and of the experts' workbooks alike."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from schemas.question import AnswerContext, AnswerShape, ChunkStrategy

Kind = Literal["primary", "secondary", "questions", "titles", "examples"]
KINDS: tuple[Kind, ...] = ("primary", "secondary", "questions", "titles", "examples")
Loc = tuple[str | int, ...]  # where in a file, as pydantic has it: ('concepts', 'fees', 'words', 'en', 'primary', 3)
WEIGHT_DECIMALS = 4  # nobody weighs a word more finely; a workbook keeps 16 digits, so all of these
LEAST_WEIGHT = 0.0001
MAX_TERM_CHARS = 200  # of a term or title; the longest shipped has 60, and a longer text stands in one document alone
MAX_PHRASE_CHARS = 600  # of a question phrase with its alternatives; the longest shipped has 400

_NO_BREAK = re.compile("[\u00a0\u202f]")  # blanks that web pages and word processors paste in; the matcher folds them
_NOT_ON_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")  # breaks, control characters
_NOT_IN_PROSE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def clean_line(value: Any) -> Any:
    """A text without blanks at its ends, no-break spaces as spaces; what is no text as it is.

    Raises ValueError for a line break or a control character inside: neither is ever part of a word.
    """
    if not isinstance(value, str):
        return value
    if value.isprintable():  # no separator but the space, no control character: nearly every text, and quick to tell
        return value.strip()
    text = _NO_BREAK.sub(" ", value).strip()
    found = _NOT_ON_A_LINE.search(text)
    if found:
        raise ValueError(f"holds a line break or control character (U+{ord(found[0]):04X}); write it on one line")
    return text


def clean_prose(value: Any) -> Any:
    """A text of several lines without blanks at its ends; what is no text as it is.

    Raises ValueError for a control character inside.
    """
    if not isinstance(value, str):
        return value
    text = value.replace("\r\n", "\n").replace("\r", "\n").strip()
    found = _NOT_IN_PROSE.search(text)
    if found:
        raise ValueError(f"holds a control character (U+{ord(found[0]):04X}); delete it")
    return text


def _rounded(weight: float) -> float:
    """A weight as a cell of a workbook and a line of TOML can both hold it."""
    return max(round(weight, WEIGHT_DECIMALS), LEAST_WEIGHT)


Line = Annotated[str, BeforeValidator(clean_line), StringConstraints(min_length=1)]
Prose = Annotated[str, BeforeValidator(clean_prose), StringConstraints(min_length=1)]
Term = Annotated[str, BeforeValidator(clean_line), StringConstraints(min_length=1, max_length=MAX_TERM_CHARS)]
Phrase = Annotated[str, BeforeValidator(clean_line), StringConstraints(min_length=1, max_length=MAX_PHRASE_CHARS)]
Remark = Annotated[str, BeforeValidator(clean_prose)]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}\z")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}\z")]

Weight = Annotated[float, Field(gt=0, le=1), AfterValidator(_rounded)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FileTerm(_Strict):
    """A term as an expert wrote it: a bare text, or one with a weight of its own."""

    term: Term
    weight: Weight | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_text(cls, written: Any) -> Any:
        return {"term": written} if isinstance(written, str) else written


class FileWords(_Strict):
    """The words of one concept in one language."""

    primary: tuple[FileTerm, ...] = Field(min_length=1)
    secondary: tuple[FileTerm, ...] = ()
    questions: tuple[Phrase, ...] = ()
    titles: tuple[Term, ...] = ()
    examples: tuple[Phrase, ...] = ()


class FileConcept(_Strict):
    """One concept; every field but `words` is a column of the workbook's sheet of concepts."""

    definition: Prose
    answer_type: Name
    answer_shape: AnswerShape = "single"
    answer_context: AnswerContext | None = None
    chunk_strategy: ChunkStrategy | None = None
    value_required: bool = False
    exhaustive: bool
    narrows: tuple[Name, ...] = ()
    distractors: tuple[Line, ...] = ()
    neighbours: tuple[Line, ...] = ()
    negative_contexts: tuple[Line, ...] = ()
    patterns: tuple[Line, ...] = ()
    secondary_patterns: tuple[Line, ...] = ()
    note: Remark = ""
    words: dict[Language, FileWords] = Field(min_length=1)


class DictionaryFile(_Strict):
    """All that a dictionary file says; its name is that of the file."""

    owner: Line
    version: Line
    date: date
    source: Prose
    languages: tuple[Language, ...] = Field(min_length=1)
    document_types: tuple[Name, ...] = ()
    format: Literal[1] = 1
    concepts: dict[Name, FileConcept] = Field(min_length=1)
