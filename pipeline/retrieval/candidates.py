"""Hits become candidates: one a passage, with every method that proposed it, an anchor and a context around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from pipeline.retrieval.arbiter.measured import HEAD_BLOCKS, Surroundings
from pipeline.retrieval.context import context_of, snippet_of
from pipeline.retrieval.evidence import Unit, body_of, headings_of
from pipeline.retrieval.limits import missed_limits
from pipeline.retrieval.lines import Lines
from pipeline.retrieval.search import Search
from pipeline.retrieval.signals import Signals, signals_of
from schemas.retrieval import CandidateBrief, CandidateScope, LineRef

MAX_MERGED_LINES = 8  # lines; matches of one passage that lie farther apart are cited apart
MAX_SHOWN_ANCHOR = 4  # lines of a passage that was proposed as a whole
_WHOLE_PASSAGE = ("chunk_embedding_match",)  # methods that point at a passage, not at lines
_WHOLE_PAGE = "page_hint"
_DEFINITION = "definition_match"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that some detector proposed. `anchor` and `context` are positions of lines."""

    candidate_id: str
    unit: Unit
    anchor: tuple[int, int]
    context: tuple[int, ...]
    snippet: str
    ranks: Mapping[str, int]
    reasons: Mapping[str, str]
    keywords: tuple[str, ...]
    signals: Signals

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods that proposed it, in dispatch order."""
        return tuple(self.ranks)


@dataclass(slots=True)
class _Draft:
    unit: Unit
    first: int
    last: int
    ranks: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    keywords: list[str] = field(default_factory=list)
    similarity: float | None = None

    def add(self, method: str, rank: int, reason: str, keywords: tuple[str, ...]) -> None:
        """Note that a method proposes this passage; its best rank and that rank's reason are kept."""
        if rank < self.ranks.get(method, rank + 1):
            self.ranks[method], self.reasons[method] = rank, reason
        self.keywords.extend(keyword for keyword in keywords if keyword not in self.keywords)


def make_candidates(search: Search, hits: Mapping[str, pd.DataFrame]) -> tuple[Candidate, ...]:
    """One candidate a passage out of the hits of all methods (method -> HIT_DF, in dispatch order), in document order.

    Hits in one passage are one candidate as long as its anchor stays within eight lines. No hit is lost: each belongs
    to a candidate whose `ranks` name the method.
    """
    drafts: list[_Draft] = []
    by_block: dict[int, list[_Draft]] = {}
    for method, table in hits.items():
        columns = (table[name].tolist() for name in ("rank", "score", "line_start", "line_end"))
        rows = zip(*columns, table["matched_keywords"].tolist(), table["reason"].tolist(), strict=True)
        for rank, score, line_start, line_end, keywords, reason in rows:
            first, last = search.lines.position(line_start), search.lines.position(line_end)
            chosen = _drafts_for(search, method, first, last, drafts, by_block)
            for draft in chosen:
                draft.add(method, rank, reason, keywords)
                if method in _WHOLE_PASSAGE:
                    draft.similarity = score
    return _finished(search, drafts, tuple(hits))


def brief_of(candidate: Candidate, breadcrumbs: Mapping[str, str], lines: Lines) -> CandidateBrief:
    """What the arbiter is shown of a candidate."""
    section_id = lines.section_ids[candidate.anchor[0]]
    return CandidateBrief(
        candidate_id=candidate.candidate_id,
        methods=candidate.methods,
        section=breadcrumbs.get(section_id) if section_id is not None else None,
        matched_keywords=candidate.keywords,
        snippet=candidate.snippet,
    )


def surroundings_of(search: Search, candidate: Candidate) -> Surroundings | None:
    """Where a candidate stands, for the measured scorecard; null where no expert's dictionary says what is asked."""
    lines, concepts = search.lines, search.query.concepts
    if not concepts:
        return None
    return Surroundings(
        dictionary=concepts[0].dictionary,
        concept=concepts[0].concept_id,
        at_head=candidate.unit.block < HEAD_BLOCKS,
        searched_lines=len(lines.searched),
    )


def scope_of(lines: Lines, first: int, last: int) -> CandidateScope:
    """The range between two positions as pages and lines count."""
    return CandidateScope(
        page_unit=lines.page_unit,
        page_start=lines.page_nums[first],
        page_end=lines.page_nums[last],
        line_start=lines.line_nums[first],
        line_end=lines.line_nums[last],
        section_id=lines.section_ids[first],
    )


def line_refs(lines: Lines, positions: tuple[int, ...]) -> tuple[LineRef, ...]:
    """Where each line stands."""
    return tuple(map(lines.ref, positions))


def candidate_id_of(lines: Lines, first: int, last: int) -> str:
    """'p5_l12_l14' for lines 12 to 14 of page 5; 'p5_l40_p6_l2' over a page break."""
    page_start, page_end = lines.page_nums[first], lines.page_nums[last]
    end = f"l{lines.line_nums[last]}" if page_start == page_end else f"p{page_end}_l{lines.line_nums[last]}"
    return f"p{page_start}_l{lines.line_nums[first]}_{end}"


def _drafts_for(
    search: Search, method: str, first: int, last: int, drafts: list[_Draft], by_block: dict[int, list[_Draft]]
) -> list[_Draft]:
    """The drafts that a hit belongs to, a new one where none fits."""
    lines = search.lines
    if method == _WHOLE_PAGE:
        inside = [draft for draft in drafts if first <= draft.first and draft.last <= last]
        if inside:
            return inside
    block = lines.block_at(first)
    if block is None:
        block = lines.first_block_from(first)
    body = body_of(lines, block) if lines.is_heading[block] else block
    here = by_block.setdefault(body, [])
    if method in _WHOLE_PASSAGE:
        if here:
            return here[:1]
        shown = [position for position in lines.block_positions(block) if first <= position <= last][:MAX_SHOWN_ANCHOR]
        last = shown[-1] if shown else first
    for draft in here:
        low, high = min(draft.first, first), max(draft.last, last)
        if draft.first <= first <= last <= draft.last or high - low < MAX_MERGED_LINES:
            draft.first, draft.last = low, high
            return [draft]
    unit = search.evidence.units.get(body) or Unit(body, headings_of(lines, body))
    draft = _Draft(unit, first, last)
    here.append(draft)
    drafts.append(draft)
    return [draft]


def _finished(search: Search, drafts: list[_Draft], order: tuple[str, ...]) -> tuple[Candidate, ...]:
    lines = search.lines
    pinned = set(search.query.hints.pages_hint)
    named = {anchor.text: anchor.kind for anchor in search.query.anchors}
    done: dict[str, Candidate] = {}
    for draft in sorted(drafts, key=lambda draft: (draft.first, draft.last, draft.unit.block)):
        anchor = (draft.first, draft.last)
        methods = [method for method in order if method in draft.ranks]
        facts = signals_of(search, draft.unit)
        more: dict[str, Any] = {}
        if "bm25" in draft.ranks:
            told = {named[keyword] for keyword in draft.keywords if keyword in named}
            told -= {"quoted", "date"} if facts.has_concept else {"quoted"}  # a date says when, not what
            more["has_code"] = bool(told)
            if not facts.exact:
                more |= {"exact": tuple(draft.keywords), "caption": _is_caption(lines, anchor)}
        signals = replace(
            facts,
            methods=tuple(methods),
            defines=_DEFINITION in draft.ranks,
            pinned=lines.page_nums[draft.first] in pinned,
            similarity=draft.similarity,
            **more,
        )
        missed = missed_limits(search, draft.unit, signals)
        signals = replace(signals, missed=missed) if missed else signals
        context = context_of(search, draft.unit, signals, anchor)
        keywords = dict.fromkeys((*signals.keywords, *draft.keywords))
        candidate = Candidate(
            candidate_id=candidate_id_of(lines, *anchor),
            unit=draft.unit,
            anchor=anchor,
            context=tuple(context),
            snippet=snippet_of(lines, context, anchor),
            ranks={method: draft.ranks[method] for method in methods},
            reasons={method: draft.reasons[method] for method in methods},
            keywords=tuple(keywords),
            signals=signals,
        )
        done.setdefault(candidate.candidate_id, candidate)
    return tuple(done.values())


def _is_caption(lines: Lines, anchor: tuple[int, int]) -> bool:
    return any(lines.roles[position] == "caption" for position in range(anchor[0], anchor[1] + 1))
