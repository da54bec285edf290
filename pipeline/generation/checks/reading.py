"""Whether the cited lines were read surely enough for what the value says: a figure of a poor scan is no figure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.generation.checks.ground import Ground, check
from schemas.answer import EvidenceCheck, EvidenceSpan
from schemas.values import RecordValue, Value, wording_of

# A letter that a recogniser gives for a digit, inside a figure: 'O' for 0, 'l' for 1, 'S' for 5, 'B' for 8.
_LETTER_FOR_DIGIT = re.compile(
    r"(?<![A-Za-z])(?=[\dOolISB.,]*\d)\d*[.,]?[OolISB](?=[\d.,OolISB]*\d)[\dOolISB.,]*(?![A-Za-z])"
    r"|\d[\d.,]*[OlI](?![A-Za-z0-9])"
)


def check_reading(value: Value, spans: Sequence[EvidenceSpan], ground: Ground) -> EvidenceCheck:
    """Native text is sure; recognised lines must reach the threshold of their kind, and figures hold digits alone."""
    recognised = [span for span in spans if span.reading == "ocr"]
    if not recognised:
        return check("reading_is_sure", True, "the lines are native text")
    words = _words(value)
    has_figure = re.search(r"\d", words) is not None
    limit = ground.settings.min_figure_confidence if has_figure else ground.settings.min_word_confidence
    kind = "figures" if has_figure else "words"
    known = [span.ocr_confidence for span in recognised if span.ocr_confidence is not None]
    lowest = min(known, default=None)
    if lowest is not None and lowest < limit:
        return check(
            "reading_is_sure",
            False,
            f"recognised lines with {kind}: confidence {lowest:.2f}, at least {limit:.2f} is asked",
        )
    doubtful = _LETTER_FOR_DIGIT.search(words) if has_figure else None
    if doubtful is not None:
        return check(
            "reading_is_sure", False, f"{doubtful.group()!r} on recognised lines holds a letter in place of a digit"
        )
    sure = "no confidence is on record" if lowest is None else f"confidence {lowest:.2f}, at least {limit:.2f} is asked"
    return check("reading_is_sure", True, f"recognised lines with {kind}: {sure}")


def tell_recognised(spans: Sequence[EvidenceSpan]) -> tuple[str, ...]:
    """The caveat of values that rest on recognised lines; empty for native text."""
    known = [span.ocr_confidence for span in spans if span.reading == "ocr" and span.ocr_confidence is not None]
    if not any(span.reading == "ocr" for span in spans):
        return ()
    sure = f" (lowest confidence {min(known):.2f})" if known else " (its confidence is not on record)"
    return (f"The cited lines were recognised from an image{sure}: compare figures and names with the page.",)


def _words(value: Value) -> str:
    if isinstance(value, RecordValue):
        return " ".join(wording_of(field.value) for field in value.fields if field.value is not None)
    clause = getattr(value, "clause", None)
    return clause or wording_of(value)
