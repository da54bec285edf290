"""Whether words of the lines read as the typed value: number, unit, currency, basis, day, name, check digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from pipeline.generation.checks.ground import Cited, shorten
from pipeline.generation.checks.parties import misfit_of_role
from pipeline.generation.checks.words import Stretch, find_words, whole_stretch
from pipeline.generation.rows import has_header_with
from pipeline.values import VALUE_TYPES, find_values, same_value
from pipeline.values.equality import plain
from pipeline.values.found import fold
from schemas.values import Address, Amount, BooleanValue, Duration, Iban, Jurisdiction, Party, Value

LANGUAGES = ("en", "es", "fr")
# Fields that a finder must read in the very words of a value as the value gives them.
_EXACT_FIELDS: dict[str, tuple[str, ...]] = {
    "amount": ("value", "currency", "basis"),
    "date": ("iso",),
    "duration": ("number", "unit", "recurring"),
    "number": ("number", "of"),
    "percentage": ("value",),
    "relative_date": ("number", "unit", "direction"),
    "jurisdiction": ("name", "country", "subdivision"),
    "iban": ("iban", "country"),
}
_SCALES = {
    **dict.fromkeys(("thousand", "thousands", "miles", "mil", "milliers", "000s", "000's"), 10**3),
    **dict.fromkeys(("million", "millions", "millones", "millon", "mm"), 10**6),
    **dict.fromkeys(("billion", "billions", "milliards", "milliard"), 10**9),
}
_RECURS = re.compile(
    r"\b(?:successive|consecutive|each|every|additional|renew\w*|extend\w*|year[- ]to[- ]year|month[- ]to[- ]month|annual\w*"
    r"|automatic\w*|further|periods|terms|sucesiv\w*|cada|prorrog\w*|renov\w*|anual\w*|successi\w*|chaque|reconduct\w*|renouvel\w*)\b"
)
_NUMERAL = re.compile(r"\d[\d.,'\s]*\d|\d")
IBAN_MODULUS, IBAN_REST = 97, 1  # ISO 13616 / ISO 7064 MOD 97-10: the number made of the letters leaves 1


def misread(value: Value, cited: Cited, stretch: Stretch, every: Sequence[Cited]) -> str | None:
    """Why the words at `stretch` do not read as the value; None where they do. `every` are all cited stretches."""
    match value:
        case BooleanValue():
            return None
        case Party():
            return misfit_of_role(cited.passage.text, value.name, value.role) or _misfit_of_form(value)
        case Address():
            outside = [part for part in _address_parts(value) if plain(part) not in plain(value.original)]
            return f"{outside[0]!r} is no part of the address as written" if outside else None
        case Iban():
            return _misfit_of_iban(value)
        case Jurisdiction() if value.country and value.subdivision and not value.subdivision.startswith(value.country):
            return f"{value.subdivision} is no part of {value.country}"
    if value.kind not in VALUE_TYPES or value.kind == "identifier":
        return None
    words = getattr(value, "original", "")
    read = readings(value.kind, cited, stretch)
    own = [one for one in read if plain(getattr(one, "original", "")) == plain(words)]
    if any(_equal(one, value, cited) for one in own):
        return None
    if isinstance(value, Amount) and (reads_from_header(value, every) or reads_in_scale(value, every)):
        return None
    if not own and any(same_value(one, value) and _holds(one, words) for one in read):
        return None
    said = (
        f"{own[0].model_dump(mode='json', exclude={'kind', 'original'}, exclude_none=True)}" if own else "no such value"
    )
    return f"the words {shorten(words)!r} read as {said}, not as the {value.kind} given"


def readings(kind: str, cited: Cited, stretch: Stretch) -> list[Value]:
    """Every value of the kind that code reads in the cited lines and in the sentences around a stretch of them."""
    first, last = whole_stretch(cited.passage, stretch)
    texts = dict.fromkeys((cited.passage.text[first:last], cited.text, cited.passage.text[slice(*stretch)]))
    return [
        found.value for text in texts for language in LANGUAGES for found in find_values(text, kind, language=language)
    ]


def reads_from_header(value: Amount, every: Sequence[Cited]) -> bool:
    """True for a bare number of a table row whose header, cited too, names the currency."""
    if value.currency is None:
        return False
    read = find_values(f"{value.currency} {value.original}", "amount")
    is_read = any(isinstance(one.value, Amount) and one.value.value == value.value for one in read)
    return is_read and has_header_with(value.original, value.currency, _lines(every))


def reads_in_scale(value: Amount, every: Sequence[Cited]) -> bool:
    """True for a number that a unit line, cited too, scales: '1,577' under '(in millions)' is 1,577,000,000."""
    if value.unit is None or not any(find_words(one.text, value.unit) for one in every):
        return False
    scale = scale_of(value.unit)
    number = _NUMERAL.search(value.original)
    if number is None:
        return False
    folded = "".join(number.group().split()).replace("'", "")
    is_loss = re.search(r"\(\s*[^\d]{0,3}\d|^\s*[^\d]{0,3}[-−–]\s?[^\d]{0,3}\d", value.original) is not None
    return any(
        (-one if is_loss else one) * scale == value.value
        for one in (_decimal(folded, ",", "."), _decimal(folded, ".", ","))
    ) and _currency_stands(value.currency, every)


def scale_of(unit: str) -> int:
    """By what figures under the unit words are multiplied; 1 for words that name no scale."""
    return next((_SCALES[word] for word in re.findall(r"[\w']+", fold(unit).lower()) if word in _SCALES), 1)


def _equal(one: Value, value: Value, cited: Cited) -> bool:
    """True where every field that a finder reads is the value's."""
    for name in _EXACT_FIELDS.get(value.kind, ()):
        told, given = getattr(one, name, None), getattr(value, name, None)
        if name == "recurring" and given and not told:
            told = isinstance(value, Duration) and _RECURS.search(fold(cited.text).lower()) is not None
        if isinstance(told, str) and isinstance(given, str):
            if plain(told) != plain(given):
                return False
        elif told != given:
            return False
    return True


def _holds(one: Value, words: str) -> bool:
    return plain(words) in plain(getattr(one, "original", ""))


def _lines(every: Sequence[Cited]) -> list[str]:
    ordered = sorted(every, key=lambda one: one.passage.lines[one.passage.line_index(one.start)].line_id)
    return [line for one in ordered for line in one.text.split("\n")]


def _decimal(digits: str, group: str, point: str) -> Decimal:
    plain_digits = digits.replace(group, "").replace(point, ".")
    return Decimal(plain_digits) if re.fullmatch(r"\d+(?:\.\d+)?", plain_digits) else Decimal("NaN")


def _currency_stands(currency: str | None, every: Sequence[Cited]) -> bool:
    """True where a currency that is given is named in the cited lines."""
    from pipeline.generation.rows import names_currency

    return currency is None or any(names_currency(one.text, currency) or _names(one.text, currency) for one in every)


def _names(text: str, currency: str) -> bool:
    read = [found.value for found in find_values(text, "amount")]
    words = {"USD": r"\bu\.?s\.? dollars?\b|\bdollars?\b", "EUR": r"\beuros?\b", "GBP": r"\bpounds?\b"}.get(currency)
    is_named = words is not None and re.search(words, fold(text).lower()) is not None
    return is_named or any(isinstance(one, Amount) and one.currency == currency for one in read)


def _address_parts(value: Address) -> list[str]:
    parts = (value.street, value.postal_code, value.city, value.region, value.country)
    return [part for part in parts if part]


def _misfit_of_form(value: Party) -> str | None:
    if value.legal_form and plain(value.legal_form) not in plain(value.name):
        return f"the legal form {value.legal_form!r} is no part of the name"
    if plain(value.name) not in plain(value.original):
        return "the name is not in the words that are given as the document's"
    return None


def _misfit_of_iban(value: Iban) -> str | None:
    """ISO 13616: country, check digits, account; letters count as 10 to 35."""
    digits = "".join(str(int(c, 36)) for c in value.iban[4:] + value.iban[:4] if c.isalnum())
    if re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{10,30}", value.iban) is None or int(digits) % IBAN_MODULUS != IBAN_REST:
        return f"the check digits of {value.iban} are wrong"
    if value.country != value.iban[:2]:
        return f"{value.iban} is no account of {value.country}"
    if re.sub(r"[^A-Za-z0-9]", "", value.original).upper().removeprefix("IBAN") != value.iban:
        return f"the words {shorten(value.original)!r} are not {value.iban}"
    return None
