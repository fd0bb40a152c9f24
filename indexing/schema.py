"""The fields of the two Whoosh indexes of a generation, and the hash that says which index can be read.

In: nothing. Out: Whoosh schemas of stock classes only (an index's table of contents names classes; any reader must
have them), and `fingerprint`. It must not know how the values come about.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from indexing.analyzer import Analysis

if TYPE_CHECKING:
    from whoosh.fields import Schema

INDEX_VERSION: Final = 2
"""Version of what a generation's folder holds; counted up when older code could not read it."""

PAGE_TEXT: Final = "text"
PAGE_FLAG: Final = "flag"
PAGE_FIELDS: Final = (PAGE_FLAG, PAGE_TEXT)
"""Indexed fields of a page. Stored: doc_id, page (from 1), label. The text is in a file of its own (`texts`)."""

DOCUMENT_TEXT_FIELDS: Final = (
    "author",
    "creator",
    "filename",
    "keywords",
    "path",
    "producer",
    "subject",
    "title",
)
DOCUMENT_EXACT_FIELDS: Final = ("doc", "lang")
DOCUMENT_FIELDS: Final = tuple(sorted((*DOCUMENT_TEXT_FIELDS, *DOCUMENT_EXACT_FIELDS)))
"""Indexed fields of a document. They live in an index of their own: a renamed file touches no page."""


def page_schema() -> Schema:
    """Return the schema of the page index."""
    from whoosh import analysis, fields

    return fields.Schema(
        text=fields.TEXT(analyzer=analysis.SimpleAnalyzer()),
        flag=fields.ID(),
        doc_id=fields.STORED(),
        page=fields.STORED(),
        label=fields.STORED(),
    )


def document_schema() -> Schema:
    """Return the schema of the document index; everything known of a document is in the stored field `record`."""
    from whoosh import analysis, fields

    texts = {name: fields.TEXT(analyzer=analysis.SimpleAnalyzer()) for name in DOCUMENT_TEXT_FIELDS}
    exact = {name: fields.ID() for name in DOCUMENT_EXACT_FIELDS}
    return fields.Schema(**texts, **exact, record=fields.STORED())


def fingerprint(analysis: Analysis) -> str:
    """Hash what decides whether an index answers questions rightly: fields, versions, analysis."""
    content = [INDEX_VERSION, PAGE_FIELDS, DOCUMENT_FIELDS, asdict(analysis)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
