"""Currencies as documents write them, as ISO 4217 codes."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

# How far another dollar or peso makes a bare '$' unsure: about two lines of a contract each side, in characters.
NEARBY_CHARACTERS = 200

_DOLLAR_SIGNS = (
    (r"US\s?\$|U\.\s?S\.\s?\$|USD\s?\$", "USD"),
    (r"C\$|CA\$|CAD\s?\$|CDN\s?\$", "CAD"),
    (r"A\$|AU\$|AUD\s?\$", "AUD"),
    (r"NZ\$|NZD\s?\$", "NZD"),
    (r"HK\$|HKD\s?\$", "HKD"),
    (r"S\$|SG\$|SGD\s?\$", "SGD"),
    (r"NT\$", "TWD"),
    (r"MX\$|MXN\s?\$", "MXN"),
    (r"R\$", "BRL"),
)
_OTHER_SIGNS = (
    (r"€", "EUR"),
    (r"£", "GBP"),
    (r"₹|(?<![A-Za-z])(?-i:Rs)\b\.?", "INR"),
    (r"₩", "KRW"),
    (r"RMB(?:\s?¥)?|CN¥", "CNY"),
)
_CODES = (
    "USD|EUR|GBP|CAD|AUD|NZD|HKD|SGD|TWD|CHF|JPY|CNY|INR|KRW|MXN|BRL|ARS|CLP|COP|PEN|UYU|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON"
    "|BGN|TRY|RUB|UAH|ZAR|NGN|KES|EGP|MAD|TND|ILS|AED|SAR|QAR|KWD|BHD|THB|MYR|IDR|PHP|VND|PKR|BDT|LKR"
)
_WORDS = (
    (r"(?:U\.?\s?S\.?|United\s+States|American)\s+dollars?", "USD"),
    (r"dolares\s+(?:de\s+los\s+Estados\s+Unidos(?:\s+de\s+America)?|estadounidenses|americanos)", "USD"),
    (r"dollars?\s+(?:americains?|des\s+Etats-Unis)", "USD"),
    (r"Canadian\s+dollars?|dolares\s+canadienses|dollars?\s+canadiens?", "CAD"),
    (r"Australian\s+dollars?|dolares\s+australianos|dollars?\s+australiens?", "AUD"),
    (r"New\s+Zealand\s+dollars?", "NZD"),
    (r"Hong\s+Kong\s+dollars?", "HKD"),
    (r"Singapore\s+dollars?", "SGD"),
    (r"euros?", "EUR"),
    (r"(?:British\s+)?pounds?\s+sterling|British\s+pounds?|libras?\s+esterlinas?|livres?\s+sterling", "GBP"),
    (r"Swiss\s+francs?|francos?\s+suizos?|francs?\s+suisses?", "CHF"),
    (r"Japanese\s+yen|yens?", "JPY"),
    (r"(?:Chinese\s+)?(?:yuan|renminbi)", "CNY"),
    (r"(?:Indian\s+)?rupees?", "INR"),
    (r"pesos\s+mexicanos|Mexican\s+pesos", "MXN"),
    (r"pesos\s+colombianos|Colombian\s+pesos", "COP"),
    (r"pesos\s+chilenos|Chilean\s+pesos", "CLP"),
    (r"pesos\s+argentinos|Argentin(?:e|ian)\s+pesos", "ARS"),
)
_UNSURE_DOLLAR = re.compile(r"\$|dollars?|dolares", re.IGNORECASE)  # written for several currencies

CODE = rf"(?-i:(?<![A-Za-z])(?:{_CODES})(?![A-Za-z]))"
_CODE_BEFORE_DIGITS = rf"(?-i:(?<![A-Za-z])(?:{_CODES}))"
SIGN = rf"(?:(?<![A-Za-z.])(?:{'|'.join(p for p, _ in _DOLLAR_SIGNS)})|{'|'.join(p for p, _ in _OTHER_SIGNS)}|\$|¥)"
PLAIN_SIGN = rf"(?:{'|'.join(p for p, _ in _OTHER_SIGNS)}|¥)"
NAME = rf"(?:{'|'.join(p for p, _ in _WORDS)}|dollars?|dolares|pesos)(?![A-Za-z])"
PREFIX = rf"(?:{SIGN}|{_CODE_BEFORE_DIGITS}|\bEuros?)"

_KNOWN = tuple(
    (re.compile(pattern, re.IGNORECASE), code)
    for pattern, code in (*_DOLLAR_SIGNS, *_OTHER_SIGNS, *_WORDS, *((code, code) for code in _CODES.split("|")))
)
_OTHER_DOLLARS = re.compile(
    r"(?-i:\b(?:CAD|CDN|AUD|NZD|HKD|SGD|TWD|MXN|ARS|CLP|COP|BRL|UYU|C\$|CA\$|A\$|AU\$|NZ\$|HK\$|S\$|SG\$|NT\$|MX\$|R\$)"
    r"|\bM\.\s?N\.)|\b(?:Canadian|Australian|New\s+Zealand|Hong\s+Kong|Singapore)\s+(?:dollars?|currency|funds)"
    r"|\bpesos\b|dolares\s+(?:canadienses|australianos)|dollars?\s+(?:canadiens?|australiens?)",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"\b(?:CNY|RMB|renminbi|yuan|China|Chinese)\b", re.IGNORECASE)


def currency_code(written: str, folded: str, start: int, end: int) -> str | None:
    """ISO code of the currency `written` for the amount at `folded[start:end]`; null where the document leaves it open.

    A bare '$' or 'dollars' is USD unless another dollar, or a peso, is named within NEARBY_CHARACTERS; '¥' is JPY
    unless China's currency is; bare 'pesos' are left open.
    """
    written = " ".join(written.split())
    code = _known_code(written)
    if code is not None:
        return code
    if _UNSURE_DOLLAR.fullmatch(written):
        return None if _stands_near(_OTHER_DOLLARS, folded, start, end) else "USD"
    if written == "¥":
        return None if _stands_near(_CHINESE, folded, start, end) else "JPY"
    return None


@lru_cache(maxsize=1_024)
def _known_code(written: str) -> str | None:
    """The code of a writing that only one currency has."""
    return next((code for pattern, code in _KNOWN if pattern.fullmatch(written)), None)


def _stands_near(words: re.Pattern[str], folded: str, start: int, end: int) -> bool:
    """True where such words stand within NEARBY_CHARACTERS of an amount."""
    starts, ends = _places(words, folded)
    first = bisect_left(starts, start - NEARBY_CHARACTERS)
    return first < len(starts) and ends[first] <= end + NEARBY_CHARACTERS


@lru_cache(maxsize=8)
def _places(words: re.Pattern[str], folded: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Starts and ends of the words in a text, looked for once for all of its amounts."""
    spans = [match.span() for match in words.finditer(folded)]
    return tuple(start for start, _ in spans), tuple(end for _, end in spans)
