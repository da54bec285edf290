"""The lists of a passage: runs of marked items, of table rows, of sentences that define a term."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.generation.enumerations import Enumeration, find_enumerations
from pipeline.generation.marks import is_ordered, mark_of
from pipeline.generation.passages import ITEM_MARK, Passage, Sentence

_LAST_BUT_ONE = re.compile(r"[;,]?\s*\b(?:and|or|and/or|y|o|e|et|ou)\s*$", re.IGNORECASE)
_DEFINES = re.compile(
    r"(?:\(?[a-z0-9.]{1,6}[).]?\s+)?[“\"«'‘][^“”\"«»]{1,80}[”\"»'’][^.;:]{0,60}?\s*(?:\b(?:means?|shall\s+mean|has\s+the\s+meaning|refers?\s+to|is\s+defined"
    r"|significa|tendr[áa]|se\s+entiende|signifie|d[ée]signe|a\s+le\s+sens)\b|:)",
    re.IGNORECASE,
)
MIN_ITEMS = 2
MIN_DEFINITIONS = 2
MAX_BETWEEN_DEFINITIONS = 2  # sentences that go on with a definition before the next one


@dataclass(frozen=True, slots=True)
class Items:
    """A run of list items or table rows with the sentence that opens it."""

    passage: Passage
    intro: Sentence | None
    spans: tuple[tuple[int, int], ...]
    ends: bool
    kind: str
    is_inline: bool = False  # its marks stand inside the lines of a sentence


def find_lists(passage: Passage) -> list[Items]:
    """Runs of items of one kind of mark, of table rows and of definitions, in the order of the passage.

    Marks count wherever in a line they stand; of two runs over the same words the one with more items is taken.
    """
    marked = [_of_marks(passage, one) for one in find_enumerations(passage)]
    lists = [one for one in _line_lists(passage) if not any(_is_within(one, other) for other in marked)]
    marked = [one for one in marked if not any(_overlap(one, other) for other in lists)]
    definitions = _definitions(passage)
    return sorted([*lists, *marked, *definitions], key=lambda one: one.spans[0])


def _of_marks(passage: Passage, one: Enumeration) -> Items:
    spans = tuple((item.start, item.end) for item in one.items)
    after = any(sentence.start >= spans[-1][1] for sentence in passage.sentences)
    ends = after or _LAST_BUT_ONE.search(passage.text[slice(*spans[-2])]) is not None
    return Items(passage, one.intro, spans, ends, "item", one.is_inline)


def _is_within(one: Items, other: Items) -> bool:
    """True for a run of lines whose marks another one counts as well: with as many items, or as a sequence.

    '(a) (i) (ii) (b)' read line by line is no sequence; by its marks it is two items, the first with two in it.
    """
    if not _overlap(one, other) or one.kind != "item":
        return False
    marks = [mark for start, _ in one.spans if (mark := mark_of(one.passage.text, start)) is not None]
    return len(other.spans) >= len(one.spans) or not is_ordered(marks)


def _overlap(one: Items, other: Items) -> bool:
    return one.spans[0][0] < other.spans[-1][1] and other.spans[0][0] < one.spans[-1][1]


def _definitions(passage: Passage) -> list[Items]:
    """Runs of sentences that each define a term; the heading over them opens the run."""
    runs: list[list[Sentence]] = []
    for at, sentence in enumerate(passage.sentences):
        if sentence.kind not in ("prose", "item") or not _DEFINES.match(passage.words(sentence)):
            continue
        gap = passage.sentences[max(0, at - 1 - MAX_BETWEEN_DEFINITIONS) : at]
        if runs and runs[-1][-1] in gap and runs[-1][-1].heading == sentence.heading:
            runs[-1].append(sentence)
        else:
            runs.append([sentence])
    made = []
    for run in runs:
        at = passage.sentences.index(run[0])
        opener = passage.sentences[at - 1] if at else None
        spans = tuple((one.start, one.end) for one in run)
        if len(run) >= MIN_DEFINITIONS:
            ends = any(one.start >= spans[-1][1] and one.kind == "heading" for one in passage.sentences)
            made.append(Items(passage, opener, spans, ends, "definition"))
    return made


def _line_lists(passage: Passage) -> list[Items]:
    """Runs of items that each start a line, by one kind of mark, and of table rows."""
    lists: list[Items] = []
    sentences = passage.sentences
    index = 0
    while index < len(sentences):
        kind = sentences[index].kind
        if kind not in ("item", "row"):
            index += 1
            continue
        intro = sentences[index - 1] if index and sentences[index - 1].kind in ("prose", "heading", "caption") else None
        run, after = _run(passage, index)
        if len(run) >= MIN_ITEMS:
            lists.append(Items(passage, intro, tuple(run), _ends(passage, run, after), kind))
        index = max(after, index + 1)
    return lists


def _run(passage: Passage, first: int) -> tuple[list[tuple[int, int]], int]:
    """Items from sentence `first` on, inner ones with their outer one, and the index of the sentence after them."""
    sentences = passage.sentences
    kind = sentences[first].kind
    style = _style(passage, sentences[first])
    run: list[list[int]] = []
    index = first
    while index < len(sentences):
        sentence = sentences[index]
        starts_item = sentence.kind == kind and (
            kind == "row" or ITEM_MARK.match(passage.text, sentence.start) is not None
        )
        if starts_item and _style(passage, sentence) == style:
            run.append([sentence.start, sentence.end])
        elif sentence.kind == "item" and kind == "item" and run:
            if _is_outer(style, _style(passage, sentence)):
                break
            run[-1][1] = sentence.end
        else:
            break
        index += 1
    return [(start, end) for start, end in run], index


def _style(passage: Passage, sentence: Sentence) -> str:
    if sentence.kind == "row":
        return "row"
    mark = ITEM_MARK.match(passage.text, sentence.start)
    if mark is None:
        return "continued"
    if mark["bullet"]:
        return mark["bullet"]
    written = (mark["inner"] or mark["outer"]).lower()
    form = "(" if mark["inner"] else "."
    if written.isdigit():
        return f"{form}1"
    return f"{form}i" if re.fullmatch(r"[ivx]{2,}", written) else f"{form}a"


def _is_outer(style: str, other: str) -> bool:
    """True when the other mark starts something larger: numbers with a full stop are clauses, not items."""
    return other.startswith(".1") and not style.startswith(".1")


def _ends(passage: Passage, run: Sequence[tuple[int, int]], after: int) -> bool:
    """True when the list was seen to end: 'and' before the last item, or other text after it."""
    if after < len(passage.sentences):
        return True
    before_last = passage.text[run[-2][0] : run[-2][1]]
    return _LAST_BUT_ONE.search(before_last) is not None
