"""What the retrieval picker is asked, and what it hands over: a recommendation with the figures that carry it."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from pipeline.evaluation.summary import Figure
from schemas.record import Part, Record

QueryPattern = Literal["codes", "names", "free_text"]
Stakes = Literal["low", "high"]


class Wishes(Part):
    """What is required of the retrieval."""

    corpus_size: int | None = Field(default=None, ge=1, description="Documents to be searched; null: not said.")
    patterns: tuple[QueryPattern, ...] = Field(
        default=(), description="What questions hold: exact codes, names, free text; empty: not said."
    )
    latency_budget_ms: float | None = Field(
        default=None, gt=0, description="Most milliseconds that 19 of 20 questions may take; null: no limit."
    )
    stakes: Stakes = Field(default="high", description="high: the first passages decide, as in law or medicine.")
    offline: bool = Field(default=False, description="Nothing may leave the machine.")
    no_model: bool = Field(default=False, description="No language model may be used.")
    languages: tuple[str, ...] = Field(default=(), description="Languages of questions and documents, e.g. 'en'.")


class Considered(Part):
    """One strategy of the evaluation: what was measured of it, and whether it may be recommended."""

    strategy: str = Field(description="Name of the strategy.")
    recall: Figure = Field(description="The leading metric on the questions that count here.")
    mrr: Figure | None = Field(default=None, description="MRR@5 on them; null where it was not measured.")
    characters: float | None = Field(default=None, description="Characters a question; null where not measured.")
    latency_median_ms: float | None = Field(default=None, description="Median of all stages; null: not measured.")
    latency_p95_ms: float | None = Field(default=None, description="95th percentile of all stages; null: not measured.")
    model_calls: int = Field(ge=0, description="Calls of a language model that its figures rest on.")
    verdict: Literal["recommended", "fits", "refused"] = Field(description="What became of it.")
    reasons: tuple[str, ...] = Field(
        description="Why it is refused, or why it was not preferred; empty for the chosen."
    )


class Choice(Part):
    """A part of the stack by name."""

    name: str | None = Field(description="The model, or what does the work; null: none is needed or none was measured.")
    measured: bool = Field(description="The figures of the evaluation were made with it.")
    why: str = Field(description="Why, in a sentence or two.")


class Refusal(Part):
    """Something that the picker will not recommend, and what would change that."""

    what: str = Field(description="The strategies or the wish.")
    why: str = Field(description="The rule, and the figures behind it.")
    remedy: str = Field(description="What to do instead, or what to measure.")


class NotMeasured(Part):
    """A system that belongs to the comparison and is not in the evaluation."""

    name: str = Field(description="Name of the strategy.")
    why: str = Field(description="Why it was not run, as the evaluation says; else that it was not asked for.")
    command: str = Field(description="The command that would measure it.")


class Recommendation(Record):
    """Which retrieval to use, by the figures of one evaluation; it claims nothing that was not measured."""

    SCHEMA_NAME: ClassVar[str] = "retrieval_recommendation"
    SCHEMA_VERSION: ClassVar[int] = 1

    wishes: Wishes = Field(description="What was asked for.")
    dataset: str = Field(description="Data set of the evaluation.")
    documents: int = Field(ge=0, description="Documents behind the figures.")
    questions: int = Field(ge=0, description="Questions with an answer behind the figures that decided.")
    metric: str = Field(description="The leading metric, by its name in the summary.")
    strategy: str | None = Field(description="The strategy recommended; null where none measured meets the wishes.")
    stack: str | None = Field(description="The same in words, e.g. 'hybrid (BM25 + dense, fused by rank)'.")
    why: str = Field(description="Why this one, with its figures and the sample.")
    dense_encoder: Choice = Field(description="The embedding model.")
    reranker: Choice = Field(description="The reranker, or what does its work.")
    considered: tuple[Considered, ...] = Field(description="Every strategy of the evaluation, in its order.")
    refusals: tuple[Refusal, ...] = Field(description="What is refused, and why.")
    flags: tuple[str, ...] = Field(description="What to know before relying on it, latencies among it.")
    not_measured: tuple[NotMeasured, ...] = Field(description="What the evaluation lacks.")
    evaluation_plan: tuple[str, ...] = Field(description="How to measure it on one's own documents, in steps.")
    rows_sha256: str = Field(description="Hex SHA-256 of the rows behind the figures.")
