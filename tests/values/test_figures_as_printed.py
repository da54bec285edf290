"""Amounts, percentages, counts, codes and spans of time as contracts and reports print them, in three languages."""

from __future__ import annotations

import pytest

from pipeline.values import find_values
from schemas.values import Amount, Count, DateValue, Duration, Iban, Identifier, Percentage


def read(text: str, kind: str, language: str = "en") -> list[str]:
    """The values in short: 'GBP 25000', '8 | per month', '2.5 year', '12 stores', 'vat FR40303265045'."""
    told = []
    for one in find_values(text, kind, language=language):
        match one.value:
            case Amount() as value:
                told.append(f"{value.currency or '-'} {value.value.normalize():f}")
            case Percentage() as value:
                told.append(f"{value.value.normalize():f}" + (f" | {value.basis}" if value.basis else ""))
            case Count() as value:
                told.append(f"{value.number:f} {value.of}")
            case Duration() as value:
                told.append(f"{value.number.normalize():f} {value.unit}")
            case DateValue() as value:
                told.append(value.iso.isoformat())
            case Iban() as value:
                told.append(value.iban)
            case Identifier() as value:
                told.append(f"{value.scheme or '-'} {value.text}")
    return told


_CELLS = [
    ("Build  30 September 2022  £25,000", ["GBP 25000"]),
    ("Build 30 September 2022 £25,000", ["GBP 25000"]),
    ("Build\t30 September 2022\t£25,000", ["GBP 25000"]),
    ("Revenue  2022  $1,245.6", ["USD 1245.6"]),
    ("2023 $ 2,018", ["USD 2018"]),
    ("$   2,018   $   1,950", ["USD 2018", "USD 1950"]),
    ("from 2022 €3.5m to", ["EUR 3500000"]),
    ("Section 4.2 $500,000", ["USD 500000"]),
    ("1 EUR 750 for customers with more than three sites", ["EUR 750"]),
    ("2 CHF 1'250.-- per month", ["CHF 1250"]),
    ("12 months 5 000 EUR 3 fois", ["EUR 5000"]),
    ("lot 4 £ 1,200", ["GBP 1200"]),
    ("1 000 € 2 000 €", ["EUR 1000", "EUR 2000"]),
    ("450 EUR 750", []),
    ("1 234  567 €", ["EUR 567"]),
    ("EUR million  2023  2022", []),
    ("EUR 2023 2022", []),
    ("Spain  21%  EUR\n3. Something else", []),
    ("30 September 2022 £", []),
    ("12  EUR", []),
    ("100 USD\n1.5 Payment", ["USD 100"]),
]


@pytest.mark.parametrize(("text", "values"), _CELLS)
def test_a_sign_belongs_to_the_figure_in_its_own_cell(text: str, values: list[str]) -> None:
    """A year, a mark or a figure of the cell before is no amount; what two figures could claim is nobody's."""
    assert read(text, "amount") == values


_AMOUNTS = [
    # signs, codes and the words around them
    ("US$ 1,250.50", "en", ["USD 1250.5"]),
    ("US$5m", "en", ["USD 5000000"]),
    ("U.S. $2,000", "en", ["USD 2000"]),
    ("C$ 300", "en", ["CAD 300"]),
    ("CA$1.2 million", "en", ["CAD 1200000"]),
    ("A$ 500", "en", ["AUD 500"]),
    ("AU$12,000", "en", ["AUD 12000"]),
    ("NZ$40", "en", ["NZD 40"]),
    ("HK$ 8,000,000", "en", ["HKD 8000000"]),
    ("S$ 900", "en", ["SGD 900"]),
    ("R$ 1.500,00", "es", ["BRL 1500"]),
    ("R$1.500,00", "en", ["BRL 1500"]),
    ("MXN 12,500", "en", ["MXN 12500"]),
    ("RMB 6.5 million", "en", ["CNY 6500000"]),
    ("6.5 million RMB", "en", ["CNY 6500000"]),
    ("CN¥ 600", "en", ["CNY 600"]),
    ("Rs. 5 lakh", "en", ["INR 500000"]),
    ("Rs 2.5 crore", "en", ["INR 25000000"]),
    ("INR 12,34,567.00", "en", ["INR 1234567"]),
    ("₹ 1,00,00,000", "en", ["INR 10000000"]),
    ("¥ 5,000,000", "en", ["JPY 5000000"]),
    ("JPY 12 billion", "en", ["JPY 12000000000"]),
    ("CHF 1'250.--", "en", ["CHF 1250"]),
    ("CHF 1'250.-", "fr", ["CHF 1250"]),
    ("CHF 1’250’000.50", "en", ["CHF 1250000.5"]),
    ("Fr. 300.-", "fr", []),
    ("SEK 4 500", "en", ["SEK 4500"]),
    ("NOK 1.2bn", "en", ["NOK 1200000000"]),
    ("EUR\u00a01\u202f250,00", "fr", ["EUR 1250"]),
    ("1\u202f250\u00a0€", "fr", ["EUR 1250"]),
    ("€1,250.00", "en", ["EUR 1250"]),
    ("1.250,00 €", "es", ["EUR 1250"]),
    ("1.250 €", "es", ["EUR 1250"]),
    ("1.250 euros", "es", ["EUR 1250"]),
    ("2.000 €", "fr", ["EUR 2000"]),
    ("2000 €", "fr", ["EUR 2000"]),
    ("50 000 euros", "fr", ["EUR 50000"]),
    ("£1,000,000.00", "en", ["GBP 1000000"]),
    ("GBP 950 plus VAT", "en", ["GBP 950"]),
    ("950 pounds sterling", "en", ["GBP 950"]),
    ("USD $500", "en", ["USD 500"]),
    ("$500 USD", "en", ["USD 500"]),
    ("$.50 per share", "en", ["USD 0.5"]),
    ("$0.0001 par value", "en", ["USD 0.0001"]),
    # scales
    ("€3k", "en", ["EUR 3000"]),
    ("45 k€", "fr", ["EUR 45000"]),
    ("45k€", "fr", ["EUR 45000"]),
    ("12 M€", "fr", ["EUR 12000000"]),
    ("12,5 M€", "fr", ["EUR 12500000"]),
    ("M€ 12.5", "en", ["EUR 12500000"]),
    ("€ 12,5 M", "es", ["EUR 12500000"]),
    ("3 Md€", "fr", ["EUR 3000000000"]),
    ("2 Mds €", "fr", ["EUR 2000000000"]),
    ("$12 MM", "en", ["USD 12000000"]),
    ("$12MM", "en", ["USD 12000000"]),
    ("EUR 12 mn", "en", ["EUR 12000000"]),
    ("EUR 12 mln", "en", ["EUR 12000000"]),
    ("€ 2,5 Mrd.", "en", ["EUR 2500000000"]),
    ("€ 3 Mio.", "en", ["EUR 3000000"]),
    ("USD 1.2 trillion", "en", ["USD 1200000000000"]),
    ("1,234 thousand dollars", "en", ["USD 1234000"]),
    ("$1.250 million", "en", ["USD 1250000"]),
    ("1,2 millones de euros", "es", ["EUR 1200000"]),
    ("600 mil euros", "es", ["EUR 600000"]),
    ("5 mil millones de dólares", "es", ["USD 5000000000"]),
    ("3 milliards d'euros", "fr", ["EUR 3000000000"]),
    ("1,5 million d’euros", "fr", ["EUR 1500000"]),
    ("EUR million 12.5", "en", []),
    # negatives, plus and minus, about
    ("$(22.1) million", "en", ["USD -22100000"]),
    ("$(1,234)", "en", ["USD -1234"]),
    ("($1,234)", "en", ["USD 1234"]),
    ("-$5.00", "en", ["USD -5"]),
    ("$-5.00", "en", ["USD -5"]),
    ("€ −500", "en", ["EUR -500"]),
    ("+ $500", "en", ["USD 500"]),
    ("approximately $1.5 million", "en", ["USD 1500000"]),
    ("±$500", "en", []),
    ("+/- €500", "en", []),
    # ranges
    ("$10-15 million", "en", ["USD 10000000", "USD 15000000"]),
    ("between $5 and $10 million", "en", ["USD 5000000", "USD 10000000"]),
    ("between $5 and 10 million", "en", ["USD 5000000", "USD 10000000"]),
    ("from €5 to €7 million", "en", ["EUR 5000000", "EUR 7000000"]),
    ("€5m–€7m", "en", ["EUR 5000000", "EUR 7000000"]),
    ("$500–$1,000", "en", ["USD 500", "USD 1000"]),
    ("USD 100-200", "en", ["USD 100", "USD 200"]),
    ("entre 5 y 7 millones de euros", "es", ["EUR 5000000", "EUR 7000000"]),
    ("entre 5 et 7 millions d'euros", "fr", ["EUR 5000000", "EUR 7000000"]),
    ("de 100 a 200 euros", "es", ["EUR 100", "EUR 200"]),
    ("$500 to 10 million customers", "en", []),
    ("de 10 000 à 15 000 €", "fr", ["EUR 10000", "EUR 15000"]),
    ("5,000-10,000 euros", "en", ["EUR 5000", "EUR 10000"]),
    # words
    ("two hundred fifty thousand dollars ($250,000)", "en", ["USD 250000"]),
    ("Two Hundred Fifty Thousand and No/100 Dollars ($250,000.00)", "en", ["USD 250000"]),
    ("one and a half million dollars", "en", ["USD 1500000"]),
    ("half a million dollars", "en", ["USD 500000"]),
    ("un millón doscientos mil euros", "es", ["EUR 1200000"]),
    ("un millón doscientos mil euros (1.200.000 €)", "es", ["EUR 1200000"]),
    ("dos millones y medio de euros", "es", ["EUR 2500000"]),
    ("medio millón de euros", "es", ["EUR 500000"]),
    ("doscientas cincuenta mil libras esterlinas", "es", ["GBP 250000"]),
    ("mil quinientos euros", "es", ["EUR 1500"]),
    ("cien mil dólares", "es", ["USD 100000"]),
    ("deux cent cinquante mille euros", "fr", ["EUR 250000"]),
    ("deux-cent-cinquante-mille euros", "fr", ["EUR 250000"]),
    ("un million deux cent mille euros", "fr", ["EUR 1200000"]),
    ("deux millions et demi d'euros", "fr", ["EUR 2500000"]),
    ("un demi-million d'euros", "fr", ["EUR 500000"]),
    ("quatre-vingt-dix-neuf euros", "fr", ["EUR 99"]),
    ("mille deux cents francs suisses", "fr", ["CHF 1200"]),
    # line breaks and gaps of recognition
    ("USD\n1,250,000", "en", ["USD 1250000"]),
    ("five million\ndollars", "en", ["USD 5000000"]),
    ("$30, 000", "en", ["USD 30000"]),
    ("$1,250, 000", "en", ["USD 1250000"]),
    ("$ 1 ,250", "en", []),
    ("$1,2345", "en", []),
    ("2.018", "en", []),
]


@pytest.mark.parametrize(("text", "language", "values"), _AMOUNTS)
def test_an_amount_is_read_as_printed(text: str, language: str, values: list[str]) -> None:
    """The sum that an expert reads, alone and inside a sentence; nothing where two readings are possible."""
    assert read(text, "amount", language) == values
    assert read(f"of {text}, as agreed", "amount", language) == values


_PERCENTAGES = [
    ("8%", "en", ["8"]),
    ("8 %", "fr", ["8"]),
    ("8,5 %", "es", ["8.5"]),
    ("12.345%", "en", ["12.345"]),
    ("25 bps", "en", ["0.25"]),
    ("25bps", "en", ["0.25"]),
    ("150 bp", "en", ["1.5"]),
    ("25 pb", "fr", ["0.25"]),
    ("twenty-five basis points", "en", ["0.25"]),
    ("twenty-five (25) basis points", "en", ["0.25"]),
    ("veinticinco puntos básicos", "es", ["0.25"]),
    ("vingt-cinq points de base", "fr", ["0.25"]),
    ("1/2%", "en", ["0.5"]),
    ("1/2 of 1%", "en", ["0.5"]),
    ("½%", "en", ["0.5"]),
    ("1 1/2%", "en", ["1.5"]),
    ("2½ %", "en", ["2.5"]),
    ("one half of one percent", "en", ["0.5"]),
    ("one-half of one percent (0.5%)", "en", ["0.5"]),
    ("one-half of one percent (1/2%)", "en", ["0.5"]),
    ("one quarter of one percent", "en", ["0.25"]),
    ("three-quarters of one percent (0.75%)", "en", ["0.75"]),
    ("one-tenth of 1%", "en", ["0.1"]),
    ("one and one-half percent (1.5%)", "en", ["1.5"]),
    ("1.5% per month", "en", ["1.5 | per month"]),
    ("one and one-half percent (1 1/2%) per month", "en", ["1.5 | per month"]),
    ("12% per annum", "en", ["12 | per annum"]),
    ("12% p.a.", "en", ["12 | p.a."]),
    ("12% a year", "en", ["12 | a year"]),
    ("12 % annually", "en", ["12 | annually"]),
    ("8 % anual", "es", ["8 | anual"]),
    ("un 8 % de interés", "es", ["8"]),
    ("8 % de interés anual", "es", ["8 | anual"]),
    ("el ocho por ciento", "es", ["8"]),
    ("ocho por ciento (8 %) anual", "es", ["8 | anual"]),
    ("el 5 por 100", "es", ["5"]),
    ("el dos y medio por ciento", "es", ["2.5"]),
    ("huit pour cent", "fr", ["8"]),
    ("5 p. 100", "fr", ["5"]),
    ("1 % par mois de retard", "fr", ["1 | par mois"]),
    ("10 % l'an", "fr", ["10 | l'an"]),
    ("deux et demi pour cent", "fr", ["2.5"]),
    ("5%-7%", "en", ["5", "7"]),
    ("5-7%", "en", ["5", "7"]),
    ("5 to 7 per cent", "en", ["5", "7"]),
    ("entre el 5 % y el 7 %", "es", ["5", "7"]),
    ("-3.2%", "en", ["-3.2"]),
    ("(3.2)%", "en", ["-3.2"]),
    ("(3.2%)", "en", ["3.2"]),
    ("+/- 5%", "en", []),
    ("±5%", "en", []),
    ("0.05 per cent", "en", ["0.05"]),
    ("2022  20%  EUR", "en", ["20"]),
    ("3  %", "en", ["3"]),
]


@pytest.mark.parametrize(("text", "language", "values"), _PERCENTAGES)
def test_a_percentage_is_read_as_printed(text: str, language: str, values: list[str]) -> None:
    """Fractions of a percent, basis points, periods of a rate, ranges; a tolerance either way is no value."""
    assert read(text, "percentage", language) == values


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("dos años y medio", "es", ["2.5 year"]),
        ("un año y medio", "es", ["1.5 year"]),
        ("año y medio", "es", ["1.5 year"]),
        ("a year and a half", "en", ["1.5 year"]),
        ("two years and a half", "en", ["2.5 year"]),
        ("two and a half years", "en", ["2.5 year"]),
        ("deux ans et demi", "fr", ["2.5 year"]),
        ("un mois et demi", "fr", ["1.5 month"]),
        ("dos meses y medio", "es", ["2.5 month"]),
        ("2  years", "en", []),
        ("12  30 days", "en", ["30 day"]),
        ("trente  (30) jours", "fr", ["30 day"]),
    ],
)
def test_halves_and_cells_of_spans_of_time(text: str, language: str, values: list[str]) -> None:
    """'and a half' belongs to the span, and a figure of another cell does not."""
    assert read(text, "duration", language) == values


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ("Design  30  June 2022", "date", []),
        ("5  30 June 2022  12", "date", ["2022-06-30"]),
        ("640  702 stores", "number", ["702 stores"]),
        ("FR14 2004 1010 0505 0001 3M02 606", "iban", ["FR1420041010050500013M02606"]),
        ("FR14 2004 1010 0505 0001 3M02 606 BIC ABCDFRPP", "iban", ["FR1420041010050500013M02606"]),
        ("ES91 2100 0418 4502 0005 1332", "iban", ["ES9121000418450200051332"]),
        ("ES91\u00a02100\u00a00418\u00a04502\u00a00005\u00a01332", "iban", ["ES9121000418450200051332"]),
        ("ES91 2100 0418 4502\n0005 1332", "iban", ["ES9121000418450200051332"]),
        ("FR14 2004 1010 0505 0001 3M02 607", "iban", []),
        ("VAT at 20%", "identifier", []),
        ("VAT FR40 303 265 045", "identifier", ["vat FR40 303 265 045"]),
    ],
)
def test_dates_counts_and_codes_as_printed(text: str, kind: str, values: list[str]) -> None:
    """Cells part dates and counts; groups of a code belong together, whatever space stands between them."""
    assert read(text, kind) == values
