"""Which models take part in retrieval: as the caller or the environment names them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import SettingsError

if TYPE_CHECKING:
    from pipeline.embeddings.protocols import CrossEncoder, Embedder, SparseEncoder
    from pipeline.llm.settings import ModelSettings

EMBEDDINGS_VARIABLE = "LINEPROOF_EMBEDDINGS"
CROSS_ENCODER_VARIABLE = "LINEPROOF_CROSS_ENCODER"
SPARSE_ENCODER_VARIABLE = "LINEPROOF_SPARSE_ENCODER"
NONE = "none"
LOCAL = "local"


def open_embedder(
    named: str | None = None,
    *,
    unset: str = LOCAL,
    cache: Path | None = None,
    settings: ModelSettings | None = None,
) -> Embedder | None:
    """The embedder that `named`, or else LINEPROOF_EMBEDDINGS, says; None for none.

    'none': no embedder. 'local': the model that the extra `embeddings` brings. A folder (one that exists, or a path
    that is absolute or begins with a dot or ~): the model in it, see `folder.read_folder`. Anything else: the name of
    a model at the endpoint that OPENAI_API_KEY and OPENAI_BASE_URL say; texts of the document are sent there. Neither
    set nor given: what `unset` says, which is 'local' where it is installed and else none, or 'none'. Nothing is loaded
    or sent before the first text.

    Vectors are kept in the folder `cache`, else in memory while the process lasts.

    Raises SettingsError for a folder without a model and an endpoint that is not said in full, MissingPackageError,
    StoreError for a cache that cannot be used.
    """
    said = (os.environ.get(EMBEDDINGS_VARIABLE, "") if named is None else named).strip()
    if not said and unset != LOCAL:
        return None
    embedder = _local(asked=said != "") if said.lower() in ("", LOCAL) else _named(said, settings)
    if embedder is None:
        return None
    if cache is not None:
        from pipeline.embeddings.cache import CachedEmbedder

        return CachedEmbedder(embedder, cache)
    from pipeline.embeddings.memory import RememberingEmbedder

    return RememberingEmbedder(embedder)


def open_cross_encoder(named: str | None = None) -> CrossEncoder | None:
    """The cross-encoder in the folder that `named`, or else LINEPROOF_CROSS_ENCODER, says; '' and 'none' say none.

    Raises SettingsError for a folder without a model (model.onnx, tokenizer.json), MissingPackageError.
    """
    folder = _folder_said(named, CROSS_ENCODER_VARIABLE)
    if folder is None:
        return None
    from pipeline.embeddings.folder import read_folder
    from pipeline.embeddings.local import LocalCrossEncoder

    return LocalCrossEncoder(read_folder(folder, formats=("onnx",)))


def open_sparse_encoder(named: str | None = None) -> SparseEncoder | None:
    """The sparse encoder in the folder that `named`, or else LINEPROOF_SPARSE_ENCODER, says; None for none.

    Raises SettingsError for a folder without a model (model.onnx, tokenizer.json), MissingPackageError.
    """
    folder = _folder_said(named, SPARSE_ENCODER_VARIABLE)
    if folder is None:
        return None
    from pipeline.embeddings.folder import read_folder
    from pipeline.embeddings.local import LocalSparseEncoder

    return LocalSparseEncoder(read_folder(folder, formats=("onnx",)))


def _local(*, asked: bool) -> Embedder | None:
    """The model of the extra; None where it is not installed and nobody asked for it."""
    from pipeline.embeddings.local import LocalEmbedder
    from pipeline.embeddings.packages import local_model, missing_local_model

    files = local_model()
    if files is not None:
        return LocalEmbedder(files)
    if asked:
        raise missing_local_model()
    return None


def _named(said: str, settings: ModelSettings | None) -> Embedder | None:
    if said.lower() == NONE:
        return None
    path = Path(said).expanduser()
    if path.is_dir() or path.is_absolute() or said.startswith((".", "~")):
        from pipeline.embeddings.folder import read_folder
        from pipeline.embeddings.local import LocalEmbedder
        from pipeline.embeddings.packages import require

        require("tokenizers")
        files = read_folder(path)
        if files.weights.suffix == ".onnx":
            require("onnxruntime")
        return LocalEmbedder(files)
    from pipeline.embeddings.endpoint import EndpointEmbedder, host_of
    from pipeline.llm.environment import ADDRESS_VARIABLE, check_endpoint, open_client
    from pipeline.llm.settings import ModelSettings

    check_endpoint(EMBEDDINGS_VARIABLE, said)
    host = host_of(os.environ.get(ADDRESS_VARIABLE, "").strip())
    return EndpointEmbedder(said, open_client, settings=settings or ModelSettings(), host=host)


def _folder_said(named: str | None, variable: str) -> Path | None:
    said = (os.environ.get(variable, "") if named is None else named).strip()
    if said.lower() in ("", NONE):
        return None
    from pipeline.embeddings.packages import NEEDED, require

    require(*NEEDED)
    path = Path(said).expanduser()
    if not path.is_dir():
        raise SettingsError(f"{variable} must name a folder with model.onnx and tokenizer.json, not {said!r}")
    return path
