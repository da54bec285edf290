"""The rules for questions that a report answers with a figure, or with the reasons of one.

An analyst reads a figure off the primary statement that carries its line (IAS 1, SEC Regulation S-X), works a ratio out
from the lines of its components, and looks for the reasons of a change in prose.
"""

from __future__ import annotations

from pipeline.retrieval.arbiter.rule import Rule, always, topic
from pipeline.retrieval.signals import Signals


def _years(s: Signals) -> str:
    return ", ".join(map(str, s.row_period))


def _gives_reason(s: Signals) -> bool:
    return s.gives_reason and (s.on_topic or s.titled) and not s.is_contents


FIGURE_RULES: tuple[Rule, ...] = (
    Rule(
        "statement_line",
        lambda s: s.row_names == "item" and s.statement is not None,
        always("primary"),
        lambda s: f"Is the line {topic(s)} of the primary statement '{s.statement}', with figures for {_years(s)}.",
    ),
    Rule(
        "statement_component",
        lambda s: s.row_names == "component" and s.statement is not None,
        lambda _, pool: "supporting" if pool.has_statement_line else "primary",
        lambda s: (
            f"Is a line of the primary statement '{s.statement}' that what is asked is worked out from: {topic(s)}, "
            f"with figures for {_years(s)}."
        ),
    ),
    Rule(
        "table_row",
        lambda s: s.row_names == "item" and not s.outside_named_section,
        always("primary"),
        lambda s: f"Is a row of a table whose label is {topic(s)}, with figures for {_years(s)}.",
    ),
    Rule(
        "gives_reason",
        lambda s: s.gives_reason and (_gives_reason(s) or (s.headed and bool(s.secondary_terms))),
        lambda s, pool: "primary" if _gives_reason(s) or not pool.has_reason else "supporting",
        lambda s: f"Says what {topic(s)} comes from, which is asked.",
    ),
    Rule(
        "figures_without_reason",
        lambda s: s.lacks_reason and s.on_topic,
        lambda _, pool: "supporting" if pool.has_reason else "primary",
        lambda s: f"Gives figures of {topic(s)}; the reasons that are asked do not stand in a row of figures.",
    ),
)
