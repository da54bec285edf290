"""The table of contents as a model is shown it when it chooses where to look."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.retrieval.arbiter.narrowing import Contents, Section
from pipeline.retrieval.candidates import Candidate
from pipeline.retrieval.lines import Lines
from schemas.document import ParsedDocument


def contents_of(document: ParsedDocument, lines: Lines, candidates: Sequence[Candidate]) -> Contents:
    """The sections in document order, each with an opaque id made of the place where it starts, and the candidates'.

    A candidate before the first heading is in no section.
    """
    toc = document.toc_df
    keys: dict[str, str] = {}
    taken: set[str] = set()
    sections: list[Section] = []
    names = ("section_id", "parent_section_id", "breadcrumb", "start_page", "end_page", "start_line_id")
    for section_id, parent, breadcrumb, first, last, line_id in zip(
        *(toc[name].tolist() for name in names), strict=True
    ):
        key = f"sec_p{first}_l{lines.line_nums[lines.position(line_id)]}"
        while key in taken:  # two headings on one line, or two that were not found on their page
            key += "x"
        taken.add(key)
        keys[section_id] = key
        above = keys.get(parent) if isinstance(parent, str) else None
        sections.append(Section(key, above, breadcrumb, (first, last)))
    section_of = {
        candidate.candidate_id: keys[section_id]
        for candidate in candidates
        if (section_id := lines.section_ids[candidate.anchor[0]]) is not None and section_id in keys
    }
    return Contents(tuple(sections), section_of)
