"""How headings, clauses and list items are numbered: the patterns that several steps share."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_KEYWORDS = {
    "article": "article", "artículo": "article", "articulo": "article", "artikel": "article", "articolo": "article",
    "section": "section", "sección": "section", "seccion": "section", "abschnitt": "section", "§": "section",
    "apartado": "section",
    "chapter": "chapter", "capítulo": "chapter", "capitulo": "chapter", "chapitre": "chapter", "kapitel": "chapter",
    "part": "part", "parte": "part", "partie": "part", "teil": "part", "item": "item",
    "clause": "clause", "cláusula": "clause", "clausula": "clause", "estipulación": "clause",
    "disposición": "provision", "disposition": "provision", "note": "note", "nota": "note",
    "title": "title", "título": "title", "titulo": "title", "titre": "title",
    "schedule": "schedule", "exhibit": "exhibit", "annex": "annex", "anexo": "annex", "annexe": "annex",
    "anlage": "annex", "anhang": "annex", "appendix": "appendix", "apéndice": "appendix", "attachment": "annex",
}  # fmt: skip
ATTACHED = frozenset({"schedule", "exhibit", "annex", "appendix"})  # parts that stand behind the main text
_ORDINALS = (  # numbers written as words, in the order of their value, from 1
    ("one", "first", "primero", "primera", "premier", "première", "1er", "único", "única", "unique"),
    ("two", "second", "segundo", "segunda", "deuxième", "seconde"),
    ("three", "third", "tercero", "tercera", "troisième"),
    ("four", "fourth", "cuarto", "cuarta", "quatrième"),
    ("five", "fifth", "quinto", "quinta", "cinquième"),
    ("six", "sixth", "sexto", "sexta", "sixième"),
    ("seven", "seventh", "séptimo", "séptima", "septima", "septième"),
    ("eight", "eighth", "octavo", "octava", "huitième"),
    ("nine", "ninth", "noveno", "novena", "neuvième"),
    ("ten", "tenth", "décimo", "décima", "decima", "dixième"),
    ("eleven", "eleventh", "undécimo", "undécima", "décima primera", "decimoprimera", "onzième"),
    ("twelve", "twelfth", "duodécimo", "duodécima", "décima segunda", "decimosegunda", "douzième"),
    ("thirteen", "thirteenth", "decimotercera", "décima tercera", "decimotercero", "treizième"),
    ("fourteen", "fourteenth", "decimocuarta", "décima cuarta", "decimocuarto", "quatorzième"),
    ("fifteen", "fifteenth", "decimoquinta", "décima quinta", "decimoquinto", "quinzième"),
    ("sixteen", "sixteenth", "decimosexta", "décima sexta", "decimosexto", "seizième"),
    ("seventeen", "seventeenth", "decimoséptima", "décima séptima", "decimoséptimo"),
    ("eighteen", "eighteenth", "decimoctava", "décima octava", "decimoctavo"),
    ("nineteen", "nineteenth", "decimonovena", "décima novena", "decimonoveno"),
    ("twenty", "twentieth", "vigésima", "vigésimo", "vingtième"),
)
_VALUES = {word: value for value, words in enumerate(_ORDINALS, start=1) for word in words}
_WORDS = "|".join(sorted(_VALUES, key=len, reverse=True))
_ORDINAL_CLAUSES = "|".join(  # what Spanish contracts number their clauses with, the keyword left out
    sorted((word for word in _VALUES if word.endswith("a") and len(word) > 4), key=len, reverse=True)
)

_KEYWORD_HEAD = re.compile(
    rf"(?P<word>{'|'.join(sorted(_KEYWORDS, key=len, reverse=True))})(?:\s+(?:n[º°o]\.?\s*)?[\"“”'‘’]?|(?<=§))"
    r"(?:(?:adicional|transitoria|final|derogatoria)\s+)?"
    r"(?P<id>\d{1,4}(?:\.\d{1,3}){0,3}[A-Z]?(?![\wº°])|\d{1,3}[º°ª]|[IVXLC]{1,7}(?!\w)"
    rf"|(?:{_WORDS})(?!\w)|[A-Z](?:[-.]?\d{{1,3}})?(?!\w))"
    r"(?P<after>[\"“”'‘’]?\s*[.:)–—-]*\s*|\s*\()(?=\W|$|(?<=\s)\w)(?P<title>.*)",
    re.IGNORECASE | re.DOTALL,
)
_ORDINAL_HEAD = re.compile(
    rf"(?P<id>{_ORDINAL_CLAUSES})\s*(?:[.:]\s*[-–—]*|[-–—]+)\s*(?P<title>.*)", re.IGNORECASE | re.DOTALL
)
_DECIMAL_HEAD = re.compile(
    r"(?P<id>\d{1,2}(?:\.\d{1,3}){0,4})(?P<dot>\s\.(?=[A-ZÀ-Ý])|\.?[-–—]|[.)]?)"
    r"(?:\s+|(?<=[.)–—-])(?=[A-ZÀ-Ý])|(?<=\.\d)(?=“|[A-ZÀ-Ý][^\W\d_])|(?<=\.\d\d)(?=“|[A-ZÀ-Ý][^\W\d_]))"
    r"(?P<title>\S.*)",  # ... or no blank at all, "2.1Term"
    re.DOTALL,
)
_ROMAN_HEAD = re.compile(r"(?P<id>[IVXLC]{1,7})(?:\.[-–—]?|\s[-–—])\s+(?P<title>\S.*)", re.DOTALL)
_LETTER_HEAD = re.compile(r"(?P<id>[A-Z])\.\s+(?P<title>\S.*)", re.DOTALL)
_ITEM_HEAD = re.compile(
    r"(?:(?P<low>[a-z])\.|\(?(?P<figure>\d{1,2})\)|\(?(?P<letter>[a-zA-Z])\)|\((?P<roman>[ivxlc]{2,6}|[IVXLC]{2,6})\))"
    r"(?:\s+|(?<=\w\))(?=[A-ZÀ-Ý“][^\W\d_]))(?P<title>\S.*)",
    re.DOTALL,
)
MIN_CAPITALS = 4  # letters from which a line of capitals is one: fewer are an abbreviation
LIST_ITEM = re.compile(
    r"(?:\(?(?:[a-z]{1,2}|[A-Z]|[ivxlc]{1,6}|[IVXLC]{1,6}|\d{1,3})\)"  # (a) a) (iv) 1)
    r"|\d{1,2}(?:\.\d{1,3}){1,4}\.?"  # 1.1  2.3.1
    r"|(?:\d{1,2}|[A-Z]|[IVXLC]{1,6})\."  # 1. A. IV.
    r"|[•●○▪■□◦‣⁃∙·➢➤✓✔–—*\uf0b7\uf0a7\uf0d8-])(?=\s)"
)
LEADERS = re.compile(r"(?:\.[ \u00a0]?){4,}|…{2,}|_{6,}\s*\d{1,4}$")
ENDS_IN_NUMBER = re.compile(r"(?:^|[\s.…])(?:[A-Z]{1,2}-)?(?:\d{1,4}|[ivxlc]{1,6})\s*$")
_NOT_ALNUM = re.compile(r"[\W_]+")
_DROPPED = "|".join(sorted((word for word, kind in _KEYWORDS.items() if kind not in ATTACHED), key=len, reverse=True))
_LEADING_NUMBER = re.compile(
    rf"\s*(?:(?:{_DROPPED})\s+(?:n[º°o]\.?\s*)?(?:(?:{_WORDS})(?!\w))?)?"
    r"(?:\d{1,3}(?:\.\d{1,3})*[A-Z]?[º°ª]?|[IVXLC]{1,7}|\(?[A-Za-z]\)|\(\w{1,4}\)|[A-Z]|"
    rf"(?<=\w)|(?:{_ORDINAL_CLAUSES})(?=[.:]))"
    r"[.:)]*(?:\s+|(?<=\.)(?=[-–—])|(?<=\.-)|$)[–—:.-]*\s*",
    re.IGNORECASE,
)
_TERMINAL = re.compile(r"[.!?:;。！？][\"'”’»)\]\d∗*†‡]*$")


CACHED_LINES = 8192  # texts whose number and letters are kept at hand: each rule asks again, a few hundred pages' worth


@dataclass(frozen=True, slots=True)
class HeadingNumber:
    """What a line begins with: `kind` decimal, roman, letter, or a keyword such as article; `parts` as integers."""

    kind: str
    id: str
    parts: tuple[int, ...]
    title: str
    is_upper: bool = False


@lru_cache(maxsize=CACHED_LINES)
def read_number(text: str) -> HeadingNumber | None:
    """The numbering at the start of a line, or None. Whether the line is a heading is another question."""
    match = _KEYWORD_HEAD.fullmatch(text)
    if match:
        word, number = match["word"], match["id"]
        spelled = _VALUES.get(number.casefold())
        if not (number[0].isdigit() or number.isupper() or (spelled is not None and word[0].isupper())):
            return None  # 'part of', 'section a', 'part one'
        if spelled is not None:
            parts: tuple[int, ...] = (spelled,)
        else:
            parts = tuple(map(int, re.findall(r"\d+", number))) if number[0].isdigit() else (_ordinal(number),)
        kind = _KEYWORDS[word.lower()]
        return HeadingNumber(kind, number.rstrip("º°ª"), parts, match["title"].strip(), word.isupper())
    match = _ORDINAL_HEAD.fullmatch(text)
    if match and match["id"][0].isupper():
        value = _VALUES[match["id"].casefold()]
        return HeadingNumber("clause", match["id"], (value,), match["title"].strip(), match["id"].isupper())
    match = _DECIMAL_HEAD.fullmatch(text)
    if match and ("." in match["id"] or match["dot"] or match["title"][:1].isupper()):
        parts = tuple(map(int, match["id"].split(".")))
        if len(parts) == 2 and parts[1] == 0 and match["id"].endswith(".0"):
            parts = parts[:1]  # '1.0 Definitions' is the first section, not a part of it
        return HeadingNumber("decimal", match["id"], parts, match["title"].strip())
    for kind, pattern in (("roman", _ROMAN_HEAD), ("letter", _LETTER_HEAD)):
        match = pattern.fullmatch(text)
        if match:
            return HeadingNumber(kind, match["id"], (_ordinal(match["id"]),), match["title"].strip())
    return None


def read_item(text: str) -> HeadingNumber | None:
    """The mark of a list item at the start of a line: 'a.', '(a)', '(1)', '(iv)'; such items are seldom headings."""
    match = _ITEM_HEAD.fullmatch(text)
    if match is None:
        return None
    title = match["title"].strip()
    if match["figure"]:
        return HeadingNumber("item_figure", match["figure"], (int(match["figure"]),), title)
    if match["roman"]:
        return HeadingNumber("item_roman", match["roman"], (_ordinal(match["roman"].upper()),), title)
    letter = match["low"] or match["letter"]
    kind = "item_dot" if match["low"] else "item_letter" if letter.islower() else "item_capital"
    return HeadingNumber(kind, letter, (ord(letter.lower()) - ord("a") + 1,), title)


def read_mark(text: str) -> HeadingNumber | None:
    """The number or the list item's mark at the start of a line."""
    return read_number(text) or read_item(text)


def ordinal_value(name: str) -> int | None:
    """The value of a number written as a word or in Roman numerals, 'tercera' or 'IV'; None for a letter."""
    spelled = _VALUES.get(name.casefold())
    if spelled is not None:
        return spelled
    return _ordinal(name) if name and set(name) <= set("IVXLC") else None


def _ordinal(number: str) -> int:
    """Roman numerals by value, letters by their place in the alphabet ('C' alone is read as a letter by its kind)."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
    if all(letter in values for letter in number):
        figures = [values[letter] for letter in number]
        return sum(-v if v < max(figures[at:]) else v for at, v in enumerate(figures))
    return ord(number[0]) - ord("A") + 1


@lru_cache(maxsize=CACHED_LINES)
def squeeze(text: str) -> str:
    """Letters and digits alone, folded: what titles are compared by, whatever their spacing, ligatures or case."""
    if text.isascii():
        return _NOT_ALNUM.sub("", text.lower())
    return _NOT_ALNUM.sub("", unicodedata.normalize("NFKC", text).casefold())


def drop_number(text: str) -> str:
    """`text` without its leading number; the text itself where nothing else would be left."""
    rest = text[match.end() :] if (match := _LEADING_NUMBER.match(text)) else text
    return rest if rest.strip() else text


def is_capitals(text: str) -> bool:
    """All its letters are capitals, and there are at least four."""
    return text.isupper() and sum(character.isalpha() for character in text) >= MIN_CAPITALS


def ends_sentence(text: str) -> bool:
    """The line ends as a sentence or a list item does."""
    return bool(_TERMINAL.search(text))
