"""Candidates for headings among numbered lines: what makes a clause's title, and what is a sentence with a number."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pipeline.parsing.clause_titles import (
    LEAD_IN,
    MAX_TITLE_WORDS,
    RUN_IN,
    VERBS,
    count_words,
    find_item_title,
    is_run_in_title,
    is_title,
    is_title_case,
    stops_short,
)
from pipeline.parsing.heading_sequence import CLAUSE, ITEM_KINDS, Candidate
from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, HeadingNumber, ends_sentence, is_capitals, read_item, read_number
from pipeline.parsing.reading_order import CELL_SEPARATOR
from pipeline.parsing.titles import MAX_WORDS, TextType, is_emphasised

MAX_SMALL_WORDS = 10  # words of a numbered title in small letters that stands alone
MAX_TITLE_CHARS = 120  # characters of a title kept of a run-in heading
MAX_LABEL_LINE = 4  # lines at the top of a document where 'Exhibit 10.4' is the label it was filed under
MAX_FILING_LINE = 15  # the same for numbers with a point, which only filings give to exhibits
MIN_TEXT_CHARS = 40  # characters of a line that is text: not a name, a title or a cell
MAX_TITLE_GAP_EMS = 3.0  # distance of 'ARTICLE IV' and its title, over the font size
TIGHT_EMS = 1.4  # distance of the lines of one title, over their size
LOOSE_PITCH = 1.5  # distance to the text under it, over that of its own lines
MAX_LONG_WORDS = 30  # words of a title over some lines
MAX_MORE_LINES = 2  # lines that a title may run on for
EDGE_LINES = 4  # lines above and below that show where the text's right edge is
BLANK_EMS = 0.25  # width of a blank, over the size

MAX_BARE_CHARS = 14  # characters of the longest of these words, and its mark
_BARE = {
    "schedule": "schedule", "schedules": "schedule", "exhibit": "exhibit", "exhibits": "exhibit", "annex": "annex",
    "annexes": "annex", "appendix": "appendix", "appendices": "appendix", "anexo": "annex", "anexos": "annex",
    "annexe": "annex", "apéndice": "appendix",
}  # fmt: skip


def read_candidate(
    body: Sequence[Line],
    at: int,
    usual: TextType,
    *,
    typed: Collection[int],
    labels: Collection[tuple[str, str]],
) -> Candidate | None:
    """The candidate that begins at line `at`: a number and a title; None where there is no number, or no title.

    `typed` holds the lines that look like headings by their type, `labels` what the document was filed under.
    """
    line = body[at]
    number = read_number(line.text) or _read_bare(line.text)
    strong = is_emphasised(line, usual)
    if number is None:
        return _look_at_item(body, at, line, strong=strong, typed=line.line_id in typed)
    alone = _stands_alone(body, at)
    if _continues_sentence(body, at):
        return None
    title = number.title
    if number.kind in ATTACHED and (is_filing_label(body, at, number) or (number.kind, number.id) in labels):
        return None
    if number.kind in ATTACHED and not (alone and (strong or not title or number.is_upper)):
        return None
    if not strong and line.line_id not in typed and _is_bare(line.text):
        return None  # '12 High Street': a bare number needs the type of a heading
    if title[:1].islower() and number.kind not in ("decimal", "roman", "letter"):
        return None  # 'Section 8.1 does not apply to:'
    if LEAD_IN.match(title):
        return Candidate(line, number, "", CLAUSE)
    if number.kind not in ("decimal", "roman", "letter") and not title:
        return _with_next(Candidate(line, number, line.text, "strong" if strong else "plain"), body, at, usual)
    broken = None if strong else _read_broken(body, at, number)
    if broken is not None:
        return broken
    if is_title(title):
        if strong or (alone and (is_title_case(title) or _is_plain_title(body, at, number))):
            return _extend(Candidate(line, number, line.text, "strong" if strong else "plain"), body, at, usual)
        return _read_tight(body, at, number) or Candidate(line, number, "", CLAUSE)
    return _run_in(line, number)


def is_filing_label(body: Sequence[Line], at: int, number: HeadingNumber) -> bool:
    """The exhibit's number that the document itself was filed under, at its top."""
    reach = MAX_LABEL_LINE if len(number.parts) == 1 else MAX_FILING_LINE
    return number.kind in ATTACHED and body[at].page_num == 1 and at < reach


def _is_plain_title(body: Sequence[Line], at: int, number: HeadingNumber) -> bool:
    """A short title in small letters, '3. Supply of products', with its first clause, item or a paragraph under it."""
    after = body[at + 1] if at + 1 < len(body) else None
    if after is None or VERBS.search(number.title) or not number.title[:1].isupper() or _lacks_room(body, at):
        return False
    below = read_number(after.text) or read_item(after.text)
    inside = below is not None and (below.parts[:-1] == number.parts or _begins_items(below, number))
    if ends_sentence(number.title) and not (inside and number.title.endswith(":")):
        return False
    return count_words(number.title) <= MAX_SMALL_WORDS and (inside or _has_text_under(body, at))


def _begins_items(below: HeadingNumber, number: HeadingNumber) -> bool:
    return below.kind in ITEM_KINDS and below.parts == (1,) and number.kind not in ITEM_KINDS


def _lacks_room(body: Sequence[Line], at: int) -> bool:
    """The first word of the line below had no room on this one: a sentence that runs on, no title that ends here."""
    line, after = body[at], body[at + 1]
    near = 0 < after.middle - line.middle <= LOOSE_PITCH * max(line.size, after.size)
    if not near or after.page_num != line.page_num or after.column != line.column:
        return False
    word = (after.right - after.left) * len(after.text.split()[0]) / len(after.text)
    around = body[max(0, at - EDGE_LINES) : at + 1 + EDGE_LINES]
    edge = max(x.right for x in around if x.page_num == line.page_num and x.column == line.column)
    return line.right + BLANK_EMS * line.size + word > edge


def _is_bare(text: str) -> bool:
    mark, *rest = text.split(maxsplit=1)
    return mark.isdigit() and not (rest and rest[0].startswith("."))


def _read_bare(text: str) -> HeadingNumber | None:
    """'SCHEDULE' or 'ANEXO' alone on its line: the only one, and so without a number."""
    kind = _BARE.get(text.rstrip(" :.").casefold()) if len(text) <= MAX_BARE_CHARS and text[:1].isupper() else None
    return HeadingNumber(kind, "", (1,), "", text.isupper()) if kind is not None else None


def _run_in(line: Line, number: HeadingNumber) -> Candidate:
    """A clause's title with its text on the same line: '5.1 Term. The term ...'."""
    match = RUN_IN.match(number.title)
    if match is None or not is_run_in_title(match["title"]):
        return Candidate(line, number, "", CLAUSE)
    return _name_run_in(line, number, match["title"])


def _read_broken(body: Sequence[Line], at: int, number: HeadingNumber) -> Candidate | None:
    """Such a title that ends on the next line, where this one has no room left."""
    if (
        at + 1 == len(body)
        or RUN_IN.match(number.title)
        or not is_title_case(number.title)
        or not _lacks_room(body, at)
    ):
        return None
    match = RUN_IN.match(f"{number.title} {body[at + 1].text}")
    if match is None or not is_run_in_title(match["title"]) or not is_title_case(match["title"]):
        return None
    return None if VERBS.search(match["title"]) else _name_run_in(body[at], number, match["title"])


def _name_run_in(line: Line, number: HeadingNumber, title: str) -> Candidate:
    mark = line.text[: line.text.index(number.title)]
    return Candidate(line, number, " ".join((mark + title).split())[:MAX_TITLE_CHARS], "run_in")


def _look_at_item(body: Sequence[Line], at: int, line: Line, *, strong: bool, typed: bool) -> Candidate | None:
    """A list item's mark and a title, alone, '(a) Fees', or before its text, '(a) Fees. The fees ...'.

    Other items only count.
    """
    item = read_item(line.text)
    if item is None or not item.title or _continues_sentence(body, at):
        return None
    if _runs_on_in_capitals(body, at):
        return None
    if is_title(item.title) and not ends_sentence(line.text) and is_title_case(item.title):
        alone = typed or (_stands_alone(body, at) and _has_text_under(body, at))
        if alone and not stops_short(item.title):
            return Candidate(line, item, line.text, "strong" if strong else "plain")
        return _read_tight(body, at, item) or Candidate(line, item, "", CLAUSE)
    title = find_item_title(item.title)
    if title is not None:
        return _name_run_in(line, item, title)
    return Candidate(line, item, "", CLAUSE)


def _runs_on_in_capitals(body: Sequence[Line], at: int) -> bool:
    """A sentence in capitals over several lines, as warranties are disclaimed."""
    after = body[at + 1] if at + 1 < len(body) else None
    return (
        after is not None and is_capitals(body[at].text) and is_capitals(after.text) and read_item(after.text) is None
    )


def _read_tight(body: Sequence[Line], at: int, number: HeadingNumber) -> Candidate | None:
    """A title over lines that stand closer to each other than to the text under them, as in double-spaced print."""
    block = [body[at]]
    for line in body[at + 1 : at + 2 + MAX_MORE_LINES]:
        before = block[-1]
        pitch = line.middle - before.middle
        if line.page_num != before.page_num or not 0 < pitch <= TIGHT_EMS * line.size or line.bold != before.bold:
            break
        block.append(line)
    if not 2 <= len(block) <= 1 + MAX_MORE_LINES:
        return None
    after = body[at + len(block)] if at + len(block) < len(body) else None
    gap = after.middle - block[-1].middle if after is not None and after.page_num == block[-1].page_num else None
    title = " ".join([number.title, *(line.text for line in block[1:])])
    if (
        (gap is None or gap >= LOOSE_PITCH * (block[-1].middle - block[-2].middle))
        and is_title_case(title)
        and count_words(title) <= MAX_LONG_WORDS
        and not ends_sentence(title)
        and CELL_SEPARATOR not in title
    ):
        return Candidate(block[0], number, " ".join(line.text for line in block), "plain", last=block[-1])
    return None


def _has_text_under(body: Sequence[Line], at: int) -> bool:
    """A paragraph begins under the line: a whole line of text that is no list item."""
    after = body[at + 1] if at + 1 < len(body) else None
    return (
        after is not None
        and after.page_num == body[at].page_num
        and len(after.text) >= MIN_TEXT_CHARS
        and CELL_SEPARATOR not in after.text
        and read_item(after.text) is None
    )


def _continues_sentence(body: Sequence[Line], at: int) -> bool:
    """The line before, right above in the same column, stops in the middle of a sentence."""
    if at == 0:
        return False
    before, line = body[at - 1], body[at]
    above = read_number(before.text)
    if above is not None and above.title and is_title_case(above.title):
        return False  # a heading right above
    if before.page_num != line.page_num or before.column != line.column:
        return bool(
            re.search(r"(?:,|\b(?:of|in|to|and|or|the|by|with|under|section|article))$", before.text, re.IGNORECASE)
        )
    close = line.middle - before.middle <= 1.5 * max(line.size, before.size)
    long = len(before.text) >= MIN_TEXT_CHARS
    return close and long and not ends_sentence(before.text) and before.bold == line.bold and _fills(before, line)


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


def _with_next(candidate: Candidate, body: Sequence[Line], at: int, usual: TextType) -> Candidate:
    """'ARTICLE IV' alone takes its title from the next line, where that looks like one."""
    line = candidate.line
    after = body[at + 1] if at + 1 < len(body) else None
    if (
        after is not None
        and is_emphasised(after, usual)
        and (
            after.page_num == line.page_num + 1
            or (after.page_num == line.page_num and after.middle - line.middle <= MAX_TITLE_GAP_EMS * line.size)
        )
        and read_number(after.text) is None
        and count_words(after.text) <= MAX_TITLE_WORDS
        and (is_capitals(after.text) or not ends_sentence(after.text))
    ):
        candidate.title, candidate.last = f"{line.text} {after.text}", after
        return _extend(candidate, body, at + 1, usual) or candidate
    return candidate


def _extend(candidate: Candidate, body: Sequence[Line], at: int, usual: TextType) -> Candidate | None:
    """The candidate with the lines its title runs on for; None where they go on too long: a clause in capitals."""
    more: list[Line] = []
    for after in body[at + 1 : at + 2 + MAX_MORE_LINES]:
        if not _runs_on(more[-1] if more else body[at], after, usual):
            break
        more.append(after)
    is_text = (
        len(more) > MAX_MORE_LINES
        or (more and ends_sentence(more[-1].text) and len(more[-1].text.split()) > 2)
        or (more and sum(count_words(line.text) for line in (body[at], *more)) > MAX_WORDS)
    )
    if is_text:
        return None if is_capitals(candidate.line.text) and not candidate.line.bold else candidate
    if more:
        candidate.title = " ".join([candidate.title, *(line.text for line in more)])
        candidate.last = more[-1]
    return candidate


def _runs_on(before: Line, after: Line, usual: TextType) -> bool:
    """The line below is of the same type, close, no number of its own, and the one above is not at its end."""
    return (
        after.page_num == before.page_num
        and 0 < after.middle - before.middle <= 1.5 * max(before.size, after.size)
        and abs(after.size - before.size) < 0.5
        and after.bold == before.bold
        and is_emphasised(after, usual)
        and is_capitals(after.text) == is_capitals(before.text)
        and read_number(after.text) is None
        and not ends_sentence(before.text)
    )
