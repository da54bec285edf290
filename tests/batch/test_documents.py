"""Documents in: every file a row, nothing read outside what was named, metadata joined to the right file."""

from __future__ import annotations

import os
import zipfile
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

from pipeline.batch.documents import find_documents, open_place
from pipeline.batch.documents.places import plain_name
from schemas.errors import InputError, LimitExceededError


def put(folder: Path, **files: str) -> Path:
    """A folder with these files; '__' stands for '/'."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_folder_gives_its_files_sorted_without_what_systems_leave(tmp_path: Path) -> None:
    """Nested files have their path as a name; hidden, lock and system files are left out, and counted."""
    docs = put(tmp_path / "d", b_dot_txt="b", sub__a_dot_txt="a")
    for name in (".hidden.txt", "~$b.docx", "Thumbs.db", ".DS_Store"):
        (docs / name).write_text("x")
    found = find_documents([str(docs)])
    assert [one.name for one in found.documents] == ["b.txt", "sub/a.txt"]
    left_out = "4 hidden, temporary or system files are left out: .DS_Store, .hidden.txt, Thumbs.db, ~$b.docx"
    assert left_out in found.notes


@pytest.mark.skipif(os.name != "posix", reason="links and pipes are a POSIX matter")
def test_links_that_lead_out_and_pipes_are_rows_with_a_fault(tmp_path: Path) -> None:
    """Nothing outside the folder is read, no loop is walked, and each is told."""
    docs = put(tmp_path / "d", a_dot_txt="a")
    (tmp_path / "secret.txt").write_text("secret")
    (docs / "out.txt").symlink_to(tmp_path / "secret.txt")
    (docs / "loop.txt").symlink_to(docs / "loop.txt")
    (docs / "inside.txt").symlink_to(docs / "a.txt")
    (docs / "circle").symlink_to(docs)
    os.mkfifo(docs / "pipe.txt")
    found = {one.name: one.fault for one in find_documents([str(docs)]).documents}
    assert found["a.txt"] is None
    assert found["inside.txt"] is None
    assert "leads out" in str(found["out.txt"])
    assert "leads out" in str(found["loop.txt"])
    assert "pipe" in str(found["pipe.txt"])
    assert not any(name.startswith("circle/") for name in found)


def test_globs_lists_and_several_places(tmp_path: Path) -> None:
    """A glob, a list of paths with one that is gone, and a folder together; equal names are told apart."""
    put(tmp_path / "d", a_dot_txt="a", b_dot_txt="b", c_dot_md="c")
    put(tmp_path / "e", a_dot_txt="other")
    (tmp_path / "list.txt").write_text("d/a.txt\nd/b.txt\nd/gone.txt\n")
    assert [one.name for one in find_documents([str(tmp_path / "d" / "*.txt")]).documents] == ["a.txt", "b.txt"]
    listed = find_documents([str(tmp_path / "list.txt")])
    assert [(one.name, bool(one.fault)) for one in listed.documents] == [
        ("d/a.txt", False), ("d/b.txt", False), ("d/gone.txt", True)
    ]  # fmt: skip
    both = find_documents([str(tmp_path / "d" / "a.txt"), str(tmp_path / "e" / "a.txt")])
    assert [one.name for one in both.documents] == ["a (2).txt", "a.txt"]
    with pytest.raises(InputError, match="no such file or folder"):
        find_documents([str(tmp_path / "nowhere")])


def test_an_archive_is_a_folder_and_its_traps_are_rows(tmp_path: Path) -> None:
    """Members are documents; one that names a place outside, or unpacks without end, is refused."""
    path = tmp_path / "docs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("in/a.txt", "the text of a")
        packed.writestr("../evil.txt", "x")
        packed.writestr("bomb.txt", b"0" * 30_000_000)
    found = find_documents([str(path)])
    faults = {one.name: one.fault for one in found.documents}
    assert faults["in/a.txt"] is None
    assert "outside" in str(faults["__/evil.txt"])
    assert "unpacks to" in str(faults["bomb.txt"])
    opened = open_place(found.places["in/a.txt"], tmp_path / "cache", name="in/a.txt")
    assert opened.name == "a.txt"
    assert opened.read_text() == "the text of a"
    assert not (tmp_path.parent / "evil.txt").exists()
    with pytest.raises(LimitExceededError):
        open_place(found.places["bomb.txt"], tmp_path / "cache", name="bomb.txt")


def test_remote_storage_is_read_through_fsspec(tmp_path: Path) -> None:
    """A folder of another file system gives the same rows, and its files open as copies."""
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.pipe("/batch-test/sub/a.txt", b"from afar")
    found = find_documents(["memory://batch-test"])
    (one,) = found.documents
    assert one.name == "sub/a.txt"
    assert open_place(found.places[one.name], tmp_path, name=one.name).read_text() == "from afar"
    with pytest.raises(InputError, match="cannot be looked through"):
        find_documents(["nosuchprotocol://x"])


def test_metadata_are_joined_to_the_right_file(tmp_path: Path) -> None:
    """By name, or by the last part where only one is called so; real dates and numbers are told plainly."""
    docs = put(tmp_path / "d", a_dot_txt="a", sub__b_dot_txt="b", c_dot_txt="c")
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.append(["File", "Party", "Date", "Version"])
    sheet.append(["a.txt", "Acme", date(2024, 3, 1), 2.0])
    sheet.append(["b.txt", "Binder", None, 1])
    book.save(tmp_path / "m.xlsx")
    found = find_documents([str(docs)], metadata=tmp_path / "m.xlsx")
    by_name = {one.name: one.metadata for one in found.documents}
    assert by_name["a.txt"] == {"party": "Acme", "date": "2024-03-01", "version": "2"}
    assert by_name["sub/b.txt"] == {"party": "Binder", "version": "1"}
    assert by_name["c.txt"] == {}
    assert found.columns == ("party", "date", "version")
    assert any("1 documents have no row" in note for note in found.notes)


def test_faults_of_the_metadata_sheet_are_told_together(tmp_path: Path) -> None:
    """A file that is not there, one named twice, one that could be two."""
    docs = put(tmp_path / "d", x__a_dot_txt="a", y__a_dot_txt="b", c_dot_txt="c")
    (tmp_path / "m.csv").write_text("file,party\nnone.txt,A\na.txt,B\nc.txt,C\n./c.txt,D\n")
    with pytest.raises(InputError) as told:
        find_documents([str(docs)], metadata=tmp_path / "m.csv")
    for words in (
        "row 2, column A: 'none.txt' is not in the collection",
        "row 3, column A: 'a.txt'",
        "row 5, column A: './c.txt' is the document of row 4, too",
    ):
        assert words in str(told.value)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b\\c", "con\x00trol\n.txt", "", "....", "x" * 400 + ".pdf", "日本" * 200]
)
def test_names_of_copies_are_plain(name: str) -> None:
    """No name of an archive or a server chooses a place."""
    made = plain_name(name)
    assert made
    assert "/" not in made
    assert "\x00" not in made
    assert not made.startswith(".")
    assert len(made.encode()) <= 200


def test_every_file_of_the_torture_set_is_a_row(shared_data: Path) -> None:
    """Whatever is wrong with a file, it is there."""
    folder = shared_data / "torture"
    found = find_documents([str(folder)])
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    assert len(found.documents) == len(files)
