"""How text of a document or of a user stands in a prompt: as data that cannot end the place it stands in."""

from __future__ import annotations

import json


def fenced(data: object) -> str:
    """The data as JSON without angle brackets, so that no text in it can close a tag of the prompt around it."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
