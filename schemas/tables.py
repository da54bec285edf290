"""The relational tables that the bricks exchange: columns, dtypes, units, keys.

A table is a pandas frame; its `TableSchema` says what is in it. Pages and lines count from 1; boxes are in PDF points
(1/72 inch) from the top left of the page as displayed. A text column never holds null unless it says so.
"""

from __future__ import annotations

from schemas.table_schema import Column, TableSchema, same_table

__all__ = [
    "CROSS_REF_DF",
    "DOCUMENT_TABLES",
    "FIELD_DF",
    "FINDING_DF",
    "HIT_DF",
    "IMAGE_DF",
    "LINE_DF",
    "LINE_ROLES",
    "NOT_READ_STATUSES",
    "NOT_TEXT_ROLES",
    "OBJECT_DF",
    "PAGE_DF",
    "PAGE_STATUSES",
    "RETRIEVED_PAGE_DF",
    "SPAN_DF",
    "TABLES",
    "TABLE_DF",
    "TOC_DF",
    "Column",
    "TableSchema",
    "same_table",
]

_BOX = (
    Column("x0", "float", "Left edge of the box.", "points"),
    Column("y0", "float", "Top edge of the box.", "points"),
    Column("x1", "float", "Right edge of the box.", "points"),
    Column("y1", "float", "Bottom edge of the box.", "points"),
)
_OPEN_BOX = tuple(
    Column(
        side.name,
        side.dtype,
        f"{side.description[:-1]}; null in a format without a layout.",
        side.unit,
        nullable=True,
    )
    for side in _BOX
)
_PAGE_NUM = Column(
    "page_num",
    "int",
    "Physical page, slide or sheet, the first is 1; always 1 in a format without pages (`page_unit` of the profile).",
    "page",
)
_METHOD = Column("parsing_method", "text", "Engine that produced the row, e.g. 'pymupdf'.")

PAGE_STATUSES = ("native", "scanned", "ocr", "mixed", "empty", "unreadable", "failed")
NOT_READ_STATUSES = ("scanned", "unreadable", "failed")  # no text of such a page could be trusted
LINE_ROLES = (
    "body",
    "heading",
    "header",
    "footer",
    "page_number",
    "caption",
    "toc_entry",
    "table",
    "footnote",
    "comment",  # a reviewer's remark: on the document, no part of it
    "form_field",  # what was filled in
    "note",  # a speaker's note
)
NOT_TEXT_ROLES = ("header", "footer", "page_number", "comment")  # no part of what the document says

LINE_DF = TableSchema(
    "line_df",
    "One row a line of the document, in reading order; `line_id` is what every citation uses.",
    ("line_id",),
    (
        Column("line_id", "int", "Number of the line in the document, in reading order, the first is 1.", "line"),
        _PAGE_NUM,
        Column("line_num", "int", "Number of the line on its page, in reading order, the first is 1.", "line"),
        Column("text", "text", "The words of the line, verbatim, on one line; never null, may be empty."),
        *_OPEN_BOX,
        Column("font_name", "text", "Font of most of the line's characters; empty where a format has none."),
        Column("font_size", "float", "Size of that font; 0 where a format has none.", "points"),
        Column("is_bold", "bool", "Most characters are bold."),
        Column("is_italic", "bool", "Most characters are italic."),
        Column(
            "visible",
            "bool",
            "A person sees the line on the page; hidden lines are never searched or shown to a model.",
        ),
        Column("hidden_reason", "text", "Why the line is not visible, e.g. 'white on white'.", nullable=True),
        Column(
            "change",
            "text",
            "Tracked change: 'inserted' where some of its words were, 'deleted' for words taken out (never visible).",
            nullable=True,
            allowed=("inserted", "deleted"),
        ),
        Column("role", "text", "What the line is on its page.", allowed=LINE_ROLES),
        Column(
            "section_id", "text", "Deepest section the line belongs to; null before the first heading.", nullable=True
        ),
        Column(
            "paragraph_id",
            "int",
            "Number of the paragraph or list item in the document, from 1; context is cut along it.",
        ),
        Column("column_position", "text", "Column of the page's text.", allowed=("single", "left", "right", "multi")),
        Column("rotation", "int", "Direction of the text, clockwise.", "degrees"),
        Column(
            "confidence",
            "float",
            "Recognition confidence; null for text that was not recognised from an image.",
            "0-1",
            True,
        ),
        _METHOD,
    ),
)

PAGE_DF = TableSchema(
    "page_df",
    "One row a physical page, whatever became of it: no page is lost in silence.",
    ("page_num",),
    (
        _PAGE_NUM,
        Column("status", "text", "What was read of the page.", allowed=PAGE_STATUSES),
        Column("status_reason", "text", "Why it has that status, in one sentence."),
        Column("width", "float", "Width as displayed.", "points"),
        Column("height", "float", "Height as displayed.", "points"),
        Column("rotation", "int", "Rotation of the page, clockwise.", "degrees"),
        Column("label", "text", "Printed page label, name of the sheet, where the file gives one.", nullable=True),
        Column("line_count", "int", "Visible lines.", "lines"),
        Column("char_count", "int", "Characters of the visible lines.", "characters"),
        Column("hidden_char_count", "int", "Characters of lines that a person does not see.", "characters"),
        Column("ocr_char_count", "int", "Visible characters that a recogniser wrote, here or before.", "characters"),
        Column("has_ocr_layer", "bool", "The file holds a recogniser's text under or over an image of the page."),
        Column("has_full_page_image", "bool", "One image covers at least 95 % of the page."),
        Column("table_count", "int", "Tables that begin or go on here.", "tables"),
        Column("image_count", "int", "Images displayed.", "images"),
        Column("image_coverage_ratio", "float", "Share of the page's area under images.", "0-1"),
        Column("column_count", "int", "Columns of text; 0 on a page without text.", "columns"),
        Column(
            "text_quality_score",
            "float",
            "How far the text can be trusted: 1 for good characters and known words; null without text.",
            "0-1",
            True,
        ),
        _METHOD,
    ),
)

TOC_DF = TableSchema(
    "toc_df",
    "One row a section, in document order, bounded to the line; a section includes its subsections.",
    ("section_id",),
    (
        Column("section_id", "text", "Number of the entry in document order, from '1'."),
        Column("level", "int", "Depth in the tree, the top level is 1."),
        Column("parent_section_id", "text", "Enclosing section; null at the top level.", nullable=True),
        Column("title", "text", "Title as the outline gives it, on one line."),
        Column("breadcrumb", "text", "Titles from the top level down to this one, joined by ' > '."),
        Column("start_page", "int", "Page of the heading.", "page"),
        Column("end_page", "int", "Page of the last line.", "page"),
        Column("start_line_id", "int", "First line of the heading.", "line"),
        Column("end_line_id", "int", "Last line of the section, subsections included.", "line"),
        Column(
            "heading_found", "bool", "The heading was matched to its line; otherwise the start is the top of its page."
        ),
        Column("source", "text", "Where the entry comes from, e.g. 'native_outline'."),
        Column("confidence", "float", "How sure title, level and place are.", "0-1"),
    ),
)

OBJECT_DF = TableSchema(
    "object_df",
    "One row a named object that the text may refer to: figures, tables, equations, annexes.",
    ("object_type", "object_id"),
    (
        Column("object_type", "text", "figure, table, equation, annex, schedule, exhibit, appendix or definition."),
        Column("object_id", "text", "Number or letter as written, e.g. '2' or 'B'; a defined term as written."),
        Column("title", "text", "Text of the caption or heading line."),
        _PAGE_NUM,
        Column("line_id", "int", "Line of the caption or heading.", "line"),
    ),
)

CROSS_REF_DF = TableSchema(
    "cross_ref_df",
    "One row a mention of a section, figure, table, schedule ... elsewhere in the document.",
    ("line_id", "ref_type", "ref_id", "char_start"),
    (
        Column(
            "ref_type",
            "text",
            "section, article, clause, figure, table, equation, annex, schedule, exhibit, appendix, definition, "
            "footnote, link.",
        ),
        Column("ref_id", "text", "Number or letter as written."),
        _PAGE_NUM,
        Column("line_id", "int", "Line of the mention.", "line"),
        Column("char_start", "int", "Offset of the mention in the line's text, from 0.", "characters"),
        Column("context", "text", "The mention with some thirty characters each side."),
        Column("target_line_id", "int", "Line it points at; null where it could not be resolved.", "line", True),
        Column("source", "text", "'link' for a native link, 'pattern' for words in the text."),
    ),
)

IMAGE_DF = TableSchema(
    "image_df",
    "One row an image displayed on a page.",
    ("page_num", "image_num"),
    (
        _PAGE_NUM,
        Column("image_num", "int", "Number on the page, from 1."),
        *_OPEN_BOX,
        Column("width_px", "int", "Intrinsic width; 0 where the file does not tell it plainly.", "pixels"),
        Column("height_px", "int", "Intrinsic height; 0 where the file does not tell it plainly.", "pixels"),
        Column("is_full_page", "bool", "The displayed image covers at least 95 % of the page."),
        _METHOD,
    ),
)

SPAN_DF = TableSchema(
    "span_df",
    "One row a run of equal style inside a line; empty unless asked for.",
    ("line_id", "span_num"),
    (
        Column("line_id", "int", "Line the run belongs to.", "line"),
        Column("span_num", "int", "Number in the line, from 1."),
        Column("text", "text", "Words of the run, verbatim."),
        *_OPEN_BOX,
        Column("font_name", "text", "Font."),
        Column("font_size", "float", "Size.", "points"),
        Column("is_bold", "bool", "Bold."),
        Column("is_italic", "bool", "Italic."),
        Column("color", "int", "Fill colour as 0xRRGGBB."),
    ),
)

TABLE_DF = TableSchema(
    "table_df",
    "One row a table cell; the lines of line_df stay the truth, a cell points at them.",
    ("table_id", "row_num", "column_num"),
    (
        Column("table_id", "int", "Number of the table in the document, from 1; one that goes on over pages keeps it."),
        _PAGE_NUM,
        Column("row_num", "int", "Row in the table, from 1, counted on over pages; a repeated header is left out."),
        Column("column_num", "int", "Column in the table, from 1."),
        Column("row_span", "int", "Rows that the cell covers, 1 for an ordinary one.", "rows"),
        Column("column_span", "int", "Columns that the cell covers, 1 for an ordinary one.", "columns"),
        Column("is_header", "bool", "The cell belongs to a header row."),
        Column("header", "text", "Header of the cell's column, empty where there is none."),
        Column("text", "text", "Words of the cell."),
        Column("line_start", "int", "First line of the cell.", "line", True),
        Column("line_end", "int", "Last line of the cell.", "line", True),
        Column("caption_line_id", "int", "First line of the table's caption; null without one.", "line", True),
        *_OPEN_BOX,
        _METHOD,
    ),
)

FIELD_DF = TableSchema(
    "field_df",
    "One row a form field, filled in or not.",
    ("field_num",),
    (
        Column("field_num", "int", "Number of the field in the document, from 1."),
        _PAGE_NUM,
        Column("name", "text", "Full name of the field; empty where it has none."),
        Column(
            "kind",
            "text",
            "What kind of field.",
            allowed=("text", "checkbox", "radio", "choice", "signature", "button", "other"),
        ),
        Column("value", "text", "What was filled in or chosen; empty where nothing was."),
        Column("is_checked", "bool", "The mark of a checkbox or radio button; null for other kinds.", nullable=True),
        Column("line_id", "int", "Line of line_df that shows it; null where none does.", "line", True),
        *_OPEN_BOX,
    ),
)

FINDING_DF = TableSchema(
    "finding_df",
    "One row a thing a reader of the document must know: hidden text, unreadable content, a broken outline entry.",
    ("finding_id",),
    (
        Column("finding_id", "int", "Number of the finding, from 1."),
        Column(
            "kind",
            "text",
            "damage (of the file), hidden_text, outline, page (not fully read), tracked_change, comment, attachment, "
            "placeholder (the file shows only a stand-in for its content), reader (two readers differ), "
            "format (the name says another), encoding (characters in doubt), image (not read), "
            "external (shown from elsewhere), alternative (a message says two things) ...",
        ),
        Column("detail", "text", "What was found, in one sentence."),
        Column("page_num", "int", "Page; null for the whole document.", "page", True),
        Column("line_id", "int", "Line, where it is one.", "line", True),
        Column("x0", "float", "Left edge, where there is a box.", "points", True),
        Column("y0", "float", "Top edge, where there is a box.", "points", True),
        Column("x1", "float", "Right edge, where there is a box.", "points", True),
        Column("y1", "float", "Bottom edge, where there is a box.", "points", True),
    ),
)

HIT_DF = TableSchema(
    "hit_df",
    "One row a place that a detector proposes, best first within its method; every row says why.",
    ("method", "line_start", "line_end"),
    (
        Column("method", "text", "Detector, e.g. 'content_keyword_match'."),
        Column("rank", "int", "Rank within the method, the best is 1."),
        Column(
            "score",
            "float",
            "The method's own score, larger is better; not comparable between methods.",
            "method's own",
        ),
        Column("line_start", "int", "First line that matched.", "line"),
        Column("line_end", "int", "Last line that matched.", "line"),
        Column("page_num", "int", "Page of the first line.", "page"),
        Column("section_id", "text", "Section of the first line.", nullable=True),
        Column("matched_keywords", "texts", "Keywords of the question found there, in the question's order."),
        Column("reason", "text", "Why the detector proposes the place, in one sentence."),
    ),
)

RETRIEVED_PAGE_DF = TableSchema(
    "retrieved_page_df",
    "One row a page with at least one candidate: what the workbook retrieved_pages.xlsx shows.",
    ("page_num",),
    (
        _PAGE_NUM,
        Column("rank", "int", "Rank of its best candidate, from 1."),
        Column("match_count", "int", "Candidates anchored on the page."),
        Column("matched_keywords", "texts", "Keywords found on the page."),
        Column("methods", "texts", "Methods that proposed something on the page."),
        Column("roles", "texts", "Roles of its candidates."),
        Column("text", "text", "Text of its anchors."),
    ),
)

TABLES: tuple[TableSchema, ...] = (
    LINE_DF,
    PAGE_DF,
    TOC_DF,
    OBJECT_DF,
    CROSS_REF_DF,
    IMAGE_DF,
    SPAN_DF,
    TABLE_DF,
    FIELD_DF,
    FINDING_DF,
    HIT_DF,
    RETRIEVED_PAGE_DF,
)
DOCUMENT_TABLES: tuple[TableSchema, ...] = TABLES[:10]
