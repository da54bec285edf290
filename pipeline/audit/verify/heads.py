"""Signed heads against the chain: how far somebody outside the store vouches for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.audit.anchors import check_anchor, is_valid
from pipeline.audit.keys import key_id_of
from pipeline.audit.verify.chain import Chain
from pipeline.audit.verify.findings import Findings
from pipeline.audit.verify.folders import SHOWN
from pipeline.store.ledger import LEDGER
from schemas.ledger import SignedHead

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


@dataclass(frozen=True, slots=True)
class Vouched:
    """How far valid heads reach, and whose they are."""

    anchored_to: int | None = None
    signed_by: tuple[str, ...] = ()


def check_heads(
    heads: Sequence[SignedHead], chain: Chain, findings: Findings, *, trusted: Sequence[Ed25519PublicKey] = ()
) -> Vouched:
    """How far the heads that fit vouch for the chain; those that do not are told.

    With `trusted` keys the user asks for a signature of theirs: where no head has one, that is a mismatch.
    """
    reached: list[int] = []
    keys: set[str] = set()
    entries = list(chain.entries.values())
    for head in heads:
        findings.made("signed heads")
        place = f"signed head of line number {head.seq}"
        faults = check_anchor(head, entries, trusted, place=place)
        findings.take(faults, [], {})
        if is_valid(head, trusted):
            keys.add(head.key_id)
            reached += [] if faults else [head.seq]
            if not trusted:
                detail = f"is signed with the key {head.key_id}, and no key that you trust was named (--trusted)"
                findings.note("not_checked", place, f"{detail}: it is worth as much as where you got it from")
    if trusted and not reached:
        ids = " or ".join(sorted(map(key_id_of, trusted)))
        detail = f"you asked for a signature by {ids}; no head that was given has one that fits (--anchor)"
        findings.wrong("signature_invalid", LEDGER, detail)
    for entry in entries:
        if entry.kind == "anchor":
            _check_recorded(entry.seq, entry.facts.get("seq"), entry.facts.get("hash"), chain, findings)
    return Vouched(max(reached, default=None), tuple(sorted(keys)))


def _check_recorded(at: int, seq: object, said: object, chain: Chain, findings: Findings) -> None:
    """A line that says what head was signed: a chain that was written anew may have forgotten it."""
    if not isinstance(seq, int) or not isinstance(said, str):
        return
    findings.made("heads that the ledger names")
    entry = chain.entries.get(seq)
    if entry is not None and entry.hash != said:
        detail = f"line number {at} says that its hash was {said[:SHOWN]}... when it was signed"
        findings.wrong("ledger_altered", chain.place(seq), detail, seq=seq)
