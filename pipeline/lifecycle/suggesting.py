"""`dict suggest`: proposals out of the runs of a store; they wait for a person and change nothing by themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType

from dictionaries import Dictionaries
from dictionaries.folding import folded_text
from pipeline.lifecycle.counting import Counts, Marks, count_phrases
from pipeline.lifecycle.findings import FindingKey, Findings, as_proposal, sorted_proposals
from pipeline.lifecycle.lessons import Lesson, corrected_lines, with_lessons
from pipeline.lifecycle.mining import (
    missed_questions,
    noticed_words,
    recurring_phrases,
    settled_questions,
    weak_phrases,
)
from pipeline.lifecycle.observed import ConceptKey, Observed, Unread, observe, saved_runs
from pipeline.lifecycle.paragraphs import Paragraphs, read_paragraphs
from pipeline.lifecycle.phrases import phrase_key
from pipeline.lifecycle.vocabulary import Known
from pipeline.store.choices import CHOICES, load_choices
from pipeline.store.proposals import update_proposals
from schemas.errors import DictionaryError, RecordError
from schemas.proposals import Proposal, Proposals

_WORD = re.compile(r"[^\W\d_]+")
_NOTHING: Mapping[str, Lesson] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a store's runs suggest: the proposals that wait, and what could not be read."""

    pending: tuple[Proposal, ...]
    decided_count: int  # proposals of the store that a person has decided
    run_count: int
    document_count: int
    unread: tuple[Unread, ...]


def suggest(
    root: Path,
    dictionaries: Dictionaries,
    *,
    dictionary: str | None = None,
    lessons: Mapping[str, Lesson] = _NOTHING,
    narrate: Callable[[str], None] | None = None,
) -> Suggestion:
    """Mine the runs of a store; what waits is kept in it, in place of what waited before. The decided stays decided.

    `dictionary` restricts the proposals to one; those for the others stay as they are. `lessons` are what people said
    of runs, by the name of the run.

    Raises DictionaryError for a dictionary that is not there, StoreError and RecordError for the store.
    """
    known_names = [source.name for source in dictionaries.sources]
    if dictionary is not None and dictionary not in known_names:
        raise DictionaryError(f"no dictionary named {dictionary!r}; there are {', '.join(known_names) or 'none'}")
    told = narrate or (lambda _words: None)
    runs, unread = _read_runs(root, told)
    documents, missing = _read_documents(root, runs, told)
    remembered, forgotten = _remembered(root)
    mined = mine(runs, documents, dictionaries, remembered=remembered, lessons=lessons, narrate=told)
    wanted = [one for one in mined if dictionary in (None, one.dictionary)]
    kept = update_proposals(root, lambda before: merged(before, wanted, dictionary=dictionary))
    return Suggestion(
        pending=tuple(
            one for one in kept.proposals if one.status == "pending" and dictionary in (None, one.dictionary)
        ),
        decided_count=sum(one.status != "pending" for one in kept.proposals),
        run_count=len(runs),
        document_count=len(documents),
        unread=(*unread, *missing, *forgotten),
    )


def mine(
    runs: Sequence[Observed],
    documents: Sequence[Paragraphs],
    dictionaries: Dictionaries,
    *,
    remembered: Mapping[str, Mapping[str, float]],
    lessons: Mapping[str, Lesson] = _NOTHING,
    narrate: Callable[[str], None],
) -> tuple[Proposal, ...]:
    """The proposals that runs on documents make; nothing is written.

    `remembered` are the votes of replies to questions back, by the open words.
    """
    known, findings = Known(dictionaries), Findings()
    runs = with_lessons(runs, lessons, known)
    languages = {document.doc_id: document.language for document in documents}
    types = {document.doc_id: document.doc_type for document in documents}
    marks = _marks(runs)
    narrate("reading the questions that found nothing")
    made_for = partial(_made_for, types, dictionaries)
    missed_questions(
        runs, known, findings, dictionary_of=made_for, stands_in=_words_by_document(documents),
    )  # fmt: skip
    settled_questions(runs, remembered, known, findings)
    noticed = noticed_words(runs, known, findings, lambda doc_id: languages.get(doc_id, "en"))
    noticed += corrected_lines(runs, lessons, documents, known, findings, dictionary_of=made_for)
    narrate("looking for phrases that recur")
    recurring = recurring_phrases(documents, marks, runs, known, findings)
    counts = _count(documents, marks, [*noticed, *recurring], findings, narrate)
    findings.drop(weak_phrases(recurring, findings, counts))
    return sorted_proposals(as_proposal(key, finding, counts) for key, finding in findings.by_key.items())


def merged(before: Proposals, mined: Sequence[Proposal], *, dictionary: str | None) -> Proposals:
    """The proposals of a store after new ones were mined: what was decided stays and is not proposed again.

    Words rejected without a concept are rejected for any.
    """
    kept = [one for one in before.proposals if one.status != "pending"]
    if dictionary is not None:
        kept += [one for one in before.proposals if one.status == "pending" and one.dictionary != dictionary]
    ids = {one.proposal_id for one in kept}
    rejected = {_words(one) for one in kept if one.status == "rejected" and one.concept is None}
    new = [one for one in mined if one.proposal_id not in ids and _words(one) not in rejected]
    return before.model_copy(update={"proposals": sorted_proposals((*kept, *new)), "written_as": None})


def _words(proposal: Proposal) -> tuple[bool, str, str | None]:
    return proposal.kind == "questions", proposal.language, phrase_key(proposal.text)


def _read_runs(root: Path, narrate: Callable[[str], None]) -> tuple[list[Observed], list[Unread]]:
    runs: list[Observed] = []
    unread: list[Unread] = []
    for saved in saved_runs(root):
        if isinstance(saved, Unread):
            unread.append(saved)
            continue
        narrate(f"reading {len(runs) + 1} runs")
        runs.append(observe(saved))
    return runs, unread


def _read_documents(
    root: Path, runs: Sequence[Observed], narrate: Callable[[str], None]
) -> tuple[list[Paragraphs], list[Unread]]:
    documents: list[Paragraphs] = []
    missing: list[Unread] = []
    for doc_id in sorted({run.doc_id for run in runs}):
        narrate(f"reading {doc_id}")
        read = read_paragraphs(root, doc_id)
        if isinstance(read, str):
            missing.append(Unread(doc_id, read))
        else:
            documents.append(read)
    return documents, missing


def _remembered(root: Path) -> tuple[dict[str, dict[str, float]], list[Unread]]:
    """Votes for concepts by the open words, whatever the type of document; why there are none where it is damaged."""
    try:
        known = load_choices(root).defaults
    except RecordError as error:
        return {}, [Unread(CHOICES, str(error))]
    votes: dict[str, dict[str, float]] = {}
    for one in known:
        counted = votes.setdefault(one.form, {}) if one.target_field == "concept" and one.form else {}
        for value, count in one.candidate_votes.items():
            counted[value] = counted.get(value, 0.0) + count
    return votes, []


def _marks(runs: Sequence[Observed]) -> Marks:
    """The lines of each document that answered for a concept; those of runs that prove nothing are left out."""
    marks: dict[str, dict[int, frozenset[ConceptKey]]] = {}
    for run in (run for run in runs if run.proves):
        lines = marks.setdefault(run.doc_id, {})
        for passage in run.accepted:
            for line in passage.line_ids if passage.concepts else ():
                lines[line] = lines.get(line, frozenset()) | frozenset(passage.concepts)
    return marks


def _words_by_document(documents: Sequence[Paragraphs]) -> Callable[[str, str], bool]:
    """Whether a document (by its doc_id) holds a word; each is read once, when it is asked about."""
    by_id = {document.doc_id: document for document in documents}

    @cache
    def words(doc_id: str) -> frozenset[str]:
        paragraphs = by_id[doc_id].paragraphs if doc_id in by_id else ()
        return frozenset(_WORD.findall(folded_text("\n".join(paragraph.text for paragraph in paragraphs))))

    return lambda doc_id, word: word in words(doc_id)


def _count(
    documents: Sequence[Paragraphs],
    marks: Marks,
    keys: Sequence[FindingKey],
    findings: Findings,
    narrate: Callable[[str], None],
) -> Counts:
    phrases = sorted({findings.by_key[key].text for key in keys if key.concept_key is not None})
    return count_phrases(documents, marks, phrases, narrate=narrate) if phrases else Counts()


def _made_for(types: Mapping[str, str], dictionaries: Dictionaries, doc_id: str) -> str | None:
    """The one dictionary that is made for documents of its type; None where there are several or none."""
    named = [source.name for source in dictionaries.sources if types.get(doc_id) in source.document_types]
    return named[0] if len(named) == 1 else None
