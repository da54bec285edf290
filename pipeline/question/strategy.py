"""How passages are read and by which model: the question's own words, else the concept's, else the shape's default.

The cascade of METHOD 2.4; every level that decides is named in a note where it is not the usual one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dictionaries import ConceptEntry
from dictionaries.folding import folded_text
from pipeline.question.shape import Shape
from schemas.question import AnswerContext, AnswerShape, ChunkStrategy

# Words that want everything seen at once, or each passage by itself.
_TOGETHER = re.compile(
    r"\b(?:altogether|combined|taken together|overall|in total|as a whole|compare\w*|en conjunto|en total|compara\w*|"
    r"au total|dans l'ensemble|ensemble|compare[rz]?)\b"
)
_ONE_BY_ONE = re.compile(
    r"\b(?:one (?:by|after) (?:one|another|the other)|in turn|step by step|first mention|first place|uno por uno|"
    r"una por una|paso a paso|un par un|une par une|l'un apres l'autre|l'une apres l'autre|pas a pas)\b"
)
_SHAPE_STRATEGY: Mapping[AnswerShape, ChunkStrategy] = {"single": "sequential"}  # METHOD 2.2; the others combined
DEFAULT_STRATEGY: ChunkStrategy = "combined"


def choose_strategy(text: str, concepts: Sequence[ConceptEntry], shape: Shape) -> ChunkStrategy:
    """combined: all passages at once; sequential: one after the other until one answers.

    A yes or no, a condensed passage and a comparison need all of them: one clause may take back what another gives.
    """
    folded = folded_text(text)
    if _TOGETHER.search(folded):
        return "combined"
    if _ONE_BY_ONE.search(folded):
        return "sequential"
    concept = concepts[0] if concepts else None
    if concept is not None and concept.chunk_strategy is not None:
        return concept.chunk_strategy
    if shape.needs_summary or shape.answer_type == "boolean":
        return "combined"
    return _SHAPE_STRATEGY.get(shape.answer_shape, DEFAULT_STRATEGY)


def choose_context(said: AnswerContext | None, shape: Shape, *, has_section: bool, has_pages: bool) -> AnswerContext:
    """How much text is read: as the question says, else as its concept, shape and type do.

    A summary without a place is one of the document, with one of that place.
    """
    if said is not None:
        return said
    if shape.intent == "summarization":
        return "section" if has_section else "page" if has_pages else "document"
    return shape.answer_context


def suggest_model(models: Mapping[str, str], concepts: Sequence[ConceptEntry], shape: Shape) -> str | None:
    """The model that the settings name: for the concept, else the type, else the shape, else by 'default'."""
    keys = (*(concept.concept_id for concept in concepts[:1]), shape.answer_type, shape.answer_shape, "default")
    return next((models[key] for key in keys if key in models), None)
