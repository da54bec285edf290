"""Bookmarks to each citation, put before those that the file has, which stay untouched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.generation.highlight.marking import unturned
from pipeline.generation.highlight.plan import Stop, first_of_groups
from pipeline.mupdf import pymupdf
from pipeline.wording import say


def add_bookmarks(opened: Any, stops: Sequence[Stop], *, language: str) -> None:
    """One entry 'Lineproof' at the top of the outline with an entry a citation, and the outline shown on opening.

    Citations of a group stand below an entry of its name, which leads to the first of them.

    The outline is written object by object: setting it anew through PyMuPDF would rewrite the file's own entries. A
    file whose outline is no object of its own, which the standard forbids, gets none.
    """
    here = [stop for stop in stops if stop.page_num <= opened.page_count]
    catalog = opened.pdf_catalog()
    kind, held = opened.xref_get_key(catalog, "Outlines")
    if not here or kind not in ("null", "xref"):
        return
    if kind == "xref" and not 0 < int(held.split()[0]) < opened.xref_length():
        kind = "null"  # a rebuilt file may name an outline that was lost
    root = int(held.split()[0]) if kind == "xref" else opened.get_new_xref()
    if kind == "null":
        opened.update_object(root, "<</Type/Outlines>>")
        opened.xref_set_key(catalog, "Outlines", f"{root} 0 R")
    group = opened.get_new_xref()
    entries = _write(opened, group, [(stop.group or stop.title, stop) for stop in first_of_groups(here)])
    for entry, first in entries:
        twigs = [stop for stop in here if stop.anchor == first.anchor]
        if first.anchor:
            below = _write(opened, entry, [(stop.title, stop) for stop in twigs])
            opened.xref_set_key(entry, "First", f"{below[0][0]} 0 R")
            opened.xref_set_key(entry, "Last", f"{below[-1][0]} 0 R")
            opened.xref_set_key(entry, "Count", str(-len(below)))  # closed: the questions are seen at a glance
    _put_first(opened, root, group, entries, title=f"Lineproof: {say('answers', language)}")
    opened.xref_set_key(catalog, "PageMode", "/UseOutlines")


def _write(opened: Any, parent: int, titled: Sequence[tuple[str, Stop]]) -> list[tuple[int, Stop]]:
    """Entries below one parent, one beside the other; gives the object of each."""
    entries = []
    for _, stop in titled:
        entry = opened.get_new_xref()
        opened.update_object(entry, "<<>>")
        entries.append((entry, stop))
    for at, ((entry, stop), (told, _)) in enumerate(zip(entries, titled, strict=True)):
        beside = f"/Prev {entries[at - 1][0]} 0 R" if at else ""
        beside += f"/Next {entries[at + 1][0]} 0 R" if at + 1 < len(entries) else ""
        title = pymupdf.get_pdf_str(told)
        opened.update_object(entry, f"<</Title{title}/Parent {parent} 0 R{beside}/Dest{_target(opened, stop)}>>")
    return entries


def _put_first(opened: Any, root: int, group: int, entries: Sequence[tuple[int, Stop]], *, title: str) -> None:
    """Hang the group with its entries before the first entry of the outline."""
    kind, former = opened.xref_get_key(root, "First")
    if kind == "xref" and not 0 < int(former.split()[0]) < opened.xref_length():
        kind = "null"
    following = f"/Next {former}" if kind == "xref" else ""
    opened.update_object(
        group,
        f"<</Title{pymupdf.get_pdf_str(title)}/Parent {root} 0 R/First {entries[0][0]} 0 R/Last {entries[-1][0]} 0 R"
        f"/Count {len(entries)}{following}/Dest{_target(opened, entries[0][1])}>>",
    )
    opened.xref_set_key(root, "First", f"{group} 0 R")
    if kind == "xref":
        opened.xref_set_key(int(former.split()[0]), "Prev", f"{group} 0 R")
    else:
        opened.xref_set_key(root, "Last", f"{group} 0 R")
    count_kind, count = opened.xref_get_key(root, "Count")
    shown = int(count) if count_kind == "int" and int(count) > 0 else 0
    opened.xref_set_key(root, "Count", str(shown + 1 + len(entries)))


def _target(opened: Any, stop: Stop) -> str:
    """The destination of a stop: its page and the corner of its line, in the page's own coordinates."""
    page = opened[stop.page_num - 1]
    corner = unturned(page, (stop.x, stop.y, stop.x + 1, stop.y + 1)).tl * ~page.transformation_matrix
    return f"[{page.xref} 0 R/XYZ {corner.x:.2f} {corner.y:.2f} null]"
