"""Named steps that lift an older record to the next version; one step a version, applied in order, without gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schemas.errors import RecordError

Fields = dict[str, Any]
Step = Callable[[Fields], Fields]

# (schema name, from version) -> the step to the next version. Each takes the JSON fields and gives new ones; the input
# is left as it was. Names read m001_what_changed.
UPGRADES: Mapping[tuple[str, int], Step] = {}


def upgrade(
    name: str, fields: Fields, version: int, current: int, steps: Mapping[tuple[str, int], Step] = UPGRADES
) -> Fields:
    """The fields of a `name` record of `version`, lifted step by step to `current`.

    Raises RecordError where a step is missing.
    """
    for at in range(version, current):
        step = steps.get((name, at))
        if step is None:
            raise RecordError(f"no upgrade is known for a {name} record from version {at} to {at + 1}")
        fields = step(dict(fields))
    return fields
