"""Which engine recognises here, in which languages, and what to install where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.parsing.lines import PageRead
from pipeline.parsing.ocr.engine import Engine
from pipeline.parsing.ocr.tesseract import INSTALL_HINT, MODELS, find_tesseract
from pipeline.parsing.semantics import count_languages
from pipeline.parsing.settings import ParsingSettings

DEFAULT_LANGUAGES = ("en", "es", "fr")  # tried together where nothing tells the language
MAX_LANGUAGES = 3  # read at once: each more costs time and blurs the others
MIN_NATIVE_CHARS = 400  # characters of text beside the pictures from which they tell the language: a paragraph
ENGINE = "tesseract"  # name in the stamp, also where it is missing
NO_ENGINE = "none"  # version in the stamp where nothing is installed


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine and its languages, or why there is none; `note` says what was asked for and could not be had."""

    engine: Engine | None = None
    languages: tuple[str, ...] = ()
    more_languages: tuple[str, ...] = ()  # for pages whose words show that `languages` were wrong
    is_told: bool = True  # False: `languages` are a guess, to be narrowed by the first page that was read
    why_not: str = ""
    note: str = ""


def choose_engine(settings: ParsingSettings, pages: Sequence[PageRead]) -> Choice:
    """The engine for the document's pictures; languages by the settings, else by the text that the pages hold."""
    engine = find_tesseract(seconds=settings.ocr_seconds)
    if engine is None:
        return Choice(
            why_not=f"no recogniser (OCR engine) is installed here: install tesseract ({INSTALL_HINT}) and parse again"
        )
    if settings.ocr_languages:
        return _choose_asked(engine, settings.ocr_languages)
    everything = tuple(code for code in DEFAULT_LANGUAGES if code in engine.languages) or engine.languages
    everything = everything[:MAX_LANGUAGES]
    if not everything:
        return Choice(why_not=f"tesseract has no language model: {INSTALL_HINT}")
    told = tell_languages(line.text for page in pages if page.status == "native" for line in page.lines if line.visible)
    had = tuple(code for code in told if code in engine.languages)[:MAX_LANGUAGES]
    missing = [code for code in told if code not in engine.languages]
    note = _name_missing(missing, "The document's text is in") if missing else ""
    return Choice(engine, had or everything, everything, is_told=bool(had), note=note)


def tell_languages(texts: object) -> tuple[str, ...]:
    """Languages of the texts, the most used first; empty where there is too little to tell."""
    lines = [str(text) for text in texts]  # type: ignore[attr-defined]
    return count_languages(lines) if sum(map(len, lines)) >= MIN_NATIVE_CHARS else ()


def installed_engines() -> dict[str, str]:
    """Name -> version and languages of what would recognise here, as a document's stamp has it; 'none' without any."""
    engine = find_tesseract(seconds=1)
    return {ENGINE: describe(engine)}


def describe(engine: Engine | None) -> str:
    """Version and languages in one word for the stamp: another set of languages reads other words."""
    return NO_ENGINE if engine is None else f"{engine.version} {'+'.join(engine.languages)}".strip()


def _choose_asked(engine: Engine, asked: Sequence[str]) -> Choice:
    missing = [code for code in asked if code not in engine.languages]
    had = tuple(code for code in asked if code in engine.languages)
    note = _name_missing(missing, "Asked for (settings.ocr_languages):") if missing else ""
    if not had:
        return Choice(why_not=note)
    return Choice(engine, had, had, note=note)


def _name_missing(codes: Sequence[str], words: str) -> str:
    models = " ".join(f"tesseract-ocr-{MODELS[code].replace('_', '-')}" for code in codes if code in MODELS)
    advice = f"apt-get install {models}" if models else "tesseract has no model of that name"
    return f"{words} {', '.join(codes)}, which the installed tesseract cannot read: {advice}"
