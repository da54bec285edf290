"""Tables: what they accept, what they refuse, and that parquet gives back what went in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import TableError
from schemas.tables import HIT_DF, LINE_DF, PAGE_DF, TABLES, TableSchema, same_table
from tests.builders import lines, pages


@pytest.mark.parametrize("schema", TABLES, ids=lambda schema: schema.name)
def test_the_empty_table_is_valid(schema: TableSchema) -> None:
    """Every table can be empty: it then has all its columns, and passes its own check."""
    assert list(schema.check(schema.empty(), where="test").columns) == schema.names()


@pytest.mark.parametrize("schema", TABLES, ids=lambda schema: schema.name)
def test_the_empty_table_survives_parquet(schema: TableSchema, tmp_path: Path) -> None:
    """An empty table keeps its dtypes through parquet."""
    schema.empty().to_parquet(tmp_path / "t.parquet")
    assert same_table(schema.restore(pd.read_parquet(tmp_path / "t.parquet"), where="test"), schema.empty())


@pytest.mark.parametrize("schema", TABLES, ids=lambda schema: schema.name)
def test_every_column_says_what_it_is(schema: TableSchema) -> None:
    """No description is blank, the key is made of the table's own columns, and floats have a unit."""
    assert set(schema.key) <= set(schema.names())
    for column in schema.columns:
        assert column.description.endswith("."), column.name
        assert column.unit or column.dtype != "float", column.name


def test_a_wrong_table_is_refused_with_all_its_faults() -> None:
    """A missing and a surplus column are named together, with the table and where it comes from."""
    frame = lines(["a"]).rename(columns={"text": "txt"})
    with pytest.raises(TableError, match=r"here: line_df: missing columns \['text'\], surplus columns \['txt'\]"):
        LINE_DF.check(frame, where="here")


def test_text_is_never_null() -> None:
    """A null where none is allowed is refused with its row."""
    with pytest.raises(TableError, match="text is null in row 1"):
        LINE_DF.check(lines(["a", "b"]).assign(text=pd.Series(["a", None], dtype="str")), where="here")


def test_a_value_outside_the_list_is_refused() -> None:
    """A status that does not exist is refused by name."""
    with pytest.raises(TableError, match="status holds 'lost'"):
        PAGE_DF.check(pages(1).assign(status=pd.Series(["lost"], dtype="str")), where="here")


def test_a_repeated_key_is_refused() -> None:
    """Two rows of one key are refused with the key."""
    frame = pd.concat([pages(1), pages(1)], ignore_index=True)
    with pytest.raises(TableError, match="page_num=1 occurs more than once"):
        PAGE_DF.check(frame, where="here")


def test_a_float_among_whole_numbers_is_refused() -> None:
    """Page 1.5 does not become page 1."""
    with pytest.raises(TableError, match=r"page_df\.page_num"):
        PAGE_DF.build({**{name: pages(1)[name] for name in PAGE_DF.names()}, "page_num": [1.5]})


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=8))
def test_any_text_survives_parquet(texts: list[str]) -> None:
    """Empty text, odd characters and nulls in nullable columns come back as they went in."""
    frame = lines(texts, section_id=[None if index % 2 else str(index) for index in range(len(texts))])
    path = Path("/dev/shm" if Path("/dev/shm").is_dir() else ".") / "lineproof_table_test.parquet"  # noqa: S108 a scratch file in memory
    frame.to_parquet(path)
    try:
        assert same_table(LINE_DF.restore(pd.read_parquet(path), where="test"), frame)
    finally:
        path.unlink()


def test_keyword_tuples_survive_parquet(tmp_path: Path) -> None:
    """A column of texts comes back as tuples, the empty one too."""
    frame = HIT_DF.build(
        {
            "method": ["a", "a"], "rank": [1, 2], "score": [2.0, 1.0], "line_start": [1, 2], "line_end": [1, 2],
            "page_num": [1, 1], "section_id": [None, "1"], "matched_keywords": [("x", "y"), ()], "reason": ["r", "r"],
        }
    )  # fmt: skip
    frame.to_parquet(tmp_path / "t.parquet")
    assert same_table(HIT_DF.restore(pd.read_parquet(tmp_path / "t.parquet"), where="test"), frame)


def test_numpy_columns_are_taken() -> None:
    """Arrays do as well as lists."""
    frame = lines(["a", "b"], x0=np.array([1.0, 2.0]))
    assert frame["x0"].tolist() == [1.0, 2.0]
