"""Mentions of other places in a text: their words, numbers, ranges, and the document that they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ahocorasick_rs import AhoCorasick, MatchKind

MAX_RANGE = 30  # members of a range that are listed; a longer one keeps its two ends
MAX_TAIL_CHARS = 120  # characters behind a mention in which the name of another document is looked for
_TYPES = {
    "figure": "figure", "figures": "figure", "fig": "figure", "figs": "figure", "figura": "figure",
    "figuras": "figure", "abbildung": "figure",
    "table": "table", "tables": "table", "tabla": "table", "tablas": "table", "cuadro": "table", "tableau": "table",
    "tableaux": "table", "tabelle": "table",
    "equation": "equation", "equations": "equation", "eq": "equation", "eqs": "equation", "ecuación": "equation",
    "équation": "equation",
    "annex": "annex", "annexes": "annex", "anexo": "annex", "anexos": "annex", "annexe": "annex", "anhang": "annex",
    "anlage": "annex", "attachment": "annex", "attachments": "annex",
    "schedule": "schedule", "schedules": "schedule", "exhibit": "exhibit", "exhibits": "exhibit",
    "appendix": "appendix", "appendices": "appendix", "apéndice": "appendix",
    "section": "section", "sections": "section", "subsection": "section", "subsections": "section",
    "paragraph": "section", "paragraphs": "section", "paragraphe": "section", "paragraphes": "section",
    "sección": "section", "secciones": "section", "apartado": "section", "apartados": "section",
    "abschnitt": "section", "§": "section", "§§": "section",
    "article": "article", "articles": "article", "artículo": "article", "artículos": "article",
    "artikel": "article",
    "clause": "clause", "clauses": "clause", "subclause": "clause", "sub-clause": "clause", "sub-clauses": "clause",
    "cláusula": "clause", "cláusulas": "clause", "estipulación": "clause", "estipulaciones": "clause",
}  # fmt: skip
_STEMS = (  # one of these begins each word of _TYPES, or stands in it
    "sect", "secc", "§", "paragr", "apartad", "absch", "arti", "artí", "clau", "cláu", "estip", "fig", "abbi",
    "tab", "cuad", "eq", "équ", "ecua", "ann", "anex", "anh", "anl", "attach", "sched", "exhib", "append", "apén",
)  # fmt: skip
_SPELLED_STEM = re.compile(r"cláu|artíc|anexo|apartad|estip", re.IGNORECASE)
_ORDINALS = (
    "primer[ao]?", "segund[ao]", "tercer[ao]?", "cuart[ao]", "quint[ao]", "sext[ao]", "s[ée]ptim[ao]", "octav[ao]",
    "noven[ao]", "d[ée]cim[ao]", "und[ée]cim[ao]", "duod[ée]cim[ao]", "decimotercer[ao]", "decimocuart[ao]",
    "decimoquint[ao]",
)  # fmt: skip
_WORDS = "|".join(sorted(map(re.escape, _TYPES), key=len, reverse=True))
_NUMBER = (  # capitals are meant as such: 'article a' names nothing, 'Article A' does
    r"(?-i:\d{1,4}(?:\.\d{1,3}){0,4}[A-Za-z]?(?![\w%])|[IVXLC]{1,7}(?!\w)"
    r"|[A-Z](?:[-.]?\d{1,3}(?:\.\d{1,3})*)?(?![\w'’]))"
)
_SUB = r"(?:\s?\((?:[a-zA-Z]{1,2}|[ivxlc]{1,6}|\d{1,2})\)){1,4}"
_ID = rf"(?:{_NUMBER}(?:{_SUB})?)"
_JOIN = r"(?:\s*,\s*(?:and|or|y|o|et|ou)?\s*|\s+(?:and|or|y|o|e|et|ou|und|&)\s+(?:in\s+)?|\s*&\s*)"
_RANGE = r"(?:\s*[–—-]\s*|\s+(?:to|through|thru|until|a|al|à|au|bis)\s+)"
_MENTION = re.compile(
    rf"(?<![\w§-])(?P<word>{_WORDS})(?:\.\s*|\s+|(?<=§))(?:n[º°o]\.?\s*)?\(?(?P<id>{_ID})"
    rf"(?P<more>(?:(?:{_RANGE}|{_JOIN}){_ID})*)",
    re.IGNORECASE,
)
_SPELLED = re.compile(
    rf"(?<!\w)(?P<word>cláusulas?|artículos?|anexos?|apartados?|estipulaci[oó]n(?:es)?)\s+(?P<id>{'|'.join(_ORDINALS)})"
    r"(?!\w)", re.IGNORECASE
)  # fmt: skip
_MEMBER = re.compile(rf"(?P<join>{_RANGE}|{_JOIN})(?P<id>{_ID})", re.IGNORECASE)
_IS_RANGE = re.compile(_RANGE, re.IGNORECASE)
_BARE_NUMBER = re.compile(r"(?P<prefix>(?:\d{1,3}\.)*|[A-Z]?)(?P<last>\d{1,4})$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention in a text: its type, what it names as written, from and to where, and the words behind it."""

    kind: str
    id: str
    start: int
    end: int
    before: str
    after: str


def may_mention(text: str) -> bool:
    """False where no word of a mention can stand in the text: a quick look before a thorough one."""
    return bool(_find_stems(text))


def read_mentions(text: str) -> Iterator[Mention]:
    """The mentions in reading order; 'Sections 2 to 4 and 7' gives 2, 3, 4 and 7."""
    found: list[Mention] = []
    end = 0
    for start in _word_starts(text):
        match = _MENTION.match(text, start) if start >= end else None
        if match is not None:
            found += _read_match(match, text)
            end = match.end()
    for match in _SPELLED.finditer(text) if _SPELLED_STEM.search(text) else ():
        kind = "annex" if match["word"].casefold().startswith("anexo") else None
        kind = kind or _TYPES.get(match["word"].casefold(), "clause")
        after = text[match.end() : match.end() + MAX_TAIL_CHARS]
        found.append(Mention(kind, match["id"], match.start(), match.end(), text[: match.start()], after))
    yield from sorted(found, key=lambda mention: (mention.start, mention.end, mention.id))


def _word_starts(text: str) -> Iterator[int]:
    """Where the words begin that may be a mention's: the pattern is dear, and tried at no other place."""
    last = -1
    for _, start, _ in _find_stems(text):
        while start and (text[start - 1].isalpha() or text[start - 1] in "-§"):
            start -= 1  # noqa: PLW2901 - back to where the word begins
        if start != last:
            last = start
            yield start


def _find_stems(text: str) -> list[tuple[int, int, int]]:
    """(which, begin, end) of the beginnings of a mention's words, whatever their case."""
    lower = text.lower()
    return _stem_search().find_matches_as_indexes(lower if len(lower) == len(text) else text)


@cache
def _stem_search() -> AhoCorasick:
    return AhoCorasick(list(_STEMS), matchkind=MatchKind.LeftmostLongest)


def _read_match(match: re.Match[str], text: str) -> list[Mention]:
    word = match["word"].lower()
    kind = _TYPES[word]
    if match["id"] == "I" and match["word"].islower():
        return []  # 'the article I wrote'
    before, after = text[: match.start()], text[match.end() : match.end() + MAX_TAIL_CHARS]
    ids = [(_tidy(match["id"]), match.start(), match.end("id"))]
    offset = match.start("more")
    for member in _MEMBER.finditer(match["more"]):
        start = offset + member.start("id")
        if _IS_RANGE.fullmatch(member["join"]):
            ids += [(between, start, start) for between in _between(ids[-1][0], _tidy(member["id"]))]
        ids.append((_tidy(member["id"]), start, offset + member.end("id")))
    return [Mention(kind, name, start, end, before, after) for name, start, end in ids]


def _tidy(name: str) -> str:
    return "".join(name.split())


def _between(first: str, last: str) -> list[str]:
    """What a range leaves unsaid: 3 of '2 to 4', 2.2 of '2.1-2.3', B of 'A to C'; nothing where ends differ in kind."""
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
        return [chr(code) for code in range(ord(first) + 1, ord(last))][:MAX_RANGE]
    one, two = _BARE_NUMBER.fullmatch(first), _BARE_NUMBER.fullmatch(last)
    if one is None or two is None or one["prefix"] != two["prefix"]:
        return []
    low, high = int(one["last"]), int(two["last"])
    return [f"{one['prefix']}{value}" for value in range(low + 1, high)] if high - low <= MAX_RANGE else []
