"""One more look at a document after an answer: wider contexts, or the place that a passage points to.

Nothing is searched or judged anew: what the arbiter kept stays, with more lines around it or with a place beside it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pipeline.retrieval.candidates import candidate_id_of, line_refs, scope_of
from pipeline.retrieval.context import snippet_of
from pipeline.retrieval.continuation import continuation_of
from pipeline.retrieval.lines import Flags, Lines, read_lines
from pipeline.retrieval.mentions import TABULAR, Mention, MentionIndex, is_law, says_where
from pipeline.retrieval.outline import outline_of
from pipeline.retrieval.recognised import recognised_lines
from pipeline.retrieval.record import section_marks
from pipeline.retrieval.search import allowed_lines
from pipeline.scope.sentences import sentence_starts
from pipeline.wording import tell_line
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult, CandidateBrief, CandidateProvenance, RetrievedCandidate

WIDER_CHARACTERS = 9_000  # characters of a context that was cut: three times the usual, some two pages
POINTED_CHARACTERS = 6_000  # characters of a place pointed to: a schedule of a page and a half
SHOWN_LINES = 4  # lines of a place pointed to that are its anchor
POINTED = "answer_points_here"  # method and rule of a passage that an answer sent to


@dataclass(frozen=True, slots=True)
class Pointed:
    """Where a passage sends its reader: the line, and the words that send there with their place."""

    line_id: int
    told: str


def read_wider(
    document: ParsedDocument, question: ParsedQuestion, found: AuditedRetrievalResult, ids: Collection[str]
) -> AuditedRetrievalResult:
    """The result with the contexts of the named candidates read on to the ends of their section, or of their run.

    A context that stops at a heading stays as it is on that side, unless the section before it goes on behind; lines
    outside the question's scope are never read. The same result where there is nothing more to read.
    """
    lines, allowed = read_lines(document), allowed_lines(document, question.retrieval_query())[0]
    candidates = [_wider(document, lines, allowed, one) if one.candidate_id in ids else one for one in found.candidates]
    if tuple(candidates) == found.candidates:
        return found
    return _with(found, candidates, found.provenances, f"wider: {', '.join(sorted(ids))}")


def pointed_places(document: ParsedDocument, spans: Sequence[tuple[int, int]]) -> tuple[Pointed, ...]:
    """The places that lines (first and last line_id) say the thing meant stands at, in order, each once.

    Empty where they name none that the document has; a section of a statute is none.
    """
    lines = read_lines(document)
    if not len(document.cross_ref_df):
        return ()
    index = MentionIndex.of(document, lines)
    found: dict[int, Pointed] = {}
    for mention in _sending(lines, index, spans):
        if mention.target_line_id is not None:
            page, line = lines.page_nums[mention.position], lines.line_nums[mention.position]
            place = tell_line(lines.page_unit, page, line)
            found.setdefault(mention.target_line_id, Pointed(mention.target_line_id, f"{mention.told} ({place})"))
    return tuple(found.values())


def read_pointed(
    document: ParsedDocument,
    question: ParsedQuestion,
    found: AuditedRetrievalResult,
    place: Pointed,
    *,
    instead_of: Collection[str],
) -> AuditedRetrievalResult:
    """The result with the place pointed to as its first primary; the passages that only point there support it.

    The same result where the place was read already, lies outside the question's scope or holds nothing to read.
    """
    lines, allowed = read_lines(document), allowed_lines(document, question.retrieval_query())[0]
    context = _region(document, lines, place.line_id)
    context = [at for at in context if allowed is None or allowed[at]]
    if not context:
        return found
    read = {ref.line_id for one in found.candidates if one.role == "primary" and one.candidate_id in instead_of
            for ref in one.lines}  # fmt: skip
    if {lines.line_ids[at] for at in context} <= read:
        return found
    proofs = {proof.candidate_id: proof for proof in found.provenances}
    new = _pointed(document, lines, context, place)
    known = proofs.get(new.candidate_id)
    if known is not None:
        new = new.model_copy(update={"methods": (*known.methods_that_found_it, POINTED)})
    supports = f"It only sends its reader on: {place.told}."
    candidates = [new]
    for one in found.candidates:
        if one.candidate_id == new.candidate_id:
            continue
        is_pointing = one.role == "primary" and one.candidate_id in instead_of
        candidates.append(one.model_copy(update={"role": "supporting", "reason": supports}) if is_pointing else one)
    order = ("primary", "supporting", "tangential", None)
    candidates.sort(key=lambda one: order.index(one.role))
    roles = {one.candidate_id: (one.role, one.reason) for one in candidates}
    provenances = [_provenance(new, known)]
    for proof in found.provenances:
        if proof.candidate_id == new.candidate_id:
            continue
        role, reason = roles.get(proof.candidate_id, (proof.role, proof.reason))
        if role != proof.role:
            proof = proof.model_copy(update={"role": role, "reason": reason, "rule": POINTED})  # noqa: PLW2901
        provenances.append(proof)
    return _with(found, candidates, tuple(provenances), f"pointed: {place.told}")


def _with(
    found: AuditedRetrievalResult,
    candidates: Sequence[RetrievedCandidate],
    provenances: tuple[CandidateProvenance, ...],
    what: str,
) -> AuditedRetrievalResult:
    """The record with these candidates, and in its stamp what was read again."""
    texts = {ref.line_id: text for one in candidates for ref, text in zip(one.lines, one.text.split("\n"), strict=True)}
    again = [*found.stamp.settings.get("read_again", []), what]
    found_one = any(one.role == "primary" for one in candidates)
    fields = {name: getattr(found, name) for name in AuditedRetrievalResult.model_fields}
    return AuditedRetrievalResult.model_validate(
        {
            **fields,
            "candidates": tuple(candidates),
            "provenances": provenances,
            "not_found": not found_one,
            "not_found_reason": None if found_one else found.not_found_reason,
            "absence": None if found_one else found.absence,
            "characters_handed_over": sum(len(text) + 1 for text in texts.values()),
            "stamp": found.stamp.model_copy(update={"settings": {**found.stamp.settings, "read_again": again}}),
        }
    )


def _wider(
    document: ParsedDocument, lines: Lines, allowed: Flags | None, candidate: RetrievedCandidate
) -> RetrievedCandidate:
    first, last = lines.position(candidate.lines[0].line_id), lines.position(candidate.lines[-1].line_id)
    held = {lines.position(ref.line_id) for ref in candidate.lines}
    budget = WIDER_CHARACTERS - sum(len(lines.texts[at]) + 1 for at in held)
    on = _run(lines, last, 1, budget, allowed)
    back = _run(lines, first, -1, budget - sum(len(lines.texts[at]) + 1 for at in on), allowed)
    if not on and not back:
        return candidate
    context = tuple(sorted({*held, *on, *back}))
    return candidate.model_copy(update=_read_fields(document, lines, context))


def _run(lines: Lines, start: int, step: int, budget: int, allowed: Flags | None) -> list[int]:
    """Positions from `start` (left out) to the next heading, as many as the budget holds; back, that heading too."""
    taken: list[int] = []
    at = start + step
    while 0 <= at < len(lines.texts):
        if allowed is not None and not allowed[at]:
            break
        if lines.readable[at] and lines.texts[at].strip():
            block = lines.block_at(at)
            is_heading = block is not None and lines.is_heading[block]
            budget -= len(lines.texts[at]) + 1
            if budget < 0 or (is_heading and step > 0):
                break
            taken.append(at)
            if is_heading:
                break
        at += step
    return taken


def _read_fields(document: ParsedDocument, lines: Lines, context: tuple[int, ...]) -> dict[str, object]:
    """The fields of a candidate that follow from what is read."""
    titles = outline_of(document).title_of
    return {
        "context": scope_of(lines, context[0], context[-1]),
        "text": "\n".join(lines.texts[at] for at in context),
        "lines": line_refs(lines, context),
        "sections": section_marks(lines, context, titles),
        "recognised_lines": recognised_lines(document, context),
        "continuation": continuation_of(lines, context, titles),
    }


def _sending(lines: Lines, index: MentionIndex, spans: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    """Mentions on the lines that say where the thing meant stands, in the order of the document."""
    wanted = {line_id for first, last in spans for line_id in range(first, last + 1)}
    blocks = {
        block
        for line_id in sorted(wanted)
        if (block := lines.block_at(lines.position(line_id))) is not None and index.has_any(block)
    }
    for block in sorted(blocks):
        text = lines.block_text(block)
        starts = sentence_starts(text)
        for mention in index.at(block, "text"):
            if lines.line_ids[mention.position] not in wanted or is_law(text[mention.end :]):
                continue
            at = bisect_right(starts, mention.start) - 1
            start, end = starts[at], starts[at + 1] if at + 1 < len(starts) else len(text)
            inside = mention.start - start, mention.end - start
            if says_where(text[start:end], *inside, tabular=mention.kind in TABULAR):
                yield mention


def _region(document: ParsedDocument, lines: Lines, line_id: int) -> list[int]:
    """Positions of the section that starts at a line, or of the run of text there, as many as the budget holds."""
    first = lines.position(line_id)
    outline = outline_of(document)
    ends = [end for start, end in zip(outline.starts, outline.ends, strict=True) if start == line_id]
    last = lines.position(max(ends)) if ends else None
    region: list[int] = []
    budget = POINTED_CHARACTERS
    for at in range(first, len(lines.texts) if last is None else last + 1):
        if not lines.readable[at] or not lines.texts[at].strip():
            continue
        block = lines.block_at(at)
        is_heading = block is not None and lines.is_heading[block]
        budget -= len(lines.texts[at]) + 1
        body_begun = any((b := lines.block_at(one)) is not None and not lines.is_heading[b] for one in region)
        if budget < 0 or (last is None and is_heading and body_begun):
            break
        region.append(at)
    return region


def _pointed(document: ParsedDocument, lines: Lines, context: Sequence[int], place: Pointed) -> RetrievedCandidate:
    body = [at for at in context if (block := lines.block_at(at)) is None or not lines.is_heading[block]]
    shown = (body or list(context))[:SHOWN_LINES]
    first, last = shown[0], shown[-1]
    fields = _read_fields(document, lines, tuple(context))
    return RetrievedCandidate.model_validate(
        {
            **fields,
            "candidate_id": candidate_id_of(lines, first, last),
            "anchor": scope_of(lines, first, last),
            "snippet": snippet_of(lines, list(context), (first, last)),
            "anchor_line_ids": tuple(lines.line_ids[at] for at in context if first <= at <= last),
            "methods": (POINTED,),
            "matched_keywords": (),
            "section_title": outline_of(document).title_of.get(lines.section_ids[first] or ""),
            "role": "primary",
            "reason": f"The clause on the topic sends here: {place.told}.",
            "reference_path": (place.told,),
        }
    )


def _provenance(new: RetrievedCandidate, known: CandidateProvenance | None) -> CandidateProvenance:
    """Why the place pointed to is read, beside what else had proposed it."""
    ranks, reasons = (known.rank_per_method, known.detector_reasons) if known is not None else ({}, {})
    told = new.reason or ""
    return CandidateProvenance(
        candidate_id=new.candidate_id,
        methods_that_found_it=new.methods,
        rank_per_method={**ranks, POINTED: 1},
        detector_reasons={**reasons, POINTED: told},
        structural_context=CandidateBrief(
            candidate_id=new.candidate_id, methods=new.methods, section=new.section_title, matched_keywords=(),
            snippet=new.snippet,
        ),
        anchor=new.anchor,
        role="primary",
        reason=told,
        rule=POINTED,
        judged_by="rules",
        reference_path=new.reference_path,
    )  # fmt: skip
