"""Pages and lines with the passages marked: pictures under a drawn layer, or the lines as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.audit.page.labels import label
from pipeline.audit.page.marks import Box, Mark, lines_of_run, marks_of, pages_wanted, shown_on
from pipeline.audit.page.path_steps import ROLES, role_words
from pipeline.audit.page.pictures import Picture, Pictures, draw_pages
from pipeline.audit.page.quotes import tell_lines
from pipeline.audit.page.style import CITED_COLOUR, ROLE_COLOURS
from pipeline.audit.page.told import ToldRun
from pipeline.sheet.detail import cut_name
from pipeline.sheet.markup import Markup, tag
from pipeline.wording import pages_of, say

ON_PAGES = ("pdf", "image")  # formats whose lines have a place on a page
MERGE = 1.2  # heights of a line that may lie between two lines drawn in one box: single to double spacing
LABEL_SIZE = 9.0  # points of a label on the page: as large as small print
SIDE_BY_SIDE = 3  # labels tried beside one another at each side of a passage before the next goes below
DASHES = {"primary": None, "supporting": "7 2", "tangential": "2 2", "discarded": "5 4", "cited": None}


def tell_pages(run: ToldRun, key: str, language: str) -> Iterator[Markup]:
    """The heading, the marks explained, each page as a picture or the lines as text; what is left out is said."""
    lines = lines_of_run(run)
    marks = marks_of(run, lines, key, language)
    wanted = pages_wanted(run, marks)
    pictures = Pictures()
    if run.document is not None and run.data and run.document.format in ON_PAGES and wanted:
        pictures = draw_pages(run.data, run.document, wanted, password=run.password)
    title = "marked_pages" if pictures.drawn else "marked_lines"
    yield tag("h2", label(title, language), id=f"{key}pages")
    if not wanted and not marks:
        yield tag("p", label("no_marks", language), class_="soft")
        return
    yield legend(key, language)
    if pictures.why is not None:
        yield tag("p", label("not_drawn", language, why=label(pictures.why, language)), class_="soft")
    if not pictures.drawn:
        yield from tell_lines(run, lines, marks, language)
        return
    boxes = {line.line_id: line.box for line in lines}
    for picture in sorted(pictures.drawn, key=lambda one: one.page_num):
        own = [mark for mark in marks if mark.page_num == picture.page_num]
        yield _figure(run, picture, own, boxes, key, language)
    if pictures.left_out:
        told = label("pages_left_out", language, pages=pages_of(pictures.left_out))
        yield tag("p", told, class_="soft")


def legend(key: str, language: str) -> Markup:
    """How the roles are told apart."""
    told = []
    for look in ("cited", *ROLES):
        words = label("cited", language) if look == "cited" else role_words(look, language)
        swatch = tag(
            "svg", _patterns(f"{key}k{look}", (look,)), _rect((1.5, 1.5, 32.5, 14.5), look, f"{key}k{look}"),
            width=34, height=16, viewBox="0 0 34 16", aria_hidden="true", class_="swatch",
        )  # fmt: skip
        told.append(tag("span", swatch, words))
    return tag("p", tag("b", f"{label('legend', language)}:"), *told, class_="legend")


def _figure(
    run: ToldRun, picture: Picture, marks: Sequence[Mark], boxes: dict[int, Box | None], key: str, language: str
) -> Markup:
    shown, hidden = shown_on(marks)
    place = f"{say('page', language)} {picture.page_num}"
    name = f"{key}p{picture.page_num}"
    title = label("picture_of", language, place=place, name=cut_name(run.saved.trace.source_name), count=len(shown))
    plates: list[Box] = []
    layer = [_mark(mark, boxes, name, picture, plates) for mark in sorted(shown, key=_behind)]
    drawing = tag(
        "svg",
        tag("title", title, id=f"{name}-t"),
        tag("desc", "; ".join(f"{mark.label}: {mark.words}" for mark in shown), id=f"{name}-d"),
        _patterns(name, ("cited", *ROLES)),
        tag("image", href=picture.address, x=0, y=0, width=f"{picture.width:g}", height=f"{picture.height:g}"),
        *layer,
        viewBox=f"0 0 {picture.width:g} {picture.height:g}", role="img", aria_labelledby=f"{name}-t {name}-d",
    )  # fmt: skip
    listed = [
        tag("li", tag("a", mark.label, href=f"#{mark.link}", class_=f"badge {mark.look}"), f" {mark.words}")
        for mark in shown
    ]
    more = tag("li", label("marks_left_out", language, count=hidden)) if hidden else None
    caption = tag("figcaption", label("page_marks", language, place=place), ":", tag("ul", *listed, more))
    return tag("figure", drawing, caption, class_="sheetpage", id=name)


def _behind(mark: Mark) -> int:
    """Discarded ones are drawn first, cited ones last."""
    return ("discarded", "tangential", "supporting", "primary", "cited").index(mark.look)


def _mark(mark: Mark, boxes: dict[int, Box | None], name: str, picture: Picture, plates: list[Box]) -> Markup:
    """The boxes of a passage with its label at the first of them, clear of the labels in `plates`, which it joins."""
    merged = _merged([box for line_id in mark.line_ids if (box := boxes.get(line_id)) is not None])
    if not merged:
        return Markup("")
    drawn = [_rect(_wider(box, mark.look), mark.look, name) for box in merged]
    left, top = _wider(merged[0], mark.look)[:2]
    width = LABEL_SIZE * (0.62 * len(mark.label) + 0.6)
    right = max(merged[0][2] + 2, 0.0)
    x, y = _clear((left - width, right), max(top, 0.0), width, picture.width, plates)
    colour = CITED_COLOUR if mark.look == "cited" else ROLE_COLOURS[mark.look]
    plate = tag("rect", x=f"{x:.1f}", y=f"{y:.1f}", width=f"{width:.1f}", height=LABEL_SIZE + 3, rx=2, fill=colour)
    words = tag(
        "text", mark.label, x=f"{x + width / 2:.1f}", y=f"{y + LABEL_SIZE:.1f}", font_size=LABEL_SIZE,
        font_weight=700, fill="#fff", text_anchor="middle",
    )  # fmt: skip
    return tag("g", tag("title", f"{mark.label}: {mark.words}"), *drawn, plate, words)


def _clear(
    sides: tuple[float, float], y: float, width: float, page_width: float, plates: list[Box]
) -> tuple[float, float]:
    """Where a label stands so that it covers no other: left of its passage, right of it, else further down."""
    height = LABEL_SIZE + 3
    for down in range(len(plates) + 1):
        level = y + down * (height + 1)
        tries = [sides[0] - move * (width + 1) for move in range(SIDE_BY_SIDE)] + [
            sides[1] + move * (width + 1) for move in range(SIDE_BY_SIDE)
        ]
        for x in tries:
            inside = 1 <= x <= page_width - width
            if inside and not any(_overlaps((x, level, x + width, level + height), one) for one in plates):
                plates.append((x, level, x + width, level + height))
                return x, level
    return min(max(sides[0], 1.0), page_width - width), y


def _overlaps(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _merged(boxes: Sequence[Box]) -> list[Box]:
    """Lines that follow each other in one column as one box, so that a passage reads as one."""
    merged: list[Box] = []
    for box in boxes:
        if merged:
            left, top, right, bottom = merged[-1]
            height = box[3] - box[1]
            overlap = min(right, box[2]) - max(left, box[0])
            if overlap > 0 and -height < box[1] - bottom <= MERGE * height:
                merged[-1] = (min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3]))
                continue
        merged.append(box)
    return merged


def _wider(box: Box, look: str) -> Box:
    """Room between the words and the line around them; each look its own, so that none covers another."""
    room = {"cited": 0.5, "primary": 2.5, "supporting": 2.0, "tangential": 1.5, "discarded": 1.0}[look]
    return box[0] - room, box[1] - room, box[2] + room, box[3] + room


def _rect(box: Box, look: str, name: str) -> Markup:
    colour = CITED_COLOUR if look == "cited" else ROLE_COLOURS[look]
    return tag(
        "rect", x=f"{box[0]:.1f}", y=f"{box[1]:.1f}", width=f"{box[2] - box[0]:.1f}", height=f"{box[3] - box[1]:.1f}",
        fill=f"url(#{name}-{look})", stroke=colour, stroke_width=0.6 if look == "cited" else 1.4,
        stroke_dasharray=DASHES[look], class_="pen" if look == "cited" else None,
    )  # fmt: skip


def _patterns(name: str, looks: Sequence[str]) -> Markup:
    """A fill a look: marker pen, rising lines, upright lines, dots, falling lines; faint, so that the print is read."""
    return tag("defs", *(_pattern(f"{name}-{look}", look) for look in looks))


def _pattern(ident: str, look: str) -> Markup:
    colour = {"cited": "#ffd640", **ROLE_COLOURS}[look]
    drawn = {
        "cited": tag("rect", width=8, height=8, fill=colour, fill_opacity=0.45),
        "primary": tag("path", d="M-2 2l4-4M0 8l8-8M6 10l4-4", stroke=colour, stroke_opacity=0.3, stroke_width=1.2),
        "supporting": tag("path", d="M4 0v8", stroke=colour, stroke_opacity=0.3, stroke_width=1.2),
        "tangential": tag("circle", cx=4, cy=4, r=1, fill=colour, fill_opacity=0.45),
        "discarded": tag("path", d="M-2 6l4 4M0 0l8 8M6-2l4 4", stroke=colour, stroke_opacity=0.2, stroke_width=0.8),
    }[look]
    return tag("pattern", drawn, id=ident, width=8, height=8, patternUnits="userSpaceOnUse")
