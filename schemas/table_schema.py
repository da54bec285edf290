"""What a table is: a named set of columns with dtypes, units and a key, and one check when it enters a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

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
        return self.build({column.name: [] for column in self.columns})

    def build(self, data: Mapping[str, Sequence[Any] | np.ndarray | pd.Series]) -> pd.DataFrame:
        """A frame with this schema's columns, order and dtypes out of `data` (column name -> values, equal lengths).

        Nulls, allowed values and keys are not looked at: `check` does that once, when the table enters a record.

        Raises TableError when a column is missing or surplus, or a value does not fit its dtype.
        """
        missing = [name for name in self.names() if name not in data]
        surplus = [name for name in data if name not in self.names()]
        if missing or surplus:
            raise TableError(f"{self.name}: missing columns {missing}, surplus columns {surplus}")
        series = {}
        for column in self.columns:
            try:
                series[column.name] = _as_series(data[column.name], column)
            except (TypeError, ValueError) as error:
                raise TableError(f"{self.name}.{column.name}: not all values are {column.dtype} ({error})") from error
        return pd.DataFrame(series, columns=self.names())

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
        faults = []
        for column in self.columns:
            series = frame[column.name]
            if str(series.dtype) != column.pandas_dtype:
                faults.append(f"{column.name} has dtype {series.dtype}, expected {column.pandas_dtype}")
            elif not column.nullable and bool(series.isna().any()):
                faults.append(f"{column.name} is null in row {int(np.flatnonzero(series.isna())[0])}")
            elif column.allowed and not bool(series.dropna().isin(column.allowed).all()):
                bad = series.dropna()[~series.dropna().isin(column.allowed)].iloc[0]
                faults.append(f"{column.name} holds {str(bad)!r}, allowed are {', '.join(column.allowed)}")
        if not faults and self.key and bool(frame.duplicated(list(self.key)).any()):
            row = frame[frame.duplicated(list(self.key))].iloc[0]
            faults.append(f"key {', '.join(f'{name}={row[name]}' for name in self.key)} occurs more than once")
        return faults

    def restore(self, frame: pd.DataFrame, *, where: str) -> pd.DataFrame:
        """The table as it was before parquet: dtypes and tuples put back, then checked.

        Raises TableError as `check` does.
        """
        if sorted(map(str, frame.columns)) != sorted(self.names()):
            return self.check(frame, where=where)
        try:
            return self.check(
                pd.DataFrame({c.name: _as_series(frame[c.name], c) for c in self.columns}, columns=self.names()),
                where=where,
            )
        except (TypeError, ValueError) as error:
            raise TableError(f"{where}: {self.name}: {error}") from error


def _as_series(values: Sequence[Any] | np.ndarray | pd.Series, column: Column) -> pd.Series:
    if column.dtype == "texts":
        cells = np.empty(len(values), dtype=object)
        for index, value in enumerate(values):
            cells[index] = tuple(str(text) for text in value)
        return pd.Series(cells)
    if isinstance(values, pd.Series):
        return values.reset_index(drop=True).astype(column.pandas_dtype)
    if column.dtype == "int" and isinstance(values, list) and any(isinstance(value, float) for value in values):
        raise ValueError("a float stands among whole numbers")
    return pd.Series(values, dtype=column.pandas_dtype)


def same_table(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """True when both tables have the same columns, dtypes and values in the same order; nulls equal nulls."""
    return (
        list(one.columns) == list(other.columns) and list(one.dtypes) == list(other.dtypes) and bool(one.equals(other))
    )
