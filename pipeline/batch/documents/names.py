"""Names of documents: text that can be written anywhere, and the files that no person means when naming a folder."""

from __future__ import annotations

import unicodedata
from contextlib import suppress

LEFT_OUT = frozenset({"thumbs.db", "desktop.ini", "ehthumbs.db", "icon\r", "__macosx"})  # what systems leave in folders
LOCK_STARTS = ("~$", ".~lock.")  # what office programs leave beside a file that is open
MAX_FILE_NAME = 200  # bytes; file systems allow 255, and endings are added
# Marks that turn the direction of text: with them 'invoice\u202efdp.exe' is shown as 'invoiceexe.pdf'.
_TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_name(name: str) -> str:
    """The name as text that can be written and shown: letters that cannot be become U+FFFD."""
    if name.isascii() and name.isprintable():
        return name
    return "".join("\ufffd" if unicodedata.category(one) in ("Cc", "Cs") or one in _TURNING else one for one in name)


def is_left_out(name: str) -> bool:
    """True for hidden files, those in hidden folders, and what systems and office programs leave behind."""
    parts = name.split("/")
    return parts[-1].lower().startswith(LOCK_STARTS) or any(
        part.startswith(".") or part.lower() in LEFT_OUT for part in parts
    )


def inside_name(name: str) -> str:
    """A name from an archive or a list as one within the collection: no way out of it, no empty part."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    return clean_name("/".join("__" if part == ".." else part for part in parts)) or "document"


def plain_name(name: str) -> str:
    """The last part of a name as the name of a file: no separators, no control characters, never hidden or empty."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2] or "document"
    kept = "".join(one if one.isprintable() and one not in '/\\:*?"<>|' else "_" for one in last).lstrip(".")
    with suppress(UnicodeEncodeError):
        while len(kept.encode()) > MAX_FILE_NAME:
            stem, dot, suffix = kept.rpartition(".")
            kept = f"{stem[:-1]}{dot}{suffix}" if stem and len(suffix) < 10 else kept[:-1]
    return kept or "document"
