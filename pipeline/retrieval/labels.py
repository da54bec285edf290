"""Places where a text names a figure, a table, a section ... by its number, however it writes it."""

from __future__ import annotations

import re
from bisect import bisect_right

from dictionaries.matching import TermMatcher
from pipeline.kept import Kept
from pipeline.retrieval.lines import KEPT_DOCUMENTS, Lines
from pipeline.values import find_values, same_value
from pipeline.values.found import fold
from pipeline.values.ordinals import ORDINAL, read_ordinal
from schemas.question import Anchor

# Words that stand before the number, by kind of anchor, in English, Spanish and French.
_WORDS: dict[str, str] = {
    "figure": r"figures?|figuras?|figs?\.?",
    "table": r"tables?|tablas?|tableaux?|tabs?\.",
    "equation": r"equations?|ecuaci[óo]n(?:es)?|[ée]quations?|eqs?\.|eqns?\.",
    "section": r"sections?|secci[óo]n(?:es)?|secs?\.|sects?\.|clauses?|cl[áa]usulas?|§{1,2}|paragraphs?",
    "article": r"articles?|art[íi]culos?|arts?\.",
    "annex": r"annex(?:es)?|anexos?|annexes?|appendix|appendices|ap[ée]ndices?|schedules?|exhibits?|attachments?",
}
_NUMBER = r"(?:[A-Z]{0,2}[.\-]?\d{1,4}(?:[.\-]\d{1,4}){0,5}(?:[a-z]\b)?|[IVXLC]{1,6}\b|[A-Z]\b)(?:\([a-z0-9]{1,4}\))*"
_LIST = rf"\(?{_NUMBER}\)?(?:\s*(?:,|;|&|/|-|–|—|to|and|or|through|y|a|o|et|ou|à|,\s*(?:and|or))\s*\(?{_NUMBER}\)?)*"
# A clause numbered in words: 'CLÁUSULA SÉPTIMA', or 'SÉPTIMA.-' at the head of a line.
_BY_WORD = re.compile(
    rf"(?:(?<!\w)(?:sections?|clauses?|articles?|clausulas?|articulos?|seccion|apartado|estipulacion|pacto)\s+"
    rf"(?P<labelled>{ORDINAL})|^[ \t]*(?P<alone>{ORDINAL})(?=\s*[.:\-\n)]))",
    re.IGNORECASE | re.MULTILINE,
)
_RANGE = re.compile(r"(\d{1,4})\)?\s*(?:-|–|—|to|through|a|à)\s*\(?(\d{1,4})")
_labels: Kept[list[tuple[int, int, str]]] = Kept(4 * KEPT_DOCUMENTS)  # a question names one or two kinds of label
_by_word: Kept[list[re.Match[str]]] = Kept(KEPT_DOCUMENTS)
MAX_RANGE = 200  # numbers in 'Figures 1 to 200'; a wider range is a pair of years or of pages


def anchor_places(lines: Lines, anchors: tuple[Anchor, ...]) -> dict[int, list[tuple[int, int]]]:
    """For each anchor, by its index, first and last position of every place that names it, in document order.

    'Figure 2' is found in 'Fig. 2', 'FIGURE 2a' and 'Figures 1 and 2' or '1-3', not in 'Figure 20' or 'Figure 2.1'.
    Codes and quoted phrases are found letter by letter, runs of spaces aside. Pages are no anchors of the text.
    """
    found: dict[int, list[tuple[int, int]]] = {}
    starts, positions = lines.text_starts, lines.searched_list
    for index, anchor in enumerate(anchors):
        if anchor.kind == "page":
            continue
        if anchor.kind in _WORDS:
            spans = _label_spans(lines, anchor) + _ordinal_spans(lines, anchor)
            rows = {(bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1) for start, end in spans}
        else:
            rows = _exact_rows(lines, anchor) or _value_rows(lines, anchor)
        found[index] = [(positions[first], positions[last]) for first, last in sorted(rows)]
    return found


def _label_spans(lines: Lines, anchor: Anchor) -> list[tuple[int, int]]:
    """Offsets from the word to the number, for each list of numbers that names the target."""
    spans = []
    for start, list_start, numbers in _labels.get(lines, lambda: _numbered(lines, anchor.kind), key=anchor.kind):
        at = _where_named(numbers, anchor.target)
        if at is not None:
            spans.append((start, list_start + at))
    return spans


def _numbered(lines: Lines, kind: str) -> list[tuple[int, int, str]]:
    """Every label of a kind: where it starts, where its list of numbers starts, and that list."""
    pattern = re.compile(rf"(?<!\w)(?:{_WORDS[kind]})\s*(?P<list>{_LIST})", re.IGNORECASE)
    return [(found.start(), found.start("list"), found["list"]) for found in pattern.finditer(lines.joined_text)]


def _ordinal_spans(lines: Lines, anchor: Anchor) -> list[tuple[int, int]]:
    """Offsets of the places that name a section or an article by its number in words."""
    if anchor.kind not in ("section", "article") or not anchor.target.isdigit():
        return []
    wanted = int(anchor.target)
    return [
        match.span()
        for match in _by_word.get(lines, lambda: list(_BY_WORD.finditer(fold(lines.joined_text))))
        if read_ordinal(match["labelled"] or match["alone"]) == wanted
    ]


def _value_rows(lines: Lines, anchor: Anchor) -> set[tuple[int, int]]:
    """Lines that state a date or a sum written in another way ('1 March 2024' for '2024-03-01')."""
    if anchor.kind not in ("date", "amount"):
        return set()
    wanted = next((found.value for found in find_values(anchor.target, anchor.kind)), None)
    if wanted is None:
        return set()
    sign = str(wanted.iso.year) if wanted.kind == "date" else re.sub(r"\D", "", anchor.target)[:1]
    return {
        (row, row)
        for row, text in enumerate(lines.searched_texts)
        if sign and sign in text and any(same_value(found.value, wanted) for found in find_values(text, anchor.kind))
    }


def _where_named(numbers: str, target: str) -> int | None:
    """Offset of the end of the target in a list of numbers; None when the list does not name it."""
    wanted = target.casefold().strip(".")
    wanted = wanted.strip("()") if wanted.startswith("(") else wanted
    for number in re.finditer(_NUMBER, numbers, re.IGNORECASE):
        written = number.group().casefold()
        if written == wanted or re.sub(r"(?:\([a-z0-9]{1,4}\))+$", "", written) == wanted:
            return number.end()
        if wanted.isdigit() and re.fullmatch(rf"{re.escape(wanted)}[a-z]", written):
            return number.end()
    if wanted.isdigit():
        for bounds in _RANGE.finditer(numbers):
            low, high = int(bounds[1]), int(bounds[2])
            if low < int(wanted) < high <= low + MAX_RANGE:
                return bounds.end()
    return None


def _exact_rows(lines: Lines, anchor: Anchor) -> set[tuple[int, int]]:
    rows: set[tuple[int, int]] = set()
    for wanted in dict.fromkeys((anchor.target, anchor.text)):
        try:
            hits = TermMatcher([wanted.strip("\"'“”«»")]).find_in(lines.searchable)
        except ValueError:  # nothing to search for in it
            continue
        rows.update(zip(hits.text_index.tolist(), hits.end_text_index.tolist(), strict=True))
        if rows:
            break
    return rows
