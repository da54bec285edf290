"""What is wrong with dictionaries, all at once: within a file, and between the files that are in force together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dictionaries.breadth import alike_faults, breadth_faults
from dictionaries.content_rules import form_of, phrase_form
from dictionaries.drafts import Draft
from dictionaries.faults import Fault, Severity
from dictionaries.file_format import DictionaryFile, Loc
from dictionaries.negative_checking import negative_faults
from dictionaries.pattern_checking import pattern_faults

MIN_EXHAUSTIVE_TERMS = 3  # primary terms a language; fewer words hardly cover every way a topic is written
ENTRY_MARKS = (";", ", ")  # in an entry of a list: probably several entries on one line


@dataclass(frozen=True, slots=True)
class Written:
    """A term or phrase of a dictionary, with all that says where it stands."""

    file: str
    concept: str
    language: str
    kind: str
    text: str
    form: tuple[str, ...]
    place: Loc

    @property
    def told(self) -> str:
        """The words as a message names them."""
        kinds = {"questions": "question phrase", "titles": "title", "examples": "example"}
        return f"{self.language} {kinds.get(self.kind, f'{self.kind} term')} {self.text!r}"


def check_drafts(
    drafts: Sequence[Draft],
    *,
    others: Sequence[Draft] = (),
    former: Sequence[Draft] = (),
    answer_types: Sequence[str] = (),
    prose: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Fault, ...]:
    """Every fault of the drafts, by draft in their order, errors first; those of `others` are not looked for.

    `others` are the dictionaries in force beside them. `former` are those in force that the drafts are edits of: what
    one of them shares with the others already is a warning, since the edit is not to blame. `answer_types` are the
    known ones; any is taken where empty.
    `prose` (name to lines) is searched for terms that match everything; a sample of ordinary prose without it.
    """
    read = {id(each): _searchable(each, phrases=index < len(drafts)) for index, each in enumerate((*drafts, *others))}
    faults: list[Fault] = []
    known = {each.name: _shared_already(each, others) for each in former}
    for draft in drafts:
        found = list(draft.faults)
        if draft.usable is not None:
            words = read[id(draft)]
            beside = [(other.usable, read[id(other)]) for other in (*drafts, *others) if other is not draft]
            found += [draft.placed(fault) for fault in _within(draft.usable, draft.file, words, answer_types, prose)]
            between = _between(draft.usable, words, beside)
            found += [draft.placed(_softened(fault, known.get(draft.name, frozenset()))) for fault in between]
        faults += sorted(found, key=lambda fault: fault.severity)  # stable: in the order of the file
    return tuple(faults)


def words_of(parsed: DictionaryFile, file: str, *, phrases: bool = True) -> Iterator[Written]:
    """Every term, and unless told otherwise every question phrase, that can be searched, in the order of the file."""
    for concept, entry in parsed.concepts.items():
        for language, words in entry.words.items():
            for kind in ("primary", "secondary"):
                for index, term in enumerate(getattr(words, kind)):
                    form = form_of(term.term)
                    if form is not None:
                        place: Loc = ("concepts", concept, "words", language, kind, index)
                        yield Written(file, concept, language, kind, term.term, (form,), place)
            for index, phrase in enumerate(words.questions if phrases else ()):
                pieces = phrase_form(phrase)
                if pieces is not None:
                    place = ("concepts", concept, "words", language, "questions", index)
                    yield Written(file, concept, language, "questions", phrase, pieces, place)


def _searchable(draft: Draft, *, phrases: bool) -> list[Written]:
    return list(words_of(draft.usable, draft.file, phrases=phrases)) if draft.usable else []


def _within(
    parsed: DictionaryFile,
    file: str,
    words: Sequence[Written],
    answer_types: Sequence[str],
    prose: Mapping[str, Sequence[str]] | None,
) -> Iterator[Fault]:
    yield from _field_faults(parsed, file, answer_types)
    related = {(name, broader) for name, concept in parsed.concepts.items() for broader in concept.narrows}
    related |= {(broader, name) for name, broader in related}
    yield from _secondary_elsewhere(words, related)
    yield from _shared_phrases(words, related)
    yield from negative_faults(parsed, file)
    yield from alike_faults(words)
    yield from breadth_faults([each for each in words if each.kind != "questions"], prose)
    yield from pattern_faults(parsed, file)


def _field_faults(parsed: DictionaryFile, file: str, answer_types: Sequence[str]) -> Iterator[Fault]:
    for name, concept in parsed.concepts.items():
        at: Loc = ("concepts", name)
        if answer_types and concept.answer_type not in answer_types:
            reason = f"answer_type {concept.answer_type!r} is unknown; one of {', '.join(answer_types)}"
            yield _fault("error", file, name, reason, (*at, "answer_type"))
        missing = [language for language in parsed.languages if language not in concept.words]
        if missing and concept.exhaustive:
            reason = f"exhaustive, and without a term in {', '.join(missing)}: nothing would be taken for a proof there"
            yield _fault("error", file, name, f"{reason}; add terms, or take the claim back", (*at, "exhaustive"))
        elif missing:
            yield _fault("warning", file, name, f"has no words in {', '.join(missing)}", at)
        few = [language for language, words in concept.words.items() if len(words.primary) < MIN_EXHAUSTIVE_TERMS]
        if few and concept.exhaustive:
            reason = f"exhaustive on fewer than {MIN_EXHAUSTIVE_TERMS} primary terms in {', '.join(few)}; is it?"
            yield _fault("warning", file, name, reason, (*at, "exhaustive"))
        for field in ("distractors", "neighbours", "negative_contexts"):
            for index, entry in enumerate(getattr(concept, field)):
                if any(mark in entry for mark in ENTRY_MARKS):
                    reason = f"{field}: {entry!r} looks like several entries; write each by itself"
                    yield _fault("warning", file, name, reason, (*at, field, index))


def _secondary_elsewhere(words: Sequence[Written], related: set[tuple[str, str]]) -> Iterator[Fault]:
    """Secondary terms that are primary ones of another concept, a fault for each two concepts.

    It is right where one goes with the other (a ratio and what it is made of), else a hit speaks for both. `related`
    are concepts of which one narrows the other: these share their words.
    """
    owners = {each.form: each for each in words if each.kind == "primary"}
    together: dict[tuple[str, str], list[Written]] = {}
    for each in words:
        owner = owners.get(each.form)
        if each.kind != "secondary" or owner is None or (each.concept, owner.concept) in related:
            continue
        if owner.concept != each.concept:
            together.setdefault((each.concept, owner.concept), []).append(each)
    for (concept, owner_id), found in together.items():
        texts = list(dict.fromkeys(each.text for each in found))
        terms = f"the secondary term{'s' if len(texts) > 1 else ''} {', '.join(map(repr, texts))}"
        reason = f"{terms} {'are' if len(texts) > 1 else 'is'} primary in {owner_id}"
        yield _fault("warning", found[0].file, concept, reason, found[0].place, owners[found[0].form].place)


def _shared_phrases(words: Sequence[Written], related: set[tuple[str, str]]) -> Iterator[Fault]:
    """Words of a question that mean two concepts, and those that are listed twice."""
    alike: dict[tuple[str, ...], list[Written]] = {}
    for each in words:
        if each.kind in ("primary", "questions"):
            alike.setdefault(each.form, []).append(each)
    for group in alike.values():
        for index, each in enumerate(group):
            if each.kind != "questions":
                continue
            twice = (one for one in group[:index] if (one.concept, one.kind) == (each.concept, each.kind))
            repeated = next((one for one in twice if one.language == each.language), None)
            apart = (one for one in group if one.concept != each.concept)
            other = next((one for one in apart if (each.concept, one.concept) not in related), None)
            if repeated:
                reason = f"{each.told} repeats {repeated.text!r}"
                yield _fault("warning", each.file, each.concept, reason, each.place, repeated.place)
            if other:
                reason = f"{each.told} also means {other.concept} ({other.told})"
                yield _fault("warning", each.file, each.concept, reason, each.place, other.place)


def _between(
    parsed: DictionaryFile, words: Sequence[Written], beside: Sequence[tuple[DictionaryFile | None, list[Written]]]
) -> Iterator[Fault]:
    """Words that are also in another dictionary: an error where both call them primary for the same documents.

    Two dictionaries made for different types of documents may share their words: the type decides between them.
    """
    mine = {each.form: each for each in words if each.kind == "primary"}
    for other, their_words in beside:
        if other is None:
            continue
        apart = _made_apart(parsed, other)
        for each in their_words:
            own = mine.get(each.form)
            if own is None or each.kind == "questions":
                continue
            severity: Severity = "error" if each.kind == "primary" and not apart else "warning"
            reason = f"{own.told} is also a {each.kind} term of {each.concept} in {each.file}"
            yield _fault(severity, own.file, own.concept, reason, own.place)


def _shared_already(draft: Draft, others: Sequence[Draft]) -> frozenset[tuple[str | None, str]]:
    """Concept and reason of what a dictionary in force shares with the others."""
    if draft.usable is None:
        return frozenset()
    beside = [(other.usable, _searchable(other, phrases=False)) for other in others if other.name != draft.name]
    words = _searchable(draft, phrases=False)
    return frozenset((fault.concept, fault.reason) for fault in _between(draft.usable, words, beside))


def _softened(fault: Fault, known: frozenset[tuple[str | None, str]]) -> Fault:
    """The fault as a warning where it was there before the edit."""
    if fault.severity != "error" or (fault.concept, fault.reason) not in known:
        return fault
    return fault.model_copy(update={"severity": "warning", "reason": f"{fault.reason}; it is so in force already"})


def _made_apart(one: DictionaryFile, other: DictionaryFile) -> bool:
    return bool(one.document_types and other.document_types) and not {*one.document_types} & {*other.document_types}


def _fault(
    severity: Severity, file: str, concept: str, reason: str, place: Loc, other: Loc | None = None
) -> Fault:  # fmt: skip
    return Fault(severity=severity, file=file, concept=concept, reason=reason, place=place, other=other)
