"""Models of a folder: what they compute by hand, independence of the batch, limits, and what is refused."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="the extra 'embeddings' is not installed")
pytest.importorskip("onnxruntime", reason="the extra 'embeddings' is not installed")

from pipeline.embeddings.folder import read_folder
from pipeline.embeddings.local import LocalCrossEncoder, LocalEmbedder, LocalSparseEncoder
from schemas.errors import SettingsError
from tests.embeddings.build import WORDS, lookup_model, table, write_folder


def ids(text: str) -> list[int]:
    """Numbers of the pieces of a text, the special ones included."""
    return [2, *(WORDS.index(word) for word in text.split()), 3]


def embedder(folder, *, output="last_hidden_state", mean=False, **config) -> LocalEmbedder:
    """An embedder whose hidden states are rows of a table."""
    return LocalEmbedder(read_folder(write_folder(folder, lookup_model(table(6), output, mean=mean), **config)))


def test_vectors_are_the_normalised_mean_of_the_pieces(tmp_path):
    """The vector is the mean over all pieces, special ones included, of length one, in float32."""
    vectors = embedder(tmp_path / "m")(["fee cap", "law"])
    expected = np.stack([table(6)[ids(text)].mean(axis=0) for text in ("fee cap", "law")])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_the_batch_changes_nothing(tmp_path):
    """A text has the same bytes alone, in a batch, in another order and given twice."""
    model = embedder(tmp_path / "m")
    texts = ["fee", "cap term law", "notice party fee cap", "fee"]
    alone = np.concatenate([model([text]) for text in texts])
    assert model(texts).tobytes() == alone.tobytes()
    assert model(texts[::-1]).tobytes() == alone[::-1].tobytes()
    assert model([]).shape[0] == 0


def test_a_long_text_is_cut_at_the_limit_of_the_model(tmp_path):
    """What counts is the model's limit, not the one that tokenizer.json happens to hold."""
    model = embedder(tmp_path / "m")
    assert model.max_tokens == 16
    within, beyond = "fee " * 13, "fee " * 14
    assert (model([within + "cap"]) != model([within + "law"])).any()
    assert (model([beyond + "cap"]) == model([beyond + "law"])).all()


def test_pooling_of_the_first_piece_and_pooling_inside(tmp_path):
    """A folder may ask for the first piece; a model that gives one row a text is taken as it is."""
    folder = tmp_path / "m"
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    first = table(6)[2] / np.linalg.norm(table(6)[2])
    np.testing.assert_allclose(embedder(folder)(["fee cap"])[0], first, atol=1e-6)
    inside = embedder(tmp_path / "n", output="sentence_embedding", mean=True)(["fee cap"])
    np.testing.assert_allclose(inside, embedder(tmp_path / "o")(["fee cap"]), atol=1e-6)


def test_the_name_says_which_weights(tmp_path):
    """The name holds the SHA-256 of the weights, and changes with tokenizer and limits."""
    folder = write_folder(tmp_path / "minilm", lookup_model(table(6), "last_hidden_state"))
    weights = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
    name = read_folder(folder).name
    assert name.startswith(f"minilm@{weights[:12]}-")
    (folder / "config.json").write_text('{"max_position_embeddings": 8}')
    assert read_folder(folder).name != name


def test_a_cross_encoder_reads_pairs(tmp_path):
    """One logit a text, in order, from both texts together."""
    folder = write_folder(tmp_path / "m", lookup_model(table(1), "logits", mean=True))
    scores = LocalCrossEncoder(read_folder(folder))("fee", ["cap", "law term"])
    rows = [table(1)[[2, WORDS.index("fee"), 3, *ids(text)[1:]]].mean() for text in ("cap", "law term")]
    assert scores == pytest.approx(rows, abs=1e-6)
    assert LocalCrossEncoder(read_folder(folder))("fee", []) == []


def test_a_cross_encoder_with_two_outputs_gives_their_difference(tmp_path):
    """Of two classes the second is 'yes': the score is its logit less that of 'no'."""
    folder = write_folder(tmp_path / "m", lookup_model(table(2), "logits", mean=True))
    rows = table(2)[[2, WORDS.index("fee"), 3, *ids("cap")[1:]]].mean(axis=0)
    assert LocalCrossEncoder(read_folder(folder))("fee", ["cap"]) == pytest.approx([rows[1] - rows[0]], abs=1e-6)


def test_a_sparse_encoder_gives_weights_of_terms(tmp_path):
    """The weight of a term is the largest ln(1 + relu(logit)) over the pieces; terms without one are left out."""
    logits = table(len(WORDS))
    folder = write_folder(tmp_path / "m", lookup_model(logits, "logits"))
    (weights,) = LocalSparseEncoder(read_folder(folder))(["fee cap"])
    expected = np.log1p(np.maximum(logits[ids("fee cap")].max(axis=0), 0))
    assert weights == pytest.approx({i: float(w) for i, w in enumerate(expected) if w > 0}, abs=1e-6)
    assert list(weights) == sorted(weights)


def test_a_model_of_another_kind_is_refused(tmp_path):
    """An embedder's file is no cross-encoder: the message says what came instead of a score."""
    folder = write_folder(tmp_path / "m", lookup_model(table(6), "last_hidden_state"))
    with pytest.raises(SettingsError, match="no cross-encoder"):
        LocalCrossEncoder(read_folder(folder))("fee", ["cap"])


def test_what_a_folder_lacks_is_said_at_once(tmp_path):
    """A folder without the files, and a path that is no folder, are refused with what is missing."""
    with pytest.raises(SettingsError, match=r"lacks model\.onnx or model\.safetensors and tokenizer\.json"):
        read_folder(tmp_path)
    with pytest.raises(SettingsError, match="is not a folder"):
        read_folder(tmp_path / "nowhere")


def test_files_that_are_no_model_are_refused(tmp_path):
    """Weights and tokenizer of other content end in a SettingsError that names the file."""
    folder = write_folder(tmp_path / "m", b"no protocol buffer")
    with pytest.raises(SettingsError, match=r"model\.onnx is no model that onnxruntime reads"):
        LocalEmbedder(read_folder(folder))(["fee"])
    write_folder(folder, lookup_model(table(6), "last_hidden_state"))
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(SettingsError, match=r"is no tokenizer\.json"):
        LocalEmbedder(read_folder(folder))(["fee"])


def test_a_tokenizer_of_another_model_is_noticed(tmp_path):
    """Pieces that the weights do not know end in a SettingsError, not in a crash."""
    folder = write_folder(tmp_path / "m", lookup_model(table(6)[:5], "last_hidden_state"))
    with pytest.raises(SettingsError, match=r"tokenizer\.json belongs to the model"):
        LocalEmbedder(read_folder(folder))(["party"])


def test_sums_are_checked(tmp_path):
    """A folder with SHA256SUMS is refused when a file differs, also one that points out of the folder."""
    folder = write_folder(tmp_path / "m", lookup_model(table(6), "last_hidden_state"))
    digest = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
    (folder / "SHA256SUMS").write_text(f"{digest}  model.onnx\n")
    assert read_folder(folder).name
    (folder / "SHA256SUMS").write_text(f"{'0' * 64}  model.onnx\n{digest}  ../m/model.onnx\n")
    with pytest.raises(SettingsError, match=r"SHA256SUMS says: \.\./m/model\.onnx, model\.onnx"):
        read_folder(folder)


def test_lone_surrogates_are_embedded(tmp_path):
    """Text that has no UTF-8 is embedded all the same."""
    assert embedder(tmp_path / "m")(["fee \ud800 cap"]).shape == (1, 6)
