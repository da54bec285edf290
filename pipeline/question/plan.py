"""Which steps run: rules over the question, and what the document's profile cannot give, each with its note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.question.anchors import FoundAnchor
from schemas.question import Decomposition, ExecutionPlan

if TYPE_CHECKING:
    from schemas.document import DocumentProfile

CODE_KINDS = frozenset({"code", "figure", "table", "equation", "annex", "article"})  # searched exactly, by BM25
SPLIT_PATTERNS = frozenset({"independent", "sequential"})  # patterns whose parts are asked apart


def make_plan(
    profile: DocumentProfile | None,
    anchors: Sequence[FoundAnchor],
    decomposition: Decomposition,
    *,
    has_words: bool,
    use_embeddings: bool,
) -> tuple[ExecutionPlan, tuple[str, ...]]:
    """The plan, and a note for each step that the document switches off."""
    notes: list[str] = []
    use_toc, page_numbers, follow = True, True, True
    if profile is not None and not profile.routing.usable_toc:
        use_toc = False
        notes.append(
            f"Section titles are not searched: the document has {profile.structure.section_count} sections, too few to "
            "route by."
            if profile.structure.section_count
            else "Section titles are not searched: the document has no table of contents."
        )
    if profile is not None and profile.identity.page_unit == "none":
        page_numbers = False
        notes.append("Lines are cited without pages: the document's format has none.")
    if profile is not None and not profile.structure.cross_ref_count:
        follow = False  # nothing to follow, and nothing lost: no note
    plan = ExecutionPlan(
        use_toc=use_toc,
        use_keywords=has_words,
        use_codes=any(found.anchor.kind in CODE_KINDS for found in anchors),
        use_embeddings=use_embeddings,
        follow_references=follow,
        page_numbers=page_numbers,
        decompose=decomposition.pattern in SPLIT_PATTERNS,
    )
    return plan, tuple(notes)


def fit_pages(
    pages: tuple[int, ...], *, last_pages: int, profile: DocumentProfile | None
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The named pages that the document has, ascending, and a note for those it has not."""
    if profile is None:
        note = ("The last page was named, but no document is given to count its pages.",) if last_pages else ()
        return pages, note
    count = profile.identity.page_count
    if count is None:
        note = ("Pages were named, and the document's format has none: the whole document is searched.",)
        return (), note if pages or last_pages else ()
    named = tuple(sorted({*pages, *range(max(count - last_pages, 0) + 1, count + 1)}))
    beyond = [page for page in named if page > count]
    notes = (
        (f"Pages {', '.join(map(str, beyond))} were named, the document has {count}: they are left out.",)
        if beyond
        else ()
    )
    return tuple(page for page in named if page <= count), notes
