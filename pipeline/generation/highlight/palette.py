"""The colours of questions: pale as a marker pen, so that print stays legible, and told apart by everyone."""

from __future__ import annotations

# After Okabe and Ito, "Color Universal Design" (2008), made pale: red, green, blue from 0 to 1. Neighbours differ in
# lightness, too, so that they are told apart in grey. After the last comes the first again; notes name the question.
COLOURS = (
    (1.0, 0.82, 0.35), (0.62, 0.86, 1.0), (0.97, 0.95, 0.48), (0.93, 0.7, 0.85), (0.6, 0.88, 0.74), (1.0, 0.72, 0.55),
    (0.76, 0.76, 1.0), (0.82, 0.82, 0.8),
)  # fmt: skip


def colour_of(number: int) -> tuple[float, float, float]:
    """The colour of a question, by its number in the batch from 0."""
    return COLOURS[number % len(COLOURS)]


def hex_colours() -> tuple[str, ...]:
    """All of them as style sheets write them: '#ffd159'."""
    return tuple("#" + "".join(f"{round(255 * part):02x}" for part in colour) for colour in COLOURS)
