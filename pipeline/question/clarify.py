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

_TEXTS = {
    "en": {
        "ask": "What would you like to know?", "why": "The question holds no word, code or name to search for.",
        "about": "What does the document say about {0}?", "summary": "Summarize the document.",
        "which": "Which {0} do you mean?", "several": "The document has more than one that '{0}' may mean.",
        "of": "{0} for {1}", "first": "It stands first in the document.", "named": "The document itself calls it so.",
        "votes": "Earlier replies in this store chose it ({0:g} of {1:g} votes).",
        "whole": "It needs no further choice.", "broad": "It is the widest of the choices.", "usual": "It is what the experts take the words for.",
        "fragment": "The question only makes sense behind another one, and there is none in this session.",
        "party": "Which party do you mean?", "obligations": "What are the obligations of {0}?",
    },
    "es": {
        "ask": "¿Qué desea saber?", "why": "La pregunta no contiene ninguna palabra, código o nombre que buscar.",
        "about": "¿Qué dice el documento sobre {0}?", "summary": "Resume el documento.",
        "which": "¿A qué se refiere con «{0}»?", "several": "El documento contiene más de una cosa que «{0}» puede significar.",
        "of": "{0} para {1}", "first": "Es la primera del documento.", "named": "El propio documento la llama así.",
        "votes": "Respuestas anteriores la eligieron ({0:g} de {1:g} votos).",
        "whole": "No exige elegir más.", "broad": "Es la más amplia.", "usual": "Es lo que los expertos entienden por ello.",
        "fragment": "La pregunta solo tiene sentido después de otra, y no hay ninguna en esta sesión.",
        "party": "¿A qué parte se refiere?", "obligations": "¿Cuáles son las obligaciones de {0}?",
    },
    "fr": {
        "ask": "Que souhaitez-vous savoir ?", "why": "La question ne contient aucun mot, code ou nom à rechercher.",
        "about": "Que dit le document sur {0} ?", "summary": "Résume le document.",
        "which": "Que voulez-vous dire par « {0} » ?", "several": "Le document contient plusieurs choses que « {0} » peut désigner.",
        "of": "{0} pour {1}", "first": "C'est la première du document.", "named": "Le document lui-même la nomme ainsi.",
        "votes": "Des réponses précédentes l'ont choisie ({0:g} sur {1:g} voix).",
        "whole": "Elle ne demande pas d'autre choix.", "broad": "C'est la plus large.", "usual": "C'est ce que les experts entendent par là.",
        "fragment": "La question n'a de sens qu'après une autre, et il n'y en a pas dans cette session.",
        "party": "De quelle partie s'agit-il ?", "obligations": "Quelles sont les obligations de {0} ?",
    },
}  # fmt: skip
_JOINING = frozenset(("of", "on", "de", "del", "la", "el", "du", "des", "d'"))  # the stop words of a name
_COMMON_FIELDS = {"en": "its subject", "es": "su objeto", "fr": "son objet"}


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
    texts = _texts(language)
    named = [fragment] if fragment else []
    if not named:
        named = _section_titles(document) if document is not None and language in _languages(profile) else []
    if not named:
        named = list(profile.semantic.typical_fields[:MAX_SECTIONS]) if profile and language == "en" else []
    about = [texts["about"].format(one) for one in named or [_COMMON_FIELDS.get(language, _COMMON_FIELDS["en"])]]
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
    texts = _texts(reading.language)
    excluded = {word for piece in reading.exclusions for word in folded_text(piece).split()}
    worded: dict[str, tuple[str, Option]] = {}
    for option in find_options(words, document, dictionaries):
        text = _wording(reading, words, option.entry, dictionaries, texts)
        if text is not None and not excluded & set(option.entry.concept_id.split("_")):
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
        reason = _texts_of(asked)["votes"].format(present[best], total)
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
    texts = _texts(reading.language)
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


def _texts(language: str) -> Mapping[str, str]:
    return _TEXTS.get(language, _TEXTS["en"])


def _texts_of(asked: Clarification) -> Mapping[str, str]:
    """The words of the language in which the user is asked."""
    return (
        _TEXTS["es"]
        if asked.question_to_user.startswith("¿")
        else _TEXTS["fr" if " ?" in asked.question_to_user else "en"]
    )
