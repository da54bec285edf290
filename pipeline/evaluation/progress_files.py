"""What a run has done so far, document by document: an interrupted run goes on where it stopped."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.evaluation.asking import AskedDocument
from pipeline.evaluation.rows import EVALUATION_DF, TIMING_DF
from pipeline.store.files import read_file, replace_file
from pipeline.store.folders import write_error
from schemas.errors import RecordError
from schemas.table_schema import TableSchema

DONE = "documents_done"  # folder of what is done, while a run lasts
PLAN = "plan.json"
OUT_OPTION = "--out"  # by which a user chooses the folder of a run, for messages
CODE_SUFFIXES = (".py", ".toml")


class DoneDocuments:
    """Rows of the documents that are done, in a folder that belongs to one plan; another plan starts anew."""

    def __init__(self, folder: Path, plan: Mapping[str, Any]) -> None:
        self._folder = folder / DONE
        fingerprint = json.dumps(plan, sort_keys=True, indent=1).encode() + b"\n"
        if read_file(self._folder / PLAN) != fingerprint:
            self.clear()
            replace_file(self._folder / PLAN, fingerprint, option=OUT_OPTION)

    def has(self, at: int) -> bool:
        """True when the document of that number, from 0, is done."""
        return (self._folder / f"{at:06d}.json").is_file()

    def save(self, at: int, asked: AskedDocument) -> None:
        """Keep what came of a document; the last file written says that it is done.

        Raises StoreError where it cannot be written.
        """
        replace_file(
            self._folder / f"{at:06d}.rows.parquet", to_parquet(as_frame(EVALUATION_DF, asked.rows)), option=OUT_OPTION
        )
        replace_file(
            self._folder / f"{at:06d}.times.parquet", to_parquet(as_frame(TIMING_DF, asked.times)), option=OUT_OPTION
        )
        replace_file(
            self._folder / f"{at:06d}.json", json.dumps({"failed": asked.failed}).encode() + b"\n", option=OUT_OPTION
        )

    def load(self, at: int) -> tuple[pd.DataFrame, pd.DataFrame, list[tuple[str, str]]]:
        """Rows, times, and what could not be asked (name, reason).

        Raises RecordError for a damaged file.
        """
        told = self._folder / f"{at:06d}.json"
        try:
            failed = [(str(name), str(reason)) for name, reason in json.loads(read_file(told) or b"")["failed"]]
        except (ValueError, KeyError, TypeError) as error:
            raise RecordError(f"{told}: damaged; delete the folder {self._folder} and run again") from error
        rows = from_parquet(self._folder / f"{at:06d}.rows.parquet", EVALUATION_DF)
        return rows, from_parquet(self._folder / f"{at:06d}.times.parquet", TIMING_DF), failed

    def clear(self) -> None:
        """Forget what is done.

        Raises StoreError where it cannot be removed.
        """
        try:
            if self._folder.is_dir():
                shutil.rmtree(self._folder)
        except OSError as error:
            raise write_error(self._folder, error, option=OUT_OPTION) from error


def as_frame(schema: TableSchema, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The rows as a table of the schema."""
    return schema.build({name: [row[name] for row in rows] for name in schema.names()})


def joined(schema: TableSchema, frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The frames one under the other, checked."""
    filled = [frame for frame in frames if len(frame)]
    if not filled:
        return schema.empty()
    columns = {
        name: [None if pd.isna(value) else value for frame in filled for value in frame[name].tolist()]
        for name in schema.names()
    }
    return schema.check(schema.build(columns), where="evaluation")


def to_parquet(frame: pd.DataFrame) -> bytes:
    """The table as parquet; the same table gives the same bytes."""
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), sink, compression="zstd")
    return sink.getvalue()


def from_parquet(path: Path, schema: TableSchema) -> pd.DataFrame:
    """The table in a file, checked.

    Raises RecordError for a file that is missing, damaged, or holds another table.
    """
    data = read_file(path)
    if data is None:
        raise RecordError(f"{path}: there is no such file")
    try:
        frame = pq.read_table(pa.BufferReader(data)).to_pandas()
    except (pa.ArrowException, OSError) as error:
        raise RecordError(f"{path}: not a readable parquet file ({error}); run the evaluation again") from error
    return schema.check(frame, where=str(path))


@cache
def code_sha256(*packages: str) -> str:
    """Hex SHA-256 of the sources of packages: figures of one code are never mixed with those of another."""
    digest = sha256()
    for package in packages:
        root = Path(str(files(package)))
        for path in sorted(path for path in root.rglob("*") if path.suffix in CODE_SUFFIXES):
            digest.update(f"{package}/{path.relative_to(root).as_posix()}\0".encode())
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()
