"""What a cell shows for a value and a number format."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.xlsx.number_format import show_value

ACCOUNTING = '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'
THREE_WAY = '[>100]"big" 0;[<0]"neg" 0;"small" 0'


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (1599.99, "#,##0.00", "1,599.99"),
        (-1599.99, "#,##0.00", "-1,599.99"),
        (1599.99, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', "$1,599.99"),
        (-1599.99, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', "($1,599.99)"),
        (1234567, "#,##0,", "1,235"),
        (1234567, '0.0,,"M"', "1.2M"),
        (12, "0,000", "0,012"),
        (1e15, "#,##0", "1,000,000,000,000,000"),
        (1.005, "0.00", "1.01"),
        (0.5, "#.##", ".5"),
        (12, "#.##", "12."),
        (0, "#", ""),
        (0.125, "0%", "13%"),
        (0.025, "0.00%", "2.50%"),
        (198356388, "0.00E+00", "1.98E+08"),
        (9.999e7, "0.0E+0", "1.0E+8"),
        (12345678, "##0.0E+0", "12.3E+6"),
        (0.00012, "0.0E-0", "1.2E-4"),
        (2.5, "# ?/?", "2 1/2"),
        (0.5, "# ?/?", "1/2"),
        (3, "# ?/?", "3"),
        (0, "# ?/?", "0"),
        (0.125, "?/8", "1/8"),
        (3.3, "# ?/16", "3 5/16"),
        (1.75, "?/?", "7/4"),
        (3.14159, "# ??/??", "3 1/7"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (123456789, "000-00-0000", "123-45-6789"),
        (19.99, '0\\ "dollars and"\\ .00\\ "cents"', "19 dollars and .99 cents"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (1234.5, "#,##0.00\\ [$€-407]", "1,234.50 €"),
        (0, ACCOUNTING, "$-"),
        (-5, ACCOUNTING, "$(5.00)"),
        ("n/a", ACCOUNTING, "n/a"),
        (150, THREE_WAY, "big 150"),
        (50, THREE_WAY, "small 50"),
        (-3, THREE_WAY, "neg 3"),
        (-2, "0;0", "2"),
        (0, '"yes";"yes";"no"', "no"),
        (7, 'General" units"', "7 units"),
        (-7, 'General" units"', "-7 units"),
        (5, "@", "5"),
        ("note", '"see "@', "see note"),
        (5, ";;;", ""),
        ("secret", ";;;", ""),
        (True, "0.00", "TRUE"),
        (False, "General", "FALSE"),
    ],
)
def test_numbers_are_shown_as_excel_shows_them(value: float | str | bool, code: str, shown: str) -> None:
    """Sections, thousands, percent, scientific, fractions, literals, conditions and currencies."""
    assert show_value(value, code) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.1 + 0.2, "0.3"),
        (12345678901, "12345678901"),
        (123456789012, "1.23457E+11"),
        (1234.567890123, "1234.56789"),
        (0.123456789012, "0.123456789"),
        (99999999999.9, "1E+11"),
        (1e-5, "0.00001"),
        (1.23456789012e-7, "1.23457E-07"),
        (-1e100, "-1E+100"),
        (1618.5, "1618.5"),
        (0.0, "0"),
    ],
)
def test_general_shows_at_most_eleven_characters(value: float, shown: str) -> None:
    """General rounds to the cell and turns to the scientific form for what is too long."""
    assert show_value(value, "General") == shown


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (45658, "yyyy-mm-dd", "2025-01-01"),
        (45658, "dd.mm.yyyy dddd", "01.01.2025 Wednesday"),
        (45658, "[$-407]d. mmmm yyyy", "1. Januar 2025"),
        (45658, '[$-40A]d" de "mmmm" de "yyyy', "1 de enero de 2025"),
        (45658, "[$-40C]dddd d mmm yy", "mercredi 1 janv 25"),
        (1, "yyyy-mm-dd ddd", "1900-01-01 Sun"),
        (60, "yyyy-mm-dd", "1900-02-29"),
        (61, "yyyy-mm-dd", "1900-03-01"),
        (0, "d mmm yyyy", "0 Jan 1900"),
        (40000.5, "m/d/yy h:mm", "7/6/09 12:00"),
        (0.5, "h AM/PM", "12 PM"),
        (0, "h:mm A/P", "12:00 A"),
        (0.999999, "h:mm:ss", "0:00:00"),
        (61.25 / 86400, "mm:ss.0", "01:01.3"),
        (1.5, "[h]:mm", "36:00"),
        (60 / 86400, "[mm]:ss", "01:00"),
        (40000, "mmmmm", "J"),
        (40000, "b", "52"),
        (-1, "yyyy", "-1"),
        (3e6, "yyyy", "3000000"),
        (39219.1805, '"At"\\ h:mm\\ AM/PM\\ "on"\\ dddd\\ mmmm\\ d","\\ yyyy', "At 4:19 AM on Thursday May 17, 2007"),
    ],
)
def test_serial_numbers_are_shown_as_dates(value: float, code: str, shown: str) -> None:
    """Dates, times and durations, with the leap day of 1900 that Excel counts, and names in the format's language."""
    assert show_value(value, code) == shown


def test_the_1904_system_shifts_dates_and_allows_negative_durations() -> None:
    """Day 0 of such a workbook is 1 January 1904."""
    assert show_value(0, "yyyy-mm-dd", date_1904=True) == "1904-01-01"
    assert show_value(44196, "yyyy-mm-dd", date_1904=True) == "2025-01-01"
    assert show_value(-0.5, "[h]:mm", date_1904=True) == "-12:00"


@given(
    st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.text(max_size=20), st.booleans()),
    st.text(alphabet='0#?.,%E+-/yMdhsAaPp[]<>=;"\\_*@ $€ge$General', max_size=30),
)
def test_any_code_shows_one_line_and_never_fails(value: float | str | bool, code: str) -> None:
    """A file may hold any words for a format: something comes out, trimmed, and the same each time."""
    shown = show_value(value, code)
    assert shown == shown.strip()
    assert shown == show_value(value, code)


@given(st.floats(min_value=-1e9, max_value=1e9, allow_nan=False), st.integers(0, 6))
def test_fixed_places_agree_with_rounding(value: float, places: int) -> None:
    """A plain format of digits is the rounded number, read back within half of its last place."""
    code = "0." + "0" * places if places else "0"
    assert float(show_value(value, code)) == pytest.approx(value, abs=0.5 * 10**-places + 1e-6)
