"""The lower half of a decision sheet: checks, what was searched and not read, findings, versions and hashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from pipeline.sheet.detail import Detail, cut, cut_name, joined, listed
from pipeline.sheet.labels import check_label, label
from pipeline.sheet.markup import Markup, Node, join, tag
from pipeline.sheet.methods import method_words, rule_words
from pipeline.wording import pages_of, say, tell_note, tell_sweep
from schemas.absence import AbsenceProof, NearestMiss
from schemas.answer import Answer, Finding, Iteration
from schemas.document import ParsedDocument
from schemas.places import PageUnit
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult


def tell_checks(answer: Answer, language: str, detail: Detail) -> Iterator[Markup | None]:
    """Every check by its name and how often it was made, repairs, refusals, completeness, further passes."""
    checks = Counter(check.check for item in answer.items for check in item.checks)
    rows = []
    if answer.items:
        key = "one_passed" if len(answer.items) == 1 else "all_passed"
        told = label(key, language, items=len(answer.items), checks=checks.total())
        names = ", ".join(check_label(name, language) for name in checks)
        rows.append(_row(label("checks", language), f"{told}: {names}"))
    else:
        rows.append(_row(label("checks", language), label("no_values", language)))
    repairs = [repair for item in answer.items for repair in item.repairs]
    if repairs:
        how = listed(repairs, detail.notes, lambda one: cut(one.how, detail.sentence), language)
        rows.append(_row("", join(label("repaired", language, count=len(repairs)), how)))
    if answer.refused_items:
        why = listed(
            answer.refused_items, detail.notes, lambda one: cut(f"{one.value_text}: {one.reason}", detail.sentence),
            language,
        )  # fmt: skip
        rows.append(_row("", join(label("refused", language, count=len(answer.refused_items)), why)))
    if answer.items:
        known = {True: "complete_true", False: "complete_false", None: "complete_none"}[answer.completeness.complete]
        given = say("given", language, count=answer.completeness.found_count)
        told = (
            f"{given}; {say(known, language)}: {cut(tell_note(answer.completeness.reason, language), detail.sentence)}"
        )
        rows.append(_row(label("completeness", language), told))
    if answer.history:
        passes = listed(answer.history, detail.notes, lambda one: _pass(one, language, detail), language)
        ended = f" ({label('exhausted', language)})" if answer.exhausted else ""
        rows.append(_row(label("passes", language) + ended, passes))
    yield tag("h2", label("checks", language))
    yield join(*rows)


def tell_search(
    question: ParsedQuestion, found: AuditedRetrievalResult, answer: Answer, language: str, detail: Detail
) -> Iterator[Markup | None]:
    """Terms with their hits, the methods that ran and were skipped, the passages and who judged them."""
    proof = answer.absence
    rows = [*(_proof_rows(proof, language, detail) if proof is not None else _word_rows(found, language, detail))]
    rows.append(
        _row(label("methods_run", language), ", ".join(method_words(name, language) for name in found.methods_run))
    )
    if found.methods_skipped:
        skipped = [
            f"{method_words(name, language)} "
            f"({rule_words(found.dispatch_rules.get(name, ''), found.skipped_reasons[name], language)})"
            for name in found.methods_skipped
        ]
        rows.append(_row(label("methods_skipped", language), cut("; ".join(skipped), 3 * detail.sentence)))
    kept, proposed = len(found.candidates), len(found.provenances)
    told = label("candidates", language, proposed=proposed, kept=kept, discarded=proposed - kept)
    rows.append(_row(label("passages", language), f"{told}; {label(f'judged_{found.arbiter}', language)}"))
    meaning = f"{answer.confidence:.2f} ({label('confidence_means', language)})"
    rows.append(_row(label("confidence", language), meaning))
    for step in (*question.downgrades, *found.downgrades, *answer.downgrades)[: detail.notes]:
        told = label("lesser", language, used=step.used, wanted=step.wanted, reason=step.reason)
        rows.append(_row("", cut(told, detail.sentence)))
    yield tag("h2", label("searched", language))
    yield join(*rows)


def tell_unread(
    found: AuditedRetrievalResult, answer: Answer, unit: PageUnit, language: str, detail: Detail
) -> Iterator[Markup | None]:
    """Pages that could not be read, references that lead out, what else keeps the document from being read in full."""
    told = []
    if answer.pages_not_read:
        told.append(label("pages_not_read", language, pages=cut(pages_of(answer.pages_not_read), detail.sentence)))
    if answer.absence is not None and answer.absence.references_not_followed:
        out = joined(answer.absence.references_not_followed, detail.notes, language)
        told.append(f"{label('leads_out', language)}: {cut(out, detail.sentence)}")
    told += [cut(tell_note(caveat, language), detail.sentence) for caveat in found.document_caveats[: detail.notes]]
    yield tag("h2", label("not_read", language))
    nothing = label("all_read_unpaged" if unit == "none" else "all_read", language)
    yield tag("p", nothing) if not told else listed(told, len(told), str, language)


def tell_findings(answer: Answer, unit: PageUnit, language: str, detail: Detail) -> Iterator[Markup | None]:
    """Text of the document that tries to steer its reader, with its place; nothing where there is none."""
    if answer.findings:
        yield tag("h2", label("findings", language))
        yield listed(answer.findings, detail.notes, lambda one: _finding(one, unit, language, detail), language)


def tell_versions(
    document: ParsedDocument,
    question: ParsedQuestion,
    answer: Answer,
    records: Mapping[str, str],
    language: str,
) -> Iterator[Markup | None]:
    """By what it was made, and the hashes by which anyone can tell that nothing was altered."""
    made = [f"Lineproof {answer.stamp.lineproof}"]
    versions = {**question.stamp.dictionary_versions, **answer.stamp.dictionary_versions}
    made += [label("dictionary", language, name=name, version=value) for name, value in sorted(versions.items())]
    model = answer.stamp.model
    made.append(label("model", language, name=model) if model else label("no_model", language))
    hashes = {f"{label('file', language)} {cut_name(document.source_name)}": document.sha256, **records}
    yield tag("h2", label("versions", language))
    yield tag("p", ", ".join(made))
    yield join(*(_row(name, tag("span", value, class_="hash")) for name, value in hashes.items()))


def _row(name: str, told: Node) -> Markup:
    """A fact after its name. Blocks, not a table: MuPDF can lose rows of a table where a page ends."""
    kind = "div" if isinstance(told, Markup) and "<ul>" in told else "span"
    return tag(
        "div", tag("span", f"{name}:" if name else None, class_="k"), " ", tag(kind, told, class_="v"), class_="fact"
    )


def _pass(one: Iteration, language: str, detail: Detail) -> str:
    kept = label("kept" if one.kept else "not_kept", language)
    return cut(f"{one.number}. {one.trigger}: {one.action}, {one.detail}. {one.result} ({kept})", detail.sentence)


def _proof_rows(proof: AbsenceProof, language: str, detail: Detail) -> Iterator[Markup]:
    yield _row("", tag("b", say(f"verdict_{proof.verdict}", language)))
    if proof.terms:
        counts = [(term.term, term.hit_count) for term in proof.terms]
        words = joined(_counted(counts, language), detail.terms, language)
        yield _row(label("terms", language), words)
    swept = tell_sweep(proof.lines_searched, proof.pages_searched, proof.page_unit, language)
    yield _row(label("swept", language), swept)
    if proof.nearest_misses:
        near = listed(
            proof.nearest_misses, min(3, detail.notes), lambda miss: _miss(miss, proof.page_unit, language, detail),
            language,
        )  # fmt: skip
        yield _row(label("nearest", language), near)
    if proof.miss_probability is not None:
        rate = proof.miss_probability
        told = label(
            "miss_rate", language, sample=rate.sample_size, share=f"{rate.probability:.1%}", low=f"{rate.low:.1%}",
            high=f"{rate.high:.1%}", on=rate.measured_on,
        )  # fmt: skip
        yield _row("", cut(told, 2 * detail.sentence))


def _word_rows(found: AuditedRetrievalResult, language: str, detail: Detail) -> Iterator[Markup]:
    """The words that led to the passages kept; those without a hit stand in the record."""
    counts = Counter(word for candidate in found.candidates for word in candidate.matched_keywords)
    if counts:
        words = joined(_counted(counts.items(), language), detail.terms, language)
        yield _row(label("found_words", language), words)


def _counted(counts: Iterable[tuple[str, int]], language: str) -> list[str]:
    """Terms with their counts as a person reads them: the regular expressions of a dictionary are counted as one."""
    told, patterns = [], []
    for term, count in counts:
        if "\\b" in term or "(?:" in term:
            patterns.append(count)
        else:
            told.append(f"{term} ({count})")
    if patterns:
        told.append(f"{label('patterns', language, count=len(patterns))} ({sum(patterns)})")
    return told


def _miss(miss: NearestMiss, unit: PageUnit, language: str, detail: Detail) -> Markup:
    place = "" if unit == "none" else f"{say(unit, language)} {miss.page_num}: "
    return join(f"{place}“{cut(miss.snippet, detail.sentence)}” ", tag("span", cut(miss.why_not, detail.sentence),
                                                                    class_="soft"))  # fmt: skip


def _finding(one: Finding, unit: PageUnit, language: str, detail: Detail) -> Markup:
    place = "" if unit == "none" else f"{say(unit, language)} {one.page_num}, "
    place += f"{say('line', language)} {one.line_id}" if unit == "none" else f"line_id {one.line_id}"
    told = f" ({place}): “{cut(one.quote, detail.sentence)}” {cut(one.detail, detail.sentence)}"
    return join(tag("b", label(one.kind, language)), told)
