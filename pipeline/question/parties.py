# ruff: noqa: E501  # a pattern is read whole, on one line
"""The roles that a document gives its parties, and questions that speak of 'the party' as if there were one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dictionaries.folding import folded_text
from pipeline.question.lexicon import ROLE_WORDS
from pipeline.question.reading import Span
from schemas.tables import NOT_TEXT_ROLES

if TYPE_CHECKING:
    from schemas.document import ParsedDocument

MAX_ROLES = 3  # two or three choices
HEAD_LINES = 150  # lines in which a contract names its parties

# 'the party' and nothing that says which: no 'disclosing party', no 'party that ...', no 'either party'.
_SINGLE = re.compile(
    r"\b(?:the\s+party|la\s+parte(?!\s+contraria)|la\s+partie)\b(?!\s+(?:that|which|who|in|responsible|liable|with|to\s+(?:the|this)|que|qui|à|en|"
    r"[a-zé]+(?:ing|ed|ada|ante|ora|rice))\b)",
    re.IGNORECASE,
)
_DEFINED = re.compile(r"\(\s*(?:hereinafter\s+|referred\s+to\s+as\s+|the\s+|en\s+adelante,?\s+|ci-après\s+)*[\"“«'‘]\s*(?:the\s+|el\s+|la\s+|le\s+|l['’])?(?P<role>[^\W\d_]{3,30})\s*[\"”»'’]", re.IGNORECASE)  # fmt: skip


def single_party(text: str) -> Span | None:
    """Where a question says 'the party' without saying which; None where it does not."""
    match = _SINGLE.search(text)
    return match.span() if match else None


def find_roles(document: ParsedDocument) -> tuple[str, ...]:
    """The roles that the head of the document defines for its parties ('the Supplier'), in its order, at most three."""
    lines = document.line_df[document.line_df["visible"] & ~document.line_df["role"].isin(NOT_TEXT_ROLES)]
    head = " ".join(lines["text"].tolist()[:HEAD_LINES])
    article = {"es": "el", "fr": "le"}.get(next(iter(document.profile.semantic.languages), "en"), "the")
    found = [match["role"] for match in _DEFINED.finditer(head) if folded_text(match["role"]) in ROLE_WORDS]
    return tuple(f"{article} {role}" for role in dict.fromkeys(found))[:MAX_ROLES]
