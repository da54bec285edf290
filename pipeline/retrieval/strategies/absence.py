"""The proof of a strategy that found nothing: the words it searched for, in what, and what came nearest.

Never 'proven_absent': no expert claims that the words of a question cover its topic, and vectors prove nothing at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pipeline.retrieval.strategies.bm25 import terms_in
from pipeline.retrieval.strategies.first_stage import BM25, FirstStage
from pipeline.retrieval.strategies.passages import Passages
from pipeline.wording import tell_sweep
from schemas.question import RetrievalQuery
from schemas.retrieval import AbsenceProof, AbsenceVerdict, NearestMiss, TermCount

MAX_MISSES = 5  # passages shown that came nearest; a reader looks at a handful
MISS_CHARACTERS = 240  # characters of each


def why_not_found(passages: Passages, first: FirstStage) -> str:
    """The short code of why nothing was found, as `retrieval/absence.py` has them."""
    if not bool(passages.lines.readable.any()):
        return "no_readable_text"
    if not passages.chunks:
        return "outside_scope"
    if first.order:
        return "no_candidate_kept"
    return "no_keyword_match" if first.terms else "no_searchable_terms"


def prove_absence(
    passages: Passages, query: RetrievalQuery, first: FirstStage, code: str, misses: Sequence[tuple[int, str]]
) -> AbsenceProof:
    """The proof under one of the codes; `misses` are the passages that came nearest, each with why it is no answer."""
    lines = passages.lines
    terms = _term_counts(passages, first) if BM25 in first.lists else ()
    unmet = bool(query.unmet) and code == "outside_scope"
    read = not (passages.unread or passages.caveats)
    searched = code in ("no_keyword_match", "no_candidate_kept") and bool(terms)  # vectors alone prove nothing
    verdict: AbsenceVerdict = "not_found" if unmet or (read and searched) else "inconclusive"
    pages = {lines.page_nums[position] for position in lines.searched.tolist()}
    levels = {"no_readable_text": "document", "outside_scope": "section", "no_candidate_kept": "arbiter"}
    return AbsenceProof.model_validate(
        {
            "verdict": verdict,
            "level": levels.get(code, "retrieval"),
            "statement": _statement(passages, query, terms, code, len(pages)),
            "terms": () if query.unmet else terms,
            "dictionary_versions": {one.dictionary: one.dictionary_version for one in query.concepts},
            "exhaustive": False,
            "lines_searched": len(lines.searched),
            "page_unit": lines.page_unit,
            "pages_searched": len(pages),
            "pages_not_read": passages.unread,
            "references_not_followed": _references(passages, first),
            "nearest_misses": tuple(_miss(passages, number, why) for number, why in misses[:MAX_MISSES]),
        }
    )


def _references(passages: Passages, first: FirstStage) -> tuple[str, ...]:
    """Mentions in the passages proposed that lead to a place the document does not have."""
    near = {passages.lines.line_ids[at] for number in first.order for at in passages.chunks[number].positions}
    return tuple(sorted({mention for line_id, mention in passages.unresolved if line_id in near}))


def _term_counts(passages: Passages, first: FirstStage) -> tuple[TermCount, ...]:
    counts: Counter[str] = Counter()
    wanted = set(first.terms)
    for text in passages.lines.searched_texts:
        counts.update(wanted.intersection(terms_in(text)))
    return tuple(TermCount(term=term, concept=None, hit_count=counts[term]) for term in first.terms)


def _statement(passages: Passages, query: RetrievalQuery, terms: tuple[TermCount, ...], code: str, pages: int) -> str:
    unread = f" Pages that could not be read: {', '.join(map(str, passages.unread[:8]))}." if passages.unread else ""
    told = "".join(f" {sentence}" for sentence in passages.caveats)
    swept = tell_sweep(len(passages.lines.searched), pages, passages.lines.page_unit)
    if code == "no_readable_text":
        said = "Nothing was searched: the document has no text that could be read."
    elif code == "outside_scope" and query.unmet:
        said = " ".join(query.unmet)
    elif code == "outside_scope":
        named = ", ".join(map(repr, passages.missing_sections))
        missing = f" The document has no section {named}." if named else ""
        said = f"Nothing was searched: the question is restricted to a place that has no text.{missing}"
    elif code == "no_searchable_terms":
        said = f"The question has no word that could be searched for in {swept}."
    elif code == "no_keyword_match":
        count = len(terms)
        said = f"Not found: none of {count} word{'' if count == 1 else 's'} of the question occurs in {swept}."
    else:
        said = f"Not found: the reranker calls every passage that was proposed out of {swept} unrelated."
    return f"{said}{unread}{told}"


def _miss(passages: Passages, number: int, why: str) -> NearestMiss:
    chunk, lines = passages.chunks[number], passages.lines
    text = " ".join(chunk.text.split())
    return NearestMiss(
        candidate_id=chunk.candidate_id,
        page_num=lines.page_nums[chunk.positions[0]],
        line_id=lines.line_ids[chunk.positions[0]],
        snippet=text if len(text) <= MISS_CHARACTERS else text[: MISS_CHARACTERS - 1].rstrip() + "…",
        why_not=why,
    )
