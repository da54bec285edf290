"""The table of variants as a file: a workbook, text with commas, or a page that opens from disk."""

from __future__ import annotations

import csv
import io
from typing import Any

import pandas as pd

from pipeline.audit.replaying.table import ComparedRun, VariantAnswer, VariantTable
from pipeline.sheet.markup import Markup, join, page, tag
from pipeline.store.workbook import BLANKS, FORMULA_STARTS, to_workbook
from schemas.errors import InputError

KINDS = (".xlsx", ".csv", ".html")
WIDTHS = {"question": 44, "document": 28, "run": 30}  # characters of a column in the workbook
ANSWER_WIDTH = 48  # the same of an answer, a quote or a note
_SAME = {True: "same", False: "different", None: "not done"}
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem; max-width: 90rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid #8886; padding: .4rem .6rem; text-align: left; vertical-align: top; }
td { white-space: pre-wrap; overflow-wrap: anywhere; }
tr.different td:first-child { border-left: .35rem solid #d97706; }
tr.not-done td:first-child { border-left: .35rem solid #b91c1c; }
.quiet { opacity: .7; font-size: .85em; }
.wide { overflow-x: auto; }
"""


def to_file(table: VariantTable, suffix: str) -> bytes:
    """The table in the kind of file that a name's ending says. No cell of it is ever a formula, no text markup.

    Raises InputError for an ending that is none of `.xlsx`, `.csv`, `.html`.
    """
    match suffix.lower():
        case ".xlsx":
            frame = to_frame(table)
            answers = [name for name in frame.columns if name.startswith(("answer", "quote", "note", "stored"))]
            return to_workbook(frame, title="variants", widths={**WIDTHS, **dict.fromkeys(answers, ANSWER_WIDTH)})
        case ".csv":
            return _to_csv(to_frame(table))
        case ".html":
            return _to_html(table)
        case _:
            raise InputError(f"--out: {suffix or 'a name without an ending'} is no kind of table; end it in one of "
                             f"{', '.join(KINDS)}")  # fmt: skip


def to_frame(table: VariantTable) -> pd.DataFrame:
    """One row a run, and the gist in the last.

    For each variant its answer, status, quote, counts of verified values, what was refused, tokens, calls that were
    sent, who wrote it, and a note.
    """
    columns = _columns(table)
    summary = ["summary", "", table.text, *[""] * (len(columns) - 3)]
    return pd.DataFrame([*map(_cells, table.rows), summary], columns=columns, dtype=object)


def _columns(table: VariantTable) -> list[str]:
    per_variant = [name for variant in _labels(table) for name in _names(variant)]
    return ["run", "document", "question", "outcome", "stored answer", "stored status", *per_variant]


def _labels(table: VariantTable) -> list[str]:
    return [f"{chr(ord('A') + at)}: {name}" if at < 26 else name for at, name in enumerate(table.variants)]


def _names(label: str) -> list[str]:
    kinds = ("answer", "status", "quote", "verified", "refused", "tokens", "sent", "by", "note")
    return [f"{kind} {label}" for kind in kinds]


def _cells(row: ComparedRun) -> list[Any]:
    head = [row.run, row.document, row.question, _SAME[row.same], row.stored.text, row.stored.status or ""]
    return [*head, *(cell for one in row.answers for cell in _cells_of(one))]


def _cells_of(one: VariantAnswer) -> list[Any]:
    return [
        one.text, one.status or "", "\n\n".join(one.quotes), len(one.values), "\n".join(one.refused),
        one.input_tokens + one.output_tokens, one.calls_sent, one.how, one.note,
    ]  # fmt: skip


def _to_csv(frame: pd.DataFrame) -> bytes:
    """UTF-8 with its mark, so that spreadsheet programs read the letters; a cell that would be a formula is quoted."""
    sink = io.StringIO(newline="")
    writer = csv.writer(sink)
    writer.writerow([_harmless(name) for name in frame.columns])
    writer.writerows([_harmless(value) for value in row] for row in frame.itertuples(index=False))
    return b"\xef\xbb\xbf" + sink.getvalue().encode("utf-8", "replace")


def _harmless(value: Any) -> Any:
    """CSV injection, OWASP: an apostrophe before what a program would read as a formula."""
    if not isinstance(value, str):
        return value
    text = value.replace("\0", "")
    return f"'{text}" if text.lstrip(BLANKS).startswith(FORMULA_STARTS) else text


def _to_html(table: VariantTable) -> bytes:
    heads = ("question", "document", "outcome", "stored", *_labels(table))
    rows = [_html_row(row) for row in table.rows]
    body = join(
        tag("h1", "One batch, several ways"),
        tag("p", table.text),
        tag("div", tag("table", tag("thead", tag("tr", *(tag("th", head) for head in heads))), tag("tbody", *rows)),
            class_="wide"),
    )  # fmt: skip
    return page(body, title="One batch, several ways", language="en", style=_STYLE)


def _html_row(row: ComparedRun) -> Markup:
    outcome = _SAME[row.same]
    return tag(
        "tr",
        tag("td", row.question, tag("div", row.run, class_="quiet")),
        tag("td", row.document),
        tag("td", outcome),
        *(_html_cell(one) for one in (row.stored, *row.answers)),
        class_=outcome.replace(" ", "-"),
    )


def _html_cell(one: VariantAnswer) -> Markup:
    tokens = one.input_tokens + one.output_tokens
    told = f"{one.status or 'not done'}, by {one.how}, {tokens} tokens" if one.how else one.status or "not done"
    refused = f"refused: {'; '.join(one.refused)}" if one.refused else None
    notes = [tag("div", text, class_="quiet") for text in (told, refused, one.note) if text]
    return tag("td", one.text, *notes)
