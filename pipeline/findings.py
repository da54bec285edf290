"""What a document says to a program that reads it, visible or not: told with every answer, never followed."""

from __future__ import annotations

import math

from pipeline.injection import Instruction, find_instructions
from pipeline.kept import Kept
from pipeline.wording import tell_line
from schemas.answer import Answer, Finding
from schemas.document import ParsedDocument

MAX_QUOTE = 300  # characters of a line that a finding quotes
MAX_TOLD = 3  # findings told in a caveat; all of them stand in the record
KEPT_DOCUMENTS = 16  # documents whose findings are kept for the next question

_kept: Kept[tuple[Finding, ...]] = Kept(KEPT_DOCUMENTS)


def findings_of(document: ParsedDocument) -> tuple[Finding, ...]:
    """Every line of the document that tries to steer its reader, hidden ones too, in the document's order."""
    return _kept.get(document, lambda: _look_through(document))


def tell_findings(answer: Answer, document: ParsedDocument) -> Answer:
    """The answer with the document's findings, and a caveat that tells them; the same answer where there are none."""
    findings = findings_of(document)
    if not findings:
        return answer
    unit = document.profile.identity.page_unit
    numbers = dict(zip(document.line_df["line_id"], document.line_df["line_num"], strict=True))
    told = [
        f"{tell_line(unit, one.page_num, int(numbers[one.line_id]))}: {one.quote!r}"
        + (" (no person sees it)" if one.kind == "hidden_text" else "")
        for one in findings[:MAX_TOLD]
    ]
    more = f", and {len(findings) - MAX_TOLD} more" if len(findings) > MAX_TOLD else ""
    caveat = (
        "The document holds words addressed to a program that reads it; they were not followed: "
        f"{'; '.join(told)}{more}."
    )
    caveats = tuple(dict.fromkeys((*answer.caveats, caveat)))
    return answer.model_copy(update={"findings": findings, "caveats": caveats})


def _look_through(document: ParsedDocument) -> tuple[Finding, ...]:
    lines = document.line_df
    found: list[tuple[int, Instruction]] = []
    for visible in (True, False):  # apart: hidden lines between the visible ones break no sentence of theirs
        rows = [at for at, shown in enumerate(lines["visible"]) if bool(shown) == visible]
        texts = [str(lines["text"].iloc[at]) for at in rows]
        found += [(rows[at], one) for one in find_instructions(texts) for at in range(one.first, one.last + 1)]
    return tuple(_finding(document, at, one) for at, one in sorted(found, key=lambda pair: pair[0]))


def _finding(document: ParsedDocument, at: int, one: Instruction) -> Finding:
    row = document.line_df.iloc[at]
    corners = tuple(float(row[side]) for side in ("x0", "y0", "x1", "y1"))
    text = " ".join(str(row["text"]).split())
    hidden = "" if row["visible"] else f"; no person sees the line: {row['hidden_reason']}"
    return Finding(
        kind="embedded_instruction" if row["visible"] else "hidden_text",
        page_num=int(row["page_num"]),
        line_id=int(row["line_id"]),
        box=None if any(map(math.isnan, corners)) else (corners[0], corners[1], corners[2], corners[3]),
        quote=text if len(text) <= MAX_QUOTE else text[: MAX_QUOTE - 1].rstrip() + "…",
        detail=f"addressed to a program that reads the document ({one.rule}: {one.words!r}){hidden}",
    )
