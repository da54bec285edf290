"""Sessions in the store: `sessions/NAME.json`, the questions of one conversation and the last as it was analysed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pipeline.store.files import read_file, replace_file
from pipeline.store.folders import locked
from schemas.conversation import Session, SessionTurn
from schemas.errors import InputError
from schemas.question import ParsedQuestion

SESSIONS = "sessions"  # folder of the sessions, beside the documents
MAX_NAME = 64  # characters of a name
MAX_TURNS = 1_000  # turns kept; only the last is read, the others are for people
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_RESERVED = frozenset(("con", "prn", "aux", "nul", *(f"{kind}{number}" for kind in ("com", "lpt") for number in range(1, 10))))  # fmt: skip  # noqa: E501 - names that Windows keeps for devices


def check_session(name: str) -> str:
    """The name, when it is one: letters, digits, '-' and '_', at most 64; never a path.

    Raises InputError for any other.
    """
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME or name.lower() in _RESERVED:
        raise InputError(
            f"{name[:80]!r} is no name for a session: use up to {MAX_NAME} letters, digits, '-' and '_', with a letter "
            "or a digit first"
        )
    return name


def load_session(root: Path, name: str) -> Session:
    """The session as it was left; an empty one for a name that is new.

    Raises InputError for what is no name, RecordError, naming the file, when it was damaged.
    """
    path = _path(root, name)
    data = read_file(path)
    if data is None:
        return Session(name=name, turns=(), last=None)
    return Session.from_json(data, where=str(path))


def add_turn(root: Path, name: str, question: ParsedQuestion, *, runs: Sequence[str]) -> Session:
    """The session with one more turn, saved; two processes that share it both add theirs.

    Raises as `load_session` does, and StoreError when it cannot be written.
    """
    path = _path(root, name)
    with locked(root, path):
        known = load_session(root, name)
        turn = SessionTurn(question=question.original_question, resolved=question.resolved_question, runs=tuple(runs))
        session = Session(name=name, turns=(*known.turns, turn)[-MAX_TURNS:], last=question)
        replace_file(path, session.to_json())
    return session


def _path(root: Path, name: str) -> Path:
    return root / SESSIONS / f"{check_session(name)}.json"
