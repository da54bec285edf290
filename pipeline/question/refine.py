"""The one call to a model about a question: on top of the rules' reading, never in its place."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from dictionaries import Dictionaries
from pipeline.llm.model import LanguageModel, ModelUseError
from pipeline.question.merging import Refined, from_rules, merge
from pipeline.question.prompt import PROMPT_NAME, TEMPLATE, QuestionReply, fill_prompt
from pipeline.question.reply_checks import checker
from pipeline.question.rules import Reading
from pipeline.question.settings import QuestionSettings
from schemas.audit import Downgrade

if TYPE_CHECKING:
    from schemas.document import DocumentProfile


def refine(
    reading: Reading,
    profile: DocumentProfile | None,
    dictionaries: Dictionaries,
    *,
    llm: LanguageModel,
    settings: QuestionSettings,
) -> Refined:
    """The rules' reading with what the model adds; the rules' reading and a downgrade where it gives nothing of use."""
    prompts = {PROMPT_NAME: hashlib.sha256(TEMPLATE.encode()).hexdigest()}
    try:
        reply = llm.ask(
            fill_prompt(reading, profile, dictionaries),
            QuestionReply,
            purpose="question",
            max_output_tokens=settings.max_output_tokens,
            check=checker(reading, profile, dictionaries),
        )
    except ModelUseError as error:
        downgrade = Downgrade(
            stage="question", wanted="llm question analysis", used="rules question analysis", reason=str(error)
        )
        by_rules = from_rules(reading)
        return replace(by_rules, model_uses=(error.use,), downgrades=(downgrade,), model=llm.name, prompts=prompts)
    merged = merge(reading, reply.value, profile, dictionaries, settings)
    return replace(merged, model_uses=(reply.use,), model=llm.name, prompts=prompts)
