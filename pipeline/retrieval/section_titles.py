"""Which sections of the table of contents speak of the question's topic, and which carry a number that it names."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Literal

from dictionaries.folding import fold
from dictionaries.matching import TermMatcher
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.kept import Kept
from pipeline.retrieval.evidence import Evidence
from pipeline.retrieval.lines import KEPT_DOCUMENTS, UNSEARCHED_ROLES, Lines, numbering_of
from pipeline.retrieval.outline import Outline, outline_of
from pipeline.retrieval.terms import Term, proves_topic
from pipeline.values.found import fold as fold_letters
from pipeline.values.ordinals import ORDINAL, read_ordinal
from schemas.document import ParsedDocument
from schemas.question import RetrievalQuery

TitleFit = Literal["named", "exact", "partial"]
WHOLE_SHARE = 0.6  # share of the searched lines; a section that long is the document, and its title points nowhere
EXACT_SHARE = 0.6  # share of a title's content letters that one term must cover to be its subject
MAX_ROMAN_LETTERS = 5  # letters; "xviii" and below, so that no word passes for a number
# A title that is numbered in words: 'Cláusula séptima. Duración', 'SÉPTIMA.- Duración'.
_BY_WORD = re.compile(
    rf"^\s*(?:(?:section|clause|article|clausula|articulo|seccion|apartado|estipulacion|pacto)\s+)?(?P<number>{ORDINAL})(?=[\s.:\-)]|$)",
    re.IGNORECASE,
)
_ORDER: dict[TitleFit, int] = {"named": 0, "exact": 1, "partial": 2}
_OWN_WORDS = ("word", "phrase")
_opens: Kept[list[tuple[int, str]]] = Kept(KEPT_DOCUMENTS)
_numbers: Kept[list[tuple[str, ...]]] = Kept(KEPT_DOCUMENTS)
_SECTION_ANCHORS = ("section", "article", "annex")


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """A section whose title matches.

    named: the user named the section; exact: the title is the topic; partial: the title holds a term of it.
    """

    section_id: str
    title: str
    level: int
    start_line_id: int
    end_line_id: int
    fit: TitleFit
    terms: tuple[int, ...]  # terms found in the title, by number
    named_as: str  # what the user called it; empty unless the fit is 'named'


def match_titles(
    document: ParsedDocument, query: RetrievalQuery, lines: Lines, evidence: Evidence
) -> tuple[TitleMatch, ...]:
    """The sections whose title matches, named ones first, then exact, then partial ones by number of terms."""
    outline = outline_of(document)
    titles = outline.titles
    if not titles:
        return _named_lines(document, query, lines)
    found: dict[int, set[int]] = {}
    hits = evidence.terms.matcher.find_in(outline.searchable)
    for row, term in zip(hits.text_index.tolist(), hits.term_index.tolist(), strict=True):
        found.setdefault(row, set()).add(term)
    named = _named_rows(document, query)
    matches: list[TitleMatch] = []
    columns = (outline.section_ids, outline.levels, outline.starts, outline.ends)
    searched_ids = lines.searched_ids
    for row, (section_id, level, start, end) in enumerate(zip(*columns, strict=True)):
        indices = sorted(found.get(row, ()))
        fit: TitleFit | None = "named" if row in named else _fit(titles[row], indices, evidence)
        inside = bisect_right(searched_ids, end) - bisect_left(searched_ids, start)
        if fit == "exact" and inside > WHOLE_SHARE * len(searched_ids):
            fit = "partial"
        if fit is not None and inside:
            matches.append(
                TitleMatch(section_id, titles[row], level, start, end, fit, tuple(indices), named.get(row, ""))
            )
    if not named:
        matches += _named_lines(document, query, lines)
    return tuple(sorted(matches, key=lambda match: (_ORDER[match.fit], -len(match.terms), match.start_line_id)))


def sections_named(document: ParsedDocument, name: str) -> list[tuple[int, int]]:
    """First and last line_id of every section that carries a name or a number; empty when there is none."""
    rows = _rows_called(document, name)
    if not rows:
        span = numbered_lines(document, name)
        return [span] if span is not None else []
    outline = outline_of(document)
    return [(outline.starts[row], outline.ends[row]) for row in rows]


def numbered_lines(document: ParsedDocument, name: str) -> tuple[int, int] | None:
    """First and last line_id of the clause whose paragraph opens with a number, for documents without an outline of it.

    It runs to the paragraph that opens with the next number of its level, or of a level above; None where no paragraph
    opens with it, and for numbers that are not in figures.
    """
    wanted = _bare_number(name)
    if not re.fullmatch(r"\d{1,3}(?:\.\d{1,3})*", wanted):
        return None
    opens = _opens.get(document, lambda: _opening_numbers(document))
    start = next((line_id for line_id, number in opens if number == wanted), None)
    if start is None:
        return None
    following = _following_numbers(wanted)
    end = next((line_id - 1 for line_id, number in opens if line_id > start and number in following), None)
    return start, end if end is not None else int(document.line_df["line_id"].max())


def _opening_numbers(document: ParsedDocument) -> list[tuple[int, str]]:
    """The first line of each paragraph, and the number that it opens with; '' without one."""
    frame = document.line_df
    kept = frame[frame["visible"] & ~frame["role"].isin(UNSEARCHED_ROLES)].drop_duplicates("paragraph_id")
    return [
        (line_id, _bare_number(numbering_of(text)[0]))
        for line_id, text in zip(kept["line_id"].tolist(), kept["text"].tolist(), strict=True)
    ]


def _following_numbers(number: str) -> set[str]:
    """'7.2' and '8' for '7.1': the numbers that end its clause."""
    parts = [int(part) for part in number.split(".")]
    return {".".join(map(str, (*parts[:depth], parts[depth] + 1))) for depth in range(len(parts))}


def _named_lines(document: ParsedDocument, query: RetrievalQuery, lines: Lines) -> tuple[TitleMatch, ...]:
    """The clause that the user named by a number which the outline does not have, by the lines that open with it."""
    said = [(anchor.target, anchor.text) for anchor in query.anchors if anchor.kind in _SECTION_ANCHORS]
    said += [(query.hints.section_hint, query.hints.section_hint)] if query.hints.section_hint else []
    for target, text in said:
        span = numbered_lines(document, target)
        if span is not None:
            title = lines.texts[lines.position(span[0])].strip()
            return (TitleMatch("", title, 1, *span, "named", (), text),)
    return ()


def _named_rows(document: ParsedDocument, query: RetrievalQuery) -> dict[int, str]:
    """Rows of toc_df that the user named by number or title, each with what they wrote."""
    named: dict[int, str] = {}
    if query.hints.section_hint:
        named.update(dict.fromkeys(_rows_called(document, query.hints.section_hint), query.hints.section_hint))
    for anchor in query.anchors:
        if anchor.kind in _SECTION_ANCHORS:
            named.update(dict.fromkeys(_rows_called(document, anchor.target, by_title=False), anchor.text))
    return named


def _rows_called(document: ParsedDocument, name: str, *, by_title: bool = True) -> list[int]:
    """Rows of toc_df whose number or title is `name`; a title that holds it counts when none is equal."""
    outline = outline_of(document)
    titles = outline.titles
    number, rest = numbering_of(name)
    wanted = _bare_number(name if not rest or not number else number if not rest else name)
    for number in dict.fromkeys((wanted, re.sub(r"\(.*", "", wanted))) if wanted else ():
        numbers = _numbers.get(document, lambda: _section_numbers(document, outline))
        rows = [row for row, own in enumerate(numbers) if number in own]
        if rows:
            return rows
    if not by_title:
        return []
    folded = fold(" ".join(name.split())).text
    equal = [row for row, title in enumerate(titles) if fold(numbering_of(title)[1]).text == folded]
    if equal:
        return equal
    try:
        hits = TermMatcher([name]).find(titles)
    except ValueError:  # nothing in the name can be searched
        return []
    return sorted(set(hits.text_index.tolist()))


def _section_numbers(document: ParsedDocument, outline: Outline) -> list[tuple[str, ...]]:
    """The numbers that each section carries, in its title or its first line."""
    if not outline.titles:
        return []
    frame = document.line_df
    text_of = dict(zip(frame["line_id"].tolist(), frame["text"].tolist(), strict=True))
    return [
        (*_numbers_of(title), *_numbers_of(text_of.get(start, "")))
        for title, start in zip(outline.titles, outline.starts, strict=True)
    ]


def _numbers_of(title: str) -> tuple[str, ...]:
    """The number that a title opens with, in figures; one in words too."""
    by_word = _BY_WORD.match(fold_letters(title))
    number = read_ordinal(by_word["number"]) if by_word else None
    return (_bare_number(numbering_of(title)[0]), *(() if number is None else (str(number),)))


def _bare_number(text: str) -> str:
    """'4.2' of 'Section 4.2', 'iv' of 'Article IV'; '' of anything that carries no number."""
    words = text.split()
    last = words[-1] if words else ""
    last = last.strip(".:§").casefold()
    last = last.strip("()") if last.count("(") != last.count(")") or last.startswith("(") else last
    roman = len(last) <= MAX_ROMAN_LETTERS and set(last) <= set("ivxlc")
    return last if last and (last[0].isdigit() or roman or len(last) == 1) else ""


def _fit(title: str, indices: list[int], evidence: Evidence) -> TitleFit | None:
    if not indices:
        return None
    content = [word for word in fold(numbering_of(title)[1]).text.split() if word.strip(".,:;()") not in ALL_STOP_WORDS]
    letters = sum(map(len, content))
    terms = [evidence.term(index) for index in indices]
    strong = [term for term in terms if term.kind == "title" or (term.kind not in _OWN_WORDS and proves_topic(term))]
    if any(len(term.text) >= EXACT_SHARE * letters for term in strong):
        return "exact"
    if evidence.has_concept:
        return "partial" if strong else None  # the expert's words are the topic; a shared word is none
    own = [term for term in terms if term.kind == "word"]
    pointing = [index for index in indices if index in evidence.words]
    total = sum(term.kind == "word" for term in evidence.terms.terms)
    enough = len(own) >= min(total, max(math.ceil(total / 2), 1)) and bool(pointing)
    if enough and _size(own) >= EXACT_SHARE * letters:
        return "exact"
    if strong or len(pointing) >= max(1, evidence.words_needed - 1):
        return "partial"
    return None


def _size(terms: list[Term]) -> int:
    return sum(len(term.text) for term in terms)
