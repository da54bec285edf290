"""What was searched and not found; every check with what it compared; what was refused; whether the answer is whole."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.audit.page.blocks import bullets, facts, folded, table, wrapping
from pipeline.audit.page.labels import label
from pipeline.audit.page.told import ToldRun
from pipeline.sheet.labels import check_label
from pipeline.sheet.markup import Markup, Node, join, tag
from pipeline.wording import place_of, say, tell_note, tell_sweep, words_of
from schemas.absence import AbsenceProof
from schemas.answer import Answer, AnswerItem, Iteration
from schemas.evidence import EvidenceCheck

MAX_TERMS = 2_000  # terms listed of a proof; more is a dictionary, and stands in the record
SCREEN = 20  # rows of a table that is shown without being asked for
MAX_ITEMS = 200  # values whose checks are listed


def tell_absence(run: ToldRun, key: str, language: str) -> Iterator[Markup | None]:
    """The proof of absence in full; nothing where something was found."""
    proof = run.saved.answer.absence or run.saved.retrieval.absence
    if proof is None:
        return
    title = "absence" if run.saved.answer.absence else "absence_of_search"
    yield tag("h2", label(title, language), id=f"{key}absence")
    swept = tell_sweep(proof.lines_searched, proof.pages_searched, proof.page_unit, language)
    versions = ", ".join(f"{name} {version}" for name, version in sorted(proof.dictionary_versions.items()))
    yield facts(
        [
            (label("verdict", language), tag("b", say(f"verdict_{proof.verdict}", language))),
            (label("statement", language), tell_note(proof.statement, language)),
            (label("ended_at", language), label(f"level_{proof.level}", language)),
            (label("swept", language), swept),
            (label("not_read", language), ", ".join(map(str, proof.pages_not_read))),
            (label("exhaustive", language), say("yes" if proof.exhaustive else "no", language)),
            (label("dictionary", language, name="", version="").strip(), versions),
            (label("leads_out", language), bullets(proof.references_not_followed)),
            ("", _miss_rate(proof, language)),
        ]
    )
    told = label("terms_searched", language, count=len(proof.terms))
    heads = [label(name, language) for name in ("term", "concept", "hits")]
    rows = [(term.term, term.concept or "", str(term.hit_count)) for term in proof.terms[:MAX_TERMS]]
    yield folded(told, table(heads, rows, name=told), is_open=len(rows) <= SCREEN)
    if proof.nearest_misses:
        yield tag("h3", label("nearest", language))
        heads = [label(name, language) for name in ("place", "nearest", "why_not")]
        near = [
            (_page(proof, miss.page_num, language), tag("span", wrapping(miss.snippet), dir="auto"),
             tell_note(miss.why_not, language))
            for miss in proof.nearest_misses
        ]  # fmt: skip
        yield table(heads, near, name=label("nearest", language))


def tell_checks(run: ToldRun, key: str, language: str) -> Iterator[Markup | None]:
    """Each value with its checks, repairs and inputs; each refused one; completeness; the further passes."""
    answer = run.saved.answer
    yield tag("h2", label("checks", language), id=f"{key}checks")
    for number, item in enumerate(answer.items[:MAX_ITEMS], 1):
        yield _item(item, number, language)
    more = len(answer.items) - MAX_ITEMS
    if more > 0:
        yield tag("p", label("rows_left_out", language, count=more), class_="soft")
    for refused in answer.refused_items[:MAX_ITEMS]:
        head = join(tag("span", label("refused_value", language), class_="bad"), f": {refused.value_text}")
        rows: list[tuple[str, Node]] = [
            (label("reason", language), tell_note(refused.reason, language)),
            (label("proposed_by", language), label(f"judge_{refused.proposed_by}", language)),
        ]
        if refused.line_start is not None:
            rows.append((label("place", language), f"line_id {refused.line_start}-{refused.line_end}"))
        yield folded(head, facts(rows), _checks(refused.checks, language), is_open=True)
    if not answer.items and not answer.refused_items:
        yield tag("p", label("no_values", language))
    yield tag("h3", label("completeness", language))
    yield from _completeness(answer, language)
    yield tag("h3", label("passes", language) + (f" ({label('exhausted', language)})" if answer.exhausted else ""))
    passes = [_pass(one, language) for one in answer.history]
    yield bullets(passes) or tag("p", label("no_passes", language))


def _item(item: AnswerItem, number: int, language: str) -> Markup:
    head = f"{label('given_value', language)} {number}: {words_of(item.value, language)}"
    rows: list[tuple[str, Node]] = [
        (label("place", language), "; ".join(place_of(span, language) for span in item.spans)),
        (label("candidates", language), ", ".join(dict.fromkeys(span.candidate_id for span in item.spans))),
        (label("method", language), say(f"method_{item.extraction_method}", language)),
        (label("inputs", language), bullets(
            f"{one.name}: {words_of(one.value, language)} (line_id {one.line_start}-{one.line_end})"
            for one in item.inputs
        )),
    ]  # fmt: skip
    for repair in item.repairs:
        told = join(
            f"{repair.what.replace('_', ' ')}: {repair.how}",
            facts([(label("before", language), repair.before), (label("now", language), repair.after)]),
        )
        rows.append((label("repair", language), told))
    return folded(head, facts(rows), _checks(item.checks, language), is_open=number == 1)


def _checks(checks: tuple[EvidenceCheck, ...], language: str) -> Markup:
    heads = [label(name, language) for name in ("check", "outcome", "compared")]
    rows = [
        (check_label(check.check, language), _outcome(passed=check.passed, language=language),
         tell_note(check.detail, language))
        for check in checks
    ]  # fmt: skip
    return table(heads, rows, name=label("checks", language))


def _outcome(*, passed: bool | None, language: str) -> Markup:
    key = {True: "passed", False: "failed", None: "untold"}[passed]
    return tag("span", label(key, language), class_={True: "ok", False: "bad", None: "soft"}[passed])


def _completeness(answer: Answer, language: str) -> Iterator[Markup]:
    whole = answer.completeness
    known = {True: "complete_true", False: "complete_false", None: "complete_none"}[whole.complete]
    given = say("given", language, count=whole.found_count)
    yield tag("p", f"{given}; {say(known, language)}: {tell_note(whole.reason, language)}")
    if whole.checks:
        heads = [label(name, language) for name in ("completeness_check", "outcome", "compared")]
        rows = [
            (one.check.replace("_", " "), _outcome(passed=one.passed, language=language),
             tell_note(one.detail, language))
            for one in whole.checks
        ]  # fmt: skip
        yield table(heads, rows, name=label("completeness", language))


def _pass(one: Iteration, language: str) -> Markup:
    kept = label("kept" if one.kept else "not_kept", language)
    change = label(
        "confidence_from_to", language, before=f"{one.confidence_before:.2f}", after=f"{one.confidence_after:.2f}"
    )
    return join(
        tag("b", f"{one.number}. {one.trigger}"), tag("div", f"{one.action}: {one.detail}"),
        tag("div", f"{one.result} ({kept}; {change})"),
    )  # fmt: skip


def _miss_rate(proof: AbsenceProof, language: str) -> str | None:
    rate = proof.miss_probability
    if rate is None:
        return None
    return label(
        "miss_rate", language, sample=rate.sample_size, share=f"{rate.probability:.1%}", low=f"{rate.low:.1%}",
        high=f"{rate.high:.1%}", on=rate.measured_on,
    )  # fmt: skip


def _page(proof: AbsenceProof, page_num: int, language: str) -> str:
    return "" if proof.page_unit == "none" else f"{say(proof.page_unit, language)} {page_num}"
