"""BERT in numpy, for folders that hold model.safetensors and no ONNX: the official files of many small encoders.

Three quarters as fast as ONNX where numpy may use one thread; with more on a busy machine its threads wait for one
another, and OPENBLAS_NUM_THREADS=1 in the environment makes it ten times faster.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.folder import ModelFiles, read_json
from pipeline.embeddings.tokens import Pieces
from schemas.errors import SettingsError

Floats = NDArray[np.float32]

MAX_HEADER_BYTES = 100_000_000  # the limit of the format's own reader
_TYPES = {"F32": "<f4", "F16": "<f2"}  # bfloat16 has no numpy type
_PREFIXES = ("", "bert.")
# |error| <= 1.5e-7 (Abramowitz and Stegun, 7.1.26), the precision of float32; numpy has no erf.
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_P = 0.3275911


def read_bert(files: ModelFiles) -> Callable[[Pieces], Floats]:
    """A function from the pieces of one text to its hidden states, (1, pieces, size), of the model's last layer.

    Raises SettingsError for a model that is no BERT with GELU and absolute positions, or lacks weights.
    """
    if files.config is None:
        raise SettingsError(f"the model {files.name} has no config.json beside its weights")
    config = read_json(files.config)
    kind, act = config.get("model_type"), config.get("hidden_act", "gelu")
    if (kind, act) != ("bert", "gelu") or config.get("position_embedding_type", "absolute") != "absolute":
        raise SettingsError(
            f"{files.config}: model_type {kind!r} with hidden_act {act!r} cannot be run from safetensors, only 'bert' "
            "with 'gelu' and absolute positions; export the model to model.onnx"
        )
    try:
        layers, heads = int(config["num_hidden_layers"]), int(config["num_attention_heads"])
        epsilon = float(config.get("layer_norm_eps", 1e-12))
        weights = read_safetensors(files.weights)
        prefix = next(one for one in _PREFIXES if f"{one}embeddings.word_embeddings.weight" in weights)
        own = {name.removeprefix(prefix): value for name, value in weights.items()}
        model = _Bert(own, layers=layers, heads=heads, epsilon=epsilon)
    except (KeyError, StopIteration) as error:
        raise SettingsError(f"{files.weights} is no BERT as {files.config} says: {error} is missing") from error
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise SettingsError(f"{files.weights} is no BERT as {files.config} says: {error}") from error
    return model.run


def read_safetensors(path: Path) -> dict[str, Floats]:
    """The arrays of a file in the safetensors format (huggingface.co/docs/safetensors), those of floats, as float32.

    Raises SettingsError for a file that breaks the format.
    """
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r")  # an empty file is a ValueError
        size = struct.unpack("<Q", data[:8].tobytes())[0]
        if size > min(MAX_HEADER_BYTES, len(data) - 8):
            raise SettingsError(f"{path} is no safetensors file: its header would have {size} bytes")
        header = json.loads(data[8 : 8 + size].tobytes())
        arrays = {}
        for name, about in header.items():
            if name != "__metadata__" and about["dtype"] in _TYPES:
                start, end = about["data_offsets"]
                raw = data[8 + size + start : 8 + size + end].view(_TYPES[about["dtype"]])
                arrays[name] = raw.reshape(about["shape"]).astype(np.float32)
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingsError(f"{path} is no safetensors file: {error}") from error
    return arrays


class _Bert:
    """The encoder of Devlin et al. (NAACL 2019), for one text at a time."""

    def __init__(self, weights: Mapping[str, Floats], *, layers: int, heads: int, epsilon: float) -> None:
        if weights["embeddings.word_embeddings.weight"].shape[1] % heads:
            raise ValueError(f"{heads} heads do not divide its size")
        self._layers, self._heads, self._epsilon = layers, heads, epsilon
        tables = [f"embeddings.{part}_embeddings.weight" for part in ("word", "position", "token_type")]
        norms = [
            "embeddings",
            *(f"encoder.layer.{n}.{part}output" for n in range(layers) for part in ("attention.", "")),
        ]
        scales = [f"{name}.LayerNorm.{part}" for name in norms for part in ("weight", "bias")]
        self._weights = {name: weights[name] for name in (*tables, *scales)}
        parts = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                 "intermediate.dense", "output.dense")  # fmt: skip
        names = [f"encoder.layer.{layer}.{part}" for layer in range(layers) for part in parts]
        self._linear = {
            name: (np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]) for name in names
        }

    def run(self, pieces: Pieces) -> Floats:
        """Hidden states of the last layer, shape (1, pieces, size)."""
        weights, count = self._weights, pieces.ids.shape[1]
        words = weights["embeddings.word_embeddings.weight"]
        places = weights["embeddings.position_embeddings.weight"]
        if int(pieces.ids.max()) >= len(words) or count > len(places):
            raise SettingsError(
                f"a text of {count} pieces, up to number {int(pieces.ids.max())}, does not fit a model of "
                f"{len(words)} pieces and {len(places)} positions: tokenizer.json does not belong to the weights"
            )
        hidden = (
            words[pieces.ids[0]] + places[:count] + weights["embeddings.token_type_embeddings.weight"][pieces.types[0]]
        )
        hidden = self._normal(hidden, "embeddings.LayerNorm")
        for layer in range(self._layers):
            at = f"encoder.layer.{layer}"
            mixed = self._apply(f"{at}.attention.output.dense", self._attend(hidden, f"{at}.attention.self"))
            hidden = self._normal(hidden + mixed, f"{at}.attention.output.LayerNorm")
            wide = _gelu(self._apply(f"{at}.intermediate.dense", hidden))
            hidden = self._normal(hidden + self._apply(f"{at}.output.dense", wide), f"{at}.output.LayerNorm")
        return hidden[None, :, :]

    def _attend(self, hidden: Floats, at: str) -> Floats:
        count, size = hidden.shape
        width = size // self._heads
        query, key, value = (
            self._apply(f"{at}.{part}", hidden).reshape(count, self._heads, width).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(width))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return np.asarray(mixed.transpose(1, 0, 2).reshape(count, size))

    def _apply(self, name: str, values: Floats) -> Floats:
        matrix, bias = self._linear[name]
        return np.asarray(values @ matrix + bias, dtype=np.float32)

    def _normal(self, values: Floats, name: str) -> Floats:
        centred = values - values.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(self._epsilon))
        scaled = centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return np.asarray(scaled, dtype=np.float32)


def _gelu(values: Floats) -> Floats:
    """Each number times the normal distribution's share below it (Hendrycks and Gimpel, arXiv 1606.08415)."""
    scaled = np.abs(values) / np.float32(math.sqrt(2))
    t = 1 / (1 + np.float32(_ERF_P) * scaled)
    series = np.zeros_like(t)
    for factor in reversed(_ERF):
        series = (series + np.float32(factor)) * t
    error = np.sign(values) * (1 - series * np.exp(-(scaled**2)))
    return np.asarray(values * (1 + error) / 2, dtype=np.float32)
