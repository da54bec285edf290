"""Questions that want the reasons of something, and passages that give them: 'driven by', 'primarily due to'."""

from __future__ import annotations

import re
from functools import lru_cache

KEPT_QUESTIONS = 64  # it is asked of every passage

# 'why' asks where a verb follows it; 'explain why.' at the end of an aside does not ask for the reasons of the topic.
_WHY = re.compile(
    r"\bwhy\s+(?:did|does|do|is|was|were|are|has|have|had|should|would|will|can|could)\b"
    r"|\bwhat\s+(?:\w+\s+){0,2}?(?:drove|drives|caused|explains|explained|led\s+to)\b"
    r"|\bwhat\s+(?:is|are|was|were)\s+the\s+(?:\w+\s+)?(?:drivers?|reasons?|causes?)\b"
    r"|\bpor\s+qu[ée]\b|\ba\s+qu[ée]\s+se\s+deb\w+|\bpourquoi\b|\bqu'est-ce\s+qui\s+(?:explique|a\s+caus[ée])\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:due\s+to|driven\s+(?:\w+\s+)?by|because|as\s+a\s+result\s+of|resulted\s+from|attribut(?:able|ed)\s+to"
    r"|primarily\s+(?:from|reflect\w+|by|related)|reflect(?:s|ed|ing)|caused\s+by|owing\s+to|partially\s+offset|led\s+by"
    r"|thanks\s+to|debid[oa]s?\s+a|a\s+causa\s+de|como\s+consecuencia\s+de|gracias\s+a|impulsad[oa]s?\s+por"
    r"|en\s+raison\s+d|d[ûu]e?s?\s+(?:à|aux?)|gr[âa]ce\s+(?:à|aux?)|s'explique\w*)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=KEPT_QUESTIONS)
def asks_why(text: str) -> bool:
    """True for a question that wants the reasons of something, which stand in prose and not in a table."""
    return _WHY.search(text) is not None


def gives_reason(text: str) -> bool:
    """True for a passage that says what something comes from."""
    return _REASON.search(text) is not None
