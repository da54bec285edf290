"""Batches: questions put to a whole collection of documents; a workbook in, a workbook of proven answers out."""
