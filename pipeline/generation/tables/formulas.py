# ruff: noqa: E501  # patterns are read whole, on one line
"""Formulas over named lines: read from data or from a question, and worked out in exact arithmetic.

    formula := term (('+' | '-') term)*      term := factor (('*' | '/') factor)*
    factor  := number | '(' formula ')' | 'average' '(' formula ')' | name

A name is any run of words between operators. 'divided by', 'less', 'plus', 'times' are read as their signs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from typing import Literal

Operator = Literal["+", "-", "*", "/"]

MAX_DEPTH = 20  # brackets inside brackets; a formula of a person has three
MAX_TOKENS = 200
DECIMALS = Decimal("0.000001")  # results are kept to six decimals: more than any figure of a statement carries
_WORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bdivided by\b|\bover\b(?= (?:the )?(?:total|average|net|fy))|[÷]|\bdividido (?:por|entre)\b|\bdivise par\b"), " / "),
    (re.compile(r"\bmultiplied by\b|\btimes\b|[×]|\bmultiplicado por\b|\bmultiplie par\b"), " * "),
    (re.compile(r"\bminus\b|\bless\b|\bmenos\b|\bmoins\b|(?<=\s)[–—−](?=\s)"), " - "),
    (re.compile(r"\bplus\b|\bmas\b"), " + "),
)  # fmt: skip
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)(?![\w.])|(?P<sign>[()*/+]|-(?=[\s(])|(?<=[\s)])-)|(?P<word>[^\s()*/+]+))"
)


class FormulaError(ValueError):
    """Words that are no formula."""


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class Name:
    """A line or a metric, as written."""

    words: str


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of a period's end and of the one before."""

    of: Formula


@dataclass(frozen=True, slots=True)
class Joined:
    """Two formulas and the sign between them."""

    sign: Operator
    left: Formula
    right: Formula


Formula = Number | Name | Average | Joined


def read_formula(text: str) -> Formula:
    """The formula that the text writes.

    Raises FormulaError for text that is none.
    """
    for pattern, sign in _WORDS:
        text = pattern.sub(sign, text)
    tokens = _tokens(text)
    if not tokens or len(tokens) > MAX_TOKENS:
        raise FormulaError("no formula")
    formula, at = _sum(tokens, 0, 0)
    if at != len(tokens):
        raise FormulaError(f"nothing is expected at {tokens[at][1]!r}")
    return formula


def work_out(formula: str, inputs: Mapping[str, Decimal]) -> Decimal | None:
    """What a formula gives whose names are those of the inputs, kept to six decimals; None where it gives nothing."""
    try:
        return settle(_value(read_formula(_quoted(formula, inputs)), {_key(name): inputs[name] for name in inputs}))
    except (FormulaError, KeyError, DivisionByZero, InvalidOperation, ZeroDivisionError):
        return None


def settle(value: Decimal) -> Decimal:
    """The value to six decimals."""
    rounded = value.quantize(DECIMALS)
    return rounded.quantize(Decimal(1)) if rounded == rounded.to_integral_value() else rounded.normalize()


def _key(name: str) -> str:
    """A name as one word, so that its own signs and numbers are none of the formula."""
    return "n_" + "_".join(str(ord(letter)) for letter in name)


def _quoted(formula: str, inputs: Mapping[str, Decimal]) -> str:
    for name in sorted(inputs, key=len, reverse=True):
        formula = re.sub(rf"(?<![\w,]){re.escape(name)}(?![\w])", _key(name), formula)
    return formula


def _value(formula: Formula, values: Mapping[str, Decimal]) -> Decimal:
    match formula:
        case Number():
            return formula.value
        case Name():
            return values[formula.words]
        case Joined():
            left, right = _value(formula.left, values), _value(formula.right, values)
            return apply(formula.sign, left, right)
        case Average():
            raise FormulaError("an average is written out where it is worked out")


def apply(sign: Operator, left: Decimal, right: Decimal) -> Decimal:
    """The operation.

    Raises ZeroDivisionError or InvalidOperation where it has no result.
    """
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right


def _tokens(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(f"cannot read {text[at : at + 20]!r}")
        kind = match.lastgroup or ""
        found.append((kind, match[kind]))
        at = match.end()
    return found


def _sum(tokens: list[tuple[str, str]], at: int, depth: int) -> tuple[Formula, int]:
    left, at = _product(tokens, at, depth)
    while at < len(tokens) and tokens[at] in (("sign", "+"), ("sign", "-")):
        sign: Operator = "+" if tokens[at][1] == "+" else "-"
        right, at = _product(tokens, at + 1, depth)
        left = Joined(sign, left, right)
    return left, at


def _product(tokens: list[tuple[str, str]], at: int, depth: int) -> tuple[Formula, int]:
    left, at = _factor(tokens, at, depth)
    while at < len(tokens) and tokens[at] in (("sign", "*"), ("sign", "/")):
        sign: Operator = "*" if tokens[at][1] == "*" else "/"
        right, at = _factor(tokens, at + 1, depth)
        left = Joined(sign, left, right)
    return left, at


def _factor(tokens: list[tuple[str, str]], at: int, depth: int) -> tuple[Formula, int]:
    if at >= len(tokens) or depth > MAX_DEPTH:
        raise FormulaError("something is missing at the end")
    kind, written = tokens[at]
    if kind == "number" and not (at + 1 < len(tokens) and tokens[at + 1][0] == "word"):
        return Number(Decimal(written)), at + 1
    if written == "(":
        return _bracket(tokens, at, depth)
    if written == "average" and at + 1 < len(tokens) and tokens[at + 1][1] == "(":
        inside, at = _bracket(tokens, at + 1, depth)
        return Average(inside), at
    if kind == "sign":
        raise FormulaError(f"nothing stands before {written!r}")
    words = []
    while at < len(tokens) and tokens[at][0] in ("word", "number"):
        words.append(tokens[at][1])
        at += 1
    if at < len(tokens) and tokens[at][1] == "(":  # 'inventory (from the balance sheet)'
        while at < len(tokens) and tokens[at][1] != ")":
            at += 1
        at += 1
    return Name(" ".join(words)), at


def _bracket(tokens: list[tuple[str, str]], at: int, depth: int) -> tuple[Formula, int]:
    inside, at = _sum(tokens, at + 1, depth + 1)
    if at >= len(tokens) or tokens[at][1] != ")":
        raise FormulaError("a bracket is not closed")
    return inside, at + 1
