"""The command line: what it prints, with which exit code it ends, and what it does with bad input."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.cli import output
from pipeline.cli.app import app
from pipeline.cli.exits import EXIT_CODES, case_exit_code, exit_code
from pipeline.cli.output import plain
from tests.commands import FEE, assert_clear, call, kept

PROGRAM = [sys.executable, "-c", "from pipeline.cli import main; main()"]
HEAVY = ("pandas", "numpy", "pymupdf", "pyarrow", "openpyxl", "openai", "pydantic", "filelock", "dictionaries.loading")
ABSENT = "Is there an escrow of the source code?"


@pytest.fixture
def contract(project: Path) -> Path:
    """The sample contract."""
    return project / "examples" / "supply_agreement.pdf"


@pytest.fixture
def amendment(project: Path) -> Path:
    """The sample amendment."""
    return project / "examples" / "amendment_1.pdf"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that does not exist yet."""
    return tmp_path / "store"


def test_help_imports_nothing_heavy() -> None:
    """The help, and all commands behind it, start without the packages that cost a second to import."""
    code = f"import sys, pipeline.cli.app; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_help_lists_the_exit_codes() -> None:
    """Whoever scripts the command finds every code in its help."""
    told = " ".join(call("--help").stdout.split())
    for code, meaning in EXIT_CODES.items():
        assert f"{code} {meaning}" in told


def test_version_is_printed() -> None:
    """The version stands on one line."""
    assert call("--version").stdout.startswith("lineproof 0.")


def test_an_answer_is_shown_with_its_lines(contract: Path, store: Path) -> None:
    """A person reads status, value, quote, document, section, page, lines, and where the highlighted page is."""
    result = call("ask", contract, FEE, "--store", store)
    assert result.exit_code == 0, result.output
    for words in (
        "Answered",
        "EUR 1,250,000",
        "supply_agreement.pdf",
        "page 6, line",
        "highlighted.pdf",
        "lineproof show",
    ):
        assert words in result.stdout
    assert result.stderr == ""


def test_json_is_one_object_and_nothing_else(contract: Path, store: Path) -> None:
    """A machine gets answer, retrieval and run; the records are those on disk."""
    result = call("ask", contract, FEE, "--store", store, "--json")
    told = json.loads(result.stdout)
    assert set(told) == {"answer", "retrieval", "run"}
    run = Path(told["run"])
    assert json.loads((run / "answer.json").read_bytes()) == told["answer"]
    assert json.loads((run / "retrieval_result.json").read_bytes()) == told["retrieval"]
    assert told["answer"]["status"] == "answered"
    assert result.stderr == ""
    assert sorted(path.name for path in run.iterdir()) == [
        "answer.json", "complete.json", "decision.html", "decision.pdf", "entry.json", "highlighted.pdf",
        "parsed_question.json", "request.json", "retrieval_result.json", "retrieved_pages.xlsx", "seal.json",
        "trace.json",
    ]  # fmt: skip


def test_an_absence_is_shown_with_its_proof(contract: Path, store: Path) -> None:
    """What is not there ends with code 3, the words searched, and what was swept."""
    result = call("ask", contract, ABSENT, "--store", store)
    assert result.exit_code == 3, result.output
    for words in ("Not found", "escrow", "swept", "16 pages"):
        assert words in result.stdout


def test_a_conflict_between_documents_is_shown_unsettled(contract: Path, amendment: Path, store: Path) -> None:
    """Both values, both places and the clause on precedence; the machine's object holds both retrievals."""
    result = call("ask", contract, "What is the liability cap?", "--with", amendment, "--store", store)
    assert result.exit_code == 0, result.output
    for words in ("They differ", "2,500,000", "4,000,000", "prevail", "amendment_1.pdf"):
        assert words in result.stdout
    told = json.loads(
        call("ask", contract, "What is the liability cap?", "--with", amendment, "--store", store, "--json").stdout
    )
    assert len(told["retrieval"]) == len(told["runs"]) == 2
    assert len(told["answer"]["conflicts"]) == 1
    shown = call("show", told["run"], "--store", store)
    assert "They differ" in shown.stdout


def test_documents_that_agree_have_no_conflict(contract: Path, store: Path, tmp_path: Path) -> None:
    """The same figure in two files is agreement, and the same file twice is refused."""
    copy = tmp_path / "copy.pdf"
    shutil.copy(contract, copy)
    result = call("ask", contract, FEE, "--with", copy, "--store", store)
    assert result.exit_code == 0, result.output
    assert "They differ" not in result.stdout
    assert "The documents agree." in result.stdout
    assert_clear(call("ask", contract, FEE, "--with", contract, "--store", store), 2, "twice")


def test_show_tells_every_candidate(contract: Path, store: Path) -> None:
    """The tree names methods run and skipped, and every candidate, discarded ones too, with its reason."""
    told = json.loads(call("ask", contract, FEE, "--store", store, "--json").stdout)
    for name in (told["run"], Path(told["run"]).name, Path(told["run"]).name.rpartition("_")[2]):
        shown = call("show", name, "--store", store)
        assert shown.exit_code == 0, shown.output
    for each in told["retrieval"]["provenances"]:
        assert each["candidate_id"] in shown.stdout
        assert each["role"] in shown.stdout
    for name in (*told["retrieval"]["methods_run"], *told["retrieval"]["methods_skipped"]):
        assert name in shown.stdout
    again = json.loads(call("show", told["run"], "--store", store, "--json").stdout)
    assert again["answer"] == told["answer"]


def test_parse_tells_what_the_document_is(contract: Path, store: Path) -> None:
    """Profile, contents and whether every page was read; the second time out of the store."""
    first, second = (call("parse", contract, "--store", store) for _ in range(2))
    for words in ("16 native", "7.2 Liability cap", "every page was read"):
        assert words in first.stdout
    assert "from the store" in second.stdout
    told = json.loads(call("parse", contract, "--store", store, "--json").stdout)
    assert told["document"]["source_name"] == "supply_agreement.pdf"
    assert any(section["title"] == "7.2 Liability cap" for section in told["contents"])


def test_progress_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, what takes longer than a while is named; anywhere else nothing is written."""
    monkeypatch.setattr(output, "PATIENCE_SECONDS", 0.0)
    for is_terminal in (True, False):
        stream = StringIO()
        monkeypatch.setattr(stream, "isatty", lambda told=is_terminal: told)
        monkeypatch.setattr(sys, "stderr", stream)
        with output.Progress() as progress:
            progress("searching the document")
            if progress._timer is not None:
                progress._timer.join()
        assert ("searching the document" in stream.getvalue()) == is_terminal


def test_words_of_a_document_are_neither_markup_nor_control() -> None:
    """Brackets are shown as they are; escape sequences, controls and marks that turn the text are taken out."""
    assert plain("[bold]x[/bold] [/] [red") == "[bold]x[/bold] [/] [red"
    assert plain("a\x1b[31mb\x1b]0;title\x07c\x9b2Jd\x00\u202ee\x85f\x7f") == "abcdef"
    assert plain("a\nb\tc", keep_lines=False) == "a b c"


def test_the_question_can_come_from_standard_input(contract: Path, store: Path) -> None:
    """A dash reads it."""
    result = CliRunner().invoke(app, ["ask", str(contract), "-", "--store", str(store)], input=FEE + "\n")
    assert result.exit_code == 0
    assert "1,250,000" in result.stdout


def test_exit_codes_are_those_of_the_worst_part() -> None:
    """A half that was not found must not end as success; a silent amendment must not end as failure."""
    assert exit_code(["answered", "not_found"]) == 3
    assert exit_code(["answered", "refused", "not_found"]) == 4
    assert exit_code(["answered", "partial"]) == 0
    assert case_exit_code(["answered", "not_found"]) == 0
    assert case_exit_code(["not_found", "needs_clarification"]) == 4


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_a_closed_pipe_ends_quietly(contract: Path, store: Path) -> None:
    """`lineproof show ... | head` prints no complaint."""
    run = json.loads(call("ask", contract, FEE, "--store", store, "--json").stdout)["run"]
    with subprocess.Popen(
        [*PROGRAM, "show", run, "--store", str(store)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode in (1, 141)


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
def test_an_interrupt_ends_quietly(contract: Path, store: Path) -> None:
    """Ctrl-C ends with 130 and no traceback, and leaves nothing half written."""
    code = (
        "import os, signal, threading, pipeline.asking\n"
        "def interrupted(*_, **__): os.kill(os.getpid(), signal.SIGINT); threading.Event().wait(9)\n"
        "pipeline.asking.save_run = interrupted\n"
        "from pipeline.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "ask", str(contract), FEE, "--store", str(store)], capture_output=True, text=True,
        check=False, start_new_session=True,
    )  # fmt: skip
    assert done.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not [name for name in kept(store) if "questions" in name]


def test_a_bug_keeps_its_traceback(contract: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not one of our errors is not dressed up as one."""
    monkeypatch.setattr("pipeline.asking.save_run", lambda *_, **__: 1 / 0)
    assert isinstance(call("ask", contract, FEE, "--store", store).exception, ZeroDivisionError)


def test_a_protected_document_opens_by_option_or_environment(
    contract: Path, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the password: one sentence and exit code 2. With it: the answer, and the password stands nowhere."""
    import pymupdf

    locked, secret = tmp_path / "locked.pdf", "s3cret-w0rd"
    with pymupdf.open(contract) as document:
        document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=secret, owner_pw=secret)
    refused = call("ask", locked, FEE, "--store", store)
    assert refused.exit_code == 2
    assert "password" in refused.stderr
    monkeypatch.setenv("LINEPROOF_PASSWORD", secret)
    answered = call("ask", locked, FEE, "--store", store)
    assert answered.exit_code == 0, answered.output
    written = b"".join(path.read_bytes() for path in sorted(store.rglob("*")) if path.is_file())
    assert secret.encode() not in written
