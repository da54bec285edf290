"""The lines and metrics that the experts signed (`data/metrics.toml`), ready to be found by their names."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from pipeline.generation.tables.words import name_pattern, plain_words

Unit = Literal["percent", "ratio", "days", "money"]


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a statement."""

    key: str
    name: str
    statement: str
    asked: tuple[str, ...]
    labels: tuple[str, ...]
    without: tuple[str, ...]
    outflow: bool
    kind: str
    in_formula: str | None


@dataclass(frozen=True, slots=True)
class Metric:
    """What is computed from lines; `formulas` in order of preference."""

    key: str
    name: str
    asked: tuple[str, ...]
    formulas: tuple[str, ...]
    unit: Unit
    source: str


@dataclass(frozen=True, slots=True)
class Definitions:
    """All of them by their key, with who signed them."""

    items: dict[str, Item]
    metrics: dict[str, Metric]
    owner: str
    version: str

    def named(self, text: str) -> list[tuple[int, int, str]]:
        """Where plain words name a line or a metric: start, end and key, of what overlaps the longest."""
        found: list[tuple[int, int, str]] = []
        for key, asked in self._names():
            for name in asked:
                if name.split()[0] in text:
                    found += [(match.start(), match.end(), key) for match in name_pattern(name).finditer(text)]
        kept: list[tuple[int, int, str]] = []
        for start, end, key in sorted(found, key=lambda one: (one[0] - one[1], one[0])):
            if all(end <= other[0] or other[1] <= start for other in kept):
                kept.append((start, end, key))
        return sorted(kept)

    def exactly(self, words: str) -> str | None:
        """The key that plain words name and nothing else."""
        for key, asked in self._names():
            if any(name_pattern(name).fullmatch(words) for name in asked):
                return key
        return None

    def _names(self) -> list[tuple[str, tuple[str, ...]]]:
        metrics = [(key, one.asked) for key, one in self.metrics.items()]
        return metrics + [(key, one.asked) for key, one in self.items.items()]


@lru_cache(maxsize=1)
def definitions() -> Definitions:
    """The shipped definitions; read once."""
    data = tomllib.loads((files("pipeline.generation") / "data" / "metrics.toml").read_text(encoding="utf-8"))
    return Definitions(
        items={key: _item(key, one) for key, one in data["items"].items()},
        metrics={key: _metric(key, one) for key, one in data["metrics"].items()},
        owner=data["owner"],
        version=data["version"],
    )


def _item(key: str, one: dict[str, Any]) -> Item:
    return Item(
        key=key, name=one["name"], statement=one.get("statement", ""),
        asked=tuple(plain_words(name) for name in one["asked"]), labels=tuple(one["labels"]),
        without=tuple(one.get("not", ())), outflow=one.get("outflow", False), kind=one.get("kind", "money"),
        in_formula=one.get("in_formula"),
    )  # fmt: skip


def _metric(key: str, one: dict[str, Any]) -> Metric:
    return Metric(
        key=key, name=one["name"], asked=tuple(plain_words(name) for name in one["asked"]),
        formulas=tuple(one["formula"]), unit=one["unit"], source=one["source"],
    )  # fmt: skip
