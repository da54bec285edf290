"""Places: local files as they are, remote files and bytes through the cache; the same faults whatever the storage."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from pipeline.batch.documents import CollectingSettings, find_documents, open_place
from pipeline.batch.documents.names import plain_name
from pipeline.batch.documents.places import hash_of_place, is_remote, shown_place
from schemas.errors import DocumentNotFoundError, InputError, LimitExceededError, StoreError
from tests.batch.documents.test_archives import pack
from tests.batch.documents.test_folders import faults, names, put


@pytest.fixture
def memory() -> Iterator[Any]:
    """An empty storage in memory, as remote as any."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()


def test_a_local_file_is_opened_where_it_is(tmp_path: Path) -> None:
    """Also with letters that mean something elsewhere; nothing is copied."""
    for name in ("a.txt", "a!b.txt", "x[1].txt", "100%.txt", "a::b.txt"):
        path = put(tmp_path, name) / name
        found = find_documents([str(path)])
        assert faults(found) == {}
        if plain_name(name) == name:
            assert open_place(found.places[name], tmp_path / "cache", name=name) == path
    assert not (tmp_path / "cache").exists()


def test_a_document_whose_name_is_not_its_file_is_copied(tmp_path: Path) -> None:
    """The store knows a document by its name: it must be the same on every run."""
    put(tmp_path, "a/x.txt", "b/x.txt")
    found = find_documents([str(tmp_path / "a"), str(tmp_path / "b")])
    path = open_place(found.places["x (2).txt"], tmp_path / "cache", name="x (2).txt")
    assert (path.name, path.read_text(encoding="utf-8")) == ("x (2).txt", "b/x.txt")


def test_bytes_that_were_sent_are_kept_by_their_hash(tmp_path: Path) -> None:
    """For a worker that cannot see the place; wrong bytes are refused."""
    sha256 = hashlib.sha256(b"text").hexdigest()
    path = open_place("/nowhere/a.txt", tmp_path, data=b"text", name="sub/a.txt", sha256=sha256)
    assert path == tmp_path / sha256[:2] / sha256 / "a.txt"
    with pytest.raises(InputError, match="changed since it was found"):
        open_place("/nowhere/a.txt", tmp_path, data=b"other", name="b.txt", sha256=hashlib.sha256(b"x").hexdigest())
    assert [one.name for one in tmp_path.iterdir()] == [sha256[:2]]


def test_remote_files_are_found_hashed_and_fetched_once(tmp_path: Path, memory: Any) -> None:
    """A folder, a glob and one file of a remote storage; the copy serves when the storage is gone."""
    for name in ("/box/a.txt", "/box/sub/b.txt", "/box/.hidden", "/other/c.txt"):
        memory.pipe(name, name.encode())
    found = find_documents(["memory://box"])
    assert names(found) == ["a.txt", "sub/b.txt"]
    assert names(find_documents(["memory://box/*.txt"])) == ["a.txt"]
    assert names(find_documents(["memory://box/sub/b.txt", "memory://other"])) == ["b.txt", "c.txt"]
    one = found.documents[0]
    path = open_place(found.places["a.txt"], tmp_path, name="a.txt", sha256=one.sha256)
    assert path.read_bytes() == b"/box/a.txt"
    memory.store.clear()
    assert open_place(found.places["a.txt"], tmp_path, name="a.txt", sha256=one.sha256) == path


def test_chained_urls_and_file_urls(tmp_path: Path, memory: Any) -> None:
    """An archive in a remote storage; a 'file://' URL is the folder itself, with all its rules."""
    memory.pipe("/box/docs.zip", pack(tmp_path / "docs.zip", {"a.txt": b"one", "sub/b.txt": b"two"}).read_bytes())
    found = find_documents(["zip://**::memory://box/docs.zip"])
    assert names(found) == ["a.txt", "sub/b.txt"]
    assert open_place(found.places["sub/b.txt"], tmp_path / "c", name="sub/b.txt").read_bytes() == b"two"
    docs = put(tmp_path / "docs", "x.txt")
    (docs / "out.txt").symlink_to(tmp_path / "docs.zip")
    assert list(faults(find_documents([f"file://{docs}"]))) == ["out.txt"]


def test_hostile_remote_names(memory: Any) -> None:
    """A chain in a name is never followed; a way out of the folder is no part of a name."""
    memory.pipe("/box/x::file:///etc/passwd", b"x")
    memory.pipe("/box/../up.txt", b"x")
    memory.pipe("/box/[a]*.txt", b"y")
    found = find_documents(["memory://box"])
    assert not any(".." in one for one in names(found))
    assert [one for one in faults(found).values() if "chain of storages" in one]
    assert hash_of_place(found.places["[a]*.txt"])[0] == hashlib.sha256(b"y").hexdigest()


def test_remote_faults_are_told(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown storage, one whose package is not there, nothing found: messages; a file that fails: a row."""
    with pytest.raises(InputError) as caught:
        find_documents(["nosuch://box", "memory://empty", "memory://box/*.pdf"])
    assert len(str(caught.value).splitlines()) == 3
    memory.pipe("/box/a.txt", b"x")
    memory.pipe("/box/large.txt", b"x" * 101)

    class CloudError(Exception):
        """What a vendor's package raises."""

    def failing(self: Any, path: str, *rest: Any, **options: Any) -> Any:
        if path.endswith("a.txt"):
            raise CloudError("https://storage.example/?token=secret")
        return real(self, path, *rest, **options)

    real = type(memory).open
    monkeypatch.setattr(type(memory), "open", failing)
    found = find_documents(["memory://box"], limits=CollectingSettings(max_document_bytes=100))
    assert faults(found) == {
        "a.txt": "cannot be read (CloudError)",
        "large.txt": "more than 100 bytes; split the document, or leave it out",
    }


def test_messages_hold_no_password() -> None:
    """One in a URL is left out."""
    assert shown_place("ftp://user:secret@host/a.txt") == "ftp://host/a.txt"
    assert [is_remote(one) for one in ("s3://a", "simplecache::s3://a", "/a://b", "C:\\x", "a.txt")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_a_cache_that_cannot_be_written_is_no_fault_of_the_document(tmp_path: Path) -> None:
    """Else a full disk would be a red row for every document."""
    (tmp_path / "cache").write_text("in the way", encoding="utf-8")
    place = find_documents([str(pack(tmp_path / "docs.zip", {"a.txt": b"one"}))]).places["a.txt"]
    with pytest.raises(StoreError):
        open_place(place, tmp_path / "cache", name="a.txt")


def test_an_unreadable_place_is_told_by_the_name_of_the_document(tmp_path: Path) -> None:
    """No path gets into the results."""
    with pytest.raises(DocumentNotFoundError, match=r"^sub/a\.txt: no such file"):
        open_place(str(tmp_path / "x.txt"), tmp_path / "cache", name="sub/a.txt")
    with pytest.raises(LimitExceededError, match=r"more than 3 bytes"):
        hash_of_place(str(put(tmp_path, "long.txt") / "long.txt"), limits=CollectingSettings(max_document_bytes=3))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("a/b/c.pdf", "c.pdf"), ("..", "document"), ("a\\b.pdf", "b.pdf"), (".hidden.pdf", "hidden.pdf"),
        ("", "document"),
        ("a\n<b>.pdf", "a__b_.pdf"), ("\u00e9" * 300 + ".pdf", "\u00e9" * 98 + ".pdf"),
    ],
)  # fmt: skip
def test_names_of_copies_are_harmless(name: str, file: str) -> None:
    """No way out, nothing hidden, no control characters, a length that file systems take."""
    assert plain_name(name) == file
