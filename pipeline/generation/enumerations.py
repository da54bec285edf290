# ruff: noqa: E501  # patterns are read whole, on one line
"""Lists that marks make, wherever in a line they stand: '(i) ..., (ii) ... and (iii) ...', with what is nested in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from dictionaries.folding import folded_text
from pipeline.generation.marks import Mark, mark_of, readings_of
from pipeline.generation.passages import Passage, Sentence

MIN_ITEMS = 2
NEAR_LINES = 15  # lines from the last item of one passage to the next item in another: a page's foot and head between
_INLINE = re.compile(r"(?<![\w)\]’'])\((?P<inner>[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)(?=\s+\S)", re.IGNORECASE)
# A mark behind the name of a place cites it: 'Section 4 (a)', 'clause (ii)'; one behind a number word tells a number.
_CITED = re.compile(
    r"(?:\b(?:sections?|clauses?|articles?|(?:sub-?)?paragraphs?|items?|parts?|rules?|points?|letras?|apartados?|articulos?|clausulas?|secci(?:on|ones)|alineas?)\s*|\d\s*|\)\s*)$"
)
_LAST_WORD = re.compile(r"[^\W\d_]+\s*$")
_JOINED = ("and", "or", "y", "o", "et", "ou", "either", "and/or", "e", "u")


@dataclass(slots=True)
class Item:
    """One item: where it starts and ends in its passage's text, and the items nested in it."""

    start: int
    end: int
    mark: Mark
    children: list[Item] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A run of marked items from the first mark on; `intro` is what opens it, up to the first mark."""

    intro: Sentence | None
    items: tuple[Item, ...]
    is_inline: bool  # at least one item does not start its line


def find_enumerations(passage: Passage) -> list[Enumeration]:
    """The outermost lists of each run of text under one heading, in order; those nested in them hang on their items."""
    found: list[Enumeration] = []
    for is_text, group in groupby(passage.sentences, key=lambda one: one.kind not in ("heading", "row", "caption")):
        sentences = list(group)
        if is_text:
            found += _in_run(passage, sentences)
    return found


def tail_after(passage: Passage, mark: Mark, line_id: int) -> list[tuple[int, int]]:
    """Items of a passage that go on with a list: the next marks, from a few lines behind a line on; empty without one."""
    tail: list[tuple[int, int]] = []
    last = mark
    for sentence in passage.sentences:
        first = passage.line_range(sentence.start, sentence.end)[0]
        if first <= line_id or (not tail and first > line_id + NEAR_LINES):
            continue
        own = mark_of(passage.text, sentence.start) if sentence.kind == "item" else None
        if own is not None and own.is_after(last):
            tail.append((sentence.start, sentence.end))
            last = own
        elif tail and sentence.kind != "heading" and own is not None:
            tail[-1] = (tail[-1][0], sentence.end)  # a mark of another kind is nested in the item
        elif tail:
            break
    return tail


def _in_run(passage: Passage, sentences: Sequence[Sentence]) -> list[Enumeration]:
    first, last = sentences[0].start, sentences[-1].end
    stack: list[list[Item]] = []
    outermost: list[list[Item]] = []
    for match in _INLINE.finditer(passage.text, first, last):
        if _is_cited(passage.text, match.start(), first):
            continue
        item = Item(match.start(), last, Mark(match.group(), "(", readings_of(match["inner"])))
        depth = next((at for at in range(len(stack) - 1, -1, -1) if item.mark.is_after(stack[at][-1].mark)), None)
        if depth is not None:
            del stack[depth + 1 :]
            stack[depth].append(item)
        elif any(number == 1 for _, number in item.mark.readings):
            if stack and _is_same_form(stack[-1][0].mark, item.mark):
                stack.pop()  # the same kind of mark from its start again: another list
            chain = stack[-1][-1].children if stack else []
            if not stack:
                outermost.append(chain)
            chain.append(item)
            stack.append(chain)
    return [made for chain in outermost if (made := _made(passage, sentences, chain)) is not None]


def _is_same_form(one: Mark, other: Mark) -> bool:
    return bool({series for series, _ in one.readings} & {series for series, _ in other.readings}) and any(
        number == 1 and one.number_in(series) == 1 for series, number in other.readings
    )


def _made(passage: Passage, sentences: Sequence[Sentence], chain: Sequence[Item]) -> Enumeration | None:
    """The list of a chain, its items ending where the next starts, the last with its sentence; None for a lone mark."""
    if len(chain) < MIN_ITEMS:
        return None
    for item, after in pairwise(chain):
        item.end = after.start
    holding = next(one for one in sentences if one.start <= chain[-1].start < one.end or one is sentences[-1])
    chain[-1].end = holding.end
    opening = next(one for one in sentences if one.start <= chain[0].start < one.end or one is sentences[-1])
    intro: Sentence | None = None
    if passage.text[opening.start : chain[0].start].strip():
        intro = Sentence(opening.start, chain[0].start, "prose", opening.block, opening.heading)
    else:
        at = passage.sentences.index(opening)
        before = passage.sentences[at - 1] if at else None
        intro = before if before is not None and before.kind in ("prose", "heading", "caption") else None
    is_inline = any(not _starts_line(passage.text, item.start) for item in chain)
    return Enumeration(intro, tuple(chain), is_inline)


def _starts_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _is_cited(text: str, at: int, first: int) -> bool:
    """True for a mark that names a place ('Section 4 (a)') or restates a number ('thirty (30)')."""
    if _starts_line(text, at):
        return False
    before = folded_text(text[max(first, at - 30) : at])
    inside = text[at + 1 : text.find(")", at)]
    if inside.isdigit():
        word = _LAST_WORD.search(before)
        return (
            word is not None and word.group().strip() not in _JOINED and not before.rstrip().endswith((",", ";", ":"))
        )
    word = _LAST_WORD.search(before)
    if word is not None and word.group().strip() in _JOINED:
        return re.search(r"\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s*(?:and|or|y|o|et|ou)\s*$", before) is not None
    return _CITED.search(before) is not None
