"""The decision sheet: what a compliance officer files of one question on one document, as HTML and as PDF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.sheet.answering import tell_answer
from pipeline.sheet.detail import LEVELS, Detail, cut, cut_name
from pipeline.sheet.labels import label
from pipeline.sheet.markup import Markup, join, page, tag
from pipeline.sheet.searching import tell_checks, tell_findings, tell_search, tell_unread, tell_versions
from pipeline.sheet.style import SHEET_STYLE
from pipeline.wording import say
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.question import ParsedQuestion
from schemas.retrieval import AuditedRetrievalResult

MAX_PAGES = 2
RULE = "_" * 22  # a line to write on: three of them fill the width of a page
MAX_QUESTION = 400  # characters of the question on a sheet


def decision_html(
    document: ParsedDocument,
    question: ParsedQuestion,
    found: AuditedRetrievalResult,
    answer: Answer,
    *,
    records: Mapping[str, str],
) -> bytes:
    """The sheet as one HTML file, in the question's language, quotes in the document's.

    `records` are the SHA-256 of the records of the run, by file name. The same records give the same bytes.
    """
    body = _body(document, question, found, answer, records, LEVELS[0])
    title = f"{label('decision', question.language)}: {cut(answer.question, 80)}"
    return page(tag("main", body), title=title, language=question.language, style=SHEET_STYLE)


def decision_pdf(
    document: ParsedDocument,
    question: ParsedQuestion,
    found: AuditedRetrievalResult,
    answer: Answer,
    *,
    records: Mapping[str, str],
) -> bytes:
    """The sheet on one page of A4 where it can be, on two else; `records` and language as in `decision_html`.

    What does not fit is shortened, and said to be: the records hold it.
    """
    from pipeline.sheet.paper import SIZES, finish, typeset

    tries = [
        (LEVELS[0], 1, SIZES[:2]), (LEVELS[0], MAX_PAGES, SIZES), (LEVELS[1], MAX_PAGES, SIZES),
        (LEVELS[2], MAX_PAGES, SIZES),
    ]  # fmt: skip
    pdf = None
    for detail, most, sizes in tries:
        pdf = typeset(_body(document, question, found, answer, records, detail), most=most, sizes=sizes)
        if pdf is not None:
            break
    if pdf is None:  # words that the typesetter cannot set: the sheet says where they stand, rather than lose some
        head = join(*_head(document, question, answer), tag("p", label("not_typeset", question.language)))
        pdf = typeset(head, most=MAX_PAGES, is_checked=False) or b""
    language = question.language
    foot = f"Lineproof · {label('decision', language)} · {document.doc_id}"
    return finish(pdf, foot=foot, title=f"{label('decision', language)}: {cut(answer.question, 80)}", language=language)


def _body(
    document: ParsedDocument,
    question: ParsedQuestion,
    found: AuditedRetrievalResult,
    answer: Answer,
    records: Mapping[str, str],
    detail: Detail,
) -> Markup:
    language, unit = question.language, document.profile.identity.page_unit
    return join(
        *_head(document, question, answer),
        *tell_answer(answer, document.source_name, language, detail),
        *tell_findings(answer, unit, language, detail),
        *tell_checks(answer, language, detail),
        *tell_search(question, found, answer, language, detail),
        *tell_unread(found, answer, unit, language, detail),
        *tell_versions(document, question, answer, records, language),
        _signature(language),
    )


def _head(document: ParsedDocument, question: ParsedQuestion, answer: Answer) -> Iterator[Markup]:
    language, identity = question.language, document.profile.identity
    pages = identity.page_count
    size = f", {pages} {say(identity.page_unit if pages == 1 else f'{identity.page_unit}s', language)}" if (
        pages and identity.page_unit != "none"
    ) else ""  # fmt: skip
    name = f"{label('decision', language)} · {label('document', language)}: {cut_name(document.source_name)}"
    yield tag("div", f"{name} ({document.format}{size})", class_="head")
    yield tag("h1", cut(answer.question, MAX_QUESTION))
    read = question.resolved_question
    if read is not None and read != answer.question:
        yield tag("p", f"{label('read_as', language)}: {cut(read, MAX_QUESTION)}", class_="soft")


def _signature(language: str) -> Markup:
    """Where the person signs who decides: the sheet decides nothing."""
    lines = (f"{label(key, language)} {RULE}" for key in ("reviewed", "date", "signature"))
    return tag("p", "   ".join(lines), class_="sign")
