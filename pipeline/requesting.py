"""What a run is asked with, put on record: enough to do it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.tracing import code_sha256, model_settings
from pipeline.values.declared import load_declared_types
from schemas.document import ParsedDocument
from schemas.request import PartRequest, RunRequest

if TYPE_CHECKING:
    from dictionaries import Dictionaries
    from pipeline.llm.model import LanguageModel
    from pipeline.searching import Searching
    from pipeline.talk import Talk


def build_request(
    document: ParsedDocument,
    text: str,
    *,
    llm: LanguageModel | None,
    dictionaries: Dictionaries,
    searching: Searching,
    talk: Talk,
    part: PartRequest | None,
    inside: str | None,
    has_password: bool,
) -> RunRequest:
    """What a run is asked with, in full: enough to do it again."""
    return RunRequest(
        doc_id=document.doc_id,
        document_sha256=document.sha256,
        inside=inside,
        text=text,
        previous=talk.previous if part is None else None,
        choices={name: dict(votes) for name, votes in sorted(talk.choices.items())},
        reply=talk.reply if part is None else None,
        part=part,
        parsing_settings=document.stamp.settings,
        has_password=has_password,
        retrieval_settings=searching.settings.model_dump(mode="json"),
        searched_by=searching.models(),
        model=llm.name if llm else None,
        model_settings=model_settings(llm),
        dictionaries={source.name: source.sha256 for source in dictionaries.sources},
        declared_types=load_declared_types(),
        code_sha256=code_sha256(),
    )
