"""The questions of a batch: read from a workbook, a CSV file or JSON lines; every fault by its place."""

from pipeline.batch.reading.questions import check_filters, read_questions
from pipeline.batch.reading.template import write_template

__all__ = ["check_filters", "read_questions", "write_template"]
