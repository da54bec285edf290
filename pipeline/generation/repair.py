"""What code puts right in a proposal before it is checked: a spelling, a range that cuts a sentence; never a figure.

A repair is made only where it leaves no choice, and it is on record. What cannot be put right is left as proposed, and
the checks refuse it: a citation that misses its words, however narrowly, is wrong, and so are words in place of others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline.generation.checks.ground import Cited, Ground, cited_stretch, stretches_of
from pipeline.generation.checks.readings import LANGUAGES, readings
from pipeline.generation.checks.stated import find_places, role_of, state, words_of
from pipeline.generation.checks.wording import find_negation
from pipeline.generation.checks.words import (
    Stretch,
    find_words,
    fits_words,
    is_whole_clause,
    is_whole_range,
    whole_stretch,
)
from pipeline.generation.loose import find_loosely
from pipeline.generation.proposal import Proposal, ProposedSpan
from pipeline.values import VALUE_TYPES, find_values, same_value
from pipeline.values.equality import plain
from pipeline.values.found import fold
from pipeline.values.numerals import parse_number_words
from schemas.answer import Repair
from schemas.values import (
    Amount,
    BooleanValue,
    ConditionalValue,
    DateValue,
    Duration,
    Party,
    RecordValue,
    TableValue,
    TextValue,
    TreeValue,
    Value,
)

MAX_NAME_WORDS = 15  # of a name or a title; longer words are a clause
NEAR_LINES = 2  # lines beside the cited ones: a citation is mistaken by one line, or by one and a blank one
_REWORDED = ("amount", "date", "duration", "percentage", "number")  # kinds whose equality is one of figures
_TOKEN = re.compile(r"\d[\d.,]*\d(?!\w)|\w+")
_OWN_LINES = (TableValue, TreeValue, RecordValue)  # their parts name lines of their own


def mend(proposal: Proposal, ground: Ground) -> tuple[Proposal, tuple[Repair, ...]]:
    """The proposal with what could be put right, and what was; as it is where nothing had to be or could be."""
    value = proposal.value
    cited = stretches_of(proposal.spans, ground)
    if (
        value is None
        or proposal.method == "computed"
        or isinstance(value, _OWN_LINES)
        or len(cited) != len(proposal.spans)
    ):
        return proposal, ()
    repairs: list[Repair] = []
    value, wording = _mend_value(name_clause(value, cited), cited)
    repairs += wording
    stated = state(value, cited)
    if not stated.outcome.passed:
        return proposal, ()  # the lines do not hold it: another citation is another claim, which nobody made
    if isinstance(value, BooleanValue) and stated.place is not None:
        value, widened = _whole_clause(value, *stated.place)
        repairs += widened
    if stated.place is None:
        return replace(proposal, value=value), tuple(repairs)
    spans, drawn = _fit(value, proposal.spans, cited, short_name(proposal.label, ground))
    return replace(proposal, value=value, spans=spans), (*repairs, *drawn)


def name_clause(value: Value, cited: Sequence[Cited]) -> Value:
    """A yes or no with the clause that it rests on: the whole sentences of its lines, where it names none itself."""
    if not isinstance(value, BooleanValue) or value.clause is not None or len(cited) != 1:
        return value
    one = cited[0]
    whole = [each for each in one.passage.sentences if one.start <= each.start and each.end <= one.end]
    start, end = (whole[0].start, whole[-1].end) if whole else (one.start, one.end)
    return value.model_copy(update={"clause": " ".join(one.passage.text[start:end].split())})


def fits(value: Value, cited: Sequence[Cited], *, name: str | None = None) -> bool:
    """True where a cited range takes the lines of the value's words, or whole sentences around them.

    `name` is the short name of a party, which its lines hold too.
    """
    name = role_of(value) or name
    pieces = _pieces(value, cited, name)
    if not pieces or isinstance(value, _OWN_LINES):
        return True
    places = [
        (one, stretch) for one, stretch in find_places(pieces, cited, role=name) if state(value, [one]).outcome.passed
    ]
    if places and all(_own_line(value, one, stretch) is not None for one, stretch in places):
        return False
    holders = [one for one, _ in places]
    beside = [one for one in cited if not any(one is each for each in holders)]
    if not all(is_whole_range(one.passage, _lines(one)) for one in beside):
        return False
    return not places or any(fits_words(one.passage, _lines(one), stretch) for one, stretch in places)


def short_name(label: str | None, ground: Ground) -> str | None:
    """The label where it is what the document calls a party."""
    return label if ground.answer_type == "party" else None


def _pieces(value: Value, cited: Sequence[Cited], name: str | None) -> tuple[str, ...]:
    pieces = words_of(value)
    has_name = isinstance(value, TextValue) and name and any(find_words(one.text, name) for one in cited)
    return (*pieces, name) if has_name and name else pieces


def _fit(
    value: Value, spans: Sequence[ProposedSpan], cited: Sequence[Cited], name: str | None
) -> tuple[tuple[ProposedSpan, ...], tuple[Repair, ...]]:
    """The spans, the one that holds the words drawn to where these or their sentence end.

    Only of a range inside the sentence, or one that holds all of it: one that cuts it and runs on beyond was shifted.
    """
    name = role_of(value) or name
    if fits(value, cited, name=name):
        return tuple(spans), ()
    one, stretch = next(iter(find_places(_pieces(value, cited, name), cited, role=name)))
    whole, lines = one.passage.line_range(*whole_stretch(one.passage, stretch)), _lines(one)
    is_inside = whole[0] <= lines[0] and lines[1] <= whole[1]
    is_around = lines[0] <= whole[0] and whole[1] <= lines[1]
    if not (is_inside or is_around) or _own_line(value, one, stretch) is not None:
        return tuple(spans), ()
    at = next(number for number, each in enumerate(cited) if each is one)
    how = "the range cut a sentence; it takes the lines of the words' own sentence"
    return _replaced(value, spans, at, one, stretch, how)


def _own_line(value: Value, one: Cited, stretch: Stretch) -> Stretch | None:
    """Where the words of a title, cited inside a sentence, stand beside it as a line of their own; else None."""
    if not isinstance(value, TextValue) or len(value.text.split()) > MAX_NAME_WORDS:
        return None
    if is_whole_clause(one.passage, stretch):
        return None
    wide = _widened(one)
    held = [place for _, place in find_places(words_of(value), [wide]) if is_whole_clause(one.passage, place)]
    return held[0] if len(held) == 1 else None


def _replaced(
    value: Value, spans: Sequence[ProposedSpan], at: int, one: Cited, stretch: Stretch, how: str
) -> tuple[tuple[ProposedSpan, ...], tuple[Repair, ...]]:
    """The spans with one drawn to the words' lines: of a clause exactly, of a value those of its sentence."""
    is_clause = isinstance(value, TextValue | BooleanValue | ConditionalValue | Party)
    lines = one.passage.line_range(*(stretch if is_clause else whole_stretch(one.passage, stretch)))
    before = spans[at]
    after = ProposedSpan(before.candidate_id, *lines)
    repair = Repair(
        what="line_range", before=f"{before.line_start}-{before.line_end}", after=f"{lines[0]}-{lines[1]}", how=how
    )
    return (*spans[:at], after, *spans[at + 1 :]), (repair,)


def _mend_value(value: Value, cited: Sequence[Cited]) -> tuple[Value, tuple[Repair, ...]]:
    """The value in the lines' own spelling, where its words stand there but for spaces, quotes, hyphens or marks."""
    if isinstance(value, TextValue):
        return _respelled(value, "text", value.text, cited)
    if isinstance(value, BooleanValue) and value.clause is not None:
        return _respelled(value, "clause", value.clause, cited)
    if value.kind not in VALUE_TYPES or not hasattr(value, "original"):
        return value, ()
    read = [found for one in cited for found in readings(value.kind, one, (one.start, one.start))]
    return _same_reading(value, read, cited)


def _whole_clause(value: BooleanValue, one: Cited, stretch: Stretch) -> tuple[BooleanValue, tuple[Repair, ...]]:
    """The yes or no with its clause whole: a piece of a sentence may leave out what turns it."""
    first, last = whole_stretch(one.passage, stretch)
    whole = " ".join(one.passage.text[first:last].split())
    before = value.clause
    if before is None or is_whole_clause(one.passage, stretch) or first < one.start or last > one.end:
        return value, ()
    if find_negation(fold(one.passage.text[first : stretch[0]] + " | " + one.passage.text[stretch[1] : last])):
        return value, ()  # what was left out turns the words: that is no slip of the pen
    how = "the words are a piece of a sentence; what it says is read from the whole of it"
    return value.model_copy(update={"clause": whole}), (Repair(what="quote", before=before, after=whole, how=how),)


def _respelled(value: Value, field: str, words: str, cited: Sequence[Cited]) -> tuple[Value, tuple[Repair, ...]]:
    if any(True for _ in find_places([words], cited)):
        return value, ()
    spelled = {" ".join(text.split()) for one in cited for text in find_loosely(one.text, words)}
    if len(spelled) != 1:
        return value, ()
    after = spelled.pop()
    how = (
        "the lines' own spelling: white space, hyphens at line ends, quotation marks and reference marks apart the same"
    )
    return value.model_copy(update={field: after}), (Repair(what="value_text", before=words, after=after, how=how),)


def _same_reading(value: Value, read: Sequence[Value], cited: Sequence[Cited]) -> tuple[Value, tuple[Repair, ...]]:
    """The value as the lines word it, where they state the same one once in other words, or name its currency."""
    if value.kind not in _REWORDED:
        return value, ()
    original = " ".join(str(getattr(value, "original", "")).split())
    stands = any(True for _ in find_places([original], cited))
    if stands and isinstance(value, Amount) and value.currency is None:
        return _with_currency(value, [one for one in read if isinstance(one, Amount) and _names_same(one, value)])
    worded = {" ".join(str(getattr(one, "original", "")).split()): one for one in read if _says_same(one, value)}
    if stands:
        worded = {words: one for words, one in worded.items() if original in words} if original not in worded else {}
    elif any(not _says_same(one, value) for one in (*_read_words(value.kind, original), *read)):
        return value, ()  # its own words say something else than it does, or the lines say more than one thing
    if len(worded) != 1:
        return value, ()
    after, one = next(iter(worded.items()))
    if not stands and not _is_spelled(original, after, value):
        return value, ()  # a quotation in other words is none, although it comes to the same
    how = (
        "the lines' whole wording of it"
        if stands
        else "the lines state it in these words, and nothing else of its kind"
    )
    return one, (Repair(what="value_text", before=original, after=after, how=how),)


def _is_spelled(original: str, lines: str, value: Value) -> bool:
    """True for a day in its plain form ('2024-05-01'), and for words of the lines' wording in their order.

    A numeral counts as its digits: '5 years' for 'five years'.
    """
    if isinstance(value, DateValue) and original == value.iso.isoformat():
        return True
    rest = iter(_tokens(lines))
    return all(token in rest for token in _tokens(original))


def _tokens(words: str) -> list[str]:
    """The words without their case, numerals as their digits, in order."""
    tokens = []
    for token in _TOKEN.findall(plain(fold(words))):
        read = next((n for one in LANGUAGES if (n := parse_number_words(token, language=one)) is not None), None)
        tokens.append(re.sub(r"[.,]", "", token) if token[0].isdigit() else token if read is None else f"{read:f}")
    return tokens


def _with_currency(value: Amount, read: Sequence[Amount]) -> tuple[Amount, tuple[Repair, ...]]:
    """The amount with the currency that the lines name of the very figure, where they name one."""
    held = {one.currency for one in read}
    if len(held) != 1 or None in held:
        return value, ()
    currency = str(held.pop())
    repair = Repair(
        what="currency", before="none", after=currency, how="the lines name the currency of the very figure"
    )
    return value.model_copy(update={"currency": currency}), (repair,)


def _read_words(kind: str, words: str) -> list[Value]:
    return [found.value for language in LANGUAGES for found in find_values(words, kind, language=language)]


def _says_same(one: Value, value: Value) -> bool:
    """Equal in the same unit: 60 months are five years, and still another wording than the lines'."""
    same_unit = getattr(one, "unit", None) == getattr(value, "unit", None) or not isinstance(value, Duration)
    return same_unit and same_value(one, value)


def _names_same(one: Amount, value: Amount) -> bool:
    return one.value == value.value and " ".join(value.original.split()) in " ".join(one.original.split())


def _widened(one: Cited) -> Cited:
    """The stretch with `NEAR_LINES` more lines on both sides, as far as they were handed over."""
    passage = one.passage
    first, last = passage.line_index(one.start), passage.line_index(max(one.start, one.end - 1))
    ids = [line.line_id for line in passage.lines]
    wide = cited_stretch(passage, ids[max(0, first - NEAR_LINES)], ids[min(len(ids) - 1, last + NEAR_LINES)])
    return wide if wide is not None else one


def _lines(one: Cited) -> tuple[int, int]:
    first, last = one.passage.line_index(one.start), one.passage.line_index(max(one.start, one.end - 1))
    return one.passage.lines[first].line_id, one.passage.lines[last].line_id
