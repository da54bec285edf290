# ruff: noqa: E501  # patterns are read whole, on one line
"""The date of a contract and the date from which it has effect, as its opening, its definitions and signatures state them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from pipeline.generation.dating import (
    EFFECTIVE_NAMES,
    OTHER_SUBJECT,
    SIGNED,
    SUBJECT,
    WITNESS,
    effective_tier,
    is_label,
    is_named,
    made_tier,
)
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

_ON_ITS_DATE = compile_words(
    rf"\b(?:effective(?! dates?\b)|commenc\w*(?! dates?\b)|begin\w*|start\w*|(?:in|into) (?:full )?force|effect|en vigor|efectos?|en vigueur|d'effet|effet)\b[^.;]{{0,50}}?\b(?P<event>(?:the |its |la |el )?(?:{OWN_DATE}))"
)
_BY_ITSELF = rf"\b(?:{OWN_DATE})[^.;()]{{{{0,40}}}}[(\[][^()]{{{{0,30}}}}[\"'“”]\s?(?:the )?(?:{{names}})\s?[\"'“”]|[\"'“”](?:the )?(?:{{names}})[\"'“”]?\W*(?:shall |will )?(?:means?|be|is|:|significa|sera|es|signifie|designe|est)\W*(?:be )?(?:the |la |el )?(?:{OWN_DATE})"
_DEFINED_BY_ITSELF = compile_words(_BY_ITSELF.format(names=EFFECTIVE_NAMES))
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
        tiers = self._tiers
        own = [_pin(one, tier) for tier, one in tiers if tier and one.value is not None and tier < SIGNED]
        signed = [one for tier, one in tiers if tier == SIGNED and one.value is not None]
        is_unsure = any(tier == SIGNED and one.unsure is not None and one.value is None for tier, one in tiers)
        if signed and not is_unsure:  # of an unsure one nobody can say that it is not the latest
            latest = max(signed, key=lambda one: one.value.iso if one.value else date.min)
            days = {one.value.iso for one in signed if one.value}
            said = "the latest of the signatures" if len(days) > 1 else "the signatures"
            own.append(
                _pin(
                    latest,
                    SIGNED,
                    f"No other date of the agreement is stated in the passages; it is the date of {said}.",
                )
            )
        return tuple(sorted(own, key=lambda one: (one.tier, one.mention.statement.lines[0])))

    @cached_property
    def _tiers(self) -> tuple[tuple[int, DateMention], ...]:
        """How surely each date is that of the contract; a bare 'Date:' beside signatures, or beside another, is signed."""
        tiers = [(made_tier(one), one) for one in self.mentions]
        beside: dict[int, int] = {}
        for _, one in tiers:
            beside[id(one.statement)] = beside.get(id(one.statement), 0) + 1
        is_signed = any(tier == SIGNED for tier, _ in tiers)
        return tuple(
            [
                (
                    SIGNED
                    if tier in (3, 4) and (is_signed or beside[id(one.statement)] > 1) and is_label(one)
                    else tier,
                    one,
                )
                for tier, one in tiers
            ]
        )

    @cached_property
    def blank(self) -> DateMention | None:
        """The blank that is left in the opening for the date of the contract; None without one."""
        return next((one for one in self._without_day if one.unsure is None and made_tier(one) in (1, 2)), None)

    @cached_property
    def _without_day(self) -> tuple[DateMention, ...]:
        return tuple(one for one in self.mentions if one.value is None)

    def unsure(self, tier: Callable[[DateMention], int]) -> tuple[str, ...]:
        """What to tell of the dates in figures of which the passages do not say the order, of those with a tier."""
        return tuple(dict.fromkeys(one.caveat for one in self._without_day if one.unsure is not None and tier(one)))

    @cached_property
    def effective(self) -> tuple[Pinned, ...]:
        """Dates from which the contract has effect, surest first: defined, stated, or its own date where it says so."""
        pinned = [_pin(one, tier) for one in self.mentions if one.value is not None and (tier := effective_tier(one))]
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
        return next((one for one in self.made if one.tier == SIGNED), None)

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
            of_itself = owner_of(lead) != "other" and (SUBJECT.search(lead) or WITNESS.search(lead))
            is_signing = _SIGNING.search(told["event"]) is not None and not _LAST_SIGNATURE.search(told.group(0))
            if of_itself and not is_signing and not OTHER_SUBJECT.search(lead[-80:]):
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
        named = next((one for one in self.mentions if one.value is not None and is_named(one, name)), None)
        if named is not None:
            return _pin(named, 1)
        if compile_words(EFFECTIVE_NAMES).fullmatch(fold(term[0])):
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
            if not SUBJECT.search(lead) or owner_of(lead) == "other" or OTHER_SUBJECT.search(lead[-80:]):
                continue
            start, end = told.span("event")
            runs_on = _RUNS_ON.search(one.flat, start, end)
            original = one.written(start, runs_on.start() if runs_on else end).rstrip(" ,\n")
            words = " ".join(original.split())
            return one, RelativeDate(number=0, unit="day", direction="on", anchor_event=words, original=original)
        return None


def pick_agreement_date(dates: ContractDates) -> Draft:
    """The date on which the contract was made; nothing, with the reason, where it is left blank or not stated."""
    if dates.blank is not None and (not dates.made or dates.made[0].tier > 2):
        signed = f"; the signatures stand with {dates.made[-1].mention.words}" if dates.made else ""
        return Draft((), caveats=(f"The date of the agreement is left blank: '{dates.blank.words}'{signed}.",))
    if not dates.made:
        unsure = dates.unsure(made_tier)
        return Draft((), caveats=unsure or ("None of the passages states the date on which this agreement was made.",))
    best = dates.made[0]
    return _draft((best, *_others(best, dates.made)))


def pick_effective_date(dates: ContractDates) -> Draft:
    """The date from which the contract has effect, or the event; nothing, with the reason, where it does not say so."""
    if dates.effective:
        best = dates.effective[0]
        return _draft((best, *_others(best, dates.effective)))
    unsure = dates.unsure(effective_tier)
    if unsure:
        return Draft((), caveats=unsure)
    blank = next((one for one in dates.mentions if one.value is None and effective_tier(one)), None)
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
    if one.settled is None:
        return Pinned(one.value, (one.statement.span,), one, tier, "verbatim", caveats)
    spans = tuple(dict.fromkeys((one.statement.span, one.settled)))
    return Pinned(one.value, spans, one, tier, "inferred", (one.caveat, *caveats))


def _short(one: Statement) -> str:
    words = one.passage.words(one.sentence)
    return words if len(words) <= 200 else f"{words[:199]}…"
