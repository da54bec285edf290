"""Vectors kept in a folder: each text is embedded once, whatever document, question or process it comes from.

A model has a folder of its own with two files that only grow: `vectors.f32`, little-endian float32 rows, and
`keys.bin`, one record a row with the SHA-256 of the text and a CRC-32 of the row. A row counts once its key is written,
so that a process that is killed leaves at most a tail that the next writer overwrites; a row whose CRC differs is
written anew.
Writers take turns by a lock; readers take none.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pipeline.embeddings.protocols import Embedder
from schemas.errors import StoreError

FORMAT = 1
KEY = np.dtype([("digest", "S32"), ("crc", "<u4"), ("spare", "<u4")])  # 40 bytes a vector
VECTOR = np.dtype("<f4")
LOCK_SECONDS = 60.0  # a writer holds the lock for milliseconds
SLUG_CHARACTERS = 60
APPEND_TEXTS = 256  # texts embedded between two writes: what a killed process loses at most

Vectors = NDArray[np.float32]


class CachedEmbedder:
    """An `Embedder` that asks another one only for texts whose vectors are not in the folder."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        """Raises StoreError when the folder of the model cannot be made or was written by a newer Lineproof."""
        self._embedder = embedder
        self._cache = VectorCache(folder, embedder.name)

    @property
    def name(self) -> str:
        """Name of the embedder behind."""
        return self._embedder.name

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """One L2-normalised row a text, in order.

        Raises StoreError when the folder cannot be read or written, and what the embedder behind raises.
        """
        if not texts:
            return self._embedder(texts)
        keys = [text_key(text) for text in texts]
        missing = {key: text for key, text, row in zip(keys, texts, self._cache.rows(keys), strict=True) if row < 0}
        todo = list(missing.items())
        for start in range(0, len(todo), APPEND_TEXTS):
            part = todo[start : start + APPEND_TEXTS]
            self._cache.add([key for key, _ in part], self._embedder([text for _, text in part]))
        found = self._cache.rows(keys)
        if (found < 0).any():
            raise StoreError(f"vectors written to {self._cache.folder} cannot be read back; check the disk")
        return self._cache.vectors(found)


class VectorCache:
    """The vectors of one model in a folder, by the SHA-256 of their text."""

    def __init__(self, folder: Path, model: str) -> None:
        """Raises StoreError when the folder cannot be made or is of a newer format."""
        slug = re.sub(r"[^A-Za-z0-9.]+", "_", model).strip("._")[:SLUG_CHARACTERS] or "model"
        self.folder = folder / f"{slug}_{sha256(model.encode('utf-8', 'replace')).hexdigest()[:12]}"
        self._model = model
        self._digests = np.zeros(0, dtype=np.uint64)  # first 8 bytes of each key, sorted
        self._order = np.zeros(0, dtype=np.int64)  # the rows in that order
        self._keys = np.zeros(0, dtype=KEY)
        self._map: Vectors = np.zeros((0, 0), dtype=np.float32)
        self._checked: NDArray[np.int8] = np.zeros(0, dtype=np.int8)  # 0 not yet, 1 sound, -1 damaged
        self._dimension = self._open()
        self._refresh()

    def rows(self, keys: Sequence[bytes]) -> NDArray[np.int64]:
        """The row of each key, -1 where it has none that is sound."""
        found = self._find(keys)
        if (found < 0).any() and self._refresh():
            found = self._find(keys)
        return found

    def vectors(self, rows: NDArray[np.int64]) -> Vectors:
        """A copy of the vectors of some rows."""
        return np.asarray(self._map[rows], dtype=np.float32)

    def add(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Write vectors of keys that are not there yet, or whose row is damaged; keys that are there are left alone.

        Raises StoreError when the folder cannot be written, or the vectors are of another length than those in it.
        """
        from filelock import FileLock, Timeout

        if vectors.ndim != 2 or len(vectors) != len(keys) or not vectors.shape[1]:
            raise StoreError(f"{len(keys)} texts gave vectors of shape {vectors.shape} for {self.folder}")
        try:
            with FileLock(str(self.folder / "lock"), timeout=LOCK_SECONDS):
                self._set_dimension(vectors.shape[1])
                self._refresh()
                self._write(keys, np.ascontiguousarray(vectors, dtype=VECTOR))
                self._refresh()
        except Timeout as error:
            raise StoreError(f"{self.folder} is locked by another process for {LOCK_SECONDS:g} s") from error
        except OSError as error:
            raise StoreError(f"cannot write vectors to {self.folder}: {error}") from error

    def _find(self, keys: Sequence[bytes]) -> NDArray[np.int64]:
        wanted = np.frombuffer(b"".join(keys), dtype="<u8").reshape(len(keys), 4)[:, 0]
        at = np.searchsorted(self._digests, wanted)
        rows = np.full(len(keys), -1, dtype=np.int64)
        ends = np.searchsorted(self._digests, wanted, side="right")
        for number in np.flatnonzero(at < ends).tolist():
            same = self._order[at[number] : ends[number]].tolist()  # nearly always one
            rows[number] = next((row for row in same if self._key_of(row) == keys[number] and self._sound(row)), -1)
        return rows

    def _key_of(self, row: int) -> bytes:
        return bytes(self._keys["digest"][row]).ljust(32, b"\0")  # numpy drops zeros at the end

    def _sound(self, row: int) -> bool:
        if self._checked[row] <= 0:  # what was damaged may have been written anew by another process
            self._checked[row] = 1 if crc32(self._map[row].tobytes()) == int(self._keys["crc"][row]) else -1
        return bool(self._checked[row] > 0)

    def _write(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Under the lock: damaged rows are written in their place, new ones behind the last whole row."""
        sound = self._find(keys)
        by_key = {self._key_of(row): row for row in np.flatnonzero(self._checked < 0).tolist()}
        places: dict[bytes, tuple[int, int]] = {}
        following = len(self._keys)
        for number, key in enumerate(keys):
            if sound[number] < 0 and key not in places:
                row = by_key.get(key, following)
                places[key] = (row, number)
                following += row == following
        records = np.zeros(len(keys), dtype=KEY)
        records["digest"] = keys
        records["crc"] = [crc32(row.tobytes()) for row in vectors]
        self._put("vectors.f32", [(row * vectors[0].nbytes, vectors[at].tobytes()) for row, at in places.values()])
        self._put("keys.bin", [(row * KEY.itemsize, records[at].tobytes()) for row, at in places.values()])
        for row, at in places.values():
            if row < len(self._keys):
                self._keys[row], self._checked[row] = records[at], 0

    def _put(self, name: str, pieces: Sequence[tuple[int, bytes]]) -> None:
        with (self.folder / name).open("r+b") as file:
            for offset, content in pieces:
                file.seek(offset)
                file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def _refresh(self) -> bool:
        """Take in what other processes wrote; True when there is more than before."""
        if not self._dimension:
            self._dimension = self._read_dimension()
            if not self._dimension:
                return False
        try:
            width = self._dimension * VECTOR.itemsize
            count = min(
                (self.folder / "keys.bin").stat().st_size // KEY.itemsize,
                (self.folder / "vectors.f32").stat().st_size // width,
            )
            if count <= len(self._keys):
                return False
            self._keys = np.fromfile(self.folder / "keys.bin", dtype=KEY, count=count)
            self._map = np.memmap(self.folder / "vectors.f32", dtype=VECTOR, mode="r", shape=(count, self._dimension))
        except OSError as error:
            raise StoreError(f"cannot read vectors of {self.folder}: {error}") from error
        heads = np.ascontiguousarray(self._keys).view(np.uint8).reshape(count, KEY.itemsize)[:, :8]
        digests = np.ascontiguousarray(heads).view("<u8").ravel()
        self._order = np.argsort(digests, kind="stable")
        self._digests = digests[self._order]
        self._checked = np.concatenate([self._checked, np.zeros(count - len(self._checked), dtype=np.int8)])
        return True

    def _open(self) -> int:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name in ("keys.bin", "vectors.f32"):
                (self.folder / name).touch()
        except OSError as error:
            raise StoreError(f"cannot make the folder of vectors {self.folder}: {error}") from error
        return self._read_dimension()

    def _read_dimension(self) -> int:
        """Length of the vectors, 0 while none was written."""
        about = self.folder / "about.json"
        if not about.is_file():
            return 0
        try:
            value = json.loads(about.read_text("utf-8"))
            written, dimension = int(value["format"]), int(value["dimension"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{about} cannot be read ({error}); remove {self.folder}, it is only a cache") from error
        if written != FORMAT or dimension < 1:
            raise StoreError(f"{about} has format {written}, this Lineproof reads {FORMAT}; remove {self.folder}")
        return dimension

    def _set_dimension(self, dimension: int) -> None:
        """Under the lock: note the length of the vectors at the first write, refuse another one later."""
        self._dimension = self._dimension or self._read_dimension()
        if self._dimension not in (0, dimension):
            raise StoreError(
                f"{self._model} gave vectors of {dimension} numbers, those in {self.folder} have {self._dimension}: "
                "the model behind the name was changed; remove the folder"
            )
        if not self._dimension:
            beside = self.folder / f"about.{os.getpid()}.part"
            about = {"dimension": dimension, "format": FORMAT, "model": self._model}
            with beside.open("w", encoding="utf-8") as file:
                json.dump(about, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.folder / "about.json")
            self._dimension = dimension


def erase_vectors(folder: Path, keys: Sequence[bytes]) -> int:
    """Overwrite the rows of these keys in the folder of a model with zeros; gives how many there were.

    The rows stay, so that readers find the others where they were; no text has the key of a row that is erased.

    Raises StoreError when the folder cannot be written.
    """
    from filelock import FileLock, Timeout

    wanted = {key.ljust(32, b"\0") for key in keys}
    try:
        with FileLock(str(folder / "lock"), timeout=LOCK_SECONDS):
            names, about = folder / "keys.bin", folder / "about.json"
            if not about.is_file():
                return 0
            width = int(json.loads(about.read_text("utf-8"))["dimension"]) * VECTOR.itemsize
            data = names.read_bytes()
            count = len(data) // KEY.itemsize
            rows = [row for row in range(count) if data[row * KEY.itemsize : row * KEY.itemsize + 32] in wanted]
            for name, size in (("vectors.f32", width), ("keys.bin", KEY.itemsize)):
                with (folder / name).open("r+b") as file:
                    for row in rows:
                        file.seek(row * size)
                        file.write(b"\0" * size)
                    file.flush()
                    os.fsync(file.fileno())
    except Timeout as error:
        raise StoreError(f"{folder} is locked by another process for {LOCK_SECONDS:g} s") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"cannot erase vectors in {folder}: {error}; remove it, it is only a cache") from error
    return len(rows)


def text_key(text: str) -> bytes:
    """The SHA-256 of a text, by which its vector is found."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
