"""Rule B8: every decision can be replayed, with the numbers that decided.

At size 10 a glyph of the grid font is 5 wide and 10 high: a gap over 1.5 is a space, a move over 5 a new line.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import extractor
from tests.helpers.pages import UnicodeFont, grid_font
from tests.helpers.pdf_maker import make_pdf
from tests.test_rules_r10_layout import WORDS, at, drawn

Open = Callable[..., Any]
FONTS = {"F": grid_font()}


def explained(page_of: Open, content: str, near: str | None = None, **arguments: Any) -> Any:
    return page_of(content, fonts=arguments.pop("fonts", FONTS), **arguments).explain(near)


def between(explanation: Any, before: str, after: str) -> Any:
    (found,) = [one for one in explanation.boundaries if (one.before_text, one.after_text) == (before, after)]
    return found


@pytest.mark.parametrize(
    ("gap", "separator", "reason"),
    [(1.4, "none", "the gap is within its limit"), (1.6, "space", "the gap is over its limit")],
)
def test_a_gap_and_its_limit(page_of: Open, gap: float, separator: str, reason: str) -> None:
    one = between(explained(page_of, drawn((100, 700, "ab"), (110 + gap, 700, "cd"))), "b", "c")
    assert (one.separator, one.rule, one.reason, one.read_as) == (separator, "R5", reason, separator)
    assert one.gap == pytest.approx(gap)
    assert one.gap_limit == pytest.approx(1.5)
    assert one.back == pytest.approx(-5 - gap)
    assert (one.before, one.after, one.height) == (1, 2, pytest.approx(10))


@pytest.mark.parametrize(("move", "separator", "rule"), [(4.9, "space", "R5"), (-5.1, "newline", "R6")])
def test_a_move_and_its_limit(page_of: Open, move: float, separator: str, rule: str) -> None:
    one = between(explained(page_of, drawn((100, 700, "ab"), (112, 700 + move, "cd"))), "b", "c")
    assert (one.separator, one.rule) == (separator, rule)
    assert one.move == pytest.approx(move)
    assert one.move_limit == pytest.approx(5)


SPACED = "BT /F 10 Tf 100 700 Td {} TJ ET"


@pytest.mark.parametrize(
    ("content", "pair", "expected"),
    [
        (drawn((100, 700, "ab cd")), "bc", ("space", "R5", "a space is painted")),
        (SPACED.format("[(ab ) 500 (cd)]"), "bc", ("none", "R5", "a space is painted, and stepped back over")),
        (at(100, 700, "ab") + at(110, 700, "cd", degrees=90), "bc", ("newline", "R6", "the baseline turns")),
        (drawn((300, 700, "ab"), (200, 700, "cd")), "bc", ("space", "B3", "the pen jumps back along the baseline")),
        (SPACED.format("[(l) -200 (e) -200 (t) -200 (t) -200 (e) -200 (r)]"), "le",
         ("none", "B2", "the gap is letter-spacing")),
        (SPACED.format("[(f) -200 (o) -200 (u) -200 (r) -700 (a) -200 (l) -200 (l) -200 (s)]"), "ra",
         ("space", "B2", "the gap is over the limit of this letter-spaced line")),
    ],
)  # fmt: skip
def test_what_decided(page_of: Open, content: str, pair: str, expected: tuple[str, str, str]) -> None:
    one = between(explained(page_of, content), *pair)
    assert (one.separator, one.rule, one.reason) == expected


def test_ideographs_and_writing_modes(page_of: Open) -> None:
    wide, down = UnicodeFont("氏名"), UnicodeFont("縦", encoding="/Identity-V")
    content = f"BT /W 10 Tf 100 700 Td [{wide.codes('氏')} -900 {wide.codes('名')}] TJ ET "
    content += f"BT /V 10 Tf 100 600 Td {down.codes('縦')} Tj ET"
    explanation = explained(page_of, content, fonts={"W": wide.dictionary, "V": down.dictionary})
    one, other = between(explanation, "氏", "名"), between(explanation, "名", "縦")
    assert (one.separator, one.rule, one.reason) == ("none", "R5", "no space between two CJK characters")
    assert one.gap == pytest.approx(9)
    assert (other.separator, other.rule) == ("newline", "R7")


def test_a_copy_with_its_twin_and_distances(page_of: Open) -> None:
    explanation = explained(page_of, drawn((100, 700, "ab"), (100.5, 699, "ab")))
    first, second = explanation.drops
    assert (first.text, first.fate, first.rule, first.index, first.twin) == ("a", "copy", "R4", 2, 0)
    assert (first.along, first.across) == (pytest.approx(0.05), pytest.approx(-0.1))
    assert first.height_ratio == pytest.approx(1)
    assert second.twin == 1
    assert [one.before_text + one.after_text for one in explanation.boundaries] == ["ab"]


def test_distances_are_those_of_the_baseline_frame(page_of: Open) -> None:
    content = at(100, 700, "a", degrees=90) + at(99, 700.5, "a", size=9.8, degrees=90)
    (drop,) = explained(page_of, content).drops
    assert drop.along == pytest.approx(0.5 / 9.8)
    assert drop.across == pytest.approx(1 / 9.8)
    assert drop.height_ratio == pytest.approx(0.98)


def test_a_run_that_is_a_copy(page_of: Open) -> None:
    explanation = explained(page_of, drawn((100, 700, "shadow"), (102, 698, "shadow")))
    assert [(drop.rule, drop.twin) for drop in explanation.drops] == [("B1", number) for number in range(6)]
    assert explanation.drops[0].along == pytest.approx(0.2)
    assert explanation.drops[0].across == pytest.approx(-0.2)


def test_a_glyph_off_the_page(page_of: Open) -> None:
    """Its centre, seen from the visible box's top left corner, y down."""
    explanation = explained(page_of, drawn((100, 700, "a"), (40, 700, "b")), crop_box=(50, 100, 500, 750))
    (drop,) = explanation.drops
    assert (drop.text, drop.fate, drop.rule) == ("b", "off_page", "R3")
    assert drop.centre == pytest.approx((-7.5, 47))
    assert drop.box == pytest.approx((-10, 42, -5, 52))
    assert drop.visible_box == (0, 0, 450, 650)


def test_a_clipped_glyph_and_its_clip(page_of: Open) -> None:
    content = drawn((100, 700, "a")) + "q 300 300 50 20 re W n " + drawn((100, 600, "b")) + "Q"
    (drop,) = explained(page_of, content).drops
    assert (drop.text, drop.fate, drop.rule) == ("b", "clipped", "B4")
    assert drop.clip == pytest.approx((300, 480, 350, 500))


def test_a_glyph_in_a_layer_that_is_off(page_of: Open) -> None:
    layer = "/OC /L BDC " + drawn((100, 600, "b")) + "EMC "
    from tests.helpers.pdf_maker import Indirect

    group = Indirect({"Type": "/OCG"})
    page = page_of(
        drawn((100, 700, "a")) + layer,
        fonts=FONTS,
        resources={"Properties": {"L": group}},
        catalog={"OCProperties": {"OCGs": [group], "D": {"OFF": [group]}}},
    )
    (drop,) = page.explain().drops
    assert (drop.text, drop.fate, drop.rule) == ("b", "layer_off", "B4")


def test_near_a_text(page_of: Open) -> None:
    """White space and case do not matter: where it is may be just the question."""
    content = drawn((100, 700, "one two three"), (100, 680, "four"), (100.3, 680, "four"))
    explanation = explained(page_of, content, "ETH")
    assert (explanation.found, explanation.drops) == (0, ())
    explanation = explained(page_of, content, "Twot")
    assert explanation.found == 1
    assert "".join(one.before_text for one in explanation.boundaries) == "etwot"
    assert explanation.glyphs == (4, 5, 6, 8)


def test_near_a_text_that_was_dropped(page_of: Open) -> None:
    content = drawn((100, 700, "one"), (100, 680, "four"), (100.3, 680, "four"), (100, 900, "slug"))
    assert [drop.twin for drop in explained(page_of, content, "OUR").drops] == [4, 5, 6]
    explanation = explained(page_of, content, "slug")
    assert explanation.found == 1
    assert [drop.fate for drop in explanation.drops] == ["off_page"] * 4


def test_an_empty_page(page_of: Open) -> None:
    explanation = explained(page_of, "")
    assert (explanation.boundaries, explanation.drops) == ((), ())


def replayed(page: Any) -> str:
    """Return the text of a page, put together from its boundaries alone."""
    boundaries = page.explain().boundaries
    if not boundaries:
        return str(page.text())
    signs = {"none": "", "space": " ", "newline": "\n"}
    return boundaries[0].before_text + "".join(signs[one.separator] + one.after_text for one in boundaries)


def test_the_replay_is_the_text_of_the_samples(samples: Path) -> None:
    """Whatever the rules become: the explanation says what happened. Right-to-left text is read otherwise."""
    for path in sorted(samples.glob("*.pdf")):
        try:
            document = extractor.open_document(path)
        except extractor.ExtractionError:
            continue
        with document:
            for page in document:
                assert replayed(page) == page.text(), f"{path.name}, page {page.number}"


@settings(max_examples=60, deadline=None)
@given(WORDS)
def test_the_replay_is_the_text(words: list[tuple[float, float, str, float, float]]) -> None:
    content = "".join(at(round(x, 2), round(y, 2), text, size, turn) for x, y, text, size, turn in words)
    with extractor.open_document(make_pdf(content, fonts=FONTS)) as document:
        page = document[0]
        assert replayed(page) == page.text()
        assert all(one.read_as == one.separator for one in page.explain().boundaries)
        assert len(page.explain().drops) == page.counts.painted - page.counts.visible
