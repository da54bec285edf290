"""The answer to a question of a collection in one sentence, in the language of the question."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, cast

from pipeline.batch.collection.vocabulary import say
from pipeline.wording import tell_number, tell_span

if TYPE_CHECKING:
    from pipeline.batch.collection.answers import CollectionAnswer, CollectionFigure, CollectionRow
    from pipeline.batch.collection.wishes import Wish
    from schemas.values import DurationUnit


def sentence_of(answer: CollectionAnswer, wish: Wish, condition: str, language: str) -> str:
    """How many of how many, or which value; then how many cannot be told. `condition`: what must hold, in words."""
    counts = answer.counts
    of = sum(count for verdict, count in counts.items() if verdict != "out_of_scope")
    fitting, untold = counts.get("yes", 0), counts.get("cannot_be_told", 0)
    name, value = wish.aggregate, ""
    if name in ("list", "count"):
        name = "fits" if condition else "absent" if wish.negated else "present"  # type: ignore[assignment]
    elif not fitting:
        name = "none"  # type: ignore[assignment]
    elif name in ("sum", "average"):
        value = " + ".join(_figure(one, is_total=name == "sum", language=language) for one in answer.figures)
    else:
        value = " / ".join(_with_documents(answer.rows))
    told = say("wording", name, language).format(
        n=fitting, of=of, question=answer.question_id, condition=condition, value=value
    )
    if answer.bases:
        parts = (f"{say('basis', basis, language)} {count}" for basis, count in answer.bases.items())
        told = f"{told} ({', '.join(parts)})"
    if condition and counts.get("no_value"):
        told = f"{told}; {say('wording', 'no_value', language).format(n=counts['no_value'])}"
    return f"{told}; {say('wording', 'untold', language).format(n=untold)}" if untold else told


def _figure(one: CollectionFigure, *, is_total: bool, language: str) -> str:
    """The figure with its unit, and over how many values it is; a share as a percentage."""
    number = Decimal(one.total) if is_total else Decimal(repr(one.mean))
    if one.kind == "percentage":
        return f"{tell_number(round(number * 100, 2), language)} % ({one.count})"
    if one.kind == "duration" and one.unit is not None:
        return f"{tell_span(round(number, 2), cast('DurationUnit', one.unit), language)} ({one.count})"
    told = tell_number(number if is_total else round(number, 2), language)
    return f"{told} {one.unit or ''}".strip() + f" ({one.count})"


def _with_documents(rows: tuple[CollectionRow, ...]) -> list[str]:
    """Each value with the documents that have it, at most three named."""
    by_value: dict[str, list[str]] = {}
    for row in rows:
        by_value.setdefault(row.text or "", []).append(row.document)
    return [
        f"{value} ({', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''})"
        for value, names in by_value.items()
    ]
