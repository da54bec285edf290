# ruff: noqa: E501  # patterns are read whole, on one line
"""Terms without a fixed end: 'perpetual', 'until terminated by either party', 'por tiempo indefinido'."""

from __future__ import annotations

import re

from pipeline.values.found import FoundValue, fold
from schemas.values import OpenEnd

# It ends by nothing that has a date: the words alone say so.
_FOREVER = (
    r"(?:in|for)\s+perpetuity|perpetually|perpetual|for\s+ever|forever|indefinitely|evergreen"
    r"|(?:for\s+)?(?:an?\s+)?(?:indefinite|unlimited|indeterminate|undetermined|open[\s-]ended)\s+(?:term|period|duration|time)(?:\s+of\s+time)?"
    r"|without\s+(?:a\s+)?(?:fixed\s+)?(?:limit(?:ation)?\s+(?:of|in|as\s+to)\s+time|end\s+date|time\s+limit)|no\s+(?:fixed\s+)?(?:end|expiration|expiry|termination)\s+date"
    r"|(?:por\s+|con\s+(?:una\s+)?|de\s+)?(?:tiempo|plazo|duracion|periodo|vigencia)\s+(?:indefinid[oa]|ilimitad[oa]|indeterminad[oa])|indefinidamente|a\s+perpetuidad|perpetuamente"
    r"|(?:pour\s+|a\s+|d')?(?:une\s+)?duree\s+(?:indeterminee|illimitee|indefinie)|indefiniment|a\s+perpetuite|perpetuite|(?:pour\s+)?une\s+periode\s+(?:indeterminee|illimitee)"
)
# 'indefinite' as a predicate: 'the term is indefinite'; never 'indefinite quantity'.
_PREDICATE = r"(?:term|duration|period|vigencia|duracion|plazo|duree)\s+(?:\w+\s+){0,6}?(?:is|shall\s+be|will\s+be|remains?|es|sera|est)\s+(?P<said>indefinite|unlimited|indefinid[oa]|ilimitad[oa]|indeterminee|illimitee)\b"
_END = r"(?:terminat\w+|cancel\w*|expir\w+|ended|revoked|withdrawn|discontinu\w+|replaced|superseded|notice|notif\w+|informs?|inform\w+|resuelt[oa]|resci\w+|termin\w+|denunci\w+|extin\w+|resili\w+|denonc\w+|revo\w+|ceases?|cesse|notifie\w*)"
# 'until terminated by either party', 'unless and until X gives notice': the words up to the verb are kept as what ends it.
_UNTIL = (
    rf"(?:(?:(?:unless|except)\s+(?:and|or)\s+)?until|hasta(?:\s+que)?|jusqu'a(?:\s+ce\s+que|u\s+moment\s+ou)?|jusqu'a\s+ce\s+qu')\s*"
    rf"(?P<until>(?:(?!\d)[^\s.;:()]{{1,40}}[\s(]{{1,4}}){{0,12}}?{_END}\b(?:\s+(?:this\s+Agreement|by\s+(?:either|any|one|both|the|a|mutual)\s+\w+(?:\s+of\s+the\s+\w+)?|in\s+accordance\s+with\s+(?:the\s+provisions\s+of\s+)?(?:Section|Article|Clause|Paragraph)\s+\d+(?:\.\d+)*|as\s+(?:provided|set\s+forth)(?:\s+\w+)?|hereunder|por\s+(?:cualquiera|una|alguna)\s+de\s+las\s+partes|par\s+l'une\s+(?:ou\s+l'autre\s+)?des\s+parties|par\s+(?:l'une\s+des\s+parties|ecrit)))?)"
)
_WHEN = r"will\s+end\s+when\s+(?P<when>terminated(?:\s+by\s+(?:either|any)\s+party)?)"
# 'until either party gives six months' notice': how long the notice is, and no end of the term.
_NOTICE = (
    r"until\s+(?P<notice>(?:either|any|one|a|the)\s+(?:of\s+the\s+)?part(?:y|ies)\s+(?:hereto\s+)?(?:\w+\s+){0,2}?(?:gives?|provides?|serves?|delivers?|sends?|receives?)\b[^.;:]{0,90}?\bnotice(?:\s+(?:of\s+termination|to\s+terminate|to\s+the\s+other(?:\s+party)?)(?!\w))?)"
    r"|hasta\s+que\s+(?P<notice_es>(?:cualquiera|una|alguna)\s+de\s+(?:las|ellas)\s*(?:partes)?\s+(?:de|comunique|notifique|preavise|envie)\b[^.;:]{0,90}?\b(?:preaviso|antelacion|anticipacion|meses|dias))"
    r"|jusqu'a\s+ce\s+que\s+(?P<notice_fr>l'une?\s+(?:ou\s+l'autre\s+)?des\s+parties\s+(?:donne|adresse|notifie|envoie|delivre)\b[^.;:]{0,90}?\bpreavis(?:\s+(?:ecrit\s+)?de\s+\w+\s+(?:\(\d+\)\s+)?(?:mois|jours|semaines))?)"
)
_NOTICE_GROUPS = ("notice", "notice_es", "notice_fr")
_OPEN = re.compile(rf"\b(?:{_NOTICE}|(?P<forever>{_FOREVER})|{_PREDICATE}|{_UNTIL}|{_WHEN})(?!\w)", re.IGNORECASE)
# What 'terminat..' belongs to: an end that is stated by a date, an anniversary or a term's end is no open one.
_HAS_END = re.compile(
    r"\b(?:anniversary|(?:19|20)\d\d|end\s+of|date|years?|months?|days?|expiration\s+of|expiry\s+of|aniversario|fecha|anos?|mes(?:es)?|dias?|anniversaire|ans?|mois|jours?|fin\s+(?:de|du))\b|\bexpiration\b",
    re.IGNORECASE,
)
_NOT_A_TERM = re.compile(
    r"\s+(?:inventory|calendar|care|motion|quantity|preferred|securities|bonds?|debt)", re.IGNORECASE
)


def find_open_ends(text: str, language: str) -> tuple[FoundValue, ...]:  # noqa: ARG001 - read alike in all three
    """Terms without a fixed end in `text`, left to right; 'until' with a date or a counted period is none."""
    folded = fold(text)
    found: list[FoundValue] = []
    for match in _OPEN.finditer(folded):
        start, end = match.span()
        until: str | None = None
        by_notice = next((name for name in _NOTICE_GROUPS if match[name] is not None), None)
        if by_notice is not None:
            until = _words(text, *match.span(by_notice))
        elif match["until"] is not None:
            if _HAS_END.search(match["until"]):
                continue
            until = _words(text, *match.span("until"))
        elif match["when"] is not None:
            start, until = match.start("when"), _words(text, *match.span("when"))
        elif match["said"] is not None:
            start = match.start("said")
        elif _NOT_A_TERM.match(folded, end):
            continue
        found.append(FoundValue(start, end, OpenEnd(until=until, original=text[start:end])))
    return _joined(found, text)


def _joined(found: list[FoundValue], text: str) -> tuple[FoundValue, ...]:
    """'indefinitely until terminated' as one value."""
    joined: list[FoundValue] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is not None and re.fullmatch(r"[\s,]*(?:after\s+that[\s,]*|and\s+)?", text[last.end : one.start]):
            value = one.value.model_copy(update={"original": text[last.start : one.end]})
            joined[-1] = FoundValue(last.start, one.end, value)
        else:
            joined.append(one)
    return tuple(joined)


def _words(text: str, start: int, end: int) -> str:
    return " ".join(text[start:end].split())
