"""Several items of a model put together by code: a date from its start and term, a record, a tree."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.replies import Told
from pipeline.values import VALUE_TYPES, find_values
from pipeline.values.arithmetic import Named
from pipeline.values.calendar import end_term
from pipeline.values.equality import plain
from schemas.answer import (
    ComputedInput,
    DateValue,
    Duration,
    RecordField,
    RecordValue,
    TextValue,
    TreeNode,
    TreeValue,
    Value,
)

PATH = " > "  # between the parts of a tree's path, as the prompt says
WHOLE_SHARE = 0.8  # of the words, from which a typed value inside them is what they say; else they stay words


def compute_end(items: Sequence[Told], proposals: Sequence[Proposal]) -> Draft | None:
    """The day on which a term ends, from a start and a length that the model named; None where one of them is missing.

    Both are read by code; the two readings of such a term stand in the formula.
    """
    told = [(item.part, one) for item, one in zip(items, proposals, strict=True)]
    start = next((one for part, one in told if part == "start" and isinstance(one.value, DateValue)), None)
    term = next((one for part, one in told if part == "term" and isinstance(one.value, Duration)), None)
    if start is None or term is None or start.value is None or term.value is None:
        return None
    ends = end_term(Named("start of the term", start.value), Named("term", term.value))
    last, before = ends.anniversary.value, ends.day_before.value
    if not isinstance(last, DateValue) or not isinstance(before, DateValue):
        return None
    both = f"{last.iso.isoformat()}, the anniversary; counted to the day before it, {before.iso.isoformat()}"
    formula = f"start of the term + term = {both}"
    inputs = (_input("start of the term", start, start.value), _input("term", term, term.value))
    value = last.model_copy(update={"original": _original(term.value)})
    spans = tuple(dict.fromkeys((*term.spans, *start.spans)))
    proposal = Proposal(value, spans, _original(term.value), "llm", "computed", inputs=inputs, formula=formula)
    return Draft((proposal,))


def make_record(items: Sequence[Told], proposals: Sequence[Proposal], *, language: str) -> Proposal | None:
    """One record of labelled values, a field each with its own lines; None without a label or without a value."""
    fields = []
    for item, one in zip(items, proposals, strict=True):
        name = " ".join(item.label.split())
        if not name or one.value is None:
            return None
        value = _typed(one.value, language)
        fields.append(RecordField(name=name, value=value, line_start=item.line_start, line_end=item.line_end))
    return _whole(RecordValue(fields=tuple(fields)), proposals) if fields else None


def make_tree(items: Sequence[Told], proposals: Sequence[Proposal]) -> Proposal | None:
    """One tree of nodes whose labels name the path above them; None where a path leads nowhere."""
    nodes: dict[tuple[str, ...], tuple[Told, str]] = {}
    for item, one in zip(items, proposals, strict=True):
        if one.value is None:
            return None
        label = " ".join(one.value_text.split())
        above = tuple(plain(part) for part in item.label.split(PATH) if part.strip())
        if above and above not in nodes:
            return None
        nodes.setdefault((*above, plain(label)), (item, label))
    top = tuple(_node(path, nodes) for path in nodes if len(path) == 1)
    return _whole(TreeValue(nodes=top), proposals) if top else None


def _node(path: tuple[str, ...], nodes: dict[tuple[str, ...], tuple[Told, str]]) -> TreeNode:
    item, label = nodes[path]
    below = tuple(_node(other, nodes) for other in nodes if other[:-1] == path)
    return TreeNode(label=label, line_start=item.line_start, line_end=item.line_end, children=below)


def _whole(value: Value, proposals: Sequence[Proposal]) -> Proposal:
    spans: tuple[ProposedSpan, ...] = tuple(dict.fromkeys(span for one in proposals for span in one.spans))
    words = "; ".join(one.value_text for one in proposals)
    return Proposal(value, spans, words, "llm", "verbatim")


def _typed(value: Value, language: str) -> Value:
    """The typed value that the words are, where they are hardly more than it; else the words."""
    if not isinstance(value, TextValue):
        return value
    for kind in VALUE_TYPES:
        found = find_values(value.text, kind, language=language)
        if len(found) == 1 and found[0].end - found[0].start >= WHOLE_SHARE * len(value.text):
            return found[0].value
    return value


def _input(name: str, one: Proposal, value: Value) -> ComputedInput:
    span = one.spans[0]
    return ComputedInput(name=name, value=value, line_start=span.line_start, line_end=span.line_end)


def _original(value: Value) -> str:
    return str(getattr(value, "original", ""))
