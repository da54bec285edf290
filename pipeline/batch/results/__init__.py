"""The results of a batch as files: a workbook of typed, cited, linked cells; a CSV file; JSON lines."""

from pipeline.batch.results.book import Facts
from pipeline.batch.results.writing import write_results

__all__ = ["Facts", "write_results"]
