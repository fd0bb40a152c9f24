"""Says why painted glyphs are not in the text (rule B8): a copy's twin and distances, boxes, the kind of hiding.

In: the glyphs of a page and what became of them. Out: one `Drop` for each glyph that is not in the text. It must not
decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from extractor import overprint_runs
from extractor.decided import Box, Decided, Point, box_on_page, points_on_page, shown_box
from extractor.glyphs import CLIPPED, COPY, FATES, KEPT, LAYER_OFF, OFF_PAGE
from extractor.overprint import is_copy
from extractor.visible import clip_bounds

_REASONS = {
    OFF_PAGE: ("R3", "the centre of its box is outside the visible box"),
    LAYER_OFF: ("B4", "it is in optional content that is off"),
    CLIPPED: ("B4", "it is wholly outside its clipping path"),
}


_COPIES = (
    ("B1", "its run repeats an earlier one at one constant offset"),
    ("R4", "an earlier glyph is the same at the same place"),
    ("R4", "it is a mark, and its letter says both"),
)


@dataclass(frozen=True, slots=True)
class Drop:
    """A painted glyph that is not in the text. Places in points of the page as shown, origin top left, y down."""

    index: int
    """Of the painted glyph."""
    text: str
    fate: str
    """"copy", "off_page", "layer_off" or "clipped"."""
    rule: str
    """Number of the rule that decided."""
    reason: str
    box: Box
    centre: Point
    visible_box: Box
    """The page as shown."""
    twin: int | None = None
    """Of a copy: the kept glyph that it repeats."""
    along: float | None = None
    """Of a copy: distance from its twin along the baseline, in its own heights (R4)."""
    across: float | None = None
    """Of a copy: distance from its twin across the baseline, in its own heights (R4)."""
    height_ratio: float | None = None
    """Of a copy: its height over its twin's."""
    clip: Box | None = None
    """Of a clipped glyph: bounds of its clipping path; infinite where it is not bounded."""


def name_drops(decided: Decided) -> list[Drop]:
    """Return the glyphs that are not in the text, in paint order."""
    glyphs, frame = decided.glyphs, decided.frame
    dropped = np.flatnonzero(decided.fate != KEPT)
    x, y = (glyphs.x0 + glyphs.x1) / 2, (glyphs.y0 + glyphs.y1) / 2
    centre_x, centre_y = points_on_page(frame, x[dropped], y[dropped])
    page = (0.0, 0.0, *frame.size)
    copies = _copies(decided, dropped[decided.fate[dropped] == COPY])
    clips: dict[int, Box] = {}
    result: list[Drop] = []
    for place, index in enumerate(dropped.tolist()):
        fate = int(decided.fate[index])
        common = (
            index, glyphs.text(index), FATES[fate], *(copies[index][0] if fate == COPY else _REASONS[fate]),
            box_on_page(decided, index), (float(centre_x[place]), float(centre_y[place])), page,
        )  # fmt: skip
        if fate == COPY:
            result.append(Drop(*common, *copies[index][1]))
        else:
            result.append(Drop(*common, clip=_clip(decided, index, clips) if fate == CLIPPED else None))
    return result


def _copies(
    decided: Decided, copies: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> dict[int, tuple[tuple[str, str], tuple[int, float, float, float]]]:
    """Return (rule, reason) and (twin, along, across, height ratio) of each copy."""
    glyphs, twins = decided.glyphs, decided.twin[copies]
    along, across, twin_height = overprint_runs._offsets(glyphs, twins, copies)
    height = glyphs.height[copies]
    alone = is_copy(glyphs, twins, copies, decided.options.overprint)
    still = (glyphs.end_x[copies] == glyphs.start_x[copies]) & (
        glyphs.end_y[copies] == glyphs.start_y[copies]
    )
    safe = np.maximum(height, 1e-9)
    numbers = zip(
        copies.tolist(), twins.tolist(), (along / safe).tolist(), (across / safe).tolist(),
        (height / np.maximum(twin_height, 1e-9)).tolist(), alone.tolist(), still.tolist(), strict=True,
    )  # fmt: skip
    result: dict[int, tuple[tuple[str, str], tuple[int, float, float, float]]] = {}
    for index, twin, *distances, by_itself, stands in numbers:
        rule = _COPIES[2 if stands and len(glyphs.text(index)) > 1 else int(by_itself)]
        result[index] = rule, (twin, distances[0], distances[1], distances[2])
    return result


def _clip(decided: Decided, index: int, known: dict[int, Box]) -> Box:
    glyphs = decided.glyphs
    bounds = clip_bounds(glyphs.runs.paints[int(glyphs.paint[index])].clip, known)
    x0, y0, x1, y1 = (np.array([side], np.float64) for side in bounds)
    return shown_box(decided.frame, (x0, y0, x1, y1))
