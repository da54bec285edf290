"""Dictionaries for a person: the list, one concept, faults by place, what an import changed, hits a term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dictionaries.faults import shown_faults
from pipeline.cli.output import plain

if TYPE_CHECKING:
    from dictionaries.coverage import Coverage
    from dictionaries.faults import Fault
    from dictionaries.file_format import DictionaryFile, FileConcept

MAX_ERRORS = 50  # lines of errors: more is no list to work through but one fault of many rows; --json has all
MAX_FIELD_CHARS = 300  # of a definition or list shown before and after
MAX_LISTED_ERRORS = 5  # of one dictionary in the list
MAX_WARNINGS = 20  # warnings listed; the rest is counted
MAX_UNUSED = 30  # terms without a hit listed of one kind; the rest is counted, and all stand in the workbook
_KINDS = {
    "primary": "primary",
    "secondary": "secondary",
    "questions": "asked as",
    "titles": "titles",
    "examples": "examples",
}


def render_list(rows: Sequence[dict[str, Any]]) -> list[RenderableType]:
    """One line a dictionary, and below it what is wrong with one that cannot be used."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("name", "version", "date", "languages", "concepts", "terms", "exhaustive", "from", "owner"):
        table.add_column(title, justify="right" if title in ("concepts", "terms", "exhaustive") else "left")
    for row in rows:
        if "version" not in row:
            table.add_row(_one(row["name"], "bold"), Text("not usable", style="red"), *[Text("")] * 5, row["origin"])
            continue
        counts = [Text(f"{row[key]:,}") for key in ("concepts", "terms", "exhaustive")]
        table.add_row(
            _one(row["name"], "bold"), _one(row["version"]), row["date"], _one(" ".join(row["languages"])), *counts,
            row["origin"], _one(row["owner"]),
        )  # fmt: skip
    broken: list[RenderableType] = []
    for row in (row for row in rows if row["errors"]):
        told, more = row["errors"][:MAX_LISTED_ERRORS], len(row["errors"]) - MAX_LISTED_ERRORS
        broken += [Text.assemble(("error: ", "red"), plain(each, keep_lines=False)) for each in told]
        if more > 0:
            broken.append(Text(f"and {_counted(more, 'more error')}; `lineproof dict check` lists them", style="red"))
        if "remedy" in row:
            broken.append(Text(f"{plain(row['name'], keep_lines=False)}: {plain(row['remedy'], keep_lines=False)}"))
    return [table, *broken]


def render_dictionary(summary: dict[str, Any], parsed: DictionaryFile) -> list[RenderableType]:
    """Who answers for it, and a line a concept."""
    head = Table.grid(padding=(0, 2))
    for key in ("version", "date", "owner", "source", "languages", "document_types", "origin"):
        value = summary[key]
        told = ", ".join(value) if isinstance(value, list) else str(value)
        if told:
            head.add_row(Text(key.replace("_", " "), style="dim"), _one(told))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("concept", "terms", "answer", "exhaustive", "definition"):
        table.add_column(title, justify="right" if title == "terms" else "left", no_wrap=title == "concept")
    for name, concept in parsed.concepts.items():
        terms = sum(len(words.primary) + len(words.secondary) for words in concept.words.values())
        table.add_row(
            _one(name, "bold"), Text(f"{terms:,}"), _one(_answer(concept)), "yes" if concept.exhaustive else "",
            _one(concept.definition),
        )  # fmt: skip
    return [_one(summary["name"], "bold"), head, Text(), table]


def render_concept(name: str, concept: FileConcept) -> list[RenderableType]:
    """All that a dictionary says about one concept."""
    rows: dict[str, str] = {
        "definition": concept.definition,
        "answer": _answer(concept) + (", a value is required" if concept.value_required else ""),
        "read": " ".join(part for part in (concept.answer_context, concept.chunk_strategy) if part),
        "exhaustive": "yes: its primary terms cover every way the topic is written" if concept.exhaustive else "no",
        "narrows": "; ".join(concept.narrows),
        "not to confuse": "; ".join(concept.distractors),
        "proves nothing": "; ".join(concept.neighbours),
        "means another": "; ".join(concept.negative_contexts),
        "patterns": "; ".join(concept.patterns),
        "patterns that go with it": "; ".join(concept.secondary_patterns),
        "note": concept.note,
    }
    table = Table.grid(padding=(0, 2))
    for title, told in rows.items():
        if told:
            table.add_row(Text(title, style="dim"), Text(plain(told)))
    for language, words in concept.words.items():
        for kind, title in _KINDS.items():
            entries = getattr(words, kind, ())
            if entries:
                told = "; ".join(each if isinstance(each, str) else _weighted(each) for each in entries)
                table.add_row(Text(f"{language} {title}", style="cyan"), _one(told))
    return [_one(name, "bold"), Padding(table, (0, 0, 1, 2))]


def render_check(
    files: Sequence[str], faults: Sequence[Fault], unread: Sequence[dict[str, str]], *, every: bool
) -> list[RenderableType]:
    """A verdict a file, then the errors of all files, then the warnings."""
    shown: list[RenderableType] = []
    for file in dict.fromkeys(files):
        own = [fault for fault in faults if fault.file == file]
        errors, warnings = _count(own, "error"), _count(own, "warning")
        style = "red" if errors else "yellow" if warnings else "green"
        verdict = ", ".join(
            _counted(count, word) for count, word in ((errors, "error"), (warnings, "warning")) if count
        )
        shown.append(Text.assemble((plain(file, keep_lines=False), "bold"), "   ", (verdict or "sound", style)))
    several = len(set(files)) > 1
    shown += render_faults(sorted(faults, key=lambda fault: fault.severity), every=every, named=several)
    return [*shown, *_unread(unread)]


def render_faults(faults: Sequence[Fault], *, every: bool = False, named: bool = False) -> Iterator[RenderableType]:
    """A line a fault, those alike counted, and the first warnings unless `every`; `named`: each says its file."""
    for severity, limit, way, style in (
        ("error", MAX_ERRORS, "--json lists them all", "red"),
        ("warning", MAX_WARNINGS, "--all lists them", "yellow"),
    ):
        own = [fault for fault in faults if fault.severity == severity]
        listed = [(fault, "") for fault in own] if every and severity == "warning" else list(shown_faults(own))
        kept = listed if every and severity == "warning" else listed[:limit]
        for fault, below in kept:
            where = fault.where if named else fault.where.removeprefix(fault.file).removeprefix(", ")
            place = plain(where, keep_lines=False)
            told = Text.assemble((f"{severity}: ", style), (f"{place}: " if place else "", "cyan"))
            yield Padding(told + Text(plain(fault.about, keep_lines=False)), (0, 0, 0, 2))
            if below:
                yield Padding(Text(below, style=style), (0, 0, 0, 4))
        if len(listed) > len(kept):
            more = _counted(len(listed) - len(kept), f"more {severity}")
            yield Padding(Text(f"and {more}; {way}", style=style), (0, 0, 0, 2))


def render_import(told: dict[str, Any], faults: Sequence[Fault]) -> list[RenderableType]:
    """What changed, and what is in force now."""
    changes = told["changes"]
    touched = (
        None if changes is None else {*changes["concepts_added"], *(c["concept"] for c in changes["concepts_changed"])}
    )
    near = [fault for fault in faults if touched is None or fault.concept is None or fault.concept in touched]
    shown: list[RenderableType] = list(render_faults(near))
    if len(faults) > len(near):
        told_apart = (
            f"{_counted(len(faults) - len(near), 'warning')} on concepts that stay as they are: see `dict check`"
        )
        shown.append(Padding(Text(told_apart, style="dim"), (0, 0, 0, 2)))
    if changes is None:
        shown.append(Text(f"a new dictionary of {_counted(told['concepts'], 'concept')}"))
    else:
        shown += [Padding(line, (0, 0, 0, 2)) for line in changes_lines(changes)]
    shown += [Text.assemble(("note: ", "yellow"), plain(note, keep_lines=False)) for note in told["notes"]]
    name = plain(told["dictionary"], keep_lines=False)
    version = f"version {plain(told['version'], keep_lines=False)} of {told['date']}"
    if not told["is_new"]:
        shown.append(Text(f"{name}: nothing changes, so nothing was written", style="green"))
    elif told["path"] is None:
        shown.append(Text(f"{name}: would be in force as {version}; nothing was written", style="yellow"))
    else:
        shown.append(Text.assemble((f"{name}: in force as {version}", "green")))
        shown.append(Text(plain(told["path"], keep_lines=False), style="dim", no_wrap=True))
    return shown


def render_coverage(counted: Coverage, unread: Sequence[dict[str, str]], xlsx: str | None) -> list[RenderableType]:
    """Documents and lines a concept, then the terms that were found nowhere."""
    total = len(counted.documents)
    head = f"{counted.dictionary} {counted.version} over {_counted(total, 'document')}, {counted.lines:,} lines"
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("concept", "documents", "lines", "terms found", "terms"):
        table.add_column(title, justify="left" if title == "concept" else "right")
    for concept in counted.concepts:
        terms = [term for term in counted.terms if term.concept == concept.concept]
        found = sum(term.lines > 0 for term in terms)
        table.add_row(
            _one(concept.concept), f"{concept.documents} of {total}", f"{concept.lines:,}", f"{found:,}",
            f"{len(terms):,}",
        )  # fmt: skip
    shown: list[RenderableType] = [_one(head, "bold"), table]
    if len(counted.concepts) == 1:
        shown.append(_term_table(counted))
    for kind, unused in groupby(sorted(counted.unused, key=lambda term: term.kind), key=lambda term: term.kind):
        terms = list(unused)
        more = f" and {len(terms) - MAX_UNUSED:,} more" if len(terms) > MAX_UNUSED else ""
        listed = "; ".join(term.text for term in terms[:MAX_UNUSED])
        shown.append(Text.assemble((f"{len(terms):,} {kind} without a hit: ", "yellow"), plain(listed + more)))
    shown += [
        Text.assemble(("out of time: ", "red"), plain(f"{term.text}, in {_counted(term.overdue, 'document')}"))
        for term in counted.terms
        if term.overdue
    ]
    if xlsx is not None:
        shown.append(Text(plain(xlsx, keep_lines=False), style="dim", no_wrap=True))
    return [*shown, *_unread(unread)]


def _term_table(counted: Coverage) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("term", "language", "kind", "documents", "lines"):
        table.add_column(title, justify="right" if title in ("documents", "lines") else "left")
    for term in sorted(counted.terms, key=lambda term: (-term.documents, -term.lines)):
        if term.lines:
            row = (_one(term.text), term.language or "", term.kind, f"{term.documents:,}", f"{term.lines:,}")
            table.add_row(*row)
    return table


def changes_lines(changes: dict[str, Any]) -> Iterator[Text]:
    """What an edit changes, a line each."""
    yield from (_field_change("", change) for change in changes["head"])
    for sign, style, key in (("+", "green", "concepts_added"), ("-", "red", "concepts_removed")):
        yield from (Text.assemble((f"{sign} concept {plain(name, keep_lines=False)}", style)) for name in changes[key])
    if changes["reordered"]:
        yield Text("the concepts stand in another order", style="dim")
    for concept in changes["concepts_changed"]:
        name = f"{plain(concept['concept'], keep_lines=False)}: "
        for sign, style, key in (
            ("+", "green", "terms_added"),
            ("-", "red", "terms_removed"),
            ("~", "cyan", "terms_changed"),
        ):
            for row in concept[key]:
                weight = "" if row["weight"] is None else f", weight {row['weight']:g}"
                text = f"{sign} {row['language']} {row['kind'].removesuffix('s')} {row['text']!r}{weight}"
                yield Text.assemble(name, (plain(text, keep_lines=False), style))
        yield from (_field_change(name, change) for change in concept["fields"])
        if concept["reordered"]:
            yield Text(f"{name}the words stand in another order", style="dim")


def _field_change(name: str, change: dict[str, str]) -> Text:
    before, after = (_cut(plain(change[key], keep_lines=False)) or "nothing" for key in ("before", "after"))
    return Text.assemble(name, f"{change['field']}: ", (before, "red"), " became ", (after, "green"))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_FIELD_CHARS else f"{text[:MAX_FIELD_CHARS]}... ({len(text):,} characters)"


def _unread(unread: Sequence[dict[str, str]]) -> list[RenderableType]:
    return [
        Text.assemble(("not read: ", "yellow"), plain(f"{each['file']}: {each['reason']}", keep_lines=False))
        for each in unread
    ]


def _answer(concept: FileConcept) -> str:
    return (
        concept.answer_type if concept.answer_shape == "single" else f"{concept.answer_shape} of {concept.answer_type}"
    )


def _weighted(term: Any) -> str:
    return term.term if term.weight is None else f"{term.term} ({term.weight:g})"


def _one(text: str, style: str = "") -> Text:
    return Text(plain(text, keep_lines=False), style=style)


def _count(faults: Sequence[Fault], severity: str) -> int:
    return sum(fault.severity == severity for fault in faults)


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
