"""Signs of the symbol fonts as the characters that a person sees in their place."""

from __future__ import annotations

# Adobe's Symbol encoding from 0x20 and from 0xA0 (Adobe, Symbol Encoding to Unicode)
_SYMBOL_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
# Wingdings signs that stand in contracts and forms: ticks, boxes, bullets, arrows, hands, telephones
_WINGDINGS = {
    0x28: "☎", 0x2A: "✉", 0x46: "☞", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "□", 0x71: "❑", 0x72: "❒",
    0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "☒", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA7: "▪",
    0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓",
    0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x2A: "☐", 0x30: "☐", 0xA3: "☐"}
_PRIVATE = 0xF000  # symbol fonts stand in the private area from here, 256 places
BULLET = "•"


def show_symbol(code: int, font: str) -> str:
    """What is seen for character `code` in `font`; the character itself where the font's signs are not known."""
    at = code - _PRIVATE if _PRIVATE <= code <= _PRIVATE + 0xFF else code
    name = font.casefold().strip()
    if name.startswith("symbol"):
        if 0x20 <= at < 0x20 + len(_SYMBOL_LOW):
            return _SYMBOL_LOW[at - 0x20]
        if 0xA0 <= at < 0xA0 + len(_SYMBOL_HIGH):
            return _SYMBOL_HIGH[at - 0xA0]
    elif name == "wingdings 2":
        return _WINGDINGS_2.get(at, chr(code))
    elif name.startswith("wingdings"):
        return _WINGDINGS.get(at, chr(code))
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def show_text(text: str, font: str) -> str:
    """`text` with signs of the private area replaced by what is seen; other text as it is."""
    if text.isascii() or not any(_PRIVATE <= ord(sign) <= _PRIVATE + 0xFF for sign in text):
        return text
    return "".join(show_symbol(ord(sign), font) if _PRIVATE <= ord(sign) <= _PRIVATE + 0xFF else sign for sign in text)


def show_bullet(text: str, font: str) -> str:
    """A list's bullet as seen; a round one where its font's signs are not known, since some bullet is seen."""
    shown = show_text(text, font).strip()
    if not shown or any(0xE000 <= ord(sign) <= 0xF8FF for sign in shown):
        return BULLET
    if shown == "o" and font.casefold().startswith("courier"):
        return "○"  # Word's second bullet is the letter of a typewriter font
    return shown
