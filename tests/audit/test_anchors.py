"""Anchors: a signed head as JSON, as a mail however it was quoted, as a time-stamp request; and what each proves."""

from __future__ import annotations

import base64
import json
import textwrap
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from pipeline.audit.anchors import (
    check_anchor,
    is_valid,
    read_anchor,
    read_anchors,
    record_anchor,
    sign_head,
    sign_last_line,
    to_text,
    write_anchor,
)
from pipeline.audit.keys import make_key
from pipeline.audit.timestamps import read_stamp, request_stamp
from pipeline.store.ledger import append, read_entries
from schemas.errors import InputError, RecordError, StoreError
from schemas.ledger import SignedHead
from tests.commands import assert_clear, call

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store whose ledger has three lines."""
    root = tmp_path / "store"
    for number in range(3):
        append(root, "review", facts={"number": number})
    return root


@pytest.fixture
def head(store: Path) -> SignedHead:
    """Its head, signed."""
    return sign_last_line(store, KEY)


@pytest.fixture
def stamps(project: Path) -> Path:
    """A head, the request for a time-stamp over it, replies of a made authority and its root."""
    return project / "tests" / "data" / "timestamp"


def saved(folder: Path, content: str | bytes) -> Path:
    """A file with that content."""
    path = folder / "mail.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_signed_head_vouches_for_its_line(store: Path, head: SignedHead) -> None:
    """Nothing to tell, also after more lines, and with the key trusted."""
    assert (head.seq, head.hash) == (3, read_entries(store)[-1].hash)
    record_anchor(store, head)
    append(store, "review")
    entries = read_entries(store)
    assert check_anchor(head, entries) == []
    assert check_anchor(head, entries, [OTHER.public_key(), KEY.public_key()]) == []
    assert entries[3].facts == {"seq": 3, "hash": head.hash, "key_id": head.key_id}


def test_a_ledger_written_anew_does_not_fit(store: Path, head: SignedHead, tmp_path: Path) -> None:
    """Another line of that number, none of it, another ledger, no ledger: each told apart."""
    entries = read_entries(store)
    changed = entries[2].model_copy(update={"hash": "f" * 64})
    (found,) = check_anchor(head, [*entries[:2], changed], place="mail")
    assert (found.kind, found.place, found.seq) == ("anchor_mismatch", "mail", 3)
    assert head.hash in found.detail
    (gone,) = check_anchor(head, [entries[0], entries[1], entries[2].model_copy(update={"seq": 4})])
    assert gone.kind == "anchor_mismatch"
    assert "missing or damaged" in gone.detail
    (cut,) = check_anchor(head, entries[:2])
    assert cut.kind == "ledger_truncated"
    (none,) = check_anchor(head, [])
    assert none.kind == "ledger_truncated"
    append(tmp_path / "other", "review")
    (other,) = check_anchor(head, read_entries(tmp_path / "other"))
    assert other.kind == "anchor_mismatch"
    assert "of the ledger" in other.detail


@pytest.mark.parametrize(
    ("name", "value"),
    [("seq", 2), ("hash", "0" * 64), ("ledger", "0" * 32), ("at", "2020-01-01T00:00:00.000+00:00"),
     ("key_id", "0" * 16), ("public_key", "?"), ("signature", "AAAA"),
     ("public_key", base64.b64encode(OTHER.public_key().public_bytes_raw()).decode())],
)  # fmt: skip
def test_every_field_of_a_head_is_held_by_the_signature(
    store: Path, head: SignedHead, name: str, value: object
) -> None:
    """One that was changed makes the whole head worthless, whatever it says of the ledger."""
    (found,) = check_anchor(head.model_copy(update={name: value}), read_entries(store))
    assert found.kind == "signature_invalid"


def test_another_key_is_a_mismatch_only_where_keys_are_trusted(store: Path) -> None:
    """Without a trusted key a valid signature says that somebody signed, no more."""
    entries = read_entries(store)
    foreign = sign_head(entries[-1], OTHER)
    assert check_anchor(foreign, entries) == []
    (found,) = check_anchor(foreign, entries, [KEY.public_key()])
    assert found.kind == "signature_invalid"
    assert "none of those that are trusted" in found.detail
    assert not is_valid(foreign, [KEY.public_key()])


def test_json_and_text_are_read_back(tmp_path: Path, head: SignedHead) -> None:
    """The record itself, and the mail that is written."""
    assert read_anchor(saved(tmp_path, head.to_json())) == head
    assert read_anchor(saved(tmp_path, b"\xef\xbb\xbf\r\n" + head.to_json())) == head
    text = to_text(head)
    assert read_anchor(saved(tmp_path, text)) == head
    assert max(map(len, text.splitlines())) <= 72
    for shown in (head.ledger, head.hash, head.at, head.key_id, f"Line    {head.seq}"):
        assert shown in text


def quoted(text: str) -> str:
    """As a reply to a reply quotes it."""
    return "".join(f"> > {line}\n" for line in text.splitlines())


MAILS = {
    "quoted": lambda text: f"Dear all,\nsee below\n\nOn Monday A wrote:\n{quoted(text)}\n-- \nB",
    "wrapped": lambda text: "\n".join(part for line in text.splitlines() for part in textwrap.wrap(line, 37) or [""]),
    "quoted, then wrapped": lambda text: "\n".join(textwrap.wrap(quoted(text), 50)),
    "windows": lambda text: text.replace("\n", "\r\n"),
    "one line": lambda text: " ".join(text.split()),
    "dashes set": lambda text: text.replace("-----", "\N{EM DASH}\N{EN DASH}"),
    "hard spaces": lambda text: text.replace(" ", "\N{NO-BREAK SPACE}"),
    "html": lambda text: "<p>" + quoted(text).replace(">", "&gt;").replace("\n", "<br>\n") + "</p>",
}


@pytest.mark.parametrize("how", MAILS)
def test_a_mail_is_read_however_it_was_quoted(tmp_path: Path, head: SignedHead, how: str) -> None:
    """Quote marks, line wraps, another line end, marks that a mail program sets, markup."""
    assert read_anchor(saved(tmp_path, MAILS[how](to_text(head)))) == head


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
def test_a_mail_may_be_given_as_it_was_sent(tmp_path: Path, head: SignedHead, encoding: str) -> None:
    """The message with its headers, its text encoded as mail programs do, beside another part."""
    message = EmailMessage()
    message["Subject"] = "head of the ledger"
    message.set_content(to_text(head), cte=encoding)
    message.add_attachment(b"\x00\x01", maintype="application", subtype="pdf", filename="a.pdf")
    assert read_anchor(saved(tmp_path, message.as_bytes())) == head


def test_a_text_of_another_encoding_is_read(tmp_path: Path, head: SignedHead) -> None:
    """UTF-16, as an editor of Windows may save it."""
    assert read_anchor(saved(tmp_path, to_text(head).encode("utf-16"))) == head


def test_of_several_heads_the_last_line_counts(tmp_path: Path, store: Path, head: SignedHead) -> None:
    """A thread quotes older ones; each is given once."""
    append(store, "review")
    later = sign_last_line(store, KEY)
    path = saved(tmp_path, to_text(later) + quoted(to_text(head)) + quoted(to_text(head)))
    assert read_anchor(path) == later
    assert read_anchors(path) == (later, head)


def test_a_bundle_may_hold_the_head(tmp_path: Path, head: SignedHead) -> None:
    """By the name of its file, wherever it lies in the archive."""
    path = tmp_path / "case.zip"
    with zipfile.ZipFile(path, "w") as bundle:
        bundle.writestr("store/doc/answer.json", "{}")
        bundle.writestr("store/head.json", head.to_json())
    assert read_anchor(path) == head
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"head.json") + 20] ^= 0xFF
    path.write_bytes(damaged)
    with pytest.raises(RecordError):
        read_anchor(path)


def test_other_files_are_no_anchors(tmp_path: Path, head: SignedHead) -> None:
    """Each with its reason, and never another error."""
    cut = to_text(head).replace("eyJ", "e", 1)
    for content, words in (
        (b"", "holds no anchor"), (b"hello", "holds no anchor"), (b"{}", "schema_version"), (b"{", "not valid JSON"),
        (bytes(range(256)) * 9, "holds no anchor"), (b"\xff\xfe\x00", "holds no anchor"),
        (to_text(head).partition("-----END")[0].encode(), "holds no anchor"), (cut.encode(), "block of the anchor"),
        (b"PK\x03\x04 no archive", "damaged"), (b"Content-Type: text/plain; charset=what\n\nx", "holds no anchor"),
    ):  # fmt: skip
        with pytest.raises((InputError, RecordError), match=words):
            read_anchor(saved(tmp_path, content))
    with pytest.raises(InputError, match="cannot be read"):
        read_anchor(tmp_path / "none")


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Whatever the file holds, the error is one of ours."""
    path = saved(tmp_path_factory.mktemp("a"), b"BEGIN LINEPROOF ANCHOR" + content + b"END LINEPROOF ANCHOR")
    with pytest.raises((InputError, RecordError)):
        read_anchor(path)


def test_an_anchor_is_written_once_and_outside_of_the_store(tmp_path: Path, store: Path, head: SignedHead) -> None:
    """Inside it would prove nothing; another in its place would destroy evidence."""
    with pytest.raises(InputError, match="lies in the store"):
        write_anchor(store / "deep" / "a.json", head.to_json())
    write_anchor(tmp_path / "new" / "a.json", head.to_json(), store=store)
    with pytest.raises(InputError, match="never overwritten"):
        write_anchor(tmp_path / "new" / "a.json", b"")
    with pytest.raises(StoreError, match="cannot be written"):
        write_anchor(tmp_path / "new" / "a.json" / "b", b"")
    with pytest.raises(InputError, match="no ledger yet"):
        sign_last_line(tmp_path / "empty", KEY)


def test_the_command_writes_records_and_says_what_to_do(tmp_path: Path, store: Path) -> None:
    """JSON, text and a request by the ending of the file; the ledger says which head was signed."""
    key = make_key(tmp_path / "k.pem").path
    with_key = ("--key", key, "--store", store)
    made = json.loads(call("anchor", "--out", tmp_path / "a.json", *with_key, "--json").stdout)
    assert made["files"] == [str(tmp_path / "a.json")]
    assert (made["anchor"]["seq"], made["recorded_as"]) == (3, 4)
    assert call("anchor", "--out", tmp_path / "b.txt", *with_key).exit_code == 0
    assert read_anchor(tmp_path / "b.txt").seq == 4
    told = call("anchor", "--out", tmp_path / "c.tsq", *with_key).stdout
    assert "Nothing was sent" in told
    assert "openssl ts -verify" in told
    assert read_anchor(tmp_path / "c.json").seq == 5
    assert check_anchor(read_anchor(tmp_path / "c.json"), read_entries(store)) == []
    count = len(read_entries(store))
    assert_clear(call("anchor", "--out", tmp_path / "a.json", *with_key), 2, "already")
    assert_clear(call("anchor", "--out", tmp_path / "c.tsq", *with_key), 2, "already")
    assert_clear(call("anchor", "--out", store / "a.json", *with_key), 2, "lies in the store")
    assert_clear(call("anchor", "--out", tmp_path / "d", "--as", "fax", *with_key), 2, "json, text, tsq")
    assert_clear(call("anchor", *with_key), 2, "--out")
    assert_clear(call("anchor", "--out", tmp_path / "h.xyz", *with_key), 2, "--as", ".tsq")
    assert_clear(call("anchor", "--out", tmp_path / "e.json", "--key", key, "--store", tmp_path / "no"), 2, "no ledger")
    assert len(read_entries(store)) == count


def test_a_broken_chain_is_told_when_it_is_signed(tmp_path: Path, store: Path) -> None:
    """The head is signed all the same: it vouches for what stands now, and what is left can still be anchored."""
    with_key = ("--key", make_key(tmp_path / "k.pem").path, "--store", store)
    assert json.loads(call("anchor", "--out", tmp_path / "a.json", *with_key, "--json").stdout)["faults"] == []
    ledger = store / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().replace(b'"number":1', b'"number":7'))
    told = call("anchor", "--out", tmp_path / "b.json", *with_key)
    assert told.exit_code == 0
    assert "does not hold" in told.stdout
    assert "ledger.jsonl line 2" in told.stdout


def test_a_request_is_over_the_file_with_a_nonce_of_its_own() -> None:
    """SHA-256 of the bytes, in DER; two requests differ."""
    first, second = request_stamp(b"abc"), request_stamp(b"abc")
    assert bytes.fromhex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") in first
    assert first != second


def test_a_reply_is_checked_against_its_file_and_request(stamps: Path, tmp_path: Path) -> None:
    """Over this file, in answer to this request; the signature only with a root that the caller trusts."""
    reply, head = stamps / "head.tsr", stamps / "head.json"
    stamp = read_stamp(reply, of=head, request=stamps / "head.tsq")
    assert (stamp.faults, stamp.signature_checked, stamp.policy) == ((), False, "1.2.3.4.1")
    assert stamp.at is not None
    assert stamp.at.startswith("2026-11-30T22:25")
    assert read_stamp(reply, of=head, authorities=[stamps / "root.pem"]).signature_checked
    changed = saved(tmp_path, head.read_bytes().replace(b"2026-03-31", b"2026-03-30"))
    assert read_stamp(reply, of=changed).faults == ("the stamp is over other bytes than this file holds",)
    another = tmp_path / "another.tsq"
    another.write_bytes(request_stamp(head.read_bytes()))
    assert "another request" in read_stamp(reply, of=head, request=another).faults[0]
    assert "refused it" in read_stamp(stamps / "refused.tsr", of=head).faults[0]


def test_a_forged_reply_fails_by_the_root(stamps: Path, tmp_path: Path) -> None:
    """Another time in it: found with a root at hand, and by openssl without."""
    forged = tmp_path / "forged.tsr"
    content = (stamps / "head.tsr").read_bytes()
    assert content.count(b"20261130222") == 1
    forged.write_bytes(content.replace(b"20261130222", b"20251130222"))
    assert read_stamp(forged, of=stamps / "head.json").faults == ()
    stamp = read_stamp(forged, of=stamps / "head.json", authorities=[stamps / "root.pem"])
    assert not stamp.signature_checked
    assert "does not hold" in stamp.faults[0]


def test_what_we_cannot_read_is_left_to_openssl(stamps: Path, tmp_path: Path) -> None:
    """A reply with its certificates in another order than DER asks, or no reply: the command stands in the error."""
    for path in (stamps / "unsorted.tsr", stamps / "head.tsq", saved(tmp_path, b"hello")):
        with pytest.raises(InputError, match="openssl ts -verify"):
            read_stamp(path, of=stamps / "head.json")
    with pytest.raises(InputError, match="no certificates"):
        read_stamp(stamps / "head.tsr", of=stamps / "head.json", authorities=[stamps / "head.json"])


def test_the_command_checks_a_reply(stamps: Path, tmp_path: Path) -> None:
    """0 where it holds, with what was not checked; 1 where it does not."""
    reply = ("anchor", "--reply", stamps / "head.tsr")
    held = call(*reply, "--head", stamps / "head.json")
    assert held.exit_code == 0
    assert "was not checked" in held.stdout
    assert "openssl ts -verify" in held.stdout
    trusted = json.loads(
        call(*reply, "--head", stamps / "head.json", "--authority", stamps / "root.pem", "--json").stdout
    )
    assert (trusted["signature_checked"], trusted["faults"], trusted["seq"]) == (True, [], 1)
    other = saved(tmp_path, (stamps / "head.json").read_bytes() + b"\n")
    assert call(*reply, "--head", other).exit_code == 1
    assert_clear(call(*reply), 2, "--head")
    assert_clear(call("anchor", "--head", stamps / "head.json", "--out", tmp_path / "x"), 2, "--reply")
