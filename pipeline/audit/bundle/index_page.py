"""`index.html` of a bundle: the runs, their answers, and links to the files beside it; no script, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args
from urllib.parse import quote

from pipeline.sheet.markup import Markup, Node, page, tag
from pipeline.sheet.style import SHEET_STYLE
from pipeline.wording import say
from schemas.answer import AnswerStatus

TITLE = "Evidence bundle"
_STYLE = f"""{SHEET_STYLE}
.run {{ border-top: 2px solid var(--line); margin-top: 1.2rem; padding-top: .4rem; }}
.run > h2 {{ border: 0; color: inherit; font-size: 1.05rem; letter-spacing: 0; margin: .2rem 0 .4rem; padding: 0;
  text-transform: none; }}
"""


@dataclass(frozen=True, slots=True)
class ToldFolder:
    """A sealed folder on the first page: a heading, facts, the answer, links and records (words, file)."""

    heading: str
    status: str
    text: str
    facts: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    records: tuple[tuple[str, str], ...]
    said: Markup | None = None  # what people said of the answer


def index_page(
    folders: Sequence[ToldFolder], facts: Sequence[tuple[str, str]], *, check: Sequence[str], hidden: str = ""
) -> bytes:
    """The page; `facts` are on the bundle, `check` the lines to type to check it, `hidden` is what stands for texts."""
    taken_out = f"{hidden} stands for what was taken out; what is left can be checked all the same."
    body = tag(
        "main",
        tag("h1", TITLE),
        tag("p", "Everything that it takes to check these answers, without the program that gave them."),
        tag("p", taken_out) if hidden else None,
        _facts(facts),
        tag("h2", "How to check it"),
        tag("p", "With Python 3.8 or newer and nothing else, in the folder that the bundle was unpacked to:"),
        *(tag("p", tag("span", line, class_="pre")) for line in check),
        tag("p", "What this proves, and what it does not: ", _link("README.txt", "README.txt"), "."),
        *(_folder(one) for one in folders),
    )
    return page(body, title=TITLE, language="en", style=_STYLE)


def _folder(one: ToldFolder) -> Markup:
    return tag(
        "section",
        tag("h2", one.heading),
        _box(one),
        one.said,
        _facts(one.facts),
        tag("ul", *(tag("li", _link(words, name)) for words, name in one.links), _records(one.records)),
        class_="run",
    )


def _box(one: ToldFolder) -> Markup | None:
    """The answer, or what a record says of one; None where it says nothing."""
    if not (one.text or one.status):
        return None
    is_answer = one.status in get_args(AnswerStatus)
    status = say(f"status_{one.status}", "en") if is_answer else one.status
    shown = tag("p", status, class_="soft") if status else None
    return tag("div", tag("p", one.text, class_="value"), shown, class_=f"box {one.status}" if is_answer else "box")


def _records(records: Sequence[tuple[str, str]]) -> Markup | None:
    """The files that count, beside the pages made from them."""
    links = [piece for words, name in records for piece in (", ", _link(words, name))]
    return tag("li", "the records themselves: ", *links[1:]) if links else None


def _facts(facts: Sequence[tuple[str, str]]) -> Markup:
    rows: list[Node] = [
        tag("div", tag("span", name, class_="k"), tag("span", value, class_="v"), class_="fact")
        for name, value in facts
    ]
    return tag("div", *rows)


def _link(words: str, name: str) -> Markup:
    """A link to a file of the bundle; a relative path can lead nowhere else."""
    return tag("a", words, href=quote(f"./{name}", safe="/."))
