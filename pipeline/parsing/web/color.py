"""Colours of a web page as red, green and blue."""

from __future__ import annotations

import re

Color = tuple[int, int, int]

_NAMES: dict[str, Color] = {
    "black": (0, 0, 0), "white": (255, 255, 255), "red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255),
    "yellow": (255, 255, 0), "gray": (128, 128, 128), "grey": (128, 128, 128), "silver": (192, 192, 192),
    "maroon": (128, 0, 0), "navy": (0, 0, 128), "olive": (128, 128, 0), "purple": (128, 0, 128),
    "teal": (0, 128, 128), "lime": (0, 255, 0), "aqua": (0, 255, 255), "cyan": (0, 255, 255),
    "fuchsia": (255, 0, 255), "magenta": (255, 0, 255), "orange": (255, 165, 0), "brown": (165, 42, 42),
    "whitesmoke": (245, 245, 245), "snow": (255, 250, 250), "ivory": (255, 255, 240), "ghostwhite": (248, 248, 255),
    "lightgray": (211, 211, 211), "lightgrey": (211, 211, 211), "darkgray": (169, 169, 169), "gold": (255, 215, 0),
    "darkblue": (0, 0, 139), "darkred": (139, 0, 0), "darkgreen": (0, 100, 0), "dimgray": (105, 105, 105),
    "windowtext": (0, 0, 0), "window": (255, 255, 255), "lightblue": (173, 216, 230), "lightyellow": (255, 255, 224),
}  # fmt: skip
_FUNCTION = re.compile(r"rgba?\(\s*([\d.]+%?)[\s,]+([\d.]+%?)[\s,]+([\d.]+%?)(?:[\s,/]+([\d.]+%?))?\s*\)")


def read_color(text: str) -> Color | None:
    """The colour that a CSS value or an old attribute names; None for a transparent or unknown one."""
    value = text.strip().lower()
    if value in _NAMES:
        return _NAMES[value]
    digits = value.removeprefix("#")
    if re.fullmatch(r"[0-9a-f]{3,4}", digits) and value.startswith("#"):
        return (
            None if digits[3:] == "0" else (17 * int(digits[0], 16), 17 * int(digits[1], 16), 17 * int(digits[2], 16))
        )
    if re.fullmatch(r"[0-9a-f]{6}(?:[0-9a-f]{2})?", digits):
        return None if digits[6:] == "00" else (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16))
    match = _FUNCTION.fullmatch(value)
    if match is None or (match[4] and float(match[4].rstrip("%")) == 0.0):
        return None
    red, green, blue = (
        min(255, round(float(part.rstrip("%")) * (2.55 if part.endswith("%") else 1.0))) for part in match.groups()[:3]
    )
    return red, green, blue


def contrast(one: Color, other: Color) -> int:
    """Largest difference of a channel, 0-255."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))
