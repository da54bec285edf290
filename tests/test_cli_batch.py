"""`lineproof batch` from the command line: run, gone on with, planned, watched, listed, and refused in one sentence."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.batch.progress import read_log, read_progress, write_progress
from pipeline.batch.work import Event, Setup, Task, TaskStarted
from pipeline.batch.working import do_task
from schemas.batch import BatchProgress
from schemas.errors import StoreError
from tests.batch.small import put_collection
from tests.commands import assert_clear, call
from tests.test_cli_batch_bars import report

QUESTIONS = "question,id,type\nWhich law governs the agreement?,law,jurisdiction\nWhat is the annual fee?,fee,amount\n"


class Here:
    """An executor that does the tasks in this process; `before` is called ahead of each."""

    name = "here"

    def __init__(self, before: Callable[[], object] = lambda: None) -> None:
        self._before = before

    def run(self, setup: Setup, tasks: Iterable[Task], *, stopping: Callable[[], bool]) -> Iterator[Event]:
        """One task after the other."""
        waiting = iter(tasks)
        while not stopping() and (task := next(waiting, None)) is not None:
            yield TaskStarted(task.number, "here")
            self._before()
            yield do_task(setup, task)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two agreements and two questions, the current one; tasks are done in this process."""
    put_collection(tmp_path / "docs", 2)
    (tmp_path / "q.csv").write_text(QUESTIONS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    use(monkeypatch, Here())
    return tmp_path


def use(monkeypatch: pytest.MonkeyPatch, executor: Here) -> None:
    """Let this executor do the tasks."""
    monkeypatch.setattr("pipeline.cli.batch_run._executor", lambda _options: executor)


def run(*more: object) -> dict[str, Any]:
    """What the batch told as JSON; it must have ended well."""
    result = call("batch", "docs", "q.csv", "-o", "r.xlsx", "--no-highlights", "--json", *more)
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def folder_of(told: dict[str, Any]) -> Path:
    """Where the records of a batch are."""
    return Path("outputs/batches", str(told["batch"]))


def test_a_batch_runs_and_its_second_session_asks_nothing(work: Path) -> None:
    """Results, progress and log are there; the same command gives the same bytes from the store."""
    told = run()
    first = (work / "r.xlsx").read_bytes()
    assert sum(told["by_status"].values()) == 4
    assert told["cells_from_cache"] == 0
    progress = read_progress(folder_of(told))
    assert progress is not None
    assert (progress.state, progress.cells) == ("ended", 4)
    events = [one["event"] for one in read_log(folder_of(told))]
    assert events == ["begun", "document", "document", "ended"]
    again = run()
    assert again["cells_from_cache"] == 4
    assert again["batch"] == told["batch"]
    assert (work / "r.xlsx").read_bytes() == first


@pytest.mark.usefixtures("work")
def test_the_end_names_what_was_not_read_and_how_to_see_a_cell() -> None:
    """A bad file is a row, and the command that is told opens a run."""
    Path("docs/empty.pdf").touch()
    result = call("batch", "docs", "q.csv", "-o", "r.xlsx", "--no-highlights")
    assert result.exit_code == 0, result.output
    assert "empty.pdf: " in result.stdout
    place = result.stdout.rpartition("lineproof show ")[2].split()[0]
    assert call("show", place).exit_code == 0


def test_a_first_signal_finishes_the_document_in_work_and_resume_goes_on(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One document is done, the rest is told as not asked; --resume asks only that, from another folder."""
    use(monkeypatch, Here(lambda: signal.raise_signal(signal.SIGINT)))
    result = call("batch", "docs", "q.csv", "-o", "r.xlsx", "--no-highlights", "--json")
    assert result.exit_code == 130, result.output
    told = json.loads(result.stdout)
    assert told["by_status"]["not_asked"] == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    use(monkeypatch, Here())
    monkeypatch.chdir(work / "docs")
    result = call("batch", "--resume", told["batch"], "--store", work / "outputs", "--json")
    assert result.exit_code == 0, result.output
    again = json.loads(result.stdout)
    assert again["cells_from_cache"] == 2
    assert "not_asked" not in again["by_status"]
    assert again["results"] == str(work / "r.xlsx")


@pytest.mark.usefixtures("work")
def test_a_second_signal_ends_at_once_and_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """No results are written; the log tells it."""

    def twice() -> None:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)

    use(monkeypatch, Here(twice))
    result = call("batch", "docs", "q.csv", "-o", "r.xlsx")
    assert result.exit_code == 130
    assert "lineproof batch --resume q_" in result.stderr
    assert not Path("r.xlsx").exists()
    folder = next(Path("outputs/batches").iterdir())
    assert [one["event"] for one in read_log(folder)][-1] == "stopped"


@pytest.mark.usefixtures("work")
def test_an_error_that_ends_the_batch_is_in_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that takes no more: exit code 5, a sentence, and an event."""

    def full() -> None:
        raise StoreError("no space is left")

    use(monkeypatch, Here(full))
    assert_clear(call("batch", "docs", "q.csv", "-o", "r.xlsx"), 5, "no space is left")
    folder = next(Path("outputs/batches").iterdir())
    assert list(read_log(folder))[-1]["because"] == "no space is left"


def test_results_that_a_person_changed_are_not_written_over(work: Path) -> None:
    """Neither by the same command nor by --resume; --force does, and so does another name."""
    told = run()
    with (work / "r.xlsx").open("ab") as file:
        file.write(b"a review")
    changed = (work / "r.xlsx").read_bytes()
    assert_clear(call("batch", "docs", "q.csv", "-o", "r.xlsx"), 2, "was changed", "--import-review")
    assert_clear(call("batch", "--resume", told["batch"]), 2, "was changed")
    assert (work / "r.xlsx").read_bytes() == changed
    assert call("batch", "--resume", told["batch"], "-o", "other.csv").exit_code == 0
    assert call("batch", "--resume", told["batch"], "-o", "r.xlsx", "--force").exit_code == 0
    assert (work / "r.xlsx").read_bytes() != changed


def test_results_saved_by_a_person_while_the_batch_ran_are_kept(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells are kept, too, and the sentence says how to write them elsewhere."""
    use(monkeypatch, Here(lambda: (work / "r.xlsx").write_bytes(b"mine")))
    assert_clear(call("batch", "docs", "q.csv", "-o", "r.xlsx"), 2, "all cells are kept", "--resume q_")
    assert (work / "r.xlsx").read_bytes() == b"mine"


def test_a_file_of_no_batch_is_not_replaced(work: Path) -> None:
    """Nothing is asked before that is told."""
    (work / "r.xlsx").write_bytes(b"PK of someone else")
    assert_clear(call("batch", "docs", "q.csv", "-o", "r.xlsx"), 2, "is there already", "--force")
    assert not Path("outputs").exists()


@pytest.mark.usefixtures("work")
def test_a_batch_that_goes_on_keeps_its_limits_unless_others_are_given() -> None:
    """A budget that was hard stays hard."""
    told = run("--max-calls", 7, "--requests-per-minute", 30)
    assert call("batch", "--resume", told["batch"]).exit_code == 0
    progress = read_progress(folder_of(told))
    assert progress is not None
    assert (progress.budget.max_calls, progress.budget.requests_per_minute) == (7, 30)
    assert call("batch", "--resume", told["batch"], "--max-calls", 9).exit_code == 0
    progress = read_progress(folder_of(told))
    assert progress is not None
    assert (progress.budget.max_calls, progress.budget.requests_per_minute) == (9, 30)


def test_all_inputs_that_are_gone_are_named(work: Path) -> None:
    """Documents and questions in one sentence."""
    told = run()
    (work / "docs").rename(work / "moved")
    (work / "q.csv").rename(work / "moved.csv")
    assert_clear(call("batch", "--resume", told["batch"]), 2, "gone", str(work / "docs"), str(work / "q.csv"))


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("data", [b"{", b"[]", b"{}", b'{"inputs": 7}', b"\xff"])
def test_damaged_notes_of_inputs_are_told(data: bytes) -> None:
    """No traceback, and what to do instead."""
    told = run()
    (folder_of(told) / "inputs.json").write_bytes(data)
    assert_clear(call("batch", "--resume", told["batch"]), 2, "inputs.json", "give documents and questions again")


@pytest.mark.usefixtures("work")
def test_a_password_is_kept_nowhere() -> None:
    """Not in the notes for --resume, and in no other file of the store."""
    run("--password", "s3cret-word")
    files = [one for one in Path("outputs").rglob("*") if one.is_file()]
    assert files
    assert not [one for one in files if b"s3cret-word" in one.read_bytes()]


@pytest.mark.usefixtures("work")
def test_a_plan_does_nothing() -> None:
    """Neither a store nor results are made."""
    result = call("batch", "docs", "q.csv", "--plan", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["document_count"], told["question_count"], told["cells_to_ask"]) == (2, 2, 4)
    assert not Path("outputs").exists()


@pytest.mark.usefixtures("work")
def test_the_template_is_read_back_and_not_written_over() -> None:
    """What it holds is a batch of its own."""
    assert call("batch", "--template", "-o", "t.xlsx").exit_code == 0
    assert_clear(call("batch", "--template", "-o", "t.xlsx"), 2, "is there already")
    assert call("batch", "docs", "t.xlsx", "--plan").exit_code == 0


@pytest.mark.usefixtures("work")
def test_json_progress_is_one_record_a_line() -> None:
    """On stderr, the last one of the end."""
    result = call("batch", "docs", "q.csv", "-o", "r.xlsx", "--no-highlights", "--json-progress")
    assert result.exit_code == 0, result.output
    reports = [BatchProgress.model_validate_json(line) for line in result.stderr.splitlines()]
    assert reports[-1].state == "ended"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("name the documents",)),
        (("docs",), ("name the documents",)),
        (("--template", "--list"), ("--template", "--list", "choose one")),
        (("docs", "q.csv", "--list"), ("--list takes no documents",)),
        (("--resume", "q", "--strategy", "bm25_only", "--no-model"), ("--no-model and --strategy", "--resume")),
        (("--list", "--plan"), ("--plan does not go with --list",)),
        (("--watch", "q", "--budget", "1 USD"), ("--budget does not go with --watch",)),
        (("docs", "q.csv", "--by", "me"), ("--by does not go",)),
        (("docs", "q.csv", "--once"), ("--once does not go",)),
        (("docs", "q.csv", "--engine", "spark"), ("'spark'", "local and ray")),
        (("docs", "q.csv", "--address", "x:1"), ("--address", "--engine ray")),
        (("docs", "q.csv", "--quiet", "--json-progress"), ("contradict",)),
        (("docs", "q.csv", "--budget", "much"), ("'much'", "20 USD")),
        (("docs", "q.csv", "-o", "r.pdf"), (".xlsx", "endings")),
        (("docs", "none.csv"), ("none.csv",)),
        (("nothing", "q.csv"), ("nothing", "no such file or folder")),
        (("--resume", "q"), ("no such store",)),
        (("--list",), ("no such store",)),
        (("--watch", "q"), ("no such store",)),
    ],
)
@pytest.mark.usefixtures("work")
def test_what_makes_no_sense_is_refused_in_one_sentence(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    """Exit code 2, nothing on stdout, and no store is made."""
    assert_clear(call("batch", *arguments), 2, *words)
    assert not Path("outputs").exists()


@pytest.mark.usefixtures("work")
def test_batches_are_listed_and_watched() -> None:
    """One that ended, one whose process died without a word, one of another machine."""
    told = run()
    assert f"{told['batch']}: ended" in call("batch", "--list").stdout
    assert "ended" in call("batch", "--watch", told["batch"]).stdout
    dead = report(batch=told["batch"], host="elsewhere")
    write_progress(folder_of(told), dead)
    assert "elsewhere" in call("batch", "--watch", "q", "--once").stdout
    write_progress(folder_of(told), report(batch=told["batch"]))  # long before this process began
    assert f"--resume {told['batch']}" in call("batch", "--list").stdout
    listed = json.loads(call("batch", "--list", "--json").stdout)
    assert [one["alive"] for one in listed["batches"]] == [False]
    (folder_of(told) / "progress.json").unlink()
    assert "told nothing" in call("batch", "--watch", "q").stdout
