"""Which passage of one run is which of the other: by id in the same document, else by the words of its lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.audit.comparing.sides import Side
from pipeline.audit.comparing.wording import likeness
from schemas.document import ParsedDocument
from schemas.provenance import CandidateProvenance, CandidateScope
from schemas.retrieval import AuditedRetrievalResult, RetrievedCandidate

SAME_PASSAGE = (
    0.6  # share of words in common from which a passage is the other one edited; a rewritten clause keeps more
)
MAX_COMPARED = 4_000  # pairs of passages whose words are compared; more are left unmatched, which only tells more


@dataclass(frozen=True, slots=True)
class Passage:
    """One candidate of a run with its words; `kept` is None for one that was discarded."""

    why: CandidateProvenance
    kept: RetrievedCandidate | None
    text: str

    @property
    def id(self) -> str:
        """Its id in its own document."""
        return self.why.candidate_id


@dataclass(frozen=True, slots=True)
class Pair:
    """The same passage in both runs, or one that only one of them has."""

    first: Passage | None
    second: Passage | None

    @property
    def name(self) -> str:
        """Its id; both where they differ."""
        ids = dict.fromkeys(one.id for one in (self.first, self.second) if one is not None)
        return " = ".join(ids)


def pair_candidates(first: Side, second: Side) -> tuple[Pair, ...]:
    """Every candidate of both runs once: those of the first in their order, then what only the second has."""
    ones, others = passages_of(first), passages_of(second)
    partner = _by_id(ones, others) if reads_alike(first, second) else _by_text(ones, others)
    taken = set(partner.values())
    pairs = [Pair(one, others[partner[at]] if at in partner else None) for at, one in enumerate(ones)]
    return (*pairs, *(Pair(None, other) for at, other in enumerate(others) if at not in taken))


def reads_alike(first: Side, second: Side) -> bool:
    """True where both runs read the same lines: then an id means the same passage in both."""
    if first.document is None or second.document is None:
        return first.document_sha256 is not None and first.document_sha256 == second.document_sha256
    if first.document is second.document:
        return True
    columns = ["line_id", "page_num", "line_num", "text"]
    return bool(first.document.line_df[columns].equals(second.document.line_df[columns]))


def passages_of(side: Side) -> tuple[Passage, ...]:
    """The candidates of a run with the words of their anchors, kept ones first."""
    kept = {one.candidate_id: one for one in side.retrieval.candidates}
    return tuple(
        Passage(why, kept.get(why.candidate_id), _anchor_text(why, kept.get(why.candidate_id), side.document))
        for why in side.retrieval.provenances
    )


def text_of_lines(retrieval: AuditedRetrievalResult, candidate_id: str, start: int, end: int) -> str:
    """The lines `start` to `end` of a kept candidate, verbatim; empty where it is not kept."""
    for one in retrieval.candidates:
        if one.candidate_id == candidate_id:
            rows = zip(one.lines, one.text.split("\n"), strict=True)
            return "\n".join(text for line, text in rows if start <= line.line_id <= end)
    return ""


def _anchor_text(why: CandidateProvenance, kept: RetrievedCandidate | None, document: ParsedDocument | None) -> str:
    if kept is not None:
        anchor = set(kept.anchor_line_ids)
        rows = zip(kept.lines, kept.text.split("\n"), strict=True)
        return "\n".join(text for line, text in rows if line.line_id in anchor)
    if document is not None:
        return _lines_in(document, why.anchor)
    return why.structural_context.snippet


def _lines_in(document: ParsedDocument, scope: CandidateScope) -> str:
    frame = document.line_df
    pages, numbers = frame["page_num"].fillna(1), frame["line_num"]
    after = (pages > scope.page_start) | ((pages == scope.page_start) & (numbers >= scope.line_start))
    before = (pages < scope.page_end) | ((pages == scope.page_end) & (numbers <= scope.line_end))
    return "\n".join(frame.loc[after & before & frame["visible"], "text"])


def _by_id(ones: Sequence[Passage], others: Sequence[Passage]) -> dict[int, int]:
    where = {other.id: at for at, other in enumerate(others)}
    return {at: where[one.id] for at, one in enumerate(ones) if one.id in where}


def _by_text(ones: Sequence[Passage], others: Sequence[Passage]) -> dict[int, int]:
    """Equal words first, the first of them with the first; then those that are most alike, section titles counted."""
    partner: dict[int, int] = {}
    places = defaultdict(list)
    for at in _in_reading_order(others):
        places[_folded(others[at].text)].append(at)
    for at in _in_reading_order(ones):
        equal = places[_folded(ones[at].text)]
        if equal:
            partner[at] = equal.pop(0)
    left = [at for at in range(len(ones)) if at not in partner]
    free = sorted(set(range(len(others))) - set(partner.values()))
    scored = []
    for at in left if len(left) * len(free) <= MAX_COMPARED else ():
        scored += [(likeness(ones[at].text, others[other].text), at, other) for other in free]
    for score, at, other in sorted(scored, key=lambda one: (-one[0], one[1], one[2])):
        if score >= SAME_PASSAGE and at not in partner and other not in partner.values():
            partner[at] = other
    return partner


def _in_reading_order(passages: Sequence[Passage]) -> list[int]:
    def place(at: int) -> tuple[int, int, int]:
        return passages[at].why.anchor.page_start, passages[at].why.anchor.line_start, at

    return sorted(range(len(passages)), key=place)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
