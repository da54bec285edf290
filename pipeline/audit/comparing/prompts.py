"""Prompts of two runs: which one says something else, and which words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.audit.comparing.wording import word_changes
from schemas.replay import Change

if TYPE_CHECKING:
    from pipeline.audit.comparing.sides import Side

FRAGMENTS = "prompt_fragments"  # among generation's settings: what its prompt was put together from
FIRST_OF_SHAPE = "\nSHAPE "  # where the piece for the answer's shape begins, after the base that all questions share


def prompt_differences(first: Side, second: Side) -> Iterator[tuple[Change, str]]:
    """Each prompt that both runs used and that is not the same, with what the model was asked for (its purpose).

    A prompt that only one run used is no change of a prompt: another model, or another way, left it out.
    """
    before, after = prompts_of(first), prompts_of(second)
    for purpose in [purpose for purpose in before if purpose in after]:
        if set(before[purpose]) == set(after[purpose]) or _is_made_of_other_pieces(first, second, purpose):
            continue
        gone = [one for one in before[purpose] if one not in after[purpose]] or list(before[purpose])
        come = [one for one in after[purpose] if one not in before[purpose]] or list(after[purpose])
        templates = _templates(first), _templates(second)
        for (name, sha), (new_name, new_sha) in zip(gone, come, strict=False):
            texts = templates[0].get(sha), templates[1].get(new_sha)
            detail = word_changes(texts[0], texts[1]) if texts[0] is not None and texts[1] is not None else ""
            label = name if name == new_name else f"{name} -> {new_name}"
            yield Change(subject="prompt", name=label, before=sha, after=new_sha, detail=detail, reaches=()), purpose


def prompts_of(side: Side) -> dict[str, dict[tuple[str, str], None]]:
    """Name and hash of each prompt, by purpose, in order of first use."""
    found: dict[str, dict[tuple[str, str], None]] = {}
    for use in side.uses:
        found.setdefault(use.purpose, {})[use.prompt_name, use.prompt_sha256] = None
    return found


def system_texts(side: Side, purpose: str) -> tuple[str, ...]:
    """The system messages that were sent for a purpose, each once, in order; empty where no call is on record."""
    texts: dict[str, None] = {}
    keys = {key for use in side.uses if use.purpose == purpose for key in use.call_keys}
    for call in side.trace.model_calls:
        messages = call.request.get("messages") or []
        if call.call_key in keys and messages and messages[0].get("role") == "system":
            texts[str(messages[0].get("content", ""))] = None
    return tuple(texts)


def _templates(side: Side) -> dict[str, str]:
    return {one.sha256: one.template for one in side.trace.prompts}


def _is_made_of_other_pieces(first: Side, second: Side, purpose: str) -> bool:
    """True where the template differs only because the question is read otherwise: other pieces for shape and type.

    Then its base, the piece that every question shares, still says the same.
    """
    pieces = [side.answer.stamp.settings.get(FRAGMENTS) for side in (first, second)]
    if purpose != "generation" or not pieces[0] or not pieces[1] or pieces[0] == pieces[1]:
        return False
    bases = [{_templates(side).get(sha, "").split(FIRST_OF_SHAPE, 1)[0] for _, sha in prompts_of(side)[purpose]}
             for side in (first, second)]  # fmt: skip
    return bases[0] == bases[1]
