"""The finding of an absence proof in plain words: what was searched in what, what occurs, and what follows."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.retrieval.miss_table import tell_misses
from pipeline.retrieval.search import Search
from pipeline.wording import tell_sweep
from schemas.retrieval import AbsenceVerdict, MissProbability, TermCount

SHOWN_TERMS = 4  # terms named with their lines; all stand in the proof
SHOWN_PAGES = 8  # pages named; as many as fit a line


def tell_absence(
    search: Search,
    terms: tuple[TermCount, ...],
    verdict: AbsenceVerdict,
    code: str,
    *,
    pages: int,
    unread: str,
    measured: MissProbability | None,
    only_in: Sequence[str] = (),
) -> str:
    """The statement of a proof; `unread` is what could not be searched, a sentence each, or empty.

    `only_in` names the places that hold the topic's words and no text: 'a heading', 'a table of contents'.
    """
    swept = tell_sweep(len(search.lines.searched), pages, search.lines.page_unit)
    if code == "no_readable_text":
        return f"Nothing was searched: the document has no text that could be read.{unread}"
    if code == "outside_scope":
        return f"{_outside(search)}{unread}"
    if not terms:
        return f"The question has no word that could be searched for in {swept}.{unread}"
    concepts = search.query.concepts
    own = [term for term in terms if concepts and term.concept == concepts[0].concept_id]
    others = [term for term in terms if term not in own and term.hit_count] if own else []
    told = _told(search, own or list(terms), swept, absent=verdict == "proven_absent", only_in=only_in)
    if others and verdict != "proven_absent":
        told += f" {_of_others(search, others)}"
    if verdict == "not_found" and own and not any(term.hit_count for term in own) and not concepts[0].exhaustive:
        told += (
            f" The dictionary '{concepts[0].dictionary}' (version {concepts[0].dictionary_version}) does not claim to "
            "know every wording, so this is no proof of absence."
        )
    if measured is not None and concepts:
        told += f" {tell_misses(measured, concepts[0].concept_id)}"
    return f"{told}{unread}"


def tell_unread(pages: tuple[int, ...], caveats: Sequence[str]) -> str:
    """What could not be searched, as the end of a statement; empty when all was read."""
    told = [f"{_pages(pages)} could not be read."] if pages else []
    return "".join(f" {sentence}" for sentence in (*told, *caveats))


def _outside(search: Search) -> str:
    if search.query.unmet:
        return " ".join(search.query.unmet)
    named = ", ".join(repr(name) for name in search.scope_missing)
    missing = f" The document has no section {named}." if named else ""
    return f"Nothing was searched: the question is restricted to a place that has no text.{missing}"


def _told(search: Search, terms: Sequence[TermCount], swept: str, *, absent: bool, only_in: Sequence[str]) -> str:
    concepts = search.query.concepts
    named = f" for '{concepts[0].concept_id.replace('_', ' ')}'" if concepts and terms[0].concept is not None else ""
    count, found = len(terms), [term for term in terms if term.hit_count]
    what = f"{count} term{'' if count == 1 else 's'}{named}"
    if absent:
        return (
            f"Absent: none of {what} occurs in {swept}, all of it was read, and the dictionary "
            f"'{concepts[0].dictionary}' (version {concepts[0].dictionary_version}) claims that they cover the topic."
        )
    if not found:
        none = "the one term" if count == 1 else f"none of {count} terms"
        return f"Not found: {none}{named} {'does not occur' if count == 1 else 'occurs'} in {swept}."
    them, hold, stand = ("it", "occurs", "stands") if len(found) == 1 else ("them", "occur", "stand")
    follows = (
        f"{stand} only in {' and '.join(only_in)}, which states nothing by itself."
        if only_in
        else f"no passage that holds {them} answers."
    )
    return f"Not found: of {what} searched in {swept}, {len(found)} {hold} ({_listed(search, found)}), and {follows}"


def _of_others(search: Search, found: Sequence[TermCount]) -> str:
    topics = list(dict.fromkeys(term.concept.replace("_", " ") for term in found if term.concept))
    if not topics:
        return f"Other words of the question occur ({_listed(search, found)}), and no passage answers by them."
    named = ", ".join(f"'{topic}'" for topic in topics[:SHOWN_TERMS])
    return f"Terms of what the question names beside it ({named}) occur, and no passage answers by them."


def _listed(search: Search, found: Sequence[TermCount]) -> str:
    """The terms on most lines; an expert's patterns, which nobody reads, by the name of their topic."""
    patterns = {term.text: term.shown for term in search.terms.terms if term.is_pattern}
    shown = sorted(found, key=lambda term: -term.hit_count)[:SHOWN_TERMS]
    more = len(found) - len(shown)
    listed = ", ".join(
        f"{patterns.get(term.term, repr(term.term))} on {term.hit_count} line{'' if term.hit_count == 1 else 's'}"
        for term in shown
    )
    return listed + (f" and {more} more" if more > 0 else "")


def _pages(pages: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, pages[:SHOWN_PAGES]))
    more = f" and {len(pages) - SHOWN_PAGES} more" if len(pages) > SHOWN_PAGES else ""
    return f"Page{'' if len(pages) == 1 else 's'} {shown}{more}"
