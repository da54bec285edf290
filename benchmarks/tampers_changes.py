"""What a hand may change in a record; each change gives False where the record holds nothing to change."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from pipeline.store.runs import ANSWER, RETRIEVAL, TRACE

Change = Callable[[Any, Random], bool]


def _swap_reasons(found: Any, rng: Random) -> bool:
    """The reasons of two candidates, in the account of all candidates and among the kept ones."""
    reasons = {one["candidate_id"]: one["reason"] for one in found["provenances"]}
    pairs = [(a, b) for a in reasons for b in reasons if a < b and reasons[a] != reasons[b]]
    if not pairs:
        return False
    one, other = rng.choice(pairs)
    swapped = {one: reasons[other], other: reasons[one]}
    for each in (*found["provenances"], *found["candidates"]):
        each["reason"] = swapped.get(each["candidate_id"], each["reason"])
    return True


def edit_text(answer: Any, _rng: Random) -> bool:
    """The words of an answer turned round."""
    answer["text"] = f"Not {answer['text']}"
    return True


def _edit_quote(answer: Any, rng: Random) -> bool:
    spans = [span for item in answer["items"] for span in item["spans"]]
    if not spans:
        return False
    span = rng.choice(spans)
    span["quote"] = span["quote"].replace("e", "o", 1) + "."
    return True


def _edit_lines(answer: Any, rng: Random) -> bool:
    spans = [span for item in answer["items"] for span in item["spans"]]
    if not spans:
        return False
    span = rng.choice(spans)
    span["line_start"], span["line_end"] = span["line_start"] + 1, span["line_end"] + 1
    return True


def _edit_passage(found: Any, rng: Random) -> bool:
    if not found["candidates"]:
        return False
    candidate = rng.choice(found["candidates"])
    candidate["text"] = candidate["text"].replace("the", "no", 1) + " not"
    return True


def _edit_time(trace: Any, _rng: Random) -> bool:
    trace["started"] = "2020" + trace["started"][4:]
    return True


def _edit_reply(trace: Any, rng: Random) -> bool:
    calls = [call for call in trace["model_calls"] if call["reply"]]
    if not calls:
        return False
    call = rng.choice(calls)
    call["reply"] = call["reply"].replace("a", "o", 1) + " "
    return True


CHANGES: dict[str, tuple[str, Change, tuple[str, ...]]] = {
    "reasons swapped": (RETRIEVAL, _swap_reasons, ("retrieval_differs", "record_invalid")),
    "a passage edited": (RETRIEVAL, _edit_passage, ("quote_not_found", "retrieval_differs", "record_invalid")),
    "the answer's text edited": (ANSWER, edit_text, ("answer_inconsistent", "answer_differs")),
    "a quote edited": (ANSWER, _edit_quote, ("quote_not_found", "answer_inconsistent")),
    "cited lines moved": (ANSWER, _edit_lines, ("quote_not_found", "answer_inconsistent")),
    "the time edited": (TRACE, _edit_time, ("anchor_mismatch",)),
    "a reply edited in the run": (TRACE, _edit_reply, ("transcript_altered", "record_altered")),
}
