"""BERT in numpy: its pieces by hand, and what is refused."""

from __future__ import annotations

import json
import math
import struct

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="the extra 'embeddings' is not installed")

from pipeline.embeddings.folder import read_folder
from pipeline.embeddings.local import LocalEmbedder
from pipeline.embeddings.numpy_bert import _gelu, read_safetensors
from schemas.errors import SettingsError
from tests.embeddings.build import WORDS, write_tokenizer

SIZE, WIDE, HEADS, POSITIONS = 4, 8, 2, 16


def bert_weights(*, still: bool = False) -> dict[str, np.ndarray]:
    """A BERT of one layer; `still`: attention and feed-forward add nothing."""
    random = np.random.default_rng(3)
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), SIZE),
        "embeddings.position_embeddings.weight": (POSITIONS, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
    }
    layer = "encoder.layer.0"
    for part, out, size in (
        ("attention.self.query", SIZE, SIZE), ("attention.self.key", SIZE, SIZE), ("attention.self.value", SIZE, SIZE),
        ("attention.output.dense", SIZE, SIZE), ("intermediate.dense", WIDE, SIZE), ("output.dense", SIZE, WIDE),
    ):  # fmt: skip
        shapes |= {f"{layer}.{part}.weight": (out, size), f"{layer}.{part}.bias": (out,)}
    weights = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    for part in ("embeddings", f"{layer}.attention.output", f"{layer}.output"):
        weights[f"{part}.LayerNorm.weight"] = np.ones(SIZE, dtype=np.float32)
        weights[f"{part}.LayerNorm.bias"] = np.zeros(SIZE, dtype=np.float32)
    if still:
        for name in (f"{layer}.attention.output.dense", f"{layer}.output.dense"):
            weights[f"{name}.weight"][:] = 0
            weights[f"{name}.bias"][:] = 0
    return weights


def write_bert(folder, weights, **config):
    """A folder with model.safetensors."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, value in weights.items():
        kind = {"float32": "F32", "float16": "F16"}[value.dtype.name]
        header[name] = {"dtype": kind, "shape": value.shape, "data_offsets": [len(data), len(data) + value.nbytes]}
        data += value.tobytes()
    text = json.dumps(header).encode()
    folder.mkdir(exist_ok=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    write_tokenizer(folder / "tokenizer.json")
    about = {"model_type": "bert", "num_hidden_layers": 1, "num_attention_heads": HEADS,
             "max_position_embeddings": POSITIONS, **config}  # fmt: skip
    (folder / "config.json").write_text(json.dumps(about))
    return folder


def by_hand(weights, ids):
    """Hidden states by loops over heads and pieces, with the error function of the standard library."""

    def linear(name, x):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def normal(x):
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)

    at = "encoder.layer.0"
    words, places = weights["embeddings.word_embeddings.weight"], weights["embeddings.position_embeddings.weight"]
    x = normal(words[ids] + places[: len(ids)] + weights["embeddings.token_type_embeddings.weight"][0])
    q, k, v = (linear(f"{at}.attention.self.{part}", x) for part in ("query", "key", "value"))
    mixed, width = np.zeros_like(x), SIZE // HEADS
    for head in range(HEADS):
        own = slice(head * width, (head + 1) * width)
        for i in range(len(ids)):
            scores = np.exp([q[i, own] @ k[j, own] / math.sqrt(width) for j in range(len(ids))])
            mixed[i, own] = sum(score * v[j, own] for j, score in enumerate(scores / scores.sum()))
    x = normal(x + linear(f"{at}.attention.output.dense", mixed))
    wide = np.vectorize(lambda a: a * (1 + math.erf(a / math.sqrt(2))) / 2)(linear(f"{at}.intermediate.dense", x))
    return normal(x + linear(f"{at}.output.dense", wide))


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_a_layer_by_hand(tmp_path, prefix):
    """The vector is that of a layer computed by loops, whether the weights carry the prefix of a task or not."""
    weights = bert_weights()
    folder = write_bert(tmp_path / "m", {f"{prefix}{name}": value for name, value in weights.items()})
    expected = by_hand(weights, [2, WORDS.index("fee"), WORDS.index("cap"), 3]).mean(axis=0)
    found = LocalEmbedder(read_folder(folder))(["fee cap"])[0]
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected), atol=1e-5)


def test_half_precision_is_read(tmp_path):
    """Weights in float16 are read and computed with in float32."""
    weights = {name: value.astype(np.float16) for name, value in bert_weights(still=True).items()}
    found = LocalEmbedder(read_folder(write_bert(tmp_path / "m", weights)))(["fee"])
    assert found.dtype == np.float32
    assert found.shape == (1, SIZE)


def test_gelu_is_as_exact_as_float32():
    """The series for the error function stays within the precision of the numbers."""
    values = np.linspace(-6, 6, 2001, dtype=np.float32)
    expected = [value * (1 + math.erf(value / math.sqrt(2))) / 2 for value in values.tolist()]
    np.testing.assert_allclose(_gelu(values), expected, atol=2e-6)


@pytest.mark.parametrize(
    ("config", "drop", "said"),
    [
        ({"model_type": "roberta"}, (), "model_type 'roberta'.*export the model to model.onnx"),
        ({"hidden_act": "relu"}, (), "hidden_act 'relu'"),
        ({"num_hidden_layers": 2}, (), "encoder.layer.1.attention.* is missing"),
        ({}, ("embeddings.word_embeddings.weight",), "is no BERT"),
        ({}, ("encoder.layer.0.output.LayerNorm.bias",), "output.LayerNorm.bias.* is missing"),
        ({"num_attention_heads": "two"}, (), "is no BERT"),
        ({"num_attention_heads": 3}, (), "is no BERT"),
    ],
)
def test_what_is_no_such_bert_is_refused(tmp_path, config, drop, said):
    """Another architecture, a missing layer and numbers that do not fit are refused with the reason."""
    weights = {name: value for name, value in bert_weights().items() if name not in drop}
    with pytest.raises(SettingsError, match=said):
        LocalEmbedder(read_folder(write_bert(tmp_path / "m", weights, **config)))(["fee"])


@pytest.mark.parametrize(
    "content", [b"", b"abc", b"\xff" * 8, struct.pack("<Q", 4) + b"nope", struct.pack("<Q", 2) + b"[]"]
)
def test_broken_safetensors_are_refused(tmp_path, content):
    """An empty file, a wild header and another format end in a SettingsError."""
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match="is no safetensors file"):
        read_safetensors(path)
