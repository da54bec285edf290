"""The picker: it recommends what was measured, refuses what the source text refuses, and names what is missing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pipeline.evaluation.pick import recommend
from pipeline.evaluation.pick_evidence import matches
from pipeline.evaluation.pick_parts import name_stack
from pipeline.evaluation.pick_records import Recommendation, Wishes
from pipeline.evaluation.progress_files import to_parquet
from pipeline.evaluation.summary import EvaluationSummary, ModelFigures, Skipped
from pipeline.evaluation.totals import rows_sha256
from tests.commands import assert_clear, call
from tests.evaluation.built_summary import (
    build_figures,
    build_row,
    build_rows,
    build_summary,
    build_timings,
    missed,
)  # fmt: skip

CODE = "What is the value of part XK-2200-B?"
PROSE = "Who bears the cost of delay?"
LOW = Wishes(stakes="low")


def measured(
    hits: Mapping[str, int],
    *,
    question: str = PROSE,
    calls: Mapping[str, int] | None = None,
    absent: int = 0,
    **fields: Any,
) -> tuple[EvaluationSummary, pd.DataFrame]:
    """An evaluation where each strategy finds the first so many of 100 questions, ten a document."""
    rows = [
        build_row(name, f"{number // 10}.pdf", f"q{number}", question=question, **({} if number < found else missed()))
        for name, found in hits.items()
        for number in range(100)
    ]
    rows += [
        build_row(name, f"{number}.pdf", "none", present=False, gold_count=0, confidence=0.2, **missed())
        for name in hits
        for number in range(absent)
    ]
    figures = []
    for name, found in hits.items():
        use = ModelFigures(
            questions=100, valid_records=100, calls=(calls or {}).get(name, 0), input_tokens=0, output_tokens=0,
            repaired=0, fell_back=0, downgraded=0,
        )  # fmt: skip
        figures.append(build_figures(name, {"recall@5": found / 100}, model=use))
    return build_summary(figures, **fields), build_rows(rows)


def refused(found: Recommendation) -> list[str]:
    """The strategies that were refused."""
    return [each.strategy for each in found.considered if each.verdict == "refused"]


def test_the_strategy_that_finds_most_is_recommended_with_its_figures() -> None:
    """Recall with interval, MRR, questions and documents stand in the reason."""
    summary, rows = measured({"hybrid_rrf+cross_encoder": 60, "arbiter": 90})
    found = recommend(summary, rows, Wishes())
    assert found.strategy == "arbiter"
    assert found.reranker.name == "the arbiter, by rules"
    assert "Recall@5 0.900 (" in found.why
    assert "MRR@5 0.900" in found.why
    assert "100 questions with an answer in 10 documents" in found.why
    assert found.questions == 100
    assert found.considered[0].reasons[0].startswith("against arbiter: -0.300 (")


def test_dense_alone_is_refused_for_codes_without_evidence() -> None:
    """Where codes matter and the figures do not show that vectors find them, dense search alone is refused."""
    summary, rows = measured({"embedding_only": 70, "bm25_only": 72}, question=CODE)
    found = recommend(summary, rows, Wishes(stakes="low", patterns=("codes",)))
    assert refused(found) == ["embedding_only"]
    assert found.strategy == "bm25_only"
    assert "dense search alone" in found.refusals[0].what
    assert "reaches below zero" in found.refusals[0].why


def test_dense_alone_is_allowed_for_codes_with_evidence() -> None:
    """Where the interval of the paired difference on those questions is not below zero, the refusal is lifted."""
    summary, rows = measured({"embedding_only": 90, "bm25_only": 60}, question=CODE)
    found = recommend(summary, rows, Wishes(stakes="low", patterns=("codes",)))
    assert found.strategy == "embedding_only"
    assert refused(found) == []


def test_dense_alone_is_refused_where_the_evaluation_has_too_few_such_questions() -> None:
    """A good figure on other questions is no evidence for codes."""
    summary, rows = measured({"embedding_only": 95, "bm25_only": 60}, question=PROSE)
    found = recommend(summary, rows, Wishes(stakes="low", patterns=("codes",)))
    assert refused(found) == ["embedding_only"]
    assert "only 0 such questions" in found.refusals[0].why
    assert "lineproof eval DATASET --strategy bm25_only --strategy embedding_only" in found.refusals[0].remedy


def test_dense_alone_is_refused_where_words_were_not_measured_beside_it() -> None:
    """Without the lexical figures there is nothing to compare with; a reranker behind it does not help."""
    summary, rows = measured({"embedding_only": 95, "embedding_only+cross_encoder": 96}, question=CODE)
    found = recommend(summary, rows, Wishes(patterns=("codes", "free_text")))
    assert found.strategy is None
    assert refused(found) == ["embedding_only", "embedding_only+cross_encoder"]
    assert "bm25_only was not measured beside it" in found.refusals[0].why


def test_dense_alone_may_serve_free_text() -> None:
    """Without exact tokens among the questions there is nothing to refuse."""
    summary, rows = measured({"embedding_only": 90, "bm25_only": 60})
    assert recommend(summary, rows, Wishes(stakes="low", patterns=("free_text",))).strategy == "embedding_only"


def test_skipping_the_second_look_is_refused_for_high_stakes() -> None:
    """A first stage alone is not recommended where the first passages decide, however good its figures."""
    summary, rows = measured({"hybrid_rrf": 99, "bm25_only": 98, "hybrid_rrf+cross_encoder": 60})
    found = recommend(summary, rows, Wishes(stakes="high"))
    assert found.strategy == "hybrid_rrf+cross_encoder"
    assert refused(found) == ["hybrid_rrf", "bm25_only"]
    assert recommend(summary, rows, LOW).strategy == "hybrid_rrf"


def test_nothing_is_recommended_where_all_is_refused() -> None:
    """High stakes and first stages alone: none, with what came nearest and how to measure the rest."""
    summary, rows = measured({"hybrid_rrf": 90, "bm25_only": 60})
    found = recommend(summary, rows, Wishes())
    assert found.strategy is None
    assert found.stack is None
    assert "Most is found by hybrid_rrf" in found.why
    assert found.dense_encoder.name is None
    assert {"arbiter", "hybrid_rrf+cross_encoder"} <= {each.name for each in found.not_measured}


def test_equals_are_settled_by_the_arbiter_where_stakes_are_high() -> None:
    """Two that cannot be told apart: the one that gives reasons, even with a question less found."""
    summary, rows = measured({"hybrid_rrf+cross_encoder": 81, "arbiter": 80})
    found = recommend(summary, rows, Wishes())
    assert found.strategy == "arbiter"
    assert "cannot be told apart from hybrid_rrf+cross_encoder" in found.why


def test_equals_are_settled_by_time_where_stakes_are_low() -> None:
    """Two that cannot be told apart: the faster; without times the one with less text; then the first."""
    summary, rows = measured({"hybrid_rrf": 80, "bm25_only": 80})
    timings = build_timings(rows, {"hybrid_rrf": {"dense": 0.05}, "bm25_only": {"bm25": 0.004}})
    assert recommend(summary, rows, LOW, timings=timings).strategy == "bm25_only"
    assert recommend(summary, rows, LOW).strategy == "hybrid_rrf"
    rows.loc[rows["strategy"] == "bm25_only", "characters"] = 500
    assert recommend(summary, rows, LOW).strategy == "bm25_only"


def test_budget_refuses_what_is_too_slow_and_says_so() -> None:
    """The 95th percentile decides; high stakes are not traded for speed."""
    summary, rows = measured({"hybrid_rrf+cross_encoder": 90, "bm25_only": 60})
    timings = build_timings(rows, {"hybrid_rrf+cross_encoder": {"rerank": 0.4}, "bm25_only": {"bm25": 0.004}})
    found = recommend(summary, rows, Wishes(latency_budget_ms=100), timings=timings)
    assert found.strategy is None
    assert "400 ms, the budget is 100 ms" in found.why
    assert (
        recommend(summary, rows, Wishes(stakes="low", latency_budget_ms=100), timings=timings).strategy == "bm25_only"
    )


def test_latency_of_reranking_is_flagged_as_measured() -> None:
    """The time of the stage and the gain over the same strategy without it; without times it says not measured."""
    summary, rows = measured({"hybrid_rrf": 60, "hybrid_rrf+cross_encoder": 90})
    timings = build_timings(rows, {"hybrid_rrf+cross_encoder": {"bm25": 0.004, "rerank": 0.045}})
    told = " ".join(recommend(summary, rows, Wishes(), timings=timings).flags)
    assert "adds 45.0 ms at the median and 45.0 ms at the 95th percentile of 100 questions, as measured" in told
    assert "against hybrid_rrf it gains +0.300" in told
    assert "time that was not measured" in " ".join(recommend(summary, rows, Wishes()).flags)


def test_budget_without_times_is_flagged() -> None:
    """A budget that nothing was measured against is not claimed to hold."""
    summary, rows = measured({"arbiter": 90})
    found = recommend(summary, rows, Wishes(latency_budget_ms=50))
    assert found.strategy == "arbiter"
    assert any("not shown to hold" in flag for flag in found.flags)


def test_no_model_refuses_what_called_one() -> None:
    """Strategies that need a model, and figures of the arbiter that rest on one, are refused."""
    summary, rows = measured(
        {"arbiter": 90, "hybrid_rrf+llm_rerank": 80, "hybrid_rrf+cross_encoder": 60}, calls={"arbiter": 100}
    )
    found = recommend(summary, rows, Wishes(no_model=True))
    assert found.strategy == "hybrid_rrf+cross_encoder"
    assert refused(found) == ["arbiter", "hybrid_rrf+llm_rerank"]


def test_offline_refuses_vectors_of_another_machine() -> None:
    """An embedder behind an endpoint is refused, one on this machine is not."""
    hits = {"hybrid_rrf": 90, "bm25_only": 60}
    wishes = Wishes(stakes="low", offline=True)
    summary, rows = measured(hits, embedder="big-model at api.example.com")
    assert recommend(summary, rows, wishes).strategy == "bm25_only"
    summary, rows = measured(hits, embedder="big-model at localhost:8080")
    assert recommend(summary, rows, wishes).strategy == "hybrid_rrf"


def test_figures_are_those_of_the_pattern_where_there_are_enough() -> None:
    """With enough questions with codes, they alone decide, and the record says so."""
    summary, rows = measured({"arbiter": 100, "hybrid_rrf+cross_encoder": 100})
    is_code = rows["question_id"].isin([f"q{number}" for number in range(40)])
    rows.loc[is_code, "question"] = CODE
    wrong = is_code & (rows["strategy"] == "arbiter")
    rows.loc[wrong, ["covered_1", "covered_3", "covered_5", "first_rank"]] = 0
    found = recommend(summary, rows, Wishes(patterns=("codes",)))
    assert found.strategy == "hybrid_rrf+cross_encoder"
    assert found.questions == 40
    assert any("40 questions with an answer that hold codes" in flag for flag in found.flags)


def test_patterns_read_codes_and_names() -> None:
    """Codes are exact tokens, names are capitalised words inside a question; a category before a colon is none."""
    questions = [CODE, PROSE, "Does Acme Ltd insure the goods?", "Governing Law: Which law governs?"]
    assert matches(questions, ["codes"]).tolist() == [True, False, False, False]
    assert matches(questions, ["names"]).tolist() == [True, False, True, False]
    assert matches(questions, []).all()
    assert matches(questions, ["codes", "free_text"]).all()


def test_what_was_not_measured_is_named_with_reason_and_command() -> None:
    """The reason is that of the evaluation; a strategy that needs a model gets the option for it."""
    skipped = (Skipped(name="hybrid_rrf+llm_rerank", reason="no model is named."),)
    summary, rows = measured({"arbiter": 90}, skipped=skipped)
    missing = {each.name: each for each in recommend(summary, rows, Wishes()).not_measured}
    assert missing["hybrid_rrf+llm_rerank"].why == "no model is named."
    assert missing["hybrid_rrf+llm_rerank"].command.endswith("--strategy hybrid_rrf+llm_rerank --llm")
    assert missing["bm25_only"].command == "lineproof eval DATASET --strategy bm25_only"
    assert "arbiter" not in missing


def test_larger_corpus_other_languages_and_silence_on_absence_are_flagged() -> None:
    """What the figures do not cover is said."""
    summary, rows = measured({"arbiter": 90}, absent=10)
    flags = " ".join(recommend(summary, rows, Wishes(corpus_size=5000, languages=("en", "es"))).flags)
    assert "5,000 are to be searched" in flags
    assert "Languages es" in flags
    assert "never says that nothing answers" in flags


def test_plan_names_baseline_sample_and_gate() -> None:
    """The plan starts with one's own questions and the baseline, and ends with the gate."""
    summary, rows = measured({"arbiter": 90, "bm25_only": 60})
    steps = recommend(summary, rows, Wishes(patterns=("names",))).evaluation_plan
    assert "380 with an answer" in steps[0]
    assert "at least 30 of them with names" in steps[0]
    assert "--strategy bm25_only --strategy arbiter" in steps[1]
    assert "0.600" in steps[1]
    assert "eval gate" in steps[-1]


def test_empty_evaluation_recommends_nothing() -> None:
    """Without a strategy there is nothing to recommend, and no error."""
    _, rows = measured({"arbiter": 1})
    found = recommend(build_summary([]), rows.iloc[:0], Wishes(patterns=("codes",)))
    assert found.strategy is None
    assert "nothing is recommended" in found.why


def test_record_survives_json_and_repeats() -> None:
    """The same input gives the same bytes, and they read back to the same record."""
    summary, rows = measured({"arbiter": 90, "bm25_only": 60})
    found = recommend(summary, rows, Wishes(languages=("es",)))
    assert found.to_json() == recommend(summary, rows, Wishes(languages=("es",))).to_json()
    assert Recommendation.from_json(found.to_json(), where="test") == found


def test_stacks_are_told_in_words() -> None:
    """Every strategy has words; a name that is none of ours stays as it is."""
    assert name_stack("hybrid_rrf+sparse+parent+cross_encoder") == (
        "three lists (BM25 + dense + learned sparse) + parent sections + cross-encoder rerank"
    )
    assert name_stack("bm25_only") == "BM25 only"
    assert name_stack("no such") == "no such"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A folder as `lineproof eval` writes it."""
    summary, rows = measured({"arbiter": 90, "bm25_only": 60})
    summary = summary.model_copy(update={"rows_sha256": rows_sha256(rows)})
    (tmp_path / "summary.json").write_bytes(summary.to_json())
    (tmp_path / "evaluation.parquet").write_bytes(to_parquet(rows))
    timings = build_timings(rows, {"arbiter": {"arbiter": 0.002}})
    (tmp_path / "timing.parquet").write_bytes(to_parquet(timings))
    return tmp_path


def test_command_prints_text_or_json(saved: Path) -> None:
    """A person gets the stack first; a machine gets the record."""
    told = call("pick", "--from", saved, "--questions", "names", "--budget-ms", "50")
    assert told.exit_code == 0, told.output
    assert "Stack           arbiter" in told.stdout
    assert "Evaluation plan" in told.stdout
    read = json.loads(call("pick", "--from", saved, "--json").stdout)
    assert read["strategy"] == "arbiter"
    assert read["considered"][0]["latency_p95_ms"] == 2.0


def test_command_ends_with_its_own_code_where_nothing_fits(saved: Path) -> None:
    """No strategy within the budget: exit code 4, and the text says why."""
    told = call("pick", "--from", saved, "--budget-ms", "1")
    assert told.exit_code == 4
    assert "none of the measured strategies" in told.stdout


def test_folder_without_an_evaluation_is_named(tmp_path: Path) -> None:
    """One sentence that says what is missing and what to do; a damaged table likewise."""
    assert_clear(call("pick", "--from", tmp_path), 2, "summary.json", "lineproof eval")


def test_rows_of_another_run_are_refused(saved: Path) -> None:
    """A recommendation never rests on rows that the summary was not made of."""
    _, rows = measured({"arbiter": 91, "bm25_only": 60})
    (saved / "evaluation.parquet").write_bytes(to_parquet(rows))
    assert_clear(call("pick", "--from", saved), 5, "not the rows")


def test_damaged_rows_are_named(saved: Path) -> None:
    """A table that is no parquet is told by its name."""
    (saved / "evaluation.parquet").write_bytes(b"nonsense")
    assert_clear(call("pick", "--from", saved), 5, "evaluation.parquet")
