"""Headings where the file has no outline: numbering first, typography as its witness. Precise rather than greedy.

A numbered line is a heading when its number goes on from the last one of its kind and the line looks like a title:
bold, in capitals, larger than the text, or short and without a full stop. A clause such as '2.1 Appointment. The
Company ...' is one too, by its run-in title. Lines of a contents page are none.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from pipeline.parsing.clause_headings import MAX_FILING_LINE, MIN_TEXT_CHARS, is_filing_label, read_candidate
from pipeline.parsing.clause_titles import count_words
from pipeline.parsing.contents_lines import is_contents_title
from pipeline.parsing.heading_levels import set_levels
from pipeline.parsing.heading_sequence import Candidate, keep_in_sequence
from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import read_number
from pipeline.parsing.outline import Heading
from pipeline.parsing.reading_order import CELL_SEPARATOR
from pipeline.parsing.titles import Styles, TextType, Title, find_titles, prominence

MIN_TEXT_WORDS = 5  # words of such a line
CONFIDENCE = {"strong": 0.9, "plain": 0.75, "run_in": 0.8, "typography": 0.5}
SOURCE, TYPE_SOURCE = "body_numbering", "body_typography"
MIN_NUMBERED = 8  # numbered headings from which a document is one that numbers: type alone then says little


def find_headings(lines: Sequence[Line]) -> list[Heading]:
    """Headings of the document in reading order, with levels from numbering and type; empty where none can be told."""
    body = [line for line in lines if line.visible and line.role == "body"]
    usual = usual_size(body)
    styles = Styles(body)
    titles = [title for title in find_titles(body, usual, styles) if not is_contents_title(title.text)]
    typed = {line.line_id for title in titles for line in title.lines}
    labels = {
        (number.kind, number.id)
        for at, line in enumerate(body[:MAX_FILING_LINE])
        if (number := read_number(line.text)) is not None and is_filing_label(body, at, number)
    }
    bold_chars = sum(len(line.text) if line.bold else -len(line.text) for line in body)
    text = TextType(usual, bold_chars > 0)
    candidates: list[Candidate] = []
    taken = 0  # last line that a title already runs over
    for at, line in enumerate(body):
        candidate = read_candidate(body, at, text, typed=typed, labels=labels) if line.line_id > taken else None
        if candidate is not None:
            candidates.append(candidate)
            taken = (candidate.last or line).line_id
    numbered = keep_in_sequence(candidates)
    kept = sorted(
        [*numbered, *_choose_titles(titles, numbered, body, styles)], key=lambda candidate: candidate.line.line_id
    )
    set_levels(kept, styles)
    return [
        Heading(
            c.level, c.title, c.line.line_id, (c.last or c.line).line_id, True,
            SOURCE if c.number is not None else TYPE_SOURCE, CONFIDENCE[c.look],
        )
        for c in kept
    ]  # fmt: skip


def usual_size(lines: Sequence[Line]) -> float:
    """Font size of most of the characters, in points; 0 without lines."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(2 * line.size) / 2] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 0.0


def _choose_titles(
    titles: Sequence[Title], numbered: Sequence[Candidate], body: Sequence[Line], styles: Styles
) -> list[Candidate]:
    """The headings without a number; where a document numbers its headings, only those set like them, above text."""
    taken = {
        line_id
        for candidate in numbered
        for line_id in range(candidate.line.line_id, (candidate.last or candidate.line).line_id + 1)
    }
    free = [
        title
        for title in titles
        if not taken & {line.line_id for line in title.lines} and not (numbered and read_number(title.text))
    ]  # a number that does not go on from the others is no better for its type
    if len(numbered) >= MIN_NUMBERED:
        strong = [prominence(styles.of(c.line))[:2] for c in numbered if c.look == "strong"]
        least = min(strong, default=None)
        after = {line.line_id: follower for line, follower in itertools.pairwise(body)}
        free = [
            t
            for t in free
            if least is not None and prominence(t.style)[:2] >= least and _is_above_text(t, after, styles)
        ]
    return [
        Candidate(
            title.lines[0], None, title.text, "typography", last=title.lines[-1] if len(title.lines) > 1 else None
        )
        for title in free
    ]


def _is_above_text(title: Title, after: Mapping[int, Line], styles: Styles) -> bool:
    follower = after.get(title.lines[-1].line_id)
    return (
        follower is not None
        and len(follower.text) >= MIN_TEXT_CHARS
        and count_words(follower.text) >= MIN_TEXT_WORDS
        and CELL_SEPARATOR not in follower.text
        and styles.of(follower) != title.style
    )
