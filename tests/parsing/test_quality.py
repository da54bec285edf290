"""The quality of text: real text of many kinds is trusted, garbled text is not, unknown scripts are no junk."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.parsing.pages import MIN_QUALITY
from pipeline.parsing.quality import measure_quality

CONTRACT = [
    "This Agreement may be terminated by either party upon thirty (30) days' prior written notice to the other party,",
    "provided that such termination shall not release the Supplier from any liability accrued before the date thereof.",
    "THE FOREGOING WARRANTIES ARE EXCLUSIVE AND IN LIEU OF ALL OTHER WARRANTIES, WHETHER EXPRESS OR IMPLIED.",
]
GOOD = {
    "English": CONTRACT,
    "Spanish": [
        "El arrendatario deberá abonar la renta mensual dentro de los cinco primeros días hábiles de cada mes natural,",
        "mediante transferencia bancaria a la cuenta designada por el arrendador en la cláusula segunda del contrato.",
    ],
    "French": [
        "Le présent contrat est conclu pour une durée déterminée de douze mois à compter de la date de signature,",
        "renouvelable par tacite reconduction, sauf dénonciation par l'une des parties moyennant un préavis d'un mois.",
    ],
    "German": [
        "Der Auftragnehmer verpflichtet sich, die vertraglich geschuldeten Leistungen ordnungsgemäß und fristgerecht",
        "zu erbringen; die Vergütung wird innerhalb von dreißig Tagen nach Rechnungsstellung zur Zahlung fällig.",
    ],
    "Polish": [
        "Niniejsza umowa zostaje zawarta na czas określony dwunastu miesięcy od dnia jej podpisania przez obie strony,",
        "a każda ze stron może ją rozwiązać z zachowaniem trzymiesięcznego okresu wypowiedzenia w formie pisemnej.",
    ],
    "figures": [
        "Revenue 1,234.5 1,102.3 12.0%  Cost of sales (803.2) (744.9) 7.8%  Gross profit 431.3 357.4",
        "EBITDA 210.7 181.0 16.4%  D&A (45.1) (39.2)  EBIT 165.6 141.8  FY21 FY20 Q4 YoY bps USDm EURk n.a. n.m.",
    ]
    * 3,
    "names": [
        "Nguyen Thi Minh Khai, Oluwaseun Adebayo, Siobhan O'Reilly, Xiaoming Zhang, Hrvoje Petrović, Åsa Lindqvist,",
        "Venkataraman Subramaniam, Tomasz Wójcik, Aikaterini Papadopoulou, Mehmet Yıldırım, Guðrún Jónsdóttir",
    ],
    "source code": [
        "def read_page(document, page_num, settings): result = PageRead(page_num); page = document.load_page(0)",
        "for (int i = 0; i < count; ++i) { if (buffer[i] != NULL) total += strlen(buffer[i]); } return total;",
        "SELECT customer_id, SUM(amount) FROM orders WHERE status = 'open' GROUP BY customer_id HAVING COUNT(*) > 3;",
    ],
    "Chinese": ["本合同自双方签字盖章之日起生效，有效期为两年。任何一方可以提前三十日书面通知对方解除本合同。"] * 4,
    "Arabic": ["يسري هذا العقد لمدة سنتين من تاريخ التوقيع ما لم يتم إنهاؤه قبل ذلك كتابة من قبل أي من الطرفين"] * 4,
    "Russian": ["Настоящий договор вступает в силу с момента его подписания сторонами и действует в течение двух лет."]
    * 4,
    "Hebrew": ["הסכם זה ייכנס לתוקף ביום חתימתו על ידי שני הצדדים ויעמוד בתוקפו למשך שנתיים"] * 4,
    "Greek": ["Η παρούσα σύμβαση τίθεται σε ισχύ από την ημερομηνία υπογραφής της και διαρκεί δύο έτη."] * 4,
    "blanks to fill in": [
        "Name: ______________________",
        "Date: ____ / ____ / ________",
        "Signature ........................",
    ],
    "bullets of a symbol font": ["\uf0b7 The Supplier shall deliver.", "\uf0b7 The Customer shall pay.", "\uf0a8 Other"]
    * 5,
    "letters of chemistry": ["C6H12O6 NaCl H2SO4 KMnO4 pH 7.4 mmol/L HbA1c LDL HDL TSH fT4 CRP"] * 3,
    "ornaments": ["❚❘❙❚❘❙❚❘❙❚❙❚❘❙❚❘❙❚❘❙❚❘❙", "FREE CULTURE", "■ □ ► ◄ ✓ ✗ → ⇒ ≤ ≥"],
    "nothing": [],
    "a page number": ["17"],
}


def shift(text: str, by: int, *, letters_only: bool) -> str:
    """Each character so many places on, as fonts without a map to Unicode give their glyph numbers."""
    if not letters_only:
        return "".join(chr(ord(c) + by) if ord(c) + by > 0 else "\ufffd" for c in text)
    return "".join(chr((ord(c.lower()) - 97 + by) % 26 + 97) if c.isalpha() and c.isascii() else c for c in text)


def exchange(text: str, seed: int) -> str:
    """Each letter for another one, the same throughout."""
    letters = list(string.ascii_lowercase)
    random.Random(seed).shuffle(letters)  # noqa: S311 no secret
    return text.lower().translate(str.maketrans(string.ascii_lowercase, "".join(letters)))


@pytest.mark.parametrize("kind", GOOD)
def test_real_text_is_trusted(kind: str) -> None:
    """Contracts, figures, names, code, and scripts that are not judged."""
    assert measure_quality(GOOD[kind]) >= MIN_QUALITY + 0.05


@pytest.mark.parametrize("by", [-29, 29, 3, 13, 31])
def test_text_whose_characters_are_shifted_is_junk(by: int) -> None:
    """What a font without ToUnicode gives: glyph numbers in place of characters."""
    assert measure_quality([shift(line, by, letters_only=False) for line in CONTRACT]) < MIN_QUALITY


@pytest.mark.parametrize("language", ["English", "Spanish", "French"])
@given(seed=st.integers(0, 2**32), by=st.integers(2, 24))
def test_words_of_exchanged_letters_are_junk(language: str, seed: int, by: int) -> None:
    """Characters that are characters, in words that are none."""
    assert measure_quality([exchange(line, seed) for line in GOOD[language]]) < MIN_QUALITY
    assert measure_quality([shift(line, by, letters_only=True) for line in GOOD[language]]) < MIN_QUALITY


def test_replacement_control_and_private_characters_count_against_text() -> None:
    """Half of them bad leaves half at most."""
    for bad in ("\ufffd", "\x03", "\ue123\ue124"):
        assert measure_quality(["the fee is due " + bad * 12] * 4) < MIN_QUALITY


def test_scraps_count_only_against_a_recogniser() -> None:
    """'n sns s s a n' is what bad scans become; a map or a formula may hold as many single letters."""
    scraps = ["n sn s a n o s ne s a on n s e as n o"] * 8
    assert measure_quality(scraps, is_recognised=True) < MIN_QUALITY
    assert measure_quality(scraps) >= MIN_QUALITY


def test_a_few_words_are_not_judged() -> None:
    """Below sixty letters, names and codes look like anything."""
    assert measure_quality(["Xqzzt Kft., Grzegorz Brzęczyszczykiewicz"]) >= MIN_QUALITY


@given(st.lists(st.text(max_size=80), max_size=30), st.booleans())
def test_any_text_has_a_quality(lines: list[str], is_recognised: bool) -> None:
    """Between 0 and 1, whatever stands there."""
    assert 0.0 <= measure_quality(lines, is_recognised=is_recognised) <= 1.0


@pytest.mark.shared
def test_garbled_pages_of_real_files_are_told(shared_data) -> None:
    """Arabic without ToUnicode, Cyrillic recognised as Latin: not trusted."""
    from pipeline.parsing import parse_document
    from pipeline.parsing.settings import ParsingSettings

    off = ParsingSettings(ocr="off", pages=(1,))
    for name in ("notounicode_arabic_thuluth.pdf", "notounicode_truetype.pdf", "acroform_cycle_in_field_parents.pdf"):
        pages = parse_document(shared_data / "torture" / "pdf" / name, settings=off).page_df
        assert pages["status"].iloc[0] == "unreadable", name


def test_a_word_of_thousands_of_letters_is_judged_like_a_long_one() -> None:
    """Words that are too long for the quick count of bits are counted the slow way, beside the others."""
    filling = ["the fee is due on the first day of each month " * 3]
    quick, slow = (measure_quality([*filling, "zq" * count]) for count in (1000, 1001))
    assert quick == pytest.approx(slow, abs=0.001)
