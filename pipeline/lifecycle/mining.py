"""Where the runs of a store show that words are missing: four ways of looking, each a function."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from dictionaries.folding import folded_text
from pipeline.lifecycle.counting import Counts, Marks
from pipeline.lifecycle.findings import FindingKey, Findings
from pipeline.lifecycle.observed import ConceptKey, Observed
from pipeline.lifecycle.paragraphs import Paragraphs
from pipeline.lifecycle.phrases import is_unknown_word, phrase_key, phrases_in, question_phrases
from pipeline.lifecycle.vocabulary import Known
from pipeline.question.language import detect_language

MIN_DOCUMENTS = 2  # a phrase of one document alone is its own way of speaking
MIN_SCORE = 6.63  # of the log-likelihood ratio: chi-square, one degree of freedom, p = 0.01
MIN_LIFT = 3.0  # times as often as in all paragraphs; a smaller surplus is style
MAX_COUNTED = 400  # phrases of one concept that are counted, those of most documents first
MAX_RECURRING = 10  # recurring phrases proposed of one concept: what a person reads in one sitting
MIN_AGREEING = 0.85  # share of the votes for one choice: from there on it is taken without asking (METHOD 2.5)
MIN_VOTES = 1.0  # one explicit reply; defaults that were let stand count a quarter each

StandsIn = Callable[[str, str], bool]  # doc_id, folded word: the document holds it
DictionaryOf = Callable[[str], str | None]  # the dictionary made for a document's type


def missed_questions(
    runs: Iterable[Observed], known: Known, findings: Findings, *, dictionary_of: DictionaryOf, stands_in: StandsIn
) -> None:
    """The words of questions that chose no concept, and the unknown words of those that found nothing.

    Where the passages that answered hold terms of one concept alone, the words are proposed for it; else a person
    names the concept. A single word of a single run that neither the language nor the document knows is a slip of the
    pen, and left out.
    """
    landed: dict[tuple[str, str], Counter[ConceptKey | None]] = defaultdict(Counter)
    noted: list[tuple[str, Observed]] = []
    for run in runs:
        if run.concepts and not (run.missed or run.inconclusive):
            continue
        if not run.concepts and known.chooses(run.asked):
            continue  # the dictionary has learnt it since
        for phrase in question_phrases(run.asked, run.language):
            key = phrase_key(phrase)
            if key is None or (run.concepts and known.all_words(phrase)) or known.chooses(phrase):
                continue
            noted.append((phrase, run))
            spoken = [known.concepts_in(one.text) for one in run.accepted]
            concepts = frozenset[ConceptKey]().union(*spoken) if not run.concepts else frozenset()
            landed[run.language, key][next(iter(concepts)) if len(concepts) == 1 else None] += 1
    for phrase, run in noted:
        alone = landed[run.language, phrase_key(phrase) or ""].total() == 1
        if alone and is_unknown_word(phrase, run.language) and not stands_in(run.doc_id, folded_text(phrase)):
            continue
        concept = _agreed(landed[run.language, phrase_key(phrase) or ""])
        findings.note(
            phrase, "questions", "missed_question", concept=concept, language=run.language, run=run,
            dictionary=dictionary_of(run.doc_id),
        )  # fmt: skip


def settled_questions(
    runs: Iterable[Observed], remembered: Mapping[str, Mapping[str, float]], known: Known, findings: Findings
) -> None:
    """Open words ('the cap') for which people, asked back, chose the same concept every time.

    `remembered` are the votes of a store by the open words; those of runs count where it has none.
    """
    asked: dict[str, list[Observed]] = defaultdict(list)
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for run in runs:
        settled = run.settled
        if settled is not None and settled.by == "reply" and settled.form and settled.target_field == "concept":
            asked[settled.form].append(run)
            votes[settled.form][settled.chosen] += 1
    totals = {form: dict(counts) for form, counts in votes.items()} | {
        form: dict(one) for form, one in remembered.items()
    }
    for form, counted in sorted(totals.items()):
        name, most = min(counted.items(), key=lambda item: (-item[1], item[0]), default=("", 0.0))
        if most < MIN_VOTES or most / sum(counted.values()) < MIN_AGREEING:
            continue
        concepts = sorted(key for key in known.entries if key[1] == name)
        own = [key for key in concepts if any(key in run.concepts for run in asked[form])] or concepts
        if len(own) != 1:
            continue
        for run in asked[form]:
            findings.note(form, "questions", "clarification", concept=own[0], language=run.language, run=run)
        if not asked[form]:
            findings.note(form, "questions", "clarification", concept=own[0], language=detect_language(form))


def noticed_words(
    runs: Iterable[Observed], known: Known, findings: Findings, languages: Callable[[str], str]
) -> list[FindingKey]:
    """The arbiter's discoveries, and a model's expansions that hit an accepted passage; gives what was noted."""
    noted: list[FindingKey | None] = []
    for run in runs:
        language = languages(run.doc_id)
        only = run.concepts[0] if len(run.concepts) == 1 else None
        for text, _, concept in run.discovered:
            if concept is None or not known.has_term(text, concept):
                noted.append(findings.note(text, "term", "arbiter", concept=concept, language=language, run=run))
        for keyword in run.expansion:
            if not any(keyword.text in one.matched for one in run.accepted):
                continue
            named = next((key for key in run.concepts if key[1] == keyword.concept), only)
            if named is None or not known.has_term(keyword.text, named):
                noted.append(
                    findings.note(keyword.text, "term", "llm_expansion", concept=named, language=language, run=run)
                )
    return [key for key in dict.fromkeys(noted) if key is not None]


def recurring_phrases(
    documents: Sequence[Paragraphs], marks: Marks, runs: Sequence[Observed], known: Known, findings: Findings
) -> list[FindingKey]:
    """Phrases of the accepted passages of a concept that recur over documents and are no terms yet; uncounted."""
    where: dict[FindingKey, set[str]] = defaultdict(set)
    writings: dict[FindingKey, Counter[str]] = defaultdict(Counter)
    for document in documents:
        marked = marks.get(document.doc_id, {})
        for paragraph in document.paragraphs:
            concepts = frozenset[ConceptKey]().union(*(marked.get(line, frozenset()) for line in paragraph.line_ids))
            if not concepts:
                continue
            for phrase in phrases_in(paragraph.text, document.language):
                form = phrase_key(phrase)
                for dictionary, concept in concepts if form else ():
                    key = FindingKey(dictionary, concept, "term", document.language, form or "")
                    where[key].add(document.doc_id)
                    writings[key][phrase] += 1
    noted: list[FindingKey] = []
    for concept_key, keys in _by_concept(where).items():
        ranked = sorted(keys, key=lambda key: (-len(where[key]), -writings[key].total(), key.form, key.language))
        kept = (key for key in ranked if len(where[key]) >= MIN_DOCUMENTS)
        new = (
            key
            for key in kept
            if not known.has_term(key.form, concept_key) and not known.is_part_of_term(key.form, concept_key)
        )
        for key, _ in zip(new, range(MAX_COUNTED), strict=False):
            for text, times in sorted(writings[key].items()):
                findings.note(text, "term", "recurring_phrase", concept=concept_key, language=key.language, times=times)
            for run in runs:
                if run.proves and run.doc_id in where[key] and any(concept_key in one.concepts for one in run.accepted):
                    findings.by_key[key].add(run)
            noted.append(key)
    return noted


def weak_phrases(keys: Iterable[FindingKey], findings: Findings, counts: Counts) -> list[FindingKey]:
    """Of the recurring phrases, those that do not tell the concept from the rest, or that a better one holds.

    What was noticed in another way too is never weak.
    """
    alone = [key for key in dict.fromkeys(keys) if findings.by_key[key].sources == {"recurring_phrase"}]
    best: dict[tuple[str, str], float] = {}
    scores: dict[FindingKey, float] = {}
    for key in alone:
        concept, text = key.concept_key, findings.by_key[key].text
        if concept is None or counts.lift(concept, text) < MIN_LIFT or counts.passages(concept, text) < MIN_DOCUMENTS:
            continue
        score = counts.score(concept, text)
        if score >= MIN_SCORE:
            scores[key] = score
            best[key.dictionary or "", key.form] = max(score, best.get((key.dictionary or "", key.form), 0.0))
    kept: set[FindingKey] = set()
    for of_concept in _by_concept(scores).values():
        chosen: list[FindingKey] = []
        for key in sorted(of_concept, key=lambda key: (-scores[key], -len(key.form.split()), key.form, key.language)):
            if scores[key] < best[key.dictionary or "", key.form] or any(_nested(key, other) for other in chosen):
                continue
            chosen.append(key)
            if len(chosen) == MAX_RECURRING:
                break
        kept.update(chosen)
    return [key for key in alone if key not in kept]


def _agreed(concepts: Counter[ConceptKey | None]) -> ConceptKey | None:
    """The concept in which more than half of the runs landed; None without one."""
    concept, times = concepts.most_common(1)[0]
    return concept if 2 * times > concepts.total() else None


def _by_concept(keys: Iterable[FindingKey]) -> dict[ConceptKey, list[FindingKey]]:
    grouped: dict[ConceptKey, list[FindingKey]] = defaultdict(list)
    for key in keys:
        if key.concept_key is not None:
            grouped[key.concept_key].append(key)
    return dict(sorted(grouped.items()))


def _nested(one: FindingKey, other: FindingKey) -> bool:
    """True when the words of one stand, in their order, in the other."""
    short, long = sorted((f" {one.form} ", f" {other.form} "), key=len)
    return one.language == other.language and short in long
