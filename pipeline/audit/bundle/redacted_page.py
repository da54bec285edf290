"""The decision of a run as far as a redacted bundle shows it: a page made of nothing but what is disclosed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pipeline.sheet.labels import check_label
from pipeline.sheet.markup import Markup, Node, page, tag
from pipeline.sheet.methods import method_words, rule_words
from pipeline.sheet.style import SHEET_STYLE
from pipeline.store.runs import ANSWER, CASE, REQUEST, RETRIEVAL, TRACE
from pipeline.wording import say
from schemas.answer import AnswerStatus

HIDDEN = "\u2588\u2588\u2588\u2588"
TITLE = "Decision, redacted"
_TIME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9:]{8})(?:\.[0-9]+)?(?:\+00:00|Z)$")
_STYLE = SHEET_STYLE + "\n.grid th, .grid td { overflow-wrap: normal; }\n"
MAX_ROWS = 500  # candidates listed; the rest is counted, and stands in the record
Shown = Mapping[str, Any]


def redacted_page(name: str, records: Mapping[str, Any], facts: Sequence[tuple[str, str]]) -> bytes:
    """The page of a sealed folder; `records` are the values that its records show, null for what they hide."""
    answer, found = records.get(ANSWER) or {}, records.get(RETRIEVAL) or {}
    trace, request = records.get(TRACE) or {}, records.get(REQUEST) or {}
    question = answer.get("question") or request.get("text") or (records.get(CASE) or {}).get("question")
    parts: list[Node] = [
        tag("p", f"{name}, redacted", class_="head"),
        tag("h1", f"Question: {_text(question)}"),
        tag("p", f"{HIDDEN} stands for what was taken out. What is left is proven by the ledger as the whole was."),
        _box(answer) if answer else None,
        _rows("Where it is recorded", facts),
    ]
    if answer:
        parts += [_items(answer), _refused(answer), _absence(answer.get("absence"))]
    if found:
        parts += [_methods(trace), _candidates(found)]
    if trace:
        parts.append(_run(trace, request))
    parts += [_other(name, value) for name, value in sorted(records.items()) if name in _OTHERS]
    return page(tag("main", *parts), title=TITLE, language="en", style=_STYLE)


_OTHERS = ("review.json", "replay.json", "counterfactual.json")


def _text(value: Any) -> str:
    if value is None:
        return HIDDEN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value)
    return str(value)


def _box(answer: Shown) -> Markup:
    status = _text(answer.get("status"))
    told = say(f"status_{status}", "en") if status in get_args(AnswerStatus) else status
    kinds = [_text(answer.get(name)).replace("_", " ") for name in ("answer_type", "answer_shape")]
    return tag(
        "div",
        tag("p", _text(answer.get("text")), class_="value"),
        tag("p", " · ".join([told, *kinds]), class_="soft"),
        class_=f"box {status}",
    )


def _items(answer: Shown) -> Markup | None:
    rows = []
    for item in answer.get("items") or ():
        value = item.get("value") or {}
        told = ", ".join(f"{name} {_text(part)}" for name, part in value.items() if name != "kind" and part is not None)
        passed = _checks(item, passed=True)
        spans = "; ".join(_place(span) for span in item.get("spans") or ())
        rows.append([_text(value.get("kind")), told or HIDDEN, spans, _text(item.get("outcome")), passed])
    return _table("Values", ("kind", "value", "lines", "outcome", "checks passed"), rows)


def _place(span: Shown) -> str:
    lines = f"lines {span.get('page_line_start')} to {span.get('page_line_end')}"
    place = f"page {span['page_start']}, {lines}" if span.get("page_start") else lines
    return f"{place}: {_text(span.get('quote'))}"


def _refused(answer: Shown) -> Markup | None:
    rows = [
        [_text(item.get("value_text")), _text(item.get("proposed_by")), _checks(item, passed=False)]
        for item in answer.get("refused_items") or ()
    ]
    return _table("Refused values", ("value", "proposed by", "checks failed"), rows)


def _checks(item: Shown, *, passed: bool) -> str:
    """The checks that a value passed, or those that it failed, in words."""
    checks = [check for check in item.get("checks") or () if bool(check.get("passed")) is passed]
    return ", ".join(check_label(check.get("check") or HIDDEN, "en") for check in checks)


def _method(name: Any) -> str:
    return method_words(name, "en") if name else HIDDEN


def _methods_of(names: Sequence[Any] | None) -> str:
    return HIDDEN if names is None else ", ".join(_method(name) for name in names)


def _rule(name: Any) -> str:
    return rule_words(name, name.replace("_", " "), "en") if name else HIDDEN


def _absence(proof: Any) -> Markup | None:
    if not isinstance(proof, dict):
        return None
    names = ("verdict", "level", "statement", "exhaustive", "lines_searched", "pages_searched", "pages_not_read")
    rows = [(name.replace("_", " "), _text(proof.get(name))) for name in names]
    terms = proof.get("terms") or ()
    hits = sum(term.get("hit_count") or 0 for term in terms)
    return _rows("Why nothing was found", [*rows, ("terms searched", f"{len(terms)}, found in {hits} lines")])


def _methods(trace: Shown) -> Markup | None:
    rows = [
        [f"{_method(one.get('method'))} ({_text(one.get('method'))})", "ran" if one.get("ran") else "skipped",
         _rule(one.get("rule")), _text(one.get("candidate_count"))]
        for one in trace.get("methods") or ()
    ]  # fmt: skip
    return _table("Methods", ("method", "ran or skipped", "why", "candidates"), rows)


def _candidates(found: Shown) -> Markup | None:
    rows = [
        [_text(one.get("candidate_id")), _text(one.get("role")),
         _methods_of(one.get("methods_that_found_it")),
         _rule(one.get("rule")), _text(one.get("judged_by")), _text(one.get("reason"))]
        for one in found.get("provenances") or ()
    ]  # fmt: skip
    left = f" (the first {MAX_ROWS} of {len(rows)})" if len(rows) > MAX_ROWS else ""
    return _table(
        f"Candidates{left}", ("candidate", "role", "found by", "rule", "judged by", "reason"), rows[:MAX_ROWS]
    )


def _run(trace: Shown, request: Shown) -> Markup:
    stages = [f"{_text(one.get('stage'))} {_seconds(one.get('seconds'))}" for one in trace.get("stages") or ()]
    calls = trace.get("model_calls") or ()
    rows = [
        ("started", utc_time(_text(trace.get("started")))),
        ("stages", ", ".join(stages)),
        ("model", _text(request.get("model")) if calls else "none"),
        ("calls to it", f"{len(calls)}, {sum(one.get('input_tokens') or 0 for one in calls)} tokens read"),
        ("SHA-256 of the code", _text(request.get("code_sha256"))),
        ("of the document", _text(request.get("document_sha256"))),
        ("versions", ", ".join(f"{name} {_text(told)}" for name, told in (trace.get("versions") or {}).items())),
    ]
    return _rows("The run", rows if calls else [row for row in rows if row[0] != "calls to it"])


def _seconds(told: float | None) -> str:
    return HIDDEN if told is None else f"{told:.2f} s"


def utc_time(text: str) -> str:
    """A time of a record to the second, for people: '2026-03-01 14:05:09 UTC'; anything else as it is."""
    match = _TIME.match(text)
    return f"{match[1]} {match[2]} UTC" if match else text


def _other(name: str, value: Any) -> Markup:
    """What a record of another kind shows: its fields that are words or numbers."""
    plain = [(key.replace("_", " "), _text(part)) for key, part in value.items() if not isinstance(part, (dict, list))]
    return _rows(name, plain)


def _rows(title: str, rows: Sequence[tuple[str, str]]) -> Markup:
    told = [
        tag("div", tag("span", name, class_="k"), tag("span", value, class_="v"), class_="fact") for name, value in rows
    ]
    return tag("section", tag("h2", title), *told)


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup | None:
    if not rows:
        return None
    head = tag("tr", *(tag("th", one) for one in heads))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    return tag("section", tag("h2", title), tag("table", tag("thead", head), tag("tbody", *body), class_="grid"))
