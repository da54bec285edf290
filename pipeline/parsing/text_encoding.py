"""From bytes to characters: the mark at the beginning, what the file declares, and else what fits its bytes."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

SAMPLE_BYTES = 200_000  # bytes that an unknown encoding is told from, those beyond ASCII first
MIN_SAMPLE_BYTES = 32  # bytes beyond ASCII, below which statistics tell nothing
ZERO_SHARE = 0.2  # share of zero bytes from which text without a mark is taken for UTF-16
FALLBACK = "cp1252"  # Western European Windows: what browsers take where nothing is declared (WHATWG Encoding)
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Labels that mean another encoding than Python's codec of that name (WHATWG Encoding, 4.2): supersets of the old ones.
_LABELS = {
    "iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decoded:
    """The characters, the encoding they were read in, and a sentence where some of them are doubtful."""

    text: str
    encoding: str
    doubt: str = ""


def decode_text(data: bytes, *, declared: Sequence[str] = ()) -> Decoded:
    """The characters of `data`, without the mark at the beginning.

    In order: the byte order mark; the encodings that are declared, where the bytes fit them; UTF-8, where they fit;
    the encoding that suits their statistics (charset-normalizer); Windows-1252. Bytes that do not fit become U+FFFD,
    and `doubt` says so.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], encoding)
    if zeros := data[:4096].count(0):
        order = "utf-16-le" if data[1:4096:2].count(0) >= data[0:4096:2].count(0) else "utf-16-be"
        if zeros >= ZERO_SHARE * len(data[:4096]):
            return _decode(data, order)
    wrong = ""
    for label in declared:
        encoding = find_codec(label)
        if not encoding or encoding.startswith(("utf-16", "utf-32")):  # without zero bytes it cannot be (HTML 13.2.3)
            continue
        try:
            return Decoded(_strict(data, encoding), encoding)
        except UnicodeDecodeError:
            wrong = wrong or f"The bytes do not fit the encoding that is declared ({label[:40]})"
    guessed = _guess(data)
    text = _loose(data, guessed)
    doubt = f"{wrong}; they were read as {guessed}." if wrong else ""
    return Decoded(text, guessed, doubt or _count_lost(text))


def find_codec(label: str) -> str:
    """Python's name of the encoding that a label means to a browser; empty for one that is not known."""
    try:
        name = codecs.lookup(label.strip().strip("\"'").lower()).name
    except (LookupError, ValueError):
        return ""
    return _LABELS.get(name, name) if name not in _NOT_TEXT else ""


_NOT_TEXT = frozenset({"base64", "bz2", "hex", "quopri", "rot13", "uu", "zlib", "idna", "punycode", "undefined",
                       "raw-unicode-escape", "unicode-escape", "utf-7"})  # fmt: skip


def _decode(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    return Decoded(text, encoding, _count_lost(text))


def _count_lost(text: str) -> str:
    lost = text.count("\ufffd")
    return f"{lost:,} characters could not be told from the file's bytes; they show as \ufffd." if lost else ""


def _strict(data: bytes, encoding: str) -> str:
    """Raises UnicodeDecodeError where a byte does not fit; those that Windows-1252 leaves open are controls."""
    if encoding == FALLBACK:
        return _loose(data, encoding)
    return data.decode(encoding)


def _loose(data: bytes, encoding: str) -> str:
    if encoding == FALLBACK:
        text = data.decode(encoding, errors="surrogateescape")
        return text if text.isascii() else text.translate(_OPEN_BYTES)
    return data.decode(encoding, errors="replace")


_OPEN_BYTES = {0xDC00 + byte: byte for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}


def _guess(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # a file cut inside its last character is UTF-8 all the same, and so is one with a few broken bytes
        if error.start >= len(data) - 3 or _is_mostly_utf8(data):
            return "utf-8"
    else:
        return "utf-8"
    lines = [line for line in data.splitlines() if not line.isascii()]
    sample = b"\n".join(lines)[:SAMPLE_BYTES]
    if sum(byte >= 0x80 for byte in sample) < MIN_SAMPLE_BYTES:
        return FALLBACK
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    found = find_codec(best.encoding) if best is not None else ""
    return found or FALLBACK


def _is_mostly_utf8(data: bytes) -> bool:
    """Most characters beyond ASCII are sound: text of another encoding hardly ever makes a sound one."""
    text = data.decode("utf-8", errors="replace")
    lost = text.count("\ufffd")
    sound = sum(ord(character) >= 0x80 for character in text) - lost
    return sound > 4 * lost
