"""What a strategy did with one question, in the shape that scores and causes of failure are read from."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from schemas.audit import Downgrade, ModelUse
from schemas.document import ParsedDocument
from schemas.retrieval import AuditedRetrievalResult, CandidateScope


@dataclass(frozen=True, slots=True)
class Passage:
    """A candidate that is handed over, in rank order: its context, and the lines and pages of its anchor."""

    candidate_id: str
    text: str
    pages: tuple[int, int]
    lines: tuple[int, int]  # line_ids


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate that some detector proposed, whatever became of it."""

    candidate_id: str
    lines: tuple[int, int]  # line_ids of the anchor
    pages: tuple[int, int]
    role: str
    rule: str | None
    reason: str
    ranks: dict[str, int]  # method -> rank
    relevance: int | None = None  # grade of a reranker


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result as far as it is scored."""

    passages: tuple[Passage, ...]
    proposals: tuple[Proposal, ...]
    not_found: bool
    verdict: str | None
    confidence: float
    methods_run: tuple[str, ...]
    skipped: dict[str, str]
    sha256: str
    valid: bool = True
    by_rank: bool = False  # what was proposed and not kept lost its place by rank alone
    fell_back: bool = False
    uses: tuple[ModelUse, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()


class Places:
    """Where each printed line of a document stands: (page, line on it) -> line_id."""

    def __init__(self, document: ParsedDocument) -> None:
        lines = document.line_df
        keys = zip(lines["page_num"].tolist(), lines["line_num"].tolist(), strict=True)
        self._ids = dict(zip(keys, lines["line_id"].tolist(), strict=True))

    def lines(self, scope: CandidateScope) -> tuple[int, int]:
        """line_ids of the first and last line of a scope."""
        return self._ids[scope.page_start, scope.line_start], self._ids[scope.page_end, scope.line_end]


def outcome_of(result: AuditedRetrievalResult, places: Places, *, check: bool) -> Outcome:
    """The outcome that a record of retrieval tells; with `check` the record also goes to JSON and back."""
    data = result.to_json()
    return Outcome(
        passages=tuple(
            Passage(one.candidate_id, one.text, (one.anchor.page_start, one.anchor.page_end), places.lines(one.anchor))
            for one in result.candidates
        ),
        proposals=tuple(
            Proposal(
                one.candidate_id, places.lines(one.anchor), (one.anchor.page_start, one.anchor.page_end), one.role,
                one.rule, one.reason, dict(one.rank_per_method), one.relevance,
            )
            for one in result.provenances
        ),
        not_found=result.not_found,
        verdict=result.absence.verdict if result.absence is not None else None,
        confidence=result.confidence,
        methods_run=result.methods_run,
        skipped=dict(result.skipped_reasons),
        sha256=sha256(data).hexdigest(),
        valid=not check or AuditedRetrievalResult.from_json(data, where="retrieval result").to_json() == data,
        by_rank=result.arbiter == "ranking",
        fell_back=any(one.judged_by == "rules_after_llm" for one in result.provenances),
        uses=result.model_uses,
        downgrades=result.downgrades,
    )  # fmt: skip
