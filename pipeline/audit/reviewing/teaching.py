"""What verdicts teach the dictionaries: which passages of runs do not answer, and which lines do."""

from __future__ import annotations

from pathlib import Path

from pipeline.audit.reviewing.people import People
from pipeline.audit.reviewing.standing import last_words, same_correction
from pipeline.audit.reviewing.stored import StoredReview, StoredReviews, present_seal, valid
from pipeline.lifecycle.lessons import Lesson
from pipeline.lifecycle.observed import name_of
from pipeline.store.documents import load_document
from schemas.document import ParsedDocument
from schemas.errors import RecordError
from schemas.review import Correction, Review


def lessons_of(root: Path, stored: StoredReviews) -> dict[str, Lesson]:
    """What people said of the present runs of a store, by the name of the run.

    A rejection, or that the document does not say it, holds for the records it was given on; lines that answer hold for
    the question and the document, as long as the document still has them. Where people differ nothing is taught.
    """
    on_answers = [one for one in valid(stored.found) if one.review.subject == "answer"]
    last, _ = last_words(on_answers, People(valid(stored.found)))
    by_run: dict[str, list[StoredReview]] = {}
    for words in last.values():
        for one in words:
            by_run.setdefault(one.review.run, []).append(one)
    lessons: dict[str, Lesson] = {}
    documents: dict[str, ParsedDocument | None] = {}
    for place, said in sorted(by_run.items()):
        folder = root / place
        if folder.parent.name != "questions" or not folder.is_dir():
            continue
        lesson = _lesson(root, folder, sorted(said, key=lambda one: one.seq), documents)
        if lesson is not None:
            lessons[name_of(folder)] = lesson
    return lessons


def _lesson(
    root: Path, folder: Path, said: list[StoredReview], documents: dict[str, ParsedDocument | None]
) -> Lesson | None:
    try:
        seal = present_seal(folder)
    except RecordError:
        return None  # `verify` tells of it; nothing is learnt from a run that cannot be trusted
    now = [one.review for one in said if one.review.run_seal == seal]
    if any(review.verdict == "accept" for review in now):
        return None
    corrections = [one.review.correction for one in said if one.review.correction is not None]
    if any(not same_correction(corrections[0], each) for each in corrections[1:]):
        return None
    placed = [each for each in corrections if each.quote and _still_there(root, each, documents)]
    if placed:
        right = placed[-1]
        return Lesson(right.line_ids, right.quote or "", was_primary=right.role_then == "primary")
    return Lesson() if any(_says_wrong(review) for review in now) else None


def _says_wrong(review: Review) -> bool:
    """True for a verdict by which the passages do not answer; a value without its lines says nothing of passages."""
    return review.verdict == "reject" or (review.correction is not None and review.correction.text is None)


def _still_there(root: Path, right: Correction, documents: dict[str, ParsedDocument | None]) -> bool:
    """True where the lines of the stored document still read as they were quoted."""
    if right.doc_id not in documents:
        try:
            documents[right.doc_id] = load_document(root, right.doc_id)
        except RecordError:
            documents[right.doc_id] = None
    document = documents[right.doc_id]
    if document is None or not right.line_ids:
        return False
    lines = document.line_df
    texts = dict(zip(lines["line_id"].tolist(), lines["text"].tolist(), strict=True))
    return "\n".join(str(texts.get(line, "")) for line in right.line_ids) == right.quote
