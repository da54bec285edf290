"""Images of a format without a layout."""

from __future__ import annotations

from pipeline.parsing.lines import ImageBox


def count_images(count: int) -> list[ImageBox]:
    """That many images without a place, which are only counted."""
    return [ImageBox(0.0, 0.0, 0.0, 0.0, 0, 0) for _ in range(count)]
