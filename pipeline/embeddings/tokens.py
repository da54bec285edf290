"""Texts cut into the pieces that a model knows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.packages import require
from schemas.errors import SettingsError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# The vocabulary of bert-base-uncased (Devlin et al., NAACL 2019; Apache-2.0), which all-MiniLM-L6-v2 shares.
VOCABULARY = Path(__file__).with_name("bert_uncased_vocab.txt")


@dataclass(frozen=True, slots=True)
class Pieces:
    """One text, or a pair, as rows of one number a piece, special pieces included: shape (1, pieces)."""

    ids: NDArray[np.int64]
    mask: NDArray[np.int64]
    types: NDArray[np.int64]  # 0 for the first text of a pair, 1 for the second


class TextCutter:
    """Cuts texts into at most `max_tokens` pieces; what is longer loses its end, of a pair first the longer text."""

    def __init__(self, tokenizer: Path | None, *, max_tokens: int) -> None:
        """`tokenizer` is a tokenizer.json; None: the uncased vocabulary of BERT.

        Raises SettingsError for a file that is no tokenizer, MissingPackageError.
        """
        require("tokenizers")
        self._tokenizer = bert_tokenizer() if tokenizer is None else _tokenizer_of(tokenizer)
        # The file may pad to a fixed length and cut at another (all-MiniLM-L6-v2: 128) than the model was made for.
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")

    def cut(self, text: str, second: str | None = None) -> Pieces:
        """The pieces of a text, or of a pair."""
        found: Any = self._tokenizer.encode(_encodable(text), None if second is None else _encodable(second))
        rows = (np.array([row], dtype=np.int64) for row in (found.ids, found.attention_mask, found.type_ids))
        return Pieces(*rows)


def bert_tokenizer() -> Tokenizer:
    """The tokenizer of the models that share the uncased vocabulary of BERT."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    words = VOCABULARY.read_text("utf-8").split("\n")
    vocabulary = {word: number for number, word in enumerate(words) if word}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106 - no password
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(word, vocabulary[word]) for word in ("[CLS]", "[SEP]")],
    )
    return tokenizer


def _encodable(text: str) -> str:
    """The text without lone surrogates, which have no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _tokenizer_of(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises no narrower one
        raise SettingsError(f"{path} is no tokenizer.json that the package tokenizers reads: {error}") from error
