# ruff: noqa: E501  # a text is read whole, on one line
"""The question back to the user: for one that holds nothing to search for, and one that several things would answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dictionaries import ConceptEntry, Dictionaries
from dictionaries.entries import GAP
from dictionaries.folding import folded_text
from dictionaries.inflection import written_forms
from dictionaries.stopwords import ALL_STOP_WORDS
from pipeline.question.ambiguity import OpenWords, Option, find_open_words, find_options
from pipeline.question.clarify_texts import COMMON_FIELDS, texts_in, texts_of
from pipeline.question.parties import find_roles, single_party
from pipeline.question.topics import find_topics
from schemas.question import Clarification, Settled

if TYPE_CHECKING:
    from pipeline.question.rules import Reading
    from schemas.document import DocumentProfile, ParsedDocument

ASK_BELOW = 0.6  # share of votes, METHOD 2.5: below it the user is asked as if nobody had been before
APPLY_ABOVE = (
    0.85  # share of votes, METHOD 2.5: above it the choice is applied without asking; between, asked with it first
)
DOUBT = 1.0  # vote counted against every choice, so that one reply alone decides nothing: six that agree do
MAX_NAME_WORDS = 4  # words of a name that is put in the place of the open words
MAX_TITLE = 80  # characters of a section's title in a choice
MAX_SECTIONS = 2  # titles of the document among the choices; with the summary three

_JOINING = frozenset(("of", "on", "de", "del", "la", "el", "du", "des", "d'"))  # the stop words of a name


def ask_back(
    language: str,
    profile: DocumentProfile | None,
    document: ParsedDocument | None = None,
    *,
    fragment: str | None = None,
) -> Clarification:
    """A clarification with two or three complete questions, for a text that asks for nothing that can be searched.

    The choices are about the document's own first sections, else what such documents usually hold, and a summary.
    `fragment` is what a follow-up without a question before it names: it comes first.
    """
    texts = texts_in(language)
    named = [fragment] if fragment else []
    if not named:
        named = _section_titles(document) if document is not None and language in _languages(profile) else []
    if not named:
        named = list(profile.semantic.typical_fields[:MAX_SECTIONS]) if profile and language == "en" else []
    about = [texts["about"].format(one) for one in named or [COMMON_FIELDS.get(language, COMMON_FIELDS["en"])]]
    choices = (*about, texts["summary"])
    default = about[0] if fragment else texts["summary"]
    return Clarification(
        target_field="previous_question" if fragment else "question",
        question_to_user=texts["ask"],
        reason=texts["fragment" if fragment else "why"],
        choices=choices,
        default=default,
        default_reason=texts["broad" if fragment else "whole"],
        candidate_values=(*(named or [""]), "summary"),
        form=folded_text(fragment or ""),
    )


def ask_which(reading: Reading, document: ParsedDocument | None, dictionaries: Dictionaries) -> Clarification | None:
    """The choices that the document gives for the open words of a question; one choice where it gives only one.

    None for a question without open words, and where the document holds nothing that they may mean.
    """
    if document is None:
        return None
    party = single_party(reading.corrected)
    if party is not None and not reading.exclusions:
        return _which_party(reading, document, party)
    words = find_open_words(reading, dictionaries)
    if words is None:
        return None
    texts = texts_in(reading.language)
    excluded = _excluded(reading, dictionaries)
    worded: dict[str, tuple[str, Option]] = {}
    for option in find_options(words, document, dictionaries):
        text = _wording(reading, words, option.entry, dictionaries, texts)
        if text is not None and not excluded & {option.entry.concept_id, *option.entry.concept_id.split("_")}:
            worded[option.entry.concept_id] = (text, option)
    if not worded:
        return None
    if len(worded) == 1 and reading.topics and reading.topics[0].entry.concept_id in worded:
        return None  # the words already mean the only thing that they can mean here
    usual = reading.topics[0].entry.concept_id if reading.topics else None
    if usual in worded:
        worded = {usual: worded[usual], **worded}
    choices = tuple(text for text, _ in worded.values())
    first = next(iter(worded.values()))[1]
    return Clarification(
        target_field="concept",
        question_to_user=texts["which"].format(reading.corrected[slice(*words.span)]),
        reason=texts["several"].format(words.form),
        choices=choices,
        default=choices[0],
        default_reason=texts["usual" if usual in worded else "named" if first.names_it else "first"],
        candidate_values=tuple(worded),
        form=words.form,
    )


def memory_key(target_field: str, doc_type: str | None, form: str) -> str:
    """What replies to one open question are remembered under: the field, the type of document, the open words."""
    return f"{target_field} | {doc_type or 'unknown'} | {form}"


def settle(
    asked: Clarification, votes: Mapping[str, float], *, reply: int | str | None = None
) -> Clarification | Settled:
    """The choice that a reply, the votes of earlier replies, or the lack of another makes; else the question back.

    `reply` is the number of a choice, from 1, or 'default'. The choices keep their order whatever the votes, so that a
    number means what the user saw. Votes for what the document does not hold say nothing about it and count neither way.
    """
    present = [max(float(votes.get(value, 0.0)), 0.0) for value in asked.candidate_values]
    total = sum(present)
    best = max(range(len(present)), key=lambda at: (present[at], -at))
    confidence = present[best] / (total + DOUBT) if total else None
    likely = confidence is not None and confidence >= ASK_BELOW
    if likely:
        reason = texts_of(asked)["votes"].format(present[best], total)
        asked = asked.model_copy(update={"default": asked.choices[best], "default_reason": reason})
    default = asked.choices.index(asked.default)
    if isinstance(reply, int):
        return _settled(asked, reply - 1, "reply", present, confidence)
    if len(asked.choices) == 1:
        return _settled(asked, 0, "only_option", present, None)
    if reply is not None:
        return _settled(asked, default, "default", present, confidence)
    if confidence is not None and confidence > APPLY_ABOVE:
        return _settled(asked, default, "votes", present, confidence)
    return asked


def next_default(asked: Clarification, votes: Mapping[str, float], *, language: str) -> Clarification:
    """The same choices after its default was turned down: another is the default, that of most votes, else the first.

    They keep their order and numbers.
    """
    texts = texts_in(language)
    refused = asked.choices.index(asked.default)
    others = [at for at in range(len(asked.choices)) if at != refused]
    known = {at: max(float(votes.get(asked.candidate_values[at], 0.0)), 0.0) for at in others}
    best = max(others, key=lambda at: (known[at], -at))
    reason = texts["votes"].format(known[best], sum(known.values())) if known[best] else texts["next"]
    return asked.model_copy(update={"default": asked.choices[best], "default_reason": reason})


def _settled(asked: Clarification, at: int, by: str, votes: Sequence[float], confidence: float | None) -> Settled:
    total = sum(votes)
    return Settled.model_validate(
        {
            "target_field": asked.target_field,
            "form": asked.form,
            "question_to_user": asked.question_to_user,
            "choices": asked.choices,
            "candidate_values": asked.candidate_values,
            "chosen": asked.candidate_values[at],
            "by": by,
            "votes": votes[at],
            "confidence": None if confidence is None else round(votes[at] / (total + DOUBT), 4),
        }
    )


def _which_party(reading: Reading, document: ParsedDocument, party: tuple[int, int]) -> Clarification | None:
    roles = find_roles(document)
    if len(roles) < 2:  # one party, or none that is named by its role: nothing to choose from
        return None
    texts = texts_in(reading.language)
    start, end = party
    return Clarification(
        target_field="party",
        question_to_user=texts["party"],
        reason=texts["several"].format(reading.corrected[start:end].lower()),
        choices=tuple(f"{reading.corrected[:start]}{role}{reading.corrected[end:]}" for role in roles),
        default=f"{reading.corrected[:start]}{roles[0]}{reading.corrected[end:]}",
        default_reason=texts["first"],
        candidate_values=tuple(folded_text(role) for role in roles),
        form=folded_text(reading.corrected[start:end]),
    )


def _excluded(reading: Reading, dictionaries: Dictionaries) -> set[str]:
    """The concepts that the user says it is not; where an exclusion names none, its words that tell concepts apart."""
    left_out: set[str] = set()
    for piece in reading.exclusions:
        named = [topic.entry.concept_id for topic in find_topics(piece, dictionaries, limit=3) if not topic.by_words]
        words = {word for word in folded_text(piece).replace("-", " ").split() if word not in ALL_STOP_WORDS}
        left_out |= set(named) or words
    return left_out


def _wording(
    reading: Reading, words: OpenWords, entry: ConceptEntry, dictionaries: Dictionaries, texts: Mapping[str, str]
) -> str | None:
    """The question with the concept's own name for the open words; None where no wording chooses the concept."""
    start, end = words.span
    written = reading.corrected[start:end]

    def put(name: str) -> str:
        text = f"{reading.corrected[:start]}{name}{reading.corrected[end:]}"
        return text[:1].upper() + text[1:]

    named = _names(entry, words, reading.language)
    if named:
        return put(named[0])
    plain = _plain_name(entry, reading.language)
    own = set(folded_text(plain).split()) & (words.family.words if words.family else {words.head})
    text = put(plain if own else texts["of"].format(written, plain))
    found = find_topics(text, dictionaries, limit=3)
    return text if any(topic.entry.concept_id == entry.concept_id for topic in found) else None


def _names(entry: ConceptEntry, words: OpenWords, language: str) -> list[str]:
    """Phrases of the experts that say the open word and what it is of: what people ask first, then the shortest."""
    family = words.family.words if words.family else frozenset({words.head, *written_forms(words.head)})
    asked = entry.question_phrases.get(language, ())
    written = tuple(term.text for term in entry.terms if term.language == language and term.priority == "primary")
    named = []
    for phrase in (*asked, *written):
        pieces = folded_text(phrase).replace("-", " ").split()
        head = pieces[-1 if language == "en" else 0] if len(pieces) > 1 else ""
        of = set(pieces) - family
        if head not in family or "*" in phrase or GAP in phrase or not 0 < len(pieces) <= MAX_NAME_WORDS:
            continue
        if of - ALL_STOP_WORDS and of & ALL_STOP_WORDS <= _JOINING:
            named.append((phrase not in asked, words.head not in pieces, len(pieces), phrase))
    return [phrase for *_, phrase in sorted(named)]


def _plain_name(entry: ConceptEntry, language: str) -> str:
    titles = entry.titles((language,))
    return entry.concept_id.replace("_", " ") if language == "en" or not titles else titles[0].lower()


def _section_titles(document: ParsedDocument) -> list[str]:
    """Titles of the first sections of the highest level, without their numbers."""
    toc = document.toc_df
    if not len(toc):
        return []
    top = toc[toc["level"] == toc["level"].min()]
    titles = [str(title).strip().lstrip("0123456789.()§ ").strip()[:MAX_TITLE] for title in top["title"].tolist()]
    return list(dict.fromkeys(title for title in titles if title))[:MAX_SECTIONS]


def _languages(profile: DocumentProfile | None) -> tuple[str, ...]:
    return profile.semantic.languages if profile else ()
