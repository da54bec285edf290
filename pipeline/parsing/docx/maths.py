"""Formulas (OMML, ISO/IEC 29500-1, 22.1) as one line of text, with the signs that a typist would use."""

from __future__ import annotations

from pipeline.parsing.docx.names import Element, M, local

MAX_DEPTH = 60  # formulas inside formulas
_PARTS = {  # element -> the parts that follow its base, each with the sign before it
    "sSup": (("sup", "^"),),
    "sSub": (("sub", "_"),),
    "sSubSup": (("sub", "_"), ("sup", "^")),
    "limLow": (("lim", "_"),),
    "limUpp": (("lim", "^"),),
}


def read_formula(element: Element, depth: int = 0) -> str:
    """The formula in one line: fractions as a/b, exponents as x^2, roots as √(x); empty for an empty one."""
    kind = local(element)
    if depth > MAX_DEPTH:
        return "".join(element.itertext())
    if kind == "t":
        return element.text or ""
    if kind == "f":
        return f"{_part(element, 'num', depth)}/{_part(element, 'den', depth)}"
    if kind == "rad":
        degree = _read(element.find(f"{M}deg"), depth)
        return f"{degree}√{_bracket(_read(element.find(f'{M}e'), depth), always=True)}"
    if kind in _PARTS:
        more = "".join(f"{sign}{_part(element, part, depth)}" for part, sign in _PARTS[kind])
        return f"{_part(element, 'e', depth)}{more}"
    if kind == "nary":
        sign = element.find(f"{M}naryPr/{M}chr")
        low, high = _read(element.find(f"{M}sub"), depth), _read(element.find(f"{M}sup"), depth)
        bounds = (f"_{_bracket(low)}" if low else "") + (f"^{_bracket(high)}" if high else "")
        return f"{'∫' if sign is None else sign.get(f'{M}val', '∑')}{bounds} {_read(element.find(f'{M}e'), depth)}"
    if kind == "d":
        begin, end = element.find(f"{M}dPr/{M}begChr"), element.find(f"{M}dPr/{M}endChr")
        inside = ", ".join(_read(part, depth) for part in element.iterfind(f"{M}e"))
        opening = "(" if begin is None else begin.get(f"{M}val", "")
        return f"{opening}{inside}{')' if end is None else end.get(f'{M}val', '')}"
    if kind in ("rPr", "ctrlPr", "sSupPr", "fPr") or kind.endswith("Pr"):
        return ""
    separator = "; " if kind == "m" else ""
    return separator.join(read_formula(child, depth + 1) for child in element if isinstance(child.tag, str))


def _read(element: Element | None, depth: int) -> str:
    return "" if element is None else read_formula(element, depth + 1)


def _part(element: Element, name: str, depth: int) -> str:
    return _bracket(_read(element.find(f"{M}{name}"), depth))


def _bracket(text: str, *, always: bool = False) -> str:
    """In brackets where it is more than one sign or word."""
    return f"({text})" if always or (not text.replace(".", "").isalnum() and len(text) > 1) else text
