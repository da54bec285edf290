"""Mentions of other places in a passage, and the words around them that say: there stands what is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pipeline.retrieval.lines import Lines

if TYPE_CHECKING:
    from schemas.document import ParsedDocument

TABULAR = frozenset({"schedule", "exhibit", "annex", "appendix", "table"})  # a table of particulars, by its name
_COLUMNS = ("ref_type", "ref_id", "line_id", "char_start", "target_line_id")
MAX_TOLD = 80  # characters of a mention and the words before it that are shown
BEFORE, AFTER = 70, 60  # characters read before and after a mention

# 'set out in', 'as defined in', 'has the meaning given to it in': what is meant stands there.
_SAID = (
    r"(?:set\s+(?:forth|out)|defined|specified|described|stated|provided(?:\s+for)?|prescribed|determined|calculated"
    r"|computed|identified|listed|indicated|detailed|contained|shown|given|ascribed|assigned|established|fixed|agreed"
    r"|mentioned|referred\s+to|referenced|outlined|enumerated)"
)
_SAID_ES = (
    r"(?:establecid|fijad|previst|indicad|definid|recogid|señalad|especificad|descrit|determinad|detallad|estipulad"
    r"|mencionad|pactad|contenid|referid|dispuest)[oa]s?"
)
_SAID_FR = (
    r"(?:pr[ée]vu|fix[ée]|d[ée]fini|indiqu[ée]|pr[ée]cis[ée]|stipul[ée]|mentionn[ée]|d[ée]crit|d[ée]termin[ée]|vis[ée]"
    r"|[ée]nonc[ée]|expos[ée]|d[ée]taill[ée])e?s?"
)
_WHERE = re.compile(
    rf"(?:\b{_SAID}\s+(?:(?:to\s+)?(?:it|them|such\s+terms?)\s+|herein\s+|below\s+|above\s+)?(?:in|on|under|by|at|pursuant\s+to"
    r"|in\s+accordance\s+with)"
    r"|\b(?:see|refer\s+to|as\s+per|meaning\s+(?:of|in|under))"
    rf"|\b{_SAID_ES}\s+(?:en|por)|\b(?:v[ée]ase|seg[úu]n|conforme\s+a|de\s+acuerdo\s+con)"
    rf"|\b{_SAID_FR}\s+(?:[àa]|dans|en|par)|\b(?:voir|selon|conform[ée]ment\s+[àa])"
    r")\s*(?:(?:the|this|its|attached|following|el|la|los|las|l|le|les|au|aux)\b[\s'’]*)*$",
    re.IGNORECASE,
)
# A schedule is a table of particulars: whatever the word before it, it holds them.
_BEFORE_TABLE = re.compile(
    r"(?:\b(?:in|on|with|per|under|to|by|en|con|a|al|dans|avec|[àa])|[àa]\s+l['’])\s*"
    r"(?:(?:the|this|attached|el|la|l|le)\b[\s'’]*)*$",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"^\s*(?:\([^)]{0,40}\)\s*)?(?:hereto\s+|hereof\s+)?(?:shall\s+)?(?:sets?\s+(?:out|forth)|specif|states?\b|lists?\b|contains?\b|shows?\b"
    r"|describes?\b|defines?\b|provides?\b|establece|fija|indica|recoge|contiene|fixe|pr[ée]cise|indique|contient)",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:this|the\s+present|est[ea]|l[ae]\s+pr[ée]sente?)\s+$", re.IGNORECASE)  # 'in this Section 4'
_LAW = re.compile(
    r"^[\w.()]*\s*(?:et\s+seq\.?\s*)?(?:of|under|to|del?|de\s+la|du)\s+(?:the\s+|title\s+)?(?:[A-Z0-9][\w.,’']*\s+){0,6}"
    r"(?:Act|Code|Law|Laws|Regulations?|Rules?|Statutes?|U\.?S\.?C|C\.?F\.?R|Ley|C[óo]digo|Loi)\b"
)
_TITLE = re.compile(r"\s*[(\[\"“”‘«:–—-]")
_OF_LAW = re.compile(r"(?:\bU\.?S\.?C|\bC\.?F\.?R|\bAct|\bCode|\bC[óo]digo|\bLey)\b[\W\d]*$")
# Words that name a value of a type: 'Initial Term' a period, 'Effective Date' a date, 'Minimum Annual Royalty' a sum.
_NAMES = {
    "date": r"dates?|day|deadline|time|fechas?|d[íi]a|jour|[ée]ch[ée]ance|closing|commencement",
    "duration": r"terms?|periods?|durations?|time|window|years?|months?|plazos?|per[íi]odos?|duraci[óo]n|vigencia"
    r"|dur[ée]es?|p[ée]riodes?|d[ée]lais?",
    "amount": r"fees?|prices?|pricing|amounts?|payments?|royalt(?:y|ies)|rents?|costs?|caps?|considerations?|charges?"
    r"|premiums?|salary|rates?|minimums?|maximums?|deposits?|sums?|limits?|compensation|commissions?|value|budget"
    r"|commitments?|honorarios?|precios?|importes?|c[áa]non|tarifas?|rentas?|cuotas?|primas?|l[íi]mites?|prix"
    r"|montants?|redevances?|loyers?|frais|primes?|plafonds?|honoraires",
    "percentage": r"rates?|percentages?|shares?|royalt(?:y|ies)|interests?|commissions?|margins?|discounts?|mark-?ups?"
    r"|tasas?|porcentajes?|tipos?|comisi[óo]n|taux|pourcentages?|marges?|remises?",
    "number": r"numbers?|quantit(?:y|ies)|minimums?|maximums?|volumes?|targets?|n[úu]meros?|cantidad(?:es)?|nombres?"
    r"|quantit[ée]s?",
}
_VALUE_NAME = {kind: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for kind, words in _NAMES.items()}


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of a place; `start` and `end` count characters of its passage's text, `told` shows it with its cue."""

    kind: str
    ref_id: str
    position: int
    start: int
    end: int
    target_line_id: int | None
    told: str


@dataclass(frozen=True)
class MentionIndex:
    """The mentions of a document by the line they stand on; `line_ids` are those of the mentions, unordered."""

    lines: Lines
    refs: pd.DataFrame
    line_ids: NDArray[np.int64]

    @classmethod
    def of(cls, document: ParsedDocument, lines: Lines) -> Self:
        """The index of a document whose lines were read."""
        refs = document.cross_ref_df
        return cls(lines, refs, refs["line_id"].to_numpy(dtype=np.int64))

    def has_any(self, block: int) -> bool:
        """True when a passage mentions a place at all."""
        return bool(len(self._rows(block)))

    @cached_property
    def _columns(self) -> list[list[Any]]:
        return [self.refs[name].tolist() for name in _COLUMNS]

    def at(self, block: int, answer_type: str) -> tuple[Mention, ...]:
        """The mentions in a passage, in order, each place once; those of the section they stand in are none.

        Of the defined terms only those that name a value of the type asked for.
        """
        rows = self._rows(block)
        if not len(rows):
            return ()
        offsets, at = {}, 0
        for position in self.lines.block_positions(block):
            offsets[self.lines.line_ids[position]] = at
            at += len(self.lines.texts[position]) + 1
        text = self.lines.block_text(block)
        found: dict[tuple[str, str], Mention] = {}
        for row in rows.tolist():
            kind, ref_id, line_id, char_start, target = (column[row] for column in self._columns)
            if kind == "definition" and not names_value(ref_id, answer_type):
                continue
            start = offsets.get(line_id, -1) + char_start
            if line_id not in offsets or _SELF.search(text[:start]):
                continue
            line = None if pd.isna(target) else int(target)
            position = self.lines.position(line_id)
            mention = _mention(text, kind=kind, ref_id=ref_id, start=start, position=position, target=line)
            found.setdefault((kind, ref_id), mention)
        return tuple(sorted(found.values(), key=lambda mention: (mention.start, mention.kind)))

    def _rows(self, block: int) -> NDArray[np.int64]:
        positions = self.lines.block_positions(block)
        first, last = self.lines.line_ids[positions[0]], self.lines.line_ids[positions[-1]]
        return np.flatnonzero((self.line_ids >= first) & (self.line_ids <= last)).astype(np.int64)


def _mention(text: str, *, kind: str, ref_id: str, start: int, position: int, target: int | None) -> Mention:
    inside = text.find(ref_id, start, start + len(ref_id) + len(kind) + 12)  # 'Section', a sign or two, the number
    end = inside + len(ref_id) if inside >= 0 else start + len(ref_id)
    told = text[start:end] if inside >= 0 else ref_id if kind == "definition" else f"{kind} {ref_id}"
    cue = _WHERE.search(text[max(0, start - BEFORE) : start])
    shown = " ".join(f"{cue.group() if cue else ''} {told}".split())[:MAX_TOLD]
    return Mention(kind, ref_id, position, start, end, target, shown)


def says_where(sentence: str, start: int, end: int, *, tabular: bool) -> bool:
    """True when the sentence says that what it speaks of stands at the place it mentions; `tabular`: in a schedule."""
    before, after = sentence[max(0, start - BEFORE) : start], sentence[end : end + AFTER]
    if _WHERE.search(before) or _TELLS.match(after):
        return True
    return tabular and _BEFORE_TABLE.search(before) is not None


def opens_title(after: str) -> bool:
    """True when a title in brackets, in quotes or behind a dash follows a number: 'Section 9 (Insurance)'."""
    return _TITLE.match(after) is not None


def is_law(after: str, before: str = "") -> bool:
    """True when the words around a mention make it one of a statute: 'Section 365 of the Bankruptcy Code'."""
    return _LAW.match(after[:AFTER]) is not None or _OF_LAW.search(before[-BEFORE:]) is not None


def names_value(term: str, answer_type: str) -> bool:
    """True for a defined term that names a value of the type: 'Initial Term' a period, 'Effective Date' a date."""
    pattern = _VALUE_NAME.get(answer_type)
    return pattern is not None and pattern.search(term) is not None
