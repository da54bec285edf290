"""The report: one page that needs nothing beside it, with all figures, and nothing of a document as markup."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from lxml import html

from pipeline.evaluation.plots import Bars, Curve, Point, Value, draw_bars, draw_cloud, draw_curves
from pipeline.evaluation.plots_axes import find_ticks, round_up
from pipeline.evaluation.report import write_report
from pipeline.evaluation.report_figures import find_best
from pipeline.evaluation.report_markup import table
from pipeline.evaluation.report_plots import _precision_curve, wilson
from pipeline.evaluation.rows import EVALUATION_DF, TIMING_DF
from pipeline.evaluation.summary import Figure, Skipped
from schemas.errors import TableError
from tests.evaluation.built_summary import (
    build_figures,
    build_large,
    build_row,
    build_rows,
    build_summary,
    build_timings,
    missed,
)  # fmt: skip

STRATEGIES = ("arbiter", "bm25_only", "embedding_only", "hybrid_rrf+cross_encoder")
HOSTILE = "</table><script>alert(1)</script><img src=x onerror=alert(2)>\u202eevil\x00 & 'quoted' \"text\""


@pytest.fixture(scope="module")
def page() -> str:
    """The report of a made-up evaluation with all there may be."""
    return write_report(*build_large(STRATEGIES))


def test_same_input_gives_same_bytes(page: str) -> None:
    """Two reports of the same evaluation are equal."""
    assert write_report(*build_large(STRATEGIES)) == page


def test_page_needs_nothing_beside_it(page: str) -> None:
    """No address, script, frame, font or picture is fetched; a policy forbids it, and allows the one style sheet."""
    assert not re.search(r"https?:|//[a-z]|url\(|@import|@font-face", page)
    tree = html.fromstring(page)
    assert not tree.xpath("//script | //iframe | //link | //img | //object | //embed | //@style | //@onload | //form")
    assert all(link.startswith("#") for link in tree.xpath("//@href"))
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    style = tree.xpath("//style")[0].text
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert "default-src 'none'" in policy
    assert f"'sha256-{digest}'" in policy


def test_every_link_of_the_page_leads_somewhere(page: str) -> None:
    """The contents of the page name sections that are there, each id once."""
    tree = html.fromstring(page)
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in tree.xpath("//nav//@href")} <= set(ids)


def test_hostile_text_is_shown_and_not_run() -> None:
    """Markup in a question, a document name, a detail, a strategy, a reason or a setting stays text."""
    row = build_row(
        HOSTILE, HOSTILE, HOSTILE, question=HOSTILE, question_type=HOSTILE, failure_cause="never_proposed",
        failure_detail=HOSTILE, failure_kind="vocabulary", **missed(),
    )  # fmt: skip
    figures = build_figures(HOSTILE, {"recall@5": 0.5}, failures={"never_proposed": 1}, description=HOSTILE)
    figures = figures.model_copy(update={"by_question_type": {HOSTILE: figures.metrics}})
    summary = build_summary(
        [figures], skipped=(Skipped(name=HOSTILE, reason=HOSTILE),), settings={HOSTILE: [HOSTILE]}, model=HOSTILE,
        documents_failed=(Skipped(name=HOSTILE, reason=HOSTILE),), versions={HOSTILE: HOSTILE},
    )  # fmt: skip
    rows = build_rows([row])
    text = write_report(summary, rows, build_timings(rows, {HOSTILE: {HOSTILE: 0.1}}))
    tree = html.fromstring(text)
    assert not tree.xpath("//script | //img | //@onerror")
    assert "<script" not in text
    assert "alert(1)" in tree.text_content()
    assert "\u202e" not in text
    assert "\x00" not in text


def test_strategies_stand_side_by_side_with_intervals(page: str) -> None:
    """Each strategy has a row with value, interval and, at the best, the mark; numbers are marked as such."""
    tables = {each.xpath("string(caption)"): each for each in html.fromstring(page).xpath("//table")}
    found = next(each for name, each in tables.items() if name.startswith("Finding"))
    rows = [row.text_content() for row in found.xpath("tbody/tr")]
    assert len(rows) == len(STRATEGIES)
    assert "0.920 ★0.890 to 0.950" in rows[0]
    assert not any("★" in row for row in rows[1:])
    assert all("num" in cell.get("class", "") for cell in found.xpath("tbody//td"))


def test_tables_are_accessible(page: str) -> None:
    """Every table has a caption, scoped heads, and rows as wide as its head; every plot has a name."""
    tree = html.fromstring(page)
    assert tree.get("lang") == "en"
    for each in tree.xpath("//table"):
        assert each.xpath("string(caption)")
        heads = each.xpath("thead/tr/th")
        assert all(head.get("scope") == "col" for head in heads)
        assert all(len(row) == len(heads) for row in each.xpath("tbody/tr"))
        assert all(head.get("scope") == "row" for head in each.xpath("tbody/tr/th"))
    assert all(plot.get("aria-label") and plot.get("role") == "img" for plot in tree.xpath("//svg"))


def test_metrics_that_do_not_apply_are_left_out() -> None:
    """A data set with pages alone shows page hits, no clauses, and no curve of confidence without absent pairs."""
    rows = build_rows([build_row("arbiter", "a.pdf", "q", gold_kind="pages")])
    text = write_report(build_summary([build_figures("arbiter", {"page_hit@5": 0.7})]), rows, TIMING_DF.empty())
    assert "Page hit@5" in text
    assert "Clause recall" not in text
    assert "Can the confidence be trusted" not in text


def test_empty_evaluation_gives_a_page() -> None:
    """No strategy, no row and no time still give a page that says what was run."""
    text = write_report(build_summary([]), EVALUATION_DF.empty(), TIMING_DF.empty())
    assert "What was run" in text


def test_failures_are_listed_by_cause_and_the_rest_is_counted() -> None:
    """The listing is capped for each cause, and says how many of which cause it leaves out."""
    rows = build_rows(
        [
            build_row(
                "arbiter", f"{number}.pdf", "q", failure_cause=cause, failure_detail=f"Seen {number}.", **missed()
            )
            for number, cause in enumerate(["never_proposed"] * 45 + ["cut"] * 2)
        ]
    )
    figures = build_figures("arbiter", {"recall@5": 0.1}, failures={"never_proposed": 45, "cut": 2})
    text = html.fromstring(write_report(build_summary([figures]), rows, TIMING_DF.empty())).text_content()
    assert "Seen 39." in text
    assert "Seen 40." not in text
    assert "Seen 46." in text
    assert "5 more of 'Never proposed'" in text


def test_times_are_told_by_stage() -> None:
    """Median, 95th percentile and CPU of each stage in milliseconds, and of all stages together."""
    rows = build_rows([build_row("arbiter", f"{number}.pdf", "q") for number in range(3)])
    timings = build_timings(rows, {"arbiter": {"bm25": 0.010, "judge": 0.0025}})
    summary = build_summary([build_figures("arbiter", {"recall@5": 0.9})])
    tree = html.fromstring(write_report(summary, rows, timings))
    times = next(each for each in tree.xpath("//table") if each.xpath("string(caption)").startswith("Time a question"))
    told = [[cell.text_content() for cell in row][1:] for row in times.xpath("tbody/tr")]
    assert told == [
        ["all stages", "3", "12.5", "12.5", "12.5", "12.5"],
        ["bm25", "3", "10.0", "10.0", "10.0", "10.0"],
        ["judge", "3", "2.5", "2.5", "2.5", "2.5"],
    ]


def test_ablation_tells_the_gain_of_each_step(page: str) -> None:
    """Each step shows what it gains over the step before, in points."""
    tree = html.fromstring(page)
    steps = next(each for each in tree.xpath("//table") if each.xpath("string(caption)").startswith("Ablation"))
    assert [row[2].text_content() for row in steps.xpath("tbody/tr")] == ["–", "+6.0", "+6.0", "+6.0", "+6.0"]


def test_best_is_marked_for_equals_and_by_direction() -> None:
    """Values that print the same share the mark, fewer characters are better, and a lone value has no mark."""
    close = [Figure(value=0.9001, case_count=9), Figure(value=0.9004, case_count=9), Figure(value=0.89, case_count=9)]
    assert find_best("recall@5", close) == {0, 1}
    assert find_best("characters", [Figure(value=900.0, case_count=9), None, Figure(value=800.0, case_count=9)]) == {2}
    assert find_best("recall@5", [Figure(value=0.9, case_count=9), Figure(value=None, case_count=0)]) == set()


def test_wilson_interval_is_that_of_the_paper() -> None:
    """8 of 10: 0.490 to 0.943, as printed in textbooks; no hit keeps its lower end at 0."""
    value = wilson(8, 10)
    assert (round(value.low or 0, 3), round(value.high or 0, 3)) == (0.490, 0.943)
    assert wilson(0, 5).low == pytest.approx(0.0)


def test_plots_take_what_is_missing_and_what_coincides() -> None:
    """A value that was not measured is named so, badges on one place are set apart, and empty plots are drawn."""
    bars = html.tostring(draw_bars("b", ["k"], [Bars(1, "one", (None,))], x_title="x"), encoding="unicode")
    assert "not measured" in bars
    points = [Point(number, f"s{number}", 1000.0, Value(0.9)) for number in range(1, 6)]
    cloud = draw_cloud("c", points, x_title="x", y_title="y")
    places = {(each.get("cx"), each.get("cy")) for each in cloud.iter("circle") if each.get("r") == "8.5"}
    assert len(places) == 2 * len(points)  # each once in the cloud and once in the legend
    assert len(draw_curves("p", [Curve(1, "empty", ())], x_title="x", y_title="y"))
    assert len(draw_cloud("c", [], x_title="x", y_title="y"))


def test_scales_end_and_tick_at_round_numbers() -> None:
    """Ticks are round and within the scale; the end takes the value in."""
    assert find_ticks(0.0, 1.0) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert find_ticks(0.0, 3000.0) == [0.0, 1000.0, 2000.0, 3000.0]
    assert [round_up(value) for value in (0.0, 2400.0, 100.0, 7.0)] == [1.0, 3000.0, 100.0, 8.0]


def test_table_with_a_short_row_is_refused() -> None:
    """A row that does not fit the heads is a fault of the report, told at once."""
    with pytest.raises(TableError, match="2 heads, a row of 1 cells"):
        table("t", ["a", "b"], [["x"]])


def test_curve_of_many_confidences_stays_small() -> None:
    """Steps that no plot can show are left out; the first and the last stay."""
    rows = build_rows(
        [
            build_row("arbiter", "a.pdf", str(number), present=number % 2 == 0, confidence=1 - number / 10_000)
            for number in range(5_000)
        ]
    )
    points = _precision_curve(rows)
    assert len(points) < 1_000
    assert points[0][0] == 0.0
    assert points[-1][0] == 1.0


def test_outcome_says_whether_the_lead_may_be_chance(page: str) -> None:
    """The best and the next are compared on the same questions, with the interval of the difference."""
    outcome = html.fromstring(page).xpath("string(//div[@class='finding'])")
    assert "Most is found by arbiter: Recall@5 0.920" in outcome
    assert re.search(r"on the same questions arbiter finds [+-]0\.\d{3} \(.*\), which may be chance", outcome)
    assert "Not run: hybrid_rrf+llm_rerank" in outcome


def test_outcome_says_how_much_of_what_is_found_is_called_not_found() -> None:
    """Beside the recall stands how many of the covered pairs the same result does not deny."""
    figures = build_figures("arbiter", {"recall@5": 0.9, "answered_recall@5": 0.7})
    page = write_report(build_summary([figures]), build_rows([]), TIMING_DF.empty())
    outcome = html.fromstring(page).xpath("string(//div[@class='finding'])")
    assert "of these 90, 70 were not called not found (Answered recall@5 0.700)" in outcome
