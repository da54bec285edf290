"""Which limits of the question a passage does not meet: its section, parties and places, and words that stand apart."""

from __future__ import annotations

import re

from pipeline.retrieval.evidence import Evidence, Unit
from pipeline.retrieval.lines import Lines
from pipeline.retrieval.search import Search
from pipeline.retrieval.signals import Signals
from pipeline.retrieval.terms import proves_topic
from schemas.retrieval import MissedLimit

MAX_ITEMS_ABOVE = 12  # items of a list between one and the words that open it
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
    toc = search.document.toc_df
    titles = dict(zip(toc["section_id"].tolist(), toc["title"].tolist(), strict=True))
    title = titles.get(section_id) if section_id is not None else None
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
    evidence = search.evidence
    needed, count = _needed(evidence)
    if count < 2:
        return None
    places: dict[int, set[_Element]] = {}
    for match in unit.own:
        element = _element(evidence, match.term)
        if element in needed:
            places.setdefault(match.place, set()).add(element)
    if any(_is_enough(found, needed, count) for found in places.values()):
        return None
    shown = ", ".join(f"'{needed[element]}'" for element in sorted(needed))
    return MissedLimit(limit="together", asked=shown, found=near)


def _needed(evidence: Evidence) -> tuple[dict[_Element, str], int]:
    """What the question names, each with a word for it, and how many of these must stand together."""
    named: dict[_Element, str] = {}
    for index, term in enumerate(evidence.terms.terms):
        element = _element(evidence, index)
        if element is not None and (term.kind != "concept" or proves_topic(term)):
            named.setdefault(element, term.text)
    words = [element for element in named if element[0] == "word"]
    others = len(named) - len(words)
    return named, others + (min(1, len(words)) if others else evidence.words_needed)


def _is_enough(found: set[_Element], needed: dict[_Element, str], count: int) -> bool:
    fixed = {element for element in needed if element[0] != "word"}
    return fixed <= found and len(found) >= count


def _element(evidence: Evidence, index: int) -> _Element | None:
    term = evidence.term(index)
    if term.kind == "word":
        return ("word", index) if index in evidence.words else None
    if term.kind == "exact":
        return "exact", index
    return ("concept", term.concept_rank) if term.kind == "concept" else None
