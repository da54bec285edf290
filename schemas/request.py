"""What a run was asked with, in full: with the document and the dictionaries, all that is needed to run it again."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from schemas.question import ParsedQuestion
from schemas.record import Part, Record


class PartRequest(Part):
    """What is special about a part of a compound question."""

    whole: str = Field(description="Folder name of the run of the whole question, beside its own.")
    fill: tuple[str, str] | None = Field(
        default=None, description="Words that stand for the answer to the part before, and that answer."
    )
    previous: ParsedQuestion | None = Field(default=None, description="The part before, where its answer is needed.")
    in_own_words: bool = Field(default=False, description="The words that stand for the answer were left as they are.")


class QuestionTerms(Part):
    """What is laid down beside the words of a question: by a row of a batch, or by the caller."""

    answer_type: str | None = Field(default=None, description="Type of the value awaited; null: as the words say.")
    allowed_values: tuple[str, ...] = Field(default=(), description="The only values that count; empty: any.")
    sections: tuple[str, ...] = Field(default=(), description="Titles of sections to read; empty: the whole document.")
    dictionaries: tuple[str, ...] = Field(default=(), description="Names of the dictionaries to use; empty: all.")
    language: str | None = Field(default=None, description="ISO 639-1 code of the question; null: as recognised.")
    by_rules: bool = Field(default=False, description="The question is analysed by rules, though a model is there.")


class RunRequest(Record):
    """`request.json`: what made a run what it is, beside the bytes of the document. No clock, no path in it."""

    SCHEMA_NAME: ClassVar[str] = "run_request"
    SCHEMA_VERSION: ClassVar[int] = 2

    doc_id: str = Field(description="The document.")
    document_sha256: str = Field(description="Hex SHA-256 of its source.")
    inside: str | None = Field(
        default=None, description="doc_id of the document whose attachment it is; null for none."
    )
    text: str = Field(description="The question as it was typed.")
    previous: ParsedQuestion | None = Field(default=None, description="The question before in the same session.")
    choices: dict[str, dict[str, float]] = Field(
        default_factory=dict, description="Replies remembered in the store then: votes by value, by what was open."
    )
    reply: int | Literal["default"] | None = Field(
        default=None, description="Reply to what the question was asked back; null without one."
    )
    part: PartRequest | None = Field(default=None, description="Set for a part of a compound question.")
    terms: QuestionTerms = Field(default=QuestionTerms(), description="What was laid down beside the question.")
    papers: bool = Field(
        default=True, description="The sheets and the marked document were written beside the records."
    )
    parsing_settings: dict[str, Any] = Field(description="How the document was opened; no password.")
    has_password: bool = Field(default=False, description="A password was given to open it.")
    retrieval_settings: dict[str, Any] = Field(description="How it was searched, in full.")
    searched_by: tuple[str, ...] = Field(
        default=(), description="Names of the embedding models and cross-encoders that took part, 'role:name'."
    )
    model: str | None = Field(default=None, description="Name of the language model; null when rules alone ran.")
    model_settings: dict[str, Any] = Field(default_factory=dict, description="Options of the model, in full.")
    dictionaries: dict[str, str] = Field(
        default_factory=dict, description="Hex SHA-256 of each dictionary file in force, by name."
    )
    declared_types: tuple[str, ...] = Field(
        default=(), description="Names of the types of values that packages or the environment had declared."
    )
    code_sha256: str = Field(description="Hex SHA-256 over the source files of Lineproof that ran.")
