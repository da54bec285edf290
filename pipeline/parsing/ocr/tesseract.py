"""The tesseract program as an engine: a picture on its standard input, its TSV table on its standard output.

Tesseract 4 and later (LSTM), https://tesseract-ocr.github.io/tessdoc/. No shell, no file, no network; one thread, since
two on busy cores are ten times slower than one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache, partial

from pipeline.parsing.ocr.engine import Engine, Pixels, Recognition, Word

INSTALL_HINT = "apt-get install tesseract-ocr tesseract-ocr-spa tesseract-ocr-fra"
ASK_SECONDS = 20  # for the version and the list of languages: a program that does not answer is none
MODELS = {  # ISO 639-1 -> name of tesseract's model
    "ar": "ara", "bg": "bul", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
    "es": "spa", "et": "est", "eu": "eus", "fi": "fin", "fr": "fra", "ga": "gle", "gl": "glg", "he": "heb",
    "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind", "is": "isl", "it": "ita", "ja": "jpn", "ko": "kor",
    "lt": "lit", "lv": "lav", "nl": "nld", "no": "nor", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus",
    "sk": "slk", "sl": "slv", "sr": "srp", "sv": "swe", "th": "tha", "tr": "tur", "uk": "ukr", "vi": "vie",
    "zh": "chi_sim",
}  # fmt: skip
_CODES = {model: code for code, model in MODELS.items()}
_NAME = re.compile(r"[A-Za-z0-9_]+")
_WORD_LEVEL = "5"  # rows of the TSV: 1 page, 2 block, 3 paragraph, 4 line, 5 word
_TURN = re.compile(r"^Rotate: (\d+)$", re.MULTILINE)
_SCRIPT = re.compile(r"^Script: (\w+)$", re.MULTILINE)
_SCRIPT_SURE = re.compile(r"^Script confidence: ([\d.]+)$", re.MULTILINE)
_TURN_SURE = re.compile(r"^Orientation confidence: ([\d.]+)$", re.MULTILINE)
MIN_TURN_SURE = 1.0  # tesseract's own scale, a ratio: below it the turn is a guess among four
MIN_SCRIPT_SURE = 1.0  # the same for the script


def find_tesseract(*, seconds: int) -> Engine | None:
    """The program on the PATH with the languages it has, `seconds` its limit a picture; None where it is missing."""
    path = shutil.which("tesseract")
    if path is None:
        return None
    version, models = _ask(path)
    if not models:
        return None
    languages = tuple(sorted(_CODES[model] for model in models if model in _CODES))
    return Engine(
        name="tesseract",
        version=version,
        languages=languages,
        read=partial(_read, path, seconds),
        guess_turn=partial(_guess_turn, path, seconds) if "osd" in models else _no_turn,
    )


@lru_cache(maxsize=4)
def _ask(path: str) -> tuple[str, tuple[str, ...]]:
    """Version and models of the program; empty where it does not answer."""
    try:
        version = _run([path, "--version"], b"", ASK_SECONDS)
        listed = _run([path, "--list-langs"], b"", ASK_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return "", ()
    said = re.search(r"tesseract v?(\d[\w.]*)", (version.stdout + version.stderr).decode("utf-8", errors="replace"))
    names = (listed.stdout or listed.stderr).decode("utf-8", errors="replace").splitlines()[1:]
    return (said[1] if said else "unknown"), tuple(sorted(name for name in names if _NAME.fullmatch(name)))


def _read(path: str, seconds: int, pixels: Pixels, dpi: int, languages: Sequence[str]) -> Recognition:
    models = "+".join(MODELS[language] for language in languages)
    # page segmentation 3: blocks, columns and lines are told by tesseract, which way is up is not
    arguments = ["-l", models, "--dpi", str(dpi), "--psm", "3", "-c", "tessedit_create_tsv=1"]
    try:
        done = _run([path, "stdin", "stdout", *arguments], _to_pgm(pixels), seconds)
    except subprocess.TimeoutExpired:
        return Recognition(fault=f"tesseract took more than {seconds} seconds (settings.ocr_seconds)")
    except OSError as error:
        return Recognition(fault=f"tesseract could not be started: {error.strerror}")
    if done.returncode != 0:
        return Recognition(fault=f"tesseract ended with code {done.returncode}: {_last_line(done.stderr)}")
    return Recognition(_read_tsv(done.stdout.decode("utf-8", errors="replace")))


def _read_tsv(table: str) -> tuple[tuple[Word, ...], ...]:
    """Words by line, in tesseract's order; rows without a word (rules, pictures) are left out."""
    lines: dict[tuple[str, ...], list[Word]] = {}
    for row in table.split("\n")[1:]:
        cells = row.split("\t")
        if len(cells) != 12 or cells[0] != _WORD_LEVEL or not cells[11].strip():
            continue
        left, top, width, height = map(float, cells[6:10])
        confidence = min(1.0, max(0.0, float(cells[10]) / 100))
        word = Word(cells[11].strip(), (left, top, left + width, top + height), confidence)
        lines.setdefault(tuple(cells[1:5]), []).append(word)
    return tuple(map(tuple, lines.values()))


def _guess_turn(path: str, seconds: int, pixels: Pixels, dpi: int) -> tuple[int, str]:
    try:
        done = _run([path, "stdin", "stdout", "--psm", "0", "--dpi", str(dpi)], _to_pgm(pixels), seconds)
    except (OSError, subprocess.SubprocessError):
        return 0, ""
    said = done.stdout.decode("utf-8", errors="replace")
    turn, script = _TURN.search(said), _SCRIPT.search(said)
    sure, script_sure = _TURN_SURE.search(said), _SCRIPT_SURE.search(said)
    quarters = int(turn[1]) // 90 % 4 if turn and sure and float(sure[1]) >= MIN_TURN_SURE else 0
    named = script[1] if script and script_sure and float(script_sure[1]) >= MIN_SCRIPT_SURE else ""
    return quarters, named


def _no_turn(pixels: Pixels, dpi: int) -> tuple[int, str]:  # noqa: ARG001 - the face of an engine
    return 0, ""


def _run(command: list[str], data: bytes, seconds: int) -> subprocess.CompletedProcess[bytes]:
    # The environment is handed on, not read: where tesseract finds its models may be set there.
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1", "LC_ALL": "C"}
    return subprocess.run(command, input=data, capture_output=True, timeout=seconds, check=False, env=environment)  # noqa: S603 - a list of our own, no shell


def _to_pgm(pixels: Pixels) -> bytes:
    """The picture as a portable graymap (netpbm P5), which needs no packing and no library."""
    height, width = pixels.shape
    return b"P5\n%d %d\n255\n" % (width, height) + pixels.tobytes()


def _last_line(message: bytes) -> str:
    lines = message.decode("utf-8", errors="replace").strip().splitlines()
    return "".join(c for c in lines[-1] if c.isprintable())[:200] if lines else "no message"
