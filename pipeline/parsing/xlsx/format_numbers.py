"""Numbers as a section of a format code shows them: digits, thousands, percent, scientific, fractions and General."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction

from pipeline.parsing.xlsx.format_code import Section, Token

SIGNIFICANT_DIGITS = 15  # digits of a number that Excel keeps (specifications and limits of Excel)
GENERAL_CHARS = 11  # characters of a number in General, sign aside (ECMA-376 18.8.30, General)
GENERAL_DIGITS = 6  # significant digits of General where it turns to the scientific form
MAX_DENOMINATOR_DIGITS = 7  # digits of a fraction's lower part; more are no format that Excel accepts
_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)  # doubles have up to 309 digits before the point


def exact(value: float) -> Decimal:
    """The number to the 15 digits that Excel keeps, so that 1.005 is rounded as a person expects."""
    return Decimal(f"{value:.{SIGNIFICANT_DIGITS - 1}e}")


def show_general(value: float) -> str:
    """A number in General: at most 11 characters, scientific beyond (the rules of SheetJS SSF, checked on Excel)."""
    if value == 0:
        return "0"
    plain = repr(float(value)).removesuffix(".0")
    if "e" not in plain and len(plain.lstrip("-")) <= GENERAL_CHARS:
        return plain  # short enough as it is: most cells
    with localcontext(_WIDE):
        number = exact(abs(value))
        size = number.adjusted()
        sign = "-" if value < 0 else ""
        if -5 < size < GENERAL_CHARS:
            places = max(0, GENERAL_CHARS - 2 - max(size, 0))
            shown = _strip(f"{number.quantize(Decimal(1).scaleb(-places)):f}")
            if len(shown.partition(".")[0]) <= GENERAL_CHARS:
                return sign + shown
        elif size < 0:
            shown = _strip(f"{number:f}")
            if len(shown) <= GENERAL_CHARS:
                return sign + shown
        rounded = number.quantize(Decimal(1).scaleb(size - GENERAL_DIGITS + 1))
        size = rounded.adjusted()
        return f"{sign}{_strip(f'{rounded.scaleb(-size):f}')}E{'-' if size < 0 else '+'}{abs(size):02d}"


def show_number(value: float, section: Section) -> str:
    """`value` (not negative: the sign belongs to whoever chose the section) as the section shows it, not trimmed."""
    with localcontext(_WIDE):
        number = exact(value).scaleb(2 * sum(token.kind == "percent" for token in section.tokens))
        tokens = section.tokens
        at = next((i for i, token in enumerate(tokens) if token.kind == "exponent"), None)
        if at is not None and _has_digits(tokens[:at]):
            return _show_scientific(number, tokens, at)
        at = _find_fraction(tokens)
        if at is not None:
            return _show_fraction(number, tokens, at)
        return _show_decimal(number, tokens)


def _has_digits(tokens: Sequence[Token]) -> bool:
    return any(token.kind == "digit" for token in tokens)


def _strip(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _show_decimal(number: Decimal, tokens: Sequence[Token]) -> str:
    if not _has_digits(tokens):
        return "".join(_literal(token, number) for token in tokens)
    point = next((i for i, token in enumerate(tokens) if token.kind == "point"), len(tokens))
    whole, rest = tokens[:point], tokens[point:]
    slots = [i for i, token in enumerate(whole) if token.kind == "digit"]
    grouped = bool(slots) and any(token.kind == "comma" for token in whole[slots[0] : slots[-1]])
    scale = _count_thousands(whole) or _count_thousands(rest)
    places = sum(token.kind == "digit" for token in rest)
    rounded = number.scaleb(-3 * scale).quantize(Decimal(1).scaleb(-places))
    before, _, after = f"{rounded:f}".partition(".")
    return _fill_whole(before, whole, grouped=grouped) + _fill_places(after, rest)


def _count_thousands(tokens: Sequence[Token]) -> int:
    """Commas right behind the last placeholder: each divides by a thousand."""
    last = max((i for i, token in enumerate(tokens) if token.kind == "digit"), default=len(tokens))
    count = 0
    while last + 1 + count < len(tokens) and tokens[last + 1 + count].kind == "comma":
        count += 1
    return count


def _fill_whole(digits: str, tokens: Sequence[Token], *, grouped: bool) -> str:
    """Digits put over the placeholders from the right; the leftmost takes what is left, literals keep their place."""
    digits = digits.lstrip("0")
    slots = sum(token.kind == "digit" for token in tokens)
    if not slots:
        return "".join(_literal(t) for t in tokens if t.kind != "comma") + digits
    shown: list[str] = []
    taken = filled = 0
    for token in reversed(tokens):
        if token.kind == "digit":
            filled += 1
            end = len(digits) - taken
            count = max(end, 0) if filled == slots else min(max(end, 0), 1)
            piece = digits[end - count : end] if count else {"0": "0", "?": " "}.get(token.text, "")
            for digit in reversed(piece):
                if grouped and taken and taken % 3 == 0:
                    shown.append("," if digit != " " else " ")
                shown.append(digit)
                taken += 1
        elif token.kind != "comma":
            shown.append(_literal(token)[::-1])
    return "".join(shown)[::-1]


def _fill_places(digits: str, tokens: Sequence[Token]) -> str:
    """The point and the places after it: # leaves closing zeros out, ? leaves a blank for them."""
    shown = ""
    at = 0
    for token in tokens:
        if token.kind == "digit":
            digit, is_zero_tail = digits[at], not digits[at:].strip("0")
            shown += digit if token.text == "0" or not is_zero_tail else {"?": " "}.get(token.text, "")
            at += 1
        elif token.kind != "comma":
            shown += _literal(token)
    return shown


def _show_scientific(number: Decimal, tokens: Sequence[Token], at: int) -> str:
    """Mantissa and exponent; with several digits before the point the exponent goes in steps of their number."""
    mantissa, tail = tokens[:at], tokens[at + 1 :]
    point = next((i for i, token in enumerate(mantissa) if token.kind == "point"), len(mantissa))
    step = max(1, sum(token.kind == "digit" for token in mantissa[:point]))
    places = sum(token.kind == "digit" for token in mantissa[point:])
    power = 0
    if number:
        size = number.adjusted()
        power = size - size % step
        if number.scaleb(-power).quantize(Decimal(1).scaleb(-places)).adjusted() >= step:
            power += step  # 9.99 rounded up to 10.0
    shown = _show_decimal(number.scaleb(-power), mantissa)
    sign = "-" if power < 0 else ("+" if tokens[at].text == "E+" else "")
    return f"{shown}E{sign}{_fill_whole(str(abs(power)), tail, grouped=False)}"


def _find_fraction(tokens: Sequence[Token]) -> int | None:
    """Where a slash stands between a numerator of placeholders and a denominator."""
    for at, token in enumerate(tokens):
        if token.kind == "slash" and at and tokens[at - 1].kind == "digit" and _denominator(tokens, at)[1]:
            return at
    return None


def _denominator(tokens: Sequence[Token], at: int) -> tuple[int, str]:
    """Index behind the denominator after the slash, and its characters: placeholders, or a number as written."""
    end = at + 1
    while end < len(tokens) and (tokens[end].kind == "digit" or tokens[end].text in _DIGITS):
        end += 1
    return end, "".join(token.text for token in tokens[at + 1 : end])[:MAX_DENOMINATOR_DIGITS]


_DIGITS = frozenset("123456789")


def _show_fraction(number: Decimal, tokens: Sequence[Token], at: int) -> str:
    start = at
    while start and tokens[start - 1].kind == "digit":
        start -= 1
    end, written = _denominator(tokens, at)
    head, tail = tokens[:start], tokens[end:]
    has_whole = _has_digits(head)
    whole = int(number.to_integral_value(rounding=ROUND_FLOOR)) if has_whole else 0
    rest = Fraction(number) - whole
    if written[0] in _DIGITS:
        below = int(written)
        above = int((rest * below + Fraction(1, 2)) // 1)
    else:
        above, below = _approach(rest, 10 ** len(written) - 1)
    if has_whole and above >= below:
        whole, above = whole + 1, 0
    shown = "" if has_whole and above == 0 else f"{above}/{below}"
    if has_whole and (whole or not shown or any(t.kind == "digit" and t.text == "0" for t in head)):
        before = _fill_whole(str(whole), head, grouped=False)
        if not before.strip():
            before = "0"  # '# ?/?' shows nothing but a zero for zero
    else:
        before = "".join(_literal(token) for token in head if token.kind != "digit")
    return before + shown + "".join(_literal(token) for token in tail)


def _approach(value: Fraction, limit: int) -> tuple[int, int]:
    """The last convergent of the continued fraction with a denominator up to `limit`, as Excel takes it (SheetJS SSF).

    It is not always the nearest fraction: pi is 3 1/7 in two digits, though 3 14/99 is nearer.
    """
    above, below, above_before, below_before = 1, 0, 0, 1
    rest = value
    while True:
        whole = rest.numerator // rest.denominator
        next_above, next_below = whole * above + above_before, whole * below + below_before
        if next_below > limit:
            return above, below
        above, below, above_before, below_before = next_above, next_below, above, below
        if rest == whole:
            return above, below
        rest = 1 / (rest - whole)


def _literal(token: Token, number: Decimal | None = None) -> str:
    if token.kind == "general":
        return show_general(float(number)) if number is not None else ""
    return "" if token.kind in ("digit", "text") else token.text
