"""The columns of the extractor against a slow scalar oracle: positions by 9.4.4, copies by R4."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import extractor
from tests.helpers.oracle import Operator, Oracle, OracleGlyph, content_of, copies
from tests.helpers.pages import grid_font
from tests.helpers.pdf_maker import make_pdf

WIDTHS = {"a": 0.5, "b": 0.25, "c": 1.0, "d": 0.722, " ": 0.278}
FONT = grid_font(widths={ord(character): 1000 * width for character, width in WIDTHS.items()})
WIDE = (-30000, -30000, 30000, 30000)
"""A page that nothing falls off."""
PLAIN = extractor.Options(overprint=extractor.OverprintOptions(run_length=1_000_000))
"""R4 alone, without the runs of B1."""
slow = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def rounded(low: float, high: float, digits: int = 2) -> st.SearchStrategy[float]:
    """Numbers that a content stream can write exactly."""
    scale = 10**digits
    return st.integers(round(low * scale), round(high * scale)).map(lambda number: number / scale)


texts = st.text(st.sampled_from(list(WIDTHS)), max_size=5)
turns = st.sampled_from([0, 0, 0, 30, 90, 180, 270]).map(math.radians)
scales = st.sampled_from([0.5, 1.0, 1.0, 2.0, 12.0])
small = rounded(-20, 20)


@st.composite
def matrices(draw: st.DrawFn) -> tuple[float, ...]:
    """Turned, scaled, sometimes slanted or mirrored, never singular."""
    turn, scale, flip = draw(turns), draw(scales), draw(st.sampled_from([1, 1, -1]))
    slant = draw(st.sampled_from([0, 0, 0.3]))
    cos, sin = math.cos(turn), math.sin(turn)
    linear = (
        scale * cos * flip,
        scale * sin * flip,
        scale * (slant * cos - sin),
        scale * (slant * sin + cos),
    )
    return tuple(round(x, 6) for x in (*linear, draw(rounded(-300, 300)), draw(rounded(-300, 300))))


state_operators = st.one_of(
    st.tuples(st.just("Tf"), st.tuples(rounded(1, 30))),
    st.tuples(st.just("Tc"), st.tuples(rounded(-2, 5))),
    st.tuples(st.just("Tw"), st.tuples(rounded(-2, 9))),
    st.tuples(st.just("Tz"), st.tuples(rounded(30, 200))),
    st.tuples(st.just("TL"), st.tuples(small)),
    st.tuples(st.just("Ts"), st.tuples(rounded(-5, 5))),
)
text_operators = st.one_of(
    state_operators,
    st.tuples(st.sampled_from(["Td", "TD"]), st.tuples(small, small)),
    st.tuples(st.just("Tm"), matrices()),
    st.tuples(st.just("T*"), st.just(())),
    st.tuples(st.sampled_from(["Tj", "'"]), st.tuples(texts)),
    st.tuples(st.just('"'), st.tuples(small, rounded(-2, 2), texts)),
    st.tuples(st.just("TJ"), st.lists(st.one_of(texts, rounded(-900, 900)), max_size=6).map(tuple)),
)
page_operators = st.one_of(
    state_operators,
    st.tuples(st.just("q"), st.just(())),
    st.tuples(st.just("Q"), st.just(())),
    st.tuples(st.just("cm"), matrices()),
)


@st.composite
def programs(draw: st.DrawFn) -> list[Operator]:
    """Page-level operators around text objects."""
    program: list[Operator] = [("Tf", (10.0,))]
    for _ in range(draw(st.integers(1, 4))):
        program += draw(st.lists(page_operators, max_size=4))
        program += [("BT", ()), *draw(st.lists(text_operators, max_size=9)), ("ET", ())]
    return program


def page_of(content: str, options: extractor.Options | None = None) -> extractor.Page:
    pdf = make_pdf(content, fonts={"F": FONT}, media_box=WIDE)
    with extractor.open_document(pdf, options=options) as document:
        page = document[0]
        assert page.counts.painted == len(page.glyphs)
        return page


@slow
@given(programs())
def test_positions(program: list[Operator]) -> None:
    expected = Oracle(WIDTHS).run(program)
    glyphs = page_of(content_of(program)).glyphs
    assert "".join(glyphs.text(index) for index in range(len(glyphs))) == "".join(g.text for g in expected)
    for name in ("start", "end", "pen"):
        found = np.column_stack((getattr(glyphs, f"{name}_x"), getattr(glyphs, f"{name}_y")))
        assert_close(found, [getattr(glyph, name) for glyph in expected], name)
    assert_close(
        np.column_stack((glyphs.ux, glyphs.uy)), [glyph.direction for glyph in expected], "direction"
    )
    assert_close(glyphs.height, [glyph.height for glyph in expected], "height")


def assert_close(found: Any, expected: Sequence[Any], name: str) -> None:
    np.testing.assert_allclose(
        found, np.array(expected).reshape(np.shape(found)), rtol=1e-7, atol=1e-5, err_msg=name
    )


@st.composite
def strikes(draw: st.DrawFn) -> list[Operator]:
    """Glyphs crowded around a few places, at distances on both sides of the tolerances and never on them."""
    program: list[Operator] = [("BT", ())]
    for _ in range(draw(st.integers(2, 25))):
        size = draw(st.sampled_from([10.0, 10.0, 10.4, 12.0]))
        turn = math.radians(draw(st.sampled_from([0, 0, 30, 90])))
        x, y = (100 + 0.37 * draw(st.integers(0, 9)) for _ in range(2))
        cos, sin = math.cos(turn), math.sin(turn)
        program += [
            ("Tf", (size,)),
            ("Tm", (cos, sin, -sin, cos, x, y)),
            ("Tj", (draw(st.sampled_from("abc ")),)),
        ]
    return [*program, ("ET", ())]


@slow
@given(strikes())
def test_copies(program: list[Operator]) -> None:
    glyphs: list[OracleGlyph] = Oracle(WIDTHS).run(program)
    page = page_of(content_of(program), PLAIN)
    dropped = {index for index, twin in enumerate(page.twin.tolist()) if twin >= 0}
    assert dropped == copies(glyphs)
    assert page.counts.overprinted == len(dropped)


@slow
@given(programs())
def test_counts_add_up_and_text_says_what_is_visible(program: list[Operator]) -> None:
    page = page_of(content_of(program))
    counts = page.counts
    assert counts.painted == counts.visible + counts.overprinted + counts.off_page + counts.hidden
    shown = "".join(page.visible_glyphs.text(index) for index in range(len(page.visible_glyphs)))
    assert sorted(shown.replace(" ", "")) == sorted(page.text().replace(" ", "").replace("\n", ""))
    assert page.words.texts() == page.text().split()
    assert page.lines.texts() == [line for line in page.text().split("\n") if line]


@slow
@given(programs(), st.sampled_from([90, 180, 270]))
def test_page_rotation_changes_boxes_and_not_text(program: list[Operator], rotate: int) -> None:
    content = content_of(program)
    upright = page_of(content)
    pdf = make_pdf(content, fonts={"F": FONT}, media_box=WIDE, rotate=rotate)
    with extractor.open_document(pdf) as document:
        assert document[0].text() == upright.text()


@pytest.mark.parametrize("seed", range(3))
def test_a_long_page(seed: int) -> None:
    """The same comparison on a page of some thousand glyphs, where cumulative sums could drift."""
    random = np.random.default_rng(seed)
    program: list[Operator] = [("BT", ()), ("Tf", (10.0,)), ("TL", (12.0,)), ("Td", (0.0, 20000.0))]
    for _ in range(300):
        parts: list[Any] = []
        for _ in range(6):
            parts += ["".join(random.choice(list(WIDTHS), 5)), round(float(random.uniform(-400, 200)), 2)]
        program += [("TJ", tuple(parts)), ("T*", ())]
    program.append(("ET", ()))
    expected = Oracle(WIDTHS).run(program)
    glyphs = page_of(content_of(program)).glyphs
    assert len(glyphs) == len(expected) == 9000
    assert_close(
        np.column_stack((glyphs.start_x, glyphs.start_y)), [glyph.start for glyph in expected], "start"
    )
