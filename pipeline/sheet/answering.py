"""The upper half of a decision sheet: what became of the question, the values, their evidence, what qualifies them."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.sheet.detail import Detail, cut, cut_name, listed
from pipeline.sheet.labels import label
from pipeline.sheet.markup import Markup, Node, join, tag
from pipeline.wording import lay_out, place_of, say, tell_computed, tell_note, tell_reading, typed_of, words_of
from schemas.answer import Answer, AnswerItem, EvidenceSpan, PartAnswer
from schemas.retrieval import Conflict, ConflictSide
from schemas.values import BooleanValue, ConditionalValue, RecordValue, TableValue, TreeValue, Value


def tell_answer(answer: Answer, source_name: str, language: str, detail: Detail) -> Iterator[Markup | None]:
    """Status, values, evidence, conflicts, conditions, notes and parts; None for what there is nothing of."""
    status = tag("b", say(f"status_{answer.status}", language))
    by = tag("span", f" · {say(f'by_{answer.answered_by}', language)}", class_="soft")
    yield tag("h2", label("answer", language))
    told: list[Node] = [tag("p", status, by)]
    if answer.items:
        told += [_value(item, number, answer, language, detail) for number, item in _first(answer, detail)]
        if len(answer.items) > detail.items:
            told.append(tag("p", label("more", language, count=len(answer.items) - detail.items), class_="soft"))
    elif answer.parts or answer.status != "needs_clarification":
        told.append(tag("p", cut(answer.text, 2 * detail.sentence)))
    if answer.clarification:
        told.append(tag("p", f"{label('clarification', language)}: {cut(answer.clarification, detail.sentence)}"))
    yield tag("div", *told, class_=f"box {answer.status}")
    if answer.items:
        yield tag("h2", label("evidence", language))
        for number, item in _first(answer, detail):
            head = f"{number}. " if len(answer.items) > 1 else ""
            yield join(*(_evidence(span, source_name, head, language, detail) for span in item.spans[: detail.items]))
    yield from _titled(_parts(answer, language, detail), "parts", language)
    yield from _titled(_conflicts(answer, language, detail), "conflicts", language)
    yield from _titled(_conditions(answer, language, detail), "conditions", language)
    notes = listed(answer.caveats, detail.notes, lambda note: cut(tell_note(note, language), detail.sentence), language)
    yield from _titled(notes, "notes", language)


def _first(answer: Answer, detail: Detail) -> list[tuple[int, AnswerItem]]:
    return list(enumerate(answer.items[: detail.items], 1))


def _titled(block: Markup | None, key: str, language: str) -> Iterator[Markup]:
    if block is not None:
        yield tag("h2", label(key, language))
        yield block


def _value(item: AnswerItem, number: int, answer: Answer, language: str, detail: Detail) -> Markup:
    """The value in the document's words, how it was read, how it came about."""
    several = len(answer.items) > 1
    head = [tag("span", f"{number}. ", class_="soft")] if several else []
    typed, words = typed_of(item.value, language), words_of(item.value, language)
    if item.label and not words.endswith(f"({item.label})"):  # a party's words tell its short name already
        head.append(tag("span", f"{cut(item.label, detail.sentence)}: ", class_="soft"))
    facts = [f"{say(f'kind_{item.value.kind}', language)}: {typed}"] if typed and typed != words else []
    if not facts and item.value.kind != "text":
        facts = [say(f"kind_{item.value.kind}", language)]
    if item.wished:
        facts.insert(0, say("wished", language, told=item.wished))
    facts.append(tell_computed(item, language) or say(f"method_{item.extraction_method}", language))
    if item.outcome == "repaired":
        facts.append(say("repaired", language))
    return join(
        tag("div", *head, _laid_out(item.value, language, detail), class_="value"),
        tag("p", cut(" · ".join(facts), 2 * detail.sentence), class_="soft"),
    )


def _laid_out(value: Value, language: str, detail: Detail) -> Markup:
    """A table as a table, what has lines of its own a line each, anything else as words."""
    if isinstance(value, TableValue):
        rows = [tag("tr", *(tag("td", cut(cell, detail.quote)) for cell in row)) for row in value.rows[: detail.rows]]
        titles = [tag("tr", *(tag("th", cut(title, detail.quote)) for title in value.headers))]
        more = len(value.rows) - detail.rows
        rest = [tag("p", say("more_rows", language, count=more), class_="soft")] if more > 0 else []
        caption = [tag("p", cut(value.title, detail.sentence))] if value.title else []
        return join(*caption, tag("table", *(titles if any(value.headers) else []), *rows, class_="grid"), *rest)
    if isinstance(value, TreeValue | RecordValue | ConditionalValue):
        lines = lay_out(value, language).split("\n")
        shown = [cut_indented(line, detail.sentence) for line in lines[: detail.rows]]
        if len(lines) > detail.rows:
            shown.append(say("more_rows", language, count=len(lines) - detail.rows))
        return tag("div", *(piece for line in shown for piece in (line, tag("br"))), class_="pre")
    words = cut(words_of(value, language), detail.quote)
    return join(words[:1].upper() + words[1:] if isinstance(value, BooleanValue) else words)


def cut_indented(line: str, limit: int) -> str:
    """A line cut as text, its indentation kept as no-break spaces, which every typesetter keeps."""
    indent = len(line) - len(line.lstrip(" "))
    return "\u00a0" * indent + cut(line, limit)


def _evidence(span: EvidenceSpan, source_name: str, head: str, language: str, detail: Detail) -> Markup:
    places = [cut_name(source_name), *([cut(span.section_title, detail.sentence)] if span.section_title else [])]
    places.append(place_of(span, language))
    reading = tell_reading(span, language)
    return join(
        tag("blockquote", f"{head}“{cut(span.quote, detail.quote)}”"),
        tag("p", " · ".join([*places, *([reading] if reading else [])]), class_="soft"),
    )


def _conflicts(answer: Answer, language: str, detail: Detail) -> Markup | None:
    return listed(answer.conflicts, detail.notes, lambda one: _conflict(one, language, detail), language)


def _conflict(conflict: Conflict, language: str, detail: Detail) -> Markup:
    sides = listed(conflict.sides, detail.items, lambda side: _side(side, detail), language)
    prevails = None
    if conflict.prevails is not None:
        told = f"“{cut(conflict.prevails.quote, detail.quote)}” ({conflict.prevails.place})"
        prevails = tag("p", tag("b", f"{label('prevails', language)}: "), told)
    return join(cut(conflict.statement, 2 * detail.sentence), sides, prevails)


def _side(side: ConflictSide, detail: Detail) -> Markup:
    return join(tag("b", cut(side.says, detail.sentence)), f": “{cut(side.quote, detail.quote)}” ({side.place})")


def _conditions(answer: Answer, language: str, detail: Detail) -> Markup | None:
    """The exceptions and negations of clauses; a conditional value tells its own conditions above."""
    told = []
    for item in answer.items:
        if isinstance(item.value, BooleanValue):
            told += [f"{label('negation', language)}: “{item.value.negation}”"] if item.value.negation else []
            told += [f"{label('exception', language)}: “{words}”" for words in item.value.exceptions]
    return listed(list(dict.fromkeys(told)), detail.notes, lambda words: cut(words, detail.sentence), language)


def _parts(answer: Answer, language: str, detail: Detail) -> Markup | None:
    return listed(answer.parts, detail.items, lambda part: _part(part, language, detail), language)


def _part(part: PartAnswer, language: str, detail: Detail) -> Markup:
    status = tag("b", say(f"status_{part.status}", language))
    return join(cut(part.question, detail.sentence), " ", status, f": {cut(part.text, detail.sentence)}")
