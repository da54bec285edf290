"""The transcript that most tests of the model door write to."""

from __future__ import annotations

import pytest

from pipeline.llm import Transcript


@pytest.fixture
def transcript():
    """A transcript in memory."""
    with Transcript(None) as transcript:
        yield transcript
