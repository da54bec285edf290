"""Runs as a sheet that a person reviews in, and the verdicts read back; every fault with its row, all or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from dictionaries.workbook_cells import Problem, SheetRow, as_number, as_text, as_word, as_yes_no, open_workbook
from dictionaries.workbook_layout import to_cell_text
from pipeline.audit.reviewing.decisions import Decision, Lines, list_decisions
from pipeline.audit.reviewing.people import folded_name
from pipeline.audit.reviewing.recording import Opinion, Prepared, Right, prepare
from pipeline.audit.reviewing.stored import StoredReviews, read_reviews
from pipeline.store.runs import ANSWER, CASE
from pipeline.store.seals import read_seal
from pipeline.store.workbook import to_workbook
from pipeline.wording import place_of, words_of
from schemas.answer import Answer, CaseAnswer
from schemas.errors import InputError
from schemas.review import Correction, Verdict

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SHEET = "reviews"
VERDICTS: tuple[Verdict, ...] = ("accept", "reject", "correct")
SHOWN = ("document", "question", "status", "answer", "evidence")  # what a reviewer reads
ASKED = ("verdict", "reason", "value", "not_in_document", "page", "first_line", "last_line", "reviewer")  # fills in
KEYS = ("run", "seal")  # what ties a row to a run; not to be changed
WIDTHS = {
    "document": 30, "question": 40, "answer": 40, "evidence": 80, "reason": 40, "value": 24, "not_in_document": 16,
    "reviewer": 20, "run": 30, "seal": 20,
}  # fmt: skip
MAX_FAULTS = 20  # faults told at once; the rest is counted


@dataclass(frozen=True, slots=True)
class Form:
    """Where the columns of a review stand in a workbook: `keys` name the run, and what ties the row to its records."""

    sheet: str
    keys: tuple[str, str]
    prefix: str = ""  # before the titles of the columns that a reviewer fills in
    advice: str = "write one with `lineproof review export --out FILE`"


OF_REVIEWS = Form(SHEET, ("run", "seal"))
OF_BATCH = Form("cells", ("run", "answer sha-256"), "review ", "it is no workbook of results of `lineproof batch`")


@dataclass(frozen=True, slots=True)
class Import:
    """Verdicts of a sheet that can be saved, and how many rows were left out."""

    prepared: tuple[Prepared, ...]
    known: StoredReviews
    already: int  # said before by the same person of the same records, word for word
    without_verdict: int


def to_sheet(decisions: Sequence[Decision]) -> bytes:
    """An .xlsx file with a row a run: what it says, and empty columns for the verdict. No cell is ever a formula.

    What others said of a run is not in it: a second opinion is one's own.
    """
    rows = [_row(one) for one in decisions]
    columns = (*SHOWN, *ASKED, *KEYS)
    frame = pd.DataFrame({name: [row.get(name) or None for row in rows] for name in columns}, dtype=object)
    return to_workbook(frame, title=SHEET, choices={"verdict": VERDICTS, "not_in_document": ("yes",)}, widths=WIDTHS)


def read_sheet(
    root: Path, path: Path, *, by: str | None, key: Ed25519PrivateKey | None = None, form: Form = OF_REVIEWS
) -> Import:
    """The verdicts of a sheet, each checked as if it had been given alone; nothing is written.

    Rows without a verdict are left out, and those that were recorded before. `by` is the reviewer of rows that name
    none; with `key` all rows are theirs.

    Raises InputError with all faults and their rows where one cannot be taken: a row whose run was asked again since,
    a reason that is missing, a correction without a value.
    """
    book = open_workbook(path)
    sheets = [name for name in book if name == form.sheet or (form is OF_BATCH and name.startswith(f"{form.sheet} "))]
    if not any(book[name] for name in sheets):
        raise InputError(f"{path.name}: has no sheet {form.sheet!r}; {form.advice}")
    lines = Lines(root)
    known = read_reviews(root, lines=lines)
    present = {one.place: one for one in list_decisions(root, lines)[0]}
    prepared: list[Prepared] = []
    faults: list[str] = []
    already = blank = 0
    for sheet, number, cells in (row for name in sheets for row in _cells_of(path, name, book[name], form)):
        if as_word(cells["verdict"]) is None and not _filled(cells):
            blank += 1
            continue
        taken = _take(cells, present, by=by, key=key, lines=lines)
        if isinstance(taken, list):
            faults += [f"{path.name}, sheet {sheet!r}, row {number}: {fault}" for fault in taken]
        elif _said_before(taken, known, prepared):
            already += 1
        else:
            prepared.append(taken)
    if faults:
        more = f"; and {len(faults) - MAX_FAULTS} more" if len(faults) > MAX_FAULTS else ""
        raise InputError("; ".join(faults[:MAX_FAULTS]) + more + "; nothing was recorded")
    return Import(tuple(prepared), known, already, blank)


def _cells_of(
    path: Path, sheet: str, rows: Sequence[SheetRow], form: Form
) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The rows of a sheet by the names of the columns that a review has; raises InputError where one is missing."""
    titles = [as_word(value) for value in rows[0].cells]
    wanted = {f"{form.prefix}{name}": name for name in ASKED} | dict(zip(form.keys, KEYS, strict=True))
    missing = [name for name in wanted if titles.count(name) != 1]
    if missing:
        raise InputError(
            f"{path.name}, sheet {sheet!r}, row {rows[0].number}: the column {', '.join(missing)} is missing or stands "
            "there twice; put it back"
        )
    at = {name: titles.index(title) for title, name in wanted.items()}
    for row in rows[1:]:
        yield (
            sheet,
            row.number,
            {name: row.cells[place] if place < len(row.cells) else None for name, place in at.items()},
        )


def _row(decision: Decision) -> dict[str, Any]:
    told: dict[str, Any] = {
        "document": decision.doc_id, "question": to_cell_text(decision.question), "status": decision.status,
        "run": decision.place, "seal": decision.root,
    }  # fmt: skip
    if decision.kind == "case":
        case = CaseAnswer.from_json((decision.folder / CASE).read_bytes(), where=str(decision.folder / CASE))
        return told | {"answer": to_cell_text(case.text)}
    answer = Answer.from_json((decision.folder / ANSWER).read_bytes(), where=str(decision.folder / ANSWER))
    evidence = [f"{place_of(span)}: {span.quote}" for item in answer.items for span in item.spans]
    values = "\n".join(words_of(item.value) for item in answer.items)
    return told | {
        "answer": to_cell_text(values or answer.text),
        "evidence": to_cell_text("\n\n".join(evidence)),
    }


def _filled(cells: Mapping[str, Any]) -> bool:
    """True for a row in which a person wrote something beside the reviewer's name."""
    return any(cells[name] is not None for name in ASKED if name not in ("verdict", "reviewer"))


def _take(
    cells: Mapping[str, Any], present: Mapping[str, Decision], *, by: str | None,
    key: Ed25519PrivateKey | None, lines: Lines,
) -> Prepared | list[str]:  # fmt: skip
    """The verdict of a row; its faults where it cannot be taken."""
    read: dict[str, Any] = {name: as_text(cells[name]) for name in ("reason", "value", "reviewer", "run", "seal")}
    read["verdict"] = as_word(cells["verdict"])
    read["not_in_document"] = as_yes_no(cells["not_in_document"])
    read |= {name: as_number(cells[name]) for name in ("page", "first_line", "last_line")}
    faults = [f"{name} {value.reason}" for name, value in read.items() if isinstance(value, Problem)]
    faults = faults or [*_word_faults(read, present, by, key)]
    if faults:
        return faults
    verdict = next(one for one in VERDICTS if one == read["verdict"])
    try:
        opinion = Opinion(verdict, read["reason"] or "", right=_right(read) if verdict == "correct" else None)
        decision = present[read["run"].strip()]
        return prepare(decision.folder, opinion, by=read["reviewer"] or by or "", key=key, lines=lines)
    except InputError as error:
        return [str(error)]


def _word_faults(
    read: Mapping[str, Any], present: Mapping[str, Decision], by: str | None, key: Ed25519PrivateKey | None
) -> Iterator[str]:
    if read["verdict"] not in VERDICTS:
        found = f"verdict {read['verdict'][:40]!r}" if read["verdict"] else "a row with other cells filled in"
        yield f"{found} must say {', '.join(VERDICTS)}"
    decision = present.get((read["run"] or "").strip())
    if decision is None:
        yield f"no run {(read['run'] or '')[:80]!r} in the store that can be reviewed"
    elif (read["seal"] or "").strip() not in (decision.root, _answer_sha256(decision)):
        yield "the run was asked again since the sheet was written, so the verdict is on other records; export again"
    if not (read["reviewer"] or by):
        yield "names no reviewer; fill in the column or give --by"
    if key is not None and read["reviewer"] and folded_name(read["reviewer"]) != folded_name(by or ""):
        yield f"is by {read['reviewer'][:60]!r}, and a key signs only for the one that --by names"
    if read["verdict"] == "correct":
        if (read["value"] is None) == (not read["not_in_document"]):
            yield "a correction gives a value, or says yes under not_in_document; one of them"
        numbers = [read[name] for name in ("page", "first_line", "last_line") if read[name] is not None]
        if any(number != int(number) or number < 1 for number in numbers):
            yield "page and lines are whole numbers from 1"
    elif any(read[name] for name in ("value", "not_in_document", "page", "first_line", "last_line")):
        yield "value, not_in_document, page and lines go with the verdict correct"


def _answer_sha256(decision: Decision) -> str | None:
    """What ties a row of a batch's results to a run: the hash of its answer, which does not hang on the time."""
    seal = read_seal(decision.folder)
    return seal.files.get(ANSWER) if seal is not None else None


def _right(read: Mapping[str, Any]) -> Right:
    page, first, last = (int(read[name]) if read[name] else None for name in ("page", "first_line", "last_line"))
    lines = (first, last or first) if first is not None else None
    if last is not None and first is None:
        raise InputError("last_line needs first_line")
    return Right(None if read["not_in_document"] else str(read["value"]), page, lines)


def _said_before(taken: Prepared, known: StoredReviews, prepared: Sequence[Prepared]) -> bool:
    """True where the same person said the same of the same records."""
    said = [one.review for one in known.found if not one.faults] + [one.review for one in prepared]
    wanted = taken.review
    return any(
        one.run_seal == wanted.run_seal
        and folded_name(one.reviewer) == folded_name(wanted.reviewer)
        and (one.subject, one.verdict, one.reason) == (wanted.subject, wanted.verdict, wanted.reason)
        and _place(one.correction) == _place(wanted.correction)
        and one.key_id == wanted.key_id
        for one in said
    )


def _place(correction: Correction | None) -> tuple[object, ...]:
    if correction is None:
        return ()
    return correction.text, correction.page_num, correction.line_start, correction.line_end
