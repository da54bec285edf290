"""Pages that are pictures, or hold some, read by the installed engine: lines with confidence, and what was read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeAlias

from pipeline.parsing.lines import REPLACED, Line, PageRead
from pipeline.parsing.ocr.engine import Box
from pipeline.parsing.ocr.engines import ENGINE, Choice, choose_engine, describe, tell_languages
from pipeline.parsing.ocr.placing import PlacedText, insert_lines, place_lines
from pipeline.parsing.ocr.raster import (
    MAX_SOURCE_PIXELS,
    MIN_DPI,
    POINTS_PER_INCH,
    Raster,
    choose_zoom,
    is_blank,
    keep_areas,
)
from pipeline.parsing.ocr.transcript import GOOD_CONFIDENCE, Transcript, transcribe
from pipeline.parsing.pages import MIN_QUALITY, PAGE_ERRORS
from pipeline.parsing.quality import measure_quality
from pipeline.parsing.semantics import count_languages
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.watch import allow_seconds, enter_page

Paint: TypeAlias = Callable[[PageRead], Raster]

MAX_ATTEMPTS = 7  # recognitions of one page at most: upright, which way up, three turns, coarser, more languages
MAX_HOPELESS_PAGES = 2  # pages in a row that no attempt read well, from which each further one gets a single attempt
NOT_TRIED = "the pages before it, in the same fonts, could not be recognised either, and it was not tried"
MAX_TELLING_PAGES = 3  # pages read in all languages until one of them tells the language of the others
ALONE_SLACK = 0.03  # confidence by which a language read alone may fall short: it is right on accents all the same
MIN_PAGE_CONFIDENCE = 0.50  # mean below which a page was not read: of awful scans, every second word is wrong
MIN_REPLACING_CONFIDENCE = GOOD_CONFIDENCE  # the same where a text of the file's own would be given up for it
MIN_RUN_CONFIDENCE = 0.30  # of a run of words on a page that is a scan (METHOD 1.4: 0.3 trims noise)
MIN_IMAGE_CONFIDENCE = 0.60  # the same in an image beside text, which may be a photograph


@dataclass(slots=True)
class _Luck:
    """How recognition went so far, counted in the order of the pages: a document is always read the same way."""

    bad_pages: int = 0  # in a row

    def note(self, found: Transcript | None) -> None:
        """Count a page that was read badly; one that was read well, or is blank, begins anew."""
        self.bad_pages = self.bad_pages + 1 if found is not None and found.confidence < GOOD_CONFIDENCE else 0

    @property
    def is_out(self) -> bool:
        """Enough pages in a row were read badly."""
        return self.bad_pages >= MAX_HOPELESS_PAGES


def recognise_pages(
    paint: Paint, pages: Sequence[PageRead], settings: ParsingSettings, *, sha256: str
) -> dict[str, str]:
    """Read the pictures of the pages that need it, and write lines, status and reason into them.

    `paint` gives the picture of a page as displayed; it is only called from here, a page at a time. `sha256` names the
    document to the one who watches. Gives what the stamp has to say: the engine with
    version and languages, 'none' where pages needed one and none is installed; empty where no page needed any.
    """
    todo = [page for page in pages if page.needs_ocr]
    if not todo:
        return {}
    if settings.ocr == "off":
        for page in todo:
            page.reason += " Recognition is switched off (settings.ocr)."
        return {}
    choice = choose_engine(settings, pages)
    engine = choice.engine
    if engine is None:
        for page in todo:
            page.status = "mixed" if page.status == "mixed" else "unreadable"
            page.reason = f"{page.reason.rstrip('.')}; {choice.why_not}."
        return {ENGINE: describe(None)}
    rest, luck = todo, _Luck()
    while rest and not choice.is_told and len(todo) - len(rest) < MAX_TELLING_PAGES:
        first, rest = rest[:1], rest[1:]
        choice = _read_first(paint, first[0], choice, settings, sha256, luck)
    for page, transcript in _transcribe(paint, rest, choice, settings, sha256, luck):
        _write(page, transcript, choice)
    return {ENGINE: describe(engine)}


def _read_first(
    paint: Paint, page: PageRead, choice: Choice, settings: ParsingSettings, sha256: str, luck: _Luck
) -> Choice:
    """Read a page in all languages, and again in its own where its words tell them; gives the choice for the others.

    A model alone reads its language better than beside others: accents get lost.
    """
    ((_, transcript),) = _transcribe(paint, [page], choice, settings, sha256, luck)
    texts = [" ".join(word.text for word in line) for line in transcript.lines] if transcript else []
    told = tuple(code for code in tell_languages(texts) if code in choice.more_languages)
    if told:
        choice = replace(choice, languages=told, is_told=True)
    is_worth_it = transcript is not None and transcript.confidence >= MIN_PAGE_CONFIDENCE
    if told and is_worth_it and transcript is not None and set(told) != set(transcript.languages):
        ((_, again),) = _transcribe(paint, [page], choice, settings, sha256, luck)
        if again is not None and not again.fault and again.confidence >= transcript.confidence - ALONE_SLACK:
            transcript = again
    _write(page, transcript, choice)
    return choice


def _transcribe(
    paint: Paint, pages: Sequence[PageRead], choice: Choice, settings: ParsingSettings, sha256: str, luck: _Luck
) -> Iterator[tuple[PageRead, Transcript | None]]:
    """Each page with what was read of it, in order; None for a blank one. Pages are painted here, read by workers."""
    waiting: deque[tuple[PageRead, Future[Transcript | None]]] = deque()

    def take() -> tuple[PageRead, Transcript | None]:
        done, future = waiting.popleft()
        found = future.result()
        luck.note(found)
        return done, found

    with ThreadPoolExecutor(settings.ocr_workers) as pool:
        for page in pages:
            enter_page(sha256, page.page_num)
            if luck.is_out and _lies_level(page):
                waiting.append((page, pool.submit(Transcript, fault=NOT_TRIED)))
                continue
            allow_seconds(MAX_ATTEMPTS * settings.ocr_seconds)
            try:
                raster = _paint(paint, page)
            except PAGE_ERRORS as error:
                waiting.append((page, pool.submit(Transcript, fault=f"the page could not be painted: {error}"[:200])))
            else:
                once = luck.is_out or _lies_level(page)
                waiting.append((page, pool.submit(_read_raster, raster, choice, once=once)))
            if len(waiting) > settings.ocr_workers:  # no more painted pages in memory than are being read
                yield take()
        while waiting:
            yield take()
    enter_page(sha256)


def _lies_level(page: PageRead) -> bool:
    """The page's own letters say which way it lies, though not which letters they are."""
    turns = [line.rotation % 360 for line in page.lines if line.visible]
    return bool(turns) and not page.has_ocr_layer and 2 * turns.count(0) > len(turns)


def _read_raster(raster: Raster | str, choice: Choice, *, once: bool) -> Transcript | None:
    if isinstance(raster, str):
        return Transcript(fault=raster)
    if choice.engine is None or is_blank(raster):
        return None
    return transcribe(raster, choice.engine, choice.languages, choice.more_languages, once=once)


def _paint(paint: Paint, page: PageRead) -> Raster | str:
    """The picture to recognise, or why there is none: the whole page, or its images without the native text."""
    largest = max((image.width_px * image.height_px for image in page.images), default=0)
    if largest > MAX_SOURCE_PIXELS:
        return f"an image of {largest:,} pixels, the limit is {MAX_SOURCE_PIXELS:,}"
    if choose_zoom(page.width, page.height) * POINTS_PER_INCH < MIN_DPI:
        return f"the page is too large to be painted ({page.width:,.0f} x {page.height:,.0f} points)"
    raster = paint(page)
    kept = [_box(line) for line in _kept_lines(page)]
    if page.status != "mixed":
        whole = (0.0, 0.0, page.width, page.height)
        return keep_areas(raster, [whole], kept) if kept else raster
    return keep_areas(raster, [(image.x0, image.y0, image.x1, image.y1) for image in page.images], kept)


def _kept_lines(page: PageRead) -> list[Line]:
    """Native lines that stay as they are: none on a page whose text cannot be trusted or lies under its picture."""
    if page.status == "unreadable" or page.has_ocr_layer:
        return []
    return [line for line in page.lines if line.visible]


def _box(line: Line) -> Box:
    return (line.x0, line.y0, line.x1, line.y1)


def _write(page: PageRead, transcript: Transcript | None, choice: Choice) -> None:
    """Lines, status and reason of a page after its picture was read."""
    engine = choice.engine
    if engine is None:
        return
    if transcript is None:
        _write_blank(page)
        return
    if transcript.fault:
        page.status = "mixed" if page.status == "mixed" else "unreadable"
        page.reason = f"{page.reason.rstrip('.')}; {transcript.fault}."
        return
    limit = MIN_IMAGE_CONFIDENCE if page.status == "mixed" else MIN_RUN_CONFIDENCE
    found = place_lines(transcript, page_num=page.page_num, engine=engine.name, min_confidence=limit)
    by = f"{engine.name} {engine.version} ({'+'.join(transcript.languages)})"
    if page.status == "mixed":
        _write_mixed(page, found, by)
    else:
        _write_scan(page, found, transcript, by, choice.note)


def _write_blank(page: PageRead) -> None:
    """The picture shows nothing but paper, once the native text is left out."""
    page.needs_ocr = False
    if page.status == "mixed":
        page.reason = "Text as characters; the images beside it hold no words."
    elif _kept_lines(page):
        page.status, page.reason = "native", "Text as characters over the picture of a blank sheet."
    elif not page.lines:
        page.status, page.reason = "empty", "A scan of a blank sheet."
    else:
        page.status, page.reason = "unreadable", "Text that cannot be trusted, and the painted page shows nothing."


def _write_mixed(page: PageRead, found: PlacedText, by: str) -> None:
    page.needs_ocr = False
    noise = f" {found.noise:,} characters of noise were left out." if found.noise else ""
    if not found.lines:
        page.reason = f"Text as characters; {by} found no words in the images beside it.{noise}"
        return
    chars = sum(len(line.text) for line in found.lines)
    page.lines = insert_lines(page.lines, found.lines)
    page.method = f"{page.method}+{by.split(' ', maxsplit=1)[0]}"
    page.reason = f"Both were read: text as characters, and {chars:,} characters in the images by {by}.{noise}"


def _write_scan(page: PageRead, found: PlacedText, transcript: Transcript, by: str, note: str) -> None:
    kept = _kept_lines(page)
    before = sum(len(line.text) for line in page.lines if line.visible)
    chars = sum(len(line.text) for line in found.lines)
    if not kept and page.quality is not None and page.quality >= MIN_QUALITY and chars < before:
        page.needs_ocr = False  # a short text layer, and no more than that is seen in the picture
        page.status, page.reason = "ocr", f"A scan with a short text layer; {by} reads no more in it."
        return
    script = (
        f" Its script looks like {transcript.script}, which no installed language reads." if transcript.script else ""
    )
    if not found.lines and kept:
        page.needs_ocr = False
        page.status, page.reason = "mixed", f"Text as characters over a picture in which {by} finds no words."
        return
    if not found.lines:
        page.status = "unreadable"
        seen = f"A picture in which {by} finds no words: a photograph, a drawing or handwriting."
        page.reason = f"{page.reason} {by} finds no words." if before else f"{seen}{script}"
        return
    sure, text = transcript.confidence, [line.text for line in found.lines]
    quality = measure_quality(text, is_recognised=True)
    least = MIN_REPLACING_CONFIDENCE if before and not kept else MIN_PAGE_CONFIDENCE
    trusted = (
        sure >= least and quality >= MIN_QUALITY and not script and not (before and _in_other_script(page, transcript))
    )
    noise = f" {found.noise:,} characters of noise were left out." if found.noise else ""
    tail = noise + (f" {note}." if note else "")
    if not trusted and before:  # one doubtful reading is enough: the file's own stays
        page.status = "unreadable"
        page.reason += f" {by} reads no better, with confidence {sure:.2f}.{script}{tail}"
        return
    if not kept:
        for line in page.lines:
            line.hidden = line.hidden or REPLACED
    page.lines = insert_lines(page.lines, found.lines) if kept else [*found.lines, *page.lines]
    page.columns = max(page.columns, found.columns) if kept else found.columns
    page.method, page.quality = by.split(" ", maxsplit=1)[0], quality
    if trusted:
        page.needs_ocr = False
        page.status, page.reason = "ocr", f"A picture of the page, recognised by {by} with confidence {sure:.2f}.{tail}"
    else:
        page.status = "unreadable"
        page.reason = f"Recognised by {by} with confidence {sure:.2f} only: no word can be trusted.{script}{tail}"


def _in_other_script(page: PageRead, transcript: Transcript) -> bool:
    """The page's own text is in a language that was not read: words of another script would become noise."""
    told = count_languages([line.text for line in page.lines if line.visible])
    return bool(set(told) - set(transcript.languages))
