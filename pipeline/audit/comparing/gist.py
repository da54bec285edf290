"""The gist of a comparison in one or two sentences."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.audit.comparing.differences import label_of
from pipeline.audit.comparing.sides import Side
from pipeline.audit.comparing.wording import parting, short
from schemas.replay import Change, Movement

MAX_NAMED = 4  # changes named in a sentence; the rest is counted
ANSWER_CHARS = 120  # characters of an answer in a sentence
_COUNTED = {
    "keyword": "keyword", "question_field": "field of the question", "candidate": "passage", "role": "role",
    "reason": "reason", "value": "value", "status": "status", "quote": "quote", "caveat": "caveat", "method": "method",
}  # fmt: skip


def tell_gist(first: Side, second: Side, changes: Sequence[Change], movements: Sequence[Movement]) -> str:
    """What came of it, and by what."""
    if not movements and first.answer.text == second.answer.text:
        if not changes:
            return "The two runs are made from the same and give the same."
        return f"{_named(changes)} differ{'s' if len(changes) == 1 else ''}, and it moved nothing: both give the same."
    answers = [short(side.answer.text, ANSWER_CHARS) for side in (first, second)]
    if answers[0] == answers[1] and first.answer.text != second.answer.text:
        answers = list(parting(first.answer.text, second.answer.text))
    if answers[0] != answers[1]:
        outcome = f"The answer changed from {answers[0]!r} to {answers[1]!r}."
    else:
        outcome = f"The answer is the same; {_counts(movements)} moved on the way."
    return f"{outcome} {_by_what(changes, movements)}"


def _by_what(changes: Sequence[Change], movements: Sequence[Movement]) -> str:
    if not changes:
        return "Nothing that is on record explains it: the two were made from the same."
    of_answer = [one for one in movements if one.what in ("value", "status", "quote")] or list(movements)
    causes = list(dict.fromkeys(name for one in of_answer for name in one.moved_by))
    if not causes:
        return f"None of the changes on record ({_named(changes)}) reaches it."
    stages = list(dict.fromkeys(one.stage for one in of_answer))
    more = f" and {len(causes) - MAX_NAMED} more" if len(causes) > MAX_NAMED else ""
    named = ", ".join(causes[:MAX_NAMED]) + more
    shown = all(one.shown for one in of_answer if one.moved_by)
    how = (
        "shown by running with it alone" if shown else "the only change" if len(causes) == 1 else "one of them, or all"
    )
    reach = f" that reaches {' and '.join(stages)}" if how == "the only change" else ""
    return f"The runs part at {stages[0]}, moved by {named} ({how}{reach})."


def _counts(movements: Sequence[Movement]) -> str:
    counts: dict[str, int] = {}
    for one in movements:
        counts[one.what] = counts.get(one.what, 0) + 1
    return ", ".join(f"{count} {_plural(_COUNTED[what], count)}" for what, count in counts.items()) or "nothing"


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    if word == "status":
        return "statuses"
    return word.replace("field ", "fields ") if word.startswith("field ") else f"{word}s"


def _named(changes: Sequence[Change]) -> str:
    labels = list(dict.fromkeys(label_of(one) for one in changes))
    more = f" and {len(labels) - MAX_NAMED} more" if len(labels) > MAX_NAMED else ""
    return ", ".join(labels[:MAX_NAMED]) + more
