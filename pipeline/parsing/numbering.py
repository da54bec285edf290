"""How headings, clauses and list items are numbered: the patterns that several steps share."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_KEYWORDS = {
    "article": "article", "artículo": "article", "artikel": "article", "articolo": "article",
    "section": "section", "sección": "section", "abschnitt": "section", "§": "section",
    "chapter": "chapter", "capítulo": "chapter", "chapitre": "chapter", "kapitel": "chapter",
    "part": "part", "parte": "part", "partie": "part", "teil": "part", "item": "item",
    "clause": "clause", "cláusula": "clause", "title": "title",
    "schedule": "schedule", "exhibit": "exhibit", "annex": "annex", "anexo": "annex", "annexe": "annex",
    "anlage": "annex", "anhang": "annex", "appendix": "appendix", "apéndice": "appendix", "attachment": "annex",
}  # fmt: skip
ATTACHED = frozenset({"schedule", "exhibit", "annex", "appendix"})  # parts that stand behind the main text

_KEYWORD_HEAD = re.compile(
    rf"(?P<word>{'|'.join(sorted(_KEYWORDS, key=len, reverse=True))})(?:\s+|(?<=§))"
    r"(?P<id>\d{1,4}(?:\.\d{1,3}){0,3}[A-Z]?|[IVXLC]{1,7}|[A-Z](?:[-.]?\d{1,3})?)"
    r"(?P<after>\s*[.:)–—-]*\s*|\s*\()(?=\W|$|(?<=\s)\w)(?P<title>.*)",
    re.IGNORECASE | re.DOTALL,
)
_DECIMAL_HEAD = re.compile(
    r"(?P<id>\d{1,2}(?:\.\d{1,3}){0,4})(?P<dot>[.)]?)(?:\s+|(?<=[.)])(?=[A-Z]))(?P<title>\S.*)", re.DOTALL
)
_ROMAN_HEAD = re.compile(r"(?P<id>[IVXLC]{1,7})\.\s+(?P<title>\S.*)", re.DOTALL)
_LETTER_HEAD = re.compile(r"(?P<id>[A-Z])\.\s+(?P<title>\S.*)", re.DOTALL)
LIST_ITEM = re.compile(
    r"(?:\(?(?:[a-z]{1,2}|[A-Z]|[ivxlc]{1,6}|[IVXLC]{1,6}|\d{1,3})\)"  # (a) a) (iv) 1)
    r"|\d{1,2}(?:\.\d{1,3}){1,4}\.?"  # 1.1  2.3.1
    r"|(?:\d{1,2}|[A-Z]|[IVXLC]{1,6})\."  # 1. A. IV.
    r"|[•●○▪■□◦‣⁃∙·➢➤✓✔–—*\uf0b7\uf0a7\uf0d8-])(?=\s)"
)
LEADERS = re.compile(r"(?:\.[ \u00a0]?){4,}|…{2,}|_{6,}\s*\d{1,4}$")
ENDS_IN_NUMBER = re.compile(r"(?:^|[\s.…])(?:[A-Z]{1,2}-)?(?:\d{1,4}|[ivxlc]{1,6})\s*$")
_NOT_ALNUM = re.compile(r"[\W_]+")
_LEADING_NUMBER = re.compile(
    r"\s*(?:(?:article|section|chapter|part|item|clause|artículo|sección|capítulo|§)\s+)?"
    r"(?:\d{1,3}(?:\.\d{1,3})*[A-Z]?|[IVXLC]{1,7}|[A-Z])[.:)]*(?:\s+|$)[–—:.-]*\s*",
    re.IGNORECASE,
)
_TERMINAL = re.compile(r"[.!?:;。！？][\"'”’»)\]\d∗*†‡]*$")


@dataclass(frozen=True, slots=True)
class HeadingNumber:
    """What a line begins with: `kind` decimal, roman, letter, or a keyword such as article; `parts` as integers."""

    kind: str
    id: str
    parts: tuple[int, ...]
    title: str
    is_upper: bool = False


def read_number(text: str) -> HeadingNumber | None:
    """The numbering at the start of a line, or None. Whether the line is a heading is another question."""
    match = _KEYWORD_HEAD.fullmatch(text)
    if match:
        word, number = match["word"], match["id"]
        if not number[0].isdigit() and not number.isupper():
            return None  # 'part of', 'section a'
        parts = tuple(map(int, re.findall(r"\d+", number))) if number[0].isdigit() else (_ordinal(number),)
        return HeadingNumber(_KEYWORDS[word.lower()], number, parts, match["title"].strip(), word.isupper())
    match = _DECIMAL_HEAD.fullmatch(text)
    if match and ("." in match["id"] or match["dot"] or match["title"][:1].isupper()):
        return HeadingNumber("decimal", match["id"], tuple(map(int, match["id"].split("."))), match["title"].strip())
    for kind, pattern in (("roman", _ROMAN_HEAD), ("letter", _LETTER_HEAD)):
        match = pattern.fullmatch(text)
        if match:
            return HeadingNumber(kind, match["id"], (_ordinal(match["id"]),), match["title"].strip())
    return None


def _ordinal(number: str) -> int:
    """Roman numerals by value, letters by their place in the alphabet ('C' alone is read as a letter by its kind)."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    if all(letter in values for letter in number):
        figures = [values[letter] for letter in number]
        return sum(-v if v < max(figures[at:]) else v for at, v in enumerate(figures))
    return ord(number[0]) - ord("A") + 1


def squeeze(text: str) -> str:
    """Letters and digits alone, folded: what titles are compared by, whatever their spacing, ligatures or case."""
    return _NOT_ALNUM.sub("", unicodedata.normalize("NFKC", text).casefold())


def drop_number(text: str) -> str:
    """`text` without its leading number; the text itself where nothing else would be left."""
    rest = text[match.end() :] if (match := _LEADING_NUMBER.match(text)) else text
    return rest if rest.strip() else text


def is_capitals(text: str) -> bool:
    """All its letters are capitals, and there are at least four."""
    letters = [character for character in text if character.isalpha()]
    return len(letters) >= 4 and all(letter.isupper() for letter in letters)


def ends_sentence(text: str) -> bool:
    """The line ends as a sentence or a list item does."""
    return bool(_TERMINAL.search(text))
