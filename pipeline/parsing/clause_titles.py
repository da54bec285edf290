"""The wording of headings: what makes words a title, and what a sentence or the beginning of a clause."""

from __future__ import annotations

import re

MAX_TITLE_WORDS = 14  # words of a title that stands alone; longer lines are sentences
MAX_RUN_IN_WORDS = 8  # words of weight in a title that a clause's text follows on the same line
MAX_PLAIN_WORDS = 4  # the same for a title in small letters, 'Payment terms.'

RUN_IN = re.compile(r"(?P<title>[A-Z\"“][^.:]{1,110}?)\s*(?:[.:](?=\s|$)|\s[–—-]\s)")
_ITEM_RUN_IN = re.compile(r"(?P<title>[A-Z\"“][^.:]{1,80}?)(?:\.|:(?=(?:\s+\S+){5}))\s+(?=[\"“(]?[A-ZÀ-Ý])")
_ABBREVIATED = re.compile(r"(?:^|\s)(?:Mr|Mrs|Ms|Dr|St|No|Nos|Inc|Co|Corp|Ltd|Bros|Art|Sec|vs)$")
LEAD_IN = re.compile(  # how a clause begins that leads to a list: 'In this Agreement:', 'Subject to Clause 4:'
    r"(?:(?:in|if|for|where|when|upon|on|at|by|to|with|without|during|unless|until|subject|notwithstanding|except|the "
    r"following)\b[^.]*|[^.]*\b(?:that|which|follows|following|to|of|as|by|for|is|are|shall|will|may|must)):$",
    re.IGNORECASE,
)
_SMALL_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and as at but by for from in into nor of off on onto or over per than the to up via vs with within "
        "without this that these those its their our your his her all any no not other under upon between among "
        "against during after before through until if is are be which "
        "de del la las los el al y e o u en por para con sin sobre entre su sus que "
        "du des et le les l d au aux ou dans sur pour par avec sans ses leur und der die das den von zu im",
    )
)
VERBS = re.compile(
    r"\b(?:shall|will|may|must|can|is|are|was|were|be|been|has|have|had|agrees?|means?|includes?|provides?|hereby|"
    r"deberá|podrá|será|es|son|tiene|doit|peut|sera|est|sont)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def count_words(text: str) -> int:
    """Words of letters in the text."""
    return len(_WORD.findall(text))


def is_title(title: str) -> bool:
    """Few enough words for a title, no sentence's end among them, no mark or amount at an end."""
    words = _WORD.findall(title)
    bare = title.rstrip(".: ")
    return (
        1 <= len(words) <= MAX_TITLE_WORDS
        and title[:1] not in "),;"
        and not (title[:1] in '“"«‘' and VERBS.search(title))
        and not re.search(r"[.:]\s", bare)
        and (is_title_case(title) or not re.search(r"[;\u037e]\s", bare))
        and not title.endswith((",", ";", "\u037e"))
        and not re.search(r"\s\d[\d,.]*$", title)
    )


def is_title_case(title: str) -> bool:
    """Every word of weight begins with a capital."""
    words = [word for word in _WORD.findall(title) if word.casefold() not in _SMALL_WORDS]
    return bool(words) and all(word[0].isupper() for word in words)


def stops_short(title: str) -> bool:
    """Its last word is one that another must follow: 'REASONABLE EFFORTS TO ENSURE THE'."""
    return title.rsplit(maxsplit=1)[-1].casefold() in _SMALL_WORDS


def is_run_in_title(title: str) -> bool:
    """What stands before the text of its clause: in title case, or very short."""
    words = _WORD.findall(title)
    heavy = sum(word.casefold() not in _SMALL_WORDS for word in words)
    is_short = 1 <= len(words) <= MAX_PLAIN_WORDS and not VERBS.search(title)
    is_title = heavy <= MAX_RUN_IN_WORDS and len(words) <= MAX_TITLE_WORDS and is_title_case(title)
    return (is_short or is_title) and not _ABBREVIATED.search(title)


def find_item_title(text: str) -> str | None:
    """The title before a list item's text, 'Fees' of 'Fees. The fees ...'; before a colon it needs several words.

    'If to the Company: ...', 'Fee: $500' and 'Gears: two of them;' are labels.
    """
    match = _ITEM_RUN_IN.match(text)
    if match is None or not is_run_in_title(match["title"]) or VERBS.search(match["title"]):
        return None
    words = _WORD.findall(match["title"])
    is_label = text[match.end("title")] == ":" and (len(words) == 1 or words[0].casefold() in _SMALL_WORDS)
    return None if is_label else match["title"]
