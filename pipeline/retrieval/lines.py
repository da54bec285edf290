"""The document's lines as retrieval reads them: what is searched, what is shown, and how lines form blocks.

A *position* is the row of a line in line_df, from 0. A *block* is a paragraph or list item made of searched lines only;
running headers, footers, page numbers and entries of a printed table of contents are not in it and do not break it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dictionaries.searchable import SearchableText
from pipeline.kept import Kept
from pipeline.scope.sentences import is_sentence
from schemas.document import ParsedDocument
from schemas.places import PageUnit
from schemas.retrieval import LineRef
from schemas.tables import NOT_TEXT_ROLES

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

UNSEARCHED_ROLES = (*NOT_TEXT_ROLES, "toc_entry")  # a contents line names a topic and says nothing on it
MAX_HEADING_CHARACTERS = 120  # a longer block is running text (the longest of 1,100 outline titles looked at had 117)
MAX_HEADING_WORDS = 14  # words; a longer line that is numbered or in capitals is a sentence

_NUMBERING = re.compile(
    r"^\s*(?:(?:article|section|clause|schedule|exhibit|annex|appendix|part|chapter|art[íi]culo|secci[óo]n|cl[áa]usula"
    r"|anexo|annexe|chapitre)\s+[\w.]{1,8}|\d{1,3}(?:\.\d{1,3}){0,4}|[ivxlc]{1,6}(?=[.)])|[a-z](?=[.)])|\([a-z0-9]{1,4}\))"
    r"[.):\-–—]*(?:\s+|$)",
    re.IGNORECASE,
)
KEPT_DOCUMENTS = 8  # documents, or parts of them, whose lines are kept; those of 300 pages take some 10 MB
_SENTENCE_ENDS = (".", ";", ":", "!", "?", ",")


_lines: Kept[Lines] = Kept(KEPT_DOCUMENTS)


def numbering_of(text: str) -> tuple[str, str]:
    """The number that a heading or clause opens with, and the rest: ('3.5', 'Positional Encoding'); '' without one."""
    found = _NUMBERING.match(text)
    if not found:
        return "", text.strip()
    return found.group().strip().rstrip(".):-–—"), text[found.end() :].strip()


@dataclass(frozen=True)
class Lines:
    """Columns of line_df as lists, and the blocks that searched lines form; treat as read-only."""

    line_ids: list[int]
    page_unit: PageUnit
    page_nums: list[int]
    line_nums: list[int]
    texts: list[str]
    roles: list[str]
    section_ids: list[str | None]
    readable: Flags  # may be shown: visible and no running header or footer
    searched: Ints  # positions that are searched: readable, no contents entry, inside the scope
    recognised: Flags  # read from an image: words may be misread
    block_of: Ints  # number of the block of each searched line, from 0
    block_first: list[int]  # index into `searched` of each block's first line
    is_heading: list[bool]  # one a block

    @property
    def block_count(self) -> int:
        """Blocks, headings included."""
        return len(self.block_first)

    @cached_property
    def searched_texts(self) -> list[str]:
        """Texts of the searched lines, in order."""
        return [self.texts[position] for position in self.searched.tolist()]

    @cached_property
    def joined_text(self) -> str:
        """The searched lines, joined by newlines."""
        return "\n".join(self.searched_texts)

    @cached_property
    def text_starts(self) -> list[int]:
        """Where each searched line starts in `joined_text`."""
        starts, at = [], 0
        for text in self.searched_texts:
            starts.append(at)
            at += len(text) + 1
        return starts

    @cached_property
    def searchable(self) -> SearchableText:
        """The searched lines made ready for the matcher: a term runs on over the lines of one block."""
        return SearchableText.of(
            self.searched_texts, groups=self.block_of.tolist(), recognised=self.recognised[self.searched]
        )

    @cached_property
    def searched_list(self) -> list[int]:
        """`searched` as a list: single items of an array are slow to take."""
        return [int(position) for position in self.searched.tolist()]

    @cached_property
    def offsets_in_block(self) -> list[int]:
        """Where each searched line starts in the text of its block."""
        offsets: list[int] = []
        at, last = 0, -1
        for text, block in zip(self.searched_texts, self.block_list, strict=True):
            at = at if block == last else 0
            offsets.append(at)
            at, last = at + len(text) + 1, block
        return offsets

    @cached_property
    def searched_ids(self) -> list[int]:
        """line_ids of the searched lines, in order."""
        return [self.line_ids[position] for position in self.searched_list]

    @cached_property
    def block_list(self) -> list[int]:
        """`block_of` as a list."""
        return [int(block) for block in self.block_of.tolist()]

    @cached_property
    def _block_at(self) -> dict[int, int]:
        return dict(zip(self.searched_list, self.block_list, strict=True))

    @cached_property
    def _position_of_id(self) -> dict[int, int]:
        return {line_id: position for position, line_id in enumerate(self.line_ids)}

    def position(self, line_id: int) -> int:
        """Row of a line."""
        return self._position_of_id[line_id]

    def block_positions(self, block: int) -> list[int]:
        """Positions of a block's lines, in order."""
        return self.searched_list[self._bounds[block] : self._bounds[block + 1]]

    @cached_property
    def _bounds(self) -> list[int]:
        return [*self.block_first, len(self.searched_list)]

    def block_text(self, block: int) -> str:
        """A block's lines joined by one space each."""
        return self._block_texts[block]

    @cached_property
    def _block_texts(self) -> list[str]:
        return [
            " ".join([self.texts[position] for position in self.block_positions(block)])
            for block in range(self.block_count)
        ]

    def block_at(self, position: int) -> int | None:
        """The block that holds a line; None for a line that is not searched."""
        return self._block_at.get(position)

    def first_block_from(self, position: int) -> int:
        """The first block that starts at or after a line; `block_count` when there is none."""
        index = int(np.searchsorted(self.searched, position))
        return bisect_right(self.block_first, index - 1) if index < len(self.searched_list) else self.block_count

    @cached_property
    def heading_over(self) -> list[int | None]:
        """For each block, the heading directly over its run of text; None without one."""
        over: list[int | None] = []
        current: int | None = None
        for block, heading in enumerate(self.is_heading):
            if heading:
                over.append(current if block and self.is_heading[block - 1] else None)
                current = block
            else:
                over.append(current)
        return over

    def ref(self, position: int) -> LineRef:
        """Where a line stands, as a record; made once a line."""
        known = self._refs.get(position)
        if known is None:
            known = LineRef(
                line_id=self.line_ids[position], page_num=self.page_nums[position], line_num=self.line_nums[position]
            )
            self._refs[position] = known
        return known

    @cached_property
    def _refs(self) -> dict[int, LineRef]:
        return {}

    def in_section(self, position: int, start_line_id: int, end_line_id: int) -> bool:
        """True when the line lies between two lines, both included."""
        return start_line_id <= self.line_ids[position] <= end_line_id


def read_lines(document: ParsedDocument, *, allowed: Flags | None = None) -> Lines:
    """The lines of a document; `allowed` (one a row of line_df) restricts what is searched, not what is shown.

    Made once for a document in use and for each part of it that questions are restricted to.
    """
    part = None if allowed is None else allowed.tobytes()
    return _lines.get(document, lambda: _read(document, allowed), key=part)


def _read(document: ParsedDocument, allowed: Flags | None) -> Lines:
    frame = document.line_df
    roles: list[str] = frame["role"].tolist()
    texts: list[str] = frame["text"].tolist()
    visible = frame["visible"].to_numpy(dtype=np.bool_)
    role_array = np.array(roles, dtype=object)
    blank = np.fromiter((not text.strip() for text in texts), dtype=np.bool_, count=len(texts))
    readable: Flags = visible & ~np.isin(role_array, NOT_TEXT_ROLES)
    may_search: Flags = readable & ~np.isin(role_array, UNSEARCHED_ROLES) & ~blank
    if allowed is not None:
        may_search = may_search & allowed
    searched = np.flatnonzero(may_search).astype(np.int64)
    paragraphs = frame["paragraph_id"].to_numpy(dtype=np.int64)[searched]
    pages = frame["page_num"].to_numpy(dtype=np.int64)[searched]
    starts = _block_starts(paragraphs, pages, [texts[position] for position in searched.tolist()])
    block_of = (np.cumsum(starts) - 1).astype(np.int64)
    block_first = np.flatnonzero(starts).tolist()
    bold = frame["is_bold"].to_numpy(dtype=np.bool_)
    section_starts = set(document.toc_df.loc[document.toc_df["heading_found"], "start_line_id"].tolist())
    line_ids: list[int] = frame["line_id"].tolist()
    bounds = [*block_first, len(searched)]
    is_heading = [
        _is_heading(
            [int(position) for position in searched[bounds[block] : bounds[block + 1]]],
            texts, roles, bold, line_ids, section_starts,
        )
        for block in range(len(block_first))
    ]  # fmt: skip
    sections = frame["section_id"]
    return Lines(
        line_ids=line_ids,
        page_unit=document.profile.identity.page_unit,
        page_nums=frame["page_num"].tolist(),
        line_nums=frame["line_num"].tolist(),
        texts=texts,
        roles=roles,
        section_ids=sections.astype(object).where(sections.notna(), None).tolist(),
        readable=readable,
        searched=searched,
        recognised=frame["confidence"].notna().to_numpy(dtype=np.bool_),
        block_of=block_of,
        block_first=block_first,
        is_heading=is_heading,
    )


def _block_starts(paragraphs: Ints, pages: Ints, texts: list[str]) -> Flags:
    """True where a new block begins; a sentence that runs over a page break stays in one."""
    starts: Flags = np.ones(len(paragraphs), dtype=np.bool_)
    starts[1:] = paragraphs[1:] != paragraphs[:-1]
    for index in np.flatnonzero(starts[1:] & (pages[1:] == pages[:-1] + 1)).tolist():
        before, after = texts[index].rstrip(), texts[index + 1].lstrip()
        if before and not before.endswith((".", ";", ":", "!", "?")) and after[:1].islower():
            starts[index + 1] = False
    return starts


def _is_heading(  # columns, not options
    positions: list[int],
    texts: list[str],
    roles: list[str],
    bold: Flags,
    line_ids: list[int],
    section_starts: set[int],
) -> bool:
    """True for a block that is a title over what follows: by role, by outline, or by its looks; a sentence is none."""
    size = sum(len(texts[position]) for position in positions)
    if size > MAX_HEADING_CHARACTERS:
        return False
    text = " ".join(texts[position].strip() for position in positions)
    number, rest = numbering_of(text)
    if is_sentence(rest):
        return False  # a clause of one line, whatever it was taken for: it says something
    if all(roles[position] == "heading" for position in positions):
        return True
    if any(line_ids[position] in section_starts for position in positions):
        return True
    if any(roles[position] != "body" for position in positions):
        return False
    words = rest.split()
    if not words or len(words) > MAX_HEADING_WORDS or not any(character.isalpha() for character in rest):
        return False
    if rest.endswith((";", ",", "!", "?")) or rest[0].islower():
        return False
    capitals = rest.upper() == rest
    titled = all(word[:1].isupper() or len(word) <= 4 or not word[0].isalpha() for word in words)
    if rest.endswith(_SENTENCE_ENDS) and not (titled and number):
        return False
    return capitals or bool(bold[positions].all()) or (titled and bool(number))
