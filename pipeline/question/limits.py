"""The limits of a question put together: its filters and hints, held against the document, with a note for each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from dictionaries.matching import searched_form
from pipeline.question.filters import Scope, find_scope
from pipeline.question.hints import Places, find_places, with_only
from pipeline.question.jurisdictions import find_jurisdictions
from pipeline.question.periods import Period, find_period
from pipeline.question.plan import fit_pages
from pipeline.question.reading import Piece, Span
from pipeline.scope.parties import name_parties
from schemas.question import DateRange, ScopeFilters

if TYPE_CHECKING:
    from schemas.document import DocumentProfile, ParsedDocument

MAX_SHOWN = 8  # names listed in a note
_ONLY = re.compile(
    r"\b(?:only|solely|exclusively|just|s[oó]lo|solamente|[uú]nicamente|uniquement|seulement)\s+"
    r"(?:in|within|under|from|en|dans|sous)\b|\b(?:section|clause|article|chapter|secci[oó]n|cl[aá]usula|chapitre)\s+"
    r"(?:\S+\s+)?(?:only|s[oó]lo|solamente|uniquement|seulement)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:current(?:ly)?|at present|presently|today|right now|as of now|nowadays|actualmente|hoy|a dia de hoy|"
    r"vigente hoy|actuellement|aujourd'hui|a ce jour|a l'heure actuelle)\b"
)
_AMENDING = re.compile(r"amendment|addendum|enmienda|adenda|modificaci|avenant", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a question says to look and of what, as far as the document has it.

    `aside` are words that are no topic; `period` is the limit in time as it was read. `unmet` says, a sentence each,
    which place the question allows alone and the document has not: then nothing is searched.
    """

    places: Places
    scope: Scope
    period: Period | None
    pages: tuple[int, ...]
    filters: ScopeFilters
    sheets: tuple[str, ...]
    slides: tuple[int, ...]
    aside: tuple[Piece, ...]
    notes: tuple[str, ...]
    unmet: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that say where, when and in which version, as they stand in the question; the longest first."""
        said = [piece.text for piece in (*self.places.page_pieces, *self.aside)]
        said += [self.places.layout_words] if self.places.layout_words else []
        said += [self.places.section_piece.text] if self.places.section_piece else []
        return tuple(sorted(dict.fromkeys(said), key=lambda words: (-len(words), words)))

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where the words stand that are no topic."""
        return tuple(piece.span for piece in (*self.places.page_pieces, *self.aside))


def read_limits(text: str, profile: DocumentProfile | None, document: ParsedDocument | None) -> Limits:
    """The limits that a question sets; what the document does not have is left out with a note, never in silence."""
    places, scope, period = find_places(text), find_scope(text, profile), find_period(text)
    notes: list[str] = []
    unmet: list[str] = []
    pages, page_notes = fit_pages(places.pages, last_pages=places.last_pages, profile=profile)
    notes.extend(page_notes if pages or not places.page_only else ())
    if places.page_only and not pages:
        unmet.append(_no_pages(places, profile))
    sections = _sections(text, places, document, notes)
    aside = tuple(with_only(text, piece) for piece in scope.pieces)
    only_there = any(is_only for _, is_only in aside)
    sheets = _sheets(scope, profile, document, notes if not only_there else unmet)
    slides = _slides(scope, profile, notes if not only_there else unmet)
    if sheets or slides:
        notes.extend(unmet)  # part of what is named is there, and that is searched
        unmet = []
    notes.extend(unmet)
    if scope.version:
        notes.append(_about_version(scope.version, profile))
    if _NOW.search(folded_text(text)):
        notes.append("The question asks for the present state; the document says what holds as of its own date.")
    if places.layout == "table" and document is not None and not len(document.table_df):
        notes.append("The question names a table, and no table was recognised in the document: its lines are searched.")
    jurisdictions = find_jurisdictions(text)
    known = name_parties((party.text, party.label) for party in (profile.semantic.parties if profile else ()))
    written = [name for names in known for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    named = scope.parties or tuple(dict.fromkeys(written))
    only = pages if places.page_only else ()
    is_range = bool(only) and only == tuple(range(only[0], only[-1] + 1))
    return Limits(
        places=places,
        scope=scope,
        period=period,
        pages=pages,
        filters=ScopeFilters(
            page_range=(only[0], only[-1]) if is_range else None,
            pages=() if is_range else only,
            sections=sections,
            date_range=_range(period, notes),
            parties=named,
            known_parties=known if named else (),
            jurisdictions=tuple(piece.text for piece in jurisdictions),
        ),
        sheets=sheets,
        slides=slides,
        aside=(*(piece for piece, _ in aside), *((period.piece,) if period and not period.is_topic else ())),
        notes=tuple(notes),
        unmet=tuple(unmet),
    )


def _no_pages(places: Places, profile: DocumentProfile | None) -> str:
    count = profile.identity.page_count if profile else None
    named = ", ".join(map(str, places.pages)) or "at the end"
    has = f"the document has {count}" if count is not None else "the document's format has no pages"
    return f"The question allows pages {named} alone, and {has}: nothing is searched."


def _range(period: Period | None, notes: list[str]) -> DateRange | None:
    if period is None:
        return None
    if period.is_attribute:
        notes.append(f"'{period.piece.text}' was read as a part of what is asked about, not as a limit of the answer.")
        return None
    return period.range


def _sections(text: str, places: Places, document: ParsedDocument | None, notes: list[str]) -> tuple[str, ...]:
    """The section that the user restricts the search to; a note where the document has none of that name."""
    name = places.section
    if name is None:
        return ()
    exists = document is None or _has_section(document, name)
    only = _ONLY.search(text) is not None
    if not exists:
        what = "nothing is searched, as the question allows no other" if only else "the whole document is searched"
        notes.append(f"The document has no section '{name}' in its outline: {what}.")
    return (name,) if only else ()


def _has_section(document: ParsedDocument, name: str) -> bool:
    """True where a title holds the name or carries the number, or a line opens with it as a heading would."""
    titles: list[str] = document.toc_df["title"].tolist()
    if re.fullmatch(r"\d+(?:\.\d+)*|[IVXLC]+", name):
        numbered = re.compile(rf"^\s*(?:[^\W\d_]+\.?\s+|§\s*)?{re.escape(name)}(?![\w]|\.\d)", re.IGNORECASE)
        starts = set(document.toc_df["start_line_id"].tolist())
        lines = document.line_df
        headings = lines.loc[lines["line_id"].isin(starts) | (lines["role"] == "heading"), "text"].tolist()
        opening = re.compile(rf"^\s*(?:[^\W\d_]+\.?\s+|§\s*)?{re.escape(name)}[.)\s:-]", re.IGNORECASE)
        return any(map(numbered.match, (*titles, *headings))) or any(map(opening.match, lines["text"].tolist()))
    try:
        forms = written_forms(searched_form(name))
    except ValueError:  # nothing in the name to compare by
        return False
    return any(f" {form} " in f" {' '.join(_words(title))} " for title in titles for form in forms)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", folded_text(text))


def _sheets(
    scope: Scope, profile: DocumentProfile | None, document: ParsedDocument | None, notes: list[str]
) -> tuple[str, ...]:
    """The named sheets of a workbook, as it writes them; other documents have none."""
    if not scope.sheets:
        return ()
    if profile is not None and profile.identity.page_unit != "sheet":
        notes.append(f"The sheet {', '.join(map(repr, scope.sheets))} was named, and the document is no workbook.")
        return ()
    if document is None:
        return scope.sheets
    labels = [label for label in document.page_df["label"].tolist() if isinstance(label, str)]
    of_folded = {" ".join(_words(label)): label for label in reversed(labels)}
    found = [of_folded.get(" ".join(_words(name))) for name in scope.sheets]
    missing = [name for name, label in zip(scope.sheets, found, strict=True) if label is None]
    if missing:
        have = ", ".join(map(repr, labels[:MAX_SHOWN])) + (" and others" if len(labels) > MAX_SHOWN else "")
        notes.append(f"The workbook has no sheet {', '.join(map(repr, missing))}; it has {have}.")
    return tuple(label for label in found if label is not None)


def _slides(scope: Scope, profile: DocumentProfile | None, notes: list[str]) -> tuple[int, ...]:
    if not scope.slides or profile is None:
        return scope.slides
    if profile.identity.page_unit != "slide":
        notes.append("A slide was named, and the document has no slides.")
        return ()
    count = profile.identity.page_count or 0
    beyond = [number for number in scope.slides if number > count]
    if beyond:
        notes.append(f"Slides {', '.join(map(str, beyond))} were named, the document has {count}.")
    return tuple(number for number in scope.slides if number <= count)


def _about_version(version: str, profile: DocumentProfile | None) -> str:
    kind = profile.semantic.doc_type if profile else None
    if kind == "contract_amendment" and _AMENDING.search(version):
        return f"The question names '{version}', and the document is an amendment."
    return f"The question names '{version}' of the document; only the document that was handed over is searched."
