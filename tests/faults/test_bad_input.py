"""Bad input, full disks and damaged records: one clear sentence, the right exit code, nothing half written."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.store import folders
from tests.commands import FEE, assert_clear, call, kept


@pytest.fixture
def contract(project: Path) -> Path:
    """The sample contract."""
    return project / "examples" / "supply_agreement.pdf"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that does not exist yet."""
    return tmp_path / "store"


def bad_files(folder: Path, contract: Path) -> dict[str, tuple[Path, str]]:
    """Files that cannot be read as a document, by name, with a word of the message each must give."""
    import pymupdf

    made = {name: folder / f"{name}.pdf" for name in ("empty", "text", "truncated", "encrypted", "garbage", "locked")}
    made["empty"].touch()
    made["text"].write_bytes(b"{\\rtf1 Just words, no PDF.}\n" * 50)
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
        "not a PDF": (made["text"], "rich text"),
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


def test_a_run_that_is_not_there(store: Path) -> None:
    """A name that means no run is bad input."""
    assert_clear(call("show", "nothing", "--store", store), 2, "nothing")


def test_a_model_without_a_key_is_a_clear_error(contract: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A half-set environment is bad input; --no-llm does not care."""
    monkeypatch.setenv("LINEPROOF_MODEL", "some-model")
    assert_clear(call("ask", contract, FEE, "--store", store), 2, "LINEPROOF_MODEL")
    assert call("ask", contract, FEE, "--store", store, "--no-llm").exit_code == 0


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


def test_a_rebuilt_file_proves_no_absence(project: Path, tmp_path: Path) -> None:
    """A PDF cut off in the middle opens, and what was lost with it may hold the answer: nothing is proven absent."""
    from pipeline.run import ask

    whole = (project / "examples" / "supply_agreement.pdf").read_bytes()
    cut = tmp_path / "cut.pdf"
    cut.write_bytes(whole[: len(whole) // 2])
    absent = ask(cut, "Is there an escrow of the source code?", store=tmp_path / "store").answer
    assert absent.absence is not None
    assert absent.absence.verdict == "inconclusive"
    assert "rebuilt" in absent.absence.statement
    assert absent.pages_not_read
    answered = ask(cut, "What is the liability cap?", store=tmp_path / "store").answer
    assert any("rebuilt" in caveat for caveat in answered.caveats)


def test_a_full_disk_behind_the_output_is_one_sentence(contract: Path, store: Path) -> None:
    """What was answered is saved; that it could not be printed is told without a traceback."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    command = [Path(sys.executable).parent / "lineproof", "ask", contract, "What is the liability cap?"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*command, "--store", store],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 5
    assert "the output cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
