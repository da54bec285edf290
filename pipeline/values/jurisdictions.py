# ruff: noqa: E501  # patterns are read whole, on one line
"""Countries and states whose law or courts a text names: 'the laws of the State of New York', 'droit français'.

A name alone is a place, not a jurisdiction: 'New York' in an address is none. A name counts where it stands with law or
with courts; one with its form ('the State of Nevada') counts where the clause speaks of 'the laws thereof'; and a text
that is a name and nothing else, as the cell behind 'Governing law:', is one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pipeline.values.found import FoundValue, Taken, fold
from pipeline.values.places import NAME_WORDS, Place, read_adjective, read_place
from schemas.values import Jurisdiction

Cue = Literal["law", "courts", "name"]

_REACH = 160  # characters before a name in which the law or the courts it belongs to are looked for: about two lines
_WORD = re.compile(r"(?:[A-Za-z]\.){2,}(?:C\.)?|[A-Za-z]+(?:['-][A-Za-z]+)*|&")
_MAX_TEXT_NAME = 90  # characters of a text that is nothing but a name
_FORM_WORDS = r"state|commonwealth|province|republic|federal\s+republic|kingdom|principality|territory|canton|emirate|bailiwick|free\s+state|special\s+administrative\s+region|estado(?:\s+libre\s+asociado)?|provincia|republica|reino|principado|canton|comunidad(?:\s+autonoma)?|etat|republique|royaume|principaute"
_FORM = re.compile(rf"\b(?:{_FORM_WORDS})\s+(?:of\s+(?:the\s+)?|de\s+la\s+|de\s+l'|del?\s+|du\s+|d')$", re.IGNORECASE)
_LAW = r"(?:laws?|legislation|statutes?|regulations|leyes|ley|legislacion|derecho|lois?|droit|legislation)"
_COURTS = r"(?:courts?|tribunals?|tribunal(?:es)?|tribunaux|juzgados|juridictions?|jurisdiction|jurisdiccion)"
_OF = r"(?:of|in|from|for|under|at|within|de|del|en|du|des|d')"
# Between the law and the name: 'laws, other than choice of law rules, of the', 'laws of the State of', 'law and decisions of'.
_LAW_BEFORE = re.compile(
    rf"\b{_LAW}\b(?:\s+(?:and|or|y|et)\s+(?:\w+\s+){{0,2}}\w+)?(?:\s*(?:,|\()[^,.;()]{{0,80}}[,)])?"
    rf"(?:\s+(?:then\s+)?(?:in\s+force|in\s+effect|applicable|vigentes?|en\s+vigueur|aplicables?|applicables?))?"
    rf"\s*(?:{_OF}\s*(?:and\s+for\s+)?)?(?:the\s+|la\s+|las\s+|los\s+|el\s+|le\s+|les\s+|l'|both\s+)?$",
    re.IGNORECASE,
)
_GOVERNED_BY = re.compile(
    r"\b(?:governed\s+by|subject\s+to\s+the\s+(?:exclusive\s+)?jurisdiction\s+of)\s+(?:and\s+construed\s+\w+\s+\w+\s+\w+\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
# Between courts and name: 'courts located in Santa Clara County,', 'courts sitting in the Borough of Manhattan,'.
_COURTS_BEFORE = re.compile(
    rf"\b{_COURTS}\b(?:\s+(?:and\s+\w+\s+)?(?:located|sitting|situated|competentes?|compétents?|having\s+jurisdiction))?"
    rf"(?:\s+{_OF}\s+(?:and\s+for\s+)?(?:(?:the|la|el|le)\s+)?(?:[A-Z][\w.'-]*(?:\s+of\s+|\s*,\s*|\s+)(?:the\s+)?){{0,7}}|\s+{_OF}\s*)"
    r"(?:the\s+|la\s+|el\s+|le\s+|l')?$",
)
_COURTS_UPPER = re.compile(rf"\b{_COURTS.upper()}\s+(?:LOCATED\s+|SITTING\s+)?(?:OF|IN)\s+(?:THE\s+)?$")
_LAW_AFTER = re.compile(
    r"(?:'s)?\s+(?:(?:state|federal|national|internal|substantive|domestic|common|contract|corporate|commercial|civil|case|statutory)\s+){0,2}(?P<what>laws?\b|legislation\b|courts?\b|tribunals?\b)"
    r"(?!\s+(?:firm|school|offices?|dictionary|enforcement))",
    re.IGNORECASE,
)
_LAW_INSIDE = re.compile(
    r"\b(?P<what>laws?|legislation|courts?|tribunals?)$", re.IGNORECASE
)  # 'English law', one value
# 'derecho español', 'droit français', 'tribunales españoles': the adjective follows, in small letters.
_LAW_THEN_ADJECTIVE = re.compile(
    r"\b(?P<what>leyes|ley|legislacion|derecho|tribunales|juzgados|jurisdiccion|lois?|legislation|droit|tribunaux|juridictions?)"
    r"(?:\s+(?:comun|civil|mercantil|commun|y\s+tribunales))?\s+(?P<adjective>[a-z]+(?:-[a-z]+)?)(?![\w-])",
    re.IGNORECASE,
)
_LIST = re.compile(
    rf"(?:\s*,?\s*(?:and|or|y|et|ou|o)\s+|\s*[,/]\s*)(?:(?:the\s+)?(?:federal\s+|state\s+)?(?:internal\s+)?laws?\s+of\s+|of\s+|de\s+)?(?:the\s+)?(?:(?:{_FORM_WORDS})\s+of\s+)?",
    re.IGNORECASE,
)
_NO_JURISDICTION_BEFORE = re.compile(
    r"\b(?:city|county|borough|town|port|university|bank|district|island|ciudad|villa|condado|ville|comte)\s+(?:of|de|del)\s+(?:the\s+)?$|\b(?:excluding|except|other\s+than|outside|conflicts?\s+of\s+laws?\s+\w+\s+of)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_NO_JURISDICTION_AFTER = re.compile(r"\s+(?:city|county|borough|stock\s+exchange|time\b|dollars?\b|corporation|limited\s+liability|(?:\w+\s+){1,4}Act\b)", re.IGNORECASE)  # fmt: skip
_OF_IT = re.compile(
    r"\b(?:laws?|courts?)\s+(?:thereof|of\s+(?:that|said|such|the\s+said)\s+(?:state|commonwealth|province|country|jurisdiction))\b",
    re.IGNORECASE,
)
_COUNTRY_BEHIND = re.compile(r"\s*[,(]\s*(?:the\s+)?(?P<name>(?:[A-Za-z]\.){2,3}|[A-Z][A-Za-z]+(?:\s+(?:of\s+)?[A-Z][A-Za-z]+){0,3})(?P<close>\))?")  # fmt: skip
_REGION_BEHIND = re.compile(
    r"\s+(?:S\.?A\.?R\.?(?!\w)|Special\s+Administrative\s+Region)(?:\s+of\s+the\s+(?:People's\s+Republic\s+of\s+China|PRC))?",
    re.IGNORECASE,
)
_HAS_CUE = re.compile(rf"\b(?:{_LAW}|{_COURTS}|governed)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Name:
    """A name in the text: where it and its form start, where it ends, which words it takes."""

    start: int
    bare: int
    end: int
    place: Place
    has_form: bool


def find_jurisdictions(text: str, language: str) -> tuple[FoundValue, ...]:  # noqa: ARG001 - names tell themselves
    """Jurisdictions whose law or courts `text` names, left to right; empty for places that are only mentioned."""
    return tuple(found for found, _ in find_named_jurisdictions(text))


def find_named_jurisdictions(text: str) -> tuple[tuple[FoundValue, Cue], ...]:
    """Jurisdictions with what of theirs is named: the law, the courts, or (a text that is a name) nothing more."""
    folded = fold(text)
    whole = _whole(text, folded)
    if whole is not None:
        return ((whole, "name"),)
    if not _HAS_CUE.search(folded):
        return ()
    names = _names(folded)
    told: list[tuple[_Name, Cue]] = []
    for name in names:
        cue = _cue(name, folded, told)
        if cue is not None:
            told.append((name, cue))
    of_it = _OF_IT.search(folded)
    if of_it is not None and not any(cue == "law" for _, cue in told):
        told += [(name, "law") for name in names if name.has_form and name.start < of_it.start()][-1:]
    taken = Taken(_found(name, text) for name, _ in told)
    told += [one for one in _by_adjective(folded) if not taken.touches(one[0].start, one[0].end)]
    told.sort(key=lambda one: one[0].start)
    return tuple((_found(name, text), cue) for name, cue in told)


def _whole(text: str, folded: str) -> FoundValue | None:
    """The jurisdiction that the whole text names and says nothing else of."""
    stripped = folded.strip(' \n\t.,;:"')
    if not stripped or len(stripped) > _MAX_TEXT_NAME:
        return None
    start = folded.index(stripped)
    names = [name for name in _names(folded) if re.fullmatch(r"(?:the\s+)?", folded[start : name.start], re.IGNORECASE)]
    if not names or names[0].end < start + len(stripped):
        return None
    return _found(names[0], text)


def _names(folded: str) -> list[_Name]:
    """Every name of a country or state, the longest at each place, with its form and the country behind it."""
    words = list(_WORD.finditer(folded))
    names: list[_Name] = []
    at = 0
    while at < len(words):
        read = _longest(folded, words, at)
        if read is None:
            at += 1
            continue
        count, name = read
        names.append(name)
        at += count
        while at < len(words) and words[at].start() < name.end:
            at += 1
    return names


def _longest(folded: str, words: list[re.Match[str]], at: int) -> tuple[int, _Name] | None:
    first = words[at]
    if not first[0][0].isupper():
        return None
    names_end = first.end()
    count = 1
    while count < NAME_WORDS and at + count < len(words):
        following = words[at + count]
        if folded[names_end : following.start()].strip():
            break
        names_end = following.end()
        count += 1
    form = _FORM.search(folded, max(0, first.start() - 40), first.start())
    while count:
        last_start = words[at + count - 1].end()
        written = folded[first.start() : last_start]
        place = read_place(written, with_form=form is not None) if _is_name(written) else None
        if place is None and form is None:
            law = _LAW_AFTER.match(folded, last_start)
            place = read_adjective(written) if law is not None else None
            if law is not None and place is not None:
                return count, _Name(first.start(), first.start(), law.end("what"), place, has_form=False)
        if place is not None:
            start = form.start() if form is not None else first.start()
            end, place = _with_country(folded, last_start, place)
            return count, _Name(start, first.start(), end, place, form is not None)
        count -= 1
    return None


def _by_adjective(folded: str) -> list[tuple[_Name, Cue]]:
    """Jurisdictions told by an adjective behind the law or the courts, as Spanish and French do."""
    told: list[tuple[_Name, Cue]] = []
    for match in _LAW_THEN_ADJECTIVE.finditer(folded):
        place = read_adjective(match["adjective"])
        if place is not None:
            cue: Cue = "courts" if match["what"].lower().startswith(("trib", "juzg", "juri")) else "law"
            told.append((_Name(match.start(), match.start(), match.end(), place, has_form=False), cue))
    return told


def _is_name(written: str) -> bool:
    """False for 'us' and 'Us', which are no country, and for names whose last word is written small."""
    return len(written) > 3 or written.isupper()


def _with_country(folded: str, end: int, place: Place) -> tuple[int, Place]:
    """The end with the country or region that stands behind: 'Ontario, Canada', 'Hong Kong SAR', 'Georgia, USA'."""
    region = _REGION_BEHIND.match(folded, end)
    if region is not None and place.country in ("HK", "MO"):
        return region.end(), place
    behind = _COUNTRY_BEHIND.match(folded, end)
    if behind is None:
        return end, place
    written = behind["name"]
    while written:
        country = read_place(written) if _is_name(written) else None
        if country is not None and country.subdivision is None:
            if place.name == "Georgia" and country.country == "US":
                place = Place("Georgia", "US", "US-GA")
            if place.subdivision is not None and country.country == place.country:
                stop = behind.start("name") + len(written)
                return stop + (behind["close"] is not None and stop == behind.end("name")), place
            return end, place
        written = written.rpartition(" ")[0]
    return end, place


def _cue(name: _Name, folded: str, told: list[tuple[_Name, Cue]]) -> Cue | None:
    """What makes the name a jurisdiction; None for a place that is only mentioned."""
    before = folded[max(0, name.start - _REACH) : name.start]
    if _NO_JURISDICTION_BEFORE.search(before):
        return None
    if not name.has_form and _NO_JURISDICTION_AFTER.match(folded, name.end):
        return None
    after = _LAW_AFTER.match(folded, name.end) or _LAW_INSIDE.search(folded, name.start, name.end)
    if after is not None:
        return "courts" if after["what"].lower().startswith(("court", "trib")) else "law"
    if _LAW_BEFORE.search(before) or _GOVERNED_BY.search(before):
        return "law"
    last = told[-1] if told else None
    if last is not None and _LIST.fullmatch(folded, last[0].end, name.bare):
        return last[1]
    if _COURTS_BEFORE.search(before) or _COURTS_UPPER.search(before):
        is_town = re.match(rf"\s*,\s*{re.escape(folded[name.bare : name.end])}\b", folded[name.end :]) is not None
        return None if is_town else "courts"
    return None


def _found(name: _Name, text: str) -> FoundValue:
    place = name.place
    value = Jurisdiction(
        name=place.name, country=place.country, subdivision=place.subdivision, original=text[name.start : name.end]
    )
    return FoundValue(name.start, name.end, value)
