"""The annotations of a page of a PDF as the numbers of their objects, read without MuPDF's own list.

That list may never come back on some files (MEASURED.md, traps), and a file may name annotations without end.
"""

from __future__ import annotations

import re
from typing import Any

MAX_PAGE_ANNOTATIONS = 2_000  # annotations of one page that are looked at; a page of an index has some three hundred
_REFERENCE = re.compile(r"(\d+) 0 R")


def list_annotations(document: Any, page_num: int) -> list[int]:
    """Object numbers of the annotations of page `page_num` (from 1), in the file's order; empty without any.

    Raises what MuPDF raises for a damaged page (PAGE_ERRORS).
    """
    kind, value = document.xref_get_key(document.page_xref(page_num - 1), "Annots")
    if kind == "xref":
        value = document.xref_object(int(value.split()[0]), compressed=True)
    elif kind != "array":
        return []
    return [int(reference) for reference in _REFERENCE.findall(value)[:MAX_PAGE_ANNOTATIONS]]
