"""What people said of an answer, on its page and in a bundle: who, what, why, and whether it is settled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipeline.audit.page.blocks import bullets, facts
from pipeline.audit.page.labels import label
from pipeline.audit.page.path_steps import role_words
from pipeline.audit.page.told import ToldRun
from pipeline.audit.reviewing.standing import Said, Standing
from pipeline.audit.reviewing.told import ToldReviews, Verdicts
from pipeline.sheet.markup import Markup, Node, join, page, tag
from pipeline.sheet.style import SHEET_STYLE
from schemas.review import Review

_BOX = {"settled": "answered", "disputed": "refused"}  # looks of boxes; any other state looks like an open matter
_TITLE = "What a person said of an answer"


def with_reviews(run: ToldRun, root: Path, verdicts: Verdicts | None = None) -> ToldRun:
    """The run, and its parts, with what people said of each; `verdicts` are those of the store, where they were read.

    Raises RecordError for a damaged seal, StoreError for a ledger that cannot be read.
    """
    verdicts = verdicts or Verdicts(root)
    parts = tuple(with_reviews(part, root, verdicts) for part in run.parts)
    return replace(run, reviews=verdicts.on(root / run.place), parts=parts)


def tell_reviews(told: ToldReviews | None, key: str, language: str) -> Markup | None:
    """The section; None where nobody said a thing. `key` stands before its name in links."""
    if told is None or told.is_empty:
        return None
    shown: list[Node] = [tag("h2", label("said_of_it", language), id=f"{key}reviews")]
    shown += [_standing(told, one, language) for one in told.standings]
    notes = list(told.warnings)
    if told.unread:
        notes.append(label("reviews_unread", language, count=told.unread))
    return tag("section", *shown, bullets(notes))


def state_words(one: Standing, language: str) -> str:
    """How a decision stands, in one sentence without a name, a reason or a value."""
    verdict = label(f"verdict_{one.verdict}", language) if one.verdict else ""
    words = label(f"reviews_{one.state}", language, verdict=verdict, count=one.people_count, eyes=one.eyes)
    lost = label("reviews_missing", language, count=one.missing) if one.missing else ""
    return f"{words} {lost}".strip()


def review_page(review: Review, held: tuple[tuple[str, str], ...]) -> bytes:
    """One review in full, for a bundle; `held` is what holds it fast. In English, as the bundle's own words are."""
    right, rows = review.correction, [("reviewer", review.reviewer), ("run", review.run), ("when (UTC)", review.at)]
    rows.append(("signed", f"with the key {review.key_id}" if review.key_id else "no"))
    rows += [(f"candidate {one.candidate_id}", f"should be {role_words(one.role, 'en')}") for one in review.roles]
    shown: list[Node] = [
        tag("p", _TITLE, class_="head"),
        tag("h1", label(f"verdict_{review.verdict}", "en")),
        tag("div", tag("p", review.reason, class_="pre"), class_="box"),
        facts(rows),
    ]
    if right is not None:
        place = f"page {right.page_num}, lines {right.line_start} to {right.line_end}" if right.quote else ""
        told = [("question", right.question), ("right would be", _right(right.text, "en")), ("where", place)]
        shown += [tag("h2", "The correction"), facts(told)]
        shown.append(tag("blockquote", right.quote, class_="pre") if right.quote else None)
        shown.append(bullets(right.notes))
    shown += [tag("h2", "What holds it fast"), facts(held)]
    return page(tag("main", *shown), title=_TITLE, language="en", style=SHEET_STYLE)


def _standing(told: ToldReviews, one: Standing, language: str) -> Markup:
    about = tag("h3", label("of_candidate", language, name=one.subject)) if one.subject != "answer" else None
    state = tag("p", state_words(one, language), class_=f"box {_BOX.get(one.state, 'partial')}")
    notes: list[Node] = []
    if one.outdated:
        same = told.outdated_answer_is_the_same and one.subject == "answer"
        notes.append(label("reviews_outdated_same" if same else "reviews_outdated", language, count=one.outdated))
    notes += [label("review_not_counted", language, name=name, why=why) for name, why in one.not_counted]
    is_role = one.subject != "answer"
    return join(about, state, bullets(_said(each, language, is_role=is_role) for each in one.said), bullets(notes))


def _said(said: Said, language: str, *, is_role: bool) -> Markup:
    value = None
    if said.value is not None:
        words = role_words(said.value, language) if is_role else _right(said.value, language)
        value = join(f" · {label('right_value', language)}: ", tag("b", words))
    elif said.verdict == "correct":
        value = join(f" · {label('right_value', language)}: ", tag("b", _right(None, language)))
    signed = label("is_signed" if said.signed else "is_unsigned", language)
    at = said.at[:19].replace("T", " ")
    head = join(tag("b", said.person), f": {label(f'verdict_{said.verdict}', language)}", value)
    return join(head, tag("div", said.reason), tag("div", f"{at} UTC · {signed} · {said.review}", class_="head"))


def _right(value: str | None, language: str) -> str:
    return value if value is not None else label("right_is_absent", language)
