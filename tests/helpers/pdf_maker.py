"""PDF files as bytes, from content streams and fonts, written by hand and by the letter of ISO 32000-1.

In: content streams, fonts, forms, page entries, as plain Python values (pdf_objects says which value means
what). Out: the bytes of a file, the same for the same arguments. No third-party library takes part, so that a
test never trusts the reader that it tests; encryption alone goes through pypdf.

    make_pdf("BT /F1 10 Tf 72 700 Td (Hello) Tj ET")        # /F1 is Helvetica, unless `fonts` says otherwise
    make_pdf(content, fonts={"F1": type0_font({1: "Ω"}, widths={1: 770})}, crop_box=(0, 0, 99, 99))
    make_document([Page("..."), Page("...", rotate=90)], title="Two pages")
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.helpers.pdf_fonts import (
    Box,
    cmap_stream,
    font_descriptor,
    simple_font,
    to_unicode_cmap,
    type0_font,
    type3_font,
)
from tests.helpers.pdf_objects import Content, Indirect, PdfSyntax, Raw, Stream, text_string

__all__ = [
    "Indirect", "Page", "Raw", "Stream", "cmap_stream", "encrypt", "font_descriptor", "form",
    "make_document", "make_pdf", "resource_entries", "simple_font", "text_string", "to_unicode_cmap",
    "type0_font",
    "type3_font",
]  # fmt: skip

MEDIA_BOX: Box = (0, 0, 600, 800)
"""The media box of a page that says nothing else: round numbers make expected positions easy to check."""


@dataclass
class Page:
    """One page: its content (several streams for a content array), resources and entries."""

    content: Content | Stream | Sequence[Content | Stream]
    fonts: Mapping[str, Any] | None = None
    xobjects: Mapping[str, Any] | None = None
    resources: Mapping[str, Any] | None = None
    media_box: Box = MEDIA_BOX
    crop_box: Box | None = None
    rotate: int | None = None
    annotations: Sequence[Any] = ()
    entries: Mapping[str, Any] = field(default_factory=dict)
    flate: bool = False


def make_pdf(content: Any, *, catalog: Mapping[str, Any] | None = None, **page: Any) -> bytes:
    """Return a file of one page; keywords are the fields of Page."""
    return make_document([Page(content, **page)], catalog=catalog)


def make_document(
    pages: Sequence[Page],
    *,
    catalog: Mapping[str, Any] | None = None,
    title: str | None = None,
    document_information: Mapping[str, Any] | None = None,
) -> bytes:
    """Return a file of the given pages; str values of its information are text."""
    tree = Indirect({})
    kids = [Indirect(_page_entries(page, tree)) for page in pages]
    tree.value = {"Type": "/Pages", "Kids": kids, "Count": len(kids)}
    trailer: dict[str, Any] = {"Root": Indirect({"Type": "/Catalog", "Pages": tree, **(catalog or {})})}
    known = {**({"Title": title} if title is not None else {}), **(document_information or {})}
    if known:
        trailer["Info"] = Indirect({key: text_string(v) if type(v) is str else v for key, v in known.items()})
    return PdfSyntax().file(trailer)


def _page_entries(page: Page, parent: Indirect) -> dict[str, Any]:
    parts = page.content if isinstance(page.content, list | tuple) else [page.content]
    streams = [p if isinstance(p, Stream) else Stream(p, flate=page.flate) for p in parts]
    entries: dict[str, Any] = {
        "Type": "/Page",
        "Parent": parent,
        "MediaBox": list(page.media_box),
        "Resources": resource_entries(page.fonts, page.xobjects, page.resources),
        "Contents": streams[0] if len(streams) == 1 else streams,
    }
    if page.crop_box is not None:
        entries["CropBox"] = list(page.crop_box)
    if page.rotate is not None:
        entries["Rotate"] = page.rotate
    if page.annotations:
        entries["Annots"] = [Indirect(a) if isinstance(a, Mapping) else a for a in page.annotations]
    return {**entries, **page.entries}


def resource_entries(
    fonts: Mapping[str, Any] | None = None,
    xobjects: Mapping[str, Any] | None = None,
    others: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a resource dictionary (7.8.3); /F1 is Helvetica if `fonts` is None."""
    fonts = {"F1": simple_font()} if fonts is None else fonts
    result: dict[str, Any] = {
        "Font": {k: Indirect(v) if isinstance(v, dict) else v for k, v in fonts.items()}
    }
    if xobjects:
        result["XObject"] = dict(xobjects)
    return {**result, **(others or {})}


def form(
    content: Content,
    *,
    bbox: Box = (-10000, -10000, 10000, 10000),
    matrix: Sequence[float] | None = None,
    resources: Mapping[str, Any] | None = None,
    **entries: Any,
) -> Stream:
    """Return a form XObject (8.10); without `resources` it has none, so that those of its painter apply."""
    form_entries: dict[str, Any] = {"Type": "/XObject", "Subtype": "/Form", "BBox": list(bbox)}
    if matrix is not None:
        form_entries["Matrix"] = list(matrix)
    if resources is not None:
        form_entries["Resources"] = dict(resources)
    return Stream(content, {**form_entries, **entries})


def encrypt(
    pdf: bytes, user_password: str = "", owner_password: str = "owner", algorithm: str = "AES-256"
) -> bytes:
    """Return the file encrypted by pypdf; algorithms "RC4-40", "RC4-128", "AES-128", "AES-256"."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    writer.encrypt(user_password, owner_password, algorithm=algorithm)
    output = io.BytesIO()
    writer.write(output)
    return output.getvalue()
