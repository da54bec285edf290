"""The dates and periods of a contract: which reader answers a question on them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dictionaries.folding import folded_text
from pipeline.generation.contract_dates import ContractDates, pick_agreement_date, pick_effective_date
from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft
from pipeline.generation.renewal import pick_renewal, pick_renewal_notice
from pipeline.generation.term_end import pick_expiration
from pipeline.generation.topic import Topic

_READ = {
    "agreement_date": ("date",),
    "effective_date": ("date",),
    "expiration_date": ("date", "duration"),
    "renewal_term": ("duration",),
    "notice_period_to_terminate_renewal": ("duration", "date"),
}
# Concepts that a question on a contract's dates names beside: they ask for no other thing.
_BESIDE = frozenset(
    [
        *_READ,
        *("termination", "termination_for_convenience", "notices", "parties", "document_name", "license_grant"),
    ]
)
# Words that name the contract, its course or the asking itself, in the three languages; any other word asks for more.
_PLAIN_WORD = re.compile(
    r"(?:agreements?|contracts?|lease|licen[cs]e|deal|document|deed|amendment|engagement|arrangement|terms?|periods?|initial|original|first|first's|current"
    r"|renew\w*|extend\w*|extension\w*|automatic\w*|unilateral|option\w*|prior|notice\w*|includ\w*|expir\w*|expiration|terminat\w*|end\w*|last|lasts|lasting|run|runs|long|length|duration"
    r"|dates?|day|days|effective|commenc\w*|start\w*|begin\w*|take|takes|taking|sign\w*|execut\w*|dated|made|enter\w*|force|effect|valid\w*|required?|need\w*|give|given|avoid|prevent|stop|advance|far|before|after|over|up|out|until"
    r"|exact\w*|calendar|please|know|want|anniversary|per|each|successive|times|again|whether|party|parties|conclu\w*|finish\w*|finali\w*|scheduled"
    r"|contrato\w*|acuerdo\w*|convenio|plazo\w*|vigencia|duracion|vence\w*|vencimiento|termina\w*|acaba\w*|expira\w*|prorrog\w*|renov\w*|renuev\w*|preaviso|antelacion|fecha\w*|firm\w*|suscri\w*|entra\w*|vigor|inicio|inicia\w*|comienz\w*|hace|falta|tiempo|avisar|dura|cada|periodo\w*"
    r"|contrats?|accords?|convention|bail|duree|fin|prend\w*|prend-il|expire\w*|echeance|terme|reconduc\w*|renouvel\w*|preavis|signature|signe\w*|vigueur|entre\w*|entree|debut\w*|commence\w*|dure\w*|[a-z]+-(?:t-)?(?:il|elle|ils|elles|on)|chaque|periode\w*|faut\w*|combien|temps|conclue?)"
)


def pick_contract_term(passages: Sequence[Passage], topic: Topic, *, readable: Sequence[Passage] = ()) -> Draft | None:
    """What the contract states of the date or period asked for; None for a question on anything else.

    An empty draft says that the question is one of these, and why nothing can be given. `readable` are all passages:
    the opening of a contract, where a term's beginning is defined, may be among those that only touch the question.
    """
    name = _asked(topic)
    if name is None:
        return None
    if name in ("renewal_term", "notice_period_to_terminate_renewal"):
        dates = ContractDates.of(passages)
        return pick_renewal(dates) if name == "renewal_term" else pick_renewal_notice(dates)
    dates = ContractDates.of(readable or passages)
    if name == "agreement_date":
        return pick_agreement_date(dates)
    if name == "effective_date":
        return pick_effective_date(dates)
    return pick_expiration(dates, topic.brief.answer_type)


def _asked(topic: Topic) -> str | None:
    """The concept that is asked for, where the question asks for it alone."""
    brief = topic.brief
    concepts = [one.concept_id for one in brief.concepts]
    if brief.answer_shape != "single" or not concepts or brief.answer_type not in _READ.get(concepts[0], ()):
        return None
    if topic.exact or topic.scope or brief.exclusions or brief.filters.date_range is not None:
        return None
    if any(one not in _BESIDE for one in concepts[1:]):
        return None
    if any(_PLAIN_WORD.fullmatch(word) is None for word in topic.own_words):
        return None
    if concepts[0] == "expiration_date" and _NOTICE_WORD.search(folded_text(brief.question)):
        return None
    return concepts[0]


_NOTICE_WORD = re.compile(r"\b(?:preaviso|preavis|antelacion|notice period|how much notice)\b")
