"""What was noticed, gathered by words: the same words of several runs are one finding with more evidence."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from pydantic import ValidationError

from dictionaries.file_format import FileTerm
from pipeline.lifecycle.counting import Counts
from pipeline.lifecycle.observed import ConceptKey, Observed
from pipeline.lifecycle.paragraphs import shortened
from pipeline.lifecycle.phrases import as_term, phrase_key
from schemas.proposals import EvidenceLine, Proposal, ProposalEvidence, ProposalKind, ProposalSource

Sort = Literal["term", "questions"]

MAX_LISTED = 5  # documents and questions listed of one proposal; all are counted
MAX_TERM_CHARS = 80  # a longer phrase is a sentence, which stands in no other document
PRIMARY_SHARE = 0.5  # share of its paragraphs that are the concept's from which a term proves the topic more than not
PRIMARY_DOCUMENTS = 2  # documents in whose accepted passages a term stands before it is proposed as a proof
ID_LENGTH = 12  # hex digits; a clash needs some 17 million proposals


@dataclass(frozen=True, slots=True)
class FindingKey:
    """What makes two notices the same finding."""

    dictionary: str | None
    concept: str | None
    sort: Sort
    language: str
    form: str

    @property
    def concept_key(self) -> ConceptKey | None:
        """Dictionary and concept; None where a person has to name the concept."""
        return (self.dictionary, self.concept) if self.dictionary is not None and self.concept is not None else None

    @property
    def proposal_id(self) -> str:
        """A hash that stays the same from run to run and from machine to machine."""
        named = (self.dictionary or "", self.concept or "", self.sort, self.language, self.form)
        return hashlib.sha256("\0".join(named).encode()).hexdigest()[:ID_LENGTH]


@dataclass(slots=True)
class Finding:
    """Words, and the runs that speak for them."""

    writings: Counter[str] = field(default_factory=Counter)
    sources: set[ProposalSource] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)
    questions: Counter[str] = field(default_factory=Counter)
    missed: set[str] = field(default_factory=set)  # of the runs, those that found nothing
    lines: list[EvidenceLine] = field(default_factory=list)

    def add(self, run: Observed) -> None:
        """Count a run that speaks for the words."""
        self.documents.add(run.doc_id)
        if run.run not in self.runs:
            self.questions[shortened(run.question)] += 1
        self.runs.add(run.run)
        if run.missed:
            self.missed.add(run.run)

    @property
    def text(self) -> str:
        """How the words are mostly written; of equally frequent writings the first of the alphabet."""
        return min(self.writings, key=lambda text: (-self.writings[text], text))


class Findings:
    """All findings, by what they are about."""

    def __init__(self) -> None:
        """None yet."""
        self.by_key: dict[FindingKey, Finding] = {}

    def note(
        self, words: str, sort: Sort, source: ProposalSource, *, concept: ConceptKey | None, language: str,
        run: Observed | None = None, dictionary: str | None = None, times: int = 1,
    ) -> FindingKey | None:  # fmt: skip
        """Add one notice; None for words that are no term: without a letter, too long, with control characters."""
        text, form = as_term(words.replace("*", " ")), phrase_key(words)
        if form is None or not _is_line(text):
            return None
        named = concept or (dictionary, None)
        key = FindingKey(named[0], named[1], sort, language, form)
        finding = self.by_key.setdefault(key, Finding())
        finding.writings[text] += times
        finding.sources.add(source)
        if run is not None:
            finding.add(run)
        return key

    def drop(self, keys: Iterable[FindingKey]) -> None:
        """Leave these out."""
        for key in keys:
            self.by_key.pop(key, None)


def as_proposal(key: FindingKey, finding: Finding, counts: Counts) -> Proposal:
    """The proposal that a finding makes."""
    concept = key.concept_key
    text = finding.text
    counted = key.sort == "term" and concept is not None and counts.passages(concept, text) > 0
    standing = counts.standing.get((concept, text)) if counted and concept is not None else None
    documents = sorted(finding.documents | (standing.documents if standing else set()))
    ranked = sorted(finding.questions, key=lambda one: (-finding.questions[one], one))
    evidence = ProposalEvidence(
        run_count=len(finding.runs),
        document_count=len(documents),
        documents=tuple(documents[:MAX_LISTED]),
        question_count=len(ranked),
        questions=tuple(ranked[:MAX_LISTED]),
        passage_count=standing.passages if standing else 0,
        elsewhere_count=counts.elsewhere(concept, text) if concept and counted else 0,
        lines=tuple(standing.lines if standing else finding.lines),
        score=round(counts.score(concept, text), 2) if concept and counted else None,
        lift=round(counts.lift(concept, text), 2) if concept and counted else None,
    )
    return Proposal(
        proposal_id=key.proposal_id,
        dictionary=key.dictionary,
        concept=key.concept,
        kind=_kind(
            key,
            evidence,
            documents=len(standing.documents) if standing else 0,
            by_person="correction" in finding.sources,
        ),
        text=text,
        language=key.language,
        found_by=tuple(sorted(finding.sources)),
        reason=_reason(finding, evidence),
        evidence=evidence,
    )


def sorted_proposals(proposals: Iterable[Proposal]) -> tuple[Proposal, ...]:
    """By dictionary and concept (those without one last), kind, language and text."""
    return tuple(
        sorted(
            proposals,
            key=lambda one: (
                one.dictionary is None, one.dictionary or "", one.concept is None, one.concept or "", one.kind,
                one.language, one.text, one.proposal_id,
            ),
        )
    )  # fmt: skip


def _kind(key: FindingKey, evidence: ProposalEvidence, *, documents: int, by_person: bool) -> ProposalKind:
    """A term that stands in the concept's passages more often than elsewhere proves it; another goes with it.

    `documents` are those of the passages: what one document says is its own way of speaking, unless a person pointed at
    the lines and the words stand nowhere else.
    """
    if key.sort == "questions":
        return "questions"
    total = evidence.passage_count + evidence.elsewhere_count
    if by_person and evidence.passage_count and not evidence.elsewhere_count:
        return "primary"
    proves = documents >= PRIMARY_DOCUMENTS and evidence.passage_count / total >= PRIMARY_SHARE
    return "primary" if proves else "secondary"


def _reason(finding: Finding, evidence: ProposalEvidence) -> str:
    told: list[str] = []
    asked = f"{_counted(evidence.question_count, 'question')} in {_counted(len(finding.documents), 'document')}"
    if "missed_question" in finding.sources:
        nothing = f"; {len(finding.missed)} of {_counted(evidence.run_count, 'run')} found nothing"
        told.append(f"Words of {asked} that no dictionary takes for a topic{nothing if finding.missed else ''}")
    if "clarification" in finding.sources:
        where = f" ({asked})" if evidence.run_count else ""
        told.append(f"Asked back about these words, people chose this concept{where}")
    if "correction" in finding.sources:
        told.append(f"In lines that a reviewer says answer, and that were not found ({asked})")
    if "arbiter" in finding.sources:
        told.append(f"Noticed by the arbiter in accepted passages ({asked})")
    if "llm_expansion" in finding.sources:
        told.append(f"Searched by a model and found in accepted passages ({asked})")
    if evidence.passage_count:
        told.append(
            f"Stands in {_counted(evidence.passage_count, 'accepted paragraph')} of "
            f"{_counted(evidence.document_count, 'document')} and {evidence.elsewhere_count} elsewhere, "
            f"{evidence.lift:g} times as often as in all paragraphs"
        )
    return ". ".join(told) + "."


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _is_line(text: str) -> bool:
    """True for what a dictionary file would take on one line."""
    try:
        return FileTerm.model_validate(text).term == text and len(text) <= MAX_TERM_CHARS
    except ValidationError:
        return False
