"""From the words of a reply to a checked value, or a list of what is wrong with them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from pydantic import ValidationError
from pydantic_core import from_json

from pipeline.llm.model import Output, Shortfall
from pipeline.llm.wire import Reading

MAX_LISTED_PROBLEMS = 40  # sentences sent back and kept; the rest is counted, so that a repair stays affordable
CIRCLE_CHARS = 2_000  # characters at the end of a reply that are looked at: some five hundred tokens
CIRCLE_SHARE = 0.1  # compressed to less than this share, they repeat a phrase of at most some hundred characters
MAX_FOUND_CHARS = 60  # characters quoted of a wrong value

# Faults that a server which enforces the schema cannot produce; other faults (ranges, patterns, validators of ours) are
# not part of the schema it was given.
_STRUCTURAL = re.compile(
    r"json_invalid|missing|extra_forbidden|literal_error|enum|union_tag_\w+|\w+_type|(?:int|float|bool)_parsing|int_from_float"
)
# Reasoning models of local servers write their thoughts before the reply, some without the opening tag.
_THOUGHTS = re.compile(r"\A.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```[A-Za-z]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Judgement(Generic[Output]):
    """What a reply is worth: `value` is None unless it fits the schema; `problems` are empty when all is well.

    `constrained` is False when the reply shows that the server did not enforce the schema.
    """

    value: Output | None
    problems: tuple[str, ...]
    constrained: bool
    shortfall: Shortfall | None = None  # how to ask for what is missing alone


def judge_reply(reading: Reading, output: type[Output], check: Callable[[Output], Sequence[str]]) -> Judgement[Output]:
    """The reply as an `output` with what `check` finds, or why it is none; the raw reply is stored before this."""
    text = bare_json(reading.text)
    if reading.refusal is not None:
        return Judgement(None, (f"the model refused: {reading.refusal[:200]}",), constrained=True)
    if reading.fault is not None:
        return Judgement(None, (reading.fault,), constrained=False)
    if reading.truncated:
        problem = "the reply was cut off at the output limit before it was complete"
        return Judgement(None, (problem,), constrained=not text or text.startswith("{"))
    if not text:
        return Judgement(None, ("the reply is empty",), constrained=True)
    try:
        value = output.model_validate_json(text)
    except ValidationError as error:
        return Judgement(None, _schema_problems(error), constrained=not _breaks_structure(error))
    return judge_value(value, check)


def judge_value(value: Output, check: Callable[[Output], Sequence[str]]) -> Judgement[Output]:
    """A reply that fits the schema, with what `check` finds."""
    found = check(value)
    problems = limit_problems([str(problem) for problem in found])
    return Judgement(value, problems, constrained=True, shortfall=found if isinstance(found, Shortfall) else None)


def runs_in_circles(text: str) -> bool:
    """True for a reply that says the same over and over, as small models do until they are cut off.

    More room does not end it. Running text keeps a third of its length when compressed, a list of like records a fifth.
    """
    tail = text[-CIRCLE_CHARS:].encode()
    return len(text) >= CIRCLE_CHARS and len(zlib.compress(tail)) < CIRCLE_SHARE * len(tail)


def bare_json(text: str) -> str:
    """The reply without the thoughts before it and without a code fence around it, trimmed."""
    text = text.strip()
    if not text.startswith("{"):  # a reply that is JSON at once may quote such a tag from a document
        text = _THOUGHTS.sub("", text, count=1).strip()
    if text.startswith("{"):
        return text
    fenced = _FENCED.findall(text)
    return fenced[0].strip() if len(fenced) == 1 else text


def is_json(text: str) -> bool:
    """True when the reply holds one complete JSON value."""
    try:
        from_json(bare_json(text))
    except ValueError:
        return False
    return True


def limit_problems(problems: Sequence[str]) -> tuple[str, ...]:
    """The first problems, and how many more there are."""
    more = len(problems) - MAX_LISTED_PROBLEMS
    listed = tuple(problems[:MAX_LISTED_PROBLEMS])
    return (*listed, f"and {more} more problems of this kind") if more > 0 else listed


def _schema_problems(error: ValidationError) -> tuple[str, ...]:
    problems = []
    for fault in error.errors(include_url=False, include_context=False):
        if fault["type"] == "json_invalid":
            problems.append(f"the reply is not one complete JSON object: {fault['msg']}")
            continue
        place = ".".join(map(str, fault["loc"])) or "the reply"
        problems.append(f"{place}: {fault['msg']} (found {str(fault['input'])[:MAX_FOUND_CHARS]!r})")
    return limit_problems(problems)


def _breaks_structure(error: ValidationError) -> bool:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return any(_STRUCTURAL.fullmatch(fault["type"]) for fault in faults)
