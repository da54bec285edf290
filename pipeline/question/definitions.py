# ruff: noqa: E501  # a pattern is read whole, on one line
"""Terms whose meaning is asked: 'What does "Affiliate" mean?', and which of them the document defines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dictionaries.inflection import written_forms
from dictionaries.matching import searched_form
from pipeline.question.anchors import FoundAnchor, find_anchors
from pipeline.question.reading import Piece
from schemas.question import Anchor

if TYPE_CHECKING:
    from schemas.document import ParsedDocument

MAX_TERM_WORDS = 8  # words of a defined term, as parsing reads them

_OPEN, _CLOSE = r"[\"“«‘'`]?\s*", r"\s*[\"”»’'`]?"
_ARTICLE = r"(?:(?:the|an?|el|la|los|las|un|una|le|les|une?)\s+|l['’])?(?:(?:defined\s+)?(?:term|terms|word|expression|phrase|t[eé]rminos?|palabra|expresi[oó]n|terme|mot)\s+)?"
_TERM = rf"{_ARTICLE}{_OPEN}(?P<term>[^\"“”«»‘`?!,;:]{{2,80}}?){_CLOSE}"
_END = (
    r"(?=\s*(?:[?.!,;]|$|\b(?:in|under|for|as|en|dans|selon|según)\s+(?:the|this|el|este|esta|la|le|ce|cette|l['’])))"
)
_MEANINGS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bwhat\s+(?:do|does|did|would)\s+{_TERM}\s+(?:mean|refer\s+to|stand\s+for)\b",
        rf"\b(?:what\s+is\s+(?:meant|understood)\s+by|meaning\s+of|definition\s+(?:of|for)|how\s+(?:is|are)\s+{_TERM.replace('<term>', '<other>')}\s+defined|define)\s*(?:{_TERM}{_END})?",
        rf"\b(?:qu[eé]\s+(?:significan?|quieren?\s+decir)|qu[eé]\s+se\s+entiende\s+por|significado\s+de|definici[oó]n\s+del?|c[oó]mo\s+se\s+definen?|define|defina)\s+{_TERM}{_END}",
        rf"(?<!\w)(?:que\s+(?:signifie(?:nt)?|veut\s+dire|veulent\s+dire|d[eé]signe(?:nt)?)|qu['’](?:entend-on|est-ce\s+qu['’]on\s+entend)\s+par|signification\s+d[eu]|d[eé]finition\s+d[eu]|d['’]finissez|d[eé]finir|d[eé]finissez|comment\s+d[eé]finit-on)\s+{_TERM}{_END}",
    )
)


def find_tokens(text: str, document: ParsedDocument | None) -> tuple[tuple[FoundAnchor, ...], tuple[str, ...]]:
    """The exact tokens of a question, with the defined term whose meaning it asks; a note where there is none such."""
    anchors = find_anchors(text)
    meaning = find_meaning(text)
    if meaning is None or document is None:
        return anchors, ()
    written = defined_in(document, meaning.text)
    if written is not None:
        return _with_defined_term(anchors, meaning, written), ()
    if meaning.text[:1].isupper() or any(found.anchor.text == meaning.text for found in anchors):
        return anchors, (f"The document defines no term '{meaning.text}' that was recognised; its words are searched.",)
    return anchors, ()


def find_meaning(text: str) -> Piece | None:
    """The term whose meaning a question asks, as it stands there, without quotation marks and article; else None."""
    for pattern in _MEANINGS:
        for match in pattern.finditer(text):
            group = "term" if match["term"] else "other" if match.groupdict().get("other") else None
            if group is None:
                continue
            term = match[group].strip(" '’.")
            if term and len(term.split()) <= MAX_TERM_WORDS:
                start = match.start(group) + match[group].index(term)
                return Piece(start, start + len(term), term)
    return None


def defined_in(document: ParsedDocument, term: str) -> str | None:
    """The document's defined term that a term names, as it is written there; None where it defines no such term.

    Case, accents, plural and singular aside; one that is written alike comes before one that is only inflected.
    """
    objects = document.object_df
    defined: list[str] = objects.loc[objects["object_type"] == "definition", "object_id"].tolist()
    if term in defined:
        return term
    try:
        forms = set(written_forms(searched_form(term)))
    except ValueError:  # no letter to compare by
        return None
    for written in defined:
        try:
            form = searched_form(written)
        except ValueError:
            continue
        if form in forms:
            return written
    return None


def _with_defined_term(anchors: tuple[FoundAnchor, ...], meaning: Piece, written: str) -> tuple[FoundAnchor, ...]:
    """The anchors with the defined term in place of those that its words made."""
    own = FoundAnchor(Anchor(kind="defined_term", text=written, target=written), meaning.span)
    others = (found for found in anchors if found.span[1] <= meaning.start or meaning.end <= found.span[0])
    return tuple(sorted((*others, own), key=lambda found: found.span))
