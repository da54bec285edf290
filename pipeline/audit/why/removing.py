"""A hand-over without some of its passages: as if the lines that these stand for were not in the document.

Contexts overlap: a line is often read with several passages. So each line belongs to one passage, the one whose match
is nearest to it, and goes with that; else a passage that is taken away would still be read beside another.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from schemas.conflicts import Conflict
from schemas.handed_tables import HandedTable
from schemas.places import LineRef
from schemas.provenance import CandidateScope
from schemas.retrieval import AuditedRetrievalResult, RetrievalResult, RetrievedCandidate, SectionMark

READ_AS_ANSWERS = ("primary", "supporting", None)  # roles whose passages generation reads for values
LEFT_OUT = "Left out, to see what the answer is without it."

Found = TypeVar("Found", bound=RetrievalResult)


def passages_of(found: RetrievalResult) -> tuple[RetrievedCandidate, ...]:
    """The passages that an answer may come from, in the order of the record."""
    return tuple(one for one in found.candidates if one.role in READ_AS_ANSWERS)


def owners_of(found: RetrievalResult) -> Mapping[int, str]:
    """The passage that each line belongs to (line_id -> candidate_id): the one whose match is nearest to it.

    Distances are counted in lines read; of two that are as near, the better judged one.
    """
    best: dict[int, tuple[int, int, str]] = {}
    for rank, one in enumerate(passages_of(found)):
        anchored = [at for at, ref in enumerate(one.lines) if ref.line_id in set(one.anchor_line_ids)]
        first, last = (anchored[0], anchored[-1]) if anchored else (0, len(one.lines) - 1)
        for at, ref in enumerate(one.lines):
            claim = max(first - at, at - last, 0), rank, one.candidate_id
            best[ref.line_id] = min(best.get(ref.line_id, claim), claim)
    return {line_id: candidate_id for line_id, (_, _, candidate_id) in best.items()}


def without(found: Found, removed: Collection[str]) -> Found | None:
    """The hand-over without these passages and the lines that belong to them; None when nothing is left to read.

    Other passages lose these lines too, tables the rows that stand in them; what points at a passage that is gone
    (conflicts, what follows a context) goes. In the account of all candidates those taken away are discarded.
    """
    if not removed:
        return found
    owners = owners_of(found)
    gone = {line_id for line_id, owner in owners.items() if owner in removed}
    cut = [_cut(one, gone) for one in found.candidates if one.candidate_id not in removed]
    candidates = tuple(one for one in cut if one is not None)
    kept = {one.candidate_id for one in candidates}
    lost = {one.candidate_id for one in found.candidates} - kept
    tables = tuple(table for one in found.tables if (table := _table_without(one, gone, lost)) is not None)
    if not tables and not any(one.role in READ_AS_ANSWERS for one in candidates):
        return None
    changed: dict[str, Any] = {
        "candidates": candidates,
        "tables": tables,
        "conflicts": tuple(one for each in found.conflicts if (one := _conflict_without(each, lost)) is not None),
    }
    if isinstance(found, AuditedRetrievalResult):
        changed |= _account(found, candidates, lost)
    fields = {name: getattr(found, name) for name in type(found).model_fields}
    return type(found).model_validate({**fields, **changed})


def _cut(candidate: RetrievedCandidate, gone: Collection[int]) -> RetrievedCandidate | None:
    """The passage up to the nearest lines that are gone on both sides of its match; None without any line of that.

    Lines behind those that are gone are not joined to it: two halves of sentences would read as one.
    """
    is_gone = [ref.line_id in gone for ref in candidate.lines]
    if not any(is_gone):
        return _without_peek(candidate, gone)
    anchored = [at for at, ref in enumerate(candidate.lines) if ref.line_id in set(candidate.anchor_line_ids)]
    left = [at for at in anchored if not is_gone[at]]
    if not left:
        return None
    first, last = left[0], left[-1]
    while first and not is_gone[first - 1]:
        first -= 1
    while last + 1 < len(is_gone) and not is_gone[last + 1]:
        last += 1
    return _only(candidate, [at for at in range(first, last + 1) if not is_gone[at]], gone)


def _only(candidate: RetrievedCandidate, kept: Sequence[int], gone: Collection[int]) -> RetrievedCandidate:
    """The passage with these of its lines alone (positions in `lines`), its ranges and marks made to fit."""
    texts = candidate.text.split("\n")
    lines = tuple(candidate.lines[at] for at in kept)
    ids = {ref.line_id for ref in lines}
    anchor_ids = tuple(one for one in candidate.anchor_line_ids if one in ids)
    context = _spanning(candidate.context, lines, candidate)
    anchor = candidate.anchor
    if anchor_ids != candidate.anchor_line_ids or not context.contains(anchor):
        anchor = _spanning(candidate.anchor, [ref for ref in lines if ref.line_id in anchor_ids], candidate)
    cut = candidate.model_copy(
        update={
            "lines": lines,
            "text": "\n".join(texts[at] for at in kept),
            "anchor_line_ids": anchor_ids,
            "anchor": anchor,
            "context": context,
            "snippet": "\n".join(texts[at] for at in kept if candidate.lines[at].line_id in anchor_ids),
            "sections": _marks_from(candidate.sections, lines[0].line_id, ids),
            "recognised_lines": tuple(one for one in candidate.recognised_lines if one.line_id in ids),
        }
    )
    is_cut_behind = kept[-1] != len(texts) - 1
    return cut.model_copy(update={"continuation": None}) if is_cut_behind else _without_peek(cut, gone)


def _spanning(scope: CandidateScope, refs: Sequence[LineRef], candidate: RetrievedCandidate) -> CandidateScope:
    """The range from the first of these lines to the last; where it starts later, in the section of the match."""
    starts_there = (refs[0].page_num, refs[0].line_num) == (scope.page_start, scope.line_start)
    return scope.model_copy(
        update={
            "page_start": refs[0].page_num, "line_start": refs[0].line_num,
            "page_end": refs[-1].page_num, "line_end": refs[-1].line_num,
            "section_id": scope.section_id if starts_there else candidate.anchor.section_id,
        }
    )  # fmt: skip


def _marks_from(marks: Sequence[SectionMark], first: int, ids: Collection[int]) -> tuple[SectionMark, ...]:
    """The marks of sections that still hold, the one in force at the first line set there."""
    before = [mark for mark in marks if mark.line_id < first]
    kept = [mark for mark in marks if mark.line_id in ids]
    if before and not any(mark.line_id == first for mark in kept):
        kept.insert(0, before[-1].model_copy(update={"line_id": first}))
    return tuple(kept)


def _without_peek(candidate: RetrievedCandidate, gone: Collection[int]) -> RetrievedCandidate:
    """The passage as one behind which nobody looked, where the lines there are gone."""
    peek = candidate.continuation
    if peek is None or not any(ref.line_id in gone for ref in peek.lines):
        return candidate
    return candidate.model_copy(update={"continuation": None})


def _table_without(table: HandedTable, gone: Collection[int], lost: Collection[str]) -> HandedTable | None:
    """The table without the rows and notes that stand in lines that are gone; its titles stay as long as it does.

    None when every passage that it was handed over with is gone, or no row is left.
    """
    owners = tuple(one for one in table.candidate_ids if one not in lost)
    if not owners:
        return None
    head = {*table.title_line_ids, *(line for column in table.columns for line in column.line_ids)}
    head |= {table.unit_line_id} if table.unit_line_id is not None else set()
    rows = tuple(row for row in table.rows if not any(_holds(row.line_ids, line) for line in gone))
    notes = tuple(note for note in table.notes if not set(note.line_ids) & set(gone))
    if not rows:
        return None
    if (rows, notes, owners) == (table.rows, table.notes, table.candidate_ids):
        return table
    dropped = [row.line_ids for row in table.rows if row not in rows]
    texts = [
        (ref, text)
        for ref, text in zip(table.lines, table.text.split("\n"), strict=True)
        if ref.line_id in head
        or not (ref.line_id in gone or any(_holds(one, ref.line_id) for one in dropped))
        or any(_holds(row.line_ids, ref.line_id) for row in rows)
    ]
    return table.model_copy(
        update={
            "candidate_ids": owners, "rows": rows, "notes": notes, "is_whole": table.is_whole and rows == table.rows,
            "lines": tuple(ref for ref, _ in texts), "text": "\n".join(text for _, text in texts),
        }
    )  # fmt: skip


def _holds(span: tuple[int, int], line_id: int) -> bool:
    return span[0] <= line_id <= span[1]


def _conflict_without(conflict: Conflict, lost: Collection[str]) -> Conflict | None:
    """The conflict of the passages that are left; None for one of a single passage: it differs from nothing."""
    ids = tuple(one for one in conflict.candidate_ids if one not in lost)
    if len(ids) == len(conflict.candidate_ids):
        return conflict
    if len(ids) < 2:
        return None
    prevails = conflict.prevails
    return conflict.model_copy(
        update={
            "candidate_ids": ids,
            "sides": tuple(side for side in conflict.sides if side.candidate_id not in lost),
            "prevails": None if prevails is not None and prevails.candidate_id in lost else prevails,
        }
    )


def _account(
    found: AuditedRetrievalResult, candidates: Sequence[RetrievedCandidate], lost: Collection[str]
) -> dict[str, Any]:
    """Every candidate accounted for: those left out as discarded, behind those that are kept."""
    proofs = [
        one.model_copy(update={"role": "discarded", "reason": LEFT_OUT}) if one.candidate_id in lost else one
        for one in found.provenances
    ]
    read = {ref.line_id: text for one in candidates for ref, text in zip(one.lines, one.text.split("\n"), strict=True)}
    return {
        "provenances": tuple(sorted(proofs, key=lambda one: one.role == "discarded")),
        "discovered_keywords": tuple(one for one in found.discovered_keywords if one.candidate_id not in lost),
        "characters_handed_over": sum(len(text) + 1 for text in read.values()),
    }
