"""Parts beside the text: one that is damaged costs what it says, and not the document."""

from __future__ import annotations

from lxml import etree

from pipeline.parsing.ooxml import Package
from schemas.errors import DamagedDocumentError

MAX_FAULTS = 50  # damaged parts named one by one


def side_tree(package: Package, part: str) -> etree._Element:
    """Root of a part; an empty element, and a fault of the package, for one that is damaged.

    Raises LimitExceededError and EncryptedDocumentError.
    """
    try:
        return package.tree(part)
    except DamagedDocumentError as error:
        if len(package.faults) < MAX_FAULTS:
            package.faults.append(f"A part of the file was not read: {error}.")
        return etree.Element("damaged")
