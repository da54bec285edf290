# ruff: noqa: E501  # a pattern is read whole, on one line
"""What a question says it is not: 'the premium, not the deductible', with the experts' words for what is excluded."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pipeline.question.pieces import pieces_of
from pipeline.question.reading import Piece
from pipeline.question.topics import Topic
from schemas.question import Distinction

MAX_EXCLUSION_WORDS = 8  # longer and the clause is a sentence of its own
MAX_CORRECTED_WORDS = 6  # words between 'not' and 'but': 'not the deductible but the premium'

_ARTICLE = r"(?:the|a|an|any|its|their|those|that|including|counting|just|only|for|of|el|la|los|las|un|una|su|sus|del?|para|le|les|l['’]|une|des|son|ses|du|pour|celui|celle|ceux|celles|aquel|aquella)"
_WORD = r"(?!(?:but|sino|mais|pero)\s)[^\s,.;:?!()|]+"
_CLAUSE = rf"(?:{_WORD}(?:\s+|(?=[,.;:?!()|]|$))){{1,{MAX_EXCLUSION_WORDS}}}"
_NOT = r"(?:not|no|non|pas)"
# After a comma 'not' may stand without an article ('not taxes'); a verb or a measure after it makes another sentence.
_NO_NOUN = (
    r"(?!(?:be|been|being|have|has|had|do|does|did|is|are|was|were|to|exceed\w*|more|less|later|earlier|fewer|longer|merely|limited|"
    r"apply|applied|only|if|when|because|later|than|so|yet|even|to|and|or|but|se|es|son|está|más|menos|solo|sólo|hay|que|est|sont|plus|moins|seulement|avant|après|y|et|o|ou)\b)"
)
_EXCLUSIONS = (
    re.compile(rf"(?:(?<=[,;(])\s*|\b(?:and|but|y|pero|et|mais)\s+){_NOT}\s+(?={_ARTICLE}(?:\s|(?<=['’]))){_CLAUSE}", re.IGNORECASE),
    re.compile(rf"(?<=[,;(])\s*{_NOT}\s+{_NO_NOUN}{_CLAUSE}(?=\s*[,.;:?!)]|$)", re.IGNORECASE),
    re.compile(rf"\b{_NOT}\s+(?={_ARTICLE}(?:\s|(?<=['’])))(?:{_WORD}\s+){{1,{MAX_CORRECTED_WORDS}}}?{_WORD}(?=\s*,?\s+(?:but|sino|mais)\s)", re.IGNORECASE),
    re.compile(rf"\b(?:excluding|except(?:\s+for)?|other\s+than|apart\s+from|rather\s+than|instead\s+of|as\s+opposed\s+to|as\s+distinct\s+from|unlike|ignoring|disregarding|leaving\s+(?:out|aside)|without\s+counting|but\s+not)\s+{_CLAUSE}", re.IGNORECASE),
    re.compile(rf"(?<!\w)(?:excluyendo|excepto|salvo|sin\s+contar|sin\s+incluir|en\s+lugar\s+de|en\s+vez\s+de|aparte\s+de|a\s+diferencia\s+de|hormis|sauf|excepté|à\s+l['’]exclusion\s+d[eu']|plutôt\s+que|au\s+lieu\s+d[eu']|à\s+la\s+différence\s+d[eu']|sans\s+compter|sans\s+inclure)\s*{_CLAUSE}", re.IGNORECASE),
)  # fmt: skip
# The words that exclude, and the article behind them.
_LEAD = re.compile(
    r"^(?:(?:and|but|y|pero|et|mais)\s+)?(?:not\b|non\b|no\b|pas\b|excluding|except(?:\s+for)?|other\s+than|apart\s+from|rather\s+than|instead\s+of|"
    r"as\s+opposed\s+to|as\s+distinct\s+from|unlike|ignoring|disregarding|leaving\s+(?:out|aside)|without\s+counting|but\s+not|excluyendo|excepto|salvo|"
    r"sin\s+contar|sin\s+incluir|en\s+lugar\s+de|en\s+vez\s+de|aparte\s+de|a\s+diferencia\s+de|hormis|sauf|excepté|à\s+l['’]exclusion\s+d[eu']|"
    r"plutôt\s+que|au\s+lieu\s+d[eu']|à\s+la\s+différence\s+d[eu']|sans\s+compter|sans\s+inclure)\s*(?:including\s+|counting\s+)?",
    re.IGNORECASE,
)

_QUOTED = re.compile(r"^[\"“«‘'„]\s*([^\"“”«»‘„]+?)\s*[\"”»’'“]$")  # a phrase in quotation marks and nothing else


def find_exclusions(text: str) -> tuple[Piece, ...]:
    """What the user says it is not, in the question's words, with the word that excludes it."""
    return pieces_of(text, _EXCLUSIONS)


def distinguish(
    exclusions: Sequence[str],
    wanted: str,
    topics_of: Callable[[str], Sequence[Topic]],
    languages: tuple[str, ...] | None,
) -> tuple[Distinction, ...]:
    """A distinction for each exclusion: what is wanted instead, what is not, and the experts' primary terms for that.

    `topics_of` finds the dictionary concepts in words; where it finds none, the user's words stand alone.
    """
    found = []
    for exclusion in exclusions:
        unwanted = _QUOTED.sub(r"\1", _LEAD.sub("", exclusion).strip())
        if not unwanted:
            continue
        topic = next(iter(topics_of(unwanted)), None)
        terms = tuple(term.text for term in topic.entry.words(languages) if term.priority == "primary") if topic else ()
        found.append(Distinction(wanted=wanted, unwanted=unwanted, terms=terms))
    return tuple(found)
