"""Named steps that lift an older record to the next version; one step a version, applied in order, without gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from schemas.errors import RecordError

Fields = dict[str, Any]
Step = Callable[[Fields], Fields]


def m001_attachments(fields: Fields) -> Fields:
    """Version 1 knew PDF files without their attachments."""
    return {**fields, "attachments": []}


def m001_page_unit(fields: Fields) -> Fields:
    """Version 1 cited physical pages alone, which is what the new field's default says."""
    return dict(fields)


def m002_counts(fields: Fields) -> Fields:
    """Version 2 knew no counts of things among its values; what it holds is unchanged."""
    return dict(fields)


def m001_question_in_full(fields: Fields) -> Fields:
    """Version 1 knew no follow-ups, filters by date or party, distinctions: what the new fields' defaults say."""
    return dict(fields)


def m002_discovered_keywords(fields: Fields) -> Fields:
    """Version 2 kept no words that the arbiter noticed, which is what the new field's default says."""
    return dict(fields)


def m002_references_followed(fields: Fields) -> Fields:
    """Version 2 followed no references and estimated no miss, which is what the new fields' defaults say."""
    return dict(fields)


def m003_strategies(fields: Fields) -> Fields:
    """Version 3 knew the arbiter alone and explained no score, which is what the new fields' defaults say."""
    return dict(fields)


def m003_continuations(fields: Fields) -> Fields:
    """Version 3 looked at nothing beyond a context and told no sides of a conflict: what the new defaults say."""
    return dict(fields)


def m004_continuations(fields: Fields) -> Fields:
    """Version 4 looked at nothing beyond a context and told no sides of a conflict: what the new defaults say."""
    return dict(fields)


def m004_typed_contract(fields: Fields) -> Fields:
    """Version 4 knew no further passes, findings, repairs or computed inputs, which is what the new defaults say."""
    return dict(fields)


def m002_decisions(fields: Fields) -> Fields:
    """Version 2 named neither candidates nor prompts: they stand in the other records of its run."""
    return dict(fields)


def m00x_cached_tokens(fields: Fields) -> Fields:
    """The version before counted no tokens that a provider had cached, which is what the new field's default says."""
    return dict(fields)


def m001_terms(fields: Fields) -> Fields:
    """Version 1 laid down nothing beside a question and always wrote the papers: what the new defaults say."""
    return dict(fields)


# (schema name, from version) -> the step to the next version. Each takes the JSON fields and gives new ones; the input
# is left as it was. Names read m001_what_changed.
def m001_corrections(fields: Fields) -> Fields:
    """Version 1 knew no proposals out of corrections; what it holds is unchanged."""
    return dict(fields)


UPGRADES: Mapping[tuple[str, int], Step] = {
    ("parsed_document", 1): m001_attachments,
    ("parsed_question", 1): m001_question_in_full,
    ("parsed_question", 2): m00x_cached_tokens,
    ("retrieval_result", 1): m001_page_unit,
    ("retrieval_result", 2): m002_references_followed,
    ("retrieval_result", 3): m003_continuations,
    ("audited_retrieval_result", 1): m001_page_unit,
    ("audited_retrieval_result", 2): m002_discovered_keywords,
    ("audited_retrieval_result", 3): m003_strategies,
    ("audited_retrieval_result", 4): m004_continuations,
    ("answer", 1): m001_page_unit,
    ("answer", 2): m002_counts,
    ("answer", 3): m00x_cached_tokens,
    ("answer", 4): m004_typed_contract,
    ("case_answer", 1): m001_page_unit,
    ("case_answer", 2): m002_counts,
    ("case_answer", 3): m00x_cached_tokens,
    ("case_answer", 4): m004_typed_contract,
    ("proposals", 1): m001_corrections,
    ("run_request", 1): m001_terms,
    ("trace", 1): m00x_cached_tokens,
    ("trace", 2): m002_decisions,
}

# Tables saved beside the JSON: columns that a version of the record brought, with the value for older rows. A page of
# version 1 had no table marks, and its recognised text was told by its status alone.
ADDED_COLUMNS: Mapping[tuple[str, int], Mapping[str, Any]] = {
    ("line_df", 2): {"change": None},
    ("page_df", 2): {
        "ocr_char_count": 0,
        "has_ocr_layer": False,
        "has_full_page_image": False,
        "table_count": 0,
    },
    ("table_df", 2): {"row_span": 1, "column_span": 1, "caption_line_id": None},
}
TABLES_SINCE: Mapping[str, int] = {"field_df": 2}  # tables that version 1 did not have


def lift_table(name: str, frame: pd.DataFrame, version: int, current: int) -> pd.DataFrame:
    """The table with the columns that came after `version`; the same frame where there are none."""
    for at in range(version + 1, current + 1):
        added = ADDED_COLUMNS.get((name, at), {})
        frame = frame.assign(**{column: value for column, value in added.items() if column not in frame.columns})
    return frame


def upgrade(
    name: str, fields: Fields, version: int, current: int, steps: Mapping[tuple[str, int], Step] = UPGRADES
) -> Fields:
    """The fields of a `name` record of `version`, lifted step by step to `current`.

    Raises RecordError where a step is missing.
    """
    for at in range(version, current):
        step = steps.get((name, at))
        if step is None:
            raise RecordError(f"no upgrade is known for a {name} record from version {at} to {at + 1}")
        fields = step(dict(fields))
    return fields
