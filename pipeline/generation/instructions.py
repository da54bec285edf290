"""Lines that are addressed to a program which reads the document: shown to no model, and no evidence of anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.generation.passages import Passage
from pipeline.injection import find_instructions
from schemas.answer import EvidenceCheck, EvidenceSpan
from schemas.retrieval import RetrievalResult

MAX_TOLD = 5  # lines named in a caveat


def withheld_lines(passages: Sequence[Passage]) -> tuple[int, ...]:
    """line_ids of such lines in the passages, ascending; empty for nearly every document."""
    found: set[int] = set()
    for passage in passages:
        for one in find_instructions(passage.text.split("\n")):
            found |= {ref.line_id for ref in passage.lines[one.first : one.last + 1]}
    return tuple(sorted(found))


def check_source(spans: Sequence[EvidenceSpan], found: RetrievalResult) -> Iterable[EvidenceCheck]:
    """The check that an item rests on more than such lines; nothing where none of its passages holds any."""
    cited = {span.candidate_id for span in spans}
    orders: set[int] = set()
    for candidate in found.candidates:
        if candidate.candidate_id in cited:
            for one in find_instructions(candidate.text.split("\n")):
                orders |= {ref.line_id for ref in candidate.lines[one.first : one.last + 1]}
    if not orders:
        return
    lines = {line for span in spans for line in range(span.line_start, span.line_end + 1)}
    rests = not lines <= orders
    detail = "the cited lines hold more than words addressed to a reading program"
    if not rests:
        detail = "the cited lines are addressed to a program that reads the document; they prove nothing"
    yield EvidenceCheck(check="no_instruction", passed=rests, detail=detail)


def tell_withheld(lines: Sequence[int]) -> str:
    """A caveat on lines that were not shown to the model."""
    told = ", ".join(map(str, lines[:MAX_TOLD])) + (" ..." if len(lines) > MAX_TOLD else "")
    return (
        f"{len(lines)} line{'' if len(lines) == 1 else 's'} addressed to a program that reads the document "
        f"({'line_id' if len(lines) == 1 else 'line_ids'} {told}) {'was' if len(lines) == 1 else 'were'} not shown to "
        "the model."
    )
