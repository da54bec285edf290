"""Word documents made by code: the XML of a body, and the parts that a test needs beside it."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
}
_DECLARED = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MADE_PARTS = {
    "styles": ("styles", "w:styles"),
    "numbering": ("numbering", "w:numbering"),
    "footnotes": ("footnotes", "w:footnotes"),
    "endnotes": ("endnotes", "w:endnotes"),
    "comments": ("comments", "w:comments"),
    "settings": ("settings", "w:settings"),
}


def make_docx(
    body: str,
    *,
    inner: Mapping[str, str] | None = None,
    extra: Mapping[str, tuple[str, bytes]] | None = None,
    external: Mapping[str, tuple[str, str]] | None = None,
    content_types: Mapping[str, str] | None = None,
) -> bytes:
    """The bytes of a DOCX file.

    `inner`: XML inside the root of a part, by its name ('styles', 'numbering', 'footnotes', ...). `extra`: other parts,
    relationship id -> (kind/name, bytes), e.g. 'rId9': ('header/header1.xml', b'...'). `external`: id -> (kind,
    target).
    """
    relations, parts = [], {}
    for name, xml in (inner or {}).items():
        kind, root = _MADE_PARTS[name]
        relations.append((f"made_{name}", kind, f"{name}.xml", False))
        parts[f"word/{name}.xml"] = wrap(root, xml)
    for key, (kind_name, data) in (extra or {}).items():
        kind, _, name = kind_name.partition("/")
        relations.append((key, kind, name, False))
        parts[f"word/{name}"] = data
    for key, (kind, target) in (external or {}).items():
        relations.append((key, kind, target, True))
    parts["word/document.xml"] = wrap("w:document", f"<w:body>{body}</w:body>")
    parts["word/_rels/document.xml.rels"] = _relations(relations)
    parts["_rels/.rels"] = _relations([("rId1", "officeDocument", "word/document.xml", False)])
    parts["[Content_Types].xml"] = _content_types(content_types or {})
    return zip_parts(parts)


def zip_parts(parts: Mapping[str, bytes]) -> bytes:
    """A ZIP of the parts, the content types first."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(parts, key=lambda name: (name != "[Content_Types].xml", name)):
            archive.writestr(zipfile.ZipInfo(name), parts[name], zipfile.ZIP_DEFLATED)
    return target.getvalue()


def wrap(root: str, inner: str) -> bytes:
    """An XML part with its namespaces declared."""
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><{root} {_DECLARED}>{inner}</{root}>'.encode()


def run(text: str, properties: str = "") -> str:
    """A run of text; `properties` is what stands in its w:rPr."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def para(*inner: str, style: str = "", num: tuple[int, int] | None = None, properties: str = "") -> str:
    """A paragraph of runs (or plain texts); `num` is its list and level from 0."""
    about = f'<w:pStyle w:val="{style}"/>' if style else ""
    if num is not None:
        about += f'<w:numPr><w:ilvl w:val="{num[1]}"/><w:numId w:val="{num[0]}"/></w:numPr>'
    runs = "".join(part if part.startswith("<") else run(part) for part in inner)
    return f"<w:p><w:pPr>{about}{properties}</w:pPr>{runs}</w:p>"


def table(*rows: str, properties: str = "") -> str:
    """A table of rows."""
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def row(*cells: str, properties: str = "") -> str:
    """A row of cells, plain texts or made by `cell`."""
    made = "".join(part if part.startswith("<w:tc>") else cell(part) for part in cells)
    return f"<w:tr><w:trPr>{properties}</w:trPr>{made}</w:tr>"


def cell(*paragraphs: str, properties: str = "") -> str:
    """A cell of paragraphs or plain texts."""
    made = "".join(part if part.startswith("<") else para(part) for part in paragraphs) or "<w:p/>"
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{made}</w:tc>"


def level(at: int, fmt: str, text: str, more: str = "", *, start: int = 1) -> str:
    """A level of a list's definition."""
    told = f'<w:start w:val="{start}"/><w:numFmt w:val="{fmt}"/>{more}<w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{at}">{told}</w:lvl>'


def numbered(abstract: str, *uses: str, number: int = 0) -> str:
    """An abstract list with its uses (w:num elements; one with number `number` + 1 where none is given)."""
    made = "".join(uses) or f'<w:num w:numId="{number + 1}"><w:abstractNumId w:val="{number}"/></w:num>'
    return f'<w:abstractNum w:abstractNumId="{number}">{abstract}</w:abstractNum>{made}'


def paragraph_style(style_id: str, name: str, inner: str = "") -> str:
    """A paragraph style."""
    return f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/>{inner}</w:style>'


def field(code: str, *result: str) -> str:
    """A complex field with its result as runs."""
    shown = "".join(part if part.startswith("<") else run(part) for part in result)
    separate = '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' if result else ""
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve">{escape(code)}</w:instrText></w:r>{separate}{shown}'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def _relations(relations: list[tuple[str, str, str, bool]]) -> bytes:
    made = "".join(
        f'<Relationship Id="{key}" Type="{_TYPE}/{kind}" Target="{escape(target)}"'
        f"{' TargetMode=&quot;External&quot;'.replace('&quot;', chr(34)) if outside else ''}/>"
        for key, kind, target, outside in relations
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{made}</Relationships>'.encode()


def _content_types(own: Mapping[str, str]) -> bytes:
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    named = {"/word/document.xml": main, **own}
    made = "".join(f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in named.items())
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{made}</Types>'
    ).encode()


def make_agreement(blocks: Sequence[Any], tables: Mapping[str, Any], *, styled: bool) -> bytes:
    """The sample agreement of examples/ as a Word document whose numbers Word itself counts.

    `styled`: headings are in the heading styles, which are linked to the list; else they are bold paragraphs of that
    list. Headings that the text does not number are bold, in capitals where not styled.
    """
    body: list[str] = []
    notes: list[str] = []
    for block in blocks:
        kind = type(block).__name__
        if kind == "Heading":
            body.append(_agreement_heading(block.level, block.text, styled=styled))
        elif kind == "Paragraph":
            text = f"{block.label} {block.text}" if block.label else block.text
            body.append(para(*_marked_runs(text, notes)))
        elif block.name == "table":
            spec = tables[block.argument]
            head = row(*(column[0] for column in spec.columns), properties="<w:tblHeader/>")
            body.append(para(spec.caption) + table(head, *(row(*cells) for cells in spec.rows)))
    linked = [f'<w:pStyle w:val="Heading{at + 1}"/>' for at in range(3)]
    abstract = "".join(
        level(
            at,
            "decimal",
            ".".join(f"%{n}" for n in range(1, at + 2)) + ("." if at == 0 else ""),
            linked[at] if styled else "",
        )
        for at in range(3)
    )
    styles = "".join(
        paragraph_style(
            f"Heading{at + 1}", f"heading {at + 1}",
            f'<w:pPr><w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="{at}"/></w:pPr>',
        )
        for at in range(3)
    )  # fmt: skip
    footnotes = "".join(f'<w:footnote w:id="{at}">{para(note)}</w:footnote>' for at, note in enumerate(notes, start=1))
    inner = {"styles": styles, "numbering": numbered(abstract), "footnotes": footnotes}
    return make_docx("".join(body), inner=inner)


def _agreement_heading(depth: int, text: str, *, styled: bool) -> str:
    title = re.sub(r"^\d+(?:\.\d+)*\.?\s+", "", text.replace("~", "\u00a0"))
    is_numbered = title != text.replace("~", "\u00a0")
    if styled:
        return para(title, style=f"Heading{depth}", num=None if is_numbered else (0, 0))
    return para(run(title, "<w:b/>"), num=(1, depth - 1) if is_numbered else None)


def _marked_runs(text: str, notes: list[str]) -> list[str]:
    """Runs of a text with **bold**, `~` for a space that does not break and {notes}."""
    runs = []
    for piece in re.split(r"(\*\*.+?\*\*|\{.+?\})", text.replace("~", "\u00a0")):
        if piece.startswith("**"):
            runs.append(run(piece.strip("*"), "<w:b/>"))
        elif piece.startswith("{"):
            notes.append(piece.strip("{}"))
            runs.append(f'<w:r><w:footnoteReference w:id="{len(notes)}"/></w:r>')
        elif piece:
            runs.append(run(piece))
    return runs
