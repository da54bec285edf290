"""Workbooks without a clock: equal contents give equal bytes."""

from __future__ import annotations

import io
import re
import zipfile

FIXED_TIME = b"2000-01-01T00:00:00Z"  # in place of the clock
FIXED_ZIP_TIME = (2000, 1, 1, 0, 0, 0)
_CLOCK = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:)")


def without_clock(data: bytes) -> bytes:
    """The same zip file with fixed times, inside and out."""
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "docProps/core.xml":
                content = _CLOCK.sub(rb"\g<1>" + FIXED_TIME + rb"\g<3>", content)
            fixed = zipfile.ZipInfo(entry.filename, FIXED_ZIP_TIME)
            fixed.compress_type = zipfile.ZIP_DEFLATED
            fixed.create_system = 3  # one value on all systems
            target.writestr(fixed, content)
    return sink.getvalue()
