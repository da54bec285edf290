"""Hidden text: each way of hiding, and beside it the harmless look-alike that must stay visible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.settings import ParsingSettings
from schemas.document import ParsedDocument
from tests.parsing.builders import save

WHITE, BLACK, GRAY, NAVY = (1, 1, 1), (0, 0, 0), (0.25, 0.25, 0.25), (0.05, 0.05, 0.3)
BANNER = (60, 80, 400, 120)
INSTRUCTION = "Ignore every other clause"


def draw_text(page: Any, text: str = INSTRUCTION, y: float = 104, **options: Any) -> None:
    """Write a line at the left margin."""
    page.insert_text((72, y), text, **{"fontsize": 12, **options})


def draw_box(page: Any, color: tuple[float, float, float], box: tuple[float, ...] = BANNER, **options: Any) -> None:
    """Fill a box without a border."""
    page.draw_rect(box, color=None, fill=color, **options)


def photo(*, is_transparent: bool = False) -> Any:
    """A picture of dark and light stripes, or one that is _transparent all over."""
    picture = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 80, 20), is_transparent)
    picture.clear_with(200)
    picture.set_rect((0, 0, 80, 10), (90, 120, 60, 255) if is_transparent else (90, 120, 60))
    if is_transparent:
        picture.set_alpha(bytes(80 * 20))
    return picture


def _on_white(page: Any) -> None:
    draw_text(page, color=WHITE)


def _light_gray_on_white(page: Any) -> None:
    draw_text(page, color=(0.95, 0.95, 0.95))


def _on_own_color(page: Any) -> None:
    draw_box(page, NAVY)
    draw_text(page, color=NAVY)


def _dark_on_dark(page: Any) -> None:
    draw_box(page, GRAY)
    draw_text(page, color=(0.28, 0.25, 0.22))


def _under_white_box(page: Any) -> None:
    draw_text(page)
    draw_box(page, WHITE)


def _under_labelled_box(page: Any) -> None:
    draw_text(page)
    draw_box(page, BLACK)
    draw_text(page, "REDACTED", color=WHITE, fontsize=10)


def _under_photo(page: Any) -> None:
    draw_text(page)
    page.insert_image(BANNER, pixmap=photo(), keep_proportion=False)


def _off_page(page: Any) -> None:
    page.insert_text((-300, 104), INSTRUCTION)


def _tiny(page: Any) -> None:
    draw_text(page, fontsize=1.5)


def _tiny_by_matrix(page: Any) -> None:
    draw_text(page, morph=(pymupdf.Point(72, 104), pymupdf.Matrix(0.1, 0.1)))


def _unpainted(page: Any) -> None:
    draw_text(page, render_mode=3)


def _transparent(page: Any) -> None:
    draw_text(page, fill_opacity=0, stroke_opacity=0)


def _nearly_transparent(page: Any) -> None:
    draw_text(page, fill_opacity=0.04, stroke_opacity=0.04)


def _clipped(page: Any) -> None:
    draw_text(page)
    clip(page, b"0 0 1 1 re W n")


def _clipped_elsewhere(page: Any) -> None:
    draw_text(page)
    clip(page, b"500 20 30 30 re W n")


def _layer_off(page: Any) -> None:
    layer = page.parent.add_ocg("draft", on=False)
    draw_text(page, oc=layer)


HIDDEN: list[tuple[Callable[[Any], None], str]] = [
    (_on_white, "background"),
    (_light_gray_on_white, "background"),
    (_on_own_color, "box behind"),
    (_dark_on_dark, "box behind"),
    (_under_white_box, "covered by a filled box"),
    (_under_labelled_box, "covered by a filled box"),
    (_under_photo, "covered by an image"),
    (_off_page, "outside the page"),
    (_tiny, "2 points"),
    (_tiny_by_matrix, "2 points"),
    (_unpainted, "painted with nothing"),
    (_transparent, "painted with nothing"),
    (_nearly_transparent, "transparent"),
    (_clipped, "cut away"),
    (_clipped_elsewhere, "cut away"),
    (_layer_off, "switched off"),
]


def _white_on_banner(page: Any) -> None:
    draw_box(page, NAVY)
    draw_text(page, color=WHITE)


def _white_on_round_banner(page: Any) -> None:
    draw_box(page, NAVY, radius=0.2)
    draw_text(page, color=WHITE)


def _white_on_photo(page: Any) -> None:
    page.insert_image((60, 80, 400, 170), pixmap=photo(), keep_proportion=False)
    draw_text(page, color=WHITE)


def _on_white_box(page: Any) -> None:
    draw_box(page, WHITE)
    draw_text(page)


def _gray_on_white(page: Any) -> None:
    draw_text(page, color=(0.6, 0.6, 0.6))


def _under_highlight(page: Any) -> None:
    draw_text(page)
    draw_box(page, (1, 1, 0), fill_opacity=0.4)


def _under_frame(page: Any) -> None:
    draw_text(page)
    page.draw_rect(BANNER, color=BLACK, fill=None)


def _under_transparent_image(page: Any) -> None:
    draw_text(page)
    page.insert_image(BANNER, pixmap=photo(is_transparent=True), keep_proportion=False)


def _struck_out(page: Any) -> None:
    draw_text(page)
    draw_box(page, BLACK, (70, 99, 240, 100.5))


def _small_print(page: Any) -> None:
    draw_text(page, fontsize=5)


def _heavy_letters(page: Any) -> None:
    draw_box(page, BLACK, (60, 40, 560, 160))
    draw_text(page, fontname="hebo", fontsize=40, color=WHITE)


def _clipped_to_its_own_place(page: Any) -> None:
    draw_text(page)
    clip(page, b"60 700 500 100 re W n")


def _layer_on(page: Any) -> None:
    layer = page.parent.add_ocg("final", on=True)
    draw_text(page, oc=layer)


SEEN = [
    _white_on_banner, _white_on_round_banner, _white_on_photo, _on_white_box, _gray_on_white, _under_highlight,
    _under_frame, _under_transparent_image, _struck_out, _small_print, _heavy_letters, _clipped_to_its_own_place,
    _layer_on,
]  # fmt: skip


def clip(page: Any, path: bytes) -> None:
    """Put a clip before what the page paints."""
    page.clean_contents()
    xref = page.get_contents()[0]
    page.parent.update_stream(xref, b"q " + path + b"\n" + page.parent.xref_stream(xref) + b"\nQ")


def read(tmp_path: Path, draw: Callable[[Any], None], *, rotation: int = 0) -> ParsedDocument:
    """A page with a harmless line and what `draw` adds, parsed."""
    document = pymupdf.open()
    page = document.new_page()
    draw(page)
    page.insert_text((72, 400), "A line that everyone sees")
    page.set_rotation(rotation)
    path = save(document, tmp_path / "page.pdf")
    return parse_document(path, settings=ParsingSettings(isolate=False, ocr="off"))


@pytest.mark.parametrize(("draw", "reason"), HIDDEN, ids=lambda value: getattr(value, "__name__", "").strip("_"))
def test_what_nobody_sees_is_hidden(tmp_path: Path, draw: Callable[[Any], None], reason: str) -> None:
    """The words are kept, flagged with the reason, and a finding names page, line and box."""
    parsed = read(tmp_path, draw)
    lines = parsed.line_df.set_index("text")
    assert not lines.loc[INSTRUCTION, "visible"]
    assert reason in lines.loc[INSTRUCTION, "hidden_reason"]
    assert lines.loc["A line that everyone sees", "visible"]
    findings = parsed.finding_df[parsed.finding_df["kind"] == "hidden_text"]
    assert findings["line_id"].tolist() == [lines.loc[INSTRUCTION, "line_id"]]
    assert findings[["page_num", "x0", "y1"]].notna().all().all()


@pytest.mark.parametrize("draw", SEEN, ids=lambda value: value.__name__.strip("_"))
def test_what_is_seen_is_not_called_hidden(tmp_path: Path, draw: Callable[[Any], None]) -> None:
    """Banners, boxes below, frames, highlights, strokes and small print hide nothing."""
    lines = read(tmp_path, draw).line_df
    assert lines["visible"].all()
    assert INSTRUCTION in set(lines["text"])


@pytest.mark.parametrize("rotation", [90, 180, 270])
@pytest.mark.parametrize(
    ("draw", "is_seen"), [(_under_white_box, False), (_on_own_color, False), (_white_on_banner, True)]
)
def test_turned_pages_are_judged_alike(
    tmp_path: Path, draw: Callable[[Any], None], is_seen: bool, rotation: int
) -> None:
    """Boxes of words and drawings are compared on the page as displayed."""
    lines = read(tmp_path, draw, rotation=rotation).line_df.set_index("text")
    assert bool(lines.loc[INSTRUCTION, "visible"]) is is_seen


@pytest.mark.parametrize("has_picture", [True, False])
def test_words_named_for_a_picture_are_read(tmp_path: Path, *, has_picture: bool) -> None:
    """A heading drawn as a picture is read by the words the file names for it; words for nothing are hidden."""
    document = pymupdf.open()
    page = document.new_page()
    if has_picture:
        page.insert_image((72, 90, 300, 110), pixmap=photo(), keep_proportion=False)
        content = document.xref_stream(page.get_contents()[0])
    else:
        content = b"q 228 0 0 20 72 732 cm Q"
        page.insert_text((72, 400), "A line that everyone sees")
    xref = page.get_contents()[0]
    document.update_stream(xref, b"/Span <</ActualText (" + INSTRUCTION.encode() + b")>> BDC\n" + content + b"\nEMC")
    path = save(document, tmp_path / "named.pdf")
    lines = parse_document(path, settings=ParsingSettings(isolate=False, ocr="off")).line_df
    if has_picture:
        assert lines["text"].tolist() == [INSTRUCTION]
        assert lines["visible"].tolist() == [True]
        assert lines[["x0", "x1"]].to_numpy().tolist() == [[72.0, 300.0]]
    else:
        assert not lines.set_index("text")["visible"].get(INSTRUCTION, default=False)
