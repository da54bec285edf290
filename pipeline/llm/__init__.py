"""The one door to a language model: structured questions, checked replies, every exchange on record.

`model_from_environment` gives the model that a user has named, a `Transcript` keeps what was sent and received. The
real client, `pipeline.llm.openai_model.OpenAIModel`, is imported only when a model is used: the openai package alone
takes half a second.
"""

from __future__ import annotations

from pipeline.llm.environment import model_from_environment
from pipeline.llm.model import LanguageModel, ModelUseError, Prompt, Reply
from pipeline.llm.settings import ModelSettings
from pipeline.llm.transcript import Transcript

__all__ = [
    "LanguageModel",
    "ModelSettings",
    "ModelUseError",
    "Prompt",
    "Reply",
    "Transcript",
    "model_from_environment",
]
