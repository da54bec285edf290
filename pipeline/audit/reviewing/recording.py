"""A verdict made and saved: tied to the seal of the run, signed where there is a key, recorded in the ledger."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from pipeline.audit.keys import key_id_of, public_base64, sign_canonical
from pipeline.audit.opened import open_run
from pipeline.audit.reviewing.decisions import Decision, Lines, read_decision
from pipeline.audit.reviewing.people import People, checked_name, checked_reason
from pipeline.audit.reviewing.quoting import copy_lines, notes_on, role_then
from pipeline.audit.reviewing.stored import REVIEW, StoredReviews, read_reviews, signed_fields, valid
from pipeline.store.names import REVIEWS
from pipeline.store.runs import load_run, root_of_run
from pipeline.store.sealed import save_sealed
from pipeline.store.seals import Rests
from schemas.errors import InputError
from schemas.ledger import LedgerEntry
from schemas.provenance import ArbiterRole
from schemas.review import Correction, Review, RoleCorrection, Verdict

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ID_LENGTH = 16  # hex digits of the name of a review's folder; a clash needs some four thousand million reviews
MAX_VALUE_CHARS = 10_000  # of a corrected value
ROLES: tuple[ArbiterRole, ...] = get_args(ArbiterRole)


@dataclass(frozen=True, slots=True)
class Right:
    """What a reviewer says the answer should have been; `value` None: the document does not say."""

    value: str | None
    page: int | None = None
    lines: tuple[int, int] | None = None  # on that page, as the answer cites them


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a reviewer says of a run: of its answer, or of the role of one candidate."""

    verdict: Verdict
    reason: str
    right: Right | None = None
    candidate: tuple[str, str] | None = None  # id and role; the verdict then follows from the role


@dataclass(frozen=True, slots=True)
class Recorded:
    """A review that was saved, its line in the ledger, and what was odd about it."""

    review: Review
    folder: Path
    entry: LedgerEntry
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A review that can be saved: all is checked, nothing is written."""

    review: Review
    decision: Decision
    rests: Rests


def record(folder: Path, opinion: Opinion, *, by: str, key: Ed25519PrivateKey | None = None) -> Recorded:
    """The verdict of a reviewer on the run or case of a folder, saved and recorded.

    Raises InputError for what cannot be taken, RecordError for a damaged run, StoreError where it cannot be written.
    """
    return save(prepare(folder, opinion, by=by, key=key))


def prepare(
    folder: Path, opinion: Opinion, *, by: str, key: Ed25519PrivateKey | None = None, lines: Lines | None = None
) -> Prepared:
    """The verdict, checked and signed, not yet saved; `lines` is the ledger, where the caller has read it.

    Raises InputError for what cannot be taken, RecordError for a damaged run.
    """
    decision = read_decision(folder, lines)
    roles, verdict = _roles(decision, opinion)
    correction = _correction(decision, opinion.right) if verdict == "correct" and not roles else None
    review = Review(
        run=decision.place,
        run_seal=decision.root,
        reviewer=checked_name(by),
        verdict=verdict,
        reason=checked_reason(opinion.reason),
        subject="candidate" if roles else "answer",
        roles=roles,
        correction=correction,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        key_id=key_id_of(key.public_key()) if key else None,
        public_key=public_base64(key.public_key()) if key else None,
    )
    if key is not None:
        signature = sign_canonical(signed_fields(review.model_dump(mode="json")), key)
        review = review.model_copy(update={"signature": signature})
    quoted = correction is not None and correction.quote is not None
    rests = Rests(
        documents=decision.seal.documents if quoted else {},
        parsings=decision.seal.parsings if quoted else {},
        runs={decision.place: decision.root},
    )
    return Prepared(review, decision, rests)


def save(prepared: Prepared, known: StoredReviews | None = None) -> Recorded:
    """Save a verdict that was prepared; `known` are the reviews of the store, where the caller has read them.

    Raises StoreError where it cannot be written, RecordError for a damaged ledger.
    """
    review, decision = prepared.review, prepared.decision
    root = root_of_run(decision.folder)
    warning = People(valid((known or read_reviews(root)).found)).warning_for(review.reviewer, review.key_id)
    data = review.to_json()
    folder = root / REVIEWS / hashlib.sha256(data).hexdigest()[:ID_LENGTH]
    facts = {"of_seq": decision.seq, "verdict": review.verdict, "subject": review.subject}
    entry = save_sealed(root, folder, {REVIEW: data}, kind="review", rests=prepared.rests, facts=facts)
    notes = review.correction.notes if review.correction else ()
    return Recorded(review, folder, entry, (*((warning,) if warning else ()), *notes))


def _roles(decision: Decision, opinion: Opinion) -> tuple[tuple[RoleCorrection, ...], Verdict]:
    """The role of a candidate, where the opinion is on one; the role that it has already is an acceptance."""
    if opinion.candidate is None:
        return (), opinion.verdict
    candidate_id, wanted = opinion.candidate
    role = next((one for one in ROLES if one == wanted), None)
    if role is None:
        raise InputError(f"{wanted[:40]!r} is no role; a candidate is {', '.join(ROLES)}")
    if decision.kind == "case":
        raise InputError(f"{decision.place}: a case has no candidates of its own; name the run of one document")
    found = load_run(decision.folder).retrieval
    now = {one.candidate_id: one.role for one in found.provenances}
    if candidate_id not in now:
        known = ", ".join(list(now)[:10]) or "none"
        raise InputError(f"{decision.place}: no candidate {candidate_id[:80]!r}; there are {known}")
    return (RoleCorrection(candidate_id=candidate_id, role=role),), "accept" if now[candidate_id] == role else "correct"


def _correction(decision: Decision, right: Right | None) -> Correction:
    if right is None:
        raise InputError("a correction says what is right: give the value, or that the document does not say it")
    if decision.kind == "case":
        raise InputError(f"{decision.place}: a case is corrected where it is wrong; name the run of that document")
    if (right.page is None) != (right.lines is None):
        raise InputError("a place is a page and its lines; give both, --page N --lines A-B")
    if right.value is None and right.lines is not None:
        raise InputError("what is not in the document stands on no lines; leave the page and the lines out")
    value = right.value.strip() if right.value is not None else None
    if value is not None and not 0 < len(value) <= MAX_VALUE_CHARS:
        raise InputError(f"the value has {len(value)} characters; it has at least 1 and at most {MAX_VALUE_CHARS}")
    if value is None and decision.status == "not_found":
        raise InputError(f"{decision.place}: the answer says already that the document does not tell; accept it")
    saved = load_run(decision.folder)
    given = Correction(
        doc_id=saved.answer.doc_id,
        document_sha256=decision.seal.documents.get(saved.answer.doc_id, ""),
        question=saved.question.resolved_question or saved.question.original_question,
        text=value,
    )
    if right.page is None or right.lines is None or value is None:
        return given
    quoted = copy_lines(open_run(decision.folder, data=b"").document, right.page, *right.lines)
    return given.model_copy(
        update={
            "page_num": quoted.page_num,
            "line_start": quoted.line_start,
            "line_end": quoted.line_end,
            "quote": quoted.text,
            "line_ids": quoted.line_ids,
            "role_then": role_then(saved.retrieval, quoted),
            "notes": (*notes_on(value, quoted.text), *quoted.notes),
        }
    )


def parse_lines(text: str) -> tuple[int, int]:
    """First and last line of 'A-B', or of 'A' alone.

    Raises InputError for what is neither.
    """
    first, dash, last = text.strip().replace("\u2013", "-").partition("-")
    numbers: Sequence[str] = (first.strip(), last.strip()) if dash else (first.strip(), first.strip())
    if not all(number.isascii() and number.isdigit() and len(number) < 8 for number in numbers):
        raise InputError(f"{text[:40]!r} names no lines; write e.g. 12-14, or 12")
    return int(numbers[0]), int(numbers[1])
