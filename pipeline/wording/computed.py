"""How a value came about: its formula with its inputs, and how its lines were read."""

from __future__ import annotations

from pipeline.wording.notes import tell_words
from pipeline.wording.phrases import say
from pipeline.wording.values import words_of
from schemas.answer import AnswerItem, EvidenceSpan


def tell_computed(item: AnswerItem, language: str = "en") -> str:
    """'calculated: Effective Date + initial term (Effective Date: March 1, 2020; ...)'; empty for any other value."""
    if item.extraction_method != "computed" and not item.formula:
        return ""
    told = [
        f"{tell_words(made.name, language)}: {' '.join(words_of(made.value, language).split())}" for made in item.inputs
    ]
    inputs = f" ({'; '.join(told)})" if told else ""
    return f"{say('computed', language, formula=tell_words(item.formula or '', language))}{inputs}".strip()


def tell_reading(span: EvidenceSpan, language: str = "en") -> str:
    """That the lines were recognised from an image, and how surely; empty for native text."""
    if span.reading == "native":
        return ""
    if span.ocr_confidence is None:
        return say("ocr_unsure", language)
    return say("ocr", language, share=f"{span.ocr_confidence:.0%}")
