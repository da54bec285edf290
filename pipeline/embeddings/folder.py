"""The folder that holds a model: which files it has, what they say of the model, and the name that goes on record."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from schemas.errors import SettingsError

Pooling = Literal["mean", "cls"]

ONNX_FILES = ("model.onnx", "onnx/model.onnx")  # the second is where the Hugging Face hub keeps it
SAFETENSORS_FILE = "model.safetensors"
TOKENIZER_FILE = "tokenizer.json"
SUMS_FILE = "SHA256SUMS"  # as `sha256sum` writes it; checked where it is there
DEFAULT_MAX_TOKENS = 512  # tokens; the positions of BERT (Devlin et al., NAACL 2019) and nearly all its heirs
MAX_SENSIBLE_TOKENS = 100_000  # tokens; tokenizer_config.json says 10^30 where nobody set a limit
WEIGHTS_DIGITS = 12  # hexadecimal digits of a SHA-256 in a name: 48 bits tell any two files apart
SETTINGS_DIGITS = 8
_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model on disk. `tokenizer` None stands for the uncased vocabulary of BERT, which Lineproof brings along."""

    name: str  # what it is called, the SHA-256 of its weights (12 digits) and that of its tokenizer and limits (8)
    weights: Path
    tokenizer: Path | None
    max_tokens: int  # longer texts are cut there, special tokens included
    pooling: Pooling
    config: Path | None = None  # config.json, which a model in safetensors needs
    sha256: str | None = None  # what the weights must have, checked when they are loaded; None: checked already


def read_folder(folder: Path, *, formats: tuple[str, ...] = ("onnx", "safetensors")) -> ModelFiles:
    """The model in a folder: model.onnx (or model.safetensors where `formats` has it), tokenizer.json, and its limits.

    The limit of length is that of sentence_bert_config.json, tokenizer_config.json or config.json, in this order; the
    pooling that of 1_Pooling/config.json, else the mean. A file SHA256SUMS is checked.

    Raises SettingsError, all that is missing at once.
    """
    if not folder.is_dir():
        raise SettingsError(f"no folder of a model: {folder} is not a folder")
    weights = _weights(folder, formats)
    tokenizer = folder / TOKENIZER_FILE
    wanted = " or ".join(name for name in ("model.onnx", SAFETENSORS_FILE) if name.rsplit(".", 1)[1] in formats)
    missing = [] if weights is not None else [wanted]
    missing += [] if tokenizer.is_file() else [TOKENIZER_FILE]
    config = folder / "config.json"
    if weights is not None and weights.name == SAFETENSORS_FILE and not config.is_file():
        missing.append("config.json")
    if weights is None or missing:
        raise SettingsError(f"the folder of a model {folder} lacks {' and '.join(missing)}")
    _check_sums(folder)
    max_tokens, pooling = _max_tokens(folder), _pooling(folder)
    digest, rest = _digest(_weight_files(weights)), sha256(tokenizer.read_bytes())
    rest.update(f"{max_tokens} {pooling}".encode())
    return ModelFiles(
        name=model_name(folder.resolve().name, digest, rest.hexdigest()),
        weights=weights,
        tokenizer=tokenizer,
        max_tokens=max_tokens,
        pooling=pooling,
        config=config if config.is_file() else None,
    )


def model_name(called: str, weights_sha256: str, settings_sha256: str) -> str:
    """The name on record: the same weights, tokenizer and limits have the same one, and others another."""
    return f"{called}@{weights_sha256[:WEIGHTS_DIGITS]}-{settings_sha256[:SETTINGS_DIGITS]}"


def check_weights(files: ModelFiles) -> None:
    """Refuse weights that are not the ones that were pinned."""
    if files.sha256 is None:
        return
    found = _digest([files.weights])
    if found != files.sha256:
        raise SettingsError(
            f"the weights of {files.name} ({files.weights}) have the SHA-256 {found}, expected is {files.sha256}; "
            "install the package anew, or name a folder of your own"
        )


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file of a model's folder.

    Raises SettingsError for a file that holds no object.
    """
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, OSError) as error:
        raise SettingsError(f"{path} of a model cannot be read as JSON: {error}") from error
    if not isinstance(value, dict):
        raise SettingsError(f"{path} of a model must hold a JSON object, not a {type(value).__name__}")
    return value


def _weights(folder: Path, formats: tuple[str, ...]) -> Path | None:
    names = [*(ONNX_FILES if "onnx" in formats else ()), *((SAFETENSORS_FILE,) if "safetensors" in formats else ())]
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _weight_files(weights: Path) -> list[Path]:
    """The file, and for ONNX those beside it in which large models keep their numbers (model.onnx_data ...)."""
    if weights.name == SAFETENSORS_FILE:
        return [weights]
    return [weights, *sorted(path for path in weights.parent.glob("model.onnx*") if path != weights and path.is_file())]


def _digest(paths: list[Path]) -> str:
    """SHA-256 of the files one after the other; of a single file what `sha256sum` prints."""
    digest = sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
    return digest.hexdigest()


def _check_sums(folder: Path) -> None:
    sums = folder / SUMS_FILE
    if not sums.is_file():
        return
    wrong = []
    for line in sums.read_text("utf-8", "replace").splitlines():
        digest, _, name = line.strip().partition(" ")
        name = name.strip().lstrip("*")
        if not name:
            continue
        path = folder / name
        if ".." in Path(name).parts or Path(name).is_absolute() or not path.is_file() or _digest([path]) != digest:
            wrong.append(name)
    if wrong:
        raise SettingsError(
            f"the folder of a model {folder} is not what its {SUMS_FILE} says: {', '.join(sorted(wrong))}; "
            "copy it anew, or remove the file if the change is meant"
        )


def _max_tokens(folder: Path) -> int:
    for name, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    ):
        path = folder / name
        limit = read_json(path).get(key) if path.is_file() else None
        if isinstance(limit, int) and 2 < limit <= MAX_SENSIBLE_TOKENS:  # two are the special tokens
            return limit
    return DEFAULT_MAX_TOKENS


def _pooling(folder: Path) -> Pooling:
    path = folder / "1_Pooling" / "config.json"
    if not path.is_file():
        return "mean"
    config = read_json(path)
    if config.get("pooling_mode_cls_token"):
        return "cls"
    if config.get("pooling_mode_mean_tokens", True):
        return "mean"
    raise SettingsError(f"{path}: only the pooling of mean and cls tokens is known")
