"""Models on this machine: embedder, cross-encoder and sparse encoder from the files of a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.folder import SAFETENSORS_FILE, ModelFiles, check_weights
from pipeline.embeddings.tokens import Pieces, TextCutter
from schemas.errors import SettingsError

Hidden = Callable[[Pieces], NDArray[np.float32]]

_HIDDEN_OUTPUTS = ("last_hidden_state", "token_embeddings")
_LOGIT_OUTPUTS = ("logits",)
_TINY = 1e-12  # a vector shorter than that has no direction


class _LocalModel:
    """What the models have in common: their files, opened at the first text."""

    def __init__(self, files: ModelFiles) -> None:
        """A model that loads nothing yet."""
        self._files = files

    @property
    def name(self) -> str:
        """Name of the model with the hash of its weights and of its tokenizer and limits."""
        return self._files.name

    @cached_property
    def _cutter(self) -> TextCutter:
        return TextCutter(self._files.tokenizer, max_tokens=self._files.max_tokens)

    @cached_property
    def _logits(self) -> Hidden:
        check_weights(self._files)
        return _run(self._files, _LOGIT_OUTPUTS)


class LocalEmbedder(_LocalModel):
    """An `Embedder` from the files of a BERT-like encoder. Texts longer than `max_tokens` pieces are cut there.

    Texts are run one at a time, so that a vector never depends on its batch. The model is loaded at the first text.
    """

    @property
    def max_tokens(self) -> int:
        """Most pieces of a text that are read."""
        return self._files.max_tokens

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalised row a text, in order; of no text an empty array.

        Raises SettingsError for a model that cannot be run, MissingPackageError.
        """
        known: dict[str, NDArray[np.float32]] = {}
        for text in texts:
            if text not in known:
                known[text] = self._vector(text)
        return np.stack([known[text] for text in texts]) if texts else np.zeros((0, 0), dtype=np.float32)

    def _vector(self, text: str) -> NDArray[np.float32]:
        hidden = self._hidden(self._cutter.cut(text))
        # A model with pooling inside gives a row a text; else one a piece.
        pooled = hidden[0] if hidden.ndim == 2 else hidden[0, 0] if self._files.pooling == "cls" else hidden[0].mean(0)
        length = float(np.linalg.norm(pooled))
        if pooled.ndim != 1 or not np.isfinite(length) or length < _TINY:
            raise SettingsError(f"the model {self.name} gives a text no vector (shape {hidden.shape}, length {length})")
        return np.asarray(pooled / np.float32(length), dtype=np.float32)

    @cached_property
    def _hidden(self) -> Hidden:
        check_weights(self._files)
        if self._files.weights.name == SAFETENSORS_FILE:
            from pipeline.embeddings.numpy_bert import read_bert

            return read_bert(self._files)
        return _run(self._files, _HIDDEN_OUTPUTS)


class LocalCrossEncoder(_LocalModel):
    """A `CrossEncoder` from the files of a BERT-like classifier with one output, or two (no, yes)."""

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """One logit a text, in order: larger is better. Pairs are run one at a time.

        Raises SettingsError for a model that cannot be run, MissingPackageError.
        """
        return [self._score(query, text) for text in texts]

    def _score(self, query: str, text: str) -> float:
        logits = self._logits(self._cutter.cut(query, text))
        if logits.shape not in ((1, 1), (1, 2), (1,)) or not bool(np.isfinite(logits).all()):
            raise SettingsError(f"the model {self.name} is no cross-encoder: a pair gave an array {logits.shape}")
        row = logits.reshape(-1)
        return float(row[0]) if row.size == 1 else float(row[1]) - float(row[0])


class LocalSparseEncoder(_LocalModel):
    """A `SparseEncoder` from the files of a masked language model.

    The weight of a term is the largest of ln(1 + relu(logit)) over the pieces of the text: SPLADE with max pooling
    (Formal et al., "SPLADE v2", arXiv 2109.10086, equation 6).
    """

    def __call__(self, texts: Sequence[str]) -> list[Mapping[int, float]]:
        """One map a text, in order: number of a term -> weight above zero, by number. Texts are run one at a time.

        Raises SettingsError for a model that cannot be run, MissingPackageError.
        """
        return [self._weights(text) for text in texts]

    def _weights(self, text: str) -> dict[int, float]:
        logits = self._logits(self._cutter.cut(text))
        if logits.ndim not in (2, 3) or not bool(np.isfinite(logits).all()):
            raise SettingsError(f"the model {self.name} is no sparse encoder: a text gave an array {logits.shape}")
        # A model with the pooling inside gives the weights themselves.
        weights = logits[0] if logits.ndim == 2 else np.log1p(np.maximum(logits[0].max(axis=0), 0))
        return {int(term): float(weights[term]) for term in np.flatnonzero(weights > 0)}


def _run(files: ModelFiles, outputs: Sequence[str]) -> Hidden:
    from pipeline.embeddings.onnx_model import OnnxModel

    model = OnnxModel(files.weights)
    output = model.output(outputs)
    return lambda pieces: model.run(pieces, output)
