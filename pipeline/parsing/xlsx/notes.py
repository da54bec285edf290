"""Comments of a sheet: notes and threads, with their cell and author."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from pipeline.parsing.ooxml import Package
from pipeline.parsing.xlsx.parts import side_tree
from pipeline.parsing.xlsx.places import read_cell
from pipeline.parsing.xlsx.sheet_xml import clean_string, rich_text


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a cell; `author` empty where the file names none."""

    row: int
    column: int
    author: str
    text: str


def read_notes(package: Package, sheet_part: str, workbook_part: str) -> list[Note]:
    """The remarks, by row and column, replies after what they answer.

    A thread is read in place of the note that Excel writes beside it for older versions.
    """
    threads = _read_threads(package, sheet_part, workbook_part)
    threaded = {(note.row, note.column) for note in threads}
    notes = [note for note in _read_legacy(package, sheet_part) if (note.row, note.column) not in threaded]
    return sorted([*notes, *threads], key=lambda note: (note.row, note.column))


def _read_legacy(package: Package, sheet_part: str) -> list[Note]:
    notes = []
    for part in package.related("comments", sheet_part):
        root = side_tree(package, part)
        authors = [clean_string(element.text or "") for element in root.iterfind("{*}authors/{*}author")]
        for element in root.iterfind("{*}commentList/{*}comment"):
            place, body = read_cell(element.get("ref", "")), element.find("{*}text")
            number = element.get("authorId", "")
            author = authors[int(number)] if number.isdigit() and int(number) < len(authors) else ""
            text = clean_string(rich_text(body)) if body is not None else ""
            if place is not None and text:
                notes.append(Note(*place, author, _without_author(text, author)))
    return notes


def _without_author(text: str, author: str) -> str:
    """Excel begins a note with its author's name and a colon."""
    return text.removeprefix(f"{author}:").strip() or text if author else text


def _read_threads(package: Package, sheet_part: str, workbook_part: str) -> list[Note]:
    names: dict[str, str] = {}
    for part in package.related("person", workbook_part):
        for element in side_tree(package, part):
            if isinstance(element.tag, str):
                names[element.get("id", "")] = clean_string(element.get("displayName", ""))
    notes = []
    for part in package.related("threadedComment", sheet_part):
        for element in side_tree(package, part):
            if not isinstance(element.tag, str) or etree.QName(element).localname != "threadedComment":
                continue
            place, body = read_cell(element.get("ref", "")), element.find("{*}text")
            text = clean_string(body.text or "") if body is not None else ""
            if place is not None and text:
                notes.append(Note(*place, names.get(element.get("personId", ""), ""), text))
    return notes
