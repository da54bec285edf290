"""The proof that a thing is not there: which words were searched in what, and what follows from finding nothing.

Only an expert's claim that the words cover the topic makes zero hits a proof; a neighbour's hit is no presence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.retrieval.arbiter.judgement import Judgement
from pipeline.retrieval.candidates import Candidate
from pipeline.retrieval.search import Search
from pipeline.retrieval.terms import proves_topic
from pipeline.wording import tell_sweep
from schemas.retrieval import AbsenceProof, AbsenceVerdict, NearestMiss, TermCount

MAX_MISSES = 5  # passages shown that came nearest; a reader looks at a handful
MISS_CHARACTERS = 240  # characters of each
_LEVELS = {"no_readable_text": "document", "outside_scope": "section"}


def not_found_reason(search: Search, candidates: Sequence[Candidate]) -> str:
    """The short code of why nothing was found.

    no_readable_text, outside_scope (the pages or sections asked for do not exist), no_searchable_terms,
    no_keyword_match (no term that proves the topic occurs), no_candidate_kept (some occur and no passage answers).
    """
    lines = search.lines
    if not bool(lines.readable.any()):
        return "no_readable_text"
    if not len(lines.searched):
        return "outside_scope"
    if not candidates:
        return "no_keyword_match" if search.terms.has_topic or search.query.anchors else "no_searchable_terms"
    if not any(term.hit_count for term in _term_counts(search)) and not any(one.signals.exact for one in candidates):
        return "no_keyword_match"
    return "no_candidate_kept"


def prove_absence(
    search: Search,
    candidates: Sequence[Candidate],
    judgements: Mapping[str, Judgement],
    code: str,
    *,
    unread: tuple[int, ...],
    caveats: tuple[str, ...],
) -> AbsenceProof:
    """The proof for a question without a primary candidate, under one of the codes of `not_found_reason`.

    `unread` are pages that could not be read; `caveats` say what else was not: either keeps absence from being proven.
    """
    terms = _term_counts(search)
    caveats = (*caveats, *_running_text_says(search))
    exhaustive = bool(search.query.concepts) and search.query.concepts[0].exhaustive
    verdict = _verdict(search, terms, bool(unread or caveats), code, exhaustive=exhaustive)
    searched_pages = {search.lines.page_nums[position] for position in search.lines.searched.tolist()}
    level = _LEVELS.get(code, "arbiter" if code == "no_candidate_kept" else "retrieval")
    return AbsenceProof(
        verdict=verdict,
        level=level,
        statement=_statement(search, terms, verdict, code, len(searched_pages), _not_read(unread, caveats)),
        terms=() if search.query.unmet else terms,  # none was searched for
        dictionary_versions={concept.dictionary: concept.dictionary_version for concept in search.query.concepts},
        exhaustive=exhaustive,
        lines_searched=len(search.lines.searched),
        page_unit=search.lines.page_unit,
        pages_searched=len(searched_pages),
        pages_not_read=unread,
        references_not_followed=_references(search),
        nearest_misses=_misses(search, candidates, judgements),
    )


def _running_text_says(search: Search) -> tuple[str, ...]:
    """One sentence where a running header or footer speaks of the topic: these are not searched, page by page the same.

    Each distinct text is looked at once, so that what stands nowhere else is still no proven absence.
    """
    frame = search.document.line_df
    running = frame[frame["visible"] & frame["role"].isin(("header", "footer"))].drop_duplicates("text")
    texts = running["text"].tolist()
    hits = search.terms.matcher.find(texts) if texts else None
    if hits is None:
        return ()
    proving = {at for at, term in enumerate(search.terms.terms) if proves_topic(term)}
    rows = sorted(
        {row for row, term in zip(hits.text_index.tolist(), hits.term_index.tolist(), strict=True) if term in proving}
    )
    if not rows:
        return ()
    text = " ".join(texts[rows[0]].split())
    shown = text if len(text) <= MISS_CHARACTERS else text[: MISS_CHARACTERS - 1].rstrip() + "…"
    return (f"A running header or footer speaks of it: '{shown}'.",)


def tell_overdue(search: Search) -> tuple[str, ...]:
    """One sentence where patterns of an expert ran out of time: nothing is known of what they stand for."""
    patterns = search.evidence.overdue
    return (f"Patterns that ran out of time, so nothing is known of them: {'; '.join(patterns)}.",) if patterns else ()


def _term_counts(search: Search) -> tuple[TermCount, ...]:
    """Every term that proves the topic with the lines it stands in, as part of another topic's term too.

    Words that only go with the topic (a dictionary's secondary terms) are evidence for neither presence nor absence:
    what they found stands among the candidates.
    """
    counts = search.evidence.line_counts
    return tuple(
        TermCount(term=term.text, concept=term.concept, hit_count=counts.get(index, 0))
        for index, term in enumerate(search.terms.terms)
        if proves_topic(term)
    )


def _verdict(
    search: Search,
    terms: tuple[TermCount, ...],
    partly_read: bool,
    code: str,
    *,
    exhaustive: bool,
) -> AbsenceVerdict:
    if search.query.unmet and code == "outside_scope":
        return "not_found"
    if partly_read or code in ("no_readable_text", "outside_scope", "no_searchable_terms") or not terms:
        return "inconclusive"
    first = search.query.concepts[0].concept_id if search.query.concepts else None
    own = [term for term in terms if term.concept == first]
    restricted = search.is_restricted
    if exhaustive and own and not restricted and all(term.hit_count == 0 for term in own):
        return "proven_absent"
    return "not_found"


def _not_read(pages: tuple[int, ...], caveats: tuple[str, ...]) -> str:
    """What could not be searched, as the end of a statement; empty when all was read."""
    told = [f"{_pages(pages)} could not be read."] if pages else []
    return "".join(f" {sentence}" for sentence in (*told, *caveats))


def _statement(
    search: Search,
    terms: tuple[TermCount, ...],
    verdict: AbsenceVerdict,
    code: str,
    pages: int,
    unread: str,
) -> str:
    swept = tell_sweep(len(search.lines.searched), pages, search.lines.page_unit)
    if code == "no_readable_text":
        return f"Nothing was searched: the document has no text that could be read.{unread}"
    if code == "outside_scope" and search.query.unmet:
        return f"{' '.join(search.query.unmet)}{unread}"
    if code == "outside_scope":
        named = ", ".join(repr(name) for name in search.scope_missing)
        missing = f" The document has no section {named}." if named else ""
        return f"Nothing was searched: the question is restricted to a place that has no text.{missing}{unread}"
    if not terms:
        return f"The question has no word that could be searched for in {swept}.{unread}"
    found = [term for term in terms if term.hit_count]
    count = len(terms)
    what = f"{count} term{'' if count == 1 else 's'}"
    if verdict == "proven_absent":
        version = search.query.concepts[0]
        return (
            f"Absent: none of {what} occurs in {swept}, all of it was read, and the dictionary '{version.dictionary}' "
            f"(version {version.dictionary_version}) claims that they cover the topic."
        )
    if not found:
        return f"Not found: none of {what} occurs in {swept}.{unread}"
    held = ", ".join(f"'{term.term}' ({term.hit_count})" for term in sorted(found, key=lambda t: -t.hit_count)[:4])
    occur = f"{len(found)} occur{'s' if len(found) == 1 else ''} ({held})"
    return f"Not found: of {what} searched in {swept}, {occur}, and no passage that holds them answers.{unread}"


def _misses(
    search: Search, candidates: Sequence[Candidate], judgements: Mapping[str, Judgement]
) -> tuple[NearestMiss, ...]:
    by_id = {candidate.candidate_id: candidate for candidate in candidates}
    misses = []
    for candidate_id, judgement in list(judgements.items())[:MAX_MISSES]:
        candidate = by_id[candidate_id]
        first, last = candidate.anchor
        text = " ".join(search.lines.texts[at] for at in range(first, last + 1) if search.lines.readable[at])
        misses.append(
            NearestMiss(
                candidate_id=candidate_id,
                page_num=search.lines.page_nums[first],
                line_id=search.lines.line_ids[first],
                snippet=text if len(text) <= MISS_CHARACTERS else text[: MISS_CHARACTERS - 1].rstrip() + "…",
                why_not=judgement.reason,
            )
        )
    return tuple(misses)


def _references(search: Search) -> tuple[str, ...]:
    """Mentions in the topic's passages that lead to a place the document does not have."""
    refs = search.document.cross_ref_df
    if not len(refs):
        return ()
    lines = search.lines
    near = {lines.line_ids[position] for block in search.evidence.units for position in lines.block_positions(block)}
    unresolved = refs[refs["target_line_id"].isna() & refs["line_id"].isin(near)]
    pairs = zip(unresolved["ref_type"].tolist(), unresolved["ref_id"].tolist(), strict=True)
    return tuple(sorted({f"{ref_type} {ref_id}" for ref_type, ref_id in pairs}))


def _pages(pages: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, pages[:8]))
    more = f" and {len(pages) - 8} more" if len(pages) > 8 else ""  # as many as fit a line
    return f"Page{'' if len(pages) == 1 else 's'} {shown}{more}"
