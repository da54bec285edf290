"""A model in ONNX, run by onnxruntime on one thread: the same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.packages import require
from pipeline.embeddings.tokens import Pieces
from schemas.errors import SettingsError

FATAL_ONLY = 4  # onnxruntime's level of log: what goes wrong is raised, and nothing else is to be printed
KNOWN_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")


class OnnxModel:
    """Runs one text, or one pair, at a time; the vector of a text cannot depend on what stands beside it."""

    def __init__(self, weights: Path) -> None:
        """Raises SettingsError for a file that is no model of texts, MissingPackageError."""
        require("onnxruntime")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # sums of floats depend on how they are split over threads
        options.inter_op_num_threads = 1
        options.log_severity_level = FATAL_ONLY
        try:
            self._session: Any = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        except _runtime_errors() as error:
            raise SettingsError(f"{weights} is no model that onnxruntime reads: {_first_line(error)}") from error
        self._inputs = [one.name for one in self._session.get_inputs()]
        self._path = weights
        unknown = [name for name in self._inputs if name not in KNOWN_INPUTS]
        if unknown or "input_ids" not in self._inputs:
            raise SettingsError(
                f"{weights} is no encoder of texts: its inputs are {', '.join(self._inputs)}; "
                f"known are {', '.join(KNOWN_INPUTS)}"
            )
        self._outputs = [one.name for one in self._session.get_outputs()]

    def output(self, preferred: Sequence[str]) -> str:
        """The first of the preferred outputs that the model has, else its first."""
        return next((name for name in preferred if name in self._outputs), self._outputs[0])

    def run(self, pieces: Pieces, output: str) -> NDArray[np.float32]:
        """An output for one text or pair.

        Raises SettingsError when the model cannot take it, such as for want of positions.
        """
        values = {
            "input_ids": pieces.ids,
            "attention_mask": pieces.mask,
            "token_type_ids": pieces.types,
            "position_ids": np.arange(pieces.ids.shape[1], dtype=np.int64)[None, :],
        }
        try:
            found = self._session.run([output], {name: values[name] for name in self._inputs})[0]
        except _runtime_errors() as error:
            raise SettingsError(
                f"{self._path} fails on a text of {pieces.ids.shape[1]} pieces: {_first_line(error)}; check that "
                "tokenizer.json belongs to the model and max_position_embeddings of config.json to its weights"
            ) from error
        return np.asarray(found, dtype=np.float32)


def _runtime_errors() -> tuple[type[Exception], ...]:
    """What onnxruntime raises: it has no common base below Exception."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    kinds = (getattr(state, name) for name in dir(state))
    own = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*own, ValueError, RuntimeError)  # the last two: an input that is missing or of the wrong type


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0][:300]
