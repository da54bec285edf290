"""The frame of a plot: where a value lies, the grid, the scales and their titles."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pipeline.evaluation.report_markup import Element, tag

TICKS_WANTED = 5  # about as many as a reader takes in
COLOURS = 8  # classes c1 to c8 of the style sheet; a ninth series has the first colour again, and its own number
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Axes:
    """The area of a plot in SVG units, and the values at its edges."""

    left: float
    top: float
    width: float
    height: float
    x_low: float
    x_high: float
    y_low: float = 0.0
    y_high: float = 1.0

    def x(self, value: float) -> float:
        """Where a value lies across; values beyond the edges lie on them."""
        share = (value - self.x_low) / (self.x_high - self.x_low)
        return self.left + self.width * min(max(share, 0.0), 1.0)

    def y(self, value: float) -> float:
        """Where a value lies from the top; values beyond the edges lie on them."""
        share = (value - self.y_low) / (self.y_high - self.y_low)
        return self.top + self.height * (1.0 - min(max(share, 0.0), 1.0))


def find_ticks(low: float, high: float) -> list[float]:
    """Round values from `low` to `high`, about TICKS_WANTED, evenly apart."""
    raw = max(high - low, 1e-9) / TICKS_WANTED
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(step * power for step in _STEPS if step * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def round_up(value: float) -> float:
    """The end of a scale that takes `value` in: the next round number."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(
        step * power for step in (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0) if step * power >= value * 0.999
    )


def draw_axes(axes: Axes, *, x_title: str, y_title: str, y_grid: bool = True) -> Element:
    """Grid, tick labels and the titles of both scales."""
    drawn = tag("g", class_="axes")
    bottom, right = axes.top + axes.height, axes.left + axes.width
    for value in find_ticks(axes.x_low, axes.x_high):
        x = axes.x(value)
        drawn.append(tag("line", x1=x, x2=x, y1=axes.top, y2=bottom, class_="grid"))
        drawn.append(tag("text", tell_number(value), x=x, y=bottom + 16.0, class_="tick mid"))
    for value in find_ticks(axes.y_low, axes.y_high) if y_grid else ():
        y = axes.y(value)
        drawn.append(tag("line", x1=axes.left, x2=right, y1=y, y2=y, class_="grid"))
        drawn.append(tag("text", tell_number(value), x=axes.left - 6.0, y=y + 4.0, class_="tick end"))
    drawn.append(tag("line", x1=axes.left, x2=right, y1=bottom, y2=bottom, class_="axis"))
    drawn.append(tag("line", x1=axes.left, x2=axes.left, y1=axes.top, y2=bottom, class_="axis"))
    drawn.append(tag("text", x_title, x=axes.left + axes.width / 2, y=bottom + 34.0, class_="scale mid"))
    if y_title:
        drawn.append(tag("text", y_title, x=axes.left, y=axes.top - 10.0, class_="scale"))
    return drawn


def draw_plot(name: str, width: float, height: float, *parts: Element) -> Element:
    """A picture of the parts that shrinks with the page; `name` is what a screen reader says of it."""
    return tag(
        "svg", *parts, viewBox=f"0 0 {width:g} {height:g}", width=width, height=height, role="img", aria_label=name
    )


def colour(number: int) -> str:
    """The class that colours series `number`, counted from 1."""
    return f"c{(number - 1) % COLOURS + 1}"


def draw_badge(number: int, x: float, y: float, told: str) -> Element:
    """A disc with the number of a series, so that colour is never the only sign; `told` shows under the pointer."""
    return tag(
        "g",
        tag("title", told),
        tag("circle", cx=x, cy=y, r=8.5, class_=f"fill {colour(number)}"),
        tag("text", str(number), x=x, y=y + 3.7, class_="badge mid"),
    )


def tell_number(value: float) -> str:
    """A number of a scale: thousands apart, no decimals that say nothing."""
    return f"{value:,.4f}".rstrip("0").rstrip(".")
