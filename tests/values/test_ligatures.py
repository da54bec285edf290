"""Ligatures: values are read through them, and keep the wording of the text."""

from __future__ import annotations

import pytest

from pipeline.values import find_values


@pytest.mark.parametrize(
    ("text", "kind", "wording"),
    [
        ("a period of ﬁve (5) years from", "duration", "ﬁve (5) years"),
        ("within ﬁfteen (15) days", "duration", "ﬁfteen (15) days"),
        ("not exceed ﬁfty thousand dollars in all", "amount", "ﬁfty thousand dollars"),
    ],
)
def test_a_value_is_read_through_a_ligature(text: str, kind: str, wording: str) -> None:
    """The value is that of the letters, its place and wording those of the text."""
    (found,) = find_values(text, kind)
    assert text[found.start : found.end] == wording
    assert getattr(found.value, "original", wording) == wording
    (plain,) = find_values(text.replace("ﬁ", "fi"), kind)
    assert plain.value.model_dump(exclude={"original"}) == found.value.model_dump(exclude={"original"})
