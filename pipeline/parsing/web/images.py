"""Images of a format without a layout."""

from __future__ import annotations

from pipeline.parsing.lines import ImageBox
from pipeline.parsing.reading import Finding


def count_images(count: int) -> list[ImageBox]:
    """That many images without a place, which are only counted."""
    return [ImageBox(0.0, 0.0, 0.0, 0.0, 0, 0) for _ in range(count)]


def tell_images(count: int) -> list[Finding]:
    """The finding that words in the images were not read; none without images."""
    if not count:
        return []
    return [Finding("image", f"{count:,} images are shown; what they show, words in them too, was not read.")]
