"""The boxes, rotation and unit of a page (ISO 32000-1, 7.7.3.3 and 14.11.2).

In: attribute values of a page, possibly broken. Out: numbers that make sense. It must not know where they
come from.
"""

from __future__ import annotations

import math
from typing import Any

from extractor.issues import IssueLog
from extractor.objects import as_number, numbers

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in user space with x0 < x1 and y0 < y1."""

LETTER: Box = (0.0, 0.0, 612.0, 792.0)
"""The box of a page that has no usable one; viewers take US letter."""

_LARGEST = 1e7
"""A coordinate beyond this is a fault: 14,400 units is what viewers take, and UserUnit scales the rest."""


def read_box(value: Any) -> Box | None:
    """Return a rectangle (7.9.5) with its corners in order, None if it is none or has no area."""
    corners = numbers(value, 4)
    if corners is None or not all(math.isfinite(c) and abs(c) <= _LARGEST for c in corners):
        return None
    x0, x1 = sorted((corners[0], corners[2]))
    y0, y1 = sorted((corners[1], corners[3]))
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def page_boxes(media: Any, crop: Any, issues: IssueLog) -> tuple[Box, Box, Box]:
    """Return MediaBox, CropBox and the visible box, the CropBox clipped to the MediaBox (14.11.2)."""
    media_box = read_box(media)
    if media_box is None:
        issues.add("bad_media_box", "the page has no usable MediaBox; letter size is taken")
        media_box = LETTER
    if crop is None:
        return media_box, media_box, media_box
    crop_box = read_box(crop)
    visible = _intersect(crop_box, media_box) if crop_box else None
    if crop_box is None or visible is None:
        issues.add("bad_crop_box", "the CropBox is empty or beside the MediaBox; the MediaBox is taken")
        return media_box, media_box, media_box
    return media_box, crop_box, visible


def _intersect(first: Box, second: Box) -> Box | None:
    """Return what two boxes have in common, None for nothing."""
    x0, y0 = max(first[0], second[0]), max(first[1], second[1])
    x1, y1 = min(first[2], second[2]), min(first[3], second[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def page_rotation(value: Any, issues: IssueLog) -> int:
    """Return /Rotate as 0, 90, 180 or 270 degrees clockwise; anything but a multiple of 90 is 0."""
    number = as_number(value)
    if number is None:
        return 0
    if not math.isfinite(number) or number % 90:
        issues.add("bad_rotation", f"the page's rotation {number:g} is no multiple of 90")
        return 0
    return int(number % 360)


def user_unit(value: Any) -> float:
    """Return the size of a user space unit in 1/72 inch (table 30), 1.0 by default."""
    number = as_number(value)
    return number if number is not None and math.isfinite(number) and 0 < number <= 1e6 else 1.0
