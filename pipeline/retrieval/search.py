"""One question over one document, indexed: what every detector and the rules arbiter read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.retrieval.embedder import Embedder
from pipeline.retrieval.evidence import Evidence, gather
from pipeline.retrieval.labels import anchor_places
from pipeline.retrieval.lines import Flags, Lines, read_lines
from pipeline.retrieval.outline import outline_of
from pipeline.retrieval.references import NOTHING_FOLLOWED, Followed, with_references
from pipeline.retrieval.section_titles import TitleMatch, match_titles, sections_named
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.terms import Terms, terms_of
from pipeline.scope.reader import ScopeReader
from schemas.document import ParsedDocument
from schemas.question import RetrievalQuery


@dataclass(frozen=True, slots=True)
class Search:
    """A document and a question with everything that was counted once for all detectors."""

    document: ParsedDocument
    query: RetrievalQuery
    settings: RetrievalSettings
    embedder: Embedder | None
    lines: Lines
    terms: Terms
    evidence: Evidence
    titles: tuple[TitleMatch, ...]  # sections whose title speaks of the topic, the best first
    sections: dict[str, tuple[int, int]]  # section_id -> line_ids of its first and last line
    scope: ScopeReader  # parties and places that the question is limited to
    scope_missing: tuple[str, ...]  # sections that the user restricted the search to and that do not exist
    followed: Followed = NOTHING_FOLLOWED  # where the passages on the topic refer to for what is asked

    @property
    def is_restricted(self) -> bool:
        """True when the user restricted the search to a part of the document."""
        filters, hints = self.query.filters, self.query.hints
        return bool(filters.page_range or filters.pages or filters.sections or hints.sheets_hint or hints.slides_hint)

    @property
    def vocabulary_diverges(self) -> bool:
        """True when the question has terms and none of them stands anywhere in what is searched.

        A label that is written in another way ('Fig. 2') and a section that is named count as found.
        """
        if not self.terms.has_topic or self.evidence.vocabulary_occurs():
            return False
        if any(match.fit == "named" for match in self.titles):
            return False
        return not any(anchor_places(self.lines, self.query.anchors).values())


def index_search(
    document: ParsedDocument, query: RetrievalQuery, settings: RetrievalSettings, embedder: Embedder | None
) -> Search:
    """The search of a question in a document; the scope filters are applied here, before anything is searched."""
    allowed, missing = allowed_lines(document, query)
    lines = read_lines(document, allowed=allowed)
    terms = terms_of(query)
    languages = document.profile.semantic.languages
    evidence = gather(lines, query, terms, language=languages[0] if languages else query.language)
    titles = match_titles(document, query, lines, evidence)
    sections = outline_of(document).bounds_of
    scope = ScopeReader.of(query.text, query.filters)
    search = Search(document, query, settings, embedder, lines, terms, evidence, titles, sections, scope, missing)
    return with_references(search)


def allowed_lines(document: ParsedDocument, query: RetrievalQuery) -> tuple[Flags | None, tuple[str, ...]]:
    """True for each line that may be searched (None: all), and the sections named that the document does not have."""
    filters, places = query.filters, _places_of(document, query)
    if query.unmet:
        return np.zeros(len(document.line_df), dtype=np.bool_), ()
    if filters.page_range is None and not filters.pages and not filters.sections and places is None:
        return None, ()
    allowed: Flags = np.ones(len(document.line_df), dtype=np.bool_)
    if filters.page_range is not None:
        pages = document.line_df["page_num"].to_numpy(dtype=np.int64)
        allowed &= (pages >= filters.page_range[0]) & (pages <= filters.page_range[1])
    if filters.pages:
        allowed &= np.isin(document.line_df["page_num"].to_numpy(dtype=np.int64), filters.pages)
    if places is not None:
        allowed &= np.isin(document.line_df["page_num"].to_numpy(dtype=np.int64), places)
    missing: list[str] = []
    if filters.sections:
        line_ids = document.line_df["line_id"].to_numpy(dtype=np.int64)
        inside: Flags = np.zeros(len(line_ids), dtype=np.bool_)
        for name in filters.sections:
            found = sections_named(document, name)
            if not found:
                missing.append(name)
            for start, end in found:
                inside |= (line_ids >= start) & (line_ids <= end)
        allowed &= inside
    return allowed, tuple(missing)


def _places_of(document: ParsedDocument, query: RetrievalQuery) -> list[int] | None:
    """The sheets or slides that the user named, as page numbers; None where none is named that the document has."""
    unit, hints = document.profile.identity.page_unit, query.hints
    if unit == "slide" and hints.slides_hint:
        return list(hints.slides_hint)
    if unit == "sheet" and hints.sheets_hint:
        pages = document.page_df
        return pages.loc[pages["label"].isin(hints.sheets_hint), "page_num"].tolist() or None
    return None
