"""What code reads in the lines that a model cites: the value, its conditions, what is computed from them."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Method, Proposal, ProposedSpan
from pipeline.generation.replies import Told
from pipeline.generation.topic import Topic
from pipeline.values import VALUE_TYPES, find_values, same_value
from pipeline.values.equality import plain
from schemas.answer import Amount, BooleanValue, Branch, ConditionalValue, TextValue, Value

# What may stand in the place of a type: an event for a day, 'until terminated' for a length of time.
ALSO = {"date": ("relative_date", "open_end", "duration"), "duration": ("open_end", "date")}


class ShownLines:
    """The lines that the model saw, and which candidate holds a range of them."""

    def __init__(self, passages: Sequence[Passage], shown: Sequence[int]) -> None:
        self.shown = frozenset(shown)
        self._passages = passages
        self._texts = {
            ref.line_id: text
            for passage in passages
            for ref, text in zip(passage.lines, passage.text.split("\n"), strict=True)
            if ref.line_id in self.shown
        }

    def holder(self, start: int, end: int) -> str | None:
        """Id of the candidate that holds both ends: the first whose anchor does, else whose context does."""
        holding = [
            passage.candidate for passage in self._passages if {start, end} <= {ref.line_id for ref in passage.lines}
        ]
        anchored = (one for one in holding if {start, end} & set(one.anchor_line_ids))
        first = next(anchored, holding[0] if holding else None)
        return first.candidate_id if first is not None else None

    def title(self, start: int, end: int) -> str:
        """Section title of the candidate that holds the range; empty without one."""
        holder = self.holder(start, end)
        titles = (p.candidate.section_title for p in self._passages if p.candidate.candidate_id == holder)
        return next(titles, None) or ""

    def text(self, start: int, end: int) -> str:
        """The shown lines of the range, joined by newlines."""
        return "\n".join(self._texts[number] for number in sorted(self._texts) if start <= number <= end)


def words_of(item: Told, lines: ShownLines) -> str:
    """The words that the model copied; of a clause the cited lines."""
    return lines.text(item.line_start, item.line_end) if item.value_text is None else item.value_text


def read_item(item: Told, lines: ShownLines, topic: Topic) -> Value | None:
    """The value as code reads it in the cited lines; None where the words that were given are not there as one.

    A currency that the words do not name is taken from the lines only where the number is the same.
    """
    kind = topic.brief.answer_type
    if topic.brief.answer_shape == "single" and kind == "boolean":
        return _read_clause(item, lines, topic)
    words = words_of(item, lines)
    if item.part != "answer":
        kind = "date" if item.part == "start" else "duration"
    if kind == "party" and words.strip():
        return _read_party(words, topic.brief.language)
    if kind not in VALUE_TYPES or kind == "boolean":
        return TextValue(text=" ".join(words.split())) if words.strip() else None
    quote = lines.text(item.line_start, item.line_end)
    others = ALSO.get(kind, ()) if item.part == "answer" else ()
    for one in (kind, *(other for other in others if other in VALUE_TYPES)):
        value = _read_typed(words, quote, one, topic.brief.language)
        if value is not None:
            return value
    return None


def propose(item: Told, lines: ShownLines, topic: Topic) -> Proposal:
    """The item as a proposal; its value is None where code reads none in the cited lines."""
    holder = lines.holder(item.line_start, item.line_end)
    spans = (ProposedSpan(holder or "", item.line_start, item.line_end),)
    value = read_item(item, lines, topic) if holder is not None else None
    method: Method = "inferred" if isinstance(value, BooleanValue) else "verbatim"
    label = " ".join(item.label.split()) or None
    return Proposal(value, spans, words_of(item, lines), "llm", method, label)


def join_conditions(
    items: Sequence[Told], proposals: Sequence[Proposal], lines: ShownLines
) -> tuple[Proposal, tuple[str, ...]] | None:
    """One conditional value of proposals that apply in different cases, with caveats; None where they do not.

    A condition must stand in the lines that its value cites: an invented one leaves the values apart.
    """
    pairs = [(item, one) for item, one in zip(items, proposals, strict=True) if one.value is not None]
    stated = [(item, one) for item, one in pairs if _condition(item, lines) is not None]
    plain_ones = [(item, one) for item, one in pairs if not item.condition.strip()]
    if not stated or len(pairs) < 2 or len(stated) + len(plain_ones) < len(pairs) or len(plain_ones) > 1:
        return None
    branches = [
        Branch(condition=_condition(item, lines), value=one.value)
        for item, one in (*stated, *plain_ones)
        if one.value is not None
    ]
    spans = tuple(dict.fromkeys(span for _, one in pairs for span in one.spans))
    ranges = sorted({(span.line_start, span.line_end) for span in spans})
    words = " ".join(" ".join(lines.text(*one).split()) for one in ranges)
    value = ConditionalValue(branches=tuple(branches), original=words)
    return Proposal(value, spans, words, "llm", "verbatim"), ()


def tell_condition(item: Told, lines: ShownLines) -> str | None:
    """A caveat on the one condition of a single value; None without one that stands in the lines."""
    condition = _condition(item, lines)
    return f'The value applies under a condition: "{condition}"' if condition else None


def _condition(item: Told, lines: ShownLines) -> str | None:
    words = " ".join(item.condition.split())
    held = plain(lines.text(item.line_start, item.line_end))
    return words if words and plain(words) in held else None


def _read_clause(item: Told, lines: ShownLines, topic: Topic) -> BooleanValue | None:
    quote = lines.text(item.line_start, item.line_end)
    about = (quote, lines.title(item.line_start, item.line_end))
    speaks = topic.coverage(*about) or topic.exact_count(*about) or any(topic.places(text) for text in about)
    if not speaks or item.yes_no == "not_asked":
        return None  # lines that share no word with the question prove nothing about it
    negation = " ".join(item.negation.split()) or None
    return BooleanValue(
        value=item.yes_no == "yes",
        negation=negation if item.yes_no == "no" else None,
        exceptions=tuple(" ".join(piece.split()) for piece in item.exceptions if piece.strip()),
        clause=" ".join(quote.split()),
    )


def _read_party(words: str, language: str) -> Value:
    """The party that the words name; the words themselves where no one name can be told in them, as of a person."""
    found = [one.value for one in find_values(words, "party", language=language)]
    return found[0] if len(found) == 1 else TextValue(text=" ".join(words.split()))


def _read_typed(words: str, quote: str, kind: str, language: str) -> Value | None:
    told = [found.value for found in find_values(words, kind, language=language)]
    if len(told) != 1:
        return None
    held = [found.value for found in find_values(quote, kind, language=language)]
    return next((value for value in held if same_value(value, told[0]) or _same_number(value, told[0])), told[0])


def _same_number(held: Value, told: Value) -> bool:
    """True for a bare '$5,000' that the lines around leave open: the reading with the most context counts."""
    return (
        isinstance(held, Amount)
        and isinstance(told, Amount)
        and held.value == told.value
        and plain(told.original) in plain(held.original)
        and (held.currency is None or held.original != told.original)
    )
