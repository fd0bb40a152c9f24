"""Rule R8: the widths of composite fonts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.helpers.pages import grid_font, spans_of
from tests.helpers.pdf_maker import type0_font

Open = Callable[..., Any]
UNICODE = {cid: chr(96 + cid) for cid in range(1, 27)}


@pytest.mark.parametrize(
    ("w", "default", "ends"),
    [
        ([1, [500, 600, 700]], None, {1: 5, 2: 6, 3: 7, 4: 10}),
        ([1, 3, 500], None, {1: 5, 2: 5, 3: 5, 4: 10}),
        ([1, [500], 2, 3, 600], 300, {1: 5, 2: 6, 3: 6, 4: 3}),
        ([20, [900], 1, 5, 400, 7, [700]], 250, {20: 9, 1: 4, 5: 4, 7: 7, 6: 2.5, 21: 2.5}),
        ([1, 10, 500, 3, [800]], None, {1: 5, 3: 5, 10: 5}),
        ([3, [800], 1, 10, 500], None, {1: 5, 3: 8, 10: 5}),
        ([3, 5, 800, 1, 10, 500, 4, [200]], None, {1: 5, 3: 8, 4: 8, 5: 8, 6: 5}),
        ([5, [150], 5, [900]], None, {5: 1.5}),
        ([1, [0]], 600, {1: 0, 2: 6}),
        ([], 600, {1: 6}),
        (None, None, {1: 10}),
        ([1, [512.5]], None, {1: 5.125}),
    ],
)
def test_w_array(
    page_of: Open, w: Sequence[Any] | None, default: float | None, ends: dict[int, float]
) -> None:
    """Unsorted and overlapping entries: the first entry for a CID wins; /DW for CIDs in no entry."""
    font = type0_font(UNICODE, widths=w, default_width=default)
    for cid, width in ends.items():
        # two in a row: the second one's end is two widths from the start, whatever the word gap rule says
        page = page_of(f"BT /F 10 Tf 100 700 Td <{cid:04x}{cid:04x}> Tj ET", fonts={"F": font})
        if width:
            assert max(x1 for _, _, x1 in spans_of(page)) == pytest.approx(100 + 2 * width, abs=1e-3)


@pytest.mark.parametrize(
    "w", [[1], [1, 2], [1, [500], "x"], ["/A", [500]], [1, 3, "/B"], [3, 1, 500], [1, [None, 500]]]
)
def test_broken_w_arrays_leave_the_text(page_of: Open, w: Sequence[Any]) -> None:
    font = type0_font(UNICODE, widths=w)
    assert page_of("BT /F 10 Tf 100 700 Td <000100020003> Tj ET", fonts={"F": font}).text() == "abc"


def test_simple_fonts_take_missing_width_outside_of_widths(page_of: Open) -> None:
    font = grid_font(widths={97: 500, 98: 700}, descriptor={"MissingWidth": 300})
    assert spans_of(page_of("BT /F 10 Tf 100 700 Td (abc) Tj ET", fonts={"F": font})) == [("abc", 100, 115)]
