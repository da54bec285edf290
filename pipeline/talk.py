"""The conversation that a question is asked in: what a session and earlier replies add to it, and what it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pipeline.store.choices import count_reply, load_choices, votes_of
from pipeline.store.sessions import add_turn, check_session, load_session
from schemas.errors import InputError
from schemas.question import ParsedQuestion

Reply = int | Literal["default"]


@dataclass(frozen=True, slots=True)
class Talk:
    """What a question may know beside itself and the document."""

    session: str | None = None
    previous: ParsedQuestion | None = None
    choices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    reply: Reply | None = None


def open_talk(root: Path, session: str | None, choose: int | str | None) -> Talk:
    """The conversation as the store has it; `choose` is the number of a choice, from 1, or 'default'.

    Raises InputError for what is no session's name or no choice, RecordError when the store's memory was damaged.
    """
    from pipeline.question.clarify import memory_key

    if session is not None:
        check_session(session)
    votes = {memory_key(*key): known for key, known in votes_of(load_choices(root)).items()}
    previous = load_session(root, session).last if session is not None else None
    return Talk(session, previous, votes, read_choice(choose))


def close_talk(root: Path, talk: Talk, asked: Sequence[tuple[ParsedQuestion, str, str | None]]) -> None:
    """Leave the turn to the session, and what it says of a choice to the memory of replies.

    `asked` holds, for each document, the question as analysed, its run, '<doc_id>/<folder>', and the document's type.
    Of several documents the first that asks back is what the next turn is read against, else the first.

    Raises RecordError when the store's memory was damaged, StoreError when it cannot be written.
    """
    for question, _, doc_type in asked:
        count_reply(root, question, talk.previous, doc_type=doc_type or "unknown")
    if talk.session is not None and asked:
        last = next((question for question, *_ in asked if question.clarification is not None), asked[0][0])
        add_turn(root, talk.session, last, runs=[run for _, run, _ in asked])


def read_choice(choose: int | str | None) -> Reply | None:
    """The choice that a caller names: a number from 1, or 'default'.

    Raises InputError for anything else.
    """
    if choose is None:
        return None
    if choose == "default":
        return "default"
    number = int(choose) if isinstance(choose, int) or (choose.isascii() and choose.isdigit()) else 0
    if number < 1:
        raise InputError(f"{choose!r} is no choice: give the number of one, from 1, or 'default'")
    return number
