"""Text extraction from PDF for search: words and lines rebuilt from glyph geometry, every glyph accounted for.

In: PDF files. Out: per page the text, lines and words with boxes, all glyphs, and counts that add up. It knows nothing of
pipelines, tables or indexes.
"""

from extractor.boundaries import Boundary
from extractor.drops import Drop
from extractor.errors import ExtractionError
from extractor.explain import Explanation
from extractor.extraction import Document, open_document
from extractor.glyph_records import GlyphRecord
from extractor.glyphs import Glyphs
from extractor.issues import Issue
from extractor.metadata import Metadata
from extractor.open_options import OpenOptions
from extractor.options import (
    ColumnOptions,
    GapOptions,
    LayoutOptions,
    Limits,
    LineOptions,
    Options,
    OverprintOptions,
)
from extractor.page import Counts, Page, PageResult, extract_page
from extractor.page_text import Lines, Words

VERSION = "2"
"""Version of the extraction's results: raised whenever the same file may give other rows."""

__all__ = [
    "VERSION",
    "Boundary",
    "ColumnOptions",
    "Counts",
    "Document",
    "Drop",
    "Explanation",
    "ExtractionError",
    "GapOptions",
    "GlyphRecord",
    "Glyphs",
    "Issue",
    "LayoutOptions",
    "Limits",
    "LineOptions",
    "Lines",
    "Metadata",
    "OpenOptions",
    "Options",
    "OverprintOptions",
    "Page",
    "PageResult",
    "Words",
    "extract_page",
    "open_document",
]
