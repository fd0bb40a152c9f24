"""Page ranges as people write them: "1-3,7,10-".

In: text. Out: page numbers counted from 0. It must not know of documents.
"""

from __future__ import annotations

import re

_RANGE = re.compile(r"\s*(\d+)\s*(?:(-)\s*(\d*))?\s*")


class PageRangeError(ValueError):
    """Text that is no list of pages."""


def parse_ranges(text: str, pages: int) -> list[int]:
    """Return the page indices (from 0) that `text` names of a document of `pages` pages, in the order named.

    Empty text names all pages; numbers count from 1; "5-" goes to the end. A range may reach beyond the end, but not begin
    there.
    """
    if not text.strip():
        return list(range(pages))
    chosen: list[int] = []
    for item in text.split(","):
        match = _RANGE.fullmatch(item)
        if match is None:
            raise PageRangeError(f"{item.strip()!r} is no page or range of pages; write for example 1-3,7")
        first = int(match.group(1))
        last = first if match.group(2) is None else int(match.group(3) or pages)
        if first < 1 or (match.group(3) and last < first):
            raise PageRangeError(f"{item.strip()!r}: pages count from 1, and a range goes upwards")
        if first > pages:
            held = "1 page" if pages == 1 else f"{pages} pages"
            raise PageRangeError(f"{item.strip()!r}: the document has {held}")
        chosen.extend(range(first - 1, min(last, pages)))
    return list(dict.fromkeys(chosen))
