# ruff: noqa: E501  # patterns are read whole, on one line
"""How long a contract runs, as its sentences state it: from what, for how long, to which day or event."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from dictionaries.folding import folded_text
from pipeline.generation.contract_dates import ContractDates
from pipeline.generation.senses import CONDITION
from pipeline.generation.statements import DOCUMENT, DateMention, Statement, compile_words, owner_of
from pipeline.values import find_values
from pipeline.values.ordinals import ORDINAL, read_ordinal
from schemas.answer import Duration, OpenEnd, RelativeDate

END_REACH = 60  # characters between 'until' and its date: 'expire at 11:59 p.m. Eastern time on'
RENEWAL_REACH = 160  # characters before a length in which 'renewed' or 'extended' makes it that of a renewal
SEVERAL_REACH = 160  # the same in 'the later of (a) ... and (b) ...'
MIN_ROW_WORDS = 8  # of a line that looks like a row and may be a clause behind its number
MAX_LEAD = 160  # characters before the verb of a sentence whose subject is the contract
MAX_UNTIL = 160  # characters of what ends a contract without a date

_INITIAL = compile_words(
    r"\b(?:initial|primary|original|first) (?:contract )?(?:term|period)\b|\b(?:plazo|periodo|duracion|vigencia) inicial\b|\b(?:duree|periode) initiale\b"
)
_OF_CONTRACT = compile_words(
    rf"\b(?:term|duration|period|terms(?= of this \w+ (?:shall|will) be)) of (?:this|the) [\w ]{{0,30}}(?:{DOCUMENT}|engagement|appointment|employment)\b|\bcontract (?:period|term|start|end)\b|\b(?:duracion|vigencia|plazo)(?: de(?:l| la| este| esta)?)? (?:presente |este )?(?:{DOCUMENT})\b|\bduree (?:du|de la|de ce|du present) (?:present )?(?:{DOCUMENT})\b"
)
_SAYS_HOW = compile_words(
    r"[^.;]{0,60}?\b(?:shall|will|is|are|be|has|means|es|sera|est|tendra|durara)\b| ?(?:of|for|:|\() ?"
)
# 'During the term of this Agreement', 'for a year after the initial term': what is done then, not how long it is.
_WITHIN_IT = compile_words(
    r"\b(?:under|pursuant to|in accordance with|during|throughout|after|before|prior to|following|end of|expir\w+ of|termination of|remainder of|within|beyond|commencement of|start of|portion of|course of|over|durante|tras|despues de|antes de|pendant|apres|avant|au cours de)(?: (?:the|its|this|such|said|any|el|la|le|then-current|then current|current|entire|full)){0,3} ?$"
)
_DEFINED = compile_words(
    r"[\"“](?:initial )?(?:term|contract period|expiration date|termination date|expiry date|end date|duration)[\"”]\W{0,3}(?:of [^.;]{0,40})?(?:shall )?(?:means?|be|is|has|:)|[\"“](?:plazo|vigencia|duracion|duree)[\"”]"
)
_LABEL = compile_words(
    r"^\W*(?:contract (?:period|term|end)|(?:initial )?term|expiration date|expiry date|end date|duracion|vigencia|fecha de (?:vencimiento|terminacion|fin)|duree|date (?:d'expiration|de fin|d'echeance)) ?[:\t–-]"
)
_NAMED_TERM = compile_words(r"\([^()]{0,30}[\"“'](?:initial |primary )?term[\"”']")
_THIS = compile_words(
    r"^[\W\d]*(?:[\d.]+|\([a-z0-9]{1,3}\)|term|duration|[A-Z][A-Z ]{2,20})?[\W]*(?:this|the present|el presente|este|la presente|le present|ce) [\w]+(?: [\w]+){0,4}?(?: \([^()]*\))? (?:shall|will|is|becomes?|commences?|begins?|be|takes?|remains?|expires?|terminates?|continues?|has|entrara|tendra|estara|se|permanecera|prend|entre|est|expirera)\b"
)
_RUNS = compile_words(
    r"\b(?:commenc\w*|begin\w*|start\w*|continu\w*|remain\w*|be (?:in|effective|valid|for)|is (?:in|effective|valid|for|made for)|expir\w*|terminat\w*|end|ends|run|runs|last|lasts|endure\w*|subsist\w*|become\w* effective|take\w* effect|come into|have (?:a|an) (?:initial )?term|vigente|vigor|expirara|terminara|finalizara|vencera|durara|tendra una|se inicia\w*|entrara|en vigueur|conclu pour|expire\w*|prend\w*|dure\w*)\b"
)
_TERM_SUBJECT = compile_words(
    r"(?:^[\W\d]*|[\"“(,;:] ?|\b(?:the|your|his|her) (?:\w+ )?|\bits |\binitial |\bthis )(?:promotion|venture|term|engagement|appointment|employment|arrangement|contract period|duration|vigencia|duracion|duree)\b(?! of)"
)
_OTHER_TERM = compile_words(
    r"\b(?:breach\w*|default\w*|fails?|failure|unremedied|insolven\w*|confidential\w*|warrant\w*|surviv\w*|restricted period|non-?compet\w*|force majeure|royalt\w*|option period|escrow|probation\w*|cure|remedy|insurance|lock-up|sell-off|transition|wind-down|support period|statements? of work|purchase orders?|work orders?|exclusivity|blackout|retention period|records?|audit|garantia|confidencialidad|confidentialite|garantie)\b"
)
_NOT_LENGTH = compile_words(
    r"\b(?:within|at least|(?:no|not) (?:less|fewer|later|more|earlier) than|upon|at the latest|up to|exceed(?:ing)?|every|each|per|on or before|con|al menos|dentro de|au moins|dans)(?: \w+){0,2} ?$"
)
_NOTICE = compile_words(
    r"^[\W\d]{0,4}(?:(?:of|prior|advance|written|previous|days?|calendar|business)[\W ]+){0,4}(?:notice|notification|preaviso|antelacion|preavis)\b|^\W{0,3}(?:prior to|before|in advance|antes|avant)\b|^\W{0,4}(?:prior|advance) (?:written )?notice"
)
_RENEWAL = compile_words(
    r"[;,.] ?(?:and )?thereafter\b|\b(?:renew\w*|extend\w*|extension\w*|successive|consecutive|additional|further|subsequent|prorrog\w*|prorog\w*|renov\w*|renuev\w*|sucesiv\w*|adicional\w*|renouvel\w*|reconduc\w*|reconduit\w*|prolong\w*|supplementaire\w*)\b"
)
_RENEWAL_AFTER = compile_words(r"^\W{0,3}(?:renewal|extension|additional|successive|extended|option)\b")
_ASIDE = compile_words(
    r"\b(?:unless(?! and until)|subject to|except|without prejudice|notwithstanding|salvo|sin perjuicio|sauf|sous reserve)\b[^,;.]{0,160}(?:[,;]|\.|$)"
)
_EXTENDS_ITSELF = compile_words(r"\b(?:shall|will|and) (?:then )?extend (?=(?:until|for|through|to|from)\b)")
_END_WORD = compile_words(
    r"\b(?:until|till|through|thru|expir\w*|terminat\w*|ends?|ending|end date|expiration date|termination date|hasta|venc\w*|finali\w*|terminara|jusqu'?\w*|prend\w* fin|echeance)\b"
)
_NOT_END = compile_words(r"\b(?:or before|prior to|notice|than|between)\W*$")
_ANNIVERSARY = compile_words(
    rf"(?:\b(?P<words>[a-z-]+) ?\( ?(?P<digits>\d{{1,2}}) ?(?:st|nd|rd|t ?h)? ?\)|(?P<ordinal>{ORDINAL})) ?(?:year )?(?:anniversary|aniversario|anniversaire)(?: date)?(?: of| del?| du| de la| following| after)? (?P<event>[^,;.()]{{3,80}})"
)
_OPEN = compile_words(
    r"(?P<plain>\bin perpetuity\b|\bperpetual\w*|\b(?:endure\w*|continue\w*|remain\w*|indefinite\w*|entered into)\b[^.;]{0,40}?\b(?:indefinite(?:ly| (?:term|period|duration))|for an unlimited (?:period|term)(?: of time)?|without (?:limit|a fixed term))|\bpor tiempo (?:indefinido|ilimitado)|\b(?:duracion|plazo|vigencia) indefinid[ao]|\bde forma indefinida|\bduree (?:indeterminee|illimitee))"
    rf"|(?P<until>\b(?:unless and )?until (?=[^.;]{{0,{MAX_UNTIL}}}?\b(?:terminat|cancel|cease|complet|notice|expir|perform|conclu|fulfil|later|earlier|paid|sold|payment|either|longer|part(?:y|ies)))[^.;]{{3,{MAX_UNTIL}}}|\b(?:end|terminate|expire)\w* (?:automatically )?(?:when|upon) [^.;]{{3,{MAX_UNTIL}}}|\bhasta que [^.;]{{3,{MAX_UNTIL}}}|\bjusqu'a (?:ce que|sa|la) [^.;]{{3,{MAX_UNTIL}}})"
)
_STARTS = compile_words(
    r"\b(?:commenc\w*|begin\w*|start\w*|effective|from|after|following|counted from|counting from|running from|desde|a partir de(?:l)?|a contar de(?:sde)?(?:l)?|a compter (?:de|du)|depuis|suivant|entrara en vigor|entre(?:ra)? en vigueur|prend(?:ra)? effet)\W+(?:(?:on|upon|as of|from|with|at|and including|en|a|el|le)\W+)?(?P<event>[^,;.()]{3,90})"
)
_EVENT_ENDS = compile_words(
    r"[(;]|\b(?:and|y|et) (?=(?:shall|will|may|continu\w*|remain\w*|terminat\w*|expir\w*|ends?|ending|is|unless|thereafter|tendra|continuara|terminara|durara|expire\w*|se|est|sera|est conclu)\b)"
    r"|\b(?:but|unless|until|for (?:a|an|the|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+)|shall|will|continu\w*|terminating|expiring|ending|thereafter|subject|hasta|por|salvo|jusqu\w*|pour|sauf|provided|if)\b"
)
_AFTERWARDS = compile_words(
    r"^(?:(?:the|its|any|such|this|date of|effective date of) ){0,3}(?:terminat|expir|cancel|resolu|resili|venc)\w*|^(?:the )?effective date of (?:such )?(?:terminat|expir)"
)
_OWN_YEAR = compile_words(r"\b(?:contract|fiscal|processing|license|operating) years?\b")
_DAY_AMONG = re.compile(r"\b(?:19|20)\d\d\b|\byears?\b|\bmonths?\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)")
_BOTH_ENDS = compile_words(
    r"\b(?:earlie[rs]t?|late[rs]t?|sooner|longer|first to occur|whichever (?:is|occurs|comes))\b|\b(?:lo que (?:ocurra|suceda) (?:antes|primero))|\bla premiere (?:des|de ces) dates"
)


@dataclass(frozen=True, slots=True)
class TermStatement:
    """What one sentence says of how long the contract runs; `rank` 4: its initial or whole term by name, 1: by its verb.

    `until` is its last day as a date, else `length` how long it runs from `event` (the document's words, empty where
    none stands beside it), else `open_end`. `at` and `to` bound the length in the statement.
    """

    statement: Statement
    rank: int
    until: DateMention | None = None
    length: Duration | RelativeDate | None = None
    at: int = 0
    to: int = 0
    event: str = ""
    is_joined: bool = False  # the event stands right behind the length: 'one year after the Launch Date'
    open_end: OpenEnd | None = None
    is_one_of_several: bool = False


def find_terms(dates: ContractDates) -> tuple[TermStatement, ...]:
    """Sentences that say how long the contract runs, the plainest first; in each a date goes before a length.

    A length goes before 'until terminated'.
    """
    found: list[TermStatement] = []
    ends: dict[int, list[DateMention]] = {}
    for mention in dates.mentions:
        ends.setdefault(id(mention.statement), []).append(mention)
    for one in dates.statements:
        if one.sentence.kind == "row" and len(one.flat.split()) < MIN_ROW_WORDS:
            continue
        plain = _EXTENDS_ITSELF.sub(_blank, _ASIDE.sub(_blank, one.flat))
        rank = _rank(one, plain)
        if rank:
            read = _read(one, plain, rank, ends.get(id(one), ()))
            if read is not None:
                found.append(read)
    return tuple(sorted(found, key=_order))


def _order(one: TermStatement) -> tuple[int, int, int, int]:
    kind = 0 if one.until is not None or one.length is not None else 1
    return kind, -one.rank, one.statement.passage.candidate.role != "primary", one.statement.lines[0]


def _blank(match: re.Match[str]) -> str:
    """As many blanks: every other character keeps its place."""
    return " " * len(match.group(0))


def _rank(one: Statement, plain: str) -> int:
    """How plainly a sentence speaks of the term of the contract; 0 not at all."""
    flat = plain.strip()
    if CONDITION.match(folded_text(flat)) and not _INITIAL.search(flat):
        return 0
    if _OTHER_TERM.search(flat[:140]):
        return 0
    if _DEFINED.search(flat):
        return 3
    runs = _RUNS.search(flat)
    meant = [
        match for pattern in (_INITIAL, _OF_CONTRACT) for match in pattern.finditer(flat) if _is_meant(match, flat)
    ]
    if meant and (runs is not None or any(_SAYS_HOW.match(flat[match.end() :]) for match in meant)):
        return 4
    if runs is None:
        return 4 if _LABEL.search(flat) else 0
    lead = flat[: runs.start()]
    if _THIS.match(flat) or (owner_of(lead) == "own" and len(lead) < MAX_LEAD and not _WITHIN_IT.search(lead)):
        return 4 if _NAMED_TERM.search(flat[runs.end() :]) else 3
    if _TERM_SUBJECT.search(lead):
        return 2
    return 0


def _is_meant(match: re.Match[str], flat: str) -> bool:
    """False for a term that only says when something else is done."""
    return _WITHIN_IT.search(flat[: match.start()]) is None


def _read(one: Statement, plain: str, rank: int, mentions: Sequence[DateMention]) -> TermStatement | None:
    several = _BOTH_ENDS.search(plain) is not None
    reach = SEVERAL_REACH if several else END_REACH
    until = next((each for each in mentions if each.value is not None and _ends(each, plain, reach)), None)
    if until is not None:
        return TermStatement(one, rank, until=until, is_one_of_several=several)
    length = _length(one, plain, mentions)
    if length is not None:
        value, at, to, event, is_joined = length
        return TermStatement(
            one, rank, length=value, at=at, to=to, event=event, is_joined=is_joined, is_one_of_several=several
        )
    open_end = _open_end(one, plain) if rank > 1 else None
    return None if open_end is None else TermStatement(one, rank, open_end=open_end)


def _open_end(one: Statement, plain: str) -> OpenEnd | None:
    """What ends the term without a date; None where a day is among the ends, or it is a renewal that runs on."""
    told = _OPEN.search(plain)
    read = [
        found
        for found in find_values(one.written(0, len(plain)), "open_end")
        if plain[found.start : found.end].strip() and isinstance(found.value, OpenEnd)
    ]
    places = [told.start()] if told is not None else []
    start = min([*places, *(found.start for found in read)], default=None)
    if start is None or _RENEWAL.search(plain[:start]):
        return None
    if told is not None and _BOTH_ENDS.search(told.group(0)) and _DAY_AMONG.search(told.group(0)):
        return None  # one of the ends is a day that could not be read
    if read:
        return read[0].value if isinstance(read[0].value, OpenEnd) else None
    if told is None:
        return None
    original = one.written(*told.span()).rstrip(" ,\n")
    until = re.sub(r"^(?:unless\s+and\s+)?until\s+", "", " ".join(original.split()), flags=re.IGNORECASE)
    return OpenEnd(until=until if told["until"] else None, original=original)


def _ends(mention: DateMention, plain: str, reach: int) -> bool:
    """True for a date that ends the term, and not a renewal of it."""
    lead = plain[: mention.start]
    words = list(_END_WORD.finditer(lead))
    if not words or len(lead) - words[-1].end() > reach or _NOT_END.search(lead):
        return False
    if mention.governed == "start" or _STARTS.search(lead[words[-1].start() :]):
        return False
    return _RENEWAL.search(lead[max(0, words[-1].start() - RENEWAL_REACH) : words[-1].start()]) is None


def _length(
    one: Statement, plain: str, mentions: Sequence[DateMention]
) -> tuple[Duration | RelativeDate, int, int, str, bool] | None:
    """The first length that is one of the term, with its place, the event it runs from and whether they are joined."""
    anniversary = _ANNIVERSARY.search(plain)
    if anniversary is not None and not _RENEWAL.search(
        plain[max(0, anniversary.start() - RENEWAL_REACH) : anniversary.start()]
    ):
        number = int(anniversary["digits"]) if anniversary["digits"] else read_ordinal(anniversary["ordinal"])
        if number and not anniversary["event"].lower().startswith(("thereof", "hereof")):
            start, end = anniversary.span()
            event, stop = _cut(one, *anniversary.span("event"))
            words = one.written(start, stop)
            value = RelativeDate(
                number=Decimal(number), unit="year", direction="after", anchor_event=event, original=words
            )
            return value, start, stop, event, True
    text = one.written(0, len(one.flat))
    for found in find_values(text, "duration"):
        if not isinstance(found.value, Duration) or found.value.unit in ("hour", "business_day"):
            continue
        before, after = plain[: found.start], plain[found.end :]
        if not plain[found.start : found.end].strip() or _NOT_LENGTH.search(before) or _NOTICE.search(after):
            continue
        if _RENEWAL.search(before[-RENEWAL_REACH:]) or _RENEWAL_AFTER.search(after) or found.value.recurring:
            continue
        event, end, is_joined = _event(one, _without_marks(plain, mentions), found.start, found.end)
        if _AFTERWARDS.match(event) or _OWN_YEAR.search(plain[found.start : found.end]) or _WITHIN_IT.search(before):
            continue
        return found.value, found.start, end if is_joined else found.end, event, is_joined
    return None


def _without_marks(plain: str, mentions: Sequence[DateMention]) -> str:
    """The text without what stands in brackets and without the commas of its dates, every character in its place."""
    text = _BRACKETS.sub(_blank, plain)
    for each in mentions:
        text = text[: each.start] + re.sub(r"[,.]", " ", text[each.start : each.end]) + text[each.end :]
    return text


def _event(one: Statement, plain: str, start: int, end: int) -> tuple[str, int, bool]:
    """The event that a length runs from: behind it, else the last that stands before it; empty without one."""
    behind = _STARTS.search(plain, end)
    if behind is not None:
        gap = plain[end : behind.start()]
        if len(gap) <= 30 and re.fullmatch(
            r"\W*(?:(?:period|term|years?|thereafter|plazo|duree)?\W*(?:\([^()]*\))?\W*)", gap, re.IGNORECASE
        ):
            event, stop = _cut(one, *behind.span("event"))
            if event:
                return event, stop, not gap.strip(" ")
        elif re.search(r"commenc|begin|start", behind.group(0), re.IGNORECASE) and len(gap) <= 120 and "." not in gap:
            event, _ = _cut(one, *behind.span("event"))
            return event, end, False
    last = None
    for match in _STARTS.finditer(plain, 0, start):
        last = match
    if last is None:
        return "", end, False
    event, _ = _cut(one, *last.span("event"))
    return event, end, False


def _cut(one: Statement, start: int, end: int) -> tuple[str, int]:
    """The event's own words on one line, without what the sentence goes on to say, and where they end."""
    stop = next((match for match in _EVENT_ENDS.finditer(one.flat, start, end) if match.start() > start), None)
    if stop is not None:
        end = stop.start()
    written = re.sub(r"(?:[\s,;]|\b(?:and|or|y|o|et|ou)$)+$", "", one.written(start, end))
    return " ".join(written.split()), start + len(written)
