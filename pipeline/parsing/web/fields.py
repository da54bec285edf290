"""Form fields of a web page: what was filled in, and what a person sees of it."""

from __future__ import annotations

from typing import Any

from pipeline.parsing.page_text import clean_text
from pipeline.parsing.reading import FieldRead

CHECKED, UNCHECKED = "[x]", "[ ]"  # marks of selection, as METHOD 1.5 writes them
_BUTTONS = frozenset({"submit", "reset", "button", "image"})
_UNSEEN = frozenset({"hidden", "password"})  # not shown on the page; a password is kept nowhere


def read_field(node: Any) -> tuple[FieldRead | None, str]:
    """The field, and the words that it shows; None for one that a person does not see."""
    attributes = node.attributes
    name = clean_text(attributes.get("name") or attributes.get("id") or attributes.get("aria-label") or "")
    if node.tag == "select":
        chosen = " | ".join(_chosen(node, is_list="multiple" in attributes))
        return FieldRead(1, name, "choice", chosen), chosen
    if node.tag == "textarea":
        value = clean_text(" ".join(node.text().split()))
        return FieldRead(1, name, "text", value), value
    kind = (attributes.get("type") or "text").lower()
    value = clean_text(" ".join((attributes.get("value") or "").split()))
    if kind in _UNSEEN:
        return (None if kind == "hidden" else FieldRead(1, name, "text", "")), ""
    if kind in ("checkbox", "radio"):
        is_checked = "checked" in attributes
        return FieldRead(1, name, kind, value if is_checked else "", is_checked), CHECKED if is_checked else UNCHECKED
    if kind in _BUTTONS:
        return FieldRead(1, name, "button", value), value if kind != "image" else ""
    return FieldRead(1, name, "other" if kind == "file" else "text", value), value


def _chosen(node: Any, *, is_list: bool) -> list[str]:
    """Texts of the options that are chosen; a box that drops down shows its first one where none is."""
    options = node.css("option")
    chosen = [option for option in options if "selected" in option.attributes]
    if not is_list:
        chosen = chosen[-1:] or options[:1]
    return [text for option in chosen if (text := clean_text(" ".join(option.text().split())))]
