"""Documents of ZIP archives: nothing gets out of one, nothing unpacks without end, every member is a row."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from pipeline.batch.documents import CollectingSettings, find_documents, open_place
from pipeline.batch.documents import archives as archives_module
from schemas.errors import DocumentNotFoundError, LimitExceededError
from tests.batch.documents.test_folders import faults, names


def pack(path: Path, members: Mapping[str, bytes] | list[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    """An archive with these members."""
    pairs = list(members.items()) if isinstance(members, Mapping) else members
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in pairs:
            packed.writestr(name, data, zipfile.ZIP_DEFLATED)
    return path


def test_members_are_documents_that_open_from_the_cache(tmp_path: Path) -> None:
    """Also those in folders of the archive; a copy lies by its hash, with its own name, and is taken again."""
    archive = pack(tmp_path / "docs.zip", {"a.txt": b"one", "sub/b.txt": b"two", ".hidden": b"x", "empty/": b""})
    found = find_documents([str(archive)])
    assert names(found) == ["a.txt", "sub/b.txt"]
    one = found.documents[1]
    assert one.sha256 == hashlib.sha256(b"two").hexdigest()
    cache = tmp_path / "cache"
    assert not cache.exists()  # nothing is fetched before it is opened
    path = open_place(found.places[one.name], cache, name=one.name, sha256=one.sha256)
    assert (path.name, path.read_bytes()) == ("b.txt", b"two")
    archive.unlink()
    assert open_place(found.places[one.name], cache, name=one.name, sha256=one.sha256) == path
    assert [each.name for each in cache.iterdir()] == [one.sha256[:2]]  # no half copy is left beside


def test_a_copy_that_was_changed_is_fetched_anew(tmp_path: Path) -> None:
    """A crash may leave a torn one; without the archive that is an error, not an answer from wrong bytes."""
    archive = pack(tmp_path / "docs.zip", {"a.txt": b"one"})
    found = find_documents([str(archive)])
    place, sha256 = found.places["a.txt"], found.documents[0].sha256
    path = open_place(place, tmp_path / "cache", name="a.txt", sha256=sha256)
    path.write_bytes(b"o")
    assert open_place(place, tmp_path / "cache", name="a.txt", sha256=sha256).read_bytes() == b"one"
    path.write_bytes(b"o")
    archive.unlink()
    with pytest.raises(DocumentNotFoundError, match=r"^a\.txt: no such file"):
        open_place(place, tmp_path / "cache", name="a.txt", sha256=sha256)


def test_no_member_gets_out_of_the_archive(tmp_path: Path) -> None:
    """Paths that lead out of it and links are rows with a fault, and their names hold no way out."""
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    hostile: list[tuple[str | zipfile.ZipInfo, bytes]] = [
        ("../../up.txt", b"x"), ("/etc/root.txt", b"x"), ("..\\back.txt", b"x"), ("C:\\disk.txt", b"x"),
        (link, b"/etc/passwd"), ("sub/../../mid.txt", b"x"), ("good.txt", b"x"),
    ]  # fmt: skip
    found = find_documents([str(pack(tmp_path / "docs.zip", hostile))])
    assert names(found) == [
        "C:/disk.txt", "__/__/up.txt", "__/back.txt", "etc/root.txt", "good.txt", "link.txt", "sub/__/__/mid.txt",
    ]  # fmt: skip
    assert set(faults(found)) == {*names(found)} - {"good.txt"}
    assert list(tmp_path.iterdir()) == [tmp_path / "docs.zip"]


def test_members_with_one_name_are_two_documents(tmp_path: Path) -> None:
    """Each with its own bytes."""
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive = pack(tmp_path / "docs.zip", [("a.txt", b"one"), ("a.txt", b"two")])
    found = find_documents([str(archive)])
    assert names(found) == ["a (2).txt", "a.txt"]
    read = [open_place(found.places[one], tmp_path / "c", name=one).read_bytes() for one in names(found)]
    assert read == [b"two", b"one"]


def test_encrypted_members_are_told(tmp_path: Path) -> None:
    """By the flag of the member."""
    data = bytearray(pack(tmp_path / "docs.zip", {"a.txt": b"one", "b.txt": b"two"}).read_bytes())
    entry = data.index(b"PK\x01\x02")
    data[entry + 8] |= 1
    (tmp_path / "docs.zip").write_bytes(bytes(data))
    found = find_documents([str(tmp_path / "docs.zip")])
    assert faults(found) == {"a.txt": "the member of the archive is encrypted; unpack it first"}


def test_bombs_are_refused_and_the_rest_is_read(tmp_path: Path) -> None:
    """By the ratio of a member, the size of a member, and all that members unpack to."""
    bomb = b"\0" * 12_000_000
    found = find_documents([str(pack(tmp_path / "docs.zip", {"bomb.txt": bomb, "good.txt": b"x"}))])
    assert list(faults(found)) == ["bomb.txt"]
    assert faults(found)["bomb.txt"].startswith("unpacks to 12,000,000 bytes, ")
    small = pack(tmp_path / "small.zip", {"a.txt": b"x" * 60, "b.txt": b"y" * 60, "c.txt": b"z" * 200})
    limits = CollectingSettings(max_archive_bytes=130)
    assert faults(find_documents([str(small)], limits=limits)) == {
        "c.txt": "the archive unpacks to more than 130 bytes; unpack it, and name the folder"
    }
    limits = CollectingSettings(max_document_bytes=100)
    assert faults(find_documents([str(small)], limits=limits)) == {
        "c.txt": "more than 100 bytes; split the document, or leave it out"
    }


def test_many_small_bombs_are_one_large_one(tmp_path: Path) -> None:
    """Members that are harmless each are counted together against the size of the archive."""
    members = {f"{number:02}.txt": b"\0" * 3_000_000 for number in range(20)}
    told = faults(find_documents([str(pack(tmp_path / "docs.zip", members))]))
    assert 0 < len(told) < 20
    assert set(told.values()) == {
        "the archive unpacks to more than 200 times its size; unpack it yourself where you trust it"
    }


def test_a_bomb_is_refused_when_it_is_opened_too(tmp_path: Path) -> None:
    """A worker that is handed the place does not unpack it."""
    archive = pack(tmp_path / "docs.zip", {"bomb.txt": b"\0" * 12_000_000})
    place = next(iter(find_documents([str(archive)]).places.values()))
    with pytest.raises(LimitExceededError, match="unpack it yourself"):
        open_place(place, tmp_path / "cache", name="bomb.txt")
    assert not list((tmp_path / "cache").rglob("*.txt"))


def test_an_archive_with_too_many_members_is_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By their number, or by the length of the list of them, which is looked at before it is read."""
    archive = pack(tmp_path / "docs.zip", {f"{number}.txt": b"x" for number in range(5)})
    fault = "the archive has more than 4 members; unpack it, and name the folder"
    assert faults(find_documents([str(archive)], limits=CollectingSettings(max_members=4))) == {"docs.zip": fault}
    monkeypatch.setattr(archives_module, "MAX_DIRECTORY_BYTES", 100)
    assert list(faults(find_documents([str(archive)]))) == ["docs.zip"]


def test_damaged_members_and_archives_are_rows(tmp_path: Path) -> None:
    """A wrong checksum is one row; what is no archive is a document like any other."""
    data = bytearray(pack(tmp_path / "docs.zip", {"a.txt": b"one" * 50, "b.txt": b"two" * 50}).read_bytes())
    data[data.index(b"a.txt") + 5 + 3] ^= 0xFF
    (tmp_path / "docs.zip").write_bytes(bytes(data))
    found = find_documents([str(tmp_path / "docs.zip")])
    assert names(found) == ["a.txt", "b.txt"]
    assert list(faults(found)) == ["a.txt"]
    (tmp_path / "no.zip").write_bytes(b"PK no archive")
    assert names(find_documents([str(tmp_path / "no.zip")])) == ["no.zip"]


def test_names_in_utf8_are_read_as_meant(tmp_path: Path) -> None:
    """Many programs write UTF-8 into an archive without saying so."""
    data = pack(tmp_path / "docs.zip", {"caf\u00e9.txt": b"x"}).read_bytes()
    plain = bytearray(data)
    for mark, at in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        plain[plain.index(mark) + at] &= ~0x08
    (tmp_path / "docs.zip").write_bytes(bytes(plain))
    assert "caf\u00e9.txt" not in zipfile.ZipFile(io.BytesIO(bytes(plain))).namelist()
    found = find_documents([str(tmp_path / "docs.zip")])
    assert names(found) == ["caf\u00e9.txt"]
    assert open_place(found.places["caf\u00e9.txt"], tmp_path / "c", name="caf\u00e9.txt").read_bytes() == b"x"


def test_an_archive_that_changed_is_told(tmp_path: Path) -> None:
    """The number of a member is checked against its name."""
    archive = pack(tmp_path / "docs.zip", {"a.txt": b"one"})
    place = find_documents([str(archive)]).places["a.txt"]
    pack(archive, {"b.txt": b"one"})
    with pytest.raises(DocumentNotFoundError, match="its archive changed"):
        open_place(place, tmp_path / "cache", name="a.txt")


def test_an_archive_in_a_list_keeps_its_name_before_those_of_its_members(tmp_path: Path) -> None:
    """So that two archives with the same members are told apart."""
    pack(tmp_path / "one.zip", {"a.txt": b"one"})
    pack(tmp_path / "two.zip", {"a.txt": b"two"})
    (tmp_path / "list.txt").write_text("one.zip\ntwo.zip\n", encoding="utf-8")
    found = find_documents([str(tmp_path / "list.txt")])
    assert names(found) == ["one.zip/a.txt", "two.zip/a.txt"]
    assert faults(found) == {}
