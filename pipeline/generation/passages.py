"""The handed passages as lines and sentences: all that generation ever reads of a document."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from pipeline.scope.sentences import is_sentence
from pipeline.values import find_values
from schemas.retrieval import LineRef, RetrievalResult, RetrievedCandidate

SentenceKind = Literal["prose", "heading", "item", "row", "caption"]

MAX_HEADING_CHARACTERS = 90  # a heading fits a line; a longer numbered line is a clause
KEPT_PASSAGES = 512  # texts whose sentences are kept, some 2 MB: those of five questions; passages are found again
KEPT_LINES = 8_192  # lines whose looks are kept: contexts overlap, and are read again for the next question
_NUMBERED = re.compile(
    r"(?i:(?:article|section|clause|schedule|annex|appendix|exhibit|part|art[ií]culo|cl[aá]usula|secci[oó]n|anexo|annexe)"
    r"\s+)?(?P<number>\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}(?=\.))\.?\s+(?=[A-ZÀ-Ý“\"])"
)
_CAPTION = re.compile(r"^(?:figure|fig\.|table|tableau|tabla|figura)\s+\w{1,6}\s*[:.\-–—]", re.IGNORECASE)
ITEM_MARK = re.compile(
    r"\s*(?:(?P<bullet>[•●▪◦‣·*–—▸➢o](?=\s)|-(?=\s))|\((?P<inner>[a-z]{1,2}|[ivxl]{1,5}|\d{1,2})\)(?=\s*\S)"
    r"|(?P<outer>[a-z]|[ivx]{1,4}|\d{1,2})[.)](?=\s+\S))\s*",
    re.IGNORECASE,
)
WHOLE_SHARE = 0.4  # of a quote; where less is left, the pieces were the clause itself
SHORT_LINE_SHARE = 0.6  # of the longest line: the last line of a paragraph, a cell; a broken line is fuller
_RUNS_ON = re.compile(
    r"(?:[,;(–—-]|\b(?:and|or|of|the|to|a|an|in|by|for|with|que|de|la|el|y|o|du|des|le|les|et|ou|à))$", re.IGNORECASE
)
_NUMBER_CELL = re.compile(r"[$€£]?\s?\(?\d[\d.,]*\)?\s?%?")
MIN_JUSTIFIED_WORDS = (
    7  # of a line; a table header may have as many cells as words, a full line of prose has more words
)
_CLAUSE_NUMBER = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}[.)]?|\(?[a-z]{1,3}[.)])", re.IGNORECASE)
MIN_CLAUSE_WORDS = 5  # behind its number; a label of a table row has fewer
MAX_CELL_WORDS = 4  # words of a table cell on average; clauses that a scan broke apart have more
# A full stop ends a sentence before a capital, a digit, a quote or a bracket, unless it ends an abbreviation.
_END = re.compile(r"(?<=[.;!?])(?:[”\"'’)\]]{0,2})\s+(?=[A-ZÀ-Ý0-9“\"'‘(¿¡\[])|(?<=:)\s*\n(?=\s*(?:\(|[•●▪◦‣]))")
# Behind 'Schedule 1, Part A.' too where the next sentence defines a term of its own.
_NEXT_TERM = re.compile(
    r"[“\"«][^“”\"«»\n]{1,80}[”\"»]\s+(?:means?|shall|has|have|is|refers?|significa|tendrá|signifie|désigne|a\s+le)\b"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:Inc|Ltd|Co|Corp|No|Nos|Mr|Mrs|Ms|Dr|St|Art|Sec|Fig|Eq|Ref|vs|cf|etc|e\.g|i\.e|approx|Jr|Sr|Bros|Messrs"
    r"|núm|pág|S\.A|S\.L|Sra?|al|pp?|Vol)|\b[A-Z]|(?:\b[A-Za-z]\.)+[A-Za-z])\.$",
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, heading, list item or table row of a passage: `passage.text[start:end]`."""

    start: int
    end: int
    kind: SentenceKind
    block: int  # number of the run of lines that it was split from
    heading: str  # the headings above it inside the passage, outer first, or the candidate's section title


@dataclass(frozen=True, slots=True)
class Passage:
    """A candidate's context with its lines; `text` has one line for each of `lines`, joined by newlines.

    `confidence`: how sure retrieval is that the document holds an answer at all, 0 to 1; None where nobody said.
    """

    candidate: RetrievedCandidate
    rank: int
    lines: tuple[LineRef, ...]
    text: str
    starts: tuple[int, ...]
    sentences: tuple[Sentence, ...] = field(default=(), compare=False)
    confidence: float | None = field(default=None, compare=False)

    def line_index(self, offset: int) -> int:
        """Index in `lines` of the line that holds the character at `offset`."""
        return bisect_right(self.starts, offset) - 1

    def line_range(self, start: int, end: int) -> tuple[int, int]:
        """First and last line_id of the characters from `start` to `end`, white space at the ends left out."""
        piece = self.text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        last = max(end - (len(piece) - len(piece.rstrip())) - 1, first)
        return self.lines[self.line_index(first)].line_id, self.lines[self.line_index(last)].line_id

    def words(self, sentence: Sentence) -> str:
        """The sentence on one line."""
        return " ".join(self.text[sentence.start : sentence.end].split())


def read_passages(found: RetrievalResult, *, roles: tuple[str, ...] = ("primary", "supporting")) -> tuple[Passage, ...]:
    """The contexts of the candidates of the given roles, in their order; tangential ones are not answers."""
    passages = []
    for rank, candidate in enumerate(found.candidates):
        if candidate.role is not None and candidate.role not in roles:
            continue
        passages.append(_read(candidate, rank, found.confidence))
    return tuple(passages)


def whole_sentences(quote: str) -> str:
    """The quote without the pieces of other sentences that share its first and last line."""
    spans = _sentence_spans(quote, 0, len(quote))
    if len(spans) > 1 and quote[spans[0][0]].islower():
        spans = spans[1:]
    if len(spans) > 1 and quote[spans[-1][1] - 1] not in '.;:!?”"’)':
        spans = spans[:-1]
    whole = quote[spans[0][0] : spans[-1][1]] if spans else quote
    return whole if len(whole) >= WHOLE_SHARE * len(quote) else quote


@lru_cache(maxsize=KEPT_LINES)
def is_row(text: str) -> bool:
    """True for cells that stand apart; justified prose has gaps between all words, a broken clause has long cells."""
    cells = [cell for cell in re.split(r"\s{2,}|\t", text) if cell]
    words = len(text.split())
    if len(cells) < 2 or text.endswith("."):
        return False
    if len(cells) == 2 and _CLAUSE_NUMBER.fullmatch(cells[0]) and len(cells[1].split()) >= MIN_CLAUSE_WORDS:
        return False  # '4.1   TERM. The Term shall ...'
    if any(_NUMBER_CELL.fullmatch(cell) for cell in cells[-2:]):
        return True
    is_justified = words >= MIN_JUSTIFIED_WORDS and 2 * (len(cells) - 1) > words - 1
    return not is_justified and words <= MAX_CELL_WORDS * len(cells)


def is_caption(text: str) -> bool:
    """True for the line that names a table or a figure: 'Table 3: Fees (EUR)'."""
    return _CAPTION.match(text) is not None


def _read(candidate: RetrievedCandidate, rank: int, confidence: float) -> Passage:
    starts = _starts(candidate.text.split("\n"))
    sentences = _split(candidate.section_title or "", candidate.text)
    return Passage(candidate, rank, candidate.lines, candidate.text, tuple(starts), sentences, confidence)


@lru_cache(maxsize=KEPT_PASSAGES)
def _split(section_title: str, passage: str) -> tuple[Sentence, ...]:
    """Sentences in order: headings, captions and table rows are lines of their own, items start at their mark."""
    texts = passage.split("\n")
    starts = _starts(texts)
    around = (None, *texts, None)
    title = " ".join(section_title.split())
    kinds = [_line_kind(title, *around[index : index + 3]) for index in range(len(texts))]
    breaks = _paragraph_breaks(texts)
    heading = title
    path: list[tuple[str, str]] = []
    sentences: list[Sentence] = []
    index = 0
    while index < len(texts):
        kind = kinds[index]
        end = index + 1
        if kind in ("heading", "row"):
            if kind == "heading":
                heading = _heading_path(path, " ".join(texts[index].split()))
            sentences.append(Sentence(starts[index], starts[index] + len(texts[index]), kind, index, heading))
        else:
            while end < len(texts) and kinds[end] == "prose" and end not in breaks:
                end += 1
            block = (starts[index], starts[end - 1] + len(texts[end - 1]))
            for position, (start, stop) in enumerate(_sentence_spans(passage, *block)):
                sentences.append(
                    Sentence(start, stop, kind if position == 0 or kind == "item" else "prose", index, heading)
                )
        index = end
    return tuple(sentences)


def _starts(texts: list[str]) -> list[int]:
    """Where each line starts in the text that they make, joined by newlines."""
    starts = [0]
    for text in texts[:-1]:
        starts.append(starts[-1] + len(text) + 1)
    return starts


def _heading_path(path: list[tuple[str, str]], title: str) -> str:
    """Puts a heading under those it belongs to by its number ('6.3' under '6.'), and gives the titles outer first."""
    match = _NUMBERED.match(title)
    number = match["number"] if match is not None else ""
    while path and not (number and path[-1][0] and number.startswith(f"{path[-1][0]}.")):
        path.pop()
    path.append((number, title))
    return " > ".join(words for _, words in path)


def _paragraph_breaks(texts: list[str]) -> set[int]:
    """Lines that start anew after a line that was not filled: table cells and paragraphs without a full stop."""
    width = max((len(text) for text in texts), default=0)
    breaks = set()
    for index in range(1, len(texts)):
        above, text = texts[index - 1].rstrip(), texts[index].lstrip()
        is_short = len(above) < SHORT_LINE_SHARE * width
        if is_short and not _RUNS_ON.search(above) and re.match(r"[A-ZÀ-Ý0-9“\"(¿¡]", text):
            breaks.add(index)
    return breaks


@lru_cache(maxsize=KEPT_LINES)
def _line_kind(title: str, before: str | None, line: str, after: str | None) -> SentenceKind:
    """What a line is, by its looks, the lines around it and the title of its section."""
    text = line.strip()
    if is_caption(text):
        return "caption"
    if _is_heading(title, line, after):
        return "heading"
    if ITEM_MARK.match(line) and not _is_split_value(before, line):
        return "item"
    return "row" if is_row(text) else "prose"


def _is_split_value(before: str | None, line: str) -> bool:
    """'(30) days' at the start of a line is the end of 'thirty', not an item."""
    if before is None:
        return False
    mark = ITEM_MARK.match(line)
    if mark is None or not (mark["inner"] or "").isdigit():
        return False
    joined = f"{before}\n{line}"
    seam = len(before)
    return any(
        found.start < seam < found.end
        for kind in ("duration", "amount", "percentage")
        for found in find_values(joined, kind)
    )


def _is_heading(title: str, line: str, after: str | None) -> bool:
    """A line that is the section's title, or short, numbered or in capitals, and no part of a sentence."""
    text = " ".join(line.split())
    if not text or len(text) > MAX_HEADING_CHARACTERS or is_row(line.strip()):
        return False
    if _says_something(text):
        return False
    if title and text.rstrip(".:").casefold() == title.rstrip(".:").casefold():
        return True
    if text[-1] in ".,;:" or _RUNS_ON.search(text):
        return bool(_NUMBERED.match(text) and re.fullmatch(r"[^.]*\d[\d.]*\s+[A-Z][\w\s,&/'-]{2,60}[.:]", text))
    letters = [character for character in text if character.isalpha()]
    if _NUMBERED.match(text) and not find_values(text, "duration") and len(text.split()) <= 10:
        # a numbered line that runs on into a small letter is the start of a clause
        following = (after or "").strip()
        return not following[:1].islower() and not re.search(r"\b(?:shall|will|must|is|are|may|means)\b", text)
    has_verb = re.search(r"\b(?:SHALL|WILL|MAY|MUST|IS|ARE|NOT|BE|HAS|HAVE)\b", text) is not None
    return len(letters) > 3 and len(text.split()) <= 12 and not has_verb and all(map(str.isupper, letters))


@lru_cache(maxsize=KEPT_LINES)
def _says_something(line: str) -> bool:
    """True for a line that is a whole sentence, its number left out."""
    return is_sentence(_NUMBERED.sub("", line, count=1))


def _sentence_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans = []
    at = start
    for match in _END.finditer(text, start, end):
        before = text[max(at, match.start() - 12) : match.start()].rstrip("”\"'’)]")
        is_number = re.fullmatch(r"\s*\(?\d{1,2}(?:\.\d+)*[.)]", text[at : match.start()]) is not None
        is_open = _ABBREVIATION.search(before) is not None and not _NEXT_TERM.match(text, match.end())
        if is_open or is_number:
            continue
        spans.append((at, match.start()))
        at = match.end()
    spans.append((at, end))
    trimmed = []
    for first, last in spans:
        piece = text[first:last]
        if piece.strip():
            left = first + len(piece) - len(piece.lstrip())
            trimmed.append((left, last - (len(piece) - len(piece.rstrip()))))
    return trimmed
