"""Passages that were held for no answer, read as one: what a 'not found' would have been, had they been primary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.retrieval.candidates import line_refs, scope_of
from pipeline.retrieval.context import snippet_of
from pipeline.retrieval.continuation import continuation_of
from pipeline.retrieval.lines import Lines, read_lines
from pipeline.retrieval.outline import outline_of
from pipeline.retrieval.recognised import recognised_lines
from pipeline.retrieval.record import section_marks
from schemas.absence import AbsenceProof
from schemas.document import ParsedDocument
from schemas.provenance import ArbiterRole, CandidateProvenance
from schemas.retrieval import AuditedRetrievalResult, RetrievedCandidate

MAX_PROMOTED = 10  # passages that are tried: the five nearest misses of a proof, and as many that were kept
PROMOTED = "Read as primary, to see what the answer would be."


@dataclass(frozen=True, slots=True)
class Miss:
    """A passage that was proposed and is no primary one, and why it did not count."""

    candidate_id: str
    role: ArbiterRole
    why_not: str


def misses_of(found: AuditedRetrievalResult, proof: AbsenceProof | None) -> tuple[Miss, ...]:
    """The passages that came nearest and are not primary: the proof's first, then those that were kept; at most ten."""
    proofs = {one.candidate_id: one for one in found.provenances}
    nearest = [one.candidate_id for one in proof.nearest_misses] if proof is not None else []
    why = {one.candidate_id: one.why_not for one in proof.nearest_misses} if proof is not None else {}
    kept = [one.candidate_id for one in found.candidates]
    named = [one for one in dict.fromkeys((*nearest, *kept)) if one in proofs and proofs[one].role != "primary"]
    return tuple(Miss(one, proofs[one].role, proofs[one].reason or why.get(one, "")) for one in named[:MAX_PROMOTED])


def promoted(
    document: ParsedDocument | None, found: AuditedRetrievalResult, candidate_id: str
) -> AuditedRetrievalResult | None:
    """The hand-over with this passage as its first primary; None for one that cannot be read.

    A passage that was discarded was never handed over: it is read anew, its paragraph with the heading over it.
    """
    proofs = {one.candidate_id: one for one in found.provenances}
    handed = next((one for one in found.candidates if one.candidate_id == candidate_id), None)
    candidate = handed or (_read(document, proofs[candidate_id]) if document is not None else None)
    if candidate is None:
        return None
    first = candidate.model_copy(update={"role": "primary", "reason": PROMOTED})
    others = [one for one in found.candidates if one.candidate_id != candidate_id]
    changed = proofs[candidate_id].model_copy(update={"role": "primary", "reason": PROMOTED})
    fields = {name: getattr(found, name) for name in AuditedRetrievalResult.model_fields}
    return AuditedRetrievalResult.model_validate(
        {
            **fields,
            "candidates": (first, *others),
            "provenances": (changed, *(one for one in found.provenances if one.candidate_id != candidate_id)),
            "not_found": False,
            "not_found_reason": None,
            "absence": None,
        }
    )


def _read(document: ParsedDocument, proof: CandidateProvenance) -> RetrievedCandidate | None:
    lines = read_lines(document)
    anchor = _anchor(lines, proof)
    if not anchor:
        return None
    context = _context(lines, anchor)
    titles = outline_of(document).title_of
    fields: dict[str, Any] = {
        "candidate_id": proof.candidate_id,
        "anchor": scope_of(lines, anchor[0], anchor[-1]),
        "context": scope_of(lines, context[0], context[-1]),
        "snippet": snippet_of(lines, context, (anchor[0], anchor[-1])),
        "text": "\n".join(lines.texts[at] for at in context),
        "lines": line_refs(lines, tuple(context)),
        "sections": section_marks(lines, context, titles),
        "anchor_line_ids": tuple(lines.line_ids[at] for at in anchor),
        "methods": proof.methods_that_found_it,
        "matched_keywords": proof.structural_context.matched_keywords,
        "section_title": titles.get(lines.section_ids[anchor[0]] or ""),
        "reference_path": proof.reference_path,
        "recognised_lines": recognised_lines(document, context),
        "continuation": continuation_of(lines, context, titles),
    }
    return RetrievedCandidate.model_validate(fields)


def _anchor(lines: Lines, proof: CandidateProvenance) -> list[int]:
    """Positions of the lines where the match is; empty where the document has other lines there."""
    scope = proof.anchor
    start, end = (scope.page_start, scope.line_start), (scope.page_end, scope.line_end)
    places = zip(lines.page_nums, lines.line_nums, strict=True)
    return [at for at, place in enumerate(places) if start <= place <= end and lines.readable[at]]


def _context(lines: Lines, anchor: Sequence[int]) -> list[int]:
    """The paragraphs of the match with the heading over them; under a heading the paragraph that it heads."""
    blocks = sorted({block for at in anchor if (block := lines.block_at(at)) is not None})
    if not blocks:
        return list(anchor)
    first, last = blocks[0], blocks[-1]
    if lines.is_heading[last] and last + 1 < lines.block_count:
        last += 1
    wanted = set(range(first, last + 1))
    over = lines.heading_over[first]
    wanted |= {over} if over is not None else set()
    return sorted({*anchor, *(at for block in wanted for at in lines.block_positions(block))})
