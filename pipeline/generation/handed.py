"""The handed lines in the document's order, each once, whichever passages hold them: for what stands by its place.

A title, the sentence that names the parties and a signature block are known by where they stand, not by the passage
that retrieval found them with.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.generation.passages import Passage
from pipeline.generation.proposal import ProposedSpan
from schemas.retrieval import LineRef

GAP = ";"  # stands where lines that were not handed over are bridged: what follows begins anew


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that follow one another in the document: `text` has one line for each of `lines`, joined by newlines.

    `owners` are, for each line, the candidates whose contexts hold it, best first. Where lines that were not handed
    over are bridged, the text has a line with `GAP` between.
    """

    lines: tuple[LineRef, ...]
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    owners: tuple[tuple[str, ...], ...]

    def line_index(self, offset: int) -> int:
        """Index in `lines` of the line that holds the character at `offset`."""
        return bisect_right(self.starts, offset) - 1

    def line_text(self, index: int) -> str:
        """The words of one line."""
        return self.text[self.starts[index] : self.ends[index]]

    def spans(self, start: int, end: int) -> tuple[ProposedSpan, ...]:
        """The lines of the characters from `start` to `end`: one span if a candidate holds them all, else several."""
        piece = self.text[start:end]
        first = self.line_index(start + len(piece) - len(piece.lstrip()))
        last = self.line_index(max(end - (len(piece) - len(piece.rstrip())) - 1, start))
        spans: list[ProposedSpan] = []
        while first <= last:
            owner, reach = max(
                ((one, self._reach(one, first, last)) for one in self.owners[first]), key=lambda pair: pair[1]
            )
            spans.append(ProposedSpan(owner, self.lines[first].line_id, self.lines[reach].line_id))
            first = reach + 1
        return tuple(spans)

    def _reach(self, owner: str, first: int, last: int) -> int:
        """Index of the last line up to `last` that the candidate holds without a break."""
        while first < last and owner in self.owners[first + 1]:
            first += 1
        return first


def read_blocks(passages: Sequence[Passage], *, bridge: int = 0) -> tuple[Block, ...]:
    """Runs of handed lines in the document's order; more than `bridge` lines that were not handed over end a run."""
    rows: dict[int, tuple[LineRef, str]] = {}
    owners: dict[int, list[str]] = {}
    follows: set[tuple[int, int]] = set()
    for passage in passages:
        follows.update(pairwise(line.line_id for line in passage.lines))
        for line, text in zip(passage.lines, passage.text.split("\n"), strict=True):
            rows.setdefault(line.line_id, (line, text))
            owners.setdefault(line.line_id, []).append(passage.candidate.candidate_id)
    runs: list[list[int]] = []
    for line_id in sorted(rows):
        if runs and (line_id - runs[-1][-1] <= bridge + 1 or (runs[-1][-1], line_id) in follows):
            runs[-1].append(line_id)
        else:
            runs.append([line_id])
    return tuple(_block([(*rows[one], tuple(owners[one])) for one in run], follows) for run in runs)


def _block(rows: Sequence[tuple[LineRef, str, tuple[str, ...]]], follows: set[tuple[int, int]]) -> Block:
    starts: list[int] = []
    pieces: list[str] = []
    at = 0
    for (line, text, _), after in zip(rows, (*rows[1:], None), strict=True):
        starts.append(at)
        is_next = after is None or after[0].line_id == line.line_id + 1 or (line.line_id, after[0].line_id) in follows
        pieces.append(text if is_next else f"{text}\n{GAP}")
        at += len(pieces[-1]) + 1
    return Block(
        lines=tuple(line for line, _, _ in rows),
        text="\n".join(pieces),
        starts=tuple(starts),
        ends=tuple(start + len(text) for start, (_, text, _) in zip(starts, rows, strict=True)),
        owners=tuple(owners for _, _, owners in rows),
    )
