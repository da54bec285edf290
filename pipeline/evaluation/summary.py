"""What a run of an evaluation sums up to: `summary.json`, the one file that reports, gates and `lineproof pick` read.

It holds no clock and no path, so that two runs of the same code on the same data write the same bytes; times stand in
`timing.parquet`. Every figure is computed from the rows of `rows.py` and names how many cases it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from schemas.record import Part, Record

Unit = Literal["share", "characters"]


@dataclass(frozen=True, slots=True)
class Metric:
    """What a metric says; `better` is the direction of gain."""

    title: str
    description: str
    unit: Unit = "share"
    better: Literal["higher", "lower"] = "higher"


# Metric name -> what it says, in the order that tables show them.
METRICS: Mapping[str, Metric] = {
    **{
        f"recall@{k}": Metric(f"Recall@{k}", f"Pairs with a labelled clause that one of the first {k} contexts covers.")
        for k in (1, 3, 5)
    },
    **{
        f"clause_recall@{k}": Metric(f"Clause recall@{k}", f"Labelled clauses that the first {k} contexts cover.")
        for k in (1, 3, 5)
    },
    "answered_recall@5": Metric(
        "Answered recall@5", "The pairs of recall@5 that are covered and that the same result does not call not found."
    ),
    **{
        f"page_hit@{k}": Metric(
            f"Page hit@{k}", f"Pairs where an evidence page is among the pages of the first {k} anchors."
        )
        for k in (1, 3, 5)
    },
    "answered_page_hit@5": Metric(
        "Answered page hit@5", "The pairs of page hit@5 that are hit and that the same result does not call not found."
    ),
    "mrr@5": Metric("MRR@5", "Mean of 1 / rank of the first candidate that covers; 0 beyond the fifth."),
    "context_precision": Metric(
        "Context precision", "Of the first five contexts handed over where an answer exists, those that cover one."
    ),
    "characters": Metric(
        "Characters", "Characters of the first five contexts a question, up to 3,000 of each.", "characters", "lower"
    ),
    "absence_precision": Metric("Absence precision", "Of the pairs called not found, those without a label."),
    "absence_recall": Metric("Absence recall", "Of the pairs without a label, those called not found."),
    "absence_f1": Metric("Absence F1", "Harmonic mean of the two."),
    "present_kept": Metric("Present kept", "Of the pairs with a label, those not called not found."),
    "aupr_present": Metric("AUPR present", "Area under precision and recall of 'present' by confidence; ties as one."),
    "precision_at_80_recall": Metric(
        "Precision at 80 % recall", "Best precision where confidence finds 80 % of the pairs with a label."
    ),
    "covered_precision_at_80_recall": Metric(
        "Covered precision at 80 % recall", "The same, a pair counting only if the first five contexts cover a label."
    ),
    "value_accuracy": Metric("Right values", "Of the pairs whose labelled value is compared, those answered rightly."),
    "value_given": Metric("Values given", "Of the pairs whose labelled value is compared, those with a value given."),
    "value_wrong": Metric(
        "Wrong values", "Of the values given, those that are not the labelled one; where nothing is labelled, any is.",
        better="lower",
    ),
    "quotes_checked": Metric("Quotes checked", "Of the answers given, those whose checks against the lines all hold."),
    "answered": Metric("Answered", "Of the pairs with a label, those that end in an answer."),
}  # fmt: skip


class Figure(Part):
    """One metric: its value, the 95 % interval of it, and on how many cases it rests."""

    value: float | None = Field(description="The value; null where there is no case to count.")
    low: float | None = Field(default=None, description="Lower end of the 95 % bootstrap interval; null without one.")
    high: float | None = Field(default=None, description="Upper end of the interval.")
    case_count: int = Field(ge=0, description="Cases counted: pairs, clauses or answers, as the metric says.")


class ModelFigures(Part):
    """What a language model was used for, over all questions of one strategy."""

    questions: int = Field(ge=0, description="Questions put.")
    valid_records: int = Field(ge=0, description="Of these, those that ended in a valid record.")
    calls: int = Field(ge=0, description="Calls of the model, repairs included.")
    input_tokens: int = Field(ge=0, description="Tokens read.")
    output_tokens: int = Field(ge=0, description="Tokens written.")
    repaired: int = Field(ge=0, description="Questions where a reply was valid only after its repair, or in part.")
    fell_back: int = Field(ge=0, description="Questions where rules judged what the model left out.")
    downgraded: int = Field(ge=0, description="Questions where a stage was done by lesser means than asked for.")
    cost: float | None = Field(default=None, description="Cost in `currency`; null where no prices are configured.")
    currency: str | None = Field(default=None, description="Currency of the cost.")


class StrategyFigures(Part):
    """The figures of one strategy, or of one step of the ablation."""

    name: str = Field(description="Strategy or step, as in the column `strategy` of the rows.")
    kind: Literal["strategy", "ablation"] = Field(description="Compared as a whole, or a step of the ablation.")
    description: str = Field(description="What runs and how it is ordered, in one sentence.")
    metrics: dict[str, Figure] = Field(description="Metric name -> figure, in the order of METRICS; those that apply.")
    by_question_type: dict[str, dict[str, Figure]] = Field(description="The same for each question type, by name.")
    failures: dict[str, int] = Field(description="Cause of FAILURE_CAUSES -> number of pairs, all causes named.")
    failure_kinds: dict[str, int] = Field(
        default_factory=dict, description="Where nothing was proposed or the order was wrong: vocabulary or ambiguity."
    )
    model: ModelFigures = Field(description="Use of a language model.")


class Skipped(Part):
    """Something that was asked for, or belongs to the comparison, and was not done."""

    name: str = Field(description="The strategy, the step, or the document.")
    reason: str = Field(description="Why, in one sentence.")


class DatasetAbout(Part):
    """What was measured on."""

    name: str = Field(description="Name of the data set, e.g. 'cuad'.")
    kind: str = Field(description="Kind of its labels: cuad, financebench, mmlongbench, contractnli or workbook.")
    labels_sha256: str = Field(description="Hex SHA-256 of the file with the labels.")
    documents: int = Field(ge=0, description="Documents asked.")
    documents_in_all: int = Field(ge=0, description="Documents of the data set.")
    questions: int = Field(ge=0, description="Pairs of document and question that were put.")
    questions_in_all: int = Field(ge=0, description="Pairs of the data set.")
    present: int = Field(ge=0, description="Pairs whose labels say that the document answers.")
    absent: int = Field(ge=0, description="Pairs whose labels say that it does not.")


class EvaluationSummary(Record):
    """The outcome of one run of `lineproof eval`."""

    SCHEMA_NAME: ClassVar[str] = "evaluation_summary"
    SCHEMA_VERSION: ClassVar[int] = 1

    dataset: DatasetAbout = Field(description="What was measured on.")
    strategies: tuple[StrategyFigures, ...] = Field(description="Strategies in the order asked for, the default first.")
    ablation: tuple[StrategyFigures, ...] = Field(default=(), description="Steps of the ablation, each one more part.")
    skipped: tuple[Skipped, ...] = Field(default=(), description="Strategies and steps that were not run, and why.")
    documents_failed: tuple[Skipped, ...] = Field(
        default=(), description="Documents, and questions of a document, that could not be asked, and why."
    )
    notes: tuple[str, ...] = Field(default=(), description="What was left out or inferred of the labels, a sentence.")
    model: str | None = Field(default=None, description="Language model used; null without one.")
    embedder: str | None = Field(default=None, description="Embedding model used; null without one.")
    cross_encoder: str | None = Field(default=None, description="Cross-encoder used; null without one.")
    sparse_encoder: str | None = Field(default=None, description="Learned sparse encoder used; null without one.")
    answers_generated: bool = Field(default=False, description="Answers were generated and values compared.")
    resamples: int = Field(ge=0, description="Bootstrap resamples behind each interval.")
    resampled: Literal["documents", "pairs"] = Field(
        default="documents", description="What is drawn: whole documents, or pairs where there are too few documents."
    )
    versions: dict[str, str] = Field(description="Versions of Lineproof and of the libraries that shape the figures.")
    dictionary_versions: dict[str, str] = Field(description="Version of each dictionary in force.")
    settings: dict[str, object] = Field(description="Options of the run and settings of retrieval, in full.")
    rows_sha256: str = Field(description="Hex SHA-256 of the rows, so that two runs can be compared.")
