# ruff: noqa: E501  # patterns are read whole, on one line
"""The date of a contract and the date from which it has effect, as its opening, its definitions and signatures state them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from pipeline.generation.passages import Passage
from pipeline.generation.proposal import Draft, Method, Proposal, ProposedSpan
from pipeline.generation.statements import (
    DOCUMENT,
    OWN_DATE,
    DateMention,
    Statement,
    compile_words,
    find_mentions,
    owner_of,
    read_statements,
)
from pipeline.values.found import fold
from schemas.answer import ComputedInput, DateValue, RelativeDate

HEAD_PAGES = 2  # a date that stands alone dates the document only at its head: a cover and the first page
ALONE = 40  # letters beside a date on a line that holds little more: 'Dated as of', a name
NEAR_VERB = 60  # characters between the contract's name and 'is made on' outside of the opening pages
_WITHOUT_VERB = 14  # letters beside a date that no verb governs: a town
_WITH_SIGNATURE = 60  # letters beside a date that stands with a signature: a name and a title
START_REACH = 40  # characters between 'effective' and its date
NAME_REACH = 70  # characters between a date and the name in brackets that it is given

_EFFECTIVE_NAMES = r"effective date|commencement date|start(?:ing)? date|fecha (?:efectiva|de (?:entrada en vigor|inicio|efectos?))|date d'(?:effet|entree en vigueur)|date de (?:debut|prise d'effet)"
_AGREEMENT_NAMES = r"agreement date|execution date|signing date|date of this agreement|contract date|fecha de(?: la)? firma|date de signature"
_MEANS = r"\W*(?:of (?:this|the) [\w ]{3,40})?\W*(?:\([^()]*\)\W*)?(?:shall |will )?(?:means?|is|be|:|=|-|significa|sera|es|signifie|designe|est)?\W*(?:be |as of |the |el |le )*$"
_ON = compile_words(
    r"(?:\b(?:on|of|this|dated?|the|effective|into|made|executed|entered|signed|day|is|from|el|dia|de|le|du|the)|[,:(])\W*$"
)
_NOT_ON = compile_words(
    r"\b(?:or before|prior to|than|between|before|after|by|since|antes del?|avant le)\W*$|[\"“”]\s*$"
)
_PARTIES = compile_words(r"\b(?:between|among|by and|entre)\b")
_WITNESS = compile_words(
    r"in witness|thus done|signed (?:at|on|by)|executed (?:at|on)\b|en fe de lo cual|en testimonio|en prueba de conformidad|en foi de quoi|fait (?:a|en)\b|en conformidad"
)
_SUBJECT = compile_words(
    rf"\b(?:{DOCUMENT}|(?:initial |primary )?term(?! of (?:the|an?|each|such|any) (?!agreement|contract|lease|licen[cs]e))|promotion|venture|engagement|employment|appointment|arrangement|vigencia|duracion|duree|plazo)\b"
)
_OTHER_SUBJECT = compile_words(
    r"\b(?:terminat(?:ion|ed)|amend(?:ment|ed) (?:shall|will|to)|price\w*|rates?|fees?|policy|polic\w+|changes?|assign\w*|waiver|option|merger|act|rules?|laws?|insurance|notice|regulations?|mou|statement|version|financial|fiscal|quarter|invoice|delivery|payment\w*|patent|orders?|rescision|resolucion|precios?|tarifas?|resiliation|prix|tarifs?)\b"
)
_ON_ITS_DATE = compile_words(
    rf"\b(?:effective(?! dates?\b)|commenc\w*(?! dates?\b)|begin\w*|start\w*|(?:in|into) (?:full )?force|effect|en vigor|efectos?|en vigueur|d'effet|effet)\b[^.;]{{0,50}}?\b(?P<event>(?:the |its |la |el )?(?:{OWN_DATE}))"
)
_BY_ITSELF = rf"\b(?:{OWN_DATE})[^.;()]{{{{0,40}}}}[(\[][^()]{{{{0,30}}}}[\"'“”]\s?(?:{{names}})\s?[\"'“”]|[\"'“”](?:{{names}})[\"'“”]?\W*(?:shall |will )?(?:means?|be|is|:|significa|sera|es|signifie|designe|est)\W*(?:be )?(?:the |la |el )?(?:{OWN_DATE})"
_DEFINED_BY_ITSELF = compile_words(_BY_ITSELF.format(names=_EFFECTIVE_NAMES))
_OWN = compile_words(
    rf"\b(?:{OWN_DATE})|^(?:the )?(?:execution|signing|signature)\b|^(?:the )?(?:date of )?(?:this|the) (?:{DOCUMENT})$"
)
# A term that the contract defines: words with capitals before 'Date', and the same in Spanish and French.
_NAMED = re.compile(
    r"\b(?:[A-Z][\w-]*\s+){1,4}Date\b|\bFecha\s+(?:de\s+(?:la\s+)?)?[A-Z]\w+(?:\s+(?:en\s+)?[A-Z]\w+)?|\bDate\s+d(?:e\s+|['’])[A-ZÀ-Ý]\w+(?:\s+(?:en\s+)?[A-ZÀ-Ý]\w+)?|\beffective date\b|\bcommencement date\b"
)
_UPON_EVENT = compile_words(
    r"\b(?:(?:be(?:come|comes)?|is|shall be|made) (?:effective|binding)|takes? effect|commenc\w*|begin\w*|enters? into force|come into (?:force|effect)|effective date\W+(?:shall be|means|is)|entrara en vigor|surtira efectos?|entre(?:ra)? en vigueur|prend(?:ra)? effet)\W+(?:(?:on|upon|as of|from|only|when|a partir de|desde|en|a compter de|a|immediately|the date)\W+){0,2}(?P<event>(?:the |la |el |l')?(?:later of |last |date (?:of|on which|that|when|upon which)|full |execution|signature|signing|acceptance|approval|completion|closing|delivery|receipt|physical|when |fecha (?:de|en que)|firma|aprobacion|date (?:de|a laquelle)|signature)[^.;()]{0,120})"
)
# The day of signing is that of the signatures, which the date of the document need not be.
_SIGNING = compile_words(
    r"^(?!.*\b(?:date|day)s? hereof).*\b(?:execution|signature|signing|signed|executed|firma|suscripcion)\b"
)
_THAT_DATE = compile_words(
    r"^(?:the )?(?:dicha|esa|esta|citada|that|such|said|this|ladite|cette|same) (?:fecha|dia|date|day)\b"
)
_RUNS_ON = compile_words(
    r",? \b(?:and|but|y|et)\b (?=(?:shall|will|may|end|ends|ending|terminat\w*|continu\w*|remain\w*|expir\w*|endur\w*|is|thereafter|unless|subject|termina\w*|expira\w*|est|sera|se|tendra)\b)|,? \b(?:unless|provided|subject to)\b"
)
_LAST_SIGNATURE = compile_words(
    r"\bdate last (?:written|set forth|signed)|\blast (?:date|day) (?:of )?(?:signature|signed|signing|execution|written|set forth)|(?:date of )?(?:the )?(?:last|latest|final|later) (?:date of )?(?:signature|signing)|last (?:of the )?part(?:y|ies) (?:signs|to sign)|ultima firma|derniere signature"
)
_UPDATED = compile_words(r"\b(?:last (?:updated|revised|modified)|version|revised)\W*$")


@dataclass(frozen=True, slots=True)
class Pinned:
    """A date of the contract with the lines that state it, and how sure its sentence makes it: 1 is the surest."""

    value: DateValue
    spans: tuple[ProposedSpan, ...]
    mention: DateMention
    tier: int
    method: Method = "verbatim"
    caveats: tuple[str, ...] = ()

    def as_input(self, name: str) -> ComputedInput:
        """The date as what a computation starts from."""
        return self.mention.statement.made_input(name, self.value)


@dataclass(frozen=True)
class ContractDates:
    """The dates that the handed passages state of the contract itself."""

    statements: tuple[Statement, ...]

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> ContractDates:
        """Of these passages."""
        return cls(read_statements(passages))

    @cached_property
    def mentions(self) -> tuple[DateMention, ...]:
        """Every date and every blank, in the order of the document."""
        return find_mentions(self.statements)

    @cached_property
    def made(self) -> tuple[Pinned, ...]:
        """Dates on which the contract was made, surest first; the signatures' latest alone stands for all of them."""
        tiers = [(_made_tier(one), one) for one in self.mentions]
        own = [_pin(one, tier) for tier, one in tiers if tier and one.value is not None and tier < _SIGNED]
        signed = [one for tier, one in tiers if tier == _SIGNED and one.value is not None]
        if signed:
            latest = max(signed, key=lambda one: one.value.iso if one.value else date.min)
            days = {one.value.iso for one in signed if one.value}
            said = "the latest of the signatures" if len(days) > 1 else "the signatures"
            own.append(
                _pin(
                    latest,
                    _SIGNED,
                    f"No other date of the agreement is stated in the passages; it is the date of {said}.",
                )
            )
        return tuple(sorted(own, key=lambda one: (one.tier, one.mention.statement.lines[0])))

    @cached_property
    def blank(self) -> DateMention | None:
        """The blank that is left in the opening for the date of the contract; None without one."""
        return next((one for one in self.mentions if one.value is None and _made_tier(one) in (1, 2)), None)

    @cached_property
    def effective(self) -> tuple[Pinned, ...]:
        """Dates from which the contract has effect, surest first: defined, stated, or its own date where it says so."""
        pinned = [_pin(one, tier) for one in self.mentions if one.value is not None and (tier := _effective_tier(one))]
        own = self.takes_effect_on_its_date
        if not pinned and own is not None and self.made:
            by_signature = _LAST_SIGNATURE.search(own.flat) is not None
            day = self.signed if by_signature else self.made[0]
            if day is None:
                return ()
            what = "with the last signature" if by_signature else "on its own date"
            caveat = f'The agreement takes effect {what}: "{_short(own)}"'
            spans = tuple(dict.fromkeys((day.spans[0], own.span)))
            pinned = [Pinned(day.value, spans, day.mention, 3, "inferred", (caveat, *day.caveats))]
        return tuple(sorted(pinned, key=lambda one: (one.tier, one.mention.statement.lines[0])))

    @cached_property
    def signed(self) -> Pinned | None:
        """The latest date that stands with a signature; None without one."""
        return next((one for one in self.made if one.tier == _SIGNED), None)

    @cached_property
    def takes_effect_on_its_date(self) -> Statement | None:
        """The sentence by which the contract has effect from its own date; None without one."""
        for one in self.statements:
            if _DEFINED_BY_ITSELF.search(one.flat):
                return one
            told = _ON_ITS_DATE.search(one.flat)
            if told is None:
                continue
            lead = one.flat[: told.start("event")]
            of_itself = owner_of(lead) != "other" and (_SUBJECT.search(lead) or _WITNESS.search(lead))
            is_signing = _SIGNING.search(told["event"]) is not None and not _LAST_SIGNATURE.search(told.group(0))
            if of_itself and not is_signing and not _OTHER_SUBJECT.search(lead[-80:]):
                return one
        return None

    def resolve(self, event: str, where: Statement) -> Pinned | None:
        """The date of an event that a sentence names: its own date in words, a defined term, the contract's date.

        None where the passages give it no date.
        """
        flat = " ".join(fold(event).split())
        within = [
            one
            for one in self.mentions
            if one.statement is where and one.value is not None and one.words in " ".join(event.split())
        ]
        if within:
            return _pin(within[0], 1)
        if _THAT_DATE.search(flat):
            told = [one for one in self.mentions if one.statement is where and one.value is not None]
            return _pin(told[0], 1) if len(told) == 1 else None
        if _LAST_SIGNATURE.search(flat):
            return self.signed
        if _OWN.search(flat):
            return self.made[0] if self.made else None
        term = _NAMED.search(event)
        if term is None:
            return None
        name = re.escape(fold(term[0])).replace("\\ ", " ")
        named = next((one for one in self.mentions if one.value is not None and _is_named(one, name)), None)
        if named is not None:
            return _pin(named, 1)
        if compile_words(_EFFECTIVE_NAMES).fullmatch(fold(term[0])):
            return self.effective[0] if self.effective else None
        own = compile_words(_BY_ITSELF.format(names=name))
        return self.made[0] if self.made and any(own.search(one.flat) for one in self.statements) else None

    @cached_property
    def takes_effect_upon(self) -> tuple[Statement, RelativeDate] | None:
        """The sentence by which the contract takes effect with an event, and the event; None without one."""
        for one in self.statements:
            told = _UPON_EVENT.search(one.flat)
            if told is None:
                continue
            lead = one.flat[: told.start("event")]
            if not _SUBJECT.search(lead) or owner_of(lead) == "other" or _OTHER_SUBJECT.search(lead[-80:]):
                continue
            start, end = told.span("event")
            runs_on = _RUNS_ON.search(one.flat, start, end)
            original = one.written(start, runs_on.start() if runs_on else end).rstrip(" ,\n")
            words = " ".join(original.split())
            return one, RelativeDate(number=0, unit="day", direction="on", anchor_event=words, original=original)
        return None


_SIGNED = 6  # tier of a date that stands with a signature


def pick_agreement_date(dates: ContractDates) -> Draft:
    """The date on which the contract was made; nothing, with the reason, where it is left blank or not stated."""
    if dates.blank is not None and (not dates.made or dates.made[0].tier > 2):
        signed = f"; the signatures stand with {dates.made[-1].mention.words}" if dates.made else ""
        return Draft((), caveats=(f"The date of the agreement is left blank: '{dates.blank.words}'{signed}.",))
    if not dates.made:
        return Draft((), caveats=("None of the passages states the date on which this agreement was made.",))
    best = dates.made[0]
    return _draft((best, *_others(best, dates.made)))


def pick_effective_date(dates: ContractDates) -> Draft:
    """The date from which the contract has effect, or the event; nothing, with the reason, where it does not say so."""
    if dates.effective:
        best = dates.effective[0]
        return _draft((best, *_others(best, dates.effective)))
    blank = next((one for one in dates.mentions if one.value is None and _effective_tier(one)), None)
    if blank is None and dates.takes_effect_on_its_date is not None:
        blank = dates.blank
    if blank is not None:
        return Draft((), caveats=(f"The effective date is left blank: '{blank.words}'.",))
    event = dates.takes_effect_upon
    if event is not None:
        statement, day = event
        caveat = "The agreement takes effect with an event; the passages give no date for it."
        return Draft((Proposal(day, (statement.span,), day.original, "rules"),), (caveat,), is_partial=True)
    own = f"; it is dated {dates.made[0].mention.words}" if dates.made else ""
    return Draft((), caveats=(f"The passages do not say from which date the agreement has effect{own}.",))


def _others(best: Pinned, every: Sequence[Pinned]) -> tuple[Pinned, ...]:
    """Other dates that are stated as surely, in other sentences; each once."""
    others: dict[str, Pinned] = {}
    for one in every:
        if one.tier == best.tier and one.value.iso != best.value.iso and one.spans != best.spans:
            others.setdefault(one.value.iso.isoformat(), one)
    return tuple(others.values())


def _draft(pinned: Sequence[Pinned], caveats: Sequence[str] = ()) -> Draft:
    proposals = tuple(Proposal(one.value, one.spans, one.value.original, "rules", one.method) for one in pinned)
    said = (*caveats, *(caveat for one in pinned for caveat in one.caveats))
    return Draft(proposals, said, differing=tuple(range(1, len(proposals))))


def _pin(one: DateMention, tier: int, *caveats: str) -> Pinned:
    if one.value is None:
        raise ValueError("a blank is no date")
    return Pinned(one.value, (one.statement.span,), one, tier, "verbatim", caveats)


def _made_tier(one: DateMention) -> int:
    """How surely a date is that of the contract itself; 0 not at all.

    1 opening or definition, 2 effective in the opening, 3 closing words, 4 alone at the head, 5 last update, 6 signature.
    """
    governed, owner = one.governed, one.owner
    if _is_named(one, _AGREEMENT_NAMES):
        return 1
    if governed == "end" or owner == "other" or (one.is_recital and owner != "own") or _NOT_ON.search(one.before):
        return 0
    if _is_alone(one, _WITH_SIGNATURE) and one.statement.is_signature:
        return _SIGNED
    if _WITNESS.search(one.before):
        return 3
    is_head = one.statement.page <= HEAD_PAGES
    if owner == "own" and _ON.search(one.before):
        if governed == "made" and (is_head or one.verb_distance <= NEAR_VERB):
            return 1
        if is_head and (_PARTIES.search(one.before) or _PARTIES.search(one.after) or governed == "none"):
            return 2
    if owner == "unknown" and governed == "made" and is_head and _is_named(one, _EFFECTIVE_NAMES):
        return 2
    if not is_head or governed == "start" or not _is_alone(one, _WITHOUT_VERB if governed == "none" else ALONE):
        return 0
    return 5 if _UPDATED.search(one.before) else 4


def _is_alone(one: DateMention, most: int) -> bool:
    """True where a line holds little more than the date."""
    return sum(map(str.isalnum, one.statement.flat)) - sum(map(str.isalnum, one.words)) <= most


def _effective_tier(one: DateMention) -> int:
    """How surely the contract has effect from a date: 1 defined so, 2 stated of the contract, 0 not at all."""
    if one.is_recital and one.owner != "own":
        return 0
    if _is_named(one, _EFFECTIVE_NAMES):
        return 1
    if one.governed != "start" or one.owner == "other":
        return 0
    plain = _BRACKETS.sub("", one.before)
    start = list(_GOVERNED_START.finditer(plain))
    if not start or len(plain) - start[-1].end() > START_REACH:
        return 0
    lead = plain[: start[-1].start()]
    subjects = list(_SUBJECT.finditer(lead))
    if not subjects:
        return 0
    between = lead[subjects[-1].end() :]
    is_opening = one.owner == "own" and one.statement.page <= HEAD_PAGES and _PARTIES.search(between) is not None
    if _OTHER_SUBJECT.search(between) or (len(between) > NEAR_VERB and not is_opening) or _STOPS.search(between):
        return 0
    return 2


_BRACKETS = re.compile(r"\([^()]*\)")
_STOPS = re.compile(r"[.;:] ")
_GOVERNED_START = compile_words(
    r"\b(?:effective|commenc\w*|begin\w*|start\w*|(?:in|into) (?:full )?force|effect|entr\w+ en vigor|efectos?|inici\w*|comenz\w*|comienz\w*|entr\w+ en vigueur|d'effet|effet|a compter|a partir)\b"
)


def _is_named(one: DateMention, names: str) -> bool:
    """True where the sentence gives the date one of the names: before it as a definition, after it in brackets."""
    after = rf"^[^.;(]{{0,20}}[(\[][^()]{{0,30}}[\"'“”]\s?(?:(?:\w+ )?(?:{DOCUMENT}) )?(?:{names})\s?[\"'“”]"
    before = rf"\b(?:{names})[\"'“”]?{_MEANS}"
    if compile_words(after).search(one.after):
        return True
    lead = one.before[-NAME_REACH - 60 :]
    found = compile_words(before).search(lead)
    if found is None:
        return False
    other = re.search(r"\b([A-Z][\w-]*) $", lead[: found.start()])  # 'Option Starting Date' is not the Starting Date
    return other is None or re.fullmatch(rf"{DOCUMENT}|the|this|el|la", other[1], re.IGNORECASE) is not None


def _short(one: Statement) -> str:
    words = one.passage.words(one.sentence)
    return words if len(words) <= 200 else f"{words[:199]}…"
