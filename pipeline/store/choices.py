"""What people chose when they were asked back: `clarifications.json`, the vote memory of METHOD 2.5.

A reply counts one vote for what was chosen. Letting a default stand, and going on after a choice that was taken without
asking, count a quarter: silence is weak consent. Turning a choice down takes one vote from it. What a document does not
hold was never among the choices, so that its absence counts against nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pipeline.store.files import read_file, replace_file
from pipeline.store.folders import locked
from schemas.conversation import ClarificationDefault, ClarificationDefaults
from schemas.question import ParsedQuestion, Settled

CHOICES = "clarifications.json"
REPLY = 1.0  # votes of an explicit reply
SILENCE = 0.25  # votes of a default that was let stand, or of a choice that nobody objected to
DECIMALS = 2  # of a stored number of votes
_REMEMBERED = ("concept", "party")  # what was open; an empty question says nothing about the next


def load_choices(root: Path) -> ClarificationDefaults:
    """All that is remembered; empty for a store where nobody has replied.

    Raises RecordError when the file was damaged.
    """
    data = read_file(root / CHOICES)
    if data is None:
        return ClarificationDefaults(defaults=())
    return ClarificationDefaults.from_json(data, where=str(root / CHOICES))


def votes_of(remembered: ClarificationDefaults) -> dict[tuple[str, str, str], Mapping[str, float]]:
    """The votes by field, type of document and open words."""
    return {(one.target_field, one.doc_type, one.form): one.candidate_votes for one in remembered.defaults}


def count_reply(root: Path, question: ParsedQuestion, before: ParsedQuestion | None, *, doc_type: str) -> None:
    """Count what a turn says: the reply that it is, and what it says of the choice taken in the turn before.

    Raises as `load_choices` does, and StoreError when it cannot be written.
    """
    votes: list[tuple[Settled, str, float]] = []
    settled = question.settled
    if settled is not None and settled.by in ("reply", "default"):
        votes.append((settled, settled.chosen, REPLY if settled.by == "reply" else SILENCE))
    taken = before.settled if before is not None else None
    if taken is not None and _turned_down(question, taken):
        votes.append((taken, taken.chosen, -REPLY))
    elif taken is not None and taken.by == "votes":
        votes.append((taken, taken.chosen, SILENCE))
    votes = [vote for vote in votes if vote[0].target_field in _REMEMBERED]
    if not votes:
        return
    with locked(root, root / CHOICES):
        known = {(one.target_field, one.doc_type, one.form): one for one in load_choices(root).defaults}
        for open_point, value, vote in votes:
            key = (open_point.target_field, doc_type, open_point.form)
            known[key] = _counted(known.get(key), key, value, vote)
        kept = ClarificationDefaults(defaults=tuple(known[key] for key in sorted(known)))
        replace_file(root / CHOICES, kept.to_json())


def _turned_down(question: ParsedQuestion, taken: Settled) -> bool:
    """True when a turn says no to the choice, or makes another one; for one that nobody made, when it asks again."""
    asked, settled = question.clarification, question.settled
    if asked is not None and (asked.target_field, asked.form) == (taken.target_field, taken.form):
        says_no = question.previous_question is not None and question.resolved_question is None
        return says_no or taken.by == "votes"
    same = settled is not None and (settled.target_field, settled.form) == (taken.target_field, taken.form)
    is_reply = question.previous_question is not None or taken.by == "votes"
    return bool(same and is_reply and settled and settled.by == "reply" and settled.chosen != taken.chosen)


def _counted(
    known: ClarificationDefault | None, key: tuple[str, str, str], value: str, vote: float
) -> ClarificationDefault:
    votes = dict(known.candidate_votes) if known else {}
    votes[value] = round(max(votes.get(value, 0.0) + vote, 0.0), DECIMALS)
    target_field, doc_type, form = key
    return ClarificationDefault(
        target_field=target_field,
        doc_type=doc_type,
        form=form,
        candidate_votes=dict(sorted(votes.items())),
        sample_size=(known.sample_size if known else 0) + 1,
    )
