"""The passages of a document inside a question's scope, made once for all questions put to it.

A document is asked many questions: what does not depend on them is kept for the last few documents and scopes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.kept import Kept
from pipeline.retrieval.candidates import scope_of
from pipeline.retrieval.lines import Flags, Lines, read_lines
from pipeline.retrieval.reading_limits import document_caveats, pages_not_read
from pipeline.retrieval.search import allowed_lines
from pipeline.retrieval.settings import RetrievalSettings
from pipeline.retrieval.strategies.chunks import Chunk, cut_chunks
from pipeline.retrieval.strategies.corpus import Corpus
from schemas.document import ParsedDocument
from schemas.question import RetrievalQuery
from schemas.retrieval import CandidateScope

KEPT_PASSAGES = 4  # documents, or scopes of one; a batch asks its documents one after the other
SNIPPET_LINES = 5  # lines of a passage that are shown in its brief


@dataclass(slots=True)
class Passages:
    """The passages of one document inside one scope, in document order; numbers count from 0."""

    doc_id: str
    lines: Lines
    chunks: tuple[Chunk, ...]
    missing_sections: tuple[str, ...]  # sections that the user restricted the search to and that do not exist
    unread: tuple[int, ...]  # pages of which no text could be trusted
    caveats: tuple[str, ...]  # what else was not read, a sentence each
    titles: dict[str, str]  # section_id -> title
    breadcrumbs: dict[str, str]  # section_id -> titles from the top level down
    bounds: tuple[tuple[int, int], ...]  # first and last line_id of every section, outermost sections first
    unresolved: tuple[tuple[int, str], ...]  # line_id and mention of places that the document does not have
    corpora: dict[tuple[object, ...], Corpus] = field(default_factory=dict)  # by what was put before the passages
    known: dict[int, tuple[CandidateScope, str]] = field(default_factory=dict)  # scopes and snippets asked for before

    def scope(self, number: int) -> CandidateScope:
        """Where a passage stands."""
        return self._known(number)[0]

    def snippet(self, number: int) -> str:
        """The first lines of a passage."""
        return self._known(number)[1]

    def _known(self, number: int) -> tuple[CandidateScope, str]:
        if number not in self.known:
            positions, text = self.chunks[number].positions, self.chunks[number].text
            snippet = "\n".join(text.split("\n", SNIPPET_LINES)[:SNIPPET_LINES])
            self.known[number] = scope_of(self.lines, positions[0], positions[-1]), snippet
        return self.known[number]

    def breadcrumb(self, number: int) -> str | None:
        """The titles over a passage; None without one."""
        return self.breadcrumbs.get(self.chunks[number].section_id or "")


_KEPT: Kept[Passages] = Kept(KEPT_PASSAGES)


def passages_of(document: ParsedDocument, query: RetrievalQuery, settings: RetrievalSettings) -> Passages:
    """The passages of a document that a question may search: its pages, sections, sheets and slides, and no others."""
    allowed, missing = allowed_lines(document, query)
    key = (settings.chunk_characters, missing, None if allowed is None else allowed.tobytes())
    return _KEPT.get(document, lambda: _cut(document, allowed, missing, settings), key=key)


def _cut(
    document: ParsedDocument, allowed: Flags | None, missing: tuple[str, ...], settings: RetrievalSettings
) -> Passages:
    lines = read_lines(document, allowed=allowed)
    toc, refs = document.toc_df, document.cross_ref_df
    outermost_first = toc.sort_values(["level", "start_line_id"], kind="stable")
    unresolved = refs[refs["target_line_id"].isna()]
    mentions = (unresolved[name].tolist() for name in ("line_id", "ref_type", "ref_id"))
    section_ids = toc["section_id"].tolist()
    return Passages(
        doc_id=document.doc_id,
        lines=lines,
        chunks=cut_chunks(document, lines, characters=settings.chunk_characters),
        missing_sections=missing,
        unread=pages_not_read(document),
        caveats=document_caveats(document),
        titles=dict(zip(section_ids, toc["title"].tolist(), strict=True)),
        breadcrumbs=dict(zip(section_ids, toc["breadcrumb"].tolist(), strict=True)),
        bounds=tuple(
            zip(outermost_first["start_line_id"].tolist(), outermost_first["end_line_id"].tolist(), strict=True)
        ),
        unresolved=tuple((line_id, f"{kind} {name}") for line_id, kind, name in zip(*mentions, strict=True)),
    )
