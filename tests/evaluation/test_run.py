"""A whole run: the same bytes each time, whatever the number of processes, and nothing skipped in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from pipeline.evaluation import runner
from pipeline.evaluation.asking import AskedDocument
from pipeline.evaluation.datasets import LabelledDocument
from pipeline.evaluation.evaluate import Evaluation, EvaluationOptions, evaluate
from pipeline.evaluation.models import ModelNames
from pipeline.evaluation.rows import EVALUATION_DF, TIMING_DF
from pipeline.evaluation.runner import RunPlan
from pipeline.evaluation.steps import choose_steps
from pipeline.evaluation.summary import EvaluationSummary
from schemas.errors import InputError, SettingsError
from tests.commands import call
from tests.evaluation.labelled import write_cuad, write_workbook
from tests.scripted_server import Answer, ScriptedServer, Status, filled

FILES = {"evaluation.parquet", "timing.parquet", "failures.parquet", "summary.json", "report.html"}


def _silent(_words: str) -> None:
    pass


def _run(dataset: Path, out: Path, **options: object) -> Evaluation:
    return evaluate(dataset, out=out, options=EvaluationOptions(**{"workers": 1, **options}), narrate=_silent)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three small contracts with three questions each."""
    return write_cuad(tmp_path_factory.mktemp("data") / "small")


def test_a_run_writes_rows_times_summary_and_report(dataset: Path, tmp_path: Path) -> None:
    """All files are there, the tables fit their schemas, the summary reads back, the law of each contract is found."""
    done = _run(dataset, tmp_path / "out", strategies=("arbiter", "bm25_only"))
    assert {path.name for path in (tmp_path / "out").iterdir()} >= FILES
    EVALUATION_DF.check(pd.read_parquet(tmp_path / "out" / "evaluation.parquet"), where="rows")
    times = TIMING_DF.check(pd.read_parquet(tmp_path / "out" / "timing.parquet"), where="times")
    assert {"question", "arbiter"} <= set(times["stage"])
    saved = EvaluationSummary.from_json((tmp_path / "out" / "summary.json").read_bytes(), where="summary")
    assert saved == done.summary
    arbiter = saved.strategies[0]
    assert [one.name for one in saved.strategies] == ["arbiter", "bm25_only"]
    assert arbiter.metrics["recall@1"].value == 1.0
    assert (saved.dataset.present, saved.dataset.absent, saved.dataset.documents) == (3, 6, 3)
    assert done.rows.groupby("strategy").size().tolist() == [9, 9]
    assert str(tmp_path) not in (tmp_path / "out" / "summary.json").read_text()


def test_two_runs_and_two_processes_give_the_same_bytes(dataset: Path, tmp_path: Path) -> None:
    """Rows, failures and summary are equal to the byte, in one process and in two."""
    for name, workers in (("a", 1), ("b", 2)):
        _run(dataset, tmp_path / name, strategies=("arbiter", "bm25_only"), ablate=True, workers=workers)
    for file in ("evaluation.parquet", "failures.parquet", "summary.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes(), file


def test_an_interrupted_run_goes_on_where_it_stopped(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was done before the interruption is not asked again, and the outcome is that of an unbroken run."""
    asked: list[str] = []
    real = runner.ask_document

    def ask(document: LabelledDocument, plan: RunPlan) -> AskedDocument:
        if len(asked) == 2:
            asked.append("interrupted")
            raise KeyboardInterrupt
        asked.append(document.name)
        return real(document, plan)

    monkeypatch.setattr(runner, "ask_document", ask)
    with pytest.raises(KeyboardInterrupt):
        _run(dataset, tmp_path / "a", strategies=("arbiter",))
    done = _run(dataset, tmp_path / "a", strategies=("arbiter",))
    assert asked == ["contract_0.txt", "contract_1.txt", "interrupted", "contract_2.txt"]
    assert not (tmp_path / "a" / "documents_done").exists()
    monkeypatch.undo()
    monkeypatch.setenv("LINEPROOF_EMBEDDINGS", "none")
    assert _run(dataset, tmp_path / "b", strategies=("arbiter",)).summary.rows_sha256 == done.summary.rows_sha256


def test_other_options_start_anew(dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of an interrupted run are not mixed with those of another plan."""
    asked: list[str] = []
    real = runner.ask_document

    def ask(document: LabelledDocument, plan: RunPlan) -> AskedDocument:
        asked.append(document.name)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return real(document, plan)

    monkeypatch.setattr(runner, "ask_document", ask)
    with pytest.raises(KeyboardInterrupt):
        _run(dataset, tmp_path / "a", strategies=("arbiter",))
    _run(dataset, tmp_path / "a", strategies=("bm25_only",))
    assert asked[2:] == ["contract_0.txt", "contract_1.txt", "contract_2.txt"]


def test_the_ablation_adds_one_part_a_step(dataset: Path, tmp_path: Path) -> None:
    """One row a step; the arbiter's step is the arbiter; without an embedder the first is skipped with its reason."""
    summary = _run(dataset, tmp_path / "out", strategies=("arbiter",), ablate=True).summary
    assert [one.name for one in summary.ablation] == [
        "2 + contents", "3 + keywords and dictionary", "4 + dispatcher", "5 + arbiter",
    ]  # fmt: skip
    assert summary.ablation[-1].metrics == summary.strategies[0].metrics
    assert [(one.name, "embedding" in one.reason) for one in summary.skipped] == [("1 embedding only", True)]


def test_a_strategy_without_its_model_is_skipped_with_a_reason() -> None:
    """Each missing model is named; unknown names and an empty choice are errors."""
    steps, skipped = choose_steps((), ModelNames(), ablate=False)
    assert [step.name for step in steps] == ["arbiter", "bm25_only"]
    reasons = {one.name: one.reason for one in skipped}
    assert "LINEPROOF_EMBEDDINGS" in reasons["hybrid_rrf"]
    assert "LINEPROOF_CROSS_ENCODER" in reasons["hybrid_rrf+cross_encoder"]
    assert "LINEPROOF_SPARSE_ENCODER" in reasons["hybrid_rrf+sparse"]
    _, skipped = choose_steps(("arbiter", "bm25_only+llm_rerank"), ModelNames(), ablate=False)
    assert "--llm" in skipped[0].reason
    with pytest.raises(SettingsError, match="not known"):
        choose_steps(("magic",), ModelNames(), ablate=False)
    with pytest.raises(SettingsError, match="nothing is left"):
        choose_steps(("embedding_only",), ModelNames(), ablate=False)
    named = ModelNames("m", "e", "c", "s")
    assert not choose_steps(("hybrid_rrf+sparse+hyde+cross_encoder",), named, ablate=True)[1]


def test_a_document_that_cannot_be_read_is_told(dataset: Path, tmp_path: Path) -> None:
    """The run goes on without it and says so; without any document it is an error."""
    folder = write_cuad(tmp_path / "set")
    (folder / "pdfs" / "contract_1.txt").unlink()
    summary = _run(folder, tmp_path / "out", strategies=("arbiter",)).summary
    assert [one.name for one in summary.documents_failed] == ["contract_1.txt"]
    assert summary.dataset.documents == 2
    assert str(tmp_path) not in summary.documents_failed[0].reason
    for number in (0, 2):
        (folder / "pdfs" / f"contract_{number}.txt").unlink()
    with pytest.raises(InputError, match="no document could be asked"):
        _run(folder, tmp_path / "out2", strategies=("arbiter",))


def test_a_text_that_is_no_question_is_told(tmp_path: Path) -> None:
    """One question that cannot be read does not end the run."""
    (tmp_path / "a.txt").write_text("The fee is EUR 5 a month.")
    rows = [["question", "document", "quote"], ["x" * 60_000, "a.txt", "fee"], ["What is the fee?", "a.txt", "EUR 5"]]
    summary = _run(write_workbook(tmp_path / "l.xlsx", rows), tmp_path / "out", strategies=("arbiter",)).summary
    assert summary.dataset.questions == 1
    assert len(summary.documents_failed) == 1
    assert summary.documents_failed[0].name.startswith("a.txt: ")


def test_answers_are_compared_with_their_labels(tmp_path: Path) -> None:
    """With --answers values, checks and answered shares are figured."""
    (tmp_path / "a.txt").write_text("Fees\n\nThe annual licence fee is USD 12,000, payable in January of each year.")
    rows = [["question", "document", "quote", "value"],
            ["What is the annual licence fee?", "a.txt", "annual licence fee is USD 12,000", "USD 12,000"]]  # fmt: skip
    done = _run(write_workbook(tmp_path / "l.xlsx", rows), tmp_path / "out", strategies=("arbiter",), with_answers=True)
    metrics = done.summary.strategies[0].metrics
    assert metrics["value_accuracy"].value == 1.0
    assert metrics["quotes_checked"].value == 1.0
    assert metrics["answered"].value == 1.0
    assert done.rows["given_value"].tolist() == ["12000 USD"]


def test_with_a_model_every_question_ends_in_a_valid_record(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that refuses every call: all records are valid, all are downgraded, calls and prices are counted."""
    monkeypatch.setenv("LINEPROOF_MODEL", "scripted")
    monkeypatch.setenv("LINEPROOF_PRICE_INPUT", "1")
    monkeypatch.setenv("LINEPROOF_PRICE_OUTPUT", "2")
    with ScriptedServer(Status(400)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        summary = _run(dataset, tmp_path / "out", strategies=("arbiter",), with_llm=True, pairs=3).summary
    use = summary.strategies[0].model
    assert (use.questions, use.valid_records, use.downgraded) == (3, 3, 3)
    assert (use.cost, use.currency) == (0.0, "USD")
    assert summary.model == "scripted"


def test_replies_of_a_model_are_counted(dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that answers by schema: its calls and tokens are summed, for the strategies that use it alone."""
    monkeypatch.setenv("LINEPROOF_MODEL", "scripted")
    with ScriptedServer(Answer(filled)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        summary = _run(dataset, tmp_path / "out", strategies=("arbiter", "bm25_only"), with_llm=True, pairs=2).summary
    arbiter, bm25 = (one.model for one in summary.strategies)
    assert arbiter.valid_records == 2
    assert arbiter.calls >= 2
    assert bm25.calls == 0


def test_a_model_must_be_named(dataset: Path, tmp_path: Path) -> None:
    """--llm without LINEPROOF_MODEL says what to set."""
    with pytest.raises(SettingsError, match="LINEPROOF_MODEL"):
        _run(dataset, tmp_path / "out", with_llm=True)


def test_the_command_shows_strategies_side_by_side(dataset: Path, tmp_path: Path) -> None:
    """A table a person reads, the skipped strategies with their reasons, progress on stderr; JSON for machines."""
    result = call("eval", dataset, "--out", tmp_path / "out", "--workers", 1)
    assert result.exit_code == 0, result.output
    for words in (
        "arbiter",
        "bm25_only",
        "r@1",
        "absent F1",
        "Failures by cause",
        "skipped hybrid_rrf:",
        "report.html",
    ):
        assert words in result.stdout
    assert "document 1 of 3" in result.stderr
    told = call("eval", dataset, "--out", tmp_path / "out", "--workers", 1, "--strategy", "arbiter", "--json")
    assert json.loads(told.stdout)["summary"]["dataset"]["kind"] == "cuad"


def test_the_command_tells_what_is_no_data_set(tmp_path: Path) -> None:
    """One sentence and exit code 2."""
    result = call("eval", tmp_path)
    assert result.exit_code == 2
    assert "labels.json" in result.stderr


def test_help_shows_options_and_the_gate() -> None:
    """`lineproof eval --help` is the help of measuring, and names the gate."""
    told = " ".join(call("eval", "--help").stdout.split())
    for words in ("--strategy", "--ablate", "--llm", "DATASET", "eval gate"):
        assert words in told
    assert "--baseline" in call("eval", "gate", "--help").stdout


def test_a_folder_that_cannot_be_written_is_told_by_its_option(dataset: Path, tmp_path: Path) -> None:
    """The place was chosen with --out, so that is what the message speaks of."""
    (tmp_path / "file").write_text("x")
    result = call("eval", dataset, "--out", tmp_path / "file")
    assert result.exit_code == 5
    assert "choose another folder with --out" in " ".join(result.stderr.split())
    assert "--store" not in result.stderr
