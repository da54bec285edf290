"""What commands write where the user says: never in a store or over another kind of file; what errors advise."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from pipeline.cli.files import write_file
from pipeline.store.disk import write_error
from pipeline.store.ledger import append
from schemas.errors import InputError


def test_a_page_is_written_anew_and_never_over_another_kind_of_file(tmp_path: Path) -> None:
    """A picture may be replaced by a picture; a contract that was named by mistake stays."""
    contract, page = tmp_path / "contract.pdf", tmp_path / "page.html"
    contract.write_bytes(b"%PDF-1.7 contract")
    with pytest.raises(InputError, match="another kind"):
        write_file(contract, b"<!doctype html>")
    assert contract.read_bytes() == b"%PDF-1.7 contract"
    for content in (b"<!doctype html>1", b"<!doctype html>2"):
        write_file(page, content)
        assert page.read_bytes() == content


def test_nothing_is_written_into_a_store(tmp_path: Path) -> None:
    """Neither over a record nor beside one; a place that the command chose itself may be in it."""
    append(tmp_path / "s", "dictionary")
    ledger = (tmp_path / "s" / "ledger.jsonl").read_bytes()
    for name in ("ledger.jsonl", "d/questions/q/page.html", "page.html"):
        with pytest.raises(InputError, match="lies in the store"):
            write_file(tmp_path / "s" / name, b"<!doctype html>")
    assert (tmp_path / "s" / "ledger.jsonl").read_bytes() == ledger
    write_file(tmp_path / "s" / "d" / "pages" / "page_1.png", b"PNG", in_store=True)


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES])
def test_a_store_that_is_read_only_is_copied_and_not_left_for_another(code: int, tmp_path: Path) -> None:
    """Another folder is another store, without the records that a review or an erasure is about."""
    append(tmp_path / "s", "dictionary")
    held = str(write_error(tmp_path / "s" / "reviews" / "r", OSError(code, "no")))
    assert "copy of the whole store" in held
    assert "choose another" not in held
    assert "--store" in str(write_error(tmp_path / "new" / "d", OSError(code, "no")))
    assert "copy of the whole store" not in str(write_error(tmp_path / "new" / "d", OSError(code, "no")))
    assert "--out" in str(write_error(tmp_path / "s" / "x", OSError(code, "no"), option="--out"))
