"""Options of question analysis."""

from __future__ import annotations

from pydantic import Field

from schemas.record import Part

MAX_QUESTION_CHARS = 2_000  # characters; twenty times a long question, and a bound on what a model is sent
MAX_CONCEPTS = 4  # a question on more topics is a list of questions
MAX_OUTPUT_TOKENS = 1_500  # the reply is one small JSON object


class QuestionSettings(Part):
    """Options of `parse_question`."""

    max_chars: int = Field(default=MAX_QUESTION_CHARS, ge=1, le=100_000, description="Longest question, in characters.")
    max_concepts: int = Field(default=MAX_CONCEPTS, ge=1, description="Most dictionary concepts of one question.")
    use_embeddings: bool = Field(default=False, description="Let retrieval search by meaning.")
    models: dict[str, str] = Field(
        default_factory=dict,
        description="Model to suggest, by concept id, answer type, answer shape, or 'default'; that order decides.",
    )
    max_output_tokens: int = Field(
        default=MAX_OUTPUT_TOKENS, ge=200, description="Longest reply of a model, in tokens."
    )
