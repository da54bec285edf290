"""The proof that a thing is not there: which words were searched in what, and what follows from finding nothing.

Only an expert's claim that the words cover the topic makes zero hits a proof; a neighbour's hit is no presence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dictionaries.folding import folded_text
from pipeline.retrieval.absence_wording import tell_absence, tell_unread
from pipeline.retrieval.arbiter.judgement import Judgement
from pipeline.retrieval.arbiter.measured import load_measured
from pipeline.retrieval.candidates import Candidate
from pipeline.retrieval.mentions import is_law
from pipeline.retrieval.miss_table import is_of_topic, miss_probability
from pipeline.retrieval.nearest import nearest_misses, only_places, shortened
from pipeline.retrieval.search import Search
from pipeline.retrieval.terms import Term, proves_topic
from pipeline.wording import tell_line
from schemas.retrieval import AbsenceProof, AbsenceVerdict, MissProbability, TermCount

MAX_REFERENCES = 12  # mentions listed; the rest is counted
_LEVELS = {"no_readable_text": "document", "outside_scope": "section"}


def not_found_reason(search: Search, candidates: Sequence[Candidate]) -> str:
    """The short code of why nothing was found.

    no_readable_text, outside_scope (the pages or sections asked for do not exist), no_searchable_terms,
    no_keyword_match (no term that proves the topic occurs), no_candidate_kept (some occur and no passage answers).
    """
    lines = search.lines
    if not bool(lines.readable.any()):
        return "no_readable_text"
    if not len(lines.searched):
        return "outside_scope"
    if not candidates:
        return "no_keyword_match" if search.terms.has_topic or search.query.anchors else "no_searchable_terms"
    if not any(term.hit_count for term in _term_counts(search)) and not any(one.signals.exact for one in candidates):
        return "no_keyword_match"
    return "no_candidate_kept"


def prove_absence(
    search: Search,
    candidates: Sequence[Candidate],
    judgements: Mapping[str, Judgement],
    code: str,
    *,
    unread: tuple[int, ...],
    caveats: tuple[str, ...],
) -> AbsenceProof:
    """The proof for a question without a primary candidate, under one of the codes of `not_found_reason`.

    `unread` are pages that could not be read; `caveats` say what else was not: either keeps absence from being proven.
    """
    terms = _term_counts(search)
    caveats = (*caveats, *_running_text_says(search))
    first = search.query.concepts[0] if search.query.concepts else None
    verdict = _verdict(search, terms, bool(unread or caveats or search.followed.lost), code)
    pages = len({search.lines.page_nums[position] for position in search.lines.searched.tolist()})
    measured = _measured(search, judgements, verdict, code)
    leads = tuple(f"What is asked may stand outside the document: {mention}." for mention in search.followed.lost[:1])
    return AbsenceProof(
        verdict=verdict,
        level=_LEVELS.get(code, "arbiter" if code == "no_candidate_kept" else "retrieval"),
        statement=tell_absence(
            search,
            terms,
            verdict,
            code,
            pages=pages,
            unread=tell_unread(unread, (*caveats, *leads)),
            measured=measured,
            only_in=only_places(candidates, judgements),
        ),
        terms=() if search.query.unmet else terms,  # none was searched for
        dictionary_versions={concept.dictionary: concept.dictionary_version for concept in search.query.concepts},
        exhaustive=first is not None and first.exhaustive,
        lines_searched=len(search.lines.searched),
        page_unit=search.lines.page_unit,
        pages_searched=pages,
        pages_not_read=unread,
        references_not_followed=_references(search),
        nearest_misses=nearest_misses(search, candidates, judgements),
        miss_probability=measured,
    )


def _running_text_says(search: Search) -> tuple[str, ...]:
    """One sentence where a running header or footer speaks of the topic: these are not searched, page by page the same.

    Each distinct text is looked at once, so that what stands nowhere else is still no proven absence.
    """
    frame = search.document.line_df
    running = frame[frame["visible"] & frame["role"].isin(("header", "footer"))].drop_duplicates("text")
    texts = running["text"].tolist()
    hits = search.terms.matcher.find(texts) if texts else None
    if hits is None:
        return ()
    needed = 1 if search.evidence.has_concept else max(search.evidence.words_needed, 1)
    proving = {at for at, term in enumerate(search.terms.terms) if _is_own(search, term)}
    found: dict[int, set[int]] = {}
    for row, term in zip(hits.text_index.tolist(), hits.term_index.tolist(), strict=True):
        if term in proving:
            found.setdefault(row, set()).add(term)
    rows = sorted(row for row, terms in found.items() if len(terms) >= needed)
    if not rows:
        return ()
    return (f"A running header or footer speaks of it: '{shortened(texts[rows[0]])}'.",)


def _is_own(search: Search, term: Term) -> bool:
    """True for a term that proves the question's first topic; where no expert says what it is, for its words."""
    if not proves_topic(term) or term.concept_rank:
        return False
    return term.kind not in ("word", "phrase") or not search.evidence.has_concept


def tell_overdue(search: Search) -> tuple[str, ...]:
    """One sentence where patterns of an expert ran out of time: nothing is known of what they stand for."""
    patterns = search.evidence.overdue
    return (f"Patterns that ran out of time, so nothing is known of them: {'; '.join(patterns)}.",) if patterns else ()


def _term_counts(search: Search) -> tuple[TermCount, ...]:
    """Every term that proves the topic with the lines it stands in, as part of another topic's term too.

    Words that only go with the topic (a dictionary's secondary terms) are evidence for neither presence nor absence:
    what they found stands among the candidates.
    """
    counts = search.evidence.line_counts
    return tuple(
        TermCount(term=term.text, concept=term.concept, hit_count=counts.get(index, 0))
        for index, term in enumerate(search.terms.terms)
        if proves_topic(term)
    )


def _verdict(search: Search, terms: tuple[TermCount, ...], partly_read: bool, code: str) -> AbsenceVerdict:
    """proven_absent: every word of an expert who claims to know them all, no hit, everything read; see AbsenceProof."""
    if search.query.unmet and code == "outside_scope":
        return "not_found"
    if partly_read or code in ("no_readable_text", "outside_scope", "no_searchable_terms") or not terms:
        return "inconclusive"
    concept = search.query.concepts[0] if search.query.concepts else None
    if concept is None or not concept.exhaustive or search.is_restricted:
        return "not_found"
    if {*concept.terms, *concept.patterns} & set(search.terms.unsearchable):
        return "not_found"  # a wording that the expert claims was not searched for
    if concept.is_by_words or _asks_more(search):
        return "not_found"  # the expert's words cover the concept, and what is asked may be another thing
    own = [term for term in terms if term.concept == concept.concept_id]
    return "proven_absent" if own and all(term.hit_count == 0 for term in own) else "not_found"


# Words that ask how much, how long or whether, and say nothing of what is asked about.
_ASKING = frozenset({"cost", "costs", "cuesta", "cuestan", "coute", "coutent", "last", "lasts", "apply", "applies"})


def _asks_more(search: Search) -> bool:
    """True where a word of the question that is none of its concepts' stands in the document."""
    counts = search.evidence.line_counts
    words = [index for index, term in enumerate(search.terms.terms) if term.kind in ("word", "phrase")]
    told = [index for index in words if folded_text(search.terms.terms[index].text) not in _ASKING]
    return any(counts.get(index, 0) for index in told)


def _measured(
    search: Search, judgements: Mapping[str, Judgement], verdict: AbsenceVerdict, code: str
) -> MissProbability | None:
    """How often such a finding was wrong; None for another way of finding than the one that was measured.

    Measured were findings of the rules over whole documents that were read in full, none shorter than `shortest`
    lines. Beside a proven absence stands a figure of its own topic or none: other topics say nothing of that proof.
    """
    concepts = search.query.concepts
    if not concepts or verdict == "inconclusive" or code == "outside_scope" or search.is_restricted:
        return None
    if search.settings.strategy != "arbiter" or any(one.judged_by != "rules" for one in judgements.values()):
        return None
    if len(search.lines.searched) < load_measured().shortest:
        return None
    measured = miss_probability(concepts[0].concept_id, concepts[0].dictionary)
    return None if measured is not None and verdict == "proven_absent" and not is_of_topic(measured) else measured


def _references(search: Search) -> tuple[str, ...]:
    """Mentions in the topic's passages that lead to a place the document does not have, with where they stand.

    Those first that say: there stands what is asked. At most twelve, then how many more. A statute's number is none.
    """
    named = dict.fromkeys(search.followed.lost)
    refs = search.document.cross_ref_df
    lines, evidence = search.lines, search.evidence
    own = {
        lines.line_ids[position]
        for block, unit in evidence.units.items()
        if unit.titled or any(_is_own(search, evidence.term(match.term)) for match in unit.own)
        for position in lines.block_positions(block)
    }
    lost = refs[refs["target_line_id"].isna() & refs["line_id"].isin(own)] if own and len(refs) else refs.iloc[:0]
    columns = (lost[name].tolist() for name in ("ref_type", "ref_id", "line_id", "char_start"))
    told = {mention.lower() for mention in named}
    for kind, ref_id, line_id, start in zip(*columns, strict=True):
        at = lines.position(line_id)
        text = lines.texts[at]
        end = text.find(ref_id, start) + len(ref_id)
        name = f"{kind.capitalize()} {ref_id}"
        if is_law(text[end:], text[:start]) or text.strip(" .:").lower() == name.lower():
            continue
        if not any(name.lower() in mention for mention in told):
            told.add(name.lower())
            named.setdefault(f"{name} ({tell_line(lines.page_unit, lines.page_nums[at], lines.line_nums[at])})")
    shown = list(named)
    more = len(shown) - MAX_REFERENCES
    return (*shown[:MAX_REFERENCES], f"and {more} more") if more > 0 else tuple(shown)
