"""Charts as tables: categories down, series across, the figures as the chart's own labels would show them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from pipeline.parsing.pptx.names import A, C, children, integer, local_name, plain
from pipeline.parsing.xlsx.number_format import show_value

MAX_POINTS = 100_000  # points of one series; more are data that no reader of a slide can see


@dataclass(slots=True)
class Chart:
    """A chart's words and figures; `tables` of rows with the header first, none where it holds no figures.

    One table, unless its series have places of their own, as in a scatter chart: then one a series.
    """

    title: str = ""
    tables: list[list[list[str]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # titles of the axes
    missing: int = 0  # series whose figures the file does not hold


@dataclass(slots=True)
class _Series:
    name: str
    labels: dict[int, str]  # point -> category
    values: dict[int, str]  # point -> figure
    extra: dict[int, str]  # point -> size of a bubble


def read_chart(root: etree._Element) -> Chart:
    """The chart in a chart part: of the older form (c:) with its stored figures, or of the newer one (cx:)."""
    if local_name(root) == "chartSpace" and root.tag.startswith(C):
        return _read_classic(root)
    return _read_new(root)


def _read_classic(root: etree._Element) -> Chart:
    chart = Chart(title=_title(root.find(f"{C}chart/{C}title")))
    area = root.find(f"{C}chart/{C}plotArea")
    series = [_read_series(element) for element in area.iter(f"{C}ser")] if area is not None else []
    first = ""
    if area is not None:
        axes = [(local_name(axis), _title(axis.find(f"{C}title"))) for axis in area if local_name(axis).endswith("Ax")]
        first = next((title for kind, title in axes if kind in ("catAx", "dateAx") and title), "")
        chart.notes = [title for kind, title in axes if title and title != first]
    chart.missing = sum(not one.values for one in series)
    if not chart.title and len(series) == 1 and not _is_untitled(root):
        chart.title = series[0].name  # a chart of one series shows its name, unless told not to
    chart.tables = _tabulate(series, first)
    return chart


def _is_untitled(root: etree._Element) -> bool:
    element = root.find(f"{C}chart/{C}autoTitleDeleted")
    return element is not None and element.get("val", "1") in ("1", "true")


def _tabulate(series: list[_Series], first: str) -> list[list[list[str]]]:
    held = [one for one in series if one.values]
    if not held:
        return []
    labels: dict[int, str] = {}
    for one in held:
        for at, label in one.labels.items():
            labels.setdefault(at, label)
    shared = all(one.labels == held[0].labels or not one.labels for one in held)
    if not shared:  # scatter charts: each series has places of its own
        return [list(_list_points(one)) for one in held]
    points = sorted({at for one in held for at in one.values})
    columns: list[tuple[str, dict[int, str]]] = []
    for one in held:
        columns.append((one.name, one.values))
        if one.extra:
            columns.append((f"{one.name} (size)".strip(), one.extra))
    header = [first, *(name for name, _ in columns)]
    body = [[labels.get(at, str(at + 1)), *(values.get(at, "") for _, values in columns)] for at in points]
    return [[header, *body]]


def _list_points(one: _Series) -> Iterator[list[str]]:
    yield ["", one.name]
    for at in sorted(one.values):
        yield [one.labels.get(at, str(at + 1)), one.values[at], *([one.extra[at]] if at in one.extra else [])]


def _read_series(element: etree._Element) -> _Series:
    name = " ".join(_cached(element.find(f"{C}tx")).values()) or plain(element.findtext(f"{C}tx/{C}v") or "")
    category = next((e for e in (element.find(f"{C}cat"), element.find(f"{C}xVal")) if e is not None), None)
    value = next((e for e in (element.find(f"{C}val"), element.find(f"{C}yVal")) if e is not None), None)
    return _Series(name, _cached(category), _cached(value), _cached(element.find(f"{C}bubbleSize")))


def _cached(element: etree._Element | None) -> dict[int, str]:
    """Point -> words, out of the stored copy of the cells; levels of categories are joined, the outer first."""
    if element is None:
        return {}
    levels = list(element.iter(f"{C}lvl"))
    if levels:
        return _join_levels([_points(level, "") for level in levels])
    cache = next(iter(element.iter(f"{C}strCache", f"{C}numCache", f"{C}strLit", f"{C}numLit")), None)
    if cache is None:
        return {}
    return _points(cache, cache.findtext(f"{C}formatCode") or "General" if "num" in local_name(cache) else "")


def _join_levels(levels: list[dict[int, str]]) -> dict[int, str]:
    """The inner level comes first in the file; an outer category holds for the points up to the next one."""
    joined: dict[int, str] = {}
    for at, inner in levels[0].items():
        outer = [level[max(k for k in level if k <= at)] for level in levels[1:] if any(k <= at for k in level)]
        joined[at] = " ".join([*reversed(outer), inner])
    return joined


def _points(cache: etree._Element, code: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for point in cache.iterfind(f"{C}pt"):
        at = integer(point.get("idx"), -1)
        if 0 <= at < MAX_POINTS:
            text = plain(point.findtext(f"{C}v") or "")
            found[at] = _show(text, point.get("formatCode") or code) if code else text
    return found


def _show(text: str, code: str) -> str:
    try:
        return show_value(float(text), code)
    except ValueError:
        return text


def _title(element: etree._Element | None) -> str:
    if element is None:
        return ""
    words = [plain("".join(t.text or "" for t in paragraph.iter(f"{A}t"))) for paragraph in element.iter(f"{A}p")]
    return " ".join(filter(None, words)) or " ".join(_cached(element.find(f"{C}tx")).values())


def _read_new(root: etree._Element) -> Chart:
    """Waterfall, funnel, tree map and the like ([MS-ODRAWXML] 2.24.3): a table for each set of data."""
    chart = Chart()
    for element in root.iter():
        if local_name(element) == "title" and not chart.title:
            chart.title = plain(" ".join(t.text or "" for t in element.iter() if local_name(t) in ("t", "v")))
    names = {}
    for series in (e for e in root.iter() if local_name(e) == "series"):
        data = next((e.get("val", "") for e in series.iter() if local_name(e) == "dataId"), "")
        named = [e.text or "" for e in series.iter() if local_name(e) == "v"]
        names[data] = plain(named[0]) if named else ""
    for data in (e for e in root.iter() if local_name(e) == "data"):
        words: list[dict[int, str]] = []
        figures: list[dict[int, str]] = []
        for dimension in children(data):
            for level in (e for e in dimension if local_name(e) == "lvl"):
                code = level.get("formatCode") or "General"
                points = {integer(p.get("idx")): plain(p.text or "") for p in level if local_name(p) == "pt"}
                if local_name(dimension) == "strDim":
                    words.append(points)
                else:
                    figures.append({at: _show(text, code) for at, text in points.items()})
        labels = _join_levels(words) if words else {}
        one = _Series(names.get(data.get("id", ""), ""), labels, figures[0] if figures else {}, {})
        chart.missing += not one.values
        chart.tables += _tabulate([one], "")
    return chart
