"""The ledger under faults: torn ends, damaged ends, full disks, what stands in its place; nothing reported is lost."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from pipeline.store import ledger
from pipeline.store.ledger import (
    LEDGER,
    append,
    canonical,
    find_seal,
    hash_of,
    is_unfinished,
    last_entry,
    parse_line,
    read_entries,
    read_lines,
)
from pipeline.store.sealed import former_folders, save_sealed
from schemas.errors import RecordError, StoreError
from schemas.ledger import NO_HASH, LedgerEntry

Write = Callable[[int, bytes], int]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of two lines."""
    append(tmp_path, "review")
    append(tmp_path, "run", seal="a" * 64, facts={"note": "é", "count": 3, "yes": True, "none": None})
    return tmp_path / LEDGER


def assert_chain(root: Path) -> tuple[LedgerEntry, ...]:
    """The whole lines of a ledger, which form a chain without a gap."""
    entries = read_entries(root)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.prev for entry in entries] == [NO_HASH, *(entry.hash for entry in entries[:-1])]
    assert len({entry.ledger for entry in entries}) == 1
    return entries


def test_a_line_is_canonical_and_hashes_to_what_it_says(path: Path) -> None:
    """Any byte of it that is another, or one more or fewer, makes it no line."""
    line = read_lines(path.parent)[1]
    assert line.startswith(b'{"at":"')
    entry = parse_line(line)
    assert entry is not None
    assert entry.hash == hash_of(entry)
    for at in range(len(line)):
        assert parse_line(line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]) is None
        assert parse_line(line[:at] + line[at + 1 :]) is None
    assert parse_line(line + b" ") is None
    assert parse_line(line.replace(b'"seq":2', b'"seq":"2"')) is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**54), 2**54) | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=12,
    )
)  # fmt: skip
def test_canonical_json_is_that_of_the_library(value: object) -> None:
    """The quick way gives the bytes of `rfc8785`, or the same refusal."""
    try:
        expected = rfc8785.dumps(value)  # type: ignore[arg-type]
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 - whatever the library says
            canonical(value)
    else:
        assert canonical(value) == expected


def test_a_number_that_json_cannot_hold_is_no_line(path: Path) -> None:
    """A line with one, put there by hand, is damaged like any other, and no error."""
    line = read_lines(path.parent)[0].replace(b'"seq":1', b'"seq":' + str(2**60).encode())
    assert parse_line(line) is None


def test_a_line_that_was_cut_anywhere_is_declared_by_the_next(path: Path) -> None:
    """Every length of the last line: what is whole but for its end counts, what is not is declared and stays."""
    content = path.read_bytes()
    start = content.index(b"\n") + 1
    for length in range(start, len(content) + 1):
        path.write_bytes(content[:length])
        entry = append(path.parent, "review")
        left = content[start:length]
        assert path.read_bytes().startswith(content[:length])
        if length >= len(content) - 1:
            assert (entry.seq, entry.torn) == (3, None)
        elif left:
            assert entry.torn is not None
            assert (entry.torn.byte_count, entry.torn.sha256) == (len(left), hashlib.sha256(left).hexdigest())
        else:
            assert (entry.seq, entry.torn) == (2, None)
        assert assert_chain(path.parent)[-1] == entry


@pytest.mark.parametrize(
    "tail",
    [b'{"at":"2\n{"at', b'{"at":"2\n', b"\n\n", b'{"a":{}', bytes(700), b'{"at":"20' + bytes(90), bytes(9) + b'1"}',
     b'{"at":"' + b"x" * 300_000],
)  # fmt: skip
def test_several_unfinished_lines_are_declared_together(path: Path, tail: bytes) -> None:
    """Two writings that died, empty lines, NUL bytes after a loss of power, more than is read at once."""
    path.write_bytes(path.read_bytes() + tail)
    entry = append(path.parent, "review")
    assert entry.torn is not None
    assert (entry.torn.byte_count, entry.torn.sha256) == (len(tail), hashlib.sha256(tail).hexdigest())
    assert append(path.parent, "review").torn is None
    assert len(assert_chain(path.parent)) == 4


def test_an_unfinished_first_line_begins_no_ledger(tmp_path: Path) -> None:
    """Nor does an empty file: the first whole line does."""
    (tmp_path / LEDGER).write_bytes(b'{"at":"2026')
    assert last_entry(tmp_path) is None
    entry = append(tmp_path, "review")
    assert (entry.seq, entry.prev) == (1, NO_HASH)
    assert entry.torn is not None
    (tmp_path / LEDGER).write_bytes(b"")
    assert append(tmp_path, "review").torn is None


def test_nothing_is_appended_to_a_damaged_last_line(path: Path) -> None:
    """Any byte of it changed, its end too: a line after it would hide that, so it is refused and nothing written."""
    content = path.read_bytes()
    start = content.index(b"\n") + 1
    for at in range(start, len(content)):
        for bit in (1, 64):
            changed = content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :]
            path.write_bytes(changed)
            with pytest.raises(RecordError, match="last line of the ledger is damaged"):
                append(path.parent, "review")
            assert path.read_bytes() == changed


def test_only_the_end_is_read(path: Path) -> None:
    """Whatever stands further up costs nothing and stops nothing: `verify` finds it."""
    path.write_bytes(b"damaged\n" * 1_000_000 + path.read_bytes())
    assert append(path.parent, "review").seq == 3


def test_an_unfinished_line_is_told_by_its_braces() -> None:
    """A beginning, nothing, or bytes that were never written; not a whole object, nor anything else."""
    assert all(
        map(is_unfinished, (b"", b"{", b'{"at":"2026', b'{"facts":{}', b"\0\0", b'{"a\0\0', b'\0\0"torn":null}'))
    )
    assert not any(map(is_unfinished, (b"{}", b"hello", b'"at":1}', b'{"facts":{}}', b"{}\0")))


def test_facts_hold_no_braces(path: Path) -> None:
    """They would make an unfinished line look whole."""
    with pytest.raises(ValueError, match="no braces"):
        append(path.parent, "review", facts={"version": "{1}"})
    assert len(read_lines(path.parent)) == 2


def full_after(whole: Write, count: int) -> Write:
    """A writing to a disk that takes so many bytes more."""
    left = count

    def write(handle: int, data: bytes) -> int:
        nonlocal left
        if left == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = whole(handle, bytes(data[:left]))
        left -= done
        return done

    return write


def test_a_full_disk_in_the_middle_of_a_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that says so; the piece that was written is declared by the next line."""
    with monkeypatch.context() as full:
        full.setattr(os, "write", full_after(os.write, 37))
        for _ in range(2):
            with pytest.raises(StoreError, match="the disk is full"):
                append(path.parent, "review")
    entry = append(path.parent, "review")
    assert entry.torn is not None
    assert entry.torn.byte_count == 37
    assert len(assert_chain(path.parent)) == 3


def test_a_run_on_a_full_disk_leaves_the_former_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line, no folder, nothing half done; the next one is sealed as if nothing had happened."""
    folder = tmp_path / "doc" / "questions" / "q"
    first = save_sealed(tmp_path, folder, {"a.json": b"1"}, kind="run")
    with monkeypatch.context() as full:
        full.setattr(os, "write", full_after(os.write, 5))
        with pytest.raises(StoreError, match="the disk is full"):
            save_sealed(tmp_path, folder, {"a.json": b"2"}, kind="run")
    assert (folder / "a.json").read_bytes() == b"1"
    assert [path.name for path in folder.parent.iterdir()] == ["q"]
    assert former_folders(tmp_path, folder) == []
    second = save_sealed(tmp_path, folder, {"a.json": b"3"}, kind="run")
    assert (second.seq, second.prev) == (2, first.hash)
    assert second.torn is not None
    assert len(former_folders(tmp_path, folder)) == 1


def test_a_disk_that_cannot_sync_reports_nothing_done(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line may be there or not; whoever asked is told that it failed."""

    def fail(handle: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fail)
        with pytest.raises(StoreError, match="cannot be written"):
            append(path.parent, "review")
    append(path.parent, "review")
    assert_chain(path.parent)


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES])
def test_a_store_that_may_not_be_written(path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """An error that says what to do, at once; reading needs no writing."""
    whole = os.open

    def only_reading(name: str, flags: int, *rest: int, **options: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(code, os.strerror(code), name)
        return whole(name, flags, *rest, **options)

    with monkeypatch.context() as locked:
        locked.setattr(os, "open", only_reading)
        with pytest.raises(StoreError, match="--store"):
            append(path.parent, "review")
        assert len(read_entries(path.parent)) == 2
    assert len(read_lines(path.parent)) == 2


@pytest.mark.skipif(os.name != "posix", reason="pipes with a name are a POSIX matter")
def test_what_is_no_file_in_its_place(tmp_path: Path) -> None:
    """A folder or a pipe: an error that says so, and no waiting for a reader that never comes."""
    (tmp_path / "a" / LEDGER).mkdir(parents=True)
    (tmp_path / "b").mkdir()
    os.mkfifo(tmp_path / "b" / LEDGER)
    for name in ("a", "b"):
        with pytest.raises(StoreError, match="is no file"):
            append(tmp_path / name, "review")
    with pytest.raises(StoreError, match="cannot be read"):
        read_lines(tmp_path / "a")


def test_a_seal_is_found_in_a_line_without_its_end(path: Path) -> None:
    """Such a line is whole; one that only speaks of the seal is another."""
    content = path.read_bytes()
    append(path.parent, "review", facts={"of": "b" * 64})
    assert find_seal(path.parent, "b" * 64) is None
    path.write_bytes(content.removesuffix(b"\n"))
    found = find_seal(path.parent, "a" * 64)
    assert found is not None
    assert found.seq == 2


def test_a_process_that_hangs_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits too long for the lock is told its file."""
    monkeypatch.setattr(ledger, "LOCK_SECONDS", 0.05)
    with ledger.ledger_lock(path.parent), pytest.raises(StoreError, match="another process has held the ledger"):
        append(path.parent, "review")
