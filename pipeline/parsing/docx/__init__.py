"""The reader of Word documents (DOCX), from the XML itself.

Libraries for Word files lose what stands outside plain paragraphs and tables: chunks of other formats, content
controls, text boxes, tracked changes, notes. Here every part of the flow is walked in the order in which it is read.
"""

from pipeline.parsing.docx.reader import read_docx

__all__ = ["read_docx"]
