"""What a long document costs in memory: no more after its last page than after its first ones (DESIGN: streams of pages)."""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import replace

import extractor
from tests.helpers.pdf_maker import Indirect, Page, make_document, simple_font

PAGES = 400
WARM = 100
"""Pages until all that a document keeps is kept: its fonts, its glyphs, the widths between words, parsed objects."""


def _content(number: int) -> str:
    lines = [
        f"1 0 0 1 72 {760 - 14 * line} Tm [(Page {number})-250(line {line} has)-{200 + (number + line) % 90}(words)] TJ"
        for line in range(45)
    ]
    return "BT /F1 10 Tf " + "\n".join(lines) + " ET"


def test_memory_does_not_grow_with_pages_done() -> None:
    fonts = {"F1": Indirect(simple_font("Helvetica"))}
    data = make_document([Page(_content(number), fonts=fonts, flate=True) for number in range(PAGES)])
    options = extractor.Options()
    options = replace(options, opening=replace(options.opening, cached_source=50_000))
    with extractor.open_document(data, options=options) as document:
        tracemalloc.start()
        try:
            held = []
            for index, page in enumerate(document):
                assert f"Page {index} line 44 has words" in page.text()
                assert len(page.words) == 45 * 6
                if index + 1 in (WARM, PAGES):
                    del page
                    gc.collect()
                    held.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
    grown = held[1] - held[0]
    assert grown < 1_000 * (PAGES - WARM), f"{grown} bytes for {PAGES - WARM} pages"
