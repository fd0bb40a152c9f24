"""Page ranges as people write them."""

from __future__ import annotations

import pytest

from pipeline.page_ranges import PageRangeError, parse_ranges


@pytest.mark.parametrize(
    ("text", "indices"),
    [
        ("", [0, 1, 2, 3, 4]),
        (" ", [0, 1, 2, 3, 4]),
        ("1", [0]),
        ("2-3,5", [1, 2, 4]),
        ("4-", [3, 4]),
        ("3-99", [2, 3, 4]),
        (" 2 - 3 , 1 ", [1, 2, 0]),
        ("2,1-3,2", [1, 0, 2]),
    ],
)
def test_ranges(text: str, indices: list[int]) -> None:
    assert parse_ranges(text, 5) == indices


@pytest.mark.parametrize("text", ["0", "x", "1,,2", "-2", "3-2", "1.5", "1-2-3", ","])
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(PageRangeError):
        parse_ranges(text, 5)


@pytest.mark.parametrize(("text", "pages"), [("6", 5), ("1,7-", 5), ("2", 1), ("1", 0)])
def test_beyond_the_end(text: str, pages: int) -> None:
    with pytest.raises(PageRangeError, match=r"the document has \d pages?"):
        parse_ranges(text, pages)
