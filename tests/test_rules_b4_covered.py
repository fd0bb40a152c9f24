"""Rule B4: text under what is painted later is counted and flagged, and stays in the text."""

from __future__ import annotations

import pytest

import extractor
from tests.helpers.pages import grid_font
from tests.helpers.pdf_maker import make_pdf

TEXT = "BT /F 10 Tf 100 700 Td (hidden) Tj ET "
AFTER = " BT /F 10 Tf 100 600 Td (shown) Tj ET"


@pytest.mark.parametrize(
    ("painting", "covered"),
    [
        ("0 g 90 690 100 30 re f", 6),
        ("q 0 g 90 690 100 30 re f Q", 6),
        ("q 1 0 0 1 90 690 cm 0 0 100 30 re f* Q", 6),
        ("q 1 0 0 1 90 690 cm 0 0 100 30 re B Q", 6),
        ("90 690 100 30 re S", 0),
        ("90 690 100 30 re n", 0),
        ("90 699 100 1 re f", 0),
        ("90 690 25 30 re f", 3),
        ("0 0 50 50 re W n 90 690 100 30 re f", 0),
        ("/Half gs 90 690 100 30 re f", 0),
        ("q /Half gs Q 90 690 100 30 re f", 6),
        ("/Multiply gs 90 690 100 30 re f", 0),
        ("q 100 0 0 30 90 690 cm BI /W 1 /H 1 /BPC 8 /CS /G ID a EI Q", 6),
        ("q 100 0 0 30 90 690 cm BI /W 1 /H 1 /IM true /BPC 1 ID a EI Q", 0),
    ],
)
def test_areas_over_text(painting: str, covered: int) -> None:
    states = {"/ExtGState": {"/Half": {"/ca": 0.5}, "/Multiply": {"/BM": "/Multiply"}}}
    content = TEXT + painting + AFTER
    with extractor.open_document(make_pdf(content, fonts={"F": grid_font()}, resources=states)) as document:
        page = document[0]
        assert page.text().split() == ["hidden", "shown"] or painting.startswith("0 0 50")
        assert page.counts.covered == covered
        assert ("covered_text" in page.flags) == (covered > 0)


def test_text_over_an_area_is_not_covered() -> None:
    content = "0 g 90 690 100 30 re f " + TEXT
    with extractor.open_document(make_pdf(content, fonts={"F": grid_font()})) as document:
        assert document[0].counts.covered == 0
