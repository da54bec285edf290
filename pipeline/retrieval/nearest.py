"""What came nearest and is no answer: passages at distinct places, each with a sentence that a lawyer can weigh."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pipeline.retrieval.arbiter.judgement import Judgement
from pipeline.retrieval.candidates import Candidate
from pipeline.retrieval.search import Search
from pipeline.retrieval.signals import Signals
from schemas.retrieval import NearestMiss

MAX_MISSES = 5  # passages shown; a reader looks at a handful
MAX_ALIKE = 2  # of them for the same reason; a third tells nothing new
MISS_CHARACTERS = 240  # characters of each
SHOWN_TERMS = 3  # terms named in a sentence
_NOISE = frozenset({"contents_line", "heading_only", "pool_limit"})  # say nothing, or were not looked at
_PLACES = {"heading_only": "a heading", "contents_line": "a table of contents"}  # rule -> what holds words and no text
# How near the passages of a role or a rule come; a larger figure is farther off.
_ROLES = {"primary": 0, "supporting": 1, "tangential": 2, "discarded": 4}
_FARTHER = {
    "incidental_term": -1,
    "neighbouring_topic": 2,
    "incidental_mention": 1,
    "other_topic_of_the_question": 1,
    "usual_title": 1,
}
_KINDS = {
    "amount": "an amount",
    "date": "a date",
    "duration": "a period",
    "identifier": "an identifier",
    "number": "a number",
    "percentage": "a percentage",
}


def nearest_misses(
    search: Search, candidates: Sequence[Candidate], judgements: Mapping[str, Judgement]
) -> tuple[NearestMiss, ...]:
    """The five passages that come nearest, supporting ones first; each passage once, two of one reason at most.

    Lines of a table of contents and bare headings are none where the topic's words stand elsewhere too; what was cut
    before it was judged never is.
    """
    by_id = {candidate.candidate_id: candidate for candidate in candidates}
    judged = [(by_id[one.candidate_id], one) for one in judgements.values()]
    noise = _NOISE - {"heading_only", "contents_line"} if only_places(candidates, judgements) else _NOISE
    rows = [(candidate, one) for candidate, one in judged if one.rule not in noise]
    telling = [row for row in rows if not _says_little(*row)]
    rows = telling or rows
    ordered = sorted(enumerate(rows), key=lambda row: (_distance(row[1][1]), row[0]))
    misses: list[NearestMiss] = []
    alike: dict[str, int] = {}
    blocks: set[int] = set()
    for _, (candidate, judgement) in ordered:
        why = _why_not(search, candidate, judgement)
        key = judgement.rule if _FARTHER.get(judgement.rule or "", 0) > 0 else why
        if candidate.unit.block in blocks or alike.get(key or why, 0) >= MAX_ALIKE:
            continue
        blocks.add(candidate.unit.block)
        alike[key or why] = alike.get(key or why, 0) + 1
        misses.append(_miss(search, candidate, why))
        if len(misses) == MAX_MISSES:
            break
    return tuple(misses)


def only_places(candidates: Sequence[Candidate], judgements: Mapping[str, Judgement]) -> tuple[str, ...]:
    """Where alone the topic's own words stand, if only in headings and a table of contents; empty else."""
    by_id = {candidate.candidate_id: candidate for candidate in candidates}
    rules = {
        one.rule
        for one in judgements.values()
        if by_id[one.candidate_id].signals.primary_terms or by_id[one.candidate_id].signals.exact
    }
    return tuple(place for rule, place in _PLACES.items() if rule in rules) if rules <= _PLACES.keys() else ()


def _says_little(candidate: Candidate, judgement: Judgement) -> bool:
    """True for a passage whose only link is one plain word of another topic ('party')."""
    s = candidate.signals
    return judgement.rule == "neighbouring_topic" and not s.distractors and all(" " not in one for one in s.neighbours)


def _distance(judgement: Judgement) -> int:
    return _ROLES[judgement.role] + _FARTHER.get(judgement.rule or "", 0)


def _miss(search: Search, candidate: Candidate, why: str) -> NearestMiss:
    lines, (first, last) = search.lines, candidate.anchor
    text = shortened(" ".join(lines.texts[at] for at in range(first, last + 1) if lines.readable[at]))
    return NearestMiss(
        candidate_id=candidate.candidate_id,
        page_num=lines.page_nums[first],
        line_id=lines.line_ids[first],
        snippet=text,
        why_not=why,
    )


def shortened(text: str) -> str:
    """The text on one line, cut at 240 characters."""
    text = " ".join(text.split())
    return text if len(text) <= MISS_CHARACTERS else text[: MISS_CHARACTERS - 1].rstrip() + "…"


def _why_not(search: Search, candidate: Candidate, judgement: Judgement) -> str:
    """Why it is no answer: by the rule that judged it; the arbiter's own reason where there is no sentence for it."""
    tell = _SENTENCES.get(judgement.rule or "")
    told = tell(search, candidate.signals) if tell is not None else ""
    return told or judgement.reason


def _secondary(search: Search, s: Signals) -> str:
    patterns = dict(s.patterns)
    plain = list(dict.fromkeys(term for term in s.secondary_terms if term not in patterns))
    named, one = _terms(s, plain), len(plain) == 1
    if not named:
        return (
            f"Holds only a form of words that goes with {_topic(search)}; no term that is peculiar to it stands here."
        )
    return (
        f"Holds only {named}, {'a word' if one else 'words'} that {'goes' if one else 'go'} with "
        f"{_topic(search)} and {'is' if one else 'are'} used for other things too; no term that is peculiar to it "
        "stands here."
    )


def _usual_title(search: Search, s: Signals) -> str:
    title = f"the heading '{shortened(s.section_title)}'" if s.section_title else "a heading that the search led to"
    return f"Stands under {title}, but holds no term of {_topic(search)}."


def _neighbour(search: Search, s: Signals) -> str:
    named = _terms(s, (*s.distractors, *s.neighbours))
    return f"Speaks of a neighbouring topic ({named}), not of {_topic(search)}." if named else ""


def _distractor(search: Search, s: Signals) -> str:
    named = _terms(s, s.distractors)
    return f"Speaks of {named}, which is often confused with {_topic(search)} and is not it." if named else ""


def _without_value(search: Search, s: Signals) -> str:
    kind = _KINDS.get(search.query.answer_type, "a value of the kind asked for")
    named = _terms(s, (*s.exact, *s.primary_terms))
    return f"Is on the topic{f' ({named})' if named else ''}, but does not state {kind}, which an answer needs."


def _incidental(_search: Search, s: Signals) -> str:
    named = _terms(s, s.primary_terms)
    return f"Mentions {named} once, in passing, in a passage about something else." if named else ""


def _other_topic(search: Search, s: Signals) -> str:
    named = _terms(s, s.other_terms)
    return f"Holds {named}, which the question names beside its topic; of {_topic(search)} it says nothing."


def _mention(search: Search, s: Signals) -> str:
    named = _terms(s, (*s.exact, *s.primary_terms, *s.secondary_terms, *s.words))
    held = f"Holds {named} alone" if named else "Holds a single word of the question"
    return f"{held}, in a passage about something else than {_topic(search)}."


def _heading(search: Search, s: Signals) -> str:
    named = _terms(s, (*s.exact, *s.primary_terms))
    return f"A heading that names {named or _topic(search)}; no text that answers stands under it."


def _contents(search: Search, s: Signals) -> str:
    named = _terms(s, (*s.exact, *s.primary_terms))
    return f"A line of a table of contents that names {named or _topic(search)}; it leads to text, and is none."


def _definition(search: Search, s: Signals) -> str:
    named = _terms(s, s.primary_terms) or _topic(search)
    return f"Defines {named}: it says what the word means, not what the parties agreed."


_SENTENCES: Mapping[str, Callable[[Search, Signals], str]] = {
    "secondary_terms": _secondary,
    "usual_title": _usual_title,
    "neighbouring_topic": _neighbour,
    "distractor_concept": _distractor,
    "value_missing": _without_value,
    "topic_without_value": _without_value,
    "incidental_term": _incidental,
    "incidental_mention": _mention,
    "other_topic_of_the_question": _other_topic,
    "definition": _definition,
    "heading_only": _heading,
    "contents_line": _contents,
}


def _topic(search: Search) -> str:
    concepts = search.query.concepts
    return f"'{concepts[0].concept_id.replace('_', ' ')}'" if concepts else "what is asked"


def _terms(s: Signals, terms: Sequence[str]) -> str:
    """Up to three terms in quotes: a pattern by the name of its topic, a stem with an ellipsis."""
    shown = dict(s.patterns)
    named = list(dict.fromkeys(shown.get(term, f"'{term.replace('*', '…')}'") for term in terms))
    more = len(named) - SHOWN_TERMS
    return ", ".join(named[:SHOWN_TERMS]) + (f" and {more} more" if more > 0 else "")
