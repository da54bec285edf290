"""Web pages: from markup to lines, headings, tables, fields and links, the way a browser shows them."""
