"""The primary statements of a report, and what a row of a table says: its label, its figures, the periods over it.

A primary statement is what IAS 1 and SEC Regulation S-X call so: income, financial position, cash flows, each under its
title and with the figures of the period before beside those of the period.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from dictionaries.folding import fold
from pipeline.kept import Kept
from pipeline.retrieval.lines import KEPT_DOCUMENTS, Lines

StatementKind = Literal["income", "position", "cash_flow", "other"]

MIN_ROWS = 8  # rows with figures of two periods; the shortest statements of 36 reports looked at have eleven
MAX_ROW_LINES = 3  # lines; a longer block is prose that ends in a number
MAX_TITLE_CHARACTERS = 100  # of a statement's title, over two lines at most
MAX_HEAD_BLOCKS = 4  # blocks between the title of a table and its first row: company, unit, periods
MAX_TABLE_BLOCKS = 60  # rows that a head is looked for above; a longer table repeats it
LAST_DAY = 31

_WHOSE = r"(?:the|and|of|condensed|consolidated|combined|interim|unaudited|audited|group|abridged|its|subsidiaries)*"
_ENDS = (
    r"(?:and|comprehensive|other|income|loss|losses|earnings|unaudited|audited|continued|contd|concluded"
    r"|consolidad[ao]s?|consolide)*"
)
_TITLES: tuple[tuple[StatementKind, str], ...] = (
    ("other", r"statements?of(?:consolidated)?(?:other)?comprehensive(?:income|loss|earnings)+"),
    (
        "income",
        r"statements?of(?:consolidated)?(?:net)?(?:income|operations?|earnings|profitorloss|profitandloss|loss)",
    ),
    ("income", r"(?:income|profitandloss)statements?|profitandlossaccounts?"),
    ("income", r"cuentade(?:perdidasyganancias|resultados)|estadoderesultados|comptederesultats?"),
    ("position", r"balancesheets?|statements?of(?:consolidated)?financial(?:position|condition)"),
    ("position", r"balance(?:desituacion|general)?|estadodesituacionfinanciera|bilan|etatdelasituationfinanciere"),
    ("cash_flow", r"statements?of(?:consolidated)?cashflows?|cashflows?statements?"),
    ("cash_flow", r"estadodeflujosdeefectivo|tableaudesfluxdetresorerie"),
    ("other", r"statements?of(?:changesin)?(?:consolidated)?(?:share|stock)?(?:holders|owners)?equity\w*"),
)
_WHOM = r"(?:\w{0,40}(?:inc|corp|corporation|company|companies|co|ltd|limited|plc|llc|group|subsidiaries|sa|nv|ag|se))?"
_TITLE = [(kind, re.compile(_WHOM + _WHOSE + f"(?:{title})" + _ENDS)) for kind, title in _TITLES]
_NAMED = [(kind, re.compile(title)) for kind, title in _TITLES if kind != "other"]
_MAY_TITLE = re.compile(
    r"st\s?atem|balan|bilan|estado|cuenta|tableau|compte|[ée]tat|account", re.IGNORECASE
)  # told at once
_NOT_LETTERS = re.compile(r"[^a-z]+")
_FIGURES = "0123456789 \t\xa0$€£¥()%.,*—–-−"  # what the cells of a row are made of
_GAP = (" ", "\t", "\xa0", ".")  # what parts a label from its first cell
_NUMBER = re.compile(r"\d[\d.,]*")
_MONTH = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre"
    r"|diciembre|janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[uû]t|septembre|octobre|novembre|d[ée]cembre)\.?$",
    re.IGNORECASE,
)  # 'Year ended May 31,' is the head of a column
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A primary statement on one page: its title as printed, where its title and its head stand, its periods."""

    kind: StatementKind
    title: str
    head: tuple[int, ...]  # positions of the lines of the title and of the columns' heads
    years: frozenset[int]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its label and how many figures stand beside it."""

    label: str
    figures: int


_statements: Kept[dict[int, Statement]] = Kept(KEPT_DOCUMENTS)


def statements_of(lines: Lines) -> dict[int, Statement]:
    """The primary statement that each block stands in, for the blocks that do; made once for a document in use."""
    return _statements.get(lines, lambda: _find_statements(lines))


def statement_kind(title: str) -> StatementKind | None:
    """The kind of statement that a title names and nothing else: 'Consolidated Balance Sheets (Unaudited)'."""
    if (
        len(title) > MAX_TITLE_CHARACTERS
        or title.rstrip().endswith((".", ":", ";", ","))
        or not _MAY_TITLE.search(title)
    ):
        return None
    letters = letters_of(title)
    return next((kind for kind, pattern in _TITLE if pattern.fullmatch(letters)), None)


def kinds_named(text: str) -> frozenset[StatementKind]:
    """The kinds of statement that a question names: 'using the cash flow statement'."""
    letters = letters_of(text)
    return frozenset(kind for kind, pattern in _NAMED if pattern.search(letters))


def kinds_of_titles(titles: Iterable[str]) -> frozenset[StatementKind]:
    """The kinds of statement among the titles under which a topic usually stands."""
    return frozenset(kind for title in titles if (kind := statement_kind(title)) is not None)


def row_of(lines: Lines, block: int) -> Row | None:
    """What a block says as the row of a table; None for prose, for a head, and for a label without a figure."""
    if len(lines.block_positions(block)) > MAX_ROW_LINES:
        return None
    label, cells = _parted(lines.block_text(block))
    if not cells and is_label_alone(lines, block):
        cells = lines.block_text(block + 1)
    numbers = _NUMBER.findall(cells)
    if not label or not numbers or _is_head(numbers) or _MONTH.search(label):
        return None
    return Row(label, len(numbers))


def is_label_alone(lines: Lines, block: int) -> bool:
    """True for the label of a row whose figures stand in the block after it."""
    if block + 1 >= lines.block_count or _parted(lines.block_text(block))[1]:
        return False
    following = lines.block_text(block + 1)
    return not following.strip(_FIGURES) and _NUMBER.search(following) is not None


def head_of(lines: Lines, block: int) -> tuple[tuple[int, ...], frozenset[int]]:
    """Positions of the lines over the columns of the table around a row, and the years among them; empty if unknown."""
    first = block
    page = lines.page_nums[lines.block_positions(block)[0]]
    while (
        first > 0
        and block - first < MAX_TABLE_BLOCKS
        and _is_table(lines, first - 1)
        and lines.page_nums[lines.block_positions(first - 1)[0]] == page
    ):
        first -= 1
    head: list[int] = []
    for other in range(first, min(block, first + MAX_HEAD_BLOCKS)):
        if row_of(lines, other) is not None:
            break
        head.extend(lines.block_positions(other))
    return tuple(head), years_in(lines.texts[position] for position in head)


def years_in(texts: Iterable[str]) -> frozenset[int]:
    """The years written in full."""
    return frozenset(int(year) for text in texts for year in _YEAR.findall(text))


def letters_of(text: str) -> str:
    """The letters alone, unaccented and lower-cased: 'Balance Shee t' and 'BALANCE SHEET' are one title."""
    return _NOT_LETTERS.sub("", fold(text).text.lower())


def _find_statements(lines: Lines) -> dict[int, Statement]:
    by_page: dict[int, list[int]] = {}
    for position in lines.searched_list:
        by_page.setdefault(lines.page_nums[position], []).append(position)
    found: dict[int, Statement] = {}
    for positions in by_page.values():
        titles = _titles_on(lines, positions)
        for number, (at, kind, size) in enumerate(titles):
            end = titles[number + 1][0] if number + 1 < len(titles) else len(positions)
            blocks = list(
                dict.fromkeys(block for p in positions[at + size : end] if (block := lines.block_at(p)) is not None)
            )
            rows = [block for block in blocks if (row := row_of(lines, block)) is not None and row.figures > 1]
            if kind == "other" or len(rows) < MIN_ROWS or 2 * len(rows) < len(blocks):
                continue
            title = positions[at : at + size]
            head = [p for p in positions[at + size : end] if p < lines.block_positions(rows[0])[0]]
            years = years_in(lines.texts[p] for p in head)
            if not years:
                continue
            text = " ".join(lines.texts[p].strip() for p in title)
            one = Statement(kind, text, (*title, *head), years)
            found.update((block, one) for block in blocks)
    return found


def _titles_on(lines: Lines, positions: Sequence[int]) -> list[tuple[int, StatementKind, int]]:
    """Index of each statement's title on a page, its kind, and its length in lines: one, or two where it is broken."""
    texts = [lines.texts[position] for position in positions]
    alone = [statement_kind(text) for text in texts]
    titles: list[tuple[int, StatementKind, int]] = []
    for at, kind in enumerate(alone):
        following = alone[at + 1] if at + 1 < len(texts) else None
        if kind is not None:
            titles.append((at, kind, 1))
        elif at + 1 < len(texts) and following is None:
            both = statement_kind(f"{texts[at]} {texts[at + 1]}")
            if both is not None:
                titles.append((at, both, 2))
    return titles


def _parted(text: str) -> tuple[str, str]:
    """The label of a row and its cells; no cells where the text does not end in figures, or ends in a reference."""
    label = text.rstrip(_FIGURES)
    if text[len(label) : len(label) + 1] == ")" and label.count("(") > label.count(")"):
        label += ")"  # 'Net income (loss)'
    cells = text[len(label) :]
    figures = label and cells[:1] in _GAP and any(map(str.isdigit, cells)) and cells.count("(") >= cells.count(")")
    return (label, cells) if figures else (text.strip(), "")


def _is_table(lines: Lines, block: int) -> bool:
    return any(lines.roles[position] == "table" for position in lines.block_positions(block))


def _is_head(numbers: Sequence[str]) -> bool:
    """True for the numbers of dates alone: '31 2018 2017'."""
    years = [number for number in numbers if _YEAR.fullmatch(number.strip(".,"))]
    days = [number for number in numbers if number.strip(".,").isdigit() and int(number.strip(".,")) <= LAST_DAY]
    return bool(years) and len(years) + len(days) == len(numbers)
