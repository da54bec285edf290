"""Tables of figures for the screen, as CSV, and curves of growth as SVG."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, field
from pathlib import Path

Cell = str | int | float
SIZE, MARGIN = (560, 320), 48  # pixels of a plot


@dataclass
class Table:
    """Rows of figures; `x` and `y` name the columns of the curve, if it is one."""

    name: str
    title: str
    x: str | None = None
    y: str | None = None
    rows: list[dict[str, Cell]] = field(default_factory=list)

    def add(self, **cells: Cell) -> None:
        """One row more."""
        self.rows.append(cells)

    @property
    def columns(self) -> list[str]:
        """All columns, in the order in which they first appear."""
        return list(dict.fromkeys(name for row in self.rows for name in row))


def publish(table: Table, folder: Path | None) -> None:
    """Print the table; write it to the folder as CSV, and its curve as SVG."""
    print(f"\n{table.title}")
    shown = [table.columns, *([_told(row.get(name, "")) for name in table.columns] for row in table.rows)]
    widths = [max(len(row[at]) for row in shown) for at in range(len(table.columns))]
    for row in shown:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)), flush=True)
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{table.name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, table.columns)
        writer.writeheader()
        writer.writerows(table.rows)
    if table.x and table.y:
        (folder / f"{table.name}.svg").write_text(_curve(table, table.x, table.y), encoding="utf-8")


def _told(cell: Cell) -> str:
    return f"{cell:,.1f}" if isinstance(cell, float) else str(cell)


def _curve(table: Table, x: str, y: str) -> str:
    """The points of a table on two logarithmic axes: a line of slope one is growth in proportion."""
    points = [(float(row[x]), float(row[y])) for row in table.rows if float(row[x]) > 0 and float(row[y]) > 0]
    width, height = SIZE
    placed = [
        (MARGIN + left * (width - 2 * MARGIN), height - MARGIN - up * (height - 2 * MARGIN))
        for left, up in zip(_scaled([at for at, _ in points]), _scaled([value for _, value in points]), strict=True)
    ]
    path = " ".join(f"{left:.1f},{top:.1f}" for left, top in placed)
    marks = "".join(
        f'<circle cx="{left:.1f}" cy="{top:.1f}" r="3"/><text x="{left:.1f}" y="{top - 8:.1f}">{value:,.1f}</text>'
        f'<text x="{left:.1f}" y="{height - MARGIN + 18}">{at:,.0f}</text>'
        for (at, value), (left, top) in zip(points, placed, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="11" text-anchor="middle"><rect width="100%" height="100%" fill="white"/>'
        f'<text x="{width / 2}" y="18">{table.title}: {y} by {x}</text>'
        f'<polyline points="{path}" fill="none" stroke="black"/>{marks}</svg>\n'
    )


def _scaled(values: list[float]) -> list[float]:
    """The logarithms of the values, from 0 to 1."""
    logs = [math.log10(value) for value in values]
    low, high = min(logs, default=0.0), max(logs, default=1.0)
    return [(one - low) / (high - low) if high > low else 0.5 for one in logs]
