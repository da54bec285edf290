"""The outcome of a counterfactual in plain words, a sentence each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.audit.why.minimal import Minimal
from schemas.answer import Answer
from schemas.replay import Ablation, Promotion

MAX_NAMED = 5  # places or values named in one sentence; the rest is counted
MAX_VALUE = 60  # characters of each of several values in a sentence; one alone is told as it is
MAX_TEXT = 240  # characters of an answer in a sentence
NOTHING_LEFT = "Nothing is left to answer from."


def tell_ablation(one: Ablation, before: Answer, places: Mapping[str, str], cited: Sequence[str]) -> str:
    """What the answer is without some passages: 'Without page 3, lines 12-14 the answer would be ...'."""
    without = _without(one, places)
    match one.effect:
        case "lost":
            nothing = "nothing would be left to answer from" if one.text == NOTHING_LEFT else _not_answered(one)
            return f"{without} {nothing}."
        case "flipped" if before.answer_shape == "single":
            return f"{without} the answer would be {quoted(one.values_new)}{_at(one.evidence)}."
        case "flipped":
            return (
                f"{without} {_count(one.values_lost)} would be missing ({quoted(one.values_lost)}), "
                f"and {quoted(one.values_new)} would be given instead."
            )
        case "grown" if not before.items:
            return f"{without} the answer would be {quoted(one.values_new)}{_at(one.evidence)}."
        case "grown":
            return f"{without} {quoted(one.values_new)} would be given as well{_at(one.evidence)}."
        case "weaker" if not one.values_lost:
            return f"{without} the same values would be given, but only in part."
        case "weaker":
            conflict = " and the conflict would be gone" if before.conflicts and before.answer_shape == "single" else ""
            missing = f"{_count(one.values_lost)} of {len(before.items)} would be missing{conflict}"
            return f"{without} {missing}: {quoted(one.values_lost)}."
        case _:
            other = [place for place in one.evidence if place not in cited]
            moved = f", from {joined(other)}" if other and before.items else ""
            return f"{without} the answer would be the same{moved}."


def tell_minimal(minimal: Minimal, before: Answer, places: Mapping[str, str], count: int) -> str:
    """Which passages are enough, and whether fewer would be."""
    if not minimal.kept:
        return "The values stand in tables that are handed over beside the passages; no passage is needed for them."
    where = joined([places[one] for one in minimal.kept])
    count_given = len(before.items)
    whole = "it" if count_given < 2 else "both values" if count_given == 2 else f"all {count_given} values"
    if len(minimal.kept) == 1:
        others = "" if count == 1 else f"; {_other_passages(count - 1)} not needed"
        return f"The passage on {where} alone gives {whole}{others}."
    proof = (
        "no fewer do" if minimal.is_proven else f"no smaller set was found among the {minimal.tried} that were tried"
    )
    return f"{len(minimal.kept)} of {count} passages together give {whole}: {where}; {proof}."


def tell_redundant(redundant: Sequence[str], places: Mapping[str, str]) -> str:
    """The primary passages that change nothing when one of them is left out."""
    where = joined([places[one] for one in redundant])
    if len(redundant) == 1:
        return f"One primary passage changes nothing when it is left out: {where}."
    return f"{len(redundant)} primary passages change nothing when one of them is left out: {where}."


def tell_promotion(one: Promotion, places: Mapping[str, str], evidence: Sequence[str], values: Sequence[str]) -> str:
    """What the answer would be, were this passage primary; for one that holds a value, or one that is refused."""
    head = f"If {places[one.candidate_id]} (judged {one.role}) were primary,"
    if one.would_answer:
        told = f"{head} the answer would be {quoted(values)}{_at(evidence)}."
        return f"{told} Why it is not: {_sentence(one.why_not)}"
    return f"{head} a value would be proposed and refused by a check; there would still be no answer."


def tell_barren(barren: Sequence[Promotion], places: Mapping[str, str]) -> str:
    """The misses that hold no value, whatever role they had."""
    where = joined([places[one.candidate_id] for one in barren])
    them = "it" if len(barren) == 1 else "any of them"
    return f"Nothing would be found either if {where} were primary: no value of the kind asked for stands in {them}."


def tell_read(count: int) -> str:
    """That passages were read as answers and hold none."""
    if count == 1:
        return "One primary passage was read, and no value of the kind asked for stands in it."
    return f"{count} primary passages were read, and no value of the kind asked for stands in them."


def quoted(values: Sequence[str]) -> str:
    """Values in quotation marks, joined; the rest counted."""
    limit = MAX_VALUE if len(values) > 1 else MAX_TEXT
    told = [f"'{shortened(one, limit)}'" for one in values[:MAX_NAMED]]
    return _and(told, len(values) - len(told), "more")


def joined(places: Sequence[str]) -> str:
    """Places, joined; the rest counted."""
    return _and(list(places[:MAX_NAMED]), len(places) - MAX_NAMED, "more", between="; ")


def shortened(text: str, limit: int = MAX_TEXT) -> str:
    """The text on one line, cut between words where it is longer than `limit` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else (flat[:limit].rpartition(" ")[0] or flat[:limit]) + " …"


def _without(one: Ablation, places: Mapping[str, str]) -> str:
    if one.removed_as == "all_supporting":
        count = len(one.removed)
        return "Without the supporting passage" if count == 1 else f"Without any of the {count} supporting passages"
    if one.removed_as == "all_primary":
        count = len(one.removed)
        return "Without the primary passage" if count == 1 else f"Without any of the {count} primary passages"
    return f"Without {joined([places[each] for each in one.removed])}"


def _not_answered(one: Ablation) -> str:
    if one.status == "refused":
        return "the values that are left would be refused by a check"
    return "nothing would be found"


def _count(values: Sequence[str]) -> str:
    return "one value" if len(values) == 1 else f"{len(values)} values"


def _at(evidence: Sequence[str]) -> str:
    return f" ({joined(evidence)})" if evidence else ""


def _and(told: list[str], more: int, what: str, *, between: str = ", ") -> str:
    if more > 0:
        told = [*told, f"{more} {what}"]
    return told[0] if len(told) == 1 else f"{between.join(told[:-1])} and {told[-1]}" if told else "nothing"


def _other_passages(count: int) -> str:
    return "the other passage is" if count == 1 else f"the other {count} passages are"


def _sentence(text: str) -> str:
    flat = shortened(text) or "no reason is on record"
    return flat if flat.endswith((".", "!", "?", "…")) else f"{flat}."
