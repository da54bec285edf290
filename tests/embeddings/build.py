"""Tiny models on disk, made by hand: an ONNX file is a protocol buffer, and a table look-up is model enough."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "fee", "cap", "term", "law", "notice", "party"]

_FLOAT, _INT64 = 1, 7  # TensorProto.DataType


def write_folder(folder: Path, weights: bytes, **config: object) -> Path:
    """A folder with a model of the ten words."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(weights)
    write_tokenizer(folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps({"max_position_embeddings": 16, **config}))
    return folder


def write_tokenizer(path: Path) -> None:
    """A tokenizer.json of the ten words, with padding and a limit that must not count, as all-MiniLM-L6-v2 has."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing

    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token=WORDS[1]))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=12)
    tokenizer.save(str(path))


def table(columns: int, *, seed: int = 5) -> np.ndarray:
    """Numbers for each of the words."""
    return np.random.default_rng(seed).standard_normal((len(WORDS), columns)).astype(np.float32)


def lookup_model(rows: np.ndarray, output: str, *, mean: bool = False) -> bytes:
    """An ONNX model that gives the row of each piece, or (`mean`) the mean of the rows of a text."""
    found = output if not mean else "rows"
    nodes = [_node("Gather", ["table", "input_ids"], found)]
    if mean:
        nodes.append(_node("ReduceMean", ["rows"], output, {"axes": [1], "keepdims": 0}))
    graph = b"".join(_field(1, node) for node in nodes)
    graph += _field(2, b"lookup") + _field(5, _tensor("table", rows))
    graph += b"".join(_field(11, _value(name, _INT64)) for name in ("input_ids", "attention_mask", "token_type_ids"))
    graph += _field(12, _value(output, _FLOAT))
    operators = _field(1, b"") + _number(2, 13)
    return _number(1, 8) + _field(7, graph) + _field(8, operators)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _field(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _node(kind: str, inputs: list[str], output: str, attributes: dict[str, int | list[int]] | None = None) -> bytes:
    node = b"".join(_field(1, name.encode()) for name in inputs) + _field(2, output.encode()) + _field(4, kind.encode())
    for name, value in (attributes or {}).items():
        is_list = isinstance(value, list)
        content = b"".join(_number(8, one) for one in value) if is_list else _number(3, value)
        node += _field(5, _field(1, name.encode()) + content + _number(20, 7 if is_list else 2))
    return node


def _tensor(name: str, values: np.ndarray) -> bytes:
    shape = b"".join(_number(1, size) for size in values.shape)
    return shape + _number(2, _FLOAT) + _field(8, name.encode()) + _field(9, values.astype("<f4").tobytes())


def _value(name: str, kind: int) -> bytes:
    shape = b"".join(_field(1, _field(2, side.encode())) for side in ("batch", "sequence"))
    shape = shape if kind == _INT64 else b""
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, kind) + (_field(2, shape) if shape else b"")))


class LetterEmbedder:
    """An embedder without a model: counts letters, and notes what it was asked."""

    name = "letters"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts):
        self.asked.append(list(texts))
        rows = np.array([[text.lower().count(letter) + 0.1 for letter in "abcdefghijklmnop"] for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
