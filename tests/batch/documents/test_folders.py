"""Documents of folders, globs and lists: every file is a row, whatever it is."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from pipeline.batch.documents import CollectingSettings, Collection, find_documents
from pipeline.batch.documents import folders as folders_module
from pipeline.batch.documents import places as places_module
from schemas.errors import InputError


def put(folder: Path, *names: str) -> Path:
    """Files below a folder, each with its own name as its text."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return folder


def names(found: Collection) -> list[str]:
    """Names of the documents, in their order."""
    return [one.name for one in found.documents]


def faults(found: Collection) -> dict[str, str]:
    """Faults by name."""
    return {one.name: one.fault for one in found.documents if one.fault is not None}


def test_a_folder_gives_every_file_sorted_with_its_hash(tmp_path: Path) -> None:
    """Names are paths from the folder, unique and sorted; places open them; hashes are those of the bytes."""
    found = find_documents([str(put(tmp_path / "docs", "b.txt", "sub/deep/a.pdf", "Z.docx"))])
    assert names(found) == ["Z.docx", "b.txt", "sub/deep/a.pdf"]
    for one in found.documents:
        assert Path(found.places[one.name]).read_text(encoding="utf-8") == one.name
        assert one.sha256 == hashlib.sha256(one.name.encode()).hexdigest()
        assert one.byte_count == len(one.name)
    assert (found.columns, found.notes) == ((), ())


def test_what_systems_leave_behind_is_left_out_and_told(tmp_path: Path) -> None:
    """Hidden files, hidden folders, lock files of office programs, thumbnails."""
    left = [".DS_Store", "~$offer.docx", ".~lock.offer.odt#", "sub/Thumbs.db", ".git/config", "__MACOSX/offer.docx"]
    found = find_documents([str(put(tmp_path / "docs", "offer.docx", *left))])
    assert names(found) == ["offer.docx"]
    (note,) = found.notes
    assert note.startswith("6 hidden, temporary or system files are left out: ")
    assert ".git/" in note


def test_bad_files_are_rows_with_a_fault(tmp_path: Path) -> None:
    """Empty, too large, a pipe, links to nothing, in a circle and out of the folder; the others are read."""
    docs = put(tmp_path / "docs", "good.txt", "huge.txt")
    put(tmp_path, "secret.txt")
    (docs / "empty.txt").touch()
    (docs / "huge.txt").write_bytes(b"x" * 101)
    os.mkfifo(docs / "pipe.txt")
    (docs / "pipe_link.txt").symlink_to("pipe.txt")
    (docs / "circle.txt").symlink_to("circle.txt")
    (docs / "gone.txt").symlink_to("nothing.txt")
    (docs / "out.txt").symlink_to(tmp_path / "secret.txt")
    (docs / "inside.txt").symlink_to("good.txt")
    (docs / "up").symlink_to(tmp_path)
    (docs / "again").symlink_to(".")
    found = find_documents([str(docs)], limits=CollectingSettings(max_document_bytes=100))
    told = faults(found)
    link = "a link that leads out of the folder, to nothing or in a circle, and is not followed"
    assert told == {
        "circle.txt": link, "gone.txt": link, "out.txt": link,
        "empty.txt": "the file is empty (0 bytes)",
        "huge.txt": "more than 100 bytes; split the document, or leave it out",
        "pipe.txt": "neither a file nor a folder (a pipe, a socket or a device)",
        "pipe_link.txt": "neither a file nor a folder (a pipe, a socket or a device)",
    }  # fmt: skip
    assert set(names(found)) == {*told, "good.txt", "inside.txt"}
    assert found.notes == ("2 links to folders are not followed: again, up",)


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (PermissionError(13, "no"), "no permission to read it; check its rights"),
        (FileNotFoundError(2, "no"), "no such file; it may have been moved since it was found"),
        (OSError(5, "no"), "cannot be read (Input/output error)"),
    ],
)
def test_a_file_that_cannot_be_opened_is_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, fault: str
) -> None:
    """No permission, vanished between finding and reading, a broken disk: told without the place."""
    real = os.open

    def refusing(path: str, *rest: int) -> int:
        if str(path).endswith("bad.txt"):
            raise error
        return real(path, *rest)

    monkeypatch.setattr(places_module.os, "open", refusing)
    found = find_documents([str(put(tmp_path / "docs", "bad.txt", "good.txt"))])
    assert faults(found) == {"bad.txt": fault}
    assert names(found) == ["bad.txt", "good.txt"]


def test_a_folder_without_permission_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder itself is named, since nothing is known of what is in it."""
    docs = put(tmp_path / "docs", "good.txt", "closed/a.txt")
    real = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "no", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert faults(find_documents([str(docs)])) == {"closed": "the folder cannot be read (Permission denied)"}


def test_hostile_names_are_told_as_plain_text(tmp_path: Path) -> None:
    """Control characters, marks that turn the text and bytes that are no UTF-8 do not get into a name."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in (b"a\nb.txt", "x\u202efdp.exe".encode(), b"caf\xe9.txt", b"=1+1!A.txt", b"[x]*?.txt", b"x!y.zip!z.txt"):
        (docs / os.fsdecode(name)).write_bytes(name)
    found = find_documents([str(docs)])
    assert faults(found) == {}
    assert names(found) == sorted(
        ["a\ufffdb.txt", "x\ufffdfdp.exe", "caf\ufffd.txt", "=1+1!A.txt", "[x]*?.txt", "x!y.zip!z.txt"]
    )


def test_names_that_meet_get_numbers_and_the_same_file_is_asked_once(tmp_path: Path) -> None:
    """Two folders may hold the same name; a file that two arguments name is one document."""
    put(tmp_path, "a/x.txt", "b/x.txt", "b/x (2).txt", "b/noext")
    found = find_documents([str(tmp_path / "a"), str(tmp_path / "b"), str(tmp_path / "b/noext"), str(tmp_path / "a")])
    assert names(found) == ["noext", "x (2).txt", "x (3).txt", "x.txt"]
    assert len(set(found.places.values())) == 4
    assert any("were named twice" in one for one in found.notes)
    assert any("name of another" in one for one in found.notes)


def test_a_glob_names_files_from_its_fixed_part(tmp_path: Path) -> None:
    """Names do not hang on what matches; folders that match are looked through; links out of it are rows."""
    put(
        tmp_path, "docs/2020/a.pdf", "docs/2021/a.pdf", "docs/2021/b.txt", "docs/top.pdf", "docs/.hidden.pdf", "out.pdf"
    )
    (tmp_path / "docs/2021/link.pdf").symlink_to(tmp_path / "out.pdf")
    base = tmp_path / "docs"
    found = find_documents([f"{base}/*/*.pdf"])
    assert names(found) == ["2020/a.pdf", "2021/a.pdf", "2021/link.pdf"]
    assert list(faults(found)) == ["2021/link.pdf"]
    assert names(find_documents([f"{base}/**/*.pdf"])) == ["2020/a.pdf", "2021/a.pdf", "2021/link.pdf", "top.pdf"]
    assert names(find_documents([f"{base}/202*"])) == ["2020/a.pdf", "2021/a.pdf", "2021/b.txt", "2021/link.pdf"]
    assert names(find_documents([f"{base}/2020/*.pdf"])) == ["a.pdf"]


def test_what_is_not_there_is_told_all_at_once(tmp_path: Path) -> None:
    """Each missing argument in one message; a folder without files is no collection."""
    with pytest.raises(InputError) as caught:
        find_documents([str(tmp_path / "nothing"), f"{tmp_path}/*.nothing", "a\0b"])
    assert len(str(caught.value).splitlines()) == 3
    with pytest.raises(InputError, match="no document is there"):
        find_documents([str(tmp_path)])


def test_more_documents_than_the_limit_is_an_error(tmp_path: Path) -> None:
    """The limit and what to do are told."""
    with pytest.raises(InputError, match="more than 2 documents; split"):
        find_documents([str(put(tmp_path / "docs", "a", "b", "c"))], limits=CollectingSettings(max_documents=2))


def test_a_list_of_paths(tmp_path: Path) -> None:
    """Relative to the list, absolute, a folder, one that is gone: each is a row."""
    put(tmp_path, "docs/a.txt", "docs/#1.txt", "more/b.txt", "more/c.txt", "far.txt")
    listed = tmp_path / "docs" / "list.txt"
    listed.write_text(
        f"# contracts\na.txt\n#1.txt\n../more\n\n{tmp_path / 'far.txt'}\ngone.pdf\n", encoding="utf-8-sig"
    )
    found = find_documents([str(listed)])
    assert names(found) == ["#1.txt", "a.txt", "far.txt", "gone.pdf", "more/b.txt", "more/c.txt"]
    assert faults(found) == {"gone.pdf": "no such file (named in the list)"}
    assert found.notes == ("list.txt is read as a list of 5 documents",)


def test_a_list_in_csv_has_a_column_of_files(tmp_path: Path) -> None:
    """By its title, else the first one; with the delimiter that the file uses."""
    put(tmp_path, "a.txt", "b, c.txt")
    titled = tmp_path / "titled.csv"
    titled.write_text('party;file\nAcme;a.txt\nBinder;"b, c.txt"\n', encoding="utf-8")
    assert names(find_documents([str(titled)])) == ["a.txt", "b, c.txt"]
    bare = tmp_path / "bare.csv"
    bare.write_text('a.txt,Acme\n"b, c.txt",Binder\n', encoding="utf-8")
    assert names(find_documents([str(bare)])) == ["a.txt", "b, c.txt"]


def test_a_text_file_that_names_no_files_is_a_document(tmp_path: Path) -> None:
    """A contract in plain text is not a list of paths."""
    path = put(tmp_path, "a.txt") / "contract.txt"
    path.write_text("AGREEMENT\nmade on 1 March 2021.\na.txt\n", encoding="utf-8")
    assert names(find_documents([str(path)])) == ["contract.txt"]


def test_every_file_of_the_torture_folder_is_a_row(shared_data: Path) -> None:
    """None is lost, none stops the others."""
    folder = shared_data / "torture"
    files = sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file())
    found = find_documents([str(folder)])
    assert names(found) == files
    assert all(one.sha256 is not None or one.fault is not None for one in found.documents)


def test_folders_without_end_are_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder at which the walk ends is a row, so that nothing is lost in silence."""
    monkeypatch.setattr(folders_module, "MAX_DEPTH", 2)
    found = find_documents([str(put(tmp_path / "docs", "a/b/good.txt", "a/b/c/deep.txt"))])
    assert faults(found) == {"a/b/c": "more than 2 folders deep; move it up"}
    assert names(found) == ["a/b/c", "a/b/good.txt"]
