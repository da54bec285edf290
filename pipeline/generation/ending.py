# ruff: noqa: E501  # patterns are read whole, on one line
"""Whether a clause lets a party end the contract without a cause, for a cause alone, or speaks of another ending."""

from __future__ import annotations

import re
from typing import Literal

Ending = Literal["free", "for_cause", "other"]

_RIGHT = re.compile(
    r"\b(?:(?:may|can|shall have the (?:\w+ ){0,2}right to|ha(?:s|ve) the (?:\w+ ){0,3}(?:right|option) to|(?:is|are|shall be) entitled to|(?:option|right) to|elects? to|electing to)\b[^.;]{0,80}?\b(?:terminat\w*|cancel\w*|end\b|rescind)"
    r"|(?:may|can|shall|will) (?:also )?be (?:terminated|cancell?ed|ended)|(?:until|unless(?: sooner| earlier)?) (?:terminated|cancell?ed)|terminable|terminated by|(?:its|their) right to terminate|termination by (?:either|any|the|each)"
    r"|(?:podra[n]?|puede[n]?|tendra[n]? derecho a|facultad de|derecho a)\b[^.;]{0,80}?\b(?:resolver|rescindir|terminar|desistir|poner fin|dar por terminado|denunciar|cancelar)"
    r"|(?:peut|peuvent|pourra|pourront|droit de|faculte de)\b[^.;]{0,80}?\b(?:resilie\w*|mettre fin|rompre|denoncer)|(?:peut|pourra) etre resili\w+|podra ser (?:resuelto|rescindido|terminado))\b"
)
_FREE = re.compile(
    r"\b(?:without (?:any |a |giving (?:a |any )?|showing |good |just )?(?:causes?|reasons?)|with or without (?:good )?(?:cause|reason)|for (?:its |their |his )?(?:own )?convenience|at will|for (?:any|no)(?: or (?:no|any))?(?: \w+)? reason|for (?:a|any) reason or (?:for )?no reason|any reason whatsoever"
    r"|no-fault|sin (?:\w+ ){0,3}(?:causa|motivo)|por conveniencia|(?:por )?cualquier (?:causa|motivo|razon)|sans (?:\w+ ){0,3}(?:motif|cause)|pour (?:tout|quelque) motif|pour convenance|a sa (?:seule )?discretion)\b"
)
# 'The Supplier has no right to terminate for convenience' gives none.
_NO_RIGHT = re.compile(
    r"\b(?:no (?:\w+ )?(?:right|option|power)|not (?:have|be entitled|entitled|permitted|allowed)|neither party\b[^.;]{0,20}?\b(?:may|shall|has|can)|(?:may|shall|can|will) not|cannot|no (?:podra|puede|tendra|tiene)\w*|ne (?:peut|pourra|dispose)\w*)\b[^.;]{0,60}?\b(?:terminat|cancel|end\b|rescind|resolver|rescindir|desistir|resilier|mettre fin)"
)
_MUTUAL = re.compile(
    r"\b(?:mutual(?:ly)?(?: \w+)? (?:consent|agree\w*)|by (?:written )?agreement of|mutuo acuerdo|commun accord)\b"
)
_ANY_TIME = re.compile(
    r"\b(?:at any time|sole (?:and absolute )?(?:discretion|option)|en cualquier momento|a tout moment)\b"
)
_BY_NOTICE = re.compile(
    r"\b(?:up ?on|on|by|with|giving|after|following|mediante|con|moyennant|avec|sous reserve d['’]un)\b[^.;]{0,90}?\b(?:notice|notification|preaviso|aviso|antelacion|preavis)\b|\b(?:days?|months?|dias|meses|jours|mois)[’']? (?:of )?(?:prior |advance |advanced )?(?:written )?(?:notice|notification|preavis|de preaviso|de antelacion)\b"
)
_CAUSE = re.compile(
    r"\b(?:if(?! any\b| applicable| so\b| to\b| by\b| given\b)|in (?:the )?(?:case|event)s?(?! of (?:a |any |such )?terminat)|where (?:a|an|the|any|either|such)|when (?:a|an|the|any|either|one)|should (?:the|either|any|a)|due to|because|as a result of|for cause|(?:upon|after|following) (?:(?:a|an|any|the|such|any such|such a|either|receipt) )?(?:\w+ ){0,4}?(?:occurrence|breach\w*|default\w*|failure|bankruptcy|insolvency|dissolution|event|change)"
    r"|for (?:any (?:one )?(?:or more )?of )?the following|following (?:causes|reasons|events)|(?:material|materially|uncured|in) (?:breach(?:es|ed)?|defaults?)|(?:has|have|is|be) (?:breached|defaulted|in breach)|breach(?:es)? (?:of )?(?:any|the|a|its|this)|fail(?:s|ed|ure)?(?: \w+)? to|insolven\w*|bankrupt\w*|force majeure|becomes?|ceases?|cured?|uncured"
    r"|(?:a|on) condition|provided that (?:the|such|no|it)|si|en caso|cuando|incumpl\w+|concurso|en cas|lorsque|manquement\w*|inexecution|faillite|redressement|liquidation)\b"
)
# What ends a renewal, or tells how the notice of an ending is given, is no right to end.
_RENEWAL = re.compile(
    r"\b(?:non-?renew\w*|not to (?:renew|extend)|(?:prior to|before|at|upon) (?:the )?(?:end|expir\w+|expiry|conclusion|anniversary|renewal)\b[^.;]{0,40}\b(?:term|period|year|anniversary|thereof|then)|(?:prior to|before) (?:the )?(?:expiration|expiry)|renewal (?:term|period)s? unless|unless (?:either|one|a) party\b[^.;]{0,60}\b(?:notice|notifies)|antes del vencimiento|a su vencimiento|avant l'echeance)\b"
)


def ending_of(folded: str) -> Ending:
    """'free' for a right to end by notice or at will, 'for_cause' for one that hangs on an event, else 'other'."""
    best: Ending = "other"
    for piece in re.split(r"(?<=[.;])\s+|\bprovided,? (?:however,? )?that\b|\bexcept that\b", folded):
        right = _RIGHT.search(piece)
        if right is None or _NO_RIGHT.search(piece):
            continue
        near = piece
        free = _FREE.search(near)
        if (
            free is not None
            and not re.search(r"\b(?:not|only|neither)\b[^.;,]{0,60}$", near[: free.start()])
            and not _is_conditional(near, right)
        ):
            return "free"
        if _RENEWAL.search(near) or _MUTUAL.search(near):
            continue
        if _CAUSE.search(near):
            best = "for_cause"
            continue
        if _ANY_TIME.search(near) or _BY_NOTICE.search(near):
            return "free"
    return best


def _is_conditional(piece: str, right: re.Match[str]) -> bool:
    """True where the right itself stands inside a condition: 'if the Company may terminate without cause, it pays'."""
    opened = re.search(r"\b(?:if|in the event|in case|si|en caso|en cas)\b", piece[: right.start()])
    return opened is not None and "," not in piece[opened.end() : right.start()]
