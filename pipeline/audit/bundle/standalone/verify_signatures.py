"""How `verify_bundle.py` checks signatures: heads of the ledger, the list of files, reviews. Standard library alone."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable
from email import message_from_string, policy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from pipeline.audit.bundle.standalone import verify_basics as basics
    from pipeline.audit.bundle.standalone.verify_report import Case, Report
else:
    import verify_basics as basics
    from verify_report import Case, Report

MARKS = re.compile(r"(BEGIN|END)[\s>|]+LINEPROOF[\s>|]+ANCHOR")
MAX_HEAD_CHARS = 65_536  # of a head in a bundle, or of a block in a mail; it has some 500
MAX_HEADS = 100  # in one text: a mail may quote older ones
HEAD_FIELDS = ("ledger", "seq", "hash", "at", "key_id")  # what the signature of a head is over
LIST_FIELDS = ("bundle_sha256", "at", "key_id")  # and that of the list of files
CAME_ALONG = "which came with the bundle: it proves nothing against whoever made it; get the key from its owner (--key)"


def check_own_head(case: Case, keys: frozenset[bytes]) -> bool:
    """The head in the bundle; True where a trusted key signed it and it fits: no other vouches for anything."""
    data = case.bundle.read("head.json")
    if len(data) > MAX_HEAD_CHARS:
        raise ValueError(f"is longer than {MAX_HEAD_CHARS} bytes, so no head")
    head = basics.as_object(data)
    if fits(case, head, "head.json", keys) and keys:
        vouch(case.report, head)
        return True
    if not keys:
        told = f"line {head['seq']} is signed with the key {head['key_id']}, {CAME_ALONG}"
        case.report.remark("no_anchor", "head.json", told)
    return False


def check_given_head(case: Case, text: str, place: str, keys: frozenset[bytes]) -> bool:
    """Heads, or a bare hash, that the user got by another way; True where a trusted key signed one that fits."""
    report, heads, is_trusted = case.report, read_heads(text), False
    if not heads:
        check_hash(case, text, place)
    for head in heads:
        if fits(case, head, place, keys):
            vouch(report, head)
            is_trusted = is_trusted or bool(keys)
            if not keys:
                told = f"is signed with the key {head['key_id']}, and you named no key that you trust (--key)"
                report.remark("not_checked", place, f"{told}: it is worth as much as where you got it from")
    return is_trusted


def check_hash(case: Case, text: str, place: str) -> None:
    """A bare hash that the user got by another way, against the lines of the ledger."""
    hashes = set(re.findall("[0-9a-f]{64}", text))
    known = [seq for seq, line in case.lines.items() if line["hash"] in hashes]
    if known:
        case.report.anchored_to = max(case.report.anchored_to, *known)
        told = "is a hash without a signature: worth as much as where you got it from"
        case.report.remark("not_checked", place, told)
    else:
        case.report.wrong("anchor_mismatch", place, "no line of the ledger has this hash: it was rebuilt or cut off")


def vouch(report: Report, head: dict[str, Any]) -> None:
    """Take a head that fits as a witness from outside."""
    report.anchored_to = max(report.anchored_to, head["seq"])
    report.signed_by = sorted({*report.signed_by, head["key_id"]})


def fits(case: Case, head: dict[str, Any], place: str, keys: frozenset[bytes]) -> bool:
    """True for a head that is signed as it says, by a trusted key where there is one, and fits the ledger."""
    report = case.report
    report.count("signed heads")
    if not is_signed(report, head, HEAD_FIELDS, place, keys):
        return False
    line = case.lines.get(head["seq"])
    if head["ledger"] != report.ledger or (line and line["hash"] != head["hash"]):
        report.wrong("anchor_mismatch", place, f"line {head['seq']} of the ledger is not the one that was signed")
    elif line is None:
        kind = "ledger_truncated" if head["seq"] > case.last else "anchor_mismatch"
        report.wrong(kind, place, f"line {head['seq']} was signed and is not in the ledger")
    return line is not None and head["ledger"] == report.ledger and line["hash"] == head["hash"]


def read_heads(text: str) -> list[dict[str, Any]]:
    """The signed heads in a text: a file of its own, or the block in a mail, however it was quoted and wrapped.

    Raises ValueError for a damaged block, and for more than anybody would send.
    """
    text = text.lstrip("\ufeff \t\r\n")
    if text.startswith("{"):
        if len(text) > MAX_HEAD_CHARS:
            raise ValueError(f"is longer than {MAX_HEAD_CHARS} characters, so no head")
        return [basics.as_object(text.encode())]
    blocks = find_blocks(text)
    if not blocks:  # a mail whose text is encoded
        mail = message_from_string(text, policy=policy.default)
        parts: list[Any] = [part for part in mail.walk() if part.get_content_maintype() == "text"]
        texts = [(part.get_payload(decode=True) or b"").decode("utf-8", "replace") for part in parts]
        blocks = [block for one in texts for block in find_blocks(one)]
    if len(blocks) > MAX_HEADS:
        raise ValueError(f"holds more than {MAX_HEADS} heads")
    bare = [re.sub("[^A-Za-z0-9+/]+", "", re.sub("<[^<>]*>", "", html.unescape(block))) for block in blocks]
    return [basics.as_object(base64.b64decode(one)) for one in bare]


def find_blocks(text: str) -> list[str]:
    """What stands between a mark of the beginning and the next mark, where that is one of the end."""
    marks = list(MARKS.finditer(text))
    pairs = [(one, other) for one, other in zip(marks, marks[1:]) if (one[1], other[1]) == ("BEGIN", "END")]  # noqa: B905, RUF007 - 3.8 knows neither
    return [text[one.end() : other.start()] for one, other in pairs if other.start() - one.end() <= MAX_HEAD_CHARS]


def is_signed(
    report: Report, signed: dict[str, Any], fields: Iterable[str], place: str, keys: frozenset[bytes]
) -> bool:
    """True for a signature that fits its fields and its key, and the trusted key where there is one."""
    if not fits_key(signed, {name: signed[name] for name in fields}):
        report.wrong("signature_invalid", place, "the signature does not fit its key and fields")
        return False
    if keys and base64.b64decode(signed["public_key"]) not in keys:
        report.wrong("signature_invalid", place, f"is signed with the key {signed['key_id']}, not the one you trust")
        return False
    return True


def fits_key(signed: dict[str, Any], content: dict[str, Any]) -> bool:
    """True where the signature over some fields is one of the public key, and the key has the id that is said."""
    public, signature = base64.b64decode(signed["public_key"]), base64.b64decode(signed["signature"])
    plain = [base64.b64encode(raw).decode() for raw in (public, signature)]
    return (
        plain == [signed["public_key"], signed["signature"]]
        and signed["key_id"] == basics.sha256(public)[:16]
        and basics.check_signature(public, basics.canonical(content), signature)
    )


def check_list_signature(case: Case, keys: frozenset[bytes]) -> None:
    """The signature of the list of files, which reaches what no seal does: the pages made for reading."""
    report, signed = case.report, case.json("signature.json")
    report.count("signed lists of files")
    if not is_signed(report, signed, LIST_FIELDS, "signature.json", keys):
        return
    if signed["bundle_sha256"] != basics.sha256(case.bundle.read("bundle.json")):
        report.wrong("record_altered", "bundle.json", "is not the list of files that was signed")
    elif keys:
        report.is_list_signed = True
        report.signed_by = sorted({*report.signed_by, signed["key_id"]})
    else:
        told = f"the list of files is signed with the key {signed['key_id']}, {CAME_ALONG}"
        report.remark("not_checked", "signature.json", told)
    data = case.bundle.read("head.json") if "head.json" in case.names else b""
    if 0 < len(data) <= MAX_HEAD_CHARS:
        other = basics.as_object(data).get("key_id")
        if other != signed["key_id"]:
            told = f"the list of files is signed with the key {signed['key_id']}, the head with another, {other}"
            report.remark("not_checked", "signature.json", told)


def check_asked_keys(case: Case, keys: frozenset[bytes], *, has_head: bool) -> None:
    """That what the user asked for is there: the ledger's head and the list of files, signed by a trusted key."""
    ids = " or ".join(sorted(basics.sha256(key)[:16] for key in keys))
    asked = f"you asked for a signature by {ids}; there is none of"
    if keys and not has_head:
        case.report.wrong("signature_invalid", "head.json", f"{asked} the ledger, neither here nor in what you gave")
    if keys and not case.report.is_list_signed:
        case.report.wrong("signature_invalid", "signature.json", f"{asked} the list of files (bundle.json)")


def check_review(case: Case, folder: str, seal: dict[str, Any], line: dict[str, Any] | None) -> None:
    """A verdict: on the run that its seal names, as its line in the ledger says, and signed as it says."""
    report, place = case.report, f"{folder}/review.json"
    review = case.json(place)
    report.count("reviews")
    if seal["runs"].get(review["run"]) != review["run_seal"]:
        report.wrong("record_altered", place, "is on another run than its seal names")
    if line is not None and any(line["facts"].get(name) != review[name] for name in ("verdict", "subject")):
        report.wrong("record_altered", place, "says another verdict than its line in the ledger")
    of = case.by_seal.get(review["run_seal"])
    if line is not None and of is not None and line["facts"].get("of_seq") != of["seq"]:
        report.wrong("record_altered", place, "is on another run than its line in the ledger names")
    named = [review.get(name) for name in ("key_id", "public_key", "signature")]
    if not any(named):
        return
    content = {name: value for name, value in review.items() if name != "signature"}
    if not all(named) or not fits_key(review, content):
        report.wrong("signature_invalid", place, "the signature of the review does not fit its key and what it says")
