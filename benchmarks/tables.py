"""How tables of real PDF pages are read: cells checked by hand, and what it costs beside MuPDF's plain text.

Run `python benchmarks/tables.py [FOLDER]`, FOLDER being the measuring data (default ../shared/data). A probe is right
when the cell in the row of that label and under that header holds that text: table, row, column and header are right
at once.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from time import process_time
from typing import Any

import pandas as pd

from pipeline.mupdf import pymupdf
from pipeline.parsing.assemble import make_document
from pipeline.parsing.pdf import read_pdf
from pipeline.parsing.settings import ParsingSettings
from pipeline.parsing.source import read_source
from pipeline.parsing.table_pages import mark_tables

Probe = tuple[str, str, str]  # how the row's label begins, what the column's header holds, the cell's text

# file, page, tables on the page, probes; read off the rendered pages
CHECKED: tuple[tuple[str, int, int, tuple[Probe, ...]], ...] = (
    ("financebench/pdfs/LOCKHEEDMARTIN_2021_10K.pdf", 26, 1, (("Space", "Leased", "2.9"), ("Total", "Total", "69.2"))),
    ("financebench/pdfs/LOCKHEEDMARTIN_2021_10K.pdf", 97, 1, (("Corporate debt", "2021 Level 2", "6,295"),)),
    ("mmlongbench/pdfs/User_Manual_1500S_Classic_EN.pdf", 66, 1, (("System cleaning; with", "Easy Milk", "x"),)),
    (
        "financebench/pdfs/WALMART_2018_10K.pdf",
        75,
        3,
        (
            ("Total", "January 31, 2018 Notional", "$10,773"),
            ("Available-for-sale", "January 31, 2017 Fair", "$2,046"),
            ("Long-term debt", "January 31, 2018 Carrying", "$33,783"),
        ),
    ),
    (
        "financebench/pdfs/MGMRESORTS_2022_10K.pdf",
        80,
        2,
        (("Non-operating items", "2021", "(83,243)"), ("BetMGM", "2020", "(61,663)")),
    ),
    ("financebench/pdfs/MGMRESORTS_2022_10K.pdf", 49, 1, (("Loss reserve for casino accounts", "2021", "117,539"),)),
    (
        "mmlongbench/pdfs/e79deb02a0c0e87511080836c5d4347b.pdf",
        11,
        1,
        (("09/02/15", "MEETING TOPIC", "External SWOT survey results analysis."),),
    ),
    ("financebench/pdfs/AMCOR_2023_10K.pdf", 92, 1, (("Commodity contracts", "June 30, 2022", "(20)"),)),
    ("financebench/pdfs/CVSHEALTH_2022_10K.pdf", 91, 1, (("December 9, 2021", "December 31, 2022", "6.5"),)),
    ("financebench/pdfs/CVSHEALTH_2018_10K.pdf", 313, 1, (("Accumulated amortization", "2017", "(140)"),)),
    (
        "financebench/pdfs/PEPSICO_2023_8K_dated-2023-05-05.pdf",
        3,
        3,
        (("Dina Dublon", "Against", "32,153,405"), ("Against", "", "65,112,424"), ("Broker", "", "172,969,325")),
    ),
    ("financebench/pdfs/NIKE_2018_10K.pdf", 79, 1, (("For the year ended May 31, 2018", "Write-Offs", "(658)"),)),
    ("financebench/pdfs/WALMART_2020_10K.pdf", 55, 1, (("Balances as of January 31, 2020", "Retained", "$83,943"),)),
    ("financebench/pdfs/BESTBUY_2024Q2_10Q.pdf", 16, 1, (("Net earnings", "Six Months Ended July 29, 2023", "$518"),)),
    ("financebench/pdfs/BESTBUY_2024Q2_10Q.pdf", 14, 1, (("International", "July 30, 2022", "1,147"),)),
    (
        "financebench/pdfs/GENERALMILLS_2022_10K.pdf",
        87,
        5,
        (
            ("Pension assets", "May 29, 2022", "52.6"),
            ("Grain contracts", "May 30, 2021", "0.9"),
            ("Accrued taxes", "May 29, 2022", "233.0"),
            ("Research and development", "Fiscal Year 2021", "239.3"),
            ("Interest income", "Fiscal Year 2020", "(6.0)"),
        ),
    ),
    ("financebench/pdfs/AMERICANWATERWORKS_2020_10K.pdf", 50, 1, (("Total assets", "2018", "$21,223"),)),
    ("financebench/pdfs/AMERICANEXPRESS_2022_10K.pdf", 47, 1, (("Processed revenue", "2020", "1,301"),)),
    (
        "financebench/pdfs/PEPSICO_2023Q1_EARNINGS.pdf",
        15,
        3,
        (
            ("Mark-to-market", "3/25/2023", "28"),
            ("Gain associated", "3/25/2023", "2,050"),
            ("Tax benefit", "12/31/2022", "(0.23)"),
        ),
    ),
    (
        "financebench/pdfs/3M_2018_10K.pdf",
        123,
        2,
        (("Dividend yield", "Annual 2018", "2.4%"), ("Forfeited", "2018 Number of Shares", "(40)")),
    ),
    (
        "financebench/pdfs/JOHNSON_JOHNSON_2022_10K.pdf",
        57,
        2,
        (("Money market", "2022 Carrying", "5,368"), ("Non-U.S. Sovereign", "2021 Current Marketable", "916")),
    ),
    (
        "financebench/pdfs/ULTABEAUTY_2023Q4_EARNINGS.pdf",
        8,
        2,
        (("Stock-based", "January 28, 2023", "43,044"), ("3rd Quarter", "opened during", "18")),
    ),
    ("papers/1706.03762v7.pdf", 8, 1, (("ConvS2S Ensemble", "BLEU EN-FR", "41.29"),)),
    ("papers/1706.03762v7.pdf", 9, 1, (("big", "BLEU", "26.4"),)),
    ("nist/NIST.FIPS.199.pdf", 10, 1, ()),
    ("torture/pdf/table_icdar_us008.pdf", 1, 1, (("4-year-olds", "Control Group", "855"),)),
    ("torture/pdf/superscripts_table.pdf", 1, 1, (("Gujarat", "Loans from NABARD", "1.11"),)),
)
SPEED = ("nist/NIST.FIPS.199.pdf", "papers/1706.03762v7.pdf", "financebench/pdfs/3M_2018_10K.pdf")


def main(folder: Path) -> None:
    """Print what was found, then the costs."""
    tables = expected = right = probes = 0
    for name, page_num, count, cells in CHECKED:
        frame = _read(folder / name, page_num)
        found = frame["table_id"].nunique()
        tables += min(found, count)
        expected += count
        faults = [probe for probe in cells if not _holds(frame, probe)]
        right += len(cells) - len(faults)
        probes += len(cells)
        if found != count or faults:
            print(f"{name} page {page_num}: {found} tables of {count}; wrong: {faults}")
    print(f"tables found {tables} of {expected}; cells right {right} of {probes}")
    for name in SPEED:
        print(f"{name}: tables cost {_cost(folder / name):.2f} of MuPDF's plain text")


def _read(path: Path, page_num: int) -> pd.DataFrame:
    settings = ParsingSettings(ocr="off", pages=(page_num,))
    source = read_source(path, settings)
    return make_document(source, settings, read_pdf(source, settings)).table_df


def _holds(frame: pd.DataFrame, probe: Probe) -> bool:
    label, header, text = probe
    for _, row in frame.groupby(["table_id", "row_num"]):
        if row[row["column_num"] == 1]["text"].str.startswith(label).any():
            near = row[row["header"].str.contains(header, regex=False)]
            if (near["text"].str.replace(r"[ $]", "", regex=True) == re.sub(r"[ $]", "", text)).any():
                return True
    return False


def _cost(path: Path) -> float:
    """CPU of finding the tables over that of the floor, the better of two runs each."""
    settings = ParsingSettings(ocr="off")
    source = read_source(path, settings)
    with pymupdf.open(path) as document:
        floor = min(_time(lambda: [page.get_text() for page in document]) for _ in range(2))
    times = []
    for _ in range(2):
        reading = read_pdf(source, settings)
        times.append(_time(mark_tables, reading.pages))
    return min(times) / floor


def _time(step: Any, *arguments: Any) -> float:
    begin = process_time()
    step(*arguments)
    return process_time() - begin


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))
