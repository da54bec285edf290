"""The picture of a page: every line's box and number drawn on it, and where the command writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.picture import ROLE_COLORS, draw_page
from pipeline.parsing.settings import ParsingSettings
from schemas.errors import InputError
from schemas.tables import LINE_ROLES
from tests.commands import call
from tests.parsing.builders import agreement, new_page, save, two_columns

IN_PROCESS = ParsingSettings(isolate=False, ocr="off")


def draw(path: Path, page_num: int = 1):
    """The picture as pixels, and the document."""
    document = parse_document(path, settings=IN_PROCESS)
    return pymupdf.Pixmap(draw_page(path.read_bytes(), document.line_df, page_num, name=path.name)), document


def colors_in(picture, box: tuple[float, float, float, float], zoom: float) -> set[tuple[int, ...]]:
    """Colours of the pixels in a box given in points."""
    x0, y0, x1, y1 = (round(zoom * value) for value in box)
    return {picture.pixel(x, y)[:3] for x in range(max(x0, 0), x1) for y in range(max(y0, 0), y1)}


@pytest.mark.parametrize("rotation", [0, 90])
def test_each_line_has_its_box(tmp_path: Path, rotation: int) -> None:
    """The page stays what it is, also turned; a frame in the column's colour stands around each line."""
    path = two_columns(tmp_path / "columns.pdf")
    with pymupdf.open(path) as document:
        document[0].set_rotation(rotation)
        turned = save(pymupdf.open(stream=document.tobytes()), tmp_path / "turned.pdf")
    picture, parsed = draw(turned)
    page = parsed.page_df.iloc[0]
    zoom = picture.height / page["height"]
    assert picture.width > zoom * page["width"]
    for line in parsed.line_df.itertuples():
        frame = colors_in(picture, (line.x0, line.y0 - 1, line.x0 + 12, line.y0 + 1), zoom)
        assert any(max(color) - min(color) > 60 for color in frame), line.text


def test_hidden_lines_are_drawn_in_red(tmp_path: Path) -> None:
    """What nobody sees is shown to whoever looks at the reading."""
    document = pymupdf.open()
    new_page(document, [(72, 100, "Seen"), (72, 300, "Not seen", {"color": (1, 1, 1)})])
    picture, _ = draw(save(document, tmp_path / "hidden.pdf"))
    reds = [c for c in colors_in(picture, (60, 280, 200, 310), 2.0) if c[0] > 180 and c[1] < 90 and c[2] < 90]
    assert reds


def test_the_same_picture_twice(tmp_path: Path) -> None:
    """The bytes depend on the document alone."""
    path = agreement(tmp_path / "agreement.pdf")
    document = parse_document(path, settings=IN_PROCESS)
    one, two = (draw_page(path.read_bytes(), document.line_df, 2, name="x") for _ in range(2))
    assert one == two


def test_every_role_but_body_has_a_color() -> None:
    """A new role gets its colour with it."""
    assert set(ROLE_COLORS) == set(LINE_ROLES) - {"body"}


def test_what_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    """A page that does not exist, a format that has none."""
    path = agreement(tmp_path / "agreement.pdf")
    lines = parse_document(path, settings=IN_PROCESS).line_df
    with pytest.raises(InputError, match="page 9 was asked for, the document has pages 1 to 3"):
        draw_page(path.read_bytes(), lines, 9, name="agreement.pdf")
    with pytest.raises(InputError, match="no pages that can be drawn"):
        draw_page(b"# Title\n\nSome text.\n", lines, 1, name="notes.md")


def test_the_command_writes_the_picture_and_prints_its_path(tmp_path: Path) -> None:
    """In the document's folder of the store, or where --out says."""
    path = agreement(tmp_path / "agreement.pdf")
    shown = call("parse", path, "--store", tmp_path / "store", "--show", "2")
    written = Path(shown.stdout.strip())
    assert (shown.exit_code, written.name, written.parent.name) == (0, "page_2.png", "pages")
    assert written.read_bytes().startswith(b"\x89PNG")
    shown = call("parse", path, "--store", tmp_path / "store", "--show", "1", "--out", tmp_path / "one.png")
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "message"), [(["--show", "9"], "pages 1 to 3"), (["--out", "x.png"], "--show PAGE")]
)
def test_the_command_refuses_what_makes_no_picture(tmp_path: Path, options: list[str], message: str) -> None:
    """With one sentence and the exit code of bad input."""
    shown = call("parse", agreement(tmp_path / "agreement.pdf"), "--store", tmp_path / "store", *options)
    assert shown.exit_code == 2
    assert message in shown.stderr
