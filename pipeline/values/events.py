# ruff: noqa: E501  # patterns are read whole, on one line
"""The event that a period runs from or a day is counted from, in the document's words: 'the Effective Date'."""

from __future__ import annotations

import re

MAX_EVENT_WORDS = 10  # words of an event: 'receipt by the other party of written notice of such breach'
# An event is told by one of these; 'three years from Microsoft' names none.
_HEAD = (
    r"dates?|day|execution|signature|signing|termination|expiration|expiry|closing|receipt|notice|delivery|commencement|completion"
    r"|effectiveness|acceptance|approval|anniversary|end|beginning|start|launch|sale|invoice|term|period|year|month|quarter|demand|request|breach"
    r"|default|publication|registration|completion|occurrence|award|filing|installation|shipment|issuance|payment|renewal|hereof|thereof"
    r"|fecha|firma|entrega|recepcion|notificacion|terminacion|vencimiento|inicio|publicacion|finalizacion|resolucion|extincion|formalizacion|aceptacion|requerimiento|entrada|facturas?"
    r"|signature|reception|notification|resiliation|expiration|livraison|publication|fin|debut|cloture|conclusion|entree|facture|demande|echeance"
)
_FIRST = r"(?:(?:the|such|any|its|that|this|each|said|la|el|su|le|l'|cette|sa|a|an)\s+|l')?"
_STOP = r"(?:and|or|unless|if|shall|will|which|whichever|provided|subject|but|except|may|must|y|o|salvo|si|et|ou|sauf|upon|then|until|thereafter|when|where|is|are|was|has|have|be|for|during|without|with|as|sera|serait|est)(?![-\w])"
_WORDS = re.compile(rf"{_FIRST}(?!{_STOP})[A-Za-z][\w'-]*(?:\s+(?!{_STOP})[A-Za-z][\w'-]*){{0,{MAX_EVENT_WORDS - 1}}}", re.IGNORECASE)  # fmt: skip
_HAS_HEAD = re.compile(rf"\b(?:{_HEAD})\b", re.IGNORECASE)
_LINE_PREPOSITION = re.compile(r"(?:\s+(?:of|by|to|the|in|on|de|del|la|du|des|from|at|par|por|a|an|any|such|its|hereunder))+$", re.IGNORECASE)  # fmt: skip


def read_event(folded: str, text: str, at: int) -> tuple[int, str] | None:
    """End and words, on one line, of the event that stands at `at`; None where the words there tell of none."""
    match = _WORDS.match(folded, at)
    if match is None or not _HAS_HEAD.search(match[0]):
        return None
    cut = _LINE_PREPOSITION.search(match[0])
    end = match.start() + (cut.start() if cut is not None else len(match[0]))
    if not _HAS_HEAD.search(folded, at, end):
        return None
    return end, " ".join(text[at:end].split())
