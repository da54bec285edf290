"""The plots of the report as inline SVG: bars with whiskers, a cloud of strategies, curves, a reliability diagram.

Each takes plain numbers and gives an element. Series carry a number beside their colour, and everything drawn says its
figures under the pointer, so that nothing hangs on telling colours apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.evaluation.plots_axes import Axes, colour, draw_axes, draw_badge, draw_plot, round_up
from pipeline.evaluation.report_markup import Element, tag

WIDTH = 780.0  # SVG units of a plot, about the width of a printed page
LETTER = 6.6  # SVG units, the mean width of a letter at the size of the labels, for the room that names need
BAR, BAR_GAP, ROW_GAP = 11.0, 3.0, 12.0  # SVG units
LEGEND_LEFT, LEGEND_TOP, LEGEND_STEP = 496.0, 44.0, 24.0  # SVG units
SPREAD = 19.0  # SVG units between two badges that would cover each other


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with its 95 % interval; without one, both ends are None."""

    value: float
    low: float | None = None
    high: float | None = None

    def told(self) -> str:
        """The figure and its interval in words."""
        if self.low is None or self.high is None:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


@dataclass(frozen=True, slots=True)
class Bars:
    """One row of a bar plot: a name, and a value for each of the plot's keys; None where it was not measured."""

    number: int
    name: str
    values: tuple[Value | None, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A strategy in the cloud: across what it costs, upwards what it gives."""

    number: int
    name: str
    x: float
    y: Value


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of points in the order they are joined."""

    number: int
    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Bin:
    """Questions whose confidence lies together: their mean confidence, the share with an answer, and how many."""

    confidence: float
    share: Value
    count: int


def draw_bars(name: str, keys: Sequence[str], rows: Sequence[Bars], *, x_title: str) -> Element:
    """A group of bars a strategy, one bar a key, each from 0 to 1 with a whisker over its interval."""
    left = 34.0 + LETTER * max((len(row.name) for row in rows), default=0)
    left = min(left, WIDTH * 0.42)
    row_height = len(keys) * (BAR + BAR_GAP) + ROW_GAP
    axes = Axes(left, 26.0, WIDTH - left - 56.0, row_height * len(rows), 0.0, 1.0)
    parts = [_draw_keys(keys, left), draw_axes(axes, x_title=x_title, y_title="", y_grid=False)]
    for index, row in enumerate(rows):
        top = axes.top + index * row_height + ROW_GAP / 2
        middle = top + (len(keys) * (BAR + BAR_GAP) - BAR_GAP) / 2
        parts.append(draw_badge(row.number, 12.0, middle, row.name))
        parts.append(tag("text", _shorten(row.name, left - 34.0), x=26.0, y=middle + 4.0, class_="label"))
        for place, (key, value) in enumerate(zip(keys, row.values, strict=True)):
            parts.append(_draw_bar(axes, top + place * (BAR + BAR_GAP), value, place, f"{row.name}, {key}"))
    return draw_plot(name, WIDTH, axes.top + axes.height + 44.0, *parts)


def draw_cloud(name: str, points: Sequence[Point], *, x_title: str, y_title: str) -> Element:
    """Strategies by cost (across) and recall (upwards, 0 to 1, with whiskers); badges that meet are set apart."""
    most = max((point.x for point in points), default=1.0)
    axes = Axes(48.0, 32.0, 420.0, 320.0, 0.0, round_up(most * 1.04))
    parts = [draw_axes(axes, x_title=x_title, y_title=y_title)]
    taken: list[tuple[float, float]] = []
    badges = []
    for point in points:
        x, y = axes.x(point.x), axes.y(point.y.value)
        if point.y.low is not None and point.y.high is not None:
            parts.append(
                tag(
                    "line",
                    x1=x,
                    x2=x,
                    y1=axes.y(point.y.low),
                    y2=axes.y(point.y.high),
                    class_=f"line {colour(point.number)}",
                )
            )
        shown = _free_place(x, y, taken, axes)
        taken.append(shown)
        if shown != (x, y):
            parts.append(tag("line", x1=x, x2=shown[0], y1=y, y2=shown[1], class_="lead"))
            parts.append(tag("circle", cx=x, cy=y, r=2.5, class_=f"fill {colour(point.number)}"))
        badges.append(draw_badge(point.number, *shown, f"{point.name}: {point.y.told()} at {point.x:,.0f}"))
    legend = _draw_legend([(point.number, point.name) for point in points])
    height = max(axes.top + axes.height + 44.0, LEGEND_TOP + LEGEND_STEP * len(points))
    return draw_plot(name, WIDTH, height, *parts, *badges, legend)


def draw_curves(
    name: str, curves: Sequence[Curve], *, x_title: str, y_title: str, floor: float | None = None
) -> Element:
    """Lines over 0 to 1 both ways, each with its number at its end; `floor` draws what a guess would reach."""
    axes = Axes(48.0, 32.0, 420.0, 320.0, 0.0, 1.0)
    parts = [draw_axes(axes, x_title=x_title, y_title=y_title)]
    if floor is not None:
        y = axes.y(floor)
        parts.append(
            tag("line", tag("title", f"a guess: {floor:.3f}"), x1=axes.left, x2=axes.x(1.0), y1=y, y2=y, class_="ideal")
        )
    taken: list[tuple[float, float]] = []
    badges = []
    for curve in curves:
        places = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in curve.points)
        parts.append(tag("polyline", tag("title", curve.name), points=places, class_=f"line {colour(curve.number)}"))
        x, y = curve.points[len(curve.points) * 2 // 3] if curve.points else (0.0, 0.0)
        shown = _free_place(axes.x(x), axes.y(y), taken, axes)
        taken.append(shown)
        badges.append(draw_badge(curve.number, *shown, curve.name))
    legend = _draw_legend([(curve.number, curve.name) for curve in curves])
    return draw_plot(name, WIDTH, axes.top + axes.height + 44.0, *parts, *badges, legend)


def draw_reliability(name: str, number: int, title: str, bins: Sequence[Bin], *, note: str) -> Element:
    """Confidence across, share of questions with an answer upwards; on the diagonal the two agree.

    The area of a disc grows with the number of its questions; the note stands in the lower right corner.
    """
    size = 220.0
    axes = Axes(44.0, 44.0, size, size, 0.0, 1.0)
    parts = [
        draw_badge(number, 52.0, 12.0, title),
        tag("text", _shorten(title, size - 20.0), x=66.0, y=16.0, class_="label"),
        draw_axes(axes, x_title="confidence", y_title="share with an answer"),
        tag("line", x1=axes.x(0.0), y1=axes.y(0.0), x2=axes.x(1.0), y2=axes.y(1.0), class_="ideal"),
    ]
    parts.append(tag("text", note, x=axes.x(0.97), y=axes.y(0.04), class_="tick end"))
    most = max((one.count for one in bins), default=1)
    for one in bins:
        x, y = axes.x(one.confidence), axes.y(one.share.value)
        told = f"confidence {one.confidence:.2f}: share {one.share.told()}, {one.count} questions"
        if one.share.low is not None and one.share.high is not None:
            low, high = axes.y(one.share.low), axes.y(one.share.high)
            parts.append(tag("line", x1=x, x2=x, y1=low, y2=high, class_=f"line {colour(number)}"))
        radius = 2.5 + 6.0 * float((one.count / most) ** 0.5)
        parts.append(tag("circle", tag("title", told), cx=x, cy=y, r=radius, class_=f"fill {colour(number)}"))
    return draw_plot(name, size + 64.0, size + 88.0, *parts)


def _draw_keys(keys: Sequence[str], left: float) -> Element:
    """The legend above the bars: a sample of each shade with its name."""
    drawn, x = tag("g"), left
    for place, key in enumerate(keys):
        drawn.append(tag("rect", x=x, y=4.0, width=14.0, height=10.0, class_=f"shade{place + 1}"))
        drawn.append(tag("text", key, x=x + 19.0, y=13.0, class_="label"))
        x += 19.0 + LETTER * len(key) + 22.0
    return drawn


def _draw_legend(series: Sequence[tuple[int, str]]) -> Element:
    """Numbers and names of the series, right of the plot."""
    drawn = tag("g")
    for index, (number, name) in enumerate(series):
        y = LEGEND_TOP + LEGEND_STEP * index
        drawn.append(draw_badge(number, LEGEND_LEFT, y, name))
        room = WIDTH - LEGEND_LEFT - 16.0
        drawn.append(tag("text", _shorten(name, room), x=LEGEND_LEFT + 16.0, y=y + 4.0, class_="label"))
    return drawn


def _draw_bar(axes: Axes, top: float, value: Value | None, place: int, told: str) -> Element:
    middle = top + BAR / 2
    if value is None:
        return tag("g", tag("text", "not measured", x=axes.left + 4.0, y=middle + 3.5, class_="tick"))
    drawn = tag(
        "g",
        tag("title", f"{told}: {value.told()}"),
        tag("rect", x=axes.left, y=top, width=axes.x(value.value) - axes.left, height=BAR, class_=f"shade{place + 1}"),
    )
    end = axes.x(value.value)
    if value.low is not None and value.high is not None:
        low, high = axes.x(value.low), axes.x(value.high)
        drawn.append(tag("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker"))
        for x in (low, high):
            drawn.append(tag("line", x1=x, x2=x, y1=middle - 3.0, y2=middle + 3.0, class_="whisker"))
        end = max(end, high)
    drawn.append(tag("text", f"{value.value:.3f}", x=end + 6.0, y=middle + 3.8, class_="tick"))
    return drawn


def _free_place(x: float, y: float, taken: Sequence[tuple[float, float]], axes: Axes) -> tuple[float, float]:
    """The nearest place for a badge that no other badge covers, tried in a fixed order around the point."""
    steps = [(0.0, 0.0)]
    for far in (1.0, 2.0, 3.0, 4.0):
        steps += [(-far, 0.0), (0.0, -far), (0.0, far), (far, 0.0), (-far, -far), (-far, far), (far, -far), (far, far)]
    right, bottom = axes.left + axes.width, axes.top + axes.height
    for across, down in steps:
        place = (x + across * SPREAD, y + down * SPREAD)
        inside = axes.left + 9.0 <= place[0] <= right - 9.0 and axes.top + 9.0 <= place[1] <= bottom - 9.0
        if (inside or (across, down) == (0.0, 0.0)) and all(
            (place[0] - other[0]) ** 2 + (place[1] - other[1]) ** 2 >= SPREAD**2 * 0.95 for other in taken
        ):
            return place
    return (x, y)


def _shorten(text: str, room: float) -> str:
    """The text, its end cut where the room (SVG units) is too small; the whole stands under the pointer."""
    letters = max(int(room / LETTER), 4)
    return text if len(text) <= letters else text[: letters - 1] + "…"
