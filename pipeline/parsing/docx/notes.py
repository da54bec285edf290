"""Footnotes, endnotes and comments: their parts, their marks, and how they are counted."""

from __future__ import annotations

from pipeline.parsing.docx.fields import mark_unclosed
from pipeline.parsing.docx.names import Element, R, W, flag, local, number, value
from pipeline.parsing.docx.number_formats import write_number
from pipeline.parsing.docx.state import Attached, Place, State
from pipeline.parsing.reading import Finding
from schemas.errors import DamagedDocumentError

NOTE_PARTS = {"footnotes": "footnote", "endnotes": "endnote", "comments": "comment"}  # relationship -> kind
_DEFAULT_FORMATS = {"footnote": "decimal", "endnote": "lowerRoman"}  # ISO/IEC 29500-1, 17.11.18 and Word
ON = "here, without pages, their numbers count on"
LOST = "A part of the file could not be read, its content is missing"
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


def load_notes(state: State, settings: Element | None, sections: list[Element]) -> None:
    """Read the parts of notes and comments into the state; a damaged one is a finding, and its notes are lost."""
    for relationship, kind in NOTE_PARTS.items():
        found: dict[str, Element] = {}
        for part in state.package.related(relationship, state.package.main):
            root = read_part(state, part)
            state.note_relations[kind] = state.package.relations(part)
            for element in () if root is None else root:
                if local(element) == kind and element.get(f"{W}type", "") not in _SEPARATORS:
                    found.setdefault(element.get(f"{W}id", ""), element)
        state.notes[kind] = found
    for kind, usual in _DEFAULT_FORMATS.items():
        fmt, start = usual, 1
        for holder in (settings, *sections):
            about = None if holder is None else holder.find(f"{W}{kind}Pr")
            fmt = value(about, "numFmt") or fmt
            start = number(value(about, "numStart")) or start
            restart = value(about, "numRestart")
            if restart == "eachSect":
                state.note_restarts.add(kind)
            elif restart == "eachPage" and state.notes[kind]:
                state.findings.append(
                    Finding("placeholder", f"In Word the {kind}s are numbered anew on each page; {ON}.")
                )
        state.note_formats[kind] = (fmt, start)
        state.note_counts[kind] = start - 1


def end_section(state: State) -> None:
    """Begin the numbers of notes anew where the file asks for that with each section."""
    for kind in sorted(state.note_restarts):
        state.note_counts[kind] = state.note_formats[kind][1] - 1


def read_part(state: State, part: str) -> Element | None:
    """Root element of a part that the document can do without; None with a finding where it is damaged."""
    try:
        root = state.package.tree(part)
    except DamagedDocumentError as error:
        state.findings.append(Finding("damage", f"{LOST}: {error}"))
        return None
    check_fields(state, root)
    return root


def check_fields(state: State, root: Element) -> None:
    """Note fields that never end: what follows them is read as text."""
    if mark_unclosed(root):
        state.findings.append(Finding("damage", "A field begins and never ends; what follows it was read as text."))


def read_bytes(state: State, part: str) -> bytes:
    """The bytes of such a part, empty with a finding where it is damaged."""
    try:
        return state.package.read(part)
    except DamagedDocumentError as error:
        state.findings.append(Finding("damage", f"{LOST}: {error}"))
        return b""


def mark_note(state: State, reference: Element, place: Place) -> str:
    """The mark of a note in the text, '[1]', while the note itself waits for the end of the paragraph.

    Brackets keep a raised mark from running into the word or figure before it. A mark that the author typed stands in
    the text already: then '' is given.
    """
    kind = "endnote" if local(reference) == "endnoteReference" else "footnote"
    key = reference.get(f"{W}id", "")
    element = state.notes.get(kind, {}).get(key)
    if element is None:
        state.findings.append(Finding("damage", f"The text marks a {kind} that the file does not hold."))
        return ""
    is_deleted = place.revision is not None and place.revision.change == "deleted"
    if reference.get(f"{W}customMarkFollows", "0").lower() in ("1", "true", "on") or is_deleted:
        mark = ""
    else:
        state.note_counts[kind] += 1
        count = state.note_counts[kind]
        mark = write_number(count, state.note_formats[kind][0]) or str(count)
    if (kind, key) not in state.notes_done:
        state.notes_done.add((kind, key))
        beside = Place("footnote", hidden=place.hidden, revision=place.revision)
        state.attached.append(Attached(kind, element, beside, mark, key))
    return f"[{mark}]" if mark else ""


def tell_comment(element: Element, text: str) -> str:
    """A comment in one sentence: by whom, when, what."""
    author = element.get(f"{W}author", "").strip() or "an unnamed reviewer"
    date = element.get(f"{W}date", "")
    when = f" on {date[:10]}" if date else ""
    return f"Comment by {author}{when}: {text}"


def are_even_headers_shown(settings: Element | None) -> bool:
    """Even pages have headers and footers of their own."""
    return bool(flag(settings, "evenAndOddHeaders"))


def header_parts(state: State, sections: list[Element], settings: Element | None) -> list[tuple[str, str, bool]]:
    """Headers and footers as (role, part, whether any page shows it), each part once, in the order of the sections."""
    found: dict[str, tuple[str, str, bool]] = {}
    first = any(flag(section, "titlePg") for section in sections)  # a section takes over the headers of the one before
    for section in sections:
        for role in ("header", "footer"):
            for reference in section.iterfind(f"{W}{role}Reference"):
                relation = state.relations.get(reference.get(f"{R}id", ""))
                if relation is None or relation.external or not state.package.has(relation.target):
                    continue
                kind = reference.get(f"{W}type", "default")
                shown = {"first": first, "even": are_even_headers_shown(settings)}.get(kind, True)
                before = found.get(relation.target)
                found[relation.target] = (role, relation.target, shown or (before is not None and before[2]))
    return list(found.values())
