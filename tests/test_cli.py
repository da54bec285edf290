"""The command line: what it prints, with which exit code it ends, and what it does with bad input."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import output
from pipeline.cli.app import app
from pipeline.cli.exits import EXIT_CODES, case_exit_code, exit_code
from pipeline.cli.output import plain
from pipeline.store import folders

PROGRAM = [sys.executable, "-c", "from pipeline.cli import main; main()"]
HEAVY = ("pandas", "numpy", "pymupdf", "pyarrow", "openpyxl", "openai", "pydantic", "filelock", "dictionaries.loading")
FEE = "What is the annual programme fee?"
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


def call(*arguments: object) -> Result:
    """The command run inside this process."""
    return CliRunner().invoke(app, [str(each) for each in arguments], prog_name="lineproof")


def kept(store: Path) -> list[str]:
    """Every file of the store that is not a lock, relative to it."""
    if not store.is_dir():
        return []
    files = (path for path in store.rglob("*") if path.is_file() and ".locks" not in path.parts)
    return sorted(str(path.relative_to(store)) for path in files)


def assert_clear(result: Result, code: int, *words: str) -> None:
    """One sentence on stderr that says what is wrong, the right code, nothing on stdout, no traceback."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("lineproof: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr


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
        "answer.json", "complete.json", "highlighted.pdf", "parsed_question.json", "retrieval_result.json",
        "retrieved_pages.xlsx", "trace.json",
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


def bad_files(folder: Path, contract: Path) -> dict[str, tuple[Path, str]]:
    """Files that cannot be read as a document, by name, with a word of the message each must give."""
    import pymupdf

    made = {name: folder / f"{name}.pdf" for name in ("empty", "text", "truncated", "encrypted", "garbage", "locked")}
    made["empty"].touch()
    made["text"].write_text("Just words, no PDF.\n" * 50)
    made["truncated"].write_bytes(contract.read_bytes()[:700])
    made["garbage"].write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 40)
    with pymupdf.open(contract) as document:
        document.save(made["encrypted"], encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o", user_pw="u")
    made["locked"].mkdir()
    (folder / "sub").mkdir()
    return {
        "missing": (folder / "nowhere.pdf", "no such file"),
        "missing folder": (folder / "no" / "such" / "x.pdf", "no such file"),
        "folder": (folder / "sub", "folder"),
        "empty": (made["empty"], "empty"),
        "not a PDF": (made["text"], "not a PDF"),
        "truncated": (made["truncated"], "truncated.pdf"),
        "garbage": (made["garbage"], "garbage.pdf"),
        "encrypted": (made["encrypted"], "password"),
        "name too long": (folder / ("x" * 300), "cannot be read"),
    }


@pytest.mark.parametrize("command", ["ask", "parse"])
def test_a_bad_document_is_one_clear_sentence(contract: Path, store: Path, tmp_path: Path, command: str) -> None:
    """Each kind of bad file ends with code 2, says what is wrong, and leaves nothing in the store."""
    for path, word in bad_files(tmp_path, contract).values():
        arguments = [command, path, *([FEE] if command == "ask" else []), "--store", store]
        assert_clear(call(*arguments), 2, word)
        told = json.loads(call(*arguments, "--json").stdout)
        assert set(told) == {"error"}
        assert told["error"]["exit_code"] == 2
    assert kept(store) == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_document_without_the_right_to_read_it(contract: Path, store: Path, tmp_path: Path) -> None:
    """No permission is said as such."""
    secret = tmp_path / "secret.pdf"
    shutil.copy(contract, secret)
    secret.chmod(0)
    assert_clear(call("ask", secret, FEE, "--store", store), 2, "permission")


def test_a_document_without_text_is_answered_honestly(store: Path, tmp_path: Path) -> None:
    """A page without a character is no error: nothing can be found, and the answer says that it was not searched."""
    import pymupdf

    with pymupdf.open() as document:
        document.new_page()
        document.save(tmp_path / "blank.pdf")
    result = call("ask", tmp_path / "blank.pdf", FEE, "--store", store)
    assert result.exit_code == 3, result.output
    assert "Not found" in result.stdout


@pytest.mark.parametrize("question", ["", "   ", "\n\t", "x" * 50_000, "why " * 12_500, "\x00\x01\x02"])
def test_a_question_that_is_none_is_refused(contract: Path, store: Path, question: str) -> None:
    """Empty, far too long, or no words at all: code 2, and no run is left."""
    result = call("ask", contract, question, "--store", store)
    assert_clear(result, 2, "question")
    assert len(result.stderr) < 500
    assert not [name for name in kept(store) if "questions" in name]


def test_an_unknown_option_is_a_usage_error(contract: Path) -> None:
    """A misspelt option is named, with code 2."""
    result = call("ask", contract, FEE, "--jsn")
    assert result.exit_code == 2
    assert "--jsn" in result.stderr
    assert result.stdout == ""
    assert call("ask", contract).exit_code == 2
    assert call("nonsense").exit_code == 2


def test_a_store_that_cannot_be_made(contract: Path, tmp_path: Path) -> None:
    """A file where the store should be: code 5, with the path."""
    (tmp_path / "file").write_text("x")
    assert_clear(call("ask", contract, FEE, "--store", tmp_path / "file"), 5, str(tmp_path / "file"), "--store")


@pytest.mark.parametrize("at", range(4))
def test_a_full_disk_leaves_nothing_half_written(
    contract: Path, store: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Wherever the disk fills up: code 5, what to do, and only whole records in the store; then all is well again."""
    written = 0
    write = folders._write_synced

    def filling(path: Path, data: bytes) -> None:
        nonlocal written
        written += 1
        if written > 6 * at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(path, data)

    monkeypatch.setattr(folders, "_write_synced", filling)
    assert_clear(call("ask", contract, FEE, "--store", store), 5, "disk is full")
    assert not [name for name in kept(store) if "/." in name or name.startswith(".")]
    monkeypatch.undo()
    assert call("ask", contract, FEE, "--store", store).exit_code == 0


@pytest.mark.skipif(os.name != "posix", reason="a limit on the size of files is a POSIX matter")
def test_a_limit_on_file_size_is_a_clear_error(contract: Path, store: Path) -> None:
    """The real thing, not a stand-in: the kernel refuses to write, and the command says so."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))\n"
        "from pipeline.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "ask", str(contract), FEE, "--store", str(store)], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 5, done.stderr
    assert "Traceback" not in done.stderr
    assert "cannot be written" in done.stderr
    assert [path.name for path in store.iterdir()] == [".locks"]


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_small_disk_that_is_full_is_a_clear_error(contract: Path, tmp_path: Path) -> None:
    """The real thing again: a file system of 40 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("this machine does not let root mount a file system")
    try:
        assert_clear(call("ask", contract, FEE, "--store", disk / "store"), 5, "disk is full", "--store")
        assert [path.name for path in (disk / "store").iterdir()] == [".locks"]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("harm", ["flip", "truncate", "json"])
def test_a_corrupt_record_is_named_and_the_rest_stays(contract: Path, store: Path, harm: str) -> None:
    """`show` names the damaged file with code 5; other runs are untouched; asking again makes the record anew."""
    broken, sound = (json.loads(call("ask", contract, text, "--store", store, "--json").stdout)["run"]
                     for text in (FEE, "How long is the initial term?"))  # fmt: skip
    victim = Path(broken) / "answer.json"
    data = victim.read_bytes()
    victim.write_bytes({"flip": data.replace(b"1,250", b"9,250"), "truncate": data[:99], "json": b"{"}[harm])
    assert_clear(call("show", broken, "--store", store), 5, "answer.json", "delete the folder")
    assert call("show", sound, "--store", store).exit_code == 0
    assert call("ask", contract, FEE, "--store", store).exit_code == 0
    assert call("show", broken, "--store", store).exit_code == 0


@pytest.mark.parametrize("name", ["line_df.parquet", "parsed_document.json", "complete.json"])
def test_a_corrupt_cached_parsing_is_made_anew_and_noted(contract: Path, store: Path, name: str) -> None:
    """Parsing costs nothing, so a damaged copy is replaced; the trace says so."""
    call("ask", contract, FEE, "--store", store)
    (victim,) = store.glob(f"*/parsing/{name}")
    sound = victim.read_bytes()
    victim.write_bytes(sound[: len(sound) // 2])
    run = Path(json.loads(call("ask", contract, FEE, "--store", store, "--json").stdout)["run"])
    (note,) = json.loads((run / "trace.json").read_bytes())["notes"]
    assert name in note
    assert victim.read_bytes() == sound


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


def test_a_run_that_is_not_there(store: Path) -> None:
    """A name that means no run is bad input."""
    assert_clear(call("show", "nothing", "--store", store), 2, "nothing")


def test_words_of_a_document_are_neither_markup_nor_control() -> None:
    """Brackets are shown as they are; escape sequences, controls and marks that turn the text are taken out."""
    assert plain("[bold]x[/bold] [/] [red") == "[bold]x[/bold] [/] [red"
    assert plain("a\x1b[31mb\x1b]0;title\x07c\x9b2Jd\x00\u202ee\x85f\x7f") == "abcdef"
    assert plain("a\nb\tc", keep_lines=False) == "a b c"


def test_a_hostile_document_cannot_write_on_the_terminal(store: Path, tmp_path: Path) -> None:
    """Markup, escape characters and formulas in a document come out as plain words, everywhere."""
    import pymupdf

    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 100), "The annual fee [bold red]is[/bold red] EUR 100 [/] per year.")
        page.insert_text((72, 120), "=HYPERLINK(1) [link=http://x]fee[/link]")
        document.save(tmp_path / "evil.pdf")
    for question, codes in (("What is the annual [/bold]fee?", (0, 3)), ("What is the \x1b[31mfee?", (2,))):
        result = call("ask", tmp_path / "evil.pdf", question, "--store", store)
        assert result.exit_code in codes, result.output
        assert "\x1b" not in result.output
    run = json.loads(call("ask", tmp_path / "evil.pdf", "What is the annual fee?", "--store", store, "--json").stdout)
    shown = call("show", run["run"], "--store", store)
    assert "[bold red]is[/bold red]" in shown.stdout


def test_the_question_can_come_from_standard_input(contract: Path, store: Path) -> None:
    """A dash reads it."""
    result = CliRunner().invoke(app, ["ask", str(contract), "-", "--store", str(store)], input=FEE + "\n")
    assert result.exit_code == 0
    assert "1,250,000" in result.stdout


def test_a_model_without_a_key_is_a_clear_error(contract: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A half-set environment is bad input; --no-llm does not care."""
    monkeypatch.setenv("LINEPROOF_MODEL", "some-model")
    assert_clear(call("ask", contract, FEE, "--store", store), 2, "LINEPROOF_MODEL")
    assert call("ask", contract, FEE, "--store", store, "--no-llm").exit_code == 0


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
        "import os, signal, threading, pipeline.run\n"
        "def interrupted(*_, **__): os.kill(os.getpid(), signal.SIGINT); threading.Event().wait(9)\n"
        "pipeline.run.save_run = interrupted\n"
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
    monkeypatch.setattr("pipeline.run.save_run", lambda *_: 1 / 0)
    assert isinstance(call("ask", contract, FEE, "--store", store).exception, ZeroDivisionError)
