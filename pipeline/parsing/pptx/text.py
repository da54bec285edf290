"""The words of a text body: paragraphs with their numbers, style and colour."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from pipeline.parsing.pptx.names import A, R, children, integer, is_true, local_name, plain

MAX_LEVEL = 8  # of a paragraph, from 0 (ECMA-376 21.1.2.2.7)
SIZE_UNIT = 100.0  # font sizes are hundredths of a point (20.1.10.68)
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


@dataclass(slots=True)
class Run:
    """Words of one style; `size` in points, 0 where it is inherited; `colour` the element that gives it, if any."""

    text: str
    font: str = ""
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    colour: etree._Element | None = None
    link: str = ""  # relationship id of what it links to


@dataclass(slots=True)
class Paragraph:
    """A paragraph: its lines (parted by breaks), each a list of runs; `level` from 0; `links` of its runs by id."""

    lines: list[list[Run]] = field(default_factory=list)
    level: int = 0
    number: str = ""  # as displayed: '1.', 'b)'

    @property
    def text(self) -> str:
        """All words, lines joined by a blank, after the number."""
        words = " ".join(filter(None, (plain("".join(run.text for run in line)) for line in self.lines)))
        return f"{self.number} {words}" if self.number and words else words


def read_paragraphs(body: etree._Element | None) -> list[Paragraph]:
    """The paragraphs of a text body that hold words, in order; automatic numbers as a person sees them."""
    if body is None:
        return []
    found = []
    counts: dict[int, tuple[str, int]] = {}  # level -> kind of numbering and last number
    default = _default_style(body)
    for element in body.iterfind(f"{A}p"):
        about = element.find(f"{A}pPr")
        level = min(integer(about.get("lvl")) if about is not None else 0, MAX_LEVEL)
        paragraph = Paragraph(_read_lines(element, default.get(level)), level)
        if not paragraph.text:
            continue
        paragraph.number = _count(about, level, counts)
        found.append(paragraph)
    return found


def _read_lines(element: etree._Element, default: etree._Element | None) -> list[list[Run]]:
    lines: list[list[Run]] = [[]]
    for child in children(element):
        name = local_name(child)
        if name == "br":
            lines.append([])
        elif name in ("r", "fld"):
            text = child.findtext(f"{A}t") or ""
            pieces = text.split("\v")
            for at, piece in enumerate(pieces):
                if at:
                    lines.append([])
                lines[-1].append(_make_run(piece, child.find(f"{A}rPr"), default))
        elif name == "m":  # a formula (Office Math)
            lines[-1].append(Run("".join(t.text or "" for t in child.iter() if local_name(t) == "t")))
    return [line for line in lines if any(run.text.strip() for run in line)]


def _make_run(text: str, style: etree._Element | None, default: etree._Element | None) -> Run:
    run = Run(text)
    for element in (default, style):
        if element is None:
            continue
        if element.get("sz") is not None:
            run.size = integer(element.get("sz")) / SIZE_UNIT
        run.bold = is_true(element.get("b"), default=run.bold)
        run.italic = is_true(element.get("i"), default=run.italic)
        latin = element.find(f"{A}latin")
        if latin is not None:
            run.font = latin.get("typeface", "")
        if element.find(f"{A}solidFill") is not None:
            run.colour = element.find(f"{A}solidFill")
        link = element.find(f"{A}hlinkClick")
        if link is not None:
            run.link = link.get(f"{R}id", "")
    return run


def _default_style(body: etree._Element) -> dict[int, etree._Element]:
    """Level -> the style that the shape itself sets for its text."""
    found: dict[int, etree._Element] = {}
    for level in range(MAX_LEVEL + 1):
        style = body.find(f"{A}lstStyle/{A}lvl{level + 1}pPr/{A}defRPr")
        if style is not None:
            found[level] = style
    return found


def _count(about: etree._Element | None, level: int, counts: dict[int, tuple[str, int]]) -> str:
    """The number of a paragraph of an automatic list; a paragraph of a higher level or another kind starts anew."""
    for deeper in [at for at in counts if at > level]:
        del counts[deeper]
    automatic = about.find(f"{A}buAutoNum") if about is not None else None
    if automatic is None:
        counts.pop(level, None)
        return ""
    kind, start = automatic.get("type", "arabicPeriod"), max(1, integer(automatic.get("startAt"), 1))
    before = counts.get(level)
    number = before[1] + 1 if before is not None and before[0] == f"{kind}{start}" else start
    counts[level] = (f"{kind}{start}", number)
    return _show_number(number, kind)


def _show_number(number: int, kind: str) -> str:
    """'1.', '(a)', 'iv)': the schemes of ECMA-376 20.1.10.61; those of other scripts are shown in digits."""
    if kind.startswith("alpha"):
        shown = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 % 10 + 1)
    elif kind.startswith("roman"):
        shown = _roman(number)
    else:
        shown = str(number)
    if kind.startswith(("alphaUc", "romanUc")):
        shown = shown.upper()
    if kind.endswith("ParenBoth"):
        return f"({shown})"
    return shown + (")" if kind.endswith("ParenR") else "." if kind.endswith("Period") else "")


def _roman(number: int) -> str:
    shown = ""
    for value, letters in _ROMAN:
        while number >= value and len(shown) < 40:  # letters; a hostile start value would give thousands
            shown += letters
            number -= value
    return shown
