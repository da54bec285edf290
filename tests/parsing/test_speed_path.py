"""The short ways that speed takes: each gives what the long way gives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing import pdf as pdf_module
from pipeline.parsing.page_images import set_images_aside
from pipeline.parsing.page_text import TEXT_FLAGS, read_blocks, read_textpage
from pipeline.parsing.settings import ParsingSettings
from schemas.errors import TableError
from schemas.table_schema import Column, TableSchema, same_table
from tests.parsing.builders import agreement

HERE = ParsingSettings(isolate=False, ocr="off")
FILES = (
    "torture/pdf/landscape_table_rotated_text.pdf",
    "nist/NIST.CSWP.29.pdf",
    "papers/1706.03762v7.pdf",
    "torture/pdf/twocolumn_ligatures_tracemonkey.pdf",
)
MIXED = TableSchema(
    "mixed",
    "Every kind of column.",
    ("number",),
    (
        Column("number", "int", "A number."),
        Column("maybe", "int", "A number or none.", nullable=True),
        Column("size", "float", "A size.", nullable=True),
        Column("flag", "bool", "A flag."),
        Column("text", "text", "Words."),
        Column("note", "text", "Words or none.", nullable=True),
    ),
)
ROWS = st.lists(
    st.tuples(
        st.integers(-(2**53), 2**53),
        st.none() | st.integers(-(2**53), 2**53),
        st.none() | st.floats(allow_nan=False),
        st.booleans(),
        st.text(st.characters(exclude_categories=["Cs"])),
        st.none() | st.text(st.characters(exclude_categories=["Cs"])),
    ),
    unique_by=lambda row: row[0],
)


def spans(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The spans of all lines."""
    return list(chain.from_iterable(line["spans"] for block in blocks for line in block.get("lines", ())))


@pytest.fixture(autouse=True)
def corrected_boxes() -> Iterator[None]:
    """The slow way with PyMuPDF's corrections: importing its layout stack, as other tests may do, switches them off."""
    before = pymupdf.TOOLS.unset_quad_corrections()
    pymupdf.TOOLS.unset_quad_corrections(False)
    yield
    pymupdf.TOOLS.unset_quad_corrections(before)


@pytest.mark.parametrize("name", FILES)
def test_boxes_are_those_of_the_slow_way(shared_data: Path, name: str) -> None:
    """Text, font and size equal; boxes to the tenth of the font size in all but a few raised letters; blanks aside."""
    apart = count = 0
    with pymupdf.open(shared_data / name) as document:
        for page in [*list(document)[:6], *list(document)[-3:]]:
            textpage = page.get_textpage(clip=pymupdf.INFINITE_RECT(), flags=TEXT_FLAGS)
            slow, quick = spans(textpage.extractDICT()["blocks"]), spans(read_textpage(textpage))
            for one, two in zip(slow, quick, strict=True):
                assert (one["text"], one["font"], one["size"]) == (two["text"], two["font"], two["size"])
                if not one["text"].strip():
                    continue  # blanks have no ink: their boxes are not used
                count += 1
                apart += any(abs(a - b) > 0.1 * one["size"] for a, b in zip(one["bbox"], two["bbox"], strict=True))
    assert count > 100
    assert apart <= 0.02 * count


@pytest.mark.parametrize("name", [*FILES, "torture/pdf/olmocr_mostly_image_text.pdf"])
def test_text_around_images_is_that_of_a_pass_without_them(shared_data: Path, name: str) -> None:
    """Blocks are the same to the last number, images are all found, and MuPDF's list is whole again at the end."""
    everywhere = pymupdf.INFINITE_RECT()
    with pymupdf.open(shared_data / name) as document:
        for page in [document[at] for at in range(min(len(document), 20))]:
            blocks, images = read_blocks(page)
            assert repr(blocks) == repr(read_textpage(page.get_textpage(clip=everywhere, flags=TEXT_FLAGS)))
            textpage = page.get_textpage(clip=everywhere, flags=TEXT_FLAGS | pymupdf.TEXT_PRESERVE_IMAGES)
            with set_images_aside(textpage) as (found, _):
                pass
            with set_images_aside(textpage) as (again, _):
                assert len(again) == len(found) == len(images)


def test_the_library_is_left_as_it_was(tmp_path: Path) -> None:
    """The switch of the whole library that the quick way uses is put back."""
    before = pymupdf.TOOLS.unset_quad_corrections()
    parse_document(agreement(tmp_path / "a.pdf"), settings=HERE)
    assert pymupdf.TOOLS.unset_quad_corrections() == before


def test_a_long_file_that_is_opened_anew_gives_the_same_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file is closed and opened again between pages does not show."""
    path = agreement(tmp_path / "a.pdf")
    whole = parse_document(path, settings=HERE)
    monkeypatch.setattr(pdf_module, "REOPEN_PAGES", 2)
    assert parse_document(path, settings=HERE).same_as(whole)


@given(ROWS)
def test_tables_are_built_as_pandas_builds_them(rows: list[tuple[Any, ...]]) -> None:
    """Values, dtypes and nulls are those of one Series a column."""
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in MIXED.columns]
    built = MIXED.build(dict(zip(MIXED.names(), columns, strict=True)))
    slow = pd.DataFrame(
        {
            column.name: pd.Series(values, dtype=column.pandas_dtype)
            for column, values in zip(MIXED.columns, columns, strict=True)
        }
    )
    assert same_table(built, slow)
    assert same_table(MIXED.restore(built, where="here"), built)


def test_an_empty_table_is_not_shared() -> None:
    """What is written into one does not show in the next."""
    one = MIXED.empty()
    one.loc[0] = [1, 1, 1.0, True, "a", "b"]
    assert len(MIXED.empty()) == 0
    assert same_table(MIXED.empty(), MIXED.build({name: [] for name in MIXED.names()}))


@pytest.mark.parametrize(
    ("name", "value"), [("number", "x"), ("number", 1.5), ("number", None), ("maybe", 2**70), ("text", 5)]
)
def test_a_value_of_another_kind_is_refused(name: str, value: object) -> None:
    """The error names table and column."""
    row = {"number": [1], "maybe": [1], "size": [1.0], "flag": [True], "text": ["a"], "note": [None], name: [value]}
    with pytest.raises(TableError, match=rf"mixed\.{name}: not all values"):
        MIXED.build(row)
