"""Markers of list items as browsers show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.parsing.web.style import Style

BULLET = "•"
_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
MAX_ROMAN = 3999  # larger numbers have no Roman form in ordinary letters


@dataclass(slots=True)
class ListState:
    """A list that is open: the number of its next item, the step to the one after, the kind of marker."""

    number: int
    step: int
    kind: str


def open_list(tag: str, attributes: Mapping[str, str | None], style: Style, items: int) -> ListState:
    """The state before the first of `items` items (HTML Living Standard, 4.4.5: start, reversed, type)."""
    kind = _read_kind(style) or _TYPES.get(attributes.get("type") or "", "")
    if tag != "ol":
        return ListState(1, 1, kind if kind == "none" or "alpha" in kind or "roman" in kind else BULLET)
    is_reversed = "reversed" in attributes
    start = _read_int(attributes.get("start"))
    return ListState(
        start if start is not None else items if is_reversed else 1, -1 if is_reversed else 1, kind or "decimal"
    )


def next_marker(state: ListState | None, attributes: Mapping[str, str | None], style: Style) -> str:
    """The marker of the next item, '' for none; counts the list on."""
    own = _read_kind(style) or _TYPES.get(attributes.get("type") or "", "")
    if state is None:  # an item outside any list shows a bullet
        return "" if own == "none" else BULLET
    value = _read_int(attributes.get("value"))
    if value is not None:
        state.number = value
    number = state.number
    state.number += state.step
    kind = own or state.kind
    return "" if kind == "none" else BULLET if kind == BULLET else f"{write_number(number, kind)}."


def write_number(number: int, kind: str) -> str:
    """A number as a list style writes it; decimal where the style has no form for it."""
    form = str(number)
    if kind == "decimal-leading-zero":
        form = f"{number:02d}"
    elif kind in ("lower-alpha", "upper-alpha", "lower-latin", "upper-latin") and number > 0:
        form = ""
        while number > 0:
            number, rest = divmod(number - 1, 26)
            form = chr(ord("a") + rest) + form
    elif kind in ("lower-roman", "upper-roman") and 0 < number <= MAX_ROMAN:
        form = ""
        for value, letters in _ROMAN:
            count, number = divmod(number, value)
            form += letters * count
    return form.upper() if kind.startswith("upper-") else form


def _read_kind(style: Style) -> str:
    words = (style.get("list-style-type") or style.get("list-style") or "").split()
    known = [word for word in words if word in _KINDS]
    if not known:
        return ""
    return BULLET if known[0] in ("disc", "circle", "square") else known[0]


_KINDS = frozenset(
    {"none", "disc", "circle", "square", "decimal", "decimal-leading-zero", "lower-alpha", "upper-alpha",
     "lower-latin", "upper-latin", "lower-roman", "upper-roman"}
)  # fmt: skip


def _read_int(text: str | None) -> int | None:
    """The whole number of an attribute; None where there is none, or one that no list reaches."""
    digits = (text or "").strip()
    return int(digits) if digits.lstrip("+-").isdecimal() and len(digits) <= 9 else None
