"""Every candidate: what the arbiter saw beside what it decided, the kept ones as cards, all of them in one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pipeline.audit.page.blocks import facts, folded, table, wrapping
from pipeline.audit.page.labels import label
from pipeline.audit.page.marks import labels_of, place_words
from pipeline.audit.page.path_steps import ROLES, role_words
from pipeline.audit.page.told import ToldRun
from pipeline.sheet.detail import cut
from pipeline.sheet.markup import Markup, join, tag
from pipeline.sheet.methods import method_words
from pipeline.wording import tell_note
from schemas.retrieval import CandidateProvenance, RetrievedCandidate

MAX_CARDS = {"primary": 60, "supporting": 40, "tangential": 30, "discarded": 30}  # cards a role; the table has all
MAX_ROWS = 20_000  # rows of the table, some six megabytes of page
MAX_REASON = 200  # characters of a reason in the table; cards have it whole
OPEN = ("primary", "supporting")  # roles whose cards are shown without being asked for


def tell_candidates(run: ToldRun, key: str, language: str) -> Iterator[Markup | None]:
    """Cards by role, then the table."""
    found = run.saved.retrieval
    yield tag("h2", label("candidates", language), id=f"{key}candidates")
    if not found.provenances:
        yield tag("p", label("no_candidates", language))
        return
    labels = labels_of(found.provenances)
    kept = {candidate.candidate_id: candidate for candidate in found.candidates}
    numbered = list(enumerate(found.provenances, 1))
    drawn: set[int] = set()
    for role in ROLES:
        own = [(number, one) for number, one in numbered if one.role == role]
        if not own:
            continue
        drawn.update(number for number, _ in own[: MAX_CARDS[role]])
        cards = [
            _card(one, labels[one.candidate_id], kept.get(one.candidate_id), f"{key}c{number}", language)
            for number, one in own[: MAX_CARDS[role]]
        ]
        head = label("cand_head", language, role=role_words(role, language).capitalize(), count=len(own))
        more = len(own) - len(cards)
        rest = tag("p", label("cards_left_out", language, count=more), class_="soft") if more > 0 else None
        yield folded(tag("b", head), *cards, rest, is_open=role in OPEN)
    idents = [None if number in drawn else f"{key}c{number}" for number, _ in numbered]  # marks lead to the rest here
    yield folded(label("all_candidates", language, count=len(numbered)), _table(run, labels, idents, language))


def _card(one: CandidateProvenance, name: str, kept: RetrievedCandidate | None, ident: str, language: str) -> Markup:
    badge = tag("span", name, class_=f"badge {one.role}")
    head = tag("h3", badge, " ", one.candidate_id, " · ", place_words(one.anchor, language))
    saw, decided = _saw(one, language), _decided(one, kept, language)
    how = _methods(one, language)
    whole = None
    if kept is not None:
        told = label("read_whole", language, place=place_words(kept.context, language))
        whole = folded(told, tag("div", wrapping(kept.text), class_="snippet", dir="auto"))
    return tag(
        "article", head, tag("div", tag("div", saw), tag("div", decided), class_="two"), how, whole,
        class_=f"cand {one.role}", id=ident,
    )  # fmt: skip


def _saw(one: CandidateProvenance, language: str) -> Markup:
    brief = one.structural_context
    return join(
        tag("h4", label("saw", language)),
        facts(
            [
                (label("section", language), brief.section),
                (label("found_by", language), ", ".join(method_words(name, language) for name in brief.methods)),
                (label("words_found", language), ", ".join(brief.matched_keywords)),
            ]
        ),
        tag("div", wrapping(brief.snippet), class_="snippet", dir="auto"),
    )


def _decided(one: CandidateProvenance, kept: RetrievedCandidate | None, language: str) -> Markup:
    limits = ""
    if kept is not None:
        limits = "; ".join(f"{limit.limit}: {limit.asked} / {limit.found}" for limit in kept.missed_limits)
    return join(
        tag("h4", label("decided", language)),
        facts(
            [
                (label("role", language), tag("b", role_words(one.role, language))),
                (label("reason", language), tell_note(one.reason, language)),
                (label("by_rule", language), one.rule),
                (label("judged_by", language), label(f"judge_{one.judged_by}", language)),
                (label("missed_limits", language), limits),
                (label("followed", language), " → ".join(one.reference_path)),
                (label("relevance", language), None if one.relevance is None else str(one.relevance)),
                (label("situating", language), one.situating_context),
            ]
        ),
    )


def _methods(one: CandidateProvenance, language: str) -> Markup:
    """Ranks, scores and reasons by method, and the BM25 score taken apart."""
    heads = [label(name, language) for name in ("method", "rank", "score", "why_proposed")]
    rows = []
    for name in one.methods_that_found_it:
        score = one.score_per_method.get(name)
        rank = one.rank_per_method.get(name)
        rows.append(
            (
                method_words(name, language), "" if rank is None else str(rank), "" if score is None else f"{score:g}",
                tell_note(one.detector_reasons.get(name, ""), language),
            )
        )  # fmt: skip
    ranked = table(heads, rows, name=f"{label('found_by', language)}: {one.candidate_id}")
    if not one.score_terms:
        return ranked
    columns = ("term", "times", "passages_with", "idf", "length_norm", "adds")
    terms = [
        (
            term.term, str(term.frequency), str(term.passages_with_term), f"{term.idf:.4g}", f"{term.length_norm:.4g}",
            f"{term.contribution:.4g}",
        )
        for term in one.score_terms
    ]  # fmt: skip
    told = label("score_terms", language)
    return join(ranked, folded(told, table([label(name, language) for name in columns], terms, name=told)))


def _table(run: ToldRun, labels: Mapping[str, str], idents: Sequence[str | None], language: str) -> Markup:
    provenances = run.saved.retrieval.provenances
    heads = [label(name, language) for name in ("number", "id", "role", "place", "found_by", "by_rule", "reason")]
    rows = [
        (
            labels[one.candidate_id], one.candidate_id, role_words(one.role, language),
            place_words(one.anchor, language), _ranks(one, language), one.rule or "",
            cut(tell_note(one.reason, language), MAX_REASON),
        )
        for one in provenances[:MAX_ROWS]
    ]  # fmt: skip
    made = table(heads, rows, name=label("candidates", language), idents=idents)
    more = len(provenances) - MAX_ROWS
    rest = tag("p", label("rows_left_out", language, count=more), class_="soft") if more > 0 else None
    return join(made, rest)


def _ranks(one: CandidateProvenance, language: str) -> str:
    told = []
    for name in one.methods_that_found_it:
        rank = one.rank_per_method.get(name)
        told.append(method_words(name, language) + (f" {rank}" if rank is not None else ""))
    return ", ".join(told)
