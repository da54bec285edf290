"""Recognition: pages that need it and only those, boxes on the right words, and a status that says what was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.mupdf import pymupdf
from pipeline.parsing import parse_document
from pipeline.parsing.ocr import tesseract
from pipeline.parsing.ocr.engine import Word
from pipeline.parsing.ocr.engines import installed_engines
from pipeline.parsing.ocr.raster import Raster, find_skew, is_blank, paint_page, straighten
from pipeline.parsing.ocr.transcript import transcribe
from tests.parsing.scans import (
    CLAUSES,
    ENGLISH,
    HERE,
    page_of,
    picture_of,
    require_tesseract,
    scan_of,
    told_engine,
    use_engine,
)

NEAR = 4.5  # points between the edges of a native line, whose box has room for the tallest letters, and of its ink


def fresh(path: Path, document) -> Path:
    """The document saved."""
    document.save(path)
    return path


def test_a_scan_gives_the_words_of_its_native_twin_in_the_same_places(tmp_path: Path) -> None:
    """Same lines, same order, boxes as near as ink comes, and who read them how surely."""
    require_tesseract("en")
    document, page = page_of(CLAUSES)
    native = parse_document(fresh(tmp_path / "native.pdf", document)).line_df
    scan = parse_document(scan_of(page, tmp_path / "scan.pdf"), settings=ENGLISH)
    lines = scan.line_df
    assert lines["text"].tolist() == native["text"].tolist()
    for edge in ("x0", "y0", "x1", "y1"):
        assert (lines[edge] - native[edge]).abs().max() <= NEAR
    assert (lines["font_size"] - native["font_size"]).abs().max() <= 1.5
    assert lines["confidence"].between(0.8, 1).all()
    assert set(lines["parsing_method"]) == {"tesseract"}
    row = scan.page_df.iloc[0]
    assert (row["status"], row["ocr_char_count"]) == ("ocr", row["char_count"])
    assert scan.profile.routing.pages_needing_ocr == scan.profile.routing.pages_not_read == ()
    assert scan.stamp.libraries["tesseract"] == installed_engines()["tesseract"]
    assert scan.toc_df["title"].tolist() == parse_document(tmp_path / "native.pdf").toc_df["title"].tolist()


@pytest.mark.parametrize("turn", [90, 180, 5])
def test_turned_and_skewed_scans_come_out_readable(tmp_path: Path, turn: int) -> None:
    """Whatever way the sheet lay: the words are read, and their boxes lie on the ink."""
    require_tesseract("en")
    _, page = page_of(CLAUSES)
    path = scan_of(page, tmp_path / "turned.pdf", turn=turn)
    parsed = parse_document(path, settings=ENGLISH)
    assert parsed.line_df["text"].tolist() == list(CLAUSES)
    assert set(parsed.line_df["rotation"]) == {turn if turn % 90 == 0 else 0}
    with pymupdf.open(path) as scan:
        ink = scan[0].get_pixmap(colorspace=pymupdf.csGRAY)
    line = parsed.line_df.iloc[1]
    box = (int(line["x0"]), int(line["y0"]), int(line["x1"]) + 1, int(line["y1"]) + 1)
    inside = [ink.pixel(x, y)[0] < 160 for x in range(box[0], box[2]) for y in range(box[1], box[3])]
    assert sum(inside) > 0.08 * len(inside) * (1.0 if turn % 90 == 0 else 0.2)


def test_columns_of_a_scan_are_read_one_after_the_other(tmp_path: Path) -> None:
    """Recognised lines go through the same reading order as native ones."""
    require_tesseract("en")
    document = pymupdf.open()
    page = document.new_page(width=420, height=200)
    left = [f"The left column speaks of delivery {word}" for word in ("first", "second", "third", "fourth", "fifth")]
    right = [f"The right column speaks of payment {word}" for word in ("first", "second", "third", "fourth", "fifth")]
    for at, (one, two) in enumerate(zip(left, right, strict=True)):
        page.insert_text((20, 40 + 16 * at), one, fontsize=8)
        page.insert_text((225, 40 + 16 * at), two, fontsize=8)
    parsed = parse_document(scan_of(page, tmp_path / "columns.pdf", dpi=300), settings=ENGLISH)
    assert parsed.line_df["text"].tolist() == [*left, *right]
    assert parsed.page_df["column_count"].tolist() == [2]


def test_words_in_an_image_beside_text_are_read_once(tmp_path: Path) -> None:
    """Text as characters stays as it is, the image's words come in its place with their own method and confidence."""
    require_tesseract("en")
    _, picture = page_of(["Seal of the Registry", "Deed number 4711 of the year 2020"], height=120)
    document = pymupdf.open()
    page = document.new_page(width=420, height=300)
    page.insert_text((30, 40), "Above the image stands a line of text.", fontsize=11)
    page.insert_image((0, 60, 420, 180), stream=picture_of(picture))
    page.insert_text((30, 230), "Below the image stands another.", fontsize=11)
    parsed = parse_document(fresh(tmp_path / "mixed.pdf", document), settings=ENGLISH)
    lines = parsed.line_df
    assert lines["text"].tolist() == [
        "Above the image stands a line of text.",
        "Seal of the Registry",
        "Deed number 4711 of the year 2020",
        "Below the image stands another.",
    ]
    assert lines["parsing_method"].tolist() == ["pymupdf", "tesseract", "tesseract", "pymupdf"]
    assert lines["confidence"].isna().tolist() == [True, False, False, True]
    assert parsed.page_df["status"].tolist() == ["mixed"]
    assert parsed.page_df["status_reason"].iloc[0].startswith("Both were read")
    assert parsed.profile.routing.pages_needing_ocr == ()


def test_the_words_of_a_scan_tell_its_language(tmp_path: Path) -> None:
    """Spanish is read with its accents, without being told."""
    require_tesseract("en", "es")
    texts = [
        "El plazo de duración será de tres años, prorrogable tácitamente",
        "por períodos anuales, salvo denuncia de cualquiera de las partes",
        "con una antelación mínima de noventa días. La compañía deberá",
        "abonar una indemnización equivalente al diez por ciento del precio",
        "según lo dispuesto en las cláusulas de este contrato, que se rige",
        "por las leyes de España y por los usos del comercio para con los",
        "clientes. Los gastos de la compañía se abonarán por el comprador.",
    ]
    _, page = page_of(texts)
    parsed = parse_document(scan_of(page, tmp_path / "es.pdf"), settings=HERE)
    assert parsed.line_df["text"].tolist() == texts
    assert "(es)" in parsed.page_df["status_reason"].iloc[0]


def test_blank_sheets_and_pictures_are_told_apart(tmp_path: Path) -> None:
    """A blank scan is empty and hides nothing; a picture without words may, and counts as not read."""
    require_tesseract("en")
    document = pymupdf.open()
    for shade in (False, True):
        sheet = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 300, 400), 0)
        sheet.clear_with(250)
        if shade:
            sheet.set_rect((40, 60, 260, 300), (90,))
        page = document.new_page(width=300, height=400)
        page.insert_image(page.rect, stream=sheet.tobytes("png"))
    parsed = parse_document(fresh(tmp_path / "blank.pdf", document), settings=ENGLISH)
    assert parsed.page_df["status"].tolist() == ["empty", "unreadable"]
    assert "blank" in parsed.page_df["status_reason"].iloc[0]
    assert parsed.profile.routing.pages_not_read == (2,)


def test_where_no_engine_is_installed_the_page_is_unreadable_and_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No absence is proven from it, and the stamp tells that the record is worth writing anew."""
    use_engine(monkeypatch, None)
    _, page = page_of(CLAUSES)
    parsed = parse_document(scan_of(page, tmp_path / "scan.pdf"), settings=HERE)
    assert parsed.page_df["status"].tolist() == ["unreadable"]
    assert "apt-get install tesseract-ocr" in parsed.page_df["status_reason"].iloc[0]
    assert parsed.profile.routing.pages_not_read == parsed.profile.routing.pages_needing_ocr == (1,)
    assert parsed.stamp.libraries["tesseract"] == installed_engines()["tesseract"] == "none"


def test_a_document_of_native_pages_asks_for_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its record does not depend on what is installed."""

    def refuse(*, seconds: int):
        raise AssertionError("no page needs recognition")

    monkeypatch.setattr("pipeline.parsing.ocr.engines.find_tesseract", refuse)
    document, _ = page_of(CLAUSES)
    parsed = parse_document(fresh(tmp_path / "native.pdf", document), settings=HERE)
    assert parsed.page_df["status"].tolist() == ["native"]
    assert "tesseract" not in parsed.stamp.libraries


def test_a_good_text_layer_is_used_again_and_a_bad_one_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a recogniser wrote before is kept where its words are words; else it is hidden, and said to be."""
    use_engine(monkeypatch, told_engine(CLAUSES))
    _, source = page_of(CLAUSES)
    picture = picture_of(source, dpi=72)
    document = pymupdf.open()
    for shift in (0, 7):
        page = document.new_page(width=420, height=200)
        page.insert_image(page.rect, stream=picture)
        for at, text in enumerate(CLAUSES):
            junk = "".join(chr((ord(c) - 97 + shift) % 26 + 97) if c.isalpha() else c for c in text.lower())
            page.insert_text((30, 30 + 22 * at), junk, fontsize=11, render_mode=3)
    parsed = parse_document(fresh(tmp_path / "layers.pdf", document), settings=HERE)
    lines, pages = parsed.line_df, parsed.page_df
    assert pages["status"].tolist() == ["ocr", "ocr"]
    assert pages["parsing_method"].tolist() == ["pymupdf", "told"]
    assert pages["has_ocr_layer"].tolist() == [True, True]
    assert (pages["ocr_char_count"] == pages["char_count"]).all()
    second = lines[lines["page_num"] == 2]
    assert second.loc[second["visible"], "text"].tolist() == list(CLAUSES)
    assert second.loc[~second["visible"], "hidden_reason"].str.contains("recognised anew").all()
    assert "hidden_text" not in set(parsed.finding_df["kind"])


def test_an_untrusted_text_stays_where_recognition_is_no_better(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is hidden in favour of something as bad; the page counts as not read."""
    use_engine(monkeypatch, told_engine(["Gsr wk", "lw zkx"], confidence=0.35))
    junk = ["qzx vbn wrtp klmn zxcv bnmq wrtp", "xcvb qwrt zxpl mnbv kjhg qwrt zxcv"] * 2
    document, _ = page_of(junk)
    parsed = parse_document(fresh(tmp_path / "junk.pdf", document), settings=HERE)
    assert parsed.page_df["status"].tolist() == ["unreadable"]
    assert parsed.line_df["text"].tolist() == junk
    assert parsed.line_df["visible"].all()
    assert parsed.profile.routing.pages_not_read == (1,)


def test_an_engine_that_fails_leaves_the_page_unreadable_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other pages are read."""
    use_engine(monkeypatch, told_engine([], fault="the engine took more than 60 seconds"))
    document, page = page_of(CLAUSES)
    picture = picture_of(page)
    sheet = document.new_page(width=420, height=200)
    sheet.insert_image(sheet.rect, stream=picture)
    parsed = parse_document(fresh(tmp_path / "fault.pdf", document), settings=HERE)
    assert parsed.page_df["status"].tolist() == ["native", "unreadable"]
    assert "60 seconds" in parsed.page_df["status_reason"].iloc[1]


def test_text_read_without_confidence_is_kept_and_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page counts as not read; its lines say how sure they are."""
    use_engine(monkeypatch, told_engine(CLAUSES, confidence=0.4))
    _, page = page_of(CLAUSES)
    parsed = parse_document(scan_of(page, tmp_path / "doubt.pdf"), settings=HERE)
    assert parsed.page_df["status"].tolist() == ["unreadable"]
    assert parsed.line_df["confidence"].tolist() == pytest.approx([0.4] * len(CLAUSES))
    assert parsed.profile.routing.pages_not_read == (1,)


def test_noise_is_left_out_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs below 0.3 are no words; nothing goes in silence."""
    use_engine(monkeypatch, told_engine(["~~ |', -", "xx yy"], confidence=0.2))
    _, page = page_of(CLAUSES)
    parsed = parse_document(scan_of(page, tmp_path / "noise.pdf"), settings=HERE)
    assert len(parsed.line_df) == 0
    assert parsed.page_df["status"].tolist() == ["unreadable"]


def test_pages_come_in_order_and_twice_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several are read at once; the record does not show it."""
    use_engine(monkeypatch, told_engine(CLAUSES))
    _, page = page_of(CLAUSES)
    path = scan_of(page, tmp_path / "many.pdf", dpi=72, count=5)
    one = parse_document(path, settings=HERE.model_copy(update={"ocr_workers": 1}))
    many = parse_document(path, settings=HERE.model_copy(update={"ocr_workers": 4}))
    assert one.page_df["status"].tolist() == ["ocr"] * 5
    assert one.line_df.equals(many.line_df)
    assert one.page_df.equals(many.page_df)


def test_languages_are_those_asked_for_or_those_of_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scanned annex of a French contract is read in French; a language that is missing is named."""
    calls: list[tuple[str, ...]] = []
    use_engine(monkeypatch, told_engine(["Annexe du contrat et des conditions"], calls=calls))
    french = ["Le prix est fixé par les parties dans le contrat pour une durée de deux ans avec le fournisseur."] * 5
    document, page = page_of(french, width=600)
    picture = picture_of(page)
    sheet = document.new_page(width=600, height=200)
    sheet.insert_image(sheet.rect, stream=picture)
    path = fresh(tmp_path / "fr.pdf", document)
    parse_document(path, settings=HERE)
    assert calls[0] == ("fr",)
    calls.clear()
    parse_document(path, settings=HERE.model_copy(update={"ocr_languages": ("es", "en")}))
    assert calls[0] == ("es", "en")
    missing = parse_document(path, settings=HERE.model_copy(update={"ocr_languages": ("de",)}))
    assert missing.page_df["status"].iloc[1] == "unreadable"
    assert "tesseract-ocr-deu" in missing.page_df["status_reason"].iloc[1]


def test_a_picture_too_large_to_unpack_is_not_painted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs a reason, not memory."""
    monkeypatch.setattr("pipeline.parsing.ocr.recognise.MAX_SOURCE_PIXELS", 1000)
    use_engine(monkeypatch, told_engine(CLAUSES))
    _, page = page_of(CLAUSES)
    parsed = parse_document(scan_of(page, tmp_path / "huge.pdf"), settings=HERE)
    assert parsed.page_df["status"].tolist() == ["unreadable"]
    assert "the limit is 1,000" in parsed.page_df["status_reason"].iloc[0]


@pytest.mark.parametrize("angle", [-8.0, -2.5, 0.0, 1.5, 6.0])
def test_skew_is_found_to_half_a_degree_and_taken_back(angle: float) -> None:
    """Rows that run down to the right have a positive angle."""
    _, page = page_of(CLAUSES)
    turned = page.get_pixmap(matrix=pymupdf.Matrix(2, 2).prerotate(angle), colorspace=pymupdf.csGRAY)
    document = pymupdf.open()
    sheet = document.new_page(width=turned.width / 2, height=turned.height / 2)
    sheet.insert_image(sheet.rect, stream=turned.tobytes("png"))
    raster = paint_page(sheet)
    assert find_skew(raster) == pytest.approx(angle, abs=0.5)
    assert abs(find_skew(straighten(raster, angle))) <= 0.75


def test_dust_is_no_ink_and_a_word_is() -> None:
    """A blank sheet may have specks; a sheet with a few words is not blank."""
    _, page = page_of(["Signed."], width=595, height=842)
    raster = paint_page(page)
    assert not is_blank(raster)
    dusty = raster.pixels.copy()
    dusty[:] = 245
    dusty[300::397, 200::311] = 0
    assert is_blank(Raster(dusty, raster.zoom))


def test_words_stay_in_their_places_through_turn_and_skew() -> None:
    """A word's box on the displayed page is where it was, however the picture had to be turned to read it."""
    _, page = page_of(CLAUSES)
    flat = told_engine(CLAUSES)
    plain = transcribe(paint_page(page), flat, ("en",), ("en",))
    page.set_rotation(90)
    turned = told_engine(CLAUSES)

    def read_upright(pixels, dpi, languages):
        height, width = pixels.shape
        found = turned.read(pixels, dpi, languages)
        return found if width > height else type(found)((tuple(Word("x", w.box, 0.1) for w in found.lines[0]),))

    engine = type(turned)("told", "1", ("en",), read_upright, lambda pixels, dpi: (3, ""))
    found = transcribe(paint_page(page), engine, ("en",), ("en",))
    assert found.rotation == 90
    first, same = plain.lines[0][0], found.lines[0][0]
    x0, y0, x1, y1 = first.box
    assert same.box == pytest.approx((200 - y1, x0, 200 - y0, x1), abs=0.5)
    assert same.level == pytest.approx(first.level, abs=0.5)


def test_the_table_of_tesseract_is_read_as_data() -> None:
    """Rows that are no words, or are torn, are left out; words of a line stay together."""
    table = "\n".join(  # noqa: FLY002 one row a line
        [
            "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
            "4\t1\t1\t1\t1\t0\t10\t10\t90\t10\t-1\t",
            "5\t1\t1\t1\t1\t1\t10\t10\t40\t10\t96.5\tTwo",
            '5\t1\t1\t1\t1\t2\t60\t10\t40\t10\t50\t"years"',
            "5\t1\t1\t1\t2\t1\t10\t30\t40\t10\t-1\t ",
            "5\t1\t1\t1\t3\t1\t10\t30",
        ]
    )
    ((one, two),) = tesseract._read_tsv(table)
    assert (one.text, one.box, one.confidence) == ("Two", (10, 10, 50, 20), pytest.approx(0.965))
    assert (two.text, two.confidence) == ('"years"', 0.5)


def test_a_program_that_hangs_or_breaks_is_a_fault_not_an_error(tmp_path: Path) -> None:
    """The limit of time and the exit code end in the reason of the page."""
    program = tmp_path / "tesseract"
    program.write_text("#!/bin/sh\necho no model >&2\nexit 3\n")
    program.chmod(0o755)
    pixels = Raster(paint_page(page_of(["x"])[1]).pixels, 1.0).pixels
    assert "code 3: no model" in tesseract._read(str(program), 30, pixels, 300, ("en",)).fault
    program.write_text("#!/bin/sh\nexec sleep 30\n")
    assert "more than 1 seconds" in tesseract._read(str(program), 1, pixels, 300, ("en",)).fault
    assert "could not be started" in tesseract._read(str(tmp_path / "gone"), 1, pixels, 300, ("en",)).fault
