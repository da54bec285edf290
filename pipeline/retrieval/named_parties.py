# ruff: noqa: E501  # patterns are read whole, on one line
"""How far the words run that name the parties of a contract: past the passage that begins them, to the recitals.

'This Agreement is made by and between:' is often followed by one passage a party.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.retrieval.lines import Lines
    from schemas.question import RetrievalQuery

HEAD_PAGES = 10  # pages on which a contract names its parties: a cover and a long table of contents may stand before
PARTIES_CONTEXT = 1_800  # characters; three parties with their addresses, as the items of a list

_BETWEEN = re.compile(
    r"\b(?:between|among(?:st)?|entre|reunidos|comparecen|de una parte|parties to this)\b", re.IGNORECASE
)
_NAMED = re.compile(
    r"\([^()]{0,80}[“\"«‘][^”\"»’]{1,60}[”\"»’][^()]{0,80}\)|\b(?:Inc|Corp|LLC|L\.L\.C|Ltd|Limited|GmbH|S\.?A|S\.?L|B\.V|AG|plc|PLC)\b"
)
_RECITALS = re.compile(
    r"^\W*(?:whereas|recitals?|witnesseth|w i t n e s s|background|now,? therefore|in consideration|the parties|article|section|exponen|manifiestan|considerando|pr[ée]ambule|il a [ée]t[ée])\b",
    re.IGNORECASE,
)


def asks_parties(query: RetrievalQuery) -> bool:
    """True for a question after the parties of the document."""
    return bool(query.concepts) and query.concepts[0].concept_id == "parties" and query.answer_type == "party"


def last_of_parties(lines: Lines, block: int) -> int:
    """The last passage that names parties, where `block` begins to; `block` itself where it does not, or names two."""
    if lines.page_nums[lines.block_positions(block)[0]] > HEAD_PAGES:
        return block
    text = lines.block_text(block)
    opening = _BETWEEN.search(text)
    if opening is None:
        return block
    last, told = block, text[opening.end() :]
    while last + 1 < lines.block_count and not _is_whole(told):
        following = lines.block_text(last + 1)
        if _RECITALS.match(following) or len(told) + len(following) > PARTIES_CONTEXT:
            break
        last, told = last + 1, f"{told}\n{following}"
    return last


def _is_whole(told: str) -> bool:
    """True for words that name two and end a sentence."""
    return len(_NAMED.findall(told)) >= 2 and told.rstrip().endswith((".", ".”", '."'))
