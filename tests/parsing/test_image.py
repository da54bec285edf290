"""Image files: each picture is a scanned page, upright, in points, and never a way to break in."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pipeline.parsing import parse_document
from schemas.errors import DamagedDocumentError, DocumentError, LimitExceededError
from tests.parsing.scans import CLAUSES, ENGLISH, HERE, page_of, picture_of, require_tesseract, told_engine, use_engine

DPI = 150
KINDS = ("png", "jpeg", "tiff", "bmp", "gif", "webp")


def picture(*, dpi: int = DPI) -> Image.Image:
    """A page of clauses, 420 x 200 points, as a picture."""
    _, page = page_of(CLAUSES)
    return Image.open(BytesIO(picture_of(page, dpi=dpi))).convert("L")


def write(image: Image.Image, path: Path, **options) -> Path:
    """The picture saved at its resolution."""
    image.save(path, **{"dpi": (DPI, DPI), **options})
    return path


def test_a_picture_of_a_page_gives_its_words(tmp_path: Path) -> None:
    """Words, boxes in points of the page, and an image that covers it."""
    require_tesseract("en")
    parsed = parse_document(write(picture(), tmp_path / "page.png"), settings=ENGLISH)
    assert parsed.line_df["text"].tolist() == list(CLAUSES)
    assert (parsed.format, parsed.profile.identity.page_unit, parsed.profile.identity.page_count) == (
        "image",
        "page",
        1,
    )
    page = parsed.page_df.iloc[0]
    assert (page["status"], page["width"], page["height"]) == (
        "ocr",
        pytest.approx(420, abs=1),
        pytest.approx(200, abs=1),
    )
    assert parsed.line_df["x0"].iloc[0] == pytest.approx(31, abs=2)
    assert parsed.image_df["is_full_page"].tolist() == [True]
    assert {"pillow", "tesseract"} <= set(parsed.stamp.libraries)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_picture_is_read_by_its_content(tmp_path: Path, kind: str, monkeypatch) -> None:
    """The suffix says nothing."""
    use_engine(monkeypatch, told_engine(CLAUSES))
    path = tmp_path / "picture.bin"
    picture().save(path, format=kind)
    parsed = parse_document(path, settings=HERE)
    assert parsed.format == "image"
    assert parsed.page_df["status"].tolist() == ["ocr"]
    assert parsed.line_df["text"].tolist() == list(CLAUSES)


def test_each_picture_of_a_tiff_is_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, each of its own size; pages that are not asked for keep a row."""
    use_engine(monkeypatch, told_engine(CLAUSES))
    one = picture()
    path = write(one, tmp_path / "fax.tiff", save_all=True, append_images=[one.resize((600, 300)), one])
    parsed = parse_document(path, settings=HERE.model_copy(update={"pages": (1, 2)}))
    assert parsed.page_df["status"].tolist() == ["ocr", "ocr", "unreadable"]
    assert parsed.page_df["width"].tolist()[:2] == [pytest.approx(420, abs=1), pytest.approx(288, abs=1)]
    assert sorted(set(parsed.line_df["page_num"])) == [1, 2]
    with pytest.raises(LimitExceededError, match="3 pages or more, the limit is 2"):
        parse_document(path, settings=HERE.model_copy(update={"max_pages": 2}))


def test_an_animation_is_read_as_its_first_picture_and_says_so(tmp_path: Path, monkeypatch) -> None:
    """What was left out is a finding."""
    use_engine(monkeypatch, told_engine(CLAUSES))
    one = picture()
    path = tmp_path / "moving.gif"
    one.save(path, save_all=True, append_images=[one.point(lambda value: 255 - value)])
    parsed = parse_document(path, settings=HERE)
    assert len(parsed.page_df) == 1
    assert parsed.finding_df["detail"].str.contains("2 pictures").any()


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_photograph_is_turned_as_the_camera_was_held(tmp_path: Path, orientation: int, monkeypatch) -> None:
    """Page size and boxes are those of the upright picture."""
    use_engine(monkeypatch, told_engine(CLAUSES))
    turned = picture().rotate({3: 180, 6: 90, 8: 270}[orientation], expand=True)
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = write(turned, tmp_path / "photo.jpg", exif=exif)
    page = parse_document(path, settings=HERE).page_df.iloc[0]
    assert (page["width"], page["height"]) == (pytest.approx(420, abs=1), pytest.approx(200, abs=1))


def test_what_is_transparent_is_paper(tmp_path: Path) -> None:
    """Black letters on nothing are black letters on white."""
    require_tesseract("en")
    ink = picture(dpi=200)
    clear = Image.new("RGBA", ink.size, (0, 0, 0, 0))
    clear.putalpha(ink.point(lambda value: 255 - value))
    parsed = parse_document(write(clear, tmp_path / "clear.png", dpi=(200, 200)), settings=ENGLISH)
    assert parsed.line_df["text"].tolist() == list(CLAUSES)


def test_damaged_and_oversized_pictures_end_in_one_clear_error(tmp_path: Path, monkeypatch) -> None:
    """A torn file, a file that only begins like one, and a bomb of pixels."""
    use_engine(monkeypatch, told_engine(CLAUSES))
    whole = write(picture(), tmp_path / "whole.png").read_bytes()
    (tmp_path / "head.png").write_bytes(whole[:20])
    with pytest.raises(DamagedDocumentError, match=r"head\.png"):
        parse_document(tmp_path / "head.png", settings=HERE)
    (tmp_path / "torn.png").write_bytes(whole[: len(whole) // 2])
    torn = parse_document(tmp_path / "torn.png", settings=HERE)
    assert torn.page_df["status"].tolist() == ["failed"]
    monkeypatch.setattr("pipeline.parsing.ocr.recognise.MAX_SOURCE_PIXELS", 1000)
    big = parse_document(tmp_path / "whole.png", settings=HERE)
    assert "the limit is 1,000" in big.page_df["status_reason"].iloc[0]


def test_no_cut_of_a_picture_breaks_the_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is missing of the file: a record or a document error."""
    use_engine(monkeypatch, told_engine(CLAUSES))
    for kind in ("png", "jpeg", "tiff", "gif", "webp", "bmp"):
        buffer = BytesIO()
        picture(dpi=72).save(buffer, kind)
        data = buffer.getvalue()
        for share in (0.02, 0.3, 0.7, 0.98):
            path = tmp_path / f"cut.{kind}"
            path.write_bytes(data[: max(16, int(share * len(data)))])
            try:
                parse_document(path, settings=HERE)
            except DocumentError as error:
                assert path.name in str(error)  # noqa: PT017 either outcome is right
