"""Rows: fragments that stand beside each other become one line, with one space between words and two between cells."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from pipeline.parsing.page_text import Fragment

ROW_OVERLAP = 0.5  # share of the lower fragment's height that must lie beside the row to belong to it
FAR_EMS = 2.5  # gap from which a fragment is far off: no words of one sentence, cells of a table or notes in a margin
FAR_OFFSET = 0.25  # share of its height by which the baseline or middle of a far fragment may differ
CELL_GAP_EMS = 0.9  # gap from which two fragments of a row are cells; words stand closer, also in justified text
CELL_SEPARATOR = "  "  # two spaces between cells of a row, so that the eye (and a model) still sees the gap
TOUCH_EMS = 0.08  # gap up to which two fragments are pieces of one word (kerning)
LABEL_GAP_EMS = 5.0  # gap up to which a number at the head of a row belongs to the text behind it
COLLISION_EMS = 0.3  # overlap from which two fragments cannot stand side by side in one row
STACK_EMS = 0.9  # the same where they follow each other: the index below an exponent begins under it

_LABEL = re.compile(r"[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlcIVXLC]{1,6})[.)\]:]{0,2}|[•●○▪■□–—*·\uf0b7-]")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LTR = re.compile("[^\\W\\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def join_rows(group: Sequence[Fragment]) -> list[list[Fragment]]:
    """Fragments joined into rows from top to bottom, each row in the direction of its script."""
    rows: list[list[Fragment]] = []
    tall: Fragment | None = None  # the tallest fragment of the last row: what the next one is compared with
    floor = -math.inf  # its lower edge: most fragments begin below it
    for fragment in sorted(group, key=_place):
        if (
            tall is not None
            and fragment.upright[1] <= floor
            and _shares_row(fragment, tall)
            and not _collides(fragment, rows[-1])
        ):
            rows[-1].append(fragment)
            if height_of(fragment) > height_of(tall):
                tall = fragment
                floor = tall.upright[3]
        else:
            rows.append([fragment])
            tall = fragment
            floor = tall.upright[3]
    for row in rows:
        if len(row) > 1:
            row.sort(key=lambda f: f.upright[0], reverse=runs_backwards(row))
    rows.sort(key=lambda row: max(map(middle_of, row)) if len(row) > 1 else middle_of(row[0]))
    return rows


def join_text(row: Sequence[Fragment]) -> str:
    """The words of a row: one space between neighbouring words, two between cells."""
    if len(row) == 1:
        return row[0].text
    parts = [row[0].text]
    for at, (before, after) in enumerate(pairwise(row)):
        gap = gap_between(before, after)
        is_label = at == 0 and not after.text[:1].isdigit() and _LABEL.fullmatch(before.text) is not None
        reach = (LABEL_GAP_EMS if is_label else CELL_GAP_EMS) * max(min(before.size, after.size), 1.0)
        touches = gap <= TOUCH_EMS * before.size
        parts += ["" if touches else " " if gap <= reach else CELL_SEPARATOR, after.text]
    return "".join(parts)


def runs_backwards(fragments: Sequence[Fragment]) -> bool:
    """Most letters are of a script written from right to left; figures have no direction of their own."""
    beyond_ascii = [f.text for f in fragments if not f.text.isascii()]
    if not beyond_ascii:
        return False
    backward = len(_RTL.findall("".join(beyond_ascii)))
    return backward > 0 and backward > len(_LTR.findall("".join([f.text for f in fragments])))


def gap_between(one: Fragment, two: Fragment) -> float:
    """Points between two fragments of a row, whichever stands first; below 0 where they overlap."""
    return max(two.upright[0] - one.upright[2], one.upright[0] - two.upright[2])


def middle_of(fragment: Fragment) -> float:
    """Height of the fragment's middle, in points from the top of the page turned so that the text lies flat."""
    return (fragment.upright[1] + fragment.upright[3]) / 2


def height_of(fragment: Fragment) -> float:
    """Height of the fragment, in points."""
    return fragment.upright[3] - fragment.upright[1]


def _place(fragment: Fragment) -> tuple[float, float]:
    box = fragment.upright
    return (box[1] + box[3], box[0])


def _shares_row(fragment: Fragment, tall: Fragment) -> bool:
    if fragment.hidden != tall.hidden:
        return False
    one, two = fragment.upright, tall.upright
    low = min(one[3] - one[1], two[3] - two[1])
    if min(one[3], two[3]) - max(one[1], two[1]) < ROW_OVERLAP * low:
        return False
    if gap_between(fragment, tall) <= FAR_EMS * tall.size:
        return True
    # What stands far off shares the row only where it shares its height: a note in the margin has its own.
    return min(abs(one[3] - two[3]), abs(one[1] + one[3] - two[1] - two[3]) / 2) <= FAR_OFFSET * low


def _collides(fragment: Fragment, row: list[Fragment]) -> bool:
    slack = COLLISION_EMS * fragment.size
    left, right = fragment.upright[0] + slack, fragment.upright[2] - slack
    return any(left < f.upright[2] and f.upright[0] < right and not _is_stacked(fragment, f) for f in row)


def _is_stacked(one: Fragment, two: Fragment) -> bool:
    """One ends in an exponent and the other begins with the index below it: a small overlap, and both go on."""
    first, second = sorted((one.upright, two.upright))
    overlap = first[2] - second[0]
    narrow = min(first[2] - first[0], second[2] - second[0])
    return second[2] > first[2] and overlap <= min(STACK_EMS * max(one.size, two.size), narrow / 2)
