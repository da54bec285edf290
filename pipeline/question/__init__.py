"""Brick 2: a question becomes a record of what is asked, in which words, and what an answer must look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from pipeline.llm.model import LanguageModel
from pipeline.question.context import QuestionContext
from pipeline.question.settings import QuestionSettings
from schemas.question import ParsedQuestion

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

__all__ = ["QuestionContext", "QuestionSettings", "parse_question"]


def parse_question(
    text: str,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    *,
    llm: LanguageModel | None = None,
    settings: QuestionSettings | None = None,
    context: QuestionContext | None = None,
) -> ParsedQuestion:
    """The question, analysed by rules and, where a model is given, by one structured call on top of them.

    `profile` (of the document that is asked) switches off what the document cannot give; None switches off nothing.
    `context` adds the document itself (its words, its defined terms), the question before, and earlier choices.
    A model that gives no usable reply leaves the rules' result and a downgrade on record.

    Raises QuestionError when the text is empty, too long or not text.
    """
    from pipeline.question.analysis import analyse

    return analyse(
        text,
        profile,
        dictionaries,
        llm=llm,
        settings=settings or QuestionSettings(),
        context=context or QuestionContext(),
    )
