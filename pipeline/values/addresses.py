# ruff: noqa: E501  # patterns are read whole, on one line
"""Postal addresses in American, British, Spanish and French form, each told by its postal code and its street.

The libraries that read addresses need trained data (libpostal: 2 GB) or know one country (usaddress); a compliance
reader needs those that a contract writes out whole, and an address without street or postal code is better not given.
"""

from __future__ import annotations

import re

from pipeline.values.found import FoundValue, fold
from pipeline.values.places import read_place, read_postal_state
from schemas.values import Address

REACH = 170  # characters before a postal code in which its street starts: four lines of a letterhead
_US_CODE = re.compile(
    r"(?P<region>[A-Z]{2}|[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\s*,?\s{1,3}(?P<code>\d{5}(?:-\d{4})?)(?![\d-])"
)
_UK_CODE = re.compile(r"(?<!\w)(?P<code>[A-Z]{1,2}\d[A-Z\d]?\s{1,2}\d[A-Z]{2})(?!\w)")
_EU_CODE = re.compile(
    r"(?<![\w-])(?:[EF]-)?(?P<code>\d{5})\s{1,2}(?P<city>[A-Z][\w'-]+(?:[ -](?:de|del|la|los|las|le|les|sur|en|l'|d')?[ -]?(?!CEDEX)[A-Z][\w'-]+){0,4}(?:\s+(?i:CEDEX)(?:\s+\d{1,2})?)?)"
)
_STREET_START = re.compile(
    r"(?:^|(?<=[\s,;:(]))(?:\d{1,6}[A-Za-z]?(?:-\d{1,5})?\s+(?:[NSEW]\.?\s+)?[A-Z0-9]|P\.?\s?O\.?\s+Box\s+\d|(?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten)\s+[A-Z]|(?:Unit|Flat|Suite|Level|Floor)\s+\d)"
)
_SPANISH_START = re.compile(
    r"(?:^|(?<=[\s,;:(]))(?:C/|Calle|Avda\.?|Avenida|Av\.|Paseo|P\.?º|Plaza|Pza\.?|Ronda|Carretera|Ctra\.?|Camino|Gran\s+Via|Poligono|Rambla|Travesia|Glorieta)\s+[A-Za-z]",
    re.IGNORECASE,
)
_FRENCH_START = re.compile(
    r"(?:^|(?<=[\s,;:(]))\d{1,4}(?:\s?(?:bis|ter))?\s*,?\s+(?:rue|avenue|av\.|boulevard|bd|place|quai|chemin|allee|impasse|cours|route|square|passage|villa|esplanade|faubourg)\s+\w",
    re.IGNORECASE,
)
_COUNTRY = re.compile(r"\s*[,(]?\s*(?P<name>(?:[A-Z]\.){2,3}|[A-Z][A-Za-z]+(?:\s+(?:of\s+)?[A-Z][A-Za-z]+){0,3})")
_SPANISH_REGION = re.compile(r"\s*(?:\(\s*(?P<bracket>[A-Z][\w ]{2,25})\s*\)|,\s*(?P<comma>[A-Z]\w+)(?=\s*[,.;)]))")
_NOT_A_STREET = re.compile(r"\b(?:shares?|days?|months?|years?|pursuant|shall|agreement|section|dollars?|percent)\b|[;$%]", re.IGNORECASE)  # fmt: skip


def find_addresses(text: str, language: str) -> tuple[FoundValue, ...]:  # noqa: ARG001 - each country has its form
    """Postal addresses in `text`, left to right; what has no street or no postal code is none."""
    folded = fold(text)
    found = [*_american(text, folded), *_british(text, folded), *_continental(text, folded)]
    kept: list[FoundValue] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def _american(text: str, folded: str) -> list[FoundValue]:
    found = []
    for match in _US_CODE.finditer(folded):
        region = match["region"]
        place = read_postal_state(region) if len(region) == 2 else read_place(region)
        street = _street_before(folded, match.start(), _STREET_START)
        if street is None or place is None or place.country != "US":
            continue
        start, cut, city = street
        end, country = _country_behind(folded, text, match.end())
        fields = {
            "street": text[start:cut],
            "city": city,
            "region": region,
            "postal_code": match["code"],
            "country": country,
        }
        found.append(_address(text, start, end, fields))
    return found


def _british(text: str, folded: str) -> list[FoundValue]:
    found = []
    for match in _UK_CODE.finditer(folded):
        street = _street_before(folded, match.start(), _STREET_START)
        if street is None:
            continue
        start, cut, city = street
        end, country = _country_behind(folded, text, match.end())
        fields = {
            "street": text[start:cut],
            "city": city,
            "region": None,
            "postal_code": match["code"],
            "country": country,
        }
        found.append(_address(text, start, end, fields))
    return found


def _continental(text: str, folded: str) -> list[FoundValue]:
    found = []
    for match in _EU_CODE.finditer(folded):
        window = max(0, match.start() - REACH)
        for form in (_FRENCH_START, _SPANISH_START):
            starts = list(form.finditer(folded, window, match.start()))
            if not starts or _NOT_A_STREET.search(folded, starts[-1].start(), match.start()):
                continue
            start, end, region = starts[-1].start(), match.end(), None
            told = _SPANISH_REGION.match(folded, end) if form is _SPANISH_START else None
            if told is not None and read_place(told["bracket"] or told["comma"]) is None:
                region, end = text[slice(*told.span("bracket" if told["bracket"] else "comma"))], told.end()
            end, country = _country_behind(folded, text, end)
            street = text[start : match.start()].rstrip(" ,-\n")
            city = text[slice(*match.span("city"))]
            fields = {
                "street": street,
                "city": city,
                "region": region,
                "postal_code": match["code"],
                "country": country,
            }
            found.append(_address(text, start, end, fields))
            break
    return found


def _street_before(folded: str, at: int, form: re.Pattern[str]) -> tuple[int, int, str] | None:
    """Start and end of the street, and the town, that stand before a region or postal code; None without a street."""
    window = max(0, at - REACH)
    starts = [one.start() for one in form.finditer(folded, window, at)]
    before = folded[window:at].rstrip(" ,\n\t")
    town_cut = max(before.rfind(","), before.rfind("\n"))
    if not starts or town_cut < 0:
        return None
    cut, town = window + town_cut, " ".join(before[town_cut + 1 :].split())
    inside = [start for start in starts if start < cut]
    if not inside or not re.fullmatch(r"[A-Z][A-Za-z.' -]{1,40}", town):
        return None
    start = inside[-1]
    for earlier in reversed(inside[:-1]):  # '5 Main Street, 3rd Floor' starts at its first number
        if re.fullmatch(r"[^;:]{2,60},\s*", folded[earlier:start].replace("\n", ", ")):
            start = earlier
    street = folded[start:cut].rstrip(" ,\n")
    if not re.search(r"[A-Za-z]{2}", street) or _NOT_A_STREET.search(street):
        return None
    return start, start + len(street), town


def _country_behind(folded: str, text: str, end: int) -> tuple[int, str | None]:
    """The end with the country that stands behind an address, and the country as written."""
    behind = _COUNTRY.match(folded, end)
    if behind is not None:
        written = behind["name"]
        while written:
            place = read_place(written)
            if place is not None and (place.subdivision is None or place.country == "GB"):
                stop = behind.start("name") + len(written)
                return stop, text[behind.start("name") : stop]
            written = written.rpartition(" ")[0]
    return end, None


def _address(text: str, start: int, end: int, fields: dict[str, str | None]) -> FoundValue:
    flat = {name: " ".join(written.split()) if written else None for name, written in fields.items()}
    return FoundValue(start, end, Address.model_validate({**flat, "original": text[start:end]}))
