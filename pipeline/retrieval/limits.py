"""Which limits of the question a passage does not meet: its section, parties and places, and words that stand apart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dictionaries.folding import folded_text
from pipeline.retrieval.evidence import Evidence, Unit
from pipeline.retrieval.lines import Lines
from pipeline.retrieval.outline import outline_of
from pipeline.retrieval.search import Search
from pipeline.retrieval.signals import Signals
from pipeline.retrieval.terms import proves_topic
from schemas.question import Concept
from schemas.retrieval import MissedLimit

MAX_ITEMS_ABOVE = 12  # items of a list between one and the words that open it
STEM = 5  # letters by which the words that chose two concepts are compared: 'warranty', 'warranties'
MAX_TITLE = 80  # characters of a section's title that are shown
_ITEM = re.compile(r"^\s*(?:\(?[a-z0-9]{1,4}[.)]|[•●▪◦‣·*–—-])\s")
_Element = tuple[str, int]  # what must stand with the others: a concept by its rank, a word or a token by its number


def missed_limits(search: Search, unit: Unit, signals: Signals) -> tuple[MissedLimit, ...]:
    """The limits that a passage does not meet, the section first; empty where it meets them all or there are none."""
    missed: list[MissedLimit] = []
    if signals.outside_named_section:
        named = next(match for match in search.titles if match.fit == "named")
        missed.append(MissedLimit(limit="section", asked=named.named_as, found=_section_of(search, unit)))
    if search.scope:
        lines = search.lines
        text = "" if lines.is_heading[unit.block] else lines.block_text(unit.block)
        headings = (unit.block,) if lines.is_heading[unit.block] else unit.headings
        opening = _opening(lines, unit.block)
        missed += search.scope.missed(text, *opening, *(lines.block_text(block) for block in headings))
    apart = _apart(search, unit)
    return (*missed, apart) if apart is not None else tuple(missed)


def _section_of(search: Search, unit: Unit) -> str:
    """The title of the deepest section of a passage, else the heading above it."""
    lines = search.lines
    section_id = lines.section_ids[lines.block_positions(unit.block)[0]]
    title = outline_of(search.document).title_of.get(section_id) if section_id is not None else None
    if title is None and unit.headings:
        title = lines.block_text(unit.headings[0])
    return " ".join((title or lines.block_text(unit.block)).split())[:MAX_TITLE].rstrip()


def _opening(lines: Lines, block: int) -> tuple[str, ...]:
    """The words that open the list which a passage is an item of ('The Customer shall:'); empty for no item."""
    at = block
    while block - at < MAX_ITEMS_ABOVE and at > 0 and _ITEM.match(lines.block_text(at)):
        at -= 1
        if lines.is_heading[at]:
            return ()
        text = lines.block_text(at)
        if text.rstrip().endswith((":", ":-", "—")):
            return (text,)
    return ()


def _apart(search: Search, unit: Unit) -> MissedLimit | None:
    """Set where the question wants its words in one line or sentence, and no such one of the passage holds them."""
    near = search.query.hints.detection_context
    if near == "paragraph":
        return None
    element_of = _elements(search)
    named = _names(search.evidence, element_of)
    others = [element for element in named if element[0] != "word"]
    if len(others) > 1:
        named = {element: named[element] for element in others}
    count = len(others) if len(others) > 1 else search.evidence.words_needed if not others else min(2, len(named))
    if count < 2:
        return None
    places: dict[int, set[_Element]] = {}
    for match in unit.own:
        element = element_of.get(match.term)
        if element in named:
            places.setdefault(match.place, set()).add(element)
    if any(set(others) <= found and len(found) >= count for found in places.values()):
        return None
    return MissedLimit(limit="together", asked=", ".join(f"'{name}'" for name in named.values()), found=near)


def _names(evidence: Evidence, element_of: Mapping[int, _Element]) -> dict[_Element, str]:
    """A name for each thing that the question asks about, in the order of its terms."""
    named: dict[_Element, str] = {}
    for index, element in element_of.items():
        term = evidence.term(index)
        if term.kind != "concept" or proves_topic(term):
            named.setdefault(element, (term.concept or term.text).replace("_", " "))
    return named


def _elements(search: Search) -> dict[int, _Element]:
    """What each term stands for; concepts that the same words of the question chose are one thing, not two."""
    same = _merged(search.query.concepts)
    found: dict[int, _Element] = {}
    for index, term in enumerate(search.evidence.terms.terms):
        if term.kind == "concept":
            found[index] = ("concept", same.get(term.concept_rank, term.concept_rank))
        elif term.kind == "exact" or (term.kind == "word" and index in search.evidence.words):
            found[index] = (term.kind, index)
    return found


def _merged(concepts: Sequence[Concept]) -> dict[int, int]:
    """For each concept, by rank, the first one that was chosen by one of the same words."""
    first: dict[int, int] = {}
    words = [{word[:STEM] for word in re.findall(r"\w{4,}", folded_text(one.matched_by))} for one in concepts]
    for rank, own in enumerate(words):
        first[rank] = next((first[other] for other in range(rank) if own & words[other]), rank)
    return first
