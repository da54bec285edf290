# ruff: noqa: E501  # patterns are read whole, on one line
"""Sentences that say by their build what a concept asks for, where no single word of them proves it.

A notice against renewal is 'renewed ... unless ... thirty days before the end', whatever the words in between; each
word alone stands in a dozen other clauses. In 173 contracts of CUAD v1 such a
sentence stood in 30 of the 42 that are labelled with the period and in none of the 131 that are not; of renewals that
run on, in 4 of 61 and in 1 of 112.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pipeline.values import find_values
from pipeline.values.found import fold

if TYPE_CHECKING:
    from pipeline.retrieval.lines import Lines

_SPAN = r"(?:days?|months?|weeks?|years?)\b"
_SENTENCES: Mapping[str, tuple[str, str]] = {
    "renewal_term": (
        "open_end",
        # behind its first term it goes on until it is ended
        r"\b(?:thereafter|after that|after the (?:initial|first) term)\b[^.;]{0,60}\b(?:continu|remain|renew|extend)\w*[^.;]{0,80}\b(?:until|indefinitely)\b[^.;]{0,60}|\b(?:continu|remain|renew|extend)\w*[^.;]{0,60}\b(?:thereafter|after that)\b[^.;]{0,40}\b(?:until|indefinitely)\b[^.;]{0,60}",
    ),
    "notice_period_to_terminate_renewal": (
        "duration",
        # it is renewed, unless notice is given so long before
        (
            rf"\b(?:renew|extend|prolong)\w*\b[^.;]{{0,250}}\b(?:unless|until|provided that neither|if neither)\b[^.;]{{0,250}}\b{_SPAN}[^.;]{{0,60}}?\b(?:prior|before|preceding|in advance|notice|notification)\b"
            # notice that it shall not go on, so long before the end
            rf"|\b(?:notice|notif\w*|in writing|elect\w*)\b[^.;]{{0,170}}\b(?:not (?:to )?(?:renew|extend)\w*|non-?renewal|terminat\w*|cancel\w*|discontinu\w*)\b[^.;]{{0,170}}\b{_SPAN}\W{{0,4}}(?:prior to|before|preceding|in advance of)\b[^.;]{{0,60}}\b(?:end|expir\w*|renewal|anniversary|conclusion|close)\b"
            # behind its first term it goes on until it is ended by notice of so long
            rf"|\b(?:thereafter|after that|renew|extend)\w*\b[^.;]{{0,200}}\buntil (?:(?:it|this \w+) is )?(?:terminated|cancell?ed|either|any|one)\b[^.;]{{0,100}}\b{_SPAN}[^.;]{{0,30}}\bnotice\b"
            rf"|\b(?:at|before|prior to|upon) the (?:end|expir\w*)\b[^.;]{{0,60}}\brenewals?\b[^.;]{{0,60}}\b{_SPAN}[^.;]{{0,30}}\bnotice\b"
            r"|\b(?:prorrog|renov|renuev|reconduc)\w*[^.;]{0,250}\b(?:salvo|a menos que|excepto|si ninguna|siempre que ninguna)\b[^.;]{0,250}\b(?:(?:dias?|mes(?:es)?|semanas?|anos?)\b[^.;]{0,80}\b(?:antes|antelacion|anticipacion|preaviso)|(?:antelacion|anticipacion|preaviso)\b[^.;]{0,60}\b(?:dias?|mes(?:es)?|semanas?|anos?))\b"
            r"|\b(?:renouvel|recondui|reconduc|prorog|prolong)\w*[^.;]{0,250}\b(?:sauf|a moins que?|a defaut|si aucune)\b[^.;]{0,250}\b(?:(?:jours?|mois|semaines?|ans?)\b[^.;]{0,80}\b(?:avant|preavis|a l'avance)|preavis\b[^.;]{0,60}\b(?:jours?|mois|semaines?|ans?))\b"
        ),
    ),
}
_COMPILED = {name: (kind, re.compile(pattern, re.IGNORECASE)) for name, (kind, pattern) in _SENTENCES.items()}
_ENDS = re.compile(r"[.;:!?][\"'”)\]]{0,2}$")


def states_in_full(lines: Lines, block: int, concept_id: str) -> bool:
    """True where a block says by the build of a sentence what the concept asks for, with a value in it.

    A sentence that runs on is read through the next block. False for a concept that has no such sentences.
    """
    if concept_id not in _COMPILED:
        return False
    kind, pattern = _COMPILED[concept_id]
    text = _flat(lines.block_text(block))
    if not _ENDS.search(text) and block + 1 < lines.block_count:
        text = f"{text} {_flat(lines.block_text(block + 1))}"
    told = pattern.search(text)
    return told is not None and bool(find_values(text[told.start() : told.end()], kind))


def _flat(text: str) -> str:
    return " ".join(fold(text).split())
