"""One page at a time: its lines in reading order, its images, and a status that says what was read of it."""

from __future__ import annotations

from typing import Any

from pipeline.mupdf import pymupdf
from pipeline.parsing.actual_text import add_actual_text
from pipeline.parsing.clipping import hide_clipped
from pipeline.parsing.lines import ImageBox, PageRead, area_share, make_line
from pipeline.parsing.page_text import Fragment, make_fragments, read_blocks
from pipeline.parsing.quality import measure_quality
from pipeline.parsing.reading_order import order_lines
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.spans import collect_spans
from pipeline.parsing.table_rules import read_drawn
from pipeline.parsing.visibility import hide_unseen

SCAN_COVERAGE = 0.80  # the same with margins cropped by the scanner
MIN_SCAN_CHARS = 100  # characters; fewer over a scan are a stamp or a page number, not the page's text
MIXED_COVERAGE = 0.30  # share of the page under images, from which text may stand in them: a pasted table, a letter
MIN_QUALITY = 0.75  # quality below which text is not trusted: real pages reach 0.9, garbled ones 0.1 to 0.73
NEED_OCR = ("scanned", "unreadable", "mixed")  # statuses of pages whose pictures may hold words that were not read
MIN_OUTLINED_PATHS = 100  # filled shapes on a page without text: letters drawn as shapes, not a rule and a logo
BAD_TEXT = "the fonts do not say which letters they draw, or a recogniser misread them"
PAGE_ERRORS = (RuntimeError, ValueError, IndexError, KeyError, TypeError, MemoryError, pymupdf.mupdf.FzErrorBase)


def read_page(document: Any, page_num: int, settings: ParsingSettings, *, has_labels: bool) -> PageRead:
    """Page `page_num` (from 1) as read; one that MuPDF cannot read comes back with status 'failed' and the reason."""
    result = PageRead(page_num)
    try:
        page = document.load_page(page_num - 1)
        rect = page.rect  # asked once: it is worked out anew each time
        result.width, result.height = float(rect.width), float(rect.height)
        result.rotation = int(page.rotation) % 360
        result.label = (page.get_label() or None) if has_labels else None
        _fill(result, page, settings)
        if settings.layout_model:
            from pipeline.parsing.layout_model import find_regions  # seconds to import, and seldom asked for

            result.regions = find_regions(page)
    except PAGE_ERRORS as error:
        result.lines, result.status = [], "failed"
        result.reason = f"The page could not be read: {_first_line(error)}"
    return result


def _fill(result: PageRead, page: Any, settings: ParsingSettings) -> None:
    blocks, images = read_blocks(page)
    result.images = _place_images(page, images)
    result.coverage = _coverage(result)
    fragments = add_actual_text(page, blocks, _without_doubles(make_fragments(page, blocks)), result.images)
    if len(fragments) > settings.max_page_lines:
        result.status = "unreadable"
        result.reason = f"{len(fragments):,} pieces of text, the limit is {settings.max_page_lines:,} a page."
        return
    result.drawn = read_drawn(page, blocks)
    has_layer = hide_unseen(page, blocks, fragments, result.images)
    hide_clipped(page, fragments)
    placed, result.columns = order_lines(fragments, result.drawn.rules)
    result.lines = [make_line(line.fragments, line.column, result.page_num, cell=line.cell) for line in placed]
    result.spans = collect_spans(page, blocks, result.lines) if settings.spans else []
    result.has_ocr_layer = has_layer or _is_under_scan(page, result)
    seen = [line.text for line in result.lines if line.visible]
    result.quality = measure_quality(seen, is_recognised=result.has_ocr_layer) if seen else None
    if not seen:
        result.columns = 0
    result.status, result.reason = _judge(result, sum(map(len, seen)))
    if not seen and result.status == "empty" and _count_shapes(page) >= MIN_OUTLINED_PATHS:
        result.status, result.reason = "unreadable", "No text, but many drawn shapes: letters may be drawn as outlines."
    result.needs_ocr = result.status in NEED_OCR


def _judge(page: PageRead, chars: int) -> tuple[str, str]:
    share = f"{page.coverage:.0%} of the page"
    full = max((area_share(image, page) for image in page.images), default=0.0) >= SCAN_COVERAGE
    if page.quality is not None and page.quality < MIN_QUALITY:
        return "unreadable", f"The text cannot be trusted (quality {page.quality:.2f}): {BAD_TEXT}."
    if page.has_ocr_layer and full and chars < MIN_SCAN_CHARS:
        return (
            "scanned",
            f"A scan (images cover {share}) with a text layer of {chars} characters only: it has to be recognised.",
        )
    if page.has_ocr_layer:
        return "ocr", f"A scan (images cover {share}) with a text layer that a recogniser wrote; it may hold errors."
    if chars == 0 and page.images:
        return "scanned", f"No text; images cover {share}: the page has to be recognised."
    if chars == 0:
        return "empty", "Neither text nor image."
    if full and chars < MIN_SCAN_CHARS:
        return (
            "scanned",
            f"An image of the page with {chars} characters of text over it: the page has to be recognised.",
        )
    if full or page.coverage >= MIXED_COVERAGE:
        return "mixed", f"Text of {chars:,} characters beside images on {share}: words in the images were not read."
    return "native", "Text as characters."


def _is_under_scan(page: Any, result: PageRead) -> bool:
    """An image of the whole page is painted after the text: the text is a recogniser's, seen only in the image."""
    if not result.lines or max((area_share(image, result) for image in result.images), default=0.0) < SCAN_COVERAGE:
        return False
    log = page.get_bboxlog()
    texts = [at for at, (kind, *_) in enumerate(log) if kind.endswith("-text")]
    least = SCAN_COVERAGE * result.width * result.height
    covers = [at for at, (kind, box, *_) in enumerate(log) if kind == "fill-image" and abs(pymupdf.Rect(box)) >= least]
    return bool(texts) and bool(covers) and texts[len(texts) // 2] < covers[-1]


def _place_images(page: Any, found: list[dict[str, Any]]) -> list[ImageBox]:
    """Images with their boxes on the displayed page, from its top down; those outside it are left out."""
    if not found:
        return []
    images = []
    rect, matrix = page.rect, page.rotation_matrix if page.rotation else None
    for info in found:
        box = pymupdf.Rect(info["bbox"])
        if matrix is not None:
            box = box * matrix
        box = box & rect
        if not box.is_empty and box.is_valid:
            images.append(ImageBox(box.x0, box.y0, box.x1, box.y1, int(info["width"]), int(info["height"])))
    return sorted(images, key=lambda i: (i.y0, i.x0, i.y1, i.x1, i.width_px, i.height_px))


def _coverage(page: PageRead) -> float:
    """Share of the page under images; overlaps count twice, so it is cut at 1."""
    return min(1.0, sum(area_share(image, page) for image in page.images))


def _without_doubles(fragments: list[Fragment]) -> list[Fragment]:
    """Fragments without those printed again at the same place, the way old printers made bold."""
    if len({fragment.text for fragment in fragments}) == len(fragments):
        return fragments
    seen: set[tuple[str, int, int, str]] = set()
    kept = []
    for fragment in fragments:
        box = fragment.box
        key = (fragment.text, round(box[0] / 2), round(box[1] / 2), fragment.hidden)
        if key not in seen:
            seen.add(key)
            kept.append(fragment)
    return kept


def _count_shapes(page: Any) -> int:
    return sum(kind == "fill-path" for kind, *_ in page.get_bboxlog())


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
