"""Presentations (PPTX): a page a slide, its words in reading order, tables and charts as rows."""

from __future__ import annotations

from pipeline.parsing.pptx.reader import read_pptx

__all__ = ["read_pptx"]
