"""What makes a batch what it is, put on record: questions, documents, settings, versions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pipeline.searching import open_searching
from pipeline.tracing import code_sha256
from schemas.batch import BatchRequest

if TYPE_CHECKING:
    from pipeline.batch.running import Wanted

LIBRARIES = ("lineproof", "pymupdf", "pandas", "pyarrow", "pydantic", "regex", "ahocorasick-rs", "openpyxl")


def request_of(wanted: Wanted) -> BatchRequest:
    """The request of a batch, with the model that the environment names.

    Raises SettingsError where the environment is wrong, DictionaryError for the dictionaries of the store.
    """
    from pipeline.llm.environment import settings_from_environment
    from pipeline.parsing.settings import ParsingSettings
    from pipeline.run import dictionaries_of

    model = os.environ.get("LINEPROOF_MODEL", "").strip() if wanted.use_model else ""
    searching = open_searching(wanted.strategy, store=wanted.store)
    return BatchRequest(
        name=wanted.name,
        questions=wanted.questions,
        documents=wanted.documents,
        parsing_settings=ParsingSettings().model_dump(mode="json"),
        retrieval_settings=searching.settings.model_dump(mode="json"),
        searched_by=searching.models(),
        model=model or None,
        model_settings=settings_from_environment().model_dump(mode="json") if model else {},
        dictionaries={source.name: source.sha256 for source in dictionaries_of(wanted.store).sources},
        versions=_versions(),
        code_sha256=code_sha256(),
    )


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in LIBRARIES}
