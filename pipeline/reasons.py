"""The stable codes: why documents and pages fail, why entries are passed over, what pages are flagged with.

In: nothing. Out: tables of codes with their meaning. Codes are only ever added; reports and scripts rely
on them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    """One code's meaning."""

    meaning: str
    passing: bool = False
    """About the moment, not about the content: every run tries such files again, others wait for `retry`."""


REASONS = {
    "encrypted": Reason("the document asks for a password; name a list with --password-file"),
    "wrong_password": Reason("none of the passwords opens the document"),
    "not_a_pdf": Reason("nothing in the file is PDF"),
    "empty_file": Reason("the file has no bytes"),
    "damaged": Reason("no page can be found, also after repair; or an archive that cannot be unpacked"),
    "no_pages": Reason("the document has no pages"),
    "too_large": Reason("the file is larger than discover.max_file_mb"),
    "unreadable": Reason("the operating system does not let us read the file", passing=True),
    "vanished": Reason("the file was gone, or its link led nowhere, when it was read", passing=True),
    "not_found": Reason("there is no such file; of commands on one file only"),
    "changed": Reason("the file changed while the run was reading it", passing=True),
    "not_a_file": Reason("a pipe, socket or device", passing=True),
    "lost": Reason("its pages were in files of the store that are damaged", passing=True),
    "page_damaged": Reason("the page cannot be read; the others may"),
    "limit": Reason("a limit of the extractor was met: too deep, too many objects"),
    "timeout": Reason(
        "not done within limits.page_seconds (a document: open_seconds); the process was killed"
    ),
    "memory": Reason("more memory than limits.memory_mb; the process was ended"),
    "crash": Reason("the extracting process ended by itself"),
    "internal": Reason("a fault of this program; please report it"),
}
"""Reasons of documents and pages that failed."""

PASSED_OVER = {
    "folder": "a folder whose name ends like a PDF's; it was walked like any other",
    "linked_folder": "a link to a folder; discover.follow_symlinks walks into those",
    "not_a_file": "a pipe, socket or device",
    "archive": "a zip archive; discover.archives, or naming it as an input, has its PDFs read",
    "same_name": "a file in an archive that has another one of the same name: the last one is read",
    "unreadable_folder": "a folder that may not be listed; what is known below it stays",
    "vanished": "a folder that went while it was listed",
}
"""Why an entry met in a folder is no document."""

FLAGS = {
    "needs_ocr": "images and next to no text: a scan without a text layer",
    "ocr_layer": "the text is an invisible layer over a scan",
    "blank": "nothing on the page",
    "garbled": "much of the text is no language: private characters or none at all",
    "unmapped": "many glyphs have no Unicode, so the text is not what the page shows",
    "overprinted": "glyphs painted twice for a bold look; the copies were dropped",
    "hidden_text": "text in layers that are off, or clipped away; it was left out",
    "white_text": "text painted in white",
    "covered_text": "text under an area or image painted later",
}
"""What pages may be flagged with."""

DOCUMENT_FLAGS = {
    "repaired": "a document that is cut short or damaged and was read all the same: pages or text may be missing",
}
"""What documents may be flagged with."""

PASSING = frozenset(code for code, reason in REASONS.items() if reason.passing)
