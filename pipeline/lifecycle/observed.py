"""What the runs of a store say about the dictionaries: what was asked, what was found, in which words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.store.runs import SavedRun, is_case, list_runs, load_run
from schemas.errors import RecordError
from schemas.question import Keyword, ParsedQuestion, Settled
from schemas.retrieval import AuditedRetrievalResult, RetrievedCandidate

PROVES = 1.0  # weight of a primary term (METHOD 2.2); one below it only goes with a topic
ConceptKey = tuple[str, str]  # dictionary, concept


@dataclass(frozen=True, slots=True)
class Unread:
    """A run that could not be used, and why."""

    run: str
    reason: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """A primary passage: its lines, and the concepts of the question that it speaks of."""

    candidate_id: str
    line_ids: tuple[int, ...]
    concepts: tuple[ConceptKey, ...]
    text: str  # of its lines
    matched: frozenset[str]  # keywords found in it


@dataclass(frozen=True, slots=True)
class Observed:
    """One run, as far as dictionaries are concerned."""

    run: str
    doc_id: str
    question: str  # as it was asked, verbatim
    language: str
    missed: bool  # nothing was found
    inconclusive: bool  # part of the document could not be searched
    limited: bool  # the question asked for some pages or sections only
    concepts: tuple[ConceptKey, ...]
    asked: str  # the corrected question without codes, quotes and exclusions, '|' in their place
    expansion: tuple[Keyword, ...]  # words of a model
    discovered: tuple[tuple[str, str, ConceptKey | None], ...]  # words, candidate, concept
    accepted: tuple[Accepted, ...]
    settled: Settled | None
    taught: bool = False  # a person said which lines answer, and these are its accepted ones

    @property
    def proves(self) -> bool:
        """True when its passages answered, out of the whole document: only then do they show how a topic is written.

        Lines that a person pointed at do so, too.
        """
        return self.taught or not (self.missed or self.limited)


def saved_runs(root: Path, *, doc_id: str | None = None) -> Iterator[SavedRun | Unread]:
    """The runs of a store in order (of one document with `doc_id`), those that cannot be read with the reason."""
    for folder in list_runs(root):
        if is_case(folder) or (doc_id is not None and folder.parent.parent.name != doc_id):
            continue
        try:
            yield load_run(folder)
        except RecordError as error:
            yield Unread(name_of(folder), str(error))


def name_of(folder: Path) -> str:
    """A run as the store knows it: '<doc_id>/<slug>_<hash>'."""
    return f"{folder.parent.parent.name}/{folder.name}"


def observe(saved: SavedRun) -> Observed:
    """What one run says."""
    question, found = saved.question, saved.retrieval
    concepts = tuple((one.dictionary, one.concept_id) for one in question.concepts)
    absence = saved.answer.absence or found.absence
    scope = question.filters
    return Observed(
        run=name_of(saved.path),
        doc_id=found.doc_id,
        question=question.original_question,
        language=question.language,
        missed=saved.answer.status == "not_found",
        inconclusive=absence is not None and absence.verdict == "inconclusive",
        limited=bool(scope.page_range or scope.pages or scope.sections),
        concepts=concepts,
        asked=_asked(question),
        expansion=tuple(one for one in question.keywords if one.source == "llm_expansion"),
        discovered=tuple(_discovered(found)),
        accepted=tuple(_accepted(one, question, concepts) for one in found.candidates if one.role == "primary"),
        settled=question.settled,
    )


def _asked(question: ParsedQuestion) -> str:
    text = question.corrected_question
    for piece in (*(anchor.text for anchor in question.anchors), *question.exclusions, *question.format_wishes):
        text = text.replace(piece, " | ")
    return text


def _discovered(found: AuditedRetrievalResult) -> Iterator[tuple[str, str, ConceptKey | None]]:
    for one in found.discovered_keywords:
        known = one.concept is not None and one.dictionary is not None
        yield one.text, one.candidate_id, (one.dictionary or "", one.concept or "") if known else None


def _accepted(candidate: RetrievedCandidate, question: ParsedQuestion, concepts: tuple[ConceptKey, ...]) -> Accepted:
    """Of several concepts, those of which the passage holds a term that proves it; the only one has it anyway."""
    matched = frozenset(candidate.matched_keywords)
    spoken = {one.concept for one in question.keywords if one.concept and one.weight >= PROVES and one.text in matched}
    anchor = set(candidate.anchor_line_ids)
    texts = zip(candidate.lines, candidate.text.split("\n"), strict=True)
    return Accepted(
        candidate_id=candidate.candidate_id,
        line_ids=candidate.anchor_line_ids,
        concepts=concepts if len(concepts) == 1 else tuple(one for one in concepts if one[1] in spoken),
        text="\n".join(text for line, text in texts if line.line_id in anchor),
        matched=matched,
    )
