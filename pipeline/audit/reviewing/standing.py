"""Whether a decision is settled: enough different people say the same of the same records (four eyes: two)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from pydantic import Field

from pipeline.audit.reviewing.people import People
from pipeline.audit.reviewing.stored import StoredReview, StoredReviews, valid
from schemas.record import Part
from schemas.review import Correction, Review, Verdict

EYES = 2  # different people for four eyes
_NOT_SIGNED = "not signed, while a verdict of the same person on these records is"
State = Literal["not_reviewed", "open", "settled", "disputed"]


class Said(Part):
    """The last word of one person."""

    person: str = Field(description="Who, by the first name they used.")
    verdict: Verdict = Field(description="What they say.")
    value: str | None = Field(
        default=None,
        description="The right value (or role) where they corrected; null: not in the document, or none.",
    )
    reason: str = Field(description="Why.")
    signed: bool = Field(description="Signed with a key.")
    at: str = Field(description="When.")
    review: str = Field(description="Folder name of the review.")


class Standing(Part):
    """How a decision, or the role of a candidate in it, stands with those who reviewed it."""

    subject: str = Field(description="'answer', or the id of the candidate.")
    state: State = Field(
        description="not_reviewed; open: agreed, by fewer people than needed; settled; disputed: they say different "
        "things, which only they can settle."
    )
    verdict: Verdict | None = Field(description="What they agree on; null where they do not, or nobody said a thing.")
    eyes: int = Field(description="Different people needed.")
    said: tuple[Said, ...] = Field(
        description="Last word of each person (and key) on the present records, earliest first."
    )
    people_count: int = Field(description="Different people among them.")
    missing: int = Field(
        default=0,
        description="Verdicts that the ledger names and the store does not hold as recorded: nothing is settled then.",
    )
    outdated: int = Field(default=0, description="Verdicts on records that were replaced since; they count no more.")
    not_counted: tuple[tuple[str, str], ...] = Field(
        default=(), description="Reviews that count for nothing, and why: their folder names."
    )


def settled(
    reviews: Sequence[StoredReview],
    eyes: int = EYES,
    *,
    seal: str,
    people: People | None = None,
    trusted: Collection[str] | None = None,
    subject: str = "answer",
    missing: int = 0,
) -> Standing:
    """How the records of `seal` stand with `reviews`, in the order of the ledger.

    Of each person the last word counts, a signed one before one that is not. Corrections agree when they give the same
    value. `missing` verdicts are recorded and not there as recorded: then nothing is settled. With `trusted` (public
    keys, base64) only reviews signed with one of them count. `people` are those of the whole store, where a person may
    have used other names; else those of the reviews.
    """
    people = people or People(valid(reviews))
    on_subject = [one for one in reviews if subject in _subjects(one.review)]
    not_counted = [(one.review_id, why) for one in on_subject if (why := _not_counted(one, trusted)) is not None]
    sound = [one for one in on_subject if _not_counted(one, trusted) is None]
    present = [one for one in sound if one.review.run_seal == seal]
    counted, overruled = last_words(present, people)
    not_counted += [(one.review_id, _NOT_SIGNED) for one in overruled]
    last = sorted(
        ((person, one) for (_, person), words in counted.items() for one in words),
        key=lambda item: (item[1].seq, item[1].place),
    )
    opinions = {_opinion(one.review, subject) for _, one in last}
    agreed = last[0][1].review.verdict if len(opinions) == 1 else None
    state: State = "not_reviewed"
    if last:
        state = "disputed" if agreed is None else "settled" if len(counted) >= eyes and not missing else "open"
    return Standing(
        subject=subject, state=state, verdict=agreed, eyes=eyes,
        said=tuple(_said(person, one, subject) for person, one in last), people_count=len(counted),
        outdated=len(sound) - len(present),
        not_counted=tuple(not_counted), missing=missing,
    )  # fmt: skip


def standings(
    reviews: Sequence[StoredReview],
    eyes: int = EYES,
    *,
    seal: str,
    people: People | None = None,
    trusted: Collection[str] | None = None,
    missing: int = 0,
) -> tuple[Standing, ...]:
    """The answer's standing, then that of each candidate that somebody reviewed, by id."""
    named = sorted({name for one in reviews for name in _subjects(one.review) if name != "answer"})
    return tuple(
        settled(
            reviews, eyes, seal=seal, people=people, trusted=trusted, subject=subject,
            missing=missing if subject == "answer" else 0,
        )
        for subject in ("answer", *named)
    )  # fmt: skip


def last_words(
    reviews: Sequence[StoredReview], people: People
) -> tuple[dict[tuple[str, str], tuple[StoredReview, ...]], tuple[StoredReview, ...]]:
    """The last words of each person on each run, by seal and person, and unsigned ones that signed ones overrule.

    `reviews` are sound ones on one subject, in the order of the ledger. Anybody can write a name, and make a key: who
    signed a verdict is not spoken for by one without a signature, and of several keys under one name none overrules
    another; the last word of each stands.
    """
    last: dict[tuple[str, str], dict[str | None, StoredReview]] = {}
    for one in reviews:
        of_person = last.setdefault((one.review.run_seal, people.of(one.review)), {})
        of_person.pop(one.review.public_key, None)  # so that the latest stands last
        of_person[one.review.public_key] = one
    overruled = [of_person.pop(None) for of_person in last.values() if None in of_person and len(of_person) > 1]
    return {key: tuple(of_person.values()) for key, of_person in last.items()}, tuple(overruled)


def last_verdicts(stored: StoredReviews) -> dict[str, Verdict]:
    """What people said last of the answers, by the seal of the run; where they differ, the one that is no acceptance.

    Of one that is both corrected and rejected: corrected.
    """
    on_answers = [one for one in valid(stored.found) if one.review.subject == "answer"]
    last, _ = last_words(on_answers, People(valid(stored.found)))
    weight: tuple[Verdict, ...] = ("accept", "reject", "correct")
    by_seal: dict[str, Verdict] = {}
    for (seal, _), words in last.items():
        said = [one.review.verdict for one in words]
        by_seal[seal] = max((*said, by_seal.get(seal, said[0])), key=weight.index)
    return by_seal


def same_correction(one: Correction, other: Correction) -> bool:
    """True when both give the same value, or both say that the document does not tell."""
    return _value(one) == _value(other)


def _subjects(review: Review) -> tuple[str, ...]:
    return ("answer",) if review.subject == "answer" else tuple(each.candidate_id for each in review.roles)


def _not_counted(one: StoredReview, trusted: Collection[str] | None) -> str | None:
    if one.faults:
        return "; ".join(one.faults)
    if trusted is None or one.review.public_key in trusted:
        return None
    return "signed with a key that is not trusted" if one.review.public_key else "not signed"


def _opinion(review: Review, subject: str) -> tuple[object, ...]:
    role = next((each.role for each in review.roles if each.candidate_id == subject), None)
    return review.verdict, role, _value(review.correction) if review.correction else None


def _value(correction: Correction) -> str | None:
    return " ".join(correction.text.casefold().split()) if correction.text is not None else None


def _said(person: str, one: StoredReview, subject: str) -> Said:
    review = one.review
    role = next((each.role for each in review.roles if each.candidate_id == subject), None)
    value = review.correction.text if review.correction else role
    return Said(
        person=person, verdict=review.verdict, value=value, reason=review.reason, signed=review.signature is not None,
        at=review.at, review=one.review_id,
    )  # fmt: skip
