"""A whole page: the sections of a run in order, and those of the parts of a question or the documents of a case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.audit.page.appendix import tell_hashes, tell_limits, tell_settings
from pipeline.audit.page.blocks import bullets
from pipeline.audit.page.candidates import tell_candidates
from pipeline.audit.page.exchanges import tell_exchanges
from pipeline.audit.page.figures import tell_pages
from pipeline.audit.page.labels import label
from pipeline.audit.page.path_picture import draw_path
from pipeline.audit.page.path_steps import path_of
from pipeline.audit.page.proofs import tell_absence, tell_checks
from pipeline.audit.page.reading import head_of, tell_reading
from pipeline.audit.page.reviewed import tell_reviews
from pipeline.audit.page.style import TRACE_STYLE
from pipeline.audit.page.told import ToldRun
from pipeline.audit.reviewing.told import ToldReviews
from pipeline.sheet.answering import tell_answer
from pipeline.sheet.detail import Detail, cut, cut_name
from pipeline.sheet.markup import Markup, join, page, tag
from pipeline.wording import LANGUAGES
from schemas.answer import CaseAnswer
from schemas.conflicts import Conflict

# How much of each list of the answer is shown: all that a person reads on a screen; the record has the rest.
FULL = Detail(items=200, rows=400, quote=6_000, sentence=4_000, terms=400, notes=200)
SECTIONS = (
    ("answer", "answer"), ("reviews", "said_of_it"), ("path", "path"), ("reading", "how_read"),
    ("pages", "marked_pages"), ("candidates", "candidates"), ("absence", "absence"), ("checks", "checks"),
    ("model", "model_part"), ("lesser", "lesser_means"), ("settings", "settings"), ("versions", "software"),
    ("hashes", "hashes"), ("seal", "sealing"),
)  # fmt: skip


def run_page(run: ToldRun) -> bytes:
    """The page of one run, and of the parts of a compound one."""
    language = language_of(run)
    articles = [_article(run, "", language)]
    for number, part in enumerate(run.parts, 1):
        over = label("part_n", language, number=number)
        articles.append(_article(part, f"r{number}-", language, over=over))
    title = f"{label('trace', language)}: {cut(run.saved.question.original_question, 80)}"
    return _page(articles, title, language)


def case_page(case: CaseAnswer, runs: Sequence[ToldRun | None], reviews: ToldReviews | None = None) -> bytes:
    """The page of a case: what the documents say together, then a section a document; None for a run that is gone.

    `reviews` is what people said of the case as a whole.
    """
    language = next((language_of(run) for run in runs if run is not None), "en")
    head: list[Markup | None] = [tag("p", label("case", language), class_="head"), head_of(case.question, language)]
    head.append(tag("div", tag("p", case.text), class_="box"))
    if case.conflicts:
        head += [tag("h2", label("conflicts", language)), bullets(_conflict(one, language) for one in case.conflicts)]
    head.append(tell_reviews(reviews, "", language))
    names = [
        tag(
            "li",
            tag(
                "a",
                f"{label('document_n', language, number=number)}: {cut_name(one.source_name)}",
                href=f"#r{number}-top",
            ),
        )
        for number, one in enumerate(case.answers, 1)
    ]
    articles = [tag("article", *head, tag("nav", tag("ul", *names), aria_label=label("contents", language)))]
    for number, (one, run) in enumerate(zip(case.answers, runs, strict=True), 1):
        over, key = label("document_n", language, number=number), f"r{number}-"
        if run is not None:
            articles.append(_article(run, key, language, over=over))
            continue
        gap = tag("p", label("part_missing", language), class_="gaps")
        told = join(*tell_answer(one.answer, cut_name(one.source_name), language, FULL))
        name = tag("h1", f"{over}: {cut_name(one.source_name)}", id=f"{key}top")
        articles.append(tag("article", name, gap, told))
    return _page(articles, f"{label('case', language)}: {cut(case.question, 80)}", language)


def language_of(run: ToldRun) -> str:
    """The language of our own words: the question's, English where we do not have it."""
    language = run.saved.question.language
    return language if language in LANGUAGES else "en"


def _page(articles: Sequence[Markup], title: str, language: str) -> bytes:
    return page(tag("main", *articles), title=title, language=language, style=TRACE_STYLE, has_pictures=True)


def _article(run: ToldRun, key: str, language: str, *, over: str | None = None) -> Markup:
    """All of one run; `key` stands before the names of its places, `over` before its document's name."""
    saved, answer = run.saved, run.saved.answer
    name = " · ".join(filter(None, (over, label("trace", language), cut_name(saved.trace.source_name))))
    sections = [
        join(*block)
        for block in (
            tell_reading(run, key, language), tell_pages(run, key, language), tell_candidates(run, key, language),
            tell_absence(run, key, language), tell_checks(run, key, language), tell_exchanges(run, key, language),
            tell_limits(run, key, language), tell_settings(run, key, language), tell_hashes(run, key, language),
        )
    ]  # fmt: skip
    drawn = draw_path(path_of(run, language), f"{key}path", language)
    return tag(
        "article",
        tag("p", name, class_="head", id=f"{key}top"),
        head_of(answer.question, language),
        _gaps(run, language),
        _contents(run, key, language),
        tag("div", *tell_answer(answer, cut_name(saved.trace.source_name), language, FULL), id=f"{key}answer"),
        tell_reviews(run.reviews, key, language),
        tag("h2", label("path", language), id=f"{key}path"),
        drawn,
        *(tag("section", section) for section in sections if section),
    )


def _gaps(run: ToldRun, language: str) -> Markup | None:
    if not run.gaps:
        return None
    told = [
        label(gap, language, version=run.saved.trace.written_as) if gap == "old_trace" else label(gap, language)
        for gap in run.gaps
    ]
    return tag("div", tag("b", label("lacks", language)), bullets(told), class_="gaps")


def _contents(run: ToldRun, key: str, language: str) -> Markup:
    entries = [tag("li", tag("a", words, href=f"#{key}{name}")) for name, words in _names(run, language)]
    return tag("nav", tag("ul", *entries), aria_label=label("contents", language))


def _names(run: ToldRun, language: str) -> Iterator[tuple[str, str]]:
    absent = set()
    if not (run.saved.answer.absence or run.saved.retrieval.absence):
        absent.add("absence")
    if run.reviews is None or run.reviews.is_empty:
        absent.add("reviews")
    yield from ((name, label(words, language)) for name, words in SECTIONS if name not in absent)


def _conflict(conflict: Conflict, language: str) -> Markup:
    sides = bullets(
        join(tag("b", side.says), f": “{cut(side.quote, FULL.quote)}” ({side.place})") for side in conflict.sides
    )
    prevails = None
    if conflict.prevails is not None:
        told = f"“{conflict.prevails.quote}” ({conflict.prevails.place})"
        prevails = tag("p", tag("b", f"{label('prevails', language)}: "), told)
    return join(conflict.statement, sides, prevails)
