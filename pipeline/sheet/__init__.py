"""What a person files and reads of a run: the decision sheet, and the document's lines with the cited ones marked.

Pages render records and compute nothing. No text of a document becomes markup; a page fetches nothing and runs no
script; the same records give the same bytes.
"""

from __future__ import annotations

from pipeline.sheet.decision import decision_html, decision_pdf
from pipeline.sheet.lines_page import highlighted_html

__all__ = ["decision_html", "decision_pdf", "highlighted_html"]
