"""Options for opening a document: limits against hostile files, and how hard to try with broken ones.

In: nothing. Out: one frozen value. It must not know how files are read.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """What opening a document may cost, and what it may try.

    Attributes:
        max_file_size: Bytes of a file; larger ones are refused with the reason "too_large".
        max_stream_length: Bytes of one stream after decoding, and of all content streams of a page together;
            a decompression bomb is cut there and recorded as an issue.
        max_pages: Pages of a document; those beyond are left out and recorded as an issue.
        max_nesting: Levels of arrays and dictionaries in one object (7.3); deeper ones are read as null.
        max_annotations: Annotations looked at per page.
        recovery: Look for objects in the raw bytes where the cross-reference table is missing or wrong.
        repair: Let pikepdf (qpdf) rewrite a file in which nothing was found, when it is installed.
        cached_source: Bytes of the file whose parsed objects are kept; beyond that they are parsed again.
    """

    max_file_size: int = 2_000_000_000
    max_stream_length: int = 100_000_000
    max_pages: int = 200_000
    max_nesting: int = 256
    max_annotations: int = 5_000
    recovery: bool = True
    repair: bool = True
    cached_source: int = 4_000_000
