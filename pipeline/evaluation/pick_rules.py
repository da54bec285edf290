"""What the picker refuses: dense search alone for exact tokens, no second look where stakes are high, broken limits.

The two refusals are those of the source text on retrieval; evidence lifts the first, nothing lifts the second.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.evaluation.pick_evidence import MIN_QUESTIONS, Evidence, Latency, gather, paired_difference
from pipeline.evaluation.pick_records import Refusal, Wishes
from pipeline.evaluation.summary import METRICS, EvaluationSummary, StrategyFigures
from pipeline.retrieval.strategies.names import ARBITER, Strategy, parse_strategy
from schemas.errors import SettingsError

LEXICAL = "bm25_only"
EXACT_PATTERNS = ("codes", "names")
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class Ruling:
    """Why a strategy is refused: one reason a rule; empty where it may be recommended."""

    dense: str | None = None
    stakes: str | None = None
    limits: tuple[str, ...] = ()

    def reasons(self) -> tuple[str, ...]:
        """All reasons, the strongest first."""
        return tuple(reason for reason in (self.dense, self.stakes, *self.limits) if reason)


def read_strategy(name: str) -> Strategy | None:
    """The strategy taken apart; None for the arbiter and for names that are none of ours."""
    try:
        return parse_strategy(name)
    except SettingsError:
        return None


def rule(
    strategy: StrategyFigures, summary: EvaluationSummary, evidence: Evidence, wishes: Wishes, time: Latency | None
) -> Ruling:
    """What speaks against a strategy under the wishes."""
    parts = read_strategy(strategy.name)
    dense = parts is not None and parts.first_stage == "embedding_only" and set(wishes.patterns) & set(EXACT_PATTERNS)
    limits = [
        _breaks_no_model(strategy, parts) if wishes.no_model else None,
        _breaks_offline(parts, summary) if wishes.offline else None,
        _breaks_budget(time, wishes.latency_budget_ms),
        None if evidence.metric in evidence.figures(strategy.name) else "no row of it was measured on these questions",
    ]
    return Ruling(
        dense=_lacks_exactness(strategy.name, summary, evidence, wishes) if dense else None,
        stakes=_lacks_second_look(strategy.name, parts) if wishes.stakes == "high" else None,
        limits=tuple(limit for limit in limits if limit),
    )


def refuse(rulings: dict[str, Ruling]) -> tuple[Refusal, ...]:
    """The rules that refused something, each once, with all the strategies that it refused."""
    made = []
    dense = {name: ruling.dense for name, ruling in rulings.items() if ruling.dense}
    if dense:
        why = "; ".join(dict.fromkeys(dense.values()))
        remedy = (
            f"use a strategy with exact words beside the vectors, or show evidence: at least {MIN_QUESTIONS} labelled "
            f"questions of this kind under both: {command(LEXICAL, 'embedding_only')}"
        )
        made.append(Refusal(what=f"dense search alone ({', '.join(dense)})", why=why, remedy=remedy))
    stakes = [name for name, ruling in rulings.items() if ruling.stakes]
    if stakes:
        made.append(
            Refusal(
                what=f"skipping the reranker or arbiter ({', '.join(stakes)})",
                why="the stakes are high: the first passages decide the answer, and a first stage orders them by "
                "likeness alone, with no reason that a person could check",
                remedy="use the arbiter or a reranked strategy, or say low stakes if nobody relies on the answer",
            )
        )
    for name, ruling in rulings.items():
        if ruling.limits:
            remedy = "relax that wish, or choose among the others"
            made.append(Refusal(what=name, why="; ".join(ruling.limits), remedy=remedy))
    return tuple(made)


def command(*strategies: str, llm: bool = False) -> str:
    """The command that measures strategies; DATASET is the folder or workbook, whose path no record holds."""
    asked = " ".join(f"--strategy {name}" for name in strategies)
    return f"lineproof eval DATASET {asked}{' --llm' if llm else ''}"


def needs_model(parts: Strategy | None) -> bool:
    """True where a strategy cannot run without a language model."""
    return parts is not None and (parts.hyde or parts.reranker in ("llm_rerank", "llm_rerank_ids"))


def _lacks_exactness(name: str, summary: EvaluationSummary, evidence: Evidence, wishes: Wishes) -> str | None:
    """Why dense search alone may not serve exact tokens; None where the figures show that it does."""
    exact = wishes.model_copy(update={"patterns": tuple(each for each in wishes.patterns if each in EXACT_PATTERNS)})
    found = gather(summary, evidence.all_rows, exact)
    kind = " and ".join(exact.patterns)
    opening = f"questions with {kind} need exact words, and vectors blur words that differ by a character"
    if found.pattern_questions < MIN_QUESTIONS:
        return f"{opening}; the evaluation has only {found.pattern_questions} such questions with an answer"
    difference = paired_difference(found.rows, found.resampling, name, LEXICAL, found.metric)
    if difference is None:
        return f"{opening}; {LEXICAL} was not measured beside it"
    if difference.low >= 0:
        return None
    return (
        f"{opening}; on them it differs from {LEXICAL} by {difference.told()} of {METRICS[found.metric].title}, and "
        "the interval reaches below zero"
    )


def _lacks_second_look(name: str, parts: Strategy | None) -> str | None:
    if name == ARBITER or (parts is not None and parts.reranker is not None):
        return None
    return "the stakes are high, and it has neither a reranker nor the arbiter"


def _breaks_no_model(strategy: StrategyFigures, parts: Strategy | None) -> str | None:
    if needs_model(parts):
        return "it needs a language model, and none may be used"
    if strategy.model.calls:
        return f"its figures rest on {strategy.model.calls:,} calls of a language model, and none may be used"
    return None


def _breaks_offline(parts: Strategy | None, summary: EvaluationSummary) -> str | None:
    """Why it reaches beyond the machine; an embedder behind an endpoint is named 'model at host'."""
    _, at, host = (summary.embedder or "").rpartition(" at ")
    searches = parts is not None and parts.first_stage != LEXICAL
    if searches and at and host.rsplit(":", 1)[0] not in LOCAL_HOSTS and host not in LOCAL_HOSTS:
        return f"its texts would go to {host} for vectors, and nothing may leave the machine"
    return None


def _breaks_budget(time: Latency | None, budget: float | None) -> str | None:
    if budget is None or time is None or time[1] <= budget:
        return None
    return f"19 of 20 questions took up to {time[1]:,.0f} ms, the budget is {budget:,.0f} ms"
