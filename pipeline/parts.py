"""The answer to a compound question, put together from those to its parts; each part keeps its own run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pipeline.generation.part_fields import FieldAnswer, record_of, tell_fields
from pipeline.wording import words_of
from schemas.answer import Answer, AnswerStatus, Completeness, PartAnswer

MAX_FILLED = 80  # characters of an answer that take the place of a pronoun; a longer one is no name, date or number

_NUMBERED = re.compile(r"^\s*(?:\(?[a-z0-9]{1,4}[).]|[-•–])\s+", re.IGNORECASE)
_NAME = r"(?-i:[A-ZÀ-Ý][\w&.'’-]*(?:\s+(?:[A-ZÀ-Ý&][\w&.'’-]*|of|de|du|del|la))*)"
_NOT_ASKED = {
    "en": "Not asked: it needs the answer to '{0}', which was not found.",
    "es": "No se ha preguntado: necesita la respuesta a «{0}», que no se ha encontrado.",
    "fr": "Non posée : il faut d'abord la réponse à « {0} », qui n'a pas été trouvée.",
}
_AND = {"en": " and ", "es": " y ", "fr": " et "}


def filling_of(answer: Answer, stands_for: str, language: str) -> str | None:
    """The answer in the words that the next part may name it by; None for one that is no name, date or number.

    `stands_for` are the words of that part which it is the answer of: 'the Supplier'.
    """
    named = [_named(" ".join(words_of(item.value).split()), stands_for) for item in answer.items]
    told = _AND.get(language, _AND["en"]).join(dict.fromkeys(named))
    return told if told and len(told) <= MAX_FILLED else None


def _named(told: str, stands_for: str) -> str:
    """What a clause names: of 'between Acme Limited (the "Supplier") and ...' Acme Limited, for the Supplier."""
    role = re.escape(stands_for.rsplit(maxsplit=1)[-1])
    defined = re.search(
        rf"(?P<name>{_NAME})\s*(?:,[^()]*)?\([^()]*[\"“«'‘]\s*(?:the\s+)?{role}\s*[\"”»'’]", told, re.IGNORECASE
    )
    if defined:
        return re.sub(r"^(?:between|and|entre|y|et)\s+", "", defined["name"])
    plain = _NUMBERED.sub("", told)
    name = re.match(rf"{_NAME}(?=\s*[,;(“\"])", plain)
    return name.group() if name and len(plain) > MAX_FILLED else plain


def merge_parts(
    whole: Answer,
    parts: Sequence[tuple[str, Answer, Path]],
    not_asked: Sequence[str],
    *,
    language: str,
    names: Sequence[str | None] = (),
) -> Answer:
    """`whole` (the question's own record without an answer) with what its parts gave, in order.

    Answered where every part is, partial where some are; a part's status, words and run stand in `parts`, its values
    among the items, labelled with its question. `names` are those of the parts that fill a field each: these make one
    record, answered where every field is.
    """
    answers = [answer for _, answer, _ in parts]
    fields = [FieldAnswer(name, answer) for name, answer in zip(names, answers, strict=False) if name]
    as_record = len(fields) == len(parts)
    status = _status(
        [one.answer.status if one.items else _empty(one.answer) for one in fields]
        if as_record
        else [answer.status for answer in answers],
        bool(not_asked),
    )
    last = parts[-1][0]
    told = [
        PartAnswer(question=text, status=answer.status, text=answer.text, run=run.name) for text, answer, run in parts
    ]
    why = _NOT_ASKED.get(language, _NOT_ASKED["en"]).format(last)
    told += [PartAnswer(question=text, status="not_asked", text=why, run=None) for text in not_asked]
    items = tuple(
        item.model_copy(update={"label": f"{text} {item.label}" if item.label else text})
        for text, answer, _ in parts
        for item in answer.items
    )
    record = record_of(fields) if as_record else None
    text = "\n".join(f"{number}. {part.question} {part.text}" for number, part in enumerate(told, 1))
    gone = [answer.absence for answer in answers if answer.absence is not None]
    back = [answer.clarification for answer in answers if answer.clarification is not None]
    kept = {name: getattr(whole, name) for name in Answer.model_fields}
    return Answer.model_validate(
        {
            **kept,
            "status": status,
            "text": tell_fields(fields, language) if record else text,
            "items": (record,) if record else items if not as_record else (),
            "refused_items": tuple(item for answer in answers for item in answer.refused_items),
            "conflicts": tuple(conflict for answer in answers for conflict in answer.conflicts),
            "completeness": _completeness(
                told, answers, sum(bool(one.items) for one in fields) if record else len(items)
            ),
            "caveats": tuple(dict.fromkeys(caveat for answer in answers for caveat in answer.caveats)),
            "absence": gone[0] if status == "not_found" else None,
            "clarification": back[0] if status == "needs_clarification" else None,
            "parts": tuple(told),
            "confidence": min(answer.confidence for answer in answers),
            "answered_by": "llm" if any(answer.answered_by == "llm" for answer in answers) else "rules",
            "downgrades": tuple(dict.fromkeys(step for answer in answers for step in answer.downgrades)),
        }
    )


def _empty(answer: Answer) -> AnswerStatus:
    """The status of a field without a value of its kind: values of another kind are none."""
    return "not_found" if answer.items else answer.status


def _status(statuses: Sequence[AnswerStatus], some_not_asked: bool) -> AnswerStatus:
    if any(status in ("answered", "partial") for status in statuses):
        return "answered" if set(statuses) == {"answered"} and not some_not_asked else "partial"
    worst: tuple[AnswerStatus, ...] = ("needs_clarification", "refused")
    return next((status for status in worst if status in statuses), "not_found")


def _completeness(parts: Sequence[PartAnswer], answers: Sequence[Answer], found: int) -> Completeness:
    answered = sum(part.status in ("answered", "partial") for part in parts)
    judged = [answer.completeness.complete for answer in answers]
    missing = answered < len(parts) or False in judged
    return Completeness(
        complete=False if missing else None if None in judged else True,
        found_count=found,
        reason=f"{answered} of the {len(parts)} parts of the question are answered",
    )
