"""How many there are: counted by code from the list or the parties that the lines hold, each of them an input."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from dictionaries.folding import folded_text
from pipeline.generation.listing import pick_listing
from pipeline.generation.parties import find_parties
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.settings import GenerationSettings
from pipeline.generation.tables import list_names
from pipeline.generation.topic import Topic
from schemas.answer import ComputedInput, Count
from schemas.handed_tables import HandedTable

_HOW_MANY = re.compile(
    r"\b(?:how many|number of|cuant[oa]s|numero de|combien (?:y a-t-il )?(?:de |d')|nombre de)\s*"
    r"(?:different |distintos? )?(?P<noun>[a-z]{3,})"
)
_PARTIES = re.compile(r"part(?:y|ies|es)")


def with_count(
    draft: Draft,
    passages: Sequence[Passage],
    topic: Topic,
    settings: GenerationSettings,
    *,
    readable: Sequence[Passage],
    tables: Sequence[HandedTable] = (),
) -> Draft:
    """The draft of a number, compared with the list that it counts; the count of that list where no number is stated.

    A stated number that its own list contradicts is given with a caveat: code does not choose between them.
    """
    asked = _HOW_MANY.search(folded_text(topic.brief.question))
    if asked is None or topic.brief.answer_type != "number":
        return draft
    noun = asked["noun"]
    listed = _listed(passages, topic, settings, noun, readable=readable)
    if len(listed.proposals) < 2 and not draft.proposals:
        listed = list_names(tables, topic.brief, noun) or listed
    count = len(listed.proposals)
    if count < 2 or any(one.value is None for one in listed.proposals):  # a list
        return draft
    stated = draft.proposals[0].value if draft.proposals else None
    if isinstance(stated, Count):
        if stated.number == count:
            return draft
        caveat = f"The document states {stated.number:f} {noun}; the list that was found has {count}."
        return replace(draft, caveats=(*draft.caveats, caveat))
    return _counted(listed, noun)


def _listed(
    passages: Sequence[Passage], topic: Topic, settings: GenerationSettings, noun: str, *, readable: Sequence[Passage]
) -> Draft:
    if _PARTIES.fullmatch(noun):
        return find_parties(readable or passages)
    draft = pick_listing(passages, topic, "text", settings)
    is_list = all(one.label is not None for one in draft.proposals)  # clauses that speak of it are no list of it
    return draft if is_list else Draft(())


def _counted(listed: Draft, noun: str) -> Draft:
    """One computed number with every item as its input; in part where the list was not seen to end."""
    inputs = tuple(
        ComputedInput(
            name=one.label if one.label and not _PARTIES.fullmatch(noun) else f"{noun} {number}", value=one.value,
            line_start=one.spans[0].line_start, line_end=one.spans[0].line_end,
        )
        for number, one in enumerate(listed.proposals, 1)
        if one.value is not None
    )  # fmt: skip
    number = len(inputs)
    value = Count(number=Decimal(number), of=noun, original=str(number))
    spans = tuple(dict.fromkeys(span for one in listed.proposals for span in one.spans))
    formula = f"number of {noun} listed"
    proposal = Proposal(value, spans, str(number), "rules", "computed", inputs=inputs, formula=formula)
    caveats = list(listed.caveats)
    if listed.stated_count is not None and listed.stated_count != number:
        caveats.append(f"The document says that there are {listed.stated_count}; {number} were found and counted.")
    elif not listed.ends:
        caveats.append("The list was not seen to end; there may be more.")
    is_partial = listed.stated_count != number if listed.stated_count is not None else not listed.ends
    return Draft((proposal,), tuple(caveats), is_partial=is_partial)
