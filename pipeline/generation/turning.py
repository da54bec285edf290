# ruff: noqa: E501  # patterns are read whole, on one line
"""Double negatives said plainly: 'is not prohibited from' allows, 'may not refuse to' requires, 'ne peut que' confines.

A clause is rewritten before it is read, letter for letter as long as it was, so that its places stay those of the words.
"""

from __future__ import annotations

import re

_STOPPED = r"(?:prohibited|forbidden|prevented|precluded|barred|debarred|banned|restrained|hindered|impeded|estopped|disallowed|restricted(?! to\b)|enjoined)(?: (?:from|in|against))?"
_STOPS = r"(?:prohibits?|forbids?|prevents?|precludes?|bars?|restrains?|hinders?|impedes?)"
_SURELY = r"(?:(?:\w+ly|in any way|in any manner|hereby|otherwise) )?"
# What is written, and what it says; the words put for it are never longer than those that they stand for.
_TURNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\b(?:is|are|was|were) (?:not|never) {_SURELY}(?:be )?{_STOPPED}"), "may"),
    (re.compile(rf"\b(?:shall|will|may|must|can|should) (?:not|never) {_SURELY}be {_SURELY}{_STOPPED}"), "may"),
    (re.compile(rf"\bcannot be {_SURELY}{_STOPPED}"), "may"),
    (
        re.compile(
            r"\b(?:shall|will|may|must|can|should) (?:not|never) (?:unreasonably )?(?:refuse|fail|omit|neglect|decline) to (?:allow|permit)\b"
        ),
        "shall permit",
    ),
    (
        re.compile(r"\b(?:shall|will|may|must|can|should) (?:not|never) (?:refuse|fail|omit|neglect|decline) to\b"),
        "shall",
    ),
    (re.compile(r"\bmay or may not\b"), "might"),  # neither allows nor forbids
    (re.compile(r"\bcannot (?:refuse|fail|decline) to (?:allow|permit)\b"), "must permit"),
    (re.compile(r"\bcannot (?:refuse|fail|decline) to\b"), "must"),
    (
        re.compile(r"\b(?:is|are) (?:not|never) (?:required|obliged|obligated|bound) to (?:refrain|abstain) from\b"),
        "may",
    ),
    (re.compile(r"\bno (?:se prohibe|(?:esta|queda|es|sera|estara)n? prohibid[oa]s?)(?: a)?\b"), "puede"),
    (re.compile(r"\bno (?:se )?(?:impedira|impide|prohibira)n? (?:a|al)\b"), "podra"),
    (re.compile(r"\bnada (?:[^.;,]{0,60}? )?(?:impide|impedira|prohibe|prohibira)(?: que)?\b"), "puede"),
    (re.compile(r"\bn'(?:est|etait) (?:pas|nullement|jamais) (?:interdit|empeche|defendu|prohibe)e?s?\b"), "peut"),
    (
        re.compile(r"\bne (?:sera|seront|sont) (?:pas|nullement|jamais) (?:interdit|empeche|defendu|prohibe)e?s?\b"),
        "peut",
    ),
    (re.compile(r"\brien (?:[^.;,]{0,60}? )?(?:n'interdit|n'empeche|n'interdira|n'empechera)\b"), "peut"),
    (re.compile(r"\bne (?:peut|peuvent|pourra|pourront) refuser de\b"), "doit"),
)
# 'Neither party shall be restricted from': the subject is each of them.
_NOBODY = re.compile(
    rf"\b(?P<who>neither|no)(?P<party> (?:of the )?(?:party|parties|provider|customer|\w+)(?: (?:shall|will|may|can) be| is| are)) {_SURELY}(?P<stop>{_STOPPED})"
)
_NEVER = re.compile(r"\b(?P<modal>shall|will|may|must|can) never\b")
_THAN = r"(?<!alors )(?<!afin )(?<!sans )(?<!pour )(?<!tel )(?<!telle )(?<!ainsi )(?<!autre )(?<!plus )(?<!moins )(?<!avant )(?<!apres )(?<!bien )(?<!lors )(?<!des )(?<!pas )(?<!meme )(?<!sorte )(?<!parce )"
# 'Ne peut être résilié que pour faute': it may be, for that alone; 'no podrá ... sino por' likewise.
_BUT_FOR = re.compile(
    rf"\bn(?:e |['’])(?P<what>(?:est|sont|peut|peuvent|pourra|pourront|sera|seront)\b(?:(?!\b(?:pas|point|jamais|aucune?|ni)\b)[^.;,]){{0,60}}?) {_THAN}qu(?:e\b|['’])"
    r"|\bno (?P<what_es>(?:se )?(?:puede|podra)n?\b[^.;,]{0,60}?) (?:sino|mas que)\b"
)
_CONFINES = re.compile(
    r"\b(?:only|solely|exclusively|solo|solamente|unicamente|exclusivamente|seulement|uniquement|exclusivement)\b"
)
_NOT_SO = re.compile(
    r"\b(?:it is not (?:the case|true|correct|agreed|intended) that|no es cierto que|no es el caso (?:de )?que|il n'est pas (?:vrai|exact|question) qu)"
)


# 'equipment which can be considered competitive': what may be thought of a thing, no permission to anybody.
_THOUGHT = re.compile(
    r"\b(?P<modal>can|could|may|might)(?= (?:\w+ly |in any way )?be (?:\w+ly )?(?:considered|deemed|regarded|construed|viewed|seen|interpreted|perceived|classified|understood)\b)"
    r"|\b(?P<modal_es>pued[ae]n?|podri?an?)(?= (?:\w+mente )?(?:ser (?:\w+mente )?)?(?:considera|entend|interpreta|reputa)\w+)"
    r"|\b(?P<modal_fr>peu(?:t|vent)|pourrai(?:t|ent)|puisse(?:nt)?)(?= (?:\w+ment )?(?:etre (?:\w+ment )?)?(?:consider|regarde|interprete|reput|vu)\w*)"
)


def said_plainly(folded: str) -> str:
    """The folded text with its double negatives turned into what they say, and what may be thought left out.

    Same length, same places.
    """
    for pattern, word in _TURNS:
        folded = pattern.sub(lambda match, said=word: said.ljust(len(match.group(0))), folded)  # type: ignore[misc]
    folded = _NOBODY.sub(_each, folded)
    folded = _NEVER.sub(lambda match: f"{match['modal']} not".rjust(len(match.group(0))), folded)
    folded = _THOUGHT.sub(lambda match: " " * len(match.group(0)), folded)
    return _BUT_FOR.sub(_confined, folded)


def widened(plain_folded: str, start: int, end: int) -> tuple[int, int]:
    """A place widened to whole words, and to the whole of a double negative that it stands in."""
    for pattern in (*(one for one, _ in _TURNS), _NOBODY, _NEVER, _BUT_FOR):
        for match in pattern.finditer(plain_folded):
            if match.start() < end and start < match.end():
                start, end = min(start, match.start()), max(end, match.end())
    before = re.search(r"[\w-]+$", plain_folded[:start]) if plain_folded[start : start + 1].isalnum() else None
    after = re.match(r"[\w-]+", plain_folded[end:]) if plain_folded[end - 1 : end].isalnum() else None
    return start - len(before.group(0) if before else ""), end + len(after.group(0) if after else "")


def is_turned(plain_folded: str) -> bool:
    """True for a clause that says that a thing is not forbidden."""
    return any(pattern.search(plain_folded) is not None for pattern, _ in _TURNS) or bool(_NOBODY.search(plain_folded))


def confined_at(folded: str, place: int) -> re.Match[str] | None:
    """'only' in the sentence of a permission at `place`, after it or within the few words before it."""
    stop = re.search(r"[.;](?:\s|$)", folded[place:])
    end = place + stop.start() if stop is not None else len(folded)
    return _CONFINES.search(folded, place, end)


def not_so(folded: str) -> re.Match[str] | None:
    """The words that deny a whole sentence: 'it is not the case that'."""
    return _NOT_SO.search(folded)


def _each(match: re.Match[str]) -> str:
    who = "each" if match["who"] == "neither" else "a"
    party = re.sub(r" (?:(?:shall|will|may|can) be|is|are)$", lambda one: " " * len(one.group(0)), match["party"])
    head = who.ljust(len(match["who"])) + party
    return (head + " may").ljust(len(match.group(0)))


def _confined(match: re.Match[str]) -> str:
    what = match["what"] or match["what_es"]
    return f"{what} solo".rjust(len(match.group(0)))
