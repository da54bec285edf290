"""What a question costs: time of each stage, calls and tokens of a model, and how often lesser means were used."""

from __future__ import annotations

import pandas as pd

from pipeline.evaluation.report_figures import name_cell
from pipeline.evaluation.report_markup import NOTHING, Element, table, tag
from pipeline.evaluation.summary import EvaluationSummary, StrategyFigures

WHOLE = "all stages"
MILLISECONDS = 1000.0


def show_costs(summary: EvaluationSummary, timings: pd.DataFrame) -> list[Element]:
    """Times of each strategy and stage, then the use of a model."""
    names = [(number, each.name) for number, each in enumerate(summary.strategies, start=1)]
    made: list[Element] = []
    lines = [line for number, name in names for line in _time_lines(number, name, timings)]
    if lines:
        heads = (
            "Strategy",
            "Stage",
            "Questions",
            "Median, ms",
            "95th percentile, ms",
            "CPU median, ms",
            "CPU 95th, ms",
        )
        told = (
            "Measured on the machine that ran the evaluation, beside whatever else it did: compare within this table. "
            "Half of the questions take no longer than the median, 19 of 20 no longer than the 95th percentile."
        )
        made += [tag("p", told), table("Time a question by stage", heads, lines, text_columns=2)]
    made.append(_model_table(summary))
    return made


def question_times(timings: pd.DataFrame, strategy: str, column: str = "wall_seconds") -> pd.Series:
    """Seconds a question of a strategy, all stages together; empty where none was timed."""
    own = timings[timings["strategy"] == strategy]
    return own.groupby(["dataset", "document", "question_id"], sort=True)[column].sum()


def _time_lines(number: int, name: str, timings: pd.DataFrame) -> list[list[Element | str]]:
    own = timings[timings["strategy"] == name]
    if own.empty:
        return []
    stages = list(dict.fromkeys(own["stage"].tolist()))  # in the order they ran
    lines = [
        _time_line(
            name_cell(number, name), WHOLE, question_times(timings, name), question_times(timings, name, "cpu_seconds")
        )
    ]
    for stage in stages if len(stages) > 1 else ():
        of_stage = own[own["stage"] == stage]
        lines.append(_time_line(tag("th", scope="row"), str(stage), of_stage["wall_seconds"], of_stage["cpu_seconds"]))
    return lines


def _time_line(head: Element, stage: str, wall: pd.Series, cpu: pd.Series) -> list[Element | str]:
    told = [_ms(each.quantile(share)) for each in (wall, cpu) for share in (0.5, 0.95)]
    return [head, stage, f"{len(wall):,}", *told]


def _ms(seconds: float) -> str:
    value = float(seconds) * MILLISECONDS
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _model_table(summary: EvaluationSummary) -> Element:
    heads = (
        "Strategy", "Questions", "Valid records", "Calls", "Tokens read", "Tokens written", "Tokens a question",
        "Repaired", "Fell back on rules", "Downgraded", "Cost",
    )  # fmt: skip
    lines = [
        [name_cell(number, each.name), *_model_cells(each)] for number, each in enumerate(summary.strategies, start=1)
    ]
    told = "Use of a language model" if summary.model else "Use of a language model: none was used"
    return table(told, heads, lines)


def _model_cells(strategy: StrategyFigures) -> list[str]:
    use = strategy.model
    tokens = use.input_tokens + use.output_tokens
    counts = (use.questions, use.valid_records, use.calls, use.input_tokens, use.output_tokens)
    a_question = f"{tokens / use.questions:,.0f}" if use.questions else NOTHING
    cost = NOTHING if use.cost is None else f"{use.cost:,.4f} {use.currency or ''}".strip()
    shares = (_share(count, use.questions) for count in (use.repaired, use.fell_back, use.downgraded))
    return [*(f"{count:,}" for count in counts), a_question, *shares, cost]


def _share(count: int, questions: int) -> str:
    return f"{count:,} ({count / questions:.0%})" if questions and count else f"{count:,}"
