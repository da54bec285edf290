"""Figures: ties, thresholds, intervals, and what is left out where there is nothing to count."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.evaluation.metrics import estimates, figures, figures_by_type, resample
from pipeline.evaluation.summary import METRICS
from tests.evaluation.tables import evaluation_row, frame_of


def _ranked(pairs: list[tuple[float, bool]], **changes: object) -> dict[str, float]:
    rows = [
        evaluation_row(document=f"d{at}", present=present, confidence=confidence, **changes)
        for at, (confidence, present) in enumerate(pairs)
    ]
    frame = frame_of(rows)
    return {name: one.value for name, one in estimates(frame, resample(frame, resamples=5)).items()}


def test_ties_of_confidence_are_taken_together() -> None:
    """With one confidence for all, AUPR is the share of pairs that are present, in whatever order they stand."""
    assert _ranked([(0.5, True), (0.5, False)])["aupr_present"] == pytest.approx(0.5)
    assert _ranked([(0.5, False), (0.5, True)])["aupr_present"] == pytest.approx(0.5)
    assert _ranked([(0.9, True), (0.1, False)])["aupr_present"] == pytest.approx(1.0)
    assert _ranked([(0.9, False), (0.1, True)])["aupr_present"] == pytest.approx(0.5)


def test_precision_is_read_where_four_fifths_are_found() -> None:
    """Five present: four of them are found after one that is not."""
    pairs = [(0.9, True), (0.8, True), (0.7, False), (0.6, True), (0.5, True), (0.4, False), (0.3, True)]
    assert _ranked(pairs)["precision_at_80_recall"] == pytest.approx(4 / 5)


def test_a_hit_without_evidence_is_no_hit() -> None:
    """The stricter precision counts a present pair only where a context covers; never reaching 80 % is 0."""
    pairs = [(0.9, True), (0.1, False)]
    assert _ranked(pairs)["covered_precision_at_80_recall"] == 0.0
    assert _ranked(pairs, covered_5=1, first_rank=5)["covered_precision_at_80_recall"] == 1.0


def test_f1_is_the_harmonic_mean() -> None:
    """Two rightly and one wrongly called absent, one absent missed."""
    rows = [
        evaluation_row(document=f"d{at}", present=present, not_found=not_found)
        for at, (present, not_found) in enumerate([(False, True), (False, True), (False, False), (True, True)])
    ]
    frame = frame_of(rows)
    got = {name: one.value for name, one in figures(frame, resample(frame)).items()}
    assert got["absence_precision"] == pytest.approx(2 / 3, abs=1e-6)
    assert got["absence_recall"] == pytest.approx(2 / 3, abs=1e-6)
    assert got["absence_f1"] == pytest.approx(2 / 3, abs=1e-6)
    assert got["present_kept"] == 0.0


def test_whole_documents_are_drawn() -> None:
    """Pairs of one document go together: the interval is as wide as for one pair a document, not narrower."""
    one = [evaluation_row(document=f"d{at}", covered=(at % 2,) * 3) for at in range(10)]
    many = [
        evaluation_row(document=f"d{at}", question_id=str(q), covered=(at % 2,) * 3)
        for at in range(10)
        for q in range(20)
    ]
    narrow, wide = (figures(frame_of(rows), resample(frame_of(rows)))["recall@1"] for rows in (many, one))
    assert (narrow.value, narrow.low, narrow.high) == (wide.value, wide.low, wide.high)
    assert narrow.case_count == 200


def test_few_documents_are_no_clusters() -> None:
    """Fewer than five documents: pairs are drawn, and the summary says so."""
    rows = [evaluation_row(question_id=str(at), covered=(at % 2,) * 3) for at in range(30)]
    assert resample(frame_of(rows)).drawn == "pairs"
    figure = figures(frame_of(rows), resample(frame_of(rows)))["recall@1"]
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < 0.5 < figure.high


def test_intervals_are_the_same_each_time() -> None:
    """The seed is fixed."""
    frame = frame_of([evaluation_row(document=f"d{at}", covered=(at % 2,) * 3) for at in range(9)])
    assert figures(frame, resample(frame)) == figures(frame, resample(frame))


def test_metrics_that_do_not_apply_are_left_out() -> None:
    """Clauses give recall, pages page hits, absence only where something is absent, values only with answers."""
    clauses = frame_of([evaluation_row(covered=(1, 1, 1))])
    pages = frame_of([evaluation_row(covered=(0, 1, 1), gold_kind="pages")])
    one, other = (figures(frame, resample(frame)) for frame in (clauses, pages))
    assert "recall@1" in one
    assert "page_hit@1" not in one
    assert "page_hit@3" in other
    assert "recall@3" not in other
    assert not {"absence_f1", "aupr_present", "value_accuracy", "answered"} & (one.keys() | other.keys())


def test_what_is_called_not_found_is_no_answered_recall() -> None:
    """A pair that is covered and called not found counts for recall, and not for answered recall."""
    for kind, name in (("clauses", "recall@5"), ("pages", "page_hit@5")):
        frame = frame_of([
            evaluation_row(document="a", gold_kind=kind, covered=(1, 1, 1)),
            evaluation_row(document="b", gold_kind=kind, covered=(1, 1, 1), not_found=True),
            evaluation_row(document="c", gold_kind=kind),
            evaluation_row(document="d", gold_kind=kind, present=False, not_found=True),
        ])  # fmt: skip
        got = figures(frame, resample(frame))
        assert got[name].value == pytest.approx(2 / 3, abs=1e-6)
        assert got[f"answered_{name}"].value == pytest.approx(1 / 3, abs=1e-6)
        assert got[f"answered_{name}"].case_count == 3


def test_a_present_pair_without_gold_counts_for_absence_alone() -> None:
    """A question whose place is not labelled is no miss of recall."""
    frame = frame_of([
        evaluation_row(document="a", covered=(1, 1, 1)),
        evaluation_row(document="b", gold_count=0, not_found=True),
    ])  # fmt: skip
    got = figures(frame, resample(frame))
    assert got["recall@1"].value == 1.0
    assert got["recall@1"].case_count == 1
    assert got["present_kept"].value == 0.5


def test_answers_are_counted() -> None:
    """Right values among those compared, checked quotes among answers given, answers among present pairs."""
    rows = [
        evaluation_row(document="a", answer_status="answered", quotes_checked=True, value_right=True),
        evaluation_row(document="b", answer_status="answered", quotes_checked=False, value_right=False),
        evaluation_row(document="c", answer_status="refused", value_right=False),
        evaluation_row(document="d", answer_status="answered", quotes_checked=True, present=False, not_found=True),
    ]
    frame = frame_of(rows)
    got = {name: figure.value for name, figure in figures(frame, resample(frame)).items()}
    assert got["value_accuracy"] == pytest.approx(1 / 3, abs=1e-6)
    assert got["quotes_checked"] == pytest.approx(2 / 3, abs=1e-6)
    assert got["answered"] == pytest.approx(2 / 3, abs=1e-6)


def test_every_metric_is_described() -> None:
    """No figure without a sentence that says what it counts."""
    assert all(metric.title and metric.description.endswith(".") for metric in METRICS.values())


def test_types_are_figured_apart() -> None:
    """Each question type has its own figures, by name."""
    rows = [
        evaluation_row(document="a", question_type="y", covered=(1, 1, 1)),
        evaluation_row(document="b", question_type="x"),
    ]
    frame = frame_of(rows)
    got = figures_by_type(frame, resample(frame))
    assert list(got) == ["x", "y"]
    assert (got["x"]["recall@1"].value, got["y"]["recall@1"].value) == (0.0, 1.0)


def test_the_resampling_draws_as_many_as_there_are() -> None:
    """Each resample holds as many documents as the rows."""
    drawn = resample(frame_of([evaluation_row(document=f"d{at}") for at in range(7)]), resamples=20)
    assert np.all(drawn.weights.sum(axis=1) == 7)


def test_refusals_are_counted_apart_from_wrong_values() -> None:
    """One right, one wrong, one refused, one value where nothing is labelled: two of three values given are wrong."""
    told = {"expected_value": "5", "given_value": "5", "value_right": True, "answer_status": "answered"}
    rows = [
        evaluation_row(document="a", **told),
        evaluation_row(document="b", **{**told, "given_value": "6", "value_right": False}),
        evaluation_row(document="c", **{**told, "given_value": None, "value_right": False, "answer_status": "refused"}),
        evaluation_row(
            document="d", present=False, **{**told, "expected_value": None, "given_value": None, "value_right": None}
        ),
    ]
    got = {name: one.value for name, one in estimates(frame_of(rows), resample(frame_of(rows))).items()}

    assert got["value_accuracy"] == pytest.approx(1 / 3)
    assert got["value_given"] == pytest.approx(2 / 3)
    assert got["value_wrong"] == pytest.approx(2 / 3)
