# ruff: noqa: E501  # patterns are read whole, on one line
"""Clauses that say which text prevails where two differ, and which side of a conflict they name; never more than that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from dictionaries.folding import folded_text
from pipeline.wording import tell_place
from schemas.answer import Answer
from schemas.conflicts import Conflict, ConflictSide, Precedence
from schemas.document import ParsedDocument
from schemas.tables import NOT_TEXT_ROLES

if TYPE_CHECKING:
    import pandas as pd

MAX_QUOTE = 500  # characters of a clause in a statement
MAX_CLAUSES = 3  # clauses on precedence quoted of one document
TITLE_LINES = 6  # visible lines at the head of a document in which its title stands
NEW_TEXT_LINES = 25  # lines after 'is replaced by the following' in which the new text stands

# A sentence on precedence speaks of a contradiction and says that something wins. Conflicts of law or of interest are
# other matters. English, Spanish, French: the languages of the dictionaries.
_CONTRADICTION = re.compile(
    r"\b(?:conflicts?(?! of (?:laws?|interests?))|inconsisten\w+|discrepanc\w+|contradict\w+|ambiguit\w+"
    r"|conflictos?(?! de (?:leyes|inter[eé]s\w*))|contradicci[oó]n\w*|discrepancias?|incoherencias?"
    r"|conflits?(?! (?:de lois?|d['’]int[eé]r[eê]ts?))|divergences?|incoh[eé]rences?)\b",
    re.IGNORECASE,
)
_WINNING = re.compile(
    r"\b(?:prevails?|precedence|overrides?|supersedes?|(?:shall|will|must) (?:control|govern)|controls"
    r"|prevalec\w+|primar[aá]n?|pr[eé]vau\w+|pr[eé]valen\w+|l['’]emporte\w*|prim(?:e|ent|era|eront))\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*(?:\(?[a-z0-9]{1,4}[).]|[-•–])\s", re.IGNORECASE)  # (a), 1., iv), a dash or a bullet
_SENTENCE_END = re.compile(r"(?<=[.;])\s+(?=[\"“«(]?[A-ZÀ-Ý0-9])")

# What kinds of text an agreement is made of, most particular first: their names in titles and in clauses.
_KINDS: tuple[tuple[str, str], ...] = (
    ("amendment", r"amendments?|addend(?:um|a)|supplements?|side letters?|adendas?|enmiendas?|modificaci(?:on|ones)|novaci(?:on|ones)|avenants?|modificatif"),
    ("order", r"order forms?|purchase orders?|statements? of work|work orders?|sows?|orders?|pedidos?|bons? de commande|commandes?"),
    ("schedule", r"schedules?|exhibits?|annex(?:es)?|appendi(?:x|ces)|attachments?|anexos?|annexes?"),
    ("agreement", r"(?:main )?(?:agreements?|contracts?)|main body|sections?|clauses?|contratos?|acuerdos?|convenios?|clausulas?|contrats?|accords?|conventions?|conditions particulieres"),
)  # fmt: skip
_NAMED = "|".join(f"(?P<{kind}>{words})" for kind, words in _KINDS)
_WINNER = re.compile(rf"\b(?P<this>this|the present|(?:el|la|le|the)?\s*presente?|cette?|est[ea])?\s*(?:{_NAMED})\b")
_VERB = re.compile(
    r"\b(?:(?:shall|will|must)\s+(?:also\s+)?(?:prevail|control|govern|take precedence|have precedence|override|supersede)|prevails?|takes? precedence|overrides?|supersedes?|controls?"
    r"|prevalec\w+|primaran?|tendran? prioridad|prevau\w+|prevaud\w+|prevalen\w+|l['’]emporte\w*|prim(?:e|ent|era|eront))\b"
)
_NOT_SO = re.compile(r"\b(?:not|no|nothing|ne|pas|ningun[ao]?|nada)\b")
_REPLACED = re.compile(
    r"\b(?:sections?|clauses?|articles?|paragraphs?|clausulas?|articulos?|apartados?|secci(?:on|ones))\s+(?P<number>\d{1,3}(?:\.\d{1,3}){0,4}|[ivxl]{1,6}(?!\w))"
    r"[^.;]{0,120}?\b(?:(?:is|are|shall be)\s+(?:hereby\s+)?(?:amended|deleted|replaced|superseded|restated|modified)|queda[n]?\s+(?:sustituid|modificad|eliminad|suprimid|derogad|redactad)\w+|(?:est|sont)\s+(?:supprime|remplace|modifie|abroge)\w*)"
)
_REPLACES = re.compile(
    r"\bse (?:sustituye|modifica|elimina|suprime|deroga)n?\b[^.;]{0,60}?\b(?:clausulas?|articulos?|apartados?|secci(?:on|ones))\s+(?P<number>\d{1,3}(?:\.\d{1,3}){0,4})"
)
_ORDER = re.compile(
    r"\border of (?:precedence|priority)|\borden de (?:prelacion|prioridad|precedencia)|\bordre (?:de priorite|de preseance|suivant)"
)
_NUMBER = re.compile(
    r"^\s*(?:(?:section|clause|article|clausula|articulo)\s+)?(?P<number>\d{1,3}(?:\.\d{1,3}){0,4})\.?(?=\s|$)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence of a document with its place in plain words and the line_id of its first line."""

    doc_id: str
    text: str
    place: str
    line_id: int


def find_precedence(document: ParsedDocument) -> list[str]:
    """Sentences that say which text prevails where two differ, verbatim, with page and lines; at most three."""
    return [f'{one.place}: "{_shorten(one.text)}"' for one in precedence_clauses(document)]


def precedence_clauses(document: ParsedDocument) -> list[Clause]:
    """The sentences on precedence, in order, at most three; one that opens a list has the list with it."""
    paragraphs = _paragraphs(document)
    found = []
    for at, paragraph in enumerate(paragraphs):
        for sentence in _SENTENCE_END.split(" ".join(paragraph["text"])):
            if _CONTRADICTION.search(sentence) and (_WINNING.search(sentence) or _ORDER.search(folded_text(sentence))):
                listed: list[pd.DataFrame] = []
                text = sentence
                if sentence.rstrip().endswith(":"):  # the order itself is the list that follows
                    listed = list(takewhile(_is_item, paragraphs[at + 1 :]))
                    text = " ".join([sentence, *(" ".join(item["text"]) for item in listed)])
                found.append(_clause(document, text, paragraph, listed))
    return found[:MAX_CLAUSES]


def name_prevailing(conflict: Conflict, documents: Mapping[str, ParsedDocument]) -> Conflict:
    """The conflict with the side that a clause lets prevail; as it is where none does, or clauses name several sides.

    `documents` are those of the conflict by their id; with one, its sides are told apart by the schedules they stand in.
    A clause that replaces the very section of another side comes before a general one.
    """
    sides = {side.candidate_id: side for side in conflict.sides}
    if len(sides) < 2 or conflict.prevails is not None:
        return conflict
    for named in (_replacing(conflict.sides, documents), _by_order(conflict.sides, documents)):
        winners = {_doc_of(side, documents) if len(documents) > 1 else side.candidate_id for side, _ in named}
        if len(winners) == 1:
            side, clause = named[0]
            prevails = Precedence(candidate_id=side.candidate_id, quote=clause.text, place=clause.place)
            return conflict.model_copy(update={"prevails": prevails})
        if winners:
            return conflict
    return conflict


def with_prevailing(answer: Answer, document: ParsedDocument) -> Answer:
    """The answer with what prevails named in its conflicts, where a clause of the document says so, and a caveat of it."""
    conflicts = tuple(name_prevailing(one, {document.doc_id: document}) for one in answer.conflicts)
    if conflicts == answer.conflicts:
        return answer
    told = []
    for one in conflicts:
        side = next(
            (side for side in one.sides if one.prevails and side.candidate_id == one.prevails.candidate_id), None
        )
        if one.prevails is not None and side is not None:
            told.append(f'{side.place} prevails by {one.prevails.place}: "{_shorten(one.prevails.quote)}"')
    return answer.model_copy(update={"conflicts": conflicts, "caveats": (*answer.caveats, *told)})


def _replacing(
    sides: Sequence[ConflictSide], documents: Mapping[str, ParsedDocument]
) -> list[tuple[ConflictSide, Clause]]:
    """Sides whose document replaces the section that another side stands in, by the text that they stand in."""
    named = []
    for side in sides:
        document = documents[_doc_of(side, documents)]
        for clause, number in _replacements(document):
            is_new = clause.line_id <= side.line_end and side.line_start <= clause.line_id + NEW_TEXT_LINES
            replaced = [
                other for other in sides
                if _doc_of(other, documents) != document.doc_id
                and _stands_in(documents[_doc_of(other, documents)], other.line_start, number)
            ]  # fmt: skip
            if is_new and replaced:
                named.append((side, clause))
    return named


def _by_order(
    sides: Sequence[ConflictSide], documents: Mapping[str, ParsedDocument]
) -> list[tuple[ConflictSide, Clause]]:
    """The side that each clause on precedence names, where it names one and not the others."""
    named = []
    kinds = {side.candidate_id: _kind_of_side(side, documents) for side in sides}
    for document in documents.values():
        own = _kind_of(document)
        for clause in precedence_clauses(document):
            for kind, is_self in _winners(clause.text):
                if is_self and len(documents) > 1 and kind == own:
                    matching = [side for side in sides if _doc_of(side, documents) == document.doc_id]
                else:
                    matching = [side for side in sides if kinds[side.candidate_id] == kind]
                others = (
                    {_doc_of(side, documents) for side in matching}
                    if len(documents) > 1
                    else {side.candidate_id for side in matching}
                )
                if matching:
                    if len(others) == 1 and len(matching) < len(sides):
                        named.append((matching[0], clause))
                    break
    return named


def _winners(clause: str) -> list[tuple[str, bool]]:
    """Kinds of text that a clause lets win, the first first, each with whether it is the clause's own document."""
    folded = folded_text(" ".join(clause.split()))
    if _ORDER.search(folded):
        listed = re.split(r"(?:(?<=[\s:;,])\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[).]\s|\s[-•–]\s)", folded)[1:]
        return [winner for piece in listed if (winner := _named_in(piece)) is not None]
    verb = next((match for match in _VERB.finditer(folded)), None)
    if verb is None:
        return []
    before = re.split(r"[,;:]", folded[: verb.start()])[-1]
    if _NOT_SO.search(before):
        return []
    last = _last_named(before)
    if last is None:  # 'prevalecerá la presente Adenda', 'prévaudra le présent Avenant': the subject stands behind
        last = _named_in(folded[verb.end() : verb.end() + 60])
    return [last] if last is not None else []


def _named_in(text: str) -> tuple[str, bool] | None:
    match = _WINNER.search(text)
    return _told(match) if match is not None else None


def _last_named(text: str) -> tuple[str, bool] | None:
    """The subject before the verb: of 'the terms of this Amendment' the Amendment; of several names none is the subject."""
    matches = list(_WINNER.finditer(text))
    told = {_told(match) for match in matches}
    return next(iter(told)) if len(told) == 1 else None


def _told(match: re.Match[str]) -> tuple[str, bool]:
    kind = next(name for name, _ in _KINDS if match[name])
    return kind, match["this"] is not None


def _kind_of(document: ParsedDocument) -> str:
    """What kind of text a document is, by the words at its head; an agreement where none says otherwise."""
    lines = document.line_df[document.line_df["visible"] & ~document.line_df["role"].isin(NOT_TEXT_ROLES)]
    head = folded_text(" ".join(lines["text"].head(TITLE_LINES)))
    first = _WINNER.search(head)
    return _told(first)[0] if first is not None else "agreement"


def _kind_of_side(side: ConflictSide, documents: Mapping[str, ParsedDocument]) -> str:
    document = documents[_doc_of(side, documents)]
    own = _kind_of(document)
    if own != "agreement" or len(documents) > 1:
        return own
    toc = document.toc_df
    around = toc[(toc["start_line_id"] <= side.line_start) & (side.line_start <= toc["end_line_id"])]
    titles = [folded_text(title) for title in around["title"].tolist()]
    is_schedule = any(re.match(rf"\s*(?:{_KINDS[2][1]})\b", title) for title in titles)
    return "schedule" if is_schedule else "agreement"


def _replacements(document: ParsedDocument) -> list[tuple[Clause, str]]:
    """Sentences by which a document replaces a section of another, with the number of that section."""
    found = []
    for paragraph in _paragraphs(document):
        text = " ".join(" ".join(paragraph["text"]).split())
        folded = folded_text(text)
        for pattern in (_REPLACED, _REPLACES):
            found += [(_clause(document, text, paragraph, []), match["number"]) for match in pattern.finditer(folded)]
    return found


def _stands_in(document: ParsedDocument, line_id: int, number: str) -> bool:
    """True when a line stands under the section of that number: the nearest number above that is not inside it."""
    above = document.line_df[document.line_df["line_id"] <= line_id]["text"].tolist()
    for text in reversed(above):
        match = _NUMBER.match(folded_text(text))
        if match is None:
            continue
        if match["number"] == number or match["number"].startswith(f"{number}."):
            return True
        if match["number"].count(".") <= number.count("."):
            return False
    return False


def _doc_of(side: ConflictSide, documents: Mapping[str, ParsedDocument]) -> str:
    return side.candidate_id.rpartition("/")[0] or next(iter(documents))


def _paragraphs(document: ParsedDocument) -> list[pd.DataFrame]:
    lines = document.line_df[document.line_df["visible"] & ~document.line_df["role"].isin(NOT_TEXT_ROLES)]
    return [paragraph for _, paragraph in lines.groupby("paragraph_id", sort=True)]


def _clause(document: ParsedDocument, text: str, paragraph: pd.DataFrame, listed: Sequence[pd.DataFrame]) -> Clause:
    page, start = (int(paragraph[name].iloc[0]) for name in ("page_num", "line_num"))
    last = listed[-1] if listed else paragraph
    end_page, end = (int(last[name].iloc[-1]) for name in ("page_num", "line_num"))
    place = tell_place(document.profile.identity.page_unit, (page, end_page), (start, end))
    return Clause(document.doc_id, text, f"{document.source_name}, {place}", int(paragraph["line_id"].iloc[0]))


def _is_item(paragraph: pd.DataFrame) -> bool:
    first = paragraph.iloc[0]
    return first["role"] == "body" and _ITEM.match(str(first["text"])) is not None


def _shorten(text: str) -> str:
    plain = " ".join(text.split())
    # Cut between words: half a figure reads as another figure.
    return plain if len(plain) <= MAX_QUOTE else plain[: MAX_QUOTE + 1].rpartition(" ")[0] + " …"
