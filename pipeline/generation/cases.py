# ruff: noqa: E501  # patterns are read whole, on one line
"""What a sentence states case by case: 'thirty (30) days, or sixty (60) days if ...', tiers, 'otherwise'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dictionaries.folding import folded_text
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.values import VALUE_TYPES, FoundValue, find_values, same_value
from schemas.answer import Branch, ConditionalValue, Value

MAX_BRANCHES = 12  # cases; more are a table
MAX_STATED = 600  # characters a case; a longer piece says more than a value and its condition
ELLIPSIS = 1  # content words that a branch may have beside its value and its condition without saying something else
STEM = 5  # letters by which words of two branches are told to be the same: 'notice', 'notices'

_IF = (
    r"(?:(?<!as )(?:only |even )?if|unless|where|when(?:ever)?|in (?:the )?(?:event|case)(?: that| of)?|provided that|to the extent|should"
    r"|si|s'il|salvo que|a menos que|siempre que|siempre y cuando|cuando|en (?:el )?caso de(?: que)?|en el supuesto de(?: que)?|tratandose de"
    r"|sauf si|sauf en cas|a moins que|lorsqu(?:e|'il|'elle)|quand|en cas d[e']|dans le cas ou|dans l'hypothese ou|des lors que)\b"
)
# What sorts cases where it opens one: tiers of sums or of service, groups of persons, times.
_TIER = (
    r"(?:for(?! (?:each|every|an?|the|any|its) )|during|in the case of|para|durante|pour(?! chaque )|pendant|with|up to|above|over|below|under|between|less than|more than|fewer than|at least|exceeding"
    r"|hasta|mas de|menos de|con|jusqu'a|au-dela de|plus de|moins de|au moins|entre)\b"
)
_OTHERWISE = re.compile(
    r"\b(?:otherwise|in (?:all|any) other (?:cases?|events?|circumstances)|in every other case|or else"
    r"|en (?:otro caso|caso contrario|(?:todos )?los demas (?:casos|supuestos)|cualquier otro caso)|de lo contrario|a defaut|dans (?:tous )?les autres cas|dans le cas contraire|sinon)\b"
)
_IN_WHICH_CASE = re.compile(r"\b(?:in which (?:case|event)|en cuyo caso|auquel cas)\b")
_CONDITION = re.compile(rf"\b{_IF}")
_OPENS_SENTENCE = re.compile(
    rf"(?:\(?[a-z0-9]{{1,4}}[).]\s+|[-•–]\s*|(?:however|but|pero|sin embargo|toutefois|mais),?\s+)?(?:{_IF}|{_TIER})"
)
_NO_CONDITION = re.compile(
    r"\s*(?:and when|any|applicable|necessary|required|needed|possible|appropriate|so requested|procede|aplicable|necesario|applicable|necessaire)\b\s*(?=[,;.)]|$)"
)
_UNLESS = re.compile(r"(?:unless|salvo que|a menos que|sauf si|a moins que)\s+")
_TIERED = re.compile(rf"\s*(?:\(?[a-z0-9]{{1,4}}[).]\s+|[-•–]\s*)?(?P<tier>{_TIER})")
# A bare ', if' or ', unless' goes on with its clause; only what is joined to it ('or', 'but', ';', 'otherwise') is a case.
_CUT = re.compile(
    r";|(?<=[a-z0-9)%\"”])\.(?=\s+[A-ZÀ-Ý(“\"])|:(?=\s+\(?[a-z0-9]{1,4}[).]\s)"
    r"|,\s+(?=(?:or|and|but|otherwise|except|save|while|whereas|however|in which|in (?:all|any) other|or else|o|y|e|pero|en caso contrario|en cuyo|en los demás|de lo contrario|mientras|ou|et|mais|sinon|à défaut|auquel|dans les autres|dans tous les autres|dans le cas contraire|tandis)\b)"
    r"|\s(?=(?:or|but|o|pero|ou|mais),?\s+(?:if|where|in the event|in case|si|s'il|en caso|en cas)\b)"
    r"|\s(?=(?:or|o|ou)\s+(?:of\s+|de\s+)?(?:[\w-]+\s+)?\(?\d)|(?<=\s)(?=\((?:[a-z]|[ivx]{1,5})\)\s)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,:;](?=\s|$)|\s[–—-]\s|\.(?=\s|$)")
# Where the clause begins that a condition without a comma runs into: 'in case of breach the period is', '... for five years'.
_SUBJECT = re.compile(r"\s(?=(?:the|this|such|its?|these|el|la|los|las|le|les|l')\b)")
_LINK = re.compile(r"\s+(?:for|is|are|be|of|to|by|within|durante|por|de|sera|es|est|sera de|pendant|a)\s+(?:de\s+)?$")
_COMPARES = re.compile(
    r"\b(?:more|less|fewer|least|most|over|under|above|below|between|up to|first|years?|mas|menos|superior|inferior|plus|moins|anos?|ans?|annees?)\b"
)
_TAIL = re.compile(r"(?:[\s,;:.]+(?:and|or|but|y|o|e|et|ou)?)+$", re.IGNORECASE)
# Of a tier behind its value: 'three years after disclosure' and 'from the Effective Date' tell when, not in which case.
_TIER_BEHIND = r"(?:for|in the case of|para|pour|up to|above|over|below|under|between|less than|more than|fewer than|at least|exceeding|hasta|mas de|menos de|jusqu'a|au-dela de|plus de|moins de)\b"
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class _Case:
    """One piece of the sentence with its value; `condition` is None for what applies otherwise."""

    value: Value
    condition: str | None
    rest: frozenset[str]  # stems of its words beside value and condition
    is_otherwise: bool


def conditional_value(text: str, answer_type: str, *, language: str = "en") -> ConditionalValue | None:
    """The branches that a sentence (or a few) states for one point; None where it states one value, or several at once.

    Each condition is verbatim, each value typed; what applies otherwise stands last. Branches that share no word with
    one another and are no mere ellipsis speak of different things, and give None.
    """
    flat = " ".join(text.split())
    folded = folded_text(flat)
    if answer_type not in VALUE_TYPES or len(folded) != len(flat) or len(flat) > MAX_STATED * MAX_BRANCHES:
        return None
    if not (_CONDITION.search(folded) or _OTHERWISE.search(folded) or re.search(rf"\b{_TIER}", folded)):
        return None
    cases = _cases(flat, folded, answer_type, language)
    if cases is None or not 2 <= len(cases) <= MAX_BRANCHES:
        return None
    stated = [case for case in cases if case.condition is not None]
    otherwise = [case for case in cases if case.condition is None]
    conditions = {folded_text(case.condition or "") for case in stated}
    if any(_UNLESS.match(condition) for condition in conditions):
        return None  # 'unless earlier terminated' tells no case apart
    if not stated or len(otherwise) > 1 or len(conditions) != len(stated) or not _speak_of_one(cases):
        return None
    if all(same_value(case.value, cases[0].value) for case in cases[1:]):
        return None
    branches = tuple(Branch(condition=case.condition, value=case.value) for case in (*stated, *otherwise))
    return ConditionalValue(branches=branches, original=flat)


def opens_case(words: str) -> bool:
    """True for a sentence that opens with a condition, with 'otherwise', or as a case of several."""
    folded = folded_text(words)
    return _OPENS_SENTENCE.match(folded) is not None or _OTHERWISE.match(folded) is not None


def _cases(flat: str, folded: str, answer_type: str, language: str) -> list[_Case] | None:
    """One case a piece of the text that holds a value; None where a piece holds several, or a condition has none."""
    values = find_values(flat, answer_type, language=language)
    if len(values) < 2:
        return None
    cases: list[_Case] = []
    for start, end in _pieces(folded, flat, values):
        condition = _condition_in(folded, start, end, values)
        outside = [
            one
            for one in values
            if start <= one.start < end and not (condition and condition[0] <= one.start < condition[1])
        ]
        if end - start > MAX_STATED:
            return None
        distinct = [
            one for at, one in enumerate(outside) if not any(same_value(one.value, o.value) for o in outside[:at])
        ]
        if len(distinct) != 1:
            if not distinct and cases:
                continue
            return None
        words = _rest(folded, start, end, outside, condition)
        told = _TAIL.sub("", flat[condition[0] : condition[1]]).strip() if condition else None
        is_otherwise = _OTHERWISE.search(folded, start, end) is not None
        before = cases[-1].condition if cases else None
        if before is not None and _IN_WHICH_CASE.search(folded, start, end):  # 'X unless A, in which case Y'
            told = before[_length_of_unless(before) :]
            cases[-1] = replace(cases[-1], condition=None)
        cases.append(_Case(distinct[0].value, None if is_otherwise else told, words, is_otherwise))
    return cases


def _length_of_unless(condition: str) -> int:
    unless = _UNLESS.match(folded_text(condition))
    return unless.end() if unless is not None else 0


def _pieces(folded: str, flat: str, values: Sequence[FoundValue]) -> list[tuple[int, int]]:
    """The text cut where another case may begin; a piece without a value belongs to its neighbour.

    A piece that only tells a condition belongs to the next ('if A; X'), any other to the one before.
    """
    cuts = [
        match.start()
        for match in _CUT.finditer(flat)
        if not any(one.start <= match.start() < one.end for one in values)
    ]
    cuts += [
        one.start for one in values if flat[: one.start].endswith(", ")
    ]  # '$100 for the first, $200 for the second'
    edges = [0, *sorted(set(cuts)), len(flat)]
    pieces: list[list[int]] = []
    pending: int | None = None
    for start, end in pairwise(edges):
        has_value = any(start <= one.start < end for one in values)
        begins = pending if pending is not None else start
        if has_value and not _all_in_condition(folded, begins, end, values):
            pieces.append([begins, end])
            pending = None
        elif _opens_case(folded[start:end]) or not pieces:
            pending = begins
        else:
            pieces[-1][1] = end
    if pending is not None and pieces:
        pieces[-1][1] = len(flat)
    return [(start, end) for start, end in pieces]


def _all_in_condition(folded: str, start: int, end: int, values: Sequence[FoundValue]) -> bool:
    inside = _condition_in(folded, start, end, values)
    return inside is not None and all(inside[0] <= one.start < inside[1] for one in values if start <= one.start < end)


def _opens_case(piece: str) -> bool:
    return (
        re.match(
            rf"[\s,;.:]*(?:(?:or|and|but|o|y|pero|ou|et|mais)\s+)?(?:\(?[a-z0-9]{{1,4}}[).]\s+)?(?:{_IF}|{_TIER})",
            piece,
        )
        is not None
    )


def _condition_in(folded: str, start: int, end: int, values: Sequence[FoundValue]) -> tuple[int, int] | None:
    """Where the condition of a piece stands: from the word that opens it to its comma, or to the end of the piece."""
    opened: int | None = None
    for match in _CONDITION.finditer(folded, start, end):
        if not _NO_CONDITION.match(folded, match.end(), end):
            opened = match.start()
            break
    if opened is None:
        lead = re.compile(r"[\s,;.:]*(?:(?:or|and|but|o|y|pero|ou|et|mais)\s+)?").match(folded, start, end)
        tier = _TIERED.match(folded, lead.end() if lead else start, end)
        if tier is not None:
            opened = tier.start("tier")
    if opened is None:
        behind = next((one for one in values if start <= one.start < end), None)
        tier_behind = re.compile(rf"\s+(?P<tier>{_TIER_BEHIND})").search(folded, behind.end, end) if behind else None
        if tier_behind is None or behind is None or _WORD.search(folded, behind.end, tier_behind.start()):
            return _label_in(folded, start, end, values)
        opened = tier_behind.start("tier")
    before = any(start <= one.start < opened for one in values)
    if before:
        return opened, end
    after = [one.start for one in values if opened <= one.start < end]
    stops = [match.start() for match in _CLAUSE_END.finditer(folded, opened, end)]
    for stop in stops:
        if any(one >= stop for one in after):
            return opened, stop
    return opened, _end_without_comma(folded, opened, after[-1]) if after else end


def _end_without_comma(folded: str, opened: int, value: int) -> int:
    """Where a condition ends that runs into its clause: before the clause's subject, or the word that leads to the value."""
    opener = re.compile(rf"(?:{_IF}|{_TIER})\s+(?:the\s+|la\s+|le\s+|el\s+)?").match(folded, opened)
    subjects = [match.start() for match in _SUBJECT.finditer(folded, opener.end() if opener else opened, value)]
    link = _LINK.search(folded, opened, value)
    return subjects[-1] if subjects else link.start() if link is not None else value


def _label_in(folded: str, start: int, end: int, values: Sequence[FoundValue]) -> tuple[int, int] | None:
    """The label of a tier before a colon and its value: 'two years of service or more: three months'."""
    for one in values:
        colon = folded.rfind(":", start, one.start)
        if start <= one.start < end and colon > 0 and not folded[colon + 1 : one.start].strip():
            lead = re.compile(r"[\s,;.]*(?:\(?[a-z0-9]{1,4}[).]\s+)?").match(folded, start, colon)
            begun = lead.end() if lead is not None else start
            return (begun, colon) if _COMPARES.search(folded, begun, colon) else None
    return None


def _rest(
    folded: str, start: int, end: int, values: Sequence[FoundValue], condition: tuple[int, int] | None
) -> frozenset[str]:
    taken = [(one.start, one.end) for one in values] + ([condition] if condition else [])
    words = (
        match.group()
        for match in _WORD.finditer(folded, start, end)
        if not any(first <= match.start() < last for first, last in taken)
    )
    return frozenset(word[:STEM] for word in words if word not in ALL_STOP_WORDS)


def _speak_of_one(cases: Sequence[_Case]) -> bool:
    """True when each case says the same thing as the fullest: hardly a word of its own beside value and condition."""
    fullest = max(cases, key=lambda case: len(case.rest))
    return all(len(case.rest - fullest.rest) <= ELLIPSIS for case in cases)
