"""What processes that died left beside the folders, and receipts that disagree: told by their own names."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.tampers import entries_of, patch_all, rechained, write_ledger
from dictionaries.loading import dictionary_paths
from pipeline.audit import forgetting
from pipeline.audit.anchors import sign_last_line
from pipeline.audit.forgetting import erasing
from pipeline.audit.verify import verify
from pipeline.run import ask
from pipeline.store import dictionaries as storing
from pipeline.store.dictionaries import FOLDER, save_dictionary, settle_dictionaries
from pipeline.store.ledger import LEDGER, append
from pipeline.store.runs import ANSWER
from pipeline.store.seals import RECEIPT
from schemas.verification import Verification


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with two runs of a short text."""
    (tmp_path / "note.txt").write_text("The fee is EUR 500 a year.\n\nThe term is two years from 1 May 2024.\n")
    for question in ("What is the fee?", "What is the term?"):
        ask(tmp_path / "note.txt", question, store=tmp_path / "store")
    return tmp_path / "store"


def found(done: Verification) -> list[tuple[str, str]]:
    """Kind and place of each mismatch."""
    return [(one.kind, one.place) for one in done.mismatches]


def unfinished(done: Verification) -> list[str]:
    """The places of what was left unfinished."""
    return [one.place for one in done.remarks if one.kind == "unfinished"]


def test_the_first_change_of_a_shipped_dictionary_may_die_before_it_is_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded, and waiting beside: unfinished, no alarm, before and after the next change settles it."""
    root, (name, path) = tmp_path / "store", min(dictionary_paths().items())
    root.mkdir()
    shipped = path.read_bytes()

    def die(*_: object, **__: object) -> None:
        append(root, "dictionary", facts={
            "name": name, "sha256_before": hashlib.sha256(shipped).hexdigest(), "version": "2",
            "sha256_after": hashlib.sha256(shipped + b"\n").hexdigest(),
        })  # fmt: skip
        raise KeyboardInterrupt

    monkeypatch.setattr(storing, "append", die)
    with pytest.raises(KeyboardInterrupt):
        save_dictionary(root, name, shipped + b"\n", former=shipped)
    monkeypatch.undo()
    assert not (root / FOLDER / f"{name}.toml").exists()
    done = verify(root, rerun=False)
    assert done.mismatches == ()
    assert unfinished(done) == [f"{FOLDER}/{name}.toml"]
    (root / FOLDER / f".{name}.toml.new").write_bytes(b"other")
    other = verify(root, rerun=False)
    assert found(other) == [("record_missing", f"{FOLDER}/{name}.toml")]
    assert unfinished(other) == [f"{FOLDER}/.{name}.toml.new"]
    (root / FOLDER / f".{name}.toml.new").write_bytes(shipped + b"\n")
    assert settle_dictionaries(root) == (name,)

    assert unfinished(verify(root, rerun=False)) == []


def test_an_erasure_that_did_not_end_is_told(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Announced and not done; its damaged note; and one that was never announced."""

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    (doc_id,) = (path.parent.name for path in store.glob("*/questions"))
    monkeypatch.setattr(erasing, "_erase", die)
    with pytest.raises(KeyboardInterrupt):
        forgetting.forget(store, forgetting.find_documents(store, doc_id))
    monkeypatch.undo()
    done = verify(store, rerun=False)
    assert {kind for kind, _ in found(done)} == {"erasure_unfinished"}
    assert ("erasure_unfinished", forgetting.MARK) in found(done)
    assert any("announced did not end" in one.detail for one in done.mismatches)
    mark = store / forgetting.MARK
    kept = mark.read_bytes()
    mark.write_bytes(b"{")
    assert ("record_altered", forgetting.MARK) in found(verify(store, rerun=False))
    mark.write_bytes(kept)
    assert forgetting.finish(store) is not None
    assert unfinished(verify(store, rerun=False)) == []
    (store / ".gone-0123456789abcdef").mkdir()
    mark.write_bytes(kept.replace(b'"nonce": "', b'"nonce": "', 1).replace(b"  ", b" ") + b" ")
    told = verify(store, rerun=False)
    assert found(told) == [("erasure_unfinished", ".gone-0123456789abcdef")]
    assert unfinished(told) == [forgetting.MARK]
    assert any("never announced" in one.detail for one in told.remarks)


def _spoil(store: Path, seq: int) -> str:
    """Another hash in the receipt of a line; gives the place of the receipt."""
    for path in store.glob(f"*/questions/*/{RECEIPT}"):
        receipt = json.loads(path.read_bytes())
        if receipt["seq"] == seq:
            path.write_text(json.dumps({**receipt, "hash": "0" * 64}, indent=1) + "\n")
            return path.relative_to(store).as_posix()
    raise AssertionError(seq)


def test_an_altered_receipt_is_told_as_such_where_the_next_line_agrees(store: Path) -> None:
    """With a folder that vouches for the next line, and with a line after it that has no folder."""
    append(store, "anchor", facts={"seq": 2})
    kept = {path: path.read_bytes() for path in store.glob(f"*/questions/*/{RECEIPT}")}
    for seq in (1, 2):
        place = _spoil(store, seq)
        assert found(verify(store, rerun=False)) == [("record_altered", place)]
        for path, data in kept.items():
            path.write_bytes(data)


def test_an_altered_receipt_of_the_last_line_is_told_as_such_beside_a_signed_head(store: Path) -> None:
    """The head vouches for the line; without one nobody can tell which of the two was altered."""
    key = Ed25519PrivateKey.generate()
    last = entries_of(store)[-1].seq
    head = sign_last_line(store, key)
    place = _spoil(store, last)
    done = verify(store, anchors=[head], trusted=[key.public_key()], rerun=False)
    assert found(done) == [("record_altered", place)]
    assert [kind for kind, _ in found(verify(store, rerun=False))] == ["ledger_altered"]


def test_a_chain_that_was_written_anew_is_told_by_its_receipts(store: Path) -> None:
    """Two receipts name other hashes than the lines have: the lines were written anew, not the receipts."""
    lines = entries_of(store)
    write_ledger(store, rechained([lines[0].model_copy(update={"at": "2020-01-01T00:00:00.000+00:00"}), *lines[1:]]))
    assert {kind for kind, _ in found(verify(store, rerun=False))} == {"ledger_altered"}
    assert (store / LEDGER).exists()


def test_a_text_of_a_whole_question_that_was_edited_with_everything_is_named(store: Path) -> None:
    """The trace contradicts it; done again, the answer is the one that differs."""
    run = ask(store.parent / "note.txt", "What is the fee? And what is the term?", store=store)
    assert run.answer.parts
    (run.path / ANSWER).write_bytes(run.answer.model_copy(update={"text": "None."}).to_json())
    patch_all(store, run.path, ANSWER)
    kinds = {kind for kind, _ in found(verify(store))}
    assert kinds == {"record_invalid", "answer_differs"}
