"""The report of an evaluation: one HTML file that needs nothing beside it, from the summary, the rows and the times."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pandas as pd

from pipeline.evaluation.report_costs import show_costs
from pipeline.evaluation.report_failures import show_failures
from pipeline.evaluation.report_figures import applying
from pipeline.evaluation.report_findings import show_findings
from pipeline.evaluation.report_markup import NOTHING, Element, Node, page_text, table, tag
from pipeline.evaluation.report_plots import show_calibration, show_plots
from pipeline.evaluation.report_style import STYLE, content_policy
from pipeline.evaluation.report_tables import show_ablation, show_question_types, show_strategies
from pipeline.evaluation.summary import METRICS, EvaluationSummary

SOURCES = (
    (
        "Recall, reciprocal rank and average precision: Manning, Raghavan and Schütze, Introduction to Information "
        "Retrieval (2008), chapter 8. Ties in confidence are taken as one step of the curve."
    ),
    (
        "Covered: at least half of a labelled clause's word 3-grams (all words, if fewer than four), lower-cased, "
        "letters and digits only, stand in the first 3,000 characters of a context."
    ),
    "Intervals of the figures: percentile bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, 1993).",
    "Intervals of shares in the calibration plots: Wilson, Journal of the American Statistical Association 22 (1927).",
    "Reliability diagram: Niculescu-Mizil and Caruana, Predicting Good Probabilities, ICML 2005.",
    "BM25: Robertson and Zaragoza (2009). Rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009.",
)


def write_report(summary: EvaluationSummary, rows: pd.DataFrame, timings: pd.DataFrame) -> str:
    """The report as one HTML page: `rows` is an `EVALUATION_DF`, `timings` a `TIMING_DF`, either may be empty.

    Nothing is fetched and nothing runs in it; every text of a document or a question is escaped. The same input gives
    the same text.
    """
    sections: list[tuple[str, str, Sequence[Element]]] = [
        ("run", "What was run", _show_run(summary)),
        ("strategies", "Strategies side by side", show_strategies(summary)),
        ("plots", "Recall, and what it costs", show_plots(summary)),
        ("confidence", "Can the confidence be trusted?", show_calibration(summary, rows)),
        ("ablation", "What each part adds", show_ablation(summary)),
        ("types", "By type of question", show_question_types(summary, rows)),
        ("cost", "Time and cost", show_costs(summary, timings)),
        ("failures", "Failures and their causes", show_failures(summary, rows)),
        ("settings", "How it was run, in full", _show_settings(summary)),
        ("words", "What the words mean", _show_glossary(summary)),
    ]
    shown = [each for each in sections if each[2]]
    title = f"Retrieval on {summary.dataset.name}"
    links = [tag("li", tag("a", head, href=f"#{name}")) for name, head, _ in shown]
    nav = tag("nav", tag("ul", *links), aria_label="Sections")
    body = tag(
        "body",
        tag("header", tag("h1", title), tag("p", _lead(summary), class_="lead"), nav),
        tag(
            "main",
            show_findings(summary, rows),
            *(tag("section", tag("h2", head, id=name), *parts) for name, head, parts in shown),
        ),
    )  # fmt: skip
    return page_text(tag("html", _head(title), body, lang="en"))


def _head(title: str) -> Element:
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=content_policy()),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", STYLE),
    )


def _lead(summary: EvaluationSummary) -> str:
    about = summary.dataset
    return (
        f"{about.questions:,} questions over {about.documents:,} documents; {about.present:,} have an answer in their "
        f"document, {about.absent:,} have none. {len(summary.strategies)} strategies were asked the same questions."
    )


def _show_run(summary: EvaluationSummary) -> list[Element]:
    about = summary.dataset
    facts: list[tuple[str, Node]] = [
        ("Data set", f"{about.name} ({about.kind})"),
        ("Documents", f"{about.documents:,} of {about.documents_in_all:,}"),
        ("Questions", f"{about.questions:,} of {about.questions_in_all:,}"),
        ("With an answer, without", f"{about.present:,}, {about.absent:,}"),
        ("Language model", summary.model or "none"),
        ("Embeddings", summary.embedder or "none"),
        ("Cross-encoder", summary.cross_encoder or "none"),
        ("Learned sparse encoder", summary.sparse_encoder or "none"),
        ("Answers", "generated and compared" if summary.answers_generated else "not generated: retrieval alone"),
        ("Ablation", f"{len(summary.ablation)} steps" if summary.ablation else "not run: ask for it with --ablate"),
        ("Intervals", f"95 %, bootstrap, {summary.resamples:,} draws of {summary.resampled}"),
    ]
    made = [_wide_table("The run", ("What", "Value"), [[name, value] for name, value in facts])]
    if summary.skipped:
        lines = [[each.name, each.reason] for each in summary.skipped]
        made.append(_wide_table("Strategies and steps that were not run", ("Name", "Why"), lines))
    if summary.documents_failed:
        lines = [[each.name, each.reason] for each in summary.documents_failed]
        made.append(_wide_table("Documents that could not be asked; no figure counts them", ("Document", "Why"), lines))
    return made


def _show_settings(summary: EvaluationSummary) -> list[Element]:
    """What a second run needs to give the same figures."""
    described = [[each.name, each.description] for each in (*summary.strategies, *summary.ablation)]
    versions = [
        *([f"Version of {name}", version] for name, version in summary.versions.items()),
        *([f"Dictionary {name}", version] for name, version in summary.dictionary_versions.items()),
        ["Labels, SHA-256", tag("code", summary.dataset.labels_sha256)],
        ["Rows, SHA-256", tag("code", summary.rows_sha256)],
    ]
    made = [
        _wide_table("What ran under each name", ("Name", "What runs"), described),
        _wide_table("Versions and fingerprints: equal rows have equal fingerprints", ("What", "Value"), versions),
    ]
    settings = [[name, tag("code", _as_text(value))] for name, value in sorted(summary.settings.items())]
    if settings:
        made.append(_wide_table("Settings of the run, in full", ("Setting", "Value"), settings))
    return made


def _wide_table(caption: str, heads: Sequence[str], lines: Sequence[Sequence[Node]]) -> Element:
    return table(caption, heads, lines, text_columns=len(heads), class_="wide")


def _as_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _show_glossary(summary: EvaluationSummary) -> list[Element]:
    names = applying((*summary.strategies, *summary.ablation))
    entries: list[Element] = []
    for name in names:
        metric = METRICS[name]
        better = "" if metric.better == "higher" else " Less is better."
        entries += [tag("dt", metric.title), tag("dd", metric.description + better)]
    return [
        tag("dl", *entries) if entries else tag("p", NOTHING),
        tag("h3", "Sources"),
        tag("ul", *(tag("li", each) for each in SOURCES)),
    ]
