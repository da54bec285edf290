"""Verification of everything, whoever wrote it: a proposal before it becomes an item, an item of a saved answer.

The checks stand in `checks`, one subject a file; here they are put in order. One failed check refuses an item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from pipeline.generation.checks.about import check_topic
from pipeline.generation.checks.computed import check_computed
from pipeline.generation.checks.evidence import check_quotes, make_spans
from pipeline.generation.checks.ground import Cited, Ground, check, ground_of, shorten, stretches_of
from pipeline.generation.checks.parties import misfit_of_role
from pipeline.generation.checks.reading import check_reading
from pipeline.generation.checks.shape import check_type
from pipeline.generation.checks.stated import Stated, state, tell_fields
from pipeline.generation.checks.together import check_fields, check_items
from pipeline.generation.checks.wording import check_figures, check_negation
from pipeline.generation.checks.words import find_words, is_whole_clause
from pipeline.generation.part_fields import fields_of, record_of
from pipeline.generation.proposal import Method, Proposal, ProposedSpan
from pipeline.generation.remade import faults_of_whole
from pipeline.generation.repair import fits, mend, short_name
from pipeline.generation.settings import GenerationSettings
from schemas.answer import Answer, AnswerItem, ComputedInput, EvidenceCheck, EvidenceSpan, Repair, Value
from schemas.question import ParsedQuestion
from schemas.retrieval import RetrievalResult
from schemas.values import BooleanValue, TextValue


@dataclass(frozen=True, slots=True)
class Claim:
    """What an item says, apart from its lines: the same for a proposal and for an item that was saved."""

    value: Value
    method: Method = "verbatim"
    label: str | None = None
    inputs: tuple[ComputedInput, ...] = ()
    formula: str | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """A proposal after its repairs, its lines with their quotes, and every check; an item only where all passed."""

    proposal: Proposal
    spans: tuple[EvidenceSpan, ...]
    checks: tuple[EvidenceCheck, ...]
    repairs: tuple[Repair, ...]

    @property
    def failed(self) -> tuple[EvidenceCheck, ...]:
        """The checks that did not pass."""
        return tuple(one for one in self.checks if not one.passed)

    def as_item(self) -> AnswerItem:
        """The item; it is refused by its schema where a check failed."""
        proposal = self.proposal
        if proposal.value is None:
            raise ValueError("a proposal without a value makes no item")
        return AnswerItem(
            value=proposal.value,
            spans=self.spans,
            label=proposal.label,
            extraction_method=proposal.method,
            inputs=proposal.inputs,
            formula=proposal.formula,
            outcome="repaired" if self.repairs else "verified",
            repairs=self.repairs,
            checks=self.checks,
        )


def verify(proposal: Proposal, ground: Ground) -> Verified:
    """A proposal put right where that leaves no choice, and every check of what it is then."""
    mended, repairs = mend(proposal, ground)
    spans, exists = make_spans(mended.spans, ground, repairs=repairs)
    if mended.value is None:
        failed = check(
            "value_in_lines", False, f"{shorten(mended.value_text)!r} is no {ground.answer_type} of the cited lines"
        )
        return Verified(mended, spans, (exists, failed) if spans else (exists,), repairs)
    if not spans:
        return Verified(mended, (), (exists,), ())
    claim = Claim(mended.value, mended.method, mended.label, mended.inputs, mended.formula)
    return Verified(mended, spans, (exists, *check_claim(claim, spans, ground)), repairs)


def check_claim(claim: Claim, spans: Sequence[EvidenceSpan], ground: Ground) -> tuple[EvidenceCheck, ...]:
    """Every check of a claim against its lines but `lines_exist`, in a fixed order, each with what was compared."""
    return tuple(_checks(claim, spans, ground))


def find_faults(
    answer: Answer,
    found: RetrievalResult,
    *,
    question: ParsedQuestion | None = None,
    settings: GenerationSettings | None = None,
    parts: Sequence[tuple[Answer, RetrievalResult, ParsedQuestion | None]] = (),
) -> tuple[str, ...]:
    """What does not hold in a saved answer against the retrieval result it was made from; empty when all holds.

    For an auditor. Every item is verified anew from the handed lines, and the checks on its record must be those that
    come out: one altered field of an item shows in one or the other. With the parsed `question` the checks of topic
    are made again too, and the whole answer of the rules is, so that an altered word of its text, its caveats or its
    absence proof shows. An answer that was put together from `parts` holds where these do, each against its own
    retrieval result, and where its items are theirs; without them it cannot be verified, which is a fault.
    """
    settings = settings or GenerationSettings()
    if answer.parts:
        return tuple(_faults_of_parts(answer, parts, settings))
    if question is not None:
        ground = ground_of(question, found, settings)
    else:
        ground = Ground(found, answer.question, answer.answer_type, answer.answer_shape, settings=settings)
    faults = [f"answer: {fault}" for fault in _answer_faults(answer, found)]
    together = check_items(answer.items)
    for number, item in enumerate(answer.items, 1):
        proposed = tuple(ProposedSpan(span.candidate_id, span.line_start, span.line_end) for span in item.spans)
        made, exists = make_spans(proposed, ground, repairs=item.repairs)
        checks = [exists]
        if made:
            claim = Claim(item.value, item.extraction_method, item.label, item.inputs, item.formula)
            checks += check_claim(claim, item.spans, ground)
            checks += [together[number - 1]] if number - 1 in together else []
        told = [f"{one.check}: {one.detail}" for one in checks if not one.passed]
        told += _record_faults(item, checks, is_own=answer.stamp.lineproof == _own_version())
        faults += [f"item {number}: {fault}" for fault in told]
    if question is not None and answer.stamp.lineproof == _own_version():
        faults += [f"answer: {fault}" for fault in faults_of_whole(answer, found, question, settings)]
    return tuple(dict.fromkeys(faults))


def _faults_of_parts(
    answer: Answer,
    parts: Sequence[tuple[Answer, RetrievalResult, ParsedQuestion | None]],
    settings: GenerationSettings,
) -> Iterator[str]:
    """The faults of each part, and where the whole says something else than its parts."""
    asked = [part for part in answer.parts if part.status != "not_asked"]
    if len(asked) != len(parts):
        yield f"answer: it is put together from {len(asked)} parts, {len(parts)} of them are given to verify it by"
        return
    items: list[AnswerItem] = []
    for number, (told, (part, found, question)) in enumerate(zip(asked, parts, strict=True), 1):
        yield from (f"part {number}: {one}" for one in find_faults(part, found, question=question, settings=settings))
        if (told.status, told.text) != (part.status, part.text):
            yield f"part {number}: the whole tells another status or text than the part does"
        items += [
            one.model_copy(update={"label": f"{told.question} {one.label}" if one.label else told.question})
            for one in part.items
        ]
    fields = fields_of(answer, [part for part, _, _ in parts])
    record = record_of(fields)
    count = sum(bool(one.items) for one in fields) if record else len(items)
    items = [record] if record else items
    if answer.items != tuple(items):
        yield "answer: its items are not those of its parts, in their order and with their questions as labels"
    if answer.completeness.found_count != count:
        yield f"answer: completeness counts {answer.completeness.found_count} items, its parts have {count}"


def _checks(claim: Claim, spans: Sequence[EvidenceSpan], ground: Ground) -> Iterator[EvidenceCheck]:
    cited = stretches_of(spans, ground)
    yield check_quotes(spans, ground)
    if claim.method == "computed":
        yield check("value_in_lines", True, f"computed{tell_fields(claim.value)}; its inputs stand in the lines")
        yield from check_computed(claim.value, claim.inputs, claim.formula, cited)
        stated = Stated(check("value_in_lines", True, ""))
    else:
        stated = state(claim.value, cited)
        yield _whole(claim, stated, cited, ground)
        if claim.inputs or claim.formula:
            yield check("computation_holds", False, "inputs or a formula are given for a value that was not computed")
        yield check_figures(claim.value, cited)
        yield check_negation(claim.value, stated.place, cited, ground.question)
    yield _labelled(check_type(claim.value, ground.answer_type), claim, cited, ground)
    about = check_topic(claim.value, stated.place, cited, ground)
    if about is not None:
        yield about
    yield check_reading(claim.value, spans, ground)
    fields = check_fields(claim.value)
    if fields is not None:
        yield fields


def _whole(claim: Claim, stated: Stated, cited: Sequence[Cited], ground: Ground) -> EvidenceCheck:
    """That the value stands in the lines, and that these end with its words or its sentence."""
    name = short_name(claim.label, ground)
    if not stated.outcome.passed or stated.place is None:
        return stated.outcome
    if isinstance(claim.value, BooleanValue) and claim.value.clause:
        one, stretch = stated.place
        if not is_whole_clause(one.passage, stretch):
            return check("value_in_lines", False, "the clause is a piece of a sentence; what it leaves out may turn it")
    if fits(claim.value, cited, name=name):
        return stated.outcome
    return check("value_in_lines", False, "the cited range begins or ends within a sentence, beside the words")


def _labelled(outcome: EvidenceCheck, claim: Claim, cited: Sequence[Cited], ground: Ground) -> EvidenceCheck:
    """The check of the kind, with how the value was got and what it is called; a party by its own short name."""
    label, value = claim.label, claim.value
    if outcome.passed and label and ground.answer_type == "party" and isinstance(value, TextValue):
        texts = [one.text for one in cited if find_words(one.text, label)]
        misfits = [misfit_of_role(text, value.text, label) for text in texts]
        if misfits and all(misfits):
            return check("shape_and_type", False, misfits[0] or "")
    is_odd = claim.method == "verbatim" and isinstance(value, BooleanValue)
    if is_odd:
        return check("shape_and_type", False, "a yes or no is inferred from its clause, it does not stand there")
    told = f", labelled {label!r}" if label else ""
    return check(outcome.check, outcome.passed, f"{outcome.detail}; {claim.method}{told}")


def _record_faults(item: AnswerItem, checks: Sequence[EvidenceCheck], *, is_own: bool) -> Iterator[str]:
    """Where the record of an item is not what verification writes now; checks of another version are not compared."""
    if (item.outcome == "repaired") != bool(item.repairs):
        yield f"outcome: {item.outcome} with {len(item.repairs)} repairs"
    for mended in item.repairs:
        if mended.what == "line_range" and mended.after not in [
            f"{span.line_start}-{span.line_end}" for span in item.spans
        ]:
            yield f"repair: lines {mended.after} are not cited"
    if not is_own:
        return
    for one in checks:
        if one.passed and one not in item.checks:
            yield f"{one.check}: the record says something else than the check does now"


def _answer_faults(answer: Answer, found: RetrievalResult) -> Iterator[str]:
    """Fields of an answer that repeat what retrieval handed over or what its items say."""
    if answer.doc_id != found.doc_id:
        yield f"it is about {answer.doc_id}, the passages are of {found.doc_id}"
    if answer.pages_not_read != found.pages_not_read:
        yield "the pages that were not read are not those of the retrieval result"
    if answer.items and answer.completeness.found_count != len(answer.items):
        yield f"completeness counts {answer.completeness.found_count} items, there are {len(answer.items)}"


@cache
def _own_version() -> str:
    """Read once: it takes milliseconds, and a check of many answers asks for each."""
    try:
        return version("lineproof")
    except PackageNotFoundError:
        return "uninstalled"
