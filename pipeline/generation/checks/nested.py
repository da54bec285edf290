"""Values that hold others, each part in its own lines: tables, trees, records, conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pipeline.generation.checks.ground import Cited, cited_stretch, shorten
from pipeline.generation.checks.words import Stretch, find_words
from pipeline.values import VALUE_TYPES, find_values, same_value
from schemas.values import (
    Branch,
    ConditionalValue,
    CustomValue,
    RecordValue,
    TableValue,
    TreeNode,
    TreeValue,
    Value,
    wording_of,
)

if TYPE_CHECKING:
    from pipeline.generation.checks.stated import Stated

_SENTENCE_ENDS = re.compile(r"[.;](?:\s|$)")

Stating = Callable[[Value, Sequence[Cited]], "Stated"]


def check_nested(value: Value, cited: Sequence[Cited], state: Stating) -> str | None:
    """What is wrong with a value's parts, in one sentence; empty where all hold; None for a value without parts."""
    match value:
        case TableValue():
            return _table_fault(value, cited)
        case TreeValue():
            return _tree_fault(value.nodes, cited)
        case RecordValue():
            return _record_fault(value, cited, state)
        case ConditionalValue():
            return _branch_fault(value, cited, state)
        case CustomValue():
            return _custom_fault(value, cited)
    return None


def _custom_fault(value: CustomValue, cited: Sequence[Cited]) -> str:
    """Its words stand in the lines, and the parser of its type reads the same fields there."""
    if not any(find_words(one.text, value.original) for one in cited):
        return f"the words {shorten(value.original)!r} do not stand in the lines"
    if value.type_name not in VALUE_TYPES:
        return f"the type {value.type_name!r} is not registered here, so that its fields cannot be read again"
    read = (
        found.value
        for one in cited
        for language in ("en", "es", "fr")
        for found in find_values(one.text, value.type_name, language=language)
    )
    return "" if any(same_value(held, value) for held in read) else "its fields are not what its parser reads there"


def _table_fault(value: TableValue, cited: Sequence[Cited]) -> str:
    """Each row's cells stand in the order of the rows; headers and title anywhere in the cited lines."""
    uneven = [number for number, row in enumerate(value.rows, 1) if value.headers and len(row) != len(value.headers)]
    if uneven:
        return f"row {uneven[0]} has another number of cells than there are headers"
    for words in (value.title or "", *value.headers):
        if words.strip() and not _stands_somewhere(words, cited):
            return f"the header {shorten(words)!r} does not stand in the lines"
    lines = [line for one in cited for line in one.text.split("\n")]
    for number, row in enumerate(value.rows, 1):
        if not _row_stands([cell for cell in row if cell.strip()], lines):
            return f"the cells of row {number} do not stand together in the lines"
    return ""


def _row_stands(cells: Sequence[str], lines: Sequence[str]) -> bool:
    """True where the cells stand in order in as many lines at most as there are cells, which follow one another."""
    if not cells:
        return True
    reach = max(len(cells) * 2, 3)
    for first in range(len(lines)):
        window = "\n".join(lines[first : first + reach])
        at, stands = 0, bool(find_words(lines[first], cells[0])) or len(cells[0].split()) > 1
        for cell in cells:
            place = next((one for one in find_words(window, cell) if one[0] >= at), None)
            if place is None:
                stands = False
                break
            at = place[1]
        if stands:
            return True
    return False


def _tree_fault(nodes: Sequence[TreeNode], cited: Sequence[Cited]) -> str:
    """Each label stands in the lines that its node names, and these are cited."""
    for node in nodes:
        own = _own_lines(cited, node.line_start, node.line_end)
        if own is None:
            return f"lines {node.line_start}-{node.line_end} of {shorten(node.label)!r} are not cited"
        if not find_words(own.text, node.label):
            return f"{shorten(node.label)!r} does not stand in lines {node.line_start}-{node.line_end}"
        below = _tree_fault(node.children, cited)
        if below:
            return below
    return ""


def _record_fault(value: RecordValue, cited: Sequence[Cited], state: Stating) -> str:
    """Each field's value stands in the lines that it names, and these are cited."""
    for field in value.fields:
        if field.value is None:
            continue
        if field.line_start is None or field.line_end is None:
            return f"{field.name!r} names no lines"
        own = _own_lines(cited, field.line_start, field.line_end)
        if own is None:
            return f"the lines of {field.name!r} are not cited"
        outcome = state(field.value, [own]).outcome
        if not outcome.passed:
            return f"{field.name!r}: {outcome.detail}"
    return ""


def _branch_fault(value: ConditionalValue, cited: Sequence[Cited], state: Stating) -> str:
    """The sentence stands in the lines, each condition in it, each value beside its condition."""
    if not any(find_words(one.text, value.original) for one in cited):
        return f"the words {shorten(value.original)!r} do not stand in the lines"
    conditions = [branch.condition for branch in value.branches]
    if len(set(conditions)) != len(conditions):
        return "two branches have the same condition"
    for condition in conditions:
        if condition and not find_words(value.original, condition):
            return f"the condition {shorten(condition)!r} does not stand in the sentence"
    for branch in value.branches:
        outcome = state(branch.value, cited).outcome
        if not outcome.passed:
            return outcome.detail
    swapped = next((one for one in value.branches if _is_beside_another(one, value)), None)
    return f"{shorten(wording_of(swapped.value))!r} stands with another condition" if swapped is not None else ""


def _is_beside_another(branch: Branch, value: ConditionalValue) -> bool:
    """True where another branch's value stands nearer to the condition than its own: the two were swapped."""
    conditions = find_words(value.original, branch.condition or "")
    gaps = [
        _gap(value.original, conditions, find_words(value.original, wording_of(one.value))) for one in value.branches
    ]
    own = gaps[value.branches.index(branch)]
    return own is not None and any(gap is not None and gap < own for gap in gaps)


def _gap(text: str, some: Sequence[Stretch], others: Sequence[Stretch]) -> int | None:
    """Characters between the nearest two of the stretches; 0 where they touch.

    None where there are none, and where a sentence ends between them: a case of its own sentence is beside no other.
    """
    gaps = [
        max(one[0] - other[1], other[0] - one[1], 0)
        for one in some
        for other in others
        if not _SENTENCE_ENDS.search(text[min(one[1], other[1]) : max(one[0], other[0])])
    ]
    return min(gaps, default=None)


def _own_lines(cited: Sequence[Cited], line_start: int, line_end: int) -> Cited | None:
    """The lines as a stretch, where one of the cited stretches holds them."""
    for one in cited:
        own = cited_stretch(one.passage, line_start, line_end)
        if own is not None and one.start <= own.start and own.end <= one.end:
            return own
    return None


def _stands_somewhere(words: str, cited: Sequence[Cited]) -> bool:
    """True where all the words stand in the cited lines, a header broken over lines too."""
    if any(find_words(one.text, words) for one in cited):
        return True
    return all(any(find_words(one.text, word) for one in cited) for word in words.split())
