"""What a store remembers beside its records, freed of a document: conversations, replies, proposals for experts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.store.choices import CHOICES, load_choices
from pipeline.store.files import read_file, replace_file
from pipeline.store.folders import locked
from pipeline.store.proposals import load_proposals, update_proposals
from pipeline.store.sessions import SESSIONS
from pipeline.values.equality import plain
from schemas.conversation import ClarificationDefaults, Session, SessionTurn
from schemas.errors import StoreError
from schemas.proposals import Proposal, Proposals

PARTY = "party"  # what was open, where a choice is a name out of the document


@dataclass(frozen=True, slots=True)
class Remembered:
    """How much goes: turns of conversations, remembered replies (by field, type of document, words), proposals."""

    turns: int
    choices: tuple[tuple[str, str, str], ...]
    proposals: int
    accepted: int  # proposals that experts took into a dictionary: their words stay there


def find_remembered(
    root: Path, documents: Collection[str], questions: Collection[str], holds: Callable[[str], bool]
) -> Remembered:
    """What quotes the documents or the questions that were put to them alone; `holds` tells whether they hold words.

    Raises RecordError for what is damaged.
    """
    turns = sum(
        len(session.turns) - len(_turns_left(session, documents))
        for path in _sessions(root)
        if (session := _read_session(path)) is not None
    )
    choices = tuple(
        (one.target_field, one.doc_type, one.form)
        for one in load_choices(root).defaults
        if one.target_field == PARTY and any(holds(plain(value)) for value in one.candidate_votes)
    )
    before = load_proposals(root).proposals
    left = [_proposal_left(one, documents, questions) for one in before]
    changed = [one for one, other in zip(before, left, strict=True) if one != other]
    accepted = sum(one.status == "accepted" for one in changed)
    return Remembered(turns, choices, len(changed), accepted)


def erase_remembered(
    root: Path, documents: Collection[str], questions: Collection[str], choices: Collection[tuple[str, str, str]]
) -> None:
    """Take out of conversations, replies and proposals what quotes the documents; what stays equal is not written.

    Raises StoreError when the store cannot be written, RecordError for what is damaged.
    """
    for path in _sessions(root):
        _erase_turns(root, path, documents)
    if choices and (root / CHOICES).exists():
        with locked(root, root / CHOICES):
            known = load_choices(root)
            left = tuple(one for one in known.defaults if (one.target_field, one.doc_type, one.form) not in choices)
            if left != known.defaults:
                replace_file(root / CHOICES, ClarificationDefaults(defaults=left).to_json())

    def free(known: Proposals) -> Proposals:
        left = (_proposal_left(one, documents, questions) for one in known.proposals)
        return known.model_copy(update={"proposals": tuple(one for one in left if one is not None)})

    update_proposals(root, free)


def _erase_turns(root: Path, path: Path, documents: Collection[str]) -> None:
    with locked(root, path):
        session = _read_session(path)
        left = _turns_left(session, documents) if session is not None else ()
        if session is None or left == session.turns:
            return
        if not left:
            try:
                path.unlink()
            except OSError as error:
                raise StoreError(f"{path}: cannot be erased ({error.strerror}); change its rights") from error
            return
        last = None if _is_of(session.turns[-1], documents) else session.last
        replace_file(path, session.model_copy(update={"turns": left, "last": last}).to_json())


def _turns_left(session: Session, documents: Collection[str]) -> tuple[SessionTurn, ...]:
    """The turns that were not on the documents alone; of others their runs on them are left out."""
    left = []
    for turn in session.turns:
        runs = tuple(run for run in turn.runs if run.partition("/")[0] not in documents)
        if runs or not turn.runs:
            left.append(turn.model_copy(update={"runs": runs, "resolved": None}) if runs != turn.runs else turn)
    return tuple(left)


def _is_of(turn: SessionTurn, documents: Collection[str]) -> bool:
    return any(run.partition("/")[0] in documents for run in turn.runs)


def _proposal_left(one: Proposal, documents: Collection[str], questions: Collection[str]) -> Proposal | None:
    """The proposal without what the documents say for it; None where nothing else does and nobody accepted it."""
    evidence = one.evidence
    named = set(evidence.documents) & set(documents)
    lines = tuple(line for line in evidence.lines if line.doc_id not in documents)
    asked = tuple(text for text in evidence.questions if text not in questions)
    if not named and lines == evidence.lines and asked == evidence.questions:
        return one
    count = max(evidence.document_count - len(named), 0)
    if one.status != "accepted" and not count and not lines:
        return None
    left = evidence.model_copy(
        update={
            "documents": tuple(name for name in evidence.documents if name not in documents),
            "document_count": count,
            "questions": asked,
            "lines": lines,
        }
    )
    return one.model_copy(update={"evidence": left})


def _sessions(root: Path) -> Iterator[Path]:
    return iter(sorted((root / SESSIONS).glob("*.json")))


def _read_session(path: Path) -> Session | None:
    data = read_file(path)
    return None if data is None else Session.from_json(data, where=str(path))
