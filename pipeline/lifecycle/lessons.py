"""What people said of the runs of a store, for the dictionaries: passages that do not answer, and lines that do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dictionaries.matching import TermMatcher
from pipeline.lifecycle.findings import FindingKey, Findings
from pipeline.lifecycle.observed import Accepted, ConceptKey, Observed
from pipeline.lifecycle.paragraphs import Paragraphs
from pipeline.lifecycle.phrases import phrase_key, phrases_in
from pipeline.lifecycle.vocabulary import Known

MAX_OF_LESSON = 5  # phrases proposed of the lines of one correction: what a person weighs at a glance
NAME_WORDS = (2, 3)  # words of most names of topics; one word is mostly too wide, four are mostly a sentence
DictionaryOf = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a person said of a run: its passages do not answer, and these lines of the document do (none: nothing does).

    `was_primary`: the run had found them; then words are not what was missing.
    """

    line_ids: tuple[int, ...] = ()
    text: str = ""
    was_primary: bool = False


def with_lessons(runs: Sequence[Observed], lessons: Mapping[str, Lesson], known: Known) -> list[Observed]:
    """The runs with the passages that people say answer, in place of those they say do not; others as they are.

    `lessons` are by the name of the run.
    """
    return [_taught(run, lessons[run.run], known) if run.run in lessons else run for run in runs]


def corrected_lines(
    runs: Iterable[Observed],
    lessons: Mapping[str, Lesson],
    documents: Sequence[Paragraphs],
    known: Known,
    findings: Findings,
    *,
    dictionary_of: DictionaryOf,
) -> list[FindingKey]:
    """Phrases of lines that a person says answer and that were not found: what the concept is called there, perhaps.

    Only where the lines hold no known term of the question's concepts. Those that stand in the fewest paragraphs of the
    document come first. Without a concept a person names it.
    """
    by_id = {document.doc_id: document for document in documents}
    noted: list[FindingKey | None] = []
    for run in runs:
        lesson, document = lessons.get(run.run), by_id.get(run.doc_id)
        if lesson is None or document is None or not lesson.text or lesson.was_primary:
            continue
        if known.concepts_in(lesson.text) & set(run.concepts):
            continue
        concept = run.concepts[0] if run.concepts else None
        noted += [
            findings.note(
                phrase, "term", "correction", concept=concept, language=document.language, run=run,
                dictionary=dictionary_of(run.doc_id),
            )
            for phrase in _telling(lesson.text, document, concept, known)
        ]  # fmt: skip
    return [key for key in dict.fromkeys(noted) if key is not None]


def _taught(run: Observed, lesson: Lesson, known: Known) -> Observed:
    if not lesson.line_ids:
        return replace(run, accepted=())
    spoken = known.concepts_in(lesson.text)
    concepts = tuple(one for one in run.concepts if one in spoken) or run.concepts[:1]
    right = Accepted("review", lesson.line_ids, concepts, lesson.text, frozenset())
    return replace(run, accepted=(right,), taught=True)


def _telling(text: str, document: Paragraphs, concept: ConceptKey | None, known: Known) -> list[str]:
    """The phrases of the lines that tell most, best first; a piece of one that comes before it is left out."""
    writings: dict[str, str] = {}
    for phrase in phrases_in(text, document.language):
        form = phrase_key(phrase)
        if form is None or form in writings:
            continue
        if concept is not None and (known.has_term(form, concept) or known.is_part_of_term(form, concept)):
            continue
        writings[form] = phrase
    standing = _paragraphs_with(list(writings.values()), document)
    places = {form: at for at, form in enumerate(writings)}
    ranked = sorted(writings, key=lambda form: (standing[writings[form]], _unlike_a_name(form), places[form]))
    chosen: list[str] = []
    for form in ranked:
        if not any(f" {form} " in f" {other} " or f" {other} " in f" {form} " for other in chosen):
            chosen.append(form)
        if len(chosen) == MAX_OF_LESSON:
            break
    return [writings[form] for form in chosen]


def _paragraphs_with(phrases: Sequence[str], document: Paragraphs) -> Counter[str]:
    """Paragraphs of the document that hold each phrase."""
    counts: Counter[str] = Counter()
    if not phrases:
        return counts
    matcher = TermMatcher(phrases)
    hits: Any = matcher.find([one.text for one in document.paragraphs])
    for _, term in {(hit.text_index, hit.term_index) for hit in hits}:
        counts[matcher.terms[term]] += 1
    return counts


def _unlike_a_name(form: str) -> bool:
    return not NAME_WORDS[0] <= len(form.split()) <= NAME_WORDS[1]
