"""What of a document was not read, and what else limits a reading of it: pages, damage, pictures, files inside."""

from __future__ import annotations

from pipeline.kept import Kept
from pipeline.retrieval.lines import KEPT_DOCUMENTS
from schemas.document import ParsedDocument
from schemas.tables import NOT_READ_STATUSES

UNREAD_KINDS = ("damage", "placeholder", "reader", "image", "external", "format")  # findings: content may be missing
MIN_PICTURE = (100.0, 10.0)  # points, width and height of a picture that may hold a line of words
MAX_NAMED = 5  # attachments named in a sentence
_unread: Kept[tuple[int, ...]] = Kept(KEPT_DOCUMENTS)
_caveats: Kept[tuple[str, ...]] = Kept(KEPT_DOCUMENTS)


def pages_not_read(document: ParsedDocument) -> tuple[int, ...]:
    """Pages of which no text could be trusted: as the profile says, and those whose status says so."""
    return _unread.get(document, lambda: _pages_not_read(document))


def _pages_not_read(document: ParsedDocument) -> tuple[int, ...]:
    pages = document.page_df
    unread = pages.loc[pages["status"].isin(NOT_READ_STATUSES), "page_num"].tolist()
    return tuple(sorted({*unread, *document.profile.routing.pages_not_read}))


def document_caveats(document: ParsedDocument) -> tuple[str, ...]:
    """What else keeps the document from being read in full: damage, words inside images, files inside it."""
    return _caveats.get(document, lambda: _document_caveats(document))


def _document_caveats(document: ParsedDocument) -> tuple[str, ...]:
    findings, pages = document.finding_df, document.page_df
    damage = findings.loc[findings["kind"].isin(UNREAD_KINDS), "detail"].tolist()
    unseen = document.profile.routing.pages_needing_ocr
    mixed = pages.loc[(pages["status"] == "mixed") & pages["page_num"].isin(unseen), "page_num"].tolist()
    if mixed:
        listed = ", ".join(map(str, mixed))
        damage.append(f"Words inside the images on page{'' if len(mixed) == 1 else 's'} {listed} were not read.")
    pictured = _pages_with_pictures(document)
    if pictured:
        listed = ", ".join(map(str, pictured[:MAX_NAMED])) + (" and others" if len(pictured) > MAX_NAMED else "")
        where = "page" if len(pictured) == 1 else "pages"
        damage.append(f"Pictures beside the text on {where} {listed} were not looked at.")
    changed = int((findings["kind"] == "tracked_change").sum())
    if changed:
        damage.append("The document has tracked changes; it was read as if all of them were accepted.")
    if document.attachments:
        names = ", ".join(about.name for about in document.attachments[:MAX_NAMED])
        more = f" and {len(document.attachments) - MAX_NAMED} more" if len(document.attachments) > MAX_NAMED else ""
        damage.append(f"Files inside the document are documents of their own, apart from this answer: {names}{more}.")
    return tuple(damage)


def _pages_with_pictures(document: ParsedDocument) -> list[int]:
    """Native pages with a picture that may hold words; one that recurs on several pages is a logo or an ornament."""
    images = document.image_df
    native = document.page_df.loc[document.page_df["status"] == "native", "page_num"]
    large = (images["x1"] - images["x0"] >= MIN_PICTURE[0]) & (images["y1"] - images["y0"] >= MIN_PICTURE[1])
    held = images[large & images["page_num"].isin(native)]
    pages = held.groupby(["width_px", "height_px"])["page_num"].transform("nunique")
    return sorted(set(held.loc[pages == 1, "page_num"].tolist()))
