"""Headings where the file has no outline: numbering first, typography as its witness. Precise rather than greedy.

A numbered line is a heading when its number goes on from the last one of its kind and the line looks like a title: bold,
in capitals, larger than the text, or short and without a full stop. A clause such as '2.1 Appointment. The Company ...'
is one too, by its run-in title. Lines of a contents page are none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, HeadingNumber, ends_sentence, read_number
from pipeline.parsing.outline import Heading

MAX_TITLE_WORDS = 14  # words of a title that stands alone; longer lines are sentences
MAX_RUN_IN_WORDS = 8  # words of a title that a clause's text follows on the same line
MAX_TITLE_CHARS = 120  # characters of a title kept of a run-in heading
LARGER = 1.12  # size over the text's usual size, from which type is a heading's
MAX_STEP = 2  # a number may be this far above the last one: a heading that was missed, no more
CONFIDENCE = {"strong": 0.9, "plain": 0.75, "run_in": 0.8, "typography": 0.5}
SOURCE = "body_numbering"
_TOP_KINDS = ("part", "title", "chapter", "article", "item", "section", "clause", "roman", "letter", "decimal")

_RUN_IN = re.compile(r"(?P<title>[A-Z\"“][^.:;]{1,80}?)\s*(?:[.:](?=\s|$)|\s[–—-]\s)")
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "of",
        "on",
        "or",
        "the",
        "to",
        "with",
        "de",
        "del",
        "la",
        "las",
        "los",
        "y",
        "e",
        "du",
        "des",
        "et",
        "und",
        "der",
        "die",
        "das",
    ]
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(slots=True)
class _Candidate:
    line: Line
    number: HeadingNumber | None
    title: str
    look: str  # 'strong' (bold, capitals or larger), 'plain', 'run_in', 'typography'
    level: int = 1


def find_headings(lines: Sequence[Line]) -> list[Heading]:
    """Headings of the document in reading order, with levels from their numbering; empty where none can be told."""
    body = [line for line in lines if line.visible and line.role == "body"]
    usual = usual_size(body)
    candidates = [c for at, line in enumerate(body) if (c := _look(body, at, line, usual)) is not None]
    kept = _keep_in_sequence(candidates)
    _set_levels(kept)
    return [Heading(c.level, c.title, c.line.line_id, c.line.line_id, True, SOURCE, CONFIDENCE[c.look]) for c in kept]


def usual_size(lines: Sequence[Line]) -> float:
    """Font size of most of the characters, in points; 0 without lines."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(2 * line.size) / 2] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 0.0


def is_emphasised(line: Line, usual: float) -> bool:
    """Bold, in capitals, or clearly larger than the text."""
    return line.bold or line.size >= LARGER * usual or is_capitals(line.text)


def is_capitals(text: str) -> bool:
    """All its letters are capitals, and there are at least four."""
    letters = [character for character in text if character.isalpha()]
    return len(letters) >= 4 and all(letter.isupper() for letter in letters)


def _look(body: Sequence[Line], at: int, line: Line, usual: float) -> _Candidate | None:
    number = read_number(line.text)
    strong = is_emphasised(line, usual)
    alone = _stands_alone(body, at)
    if number is None:
        words = _WORD.findall(line.text)
        wide = is_capitals(line.text) and (line.bold or line.size >= LARGER * usual)
        if wide and alone and 1 <= len(words) <= MAX_TITLE_WORDS and not ends_sentence(line.text):
            return _Candidate(line, None, line.text, "typography")
        return None
    if _continues_sentence(body, at):
        return None
    title = number.title
    if number.kind in ATTACHED and not (alone and (strong or not title or number.is_upper)):
        return None
    if number.kind not in ("decimal", "roman", "letter") and not title:
        return _Candidate(line, number, _with_next(body, at, usual), "strong" if strong else "plain")
    if _is_title(title):
        if strong or (alone and _is_title_case(title)):
            return _Candidate(line, number, line.text, "strong" if strong else "plain")
        return None
    match = _RUN_IN.match(title)
    if match and _is_title_case(match["title"]) and len(_WORD.findall(match["title"])) <= MAX_RUN_IN_WORDS:
        head = line.text[: line.text.index(title)] + match["title"]
        return _Candidate(line, number, " ".join(head.split())[:MAX_TITLE_CHARS], "run_in")
    return None


def _is_title(title: str) -> bool:
    words = _WORD.findall(title)
    bare = title.rstrip(".: ")
    return (
        1 <= len(words) <= MAX_TITLE_WORDS
        and title[:1] not in "),;"
        and not re.search(r"[.;:]\s", bare)
        and (not title.endswith((",", ";")))
        and not re.search(r"\s\d[\d,.]*$", title)
    )


def _is_title_case(title: str) -> bool:
    """Every word of weight begins with a capital."""
    words = [word for word in _WORD.findall(title) if word.casefold() not in _SMALL_WORDS]
    return bool(words) and all(word[0].isupper() for word in words)


def _continues_sentence(body: Sequence[Line], at: int) -> bool:
    """The line before, right above in the same column, stops in the middle of a sentence."""
    if at == 0:
        return False
    before, line = body[at - 1], body[at]
    if before.page_num != line.page_num or before.column != line.column:
        return bool(
            re.search(r"(?:,|\b(?:of|in|to|and|or|the|by|with|under|section|article))$", before.text, re.IGNORECASE)
        )
    close = line.middle - before.middle <= 1.5 * max(line.size, before.size)
    return close and not ends_sentence(before.text) and before.bold == line.bold and _fills(before, line)


def _fills(before: Line, line: Line) -> bool:
    return before.right >= line.right - line.size or before.text[-1:] == ","


def _stands_alone(body: Sequence[Line], at: int) -> bool:
    """No other line shares its height, and the one above or below is not part of the same sentence."""
    line = body[at]
    after = body[at + 1] if at + 1 < len(body) else None
    if after is None or after.page_num != line.page_num:
        return True
    if abs(after.middle - line.middle) < 0.5 * line.size:
        return False
    return not after.text[:1].islower() or after.middle - line.middle > 1.8 * line.size


def _with_next(body: Sequence[Line], at: int, usual: float) -> str:
    """'ARTICLE IV' alone takes its title from the next line, where that looks like one."""
    line = body[at]
    after = body[at + 1] if at + 1 < len(body) else None
    if (
        after is not None
        and after.page_num == line.page_num
        and is_emphasised(after, usual)
        and after.middle - line.middle <= 3 * line.size
        and read_number(after.text) is None
        and len(_WORD.findall(after.text)) <= MAX_TITLE_WORDS
        and not ends_sentence(after.text)
    ):
        return f"{line.text} {after.text}"
    return line.text


def _keep_in_sequence(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Candidates whose number goes on from the one before of its kind and depth; typography alone needs company."""
    kept: list[_Candidate] = []
    last: dict[tuple[str, tuple[int, ...]], int] = {}
    for candidate in candidates:
        number = candidate.number
        if number is None:
            kept.append(candidate)
            continue
        if number.kind in ATTACHED:
            last = {key: value for key, value in last.items() if key[0] in ATTACHED}  # an annex counts anew
            kept.append(candidate)
            continue
        slot = (number.kind, number.parts[:-1])
        step = number.parts[-1] - last.get(slot, 0)
        restart = number.parts[-1] == 1 and candidate.look == "strong"
        parent_known = len(number.parts) == 1 or _knows_parent(last, number)
        if (1 <= step <= MAX_STEP or restart or (step == 0 and number.id[-1:].isalpha())) and parent_known:
            last[slot] = number.parts[-1]
            _forget_children(last, number)
            kept.append(candidate)
    numbered = sum(candidate.number is not None for candidate in kept)
    return kept if numbered >= 2 else []


def _knows_parent(last: dict[tuple[str, tuple[int, ...]], int], number: HeadingNumber) -> bool:
    """Clause 4.1 needs article 4, or to be the first of its chapter after chapter 3."""
    parent = number.parts[-2]
    tops = [value for (kind, prefix), value in last.items() if not prefix and kind not in ATTACHED]
    if len(number.parts) == 2:
        return parent in tops or parent - 1 in tops or not tops
    return last.get((number.kind, number.parts[:-2])) == parent


def _forget_children(last: dict[tuple[str, tuple[int, ...]], int], number: HeadingNumber) -> None:
    if len(number.parts) == 1 and number.kind in ("decimal", "letter"):
        return
    for key in [key for key in last if len(key[1]) > len(number.parts)]:
        if key[1][: len(number.parts)] != number.parts:
            del last[key]


def _set_levels(kept: Sequence[_Candidate]) -> None:
    """Levels from the kinds in use: parts above chapters above articles above sections above plain numbers."""
    used = {c.number.kind for c in kept if c.number is not None and c.number.kind not in ATTACHED}
    ranks = {kind: rank for rank, kind in enumerate((k for k in _TOP_KINDS if k in used), start=1)}
    offset = 0  # inside a schedule everything is one deeper
    for candidate in kept:
        number = candidate.number
        if number is None:
            candidate.level = 1 + offset
        elif number.kind in ATTACHED:
            candidate.level, offset = 1, 1
        else:
            depth = len(number.parts) - 1
            above = ranks[number.kind] - 1
            if number.kind in ("decimal", "section") and depth > 0 and above > 0:
                depth -= 1  # 'Section 2.01' stands right below 'ARTICLE II'
            candidate.level = offset + 1 + above + depth
