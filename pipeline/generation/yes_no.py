"""Yes or no, with the clause that says so: the clause on the topic whose words settle it, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.generation.acts import STEM, forms_of, says
from pipeline.generation.asking import ENDS, Asking, core_of, plain, read_asking
from pipeline.generation.bounds import conditions_of
from pipeline.generation.clauses import is_elsewhere, text_of
from pipeline.generation.denials import is_plain
from pipeline.generation.empty_words import EMPTY
from pipeline.generation.ending import ending_of
from pipeline.generation.excepted import is_heading
from pipeline.generation.limits import tell_all, tell_only_others
from pipeline.generation.passages import Passage
from pipeline.generation.polarity import Polarity, exceptions_of, is_denial, negating_words, only_party, polarity_of
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.ranking import Clause, further_places, opening_of, rank_clauses, with_list
from pipeline.generation.topic import Topic
from schemas.answer import BooleanValue

CLAUSES_READ = 12  # clauses read for a verdict before the question is left to a person
ON_TOPIC = 2  # of Clause.topic: a term of the concept in sentence or heading; and question words for the same
# Share of documents with such passages that held the clause (retrieval's confidence), from which a yes is said: where
# the clause's own words say it, and where it only stands there. Measured on CUAD (231 contracts, 30 yes/no categories).
SAID_FROM = 0.5
STANDS_FROM = 0.7
SPECIFIC_FROM = 0.8  # the same share, from which other words than the one that was asked for by name are taken for it
_RECITAL = re.compile(r"^\W*(?:whereas|considerando|attendu|considerant)\b")
_EXPLAINS = re.compile(r"\b(?:which|who|such as|tels? que|telles? que|tales como)\b.*")  # 'objects which embody ...'
_HOW = re.compile(r"(?:ly|mente|ement|-(?:t-)?(?:ils?|elles?|on|nous|vous))$")  # 'automatically', 'peut-il'
_UNSETTLED = "Whether this is a yes or a no, the rules cannot tell from the clause; a person has to read it."
_OFF_POINT = "The passages speak of the topic, and none of them of what is asked about it."
_FOR_CAUSE = "The passages let a party end the contract for a cause alone; none lets it end without one."


@dataclass(frozen=True, slots=True)
class _Reading:
    """A clause with what it says; `said` where its own words say it, `denies` where they say that it is not there."""

    clause: Clause
    told: Polarity
    said: bool
    denies: bool


def pick_boolean(passages: Sequence[Passage], topic: Topic) -> Draft:
    """Yes or no with the clause that says so; the clause alone, with a caveat, where its words do not settle it."""
    clauses = [one for one in rank_clauses(passages, topic) if one.topic or one.coverage or one.exact]
    if topic.exact and not _are_examples(topic):
        clauses = [one for one in clauses if one.exact]
    elsewhere = next((one for one in clauses if one.missed and _is_on_topic(one)), None)
    clauses = [one for one in clauses if not one.missed]
    outside = [one for one in clauses if any(m.limit == "section" for m in one.passage.candidate.missed_limits)]
    if outside and len(outside) == len(clauses):
        return Draft((), caveats=tell_all(outside[0].passage.candidate.missed_limits))
    clauses = [one for one in clauses if one not in outside]
    if elsewhere is not None and not any(_is_on_topic(one) for one in clauses):
        return Draft((), caveats=(tell_only_others("clause", elsewhere.missed),))
    if not clauses:
        return Draft(())
    asking = read_asking(topic.brief.question)
    named = _named_nowhere(clauses, topic)
    role = clauses[0].passage.candidate.role
    read = [one for one in clauses if one.passage.candidate.role == role and _is_on_topic(one) and not one.is_cut]
    if topic.has_concept and not asking.is_labelled and asking.kind in ("permission", "duty"):
        read = [one for one in read if one.topic >= ON_TOPIC]  # shared words alone, as names of parties, are no topic
    is_act = _concept_is_act(topic, asking)
    speaking = [one for one in read if _speaks_of(one, topic, asking, is_act=is_act)]
    if asking.acts and not asking.is_labelled:  # what says the act comes before what is on the topic alone
        saying = [one for one in speaking if any(says(plain(_whole(one)), act) for act in asking.acts)]
        speaking = saying or speaking
    told = _read(speaking[:CLAUSES_READ], topic, asking, is_act=is_act)
    decided = _decide([one for one in told if not named or _is_specific(one.clause, topic)], asking)
    if decided is not None:
        return _draft(decided, clauses, topic)
    one_sided = _one_sided(read, topic, asking)
    if one_sided is not None:
        return one_sided
    if asking.without_cause and any(ending_of(plain(one.texts[0])) == "for_cause" for one in read):
        return Draft((), caveats=(_FOR_CAUSE,))
    if read and not speaking and not asking.is_labelled and not named:
        return Draft((), caveats=(_OFF_POINT,))
    return _unsettled(speaking or clauses, topic, named)


def _one_sided(read: Sequence[Clause], topic: Topic, asking: Asking) -> Draft | None:
    """The clauses that give to one party what is asked of each, with the name of who may; None where none does."""
    if not asking.of_both:
        return None
    given: dict[str, Clause] = {}
    for one in read:
        who = only_party(one.texts[0], topic.brief.question)
        if who is not None:
            given.setdefault(who, one)
    if not given:
        return None
    named = " and ".join(f"'{who}'" for who in given)
    if len(given) == 1:
        caveat = f"The passages give this to {named} alone, and to no other party."
    else:
        caveat = f"One clause gives this to each of {named}; whether on the same terms, a person has to read."
    return Draft(tuple(text_of(one) for one in given.values()), caveats=(caveat,), is_partial=True)


def _unsettled(clauses: Sequence[Clause], topic: Topic, named: Sequence[str]) -> Draft:
    """The best clause, for a person to read; nothing where it is not on the topic."""
    best = clauses[0]
    if not (best.is_operative and _is_on_topic(best)) or is_elsewhere(best, topic):
        return Draft(())
    caveat = _UNSETTLED
    if named:
        words = ", ".join(map(repr, named))
        caveat = f"The passages speak of the topic, and nowhere of {words}: a person has to read it."
    return Draft((text_of(best),), caveats=(caveat,), is_partial=True)


def _is_on_topic(clause: Clause) -> bool:
    return clause.topic >= ON_TOPIC or clause.coverage >= ON_TOPIC


def _named_nowhere(clauses: Sequence[Clause], topic: Topic) -> tuple[str, ...]:
    """Terms that the question asks for by name, where none stands in any clause: 'arbitration' of one on courts."""
    asking = read_asking(topic.brief.question)
    if asking.kind != "presence":
        return ()
    named = tuple(word for word in topic.named_terms if word[:STEM] in asking.heads)
    lacking = topic.lacks(named, *(text for one in clauses for text in one.texts))
    return lacking if len(lacking) == len(named) else ()


def _are_examples(topic: Topic) -> bool:
    """True where the quoted words only explain what is asked: they stand after it, or as one of several."""
    core = core_of(topic.brief.question)
    quoted = [folded_text(word) for word in topic.exact]
    return topic.has_concept and (len(quoted) > 1 or all(word not in core for word in quoted))


def _read(clauses: Sequence[Clause], topic: Topic, asking: Asking, *, is_act: bool) -> list[_Reading]:
    """What each clause says, in order; those that say nothing to the question are left out."""
    readings = []
    for one in clauses:
        words = _whole(one)
        if is_heading(words):
            continue  # 'Article 9 - Non-concurrence.' says what the text is on, not what it says
        terms = _terms_in(one, topic) if is_act else ()
        told = polarity_of(words, topic.brief.question, also=terms)
        if told is not None:
            denies = told.value is False and is_denial(words, topic.brief.question, also=terms)
            readings.append(_Reading(one, told, True, denies))
        elif _stands(one, asking, is_act=is_act):
            readings.append(_Reading(one, Polarity(True, ""), False, False))
    return readings


def _concept_is_act(topic: Topic, asking: Asking) -> bool:
    """True where the concept is what is asked ('audit', 'cap on liability'), not only what it is about.

    'May the Recipient copy Confidential Information?' is on confidentiality, whose terms say nothing of copies.
    """
    chosen = folded_text(" ".join(concept.matched_by for concept in topic.brief.concepts[:1]))
    if asking.acts:
        return any(says(chosen, act) for act in asking.acts)
    if asking.kind == "presence" and not asking.is_existence and not asking.is_labelled:
        return not _beyond_concept(topic, asking)
    return asking.is_labelled or any(head in chosen for head in asking.heads)


def _beyond_concept(topic: Topic, asking: Asking) -> list[str]:
    """Words of the question that say neither its concept nor its act: 'technical', 'employees'."""
    acts = tuple(form for act in asking.acts for form in forms_of(act))
    explained = set(re.findall(r"[^\W_]+", " ".join(_EXPLAINS.findall(asking.core))))
    own = [word for word in topic.own_words if not (acts and word.startswith(acts)) and word not in EMPTY]
    own = [word for word in own if word not in explained]
    return [word for word in own if not _HOW.search(word) or len(forms_of(word)) > 1]


def _whole(one: Clause) -> str:
    """The clause with what opens its list, or what it goes on from."""
    return " ".join((*opening_of(one.passage, one.sentence), one.texts[0]))


def _speaks_of(one: Clause, topic: Topic, asking: Asking, *, is_act: bool) -> bool:
    """True for a clause that says the act asked about, and half of what the question says beyond its concept."""
    words = _whole(one)
    folded = plain(words)
    by_concept = is_act and (asking.is_labelled or asking.whom is None)
    if asking.acts and not by_concept and not any(says(folded, act) for act in asking.acts):
        return False
    if asking.whom is not None:
        return True
    if asking.at_end and not asking.is_labelled and not ENDS.search(f"{folded} {plain(one.sentence.heading)}"):
        return False
    if asking.is_labelled:
        return True
    if asking.of_limit and asking.of_meaning and one.is_definition:
        return True  # 'any information, without limitation' need not name what it is not limited to
    own = _beyond_concept(topic, asking)
    lacking = [word for word in topic.lacks(own, words, one.sentence.heading) if not says(folded, word)]
    # 'Is it limited to technical information?' is of a property: half of its words are another property
    allowed = len(own) / 2 if asking.kind != "presence" or asking.is_existence else (len(own) - 1) / 2
    return len(lacking) <= max(0, allowed)


def _stands(one: Clause, asking: Asking, *, is_act: bool) -> bool:
    """True for an operative clause that makes what is asked: it is enough where any such clause is a yes."""
    if asking.kind in ("restraint", "consent"):
        return False  # the clause has to say that it restrains, or that a consent is needed
    if asking.kind == "duty" and asking.is_passive and not asking.is_labelled:
        return False  # 'must it be marked?': the clause has to say that it must
    if not (asking.is_labelled or asking.is_existence or asking.acts or is_act):
        return False  # of a property ('is it limited to ...?') the clause has to say it
    of_any = asking.role is None and not (asking.of_both or asking.without_cause or asking.unasked)
    if asking.of_meaning and one.is_definition:
        return not asking.of_limit  # 'does Confidential Information include ...?' is asked of the definition
    is_plain = one.is_operative and not one.is_definition and not _RECITAL.search(folded_text(one.texts[0]))
    return of_any and is_plain and (one.is_named or asking.kind == "presence")


def _decide(readings: Sequence[_Reading], asking: Asking) -> _Reading | None:
    """The clause that settles it.

    For a permission or a duty of a party that is named: the first that speaks. Else any clause may be the yes: one
    whose words say it, then one that stands there; an outright denial comes before what only stands there.
    """
    if asking.whom is not None:
        told = [one for one in readings if one.said and one.told.value is not None]
        return next((one for one in told if one.told.value), told[0] if told else None)
    if asking.kind in ("permission", "duty") and (asking.role is not None or asking.of_both):
        return next((one for one in readings if one.told.value is not None), None)
    yes = [one for one in readings if one.told.value is True]
    no = [one for one in readings if one.told.value is False]
    sure = [one for one in yes if _is_sure(one, asking)]
    outright = next((one for one in no if one.denies and is_plain(folded_text(one.told.words))), None)
    if outright is not None and not any(one.said for one in sure):
        return outright
    if sure:
        return sure[0]
    return no[0] if no and not yes else None


def _terms_in(one: Clause, topic: Topic) -> tuple[str, ...]:
    """The words of the clause that are an expert's for the topic."""
    text = one.texts[0]
    found = (text[place.start : place.end] for place in topic.places(text) if place.sense == "topic")
    return tuple(dict.fromkeys(found))


def _is_specific(one: Clause, topic: Topic) -> bool:
    """True for a clause with an expert's term of several words, where such passages nearly always hold the clause."""
    confidence = one.passage.confidence
    is_sure = confidence is not None and confidence >= SPECIFIC_FROM
    return is_sure and any(" " in term for term in _terms_in(one, topic))


def _is_sure(one: _Reading, asking: Asking) -> bool:
    """True where such passages hold the clause often enough for what it says; its own words need no such support."""
    confidence = one.clause.passage.confidence
    if confidence is None:
        return True
    if (one.said or (asking.kind == "presence" and asking.acts)) and not asking.is_labelled:
        folded = plain(_whole(one.clause))
        if any(says(folded, word) for word in asking.acts or asking.heads):
            return True  # 'agrees not to compete', asked for a non-compete
    return confidence >= (SAID_FROM if one.said and one.clause.is_named else STANDS_FROM)


def _draft(decided: _Reading, clauses: Sequence[Clause], topic: Topic) -> Draft:
    best, told = decided.clause, decided.told
    passage = best.passage
    start, end = with_list(passage, best.sentence)
    flat = " ".join(passage.text[start:end].split())
    exceptions = tuple(" ".join(piece.split()) for piece in exceptions_of(flat))
    value = told.value is True
    negation = None if value else told.words or negating_words(flat)
    boolean = BooleanValue(value=value, negation=negation, exceptions=exceptions, clause=flat)
    span = ProposedSpan(passage.candidate.candidate_id, *passage.line_range(start, end))
    proposal = Proposal(boolean, (span,), "yes" if value else "no", "rules", "inferred")
    caveats = [f'The clause makes an exception: "{piece}"' for piece in exceptions]
    caveats += [f'The clause sets a condition: "{piece}"' for piece in conditions_of(flat)] if value else []
    lacking = topic.lacks(topic.own_words, *best.texts)
    if len(lacking) > 1 and len(lacking) == len(topic.own_words):
        caveats.append(f"The clause does not speak of {', '.join(map(repr, lacking))}; check that it is meant.")
    return Draft(
        (proposal,),
        caveats=(*caveats, *further_places(best, clauses, (start, end))),
        is_partial=passage.candidate.role == "supporting",
    )
