"""Whether the cited lines speak of the question: a value of another clause is the value of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dictionaries.folding import folded_text
from pipeline.generation.checks.ground import Cited, Ground, check, shorten
from pipeline.generation.checks.words import Stretch, is_whole_clause, sentences_around
from pipeline.generation.passages import Sentence
from pipeline.generation.topic import Topic
from schemas.answer import EvidenceCheck
from schemas.values import Party, TextValue, Value

TITLE_PAGES = 3  # pages on which a document is titled: a cover and a contents page may stand before
OPENING_SENTENCES = 2  # sentences before a value that may name its subject: 'The fee is as follows. EUR 5 a month.'
_ROLES = re.compile(
    r"\b(?:supplier|buyer|seller|purchaser|customer|vendor|licensor|licensee|lessor|lessee|landlord|tenant|distributor"
    r"|franchisor|franchisee|consultant|borrower|lender|employer|employee|publisher|contractor|manufacturer"
    r"|proveedor|comprador|vendedor|arrendador|arrendatario|fournisseur|acheteur|vendeur|bailleur|preneur)\b"
)
# Two names of one side of a contract, in three languages.
_SAME = {
    "purchaser": "buyer",
    "comprador": "buyer",
    "acheteur": "buyer",
    "vendor": "seller",
    "vendedor": "seller",
    "vendeur": "seller",
    "proveedor": "supplier",
    "fournisseur": "supplier",
    "landlord": "lessor",
    "arrendador": "lessor",
    "bailleur": "lessor",
    "tenant": "lessee",
    "arrendatario": "lessee",
    "preneur": "lessee",
}
_WHO = re.compile(
    r"(?:who|which (?:party|company)|quien|qui)(?: is| are| acts as| es| est)? (?:the |el |la |le |l')?(?P<role>\w+)\b"
)


def check_topic(
    value: Value, place: tuple[Cited, Stretch] | None, cited: Sequence[Cited], ground: Ground
) -> EvidenceCheck | None:
    """The cited sentence, its heading, what opens it, or its column shares a term with the question.

    None where nothing can be compared: without the parsed question, or one that names no words.
    """
    topic = ground.topic
    if topic is None:
        return None
    other = _other_role(value, ground.question)
    if other is not None:
        return check("lines_speak_of_it", False, other)
    if not topic.words and not topic.has_concept and not topic.exact:
        return check("lines_speak_of_it", True, "the question names nothing that could be compared")
    texts = [text for one in cited for text in _around(one, place)]
    shared = _shared(topic, texts)
    if shared is not None:
        return check(
            "lines_speak_of_it", True, f"the lines or their heading share {shorten(shared)!r} with the question"
        )
    if any(_holds_anchor(one) for one in cited):
        return check("lines_speak_of_it", True, "the lines are those that retrieval matched with the question")
    if _is_named_by_place(value, place, topic):
        return check("lines_speak_of_it", True, "the lines are where a document names what was asked for")
    return check(
        "lines_speak_of_it", False, "no term of the question stands in the lines, their heading or what opens them"
    )


def _shared(topic: Topic, texts: Sequence[str]) -> str | None:
    for text in texts:
        place = next((one for one in topic.places(text) if one.sense in ("topic", "secondary")), None)
        if place is not None:
            return place.term
    lacking = set(topic.lacks(topic.words, *texts))
    word = next((word for word in topic.words if word not in lacking), None)
    return word if word is not None or not topic.exact_count(*texts) else topic.exact[0]


def _around(one: Cited, place: tuple[Cited, Stretch] | None) -> list[str]:
    """The cited lines, their headings, and the sentences that open them."""
    at = place[1] if place is not None and place[0] is one else (one.start, one.end)
    sentences = sentences_around(one.passage, (min(at[0], one.start), max(at[1], one.end)))
    first = one.passage.sentences.index(sentences[0]) if sentences else 0
    opening = one.passage.sentences[max(0, first - OPENING_SENTENCES) : first]
    if sentences and sentences[0].kind == "item":  # of a list of any length: the sentence that opens it
        opening = (*_opener(one, first), *opening)
    title = one.passage.candidate.section_title or ""
    headings = dict.fromkeys([title, *(sentence.heading for sentence in sentences)])
    whole = [one.passage.text[sentence.start : sentence.end] for sentence in (*sentences, *opening)]
    return [text for text in (one.text, *headings, *whole) if text.strip()]


def _opener(one: Cited, first: int) -> tuple[Sentence, ...]:
    """The nearest sentence above an item that ends as one that opens a list; empty without one under its heading."""
    for sentence in reversed(one.passage.sentences[:first]):
        if sentence.kind == "heading":
            break
        if sentence.kind != "item" and one.passage.words(sentence).endswith((":", ":-", "—")):
            return (sentence,)
    return ()


def _holds_anchor(one: Cited) -> bool:
    first, last = one.passage.line_range(one.start, one.end)
    return any(first <= line <= last for line in one.passage.candidate.anchor_line_ids)


def _is_named_by_place(value: Value, place: tuple[Cited, Stretch] | None, topic: Topic) -> bool:
    """True for a party with the short name that the document gives it, and for a title on its own at the head.

    Neither needs a word of the question beside it: 'X Inc. (“Supplier”)' is a party by its place alone.
    """
    concept = topic.brief.concepts[0].concept_id if topic.brief.concepts else ""
    if isinstance(value, Party):
        return concept == "parties" and value.role is not None
    if not isinstance(value, TextValue) or place is None or concept != "document_name":
        return False
    one, stretch = place
    return one.passage.lines[one.passage.line_index(stretch[0])].page_num <= TITLE_PAGES and is_whole_clause(
        one.passage, stretch
    )


def _other_role(value: Value, question: str) -> str | None:
    """Why a party is another than the one asked for by its role, as in 'Who is the buyer?'; None where it is none."""
    asked = _WHO.match(folded_text(question).strip(" ¿?"))
    role = value.role if isinstance(value, Party) else None
    if asked is None or role is None or isinstance(value, TextValue) or not _ROLES.fullmatch(asked["role"]):
        return None
    named = [_SAME.get(word, word) for word in _ROLES.findall(folded_text(role))]
    wanted = _SAME.get(asked["role"], asked["role"])
    return f"{role!r} is not the {asked['role']} that was asked for" if named and wanted not in named else None
