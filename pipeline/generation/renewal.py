# ruff: noqa: E501  # patterns are read whole, on one line
"""For how long a contract is renewed, and how long before its end a party says that it shall not be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.generation.contract_dates import ContractDates
from pipeline.generation.proposal import Draft, Proposal
from pipeline.generation.statements import DOCUMENT, Statement, compile_words
from pipeline.values import find_values, same_value
from schemas.answer import Duration, OpenEnd, Value

NEAR = 45  # characters before a length in which 'additional' or 'renewal term of' makes it that of a renewal
FAR = 140  # characters behind 'shall be renewed' in which its length stands
WINDOW = 170  # characters around a notice in which the end of the term is named
SHORT = 60  # characters before a notice in which the end of the term is named: 'at the end of the term, upon notice'
BEFORE = 100  # the same where a renewal is named too: 'before the expiry of the Agreement or any of its renewals, upon'
MAX_OTHERS = 3  # further periods named in a caveat

_RENEWAL = r"renew\w*|extend\w*|extension\w*|prolong\w*|roll\w* over|rollover|prorrog\w*|renov\w*|renuev\w*|reconduc\w*|reconduit\w*|renouvel\w*|prorog\w*|evergreen|month[ -]to[ -]month|year[ -]to[ -]year"
_RENEWS = compile_words(rf"\b(?:{_RENEWAL}|successive|consecutive|sucesiv\w*)\b")
_THEREAFTER = compile_words(
    r"\b(?:thereafter|after that|after the (?:initial|first) (?:term|period)|en lo sucesivo|a continuacion|par la suite|ensuite)\b"
)
_PERIOD_BEFORE = compile_words(
    r"\b(?:successive|additional|further|consecutive|subsequent|renewal|renewed|extension|extended|another|following|like|sucesiv\w+|adicional\w*|nuev\w+|otr\w+|renovacion|prorroga|supplementaire\w*|successive\w*|nouvelle\w*|autre\w*|renouvellement|reconduction)\b[^.;:]{0,40}$"
)
_PERIOD_AFTER = compile_words(
    r"^[\W]{0,3}(?:renewals?|extensions?|additional|successive|consecutive|renewal|(?:periods?|terms?|intervals?|increments?|basis)\b(?! (?:of|to) (?:notice|cure))|each\b|at a time|adicional\w*|sucesiv\w*|cada (?:un[ao]|vez)|chacune?|supplementaire\w*|successive\w*)"
)
_RENEWED_FOR = compile_words(
    rf"\b(?:{_RENEWAL})\b[^.;]{{0,{FAR}}}?\b(?:for|by|of|on|to|in|por|de|durante|pour|par|d')[^.;]{{0,30}}$"
)
_INITIAL = compile_words(
    r"\b(?:initial|primary|first|original|inicial|initiale?) (?:\w+ )?(?:term|period|plazo|periodo|periode|duree)\b[^.;]{0,25}$|\b(?:plazo|periodo|duracion|periode|duree) initi?ale?\b[^.;]{0,25}$"
)
_NOTICE_AFTER = compile_words(
    r"^[\W]{0,4}(?:(?:prior|previous|advance|advanced|written|days?|calendar|business|of|in|before|formal|such|a|the|por escrito|de|previ\w+|ecrit\w*|par|avant)[\W ]+){0,5}(?:notice|notification|written|preaviso|aviso|antelacion|anticipacion|preavis)\b|^\W{0,3}(?:prior to|before|in advance|preceding|antes|avant|previ[oa]s? a)\b"
)
_NOTICE_BEFORE = compile_words(
    r"\b(?:at least|(?:no|not) (?:less|fewer|later) than|within|al menos|con una antelacion|minim\w+|au moins|(?:un|el) preaviso de|(?:un|le) preavis (?:minimal )?(?:de|d'))\W*(?:\w+\W+){0,2}$"
)
_OF_CONTRACT = compile_words(
    rf"\b(?:{DOCUMENT}|term|initial term|engagement|employment|appointment|arrangement|subscription|period|periodo|periode|plazo|vigencia|duracion|duree)s?\b"
)
_OTHER_THING = compile_words(
    r"\b(?:patents?|trademarks?|registration|insurance|polic(?:y|ies)|domain|permits?|invoices?|payment|credit|loan|delivery|audit|cure period|breach|default|records|warranty|option to purchase|force majeure|statute)\b"
)
_DEFINES_OTHER = compile_words(
    r"^[\W\d]*[\"“](?![^\"”]*(?:renew|exten|term|prorrog|renov))[^\"”]{2,60}[\"”] (?:means?|shall mean|refers?)\b"
)
_NOT_RENEWED = compile_words(r"\b(?:has|have|had) not been (?:renewed|extended)\b")
_OPEN = compile_words(
    r"\b(?:continue\w*|remain\w*|extend\w*|renew\w*|indefinite\w*)\b[^.;]{0,80}?(?P<open>\bindefinitely\b(?:[^.;]{0,20}?until [^.;]{3,120})?|\buntil (?:it is |either|any|such time as|this agreement is|the agreement is|terminated|cancel\w*|one|a party|notice)[^.;]{3,120})|\b(?:se prorrogara|continuara|seguira)\b[^.;]{0,40}(?P<open_es>\bindefinidamente\b|\bhasta que [^.;]{3,120})|\b(?:se poursuivra|sera prolonge|continuera)\b[^.;]{0,40}(?P<open_fr>\bindefiniment\b|\bjusqu'a [^.;]{3,120})"
)
_ENDS = compile_words(
    r"\b(?:prior to|before|preceding|in advance of|of|at|antes de|antelacion a(?:l)?|anticipacion a(?:l)?|previ[oa]s? a(?:l)?|con respecto a|a|avant)\b[^.;]{0,60}?\b(?:end|expir\w*|expiry|renewals?(?! (?:fees?|payments?|premium))|conclusion|completion|anniversary|termination date|commencement of|start of|then[- ]current|finalizacion|vencimiento|terminacion|expiracion|fin|termino|prorroga|terme|echeance|expiration|fin)\b|\bof such periods?\b|\bend of (?:a|the|any|each|such) (?:\w+ )?(?:term|period)\b"
)
_NOT_RENEW = compile_words(
    r"\bnot (?:to )?(?:renew|extend|be renewed|be extended)\w*|\bnon-?renewal|\b(?:intent\w*|desire|election|wish\w*|elect\w*|decision|decid\w*) (?:not to (?:renew|extend|continue)|to (?:terminate|cancel|discontinue|not renew))|\b(?:no|de no) (?:renovar|prorrogar|continuar)\w*|\bne pas (?:renouveler|reconduire|prolonger)|\bdenonc\w*|\bdenunci\w*|\bun(?:less|til) (?:it is |sooner |earlier |otherwise )?(?:terminated|cancel\w*|either|any|one|notice|a party|the other)|\bsalvo (?:que|denuncia|preaviso|comunicacion|aviso)|\bsauf (?:denonciation|preavis|notification|si)|\ba menos que|\ba moins que"
)
_FOR_CAUSE = compile_words(
    r"\b(?:breach\w*|default\w*|cure\w*|remed\w*|insolven\w*|bankrupt\w*|fails? to|incumpl\w*|manquement|defaut)\b"
)
_INSURED = compile_words(r"\b(?:insur\w*|polic(?:y|ies)|seguros?|polizas?|assurances?)\b")
_NOTIFY = compile_words(
    r"\b(?:notice|notif\w*|inform\w*|advis\w*|in writing|avis\w*|preaviso|comunic\w*|antelacion|anticipacion|denunci\w*|preavis|denonc\w*|avert\w*|previen\w*|ecrit)\b"
)
_AT_WILL = compile_words(
    r"\b(?:for (?:any|no) reason|with(?:out| or without) cause|at any time|for convenience|en cualquier momento|sin causa|a tout moment|sans motif)\b"
)


@dataclass(frozen=True, slots=True)
class Period:
    """A length in a statement, how plainly it is what was asked for (1 is the plainest), and its caveats."""

    statement: Statement
    value: Value
    rank: int
    caveats: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[int, bool, int]:
        """Plainest first, then primary passages, then the document's order."""
        return self.rank, self.statement.passage.candidate.role != "primary", self.statement.lines[0]


def pick_renewal(dates: ContractDates) -> Draft:
    """For how long the contract is renewed each time; open where it then runs until it is terminated."""
    periods = sorted(_renewals(dates.statements), key=lambda one: one.order)
    if not periods:
        return Draft((), caveats=("None of the passages states for how long the agreement is renewed or extended.",))
    return _draft(periods)


def pick_renewal_notice(dates: ContractDates) -> Draft:
    """How long before the end of a term the notice is due that keeps the contract from being renewed."""
    periods = sorted(_notices(dates.statements), key=lambda one: one.order)
    if not periods:
        why = "None of the passages states how long before the end of the term a notice against renewal is due."
        return Draft((), caveats=(why,))
    return _draft(periods)


def _draft(periods: Sequence[Period]) -> Draft:
    """The plainest; one that differs in another sentence as plain is given with it, others are named."""
    best = periods[0]
    others: list[Period] = []
    for one in periods[1:]:
        known = (best, *others)
        if one.rank == best.rank and not any(same_value(one.value, each.value) for each in known):
            others.append(one)
    named = [" ".join(str(getattr(one.value, "original", "")).split()) for one in others[:MAX_OTHERS]]
    caveat = (f"Other periods are stated on the same point: {'; '.join(map(repr, named))}.",) if named else ()
    return Draft((_propose(best),), (*best.caveats, *caveat))


def _propose(one: Period) -> Proposal:
    return Proposal(one.value, (one.statement.span,), str(getattr(one.value, "original", "")), "rules")


def _renewals(statements: Sequence[Statement]) -> Iterator[Period]:
    for one in statements:
        flat = one.flat
        renews = _RENEWS.search(flat)
        if renews is None and not (_THEREAFTER.search(flat) and _OPEN.search(flat)):
            continue
        if not _OF_CONTRACT.search(flat) and not _OF_CONTRACT.search(one.sentence.heading):
            continue
        if _DEFINES_OTHER.match(flat) or _NOT_RENEWED.search(flat):
            continue
        found = next(_renewal_lengths(one), None)
        if found is not None:
            if not _OTHER_THING.search(flat[: flat.find(" ".join(found.original.split()))]):
                yield Period(one, found, 1, _by_agreement(flat))
            continue
        told = _OPEN.search(flat)
        if told is None or _OTHER_THING.search(flat[:120]):
            continue
        if _THEREAFTER.search(flat[: told.end()]) or (renews is not None and renews.start() < told.end()):
            name = next(key for key, words in told.groupdict().items() if words)
            original = one.written(*told.span(name)).rstrip(" ,\n")
            yield Period(one, OpenEnd(until=_until(original), original=original), 2)


def _until(original: str) -> str | None:
    words = " ".join(original.split())
    for opening in ("indefinitely until ", "until ", "hasta que ", "jusqu'à "):
        if words.lower().startswith(opening):
            return words[len(opening) :]
    return None


def _renewal_lengths(one: Statement) -> Iterator[Duration]:
    """Lengths of a sentence that are those of a renewal, the surest first."""
    weaker: list[Duration] = []
    for found in find_values(one.written(0, len(one.flat)), "duration"):
        value = found.value
        if not isinstance(value, Duration) or value.unit in ("hour", "business_day"):
            continue
        before, after = one.flat[: found.start], one.flat[found.end :]
        if _NOTICE_AFTER.search(after) or _NOTICE_BEFORE.search(before) or _INITIAL.search(before):
            continue
        if not _RENEWS.search(before) and not _RENEWS.search(after[:30]) and not value.recurring:
            continue
        if value.recurring or _PERIOD_BEFORE.search(before[-NEAR - 20 :]):
            yield value
        elif _PERIOD_AFTER.search(after) or _RENEWED_FOR.search(before):
            weaker.append(value)
    yield from weaker


def _by_agreement(flat: str) -> tuple[str, ...]:
    if _MUTUAL.search(flat):
        return ("The renewal needs the agreement of the parties; it does not come by itself.",)
    return ("The renewal is an option; it does not come by itself.",) if _OPTION.search(flat) else ()


_MUTUAL = compile_words(
    r"\b(?:mutual\w*|written) (?:\w+ )?(?:agree\w*|consent)|\bupon (?:the )?agreement of|\bacuerdo (?:mutuo|de las partes)|\bmutuo acuerdo|\bcommun accord|\baccord (?:mutuel|des parties)"
)
_OPTION = compile_words(
    r"\b(?:option|elect\w*|right) to (?:renew|extend)|\bat (?:\w+ )?(?:\w+'s )?option\b|\bopcion de (?:renovar|prorrogar)|\bfaculte de (?:renouveler|proroger)"
)


_OF_NOTICE = compile_words(r"\b(?:end|expir\w*) of (?:the|such|said|that) [^.;]{0,30}?notice(?: period)?\b")
_RUNS_ON = ("The agreement runs on until notice is given; it is the notice that ends it.",)
_DUE_AFTER = compile_words(r"^\W{0,3}(?:after|following|from|despues|desde|tras|siguientes|apres|suivant|a compter)\b")
# A notice by which a party takes an option to extend keeps nothing from being renewed.
_TO_EXTEND = compile_words(
    r"\b(?:elect\w*|option|right|wish\w*|desir\w*|intent\w*|exercis\w*|may)\b[^.;]{0,110}?\b(?:renew|extend)\b|\bopcion de (?:renovar|prorrogar)|\boption de (?:renouvel|prorog)\w*"
)
_NOT_EXTENDED = compile_words(
    r"\bnot (?:to )?(?:be )?(?:renew|extend)\w*|\bnon-?renewal|\bunless\b|\bterminat\w*|\bno (?:renovar|prorrogar)\w*|\bsalvo\b|\bne pas\b|\bsauf\b"
)


def _notices(statements: Sequence[Statement]) -> Iterator[Period]:
    for at, one in enumerate(statements):
        flat = one.flat
        above = statements[at - 1].flat if at and statements[at - 1].passage is one.passage else ""
        for found in find_values(one.written(0, len(flat)), "duration"):
            value = found.value
            if not isinstance(value, Duration) or value.unit == "hour":
                continue
            before, after = flat[: found.start], flat[found.end :]
            is_due = _NOTICE_BEFORE.search(before) and _NOTIFY.search(flat) and not _DUE_AFTER.search(after)
            if not _NOTICE_AFTER.search(after) and not is_due:
                continue
            rank = _notice_rank(flat, above, before, after)
            if rank:
                yield Period(one, value, rank, _RUNS_ON if rank == 3 else ())


def _notice_rank(flat: str, above: str, before: str, after: str) -> int:
    """1 before the end of the term and against renewal, 2 one of both, 3 what ends a term that runs on; 0 another."""
    if _INSURED.search(flat):
        return 0
    near = f"{before[-WINDOW:]} {after[:WINDOW]}"
    renews = _RENEWS.search(flat) is not None
    against = _NOT_RENEW.search(near) is not None
    reach = BEFORE if _RENEWS.search(before[-BEFORE:]) else SHORT
    at_end = any(_ENDS.search(_OF_NOTICE.sub("", words)) for words in (after[:WINDOW], before[-reach:]))
    if not _NOTIFY.search(flat) and not (renews and against and at_end):  # 'renewed unless terminated 6 months before'
        return 0
    if _TO_EXTEND.search(near) and not _NOT_EXTENDED.search(near):
        return 0
    if _FOR_CAUSE.search(near) and not (renews and at_end):
        return 0
    if _AT_WILL.search(near) and not at_end:
        return 0
    if at_end and against and (renews or _RENEWS.search(above)):
        return 1
    if at_end and (renews or against or _RENEWS.search(above)):
        return 2
    if renews and against:
        return 2
    runs_on = _OPEN.search(flat)
    if runs_on is not None and runs_on.start() < len(before) and not _AT_WILL.search(near):
        return 3
    return 0
