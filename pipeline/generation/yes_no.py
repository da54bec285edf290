"""Yes or no, with the clause that says so: the first clause on the topic whose words settle it, or none."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.generation.clauses import pick_text
from pipeline.generation.limits import tell_all, tell_only_others
from pipeline.generation.passages import Passage
from pipeline.generation.polarity import Polarity, asked_of, exceptions_of, is_denial, negating_words, polarity_of
from pipeline.generation.proposal import Draft, Proposal, ProposedSpan
from pipeline.generation.ranking import Clause, further_places, rank_clauses, with_list
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.topic import Topic
from schemas.answer import BooleanValue

CLAUSES_READ = 5  # clauses read for a verdict before the question is left to a person
ON_TOPIC = 2  # of Clause.topic: a term of the concept in sentence or heading; and question words for the same


def pick_boolean(passages: Sequence[Passage], topic: Topic, settings: GenerationSettings) -> Draft:
    """Yes or no with the clause that says so; the clause alone, with a caveat, where its words do not settle it."""
    clauses = [one for one in rank_clauses(passages, topic) if one.topic or one.coverage or one.exact]
    if topic.exact:
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
    named = topic.lacks(topic.named_terms, *(text for one in clauses for text in one.texts))
    role = clauses[0].passage.candidate.role
    read = [one for one in clauses if one.passage.candidate.role == role and _is_on_topic(one) and not one.is_cut]
    decided = _decide(read[:CLAUSES_READ], topic.brief.question) if not named else None
    if decided is not None:
        return _draft(*decided, clauses, topic)
    best = clauses[0]
    if not (best.is_operative and _is_on_topic(best)):
        return Draft(())
    caveat = "Whether this is a yes or a no, the rules cannot tell from the clause; a person has to read it."
    if named:
        words = ", ".join(map(repr, named))
        caveat = f"The passages speak of the topic, and nowhere of {words}: a person has to read it."
    return Draft(pick_text(passages, topic, settings).proposals[:1], caveats=(caveat,), is_partial=True)


def _is_on_topic(clause: Clause) -> bool:
    return clause.topic >= ON_TOPIC or clause.coverage >= ON_TOPIC


def _decide(clauses: Sequence[Clause], question: str) -> tuple[Clause, Polarity] | None:
    """The clause that settles it with what it says.

    For a presence: a clause that denies it ('there is no ...') first, then one that makes it, then one that only says
    'non-...'. For a permission or duty: the first that speaks.
    """
    told = [(one, polarity_of(one.passage.words(one.sentence), question)) for one in clauses]
    if asked_of(question) != "presence":
        return next(((one, said) for one, said in told if said is not None and said.value is not None), None)
    for one, said in told:
        if said is not None and said.value is False and is_denial(one.passage.words(one.sentence), question):
            return one, said
    for one, said in told:
        if said is None and one.is_operative and not one.is_definition:
            return one, Polarity(True, "")
    return next(((one, said) for one, said in told if said is not None and said.value is not None), None)


def _draft(best: Clause, told: Polarity, clauses: Sequence[Clause], topic: Topic) -> Draft:
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
    lacking = topic.lacks(topic.own_words, *best.texts)
    if len(lacking) > 1 and len(lacking) == len(topic.own_words):
        caveats.append(f"The clause does not speak of {', '.join(map(repr, lacking))}; check that it is meant.")
    return Draft(
        (proposal,),
        caveats=(*caveats, *further_places(best, clauses, (start, end))),
        is_partial=passage.candidate.role == "supporting",
    )
