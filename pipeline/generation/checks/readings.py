"""Whether words of the lines read as the typed value: number, unit, currency, basis, day, name, check digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from pipeline.generation.checks.ground import Cited, shorten
from pipeline.generation.checks.parties import misfit_of_role
from pipeline.generation.checks.words import Stretch, find_words, whole_stretch
from pipeline.generation.passages import is_row
from pipeline.generation.rows import has_header_with, names_currency
from pipeline.values import VALUE_TYPES, find_values, same_value
from pipeline.values.date_orders import is_told_by
from pipeline.values.equality import plain
from pipeline.values.found import fold
from schemas.values import (
    Address,
    Amount,
    BooleanValue,
    Count,
    DateValue,
    Duration,
    Iban,
    Jurisdiction,
    Party,
    Percentage,
    RelativeDate,
    Value,
)

LANGUAGES = ("en", "es", "fr")
# Fields that a finder must read in the very words of a value as the value gives them.
_EXACT_FIELDS: dict[str, tuple[str, ...]] = {
    "amount": ("value", "currency", "basis"),
    "date": ("iso",),
    "duration": ("number", "unit", "recurring"),
    "number": ("number", "of"),
    "percentage": ("value",),
    "jurisdiction": ("name", "country", "subdivision"),
    "iban": ("iban", "country"),
}
_BY_WORDS = ("identifier", "open_end", "party", "address")  # their words are all that they say
_SCALES = {
    **dict.fromkeys(("thousand", "thousands", "miles", "mil", "milliers", "000s", "000's"), 10**3),
    **dict.fromkeys(("million", "millions", "millones", "millon", "mm"), 10**6),
    **dict.fromkeys(("billion", "billions", "milliards", "milliard"), 10**9),
}
LEAD = 40  # characters before a day told by an event in which a period is opened
_PERIOD_STARTS = re.compile(
    r"\b(?:beginning|commencing|starting|running|counted|counting|measured|a partir|contad[oa]s?|a compter|years?"
    r"|months?|days?|anos?|meses|dias|ans?|mois|jours)\s*$"
)
_BEFORE = re.compile(r"\b(?:before|prior|preceding|in advance|antes|previ[oa]s?|anterior|avant|precedant)\b")
_RECURS = re.compile(
    r"\b(?:successive|consecutive|each|every|additional|renew\w*|extend\w*|year[- ]to[- ]year|month[- ]to[- ]month"
    r"|annual\w*|automatic\w*|further|periods|terms|sucesiv\w*|cada|prorrog\w*|renov\w*|anual\w*|successi\w*|chaque"
    r"|reconduct\w*|renouvel\w*)\b"
)
_NUMERAL = re.compile(r"\d[\d.,'\s]*\d|\d")
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
    "twentieth",
)
_ANNIVERSARY = re.compile(rf"\b(?P<ordinal>{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))\b[^.;]{{0,12}}?\banniversar")
IBAN_MODULUS, IBAN_REST = 97, 1  # ISO 13616 / ISO 7064 MOD 97-10: the number made of the letters leaves 1


def misread(value: Value, cited: Cited, stretch: Stretch, every: Sequence[Cited]) -> str | None:
    """Why the words at `stretch` do not read as the value; None where they do. `every` are all cited stretches."""
    match value:
        case BooleanValue():
            outside = [words for words in (value.negation, *value.exceptions) if words and not _in_clause(words, value)]
            return f"the words {shorten(outside[0])!r} do not stand in the clause" if outside else None
        case Party():
            return misfit_of_role(cited.passage.text, value.name, value.role) or _misfit_of_form(value)
        case Address():
            outside = [part for part in _address_parts(value) if plain(part) not in plain(value.original)]
            return f"{outside[0]!r} is no part of the address as written" if outside else None
        case Iban():
            return _misfit_of_iban(value)
        case Jurisdiction() if value.country and value.subdivision and not value.subdivision.startswith(value.country):
            return f"{value.subdivision} is no part of {value.country}"
        case RelativeDate():
            return _misfit_of_relative(value, cited.passage.text[max(0, stretch[0] - LEAD) : stretch[0]])
    if value.kind not in VALUE_TYPES or value.kind in _BY_WORDS:
        return None
    return _misfit_of_reading(value, cited, stretch, every)


def _misfit_of_reading(value: Value, cited: Cited, stretch: Stretch, every: Sequence[Cited]) -> str | None:
    """Why no reading of the words is the value, field by field; None where one is."""
    words = getattr(value, "original", "")
    read = readings(value.kind, cited, stretch)
    own = [one for one in read if plain(getattr(one, "original", "")) == plain(words)]
    if any(_equal(one, value, cited) for one in own):
        return None
    if isinstance(value, Amount) and reads_from_header(value, every):
        return None
    if isinstance(value, Amount | Count | Percentage) and reads_as_cell(value, cited, every):
        return None
    if isinstance(value, DateValue) and is_told_by(value, [one.text for one in every]):
        return None  # '7/1/98', and a cited line that tells the order
    if isinstance(value, Duration) and _anniversary_of(value.original) == (value.number, value.unit):
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


def reads_as_cell(value: Amount | Count | Percentage, cited: Cited, every: Sequence[Cited]) -> bool:
    """True for the bare number of a table's row, scaled by its unit line: '2' under '(in millions)' is 2,000,000.

    Unit, currency and what is counted stand in the cited lines, the unit line and the header among them.
    """
    unit = value.unit if isinstance(value, Amount) else None
    if unit is not None and not any(find_words(one.text, unit) for one in every):
        return False
    if unit is None and not _is_table(cited):
        return False
    scale = scale_of(unit) if unit else 1
    given = value.number if isinstance(value, Count) else value.value
    if all(number * scale != given for number in _numbers_of(value.original)):
        return False
    match value:
        case Amount():
            return _currency_stands(value.currency, every)
        case Count():
            words = re.findall(r"\w+", fold(value.of).lower())
            return any(word in fold(one.text).lower() for word in words for one in every)
        case Percentage():
            return any(
                re.search(r"%|\bper ?cent|\bpercent|\bpor ciento|\bpour cent", one.text.lower()) for one in every
            )


def _anniversary_of(words: str) -> tuple[Decimal, str] | None:
    """The years that an anniversary tells, 'the third anniversary of the Effective Date'; None where none is named."""
    match = _ANNIVERSARY.search(fold(words).lower())
    if match is None:
        return None
    told = match["ordinal"]
    number = int(re.sub(r"\D", "", told)) if told[0].isdigit() else _ORDINALS.index(told) + 1
    return Decimal(number), "year"


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


def _numbers_of(written: str) -> list[Decimal]:
    """The number that a cell holds, in brackets or behind a sign a negative one, by either convention of separators."""
    found = _NUMERAL.search(written)
    if found is None:
        return []
    digits = re.sub(r"[\s']", "", found.group())
    is_loss = re.search(r"\(\s*\D{0,3}\d|^\s*\D{0,3}[-−–]\s?\D{0,3}\d", written) is not None
    plain_digits = [digits.replace(group, "").replace(point, ".") for group, point in ((",", "."), (".", ","))]
    numbers = [Decimal(text) for text in plain_digits if re.fullmatch(r"\d+(?:\.\d+)?", text)]
    return [-number for number in numbers] if is_loss else numbers


def _is_table(cited: Cited) -> bool:
    lines = cited.text.split("\n")
    rows = [one for one in cited.passage.sentences if one.start < cited.end and cited.start < one.end]
    return all(one.kind == "row" for one in rows) or any(is_row(line.strip()) for line in lines)


def _misfit_of_relative(value: RelativeDate, lead: str) -> str | None:
    """Number and unit as the words tell them, and before or after as they say; `lead` stands before the words."""
    if value.number == 0 and _PERIOD_STARTS.search(fold(lead).lower()) is not None:
        return f"with {shorten(value.original)!r} a period starts; it is not the day itself"
    if value.number != 0 and _anniversary_of(value.original) != (value.number, value.unit):
        held = [
            found.value
            for language in LANGUAGES
            for found in find_values(value.original, "duration", language=language)
        ]
        told = [one for one in held if isinstance(one, Duration)]
        if not any((one.number, one.unit) == (value.number, value.unit) for one in told):
            return f"the words {shorten(value.original)!r} tell no {value.number.normalize():f} {value.unit}s"
    is_before = _BEFORE.search(fold(value.original).lower()) is not None
    if value.direction == "before" and not is_before:
        return f"the words {shorten(value.original)!r} tell nothing before an event"
    if plain(value.anchor_event) not in plain(value.original):
        return f"the event {shorten(value.anchor_event)!r} is not in the words that tell the day"
    return None


def _currency_stands(currency: str | None, every: Sequence[Cited]) -> bool:
    """True where a currency that is given is named in the cited lines."""
    return currency is None or any(names_currency(one.text, currency) or _names(one.text, currency) for one in every)


def _names(text: str, currency: str) -> bool:
    read = [found.value for found in find_values(text, "amount")]
    words = {"USD": r"\bu\.?s\.? dollars?\b|\bdollars?\b", "EUR": r"\beuros?\b", "GBP": r"\bpounds?\b"}.get(currency)
    is_named = words is not None and re.search(words, fold(text).lower()) is not None
    return is_named or any(isinstance(one, Amount) and one.currency == currency for one in read)


def _in_clause(words: str, value: BooleanValue) -> bool:
    return value.clause is None or plain(words) in plain(value.clause)


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
