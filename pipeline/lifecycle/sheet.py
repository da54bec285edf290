"""Proposals as a sheet that a person decides on, and the decisions read back; every fault with its row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from dictionaries.file_format import Kind
from dictionaries.workbook_cells import Problem, SheetRow, as_text, as_word, open_workbook
from dictionaries.workbook_layout import KIND_WORDS, KINDS_BY_WORD, to_cell_text
from pipeline.lifecycle.deciding import ACCEPT, REJECT, Decision
from pipeline.store.workbook import to_workbook
from schemas.errors import DictionaryError
from schemas.proposals import EvidenceLine, Proposal

SHEET = "proposals"
DECISION, ID = "decision", "id"
_EDITABLE = ("dictionary", "concept", "kind", "language", "text")
_KINDS: tuple[Kind, ...] = ("primary", "secondary", "questions")
WIDTHS = {
    "dictionary": 14, "concept": 26, "text": 34, "reason": 60, "questions": 60, "lines": 80, "documents": 40, "id": 16,
}  # fmt: skip
MAX_FAULTS = 20  # faults told at once; the rest is counted


def to_sheet(proposals: Sequence[Proposal]) -> bytes:
    """An .xlsx file with a row a proposal and an empty column for the decision. No cell is ever a formula."""
    rows = [_row(one) for one in proposals]
    columns = (DECISION, *_EDITABLE, "reason", "questions", "lines", "documents", ID)
    frame = pd.DataFrame({name: [row.get(name) or None for row in rows] for name in columns}, dtype=object)
    choices = {DECISION: (ACCEPT, REJECT), "kind": [KIND_WORDS[kind] for kind in _KINDS]}
    return to_workbook(frame, title=SHEET, choices=choices, widths=WIDTHS)


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """The decisions of a sheet, in its order; rows without one are left out.

    A person may correct concept, kind, language and words, and add rows without an id.

    Raises DictionaryError, with all faults and their rows, when one cannot be taken.
    """
    rows = open_workbook(path).get(SHEET)
    if not rows:
        raise DictionaryError(f"{path.name}: has no sheet {SHEET!r}; write one with `lineproof dict suggest --xlsx`")
    titles = [as_word(value) for value in rows[0].cells]
    missing = [name for name in (DECISION, *_EDITABLE, ID) if titles.count(name) != 1]
    if missing:
        raise DictionaryError(
            f"{path.name}, sheet {SHEET!r}, row {rows[0].number}: the column {', '.join(missing)} is missing or stands "
            "there twice; put it back"
        )
    decisions: list[Decision] = []
    faults: list[str] = []
    for row in rows[1:]:
        read = _read_row(row, titles)
        problems = [f"{name} {value.reason}" for name, value in read.items() if isinstance(value, Problem)]
        problems += _word_faults(read)
        faults += [f"{path.name}, sheet {SHEET!r}, row {row.number}: {problem}" for problem in problems]
        if not problems and read[DECISION] is not None:
            decisions.append(_decision(read, row.number))
    faults += _twice(decisions, path.name)
    if faults:
        more = f"; and {len(faults) - MAX_FAULTS} more" if len(faults) > MAX_FAULTS else ""
        raise DictionaryError("; ".join(faults[:MAX_FAULTS]) + more)
    return tuple(decisions)


def _row(proposal: Proposal) -> dict[str, Any]:
    evidence = proposal.evidence
    return {
        "dictionary": proposal.dictionary,
        "concept": proposal.concept,
        "kind": KIND_WORDS[proposal.kind],
        "language": proposal.language,
        "text": to_cell_text(proposal.text),
        "reason": proposal.reason,
        "questions": to_cell_text("\n".join(evidence.questions)),
        "lines": to_cell_text("\n".join(_told(line) for line in evidence.lines)),
        "documents": to_cell_text("\n".join(evidence.documents)),
        ID: proposal.proposal_id,
    }


def _told(line: EvidenceLine) -> str:
    return f"{line.doc_id}, page {line.page_num}: {line.text}"


def _read_row(row: SheetRow, titles: Sequence[object]) -> dict[str, Any]:
    cells = {name: row.cells[at] if at < len(row.cells) else None for at, name in enumerate(titles) if name}
    read: dict[str, Any] = {name: as_word(cells[name]) for name in (DECISION, "kind", "language", ID)}
    read |= {name: as_word(cells[name]) for name in ("dictionary", "concept")}
    return read | {"text": as_text(cells["text"])}


def _word_faults(read: dict[str, Any]) -> Iterator[str]:
    if read[DECISION] not in (None, ACCEPT, REJECT) and not isinstance(read[DECISION], Problem):
        yield f"decision {read[DECISION][:40]!r} must be {ACCEPT}, {REJECT} or empty"
    if read[DECISION] is None:
        return
    if isinstance(read["kind"], str) and KINDS_BY_WORD.get(read["kind"]) not in _KINDS:
        yield f"kind {read['kind'][:40]!r} must be primary, secondary or question"
    if read[DECISION] == REJECT:
        if read[ID] is None:
            yield "a row without an id cannot be rejected; delete it"
        return
    for name in _EDITABLE:
        if read[name] is None:
            yield f"{name} is empty; an accepted row needs one"


def _decision(read: dict[str, Any], row: int) -> Decision:
    return Decision(
        proposal_id=read[ID] or "",
        accepted=read[DECISION] == ACCEPT,
        dictionary=read["dictionary"] or "",
        concept=read["concept"] or "",
        kind=KINDS_BY_WORD.get(read["kind"] or "", "primary"),
        language=read["language"] or "",
        text=(read["text"] or "").strip(),
        row=row,
    )


def _twice(decisions: Sequence[Decision], file: str) -> Iterator[str]:
    seen: dict[str, Decision] = {}
    for one in decisions:
        first = seen.setdefault(one.proposal_id, one) if one.proposal_id else one
        if first is not one and first.accepted != one.accepted:
            yield (
                f"{file}, sheet {SHEET!r}, row {one.row}: the proposal {one.proposal_id} is decided otherwise in row "
                f"{first.row}"
            )
