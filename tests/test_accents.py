"""Accents that TeX's OT1 fonts paint over letters, made into the letters that one sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import counts_of, spans_of
from tests.helpers.pdf_maker import simple_font

Open = Callable[..., Any]
OT1 = simple_font(
    "CMR10",
    differences={
        19: "acute",
        32: "suppress",
        127: "dieresis",
        16: "dotlessi",
        76: "L",
        108: "l",
        111: "o",
        122: "z",
    },
    widths={19: 500, 32: 278, 127: 500, 16: 278, 76: 625, 108: 278, 111: 500, 122: 444},
)


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("[(\\023) 500 (o)] TJ", "ó"),
        ("[(o) 500 (\\023)] TJ", "ó"),
        ("[(\\177) 389 (\\020)] TJ", "ï"),
        ("[( ) 319 (L) (\\023) 500 (o)] TJ", "Łó"),  # the stroke of an L is at the code of the space
        ("[(o) ( ) 278 (l) (z)] TJ", "ołz"),
        ("[(o) (\\023)] TJ", "o´"),
    ],
)
def test_accents_over_letters(page_of: Open, shown: str, text: str) -> None:
    assert page_of(f"BT /F 10 Tf 100 700 Td {shown} ET", fonts={"F": OT1}).text() == text


def test_an_accent_is_counted_with_its_letter(page_of: Open) -> None:
    page = page_of("BT /F 10 Tf 100 700 Td [( ) 319 (L)] TJ ET", fonts={"F": OT1})
    assert counts_of(page)["visible"] == 2
    assert counts_of(page)["unmapped"] == 0
    assert [span[0] for span in spans_of(page)] == ["Ł"]
