"""Telling a line that says something from a title: a numbered clause may be a whole sentence on one line."""

from __future__ import annotations

import re

LONGEST_ABBREVIATION = 12  # characters, 'approx.' with room to spare; so that a long text is read once, not once a stop
MIN_SENTENCE_WORDS = 4  # words; 'Time is money.' and shorter lines are titles as often as sentences

# A finite verb, in small letters as running text has it; a title in title case writes 'When This Agreement Is Ended'.
_VERB = re.compile(
    r"(?<![\w'’-])(?:shall|will|must|may|can|cannot|is|are|was|were|has|have|had|does|do|means?|agrees?|applies|apply|governs?"
    r"|remains?|continues?|begins?|starts?|ends?|expires?|terminates?|lasts?|pays?|owes?|grants?|warrants?|undertakes?"
    r"|acknowledges?|represents?|includes?|excludes?|covers?|requires?|prevails?|survives?|constitutes?|supersedes?"
    r"|es|son|será[n]?|está[n]?|debe[n]?|deberá[n]?|puede[n]?|podrá[n]?|tiene[n]?|tendrá[n]?|rige|regirá|significa|paga[n]?"
    r"|pagará[n]?|queda[n]?|quedará[n]?|ha[n]?|se\s+\w+"
    r"|est|sont|sera|seront|doit|doivent|devra|devront|peut|peuvent|pourra|pourront|a|ont|aura|auront|désigne|signifie"
    r"|s'applique|s’applique|s'engage|s’engage|prend|paie|paye|verse|règle)(?![\w-])"
)
_FRENCH_OR_SPANISH_ONLY = frozenset(("a", "ha", "han"))  # 'a' is an article in English: it proves no verb there
_CAPITAL_VERB = re.compile(r"(?<!\w)(?:SHALL|WILL|MUST|MAY|IS|ARE|DEBERÁN?|PODRÁN?|DOIT|DOIVENT|PEUT|PEUVENT)(?!\w)")
_QUESTION_TITLE = re.compile(r"^(?:when|where|how|what|who|why|which|whether|if)\b", re.IGNORECASE)

_ENDS = re.compile(r"[.;!?][”\"'’)\]]{0,2}\s+(?=[A-ZÀ-Ý0-9“\"'‘(¿¡\[])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:Inc|Ltd|Co|Corp|Nos?|Mr|Mrs|Ms|Dr|St|Art|Sec|Fig|Eq|Ref|vs|cf|etc|approx|núm|pág|Sra?|pp?|Vol)|\b[A-Z]|\d)\.$"
)


def sentence_starts(text: str) -> tuple[int, ...]:
    """Where each sentence of a paragraph starts, ascending, the first at 0; abbreviations and numbers end none."""
    return (0, *(match.end() for match in _ENDS.finditer(text) if not _is_abbreviated(text, match.start() + 1)))


def is_sentence(text: str) -> bool:
    """True for words that make up a whole sentence: a full stop (or a semicolon) at the end and a verb inside.

    `text` without its number. 'Governing Law.' and 'Termination and Its Effects.' are titles; so are 'When we may end
    it.' and every line without a full stop.
    """
    words = text.split()
    if len(words) < MIN_SENTENCE_WORDS or not text.rstrip("\"”’')] ").endswith((".", ";")):
        return False
    if _QUESTION_TITLE.match(text) and "," not in text:
        return False
    if text.upper() == text:
        return _CAPITAL_VERB.search(text) is not None
    return any(match.group() not in _FRENCH_OR_SPANISH_ONLY for match in _VERB.finditer(text))


def _is_abbreviated(text: str, end: int) -> bool:
    """True when the words before `end` close with an abbreviation or a number; only as many letters are read."""
    return _ABBREVIATED.search(text, max(0, end - LONGEST_ABBREVIATION), end) is not None
