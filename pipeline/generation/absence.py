"""The proof that passages were found and none of them holds an answer of the kind asked for."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.passages import Passage
from pipeline.generation.topic import Topic
from pipeline.wording import tell_sweep
from schemas.retrieval import AbsenceProof, NearestMiss, RetrievalResult, TermCount

MAX_MISSES = 5  # passages shown that came nearest
MISS_CHARACTERS = 240  # characters of each


def prove_no_value(found: RetrievalResult, passages: Sequence[Passage], topic: Topic, *, why: str) -> AbsenceProof:
    """What was read, which words of the question stand in it, and why none of it is an answer.

    The verdict is 'not_found', or 'inconclusive' where pages of the document could not be read: passages that were kept
    prove presence of the topic, so its absence is never proven here.
    """
    lines = {ref.line_id: ref.page_num for candidate in found.candidates for ref in candidate.lines}
    pages = len(set(lines.values()))
    unit = found.candidates[0].anchor.page_unit if found.candidates else "page"
    count = len(found.candidates)
    unread = f" Pages {', '.join(map(str, found.pages_not_read))} could not be read." if found.pages_not_read else ""
    unread += "".join(f" {caveat}" for caveat in found.document_caveats)
    return AbsenceProof(
        verdict="inconclusive" if found.pages_not_read or found.document_caveats else "not_found",
        level="generation",
        statement=(
            f"Not found: retrieval kept {count} passage{'' if count == 1 else 's'} "
            f"({tell_sweep(len(lines), pages, unit)}), and {why}.{unread}"
        ),
        terms=_term_counts(found, topic),
        dictionary_versions={concept.dictionary: concept.dictionary_version for concept in topic.brief.concepts},
        exhaustive=False,
        lines_searched=len(lines),
        page_unit=unit,
        pages_searched=pages,
        pages_not_read=found.pages_not_read,
        nearest_misses=_misses(passages, why),
    )


def _term_counts(found: RetrievalResult, topic: Topic) -> tuple[TermCount, ...]:
    """Words of the question with the passages that hold them, as retrieval noted them."""
    counts = {word.text: 0 for word in topic.brief.keywords}
    for candidate in found.candidates:
        for word in candidate.matched_keywords:
            if word in counts:
                counts[word] += 1
    concept_of = {word.text: word.concept for word in topic.brief.keywords}
    return tuple(TermCount(term=word, concept=concept_of[word], hit_count=count) for word, count in counts.items())


def _misses(passages: Sequence[Passage], why: str) -> tuple[NearestMiss, ...]:
    misses = []
    for passage in passages[:MAX_MISSES]:
        anchor = passage.candidate.anchor_line_ids
        texts = passage.text.split("\n")
        words = " ".join(
            text for ref, text in zip(passage.lines, texts, strict=True) if ref.line_id in anchor or not anchor
        )
        first = next((ref for ref in passage.lines if ref.line_id in anchor), passage.lines[0])
        misses.append(
            NearestMiss(
                candidate_id=passage.candidate.candidate_id,
                page_num=first.page_num,
                line_id=first.line_id,
                snippet=words if len(words) <= MISS_CHARACTERS else words[: MISS_CHARACTERS - 1].rstrip() + "…",
                why_not=f"it was read, and {why}",
            )
        )
    return tuple(misses)
