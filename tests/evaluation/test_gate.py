"""The gate: a drop beyond chance stops, chance does not, and runs that cannot be compared are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pipeline.evaluation.gate import compare_runs
from pipeline.evaluation.metrics import figures, resample
from pipeline.evaluation.progress_files import to_parquet
from pipeline.evaluation.summary import DatasetAbout, EvaluationSummary, ModelFigures, StrategyFigures
from pipeline.evaluation.totals import rows_sha256
from schemas.errors import InputError
from tests.commands import call
from tests.evaluation.tables import evaluation_row, frame_of

MODEL = ModelFigures(
    questions=1, valid_records=1, calls=0, input_tokens=0, output_tokens=0, repaired=0, fell_back=0, downgraded=0
)


def _rows(hits: int, *, documents: int = 20, each: int = 5, **changes: Any) -> pd.DataFrame:
    """So many of the pairs are covered first, spread over the documents."""
    rows = [
        evaluation_row(
            document=f"d{at % documents}", question_id=str(at // documents), covered=(int(at < hits),) * 3, **changes
        )
        for at in range(documents * each)
    ]
    return frame_of(rows)


def _save(folder: Path, rows: pd.DataFrame, *, labels: str = "a" * 64, with_rows: bool = True) -> Path:
    folder.mkdir()
    names = list(dict.fromkeys(rows["strategy"].tolist()))
    strategies = []
    for name in names:
        own = rows[rows["strategy"] == name]
        strategies.append(StrategyFigures(
            name=name, kind="strategy", description="-", metrics=figures(own, resample(own)), by_question_type={},
            failures={}, model=MODEL,
        ))  # fmt: skip
    about = DatasetAbout(
        name="small", kind="cuad", labels_sha256=labels, documents=rows["document"].nunique(), documents_in_all=20,
        questions=len(rows), questions_in_all=100, present=len(rows), absent=0,
    )  # fmt: skip
    summary = EvaluationSummary(
        dataset=about, strategies=tuple(strategies), resamples=10, versions={}, dictionary_versions={}, settings={},
        rows_sha256=rows_sha256(rows),
    )  # fmt: skip
    (folder / "summary.json").write_bytes(summary.to_json())
    if with_rows:
        (folder / "evaluation.parquet").write_bytes(to_parquet(rows))
    return folder / "summary.json"


def test_the_same_run_passes(tmp_path: Path) -> None:
    """No difference, no complaint; the comparison is by pairs where both have their rows."""
    report = compare_runs(_save(tmp_path / "a", _rows(60)), _save(tmp_path / "b", _rows(60)))
    assert report.passed
    assert report.method == "paired"
    assert report.pairs == 100
    assert {check.verdict for check in report.checks} == {"same"}


@pytest.mark.parametrize("with_rows", [True, False])
def test_a_large_drop_stops(tmp_path: Path, with_rows: bool) -> None:
    """Thirty points of recall are beyond chance, by pairs and by intervals; a gain of as much is not stopped at."""
    good = _save(tmp_path / "a", _rows(90), with_rows=with_rows)
    bad = _save(tmp_path / "b", _rows(60), with_rows=with_rows)
    report = compare_runs(good, bad)
    assert not report.passed
    recall = next(check for check in report.worse() if check.metric == "recall@1")
    assert (recall.before, recall.now, recall.change) == (0.9, 0.6, -0.3)
    assert recall.high is not None
    assert recall.high < 0
    gain = compare_runs(bad, good)
    assert gain.passed
    assert "better" in {check.verdict for check in gain.checks}


def test_a_drop_within_chance_passes(tmp_path: Path) -> None:
    """One pair of a hundred changes sides with another: no one can tell that from chance."""
    report = compare_runs(_save(tmp_path / "a", _rows(60)), _save(tmp_path / "b", _rows(59)))
    assert report.passed
    assert next(check for check in report.checks if check.metric == "recall@1").change == pytest.approx(-0.01)


def test_pairs_notice_what_intervals_miss(tmp_path: Path) -> None:
    """The same drop of eight pairs: significant on the pairs, hidden in the width of two intervals."""
    rows = [
        evaluation_row(document=f"d{number}", question_id=str(each), covered=(int(number < 12),) * 3)
        for number in range(20)
        for each in range(5)
    ]
    worse = [{**row, **dict.fromkeys(("covered_1", "covered_3", "covered_5", "first_rank", "covering_count"), 0)}
             if row["question_id"] == "0" and row["document"] < "d15" else row for row in rows]  # fmt: skip
    old, new = frame_of(rows), frame_of(worse)
    paired = compare_runs(_save(tmp_path / "a", old), _save(tmp_path / "b", new))
    apart = compare_runs(_save(tmp_path / "c", old, with_rows=False), _save(tmp_path / "d", new, with_rows=False))
    assert not paired.passed
    assert apart.passed
    assert apart.notes


def test_more_text_is_a_loss_only_beyond_a_tenth(tmp_path: Path) -> None:
    """Five percent more characters pass, fifty do not; fewer are a gain."""
    base = _save(tmp_path / "a", _rows(60))
    little, much, less = (
        compare_runs(base, _save(tmp_path / f"x{size}", _rows(60, characters=size))) for size in (1_050, 1_500, 500)
    )
    assert little.passed
    assert [check.metric for check in much.worse()] == ["characters"]
    assert next(check for check in less.checks if check.metric == "characters").verdict == "better"


def test_faithfulness_and_unanswered_are_gated(tmp_path: Path) -> None:
    """Answers whose checks fail, and questions left without an answer, stop the gate."""
    good = _rows(60, answer_status="answered", quotes_checked=True)
    unproven = _rows(60, answer_status="answered", quotes_checked=False)
    silent = _rows(60, answer_status="refused")
    base = _save(tmp_path / "a", good)
    assert "quotes_checked" in {one.metric for one in compare_runs(base, _save(tmp_path / "b", unproven)).worse()}
    assert "answered" in {one.metric for one in compare_runs(base, _save(tmp_path / "c", silent)).worse()}


def test_only_common_pairs_are_compared(tmp_path: Path) -> None:
    """A smaller sample is compared on what both put, and the report says how much that is."""
    old, new = _rows(90), _rows(90)
    part = new[new["document"].isin([f"d{at}" for at in range(10)])].reset_index(drop=True)
    report = compare_runs(_save(tmp_path / "a", old), _save(tmp_path / "b", part))
    assert report.passed
    assert report.pairs == 50
    assert "50 of 100 pairs" in report.notes[0]


def test_runs_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    """Missing, of other labels, of another sample without rows, without a strategy of the baseline, nothing common."""
    base = _save(tmp_path / "a", _rows(60))
    with pytest.raises(InputError, match="no summary"):
        compare_runs(tmp_path / "missing", base)
    with pytest.raises(InputError, match="other labels"):
        compare_runs(base, _save(tmp_path / "b", _rows(60), labels="b" * 64))
    with pytest.raises(InputError, match="same sample"):
        compare_runs(base, _save(tmp_path / "c", _rows(60, documents=10), with_rows=False))
    with pytest.raises(InputError, match="was not run"):
        compare_runs(base, _save(tmp_path / "d", _rows(60, strategy="bm25_only")))
    with pytest.raises(InputError, match="no strategy 'dense'"):
        compare_runs(base, base, strategies=["dense"])
    other = _rows(60)
    other["document"] = [f"z{name}" for name in other["document"].tolist()]
    with pytest.raises(InputError, match="in common"):
        compare_runs(base, _save(tmp_path / "e", other))


def test_the_command_ends_with_its_own_code(tmp_path: Path) -> None:
    """Exit code 7 with the metric and by how much; 0 when all is well; 2 for a missing baseline."""
    good, bad = _save(tmp_path / "a", _rows(90)), _save(tmp_path / "b", _rows(60))
    stopped = call("eval", "gate", "--baseline", good, "--current", bad)
    assert stopped.exit_code == 7, stopped.output
    assert "recall@1 of arbiter -0.300" in " ".join(stopped.stdout.split())
    assert call("eval", "gate", "--baseline", good.parent, "--current", good).exit_code == 0
    missing = call("eval", "gate", "--baseline", tmp_path / "none.json", "--current", good)
    assert missing.exit_code == 2
    assert "no summary" in missing.stderr
    told = call("eval", "gate", "--baseline", good, "--current", bad, "--json")
    assert told.exit_code == 7
    assert '"passed": false' in told.stdout


def test_a_damaged_baseline_is_told(tmp_path: Path) -> None:
    """A file that is no summary ends in a sentence that names it."""
    (tmp_path / "b.json").write_text("{}")
    result = call("eval", "gate", "--baseline", tmp_path / "b.json", "--current", tmp_path / "b.json")
    assert result.exit_code == 5
    assert "b.json" in result.stderr


@pytest.mark.parametrize("data", [b"PAR1\x00\xff", b"[1]", b"not json", b'{"schema_version": 1, "text": "x"}'])
def test_a_file_that_is_no_summary_is_told_what_one_is(tmp_path: Path, data: bytes) -> None:
    """Nobody is told to delete a file of their own: the message says which file is meant."""
    (tmp_path / "rows.parquet").write_bytes(data)
    result = call("eval", "gate", "--baseline", tmp_path / "rows.parquet", "--current", tmp_path / "rows.parquet")
    assert result.exit_code == 5
    assert "give the summary.json that `lineproof eval DATASET --out DIR` writes" in " ".join(result.stderr.split())
    assert "delete" not in result.stderr


def test_figures_that_do_not_follow_from_the_rows_are_refused(tmp_path: Path) -> None:
    """A figure written by hand, and rows of another run, end in exit code 2 with the figure that differs."""
    good, doctored = _save(tmp_path / "a", _rows(60)), _save(tmp_path / "b", _rows(60))
    doctored.write_text(doctored.read_text().replace('"value": 0.6', '"value": 0.9', 1))
    for one, other in ((good, doctored), (doctored, good.parent)):
        result = call("eval", "gate", "--baseline", one, "--current", other)
        assert result.exit_code == 2, result.output
        told = " ".join(result.stderr.split())
        assert "do not follow from the rows" in told
        assert "recall@1 of arbiter is 0.9 (100 cases) there, and 0.6 (100 cases) by the rows" in told
    (tmp_path / "b" / "evaluation.parquet").write_bytes(to_parquet(_rows(70)))
    with pytest.raises(InputError, match="not made of the rows beside it"):
        compare_runs(good, doctored)
