"""chunk_embedding_match: passages near the question's meaning; runs only when an embedder is given, and is last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.retrieval.detectors.table import Hit, hit_table
from pipeline.retrieval.embedder import Embedder, cosines
from pipeline.retrieval.lines import Lines
from pipeline.retrieval.search import Search

__all__ = ["METHOD", "Embedder", "find_similar", "passages_of"]

METHOD = "chunk_embedding_match"
MIN_CHUNK_CHARACTERS = 30  # a heading alone has too few words for its vector to mean anything
# Characters, some 140 tokens. On 24 questions put in other words over two contracts of CUAD the right place was first
# for 0.71 of them at 600, 0.62 at 400, 0.58 at 900, 0.46 for whole paragraphs and 0.67 for chunks of 1,000 over several
# paragraphs, which would cite more than was near. A small encoder reads some 250 tokens and blurs what is longer.
MAX_CHUNK_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of one block that are embedded together; `first` and `last` are positions."""

    block: int
    first: int
    last: int
    text: str


def find_similar(search: Search) -> pd.DataFrame:
    """HIT_DF: the few passages nearest to the question by cosine, one a block; the score is the cosine.

    The question and each of its rewrites are compared, and the nearest of them counts: the mean would punish a passage
    for the rewrites that miss (METHOD 3.2). There is always a nearest passage, so that a hit proves nothing by itself.
    Empty without an embedder.

    Raises SettingsError when the embedder gives vectors of the wrong shape or length.
    """
    passages = passages_of(search.lines)
    if search.embedder is None or not passages:
        return hit_table(METHOD, [], search.lines, limit=1)
    queries = (search.query.text, *search.query.rewrites)
    nearest = cosines(search.embedder, queries, [passage.text for passage in passages]).max(axis=1).tolist()
    best: dict[int, tuple[float, Passage]] = {}
    for passage, cosine in zip(passages, nearest, strict=True):
        if passage.block not in best or cosine > best[passage.block][0]:
            best[passage.block] = (cosine, passage)
    hits = [
        Hit(
            passage.first,
            passage.last,
            cosine,
            (),
            f"Near the question's meaning (cosine {cosine:.3f}); no word of it need stand here.",
        )
        for cosine, passage in best.values()
    ]
    return hit_table(METHOD, hits, search.lines, limit=search.settings.embedding_hits)


def passages_of(lines: Lines) -> list[Passage]:
    """What is embedded of a document, in order: blocks that are no headings, long ones in parts of whole lines.

    They do not depend on the question, so that a second question on the document finds their vectors kept.
    """
    return [
        Passage(block, part[0], part[-1], _text(lines, part))
        for block in range(lines.block_count)
        if not lines.is_heading[block] and len(lines.block_text(block)) >= MIN_CHUNK_CHARACTERS
        for part in _parts(lines, lines.block_positions(block))
    ]


def _parts(lines: Lines, positions: Sequence[int]) -> Iterator[list[int]]:
    """Runs of lines, each as long as a chunk may be; a single line that is longer stays whole."""
    part: list[int] = []
    size = 0
    for position in positions:
        more = len(lines.texts[position].strip()) + 1
        if part and size + more > MAX_CHUNK_CHARACTERS:
            yield part
            part, size = [], 0
        part.append(position)
        size += more
    yield part


def _text(lines: Lines, positions: Sequence[int]) -> str:
    return " ".join(lines.texts[position].strip() for position in positions)
