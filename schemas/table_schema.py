"""What a table is: a named set of columns with dtypes, units and a key, and one check when it enters a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa

from schemas.errors import TableError

Dtype = Literal["int", "float", "bool", "text", "texts"]

_PANDAS_DTYPE: Mapping[tuple[Dtype, bool], str] = {
    ("int", False): "int64",
    ("int", True): "Int64",
    ("float", False): "float64",
    ("float", True): "float64",
    ("bool", False): "bool",
    ("bool", True): "boolean",
    ("text", False): "str",
    ("text", True): "str",
    ("texts", False): "object",
}
# An array of the kind that pandas keeps text in, where that is Arrow's (it is, with pyarrow installed).
_TEXT: Any = pd.Series([""], dtype="str").array
FEW_ROWS = 2_000  # rows up to which Python's own set finds repeated keys faster than pandas does (measured)
MAX_LISTED_FAULTS = 5  # faults printed of one table; the rest is counted


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `dtype` int, float, bool, text or texts (a tuple of str a row); `allowed`: its values, if set."""

    name: str
    dtype: Dtype
    description: str
    unit: str = ""
    nullable: bool = False
    allowed: tuple[str, ...] = ()

    @property
    def pandas_dtype(self) -> str:
        """The dtype that the column has in a frame (null is NaN in float and text, <NA> in int and bool)."""
        return _PANDAS_DTYPE[self.dtype, self.nullable]


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A named table: its columns in order, and the columns that tell its rows apart."""

    name: str
    description: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def names(self) -> list[str]:
        """Column names, in order."""
        return [column.name for column in self.columns]

    def empty(self) -> pd.DataFrame:
        """The table with its columns and no row."""
        return _empty(self).copy(deep=False)  # pandas copies on write: one frame is the model of all

    def build(self, data: Mapping[str, Sequence[Any] | np.ndarray | pd.Series]) -> pd.DataFrame:
        """A frame with this schema's columns, order and dtypes out of `data` (column name -> values, equal lengths).

        Nulls, allowed values and keys are not looked at: `check` does that once, when the table enters a record.

        Raises TableError when a column is missing or surplus, or a value does not fit its dtype.
        """
        names = self.names()
        if data.keys() != set(names):
            missing = [name for name in names if name not in data]
            surplus = [name for name in data if name not in names]
            raise TableError(f"{self.name}: missing columns {missing}, surplus columns {surplus}")
        if all(len(values) == 0 for values in data.values()):
            return self.empty()
        arrays = {}
        for column in self.columns:
            try:
                arrays[column.name] = _as_array(data[column.name], column)
            except (TypeError, ValueError, OverflowError) as error:
                raise TableError(f"{self.name}.{column.name}: not all values are {column.dtype} ({error})") from error
        return pd.DataFrame(arrays, copy=False)  # the arrays are new, and no one else's

    def check(self, frame: pd.DataFrame, *, where: str) -> pd.DataFrame:
        """`frame`, unchanged, when it fits the schema; `where` names its origin in the message.

        Raises TableError with all faults at once: columns, order, dtypes, nulls, values not allowed, repeated keys.
        """
        faults = list(self._faults(frame))
        if faults:
            more = f"; and {len(faults) - MAX_LISTED_FAULTS} more" if len(faults) > MAX_LISTED_FAULTS else ""
            raise TableError(f"{where}: {self.name}: " + "; ".join(faults[:MAX_LISTED_FAULTS]) + more)
        return frame

    def _faults(self, frame: pd.DataFrame) -> list[str]:
        if list(frame.columns) != self.names():
            missing = [name for name in self.names() if name not in frame.columns]
            surplus = [str(name) for name in frame.columns if name not in self.names()]
            return [
                f"missing columns {missing}, surplus columns {surplus}"
                if missing or surplus
                else "columns out of order"
            ]
        dtypes = list(frame.dtypes)
        faults = [
            f"{column.name} has dtype {found}, expected {column.pandas_dtype}"
            for column, found, wanted in zip(self.columns, dtypes, _dtypes(self), strict=True)
            if found != wanted and str(found) != column.pandas_dtype
        ]
        if len(frame) == 0 or faults:
            return faults
        faults = [fault for column in self.columns for fault in _value_faults(frame, column)]
        if not faults and self.key:
            faults = _key_faults(frame, self.key)
        return faults

    def restore(self, frame: pd.DataFrame, *, where: str) -> pd.DataFrame:
        """The table as it was before parquet: dtypes and tuples put back, then checked.

        Raises TableError as `check` does.
        """
        names = self.names()
        if sorted(map(str, frame.columns)) != sorted(names):
            return self.check(frame, where=where)
        if self._is_as_built(frame):
            return self.check(frame, where=where)
        try:
            arrays = {column.name: _as_array(frame[column.name], column) for column in self.columns}
        except (TypeError, ValueError, OverflowError) as error:
            raise TableError(f"{where}: {self.name}: {error}") from error
        return self.check(pd.DataFrame(arrays, copy=False), where=where)

    def _is_as_built(self, frame: pd.DataFrame) -> bool:
        """True where nothing has to be put back; tuples of text always are."""
        index = frame.index
        return (
            list(frame.columns) == self.names()
            and list(frame.dtypes) == _dtypes(self)
            and all(column.dtype != "texts" for column in self.columns)
            and isinstance(index, pd.RangeIndex)
            and (index.start, index.step) == (0, 1)
        )


@lru_cache(maxsize=64)
def _empty(schema: TableSchema) -> pd.DataFrame:
    return pd.DataFrame({column.name: _as_array([], column) for column in schema.columns})


@lru_cache(maxsize=64)
def _dtypes(schema: TableSchema) -> list[Any]:
    return [pd.api.types.pandas_dtype(column.pandas_dtype) for column in schema.columns]


def _value_faults(frame: pd.DataFrame, column: Column) -> list[str]:
    """Nulls and values that are not allowed, of a column with the right dtype; integers and truths have no nulls."""
    if not column.allowed and (column.nullable or column.dtype in ("int", "bool")):
        return []
    values = frame[column.name].array
    if column.allowed:
        strange = [value for value in values.unique() if not pd.isna(value) and value not in column.allowed]
        if strange:
            return [f"{column.name} holds {str(strange[0])!r}, allowed are {', '.join(column.allowed)}"]
    if not column.nullable and column.dtype != "texts":
        nulls = values.isna()
        if nulls.any():
            return [f"{column.name} is null in row {int(np.flatnonzero(nulls)[0])}"]
    return []


def _key_faults(frame: pd.DataFrame, key: Sequence[str]) -> list[str]:
    if len(key) == 1 and frame[key[0]].is_unique:
        return []
    if len(frame) <= FEW_ROWS and len(set(zip(*(frame[name].to_list() for name in key), strict=True))) == len(frame):
        return []
    repeated = frame.duplicated(list(key))
    if not bool(repeated.any()):
        return []
    row = frame[repeated].iloc[0]
    return [f"key {', '.join(f'{name}={row[name]}' for name in key)} occurs more than once"]


def _as_array(values: Sequence[Any] | np.ndarray | pd.Series, column: Column) -> Any:
    """The values as the array that a frame holds; lists of well-typed values the short way, others through pandas."""
    if column.dtype == "texts":
        cells = np.empty(len(values), dtype=object)
        for index, value in enumerate(values):
            cells[index] = tuple(str(text) for text in value)
        return cells
    if isinstance(values, list):
        if column.dtype == "text" and isinstance(_TEXT, pd.arrays.ArrowStringArray):
            return type(_TEXT)(pa.array(values, pa.large_string(), from_pandas=True), dtype=_TEXT.dtype)
        if column.dtype == "int":
            return _whole_numbers(values, nullable=column.nullable)
        if column.dtype == "float":
            return np.array(values, dtype="float64") if values else np.empty(0)
        if not column.nullable and all(type(value) is bool for value in values):
            return np.array(values, dtype=bool)
    if isinstance(values, pd.Series):
        return values.array.astype(column.pandas_dtype, copy=True)
    return pd.Series(values, dtype=column.pandas_dtype).array


def _whole_numbers(values: list[Any], *, nullable: bool) -> Any:
    if any(isinstance(value, float) for value in values):
        raise ValueError("a float stands among whole numbers")
    if not nullable:
        return np.array(values, dtype="int64")
    nulls = np.fromiter((value is None or value is pd.NA for value in values), dtype=bool, count=len(values))
    filled = [0 if value is None or value is pd.NA else value for value in values]
    return pd.arrays.IntegerArray(np.array(filled, dtype="int64"), nulls)


def same_table(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """True when both tables have the same columns, dtypes and values in the same order; nulls equal nulls."""
    return (
        list(one.columns) == list(other.columns) and list(one.dtypes) == list(other.dtypes) and bool(one.equals(other))
    )
