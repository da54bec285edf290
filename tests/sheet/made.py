"""A run's records with a value of any kind, made by hand: what the pages are drawn from."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from schemas.answer import (
    Answer,
    AnswerItem,
    BooleanValue,
    Branch,
    Completeness,
    ComputedInput,
    ConditionalValue,
    Duration,
    EvidenceCheck,
    EvidenceSpan,
    Finding,
    Iteration,
    RecordField,
    RecordValue,
    RefusedItem,
    TableValue,
    TreeNode,
    TreeValue,
    Value,
)
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult, CandidateBrief, CandidateProvenance, Conflict, ConflictSide
from schemas.values import Address, CustomValue, Iban, Jurisdiction, OpenEnd, Party, RelativeDate
from tests.builders import document, lines, stamp
from tests.generation.handed import ask, candidate, found

HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(2)>&\u202e=1+1"
TEXTS = ("7.2 Notice", f"The notice is thirty (30) days. {HOSTILE}", "It is read around.", "Far away.")
DAYS = Duration(number=Decimal(30), unit="day", original="thirty (30) days")
VALUES: dict[str, Value] = {
    "duration": DAYS,
    "boolean": BooleanValue(value=True, exceptions=(f"except as in {HOSTILE}",)),
    "conditional": ConditionalValue(
        branches=(Branch(condition=f"the Buyer defaults {HOSTILE}", value=DAYS), Branch(condition=None, value=DAYS)),
        original=HOSTILE,
    ),
    "open_end": OpenEnd(until=HOSTILE, original=HOSTILE),
    "relative_date": RelativeDate(
        number=Decimal(30), unit="business_day", direction="after", anchor_event=HOSTILE, original=HOSTILE
    ),
    "party": Party(name=HOSTILE, role="Supplier", original=HOSTILE),
    "address": Address(street=HOSTILE, city="Dublin", original=HOSTILE),
    "jurisdiction": Jurisdiction(name="Ireland", country="IE", original=HOSTILE),
    "iban": Iban(iban="DE89370400440532013000", country="DE", original="DE89 3704"),
    "table": TableValue(title=HOSTILE, headers=("Year", HOSTILE), rows=(("2023", HOSTILE), ("2024", "1,200"))),
    "tree": TreeValue(
        nodes=(
            TreeNode(
                label=HOSTILE, line_start=1, line_end=1, children=(TreeNode(label="(a)", line_start=2, line_end=2),)
            ),
        )
    ),
    "record": RecordValue(fields=(RecordField(name=HOSTILE, value=DAYS), RecordField(name="Fee", value=None))),
    "custom": CustomValue(type_name="vessel", fields={"name": HOSTILE}, original=HOSTILE),
}


def made_document(*, unit: str = "none", **tables: Any) -> ParsedDocument:
    """A document of four lines whose second is hostile."""
    parsed = document(lines(TEXTS), **tables)
    identity = parsed.profile.identity.model_copy(update={"page_unit": unit})
    profile = parsed.profile.model_copy(update={"identity": identity})
    return parsed.model_copy(update={"format": "txt", "source_name": f"a{HOSTILE}.txt", "profile": profile})


def made_question(language: str = "en") -> ParsedQuestion:
    """A hostile question in a language."""
    return ask(f"What is the notice? {HOSTILE}", "duration", language=language)


def made_found() -> AuditedRetrievalResult:
    """Lines 1 to 3 as one candidate, with a hostile reason, and one method skipped."""
    one = candidate("\n".join(TEXTS[:3])).model_copy(update={"reason": HOSTILE, "matched_keywords": (HOSTILE,)})
    brief = CandidateBrief(candidate_id="p1_l1", methods=("m",), section=None, matched_keywords=(), snippet=HOSTILE)
    account = CandidateProvenance(
        candidate_id="p1_l1", methods_that_found_it=("m",), rank_per_method={"m": 1}, detector_reasons={"m": "r"},
        structural_context=brief, anchor=one.anchor, role="primary", reason=HOSTILE, judged_by="rules",
    )  # fmt: skip
    plain = found(one)
    fields = {name: getattr(plain, name) for name in type(plain).model_fields if name != "schema_version"}
    return AuditedRetrievalResult.model_validate(
        {
            **fields, "provenances": (account,), "methods_run": ("content_keyword_match",),
            "methods_skipped": ("bm25",),
            "skipped_reasons": {"bm25": HOSTILE}, "dispatch_rules": {}, "strategy": (), "arbiter": "rules",
            "stamp": stamp(),
        }
    )  # fmt: skip


def made_answer(value: Value = DAYS, *, copies: int = 1, **fields: Any) -> Answer:
    """An answer that cites line 2, with something in every field a person is told of."""
    unit = fields.pop("unit", "none")
    span = EvidenceSpan(
        candidate_id="p1_l1", line_start=2, line_end=2, page_unit=unit, page_start=None if unit == "none" else 1,
        page_end=None if unit == "none" else 1, page_line_start=2, page_line_end=2, section_title=HOSTILE,
        quote=TEXTS[1], reading="ocr", ocr_confidence=0.91,
    )  # fmt: skip
    check = EvidenceCheck(check="quote_is_verbatim", passed=True, detail=HOSTILE)
    item = AnswerItem(
        value=value, spans=(span,), label=HOSTILE, extraction_method="computed", formula="a + b", wished="1 month",
        inputs=(ComputedInput(name=HOSTILE, value=DAYS, line_start=2, line_end=2),), checks=(check,),
    )  # fmt: skip
    side = ConflictSide(candidate_id="p1_l1", line_start=2, line_end=2, place=HOSTILE, says=HOSTILE, quote=HOSTILE)
    failed = check.model_copy(update={"passed": False})
    return Answer.model_validate(
        {
            "doc_id": "doc_00000000", "question": f"What is the notice? {HOSTILE}", "status": "answered",
            "text": HOSTILE, "answer_shape": "listing", "answer_type": "duration", "items": (item,) * copies,
            "refused_items": (RefusedItem(value_text=HOSTILE, proposed_by="rules", checks=(failed,), reason=HOSTILE),),
            "conflicts": (
                Conflict(candidate_ids=("p1_l1",), point=HOSTILE, statement=HOSTILE, found_by="rules", sides=(side,)),
            ),
            "completeness": Completeness(complete=None, found_count=copies, reason=HOSTILE),
            "caveats": (HOSTILE,),
            "findings": (
                Finding(kind="embedded_instruction", page_num=1, line_id=4, quote=HOSTILE, detail=HOSTILE),
            ),
            "history": (
                Iteration(
                    number=1, trigger=HOSTILE, action="widen", detail=HOSTILE, result=HOSTILE, kept=True,
                    confidence_before=0.5, confidence_after=0.6,
                ),
            ),
            "exhausted": True, "confidence": 0.9, "answered_by": "rules", "pages_not_read": (3, 4, 5, 9),
            "stamp": stamp(), **fields,
        }
    )  # fmt: skip
