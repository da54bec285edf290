"""Named objects that a text may refer to: figures, tables, equations, annexes and defined terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import ATTACHED, ends_sentence, read_number, squeeze
from schemas.tables import OBJECT_DF

MAX_NAME_WORDS = 12  # words of a line that names a schedule; longer lines are sentences about it
MAX_EQUATION_CHARS = 120  # characters; longer lines are sentences
MAX_TERM_WORDS = 8  # words of a defined term
MAX_TERMS = 5_000  # defined terms of a document; a hostile one cannot name more

ID = (  # capitals are meant as such: 'article a' names nothing, 'Article A' does
    r"(?-i:\d{1,4}(?:\.\d{1,3}){0,4}[A-Za-z]?(?![\w%])|[IVXLC]{1,7}(?!\w)"
    r"|[A-Z](?:[-.]?\d{1,3}(?:\.\d{1,3})*)?(?![\w'’]))"
)
_CAPTION_TYPES = {
    "figure": "figure", "fig": "figure", "figura": "figure", "abbildung": "figure", "gráfico": "figure",
    "chart": "figure", "graphique": "figure",
    "table": "table", "tabla": "table", "cuadro": "table", "tableau": "table", "tabelle": "table",
    "equation": "equation", "ecuación": "equation", "équation": "equation",
}  # fmt: skip
_CAPTION = re.compile(
    rf"(?P<word>{'|'.join(sorted(_CAPTION_TYPES, key=len, reverse=True))})\.?\s*(?P<id>{ID})"
    r"(?P<sep>\s*[:.–—|-]\s*|\s*$|\s+)(?P<title>.*)",
    re.IGNORECASE | re.DOTALL,
)
_EQUATION = re.compile(r".*[=≈≤≥∝].*\((?P<id>\d{1,3}(?:\.\d{1,3})?)\)$", re.DOTALL)
_QUOTED = r"(?:“(?P<a>[^“”\"]{1,80})”|\"(?P<b>[^\"“”]{1,80})\"|«\s?(?P<c>[^«»]{1,80}?)\s?»|‘(?P<d>[^‘’]{2,80})’)"
_QUOTES = ("“", '"', "«", "‘")
_MEANS = re.compile(  # “Term” means ..., “Term” or “Other Term” shall have the meaning ...
    _QUOTED + r"\s*(?:\([^)]{0,60}\)\s*)?,?\s*(?:shall\s+|will\s+|each\s+)?"
    r"(?:means?\b|mean\b|has\s+the\s+(?:meaning|same)|have\s+the\s+(?:meaning|same)|is\s+defined|are\s+defined|"
    r"refers?\s+to|includes?\b|significa\b|significará|se\s+entenderá|tendrá\s+el\s+significado|designa\b|"
    r"se\s+refiere|désigne\b|désignent\b|signifie\b|a\s+le\s+sens|s['’]entend|:)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(  # (the “Term”), (hereinafter, “Term”), (en adelante, el “Término”), (ci-après le « Terme »)
    r"\(\s*[^()“”\"«»‘’]{0,60}?" + _QUOTED + r"(?P<more>[^()]{0,160})\)"
)
_SPANISH_MEANS = re.compile(r"se\s+entenderá\s+por\s+" + _QUOTED, re.IGNORECASE)
_EACH = re.compile(_QUOTED)
_ARTICLE = re.compile(r"^(?:the|an?|el|la|los|las|le|les|une?)\s+|^l['’]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class NamedObject:
    """An object with the line of its caption, heading or definition."""

    kind: str
    id: str
    title: str
    line: Line


def find_objects(lines: Sequence[Line]) -> pd.DataFrame:
    """object_df: the first caption, heading or definition of each object, in document order."""
    found: dict[tuple[str, str], NamedObject] = {}
    for line in lines:
        named = _name_object(line)
        if named is not None:
            found.setdefault((named.kind, named.id), named)
    known: set[str] = set()
    for term, line in find_definitions(lines):
        if squeeze(term) not in known and len(known) < MAX_TERMS:
            known.add(squeeze(term))
            found.setdefault(("definition", term), NamedObject("definition", term, line.text, line))
    objects = sorted(found.values(), key=lambda item: (item.line.line_id, item.kind, item.id))
    return OBJECT_DF.build(
        {
            "object_type": [item.kind for item in objects],
            "object_id": [item.id for item in objects],
            "title": [item.title for item in objects],
            "page_num": [item.line.page_num for item in objects],
            "line_id": [item.line.line_id for item in objects],
        }
    )


def read_caption(line: Line, before: Line | None) -> tuple[str, str] | None:
    """Type and number of the figure or table that the line is the caption of; None for a sentence that mentions one.

    `before` is the line above: a sentence that is broken before 'Figure 2.' is no caption.
    """
    if line.text[:1] not in _CAPTION_STARTS:
        return None
    match = _CAPTION.fullmatch(line.text)
    if match is None:
        return None
    title = match["title"]
    separator = match["sep"].strip()
    named = not title or (not title[0].islower() and (bool(separator) or line.bold or _is_titled(title)))
    if not named or _breaks_sentence(line, before):
        return None
    return _CAPTION_TYPES[match["word"].lower()], match["id"]


_CAPTION_STARTS = frozenset(word[0].upper() for word in _CAPTION_TYPES)


def find_definitions(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Each defined term as written, without quotes and article, with the line it begins on, in document order.

    A term is defined where it stands in quotation marks before 'means' and its like, or alone in brackets behind what
    it names. A definition broken over two lines of a paragraph is read across the break.
    """
    seen = [line for line in lines if line.visible and line.role in ("body", "heading", "table", "footnote")]
    for at, line in enumerate(seen):
        if not any(quote in line.text for quote in _QUOTES):
            continue
        after = seen[at + 1] if at + 1 < len(seen) else None
        text = line.text
        if after is not None and after.paragraph_id == line.paragraph_id:
            text = f"{text} {after.text}"
        for pattern in (_MEANS, _BRACKETED, _SPANISH_MEANS):
            for match in pattern.finditer(text):
                start = next(match.start(name) for name in "abcd" if match[name] is not None)
                if start < len(line.text):
                    yield from ((term, line) for term in _read_terms(match))


def _read_terms(match: re.Match[str]) -> Iterator[str]:
    """The terms of a match: several in one bracket, '(each a “Party” and together the “Parties”)'."""
    texts = [next(match[name] for name in "abcd" if match[name] is not None)]
    more = match.groupdict().get("more")
    if more:
        texts += [next(m[name] for name in "abcd" if m[name] is not None) for m in _EACH.finditer(more)]
    for text in texts:
        term = _ARTICLE.sub("", " ".join(text.split()).strip(" ,.;:"))
        words = term.split()
        if term and len(words) <= MAX_TERM_WORDS and _WORD.search(term) and (term[0].isupper() or term[0].isdigit()):
            yield term


def _is_titled(title: str) -> bool:
    words = title.split()
    return len(words) <= MAX_NAME_WORDS and words[0][0].isupper() and not ends_sentence(title)


def _breaks_sentence(line: Line, before: Line | None) -> bool:
    if before is None or before.page_num != line.page_num or before.column != line.column or before.role != "body":
        return False
    near = 0 < line.middle - before.middle <= 1.5 * max(line.size, before.size)
    return (
        near
        and not ends_sentence(before.text)
        and abs(before.size - line.size) < 0.5
        and before.right >= line.right - line.size
    )


def _name_object(line: Line) -> NamedObject | None:
    if not line.visible or line.role not in ("caption", "heading", "body"):
        return None
    if line.role == "caption":
        caption = read_caption(line, None)
        return None if caption is None else NamedObject(caption[0], caption[1], line.text, line)
    if line.role == "heading":
        number = read_number(line.text)
        if number is not None and number.kind in ATTACHED:
            return NamedObject(number.kind, number.id, line.text, line)
        return None
    if not line.text.endswith(")") or len(line.text) > MAX_EQUATION_CHARS:
        return None
    equation = _EQUATION.fullmatch(line.text)
    return None if equation is None else NamedObject("equation", equation["id"], line.text, line)
