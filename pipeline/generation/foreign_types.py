"""What is told of types that users registered: texts that their parsers could not cope with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.generation.drafting import Drafted
from pipeline.generation.passages import Passage
from pipeline.values import parser_fault
from schemas.audit import Downgrade


def with_parser_faults(drafted: Drafted, passages: Sequence[Passage], answer_type: str, language: str) -> Drafted:
    """The draft with one downgrade for a parser that failed on sentences of the passages; itself where none did."""
    sentences = [passage.text[one.start : one.end] for passage in passages for one in passage.sentences]
    faults = [fault for text in sentences if (fault := parser_fault(text, answer_type, language)) is not None]
    if not faults:
        return drafted
    reason = f"In {len(faults)} of {len(sentences)} sentences nothing was read: {faults[0]}."
    told = Downgrade(stage="generation", wanted=f"values of the type {answer_type}", used="no values", reason=reason)
    return replace(drafted, downgrades=(*drafted.downgrades, told))
