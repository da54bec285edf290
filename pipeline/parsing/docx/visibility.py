"""Why a person does not see a run: hidden by its own formatting, too small, or in the colour of what is behind it."""

from __future__ import annotations

from pipeline.parsing.docx.styles import AUTO, Look

MIN_VISIBLE_SIZE = 2.0  # points; the same as for PDF
MIN_CONTRAST = 24  # 0-255, the largest difference of a colour channel that nobody can read; the same as for PDF
PAGE_COLOR = "FFFFFF"

HIDDEN_FONT = "formatted as hidden text"
TINY = "smaller than 2 points"
SAME_COLOR = "its colour cannot be told from its background (white on white)"


def why_unseen(look: Look, ground: str) -> str:
    """The reason, empty for what is seen; `ground` is the colour behind the paragraph, '' for the page's, '?' unknown.

    A ground that is not known hides nothing: white letters on a table's dark header are no secret.
    """
    if look.vanish:
        return HIDDEN_FONT
    if 0 < look.size < MIN_VISIBLE_SIZE:
        return TINY
    behind = look.ground or ground or PAGE_COLOR
    if look.color.lower() == AUTO:
        return ""
    one, two = _channels(look.color), _channels(behind)
    if one is None or two is None:
        return ""
    return SAME_COLOR if max(abs(a - b) for a, b in zip(one, two, strict=True)) < MIN_CONTRAST else ""


def read_color(color: str) -> int:
    """A colour of six hex digits as 0xRRGGBB; 0, black, for anything else."""
    channels = _channels(color)
    return 0 if channels is None else channels[0] << 16 | channels[1] << 8 | channels[2]


def _channels(color: str) -> tuple[int, int, int] | None:
    try:
        value = int(color, 16)
    except ValueError:
        return None
    return (value >> 16 & 255, value >> 8 & 255, value & 255) if len(color) == 6 else None
