"""Remarks on slides: those of before and after 2021, with their authors."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from pipeline.parsing.ooxml import Package
from pipeline.parsing.pptx.names import A, children, local_name, plain
from pipeline.parsing.xlsx.parts import side_tree


@dataclass(frozen=True, slots=True)
class Remark:
    """What someone remarked on a slide; `author` empty where the file names none."""

    author: str
    text: str


def read_authors(package: Package) -> dict[str, str]:
    """Names of the people who remarked, by their id."""
    names: dict[str, str] = {}
    for kind in ("commentAuthors", "authors"):
        for part in package.related(kind, package.main):
            for element in side_tree(package, part):
                if isinstance(element.tag, str):
                    names[element.get("id", "")] = plain(element.get("name", ""))
    return names


def read_remarks(package: Package, slide_part: str, authors: dict[str, str]) -> list[Remark]:
    """The remarks in the order of the file, replies after what they answer."""
    found: list[Remark] = []
    for part in package.related("comments", slide_part):
        for element in children(side_tree(package, part)):
            if local_name(element) == "cm":
                _read(element, authors, found)
    return found


def _read(element: etree._Element, authors: dict[str, str], found: list[Remark]) -> None:
    words, replies = [], []
    for child in element:
        name = local_name(child)
        if name == "text":
            words.append(child.text or "")
        elif name == "txBody":
            words += ["".join(t.text or "" for t in paragraph.iter(f"{A}t")) for paragraph in child.iter(f"{A}p")]
        elif name == "replyLst":
            replies += [reply for reply in child if local_name(reply) == "reply"]
    text = plain(" ".join(words))
    if text:
        found.append(Remark(authors.get(element.get("authorId", ""), ""), text))
    for reply in replies:
        _read(reply, authors, found)
