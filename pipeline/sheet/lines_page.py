"""The lines of a document as a page to read, the cited ones marked: for formats whose lines have no place on paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from pipeline.generation.highlight import Stop, first_of_groups, plan_notes, plan_stops
from pipeline.sheet.detail import cut, cut_name
from pipeline.sheet.labels import label
from pipeline.sheet.markup import Markup, join, page, tag
from pipeline.sheet.style import LINES_STYLE, QUESTIONS_STYLE
from pipeline.sheet.tables import Grid, grids_of, show_grid
from pipeline.wording import say
from schemas.answer import Answer
from schemas.document import ParsedDocument
from schemas.retrieval import RetrievalResult
from schemas.tables import NOT_TEXT_ROLES

# Lines shown whole, some 75 pages: a browser scrolls them well; of a longer document what is near a mark.
MAX_LINES = 3_000
NEAR = 60  # lines kept to each side of a marked one in a longer document, about a page


@dataclass(frozen=True, slots=True)
class Chip:
    """The sign of a question beside a line that it cites: a link to the question, in its colour."""

    label: str
    anchor: str
    colour: int  # of the palette, from 0


@dataclass(frozen=True, slots=True)
class Marked:
    """The notes of the cited lines and of those read around them, by line_id, and the questions that cite them."""

    cited: Mapping[int, str]
    around: Mapping[int, str]
    chips: Mapping[int, Sequence[Chip]] = field(default_factory=dict)

    def look(self, line_ids: Sequence[int]) -> tuple[str, str | None]:
        """Classes and note of lines shown as one: cited where one of them is, in the colour of its first question."""
        for name, notes in (("cited", self.cited), ("around", self.around)):
            marked = next((line_id for line_id in line_ids if line_id in notes), None)
            if marked is not None:
                chips = self.chips.get(marked)
                return (f"{name} c{chips[0].colour}" if chips else name), notes[marked]
        return "", None


def highlighted_html(document: ParsedDocument, answer: Answer, found: RetrievalResult, *, language: str) -> bytes:
    """One HTML file with the document's visible lines in order: cited lines strong, what was read around them light.

    Each mark has the candidate's id and the arbiter's reason as its title; links at the top lead to each citation;
    slides, sheets and lines carry the numbers that citations use. `language` is that of our own words.

    Raises InputError when the lines are not those of `document`.
    """
    cited, around = plan_notes(document, answer, found, language=language)
    stops = plan_stops(document, answer, language=language)
    return lines_html(document, Marked(cited, around), stops, title=answer.question, language=language)


def lines_html(document: ParsedDocument, marked: Marked, stops: Sequence[Stop], *, title: str, language: str) -> bytes:
    """The page of a document's visible lines with these marks, and links at the top to these stops.

    Where stops belong to questions, the links stand below each question, which has its `anchor` as its id.
    """
    rows = document.line_df[document.line_df["visible"]]
    hidden = len(document.line_df) - len(rows)
    lines = list(rows[["line_id", "page_num", "line_num", "text", "role", "paragraph_id"]].itertuples(index=False))
    body = join(
        _head(document, stops, title, language, hidden),
        tag("main", *_lines(document, lines, marked, language)),
        tag("a", label("back", language), href="#top", class_="top"),
    )
    named = label("lines_of", language, name=cut_name(document.source_name))
    style = QUESTIONS_STYLE if any(stop.anchor for stop in stops) else LINES_STYLE
    return page(body, title=named, language=language, style=style)


def _head(document: ParsedDocument, stops: Sequence[Stop], title: str, language: str, hidden: int) -> Markup:
    links = [_link(stop, [one for one in stops if one.anchor == stop.anchor]) for stop in first_of_groups(stops)]
    key = None if any(stop.anchor for stop in stops) else tag(
        "p",
        tag("span", label("strong", language), class_="key cited"), " ",
        tag("span", label("light", language), class_="key around"), class_="soft",
    )  # fmt: skip
    told = [tag("p", label("hidden_lines", language, count=hidden), class_="soft")] if hidden else []
    return tag(
        "header",
        tag("p", label("lines_of", language, name=cut_name(document.source_name)), class_="soft"),
        tag("h1", cut(title, 400)),
        tag("ul", *links) if links else tag("p", label("no_lines", language)),
        key,
        *told,
        id="top",
    )


def _link(stop: Stop, group: Sequence[Stop]) -> Markup:
    """The link to a stop; for a question its name with the links to all its stops."""
    if not stop.anchor:
        return tag("li", tag("a", stop.title, href=f"#L{stop.line_id}"))
    links = [tag("li", tag("a", one.title, href=f"#L{one.line_id}")) for one in group]
    return tag("li", stop.group, tag("ul", *links), id=stop.anchor)


def _chips(chips: Sequence[Chip]) -> Markup | None:
    if not chips:
        return None
    return tag("span", *(tag("a", one.label, href=f"#{one.anchor}", class_=f"chip c{one.colour}") for one in chips))


def _lines(document: ParsedDocument, lines: Sequence[Any], marked: Marked, language: str) -> Iterator[Markup]:
    unit = document.profile.identity.page_unit
    titles = dict(zip(document.page_df["page_num"].tolist(), document.page_df["label"].tolist(), strict=True))
    levels = _heading_levels(document)
    grids = grids_of(document)
    before, last_paragraph = 0, None
    for is_shown, group in groupby(_chosen(lines, marked), key=lambda one: one[0]):
        run = [line for _, line in group]
        if not is_shown:
            yield tag("p", label("left_out", language, first=run[0].line_num, last=run[-1].line_num), class_="gap")
            continue
        drawn: set[int] = set()
        for line in run:
            if unit != "none" and line.page_num != before:
                name = titles.get(line.page_num)
                told = f"{say(unit, language).capitalize()} {line.page_num}"
                yield tag("h2", f"{told} · {name}" if isinstance(name, str) and name else told, class_="unit")
            before = line.page_num
            grid = grids.get(int(line.line_id))
            if grid is not None:
                if grid.key not in drawn:
                    drawn.add(grid.key)
                    yield show_grid(_part(grid, run), marked.look)
                continue
            yield _line(line, marked, levels, is_first=line.paragraph_id != last_paragraph)
            last_paragraph = line.paragraph_id


def _line(line: Any, marked: Marked, levels: Mapping[int, int], *, is_first: bool) -> Markup:
    line_id = int(line.line_id)
    look, note = marked.look([line_id])
    level = levels.get(line_id, 3 if line.role == "heading" else 0)
    classes = ["l", look, "para" if is_first else "", f"h h{level}" if level else ""]
    if line.role in NOT_TEXT_ROLES:
        classes.append("quiet")
    number = tag("span", str(line.line_num), class_="n")
    kind, heading = ("div", {"role": "heading", "aria_level": level + 1}) if level else ("div", {})
    text = tag("span", line.text, class_="t")
    chips = _chips(marked.chips.get(line_id, ()))
    return tag(
        kind, number, text, chips, id=f"L{line_id}", class_=" ".join(filter(None, classes)), title=note, **heading
    )


def _chosen(lines: Sequence[Any], marked: Marked) -> list[tuple[bool, Any]]:
    """Each line with whether it is shown: all of a document of at most MAX_LINES, else those near a mark."""
    if len(lines) <= MAX_LINES:
        return [(True, line) for line in lines]
    at_mark = [at for at, line in enumerate(lines) if marked.look([int(line.line_id)])[0]]
    near = {at + step for at in at_mark for step in range(-NEAR, NEAR + 1)} | set(range(NEAR))
    return [(at in near, line) for at, line in enumerate(lines)]


def _heading_levels(document: ParsedDocument) -> dict[int, int]:
    """Depth of each heading line, at most 3; of headings that are no entry of the outline nothing is known."""
    toc = document.toc_df[document.toc_df["heading_found"]]
    return {int(line): min(int(level), 3) for line, level in zip(toc["start_line_id"], toc["level"], strict=True)}


def _part(grid: Grid, run: Sequence[Any]) -> Grid:
    """The rows of a table that lie among the lines shown."""
    shown = {int(line.line_id) for line in run}
    return grid.within(shown)
