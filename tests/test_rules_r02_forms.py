"""Rules R2 and B5: form XObjects are spliced in where they are painted."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import assert_counts_add_up, counts_of, grid_font, spans_of, words_of
from tests.helpers.pdf_maker import Indirect, Stream, form, resource_entries

Open = Callable[..., Any]
FONTS = {"F": grid_font()}
OWN = resource_entries(FONTS)


def text_at(x: float, y: float, text: str) -> str:
    return f"BT /F 10 Tf {x} {y} Td ({text}) Tj ET"


def test_matrix_goes_before_the_ctm(page_of: Open) -> None:
    """8.10.1: form space -> /Matrix -> CTM at the Do."""
    stamp = form(text_at(10, 20, "ab"), matrix=(2, 0, 0, 2, 5, 0), resources=OWN)
    page = page_of("1 0 0 1 100 500 cm /X Do", fonts={}, xobjects={"X": stamp})
    # x = 10 x 2 + 5 + 100, y = 20 x 2 + 500; size 20
    assert words_of(page) == [("ab", 125, 800 - 556, 145, 800 - 536)]


def test_paint_order(page_of: Open) -> None:
    stamp = form(text_at(100, 600, "middle"), resources=OWN)
    content = f"{text_at(100, 700, 'first')} /X Do {text_at(100, 500, 'last')}"
    assert page_of(content, fonts=FONTS, xobjects={"X": stamp}).text() == "first\nmiddle\nlast"


def test_nested_forms(page_of: Open) -> None:
    inner = form(text_at(0, 0, "deep"), matrix=(1, 0, 0, 1, 1, 1), resources=OWN)
    middle = form("2 0 0 2 0 0 cm /I Do", matrix=(1, 0, 0, 1, 10, 10), resources={"XObject": {"I": inner}})
    outer = form("1 0 0 1 100 100 cm /M Do", resources={"XObject": {"M": middle}})
    page = page_of("/O Do", fonts={}, xobjects={"O": outer})
    # (0 + 1) x 2 + 10 + 100
    assert spans_of(page) == [("deep", 112, 152)]
    assert counts_of(page)["from_forms"] == 4


def test_the_same_form_painted_twice(page_of: Open) -> None:
    stamp = form(text_at(0, 0, "ab"), resources=OWN)
    page = page_of(
        "q 1 0 0 1 100 700 cm /X Do Q q 1 0 0 1 100 600 cm /X Do Q", fonts={}, xobjects={"X": stamp}
    )
    assert page.text() == "ab\nab"
    assert counts_of(page)["from_forms"] == 4


def test_a_form_without_resources_uses_those_of_its_painter(page_of: Open) -> None:
    """7.8.3: of the stream that paints it, here a form that itself has resources of its own."""
    inner = form(text_at(100, 700, "ab"))
    wide = grid_font(widths=dict.fromkeys(range(32, 127), 1000))
    outer = form("/I Do", resources=resource_entries({"F": wide}, {"I": inner}))
    assert spans_of(page_of("/O Do", fonts=FONTS, xobjects={"O": outer})) == [("ab", 100, 120)]
    page_form = form(text_at(100, 700, "ab"))
    assert spans_of(page_of("/X Do", fonts=FONTS, xobjects={"X": page_form})) == [("ab", 100, 110)]


def test_a_form_s_own_names_win(page_of: Open) -> None:
    """/F of the form is not /F of the page."""
    wide = form(
        text_at(100, 600, "ab"), resources=resource_entries({"F": grid_font(differences={97: "X", 98: "Y"})})
    )
    content = f"{text_at(100, 700, 'ab')} /X Do {text_at(100, 500, 'ab')}"
    assert page_of(content, fonts=FONTS, xobjects={"X": wide}).text() == "ab\nXY\nab"


def test_the_painter_s_state_comes_in_and_nothing_goes_out(page_of: Open) -> None:
    """8.10.1: Do saves and restores the whole graphics state; the form begins with its painter's."""
    stamp = form("BT 100 600 Td (in) Tj ET 3 Tc /F 30 Tf 5 0 0 5 0 0 cm 2 Tr")
    content = "BT /F 10 Tf ET 1 Tc /X Do 0 Tc BT 100 700 Td (out) Tj ET"
    page = page_of(content, fonts=FONTS, xobjects={"X": stamp})
    assert spans_of(page) == [("in", 100, 111), ("out", 100, 115)]


def test_unbalanced_saves_in_a_form_stay_in_it(page_of: Open) -> None:
    stamp = form("q q 3 0 0 3 0 0 cm Q Q Q Q q 9 Tc")
    page = page_of(f"q 1 0 0 1 10 0 cm /X Do {text_at(90, 700, 'ab')} Q", fonts=FONTS, xobjects={"X": stamp})
    assert spans_of(page) == [("ab", 100, 110)]


def test_source_of_glyphs(page_of: Open) -> None:
    stamp = form(text_at(100, 600, "form"), resources=OWN)
    page = page_of(f"{text_at(100, 700, 'page')} /X Do", fonts=FONTS, xobjects={"X": stamp})
    assert counts_of(page)["painted"] == 8
    assert counts_of(page)["from_forms"] == 4


def test_a_form_that_paints_itself_ends(page_of: Open) -> None:
    entries: dict[str, Any] = {}
    stamp = form(f"{text_at(100, 600, 'once')} /X Do", resources=entries)
    stamp.entries["Resources"] = Indirect({**resource_entries(FONTS), "XObject": {"X": stamp}})
    page = page_of("/X Do", fonts={}, xobjects={"X": stamp})
    assert page.text() == "once"


def test_two_forms_that_paint_each_other_end(page_of: Open) -> None:
    left = form(f"{text_at(100, 600, 'left')} /R Do", resources={})
    right = form(f"{text_at(100, 500, 'right')} /L Do", resources={})
    both = Indirect({**resource_entries(FONTS), "XObject": {"L": left, "R": right}})
    left.entries["Resources"] = right.entries["Resources"] = both
    assert page_of("/L Do", fonts={}, xobjects={"L": left}).text() == "left\nright"


def test_deep_nesting_that_is_no_cycle_is_painted(page_of: Open) -> None:
    stamp = form(text_at(100, 600, "deep"), resources=OWN)
    for _ in range(12):
        stamp = form("/N Do", resources={"XObject": {"N": stamp}})
    assert page_of("/X Do", fonts={}, xobjects={"X": stamp}).text() == "deep"


def test_forms_that_multiply_are_bounded(page_of: Open) -> None:
    """Ten levels of ten paintings each would be 10^10 texts; the limit is recorded, the page is answered."""
    stamp = form(text_at(100, 600, "x"), resources=OWN)
    for _ in range(10):
        stamp = form("/N Do " * 10, resources={"XObject": {"N": stamp}})
    start = time.process_time()
    page = page_of("/X Do", fonts={}, xobjects={"X": stamp})
    page.text()
    assert time.process_time() - start < 30
    assert page.issues


@pytest.mark.parametrize(
    ("x", "shown"),
    [(10, "ab"), (39, "ab"), (101, ""), (-20, "")],
    ids=["inside", "edge", "right of it", "left of it"],
)
def test_glyphs_outside_of_the_bounding_box_are_clipped(page_of: Open, x: float, shown: str) -> None:
    """B5: /BBox is a clip path (8.10.1); glyphs wholly outside of it are not in the text."""
    stamp = form(text_at(x, 10, "ab"), bbox=(0, 0, 60, 40), resources=OWN)
    page = page_of("1 0 0 1 200 600 cm /X Do", fonts={}, xobjects={"X": stamp})
    assert page.text() == shown
    assert_counts_add_up(page)
    assert counts_of(page)["hidden"] == (0 if shown else 2)


@pytest.mark.parametrize(
    "xobject",
    [
        Stream(b"\x00" * 9, {"Type": "/XObject", "Subtype": "/Image", "Width": 3, "Height": 3}),
        Stream("BT", {"Subtype": "/PS"}),
        Indirect(None),
        Indirect(7),
        Stream("(unclosed", {"Subtype": "/Form"}),
    ],
    ids=["image", "postscript", "null", "number", "broken form"],
)
def test_other_and_broken_xobjects_are_passed_over(page_of: Open, xobject: Any) -> None:
    content = f"{text_at(100, 700, 'ab')} /X Do /Missing Do {text_at(100, 600, 'cd')}"
    assert page_of(content, fonts=FONTS, xobjects={"X": xobject}).text() == "ab\ncd"
