"""The retrieval picker: which stack to use, by the figures of one's own evaluation, with what it refuses and why.

After the picker of the source text on retrieval, which recommends from rules of thumb; this one recommends nothing that
was not measured, and names the command that would measure the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from pipeline.evaluation.pick_evidence import Evidence, Latency, gather, latency
from pipeline.evaluation.pick_flags import flag
from pipeline.evaluation.pick_parts import (
    choose_encoder,
    choose_reranker,
    find_not_measured,
    name_stack,
    plan,
)  # fmt: skip
from pipeline.evaluation.pick_records import Considered, Recommendation, Wishes
from pipeline.evaluation.pick_rules import Ruling, refuse, rule
from pipeline.evaluation.report_figures import answered_metric
from pipeline.evaluation.summary import METRICS, EvaluationSummary, Figure
from pipeline.retrieval.strategies.names import ARBITER


def recommend(
    summary: EvaluationSummary, rows: pd.DataFrame, wishes: Wishes, *, timings: pd.DataFrame | None = None
) -> Recommendation:
    """The stack that the figures support: `rows` is the `EVALUATION_DF` of the summary, `timings` its `TIMING_DF`.

    Of the strategies that no rule refuses, the one that finds most; those whose paired difference to it has an interval
    that reaches zero are equals, and among equals the arbiter wins where the stakes are high, else the faster one.
    """
    evidence = gather(summary, rows, wishes)
    times = {each.name: latency(timings, each.name) for each in summary.strategies}
    rulings = {each.name: rule(each, summary, evidence, wishes, times[each.name]) for each in summary.strategies}
    considered = [
        _consider(each.name, each.model.calls, evidence, times[each.name], rulings[each.name])
        for each in summary.strategies
    ]
    chosen, equals = _choose([each for each in considered if each.verdict == "fits"], evidence, wishes)
    return Recommendation(
        wishes=wishes,
        dataset=summary.dataset.name,
        documents=int(evidence.rows["document"].nunique()),
        questions=chosen.recall.case_count if chosen else 0,
        metric=evidence.metric,
        strategy=chosen.strategy if chosen else None,
        stack=name_stack(chosen.strategy) if chosen else None,
        why=_explain(chosen, equals, considered, evidence, wishes),
        dense_encoder=choose_encoder(chosen.strategy if chosen else None, summary, wishes),
        reranker=choose_reranker(chosen.strategy if chosen else None, summary),
        considered=tuple(_settle(each, chosen, evidence) for each in considered),
        refusals=refuse(rulings),
        flags=flag(chosen, summary, evidence, wishes, timings),
        not_measured=find_not_measured(summary),
        evaluation_plan=plan(chosen, evidence, wishes),
        rows_sha256=summary.rows_sha256,
    )


def _consider(name: str, calls: int, evidence: Evidence, time: Latency | None, ruling: Ruling) -> Considered:
    figures = evidence.figures(name)
    characters = figures.get("characters")
    return Considered(
        strategy=name,
        recall=figures.get(evidence.metric, Figure(value=None, case_count=0)),
        mrr=figures.get("mrr@5"),
        characters=characters.value if characters else None,
        latency_median_ms=round(time[0], 3) if time else None,
        latency_p95_ms=round(time[1], 3) if time else None,
        model_calls=calls,
        verdict="refused" if ruling.reasons() else "fits",
        reasons=ruling.reasons(),
    )


def _choose(
    fitting: Sequence[Considered], evidence: Evidence, wishes: Wishes
) -> tuple[Considered | None, list[Considered]]:
    """The strategy to recommend, and the others that cannot be told apart from the best."""
    measured = [each for each in fitting if each.recall.value is not None]
    if not measured:
        return None, []
    best = max(measured, key=_recall)  # the first among equals
    equals = [each for each in measured if each is best or _is_equal(best, each, evidence)]
    places = {each.strategy: place for place, each in enumerate(fitting)}

    def preference(each: Considered) -> tuple[float, ...]:
        time = each.latency_p95_ms if each.latency_p95_ms is not None else float("inf")
        characters = each.characters if each.characters is not None else float("inf")
        cost = (time, characters, float(places[each.strategy]))
        mrr = each.mrr.value if each.mrr and each.mrr.value is not None else 0.0
        return (float(each.strategy != ARBITER), -round(mrr, 3), *cost) if wishes.stakes == "high" else cost

    chosen = min(equals, key=preference)
    return chosen, [each for each in equals if each is not chosen]


def _is_equal(best: Considered, other: Considered, evidence: Evidence) -> bool:
    difference = evidence.difference(best.strategy, other.strategy)
    return difference is not None and difference.low <= 0


def _recall(each: Considered) -> float:
    return each.recall.value if each.recall.value is not None else -1.0


def _explain(
    chosen: Considered | None, equals: Sequence[Considered], considered: Sequence[Considered], evidence: Evidence,
    wishes: Wishes,
) -> str:  # fmt: skip
    """The reason in words, with the figures of the chosen strategy and their sample."""
    if chosen is None:
        nearest = max(considered, key=_recall, default=None)
        if nearest is None:
            return "The evaluation holds no strategy: nothing is recommended that was not measured."
        return (
            f"No strategy of the evaluation meets all wishes, and none is recommended. Most is found by "
            f"{nearest.strategy} ({_tell(nearest, evidence)}), refused because {'; '.join(nearest.reasons)}."
        )
    told = f"{chosen.strategy} has {_tell(chosen, evidence)}"
    if not equals:
        alone = all(each is chosen or each.verdict == "refused" for each in considered)
        most = "the only measured strategy that meets the wishes" if alone else "the most of those that meet the wishes"
        return f"{told}: {most}{'' if alone else ', beyond chance'}."
    names = ", ".join(f"{each.strategy} ({evidence.metric} {_recall(each):.3f})" for each in equals)
    if wishes.stakes == "low":
        reason = "it costs less time or text"
    elif chosen.strategy == ARBITER:
        reason = "the arbiter gives a reason for each passage"
    else:
        reason = "it puts the answer higher, or costs less"
    return f"{told}. It cannot be told apart from {names} on these questions; among equals it is chosen since {reason}."


def _tell(each: Considered, evidence: Evidence) -> str:
    figure = each.recall
    if figure.value is None:
        return "nothing measured on these questions"
    between = f" ({figure.low:.3f} to {figure.high:.3f})" if figure.low is not None and figure.high is not None else ""
    answered = evidence.figures(each.strategy).get(answered_metric(evidence.metric))
    kept = (
        f", {METRICS[answered_metric(evidence.metric)].title} {answered.value:.3f} (not called not found)"
        if answered is not None and answered.value is not None
        else ""
    )
    mrr = f", MRR@5 {each.mrr.value:.3f}" if each.mrr and each.mrr.value is not None else ""
    time = f", {each.latency_median_ms:,.1f} ms at the median" if each.latency_median_ms is not None else ""
    count, documents = figure.case_count, evidence.rows["document"].nunique()
    return (
        f"{METRICS[evidence.metric].title} {figure.value:.3f}{between}{kept}{mrr}{time}, on {count:,} questions with "
        f"an answer in {documents:,} documents"
    )


def _settle(each: Considered, chosen: Considered | None, evidence: Evidence) -> Considered:
    """The strategy with its final verdict, and for those that fit how far they are from the chosen one."""
    if each is chosen:
        return each.model_copy(update={"verdict": "recommended"})
    if each.verdict == "refused" or chosen is None:
        return each
    difference = evidence.difference(each.strategy, chosen.strategy)
    told = "not comparable" if difference is None else f"{difference.told()} of {evidence.metric}"
    return each.model_copy(update={"reasons": (f"against {chosen.strategy}: {told}",)})
