"""Brick 4: typed values with the lines that prove them, each checked by code, or an honest refusal.

`generate` is the face. It sees only the saved `RetrievalResult` and the question's `generation_brief()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.settings import GenerationSettings

if TYPE_CHECKING:
    from pipeline.llm.model import LanguageModel
    from schemas.answer import Answer
    from schemas.question import ParsedQuestion
    from schemas.retrieval import RetrievalResult

__all__ = ["GenerationSettings", "generate"]


def generate(
    question: ParsedQuestion,
    found: RetrievalResult,
    *,
    llm: LanguageModel | None = None,
    settings: GenerationSettings | None = None,
) -> Answer:
    """The answer of one document to one question, every value checked against the lines it cites.

    Without `llm` rules choose the values; a model that gives no usable reply is replaced by them, on record. Whoever
    proposes, code copies the quotes and checks the figures: what fails is in `refused_items`, never in `items`.
    Passages that state different values on one point are all given, as items and as a conflict, with status
    'answered': what the document says is known; which of it prevails is not for us to say.
    """
    from pipeline.generation.answering import answer_question
    from pipeline.generation.wishes import carry_out

    answer = answer_question(question, found, llm=llm, settings=settings or GenerationSettings())
    return carry_out(answer, question.generation_brief())
