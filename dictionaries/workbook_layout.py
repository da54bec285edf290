"""The sheets and columns of the experts' workbook, and how a text becomes a cell and comes back the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from dictionaries.file_format import Kind

README, HEAD, CONCEPTS, TERMS = "read me", "dictionary", "concepts", "terms"
FIELD, VALUE, MEANING = "field", "value", "what it means"  # columns of the sheet of the dictionary itself
KIND_WORDS: dict[Kind, str] = {
    "primary": "primary", "secondary": "secondary", "questions": "question", "titles": "title",
    "examples": "example",
}  # fmt: skip
KINDS_BY_WORD: dict[str, Kind] = {
    **{word: kind for kind, word in KIND_WORDS.items()}, **{kind: kind for kind in KIND_WORDS},
}  # fmt: skip
EXPORTED_FROM = "exported from version"  # beside it, in the sheet 'read me', the version that was exported
CELL_LIMIT = 32_767  # characters a cell may hold (Excel specifications and limits)

Content = Literal["name", "text", "choice", "yes_no", "list", "number", "date"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a sheet, or one row of the sheet of the dictionary itself."""

    name: str
    content: Content
    width: int  # characters
    meaning: str
    choices: tuple[str, ...] = ()


HEAD_FIELDS = (
    Column("name", "name", 0, "Name of the dictionary: small letters, digits and '_'."),
    Column("owner", "text", 0, "Role or person that answers for it."),
    Column("version", "text", 0, "Raise it with each change; left as it is, Lineproof raises its last number."),
    Column("date", "date", 0, "Date of the version, year-month-day."),
    Column("source", "text", 0, "Where the words come from."),
    Column("languages", "list", 0, "Two-letter codes of its languages, divided by commas: en, es, fr."),
    Column("document_types", "list", 0, "Types of documents it is made for, divided by commas; empty for all."),
)
_SHAPES = ("single", "listing", "table", "tree", "nested_json")
_CONTEXTS = ("line", "paragraph", "page", "section", "chapter", "document")
ANSWER_TYPES = (
    "text", "amount", "date", "duration", "percentage", "boolean", "party", "identifier", "number",
    "address", "iban", "jurisdiction",
)  # offered in the workbook; others may be written  # fmt: skip
CONCEPT_COLUMNS = (
    Column("concept", "name", 30, "Name of the concept: small letters, digits and '_'; the sheet 'terms' names it."),
    Column("definition", "text", 50, "What the concept is, in one sentence."),
    Column("answer_type", "choice", 14, "Kind of value that an answer gives.", ANSWER_TYPES),
    Column("answer_shape", "choice", 13, "How many values an answer has; empty: single.", _SHAPES),
    Column("answer_context", "choice", 15, "How much text around a hit is read; empty: Lineproof chooses.", _CONTEXTS),
    Column(
        "chunk_strategy", "choice", 15, "combined: all passages at once; sequential: one after the other; empty: "
        "Lineproof chooses.", ("combined", "sequential"),
    ),
    Column("value_required", "yes_no", 15, "yes: a passage without a value of the type is no answer.", ("yes", "no")),
    Column(
        "exhaustive", "yes_no", 12, "yes: you sign that no document treats the topic without one of the primary terms. "
        "Only then can Lineproof prove that it is absent.", ("yes", "no"),
    ),
    Column("narrows", "list", 22, "Broader concepts: a question that means both asks for this one; one a line."),
    Column("distractors", "list", 26, "Concepts, or terms, often confused with it; one a line (Alt+Enter)."),
    Column("neighbours", "list", 26, "Words that stand near the topic and prove nothing; one a line (Alt+Enter)."),
    Column(
        "negative_contexts", "list", 30, "Phrases that hold a term and mean something else; one a line (Alt+Enter)."
    ),
    Column("patterns", "list", 34, "Regular expressions for what no list of words covers; one a line (Alt+Enter)."),
    Column(
        "secondary_patterns", "list", 34, "The same for what goes with the topic without proving it; one a line."
    ),
    Column("note", "text", 40, "A remark for the next expert."),
)  # fmt: skip
TERM_COLUMNS = (
    Column("concept", "name", 30, "A concept of the sheet 'concepts'."),
    Column("language", "choice", 10, "Two-letter code, one of the dictionary's languages."),
    Column(
        "kind", "choice", 12, "primary: a passage that holds it is about the concept. secondary: goes with it. "
        "question: words of a question that mean it; 'a ... b': other words between, 'a + b': in any order, "
        "'a|b ... c': a or b, then c. title: a heading it stands under. "
        "example: a whole question as people ask it; its words count, in any order.",
        tuple(KIND_WORDS.values()),
    ),
    Column(
        "text", "text", 60, "The words. Plurals, accents, capitals and hyphens need no row of their own; a '*' ends a "
        "stem (indemnif*).",
    ),
    Column("weight", "number", 9, "Of primary and secondary terms, more than 0 and at most 1; empty: 1.0 or 0.5."),
)  # fmt: skip

EXPLANATION = (
    "This workbook is a dictionary of Lineproof: the words by which an expert knows a topic in documents.",
    "",
    "How to edit it",
    "1. Sheet 'terms': one row a word or phrase. Add a row anywhere, correct or delete one, sort as you like.",
    "2. Sheet 'concepts': one row a topic. A new topic needs a row here and at least one primary term in 'terms'.",
    "3. Sheet 'dictionary': who answers for it. Raise the version, or leave it and Lineproof raises it.",
    "4. Where a cell holds several entries, write one a line: Alt+Enter begins a new line inside a cell.",
    "5. Add no columns and rename none. Other sheets are not read.",
    "",
    "How it comes back",
    "lineproof dict check FILE.xlsx says what is wrong with it, by sheet, row and column, and changes nothing.",
    "lineproof dict import FILE.xlsx checks it, shows what changes, and puts it in force. The version before is kept.",
    "A workbook with an error is refused as a whole, so nothing is ever half changed.",
    "If somebody else's edits came in force meanwhile and yours would take them back, it is refused too: export again.",
    "",
    "What the columns mean",
)

_NUMBERED = re.compile("_x([0-9A-Fa-f]{4})_")  # how a workbook writes a character that XML cannot hold (ECMA-376, 22.4)

_LOOKS_NUMBERED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


def to_cell_text(text: str) -> str:
    """The text as the file holds it: what looks like a numbered character is protected from being read as one."""
    return _LOOKS_NUMBERED.sub("_x005F_", text)


def from_cell_text(text: str) -> str:
    """The text that a person sees in the cell."""
    return _NUMBERED.sub(lambda found: chr(int(found[1], 16)), text)
