# ruff: noqa: E501  # word lists are read as text
"""Countries and the parts of them whose law contracts are made under, by their names in English, Spanish and French.

Names and codes of ISO 3166-1 and 3166-2 come from pycountry (offline, with translations); what follows are the names
that lawyers write and ISO does not: 'England and Wales', 'the PRC', 'Holland', and the adjectives of 'French law'.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pipeline.values.found import fold


@dataclass(frozen=True, slots=True)
class Place:
    """A country or a part of one; codes as in `Jurisdiction`."""

    name: str
    country: str | None
    subdivision: str | None = None


_PARTED = ("US", "CA", "AU")  # federations whose states are named without 'State of'
# ISO 3166-2:GB gives these codes to the countries of the United Kingdom and to England and Wales together.
_UNITED_KINGDOM = {
    "GB-EAW": ("England and Wales", "inglaterra y gales|angleterre et pays de galles|angleterre et le pays de galles|england & wales"),
    "GB-ENG": ("England", "inglaterra|angleterre"),
    "GB-SCT": ("Scotland", "escocia|ecosse"),
    "GB-WLS": ("Wales", "gales|pays de galles"),
    "GB-NIR": ("Northern Ireland", "irlanda del norte|irlande du nord"),
}  # fmt: skip
_OTHER_NAMES_OF_PARTS = {  # names of states in Spanish and French, and territories that ISO lists as countries
    "US-NY": "nueva york|new york state", "US-NM": "nuevo mexico|nouveau mexique|nouveau-mexique", "US-NJ": "nueva jersey",
    "US-PA": "pensilvania|pennsylvanie", "US-LA": "luisiana|louisiane", "US-CA": "californie", "US-FL": "floride",
    "US-NC": "carolina del norte|caroline du nord", "US-SC": "carolina del sur|caroline du sud", "US-VA": "virginie",
    "US-DC": "washington dc|washington d.c.|distrito de columbia|district de columbia", "US-HI": "hawai",
    "US-PR": "puerto rico", "CA-QC": "quebec", "CA-BC": "columbia britanica|colombie-britannique|colombie britannique",
    "CA-NB": "nouveau-brunswick", "CA-NS": "nouvelle-ecosse",
}  # fmt: skip
_OTHER_NAMES = {  # country: what contracts call it beside its ISO names
    "US": "united states|the states|u.s.|us|u.s.a.|usa|estados unidos|estados unidos de america|etats-unis|etats-unis d'amerique|ee.uu.",
    "GB": "united kingdom|u.k.|uk|great britain|reino unido|royaume-uni|gran bretana|grande-bretagne",
    "CN": "prc|p.r.c.|p.r. china|pr china|people's republic of china|peoples' republic of china|peoples republic of china|mainland china|republica popular china|republique populaire de chine",
    "HK": "hong kong|hong kong sar|hksar|hong kong special administrative region|hong-kong", "MO": "macau|macao",
    "KR": "korea|south korea|republic of korea|corea del sur|coree du sud", "KP": "north korea", "TW": "taiwan|republic of china",
    "NL": "netherlands|the netherlands|holland|paises bajos|pays-bas|holanda", "CH": "swiss confederation|confederation suisse",
    "RU": "russia|rusia|russie", "CZ": "czech republic|republica checa|republique tcheque", "AE": "u.a.e.|uae|united arab emirates",
    "TR": "turkey|turquia|turquie", "VN": "vietnam", "VG": "british virgin islands|bvi|b.v.i.|islas virgenes britanicas|iles vierges britanniques",
    "VI": "u.s. virgin islands|united states virgin islands", "KY": "cayman islands|the cayman islands|islas caiman|iles caimans",
    "IR": "iran", "VE": "venezuela", "BO": "bolivia|bolivie", "TZ": "tanzania", "MD": "moldova", "SY": "syria", "LA": "laos",
    "CI": "ivory coast|costa de marfil", "IE": "republic of ireland|eire", "DE": "federal republic of germany|republica federal de alemania|republique federale d'allemagne",
    "ES": "kingdom of spain|reino de espana|royaume d'espagne", "MX": "united mexican states|estados unidos mexicanos",
    "FR": "french republic|republica francesa|republique francaise", "IT": "italian republic|republica italiana|republique italienne",
    "GE": "republic of georgia", "MK": "macedonia", "CD": "democratic republic of the congo", "PS": "palestine",
    "BS": "the bahamas", "PH": "the philippines|republic of the philippines", "IL": "state of israel|estado de israel|etat d'israel",
    "LU": "grand duchy of luxembourg|grand-duche de luxembourg|gran ducado de luxemburgo", "SA": "kingdom of saudi arabia|ksa",
}  # fmt: skip
_UNION = "european union|the european union|eu|e.u.|union europea|union europeenne"
# Adjectives before 'law' and 'courts', and after 'derecho', 'ley', 'droit', 'loi'; folded, all genders and numbers.
_ADJECTIVES = {
    "US": "american|estadounidense|norteamericana|americain|americaine", "GB": "british|britanica|britanico|britannique",
    "GB-ENG": "english|inglesa|ingles|anglaise|anglais", "GB-SCT": "scottish|scots|escocesa|escoces|ecossaise|ecossais",
    "FR": "french|francesa|frances|francaise|francais|franceses|francaises", "DE": "german|alemana|aleman|allemande|allemand|alemanes|alemanas|allemands",
    "ES": "spanish|espanola|espanol|espagnole|espagnol|espanoles|espanolas|espagnols|espagnoles",
    "IT": "italian|italiana|italiano|italienne|italien", "PT": "portuguese|portuguesa|portugues|portugaise|portugais",
    "NL": "dutch|netherlands|holandesa|neerlandesa|neerlandes|neerlandaise|neerlandais", "BE": "belgian|belga|belge|belges",
    "LU": "luxembourg|luxembourgish|luxemburguesa|luxembourgeoise|luxembourgeois", "CH": "swiss|suiza|suizo|suisse|suisses",
    "AT": "austrian|austriaca|austriaco|autrichienne|autrichien", "IE": "irish|irlandesa|irlandes|irlandaise|irlandais",
    "DK": "danish|danesa|danes|danoise|danois", "SE": "swedish|sueca|sueco|suedoise|suedois", "NO": "norwegian|noruega|norvegienne",
    "FI": "finnish|finlandesa|finlandaise", "PL": "polish|polaca|polaco|polonaise", "CZ": "czech|checa|tcheque",
    "GR": "greek|griega|grecque", "TR": "turkish|turca|turque", "RU": "russian|rusa|russe", "IL": "israeli|israelita",
    "CN": "chinese|chinoise|chinois", "JP": "japanese|japonesa|japonaise", "KR": "korean|coreana|coreenne",
    "IN": "indian|india|indienne", "SG": "singaporean|singapore", "HK": "hong kong", "AU": "australian|australiana|australienne",
    "NZ": "new zealand", "CA": "canadian|canadiense|canadienne|canadien", "MX": "mexican|mexicana|mexicano|mexicaine|mexicain",
    "AR": "argentine|argentinian|argentina|argentino", "BR": "brazilian|brasilena|brasileno|bresilienne|bresilien",
    "CL": "chilean|chilena|chileno|chilienne", "CO": "colombian|colombiana|colombiano|colombienne", "PE": "peruvian|peruana|peruano|peruvienne",
    "UY": "uruguayan|uruguaya", "ZA": "south african|sudafricana|sud-africaine", "MA": "moroccan|marroqui|marocaine|marocain",
    "CA-QC": "quebecoise|quebecois", "US-CA": "californian|californiana|californienne", "ES-CT": "catalana|catalan",
    "EU": "european union|eu|europea|europeo|europeenne|europeen", "MC": "monegasque|monegasca",
}  # fmt: skip
NAME_WORDS = 7  # words of the longest name looked up: 'Republic of ... and ...', of a few hundred names
_TAKEN = {"georgia"}  # a country and a state of the United States; alone it is named and not coded


def read_place(words: str, *, with_form: bool = False) -> Place | None:
    """The place of that name; None for any other words. 'Georgia' alone has no codes, being two places.

    `with_form`: 'State of', 'Province of', 'Canton of' stood before it, so that states of every country are looked up.
    """
    key = _key(words)
    if with_form and key in _TAKEN:
        return Place("Georgia", "US", "US-GA")
    place = _names().get(key)
    if place is None and with_form:
        place = _every_part().get(key)
    return place


def read_adjective(words: str) -> Place | None:
    """The place of an adjective as in 'French law', 'ley española'; None for any other words."""
    code = _adjectives().get(_key(words))
    return None if code is None else _coded(code)


def read_postal_state(code: str) -> Place | None:
    """The state of the United States with this two-letter postal code; None for other codes."""
    return _coded(f"US-{code}") if len(code) == 2 and f"US-{code}" in _parts() else None


def _key(words: str) -> str:
    return " ".join(fold(words).lower().split())


@lru_cache(maxsize=1)
def _adjectives() -> dict[str, str]:
    return {word: code for code, words in _ADJECTIVES.items() for word in words.split("|")}


def _coded(code: str) -> Place | None:
    if code == "EU":
        return Place("European Union", None)
    if code in _UNITED_KINGDOM:
        return Place(_UNITED_KINGDOM[code][0], "GB", code)
    if "-" in code:
        return Place(_parts()[code], code[:2], code) if code in _parts() else None
    return Place(_countries()[code], code) if code in _countries() else None


@lru_cache(maxsize=1)
def _countries() -> dict[str, str]:
    """The English short name of each country; 'South Korea' for ISO's 'Korea, Republic of'."""
    import pycountry

    ours = {"KR": "South Korea", "KP": "North Korea", "GB": "United Kingdom", "TR": "Turkey", "RU": "Russia", "VG": "British Virgin Islands"}  # fmt: skip
    ours |= {
        "PS": "Palestine",
        "CD": "Democratic Republic of the Congo",
        "FM": "Micronesia",
        "VI": "U.S. Virgin Islands",
    }
    return {
        one.alpha_2: ours.get(one.alpha_2) or str(getattr(one, "common_name", None) or one.name)
        for one in sorted(pycountry.countries, key=lambda one: one.alpha_2)
    }


@lru_cache(maxsize=1)
def _parts() -> dict[str, str]:
    """The name of each part of a country, by its ISO 3166-2 code."""
    import pycountry

    named = {one.code: str(one.name).partition(" [")[0].strip("*") for one in pycountry.subdivisions}
    return {**dict(sorted(named.items())), "GB-EAW": "England and Wales", "CA-QC": "Quebec"}


@lru_cache(maxsize=1)
def _names() -> dict[str, Place]:
    """Every name that may stand alone after 'the laws of', folded; later entries take precedence."""
    import gettext

    import pycountry

    names: dict[str, Place] = {}
    for language in ("es", "fr"):
        told = gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[language])
        for one in sorted(pycountry.countries, key=lambda one: one.alpha_2):
            names[_key(told.gettext(one.name))] = Place(_countries()[one.alpha_2], one.alpha_2)
    for one in sorted(pycountry.countries, key=lambda one: one.alpha_2):
        for name in (one.name, getattr(one, "official_name", None), getattr(one, "common_name", None)):
            if name:
                names[_key(name)] = Place(_countries()[one.alpha_2], one.alpha_2)
    for code, name in _parts().items():
        if code[:2] in _PARTED:
            names[_key(name)] = Place(name, code[:2], code)
    for code, (name, others) in _UNITED_KINGDOM.items():
        names |= {_key(word): Place(name, "GB", code) for word in (name, *others.split("|"))}
    for table in (_OTHER_NAMES_OF_PARTS, _OTHER_NAMES):
        for code, others in table.items():
            place = _coded(code)
            if place is not None:
                names |= dict.fromkeys(others.split("|"), place)
    names |= dict.fromkeys(_UNION.split("|"), Place("European Union", None))
    names |= {"georgia": Place("Georgia", None), "georgie": Place("Georgia", None)}
    return {name: place for name, place in names.items() if "," not in name and "(" not in name}


@lru_cache(maxsize=1)
def _every_part() -> dict[str, Place]:
    """Names that exactly one part of exactly one country has, folded."""
    seen: dict[str, list[Place]] = {}
    for code, name in _parts().items():
        seen.setdefault(_key(name), []).append(Place(name, code[:2], code))
    seen.setdefault("dubai", []).append(Place("Dubai", "AE", "AE-DU"))
    seen.setdefault("bavaria", []).append(Place("Bavaria", "DE", "DE-BY"))
    return {name: places[0] for name, places in seen.items() if len(places) == 1}
