# ruff: noqa: E501  # patterns are read whole, on one line
"""What a clause excepts, sub-clause by sub-clause: 'except that ...', 'without the prior consent of ...'."""

from __future__ import annotations

import re

from pipeline.generation.asking import plain
from pipeline.generation.modality import ALLOWS, FORBIDS, NEGATED

MAX_EXCEPTION = 600  # characters of one exception: a whole sub-clause; a longer one is cut at a word
_OPENS = re.compile(
    r"\b(?:except(?:ing)?(?: as| for| that| to| in| with| where| when| if| under| upon)?|excluding|other than|unless|save (?:for|as|that|where|to|in)"
    r"|provided,? ?(?:however|further|that)?,? ?(?:however,? )?that|(?:without|absent|subject to) (?:first |having )?(?:\w+ ){0,3}?(?:the |its |their |his |such )?(?:[\w’']+ ){0,4}?(?:consent|approval|permission|authori[sz]ation)|(?<!not )(?<!is )(?<!are )subject to"
    r"|salvo(?: que)?|excepto|a menos que|siempre que|siempre y cuando|(?:con|a) (?:la )?excepcion de|con la salvedad de|sin (?:el |la )?(?:previ[oa] |expres[oa] )*(?:consentimiento|autorizacion|aprobacion)"
    r"|sauf|a moins que|a condition que|a l'exception d(?:es|e|u)?|hormis|sans (?:l'|le |la )?(?:prealable )?(?:accord|consentement|autorisation)|sous reserve)\b",
)
_WITHOUT = re.compile(r"(?:without|absent|sin|sans)\b")
# What stands before them is another rule than what follows.
_OWN_RULE = re.compile(r"[.;](?:\s|$)|\b(?:but|however|except that|provided that|whereas|pero|mais|toutefois)\b")
_END = re.compile(r"[;.](?:\s|$)")
# 'Subject to Section 7.1,' and 'Except as provided in Section 2,' at the head of a sentence end at their comma.
_HEAD_END = re.compile(r"[;.,](?:\s|$)")
_CONSENT = re.compile(
    r"\b(?:consent|approval|permission|authori[sz]ation|consentimiento|autorizacion|aprobacion|accord|consentement|autorisation)\b"
)
_LIST_COMMA = re.compile(r",\s+(?:or|and|nor|y|o|et|ou)\b")  # 'by merger, or by law': the comma ends nothing


def exceptions_of(clause: str) -> tuple[str, ...]:
    """Exceptions that the clause makes, verbatim, each a whole sub-clause; empty where it makes none."""
    return tuple(clause[start:end].rstrip(" ,;.(") for start, end in excepted_places(plain(clause)))


def excepted_places(folded: str) -> tuple[tuple[int, int], ...]:
    """Where the exceptions of a folded clause stand, in order, none inside another."""
    opens = [match for match in _OPENS.finditer(folded) if not _is_allowed(folded, match)]
    found: list[tuple[int, int]] = []
    end = 0
    for number, match in enumerate(opens):
        if match.start() < end:
            continue
        end = _end_of(folded, match, [one.start() for one in opens[number + 1 :]])
        found.append((match.start(), end))
    return tuple(found)


def _is_allowed(folded: str, opened: re.Match[str]) -> bool:
    """True for a 'without consent' after a permission: 'may assign without consent' makes no exception of itself."""
    if _WITHOUT.match(opened.group(0)) is None:
        return False
    before = _OWN_RULE.split(folded[: opened.start()])[-1]
    return ALLOWS.search(before) is not None and FORBIDS.search(before) is None and NEGATED.search(before) is None


def _end_of(folded: str, opened: re.Match[str], later: list[int]) -> int:
    """Where an exception ends: its bracket, its comma where it leads the sentence, the next one, or its sentence."""
    start = opened.start()
    limit = min(len(folded), start + MAX_EXCEPTION)
    if folded[:start].rstrip().endswith("("):
        close = folded.find(")", opened.end())
        if 0 < close < limit:
            return close
    leads = (
        re.search(r"(?:^|[.;:]\s+|\bbut,?\s+)[\W\d]*(?:(?:notwithstanding|and|however),?\s+)?$", folded[:start])
        is not None
    )
    is_reference = opened.group(0) in ("subject to", "sous reserve") and not later[:0]
    pattern = _HEAD_END if leads or is_reference else _END
    at = opened.end()
    stop = pattern.search(folded, at)
    while stop is not None and (_LIST_COMMA.match(folded, stop.start()) or _is_abbreviation(folded, stop)):
        stop = pattern.search(folded, stop.end())
    end = stop.start() if stop is not None else len(folded)
    following = [place for place in later if place > at and re.search(r"[,(]\s*(?:and |or |but )?$", folded[:place])]
    if following and following[0] < end:
        end = following[0]
    if end > limit:
        end = folded.rfind(" ", start, limit)
    return len(folded[:end].rstrip(" ,("))


def _is_abbreviation(folded: str, stop: re.Match[str]) -> bool:
    """True for the full stop of 'Inc.' or 'No.', which ends no sentence."""
    return (
        folded[stop.start()] == "."
        and re.search(r"\b(?:inc|ltd|co|corp|no|sec|art|s\.a|s\.l|e\.g|i\.e)$", folded[: stop.start()]) is not None
    )
