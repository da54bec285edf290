"""The parts of a workbook that all sheets share: which sheets there are, strings, styles, names, metadata."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO

from lxml import etree

from pipeline.parsing.ooxml import Package, is_strict, to_transitional
from pipeline.parsing.page_text import clean_text
from pipeline.parsing.reading import Metadata
from pipeline.parsing.xlsx.parts import side_tree
from pipeline.parsing.xlsx.sheet_xml import clean_string, rich_text
from pipeline.parsing.xlsx.styles import CellStyle, read_styles
from schemas.errors import DamagedDocumentError

MAX_NAMES_SHOWN = 10  # defined names listed in a finding; the rest is counted


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A sheet as the workbook lists it; `state` visible, hidden or veryHidden; `part` '' where it is missing."""

    name: str
    state: str
    part: str
    kind: str  # worksheet, chartsheet, dialogsheet, xlMacrosheet


@dataclass(slots=True)
class Workbook:
    """What the sheets share."""

    package: Package
    sheets: list[SheetEntry] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    styles: list[CellStyle] = field(default_factory=list)
    date_1904: bool = False
    names: list[str] = field(default_factory=list)  # defined names with what they stand for, Excel's own left out
    outside: list[str] = field(default_factory=list)  # other workbooks that formulas look into

    def style(self, number: int) -> CellStyle:
        """The cell style of that number; the default one where the file has none."""
        return self.styles[number] if number < len(self.styles) else self.styles[0]


def read_workbook(package: Package) -> Workbook:
    """The workbook of an opened package.

    Raises DamagedDocumentError and LimitExceededError.
    """
    root = package.tree(package.main)
    relations = package.relations(package.main)
    book = Workbook(package)
    for element in root.iterfind("{*}sheets/{*}sheet"):
        key = next((str(v) for k, v in element.attrib.items() if etree.QName(k).localname == "id"), "")
        relation = relations.get(key)
        there = relation is not None and not relation.external and package.has(relation.target)
        book.sheets.append(
            SheetEntry(
                name=clean_string(element.get("name", "")),
                state=element.get("state", "visible"),
                part=relation.target if relation is not None and there else "",
                kind=relation.kind if relation is not None else "worksheet",
            )
        )
    about = root.find("{*}workbookPr")
    book.date_1904 = about is not None and about.get("date1904") in ("1", "true")
    for element in root.iterfind("{*}definedNames/{*}definedName"):
        name, meaning = element.get("name", ""), element.text or ""
        if not name.startswith("_xl") and "#REF!" not in meaning:  # Excel's own, and names of what was deleted
            book.names.append(f"{clean_text(name)} = {clean_text(meaning)}")
    book.names = list(dict.fromkeys(book.names))
    book.strings = _read_strings(package)
    book.styles = read_styles(package, package.main)
    book.outside = _read_outside(package)
    return book


def read_metadata(package: Package) -> Metadata:
    """What the file says of itself."""
    core = dict.fromkeys(("title", "creator", "created"), "")
    for part in package.related("core-properties"):
        for element in side_tree(package, part):
            if isinstance(element.tag, str):
                core[etree.QName(element).localname] = clean_text(element.text or "")
    software = ""
    for part in package.related("extended-properties"):
        application = side_tree(package, part).find("{*}Application")
        software = clean_text(application.text or "") if application is not None else ""
    return Metadata(
        title=core["title"] or None, author=core["creator"] or None, creator=software or None,
        created=core["created"] or None,
        format_version=f"Office Open XML {'Strict' if is_strict(package) else 'Transitional'}",
    )  # fmt: skip


def _read_strings(package: Package) -> list[str]:
    """The shared strings, cleaned, by number; those after a break of the XML are missing."""
    strings: list[str] = []
    for part in package.related("sharedStrings", package.main)[:1]:
        data = to_transitional(package.read(part))
        try:
            for _, element in etree.iterparse(
                BytesIO(data), events=("end",), tag="{*}si", resolve_entities=False, no_network=True, load_dtd=False,
                huge_tree=False, remove_comments=True, remove_pis=True,
            ):  # fmt: skip
                if element.getroottree().docinfo.internalDTD is not None:
                    raise DamagedDocumentError(
                        f"{package.name}: {part} declares entities, which a workbook must not; do not trust this file"
                    )
                strings.append(clean_string(rich_text(element)))
                element.clear()
                parent = element.getparent()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]
        except (etree.XMLSyntaxError, ValueError) as error:
            package.faults.append(
                f"The strings of the workbook could be read only up to number {len(strings):,} ({error}); "
                "cells that show a later one are marked."
            )
    return strings


def _read_outside(package: Package) -> list[str]:
    found = []
    for part in package.related("externalLink", package.main):
        found += [clean_text(r.target) for r in package.relations(part).values() if r.external]
    return sorted(set(found))
