"""Anchors: the head of a ledger, signed and kept outside of the store: what stood before it cannot change unseen.

A chain of hashes alone proves nothing against its holder, who can write all of it anew. Whoever keeps a signed head (an
auditor, a mailbox, a time-stamping authority) can later tell: the line of that number must still have that hash.
"""

from __future__ import annotations

import base64
import html
import os
import re
import zipfile
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.audit.keys import (
    check_canonical,
    key_id_of,
    public_base64,
    public_key_from,
    refuse_in_store,
    sign_canonical,
)
from pipeline.store.disk import sync_folder, write_error
from pipeline.store.ledger import append, canonical, last_entry
from schemas.errors import InputError, RecordError
from schemas.ledger import LedgerEntry, SignedHead
from schemas.verification import Mismatch

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

MAX_ANCHOR_BYTES = 32 * 2**20  # a mail with all its attachments
MAX_HEAD_BYTES = 65_536  # of a head by itself, in a bundle, or in a block; it has some 500
MAX_HEADS = 100  # in one file: a mail may quote older ones
HEADS_IN_BUNDLES = ("signed_head.json", "head.json", "anchor.json")
TEXT_WIDTH = 60  # characters of a line of the block: quoted several times it still fits the 78 of a mail
_BEGIN, _END = "BEGIN LINEPROOF ANCHOR", "END LINEPROOF ANCHOR"
_MARKS = re.compile(r"(BEGIN|END) LINEPROOF ANCHOR".replace(" ", r"[\s>|]+"))
_TAG = re.compile(r"<[^<>]*>")
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]+")
_UNSIGNED = {"schema_version", "written_as", "public_key", "signature"}
_TEXT = """\
Lineproof anchor: the head of an audit ledger, signed.

Ledger  {ledger}
Line    {seq}
Hash    {hash}
Signed  {at}
Key     {key_id}

Keep this message outside of the store that it is about. Whoever has it
can tell later whether a line up to {seq} was altered, moved or deleted:

    lineproof verify --anchor THIS_MESSAGE

It says nothing on lines after {seq}, and the time is that of the clock
of the machine that signed. That the key is the right one, only its
owner can say: compare the id.

-----{begin}-----
{block}
-----{end}-----
"""


def sign_head(entry: LedgerEntry, key: Ed25519PrivateKey, *, at: str | None = None) -> SignedHead:
    """The signed head for a line of a ledger; `at` is the time now, UTC, unless it is given."""
    public = key.public_key()
    fields = {
        "ledger": entry.ledger,
        "seq": entry.seq,
        "hash": entry.hash,
        "at": at or datetime.now(UTC).isoformat(timespec="milliseconds"),
        "key_id": key_id_of(public),
    }
    signature = sign_canonical(fields, key)
    return SignedHead.model_validate({**fields, "public_key": public_base64(public), "signature": signature})


def sign_last_line(root: Path, key: Ed25519PrivateKey) -> SignedHead:
    """The signed head of a store's ledger as it stands.

    Raises InputError for a store without a ledger, RecordError when its last line is damaged.
    """
    entry = last_entry(root)
    if entry is None:
        raise InputError(
            f"{root}: has no ledger yet, so there is no head to sign; `lineproof ask` writes the first line"
        )
    return sign_head(entry, key)


def record_anchor(root: Path, head: SignedHead) -> LedgerEntry:
    """The line that says which head was signed by which key; written after the head is where it is kept.

    Raises StoreError when the ledger cannot be written: the anchor is then good all the same.
    """
    return append(root, "anchor", facts={"seq": head.seq, "hash": head.hash, "key_id": head.key_id})


def write_anchor(path: Path, content: bytes, *, store: Path | None = None) -> None:
    """Write a new file outside of the store; it is on disk when this returns.

    Raises InputError where it is there already or lies in a store, StoreError where it cannot be written.
    """
    refuse_in_store(path, store=store, what="an anchor")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    except OSError as error:
        if isinstance(error, FileExistsError) and os.path.lexists(path):
            told = "is there already, and an anchor is never overwritten"
            raise InputError(f"{path}: {told}; name another file") from error
        raise write_error(path, error, option="--out") from error


def to_text(head: SignedHead) -> str:
    """A head as the text of a mail: for people, and read back by `read_anchor` however the mail was quoted or wrapped.

    Its block holds no character that mail programs encode: the JSON is padded with blanks, so that no '=' is needed.
    """
    data = canonical(head.model_dump(mode="json", exclude={"written_as"}))
    data += b" " * (-len(data) % 3)
    encoded = base64.b64encode(data).decode()
    block = "\n".join(encoded[at : at + TEXT_WIDTH] for at in range(0, len(encoded), TEXT_WIDTH))
    shown = head.model_dump(include={"ledger", "seq", "hash", "at", "key_id"})
    return _TEXT.format(**shown, begin=_BEGIN, end=_END, block=block)


def read_anchor(path: Path) -> SignedHead:
    """The signed head of a file: JSON, a mail or its text, or a bundle; of several, that of the last line.

    Nothing is checked but its form.

    Raises InputError where the file cannot be read or holds none, RecordError where one is damaged.
    """
    return max(read_anchors(path), key=lambda head: head.seq)


def read_anchors(path: Path) -> tuple[SignedHead, ...]:
    """All signed heads of a file, in its order, each once: a mail may quote older ones. Raises as `read_anchor`."""
    try:
        with path.open("rb") as file:
            is_bundle = file.read(4) == b"PK\x03\x04"
            file.seek(0)
            data = b"" if is_bundle else file.read(MAX_ANCHOR_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: the anchor cannot be read ({error.strerror}); name another file") from error
    if len(data) > MAX_ANCHOR_BYTES:
        raise InputError(f"{path}: larger than {MAX_ANCHOR_BYTES:,} bytes, so no anchor; name another file")
    if is_bundle:
        found = _in_bundle(path)
    elif data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        found = [_head_in(data.lstrip(b"\xef\xbb\xbf \t\r\n"), str(path))]
    else:
        found = _in_text(data, path)
    if not found:
        raise InputError(
            f"{path}: holds no anchor, neither JSON nor the lines between '{_BEGIN}' and '{_END}'; name the file "
            "that `lineproof anchor` wrote, or the mail with all of its text"
        )
    return tuple(dict.fromkeys(found))


def check_anchor(
    head: SignedHead,
    entries: Sequence[LedgerEntry],
    trusted_keys: Sequence[Ed25519PublicKey] = (),
    *,
    place: str = "anchor",
) -> list[Mismatch]:
    """What a signed head has against the whole lines of a ledger; empty where it vouches for all up to its line.

    Without `trusted_keys` a valid signature says only that the holder of some key signed; with them, another key's is
    a mismatch. A head with an invalid signature says nothing on the ledger. `place` names it in what is found. That
    each line fits the one before is for others to check: one line's hash holds all before it only in a whole chain.
    """
    fault = _signature_fault(head, trusted_keys)
    if fault is not None:
        return [Mismatch(kind="signature_invalid", place=place, detail=fault, seq=head.seq)]
    if not entries:
        detail = f"it names line {head.seq} of a ledger, and there is none"
        return [Mismatch(kind="ledger_truncated", place=place, detail=detail, seq=head.seq)]
    of_ledger = [entry for entry in entries if entry.ledger == head.ledger]
    if not of_ledger:
        detail = f"it is of the ledger {head.ledger}, and this one is {entries[0].ledger}"
        return [Mismatch(kind="anchor_mismatch", place=place, detail=detail, seq=head.seq)]
    last = max(entry.seq for entry in of_ledger)
    if head.seq > last:
        detail = f"it names line {head.seq}, and the ledger ends with line {last}: what came after was cut off"
        return [Mismatch(kind="ledger_truncated", place=place, detail=detail, seq=head.seq)]
    hashes = [entry.hash for entry in of_ledger if entry.seq == head.seq]
    if head.hash in hashes:
        return []
    found = f"has the hash {hashes[0]}" if hashes else "is missing or damaged"
    detail = f"line {head.seq} had the hash {head.hash} when it was signed on {head.at}, and {found} now"
    return [Mismatch(kind="anchor_mismatch", place=place, detail=detail, seq=head.seq)]


def is_valid(head: SignedHead, trusted_keys: Sequence[Ed25519PublicKey] = ()) -> bool:
    """True where the signature fits fields and key, and the key is a trusted one, if any is named."""
    return _signature_fault(head, trusted_keys) is None


def _signature_fault(head: SignedHead, trusted_keys: Sequence[Ed25519PublicKey]) -> str | None:
    try:
        public = public_key_from(head.public_key)
    except ValueError:
        return "its public key is none"
    if key_id_of(public) != head.key_id:
        return f"its key is {key_id_of(public)}, and it says {head.key_id}"
    fields = head.model_dump(mode="json", exclude=_UNSIGNED)
    if not check_canonical(fields, head.signature, public):
        return f"its signature does not fit: a field of it was changed, or the key {head.key_id} did not sign it"
    if trusted_keys and head.public_key not in [public_base64(key) for key in trusted_keys]:
        return f"it is signed with the key {head.key_id}, which is none of those that are trusted"
    return None


def _in_text(data: bytes, path: Path) -> list[SignedHead]:
    texts = [_decoded(data)]
    if not _blocks_in(texts[0]):  # a mail whose text is encoded
        message: Any = message_from_bytes(data, _class=EmailMessage, policy=policy.default)
        parts = [part for part in message.walk() if part.get_content_maintype() == "text"]
        texts = [_decoded(part.get_payload(decode=True) or b"") for part in parts]
    blocks = [block for text in texts for block in _blocks_in(text)]
    if len(blocks) > MAX_HEADS:
        raise InputError(f"{path}: holds more than {MAX_HEADS} anchors; name the message with the one that is meant")
    return [_head_of(block, path) for block in blocks]


def _blocks_in(text: str) -> list[str]:
    """What stands between a mark of the beginning and the next mark, where that is one of the end."""
    pairs = [(one, other) for one, other in pairwise(_MARKS.finditer(text)) if (one[1], other[1]) == ("BEGIN", "END")]
    return [text[one.end() : other.start()] for one, other in pairs if other.start() - one.end() <= MAX_HEAD_BYTES]


def _head_in(data: bytes, where: str) -> SignedHead:
    if len(data) > MAX_HEAD_BYTES:
        raise RecordError(f"{where}: larger than {MAX_HEAD_BYTES:,} bytes, so no signed head; name another file")
    return SignedHead.from_json(data, where=where)


def _head_of(block: str, path: Path) -> SignedHead:
    bare = _NOT_BASE64.sub("", _TAG.sub("", html.unescape(block)))
    try:
        data = base64.b64decode(bare, validate=True)
    except ValueError as error:
        raise RecordError(
            f"{path}: the block of the anchor is damaged; take it from the message as it was sent"
        ) from error
    return SignedHead.from_json(data, where=f"{path}, block of the anchor")


def _decoded(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "replace")


def _in_bundle(path: Path) -> list[SignedHead]:
    try:
        with zipfile.ZipFile(path) as bundle:
            members = [each for each in bundle.infolist() if each.filename.rpartition("/")[2] in HEADS_IN_BUNDLES]
            found = []
            for member in members:
                with bundle.open(member) as file:
                    found.append((member.filename, file.read(MAX_HEAD_BYTES + 1)))
    except (OSError, ValueError, RuntimeError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise RecordError(f"{path}: the bundle is damaged ({error}); take it from where it was made") from error
    return [_head_in(data, f"{path}, {name}") for name, data in found]
