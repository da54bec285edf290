"""Links from cells to other cells of the workbook."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.parsing.lines import Line
from pipeline.parsing.reading import LinkRead
from pipeline.parsing.xlsx.places import read_range
from pipeline.parsing.xlsx.sheet import SheetReading
from pipeline.parsing.xlsx.workbook import Workbook


def link_sheets(book: Workbook, sheets: Sequence[SheetReading]) -> list[LinkRead]:
    """The links inside the workbook, by sheet and place in the file; each from the words of its cell.

    A link to a blank row points at the next row with words, as a person's eye does.
    """
    names = {entry.name.casefold(): sheet for entry, sheet in zip(book.sheets, sheets, strict=True)}
    areas = dict(name.split(" = ", 1) for name in book.names if " = " in name)
    found: list[LinkRead] = []
    for sheet in sheets:
        places = {(cell.row_num, cell.column_num): cell for cell in sheet.cells}
        for cells, location in sheet.links:
            cell = places.get((cells[0], cells[1]))
            target = _find_target(areas.get(location, location), sheet, names)
            if cell is not None and cell.lines and target is not None:
                start = cell.lines[0].text.find(cell.text)
                found.append(LinkRead(cell.lines[0], max(start, 0), cell.text, target))
    return found


def _find_target(location: str, own: SheetReading, names: dict[str, SheetReading]) -> Line | None:
    place, sheet = location, own
    if "!" in location:
        name, _, place = location.rpartition("!")
        quoted = len(name) > 1 and name.startswith("'") and name.endswith("'")
        name = name[1:-1].replace("''", "'") if quoted else name
        if name.casefold() not in names:
            return None
        sheet = names[name.casefold()]
    cells = read_range(place)
    if cells is None:
        return None
    return next((line for row, line in sheet.lines_at.items() if row >= cells[0]), None)
