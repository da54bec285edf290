"""Paragraphs of a shape as lines, and why some of them cannot be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.parsing.lines import Line, PageRead, flow_line
from pipeline.parsing.pptx.colours import Palette, is_unseen
from pipeline.parsing.pptx.names import METHOD, A, Box, plain
from pipeline.parsing.pptx.shapes import Shape, find_model
from pipeline.parsing.pptx.text import Paragraph, Run
from pipeline.parsing.reading import CellRead, ChildFile, Finding, GivenHeading

TINY_SIZE = 2.0  # points, below which nobody reads (issue: hidden text)
REASONS = {
    "shape": "a shape that is switched off",
    "outside": "outside the slide",
    "tiny": "smaller than 2 points",
    "white": "its colour cannot be told from its background (white on white)",
    "clear": "fully transparent",
}


@dataclass(slots=True)
class SlideReading:
    """A slide as read."""

    page: PageRead
    headings: list[GivenHeading] = field(default_factory=list)
    cells: list[CellRead] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    children: list[ChildFile] = field(default_factory=list)
    paragraph: int = 0  # number of the last paragraph
    table: int = 0  # number of the last table
    links: list[tuple[Line, str, str]] = field(default_factory=list)  # line, words, relationship id


@dataclass(slots=True)
class Looks:
    """What a slide takes its looks from; `shapes` of the slide from the back to the front."""

    palette: Palette
    layout: list[Shape]
    shapes: list[Shape]


def add_paragraphs(
    result: SlideReading, paragraphs: Sequence[Paragraph], shape: Shape, looks: Looks, *, role: str = "body"
) -> list[Line]:
    """A line for each line of the paragraphs, with the box of the shape; gives the lines that were added."""
    added = []
    for paragraph in paragraphs:
        result.paragraph += 1
        number = f"{paragraph.number} " if paragraph.number else ""
        for runs in paragraph.lines:
            text = number + plain("".join(run.text for run in runs))
            number = ""
            line = add_line(result, text, role=role, box=shape.box, style=_style(runs))
            line.rotation = shape.rotation
            line.hidden = _why_hidden(runs, shape, looks, result.page)
            result.links += [(line, words, run.link) for run in runs if run.link and (words := plain(run.text))]
            added.append(line)
    return added


def add_line(
    result: SlideReading,
    text: str,
    *,
    role: str = "body",
    box: Box | None = None,
    style: tuple[str, float, bool, bool] = ("", 0.0, False, False),
) -> Line:
    """One more line of the slide, in the paragraph that is open."""
    line = flow_line(
        text, method=METHOD, page_num=result.page.page_num, role=role, paragraph_id=result.paragraph, style=style
    )
    if box is not None:
        line.x0, line.y0, line.x1, line.y1 = box
    result.page.lines.append(line)
    return line


def _style(runs: Sequence[Run]) -> tuple[str, float, bool, bool]:
    """Font and size of the longest run, bold and italic of most characters."""
    main = max(runs, key=lambda run: len(run.text))
    half = sum(len(run.text) for run in runs) / 2
    bold = sum(len(run.text) for run in runs if run.bold) > half
    italic = sum(len(run.text) for run in runs if run.italic) > half
    return main.font, main.size, bold, italic


def _why_hidden(runs: Sequence[Run], shape: Shape, looks: Looks, page: PageRead) -> str:
    """Why nobody sees the line; empty where it is seen, or where that is not plain to tell."""
    if shape.hidden:
        return REASONS["shape"]
    box = shape.box
    if box and page.width and (box[2] <= 0 or box[3] <= 0 or box[0] >= page.width or box[1] >= page.height):
        return REASONS["outside"]
    main = max(runs, key=lambda run: len(run.text))
    if 0 < main.size < TINY_SIZE:
        return REASONS["tiny"]
    if main.colour is None:
        return ""
    alpha = next(iter(main.colour.iter(f"{A}alpha")), None)
    if alpha is not None and alpha.get("val") in ("0", "0%"):
        return REASONS["clear"]
    model = find_model(shape, looks.layout) if shape.placeholder else None
    behind = looks.shapes[: next((at for at, one in enumerate(looks.shapes) if one is shape), 0)]
    below = [*behind, *([model] if model is not None else []), *(one for one in looks.layout if not one.placeholder)]
    return REASONS["white"] if is_unseen(looks.palette.resolve(main.colour), shape, below, looks.palette) else ""
