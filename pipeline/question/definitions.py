# ruff: noqa: E501  # a pattern is read whole, on one line
"""Terms whose meaning is asked: 'What does "Affiliate" mean?', and which of them the document defines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from dictionaries.matching import searched_form
from pipeline.question.anchors import FoundAnchor, find_anchors
from pipeline.question.reading import Piece
from schemas.question import Anchor

if TYPE_CHECKING:
    from schemas.document import ParsedDocument

MIN_NAME = 4  # letters; shorter words of a name are written small ('Change of Control')
MAX_NEAR = 3  # defined terms named that hold the words of one that is not defined
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
        rf"\bwhat\s+(?:do|does|did|would)\s+{_TERM}\s+(?:mean(?!\s+by\b)|refer\s+to|stand\s+for)\b",
        rf"\b(?:what\s+is\s+(?:meant|understood)\s+by|mean\s+by|meaning\s+of|definition\s+(?:of|for)|how\s+(?:is|are)\s+{_TERM.replace('<term>', '<other>')}\s+defined|define)\s*(?:{_TERM}{_END})?",
        rf"\b(?:qu[eé]\s+(?:significan?|quieren?\s+decir)|qu[eé]\s+se\s+entiende\s+por|significado\s+de|definici[oó]n\s+del?|c[oó]mo\s+se\s+definen?|define|defina)\s+{_TERM}{_END}",
        rf"(?<!\w)(?:que\s+(?:signifie(?:nt)?|veut\s+dire|veulent\s+dire|d[eé]signe(?:nt)?)|qu['’](?:entend-on|est-ce\s+qu['’]on\s+entend)\s+par|signification\s+d[eu]|d[eé]finition\s+d[eu]|d['’]finissez|d[eé]finir|d[eé]finissez|comment\s+d[eé]finit-on)\s+{_TERM}{_END}",
    )
)
# A question of nothing but a term: 'What is an Insolvency Event?', '¿Qué es ...?', 'Qu'est-ce qu'un ...?'.
_BARE = re.compile(
    rf"^[\s¿]*(?:what(?:\s+is|\s+are|['’]s)|qu[eé]\s+(?:es|son)|qu['’]est[-\s]ce\s+qu(?:e\s+|['’])|que\s+sont|c['’]est\s+quoi)\s*"
    rf"(?:(?:(?P<one>an?|un|una|unos|unas|une|des)|the|el|la|los|las|le|les)\s+|l['’])?{_OPEN}(?P<term>[^\"“”«»‘`?!,;:]{{2,80}}?){_CLOSE}"
    r"(?:\s*,?\s+(?:in|under|for|en|dans|selon|según)\s+(?:the|this|el|este|le|ce|l['’])\s*(?:agreement|contract|document|contrato|acuerdo|documento|contrat|accord))?[\s?.]*$",
    re.IGNORECASE,
)
# What stands behind a term where it is defined or described.
_SAYS = (
    r"means?|shall\s+mean|will\s+mean|refers?\s+to|stands?\s+for|denotes?|(?:is|are)\s+(?:defined|understood|an?|the|any|each)|(?:has|have)\s+the\s+(?:same\s+)?meaning|"
    r"significan?|se\s+entiende|se\s+refieren?\s+a|(?:es|son)\s+(?:un|una|el|la|los|las)|tendrán?\s+el\s+significado|"
    r"signifient?|signifie|désignent?|s['’]entend(?:ent)?|(?:est|sont)\s+(?:une?|le|la|les|défini\w*)"
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The exact tokens of a question; `notes` on a term that is not defined, `unmet` where no line says what it means.

    Both are empty where no meaning is asked or the document defines the term.
    """

    anchors: tuple[FoundAnchor, ...]
    notes: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()


def find_tokens(text: str, document: ParsedDocument | None, *, names_value: Callable[[str], bool]) -> Tokens:
    """The exact tokens of a question, with the defined term whose meaning it asks.

    A question of nothing but a term ('What is an Insolvency Event?') asks for its meaning where the document defines
    that term; 'What is the Effective Date?' asks for a date, as `names_value` says of words that the experts know for a
    value. A term in quotation marks or capitals that nothing in the document defines or describes is unmet.
    """
    anchors = find_anchors(text)
    if document is None:
        return Tokens(anchors)
    meaning = find_meaning(text)
    if meaning is None:
        bare = _bare_term(text, names_value)
        written = defined_in(document, bare.text) if bare is not None else None
        if bare is None or written is None or not _is_name(bare.text, written):
            return Tokens(anchors)
        return Tokens(_with_defined_term(anchors, bare, written))
    written = defined_in(document, meaning.text)
    if written is not None:
        return Tokens(_with_defined_term(anchors, meaning, written))
    if meaning.text[:1].isupper() or any(found.anchor.text == meaning.text for found in anchors):
        is_term = all(word[:1].isupper() for word in meaning.text.split() if len(word) >= MIN_NAME)
        others = (found for found in anchors if found.anchor.kind != "quoted")
        is_label = any(found.span[0] < meaning.end and meaning.start < found.span[1] for found in others)
        is_quoted = any(found.anchor.text == meaning.text for found in anchors)
        if is_label or not (is_term or is_quoted) or _is_described(document, meaning.text):
            return Tokens(
                anchors,
                (f"The document defines no term '{meaning.text}' that was recognised; its words are searched.",),
            )
        unmet = (_not_defined(document, meaning.text),)
        return Tokens(anchors, unmet, unmet)
    return Tokens(anchors)


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


def _not_defined(document: ParsedDocument, term: str) -> str:
    objects = document.object_df
    defined: list[str] = objects.loc[objects["object_type"] == "definition", "object_id"].tolist()
    near = [repr(one) for one in defined if _words(term) in _words(one)][:MAX_NEAR]
    return f"The document does not define '{term}': no line of it says what it means." + (
        f" It defines {', '.join(near)}." if near else ""
    )


def _words(term: str) -> str:
    words = re.split(r"\W+", folded_text(term))
    return f" {' '.join(words)} "


def _bare_term(text: str, names_value: Callable[[str], bool]) -> Piece | None:
    """The term of a question that asks what it is and nothing else; None for any other question."""
    match = _BARE.match(text)
    if match is None or len(match["term"].split()) > MAX_TERM_WORDS:
        return None
    if not match["one"] and names_value(match["term"]):
        return None
    return Piece(match.start("term"), match.end("term"), match["term"])


def _is_name(asked: str, written: str) -> bool:
    """True where the question writes the term as a name, in capitals or quotation marks, as the document does.

    'What is the term?' asks for a value; 'What is the Term?' for what the contract calls so.
    """
    return asked[:1].isupper() or not written[:1].isupper()


def _is_described(document: ParsedDocument, term: str) -> bool:
    """True where a line says what a term is: 'X is a', 'X means', 'X: ...', 'the whole name (X)'."""
    frame = document.line_df
    text = "\n".join(frame.loc[frame["visible"], "text"].tolist())
    words = r"\s+".join(re.escape(word) for word in term.split())
    quoted = r"[\"“”«»‘’'`]?"
    patterns = (
        rf"(?<!\w){words}s?\s*{quoted}\s*,?\s*(?:\([^)]{{1,80}}\)\s*)?(?:{_SAYS})(?!\w)",
        rf"\((?:[^()]{{0,40}}\W)?{words}\s*{quoted}\)",
        rf"^\W*{words}\s*{quoted}\s*(?::|\t|[-–—]\s|\([A-Z])",
        rf"(?<!\w){words}\s+\([^)]{{3,80}}\)",
        rf"\b(?:known\s+as|called|referred\s+to\s+as|denominad[oa]s?|llamad[oa]s?|appelée?s?|dénommée?s?)\s+(?:the\s+|an?\s+|el\s+|la\s+|le\s+)?{quoted}{words}(?!\w)",
    )
    return any(re.search(pattern, text, re.IGNORECASE | re.MULTILINE) for pattern in patterns)


def _with_defined_term(anchors: tuple[FoundAnchor, ...], meaning: Piece, written: str) -> tuple[FoundAnchor, ...]:
    """The anchors with the defined term in place of those that its words made."""
    own = FoundAnchor(Anchor(kind="defined_term", text=written, target=written), meaning.span)
    others = (found for found in anchors if found.span[1] <= meaning.start or meaning.end <= found.span[0])
    return tuple(sorted((*others, own), key=lambda found: found.span))
