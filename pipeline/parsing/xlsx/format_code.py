"""Number format codes taken apart: sections, conditions and tokens (ECMA-376 part 1, 18.8.30 and 18.8.31)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

MAX_CODE_CHARS = 255  # characters of a format code; Excel's own limit (specifications and limits of Excel)
MAX_SECTIONS = 4  # positive, negative, zero, text

# Formats that a file names by number alone (18.8.30). 14, 22, 27 to 36 and 50 to 58 follow the region of the reader's
# machine: they are shown as in US English.
BUILTIN: Mapping[int, str] = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)', 6: '"$"#,##0_);[Red]("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)', 8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "m/d/yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm",
    **dict.fromkeys((27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58), "m/d/yy"),
    **dict.fromkeys((32, 34, 55), "h:mm"), **dict.fromkeys((33, 35, 56), "h:mm:ss"),
    37: "#,##0_);(#,##0)", 38: "#,##0_);[Red](#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);[Red](#,##0.00)",
    41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', 42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
    43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip

_TOKEN = re.compile(
    r"""
    "(?P<quoted>[^"]*)"? | \\(?P<escaped>.) | _(?P<pad>.) | \*(?P<fill>.) | \[(?P<bracket>[^\]]*)\]
    | (?P<general>General) | (?P<half>AM/PM|A/P) | (?P<exponent>E[+-]) | (?P<part>y+|m+|d+|h+|s+|e+|b+|g+)
    | (?P<digit>[0#?]) | (?P<other>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*([+-]?\d+(?:\.\d*)?(?:E[+-]?\d+)?)", re.IGNORECASE)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_CURRENCY = re.compile(r"\$(?P<sign>[^-]*)(?:-(?P<locale>[0-9A-Fa-f]+))?")


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a section.

    `kind`: literal, digit (0 # ?), point, comma, percent, slash, exponent (E+ E-), part (of a date, lower case),
    elapsed (of a duration), half (AM/PM), text (@) or general; `text` as written, or what a literal shows.
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a code; `condition` is operator and number, None without one; `locale` a Windows language id."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None
    locale: int | None

    def has(self, *kinds: str) -> bool:
        """One of its tokens is of such a kind."""
        return any(token.kind in kinds for token in self.tokens)

    @property
    def is_date(self) -> bool:
        """It shows a date, a time or a duration."""
        return self.has("part", "elapsed", "half")


@lru_cache(maxsize=1024)
def read_code(code: str) -> tuple[Section, ...]:
    """The sections of a format code, at least one and at most four; an overlong code counts as General."""
    if not code or len(code) > MAX_CODE_CHARS:
        code = "General"
    sections: list[Section] = []
    pieces: list[re.Match[str]] = []
    for piece in _TOKEN.finditer(code):
        if piece["other"] == ";":
            sections.append(_read_section(pieces))
            pieces = []
        else:
            pieces.append(piece)
    sections.append(_read_section(pieces))
    return tuple(sections[:MAX_SECTIONS])


def _read_section(pieces: list[re.Match[str]]) -> Section:
    tokens: list[Token] = []
    condition: tuple[str, float] | None = None
    locale: int | None = None
    for piece in pieces:
        kind, text = piece.lastgroup or "other", piece[piece.lastgroup or 0]
        if kind != "bracket":
            tokens.append(_token(kind, text))
        elif (found := _CONDITION.fullmatch(text.strip())) is not None:
            condition = (found[1], float(found[2]))
        elif (money := _CURRENCY.fullmatch(text)) is not None:
            tokens.append(Token("literal", money["sign"]))
            locale = int(money["locale"], 16) & 0xFFFF if money["locale"] else locale
        elif _ELAPSED.fullmatch(text):
            tokens.append(Token("elapsed", text.lower()))
        # what is left in brackets is a colour ([Red], [Color 12]) or the shape of digits ([DBNum1]): no text
    if any(token.kind in ("part", "half", "elapsed") for token in tokens):
        tokens = [Token("part", "e") if t.kind == "exponent" else t for t in tokens]
    return Section(tuple(token for token in tokens if token.text or token.kind == "text"), condition, locale)


def _token(kind: str, text: str) -> Token:
    if kind == "fill":
        return Token("literal", "")  # repeated over the cell's width: a gap on the screen, no text
    if kind == "pad":
        return Token("literal", " ")  # a blank as wide as that character
    if kind in ("quoted", "escaped"):
        return Token("literal", text)
    if kind == "part":
        return Token("part", text.lower())
    if kind == "exponent":
        return Token("exponent", text.upper())
    if kind == "other":
        return Token(_SIGNS.get(text, "literal"), text)
    return Token(kind, text)


_SIGNS = {".": "point", ",": "comma", "%": "percent", "/": "slash", "@": "text"}
