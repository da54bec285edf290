"""Questions of a collection in words: read by rules, answered by SQL over the grid, counted without a model.

A document of which it cannot be told (not asked, failed, refused, or nothing found while not all was read) is listed,
and is never a 'no'.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.batch.collection.answers import CollectionAnswer, CollectionFigure, CollectionRow
from pipeline.batch.collection.asking import fetch
from pipeline.batch.collection.columns import Column, Unsure, find_column, wrong_type
from pipeline.batch.collection.statements import (
    COLUMNS,
    FIGURES,
    Condition,
    Statement,
    condition_of,
    figures_statement,
    rows_statement,
)
from pipeline.batch.collection.thresholds import DAYS
from pipeline.batch.collection.views import open_views
from pipeline.batch.collection.vocabulary import is_listed, say, words_in
from pipeline.batch.collection.wishes import Wish, read_wish
from pipeline.batch.collection.wording import sentence_of
from pipeline.batch.records import find_batch, list_batches, load_request
from pipeline.question import parse_question
from pipeline.run import dictionaries_of
from pipeline.values import find_values, same_value
from schemas.errors import InputError

if TYPE_CHECKING:
    import duckdb

    from schemas.values import Value

NAMED_TYPES = ("jurisdiction", "party", "address", "identifier", "text")  # a question may name such a value in words
MAX_TOLD = 10  # values told where none is the one asked for


def ask_collection(text: str, root: Path, *, batch: str | None = None) -> CollectionAnswer:
    """The answer to a question of all documents of a batch; without `batch` the store must hold one alone.

    Raises InputError for a question that cannot be read, is about no question of the batch, or compares what cannot be
    compared; RecordError for damaged records.
    """
    name = _the_batch(root, batch)
    request = load_request(root, name)
    if request is None:
        raise InputError(f"{root}: the batch {name} has no request; run it again")
    dictionaries = dictionaries_of(root)
    language = parse_question(text, None, dictionaries).language
    wish = read_wish(text, language)
    column = find_column(wish, request.questions, dictionaries)
    if isinstance(column, Unsure):
        options = tuple(one.question_id for one in column.questions)
        return CollectionAnswer(
            text, "needs_clarification", name, options=options,
            sentence=f"{len(options)} questions of the batch fit: {', '.join(options)}; add the one that is meant in "
            f"brackets: {text} [{options[0]}]",
        )  # fmt: skip
    if fault := wrong_type(wish, column) or _misfit(wish):
        raise InputError(fault)
    with open_views(root, batch=name, only=("cells", "values")) as connection:
        return _answer(connection, name, wish, column, language)


def _the_batch(root: Path, batch: str | None) -> str:
    if batch is not None:
        return find_batch(root, batch)
    known = list_batches(root)
    if len(known) != 1:
        there = f"; there are: {', '.join(known[:10])}" if known else "; run `lineproof batch` first"
        raise InputError(f"{root}: holds {len(known)} batches; name one by --batch{there}")
    return known[0]


def _misfit(wish: Wish) -> str | None:
    if wish.negated and wish.aggregate not in ("list", "count"):
        return f"'{wish.aggregate}' of what is not there cannot be told; ask which documents have none"
    if wish.threshold is not None and wish.aggregate not in ("list", "count"):
        return f"'{wish.aggregate}' and a comparison ({wish.threshold.words}) are two questions; ask them in turn"
    return None


def _answer(
    connection: duckdb.DuckDBPyConnection, batch: str, wish: Wish, column: Column, language: str
) -> CollectionAnswer:
    question = column.question
    wish, notes = _with_unit(connection, batch, wish, column, language)
    texts, told = _texts(connection, batch, wish, column, language)
    notes += told
    condition = condition_of(wish, texts, column.answer_type)
    statement = rows_statement(batch, question.question_id, wish, condition)
    found = _fetched(connection, statement, COLUMNS)
    counts = _count([one["verdict"] for one in found])
    chosen = [one for one in found if one["verdict"] == "yes" and one["place"] in (None, 1)]
    figures: tuple[CollectionFigure, ...] = ()
    shown = statement
    if wish.aggregate in ("sum", "average"):
        figures, shown = _figures(connection, batch, question.question_id, condition)
    notes += _rules(wish, found, language)
    rows = tuple(_row(one, condition, language) for one in chosen)
    answer = CollectionAnswer(
        text=wish.text, status="answered", batch=batch, sentence="", question_id=question.question_id,
        question=question.text, counts=counts,
        bases=_count([one["basis"] for one in chosen]) if not condition.wants_value else {},
        rows=rows, untold=tuple(_row(one, condition, language) for one in found if one["verdict"] == "cannot_be_told"),
        figures=figures, notes=tuple(notes), sql=shown.as_text(), parameters=dict(shown.parameters),
    )  # fmt: skip
    return replace(
        answer, sentence=sentence_of(answer, wish, _condition_in_words(wish, texts, column, language), language)
    )


def _condition_in_words(wish: Wish, texts: Sequence[str] | None, column: Column, language: str) -> str:
    minus = f"{say('wording', 'not', language)} " if wish.negated else ""
    if wish.threshold is not None:
        return f"{minus}{wish.threshold.words}"
    return f"{minus}{_named(wish, column)}" if texts is not None else ""


def _with_unit(
    connection: duckdb.DuckDBPyConnection, batch: str, wish: Wish, column: Column, language: str
) -> tuple[Wish, list[str]]:
    """A bare number compared with amounts takes their currency, where there is one alone.

    Raises InputError where there are several, or where the values are lengths of time.
    """
    if wish.threshold is None or wish.threshold.kind != "number":
        return wish, []
    name = column.question.question_id
    sql = (
        "SELECT kind, unit FROM cells WHERE batch = $batch AND question_id = $question AND number IS NOT NULL "
        "GROUP BY kind, unit ORDER BY kind, unit"
    )
    units = fetch(connection, sql, {"batch": batch, "question": name}).rows
    if len(units) == 1 and units[0][0] == "amount":
        threshold = replace(wish.threshold, kind="amount", unit=units[0][1])
        told = say("note", "read_in", language).format(words=wish.threshold.words, unit=units[0][1])
        return replace(wish, threshold=threshold), [told]
    if any(kind in ("amount", "duration", "percentage") for kind, _ in units):
        there = ", ".join(str(unit or kind) for kind, unit in units)
        raise InputError(f"{wish.threshold.words!r} names no unit, and the values of {name!r} are in {there}; name one")
    return wish, []


def _texts(
    connection: duckdb.DuckDBPyConnection, batch: str, wish: Wish, column: Column, language: str
) -> tuple[list[str] | None, list[str]]:
    """Values of the column that are the one which the wish names, None where it names none; and what to tell.

    Raises InputError where a part of the question would be passed over in silence.
    """
    wanted = _value_named(wish, column, language)
    left = [
        one
        for one in column.left
        if wanted is None or not (wanted[0] <= one.start < wanted[1] or is_listed("law", "words", one.folded))
    ]
    name = column.question.question_id
    if wanted is None and (not left or column.answer_type not in NAMED_TYPES or wish.threshold is not None):
        words = ", ".join(f"'{wish.text[one.start : one.end]}'" for one in left)
        return None, [say("note", "left", language).format(question=name, words=words)] if left else []
    if wanted is not None and left:
        words = " ".join(wish.text[one.start : one.end] for one in left)
        raise InputError(
            f"'{words}' is more than the one question {name!r} of the batch tells; ask one after the other, or join "
            'both by SQL: lineproof query "SELECT ..."'
        )
    sql = (
        'SELECT text, count(DISTINCT document) FROM "values" WHERE batch = $batch AND question_id = $question '
        "GROUP BY text ORDER BY 2 DESC, 1"
    )
    known = fetch(connection, sql, {"batch": batch, "question": name}).rows
    sought = wanted[2] if wanted is not None else None
    texts = [text for text, _ in known if _is_named(text, sought, _named(wish, column), column.answer_type, language)]
    if texts:
        return texts, [say("note", "taken", language).format(values="; ".join(texts[:MAX_TOLD]))]
    there = "; ".join(f"{text} ({count})" for text, count in known[:MAX_TOLD])
    told = say("note", "no_such", language).format(question=name, value=_named(wish, column), values=there or "-")
    return texts, [told]


def _value_named(wish: Wish, column: Column, language: str) -> tuple[int, int, Value] | None:
    """A jurisdiction that is named: 'New York', 'French law'. Others are compared by their words."""
    if column.answer_type != "jurisdiction":
        return None
    found = find_values(wish.text, "jurisdiction", language=language)
    return (found[0].start, found[0].end, found[0].value) if len(found) == 1 else None


def _named(wish: Wish, column: Column) -> str:
    value = _value_named(wish, column, "en")
    if value is not None:
        return wish.text[value[0] : value[1]]
    return " ".join(wish.text[one.start : one.end] for one in column.left)


def _is_named(text: str, sought: Value | None, words: str, answer_type: str, language: str) -> bool:
    """True for a value that is the one sought; where no value is known in it, by the words."""
    if sought is not None:
        written = (text, text.title())  # names of places are told by their capitals
        found = next((each for one in written if (each := find_values(one, answer_type, language=language))), ())
        if found:
            return any(same_value(one.value, sought) for one in found)
    spread = f" {' '.join(one.folded for one in words_in(text))} "
    return f" {' '.join(one.folded for one in words_in(words))} " in spread


def _figures(
    connection: duckdb.DuckDBPyConnection, batch: str, question_id: str, condition: Condition
) -> tuple[tuple[CollectionFigure, ...], Statement]:
    statement = figures_statement(batch, question_id, condition)
    rows = _fetched(connection, statement, FIGURES)
    return tuple(
        CollectionFigure(one["kind"], one["measured_in"], one["count"], f"{one['total'].normalize():f}", one["mean"])
        for one in rows
    ), statement


def _fetched(connection: duckdb.DuckDBPyConnection, statement: Statement, names: Sequence[str]) -> list[dict[str, Any]]:
    rows = fetch(connection, statement.sql, statement.parameters).rows
    return [dict(zip(names, row, strict=True)) for row in rows]


def _rules(wish: Wish, found: Sequence[dict[str, Any]], language: str) -> list[str]:
    """By which rules it was counted, as far as they matter here."""
    units = {
        kind: {one["unit"] for one in found if one["kind"] == kind and one["unit"]} for kind in ("duration", "amount")
    }
    told = []
    if wish.threshold is not None and wish.threshold.unit is not None:
        units.get(wish.threshold.kind, set()).add(wish.threshold.unit)
    orders = wish.aggregate in ("highest", "lowest", "sum", "average")
    if len(units["duration"]) > 1 and (orders or (wish.threshold is not None and wish.threshold.kind == "duration")):
        days = {unit: DAYS[unit] for unit in ("week", "month", "year")}
        told.append(say("note", "days", language).format(**days))
    if len(units["amount"]) > 1 and (orders or (wish.threshold is not None and wish.threshold.kind == "amount")):
        told.append(say("note", "currencies", language))
    return told


def _row(one: dict[str, Any], condition: Condition, language: str) -> CollectionRow:
    flags = []
    if one["conflicts"]:
        flags.append(f"{one['conflicts']} conflict" + ("s" if one["conflicts"] > 1 else ""))
    if one["others"] > 0:
        flags.append(f"{one['others']} further value" + ("s" if one["others"] > 1 else ""))
    if one["status"] == "partial":
        flags.append("partial")
    why = None
    if one["verdict"] == "cannot_be_told":
        by_status = one["status"] if one["status"] not in ("answered", "partial") else None
        why = say("why", by_status or ("not_comparable" if condition.compares else "undecided"), language)
    return CollectionRow(
        document=one["document"], verdict=one["verdict"], text=one["text"],
        number=one["number"], unit=one["unit"], date=one["date"].isoformat() if one["date"] else None,
        page=one["page"], section=one["section"], quote=one["quote"], status=one["status"], run=one["run"],
        flags=tuple(flags), why=why,
    )  # fmt: skip


def _count(values: Sequence[str]) -> dict[str, int]:
    return {value: values.count(value) for value in sorted(set(values))}
