"""The store: folders that appear whole, prove that nothing changed, and survive what kills the process."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from pipeline.store import folders
from pipeline.store.documents import load_document, save_document
from pipeline.store.folders import MANIFEST, locked, open_store, read_folder, write_folder
from pipeline.store.names import SLUG_LENGTH, parsing_folder, question_key, slug
from pipeline.store.runs import find_run, list_runs, load_case, save_case
from pipeline.store.sealed import sealed_folders
from pipeline.store.workbook import CELL_LIMIT, to_workbook
from schemas.answer import CaseAnswer
from schemas.document import Attachment, ParsedDocument
from schemas.errors import InputError, RecordError, StoreError
from schemas.tables import DOCUMENT_TABLES, RETRIEVED_PAGE_DF, same_table
from tests import builders

FILES = {"a.json": b"{}\n", "b.bin": bytes(range(256))}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty store."""
    return open_store(tmp_path / "store")


def names(folder: Path) -> list[str]:
    """What lies in a folder, hidden entries too."""
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_is_read_back(root: Path) -> None:
    """A folder gives back the bytes that were put in, and nothing else lies beside it."""
    hashes = write_folder(root, root / "x" / "record", FILES)
    assert read_folder(root, root / "x" / "record") == FILES
    assert sorted(hashes) == sorted(FILES)
    assert names(root / "x") == ["record"]


def test_a_folder_that_is_not_there_is_no_error(root: Path) -> None:
    """An absent record is a value, so that a caller can make it."""
    assert read_folder(root, root / "x" / "record") is None


def test_a_second_writing_replaces_the_first(root: Path) -> None:
    """No file of an earlier record stays in a later one."""
    write_folder(root, root / "record", FILES)
    write_folder(root, root / "record", {"c.json": b"[]"})
    assert read_folder(root, root / "record") == {"c.json": b"[]"}


@pytest.mark.parametrize("harm", ["flip", "truncate", "delete", "no manifest", "broken manifest", "sly manifest"])
def test_a_damaged_file_is_named(root: Path, harm: str) -> None:
    """A changed bit, a cut file, a missing file or a broken list is an error that names the file."""
    folder = root / "record"
    write_folder(root, folder, FILES)
    victim = folder / "b.bin"
    match harm:
        case "flip":
            data = bytearray(victim.read_bytes())
            data[100] ^= 1
            victim.write_bytes(bytes(data))
        case "truncate":
            victim.write_bytes(victim.read_bytes()[:-1])
        case "delete":
            victim.unlink()
        case "no manifest":
            (victim := folder / MANIFEST).unlink()
        case "broken manifest":
            (victim := folder / MANIFEST).write_bytes(b'{"files": ["a"')
        case "sly manifest":
            (victim := folder / MANIFEST).write_text(json.dumps({"files": {"../../etc/passwd": "0"}}))
    with pytest.raises(RecordError, match=victim.name) as caught:
        read_folder(root, folder)
    assert "delete the folder" in str(caught.value)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_failed_writing_leaves_the_former_record(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: int, at: int
) -> None:
    """Whatever file fails, the record that was there stays whole and nothing half written remains."""
    write_folder(root, root / "x" / "record", FILES)
    written = []

    def failing(path: Path, data: bytes) -> None:
        if len(written) == at:
            raise OSError(code, os.strerror(code))
        written.append(path)
        path.write_bytes(data)

    monkeypatch.setattr(folders, "_write_synced", failing)
    with pytest.raises(StoreError, match="cannot be written") as caught:
        write_folder(root, root / "x" / "record", {"a.json": b"new", "z": b"new"})
    assert str(root / "x" / "record") in str(caught.value)
    monkeypatch.undo()
    assert read_folder(root, root / "x" / "record") == FILES
    assert names(root / "x") == ["record"]


def test_a_process_that_died_between_two_renames_loses_nothing(root: Path) -> None:
    """A record that was set aside by a dead writer is put back, and its unfinished successor is cleared away."""
    folder = root / "record"
    write_folder(root, folder, FILES)
    folder.rename(root / ".old-record")
    (root / ".new-record").mkdir()
    (root / ".new-record" / "half").write_bytes(b"ha")
    assert read_folder(root, folder) == FILES
    assert names(root) == [".locks", "record"]


def test_a_process_that_died_before_the_first_rename_leaves_no_trace(root: Path) -> None:
    """An unfinished folder is never read, and the next writer takes it away."""
    (root / ".new-record").mkdir()
    (root / ".new-record" / "half").write_bytes(b"ha")
    assert read_folder(root, root / "record") is None
    write_folder(root, root / "record", FILES)
    assert names(root) == [".locks", "record"]


def test_a_lock_that_is_held_too_long_is_an_error(root: Path) -> None:
    """A second process waits for a while, then says who is in the way."""
    code = (
        "import sys; from pathlib import Path; from pipeline.store.folders import locked\n"
        "with locked(Path(sys.argv[1]), Path(sys.argv[1]) / 'record'): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match="another process"), locked(root, root / "record", seconds=0.05):
            pass
        other.communicate("")
    with locked(root, root / "record", seconds=0.05):
        pass


def test_two_processes_may_write_the_same_record(root: Path) -> None:
    """While one process writes again and again, the other reads a whole record every time."""
    code = (
        "import sys; from pathlib import Path; from pipeline.store.folders import write_folder\n"
        "root = Path(sys.argv[1])\n"
        "for n in range(30): write_folder(root, root / 'record', {f'{n}': bytes([n]), 'same': bytes([n]) * 9999})"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(root)]) as other:
        seen = 0
        while other.poll() is None:
            files = read_folder(root, root / "record")
            if files is not None:
                (number,) = (name for name in files if name != "same")
                assert files["same"] == bytes([int(number)]) * 9999
                seen += 1
    assert other.returncode == 0
    assert seen


def test_a_file_in_place_of_the_store_is_an_error(tmp_path: Path) -> None:
    """A store that cannot be a folder is refused with its path."""
    (tmp_path / "store").write_text("a file")
    with pytest.raises(StoreError, match="store"):
        open_store(tmp_path / "store")


def test_a_store_without_locks_can_still_be_read(root: Path) -> None:
    """A copy handed to an auditor, read-only and without lock files, is readable and is left as it was."""
    write_folder(root, root / "record", FILES)
    for lock in (root / ".locks").iterdir():
        lock.unlink()
    (root / ".locks").rmdir()
    assert read_folder(root, root / "record") == FILES
    assert names(root) == ["record"]


def test_a_document_is_the_same_after_save_and_load(root: Path) -> None:
    """Every table comes back with its dtypes, nulls and values."""
    line_df = builders.lines(["one", "", "três ☃"], page=[1, 1, 2])
    document = builders.document(line_df, toc_df=builders.toc([(1, "One", 1, 3)], line_df))
    hashes = save_document(root, document)
    loaded = load_document(root, document.doc_id)
    assert loaded is not None
    assert loaded.same_as(document)
    assert {f"{table.name}.parquet" for table in DOCUMENT_TABLES} < set(hashes)


def test_files_inside_a_document_are_stored_as_documents_of_their_own(root: Path) -> None:
    """A child is found under its own id, comes back with its parent, and its loss is an error that names it."""
    child = builders.document(builders.lines(["inside"])).model_copy(update={"doc_id": "inside_00000000"})
    about = Attachment(
        name="inside.pdf", media_type="", byte_count=1, sha256=child.sha256, status="parsed", doc_id=child.doc_id
    )
    parent = builders.document(builders.lines(["outside"]))
    save_document(root, parent.model_copy(update={"attachments": (about,), "children": (child,)}))
    loaded = load_document(root, parent.doc_id)
    assert loaded is not None
    assert [each.line_df["text"].tolist() for each in loaded.children] == [["inside"]]
    assert load_document(root, child.doc_id) is not None
    shutil.rmtree(parsing_folder(root, child.doc_id))
    with pytest.raises(RecordError, match=r"attachment 'inside\.pdf'"):
        load_document(root, parent.doc_id)


def test_a_document_stored_by_version_1_still_loads(root: Path) -> None:
    """Columns and tables that came later are filled in, and the record says what it was written as."""
    document = builders.document(builders.lines(["one"]))
    save_document(root, document)
    folder = parsing_folder(root, document.doc_id)
    files = dict(read_folder(root, folder) or {})
    fields = json.loads(files["parsed_document.json"])
    fields["schema_version"] = 1
    del fields["attachments"], fields["profile"]["identity"]["page_unit"]
    files["parsed_document.json"] = json.dumps(fields).encode()
    del files["field_df.parquet"]
    for name, columns in (
        ("line_df", ["change"]),
        ("page_df", ["ocr_char_count", "has_ocr_layer", "has_full_page_image", "table_count"]),
        ("table_df", ["row_span", "column_span"]),
    ):
        sink = BytesIO()
        document.tables()[name].drop(columns=columns).to_parquet(sink)
        files[f"{name}.parquet"] = sink.getvalue()
    write_folder(root, folder, files)
    loaded = load_document(root, document.doc_id)
    assert loaded is not None
    assert (loaded.written_as, loaded.schema_version) == (1, ParsedDocument.SCHEMA_VERSION)
    assert same_table(loaded.line_df, document.line_df)
    assert not len(loaded.field_df)


def test_the_same_document_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two stores hold equal files for equal documents."""
    document = builders.document(builders.lines(["one", "two"]))
    hashes = [save_document(open_store(tmp_path / name), document) for name in ("a", "b")]
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("name", ["line_df.parquet", "parsed_document.json"])
def test_a_forged_record_is_named(root: Path, name: str) -> None:
    """A file that fits its hash and still is no table or record is an error that names it, not a crash."""
    document = builders.document(builders.lines(["one"]))
    save_document(root, document)
    folder = parsing_folder(root, document.doc_id)
    files = read_folder(root, folder)
    assert files is not None
    write_folder(root, folder, {**files, name: b"PAR1 nonsense"})
    with pytest.raises(RecordError, match=name):
        load_document(root, document.doc_id)
    write_folder(root, folder, {key: data for key, data in files.items() if key != name})
    with pytest.raises(RecordError, match=name):
        load_document(root, document.doc_id)


@given(st.text())
def test_a_slug_is_short_and_safe(text: str) -> None:
    """Any question gives a folder name of at most 40 plain characters."""
    made = slug(text)
    assert 0 < len(made) <= SLUG_LENGTH
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert made.strip("-") == made


def test_a_key_tells_runs_apart() -> None:
    """Question, model and documents each change the hash; the slug stays readable."""
    keys = {
        question_key("What is the fee?", None),
        question_key("What is the fee? ", None),
        question_key("What is the fee?", "gpt"),
        question_key("What is the fee?", None, documents=["a", "b"]),
        question_key("What is the fee?", None, documents=["b", "a"]),
    }
    assert len(keys) == 5
    assert {key.rpartition("_")[0] for key in keys} == {"what-is-the-fee"}


HOSTILE = [
    "=1+1",
    '=HYPERLINK("http://x","y")',
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "#N/A",
    "a\x00b\x1b[31m\x0b",
    "x\uffff",
]


@settings(max_examples=30, deadline=None)
@given(st.one_of(st.text(st.characters(codec="utf-8")), st.sampled_from(HOSTILE)))
def test_no_cell_is_a_formula(text: str) -> None:
    """Whatever a document says, a spreadsheet program shows it and does not compute it."""
    row = {"page_num": [1], "rank": [1], "match_count": [1], "matched_keywords": [(text,)], "methods": [("m",)]}
    frame = RETRIEVED_PAGE_DF.build({**row, "roles": [("primary",)], "text": [text]})
    sheet = load_workbook(BytesIO(to_workbook(frame, title="pages"))).worksheets[0]
    assert {cell.data_type for cells in sheet.iter_rows() for cell in cells} <= {"s", "inlineStr", "n"}
    shown = sheet.cell(2, 7)
    if text[:1] in ("=", "+", "-", "@", "\t"):
        assert shown.quotePrefix


def test_a_workbook_holds_what_fits_and_says_what_was_cut() -> None:
    """A text longer than a cell is cut with a mark."""
    row = {"page_num": [1], "rank": [1], "match_count": [1], "matched_keywords": [()], "methods": [()], "roles": [()]}
    frame = RETRIEVED_PAGE_DF.build({**row, "text": ["x" * 40_000]})
    value = load_workbook(BytesIO(to_workbook(frame, title="pages"))).worksheets[0].cell(2, 7).value
    assert len(value) == CELL_LIMIT
    assert value.endswith("[cut: the cell is full]")


def test_a_workbook_has_no_clock() -> None:
    """Equal tables give equal bytes: the times in a workbook are fixed."""
    data = to_workbook(RETRIEVED_PAGE_DF.empty(), title="pages")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        assert {entry.date_time[0] for entry in archive.infolist()} == {2000}
        assert archive.read("docProps/core.xml").count(b"2000-01-01T00:00:00Z") == 2


def test_a_run_is_found_by_any_of_its_names(root: Path) -> None:
    """Folder, document and name, name, hash and the start of the slug all mean the run."""
    folder = root / "doc_00000000" / "questions" / "what-is-the-fee_12345678"
    write_folder(root, folder, {"answer.json": b"{}"})
    write_folder(root, root / "doc_00000000" / "questions" / "who-signs_87654321", {"answer.json": b"{}"})
    short = (str(folder), "doc_00000000/what-is-the-fee_12345678", "what-is-the-fee_12345678", "12345678", "what-is")
    assert {find_run(root, name) for name in short} == {folder}
    assert len(list_runs(root)) == 2


def test_a_name_that_means_no_run_or_two_is_refused(root: Path) -> None:
    """The message lists what there is."""
    for doc in ("a_00000000", "b_00000000"):
        write_folder(root, root / doc / "questions" / "fee_12345678", {"answer.json": b"{}"})
    with pytest.raises(InputError, match="names 2 runs"):
        find_run(root, "fee_12345678")
    with pytest.raises(InputError, match="a_00000000/questions/fee_12345678"):
        find_run(root, "nothing")
    with pytest.raises(InputError):
        find_run(root, " ")


def test_a_case_is_saved_and_loaded(root: Path) -> None:
    """A case comes back as it was."""
    case = CaseAnswer(question="q", answers=(), conflicts=(), text="t")
    folder = save_case(root, "q_12345678", case)
    assert load_case(folder) == case
    assert find_run(root, "q_12345678") == folder


def test_a_run_that_is_not_there_is_told_with_what_is_like_it(root: Path) -> None:
    """The nearest names come first; a missing store, a file and a folder that is being erased are told as such."""
    for name in ("what-is-the-fee_00000001", "who-are-the-parties_00000002"):
        write_folder(root, root / "doc_1" / "questions" / name, FILES)
    with pytest.raises(InputError, match="there are: doc_1/questions/who-are-the-parties_00000002, doc_1/questions/wh"):
        find_run(root, "the-parties")
    with pytest.raises(InputError, match="there is no such store as"):
        find_run(root / "nowhere", "the-parties")
    (root / "a-file").write_text("x")
    with pytest.raises(InputError, match="is a file, and no run"):
        find_run(root, str(root / "a-file"))
    gone = root / ".gone-1" / "questions" / "what-is-the-term_00000003"
    write_folder(root, gone, FILES)
    assert gone not in list_runs(root)
    with pytest.raises(InputError, match="written or erased"):
        find_run(root, str(gone))


def test_a_data_set_of_any_name_is_no_document(root: Path) -> None:
    """An evaluation of a data set called 'questions', 'parsing' or 'source' is neither a run nor to be sealed."""
    for name in ("questions", "parsing", "source", "former"):
        write_folder(root, root / "evaluation" / name / "parsed", FILES)
    assert list_runs(root) == []
    assert list(sealed_folders(root)) == []
