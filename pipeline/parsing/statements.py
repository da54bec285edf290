"""What the beginning of a document states about itself: its title, its parties and its dates, each with its line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from pipeline.parsing.lines import Line
from pipeline.parsing.numbering import is_capitals, read_number
from schemas.document import Statement

TITLE_LINES = 40  # visible lines of the beginning in which a title is looked for
PREAMBLE_LINES = 90  # lines in which parties and dates are looked for: two pages
PREAMBLE_CHARS = 8_000  # characters of them
PARTIES_CHARS = 2_500  # characters behind 'between' that may name parties
MAX_TITLE_WORDS = 25  # words of a title
MAX_TITLE_LINES = 4  # lines of a title
MAX_NAME_CHARS = 120  # characters of a party's name
MAX_PARTIES = 20  # parties; a longer list is a table of names
MAX_DATES = 10  # dates
LARGER = 1.15  # size over the text's usual size, from which type is a title's
TITLE_PITCH_EMS = 2.4  # distance of the lines of one title, over their size: titles are set wide
_DEAL = re.compile(
    r"\b(?:agreement|contract|lease|licen[cs]e|amendment|addendum|deed|insurance policy|memorandum of \w+|"
    r"terms (?:of \w+|and conditions)|statement of work|indenture|contrato|acuerdo|convenio|adenda|enmienda|"
    r"p[óo]liza|contrat|accord|convention|"
    r"avenant|bail|conditions générales)\b",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"^(?:exhibit|ex-|schedule|annex|anexo|annexe)\s*[\d.]+|^execution (?:copy|version)|^confidential|^page\b|"
    r"https?:|www\.|@|arxiv|^draft\b|^dated?\b|^\W*$|^table of contents$|^commission file|"
    r"^united states\b|securities and exchange commission|^washington,? d\.?c|^\(mark one\)",
    re.IGNORECASE,
)
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan\\.?|feb\\.?|mar\\.?|apr\\.?|jun\\.?|jul\\.?|aug\\.?|sept?\\.?|oct\\.?|nov\\.?|dec\\.?|"
    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|"
    "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"
)
_DATE = re.compile(
    rf"(?<!\w)(?:(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?\s*,?\s+(?:19|20)\d\d"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|º)?\s+(?:day\s+of\s+|de\s+)?(?:{_MONTHS})\s*,?\s+(?:de\s+|del\s+)?(?:19|20)\d\d"
    r"|(?:19|20)\d\d-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d\d)(?!\w)",
    re.IGNORECASE,
)
_DATE_LABEL = re.compile(
    r"(?P<label>effective\s+(?:date|as\s+of)|dated(?:\s+as\s+of)?|as\s+of|made\s+(?:and\s+entered\s+into\s+)?(?:on|as\s+of|this)|"
    r"entered\s+into\s+(?:on|as\s+of)|executed\s+on|(?:fiscal\s+)?(?:year|quarter(?:ly\s+period)?)\s+ended|issued\s+on|"
    r"due\s+date|invoice\s+date|date|fecha(?:\s+de\s+\w+)?|con\s+efectos?\s+(?:de|desde)|en\s+\w+,\s+a|"
    r"fait\s+à\s+\w+,?\s+le|en\s+date\s+du|date\s+d['’]effet|prise?\s+d['’]effet)"
    r"[\s:.,]*(?:the\s+|el\s+|le\s+|this\s+)?(?:día\s+)?$",
    re.IGNORECASE,
)
_BRACKET_LABEL = re.compile(
    r"\s*,?\s*\([^()“”\"«»]{0,40}[“\"«]\s?(?:the\s+)?(?P<label>[^“”\"«»]{2,40}?)\s?[”\"»][^()]{0,40}\)"
)
_BETWEEN = re.compile(
    r"\b(?:by\s+and\s+(?:between|among(?:st)?)|between|among(?:st)?|entre|reunidos|de una parte)\b:?", re.IGNORECASE
)
_LABEL = re.compile(
    r"\(\s*(?P<lead>[^()“”\"«»]{0,80})[“\"«]\s?(?:the\s+|el\s+|la\s+|le\s+|l['’])?(?P<label>[^“”\"«»]{2,50}?)\s?[”\"»][^()]{0,120}\)",
    re.IGNORECASE,
)
_NO_PARTY = re.compile(
    r"agreement|date|contract|party|parties|lease|amendment|plan|contrato|acuerdo|partes?\b|fecha|contrat|accord|program",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(
    r",?\s+(?:an?\s+(?:[\w-]+\s+){0,6}?(?:corporation|company|partnership|trust|bank|association|individual|entity|"
    r"university|institution|limited|llc|l\.l\.c\.|inc\.?|firm|society|organi[sz]ation|subsidiary|person)\b"
    r"|organi[sz]ed\b|whose\b|with\s+(?:its|an?|offices?|principal|registered)\b|having\b|incorporated\b|existing\b|"
    r"located\b|acting\b|residing\b|duly\b|registered\b|a\s+[A-Z]|an\s+[A-Z]|una?\s+sociedad|sociedad\b|con\s+(?:domicilio|"
    r"CIF|NIF)|domiciliad|representad|provist|titular\b|mayor\s+de|dont\b|ayant\b|société\s+(?:anonyme|par)|"
    r"immatriculée?\b|sise?\b|au\s+capital|dûment\b|of\s+\d)",
)
_SUFFIX = re.compile(
    r"\b(?:Inc|Incorporated|LLC|L\.L\.C|Ltd|Limited|Corp|Corporation|Company|Co|PLC|plc|LP|L\.P|LLP|S\.?A\.?U?|S\.?L\.?U?|"
    r"GmbH|AG|SARL|S\.?A\.?S|N\.?V|B\.?V|Bank|University|Trust|Foundation|Partners|Holdings|Group)\b\.?",
)
_AND = re.compile(r"(?:[,;:.)]|^)\s*(?:and|AND|y|Y|e|et|ET)\b:?\s+(?=[A-Z0-9])|;\s+(?=[A-Z0-9])")
_PAIR = re.compile(
    r"\s*(?P<one>[A-Z0-9].{2,160}?)\s+(?:and|y|et)\s+(?P<two>[A-Z0-9].{2,160}?)"
    r"(?=[.;]\s|,?\s+(?:dated|for|as\s+of)\b|$)"
)
_OVER = re.compile(
    r"\b(?:WHEREAS|Whereas|RECITALS|Recitals|W\s?I\s?T\s?N\s?E\s?S\s?S\s?E\s?T\s?H|WITNESSETH|BACKGROUND|Background|"
    r"NOW,?\s+THEREFORE|CONSIDERANDO|EXPONEN|MANIFIESTAN|IL\s+A\s+[ÉE]T[ÉE]|PR[ÉE]AMBULE|ARTICLE|Article|Artículo|"
    r"hereinafter\s+referred\s+to\s+(?:jointly|together|collectively))\b"
)
_HEAD = re.compile(
    r"^(?:[\s,;:.)–—-]+|and\b|y\b|et\b|de\s+otra\s+parte\b|de\s+una\s+parte\b|d['’]une\s+part\b|d['’]autre\s+part\b|"
    r"the\s+undersigned\b|on\s+the\s+(?:one|other)\s+hand\b|\(?\d\)|\d\.\s)+",
    re.IGNORECASE,
)


def find_title(lines: Sequence[Line], usual: float) -> Statement | None:
    """The document's own title; None where nothing at its beginning stands out as one.

    An instrument that names itself ('SUPPLY AGREEMENT') goes before the largest print, which may be a company's name.
    `lines` are the visible ones, `usual` the size of most of the text.
    """
    first = [
        line
        for line in lines[:TITLE_LINES]
        if line.rotation == 0
        and (line.role in ("body", "heading") or (line.role == "header" and line.page_num == lines[0].page_num))
        and line.page_num <= lines[0].page_num + 1
    ]
    blocks = [block for block in _read_blocks(first) if _may_be_title(block)]
    named = [
        b
        for b in blocks
        if _DEAL.search(b[0].text if len(b) == 1 else " ".join(x.text for x in b)) and _is_set(b, usual)
    ]
    page_num = lines[0].page_num
    large = [b for b in blocks if b[0].size >= LARGER * usual > 0 and b[0].page_num == page_num]
    if named:
        best = named[0]
    elif large:
        best = max(large, key=lambda block: (round(block[0].size, 1), -block[0].line_id))
    else:
        return None
    return Statement(text=" ".join(" ".join(line.text for line in best).split()), line_id=best[0].line_id)


def find_parties(lines: Sequence[Line]) -> tuple[Statement, ...]:
    """The parties that the preamble names, in order, each under what it is called there; empty where it names none."""
    text, starts, ids = _join(lines)
    opening = _BETWEEN.search(text)
    if opening is None:
        return ()
    region = text[opening.end() : opening.end() + PARTIES_CHARS]
    over = _OVER.search(region)
    region = region[: over.start()] if over else region
    found: list[Statement] = []
    at = 0
    for match in _LABEL.finditer(region):
        label = " ".join(match["label"].split())
        piece, offset = region[at : match.start()], opening.end() + at
        at = match.end()
        if _NO_PARTY.search(label) or label.islower():
            continue
        named = _read_name(piece)
        if named is not None and len(found) < MAX_PARTIES:
            name, start = named
            found.append(Statement(text=name, line_id=ids[bisect_right(starts, offset + start) - 1], label=label))
        elif found:
            break
    return tuple(found) if found else _read_pair(region, opening.end(), starts, ids)


def find_dates(lines: Sequence[Line]) -> tuple[Statement, ...]:
    """The dates that the beginning states under a name, 'dated', 'Effective Date', in order; others are left out."""
    text, starts, ids = _join(lines)
    found: list[Statement] = []
    for match in _DATE.finditer(text):
        behind = _BRACKET_LABEL.match(text, match.end())
        before = _DATE_LABEL.search(text, max(0, match.start() - 60), match.start())
        label = behind["label"] if behind else before["label"] if before else None
        if label is None:
            continue
        written = " ".join(match.group().split())
        if all((written, label) != (other.text, other.label) for other in found) and len(found) < MAX_DATES:
            line_id = ids[bisect_right(starts, match.start()) - 1]
            found.append(Statement(text=written, line_id=line_id, label=" ".join(label.split())))
    return tuple(found)


def _join(lines: Sequence[Line]) -> tuple[str, list[int], list[int]]:
    """The beginning on one line, with the place that each line starts at and its id."""
    text, starts, ids = "", [], []
    for line in lines[:PREAMBLE_LINES]:
        if line.role in ("toc_entry", "header", "footer", "page_number") or len(text) > PREAMBLE_CHARS:
            continue
        starts.append(len(text))
        ids.append(line.line_id)
        text += line.text + " "
    return text, starts or [0], ids or [1]


def _read_blocks(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines that are set as one: of one size and weight, near each other."""
    blocks: list[list[Line]] = []
    for line in lines:
        before = blocks[-1][-1] if blocks else None
        if (
            before is not None
            and not _breaks(before.text)
            and not _breaks(line.text)
            and before.page_num == line.page_num
            and abs(before.size - line.size) < 0.5
            and before.bold == line.bold
            and is_capitals(before.text) == is_capitals(line.text)
            and 0 < line.middle - before.middle <= TITLE_PITCH_EMS * line.size
        ):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _breaks(text: str) -> bool:
    """The line is no part of a title, whatever its type: a label, a date, a number, a word between two names."""
    return bool(_NO_TITLE.search(text) or _DATE.search(text) or _BETWEEN.fullmatch(text.strip(" :"))) or (
        read_number(text) is not None
    )


def _may_be_title(block: Sequence[Line]) -> bool:
    text = " ".join(line.text for line in block)
    return (
        len(block) <= MAX_TITLE_LINES
        and len(text.split()) <= MAX_TITLE_WORDS
        and not _NO_TITLE.search(text)
        and not _DATE.fullmatch(text.strip())
        and read_number(text) is None
        and not text.rstrip().endswith((".", ";", ",", ":"))
        and sum(character.isalpha() for character in text) >= 4
    )


def _is_set(block: Sequence[Line], usual: float) -> bool:
    """Bold, in capitals or larger than the text."""
    return block[0].bold or is_capitals(block[0].text) or block[0].size >= LARGER * usual > 0


def _read_name(piece: str) -> tuple[str, int] | None:
    """A party's name and its place in the words before its label; None where there is none."""
    head = _HEAD.match(piece)
    start = head.end() if head else 0
    rest = piece[start:]
    if _DESCRIBED.match(f", {rest}") or rest[:1].islower():  # what the party before is, told behind its label
        comes = _AND.search(rest)
        if comes is None:
            return None
        start, rest = start + comes.end(), rest[comes.end() :]
    described = _DESCRIBED.search(rest)
    name = (rest[: described.start()] if described else rest).strip(" ,;:")
    name = name.split("(")[0].strip(" ,")
    address = re.search(r"\sof\s+(?=[A-Z0-9])", name)
    if address is not None and _SUFFIX.search(name[: address.start()]):
        name = name[: address.start()]
    if not 2 <= len(name) <= MAX_NAME_CHARS or not (name[0].isupper() or name[0].isdigit()):
        return None
    return " ".join(name.split()), start + len(rest) - len(rest.lstrip())


def _read_pair(region: str, offset: int, starts: Sequence[int], ids: Sequence[int]) -> tuple[Statement, ...]:
    """'between Acme, Inc. and Beta LLC' without labels: both, where each looks like a company's name."""
    match = _PAIR.match(region)
    if match is None:
        return ()
    found = []
    for name in ("one", "two"):
        read = _read_name(match[name])
        if read is None or not _SUFFIX.search(read[0]):
            return ()
        found.append(
            Statement(text=read[0], line_id=ids[bisect_right(starts, offset + match.start(name) + read[1]) - 1])
        )
    return tuple(found)
