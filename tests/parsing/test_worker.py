"""Reading outside the caller's process: the same record, and at worst one error or one page lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.mupdf import pymupdf
from pipeline.parsing import isolation, parse_document, reading_server
from pipeline.parsing.isolation import read_isolated
from pipeline.parsing.reading_server import Server
from pipeline.parsing.settings import MEBIBYTE, ParsingSettings
from pipeline.parsing.source import read_source
from pipeline.parsing.transfer import pack_document, unpack_document
from schemas.document import ParsedDocument
from schemas.errors import (
    DocumentNotFoundError,
    EncryptedDocumentError,
    LimitExceededError,
    ReaderFailedError,
    RecordError,
    TableError,
    UnsupportedFormatError,
)
from tests.parsing.builders import agreement, new_page, save

HERE = ParsingSettings(isolate=False)
PASSWORD = "nur für uns: æøå"  # noqa: S105 of a test


@pytest.fixture(scope="module")
def bad_server() -> Iterator[Server]:
    """A reading process in which some words on a page hang, crash or fail."""
    server = Server(preload=("tests.parsing.bad_readers",))
    yield server
    server.close()


def pages(path: Path, *texts: str) -> Path:
    """A PDF with a page a text."""
    document = pymupdf.open()
    for text in texts:
        new_page(document, [(72, 100, text)])
    return save(document, path)


def read(path: Path, server: Server, **options: object) -> ParsedDocument:
    """The document as that reading process reads it."""
    settings = ParsingSettings(**options)  # type: ignore[arg-type]
    return read_isolated(read_source(path, settings), settings, server=server)


def statuses(document: ParsedDocument) -> list[str]:
    """Status of each page."""
    return document.page_df["status"].tolist()


def test_the_record_is_the_same_with_and_without_isolation(tmp_path: Path) -> None:
    """Byte for byte, tables and stamp included."""
    path = agreement(tmp_path / "a.pdf")
    apart = parse_document(path)
    assert apart.same_as(parse_document(path, settings=HERE))
    assert apart.same_as(parse_document(path))
    assert "isolate" not in apart.stamp.settings


def test_files_inside_come_back_as_children(tmp_path: Path) -> None:
    """Records inside records cross the border between the processes too."""
    outer = parse_document(agreement(tmp_path / "outer.pdf"), settings=HERE)
    inner = parse_document(pages(tmp_path / "inner.pdf", "Inside"), settings=HERE)
    middle = inner.model_copy(update={"children": (inner,)})
    whole = outer.model_copy(update={"children": (middle, inner)})
    back = unpack_document(b"".join(map(bytes, pack_document(whole))), where="outer.pdf")
    assert back.same_as(outer)
    assert [child.source_name for child in back.children] == ["inner.pdf", "inner.pdf"]
    assert back.children[0].children[0].same_as(inner)


@given(st.data())
def test_what_a_reading_process_sends_is_never_trusted(data: st.DataObject) -> None:
    """Any bytes give a record that fits its schema, or a RecordError."""
    packed = _packed()
    at = data.draw(st.integers(0, len(packed) - 1))
    broken = packed[:at] + data.draw(st.binary(max_size=40)) + packed[at + data.draw(st.integers(0, 40)) :]
    try:
        document = unpack_document(broken, where="x.pdf")
    except (RecordError, TableError):
        return
    assert isinstance(document, ParsedDocument)


@cache
def _packed() -> bytes:
    with TemporaryDirectory() as folder:
        return b"".join(map(bytes, pack_document(parse_document(agreement(Path(folder) / "a.pdf"), settings=HERE))))


def test_errors_come_back_as_what_they_are(tmp_path: Path) -> None:
    """Class and words are those that the reader raised."""
    (tmp_path / "page.pdf").write_bytes(b"\x00\x01\x02" * 100)
    with pytest.raises(UnsupportedFormatError) as apart:
        parse_document(tmp_path / "page.pdf")
    with pytest.raises(UnsupportedFormatError) as here:
        parse_document(tmp_path / "page.pdf", settings=HERE)
    assert str(apart.value) == str(here.value)
    with pytest.raises(DocumentNotFoundError):
        parse_document(tmp_path / "nothing.pdf")


def test_a_password_reaches_the_reader_and_shows_nowhere(tmp_path: Path) -> None:
    """Any characters; not in the record, not among the arguments or variables of a process."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "A secret line")])
    path = tmp_path / "secret.pdf"
    document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=PASSWORD, owner_pw="owner")
    parsed = parse_document(path, password=PASSWORD)
    assert parsed.line_df["text"].tolist() == ["A secret line"]
    assert PASSWORD.encode() not in parsed.to_json()
    with pytest.raises(EncryptedDocumentError, match="needs a password"):
        parse_document(path)
    with pytest.raises(EncryptedDocumentError, match="does not open"):
        parse_document(path, password="wrong")  # noqa: S106


@pytest.mark.parametrize(
    ("word", "reason"), [("HANG", "not read within 0.5 s"), ("CRASH", "SIGABRT"), ("KILL", "SIGKILL")]
)
def test_a_page_that_hangs_or_crashes_is_left_to_the_second_reader(
    tmp_path: Path, bad_server: Server, word: str, reason: str
) -> None:
    """The others are read as ever; the row of this one says why and by what it was read."""
    path = pages(tmp_path / "bad.pdf", "The first page", f"Now {word}", "The third page")
    document = read(path, bad_server, max_page_seconds=0.5)
    assert document.page_df["parsing_method"].tolist() == ["pymupdf", "pypdfium2", "pymupdf"]
    assert reason in document.page_df["status_reason"].iloc[1]
    assert document.line_df["text"].tolist() == ["The first page", f"Now {word}", "The third page"]
    assert document.finding_df["page_num"].tolist() == [2]


def test_a_page_that_no_reader_survives_is_lost_alone(tmp_path: Path, bad_server: Server) -> None:
    """The others are read; the lost one has its status and its reason."""
    path = pages(tmp_path / "bad.pdf", "The first page", "CRASH BOTH", "The third page")
    document = read(path, bad_server)
    assert statuses(document) == ["native", "failed", "native"]
    assert "SIGABRT" in document.page_df["status_reason"].iloc[1]
    assert document.profile.routing.pages_not_read == (2,)
    assert document.line_df["page_num"].tolist() == [1, 3]


def test_a_document_that_keeps_crashing_is_given_up(tmp_path: Path, bad_server: Server) -> None:
    """After five lost pages one error names the page, the signal and what to do."""
    path = pages(tmp_path / "bad.pdf", *["CRASH"] * 7)
    with pytest.raises(
        ReaderFailedError, match=r"bad.pdf: reading it crashed .*SIGABRT.* at page 6, after 5"
    ) as caught:
        read(path, bad_server)
    assert "\n" not in str(caught.value)


def test_a_document_that_takes_too_long_names_the_page_and_the_limit(tmp_path: Path, bad_server: Server) -> None:
    """The clock of the document rings before that of the page."""
    path = pages(tmp_path / "slow.pdf", "The first page", "HANG")
    begun = time.monotonic()
    with pytest.raises(LimitExceededError, match=r"slow.pdf: not read within 1 s \(settings.max_seconds\).* page 2"):
        read(path, bad_server, max_seconds=1)
    assert time.monotonic() - begun < 30


def test_memory_is_limited(tmp_path: Path, bad_server: Server) -> None:
    """What asks for more than the limit ends in an error or a lost page, and the caller does not grow."""
    path = pages(tmp_path / "eater.pdf", "EAT")
    with pytest.raises(LimitExceededError, match=r"eater.pdf: .*memory.* page 1 \(settings.max_memory_bytes\)"):
        read(path, bad_server, max_memory_bytes=256 * MEBIBYTE)


def test_a_fault_of_ours_is_one_sentence_with_the_traceback_beside_it(tmp_path: Path, bad_server: Server) -> None:
    """The message says what and where; the traceback is a note on the error."""
    with pytest.raises(ReaderFailedError, match=r"bug.pdf: .*at page 2 \(ZeroDivisionError: a fault of ours") as caught:
        read(pages(tmp_path / "bug.pdf", "fine", "BUG"), bad_server)
    assert "\n" not in str(caught.value)
    assert "in read_badly" in caught.value.__notes__[0]


def test_threads_share_one_process_and_do_not_mix(tmp_path: Path) -> None:
    """Each thread gets its own document."""
    paths = [pages(tmp_path / f"{at}.pdf", f"Document number {at}") for at in range(6)]
    found: dict[int, str] = {}

    def parse(at: int) -> None:
        found[at] = parse_document(paths[at]).line_df["text"].iloc[0]

    threads = [threading.Thread(target=parse, args=(at,)) for at in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {at: f"Document number {at}" for at in range(6)}


def test_a_reading_process_that_died_is_started_again(tmp_path: Path) -> None:
    """Killed from outside, it costs nothing."""
    server = Server()
    path = agreement(tmp_path / "a.pdf")
    try:
        whole = read(path, server)
        os.kill(server._process.pid, signal.SIGKILL)
        assert read(path, server).same_as(whole)
    finally:
        server.close()


def test_a_reading_process_that_cannot_start_says_why(tmp_path: Path) -> None:
    """The end of what it wrote stands in the error."""
    server = Server(preload=("no_such_module_anywhere",))
    try:
        with pytest.raises(ReaderFailedError, match=r"No module named 'no_such_module_anywhere'.*settings.isolate"):
            read(agreement(tmp_path / "a.pdf"), server)
    finally:
        server.close()


def test_a_caller_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    """Neither the server nor a child that hangs."""
    path = pages(tmp_path / "hang.pdf", "HANG")
    program = (
        "import sys\n"
        "from pipeline.parsing.isolation import read_isolated\n"
        "from pipeline.parsing.reading_server import Server\n"
        "from pipeline.parsing.settings import ParsingSettings\n"
        "from pipeline.parsing.source import read_source\n"
        "settings = ParsingSettings()\n"
        "server = Server(preload=('tests.parsing.bad_readers',))\n"
        "read_isolated(read_source(sys.argv[1], settings), settings, server=server)\n"
    )
    project = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", program, str(path)], cwd=project) as caller:
        family = _wait_for_grandchild(psutil.Process(caller.pid))
        caller.kill()
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []


def _wait_for_grandchild(process: psutil.Process) -> list[psutil.Process]:
    """The server and its child, once the child reads."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        family = process.children(recursive=True)
        if len(family) > 1:
            return family
        time.sleep(0.05)
    raise AssertionError("no child was forked")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork is a POSIX thing")
def test_a_forked_caller_starts_a_process_of_its_own(tmp_path: Path) -> None:
    """A fork after first use neither hangs nor takes the process of the one it was copied from."""
    path = agreement(tmp_path / "a.pdf")
    program = (
        "import os, sys\n"
        "from pipeline.parsing import parse_document\n"
        "parse_document(sys.argv[1])\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    os._exit(len(parse_document(sys.argv[1]).page_df))\n"
        "_, status = os.waitpid(pid, 0)\n"
        "print(os.waitstatus_to_exitcode(status), len(parse_document(sys.argv[1]).page_df))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("3 3\n", "")


def test_a_script_without_a_main_guard_and_in_a_hostile_folder_works(tmp_path: Path) -> None:
    """The reading process runs nothing of the caller's, and imports nothing from the current folder."""
    path = agreement(tmp_path / "a.pdf")
    for name in ("pymupdf.py", "pandas.py", "json.py"):
        (tmp_path / name).write_text("raise SystemExit('imported from the folder of the documents')\n")
    script = tmp_path / "scripts" / "run.py"
    script.parent.mkdir()
    script.write_text(
        "import sys\nfrom pipeline.parsing import parse_document\nprint(len(parse_document(sys.argv[1]).page_df))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script), str(path)], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120
    )
    assert (done.stdout, done.stderr) == ("3\n", "")


def test_where_nothing_forks_a_process_a_document_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same record and errors; the time is limited."""
    monkeypatch.setattr(isolation, "CAN_FORK", False)
    path = agreement(tmp_path / "a.pdf")
    settings = ParsingSettings()
    document = read_isolated(read_source(path, settings), settings)
    assert document.same_as(parse_document(path, settings=HERE))


def test_secrets_of_the_environment_stay_with_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that handles hostile bytes has no keys to lose."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("LINEPROOF_PASSWORD", "p")
    assert not {"OPENAI_API_KEY", "LINEPROOF_PASSWORD"} & set(reading_server._environment())
