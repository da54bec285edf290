"""What to know before relying on a recommendation: time added by a second look, small samples, limits of the data."""

from __future__ import annotations

import pandas as pd

from pipeline.evaluation.pick_evidence import MIN_QUESTIONS, Evidence, latency
from pipeline.evaluation.pick_records import Considered, Wishes
from pipeline.evaluation.pick_rules import read_strategy
from pipeline.evaluation.summary import EvaluationSummary
from pipeline.retrieval.strategies.names import ARBITER

RERANK_SAID = "the source text expects 30 to 100 ms for 30 passages"
TOO_FEW_QUESTIONS = 100  # with an answer; below, an interval of recall is some +-0.08 wide at best


def flag(
    chosen: Considered | None,
    summary: EvaluationSummary,
    evidence: Evidence,
    wishes: Wishes,
    timings: pd.DataFrame | None,
) -> tuple[str, ...]:
    """What to know before relying on the recommendation, the latency of the second look first."""
    told = [*_flag_latency(chosen, summary, evidence, wishes, timings), *_flag_sample(summary, evidence, wishes)]
    if chosen is not None:
        own = evidence.all_rows[evidence.all_rows["strategy"] == chosen.strategy]
        if not own["present"].all() and not own["not_found"].any():
            told.append(f"{chosen.strategy} never says that nothing answers: whoever reads its passages must.")
        if wishes.offline and chosen.model_calls:
            told.append(
                f"Its figures rest on the model {summary.model}: offline, it must be served on the machine itself."
            )
    foreign = [language for language in wishes.languages if language.lower()[:2] != "en"]
    if foreign:
        told.append(
            f"Languages {', '.join(foreign)}: the figures hold for the languages of the data set alone. Questions in "
            "another language than the document need the dictionaries; vectors of English models find next to nothing."
        )
    return tuple(told)


def _flag_latency(
    chosen: Considered | None,
    summary: EvaluationSummary,
    evidence: Evidence,
    wishes: Wishes,
    timings: pd.DataFrame | None,
) -> list[str]:
    told = []
    if chosen is not None:
        told += _flag_second_look(chosen.strategy, evidence, timings)
        if wishes.latency_budget_ms is not None and chosen.latency_p95_ms is None:
            told.append(f"The latency of {chosen.strategy} was not measured: the budget of "
                        f"{wishes.latency_budget_ms:,.0f} ms is not shown to hold.")  # fmt: skip
    for each in summary.strategies:
        parts = read_strategy(each.name)
        if parts and parts.reranker and (chosen is None or each.name != chosen.strategy):
            told += _flag_second_look(each.name, evidence, timings)
    return told


def _flag_second_look(name: str, evidence: Evidence, timings: pd.DataFrame | None) -> list[str]:
    """What reranking or the arbiter adds in time and gives in recall, as measured; nothing for a first stage alone."""
    parts = read_strategy(name)
    if name != ARBITER and (parts is None or parts.reranker is None):
        return []
    stage, does = (ARBITER, "The arbiter") if parts is None else ("rerank", f"Reranking in {name}")
    time = latency(timings, name, stage)
    said = "" if parts is None else f"; {RERANK_SAID}"
    if time is None:
        told = f"{does} adds time that was not measured{said}"
    else:
        median, high, count = time
        told = (
            f"{does} adds {median:,.1f} ms at the median and {high:,.1f} ms at the 95th percentile of {count:,} "
            f"questions, as measured{said}"
        )
    if parts is not None:
        plain = name.rsplit("+", 1)[0]
        gain = evidence.difference(name, plain)
        beside = f"; {plain} was not measured beside it"
        told += f"; against {plain} it gains {gain.told()} of {evidence.metric}" if gain else beside
    return [told + "."]


def _flag_sample(summary: EvaluationSummary, evidence: Evidence, wishes: Wishes) -> list[str]:
    told = []
    count, exact = evidence.pattern_questions, [each for each in wishes.patterns if each != "free_text"]
    if evidence.narrowed:
        told.append(f"The figures are those of the {count:,} questions with an answer that hold {' or '.join(exact)}.")
    elif exact and "free_text" not in wishes.patterns:
        rest = "that is all of them" if count >= MIN_QUESTIONS else "too few, so all questions were used"
        told.append(f"{count:,} questions with an answer hold {' or '.join(exact)}: {rest}.")
    if summary.dataset.present < TOO_FEW_QUESTIONS:
        told.append(f"Only {summary.dataset.present:,} questions have an answer: small differences are chance.")
    if wishes.corpus_size is not None and wishes.corpus_size > summary.dataset.documents:
        told.append(
            f"Measured on {summary.dataset.documents:,} documents, one asked at a time; {wishes.corpus_size:,} are to "
            "be searched. Choose the document first (metadata, profile); a search over all was not timed."
        )
    return told
