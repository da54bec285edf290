"""A dictionary as TOML: equal dictionaries give equal bytes, one word a line, so that versions compare line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dictionaries.file_format import KINDS, DictionaryFile, FileConcept, FileTerm

_HEAD = ("owner", "version", "date", "source", "languages", "document_types")
_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}  # TOML 1.0, basic strings
_MAX_INLINE = 90  # characters of a list that stays on one line


def to_toml(parsed: DictionaryFile) -> bytes:
    """The file as UTF-8 TOML in the order of its concepts and words; what has its default value is left out."""
    lines: list[str] = []
    for name in _HEAD:
        value = getattr(parsed, name)
        if name == "date":
            lines.append(f"date = {value.isoformat()}")
        elif isinstance(value, str):
            lines.append(f"{name} = {_quoted(value)}")
        elif value:
            lines.append(f"{name} = {_listed([_quoted(each) for each in value])}")
    for name, concept in parsed.concepts.items():
        lines.extend(("", f"[concepts.{name}]", *_concept_lines(concept)))
        for language, words in concept.words.items():
            lines.append(f"[concepts.{name}.words.{language}]")
            for kind in KINDS:
                entries = getattr(words, kind)
                if entries:
                    lines.append(f"{kind} = {_listed([_entry(entry) for entry in entries])}")
    return ("\n".join(lines) + "\n").encode()


def _concept_lines(concept: FileConcept) -> Iterator[str]:
    for name, field in FileConcept.model_fields.items():
        value = getattr(concept, name)
        if name == "words" or (not field.is_required() and value == field.default):
            continue
        if isinstance(value, bool):
            yield f"{name} = {str(value).lower()}"
        elif isinstance(value, str):
            yield f"{name} = {_quoted(value)}"
        else:
            yield f"{name} = {_listed([_quoted(each) for each in value])}"


def _entry(entry: str | FileTerm) -> str:
    if isinstance(entry, str):
        return _quoted(entry)
    if entry.weight is None:
        return _quoted(entry.term)
    return f"{{ term = {_quoted(entry.term)}, weight = {entry.weight!r} }}"


def _listed(items: Sequence[str]) -> str:
    """A TOML array: on one line where it is short, else one item a line."""
    inline = f"[{', '.join(items)}]"
    return inline if len(inline) <= _MAX_INLINE else "[\n" + "".join(f"  {item},\n" for item in items) + "]"


def _quoted(text: str) -> str:
    return '"' + "".join(_SHORT.get(c) or (c if c.isprintable() else _escaped(c)) for c in text) + '"'


def _escaped(character: str) -> str:
    """An invisible character as its number, so that a person sees it."""
    code = ord(character)
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"  # the two lengths of TOML
