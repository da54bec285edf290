"""What went wrong and why: causes counted for each strategy, then the failures one by one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from pipeline.evaluation.report_figures import badge, name_cell
from pipeline.evaluation.report_markup import NOTHING, Element, table, tag
from pipeline.evaluation.rows import FAILURE_CAUSES
from pipeline.evaluation.summary import EvaluationSummary

LISTED_FIRST = 40  # failures listed of one cause of the default strategy: what a person reads at a sitting
LISTED_OTHERS = 5  # of each other strategy, as examples; all of them stand in the rows
MAX_TEXT = 400  # characters shown of a question or a detail

CAUSES: Mapping[str, tuple[str, str]] = {
    "never_proposed": ("Never proposed", "No detector proposed a passage that covers the answer."),
    "discarded": ("Discarded", "The passage was proposed, and then called tangential or discarded."),
    "cut": ("Cut", "The passage was proposed, but its context was cut before the answer."),
    "wrong_order": ("Wrong order", "The passage was kept, but below the first five."),
    "said_absent": ("Said absent", "The passage was kept, yet the result says that nothing answers."),
    "said_present": ("Said present", "Nothing is labelled, yet a primary passage was given."),
}


def show_failures(summary: EvaluationSummary, rows: pd.DataFrame) -> list[Element]:
    """Causes of every strategy, and a listing: document, question, cause and detail, capped, the rest counted."""
    if not summary.strategies:
        return []
    causes = [name for name in FAILURE_CAUSES if any(each.failures.get(name) for each in summary.strategies)]
    causes += sorted({name for each in summary.strategies for name in each.failures} - set(FAILURE_CAUSES))
    if not causes:
        return [tag("p", "No question failed under any strategy.")]
    kinds = sorted({name for each in summary.strategies for name in each.failure_kinds})
    lines = [
        [
            name_cell(number, each.name),
            *(f"{each.failures.get(cause, 0):,}" for cause in causes),
            f"{sum(each.failures.values()):,}",
            *(f"{each.failure_kinds.get(kind, 0):,}" for kind in kinds),
        ]
        for number, each in enumerate(summary.strategies, start=1)
    ]
    heads = ["Strategy", *(_title(cause) for cause in causes), "All", *(f"of these {kind}" for kind in kinds)]
    meanings = [
        item
        for cause in causes
        if cause in CAUSES
        for item in (tag("dt", CAUSES[cause][0]), tag("dd", CAUSES[cause][1]))
    ]
    made = [table("Failed questions by cause", heads, lines), tag("dl", *meanings)]
    if kinds:
        made.append(
            tag(
                "p",
                "Vocabulary: the answer uses other words than the question, and a dictionary or embeddings may help. "
                "Ambiguity: many passages look alike, and an arbiter or reranker may help.",
            )
        )
    for number, each in enumerate(summary.strategies, start=1):
        most = LISTED_FIRST if number == 1 else LISTED_OTHERS
        made += _list_failures(number, each.name, rows[rows["strategy"] == each.name], most)
    return made


def _list_failures(number: int, name: str, rows: pd.DataFrame, most: int) -> list[Element]:
    """The failures of one strategy, at most `most` of a cause, in the order of the causes and of the data set."""
    failed = rows[rows["failure_cause"].notna()]
    if failed.empty:
        return []
    lines: list[list[Element | str]] = []
    left_out = []
    found = failed["failure_cause"].astype(str)
    for cause in sorted(set(found.tolist()), key=_cause_order):
        of_cause = failed[found == cause]
        lines += [_failure_line(cause, row) for row in of_cause.head(most).to_dict("records")]
        if len(of_cause) > most:
            left_out.append(f"{len(of_cause) - most:,} more of '{_title(cause)}'")
    heads = ("Document", "Question", "Cause", "What happened")
    made = [
        tag("h3", badge(number), f"{name}: {len(failed):,} failures"),
        table(f"Failures of {name}, {len(lines):,} of {len(failed):,}", heads, lines, text_columns=4, class_="wide"),
    ]  # fmt: skip
    if left_out:
        made.append(tag("p", f"Not listed here: {', '.join(left_out)}; all stand in failures.parquet.", class_="soft"))
    return made


def _failure_line(cause: str, row: Mapping[Hashable, Any]) -> list[Element | str]:
    detail = NOTHING if pd.isna(row["failure_detail"]) else _cut(str(row["failure_detail"]))
    asked = tag("td", tag("b", _cut(str(row["question_id"]))), tag("br"), _cut(str(row["question"])), class_="long")
    return [str(row["document"]), asked, _title(cause), tag("td", detail, class_="long")]


def _title(cause: str) -> str:
    return CAUSES[cause][0] if cause in CAUSES else cause


def _cause_order(cause: str) -> tuple[int, str]:
    return (FAILURE_CAUSES.index(cause) if cause in FAILURE_CAUSES else len(FAILURE_CAUSES), cause)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
