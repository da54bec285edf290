# ruff: noqa: E501  # patterns are read whole, on one line
"""The name of a contract: the heading over it, or the name that its opening sentence gives it.

A contract is named where it begins: in a line of its own ('CO-HOSTING AGREEMENT') or by its first words ('This
Co-Hosting Agreement (the "Agreement") is made ...'). A heading deeper in the document names an exhibit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dictionaries.folding import folded_text
from pipeline.generation.handed import Block, read_blocks
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.title_words import (
    ASIDE,
    BARE,
    COVER_PAGES,
    DEFINES,
    ENDS_STRONG,
    ENDS_WEAK,
    GOES_ON,
    HEADED,
    HOLDS_OTHER,
    LEGAL_FORM,
    MAX_LINE,
    MAX_SMALL_WORDS,
    MAX_TITLE,
    MAX_TITLE_LINES,
    MODAL,
    NAMED,
    NOUN,
    OPENING_PAGES,
    OPENING_REACH,
    OPENS,
    PART,
    ROMANCE,
    RUNS_ON,
    SMALL,
    STOP,
    STRONG,
    TAIL,
    TRAILS,
)
from pipeline.generation.topic import Topic
from schemas.answer import TextValue


@dataclass(frozen=True, slots=True)
class _Place:
    """Words of a block that name the document."""

    block: Block
    start: int
    end: int

    @property
    def words(self) -> str:
        return " ".join(self.block.text[self.start : self.end].split()).strip(' ,.:;“”"*_')

    @property
    def key(self) -> str:
        return _key(self.words)


def asks_title(topic: Topic) -> bool:
    """True for a question after the name of the document itself, not after a contract that someone must conclude."""
    concepts = topic.brief.concepts
    if not concepts or concepts[0].concept_id != "document_name":
        return False
    return MODAL.search(folded_text(topic.brief.question)) is None


def find_title(passages: Sequence[Passage]) -> Draft:
    """The name with the lines it stands in, as they write it; empty where no heading and no opening sentence tells it."""
    blocks = read_blocks(passages)
    named = next(_named(blocks), None)
    headings = _headings(blocks, named)
    title = _choose(headings, named)
    if title is None:
        return Draft(())
    words = title.words
    return Draft(
        (Proposal(TextValue(text=words), title.block.spans(title.start, title.end), words, "rules", "verbatim"),)
    )


def _choose(headings: Sequence[_Place], named: _Place | None) -> _Place | None:
    """The heading that holds the name of the opening sentence; else the first heading, else that name."""
    if named is not None:
        holding = [one for one in headings if named.key in one.key]
        if holding:
            return min(holding, key=lambda one: (len(one.key), one.block.lines[0].line_id, one.start))
    if named is not None and (not headings or all(BARE.match(one.key) for one in headings)):
        return named
    return next((one for one in headings if not BARE.match(one.key)), headings[0] if headings else None)


def _named(blocks: Sequence[Block]) -> Iterator[_Place]:
    """Names that an opening sentence gives the document, first first."""
    for block in blocks:
        if block.lines[0].page_num > OPENING_PAGES:
            return
        headed = [one for one in HEADED.finditer(block.text) if _starts_anew(block, one.start())]
        matches = sorted([*NAMED.finditer(block.text), *headed], key=lambda one: one.start("name"))
        for match in matches:
            if block.lines[block.line_index(match.start())].page_num > OPENING_PAGES:
                break
            start = match.start("name")
            stop = STOP.search(block.text, start, match.end("name"))
            end = stop.start() if stop is not None else match.end("name")
            nouns = list(NOUN.finditer(folded_text(block.text[start:end])))
            if not nouns:
                continue
            end = _name_end(block.text, start, end)
            place = _Place(block, start, end)
            opens = OPENS.match(block.text[end : end + OPENING_REACH])
            if opens is not None and not BARE.match(place.key) and len(place.words) <= MAX_TITLE:
                yield place


def _starts_anew(block: Block, offset: int) -> bool:
    """True for a line with nothing or a heading above it."""
    index = block.line_index(offset)
    return index == 0 or _is_titled(block.line_text(index - 1).strip()) or not block.line_text(index - 1).strip()


def _name_end(text: str, start: int, end: int) -> int:
    """End of the last noun of a contract, with a number or a bracket that belongs to it: 'Amendment No. 3'."""
    if ROMANCE.match(folded_text(text[start:end])):  # 'Contrato de Suministro': what follows the noun is the name
        tail = re.search(rf"(?:\s+{SMALL})*\s*$", text[start:end])
        return start + tail.start() if tail is not None else end
    last = end
    for match in re.finditer(r"\S+", text[start:end]):
        if NOUN.search(folded_text(match.group().strip("“”\"'(),.;"))):
            last = start + match.end() - (len(match.group()) - len(match.group().rstrip("“”\"',.;")))
    numbered = re.compile(r"\s+(?:No\.?|Number|#|N[.º°o]+)\s*[\w-]+", re.IGNORECASE).match(text, last)
    if numbered is not None:
        last = numbered.end()
    bracket = re.compile(r"\s+\((?!the\b|this\b|hereinafter\b|[“\"])[^()“\"]{3,40}\)(?=\s*[(,]|\s+is\b)").match(
        text, last
    )
    return bracket.end() if bracket is not None else last


def _headings(blocks: Sequence[Block], named: _Place | None) -> list[_Place]:
    """Headings that name a contract, before the opening sentence or on the first pages."""
    found: list[_Place] = []
    for block in blocks:
        for index in range(len(block.lines)):
            if block.lines[index].page_num > (COVER_PAGES if named is None else OPENING_PAGES):
                return found
            if named is not None and block is named.block and block.starts[index] > named.start:
                return found
            if named is not None and block.lines[0].line_id > named.block.lines[0].line_id:
                return found
            if _is_core(block, index):
                found.append(_grown(block, index, named))
    return found


def _is_core(block: Block, index: int) -> bool:
    """True for a line that is nothing but the name of a contract or the end of one."""
    text = DEFINES.sub("", " ".join(block.line_text(index).split()))
    folded = folded_text(text).strip(' .:*_“”"')
    if not text or len(text) > MAX_LINE or text[-1] == ":" or not NOUN.search(folded):
        return False
    if ASIDE.match(folded) or HOLDS_OTHER.search(folded) or PART.search(folded):
        return False
    if not ENDS_WEAK.search(folded) and not any(TRAILS.match(folded, noun.end()) for noun in STRONG.finditer(folded)):
        return False
    return _is_titled(text) and (text.rstrip()[-1] not in ".,;" or text.isupper())


def _is_titled(text: str) -> bool:
    """True for capitals, or words that begin with one but for those that join."""
    letters = [one for one in text if one.isalpha()]
    if not letters:
        return False
    if sum(map(str.isupper, letters)) >= 0.8 * len(letters):
        return True
    words = [one for one in re.findall(r"[^\W\d_][\w'’.-]*", text) if not re.fullmatch(SMALL, one, re.IGNORECASE)]
    small = sum(one[0].islower() for one in words)
    is_sentence_case = (
        text[0].isupper() and len(text.split()) <= MAX_SMALL_WORDS and ENDS_STRONG.search(folded_text(text)) is not None
    )
    is_romance = ROMANCE.match(folded_text(text)) is not None
    return is_sentence_case or (text[0].isupper() and (small == 0 or is_romance))


def _grown(block: Block, index: int, named: _Place | None) -> _Place:
    """The heading with the lines above and below that belong to it."""
    first = last = index
    wanted = named.key if named is not None else None
    own = _key(DEFINES.sub("", " ".join(block.line_text(index).split())))
    if wanted is not None and wanted == own:
        if last + 1 < len(block.lines) and _is_object(block, last + 1):
            last += 1
        return _without_tail(block, block.starts[index], block.ends[last])
    while last + 1 < len(block.lines) and last - first + 1 < MAX_TITLE_LINES and _joins(block, last, last + 1, wanted):
        last += 1
    while first > 0 and last - first + 1 < MAX_TITLE_LINES and _belongs(block, first - 1, first, last, wanted):
        first -= 1
    return _without_tail(block, block.starts[first], block.ends[last])


def _without_tail(block: Block, start: int, end: int) -> _Place:
    tail = TAIL.search(block.text, start, end)
    return _Place(block, start, tail.start() if tail is not None else end)


def _is_object(block: Block, index: int) -> bool:
    """True for the line 'TO MANUFACTURING AND SUPPLY AGREEMENT' under 'AMENDMENT NO. 2'."""
    text = " ".join(block.line_text(index).split())
    folded = folded_text(text)
    is_next = (
        re.match(r"(?:to|of|al|a la|del|de la|a l'|au) ", folded) is not None and ENDS_WEAK.search(folded) is not None
    )
    return is_next and _is_titled(text) and HOLDS_OTHER.search(folded) is None


def _joins(block: Block, above: int, below: int, wanted: str | None) -> bool:
    """True where a heading's line runs on into the next: 'X AND' / 'Y AGREEMENT', 'X COMMERCIALIZATION' / 'AGREEMENT'."""
    upper, lower = (" ".join(block.line_text(at).split()) for at in (above, below))
    if block.lines[above].page_num != block.lines[below].page_num:
        return False
    if not lower or len(lower) > MAX_LINE or (not _is_titled(lower) and not GOES_ON.match(folded_text(lower))):
        return False
    folded = folded_text(lower)
    if HOLDS_OTHER.search(folded):
        return False
    if wanted is not None and f"{_key(upper)} {_key(lower)}" in wanted:
        return True
    if RUNS_ON.search(folded_text(upper)) or (not ENDS_WEAK.search(folded_text(upper)) and _is_core(block, below)):
        return True
    return (GOES_ON.match(folded) is not None and upper.isupper() == lower.isupper()) or bool(BARE.match(folded))


def _belongs(block: Block, above: int, first: int, last: int, wanted: str | None) -> bool:
    """True where the line above a heading is its beginning."""
    text = " ".join(block.line_text(above).split())
    folded = folded_text(text).strip(" .:*_")
    if (
        not folded
        or text.startswith("(")
        or block.lines[above].page_num != block.lines[first].page_num
        or len(text) > MAX_LINE
        or ASIDE.match(folded)
        or HOLDS_OTHER.search(folded)
        or not _is_titled(text)
    ):
        return False
    own = _key(" ".join(block.line_text(at) for at in range(first, last + 1)))
    whole = f"{_key(text)} {own}"
    if wanted is not None:
        return wanted not in own and (wanted in whole or own in wanted)
    lower = " ".join(block.line_text(first).split())
    if RUNS_ON.search(folded_text(text)) or BARE.match(folded_text(lower)):
        return not LEGAL_FORM.search(folded)
    return not LEGAL_FORM.search(folded) and text.isupper() == lower.isupper() and not re.search(r"\d{2}", text)


def _key(words: str) -> str:
    """Letters and digits of a name alone: how it is set and punctuated does not count."""
    key = " ".join(re.findall(r"[^\W_]+", folded_text(words)))
    return re.sub(r"^(?:the|this|el|la|le) ", "", key)
